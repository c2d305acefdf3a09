// Package report makes of an audit what is printed of it: text for a person, JSON,
// SARIF 2.1.0 and Markdown. It computes only. Secrets are masked in all of them unless
// Reveal is set, and what comes out of a file goes through views/safe, or is JSON in
// which every character that cannot be seen is escaped.
package report

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"winnow/cli/output"
	"winnow/core/memory"
	"winnow/views/safe"
)

// Report is an audit with what is to be said of it.
type Report struct {
	Audit memory.Audit
	// Rules are all rules of an audit. A finding of another rule is described by what it says
	// itself.
	Rules []memory.AuditRule
	// FailOn is the least severity that makes the verdict [Unsafe].
	FailOn memory.Severity
	// Narrowed is set when the findings of some families or rules were left out.
	Narrowed bool
	// ShowIgnored lists what a person ignores as well.
	ShowIgnored bool
	// Fixed is what was redacted before the audit, nil when nothing was to be.
	Fixed *memory.Fixed

	// Fix is the command that replaces the secrets that were found; empty when none can.
	Fix     string
	Version string // of the program
	Zone    *time.Location

	// Hidden returns a text with the secrets in it replaced that nobody found yet.
	Hidden func(string) string
	// Reveal shows secrets, in Text only.
	Reveal bool
}

// Print prints the report in a form: "json", "sarif", "md", or "text" for a person, with
// the verdict first, then the findings, worst first, and at the end what it does not
// say. Secrets are shown in text only, and only if they are to be revealed.
func (r *Report) Print(o *output.Out, form string) {
	switch form {
	case "json":
		o.JSON(r.Document())
	case "sarif":
		r.sarif(o)
	case "md":
		r.markdown(o)
	default:
		r.text(o)
	}
}

// Bytes returns the report in a form as a file has it, with secrets masked.
func (r *Report) Bytes(form string) []byte {
	var data bytes.Buffer
	o := output.New(&data, 0, false)
	r.masked().Print(o, form)
	o.Flush()
	return data.Bytes()
}

// Verdict says in a word what came of an audit.
type Verdict string

// The verdicts.
const (
	Unsafe  Verdict = "not_safe" // something counts that is at least as severe as FailOn
	Unknown Verdict = "unknown"  // nothing does, but not everything could be looked at
	Below   Verdict = "below"    // all that counts is less severe
	Clean   Verdict = "clean"    // nothing counts
	Nothing Verdict = "nothing"  // there was nothing to look at
)

// Verdict returns what came of the audit.
func (r *Report) Verdict() Verdict {
	a := &r.Audit
	switch {
	case a.Fails(r.FailOn):
		return Unsafe
	case len(a.Failed) > 0 || a.Stopped || a.More > 0 && r.Narrowed:
		return Unknown
	case a.MoreOpen.Any() || slices.ContainsFunc(a.Findings, func(f memory.Finding) bool { return f.Open() }):
		return Below
	case a.Files == 0 && a.Blobs == 0 && a.Records == 0 && a.Commits == 0:
		return Nothing
	}
	return Clean
}

// Headline returns the verdict in words and numbers, in one line without its end.
func (r *Report) Headline() string {
	what := map[Verdict]string{
		Unsafe: "NOT SAFE TO SHARE", Unknown: "NOT KNOWN, since not everything could be read", Below: "Nothing at or above " + r.FailOn.String(),
	}[r.Verdict()]
	if what != "" {
		return output.Joined("  ", what, r.counts())
	}
	if r.Verdict() == Nothing {
		return "Nothing to read: there are no memory files here"
	}
	return "No known problems " + output.When(r.Narrowed, "of the requested kinds ") + "in " + r.extent()
}

// counts returns "4 high  2 medium  2 file".
func (r *Report) counts() string {
	var parts []string
	for _, s := range []memory.Severity{memory.High, memory.Medium, memory.Low, 0} {
		if n := r.Audit.Count(s); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, cmp.Or(s.String(), "file")))
		}
	}
	return strings.Join(parts, "  ")
}

// extent says how much was looked at: "12 files, 100 lessons".
func (r *Report) extent() string {
	a := &r.Audit
	lessons := a.Records
	var others []string
	for noun, n := range a.Nouns {
		if noun.One != "" && noun.One != "lesson" {
			lessons -= n
			others = append(others, noun.Count(n))
		}
	}
	slices.Sort(others)
	parts := []string{output.When(a.Files > 0 || a.Blobs == 0, output.Plural(a.Files, "file")), output.When(lessons > 0, output.Plural(lessons, "lesson"))}
	return output.Joined(", ", append(append(parts, others...),
		output.When(a.Blobs > 0, output.Plural(a.Blobs, "version")+" in git"), output.When(a.Commits > 0, output.Plural(a.Commits, "commit")))...)
}

// ignored is how many findings are ignored.
func (r *Report) ignored() (n int) {
	for i := range r.Audit.Findings {
		if !r.Audit.Findings[i].Open() {
			n++
		}
	}
	return n
}

// listed returns the findings that are listed, worst first, ignored ones
// at the end.
func (r *Report) listed() []*memory.Finding {
	var open, ignored []*memory.Finding
	for i := range r.Audit.Findings {
		if f := &r.Audit.Findings[i]; f.Open() {
			open = append(open, f)
		} else if r.ShowIgnored {
			ignored = append(ignored, f)
		}
	}
	return append(open, ignored...)
}

// rule returns what is known of the rule of a finding.
func (r *Report) rule(f *memory.Finding) memory.AuditRule {
	for _, u := range r.Rules {
		if u.ID == f.Rule {
			return u
		}
	}
	return memory.AuditRule{ID: f.Rule, Family: f.Family, Severity: f.Severity}
}

// sentence returns a sentence of a finding for a reader. The rule's own sentences stay as they
// are: they may show what a secret looks like.
func (r *Report) sentence(f *memory.Finding, s string) string {
	if u := r.rule(f); s == u.Name || s == u.Why || s == u.Next {
		return s
	}
	return r.hide(s)
}

// hide replaces the secrets in a text that was not looked into.
func (r *Report) hide(s string) string {
	if r.Reveal {
		return s
	}
	return r.Hidden(s)
}

// line returns a text for a line of a terminal.
func (r *Report) line(s string) string { return safe.Line(r.hide(s)) }

// date returns a day, or nothing for no time.
func (r *Report) date(t time.Time) string {
	return output.When(!t.IsZero(), t.In(cmp.Or(r.Zone, time.UTC)).Format(time.DateOnly))
}

// where says in which place a finding is.
func (r *Report) where(f *memory.Finding) string {
	place := r.line(f.Path)
	switch {
	case f.Line > 0:
		place += fmt.Sprintf(":%d", f.Line)
	case f.Offset > 0:
		place += fmt.Sprintf(", byte %d", f.Offset)
	}
	day := r.date(f.CommitTime)
	commit := output.When(f.Commit != "", "in commit "+short(safe.Line(f.Commit))+output.When(day != "", " of "+day))
	return output.Joined(", ", place, r.line(string(f.ID)), r.line(f.Field), commit, output.When(f.Count > 1, fmt.Sprintf("and %d more", f.Count-1)))
}

// short returns the beginning of the name of a commit.
func short(commit string) string { return commit[:min(12, len(commit))] }
