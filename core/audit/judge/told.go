package judge

import (
	"strings"

	"winnow/core/memory"
)

// told looks for what was redacted from a record in what the journal says of it.
func (r *Reading) told(rec *memory.Record, at Piece) {
	if rec == nil {
		return
	}
	for _, text := range []string{rec.Title, rec.Body} {
		if !strings.Contains(text, mark) {
			continue
		}
		for _, full := range r.Told(rec) {
			if fills(text, full) {
				p := passage{text: text}
				i := strings.Index(text, mark)
				f := r.judge.foundAt(&p, RuleElsewhere, i, i+len(mark), 0)
				r.tell(r.placed(&f, at, rec, r.recalled(rec)))
				break
			}
		}
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
