package library

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/all"
)

const patient = 10 * time.Second

func lesson(id string) string {
	return fmt.Sprintf(
		`{"lesson_id":%q,"task_summary":"Repair the build","outcome":"succeeded","lesson":"Completed using x. 1 step(s) succeeded.","tool_names":["x"],"created_at":%q,"session_id":"s","relevance_count":0}`,
		id,
		time.Now().UTC().Format("2006-01-02T15:04:05.000Z"),
	) + "\n"
}

func start(f func()) { go f() }

// workingFolder is a working folder with a library that looks there.
func workingFolder(t *testing.T) (dir string, l *Library) {
	t.Helper()
	dir = t.TempDir()
	env := system.Env{Home: filepath.Dir(dir), Dir: dir, Lookup: func(string) (string, bool) { return "", false }}
	return dir, New(all.Systems(time.Now), env, time.Now, start, State{Rand: rand.Reader})
}

// put replaces a file as an agent does.
func put(t *testing.T, path string, lessons ...string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path+".tmp", []byte(strings.Join(lessons, "")), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".tmp", path); err != nil {
		t.Fatal(err)
	}
}

// until waits for a snapshot for which ok is true.
func until(t *testing.T, ch <-chan memory.Snapshot, what string, ok func(memory.Snapshot) bool) memory.Snapshot {
	t.Helper()
	late := time.After(patient)
	var last memory.Snapshot
	for {
		select {
		case snap, open := <-ch:
			if !open {
				t.Fatalf("the channel was closed before %s", what)
			}
			if snap.Seq <= last.Seq {
				t.Errorf("snapshot %d came after %d", snap.Seq, last.Seq)
			}
			if last = snap; ok(snap) {
				return snap
			}
		case <-late:
			t.Fatalf("no snapshot with %s; the last: %d records, problem %v", what, len(last.Records), last.Problem)
		}
	}
}

func ids(snap memory.Snapshot) string {
	var names []string
	for _, r := range snap.Records {
		name := string(r.ID)
		if r.Flags&memory.FlagNew != 0 {
			name += "+"
		}
		names = append(names, name)
	}
	return strings.Join(names, " ")
}

func has(want string) func(memory.Snapshot) bool {
	return func(s memory.Snapshot) bool { return ids(s) == want }
}

func TestFollowShowsEveryLastState(t *testing.T) {
	dir, l := workingFolder(t)
	path := filepath.Join(dir, "sessions", "memory.jsonl")
	put(t, path, lesson("a"), lesson("b"))
	ch := l.Follow(t.Context(), memory.StoreID(path))
	snap := until(t, ch, "two records", has("a b"))
	if snap.Watch == memory.WatchOff || snap.Place.Path != filepath.Join("sessions", "memory.jsonl") {
		t.Errorf("watch %v, place %+v", snap.Watch, snap.Place)
	}
	put(t, path, lesson("a"), lesson("b"), lesson("c"))
	until(t, ch, "a record that arrived", has("a b c+"))
	put(t, path, lesson("c"), lesson("a"))
	until(t, ch, "the arrived record in another place", has("c+ a"))
}

func TestFollowedStoreMayVanishAndReturn(t *testing.T) {
	dir, l := workingFolder(t)
	path := filepath.Join(dir, "sessions", "memory.jsonl")
	missing := func(s memory.Snapshot) bool { return s.Problem != nil && s.Problem.Code == "missing" }
	ch := l.Follow(t.Context(), memory.StoreID(path))
	until(t, ch, "no file yet", missing)
	put(t, path, lesson("a"))
	until(t, ch, "the first lesson, new", has("a+"))
	if err := os.RemoveAll(filepath.Dir(path)); err != nil {
		t.Fatal(err)
	}
	until(t, ch, "no file again", missing)
	put(t, path, lesson("a"), lesson("b"))
	until(t, ch, "both", has("a+ b+"))
}

func TestBusyReaderFindsTheNewestSnapshot(t *testing.T) {
	dir, l := workingFolder(t)
	path := filepath.Join(dir, "memory.jsonl")
	put(t, path, lesson("a"))
	ch := l.Follow(t.Context(), memory.StoreID(path))
	until(t, ch, "one record", has("a"))
	other := l.Follow(t.Context(), memory.StoreID(path)) // tells when the last state was read
	for i := range 50 {
		put(t, path, lesson(fmt.Sprint(i)))
	}
	put(t, path, lesson("last"))
	last := func(s memory.Snapshot) bool { return len(s.Records) == 1 && s.Records[0].ID == "last" }
	until(t, other, "the last state", last)
	until(t, ch, "the last state", last)
}

func TestFollowEndsWithItsContext(t *testing.T) {
	before := runtime.NumGoroutine()
	dir, l := workingFolder(t)
	ctx, cancel := context.WithCancel(t.Context())
	var chans []<-chan memory.Snapshot
	for _, name := range []string{"a", "b", "c", "d"} {
		path := filepath.Join(dir, name)
		put(t, path, lesson(name))
		chans = append(chans, l.Follow(ctx, memory.StoreID(path)))
	}
	until(t, chans[0], "a record", has("a"))
	cancel()
	for _, ch := range chans {
		for range ch { // until it is closed
		}
	}
	for end := time.Now().Add(patient); runtime.NumGoroutine() > before; runtime.Gosched() {
		if time.Now().After(end) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
	}
	if len(l.follows) != 0 {
		t.Errorf("%d follows are still known", len(l.follows))
	}
}

func TestGitStateFollowsLater(t *testing.T) {
	dir, l := workingFolder(t)
	path := filepath.Join(dir, "memory.jsonl")
	put(t, path, lesson("a"))
	want, err := l.Load(t.Context(), memory.StoreID(path))
	if err != nil {
		t.Fatal(err)
	}
	if want.Git == memory.GitUnknown {
		t.Skip("git does not answer here")
	}
	_, other := workingFolder(t)
	until(
		t,
		other.Follow(t.Context(), memory.StoreID(path)),
		"the git state",
		func(s memory.Snapshot) bool { return s.Git == want.Git },
	)
}

func TestLoadAndSummaryAgree(t *testing.T) {
	dir, l := workingFolder(t)
	path := filepath.Join(dir, "memory.jsonl")
	put(t, path, lesson("a"), lesson("a"), "null\n")
	snap, err := l.Load(t.Context(), memory.StoreID(path))
	if err != nil {
		t.Fatal(err)
	}
	sum, err := l.Summary(t.Context(), memory.StoreID(path))
	if err != nil {
		t.Fatal(err)
	}
	if ids(snap) != "a a~2 line 3" || sum.Records != nil || sum.Total != 3 ||
		fmt.Sprint(sum.Health) != fmt.Sprint(snap.Health) {
		t.Errorf("records %q; summary of %d with health %v, want %v", ids(snap), sum.Total, sum.Health, snap.Health)
	}
}

func TestLoadEndsWithItsContext(t *testing.T) {
	dir, l := workingFolder(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.Load(ctx, memory.StoreID(filepath.Join(dir, "x"))); !errors.Is(err, context.Canceled) {
		t.Errorf("Load = %v, want %v", err, context.Canceled)
	}
}

func TestStoresAreFoundAndShownShort(t *testing.T) {
	dir, l := workingFolder(t)
	put(t, filepath.Join(dir, "sessions", "memory.jsonl"), lesson("a"))
	put(t, filepath.Join(dir, "sub", "x", "memory.jsonl"), lesson("a"))
	beside := filepath.Join(filepath.Dir(dir), "beside.jsonl")
	put(t, beside, lesson("a"))
	paths := func(s memory.Survey) string {
		var all []string
		for _, p := range s.Places {
			all = append(all, filepath.ToSlash(p.Path))
		}
		return strings.Join(all, " ")
	}
	if got := paths(l.Find(t.Context())); got != "sessions/memory.jsonl" {
		t.Errorf("Find = %q", got)
	}
	got := paths(l.FindIn(t.Context(), []string{".", "sub", "gone.jsonl", beside, "sub/x/memory.jsonl"}))
	if want := "sessions/memory.jsonl sub/x/memory.jsonl gone.jsonl ~/beside.jsonl"; got != want {
		t.Errorf("FindIn = %q, want %q", got, want)
	}
	s := l.FindIn(t.Context(), []string{"gone.jsonl"})
	if p := s.Places[0]; p.Exists || s.Looked[0].Note == "" {
		t.Errorf("a path that is not there: %+v, %+v", p, s.Looked)
	}
}

func TestRecallOfAnUnknownSystemIsNotFound(t *testing.T) {
	l := New(nil, system.Env{}, time.Now, start, State{})
	if _, err := l.Recall(t.Context(), "/x", memory.Task{}); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("Recall = %v, want %v", err, memory.ErrNotFound)
	}
	snap := until(
		t,
		l.Follow(t.Context(), "/x"),
		"the problem",
		func(s memory.Snapshot) bool { return s.Problem != nil },
	)
	if snap.Place.Store != "/x" {
		t.Errorf("place = %+v", snap.Place)
	}
}

// broken is a system that panics when its store is read.
type broken struct{}

func (broken) Info() system.Info { return system.Info{} }

func (broken) List(context.Context, func(memory.Record) error) error { panic("boom") }

func TestPanicOfAReadIsHandedOver(t *testing.T) {
	panics := make(chan any, 1)
	catch := func(f func()) {
		go func() {
			defer func() {
				if r := recover(); r != nil {
					panics <- r
				}
			}()
			f()
		}()
	}
	kind := system.System{Open: func(string) (system.Store, error) { return broken{}, nil }}
	ctx, cancel := context.WithCancel(t.Context())
	ch := New([]system.System{kind}, system.Env{}, time.Now, catch, State{}).Follow(ctx, "x")
	if r := <-panics; r != "boom" {
		t.Errorf("the panic is %v, want boom", r)
	}
	cancel()
	if snap, ok := <-ch; ok {
		t.Errorf("a snapshot came: %+v", snap)
	}
}
