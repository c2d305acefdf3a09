package cli

import (
	"fmt"
	"time"

	"winnow/cli/output"
	"winnow/core/memory"
)

// storesJSON is the stores that were found, and where they were looked for.
type storesJSON struct {
	Schema  int          `json:"schema"`
	Stores  []stateJSON  `json:"stores"`
	Looked  []lookedJSON `json:"looked"`
	Systems []groupJSON  `json:"systems"`
}

type lookedJSON struct {
	Where text `json:"where"`
	Found int  `json:"found"`
	Note  text `json:"note"`
}

// stateJSON is a store with its counts and its health.
type stateJSON struct {
	placeJSON
	Total    int           `json:"total"`
	Aside    int           `json:"aside"`
	Damaged  int           `json:"damaged"`
	Held     int           `json:"held"`
	Cap      int           `json:"cap"`
	LoadCap  int           `json:"load_cap"`
	Unused   int           `json:"unused"`
	Size     int64         `json:"size"`
	Mode     string        `json:"mode"` // octal
	Modified *time.Time    `json:"modified"`
	Git      text          `json:"git"`
	Writer   text          `json:"writer"`
	Health   []healthJSON  `json:"health"`
	Problem  *problemJSON  `json:"problem"`
	Noun     text          `json:"noun"`
	Start    sizeJSON      `json:"start"` // what every session is given
	Usage    []usageJSON   `json:"usage"`
	Scopes   []scopeJSON   `json:"scopes"`
	Running  []runningJSON `json:"running"`
	Facts    []factJSON    `json:"facts"`
	ReadOnly text          `json:"read_only"`
	Findings *tallyJSON    `json:"findings"` // null if nobody asked for them
}

type healthJSON struct {
	Code  text   `json:"code"`
	Level string `json:"level"`
	What  text   `json:"what"`
	Next  text   `json:"next"`
	Lines []int  `json:"lines"`
	Count int    `json:"count"`
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

// runningJSON is a running process of the system.
type runningJSON struct {
	PID     int        `json:"pid"`
	Session text       `json:"session"`
	Folder  text       `json:"folder"`
	State   text       `json:"state"`
	Since   *time.Time `json:"since"`
}

// tallyJSON counts the findings of an audit by severity.
type tallyJSON struct {
	High   int `json:"high"`
	Medium int `json:"medium"`
	Low    int `json:"low"`
	File   int `json:"file"`
}

// groupJSON is the totals of a system's stores.
type groupJSON struct {
	System   text       `json:"system"`
	Name     text       `json:"name"`
	Stores   int        `json:"stores"`
	Projects int        `json:"projects"`
	Records  int        `json:"records"`
	Running  int        `json:"running"`
	Failed   int        `json:"failed"`
	Findings *tallyJSON `json:"findings"`
}

// stateOf returns the JSON of a store with its counts and its health.
func stateOf(o *output.Out, s *state) stateJSON {
	return stateJSON{
		placeJSON: placeOf(o, s.Place),
		Total:     s.Total,
		Aside:     s.Aside,
		Damaged:   s.Damaged,
		Held:      s.Held,
		Cap:       s.Cap,
		LoadCap:   s.LoadCap,
		Unused:    s.Unused,
		Size:      s.Size,
		Mode:      output.When(s.Mode != 0, fmt.Sprintf("%04o", s.Mode.Perm())),
		Modified:  output.Instant(s.ModTime),
		Git:       text(s.Git.String()),
		Writer:    text(s.Writer),
		Health: output.Each(s.Health, func(h *memory.Health) healthJSON {
			return healthJSON{
				Code: text(h.Code), Level: h.Level.String(), What: text(h.What), Next: text(h.Next),
				Lines: h.Lines, Count: h.Count,
			}
		}),
		Problem: problemOf(o, s.Problem),
		Noun:    text(s.Noun.OrRecord().One),
		Start:   sizeOf(s.Start),
		Usage: output.Each(s.Usage, func(u *memory.Usage) usageJSON {
			return usageJSON{o.Text(u.Name), u.Used, u.Limit, o.Text(u.Text)}
		}),
		Scopes: output.Each(s.Scopes, func(c *memory.Scope) scopeJSON {
			return scopeJSON{o.Text(c.Name), c.Records, o.Text(c.Note)}
		}),
		Running: output.Each(s.Running, func(r *memory.Running) runningJSON {
			return runningJSON{r.PID, o.Text(r.Session), o.Text(r.Folder), o.Text(r.State), output.Instant(r.Since)}
		}),
		Facts:    factsOf(o, s.Facts),
		ReadOnly: text(s.ReadOnly),
		Findings: tallyOf(s.tally),
	}
}

func sizeOf(s memory.Size) sizeJSON { return sizeJSON{s.Bytes, s.TokensLow, s.TokensHigh} }

func tallyOf(t *memory.Tally) *tallyJSON {
	return output.OrNull(t, func(t *memory.Tally) tallyJSON { return tallyJSON{t.High, t.Medium, t.Low, t.Files} })
}

// groupOf returns the JSON of the totals of a system's stores.
func groupOf(g *group) groupJSON {
	return groupJSON{
		System:   text(g.id),
		Name:     text(g.name),
		Stores:   len(g.states),
		Projects: g.projects,
		Records:  g.records,
		Running:  g.running,
		Failed:   g.unreadable,
		Findings: tallyOf(g.tally),
	}
}
