package judge

import (
	"strings"
	"sync"
	"time"

	"winnow/core/detect"
	"winnow/core/memory"
	"winnow/core/system"
)

// Judge judges documents. It is safe for concurrent use: each document by one
// goroutine.
type Judge struct {
	rules map[string]memory.AuditRule
	now   time.Time
	known *cache // nil where lines do not come again
	// values are secrets that were found elsewhere.
	values *detect.Texts

	mu      sync.Mutex
	folders map[folder]bool // whose left-over files were told
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

// New returns a Judge for which it is now. It remembers lines that come again.
func New(now time.Time) *Judge {
	j := OfRecords(now)
	j.known = newCache()
	return j
}

// OfRecords returns a Judge for which it is now, of records that are known by their revisions.
func OfRecords(now time.Time) *Judge {
	return &Judge{rules: ruleByID(), now: now, folders: map[folder]bool{}}
}

// Knowing returns a Judge, for which it is the same time, that also finds the values
// where no rule does.
func (j *Judge) Knowing(values *detect.Texts) *Judge {
	k := OfRecords(j.now)
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
		shown := detect.Redact(g.Shown)
		f.Shown = strings.Clone(shown[:runeTo(shown, min(len(shown), excerptBytes))])
	}
	return f
}
