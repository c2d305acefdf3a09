package curate_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"winnow/core/atomicfile"
	"winnow/core/curate"
	"winnow/core/lesson"
	"winnow/core/lessonfile"
	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/karnevil9"
)

var start = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// clock advances by a second each time it is read.
func clock() func() time.Time {
	var n atomic.Int64
	return func() time.Time { return start.Add(time.Duration(n.Add(1)) * time.Second) }
}

// plainStore has what a curator needs of a store and nothing else: no snapshots.
type plainStore struct {
	system.Store
	system.Composer
	system.Writer
}

// diskStore is a store on a disk, which tests may simulate. Its records are read there too.
type diskStore struct {
	*karnevil9.Store
	disk atomicfile.Disk
	path string
}

func storeOn(d atomicfile.Disk, path string) diskStore {
	now := func() time.Time { return start }
	info := func(path string) system.Info { return karnevil9.Open(path, now).Info() }
	k := lessonfile.Kind{Info: info, Place: func(path string) memory.Place { return info(path).Place }, Disk: d}
	return diskStore{lessonfile.Open(k, path, now), d, path}
}

func (s diskStore) List(ctx context.Context, fn func(memory.Record) error) error {
	if s.disk == atomicfile.OS() {
		return s.Store.List(ctx, fn)
	}
	state, err := atomicfile.Look(s.disk, s.path)
	if err != nil || !state.There {
		return fmt.Errorf("list %s: %w", s.path, errors.Join(memory.ErrNotFound, err))
	}
	var names lesson.Namer
	no := 0
	for form := range strings.Lines(string(state.Data)) {
		if no++; strings.TrimSpace(form) == "" {
			continue
		}
		r := lesson.Record(strings.TrimSuffix(form, "\n"), no)
		names.Give(&r)
		if err := fn(r); err != nil {
			return err
		}
	}
	return nil
}

// bench is a store with its curator.
type bench struct {
	t     testing.TB
	path  string
	state string
	store diskStore
	*curate.Curator
	conf curate.Config
}

func newBench(t testing.TB, lines ...string) *bench {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "memory.jsonl")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "")), 0o600); err != nil {
		t.Fatal(err)
	}
	return benchOn(t, atomicfile.OS(), path, filepath.Join(dir, "state"))
}

func benchOn(t testing.TB, d atomicfile.Disk, path, state string) *bench {
	t.Helper()
	s := storeOn(d, path)
	b := &bench{t: t, path: path, state: state, store: s}
	b.conf = curate.Config{
		Dir: curate.Folder(state, memory.StoreID(path)), Store: memory.StoreID(path),
		System: plainStore{s, s, s}, Disk: d, Now: clock(), Rand: rand.NewChaCha8([32]byte{1}),
	}
	b.Curator = curate.Open(b.conf)
	return b
}

// line returns a lesson as an agent writes it, with its line end.
func line(id string, count int) string {
	return fmt.Sprintf(
		`{"lesson_id":%q,"task_summary":"task of %s","outcome":"succeeded","lesson":"what %s taught","tool_names":["read"],"created_at":"2026-11-20T10:00:00.000Z","session_id":"s1","relevance_count":%d}`+"\n",
		id,
		id,
		id,
		count,
	)
}

func (b *bench) text() string {
	b.t.Helper()
	text, err := os.ReadFile(b.path)
	if err != nil {
		b.t.Fatal(err)
	}
	return string(text)
}

// agent replaces the store like an agent.
func (b *bench) agent(text string) {
	b.t.Helper()
	if err := os.WriteFile(b.path+".tmp", []byte(text), 0o644); err != nil {
		b.t.Fatal(err)
	}
	if err := os.Rename(b.path+".tmp", b.path); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) records() []memory.Record {
	b.t.Helper()
	var all []memory.Record
	if err := b.store.List(context.Background(), func(r memory.Record) error { all = append(all, r); return nil }); err != nil {
		b.t.Fatal(err)
	}
	return all
}

// order plans and applies.
func (b *bench) order(o memory.Order) memory.Result {
	b.t.Helper()
	p, err := b.Plan(context.Background(), o)
	if err != nil {
		b.t.Fatalf("plan %s: %v", o.Do, err)
	}
	r, err := b.Apply(context.Background(), p)
	if err != nil {
		b.t.Fatalf("apply %s: %v (%+v)", o.Do, err, r)
	}
	return r
}

func (b *bench) do(do memory.Act, ids ...memory.ID) memory.Result {
	b.t.Helper()
	return b.order(memory.Order{Do: do, IDs: ids})
}

func (b *bench) title(id memory.ID, title string) memory.Result {
	b.t.Helper()
	return b.order(memory.Order{Do: memory.EditOne, IDs: []memory.ID{id}, Edit: memory.Edit{Title: &title}})
}

func (b *bench) wants(what, text string) {
	b.t.Helper()
	if got := b.text(); got != text {
		b.t.Fatalf("%s: the store holds\n%s\nwant\n%s", what, got, text)
	}
}

func (b *bench) history() memory.History {
	b.t.Helper()
	h, err := b.History(context.Background())
	if err != nil {
		b.t.Fatal(err)
	}
	return h
}

// guard returns what is undone, as "id kind times".
func (b *bench) guard() string {
	b.t.Helper()
	undone, err := b.Guard(context.Background(), b.records())
	if err != nil {
		b.t.Fatal(err)
	}
	var all []string
	for _, u := range undone {
		s := fmt.Sprintf("%s %s %d", u.ID, u.Kind, u.Times)
		if u.Always {
			s += " always"
		}
		all = append(all, s)
	}
	return strings.Join(all, ", ")
}

func (b *bench) guards(what, want string) {
	b.t.Helper()
	if got := b.guard(); got != want {
		b.t.Fatalf("%s: the guard says %q, want %q", what, got, want)
	}
}
