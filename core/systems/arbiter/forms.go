// Package arbiter knows the databases that Arbiter keeps its lessons in.
package arbiter

import (
	"strings"

	"winnow/core/memory"
	"winnow/core/system"
)

// ID is the name of the system.
const ID memory.SystemID = "arbiter"

// Forms returns how its files lie: SQLite databases and the logs beside them, in which
// what was written last can stand alone.
func Forms() []system.Form {
	const begin, end = "[KNOWN PITFALLS — your prior lessons]\n  - ", "\n[END KNOWN PITFALLS]"
	named := system.Named("tenants.db*", "arbiter*.db*", ".arbiter/*.db*")
	return []system.Form{{
		System: ID, Name: "lesson database",
		// An index of a log holds no text, and closing it takes away the locks that this
		// process has on it.
		Named: func(path string) bool { return !strings.HasSuffix(path, "-shm") && named(path) },
		Looks: system.Pages, Both: true, Database: true,
		Noun: lessons(), ByRecord: true,
		Land: system.Framed("known pitfalls", begin, end, "[END KNOWN PITFALLS]", "[END TOOL RESULTS]", "[END LESSON]"),
	}}
}
