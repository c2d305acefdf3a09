package cli

import (
	"cmp"
	"strings"

	"winnow/cli/output"
	"winnow/core/memory"
)

// planJSON is a plan and its result.
type planJSON struct {
	Do       text              `json:"do"`
	What     text              `json:"what"`
	Final    bool              `json:"final"`
	Changes  []changeJSON      `json:"changes"`
	Kept     []keptJSON        `json:"kept"`
	Notes    []text            `json:"notes"`
	Findings []planFindingJSON `json:"findings"`
	Result   *resultJSON       `json:"result"` // null until the plan is applied
	Asks     text              `json:"asks,omitempty"`
}

type changeJSON struct {
	Do     string `json:"do"`
	ID     text   `json:"id"`
	Line   int    `json:"line"`
	Title  text   `json:"title"`
	Why    text   `json:"why"`
	Before text   `json:"before"`
	After  text   `json:"after"`
	Masked bool   `json:"masked"`
	Along  bool   `json:"along,omitempty"`
}

type keptJSON struct {
	ID    text `json:"id"`
	Title text `json:"title"`
	Why   text `json:"why"`
}

type planFindingJSON struct {
	ID    text `json:"id"`
	Field text `json:"field"`
	Rule  text `json:"rule"`
	What  text `json:"what"`
	Found text `json:"found"`
}

type resultJSON struct {
	Entry   text          `json:"entry"`
	Changes []appliedJSON `json:"changes"`
	Adopted int           `json:"adopted"`
	Notes   []text        `json:"notes"`
}

type appliedJSON struct {
	ID     text   `json:"id"`
	Fate   string `json:"fate"`
	Why    text   `json:"why"`
	Theirs text   `json:"theirs"`
	Masked bool   `json:"masked"`
}

// planOf returns the JSON of a plan and its result.
func planOf(o *output.Out, s *planRun) planJSON {
	p := &s.plan
	return planJSON{
		Do:      text(p.Order.Do),
		What:    o.Text(p.What),
		Final:   p.Final,
		Changes: changesOf(o, p.Changes),
		Kept:    keptOf(o, p.Kept),
		Notes:   o.Texts(p.Notes),
		Findings: output.Each(p.Findings, func(f *memory.Finding) planFindingJSON {
			end := min(max(f.End, 0), len(f.Text))
			found := f.Text[min(max(f.Start, 0), end):end]
			return planFindingJSON{
				ID:    o.Text(string(f.ID)),
				Field: text(f.Field),
				Rule:  text(f.Rule),
				What:  o.Text(f.What),
				Found: o.Text(found),
			}
		}),
		Result: resultOf(o, s.result),
		Asks:   o.Text(p.Asks),
	}
}

func plansOf(o *output.Out, runs []planRun) []planJSON {
	return output.Each(runs, func(s *planRun) planJSON { return planOf(o, s) })
}

func keptOf(o *output.Out, list []memory.Kept) []keptJSON {
	return output.Each(list, func(k *memory.Kept) keptJSON {
		return keptJSON{text(o.ID(&k.Record, k.Record.ID)), o.FieldText(&k.Record, memory.InTitle), o.Text(k.Why)}
	})
}

func changesOf(o *output.Out, changes []memory.Change) []changeJSON {
	return output.Each(changes, func(ch *memory.Change) changeJSON {
		r, edited := &ch.Record, &ch.Edited
		if ch.Before == "" || ch.Before == ch.After {
			edited = r
		}
		before, masked := storedText(o, ch.Before, r)
		after, also := storedText(o, ch.After, edited)
		return changeJSON{
			Do:     ch.Do.String(),
			ID:     text(o.ID(r, ch.ID)),
			Line:   ch.Line,
			Title:  o.FieldText(r, memory.InTitle),
			Why:    o.Text(ch.Why),
			Before: before,
			After:  after,
			Masked: masked || also,
			Along:  ch.Companion,
		}
	})
}

// storedText returns a stored form for JSON, and whether secrets in it are masked. What the record
// r in it does not cover is left out, since it may hold any secret.
func storedText(o *output.Out, stored string, r *memory.Record) (text, bool) {
	switch {
	case stored == "" || o.Reveal:
		return text(stored), false
	case r.Raw == "" || !strings.HasPrefix(stored, r.Raw):
		return "", true
	}
	return o.FieldText(r, memory.InRaw), len(r.Secrets) > 0
}

func resultOf(o *output.Out, r *memory.Result) *resultJSON {
	return output.OrNull(r, func(r *memory.Result) resultJSON {
		return resultJSON{
			Entry: text(r.Entry),
			Changes: output.Each(r.Changes, func(a *memory.Applied) appliedJSON {
				theirs, masked := storedText(o, a.Theirs, &a.TheirRecord)
				return appliedJSON{
					ID:     text(o.ID(&a.TheirRecord, a.ID)),
					Fate:   a.Fate.String(),
					Why:    o.Text(a.Why),
					Theirs: theirs,
					Masked: masked,
				}
			}),
			Adopted: r.Adopted,
			Notes:   o.Texts(r.Notes),
		}
	})
}

// difference is a field that two records differ in. The texts are safe and masked.
type difference struct {
	field         string
	before, after output.Safe
}

// differences returns the fields in which two records differ, named as in the store's format. If
// records differ only in spelling, their stored forms differ. A record that could not be decoded
// has no differences.
func differences(o *output.Out, a, b *memory.Record, d memory.Description) (out []difference) {
	if a.Raw == "" || b.Raw == "" {
		return nil
	}
	was, is := fieldsOf(o, a, d), fieldsOf(o, b, d)
	for i, f := range was {
		// Without field names of its own, a format may get kind or scope from where a record lies
		// rather than from its content.
		unknown := d.FieldNames == nil && is[i].text == "" && f.name != "title" && f.name != "body"
		if f.text != is[i].text && !unknown {
			before, after := f.shown, is[i].shown
			if d.FieldNames == nil {
				before, after = differingLines(before, after)
			}
			out = append(out, difference{f.name, before, after})
		}
	}
	if len(out) == 0 && a.Raw != b.Raw {
		out = append(
			out,
			difference{"stored", o.Show(output.Field(a, memory.InRaw)), o.Show(output.Field(b, memory.InRaw))},
		)
	}
	return out
}

// field is a field of a record, with its text and its printed form.
type field struct {
	name, text string
	shown      output.Safe
}

// fieldsOf returns the fields of a record that can differ, by their names.
func fieldsOf(o *output.Out, r *memory.Record, d memory.Description) []field {
	m := o.Shown(r)
	fields := []field{
		{"id", string(r.ID), o.Dash(m.ID)},
		{"title", r.Title, o.Show(output.Field(r, memory.InTitle))},
		{"body", r.Body, o.Show(output.Field(r, memory.InBody))},
		{"outcome", string(r.Outcome), o.Dash(m.Outcome)},
		{"tools", strings.Join(r.Tools, "\x00"), o.Dash(strings.Join(m.Tools, ", "))},
		{"session", r.Session, o.Dash(m.Session)},
		{"created", r.Created.Text, o.Dash(m.Created.Text)},
		{"used", r.Used.Text, o.Dash(m.Used.Text)},
		{"count", count(r), o.Show(count(m))},
		{"kind", r.Kind, o.Dash(m.Kind)},
		{"scope", r.Scope, o.Dash(m.Scope)},
	}
	if d.FieldNames != nil {
		for i, name := range d.FieldNames {
			fields[i].name = name
		}
		return fields[:len(d.FieldNames)]
	}
	return append(append(fields[:3:3], fields[9:]...), append(fields[3:5:5], fields[6:9]...)...)
}

// differingLines returns the lines in which two texts differ, with dots for the lines around them.
// Both texts must already be visible.
func differingLines(a, b output.Safe) (was, now output.Safe) {
	const lf = "<LF>"
	x, y := strings.SplitAfter(string(a), lf), strings.SplitAfter(string(b), lf)
	if len(x) < 2 && len(y) < 2 {
		return a, b
	}
	head, tail := 0, 0
	for head < min(len(x), len(y)) && x[head] == y[head] {
		head++
	}
	for tail < min(len(x), len(y))-head && x[len(x)-1-tail] == y[len(y)-1-tail] {
		tail++
	}
	around := func(lines []string) output.Safe {
		text := cmp.Or(strings.Join(lines[head:len(lines)-tail], ""), "-")
		if head > 0 {
			text = ".. " + text
		}
		if tail > 0 {
			text += " .."
		}
		return output.Safe(text)
	}
	return around(x), around(y)
}
