package cli

import (
	"encoding/base64"
	"time"
	"unicode/utf8"

	"winnow/cli/output"
	"winnow/core/memory"
)

// schemaVersion is raised when a field of the JSON changes its meaning or goes
// away. Fields may be added without it.
const schemaVersion = 1

// The types below are the JSON of the commands, documented in docs/cli.md. Lists
// are never null, and times are RFC 3339 in UTC or null.

type text = output.Text

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

// kinJSON is a record of another store that repeats or contradicts this one.
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

func placeJSON(o *output.Out, q memory.Place) storeJSON {
	j := storeJSON{
		Path: o.Text(q.Store.Path()), System: string(q.System), Why: o.Text(q.Why), Exists: q.Exists,
		Name: o.Text(q.Name), Project: o.Text(q.Project),
	}
	switch {
	case !utf8.ValidString(string(q.Store)):
		j.Store = o.Text(urlOf(q.Store))
	case q.Store.System() != "":
		j.Store = o.Text(string(q.Store))
	}
	return j
}

func problemOf(o *output.Out, q *memory.Problem) *problemJSON {
	if q == nil {
		return nil
	}
	return &problemJSON{Code: q.Code, What: o.Text(q.What), Hint: o.Text(q.Hint)}
}

func recordOf(o *output.Out, r *memory.Record) recordJSON {
	r = o.Shown(r)
	j := recordJSON{
		ID: text(r.ID), Line: r.Line, Outcome: text(r.Outcome),
		Title: o.FieldText(r, memory.InTitle), Body: o.FieldText(r, memory.InBody),
		Tools: plainTexts(r.Tools), Session: text(r.Session),
		Created: text(r.Created.Text), CreatedTime: output.Instant(r.Created.Time),
		Used: text(r.Used.Text), UsedTime: output.Instant(r.Used.Time),
		Count: r.Count.N, OddCount: text(r.Count.Odd),
		Forecast: forecastJSON{
			Rank: r.Forecast.Rank, LeavesAfter: r.Forecast.LeavesAfter,
			PruneTime: output.Instant(r.Forecast.PruneAt), Beyond: r.Forecast.Beyond,
		},
		Flags:   flagNames(r.Flags),
		Similar: output.Each(r.Similar, func(id *memory.ID) text { return o.Text(string(*id)) }),
		Secrets: output.Each(r.Secrets, func(s *memory.Secret) secretJSON { return secretJSON{s.Field.String(), s.Rule} }),
		Problem: problemOf(o, r.Problem), Size: r.RawLen, Masked: len(r.Secrets) > 0 && !o.Reveal,
		Kind: text(r.Kind), Scope: text(r.Scope), File: text(r.File), Facts: factsOf(o, r.Facts),
		Notes: o.Texts(r.Notes), Fixed: text(r.Fixed),
		Elsewhere: output.Each(r.Elsewhere, func(k *memory.Kin) kinJSON {
			return kinJSON{o.Text(string(k.Store)), o.Text(string(k.ID)), o.Text(k.Title), k.Contrary, o.Text(k.Why)}
		}),
	}
	if !utf8.ValidString(r.Title + r.Body + r.Raw) {
		j.Raw = o.FieldText(r, memory.InRaw)
	}
	if !utf8.ValidString(r.Raw) && !j.Masked {
		j.RawBase64 = base64.StdEncoding.EncodeToString([]byte(r.Raw))
	}
	return j
}

func factsOf(o *output.Out, facts []memory.Fact) []factJSON {
	return output.Each(facts, func(f *memory.Fact) factJSON { return factJSON{o.Text(f.Name), o.Text(f.Text)} })
}

// plainTexts are texts in which secrets are masked already, or cannot be.
func plainTexts(list []string) []text {
	return output.Each(list, func(s *string) text { return text(*s) })
}
