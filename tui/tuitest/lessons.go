package tuitest

import "winnow/core/memory"

// OfLessons returns a snapshot whose store describes itself as one of lessons: with counts,
// evicted by agents, and recalled by the words of a task.
func OfLessons(s memory.Snapshot) memory.Snapshot {
	s.Noun = memory.Noun{One: "lesson", Many: "lessons"}
	s.Described = memory.Description{
		System:  "Planner",
		Title:   "Task summary",
		Body:    "Lesson",
		Arrives: "A lesson appears after an agent finishes its first session.",
		Columns: []string{"outcome", "rel", "used", "age", "next", "flags"}, Sort: "rel", ByLine: true, Evicts: true,
		Draft: memory.Draft{TextOnly: true, Modes: true, Tools: true, Without: true},
	}
	return s
}
