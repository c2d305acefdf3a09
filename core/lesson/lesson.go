// Package lesson is the lesson engine: what an agent does with the lessons that it keeps
// in a file of JSON Lines, one lesson a line. It agrees with KarnEvil9's own engine byte
// for byte. The life of a lesson:
//
//  1. Extract. A session ends, and Rules.Extract makes one lesson of it: the task's first
//     200 characters, the outcome, a sentence on what was learnt, the tools, a date, and a
//     relevance count of 0. Rules say whether secrets are redacted as the original does
//     it (Original) or before anything is cut (Hardened).
//  2. Add and evict. List.Add appends it. When more than Cap (100) are held, those with the
//     lowest count leave, of equals the oldest; the new one can be the first to go.
//  3. Save. List.Save writes all lessons that are held. Lines that the agent never read, or
//     could not parse, are lost by that.
//  4. Load and prune. The next session reads the file line by line into a Loader, at most
//     LoadCap (200) values. Loader.List drops those that are older than PruneDays (30) and
//     were never recalled. A line that is null, or a date that is an object, stops the
//     agent: List.Problem says why.
//  5. Search. A task recalls at most RecallLimit (5) lessons: one point for each word of it
//     that occurs in a lesson, two for each tool. List.Search returns them, and Explain
//     says the same with every reason, for a screen.
//  6. Commit. What was recalled gets a higher count and a new date of use, which keeps it
//     from being evicted and pruned.
//
// Beside that life stand the functions that only look: Record shows one line, List.Mark
// adds to a record what the agent will do with it (its rank, when age prunes it, whether it
// is read at all), Health reports what is wrong with a store, and Dropped says which of
// these rules removed a lesson that is missing.
//
// The package is pure. It reads no file, no clock and no environment: the time and the time
// zone are arguments. Strings are JavaScript strings as package jstext describes. Where the
// original would throw, functions return a *memory.Problem that says why the agent would
// stop. Package jsonl changes the lines of a store; package prompt builds what is recalled
// into the prompt.
package lesson

import (
	"slices"

	"winnow/core/jstext"
	"winnow/core/memory"
)

// Limits of the original engine.
const (
	Cap         = 100  // lessons that an add keeps
	LoadCap     = 200  // values that a load reads
	PruneDays   = 30   // age from which a lesson that was never recalled is pruned
	TaskUnits   = 2000 // UTF-16 units of a task that a search reads
	WordCap     = 50   // words of a task that a search uses
	RecallLimit = 5    // lessons that a search returns
	ToolBoost   = 2    // score for each tool that a lesson used

	longestShortWord = 3 // units of a word that is still too short to be used
)

// The members of a lesson that the engine reads.
const (
	KeyID      = "lesson_id"
	KeyTitle   = "task_summary"
	KeyOutcome = "outcome"
	KeyBody    = "lesson"
	KeyTools   = "tool_names"
	KeyCreated = "created_at"
	KeySession = "session_id"
	KeyCount   = "relevance_count"
	KeyUsed    = "last_retrieved_at"
)

// IsKnown reports whether a key is one of a lesson's.
func IsKnown(key string) bool { return slices.Contains(known[:], key) }

// Lesson is one value that an agent holds: what its parser made of a line.
type Lesson struct {
	ID    memory.ID // as described at memory.ID
	Line  int       // in the store, from 1; 0 for one that was added since
	Value jstext.Value

	raw string // the line without its end; empty for one that was added
}

// Title returns the task text, and false when the lesson has none that is a string.
func (l *Lesson) Title() (string, bool) { return l.text(KeyTitle) }

// Body returns what was learnt, and false when that is missing or not a string.
func (l *Lesson) Body() (string, bool) { return l.text(KeyBody) }

// Stops returns why the agent stops when it has recalled the lesson, or nil.
func (l *Lesson) Stops() *memory.Problem {
	if key := l.missingText(); key != "" {
		return noText(l, key)
	}
	if _, ok := l.text(KeyOutcome); !ok {
		return oddOutcome(l)
	}
	return nil
}

func (l *Lesson) text(key string) (string, bool) {
	v, _ := l.Value.Field(key)
	return v.Str(), v.Kind() == jstext.String
}

// Resave returns what the original makes of a line when it rewrites it, without
// a line end. It is false for a line that it cannot parse, and so loses.
func Resave(line string) (out string, ok bool) {
	v, err := jstext.Parse(Decode(line))
	if err != nil {
		return "", false
	}
	return string(v.AppendJSON(make([]byte, 0, len(line)))), true
}

// Strings returns the strings among the elements of an array.
func Strings(v jstext.Value) []string {
	if v.Kind() != jstext.Array || v.Len() == 0 {
		return nil
	}
	out := make([]string, 0, v.Len())
	for i := range v.Len() {
		if e := v.At(i); e.Kind() == jstext.String {
			out = append(out, e.Str())
		}
	}
	return out
}
