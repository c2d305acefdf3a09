package cli

import (
	"encoding/base64"
	"time"
	"unicode/utf8"

	"winnow/core/memory"
)

// schemaVersion is raised when a field of the JSON changes its meaning or goes
// away. Fields may be added without it.
const schemaVersion = 1

// The types below are the JSON of the commands, documented in docs/cli.md. Lists
// are never null, and times are RFC 3339 in UTC or null.

type storeJSON struct {
	Path   text   `json:"path"`
	System string `json:"system"`
	Why    text   `json:"why"`
	Exists bool   `json:"exists"`
	// Store, Name and Project are missing where there is nothing to say.
	Store   text `json:"store,omitempty"`
	Name    text `json:"name,omitempty"`
	Project text `json:"project,omitempty"`
}

type factJSON struct {
	Name text `json:"name"`
	Text text `json:"text"`
}

type problemJSON struct {
	Code string `json:"code"`
	What text   `json:"what"`
	Hint text   `json:"hint"`
}

type recordJSON struct {
	ID          text         `json:"id"`
	Line        int          `json:"line"`
	Outcome     text         `json:"outcome"`
	Title       text         `json:"title"`
	Body        text         `json:"body"`
	Tools       []text       `json:"tools"`
	Session     text         `json:"session"`
	Created     text         `json:"created"`
	CreatedTime *time.Time   `json:"created_time"`
	Used        text         `json:"used"`
	UsedTime    *time.Time   `json:"used_time"`
	Count       int          `json:"count"`
	OddCount    text         `json:"odd_count"`
	Forecast    forecastJSON `json:"forecast"`
	Flags       []string     `json:"flags"`
	Similar     []text       `json:"similar"`
	Secrets     []secretJSON `json:"secrets"`
	Problem     *problemJSON `json:"problem"`
	Masked      bool         `json:"masked"`
	Size        int          `json:"size"`
	// What follows is missing where there is nothing to say.
	Kind      text       `json:"kind,omitempty"`
	Scope     text       `json:"scope,omitempty"`
	File      text       `json:"file,omitempty"`
	Facts     []factJSON `json:"facts,omitempty"`
	Notes     []text     `json:"notes,omitempty"`
	Fixed     text       `json:"fixed,omitempty"`
	Elsewhere []kinJSON  `json:"elsewhere,omitempty"`
	// Raw is the stored form of a record whose texts are not Unicode, and RawBase64 its
	// bytes where they are not UTF-8 themselves.
	Raw       text   `json:"raw,omitempty"`
	RawBase64 string `json:"raw_base64,omitempty"`
}

// kinJSON is a record of another store that says nearly the same, or the contrary.
type kinJSON struct {
	Store    text `json:"store"`
	ID       text `json:"id"`
	Title    text `json:"title"`
	Contrary bool `json:"contrary"`
	Why      text `json:"why"`
}

type forecastJSON struct {
	Rank        int        `json:"rank"`
	LeavesAfter int        `json:"leaves_after"`
	PruneTime   *time.Time `json:"prune_time"`
	Beyond      bool       `json:"beyond"`
}

type secretJSON struct {
	Field string `json:"field"`
	Rule  string `json:"rule"`
}

type healthJSON struct {
	Code  string `json:"code"`
	Level string `json:"level"`
	What  text   `json:"what"`
	Next  text   `json:"next"`
	Lines []int  `json:"lines"`
	Count int    `json:"count"`
}

func (o *output) placeJSON(p memory.Place) storeJSON {
	j := storeJSON{
		Path: o.said(p.Store.Path()), System: string(p.System), Why: o.said(p.Why), Exists: p.Exists,
		Name: o.said(p.Name), Project: o.said(p.Project),
	}
	switch {
	case !utf8.ValidString(string(p.Store)):
		j.Store = o.said(urlOf(p.Store))
	case p.Store.System() != "":
		j.Store = o.said(string(p.Store))
	}
	return j
}

func (o *output) problemJSON(p *memory.Problem) *problemJSON {
	if p == nil {
		return nil
	}
	return &problemJSON{Code: p.Code, What: o.said(p.What), Hint: o.said(p.Hint)}
}

func (o *output) recordJSON(r *memory.Record) recordJSON {
	r = o.shown(r)
	j := recordJSON{
		ID: text(r.ID), Line: r.Line, Outcome: text(r.Outcome),
		Title: o.text(r.Title, r.Secrets, memory.InTitle), Body: o.text(r.Body, r.Secrets, memory.InBody),
		Tools: texts(r.Tools), Session: text(r.Session),
		Created: text(r.Created.Text), CreatedTime: instant(r.Created.Time),
		Used: text(r.Used.Text), UsedTime: instant(r.Used.Time),
		Count: r.Count.N, OddCount: text(r.Count.Odd),
		Forecast: forecastJSON{
			Rank: r.Forecast.Rank, LeavesAfter: r.Forecast.LeavesAfter,
			PruneTime: instant(r.Forecast.PruneAt), Beyond: r.Forecast.Beyond,
		},
		Flags: flagNames(r.Flags), Similar: make([]text, 0, len(r.Similar)), Secrets: []secretJSON{},
		Problem: o.problemJSON(r.Problem), Size: r.RawLen,
		Kind: text(r.Kind), Scope: text(r.Scope), File: text(r.File), Facts: o.factsJSON(r.Facts),
		Notes: o.saids(r.Notes), Fixed: text(r.Fixed), Elsewhere: o.kinsJSON(r.Elsewhere),
	}
	for _, s := range r.Secrets {
		j.Secrets = append(j.Secrets, secretJSON{Field: s.Field.String(), Rule: s.Rule})
	}
	for _, id := range r.Similar {
		j.Similar = append(j.Similar, o.said(string(id)))
	}
	j.Masked = len(r.Secrets) > 0 && !o.reveal
	if !utf8.ValidString(r.Title + r.Body + r.Raw) {
		j.Raw = o.text(r.Raw, r.Secrets, memory.InRaw)
	}
	if !utf8.ValidString(r.Raw) && !j.Masked {
		j.RawBase64 = base64.StdEncoding.EncodeToString([]byte(r.Raw))
	}
	return j
}

func (o *output) factsJSON(facts []memory.Fact) []factJSON {
	out := make([]factJSON, 0, len(facts))
	for _, f := range facts {
		out = append(out, factJSON{o.said(f.Name), o.said(f.Text)})
	}
	return out
}

func (o *output) kinsJSON(kin []memory.Kin) []kinJSON {
	out := make([]kinJSON, 0, len(kin))
	for _, k := range kin {
		out = append(out, kinJSON{
			Store: o.said(string(k.Store)), ID: o.said(string(k.ID)), Title: o.said(k.Title), Contrary: k.Contrary, Why: o.said(k.Why),
		})
	}
	return out
}

func healthOf(lines []memory.Health) []healthJSON {
	out := make([]healthJSON, 0, len(lines))
	for _, h := range lines {
		out = append(out, healthJSON{
			Code: h.Code, Level: h.Level.String(), What: text(h.What), Next: text(h.Next),
			Lines: append([]int{}, h.Lines...), Count: h.Count,
		})
	}
	return out
}

// instant returns t in UTC, or nil when it is zero or has no form in RFC 3339.
func instant(t time.Time) *time.Time {
	t = t.UTC()
	if t.IsZero() || t.Year() < 0 || t.Year() > 9999 {
		return nil
	}
	return &t
}

func texts(list []string) []text {
	out := make([]text, 0, len(list))
	for _, s := range list {
		out = append(out, text(s))
	}
	return out
}

// flagNames returns the flags in the words of the JSON.
func flagNames(f memory.Flags) []string {
	words := [...]string{
		"secret", "injection", "prunes_soon", "new", "duplicate", "beyond", "damaged", "stops", "pruned",
		"pinned", "similar", "unseen", "stale", "contradicts",
	}
	names := []string{}
	for i, w := range words {
		if f&(1<<i) != 0 {
			names = append(names, w)
		}
	}
	return names
}
