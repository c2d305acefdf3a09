// Package report renders an audit as text for a person, JSON, SARIF 2.1.0 or Markdown. It only
// computes. Secrets are masked in every form, except in text if Reveal is set. Content from files
// passes through views/safe, or is JSON in which every invisible character is escaped.
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

// Report is an audit and what is needed to report on it.
type Report struct {
	Audit memory.Audit
	// Rules are all rules of an audit. A finding of any other rule is described by its own texts.
	Rules []memory.AuditRule
	// FailOn is the lowest severity that makes the audit fail. The verdict does not depend on it.
	FailOn memory.Severity
	// Named is set if the person named what to read. It is incomplete then if there was nothing.
	Named bool
	// Baseline is set if findings of a baseline were accepted.
	Baseline bool
	// Long lists each finding with its text, the reason and the next steps, and notes one by one.
	Long bool
	// Narrowed is set if findings of some families or rules were left out.
	Narrowed bool
	// ShowIgnored also lists findings that a person ignores.
	ShowIgnored bool
	// Fixed is what was redacted before the audit; nil if no redaction was requested.
	Fixed *memory.Fixed

	// Fix is the command that redacts the secrets found; empty if no command can.
	Fix string
	// Fixes reports whether that command changes the file of a finding; nil means all files.
	Fixes   func(*memory.Finding) bool
	Version string // version of the program
	Zone    *time.Location

	// Hidden returns a text with the secrets replaced that no finding covers.
	Hidden func(string) string
	// Reveal shows secrets; it applies to text only.
	Reveal bool
}

// Print prints the report as "json", "sarif", "md" or "text". Text starts with the verdict, lists
// the findings, worst first, and ends with what the report does not cover.
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

// Bytes returns the report as the content of a file, with secrets masked.
func (r *Report) Bytes(form string) []byte {
	var data bytes.Buffer
	o := output.New(&data, 0, false)
	r.masked().Print(o, form)
	o.Flush()
	return data.Bytes()
}

// Verdict is the result of an audit in one word.
type Verdict string

// The verdicts.
const (
	Unsafe     Verdict = "not_safe"   // a finding of high severity counts: evidence
	Incomplete Verdict = "incomplete" // no such finding, but something that matters could not be read
	Review     Verdict = "review"     // a finding of medium severity counts: a place to read
	Clean      Verdict = "clean"      // no finding counts but notes
	Nothing    Verdict = "nothing"    // there was nothing to read
)

// Verdict returns the result of the audit.
func (r *Report) Verdict() Verdict {
	a := &r.Audit
	nothing := a.Files == 0 && a.Blobs == 0 && a.Records == 0 && a.Commits == 0
	switch {
	case a.Fails(memory.High):
		return Unsafe
	case len(a.Failed) > 0 || a.Stopped || a.More > 0 && r.Narrowed || nothing && r.Named:
		return Incomplete
	case a.Fails(memory.Medium):
		return Review
	case nothing:
		return Nothing
	}
	return Clean
}

// Fails reports whether a finding that counts is at least as severe as FailOn.
func (r *Report) Fails() bool { return r.Audit.Fails(r.FailOn) }

// headline returns the verdict in words and numbers, as one line without its line end.
func (r *Report) headline() string {
	verdict := r.Verdict()
	line := map[Verdict]string{Unsafe: "NOT SAFE TO SHARE", Incomplete: "INCOMPLETE", Review: "REVIEW"}[verdict]
	switch verdict {
	case Nothing:
		return "Nothing to read: there are no files here"
	case Clean:
		return r.cleanHeadline()
	case Incomplete:
		line = output.Joined(": ", line, output.Joined(", ", r.gaps(), r.counts()))
	default:
		line += ": " + r.counts()
	}
	return line + output.When(r.Fails() && verdict != Unsafe, ", and --fail-on "+r.FailOn.String())
}

// cleanHeadline is the headline of an audit that found nothing but notes.
func (r *Report) cleanHeadline() string {
	line := "No known problems " + output.When(r.Narrowed, "of the requested kinds ")
	if r.Baseline {
		line = "No new problems, " + fmt.Sprintf("%d accepted, ", r.ignored())
	}
	line += "in " + r.extent() + output.When(r.counts() != "", "; "+r.counts())
	return line + output.When(r.Fails(), ", and --fail-on "+r.FailOn.String())
}

// gaps says what makes an audit incomplete.
func (r *Report) gaps() string {
	a := &r.Audit
	switch {
	case a.Stopped:
		return "it was interrupted"
	case len(a.Failed) > 0:
		return output.Plural(len(a.Failed), "place") + " could not be read"
	case a.More > 0:
		return "not every finding is listed"
	}
	return "there was nothing to read"
}

// counts returns "4 high, 2 places to read, 5 notes". Findings about a file count with their
// severity.
func (r *Report) counts() string {
	read, notes := "place to read", r.Audit.CountAll(memory.Low)
	if r.Baseline {
		read = "new place to read"
	}
	var parts []string
	if n := r.Audit.CountAll(memory.High); n > 0 {
		parts = append(parts, fmt.Sprintf("%d high", n))
	}
	if n := r.Audit.CountAll(memory.Medium); n > 0 {
		noun := memory.Noun{One: read, Many: strings.Replace(read, "place", "places", 1)}
		parts = append(parts, noun.Count(n))
	}
	if notes > 0 {
		parts = append(parts, output.Plural(notes, "note"))
	}
	return strings.Join(parts, ", ")
}

// extent says how much was read: "12 files, of them 4 that agents read, 100 lessons".
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
	files, versions := output.Plural(a.Files, "file"), output.Plural(a.Blobs, "version")+" in git"
	switch {
	case a.Others == 0:
	case a.Files > 0:
		files += ofThem(a.Files - a.Others)
	case a.Commits == 0: // what is staged
		versions += ofThem(a.Blobs - a.Others)
	}
	parts := []string{
		output.When(a.Files > 0 || a.Blobs == 0, files),
		output.When(lessons > 0, output.Plural(lessons, "lesson")),
	}
	return output.Joined(", ", append(append(parts, others...),
		output.When(a.Blobs > 0, versions), output.When(a.Commits > 0, output.Plural(a.Commits, "commit")))...)
}

// ofThem says how many of the files are read by agents.
func ofThem(agents int) string {
	if agents <= 0 {
		return ", none of which agents read"
	}
	return fmt.Sprintf(", of them %d that agents read", agents)
}

// ignored returns how many findings are ignored.
func (r *Report) ignored() (n int) {
	for i := range r.Audit.Findings {
		if !r.Audit.Findings[i].Open() {
			n++
		}
	}
	return n
}

// listed returns the findings to list, worst first, with ignored ones at the end.
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

// rule returns the rule of a finding.
func (r *Report) rule(f *memory.Finding) memory.AuditRule {
	for _, u := range r.Rules {
		if u.ID == f.Rule {
			return u
		}
	}
	return memory.AuditRule{ID: f.Rule, Family: f.Family, Severity: f.Severity}
}

// sentence returns a sentence of a finding for display. Sentences of the rule itself stay
// unchanged, because they may show what a secret looks like.
func (r *Report) sentence(f *memory.Finding, s string) string {
	if u := r.rule(f); s == u.Name || s == u.Why || s == u.Next {
		return s
	}
	return r.hide(s)
}

// hide replaces the secrets in a text that was not searched yet.
func (r *Report) hide(s string) string {
	if r.Reveal {
		return s
	}
	return r.Hidden(s)
}

// line returns a text as a line that is safe for a terminal.
func (r *Report) line(s string) string { return safe.Line(r.hide(s)) }

// date returns a day, or nothing for the zero time.
func (r *Report) date(t time.Time) string {
	return output.When(!t.IsZero(), t.In(cmp.Or(r.Zone, time.UTC)).Format(time.DateOnly))
}

// where says where a finding is.
func (r *Report) where(f *memory.Finding) string {
	place := r.line(f.Path)
	switch {
	case f.Line > 0:
		place += fmt.Sprintf(":%d", f.Line)
	case f.Offset > 0:
		place += fmt.Sprintf(", byte %d", f.Offset)
	}
	day := r.date(f.CommitTime)
	commit := output.When(
		f.Commit != "",
		"in commit "+shortCommit(safe.Line(f.Commit))+output.When(day != "", " of "+day),
	)
	return output.Joined(
		", ",
		place,
		r.line(string(f.ID)),
		r.line(f.Field),
		commit,
		output.When(f.Count > 1, fmt.Sprintf("and %d more", f.Count-1)),
	)
}

// shortCommit returns the beginning of a commit's name.
func shortCommit(commit string) string { return commit[:min(12, len(commit))] }
