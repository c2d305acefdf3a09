// Package judge turns text into findings. It judges pieces of documents that an audit streams, and
// records of an open store. It is pure: it opens no file and reads no clock.
package judge

import (
	"strings"
	"sync"

	"winnow/core/detect"
	"winnow/core/memory"
	"winnow/core/system"
)

// Judge judges documents. It is safe for concurrent use, with one goroutine for each document.
type Judge struct {
	rules map[string]memory.AuditRule
	known *lineCache // nil if lines do not repeat
	// values are secrets found elsewhere.
	values *detect.TextSet

	mu      sync.Mutex
	folders map[folder]bool // folders whose left-over files were reported
}

// folder is a folder with files of a form.
type folder struct {
	form *system.Form
	path string
}

// ruleByID holds the rules by ID.
var ruleByID = sync.OnceValue(func() map[string]memory.AuditRule {
	rules := map[string]memory.AuditRule{}
	for _, r := range Rules() {
		rules[r.ID] = r
	}
	return rules
})

// New returns a Judge that remembers lines, because they repeat in the versions of a file.
func New() *Judge {
	j := OfRecords()
	j.known = newLineCache()
	return j
}

// OfRecords returns a Judge that remembers no lines, for records that are known by revision.
func OfRecords() *Judge {
	return &Judge{rules: ruleByID(), folders: map[folder]bool{}}
}

// Knowing returns a Judge that also finds values where no rule matches.
func (j *Judge) Knowing(values *detect.TextSet) *Judge {
	k := OfRecords()
	k.values, k.known = values, j.known
	return k
}

// isNewFolder reports whether a folder is new for a form. Its memory is limited: with very many folders,
// some count as new again.
func (j *Judge) isNewFolder(form *system.Form, path string) bool {
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
func (j *Judge) find(p *passage, g group) match {
	r := j.rules[g.Rule]
	f := match{Finding: memory.Finding{
		Rule: r.ID, Family: r.Family, Severity: r.Severity, Name: r.Name,
		Field: p.field, Count: g.count, Fingerprint: p.fingerprint(r.ID),
	}}
	for _, id := range r.Formerly {
		if f.Formerly == nil {
			f.Formerly = map[string]string{}
		}
		f.Formerly[p.fingerprint(id)] = id
	}
	if g.Severity != 0 {
		f.Severity = g.Severity
	}
	p.excerpt(&f.Finding, g.Start, g.End)
	if r.Family != memory.FamilySecret && g.Shown != "" {
		shown := detect.Redact(g.Shown)
		f.Shown = strings.Clone(shown[:runeTo(shown, min(len(shown), excerptBytes))])
	}
	return f
}
