package redact

import "winnow/core/memory"

// Rules returns what the scanner looks for, in the order in which places are judged.
func Rules() []memory.AuditRule {
	out := make([]memory.AuditRule, 0, len(rules))
	for i := range rules {
		out = append(out, rules[i].audit())
	}
	return out
}

// Rule returns the rule with that ID.
func Rule(id string) (memory.AuditRule, bool) {
	for i := range rules {
		if rules[i].id == id {
			return rules[i].audit(), true
		}
	}
	return memory.AuditRule{}, false
}

// rule says what a find is and what to do about it.
type rule struct {
	id, name string
	revoke   string // where or how, after "revoke it "
	source   string
	severity memory.Severity
}

func (r *rule) audit() memory.AuditRule {
	return memory.AuditRule{
		ID: r.id, Family: memory.FamilySecret, Severity: r.severity, Name: r.name, Source: r.source,
		Why:  "Whoever reads it can use it.",
		Next: "revoke it " + r.revoke,
	}
}

var rules = ruleTable()

func ruleTable() (out []rule) {
	seen := map[string]bool{}
	for _, s := range shapes {
		if !seen[s.rule] {
			seen[s.rule] = true
			out = append(out, rule{id: s.rule, name: s.rule, revoke: "where it was made", severity: memory.High})
		}
	}
	for _, id := range []string{"bearer-token", "private-key", "password-in-url", "password", "generic-secret", "authorization-header", "cut-key"} {
		out = append(out, rule{id: id, name: id, revoke: "where it was made", severity: memory.High})
	}
	return out
}
