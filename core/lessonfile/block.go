package lessonfile

import (
	"winnow/core/lesson"
	"winnow/core/memory"
	"winnow/core/prompt"
)

// BlockName is the heading of a block of recalled lessons.
const BlockName = "Past Experience"

// Land renders the block that an agent gets when it recalls only this record. It is empty for a
// record that makes the agent stop. Block is a function of package prompt.
func Land(r *memory.Record, block func([]prompt.Memory) (string, []prompt.Part, *memory.Problem)) memory.Landed {
	l := memory.Landed{Name: BlockName, Ends: []string{"\nConsider these when planning.\n"}}
	if r.Problem != nil && (r.Flags&memory.FlagDamaged == 0 || r.Title == "" && r.Body == "") {
		return l
	}
	text, parts, p := block([]prompt.Memory{prompt.MemoryOf(r.Title, string(r.Outcome), r.Body)})
	if p != nil {
		return l
	}
	l.Text = text
	for _, part := range parts {
		field := part.Name
		if field == "task" {
			field = lesson.KeyTitle
		}
		l.Parts = append(l.Parts, memory.LandedPart{Field: field, Start: part.Start, End: part.End})
	}
	return l
}

// MemoryOf returns a lesson as the agent's kernel passes it to the planner.
func MemoryOf(l *lesson.Lesson) prompt.Memory {
	var m prompt.Memory
	m.Task, _ = l.Value.Field(lesson.KeyTitle)
	m.Outcome, _ = l.Value.Field(lesson.KeyOutcome)
	m.Lesson, _ = l.Value.Field(lesson.KeyBody)
	return m
}
