package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"winnow/core/memory"
)

type storesFlags struct{ json, findings, long bool }

func (e Env) stores(all *flags) *cobra.Command {
	var f storesFlags
	c := &cobra.Command{
		Use:   "stores [PATH...]",
		Short: "list the stores, and where was looked for them",
		Long: `Lists the stores that are found, or those at and below PATH, by system and project:
how many records each holds, what it adds to every session from the start, how full
it is, who runs now, and what is wrong with it. PATH can be all that --store takes.

On a terminal each store is one line; --long says all that is known, as it does to
anything else. --findings audits each store, which reads all of it.`,
		Example: examples("winnow stores", "winnow stores --system claudecode --long", "winnow stores ~/src --json"),
		RunE: func(c *cobra.Command, args []string) error {
			if all.store != "" {
				args = append([]string{all.store}, args...)
			}
			return e.runStores(c.Context(), args, all, f)
		},
	}
	c.Flags().BoolVar(&f.findings, "findings", false, "count what an audit finds in each store")
	c.Flags().BoolVar(&f.long, "long", false, "say all that is known of each store")
	jsonFlag(c, &f.json)
	return c
}

func (e Env) runStores(ctx context.Context, paths []string, all *flags, f storesFlags) error {
	s, err := e.places(ctx, all, paths)
	if err != nil {
		return err
	}
	states, err := e.states(ctx, s.Places, f.findings)
	if err != nil {
		return err
	}
	o := e.output(false)
	if f.json {
		err := o.json(storesJSON{
			Schema: schemaVersion, Stores: o.statesOf(states), Looked: o.lookedJSON(s.Looked), Systems: o.systemsJSON(e.grouped(states)),
		})
		if err == nil && len(existing(s)) == 0 {
			return silent(exitNotFound)
		}
		return err
	}
	e.printStores(o, all, states, f.long || o.width == 0)
	for _, l := range s.Looked {
		if f.long || o.width == 0 || len(states) == 0 {
			o.line(fmt.Sprintf("looked at %s: %d found%s", o.sentence(l.Where), l.Found, note(o.sentence(l.Note))))
		}
	}
	if err := o.close(); err != nil {
		return err
	}
	if len(existing(s)) == 0 {
		return &failure{code: exitNotFound, err: errNoStore, hint: "name a store or a folder: winnow stores PATH"}
	}
	return nil
}

// state is a store with its counts, and what an audit of it counts unless that is nil.
type state struct {
	memory.Snapshot
	tally *memory.Tally
}

// states asks each of the places for its counts. A store that cannot be read has a
// problem, and does not hide the others.
func (e Env) states(ctx context.Context, places []memory.Place, findings bool) ([]state, error) {
	states := make([]state, len(places))
	inParallel(len(places), func(i int) { states[i] = e.stateAt(ctx, places[i], findings) })
	return states, ctx.Err()
}

func (e Env) stateAt(ctx context.Context, p memory.Place, findings bool) (s state) {
	snap, err := e.Library.Summary(ctx, p.Store)
	snap.Place = p
	s.Snapshot = snap
	if err == nil && findings && p.Exists && snap.Problem == nil {
		var t memory.Tally
		if t, err = e.Library.Tally(ctx, p.Store); err == nil {
			s.tally = &t
		}
	}
	if err != nil && s.Problem == nil {
		s.Problem = problemIn(err)
	}
	return s
}

// problemIn returns an error as a problem.
func problemIn(err error) *memory.Problem {
	var p *memory.Problem
	if errors.As(err, &p) {
		return p
	}
	f := asFailure(err)
	return &memory.Problem{Code: "read-error", What: f.Error(), Hint: f.hint}
}

type storesJSON struct {
	Schema  int           `json:"schema"`
	Stores  []stateJSON   `json:"stores"`
	Looked  []lookedJSON  `json:"looked"`
	Systems []groupedJSON `json:"systems"`
}

// groupedJSON is what the stores of a system are together.
type groupedJSON struct {
	System   string     `json:"system"`
	Name     text       `json:"name"`
	Stores   int        `json:"stores"`
	Projects int        `json:"projects"`
	Records  int        `json:"records"`
	Running  int        `json:"running"`
	Failed   int        `json:"failed"`
	Findings *tallyJSON `json:"findings"`
}

func (o *output) systemsJSON(groups []group) []groupedJSON {
	out := make([]groupedJSON, 0, len(groups))
	for i := range groups {
		g := &groups[i]
		j := groupedJSON{
			System: string(g.id), Name: text(g.name), Stores: len(g.states), Projects: g.projects(), Records: g.records(),
			Running: g.running(), Failed: g.failed(), Findings: tallyOf(g.tally()),
		}
		out = append(out, j)
	}
	return out
}

// stateJSON is a store with its counts and its health.
type stateJSON struct {
	storeJSON
	Total    int           `json:"total"`
	Aside    int           `json:"aside"`
	Held     int           `json:"held"`
	Cap      int           `json:"cap"`
	LoadCap  int           `json:"load_cap"`
	Unused   int           `json:"unused"`
	Size     int64         `json:"size"`
	Mode     string        `json:"mode"`
	Modified *time.Time    `json:"modified"`
	Git      string        `json:"git"`
	Writer   text          `json:"writer"`
	Health   []healthJSON  `json:"health"`
	Problem  *problemJSON  `json:"problem"`
	Noun     text          `json:"noun"`
	Start    sizeJSON      `json:"start"`
	Usage    []usageJSON   `json:"usage"`
	Scopes   []scopeJSON   `json:"scopes"`
	Running  []runningJSON `json:"running"`
	Facts    []factJSON    `json:"facts"`
	ReadOnly text          `json:"read_only"`
	Findings *tallyJSON    `json:"findings"`
}

type sizeJSON struct {
	Bytes      int `json:"bytes"`
	TokensLow  int `json:"tokens_low"`
	TokensHigh int `json:"tokens_high"`
}

type usageJSON struct {
	Name  text `json:"name"`
	Used  int  `json:"used"`
	Limit int  `json:"limit"`
	Text  text `json:"text"`
}

type scopeJSON struct {
	Name    text `json:"name"`
	Records int  `json:"records"`
	Note    text `json:"note"`
}

type runningJSON struct {
	PID     int        `json:"pid"`
	Session text       `json:"session"`
	Folder  text       `json:"folder"`
	State   text       `json:"state"`
	Since   *time.Time `json:"since"`
}

type tallyJSON struct {
	High   int `json:"high"`
	Medium int `json:"medium"`
	Low    int `json:"low"`
	File   int `json:"file"`
}

type lookedJSON struct {
	Where text `json:"where"`
	Found int  `json:"found"`
	Note  text `json:"note"`
}

// stateOf returns the JSON of a store. What stands in it as it is stored is redacted.
func (o *output) stateOf(s *state) stateJSON {
	j := stateJSON{
		storeJSON: o.placeJSON(s.Place), Total: s.Total, Aside: s.Aside, Held: s.Held, Cap: s.Cap, LoadCap: s.LoadCap,
		Unused: s.Unused, Size: s.Size, Mode: fmt.Sprintf("%04o", s.Mode.Perm()), Modified: instant(s.ModTime),
		Git: s.Git.String(), Writer: text(s.Writer), Health: healthOf(s.Health), Problem: o.problemJSON(s.Problem),
		Noun: text(nounOf(s.Noun).One), Start: sizeJSON(s.Start), Usage: []usageJSON{}, Scopes: []scopeJSON{},
		Running: []runningJSON{}, Facts: o.factsJSON(s.Facts), ReadOnly: text(s.ReadOnly), Findings: tallyOf(s.tally),
	}
	for _, u := range s.Usage {
		j.Usage = append(j.Usage, usageJSON{o.said(u.Name), u.Used, u.Limit, o.said(u.Text)})
	}
	for _, c := range s.Scopes {
		j.Scopes = append(j.Scopes, scopeJSON{o.said(c.Name), c.Records, o.said(c.Note)})
	}
	for _, r := range s.Running {
		j.Running = append(j.Running, runningJSON{r.PID, o.said(r.Session), o.said(r.Folder), o.said(r.State), instant(r.Since)})
	}
	return j
}

func tallyOf(t *memory.Tally) *tallyJSON {
	if t == nil {
		return nil
	}
	return &tallyJSON{t.High, t.Medium, t.Low, t.Files}
}

func (o *output) statesOf(states []state) []stateJSON {
	out := make([]stateJSON, 0, len(states))
	for i := range states {
		out = append(out, o.stateOf(&states[i]))
	}
	return out
}

func (o *output) lookedJSON(looked []memory.Looked) []lookedJSON {
	out := make([]lookedJSON, 0, len(looked))
	for _, l := range looked {
		out = append(out, lookedJSON{Where: o.said(l.Where), Found: l.Found, Note: o.said(l.Note)})
	}
	return out
}
