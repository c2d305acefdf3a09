package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"winnow/cli/output"
	"winnow/core/memory"
)

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

type healthJSON struct {
	Code  string `json:"code"`
	Level string `json:"level"`
	What  text   `json:"what"`
	Next  text   `json:"next"`
	Lines []int  `json:"lines"`
	Count int    `json:"count"`
}

// stateOf returns the JSON of a store.
func stateOf(o *output.Out, s *state) stateJSON {
	return stateJSON{
		storeJSON: placeJSON(o, s.Place), Total: s.Total, Aside: s.Aside, Held: s.Held, Cap: s.Cap, LoadCap: s.LoadCap,
		Unused: s.Unused, Size: s.Size, Mode: fmt.Sprintf("%04o", s.Mode.Perm()), Modified: output.Instant(s.ModTime),
		Git: s.Git.String(), Writer: text(s.Writer), Problem: problemOf(o, s.Problem),
		Noun: text(s.Noun.OrRecord().One), Start: sizeJSON(s.Start), Facts: factsOf(o, s.Facts), ReadOnly: text(s.ReadOnly), Findings: tallyOf(s.tally),
		Health: output.Each(s.Health, func(h *memory.Health) healthJSON {
			return healthJSON{
				Code: h.Code, Level: h.Level.String(), What: text(h.What), Next: text(h.Next),
				Lines: append([]int{}, h.Lines...), Count: h.Count,
			}
		}),
		Usage:  output.Each(s.Usage, func(u *memory.Usage) usageJSON { return usageJSON{o.Text(u.Name), u.Used, u.Limit, o.Text(u.Text)} }),
		Scopes: output.Each(s.Scopes, func(c *memory.Scope) scopeJSON { return scopeJSON{o.Text(c.Name), c.Records, o.Text(c.Note)} }),
		Running: output.Each(s.Running, func(r *memory.Running) runningJSON {
			return runningJSON{r.PID, o.Text(r.Session), o.Text(r.Folder), o.Text(r.State), output.Instant(r.Since)}
		}),
	}
}

func tallyOf(t *memory.Tally) *tallyJSON {
	if t == nil {
		return nil
	}
	return &tallyJSON{t.High, t.Medium, t.Low, t.Files}
}

func groupOf(g *group) groupedJSON {
	return groupedJSON{
		System: string(g.id), Name: text(g.name), Stores: len(g.states), Projects: g.projects, Records: g.records,
		Running: g.running, Failed: g.unreadable, Findings: tallyOf(g.tally),
	}
}

func (p *program) doctor() command {
	return command{
		use: "doctor", short: "Say what is wrong with a store, and what to do",
		long: `Examines a store and prints one finding a line, each with its next safe step.
The exit status is 4 if a finding is a warning or worse.`,
		examples: []string{"winnow doctor", "winnow doctor --json | jq '.health[] | select(.level != \"ok\")'"},
		args:     atMost(0),
		flags:    []flag{p.jsonFlag()},
		run:      p.runDoctor,
	}
}

type doctorJSON struct {
	Schema int       `json:"schema"`
	Store  stateJSON `json:"store"`
	Worst  string    `json:"worst"`
}

func (p *program) runDoctor(ctx context.Context, _ []string) error {
	place, err := p.choose(ctx, choice{})
	if err != nil {
		return err
	}
	snap, err := p.load(ctx, place) // a summary leaves out what only the records tell
	if err != nil {
		return err
	}
	worst := memory.Good
	for _, h := range snap.Health {
		worst = max(worst, h.Level)
	}
	if p.json {
		p.out.JSON(doctorJSON{Schema: schemaVersion, Store: stateOf(p.out, &state{Snapshot: snap}), Worst: worst.String()})
	} else {
		p.printHealth(snap)
	}
	if worst >= memory.Warn {
		return silent(exitUnwell)
	}
	return nil
}

// printHealth prints what is wrong with a store, a line each.
func (p *program) printHealth(snap memory.Snapshot) {
	p.out.Printf("%s: %s\n", snap.Place.Path, snap.Noun.Count(snap.Counted()))
	health := snap.Health
	if snap.Problem != nil {
		health = append([]memory.Health{{Level: memory.Note, What: snap.Problem.What}}, health...)
	}
	for _, h := range health {
		p.out.Printf("%s  %s%s\n", p.out.Sprintf("%-4s", h.Level), h.What, inLines(h))
		if h.Next != "" {
			p.out.Printf("      next: %s\n", h.Next)
		}
	}
}

// inLines names the lines that a finding is about.
func inLines(h memory.Health) string {
	lines := output.Each(h.Lines, func(n *int) string { return fmt.Sprint(*n) })
	more := h.Count - len(h.Lines)
	return output.When(len(lines) > 0, " (line "+strings.Join(lines, ", ")+output.When(more > 0, fmt.Sprintf(" and %d more", more))+")")
}
