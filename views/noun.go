package views

import "winnow/core/memory"

// planner is the system whose records are lessons that an agent recalls by a count.
const planner memory.SystemID = "karnevil9"

// OfLessons reports whether a store holds the planner's lessons, which have words and
// columns of their own.
func OfLessons(s memory.Snapshot) bool {
	return s.Place.System == planner || s.Place.System == ""
}

// NounOf returns the word for the records of a store.
func NounOf(s memory.Snapshot) memory.Noun {
	switch {
	case s.Noun.One != "":
		return s.Noun
	case OfLessons(s):
		return memory.Noun{One: "lesson", Many: "lessons"}
	}
	return memory.Noun{One: "record", Many: "records"}
}
