package judge

import (
	"slices"
	"strings"

	"winnow/core/memory"
)

// redactedElsewhere looks in the journal for the text that was redacted from a record's line.
func (r *Reading) redactedElsewhere(line string, rec *memory.Record, at Piece) {
	if rec == nil || !isJSON(line) {
		return
	}
	full := r.Journal(rec)
	w := lineWalk{line: line}
	secrets := r.judge.values.SecretsInLine(line)
	tokens(line, func(t token) {
		if !strings.Contains(line[t.start:t.end], mark) {
			return
		}
		f := w.fieldOf(t, secrets)
		i := strings.Index(f.text, mark)
		if i >= 0 && slices.ContainsFunc(full, func(s string) bool { return fillsMarks(f.text, s) }) {
			hit := r.judge.foundAt(&f.passage, RuleElsewhere, i, i+len(mark), t.start+f.source.Source(i))
			r.to(r.findingOf(&hit, at, placement(rec), r.recalled(rec)))
		}
	})
}

// fillsMarks reports whether full is text with each mark replaced by something else. full may be longer
// because text may have been cut.
func fillsMarks(text, full string) bool {
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
