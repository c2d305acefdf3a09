package karnevil9

import (
	"path"
	"strings"

	"winnow/core/jstext"
	"winnow/core/lesson"
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

// blockName is what the prompt's heading calls recalled lessons.
const blockName = "Past Experience"

// land renders the block that a planner gets when it recalls the record and no other.
// It is empty for a record with which the planner would stop.
func land(r *memory.Record) memory.Landed {
	l := memory.Landed{Name: blockName, Ends: []string{"\nConsider these when planning.\n"}}
	if r.Problem != nil && (r.Flags&memory.FlagDamaged == 0 || r.Title == "" && r.Body == "") {
		return l
	}
	text, parts, p := prompt.Block([]prompt.Memory{{
		Task: jstext.StringValue(r.Title), Outcome: jstext.StringValue(string(r.Outcome)), Lesson: jstext.StringValue(r.Body),
	}})
	if p != nil {
		return l
	}
	l.Text = text
	for _, part := range parts {
		field := part.Name
		if field == "task" {
			field = "task_summary"
		}
		l.Parts = append(l.Parts, memory.LandedPart{Field: field, Start: part.Start, End: part.End})
	}
	return l
}
