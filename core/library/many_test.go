package library

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/karnevil9"
)

// notes is a system whose stores are folders that hold a file "notes"; each line of it
// is a record. Several systems of this kind can share a folder.
type notes struct {
	id   memory.SystemID
	path string
}

func (n notes) Info() system.Info {
	place := memory.Place{Store: memory.At(n.id, n.path), System: n.id, Path: n.path, Project: n.path}
	return system.Info{System: n.id, Name: string(n.id), Place: place, Noun: memory.Noun{One: "note", Many: "notes"}}
}

func (n notes) List(ctx context.Context, fn func(memory.Record) error) error {
	text, err := os.ReadFile(filepath.Join(n.path, "notes"))
	if err != nil {
		return err
	}
	for i, line := range strings.Fields(string(text)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := fn(memory.Record{ID: memory.ID(line), Line: i + 1, Title: line, Raw: line, File: filepath.Join(n.path, "notes")}); err != nil {
			return err
		}
	}
	return nil
}

// Summary implements system.Summarizer.
func (n notes) Summary(context.Context) (memory.Snapshot, error) {
	return memory.Snapshot{Place: n.Info().Place, Total: 2, Start: memory.Size{Bytes: 7}}, nil
}

func noteKind(id memory.SystemID) system.System {
	at := func(dir string) memory.Place { return notes{id, dir}.Info().Place }
	return system.System{
		ID: id, Name: string(id),
		Find: func(context.Context, system.Env) memory.Survey { return memory.Survey{} },
		StoresIn: func(dir string, entries []fs.DirEntry) []memory.Place {
			if slices.ContainsFunc(
				entries,
				func(e fs.DirEntry) bool { return e.Name() == "notes" && e.Type().IsRegular() },
			) {
				return []memory.Place{at(dir)}
			}
			return nil
		},
		Reads: func(path string) (memory.Place, bool) {
			_, err := os.Stat(filepath.Join(path, "notes"))
			return at(path), err == nil
		},
		Open: func(path string) (system.Store, error) { return notes{id, path}, nil },
	}
}

// threeSystems is a folder with a library of three systems, two of which share folders.
func threeSystems(t *testing.T) (dir string, l *Library) {
	t.Helper()
	dir, plain := workingFolder(t)
	systems := []system.System{karnevil9.System(time.Now), noteKind("red"), noteKind("blue")}
	return dir, New(systems, plain.env, plain.now, plain.start, plain.state)
}

func names(s memory.Survey) (all []string) {
	for _, p := range s.Places {
		all = append(all, string(p.Store))
	}
	return all
}

func TestAFolderThatTwoSystemsShareIsTwoStores(t *testing.T) {
	dir, l := threeSystems(t)
	put(t, filepath.Join(dir, "a", "notes"), "one two")
	put(t, filepath.Join(dir, "a", "sessions", "memory.jsonl"), lesson("a1"))
	shared := filepath.Join(dir, "a")
	want := []string{"red:" + shared, "blue:" + shared}
	if got := names(l.FindIn(t.Context(), []string{"a"})); !slices.Equal(got, want) {
		t.Errorf("a folder that is a store is %q, want %q", got, want)
	}
	if got := names(l.FindIn(t.Context(), []string{"blue:a"})); !slices.Equal(got, want[1:]) {
		t.Errorf("with its system it is %q, want %q", got, want[1:])
	}
	below := names(l.FindIn(t.Context(), []string{"."}))
	slices.Sort(below)
	all := []string{filepath.Join(shared, "sessions", "memory.jsonl"), want[1], want[0]}
	if !slices.Equal(below, all) {
		t.Errorf("below the folder are %q, want %q", below, all)
	}
	if got := names(l.FindIn(t.Context(), []string{"red:."})); !slices.Equal(got, want[:1]) {
		t.Errorf("below the folder are %q of one system, want %q", got, want[:1])
	}
}

func TestAStoreIsOpenedByTheSystemThatItNames(t *testing.T) {
	dir, l := threeSystems(t)
	put(t, filepath.Join(dir, "notes"), "one two")
	for _, id := range []memory.StoreID{memory.At("red", dir), memory.At("blue", dir)} {
		snap, err := l.Load(t.Context(), id)
		if err != nil || snap.Place.Store != id || snap.Noun.Many != "notes" || len(snap.Records) != 2 {
			t.Errorf("%s is %+v with %d records, %v", id, snap.Place, len(snap.Records), err)
		}
	}
	if _, err := l.Load(t.Context(), memory.At("green", dir)); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("a system that nobody knows: %v", err)
	}
}

func TestSummaryReadsNoRecords(t *testing.T) {
	dir, l := threeSystems(t)
	snap, err := l.Summary(t.Context(), memory.At("red", filepath.Join(dir, "gone")))
	if err != nil || snap.Total != 2 || snap.Start.Bytes != 7 || snap.Noun.One != "note" || snap.ReadOnly == "" {
		t.Errorf("summary = %+v, %v; want what the system says, and why it cannot be changed", snap, err)
	}
}

func TestEachGoesThroughAllStoresAndTellsThoseItCannotRead(t *testing.T) {
	dir, l := threeSystems(t)
	put(t, filepath.Join(dir, "notes"), "one two")
	if err := os.MkdirAll(filepath.Join(dir, "bad", "notes"), 0o755); err != nil {
		t.Fatal(err)
	}
	stores := []memory.StoreID{
		memory.At("blue", filepath.Join(dir, "bad")),
		memory.At("red", dir),
		memory.At("blue", dir),
	}
	var got []string
	failed, err := l.Each(t.Context(), stores, func(id memory.StoreID, r *memory.Record) error {
		got = append(got, string(id.System())+" "+string(r.ID))
		return nil
	})
	if want := []string{"red one", "red two", "blue one", "blue two"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("records = %q, %v; want %q", got, err, want)
	}
	if len(failed) != 1 || failed[0].Path != "bad" || failed[0].Problem == nil {
		t.Errorf("failed = %+v, want the folder in place of a file", failed)
	}
	stop := errors.New("enough")
	n := 0
	if _, err := l.Each(t.Context(), stores, func(memory.StoreID, *memory.Record) error { n++; return stop }); !errors.Is(
		err,
		stop,
	) ||
		n != 1 {
		t.Errorf("it went on for %d records, %v", n, err)
	}
}

func TestTallyCountsFindingsOfTextsInFiles(t *testing.T) {
	dir, l := threeSystems(t)
	put(t, filepath.Join(dir, "notes"), "harmless token:"+key)
	tally, err := l.Tally(t.Context(), memory.At("red", dir))
	if err != nil || tally.High != 1 {
		t.Errorf("tally = %+v, %v; want one high", tally, err)
	}
}

func TestAuditOfStoresReadsTheirFilesAndNotTheFoldersAround(t *testing.T) {
	dir, l := threeSystems(t)
	put(t, filepath.Join(dir, "notes"), "harmless")
	put(t, filepath.Join(dir, "other"), "x")
	if got, _ := l.files(t.Context(), memory.At("red", dir)); !slices.Equal(
		got,
		[]string{filepath.Join(dir, "notes")},
	) {
		t.Errorf("files = %q", got)
	}
	lessons := filepath.Join(dir, "sessions", "memory.jsonl")
	put(t, lessons, lesson("a1"))
	if got, _ := l.files(t.Context(), memory.StoreID(lessons)); !slices.Equal(got, []string{lessons}) {
		t.Errorf("files = %q, want the store itself", got)
	}
}

func TestAnAuditOfAStoreByItsSystemReadsItsFiles(t *testing.T) {
	dir, l := threeSystems(t)
	put(t, filepath.Join(dir, "notes"), "token:"+key)
	put(t, filepath.Join(dir, "other"), "token:"+key)
	a, err := l.Audit(t.Context(), memory.AuditOrder{Paths: []string{"red:."}, AllText: true}, nil, nil)
	if err != nil || a.Files != 1 || a.Count(memory.High) != 1 {
		t.Errorf("audit = %d files, %d high, %v; want the file of the store alone", a.Files, a.Count(memory.High), err)
	}
}

func TestADatabaseIsNoFileOfLessons(t *testing.T) {
	dir, l := threeSystems(t)
	for name, text := range map[string]string{
		"half.db": "x", "half": "SQLite format 3\x00rest", "README.md": "# A project",
	} {
		path := filepath.Join(dir, name)
		put(t, path, text)
		l.FindIn(t.Context(), []string{path})
		_, err := l.Plan(t.Context(), memory.StoreID(path), memory.Order{Do: memory.Repair})
		if p := (*memory.Problem)(nil); !errors.As(err, &p) || p.Code != "unknown-store" || p.Hint == "" {
			t.Errorf("repair of %s = %v, want that no system knows it", name, err)
		}
	}
	path := filepath.Join(dir, "lessons.txt")
	put(t, path, lesson("a1"))
	if _, err := l.Load(t.Context(), memory.StoreID(path)); err != nil {
		t.Errorf("a file of lessons with another name: %v", err)
	}
}

func TestHistoryOfStoresAtOnePathIsApart(t *testing.T) {
	dir, _ := threeSystems(t)
	if RealID(memory.At("red", dir)) == RealID(memory.At("blue", dir)) {
		t.Error("two systems have one history")
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Skip("symbolic links cannot be made here:", err)
	}
	if got := RealID(memory.At("red", link)); got.System() != "red" || got.Path() == link {
		t.Errorf("through a link it is %s", got)
	}
}
