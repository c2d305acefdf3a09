package judge

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"winnow/core/detect"
	"winnow/core/memory"
)

const mark = detect.Redacted

// findingOf turns a find into a finding with its place in the document, where at is the piece that
// contains it, and with data of its record.
func (r *Reading) findingOf(f *match, at Piece, rec *memory.Record, recalled string) memory.Finding {
	out := f.Finding
	d := r.doc
	out.Path, out.File, out.Store = d.Path, d.File, d.Store
	out.Commit, out.CommitTime = d.Commit, d.CommitTime
	out.Offset = at.Offset + f.Offset
	if at.Offset < 0 {
		out.Offset = -1
	}
	out.Line, out.Column = 0, 0
	if at.Line > 0 {
		out.Line, out.Column = at.Line+f.Line, f.Column+1
		if f.Line == 0 {
			out.Column += max(at.Column-1, 0)
		}
	}
	if rec == nil {
		rec = placement(d.Of)
	}
	if rec != nil {
		out.ID = rec.ID
		out.Recalled = recalled
	}
	if d.InDatabase {
		out.Line, out.Column, out.Offset = 0, 0, -1
		if rec != nil {
			out.Line, out.Column = rec.Line, min(rec.Line, 1)
		}
	}
	if f.cut {
		out.Recalled = "no: it is cut off before this place"
	}
	out.What = whatWasFound(&out, rec != nil)
	out.Why = r.judge.rules[out.Rule].Why
	isExample := d.Form != nil && d.Form.Tracked && r.whereabouts().example // as .env.test
	out.OfAgent = d.Form != nil && !isExample
	out.InCode = inCode(&out)
	r.weighSecret(&out)
	out.Fixable = r.fixable(&out)
	out.Next = r.nextSteps(&out)
	return out
}

// nameOf returns the ID of a record if it is safe to show.
func nameOf(rec *memory.Record) memory.ID {
	if len(detect.Secrets(string(rec.ID))) > 0 {
		return memory.LineID(rec.Line)
	}
	return memory.ID(strings.Clone(string(rec.ID)))
}

// whatWasFound says in one sentence what was found and where.
func whatWasFound(f *memory.Finding, record bool) string {
	name := capital(f.Name)
	where := fmt.Sprintf(" in line %d", f.Line)
	switch {
	case f.Line == 0 && f.Offset < 0:
		where = ""
	case f.Line == 0:
		where = fmt.Sprintf(" at byte %d", f.Offset)
	case record && f.Field != "":
		where = fmt.Sprintf(" in the %s of #%d", f.Field, f.Line)
	case record:
		where = fmt.Sprintf(" in #%d", f.Line)
	}
	if f.Commit != "" {
		where += ", as of commit " + f.Commit[:min(len(f.Commit), 12)]
	}
	return name + where
}

func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// fixable reports whether a redaction in place can remove a finding.
func (r *Reading) fixable(f *memory.Finding) bool {
	d := r.doc
	return f.Family == memory.FamilySecret && d.OnDisk && d.Commit == "" && !d.Packed && !r.inDatabase()
}

// inDatabase reports whether the document is in a database that no redaction reaches.
func (r *Reading) inDatabase() bool {
	return r.doc.InDatabase && !r.doc.Reached || r.doc.Form != nil && r.doc.Form.Database
}

// recalled says whether an agent will read a record. The record must be the last one counted.
func (r *Reading) recalled(rec *memory.Record) string {
	form := r.doc.Form
	if rec == nil || form.Land == nil || r.doc.Commit != "" {
		return ""
	}
	if r.live {
		return recallStatus(rec, form.Held)
	}
	seen := *rec
	if form.Held > 0 && r.values > form.Held {
		seen.Flags |= memory.FlagBeyond
	}
	return recallStatus(&seen, form.Held)
}

// nextSteps lists what to do, in order: revoke, redact, clean the history.
func (r *Reading) nextSteps(f *memory.Finding) []string {
	steps := []string{r.judge.rules[f.Rule].Next}
	if f.Family == memory.FamilySecret {
		steps = append(steps, r.takeOut(f)...)
		steps = append(steps, r.history(f)...)
	}
	return steps
}

// takeOut says how to remove a secret from the document itself.
func (r *Reading) takeOut(f *memory.Finding) []string {
	d := r.doc
	switch {
	case f.Fixable:
		return []string{"replace it with " + mark + ": r on the audit screen, or winnow audit --fix " + quoted(d.Path)}
	case d.Commit != "":
		return nil
	case d.staged():
		return []string{"take it out of the file, as winnow audit --fix does, and stage the file again with git add"}
	case r.inDatabase():
		return []string{
			"delete it in the program that the database belongs to, and have the database rewritten (VACUUM): its free pages keep what was deleted",
		}
	}
	return []string{"take it out where the text comes from, and look again"}
}

// history says how to remove a secret from git's history.
func (r *Reading) history(f *memory.Finding) []string {
	if f.Commit == "" && r.doc.Git != memory.GitTracked || r.doc.staged() {
		return nil
	}
	if r.doc.Message {
		return []string{
			"rewrite the message: git filter-repo --replace-message SECRETS.txt, a file outside the repository with one secret a line; every clone keeps what it has",
		}
	}
	return []string{"take it out of every version that git holds, which winnow audit --history lists: " +
		"git filter-repo --replace-text SECRETS.txt, a file outside the repository with one secret a line; every clone keeps what it has"}
}

// quoted returns a path quoted for a shell, or FILE if it is not safe to show.
func quoted(path string) string {
	if len(detect.Secrets(path)) > 0 {
		return "FILE"
	}
	return memory.ShellPath(path)
}
