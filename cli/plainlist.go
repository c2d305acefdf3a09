package cli

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"winnow/cli/output"
	"winnow/core/memory"
	"winnow/views"
)

// plainList prints the records as a numbered list: for screen readers, and for
// terminals that cannot draw screens.
func (p *program) plainList(ctx context.Context, paths []string) error {
	found, err := p.existing(ctx, paths...)
	if err != nil {
		return err
	}
	for _, place := range found {
		snap, err := p.loadWhole(ctx, place)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil && len(found) == 1 {
			return err
		}
		if err != nil { // it does not hide the others
			p.out.Printf("Store %s: %s\n", place.Path, err)
			continue
		}
		p.printPlain(snap)
	}
	p.out.Printf(
		"This is a plain list. For the screens, run winnow on a terminal that can draw, without --plain. To browse by lines, run winnow --plain with a terminal as its input. For more: winnow --help\n",
	)
	return nil
}

func (p *program) printPlain(snap memory.Snapshot) {
	o, name := p.out, p.out.Show(views.PlacePath(snap.Place))
	if snap.Place.Name != "" {
		name += o.Sprintf(" (%s)", p.kindName(snap.Place))
	}
	others := output.When(snap.Aside > 0, fmt.Sprintf(" and %d others", snap.Aside)) +
		output.When(snap.Damaged > 0, fmt.Sprintf(" and %d damaged", snap.Damaged))
	o.Printf("Store %s: %s%s, %d shown.\n", name, snap.Noun.Count(snap.Counted()), others, len(snap.Records))
	for i := range snap.Records {
		r := o.Shown(&snap.Records[i])
		age := output.When(!r.Created.Time.IsZero(), p.age(r.Created.Time)+" old")
		more := output.NonEmpty(append([]string{plainKind(&snap, r), age}, r.Flags.Words()...)...)
		o.Printf("%d. %s (%s)\n", i+1, headline(r), strings.Join(more, ", "))
	}
	for _, h := range snap.Health {
		if h.Level >= memory.Warn {
			o.Printf("%s: %s%s\n", h.Level, h.What, inLines(h))
		}
	}
	if n := snap.Total - len(snap.Records); n > 0 {
		o.Printf("%d more are not shown.\n", n)
	}
}

// plainKind describes a record in a word or two: the outcome of its session and its relevance count
// or, if its system has neither, its kind.
func plainKind(snap *memory.Snapshot, r *memory.Record) string {
	outcome, noun := string(r.Outcome), snap.Noun.OrRecord().One
	switch {
	case outcome == "" && r.Kind != "":
		return output.Joined(", ", r.Kind, r.Scope)
	case outcome == "" && snap.Cap == 0 && r.Count.N == 0:
		return noun
	case outcome == "" && snap.Cap == 0:
		outcome = noun
	}
	return cmp.Or(outcome, "no outcome") + ", recalled " + timesText(r)
}
