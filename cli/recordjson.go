package cli

import (
	"encoding/base64"
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

// storeID returns the value of --store for a store whatever the working folder, in valid UTF-8.
func storeID(q memory.Place) string {
	if store := string(q.Store); utf8.ValidString(store) {
		return store
	}
	return urlOf(q.Store.System(), q.Store.Path())
}

func placeJSON(o *output.Out, q memory.Place) object {
	store := storeID(q)
	if store == q.Store.Path() { // the path says everything
		store = ""
	}
	return object{
		"path", o.Text(q.Store.Path()), "system", string(q.System), "why", o.Text(q.Why), "exists", q.Exists,
		"store", output.Some(o.Text(store)),
		"name", output.Some(o.Text(q.Name)),
		"project", output.Some(o.Text(q.Project)),
	}
}

func problemOf(o *output.Out, q *memory.Problem) object {
	return output.OrNull(q, func(q *memory.Problem) object {
		return object{"code", q.Code, "what", o.Text(q.What), "hint", o.Text(q.Hint)}
	})
}

// recordOf returns the JSON of a record. It ends with the stored form, if requested and if the
// texts are not Unicode, and with its bytes if they are not UTF-8.
func recordOf(o *output.Out, r *memory.Record, stored bool) object {
	r = o.Shown(r)
	masked := len(r.Secrets) > 0 && !o.Reveal
	var raw text
	if stored && !utf8.ValidString(r.Title+r.Body+r.Raw) {
		raw = o.FieldText(r, memory.InRaw)
	}
	encoded := ""
	if !utf8.ValidString(r.Raw) && !masked {
		encoded = base64.StdEncoding.EncodeToString([]byte(r.Raw))
	}
	return object{
		"id", text(r.ID), "line", r.Line, "outcome", text(r.Outcome),
		"title", o.FieldText(r, memory.InTitle), "body", o.FieldText(r, memory.InBody),
		"tools", plainTexts(r.Tools), "session", text(r.Session),
		"created", text(r.Created.Text), "created_time", output.Instant(r.Created.Time),
		"used", text(r.Used.Text), "used_time", output.Instant(r.Used.Time),
		"count", r.Count.N, "odd_count", text(r.Count.Odd),
		"forecast", object{
			"rank", r.Forecast.Rank, "leaves_after", r.Forecast.LeavesAfter,
			"prune_time", output.Instant(r.Forecast.PruneAt), "beyond", r.Forecast.Beyond,
		},
		"flags", r.Flags.Names(),
		"similar", output.Each(r.Similar, func(id *memory.ID) text { return o.Text(string(*id)) }),
		"secrets", output.Each(r.Secrets, func(s *memory.Secret) object { return object{"field", s.Field.String(), "rule", s.Rule} }),
		"problem", problemOf(o, r.Problem), "masked", masked, "size", r.RawLen,
		"when", output.Some(text(r.When)),
		"kind", output.Some(text(r.Kind)), "scope", output.Some(text(r.Scope)), "file", output.Some(text(r.File)),
		"facts", output.SomeOf(factsOf(o, r.Facts)),
		"notes", output.SomeOf(o.Texts(r.Notes)),
		"fixed", output.Some(text(r.Fixed)),
		"elsewhere", output.SomeOf(output.Each(r.Elsewhere, func(k *memory.Kin) object {
			return object{
				"store",
				o.Text(string(k.Store)),
				"id",
				o.Text(string(k.ID)),
				"title",
				o.Text(k.Title),
				"contrary",
				k.Contrary,
				"why",
				o.Text(k.Why),
			}
		})),
		"evidence", evidenceOf(r.Evidence), "raw", output.Some(raw), "raw_base64", output.Some(encoded),
	}
}

func factsOf(o *output.Out, facts []memory.Fact) []object {
	return output.Each(
		facts,
		func(f *memory.Fact) object { return object{"name", o.Text(f.Name), "text", o.Text(f.Text)} },
	)
}

// plainTexts are texts in which secrets are already masked or cannot occur.
func plainTexts(list []string) []text {
	return output.Each(list, func(s *string) text { return text(*s) })
}
