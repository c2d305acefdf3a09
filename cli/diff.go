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
		if f.text != is[i].text {
			out = append(out, difference{f.name, f.shown, is[i].shown})
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
