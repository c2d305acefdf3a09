package detect

import (
	"slices"
	"sync"

	"winnow/core/memory"
)

// Rules returns every rule of this package: on secrets, the most certain forms first, on
// injected and hidden text, and on private data.
func Rules() []memory.AuditRule {
	return slices.Concat(secretRules(), injectionRules(), piiRules)
}

// Rule returns the rule with an ID, and whether there is one.
func Rule(id string) (memory.AuditRule, bool) {
	r, ok := ruleByID()[id]
	return r, ok
}

var ruleByID = sync.OnceValue(func() map[string]memory.AuditRule {
	out := map[string]memory.AuditRule{}
	for _, r := range Rules() {
		out[r.ID] = r
	}
	return out
})
