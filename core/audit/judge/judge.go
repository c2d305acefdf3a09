package judge

import (
	"strings"
	"time"

	"winnow/core/memory"
	"winnow/core/redact"
)

// Judge judges documents. It is safe for concurrent use: each document by one
// goroutine.
type Judge struct {
	rules map[string]memory.AuditRule
	now   time.Time
	known *cache // nil where lines do not come again
}

// New returns a Judge for which it is now.
func New(now time.Time) *Judge {
	j := &Judge{rules: map[string]memory.AuditRule{}, now: now, known: newCache()}
	for _, r := range Rules() {
		j.rules[r.ID] = r
	}
	return j
}

// At returns a Judge with the same rules for which it is now, for records.
func (j *Judge) At(now time.Time) *Judge { return &Judge{rules: j.rules, now: now} }

// find returns what a rule found in a passage, without its place in the document.
func (j *Judge) find(p *passage, g group) find {
	r, known := j.rules[g.Rule]
	if !known {
		r = memory.AuditRule{ID: g.Rule, Family: memory.FamilySecret, Severity: memory.High, Name: g.Rule}
	}
	f := find{Finding: memory.Finding{
		Rule: r.ID, Family: r.Family, Severity: r.Severity, Name: r.Name,
		Field: p.field, Count: g.count, Fingerprint: p.fingerprint(r.ID),
	}}
	p.excerpt(&f.Finding, g.Start, g.End)
	if r.Family != memory.FamilySecret && g.Shown != "" {
		shown := redact.Hardened(g.Shown)
		f.Shown = strings.Clone(shown[:runeTo(shown, min(len(shown), excerptBytes))])
	}
	return f
}
