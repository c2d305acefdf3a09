package detect

import (
	"slices"
	"sync"

	"winnow/core/memory"
)

// Rules returns every rule of this package: rules for secrets (the most certain first), for
// injected and hidden text, and for private data.
func Rules() []memory.AuditRule {
	return slices.Concat(secretAuditRules(), injectionRules(), piiRules)
}

// Rule returns the rule with the given ID and reports whether it exists.
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
