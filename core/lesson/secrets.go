package lesson

import (
	"winnow/core/detect"
	"winnow/core/memory"
)

// setSecrets notes the places in a record that look like secrets. Odd has the bits
// of members that are shown as JSON since they are no strings. When all texts of the
// record are strings of its line, sound, a line without secrets settles it.
func setSecrets(r *memory.Record, odd bits, sound bool) {
	found := appendSecrets(nil, memory.InRaw, 0, detect.SecretsInLine(r.Raw))
	if sound && len(found) == 0 {
		return
	}
	hidden := len(found) == 0 // in the line, as its bytes differ from the text
	for _, t := range [...]struct {
		in     memory.Field
		member int
		text   string
	}{
		{memory.InTitle, atTitle, r.Title},
		{memory.InBody, atBody, r.Body},
		{memory.InID, atID, string(r.ID)},
		{memory.InOutcome, atOutcome, string(r.Outcome)},
		{memory.InSession, atSession, r.Session},
		{memory.InCreated, atCreated, r.Created.Text},
		{memory.InUsed, atUsed, r.Used.Text},
		{memory.InCount, atCount, r.Count.Odd},
	} {
		before := len(found)
		found = appendSecrets(found, t.in, 0, detect.Secrets(t.text))
		hidden = hidden || len(found) > before && odd.has(t.member)
	}
	for i, tool := range r.Tools {
		found = appendSecrets(found, memory.InTools, i, detect.Secrets(tool))
	}
	if len(found) == 0 {
		return
	}
	if hidden { // mask all of the line
		found = append(found, memory.Secret{Field: memory.InRaw, End: len(r.Raw), Rule: found[0].Rule})
	}
	r.Flags |= memory.FlagSecret
	r.Secrets = found
}

func appendSecrets(to []memory.Secret, in memory.Field, item int, spans []detect.Span) []memory.Secret {
	for _, s := range spans {
		to = append(to, memory.Secret{Field: in, Item: item, Start: s.Start, End: s.End, Rule: s.Rule})
	}
	return to
}
