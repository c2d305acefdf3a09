package cli

import (
	"context"
	"fmt"

	"winnow/core/memory"
	"winnow/views"
	"winnow/views/safe"
)

// plain prints the records as a numbered list: for screen readers, and for
// terminals that cannot draw screens.
func (e Env) plain(ctx context.Context, paths []string, all *flags) error {
	s := e.survey(ctx, paths)
	found := existing(s)
	if len(found) == 0 {
		return noStore(s)
	}
	o := e.output(false)
	for _, place := range found {
		snap, err := e.load(ctx, place, memory.Window{})
		if err != nil {
			return err
		}
		e.printPlain(o, snap)
	}
	o.printf("This is a plain list. For the screens, run winnow on a terminal that can draw, without --plain. ")
	o.printf("For more: winnow --help\n")
	return o.close()
}

func (e Env) printPlain(o *output, snap memory.Snapshot) {
	o.printf("Store %s: %d records, %d shown.\n", safe.Line(snap.Place.Path), snap.Total, len(snap.Records))
	now := e.Now()
	for i := range snap.Records {
		r := &snap.Records[i]
		outcome := string(r.Outcome)
		if outcome == "" {
			outcome = "no outcome"
		}
		o.printf("%d. %s (%s, recalled %s", snap.First+i+1, o.headline(r), safe.Line(outcome), times(r))
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
