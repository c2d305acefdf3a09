// Package judge turns what was read into findings: pieces of documents that an audit
// streams, and the records of a store that is open. It is pure: it opens nothing, and
// asks nobody for the time.
package judge

import (
	"strings"
	"sync"

	"winnow/core/detect"
	"winnow/core/memory"
	"winnow/core/system"
)

// Judge judges documents. It is safe for concurrent use: each document by one
// goroutine.
type Judge struct {
	rules map[string]memory.AuditRule
	known *lineCache // nil where lines do not come again
	// values are secrets that were found elsewhere.
	values *detect.Texts

	mu      sync.Mutex
	folders map[folder]bool // whose left-over files were reported
}

// folder is one in which a form's files lie.
type folder struct {
	form *system.Form
	path string
}

// ruleByID are the rules by their ids.
var ruleByID = sync.OnceValue(func() map[string]memory.AuditRule {
	rules := map[string]memory.AuditRule{}
	for _, r := range Rules() {
		rules[r.ID] = r
	}
	return rules
})

// New returns a Judge. It remembers lines that come again.
func New() *Judge {
	j := OfRecords()
	j.known = newLineCache()
	return j
}

// OfRecords returns a Judge of records that are known by their revisions.
func OfRecords() *Judge {
	return &Judge{rules: ruleByID(), folders: map[folder]bool{}}
}

// Knowing returns a Judge that also finds the values where no rule does.
func (j *Judge) Knowing(values *detect.Texts) *Judge {
	k := OfRecords()
	k.values, k.known = values, j.known
	return k
}

// enter reports whether a folder is met for the first time with a form. Of very many
// folders some are met again.
func (j *Judge) enter(form *system.Form, path string) bool {
	const most = 10_000
	j.mu.Lock()
	defer j.mu.Unlock()
	at := folder{form, path}
	if j.folders[at] {
		return false
	}
	if len(j.folders) >= most {
		clear(j.folders)
	}
	j.folders[at] = true
	return true
}

// find returns what a rule found in a passage, without its place in the document.
func (j *Judge) find(p *passage, g group) find {
	r := j.rules[g.Rule]
	f := find{Finding: memory.Finding{
		Rule: r.ID, Family: r.Family, Severity: r.Severity, Name: r.Name,
		Field: p.field, Count: g.count, Fingerprint: p.fingerprint(r.ID),
	}}
	p.excerpt(&f.Finding, g.Start, g.End)
	if r.Family != memory.FamilySecret && g.Shown != "" {
		shown := detect.Redact(g.Shown)
		f.Shown = strings.Clone(shown[:runeTo(shown, min(len(shown), excerptBytes))])
	}
	return f
}
