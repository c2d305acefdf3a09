// Package kimchi knows the files of notes, parted by lines with §, that Kimchi and
// Hermes Agent keep, and Kimchi's folders of notes by agent.
package kimchi

import (
	"bytes"
	"path"
	"strings"

	"winnow/core/memory"
	"winnow/core/system"
)

// ID is the name of the system.
const ID memory.SystemID = "kimchi"

// rule is the line above and below the title of a block.
const rule = "══════════════════════════════════════════════"

// delimiter parts the notes of a file.
const delimiter = "\n§\n"

// Forms returns how its files lie. A file is landed whole, as the agent does: the
// delimiters in it are its own.
func Forms() []system.Form {
	notes := func(title string, named func(string) bool, looks func([]byte) bool) system.Form {
		return system.Form{
			System: ID, Name: "notes", Named: named, Looks: looks, Both: looks != nil, Stale: stale,
			Land: system.Framed("notes", rule+"\n"+title+"\n"+rule+"\n", "", rule),
		}
	}
	const agents, user = "MEMORY (your personal notes) [50% — 1100/2200 chars]", "USER PROFILE (who the user is) [50% — 687/1375 chars]"
	detail := system.Framed("agent memory", "", "", "\n... (truncated at 200 lines)")
	return []system.Form{
		notes(agents, system.Named("harness/memory/MEMORY.md", ".hermes/memories/MEMORY.md", "memories/MEMORY.md"), nil),
		notes(user, system.Named("harness/memory/USER.md", ".hermes/memories/USER.md", "memories/USER.md"), nil),
		notes(agents, system.Named("MEMORY.md*", "USER.md*"), hasDelimiter),
		{System: ID, Name: "agent memory", Land: detail, Named: system.Named("harness/agent-memory/**/*.md", ".kimchi/**/*.md", ".hermes/**/*.md")},
		{System: ID, Name: "settings", Named: system.Named("kimchi/**/*.json", ".kimchi/**/*.json", ".hermes/*.json", ".hermes/*.yaml", ".hermes/.env")},
	}
}

func hasDelimiter(head []byte) bool {
	return bytes.Contains(head, []byte(delimiter)) || bytes.Contains(head, []byte("\r\n§\r\n"))
}

// stale reports whether a file is what a save of notes leaves that was cut off: a dot,
// the time in milliseconds, and .tmp.
func stale(p string) bool {
	name := path.Base(p)
	digits, ok := strings.CutSuffix(strings.TrimPrefix(name, "."), ".tmp")
	return ok && name[0] == '.' && len(digits) == 13 && strings.Trim(digits, "0123456789") == ""
}
