// Package winnow holds the lesson stores that Winnow keeps itself, for agents without a lesson
// engine: one per project and one for the person. They use the engine's format, limits and counts.
// Winnow's own hook gives an agent only the lessons that a person approved on this machine.
package winnow

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
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

// id is the name of the system.
const id memory.SystemID = "winnow"

const name = "Winnow"

// System returns the system of Winnow's own stores. now returns the time, in the agent's time zone,
// at which an agent is given lessons.
func System(now func() time.Time) system.System {
	return system.System{
		ID: id, Name: name,
		Variables: []memory.Fact{
			{
				Name: system.Lessons.Variable(),
				Text: "the folder in which Winnow keeps the person's own lessons, in winnow",
			},
		},
		Find: find, Serves: serves, StoresIn: storesIn, Reads: reads,
		Open:  func(path string) (system.Store, error) { return Open(path, now), nil },
		Forms: Forms(),
		Abilities: []system.Ability{{
			Store: "lessons", Recall: system.Exact, Edit: "all", Delete: "all", Watch: true, Share: true,
			Note: "Winnow's hook gives agents only the lessons that a person approved on this machine.",
		}},
	}
}

// Store is one file of lessons.
type Store struct {
	*lessonfile.Store
	path     string
	disk     atomicfile.Disk
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
	s := &Store{
		path:   path,
		disk:   atomicfile.OS(),
		fresh:  errors.Is(err, fs.ErrNotExist),
		wanted: func() bool { return false },
	}
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
			return system.Info{System: id, Name: name, Described: described(), Companions: s.evictions}
		},
		Place: func(path string) memory.Place { return placeOf(path, "") },
		Words: map[string]memory.Problem{
			quietread.CodeMissing: {
				What: "There are no lessons here yet: the file does not exist.",
				Hint: "it appears when you approve a lesson: winnow inbox",
			},
			lessonfile.CodeEmpty: {
				What: "There are no lessons here yet: the file is empty.",
				Hint: "lessons appear when you approve them: winnow inbox",
			},
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
		ByLine: true, Evicts: true, When: true,
		Draft: memory.Draft{
			TextOnly: true, Without: true,
			Note: "An outcome is cut at 20 characters, a task at 200 and a lesson at 500.",
		},
	}
}

// Served implements [system.Approving].
func (s *Store) Served(ctx context.Context, task string, approved func(*memory.Record) bool) ([]system.Served, error) {
	list, err := s.Approved(ctx, approved)
	if errors.Is(err, memory.ErrNotFound) {
		return nil, nil
	}
	if list == nil {
		return nil, err
	}
	if stop := list.Problem(); stop != nil {
		return nil, stop
	}
	var out []system.Served
	hits, at := findLessons(list, memory.Task{Text: task})
	for _, f := range hits[:min(len(hits), memory.MostServed)] {
		out = append(out, served(list.At(at[f.index]), scoreOf(f.points)))
	}
	return out, err
}

// scoreOf returns points as a whole number that keeps their order.
func scoreOf(points float64) int { return int(math.Round(points * 100)) }

// findLessons returns what a task finds among the lessons that are told with one. at holds the index in the list of
// each lesson that was searched.
func findLessons(list *lesson.List, t memory.Task) (hits []found, at []int) {
	var documents []document
	for i := range list.Len() {
		if l := list.At(i); momentOf(l) == "" && l.Stops() == nil {
			title, _ := l.Title()
			body, _ := l.Body()
			documents, at = append(documents, document{title, body}), append(at, i)
		}
	}
	return search(documents, t.Text, t.Without), at
}

// Told implements [system.Approving].
func (s *Store) Told(ctx context.Context, approved func(*memory.Record) bool) (out []system.Served, err error) {
	list, err := s.Approved(ctx, approved)
	if errors.Is(err, memory.ErrNotFound) {
		return nil, nil
	}
	if list == nil || list.Problem() != nil {
		return nil, err
	}
	for i := range list.Len() {
		if l := list.At(i); momentOf(l) != "" && l.Stops() == nil {
			out = append(out, served(l, 0))
		}
	}
	return out, err
}

// momentOf returns when a lesson is told, or "" for a task.
func momentOf(l *lesson.Lesson) string {
	v, there := l.Value.Field(lesson.KeyWhen)
	switch {
	case !there:
		return ""
	case v.Kind() != jstext.String:
		return string(v.AppendJSON(nil)) // as in its record
	}
	return memory.SameWhen(v.Str())
}

// served returns a lesson as it is given to an agent.
func served(l *lesson.Lesson, score int) system.Served {
	m := lessonfile.MemoryOf(l)
	return system.Served{
		ID: l.ID, Score: score, Title: m.Task.Str(), Outcome: m.Outcome.Str(), Body: m.Lesson.Str(), When: momentOf(l),
	}
}

// Recall implements [system.Recaller].
func (s *Store) Recall(ctx context.Context, t memory.Task) (memory.Recall, error) {
	r, err := s.Store.Recall(ctx, t)
	r.Approving = true
	if err != nil {
		return r, err
	}
	all, err := s.Lessons(ctx)
	if err != nil {
		return r, ctx.Err() // the recall carries the problem
	}
	for _, h := range explain(all, t).Hits {
		if h.Rank <= memory.MostServed &&
			!s.approved(&memory.Record{Title: h.Title, Outcome: h.Outcome, Body: h.Body, When: h.When}) {
			h.Recalled = false
			r.HeldBack = append(r.HeldBack, h)
		}
	}
	if n := len(r.HeldBack); n > 0 {
		r.Notes = append(
			r.Notes,
			memory.Counted(
				n,
				"lesson",
			)+" held back because nobody approved them on this machine; to see them: winnow recall --approved-only",
		)
	}
	return r, nil
}

// recall returns what an agent that holds the list is given for a task, if this is the only store
// and the session was given nothing yet.
func recall(list *lesson.List, t memory.Task) memory.Recall {
	r := explain(list, t)
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
		r.Block = memory.Block{
			Where: "context that the hook adds",
			Name:  lessonfile.BlockName,
			Text:  text,
			Marks: prompt.Marks(text, parts),
		}
		r.Block.TokensLow, r.Block.TokensHigh = annotate.Tokens(text)
	}
	return r
}

// hitsShown is the number of hits that a recall lists.
const hitsShown = 55

// explain returns what a task finds in a list and why, without the text that is given.
func explain(list *lesson.List, t memory.Task) memory.Recall {
	r := memory.Recall{
		Task: t, Words: wordsOf(t), Units: jstext.Len(t.Text), UnitCap: mostAsked, WordCap: lesson.WordCap,
		Ignored: "they stand in any task", Limit: memory.MostServed, Stop: list.Problem(),
	}
	for _, w := range r.Words {
		if w.State == memory.WordUsed {
			r.Used++
		}
	}
	if r.Stop != nil {
		return r
	}
	hits, at := findLessons(list, t)
	r.Found, r.Searched = len(hits), len(at)
	for i, f := range hits[:min(len(hits), hitsShown)] {
		r.Hits = append(r.Hits, hitOf(list.Record(at[f.index]), f, i+1))
	}
	if others := list.Len() - len(at); others > 0 {
		r.Notes = append(r.Notes, memory.Counted(others, "lesson")+" told at another moment than with a task.")
	}
	switch {
	case len(hits) > 0:
	case list.Len() == 0:
		r.Empty = "the store holds no lessons"
	case r.Used == 0:
		r.Empty = "no word of the task says anything about it"
	default:
		r.Empty = "no lesson has enough of the words of the task"
	}
	return r
}

// hitOf returns a lesson that was found.
func hitOf(rec memory.Record, f found, rank int) memory.Hit {
	h := memory.Hit{
		ID: rec.ID, Line: rec.Line, Rank: rank, Score: scoreOf(f.points), Points: f.points,
		Count: rec.Count, Outcome: rec.Outcome, Title: rec.Title, Body: rec.Body, When: rec.When,
		Flags: rec.Flags, Secrets: rec.Secrets,
	}
	for _, w := range f.words {
		h.Matches = append(h.Matches, memory.Match{Word: w, Kind: memory.WholeWord, Times: 1})
	}
	return h
}

// wordsOf returns the words of a task, each with what becomes of it.
func wordsOf(t memory.Task) (list []memory.Word) {
	used := usedWords(t.Text, t.Without)
	for _, w := range askedWords(t.Text) {
		word := memory.Word{Text: w}
		switch {
		case slices.Contains(used, w):
		case slices.Contains(t.Without, w):
			word.State = memory.WordLeftOut
		case saysNothing(w):
			word.State = memory.WordShort
		default:
			word.State = memory.WordPast50
		}
		list = append(list, word)
	}
	return list
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
		deleted := slices.ContainsFunc(
			changes,
			func(c memory.Change) bool { return c.Do == memory.Deleting && c.ID == records[i].ID },
		)
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
		more = append(
			more,
			memory.Change{
				Do:        memory.Deleting,
				ID:        r.ID,
				Record:    *r,
				Before:    r.Raw,
				Line:      r.Line,
				Companion: true,
				Why:       why,
			},
		)
	}
	if len(more) > 0 {
		notes = append(notes, memory.Counted(len(more), "lesson")+" must leave for the new one.")
	}
	return more, notes
}

// CanWrite implements [system.Writer].
func (s *Store) CanWrite() error {
	if _, err := os.Lstat(filepath.Dir(s.path)); s.fresh && errors.Is(err, fs.ErrNotExist) {
		return atomicfile.CanReplace(s.disk, s.path)
	}
	return s.Store.CanWrite()
}

// Confine implements [system.Confined].
func (s *Store) Confine(may func(path string) error) {
	s.disk = atomicfile.Confined(s.disk, may)
	s.Store.Confine(may)
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
		if err := atomicfile.MakeFolder(s.disk, dir); err != nil {
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
	_, err = atomicfile.Replace(ctx, s.disk, path, atomicfile.Update{
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
