package system

import "winnow/core/memory"

// Sets returns the first of the fields, called as on the command line, that an edit gives
// something to, and "" when it gives none of them anything: outcome, tools, count, kind,
// scope and name are known. A [Composer] refuses with it what its records do not have.
func Sets(e memory.Edit, fields ...string) string {
	said := func(s *string) bool { return s != nil && *s != "" }
	for _, field := range fields {
		set := false
		switch field {
		case "outcome":
			set = said(e.Outcome)
		case "tools":
			set = e.Tools != nil && len(*e.Tools) > 0
		case "count":
			set = e.Count != nil
		case "kind":
			set = said(e.Kind)
		case "scope":
			set = said(e.Scope)
		case "name":
			set = said(e.Name)
		}
		if set {
			return field
		}
	}
	return ""
}
