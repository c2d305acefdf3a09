// Package winnow holds the lesson stores that Winnow keeps itself, for agents without a lesson
// engine: one per project and one for the person. They use the engine's format, limits and counts.
// Winnow's own hook gives an agent only the lessons that a person approved on this machine.
package winnow

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"winnow/core/annotate"
	"winnow/core/atomicfile"
	"winnow/core/jstext"
	"winnow/core/lesson"
	"winnow/core/lessonfile"
	"winnow/core/memory"
	"winnow/core/prompt"
	"winnow/core/quietread"
	"winnow/core/system"
)

// ID is the name of the system.
const ID memory.SystemID = "winnow"

const name = "Winnow"

// System returns the system of Winnow's own stores. now returns the time, in the agent's time zone,
// at which an agent is given lessons.
func System(now func() time.Time) system.System {
	return system.System{
		ID: ID, Name: name,
		Variables: []memory.Fact{{Name: system.Lessons.Variable(), Text: "the folder in which Winnow keeps the person's own lessons, in winnow"}},
		Find:      find, Serves: serves, StoresIn: storesIn, Reads: reads,
		Open:  func(path string) (system.Store, error) { return Open(path, now), nil },
		Forms: Forms(),
		Abilities: []system.Ability{{
			Store: "lessons", Recall: system.Exact, Edit: "all", Delete: "all", Watch: true, Share: system.LessonsShared,
			Note: "Winnow's hook gives agents only the lessons that a person approved on this machine.",
		}},
	}
}

// Store is one file of lessons.
type Store struct {
	*lessonfile.Store
	path     string
	approved func(*memory.Record) bool
	wanted   func() bool // whether the person wants it in git
	// fresh is set if the store's folder was missing when the store was opened, so that an addition
	// creates it. A folder that was removed later is not created again.
	fresh bool
}

var (
	_ system.Approving   = (*Store)(nil)
	_ system.Committable = (*Store)(nil)
)

// Open returns the store at an absolute path. It reads nothing yet, and the file need not exist.
func Open(path string, now func() time.Time) *Store {
	_, err := os.Lstat(filepath.Dir(path))
	s := &Store{path: path, fresh: errors.Is(err, fs.ErrNotExist), wanted: func() bool { return false }}
	s.Store = lessonfile.Open(s.kind(), path, now)
	s.UseApprovals(func(*memory.Record) bool { return false })
	return s
}

// UseApprovals implements [system.Approving].
func (s *Store) UseApprovals(approved func(*memory.Record) bool) {
	s.approved = approved
	s.Serve(approved)
}

// CommitIf implements [system.Committable].
func (s *Store) CommitIf(wanted func() bool) { s.wanted = wanted }

func (s *Store) kind() lessonfile.Kind {
	return lessonfile.Kind{
		Info: func(string) system.Info {
			return system.Info{System: ID, Name: name, Described: described(), Companions: s.evictions}
		},
		Place: func(path string) memory.Place { return placeOf(path, "") },
		Words: map[string]memory.Problem{
			quietread.CodeMissing: {What: "There are no lessons here yet: the file does not exist.", Hint: "it appears when you approve a lesson: winnow inbox"},
			lessonfile.CodeEmpty:  {What: "There are no lessons here yet: the file is empty.", Hint: "lessons appear when you approve them: winnow inbox"},
		},
		Recall: recall,
	}
}

func described() memory.Description {
	return memory.Description{
		Title: "Task summary", Body: "Lesson",
		Arrives: "A lesson appears when you approve one: winnow inbox.",
		Columns: []string{"outcome", "rel", "used", "age", "next", "flags"}, Sort: "rel",
		FieldNames: []string{
			lesson.KeyID, lesson.KeyTitle, lesson.KeyBody, lesson.KeyOutcome, lesson.KeyTools, lesson.KeySession,
			lesson.KeyCreated, lesson.KeyUsed, lesson.KeyCount,
		},
		ByLine: true, Evicts: true,
		Draft: memory.Draft{
			TextOnly: true, Without: true,
			Note: "An outcome is cut at 20 characters, a task at 200 and a lesson at 500.",
		},
	}
}

// Served implements [system.Approving].
func (s *Store) Served(ctx context.Context, task string) ([]system.Served, error) {
	list, err := s.Lessons(ctx, false)
	if errors.Is(err, memory.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	task = bareWords(task)
	found, stop := list.SearchFor(memory.Task{Text: task, Without: lesson.StopWords(task)})
	if stop != nil {
		return nil, stop
	}
	var out []system.Served
	for _, f := range found[:min(len(found), memory.MostServed)] {
		m := lessonfile.MemoryOf(list.At(f.Index))
		out = append(out, system.Served{ID: list.At(f.Index).ID, Score: f.Score, Title: m.Task.Str(), Outcome: m.Outcome.Str(), Body: m.Lesson.Str()})
	}
	return out, nil
}

// bareWords strips the quotes, brackets and stops around the words of a task. The engine splits at white
// space only, and no lesson holds the word "deploy with a leading quote.
func bareWords(task string) string {
	const opening, closing = "\"'`([{<“‘«„", "\"'`)]}>”’»“.,;:!?"
	words := strings.Fields(task)
	for i, w := range words {
		words[i] = strings.TrimLeft(strings.TrimRight(w, closing), opening)
	}
	return strings.Join(words, " ")
}

// Recall implements [system.Recaller]. Words that say nothing about a task do not score.
func (s *Store) Recall(ctx context.Context, t memory.Task) (memory.Recall, error) {
	asked := t
	t.Text = bareWords(t.Text)
	t.Without = append(slices.Clone(t.Without), lesson.StopWords(t.Text)...)
	r, err := s.Store.Recall(ctx, t)
	r.Task, r.Approving = asked, true
	if err != nil {
		return r, err
	}
	all, err := s.Lessons(ctx, true)
	if err != nil {
		return r, ctx.Err() // the recall carries the problem
	}
	for _, h := range lesson.Explain(all, t).Hits {
		if h.Rank <= memory.MostServed && !s.approved(&memory.Record{Title: h.Title, Outcome: h.Outcome, Body: h.Body}) {
			h.Recalled = false
			r.HeldBack = append(r.HeldBack, h)
		}
	}
	if n := len(r.HeldBack); n > 0 {
		r.Notes = append(r.Notes, memory.Counted(n, "lesson")+" held back because nobody approved them on this machine; to see them: winnow recall --approved-only")
	}
	return r, nil
}

// recall returns what an agent that holds the list is given for a task, if this is the only store
// and the session was given nothing yet.
func recall(list *lesson.List, t memory.Task) memory.Recall {
	if jstext.FromUnits(jstext.Units(t.Text)) != t.Text { // not valid UTF-8
		t.Text = jstext.Decode([]byte(t.Text))
	}
	r := lesson.Explain(list, t)
	r.Limit = memory.MostServed
	var memories []prompt.Memory
	for _, h := range r.Hits[:min(len(r.Hits), memory.MostServed)] {
		memories = append(memories, lessonfile.MemoryOf(list.Lookup(h.ID)))
	}
	text, parts, n := prompt.Served(memories, memory.MostServedBytes)
	for i := range r.Hits {
		h := &r.Hits[i]
		h.Recalled = i < n
		h.LostTie = n > 0 && i >= n && h.Score == r.Hits[n-1].Score
	}
	if n > 0 {
		r.Block = memory.Block{Where: "context that the hook adds", Name: lessonfile.BlockName, Text: text, Marks: prompt.Marks(text, parts)}
		r.Block.TokensLow, r.Block.TokensHigh = annotate.Tokens(text)
	}
	return r
}

// evictions implements [system.Info.Companions]: an addition also removes the approved lessons that
// the engine evicts to make room, and those that it prunes for their age.
func (s *Store) evictions(records []memory.Record, changes []memory.Change) (more []memory.Change, notes []string) {
	over := -lesson.Cap
	for i := range changes {
		if changes[i].Do == memory.Adding {
			over++
		}
	}
	if over == -lesson.Cap {
		return nil, nil
	}
	for i := range records {
		deleted := slices.ContainsFunc(changes, func(c memory.Change) bool { return c.Do == memory.Deleting && c.ID == records[i].ID })
		if records[i].Forecast.Rank > 0 && !deleted {
			over++
		}
	}
	for i := range records {
		r, why := &records[i], ""
		switch {
		case r.Flags&memory.FlagPruned != 0:
			why = fmt.Sprintf("never recalled, and older than %d days", lesson.PruneDays)
		case r.Forecast.Rank > 0 && r.Forecast.Rank <= over:
			why = fmt.Sprintf("the store keeps %d, and this one was recalled least", lesson.Cap)
		default:
			continue
		}
		more = append(more, memory.Change{Do: memory.Deleting, ID: r.ID, Record: *r, Before: r.Raw, Line: r.Line, Companion: true, Why: why})
	}
	if len(more) > 0 {
		notes = append(notes, memory.Counted(len(more), "lesson")+" must leave for the new one.")
	}
	return more, notes
}

// CanWrite implements [system.Writer]. It refuses to write through a symbolic link that came with a
// project.
func (s *Store) CanWrite() error {
	if isProject(s.path) {
		for _, path := range []string{filepath.Dir(s.path), s.path} {
			if info, err := os.Lstat(path); err == nil && info.Mode()&os.ModeSymlink != 0 {
				return &memory.Problem{
					Code: "is-link", What: "The project's lesson store is behind a symbolic link: " + filepath.Base(path) + ". Winnow does not write through it.",
					Hint: "see where it leads; remove the link if nobody here made it",
				}
			}
		}
	}
	if _, err := os.Lstat(filepath.Dir(s.path)); s.fresh && errors.Is(err, fs.ErrNotExist) {
		return atomicfile.CanReplace(atomicfile.OS(), s.path)
	}
	return s.Store.CanWrite()
}

// Write implements [system.Writer].
func (s *Store) Write(ctx context.Context, w system.Write) (system.Written, error) {
	err := s.CanWrite()
	adds := slices.ContainsFunc(w.Changes, func(c memory.Change) bool { return c.Do == memory.Adding })
	if err == nil && adds && !exists(s.path) {
		err = s.prepare(ctx)
	}
	if err != nil {
		return system.Written{}, err
	}
	return s.Store.Write(ctx, w)
}

// prepare creates the folder of a new store. It keeps a project's folder out of git unless the
// person wants it there.
func (s *Store) prepare(ctx context.Context) error {
	dir := filepath.Dir(s.path)
	if s.fresh {
		if err := atomicfile.MakeFolder(atomicfile.OS(), dir); err != nil {
			return err
		}
	}
	path := filepath.Join(dir, ".gitignore")
	if !isProject(s.path) || s.wanted() || exists(path) {
		return nil
	}
	temp, err := atomicfile.NewTemp(nil)
	if err != nil {
		return err
	}
	_, err = atomicfile.Replace(ctx, atomicfile.OS(), path, atomicfile.Update{
		Temp: temp, Mode: 0o600, Real: true,
		Next: func(now []byte) ([]byte, error) {
			if now != nil {
				return nil, atomicfile.ErrUnchanged
			}
			return []byte("*\n"), nil
		},
		Adopt: func(mine, _, _ []byte) ([]byte, error) { return mine, nil },
	})
	return err
}

func exists(path string) bool { _, err := os.Lstat(path); return err == nil }
