package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"winnow/core/memory"
	"winnow/views/safe"
)

type guardJSON struct {
	Schema int          `json:"schema"`
	Store  storeJSON    `json:"store"`
	DryRun bool         `json:"dry_run"`
	Undone []undoneJSON `json:"undone"`
	Plans  []planJSON   `json:"plans"`
}

type undoneJSON struct {
	Kind   string     `json:"kind"`
	ByRule bool       `json:"by_rule"`
	ID     text       `json:"id"`
	Title  text       `json:"title"`
	Mine   text       `json:"mine"`
	Theirs text       `json:"theirs"`
	Entry  string     `json:"entry"`
	Times  int        `json:"times"`
	At     *time.Time `json:"at"`
	Always bool       `json:"always"`
	Masked bool       `json:"masked"`
}

// eventJSON is one line of the JSON of a guard that follows. One of the last three
// is set.
type eventJSON struct {
	Schema    int         `json:"schema"`
	Undone    *undoneJSON `json:"undone,omitempty"`
	Plan      *planJSON   `json:"plan,omitempty"`
	Reapplied int         `json:"reapplied,omitempty"`
}

func (o *output) undoneJSON(list []memory.Undone) []undoneJSON {
	out := make([]undoneJSON, 0, len(list))
	for i := range list {
		u := &list[i]
		r, my := &u.Record, &u.MyRecord
		if u.Theirs == "" {
			my = r
		}
		mine, masked := o.storedJSON(u.Mine, my)
		theirs, also := o.storedJSON(u.Theirs, r)
		out = append(out, undoneJSON{
			Kind: u.Kind.String(), ByRule: u.Kind.ByRule(), ID: text(o.maskedID(r, u.ID)), Title: o.text(r.Title, r.Secrets, memory.InTitle),
			Mine: mine, Theirs: theirs, Entry: string(u.Entry), Times: u.Times, At: instant(u.At), Always: u.Always, Masked: masked || also,
		})
	}
	return out
}

// told names what was told of already: the same change undone once more is new.
type told struct {
	kind  memory.UndoneKind
	id    memory.ID
	entry memory.EntryID
	times int
}

// follow tells of what is undone until it is interrupted, which is no failure.
func (g *guarding) follow(ctx context.Context) error {
	if g.f.always {
		steps, err := g.decide(ctx, nil)
		if err != nil {
			return err
		}
		if err := g.tellSteps(steps); err != nil {
			return err
		}
	}
	if !g.place.Exists {
		fmt.Fprintf(g.Err, "waiting for %s, which is not there yet\n", safe.Line(g.Redact(g.place.Path)))
	}
	if g.ErrTTY {
		fmt.Fprintf(g.Err, "following %s; ctrl-c ends\n", safe.Line(g.Redact(g.place.Path)))
	}
	follow, stop := context.WithCancel(ctx)
	defer stop()
	seen, reapplied := map[told]bool{}, 0
	for snap := range g.Library.Follow(follow, g.place.Store) {
		if snap.Partial {
			continue
		}
		var fresh []memory.Undone
		for _, u := range snap.Undone {
			if key := (told{u.Kind, u.ID, u.Entry, u.Times}); !seen[key] {
				seen[key] = true
				fresh = append(fresh, u)
			}
		}
		if err := g.tell(ctx, fresh, snap.Reapplied-reapplied); err != nil {
			return err
		}
		reapplied = snap.Reapplied
	}
	return nil
}

// tell prints what is new, and does what was asked for about it. What cannot be
// done is said, and does not end the guard.
func (g *guarding) tell(ctx context.Context, fresh []memory.Undone, reapplied int) error {
	o := g.output(g.reveal)
	g.warn(o, fresh)
	for i := range fresh {
		switch {
		case g.json:
			list := o.undoneJSON(fresh[i : i+1])
			o.event(eventJSON{Schema: schemaVersion, Undone: &list[0]})
		case o.width == 0:
			o.printf("%s\n", g.columns(o, &fresh[i]))
		default:
			g.printOne(o, &fresh[i])
		}
	}
	if reapplied > 0 && g.json {
		o.event(eventJSON{Schema: schemaVersion, Reapplied: reapplied})
	} else if reapplied > 0 {
		fmt.Fprintf(g.Err, "%s done again, as you decided\n", plural(reapplied, "change"))
	}
	fresh = g.asked(fresh)
	if err := o.close(); err != nil || len(fresh) == 0 || g.f.always {
		return err
	}
	steps, err := g.decide(ctx, fresh)
	if err != nil && !errors.Is(err, context.Canceled) {
		g.report(err)
	}
	return g.tellSteps(steps)
}

// asked returns those of the undone that --only names, and all without it.
func (g *guarding) asked(undone []memory.Undone) []memory.Undone {
	if len(g.f.only) == 0 {
		return undone
	}
	return slices.DeleteFunc(slices.Clone(undone), func(u memory.Undone) bool {
		return !slices.ContainsFunc(g.f.only, func(name string) bool {
			_, begins := matches(&memory.Record{ID: u.ID, Line: u.Record.Line}, name)
			return begins
		})
	})
}

func (g *guarding) tellSteps(steps []step) error {
	if len(steps) == 0 {
		return nil
	}
	if !g.json {
		return g.print(steps)
	}
	o := g.output(g.reveal)
	for i := range steps {
		p := g.planJSON(o, &steps[i])
		o.event(eventJSON{Schema: schemaVersion, Plan: &p})
	}
	return o.close()
}

// event prints v as JSON on one line.
func (o *output) event(v any) {
	enc := json.NewEncoder(o)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v) // an error of the output is kept by it
}
