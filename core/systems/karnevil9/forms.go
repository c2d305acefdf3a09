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

// Forms returns the file forms of lessons and journals: one by the agent's own file names, and one
// for any JSON Lines file that begins like a lesson store or a journal.
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

// holdsLines reports whether the name of a file says that it may hold JSON Lines. Copies and
// temporary files beside the original count too.
func holdsLines(p string) bool {
	name := path.Base(p)
	return strings.Contains(name, ".jsonl") || strings.Contains(name, ".ndjson") || ownTemp(name)
}

// ownTemp reports whether name is that of a temporary file of package atomicfile.
func ownTemp(name string) bool {
	return strings.HasPrefix(name, ".winnow-") && strings.Contains(name, ".tmp")
}

// stale reports whether a file was left behind by an interrupted save, or is the lock of a process
// that was killed.
func stale(p string) bool {
	name := path.Base(p)
	return strings.HasSuffix(name, ".jsonl.tmp") || strings.HasSuffix(name, ".jsonl.lock") || name == "journal.lock" ||
		ownTemp(name)
}

// land renders the block that a planner gets when it recalls this record alone.
func land(r *memory.Record) memory.Landed { return lessonfile.Land(r, prompt.Block) }
