package system

import "winnow/core/memory"

// Sets returns the first of the fields, called as on the command line, that an edit gives
// something to, and "" when it gives none of them anything: outcome, tools, count, kind,
// scope and name are known. A [Composer] refuses with it what its records do not have.
func Sets(e memory.Edit, fields ...string) string {
	sets := map[string]bool{
		"outcome": Given(e.Outcome) != "", "tools": e.Tools != nil && len(*e.Tools) > 0, "count": e.Count != nil,
		"kind": Given(e.Kind) != "", "scope": Given(e.Scope) != "", "name": Given(e.Name) != "",
	}
	for _, field := range fields {
		if sets[field] {
			return field
		}
	}
	return ""
}
