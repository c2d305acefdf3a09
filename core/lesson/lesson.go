// Package lesson is the lesson engine: it does what an agent does with the lessons that it keeps in
// a JSON Lines file, one lesson a line. It agrees with KarnEvil9's own engine byte for byte. The
// life of a lesson:
//
//  1. Extract. When a session ends, Rules.Extract makes one lesson from it: the task's first
//     200 characters, the outcome, a sentence on what was learnt, the tools, a date, and a
//     relevance count of 0. Rules say whether secrets are redacted as in the original
//     (Original) or before anything is cut (Hardened).
//  2. Add and evict. List.Add appends it. If more than Cap (100) are held, those with the lowest
//     count leave, and among equals the oldest; the new one may be the first to go.
//  3. Save. List.Save writes all lessons that are held. Lines that the agent never read, or
//     could not parse, are lost.
//  4. Load and prune. The next session reads the file line by line into a Loader, at most
//     LoadCap (200) values. Loader.List drops those that are older than PruneDays (30) and
//     were never recalled. A line that is null, or a date that is an object, stops the agent:
//     List.Problem says why.
//  5. Search. A task recalls at most recallLimit (5) lessons: one point for each word of the task
//     that occurs in a lesson, two for each tool. List.Search returns them; Explain also gives
//     every reason, for a screen.
//  6. Commit. Recalled lessons get a higher count and a new date of use, which protects them from
//     being evicted and pruned.
//
// Other functions only look: Record shows one line, List.Mark adds to a record what the agent will
// do with it (its rank, when age prunes it, whether it is read at all), Health reports what is
// wrong with a store, and Dropped says which of these rules removed a missing lesson.
//
// The package is pure. It reads no file, clock or environment: the time and the time zone are
// arguments. Strings are JavaScript strings as described in package jstext. When the original would
// throw, functions return a *memory.Problem that says why the agent would stop. Package jsonl
// changes the lines of a store; package prompt builds recalled lessons into the prompt.
package lesson

import (
	"slices"

	"winnow/core/jstext"
	"winnow/core/memory"
)

// Limits of the original engine.
const (
	Cap         = 100  // lessons that remain after an add
	LoadCap     = 200  // values that a load reads
	PruneDays   = 30   // age at which a lesson that was never recalled is pruned
	taskUnits   = 2000 // UTF-16 units of a task that a search reads
	WordCap     = 50   // words of a task that a search uses
	recallLimit = 5    // lessons that a search returns
	toolBoost   = 2    // score for each tool that a lesson used

	longestShortWord = 3 // words up to this many units are not used
)

// The keys of a lesson that the engine reads.
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
	// KeyWhen is a member that only Winnow's own stores have: the moment at which a lesson is told.
	KeyWhen = "when"
)

// IsKnown reports whether key is one of a lesson's.
func IsKnown(key string) bool { return slices.Contains(known[:], key) }

// Lesson is one value that an agent holds, parsed from a line.
type Lesson struct {
	ID    memory.ID // as described at [memory.ID]
	Line  int       // in the store, from 1; 0 if it was added after loading
	Value jstext.Value

	raw string // the line without its end; empty for an added lesson
}

// Title returns the task text, or false if it is missing or not a string.
func (l *Lesson) Title() (string, bool) { return l.text(KeyTitle) }

// Body returns what was learnt, or false if it is missing or not a string.
func (l *Lesson) Body() (string, bool) { return l.text(KeyBody) }

// Stops returns why the agent stops when it recalls the lesson, or nil.
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

// Resave returns a line as the original rewrites it, without a line end. It returns false for a
// line that the original cannot parse and therefore loses.
func Resave(line string) (out string, ok bool) {
	v, err := jstext.Parse(Decode(line))
	if err != nil {
		return "", false
	}
	return string(v.AppendJSON(make([]byte, 0, len(line)))), true
}

// Strings returns the elements of an array that are strings.
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
