package judge

import (
	"slices"
	"strings"

	"winnow/core/memory"
	"winnow/core/redact"
)

// told looks for what was redacted from a line in what the journal says of its record.
func (r *Reading) told(line string, rec *memory.Record, at Piece) {
	if !sound(line) || rec == nil {
		return
	}
	full := r.Told(rec)
	secrets := redact.InLine(line)
	for _, t := range tokens(line) {
		f := field{token: t}
		raw := line[t.start:t.end]
		f.text, f.aligned.raw, f.passage.field = unescaped(raw), raw, fieldName(t.path)
		i := strings.Index(f.text, mark)
		if i < 0 || !slices.ContainsFunc(full, func(s string) bool { return fills(f.text, s) }) {
			continue
		}
		f.take(secrets, line)
		hit := r.judge.foundAt(&f.passage, RuleElsewhere, i, i+len(mark), t.start+f.aligned.source(i))
		r.tell(r.placed(&hit, at, rec, r.recalled(rec)))
	}
}

// fills reports whether full is text with something else for a mark in it. It may go
// on, as a text goes on that was cut.
func fills(text, full string) bool {
	parts := strings.Split(text, mark)
	rest, ok := strings.CutPrefix(full, parts[0])
	for _, part := range parts[1:] {
		if !ok {
			return false
		}
		if part == "" {
			ok = rest != "" && !strings.HasPrefix(rest, mark)
			continue
		}
		i := strings.Index(rest, part)
		if ok = i > 0 && rest[:i] != mark; ok {
			rest = rest[i+len(part):]
		}
	}
	return ok
}
