package cli

import (
	"strings"

	"winnow/core/memory"
	"winnow/views/safe"
)

// difference is a field that two records differ in. The texts are safe and masked.
type difference struct{ field, before, after string }

// differences returns the fields in which two records differ, by the names that a
// store has for them. Records that differ only in how they are spelled differ in
// their stored form. There are none for a record that nobody decoded.
func (o *output) differences(a, b *memory.Record) []difference {
	if a.Raw == "" || b.Raw == "" {
		return nil
	}
	was, is := o.fields(a), o.fields(b)
	var out []difference
	for i, f := range was {
		unknown := o.foreign && is[i].text == "" && f.name != "title" && f.name != "body" // told by where it lies, not by its form
		if f.text != is[i].text && !unknown {
			before, after := f.shown, is[i].shown
			if o.foreign {
				before, after = otherLines(before, after)
			}
			out = append(out, difference{f.name, before, after})
		}
	}
	if len(out) == 0 && a.Raw != b.Raw {
		out = append(out, difference{"stored", o.raw(a), o.raw(b)})
	}
	return out
}

// raw returns the stored form of a record for a terminal.
func (o *output) raw(r *memory.Record) string {
	return safe.Masked(r.Raw, spans(r.Secrets, memory.InRaw), o.reveal)
}

// field is a field of a record: its text, and the text as it is printed.
type field struct{ name, text, shown string }

func (o *output) fields(r *memory.Record) []field {
	m := o.shown(r)
	plain := func(name, text, masked string) field { return field{name, text, word(masked)} }
	if o.foreign {
		return []field{
			plain("id", string(r.ID), string(m.ID)),
			{"title", r.Title, o.title(r)},
			{"body", r.Body, o.body(r)},
			plain("kind", r.Kind, r.Kind),
			plain("scope", r.Scope, o.hidden(r.Scope)),
			plain("outcome", string(r.Outcome), string(m.Outcome)),
			plain("tools", strings.Join(r.Tools, "\x00"), strings.Join(m.Tools, ", ")),
			plain("created", r.Created.Text, m.Created.Text),
			plain("used", r.Used.Text, m.Used.Text),
			{"count", count(r), count(m)},
		}
	}
	return []field{
		plain("lesson_id", string(r.ID), string(m.ID)),
		{"task_summary", r.Title, o.title(r)},
		{"lesson", r.Body, o.body(r)},
		plain("outcome", string(r.Outcome), string(m.Outcome)),
		plain("tool_names", strings.Join(r.Tools, "\x00"), strings.Join(m.Tools, ", ")),
		plain("session_id", r.Session, m.Session),
		plain("created_at", r.Created.Text, m.Created.Text),
		plain("last_retrieved_at", r.Used.Text, m.Used.Text),
		{"relevance_count", count(r), count(m)},
	}
}

// otherLines returns the lines in which two texts, that are visible already, differ, and
// says how many around them are left out.
func otherLines(a, b string) (was, now string) {
	const lf = "<LF>"
	x, y := strings.SplitAfter(a, lf), strings.SplitAfter(b, lf)
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
	around := func(lines []string) string {
		text := firstOf(strings.Join(lines[head:len(lines)-tail], ""), "-")
		if head > 0 {
			text = ".. " + text
		}
		if tail > 0 {
			text += " .."
		}
		return text
	}
	return around(x), around(y)
}
