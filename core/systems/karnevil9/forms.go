package karnevil9

import (
	"path"
	"strings"

	"winnow/core/lesson"
	"winnow/core/lessonfile"
	"winnow/core/memory"
	"winnow/core/prompt"
	"winnow/core/system"
)

// Forms returns how lessons and journals lie in files: below the names that the agent
// gives them, and in any file of JSON Lines that begins as they do.
func Forms() []system.Form {
	lessons := system.Form{
		System: ID, Name: "lesson store", Named: holdsLines, Both: true,
		Looks: system.ObjectWith("lesson_id", "task_summary"),
		Lines: true, Decode: lesson.Record, Land: land, Held: lesson.LoadCap, Stale: stale,
	}
	byPath := lessons
	byPath.Named = system.Named("sessions/memory.jsonl", gameStore)
	byPath.Looks, byPath.Both = nil, false
	journal := system.Form{
		System: ID, Name: "journal", Named: holdsLines, Both: true,
		Looks: system.ObjectWith("event_id", "type", "payload"), Lines: true,
	}
	journalByPath := journal
	journalByPath.Named = system.Named("journal/events.jsonl")
	journalByPath.Looks, journalByPath.Both = nil, false
	return []system.Form{byPath, lessons, journalByPath, journal}
}

// holdsLines reports whether a file may hold JSON Lines by its name: also a copy that
// somebody keeps beside it, or a temporary one.
func holdsLines(p string) bool {
	name := path.Base(p)
	return strings.Contains(name, ".jsonl") || strings.Contains(name, ".ndjson") || ownTemp(name)
}

// ownTemp reports whether a file is one of package atomicfile's temporary ones.
func ownTemp(name string) bool {
	return strings.HasPrefix(name, ".winnow-") && strings.Contains(name, ".tmp")
}

// stale reports whether a file is what a save leaves that was cut off, or the lock that
// a process leaves which was killed.
func stale(p string) bool {
	name := path.Base(p)
	return strings.HasSuffix(name, ".jsonl.tmp") || strings.HasSuffix(name, ".jsonl.lock") || name == "journal.lock" || ownTemp(name)
}

// land renders the block that a planner gets when it recalls the record and no other.
func land(r *memory.Record) memory.Landed { return lessonfile.Land(r, prompt.Block) }
