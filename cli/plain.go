package cli

import (
	"context"
	"fmt"
	"strings"

	"winnow/core/memory"
	"winnow/views"
	"winnow/views/safe"
)

// plain prints the records as a numbered list: for screen readers, and for
// terminals that cannot draw screens.
func (e Env) plain(ctx context.Context, paths []string, all *flags) error {
	s, err := e.places(ctx, all, paths)
	if err != nil {
		return err
	}
	found := existing(s)
	if len(found) == 0 {
		return noStore(s)
	}
	o := e.output(false)
	for _, place := range found {
		snap, err := e.load(ctx, place)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && len(found) == 1:
			return err
		case err != nil: // it does not hide the others
			o.printf("Store %s: %s\n", o.sentence(place.Path), o.sentence(err.Error()))
		default:
			e.printPlain(o, snap)
		}
	}
	o.printf("This is a plain list. For the screens, run winnow on a terminal that can draw, without --plain. ")
	o.printf("For more: winnow --help\n")
	return o.close()
}

// plainKind says in a word or two what a record is: how its session ended and how often
// it was recalled, or its kind where its system has no such things.
func (o *output) plainKind(snap memory.Snapshot, r *memory.Record) string {
	outcome := string(r.Outcome)
	switch {
	case outcome == "" && r.Kind != "":
		return strings.TrimSuffix(r.Kind+", "+r.Scope, ", ")
	case outcome == "" && snap.Cap == 0 && r.Count.N == 0:
		return nounOf(snap.Noun).One
	case outcome == "" && snap.Cap == 0:
		outcome = nounOf(snap.Noun).One
	case outcome == "":
		outcome = "no outcome"
	}
	return outcome + ", recalled " + times(r)
}

func (e Env) printPlain(o *output, snap memory.Snapshot) {
	name := o.sentence(views.PlacePath(snap.Place))
	if snap.Place.Name != "" {
		name += " (" + safe.Line(e.kindName(snap.Place)) + ")"
	}
	others := ""
	if snap.Aside > 0 {
		others = fmt.Sprintf(" and %d others", snap.Aside)
	}
	o.printf("Store %s: %s%s, %d shown.\n", name, safe.Line(nounOf(snap.Noun).Count(snap.Counted())), others, len(snap.Records))
	now := e.Now()
	for i := range snap.Records {
		r := o.shown(&snap.Records[i])
		o.printf("%d. %s (%s", i+1, o.headline(r), safe.Line(o.plainKind(snap, r)))
		if !r.Created.Time.IsZero() {
			o.printf(", %s old", views.Age(now.Sub(r.Created.Time)))
		}
		for _, name := range flagNames(r.Flags) {
			o.printf(", %s", name)
		}
		o.printf(")\n")
	}
	for _, h := range snap.Health {
		if h.Level >= memory.Warn {
			o.printf("%s: %s%s\n", h.Level, safe.Line(h.What), where(h))
		}
	}
	if snap.Total > len(snap.Records) {
		o.printf("%s\n", fmt.Sprintf("%d more are not shown.", snap.Total-len(snap.Records)))
	}
}
