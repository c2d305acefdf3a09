package system

import "winnow/core/memory"

// Sets returns the first of the fields that an edit sets to something, or "" if it sets none. The
// fields are named as on the command line: outcome, tools, count, kind, scope and name. A
// [Composer] uses it to refuse fields that its records do not have.
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
