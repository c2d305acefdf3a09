package cli

import (
	"encoding/base64"
	"time"
	"unicode/utf8"

	"winnow/cli/output"
	"winnow/core/memory"
)

// schemaVersion is raised if a field of the JSON changes its meaning or is removed. Adding fields
// does not raise it.
const schemaVersion = 1

// docs/json.md documents the JSON of the commands. Lists are never null. Times are RFC 3339 in UTC,
// or null. Empty fields are left out if the documentation says so.

type (
	text   = output.Text
	object = output.Object
)

// placeJSON is where a store is.
type placeJSON struct {
	Path    text `json:"path"`
	System  text `json:"system"`
	Why     text `json:"why"`
	Exists  bool `json:"exists"`
	Store   text `json:"store,omitempty"` // the value of --store, if it is not the path
	Name    text `json:"name,omitempty"`
	Project text `json:"project,omitempty"`
}

type problemJSON struct {
	Code text `json:"code"`
	What text `json:"what"`
	Hint text `json:"hint"`
}

// recordJSON is a record. What its system does not have is left out from when on.
type recordJSON struct {
	ID          text          `json:"id"`
	Line        int           `json:"line"`
	Outcome     text          `json:"outcome"`
	Title       text          `json:"title"`
	Body        text          `json:"body"`
	Tools       []text        `json:"tools"`
	Session     text          `json:"session"`
	Created     text          `json:"created"`
	CreatedTime *time.Time    `json:"created_time"`
	Used        text          `json:"used"`
	UsedTime    *time.Time    `json:"used_time"`
	Count       int           `json:"count"`
	OddCount    text          `json:"odd_count"`
	Forecast    forecastJSON  `json:"forecast"`
	Flags       []string      `json:"flags"`
	Similar     []text        `json:"similar"`
	Secrets     []secretJSON  `json:"secrets"`
	Problem     *problemJSON  `json:"problem"`
	Masked      bool          `json:"masked"`
	Size        int           `json:"size"`
	When        text          `json:"when,omitempty"`
	Kind        text          `json:"kind,omitempty"`
	Scope       text          `json:"scope,omitempty"`
	File        text          `json:"file,omitempty"`
	Facts       []factJSON    `json:"facts,omitempty"`
	Notes       []text        `json:"notes,omitempty"`
	Fixed       text          `json:"fixed,omitempty"`
	Elsewhere   []kinJSON     `json:"elsewhere,omitempty"`
	Evidence    *evidenceJSON `json:"evidence,omitempty"`
	Raw         text          `json:"raw,omitempty"`
	RawBase64   string        `json:"raw_base64,omitempty"` // if the stored form is not UTF-8
}

// forecastJSON says when the system drops a record by itself.
type forecastJSON struct {
	Rank        int        `json:"rank"`
	LeavesAfter int        `json:"leaves_after"`
	PruneTime   *time.Time `json:"prune_time"`
	Beyond      bool       `json:"beyond"`
}

type secretJSON struct {
	Field string `json:"field"`
	Rule  text   `json:"rule"`
}

type factJSON struct {
	Name text `json:"name"`
	Text text `json:"text"`
}

// kinJSON is a record of another store that says nearly the same, or the opposite.
type kinJSON struct {
	Store    text `json:"store"`
	ID       text `json:"id"`
	Title    text `json:"title"`
	Contrary bool `json:"contrary"`
	Why      text `json:"why"`
}

// storeID returns the value of --store for a store whatever the working folder, in valid UTF-8.
func storeID(q memory.Place) string {
	if store := string(q.Store); utf8.ValidString(store) {
		return store
	}
	return urlOf(q.Store.System(), q.Store.Path())
}

func placeOf(o *output.Out, q memory.Place) placeJSON {
	store := storeID(q)
	if store == q.Store.Path() { // the path says everything
		store = ""
	}
	return placeJSON{
		Path:    o.Text(q.Store.Path()),
		System:  text(q.System),
		Why:     o.Text(q.Why),
		Exists:  q.Exists,
		Store:   o.Text(store),
		Name:    o.Text(q.Name),
		Project: o.Text(q.Project),
	}
}

func problemOf(o *output.Out, q *memory.Problem) *problemJSON {
	return output.OrNull(q, func(q *memory.Problem) problemJSON {
		return problemJSON{text(q.Code), o.Text(q.What), o.Text(q.Hint)}
	})
}

// recordOf returns the JSON of a record. It ends with the stored form, if requested and if the
// texts are not Unicode, and with its bytes if they are not UTF-8.
func recordOf(o *output.Out, r *memory.Record, stored bool) recordJSON {
	r = o.Shown(r)
	masked := len(r.Secrets) > 0 && !o.Reveal
	j := recordJSON{
		ID:          text(r.ID),
		Line:        r.Line,
		Outcome:     text(r.Outcome),
		Title:       o.FieldText(r, memory.InTitle),
		Body:        o.FieldText(r, memory.InBody),
		Tools:       plainTexts(r.Tools),
		Session:     text(r.Session),
		Created:     text(r.Created.Text),
		CreatedTime: output.Instant(r.Created.Time),
		Used:        text(r.Used.Text),
		UsedTime:    output.Instant(r.Used.Time),
		Count:       r.Count.N,
		OddCount:    text(r.Count.Odd),
		Forecast: forecastJSON{
			Rank:        r.Forecast.Rank,
			LeavesAfter: r.Forecast.LeavesAfter,
			PruneTime:   output.Instant(r.Forecast.PruneAt),
			Beyond:      r.Forecast.Beyond,
		},
		Flags:   r.Flags.Names(),
		Similar: output.Each(r.Similar, func(id *memory.ID) text { return o.Text(string(*id)) }),
		Secrets: output.Each(r.Secrets, func(s *memory.Secret) secretJSON {
			return secretJSON{s.Field.String(), text(s.Rule)}
		}),
		Problem: problemOf(o, r.Problem),
		Masked:  masked,
		Size:    r.RawLen,
		When:    text(r.When),
		Kind:    text(r.Kind),
		Scope:   text(r.Scope),
		File:    text(r.File),
		Facts:   factsOf(o, r.Facts),
		Notes:   o.Texts(r.Notes),
		Fixed:   text(r.Fixed),
		Elsewhere: output.Each(r.Elsewhere, func(k *memory.Kin) kinJSON {
			return kinJSON{o.Text(string(k.Store)), o.Text(string(k.ID)), o.Text(k.Title), k.Contrary, o.Text(k.Why)}
		}),
		Evidence: output.OrNull(r.Evidence, evidenceOf),
	}
	if stored && !utf8.ValidString(r.Title+r.Body+r.Raw) {
		j.Raw = o.FieldText(r, memory.InRaw)
	}
	if !utf8.ValidString(r.Raw) && !masked {
		j.RawBase64 = base64.StdEncoding.EncodeToString([]byte(r.Raw))
	}
	return j
}

func factsOf(o *output.Out, facts []memory.Fact) []factJSON {
	return output.Each(facts, func(f *memory.Fact) factJSON { return factJSON{o.Text(f.Name), o.Text(f.Text)} })
}

// plainTexts are texts in which secrets are already masked or cannot occur.
func plainTexts(list []string) []text {
	return output.Each(list, func(s *string) text { return text(*s) })
}
