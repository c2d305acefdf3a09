// Package karnevil9 reads and changes KarnEvil9's lesson stores: files of lessons that the agent
// reads once at its start and replaces when a session ends. Package lessonfile does everything that
// is not specific to KarnEvil9; this package supplies the paths, the words and the recall.
package karnevil9

import (
	"context"
	"time"

	"winnow/core/lessonfile"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/system"
)

// ID is the name of the system.
const ID memory.SystemID = "karnevil9"

const name = "KarnEvil9"

// System returns the KarnEvil9 system. now returns the time, in the agent's time zone, at which an
// agent is assumed to load a store.
func System(now func() time.Time) system.System {
	return system.System{
		ID: ID, Name: name,
		Variables: []memory.Fact{
			{Name: "KARNEVIL9_MEMORY_PATH", Text: "where KarnEvil9 keeps its lessons; looked at first"},
		},
		Find: find, StoresIn: storesIn, Sessions: sessions, Session: readSession,
		Open:  func(path string) (system.Store, error) { return Open(path, now), nil },
		Forms: Forms(),
		Abilities: []system.Ability{{
			Store:  "lessons",
			Recall: system.Exact,
			Edit:   "all",
			Delete: "all",
			Watch:  true,
			Learn:  "from the journal",
			Share:  true,
		}},
	}
}

// Store is one file of lessons.
type Store = lessonfile.Store

// Open returns the store at an absolute path. It reads nothing yet, and the file need not exist.
func Open(path string, now func() time.Time) *Store { return lessonfile.Open(kind(), path, now) }

func kind() lessonfile.Kind {
	return lessonfile.Kind{
		Info: info,
		Place: func(path string) memory.Place {
			return memory.Place{Store: memory.StoreID(path), System: ID, Path: path, ByPath: true}
		},
		Words: map[string]memory.Problem{
			quietread.CodeMissing: {
				What: "There are no lessons here yet: the file does not exist.",
				Hint: "it appears after an agent finishes its first session, and this screen then fills by itself",
			},
			lessonfile.CodeEmpty: {
				What: "There are no lessons here yet: the file is empty.",
				Hint: "lessons appear after an agent finishes a session, and this screen then fills by itself",
			},
		},
		Locks: locks, Writer: writer, Recall: recall,
	}
}

func info(path string) system.Info {
	return system.Info{
		System: ID, Name: name, Copies: true, Described: described(), Journals: journals(path),
		Journal: func(ctx context.Context) func(r *memory.Record) []string { return journalOf(ctx, path) },
		Learnt:  func(ctx context.Context) ([]memory.Record, error) { return learnt(ctx, path) },
		Verify:  func(ctx context.Context, env system.Env) []memory.Health { return verify(ctx, env, path) },
	}
}

// described returns how lessons are shown.
func described() memory.Description {
	return memory.Description{
		Title: "Task summary", Body: "Lesson",
		Arrives: "A lesson appears after an agent finishes its first session.",
		Columns: []string{"outcome", "rel", "used", "age", "next", "flags"}, Sort: "rel",
		FieldNames: []string{
			"lesson_id", "task_summary", "lesson", "outcome", "tool_names", "session_id", "created_at",
			"last_retrieved_at", "relevance_count",
		},
		ByLine: true, Evicts: true,
		GivenUnknown: "KarnEvil9's journal does not record which sessions were given it",
		Draft: memory.Draft{
			TextOnly: true, Modes: true, Tools: true, Without: true,
			Note: "The agent cuts an outcome at 20 characters, a task at 200 and a lesson at 500.",
		},
	}
}
