package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"winnow/core/memory"
	"winnow/views/safe"
)

func (e Env) stores(all *flags) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:     "stores [PATH...]",
		Short:   "list the stores, and where was looked for them",
		Long:    "Lists the stores that are found, or those at and below PATH, with their health.",
		Example: examples("winnow stores", "winnow stores ~/src --json"),
		RunE: func(c *cobra.Command, args []string) error {
			if all.store != "" {
				args = append([]string{all.store}, args...)
			}
			return e.runStores(c.Context(), args, all, asJSON)
		},
	}
	jsonFlag(c, &asJSON)
	return c
}

func (e Env) runStores(ctx context.Context, paths []string, all *flags, asJSON bool) error {
	s := e.survey(ctx, paths)
	if err := ctx.Err(); err != nil {
		return err
	}
	states := make([]memory.Snapshot, 0, len(s.Places))
	for _, p := range s.Places {
		snap, err := e.Library.Summary(ctx, p.Store)
		if err != nil {
			return err
		}
		snap.Place = p
		states = append(states, snap)
	}
	o := e.output(false)
	if asJSON {
		err := o.json(storesJSON{Schema: schemaVersion, Stores: statesOf(states), Looked: lookedOf(s.Looked)})
		if err == nil && len(existing(s)) == 0 {
			return silent(exitNotFound)
		}
		return err
	}
	for i := range states {
		o.printStore(&states[i], e.Now(), all.zone(e))
	}
	if len(states) > 0 {
		o.printf("\n")
	}
	for _, l := range s.Looked {
		o.line(fmt.Sprintf("looked at %s: %d found%s", safe.Line(l.Where), l.Found, note(safe.Line(l.Note))))
	}
	if err := o.close(); err != nil {
		return err
	}
	if len(existing(s)) == 0 {
		return &failure{code: exitNotFound, err: errNoStore, hint: "name a store or a folder: winnow stores PATH"}
	}
	return nil
}

// printStore prints a store with its counts, and what its health has to say.
func (o *output) printStore(s *memory.Snapshot, now time.Time, zone *time.Location) {
	o.line(safe.Line(s.Place.Path))
	o.line("  " + safe.Line(s.Place.Why))
	if s.Problem != nil {
		o.line("  " + safe.Line(s.Problem.What))
		return
	}
	o.line(fmt.Sprintf("  %d records, %d of at most %d held, %d never recalled", s.Total, s.Held, s.Cap, s.Unused))
	o.line(fmt.Sprintf("  %d bytes, mode %04o, git %s, written %s",
		s.Size, s.Mode.Perm(), s.Git, moment(memory.Moment{Time: s.ModTime}, zone)))
	if s.Writer != "" {
		o.line("  " + safe.Line(s.Writer))
	}
	for _, h := range s.Health {
		if h.Level > memory.Good {
			o.line(fmt.Sprintf("  %s: %s", h.Level, safe.Line(h.What)))
		}
	}
}

type storesJSON struct {
	Schema int          `json:"schema"`
	Stores []stateJSON  `json:"stores"`
	Looked []lookedJSON `json:"looked"`
}

// stateJSON is a store with its counts and its health.
type stateJSON struct {
	storeJSON
	Total    int          `json:"total"`
	Held     int          `json:"held"`
	Cap      int          `json:"cap"`
	LoadCap  int          `json:"load_cap"`
	Unused   int          `json:"unused"`
	Size     int64        `json:"size"`
	Mode     string       `json:"mode"`
	Modified *time.Time   `json:"modified"`
	Git      string       `json:"git"`
	Writer   text         `json:"writer"`
	Health   []healthJSON `json:"health"`
	Problem  *problemJSON `json:"problem"`
}

type lookedJSON struct {
	Where text `json:"where"`
	Found int  `json:"found"`
	Note  text `json:"note"`
}

func stateOf(s *memory.Snapshot) stateJSON {
	return stateJSON{
		storeJSON: placeOf(s.Place), Total: s.Total, Held: s.Held, Cap: s.Cap, LoadCap: s.LoadCap,
		Unused: s.Unused, Size: s.Size, Mode: fmt.Sprintf("%04o", s.Mode.Perm()), Modified: instant(s.ModTime),
		Git: s.Git.String(), Writer: text(s.Writer), Health: healthOf(s.Health), Problem: problemOf(s.Problem),
	}
}

func statesOf(states []memory.Snapshot) []stateJSON {
	out := make([]stateJSON, 0, len(states))
	for i := range states {
		out = append(out, stateOf(&states[i]))
	}
	return out
}

func lookedOf(looked []memory.Looked) []lookedJSON {
	out := make([]lookedJSON, 0, len(looked))
	for _, l := range looked {
		out = append(out, lookedJSON{Where: text(l.Where), Found: l.Found, Note: text(l.Note)})
	}
	return out
}
