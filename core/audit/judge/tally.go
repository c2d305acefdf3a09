package judge

import (
	"encoding/binary"
	"path"
	"slices"

	"winnow/core/detect"
	"winnow/core/memory"
)

// fewKinds is how many different texts of one rule a document may have for its finding
// to be named after them. One with more is named after the file.
const fewKinds = 16

// tally counts what one rule on private data finds in a document.
type tally struct {
	first   memory.Finding
	name    string // of the file
	count   int
	digests []uint16 // of the different texts, sorted
	many    bool
}

// tally counts a place of private data. first returns the finding of the first of its rule.
// The ids of sessions are others with each session, so that they are many from the first on.
func (r *Reading) tally(h hit, first func() memory.Finding) {
	i := slices.IndexFunc(r.private, func(t *tally) bool { return t.first.Rule == h.rule })
	if i < 0 {
		i = len(r.private)
		r.private = append(r.private, &tally{first: first(), name: path.Base(r.doc.Path), many: h.rule == detect.RuleSession})
	}
	t := r.private[i]
	t.count++
	if i, known := slices.BinarySearch(t.digests, h.digest); !known && !t.many {
		t.digests = slices.Insert(t.digests, i, h.digest)
		t.many = len(t.digests) > fewKinds
	}
}

// finding returns the one finding of the rule in the document.
func (t *tally) finding() memory.Finding {
	f := t.first
	f.Count = t.count
	content := []byte(t.name)
	if !t.many {
		content = content[:0]
		for _, d := range t.digests {
			content = binary.BigEndian.AppendUint16(content, d)
		}
	}
	f.Fingerprint = fingerprint(f.Rule, string(content))
	return f
}

// privateIn returns the find of private data in a line of JSON: with the string that it
// is in, if it is in one.
func (j *Judge) privateIn(line string, h hit) find {
	secrets := j.values.SecretsInLine(line)
	whole := j.foundAt(&passage{text: line, secrets: secrets}, h.rule, h.start, h.end, h.start)
	out := whole
	w := walk{line: line}
	if !tokens(line, func(t token) {
		if h.start >= t.start && h.end <= t.end {
			f := w.fieldOf(t, secrets)
			start, end := f.source.Text(h.start-t.start, false), f.source.Text(h.end-t.start, true)
			out = j.foundAt(&f.passage, h.rule, start, end, h.start)
		}
	}) {
		return whole
	}
	return out
}

func (j *Judge) foundAt(p *passage, rule string, start, end, offset int) find {
	f := j.find(p, group{memory.Trace{Start: start, End: end, Rule: rule}, 1})
	f.Column, f.Offset = offset, int64(offset)
	return f
}
