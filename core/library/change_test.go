package library

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/all"
)

// bench is a store of three lessons, and a library that keeps its state apart.
func bench(t *testing.T) (path string, l *Library) {
	t.Helper()
	dir, l := workingFolder(t)
	l.state.Rand = rand.Reader
	l = l.keepIn(filepath.Join(t.TempDir(), "winnow"))
	path = filepath.Join(dir, "memory.jsonl")
	put(t, path, three...)
	return path, l
}

// three are lessons that another writer brings back as they were.
var three = []string{lesson("a1"), lesson("b2"), lesson("c3")}

// change applies an order.
func change(t *testing.T, l *Library, path string, o memory.Order) memory.Result {
	t.Helper()
	p, err := l.Plan(t.Context(), memory.StoreID(path), o)
	if err != nil {
		t.Fatal(err)
	}
	r, err := l.Apply(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestFollowTellsWhatAnotherWriterUndid(t *testing.T) {
	path, l := bench(t)
	ch := l.Follow(t.Context(), memory.StoreID(path))
	until(t, ch, "three lessons", func(s memory.Snapshot) bool { return len(s.Records) == 3 })
	change(t, l, path, memory.Order{Do: memory.Delete, IDs: []memory.ID{"b2"}})
	until(t, ch, "the deletion", func(s memory.Snapshot) bool { return len(s.Records) == 2 && len(s.Undone) == 0 })
	put(t, path, append(slices.Clone(three), lesson("d4"))...)
	snap := until(t, ch, "what was undone", func(s memory.Snapshot) bool { return len(s.Undone) > 0 })
	if u := snap.Undone; len(u) != 1 || u[0].ID != "b2" || u[0].Kind != memory.CameBack || u[0].Times != 1 {
		t.Errorf("undone: %+v", u)
	}
}

func TestFollowDoesAgainWhatWasDecidedSo(t *testing.T) {
	path, l := bench(t)
	ch := l.Follow(t.Context(), memory.StoreID(path))
	change(t, l, path, memory.Order{Do: memory.Delete, IDs: []memory.ID{"b2"}})
	until(t, ch, "the deletion", func(s memory.Snapshot) bool { return len(s.Records) == 2 })
	change(t, l, path, memory.Order{Do: memory.Trust, All: true})
	put(t, path, append(slices.Clone(three), lesson("d4"))...)
	until(t, ch, "the deletion again, with the agent's lesson", func(s memory.Snapshot) bool {
		got := " " + strings.ReplaceAll(ids(s), "+", "") + " "
		return strings.Contains(got, " d4 ") && !strings.Contains(got, " b2 ")
	})
	h, err := l.History(t.Context(), memory.StoreID(path))
	if err != nil {
		t.Fatal(err)
	}
	if h.Entries[0].Who != memory.Guard {
		t.Errorf("the newest entry is of %q, want %q: %+v", h.Entries[0].Who, memory.Guard, h.Entries[0])
	}
}

func TestReadOnlyLibraryWritesNothing(t *testing.T) {
	path, l := bench(t)
	quiet := l.ReadOnly()
	p, err := quiet.Plan(t.Context(), memory.StoreID(path), memory.Order{Do: memory.Delete, IDs: []memory.ID{"b2"}})
	if err != nil || len(p.Changes) != 1 {
		t.Fatalf("Plan = %+v, %v; want one change", p, err)
	}
	if _, err := quiet.Apply(t.Context(), p); !errors.Is(err, memory.ErrReadOnly) {
		t.Errorf("Apply = %v, want %v", err, memory.ErrReadOnly)
	}
	if err := quiet.Purge(t.Context(), memory.StoreID(path)); !errors.Is(err, memory.ErrReadOnly) {
		t.Errorf("Purge = %v, want %v", err, memory.ErrReadOnly)
	}
	ch := quiet.Follow(t.Context(), memory.StoreID(path))
	until(
		t,
		ch,
		"the store, and why it is read-only",
		func(s memory.Snapshot) bool { return len(s.Records) == 3 && s.ReadOnly != "" },
	)
	put(t, path, three[0])
	until(t, ch, "the change", func(s memory.Snapshot) bool { return len(s.Records) == 1 })
	if _, err := os.Stat(l.state.Dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the state folder: %v, want none", err)
	}
}

// TestStateIsKeptWhereItIsTold pins that a library with a state folder of its own
// leaves the other alone.
func TestStateIsKeptWhereItIsTold(t *testing.T) {
	path, l := bench(t)
	dir := t.TempDir()
	change(t, l.keepIn(dir), path, memory.Order{Do: memory.Delete, IDs: []memory.ID{"b2"}})
	if _, err := os.Stat(l.state.Dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the state folder: %v, want none", err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "stores", "*", "history")); len(left) != 1 {
		t.Errorf("histories: %q, %v", left, err)
	}
}

func TestPinnedRecordsAreFlagged(t *testing.T) {
	path, l := bench(t)
	change(t, l, path, memory.Order{Do: memory.Pin, IDs: []memory.ID{"c3"}})
	snap, err := l.Load(t.Context(), memory.StoreID(path))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range snap.Records {
		if got, want := r.Flags&memory.FlagPinned != 0, r.ID == "c3"; got != want {
			t.Errorf("%s pinned: %v, want %v", r.ID, got, want)
		}
	}
}

func TestSimilarRecordsAreFlagged(t *testing.T) {
	path, l := bench(t)
	snap, err := l.Load(t.Context(), memory.StoreID(path))
	if err != nil {
		t.Fatal(err)
	}
	if r := snap.Records[0]; r.Flags&memory.FlagSimilar == 0 || len(r.Similar) != 2 {
		t.Errorf("the first of three equal lessons: flags %s, similar to %q", r.Flags.Letters(), r.Similar)
	}
}

// TestOneHistoryByAnyName pins that a link to a store leads to the same history.
func TestOneHistoryByAnyName(t *testing.T) {
	path, l := bench(t)
	link := filepath.Join(t.TempDir(), "link.jsonl")
	if err := os.Symlink(path, link); err != nil {
		t.Skip("no symbolic links here")
	}
	change(t, l, path, memory.Order{Do: memory.Delete, IDs: []memory.ID{"b2"}})
	l.FindIn(t.Context(), []string{link})
	change(t, l, link, memory.Order{Do: memory.Undo})
	snap, err := l.Load(t.Context(), memory.StoreID(path))
	if err != nil || len(snap.Records) != 3 {
		t.Errorf("%d records after the undo, %v; want 3", len(snap.Records), err)
	}
}

func TestStateFollowsTheEnvironment(t *testing.T) {
	env := func(home, state string) system.Env {
		return system.Env{Home: home, Lookup: func(name string) (string, bool) {
			return map[string]string{"XDG_STATE_HOME": state}[name], name == "XDG_STATE_HOME"
		}}
	}
	for _, c := range []struct{ home, state, want string }{
		{"/home/u", "", "/home/u/.local/state/winnow"},
		{"/home/u", "/var/state", "/var/state/winnow"},
		{"/home/u", "relative", "/home/u/.local/state/winnow"},
		{"", "", ""},
	} {
		s, err := StateIn(env(c.home, c.state), nil)
		if got := filepath.ToSlash(s.Dir); got != c.want || err != nil {
			t.Errorf("home %q, state %q: %q, %v, want %q", c.home, c.state, got, err, c.want)
		}
	}
}

func TestHistoryIsKeptAsTheEnvironmentSays(t *testing.T) {
	env := func(days, mb string) system.Env {
		return system.Env{Home: "/home/u", Lookup: func(name string) (string, bool) {
			v := map[string]string{"WINNOW_HISTORY_DAYS": days, "WINNOW_HISTORY_MB": mb}[name]
			return v, v != ""
		}}
	}
	const day = 24 * time.Hour
	for _, c := range []struct {
		days, mb string
		keepFor  time.Duration
		bytes    int64
		wrong    bool
	}{
		{"", "", 90 * day, 50 << 20, false}, {"7", "1", 7 * day, 1 << 20, false}, {"0", "0", 0, 0, false},
		{"x", "1", 90 * day, 1 << 20, true}, {"1", "-1", day, 50 << 20, true}, {"999999", "", 90 * day, 50 << 20, true},
	} {
		s, err := StateIn(env(c.days, c.mb), nil)
		if s.KeepFor != c.keepFor || s.KeepBytes != c.bytes || (err != nil) != c.wrong {
			t.Errorf("%q days, %q MB: %v, %d, %v", c.days, c.mb, s.KeepFor, s.KeepBytes, err)
		}
	}
}

func TestWithoutAStateFolderNothingChanges(t *testing.T) {
	path, l := bench(t)
	l = New(all.Systems(time.Now), l.env, time.Now, start, State{Rand: rand.Reader})
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p, err := l.Plan(t.Context(), memory.StoreID(path), memory.Order{Do: memory.Delete, IDs: []memory.ID{"b2"}})
	if err != nil {
		t.Fatal(err)
	}
	var problem *memory.Problem
	if _, err := l.Apply(t.Context(), p); !errors.As(err, &problem) || problem.Code != "no-history" {
		t.Errorf("Apply = %v, want the problem no-history", err)
	}
	if after, _ := os.ReadFile(path); string(after) != string(before) {
		t.Error("the store was changed")
	}
}

func TestLinkToAMissingStoreHasTheHistoryOfItsTarget(t *testing.T) {
	path, l := bench(t)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	link := path + ".link"
	for name, to := range map[string]string{link: filepath.Base(path) + ".next", path + ".next": path} {
		if err := os.Symlink(to, name); err != nil {
			t.Skip("no links can be made here: ", err)
		}
	}
	text := "learnt"
	change(t, l, link, memory.Order{Do: memory.AddOne, Edit: memory.Edit{Title: &text, Body: &text}})
	h, err := l.History(t.Context(), memory.StoreID(path))
	if err != nil || len(h.Entries) != 1 {
		t.Errorf("the target has %d entries, %v", len(h.Entries), err)
	}
}

func TestLinksInACircleAreTheirOwnStore(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	for name, to := range map[string]string{a: b, b: a} {
		if err := os.Symlink(to, name); err != nil {
			t.Skip("no links can be made here: ", err)
		}
	}
	if got := RealID(memory.StoreID(a)); got != memory.StoreID(a) {
		t.Errorf("it is %s", got)
	}
}

// related is a store of two equal records whose details are asked for.
type related struct {
	compared, early atomic.Bool
}

func (r *related) Info() system.Info { return system.Info{Similar: r.similar, Detail: r.detail} }

func (*related) List(_ context.Context, fn func(memory.Record) error) error {
	return errors.Join(fn(memory.Record{ID: "a", Rev: "1"}), fn(memory.Record{ID: "b", Rev: "1"}))
}

func (r *related) similar([]memory.Record) [][]int {
	r.compared.Store(true)
	return [][]int{{1}, {0}}
}

func (r *related) detail(_ context.Context, snap memory.Snapshot) memory.Snapshot {
	r.early.Store(!r.compared.Load())
	snap.Git = memory.GitTracked
	return snap
}

// TestDetailsAreOfTheWholeSnapshot pins that details which come early do not get lost
// when a later part of the same state is sent.
func TestDetailsAreOfTheWholeSnapshot(t *testing.T) {
	r := &related{}
	kind := system.System{Open: func(string) (system.Store, error) { return r, nil }}
	ch := New([]system.System{kind}, system.Env{}, time.Now, start, State{}).Follow(t.Context(), "x")
	until(t, ch, "details and what is alike", func(s memory.Snapshot) bool {
		return s.Git == memory.GitTracked && len(s.Records) == 2 && s.Records[0].Flags&memory.FlagSimilar != 0
	})
	if r.early.Load() {
		t.Error("the details were asked for before the records were compared")
	}
}

// described is a store whose details may come with a health of their own.
type described struct {
	related
	health []memory.Health
}

func (d *described) Info() system.Info {
	return system.Info{Detail: func(ctx context.Context, snap memory.Snapshot) memory.Snapshot {
		if d.health != nil {
			snap.Health = d.health
		}
		return d.detail(ctx, snap)
	}}
}

// TestHistoryThatCannotBeKeptIsSaidOnceWithTheDetails pins that the details neither lose
// nor repeat what the library itself says of a store.
func TestHistoryThatCannotBeKeptIsSaidOnceWithTheDetails(t *testing.T) {
	for _, own := range [][]memory.Health{nil, {{Code: "own"}}} {
		state := t.TempDir()
		if err := os.WriteFile(filepath.Join(state, "stores"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		d := &described{health: own}
		kind := system.System{Open: func(string) (system.Store, error) { return d, nil }}
		ch := New([]system.System{kind}, system.Env{}, time.Now, start, State{Dir: state}).Follow(t.Context(), "x")
		snap := until(t, ch, "details", func(s memory.Snapshot) bool { return s.Git == memory.GitTracked })
		n := 0
		for _, h := range snap.Health {
			if h.Code == codeHistory {
				n++
			}
		}
		if n != 1 || len(snap.Health) != 1+len(own) {
			t.Errorf("with %d of its own: %+v", len(own), snap.Health)
		}
	}
}

// TestFileThatIsThereIsNotOverwrittenUnasked pins what a report or a copy is written
// over.
func TestFileThatIsThereIsNotOverwrittenUnasked(t *testing.T) {
	path, l := bench(t)
	dir := filepath.Dir(path)
	out := filepath.Join(dir, "report.md")
	write := func(text string, replace bool) error {
		return l.WriteFile(t.Context(), out, []byte(text), replace, 0o644)
	}
	if err := write("one", false); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(out); err != nil || info.Mode() != 0o644 {
		t.Errorf("a new file has mode %v (%v), want 0644", info.Mode(), err)
	}
	if err := write("two", false); !errors.Is(err, fs.ErrExist) {
		t.Errorf("writing over a file gives %v, want %v", err, fs.ErrExist)
	}
	if err := write("three", true); err != nil {
		t.Error(err)
	}
	if got, _ := os.ReadFile(out); string(got) != "three" {
		t.Errorf("the file holds %q, want what it was replaced by", got)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(out, link); err != nil {
		t.Fatal(err)
	}
	if err := l.WriteFile(t.Context(), link, []byte("four"), true, 0o644); err == nil {
		t.Error("a file was written through a link")
	}
	if err := l.WriteFile(t.Context(), filepath.Join(dir, "one", "report.md"), nil, false, 0o644); err != nil {
		t.Error(err)
	}
	if err := l.WriteFile(t.Context(), filepath.Join(dir, "no", "such", "report.md"), nil, false, 0o644); err == nil {
		t.Error("two folders were made for a report")
	}
	if err := l.ReadOnly().WriteFile(t.Context(), filepath.Join(dir, "x"), nil, false, 0o644); !errors.Is(
		err,
		memory.ErrReadOnly,
	) {
		t.Errorf("a library that changes nothing gives %v, want %v", err, memory.ErrReadOnly)
	}
	if names, _ := filepath.Glob(filepath.Join(dir, ".winnow-*")); len(names) > 0 {
		t.Errorf("%v are left", names)
	}
}

// TestOnlyTheFileThatWasSeenIsRemoved pins that a hook which somebody changed stays.
func TestOnlyTheFileThatWasSeenIsRemoved(t *testing.T) {
	path, l := bench(t)
	file := filepath.Join(filepath.Dir(path), "hook")
	if err := os.WriteFile(file, []byte("two"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := l.RemoveFile(t.Context(), file, []byte("one")); !errors.Is(err, memory.ErrConflict) {
		t.Errorf("removing a file that changed gives %v, want %v", err, memory.ErrConflict)
	}
	if err := l.ReadOnly().RemoveFile(t.Context(), file, []byte("two")); !errors.Is(err, memory.ErrReadOnly) {
		t.Errorf("a library that changes nothing gives %v, want %v", err, memory.ErrReadOnly)
	}
	if err := l.RemoveFile(t.Context(), file, []byte("two")); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file is still there (%v)", err)
	}
}
