package audit

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"

	"winnow/core/audit/judge"
	"winnow/core/detect"
	"winnow/core/memory"
)

// withCopies calls again when findings hold secrets, or some are known: the second reading finds copies of them that no
// rule finds. It returns the findings of the second reading, unless again reports that this was not complete.
func withCopies(found []memory.Finding, known []string, again func(*detect.Texts) ([]memory.Finding, bool)) []memory.Finding {
	values, origins := valuesOf(found, known)
	if values == nil {
		return found
	}
	second, all := again(values)
	if !all {
		return found
	}
	origins.name(second)
	return second
}

// copies is withCopies for what an order names.
func (r *run) copies(o memory.AuditOrder, in *again, out *memory.Audit) (err error) {
	out.Findings = withCopies(out.Findings, o.Known, func(values *detect.Texts) ([]memory.Finding, bool) {
		if !in.rewind() {
			out.Uncovered = append(out.Uncovered, "copies of secrets in standard input, which is too long to be kept")
		}
		if out.More > 0 {
			out.Uncovered = append(out.Uncovered, "copies of secrets that are not listed")
		}
		second := run{
			auditor: r.auditor, ctx: r.ctx, judge: r.judge.Knowing(values), pool: newPool(o.Most, r.pool.decided), tell: r.tell, lastTell: r.lastTell, records: map[memory.Noun]int{},
		}
		if _, err = second.read(o, in); err != nil {
			return nil, false
		}
		second.pool.result(out)
		return out.Findings, true
	})
	return err
}

// origins are the findings of rules by the text of the secret.
type origins map[string][]*memory.Finding

// valuesOf returns the secrets that are known or were found, also those that a person ignores: a
// fingerprint must not depend on decisions.
func valuesOf(findings []memory.Finding, known []string) (*detect.Texts, origins) {
	of := origins{}
	texts := slices.Clone(known)
	for i := range findings {
		f := &findings[i]
		if f.Family != memory.FamilySecret || f.Rule == judge.RuleKnown {
			continue
		}
		said := f.Text[f.Start:f.End]
		of[said] = append(of[said], f)
		texts = append(texts, Secrets(f)...)
	}
	return detect.NewKnownSecrets(texts), of
}

// Secrets returns the texts of the secrets that a finding shows: its own, and others
// beside it that are shown whole.
func Secrets(f *memory.Finding) []string {
	out := []string{f.Text[f.Start:f.End]}
	for _, m := range f.Masks {
		if m[0] > 0 && m[0] < m[1] && m[1] < len(f.Text) {
			out = append(out, f.Text[m[0]:m[1]])
		}
	}
	return out
}

// name notes for each copy where a rule found the secret. A copy is ignored when every
// finding of that secret is.
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

// mostKept is how much of a stream is kept to be read again.
const mostKept = 8 << 20

// again is an input that can be read a second time while it is not too long.
type again struct {
	from   io.Reader
	kept   bytes.Buffer
	second *bytes.Reader
	long   bool
}

// Read implements [io.Reader].
func (a *again) Read(p []byte) (int, error) {
	if a.second != nil {
		return a.second.Read(p)
	}
	if a.from == nil {
		return 0, io.EOF
	}
	n, err := a.from.Read(p)
	if a.long = a.long || a.kept.Len()+n > mostKept; a.long {
		a.kept = bytes.Buffer{}
	} else {
		a.kept.Write(p[:n])
	}
	return n, err
}

// rewind lets the input be read from its beginning, and reports whether all of it is
// there.
func (a *again) rewind() bool {
	a.second = bytes.NewReader(a.kept.Bytes())
	return !a.long
}
