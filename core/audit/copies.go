package audit

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"sync"

	"winnow/core/audit/judge"
	"winnow/core/audit/source"
	"winnow/core/detect"
	"winnow/core/memory"
	"winnow/core/system"
)

// withCopies reads a second time, by calling again, if the findings hold secrets or some secrets
// are known. The second reading also finds copies of those secrets that match no rule. It returns
// the findings of the second reading, unless again reports that the reading was incomplete.
func withCopies(
	found []memory.Finding,
	known []string,
	again func(*detect.TextSet) ([]memory.Finding, bool),
) []memory.Finding {
	values, origins := valuesOf(found, known)
	if values == nil {
		return found
	}
	second, all := again(values)
	if !all {
		return found
	}
	origins.name(second)
	slices.SortStableFunc(second, func(a, b memory.Finding) int { return a.Worse(&b) })
	return second
}

// copies applies withCopies to what an order names.
func (r *run) copies(o memory.AuditOrder, in *rereadable, out *memory.Audit) (err error) {
	out.Findings = withCopies(out.Findings, o.Known, func(values *detect.TextSet) ([]memory.Finding, bool) {
		if !in.rewind() {
			out.Uncovered = append(out.Uncovered, "copies of secrets in standard input, which is too long to be kept")
		}
		var only map[string]bool
		if isKnownWhole := out.More == 0 && !o.History; isKnownWhole {
			if only, err = r.pathsWithCopies(o, in, values); err != nil {
				return nil, false
			}
			in.rewind() // said above
		}
		if out.More > 0 {
			out.Uncovered = append(out.Uncovered, "copies of secrets that are not listed")
		}
		second := run{
			auditor:  r.auditor,
			ctx:      r.ctx,
			judge:    r.judge.Knowing(values),
			pool:     newPool(o.Most, r.pool.decided),
			tell:     r.tell,
			lastTell: r.lastTell,
			records:  map[memory.Noun]int{},
			only:     only,
		}
		if _, err = second.read(o, in); err != nil {
			return nil, false
		}
		for _, f := range out.Findings {
			// A file's own state may be reported by a file beside it.
			if only != nil && (!only[f.Path] || f.Family == memory.FamilyFile) {
				second.pool.add(f, 0)
			}
		}
		second.pool.result(out)
		return out.Findings, true
	})
	return err
}

// pathsWithCopies returns the paths of the documents with a copy of a value, and of those that are read record by
// record. What was found in all others stands as it is.
func (r *run) pathsWithCopies(o memory.AuditOrder, in io.Reader, values *detect.TextSet) (map[string]bool, error) {
	var mu sync.Mutex
	paths := map[string]bool{}
	add := func(path string) {
		mu.Lock()
		defer mu.Unlock()
		paths[path] = true
	}
	for _, id := range o.Folders {
		_, place := r.auditor.c.Texter(id)
		add(place.Path)
	}
	_, err := source.Each(r.ctx, r.order(o, in), func(d *judge.Doc, pieces iter.Seq2[judge.Piece, error]) error {
		if d.Form != nil && d.Form.ByRecord {
			add(d.Path)
			return nil
		}
		for p, err := range pieces {
			if err != nil {
				return err
			}
			if hasCopy(values, d.Form, p) {
				add(d.Path)
				return nil
			}
		}
		return nil
	})
	return paths, err
}

// hasCopy reports whether a piece of a document with a form holds a copy of a value. No value is wrapped from one line
// of JSON to the next.
func hasCopy(values *detect.TextSet, form *system.Form, p judge.Piece) bool {
	if form == nil || !form.Lines || form.Database || p.InLine {
		return len(values.Copies(p.Text)) > 0
	}
	for line := range strings.Lines(p.Text) {
		if len(values.Copies(strings.TrimSuffix(line, "\n"))) > 0 {
			return true
		}
	}
	return false
}

// origins maps the text of a secret to the findings of rules that hold it.
type origins map[string][]*memory.Finding

// valuesOf returns all secrets that are known or were found. It includes ignored ones because a
// fingerprint must not depend on decisions.
func valuesOf(findings []memory.Finding, known []string) (*detect.TextSet, origins) {
	of := origins{}
	texts := slices.Clone(known)
	for i := range findings {
		f := &findings[i]
		if f.Family != memory.FamilySecret || f.Rule == judge.RuleKnown {
			continue
		}
		secret := f.Text[f.Start:f.End]
		of[secret] = append(of[secret], f)
		texts = append(texts, secrets(f)...)
	}
	return detect.NewKnownSecrets(texts), of
}

// secrets returns the texts of the secrets that a finding shows: its own, and others beside it that
// are shown whole.
func secrets(f *memory.Finding) []string {
	out := []string{f.Text[f.Start:f.End]}
	for _, m := range f.Masks {
		if m[0] > 0 && m[0] < m[1] && m[1] < len(f.Text) {
			out = append(out, f.Text[m[0]:m[1]])
		}
	}
	return out
}

// name notes on each copy where a rule found the secret. A copy is ignored if every finding of that
// secret is ignored.
func (of origins) name(findings []memory.Finding) {
	for i := range findings {
		f := &findings[i]
		if f.Rule != judge.RuleKnown {
			continue
		}
		f.Origin = judge.RuleKnown
		from := of[f.Text[f.Start:f.End]]
		if len(from) == 0 {
			continue
		}
		first := from[0]
		f.Origin = first.Rule
		worst := slices.MaxFunc(from, func(a, b *memory.Finding) int { return cmp.Compare(a.Severity, b.Severity) })
		f.Severity = min(f.Severity, worst.Severity)
		f.Why = fmt.Sprintf("The same text is a secret in %s: %s", first.Path, first.Name)
		if first.Line > 0 {
			f.Why = fmt.Sprintf("The same text is a secret in %s, line %d: %s", first.Path, first.Line, first.Name)
		}
		for _, g := range from {
			f.Ignored = cmp.Or(f.Ignored, g.Ignored)
			if g.Open() {
				f.Ignored = nil
				break
			}
		}
	}
}

// mostKept is how many bytes of a stream are kept for a second reading.
const mostKept = 8 << 20

// rereadable is an input that can be read a second time unless it is too long.
type rereadable struct {
	from    io.Reader
	kept    bytes.Buffer
	second  *bytes.Reader
	tooLong bool
}

// Read implements [io.Reader].
func (a *rereadable) Read(p []byte) (int, error) {
	if a.second != nil {
		return a.second.Read(p)
	}
	if a.from == nil {
		return 0, io.EOF
	}
	n, err := a.from.Read(p)
	if a.tooLong = a.tooLong || a.kept.Len()+n > mostKept; a.tooLong {
		a.kept = bytes.Buffer{}
	} else {
		a.kept.Write(p[:n])
	}
	return n, err
}

// rewind makes the next Read start from the beginning. It reports false if the input was too long
// to keep.
func (a *rereadable) rewind() bool {
	a.second = bytes.NewReader(a.kept.Bytes())
	return !a.tooLong
}
