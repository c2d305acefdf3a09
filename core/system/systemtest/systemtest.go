// Package systemtest holds the tests that every memory system must pass.
package systemtest

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"winnow/core/memory"
	"winnow/core/system"
)

// open returns a store in a copy of the folder, and the path of that copy.
func (cfg Config) open(t *testing.T, folder fs.FS) (system.Store, string) {
	t.Helper()
	root := t.TempDir()
	if err := os.CopyFS(root, folder); err != nil {
		t.Fatal(err)
	}
	return cfg.openAt(t, filepath.Join(root, filepath.FromSlash(cfg.Store))), root
}

func (cfg Config) openAt(t *testing.T, path string) system.Store {
	t.Helper()
	s, err := cfg.System.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func list(t *testing.T, s system.Store) []memory.Record {
	t.Helper()
	var all []memory.Record
	if err := s.List(t.Context(), func(r memory.Record) error { all = append(all, r); return nil }); err != nil {
		t.Fatal(err)
	}
	if len(all) < 2 {
		t.Fatalf("the store has %d records, want at least 2", len(all))
	}
	return all
}

func (cfg Config) testListIsStable(t *testing.T) {
	s, _ := cfg.open(t, cfg.Good)
	if a, b := list(t, s), list(t, s); !reflect.DeepEqual(a, b) {
		t.Errorf("two listings differ:\n%v\n%v", a, b)
	}
}

func (cfg Config) testIDs(t *testing.T) {
	for _, folder := range cfg.folders() {
		s, _ := cfg.open(t, folder)
		seen := map[memory.ID]bool{}
		for _, r := range list(t, s) {
			if r.ID == "" || seen[r.ID] || r.Rev == "" {
				t.Errorf("record with id %q (seen before: %v) and revision %q", r.ID, seen[r.ID], r.Rev)
			}
			seen[r.ID] = true
		}
	}
}

func (cfg Config) testListStopsOnError(t *testing.T) {
	s, _ := cfg.open(t, cfg.Good)
	stop := errors.New("stop")
	n := 0
	err := s.List(t.Context(), func(memory.Record) error { n++; return stop })
	if !errors.Is(err, stop) || n != 1 {
		t.Errorf("List = %v after %d calls, want %v after 1", err, n, stop)
	}
}

func (cfg Config) testListHonoursCancel(t *testing.T) {
	s, _ := cfg.open(t, cfg.Good)
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	err := s.List(ctx, func(memory.Record) error { n++; cancel(); return nil })
	if !errors.Is(err, context.Canceled) || n != 1 {
		t.Errorf("List = %v after %d calls, want %v after 1", err, n, context.Canceled)
	}
}

func (cfg Config) testSnapshotHonoursCancel(t *testing.T) {
	s, _ := cfg.open(t, cfg.Good)
	sn, ok := s.(system.Snapshotter)
	if !ok {
		t.Skip(notFor + "this system has no snapshots of its own")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := sn.Snapshot(ctx, func(memory.Snapshot) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("Snapshot = %v, want %v", err, context.Canceled)
	}
}

func (cfg Config) testSnapshotAgrees(t *testing.T) {
	for _, folder := range cfg.folders() {
		s, _ := cfg.open(t, folder)
		sn, ok := s.(system.Snapshotter)
		if !ok {
			t.Skip(notFor + "this system has no snapshots of its own")
		}
		snap, err := sn.Snapshot(t.Context(), func(memory.Snapshot) {})
		if err != nil {
			t.Fatal(err)
		}
		all := list(t, s)
		if snap.Total != len(all) || len(snap.Records) != len(all) || snap.Partial || snap.Problem != nil {
			t.Fatalf("snapshot of %d records (%d in all, partial %v, problem %v), list of %d",
				len(snap.Records), snap.Total, snap.Partial, snap.Problem, len(all))
		}
		for i, r := range snap.Records {
			if r.ID != all[i].ID || r.Rev != all[i].Rev {
				t.Errorf("record %d is %s at %s, List says %s at %s", i, r.ID, r.Rev, all[i].ID, all[i].Rev)
			}
		}
	}
}

func (cfg Config) testDamagedRecordsAreListed(t *testing.T) {
	if cfg.Damaged == nil {
		t.Skip(notFor + "no store with damaged records is given")
	}
	s, _ := cfg.open(t, cfg.Damaged)
	all := list(t, s)
	bad := 0
	for i, r := range all {
		if r.Problem == nil {
			continue
		}
		bad++
		if r.Problem.What == "" || r.Raw == "" {
			t.Errorf("record %s has a problem without words, or no raw form: %+v", r.ID, r)
		}
		if i == 0 || i == len(all)-1 || all[i-1].Problem != nil || all[i+1].Problem != nil {
			t.Errorf("record %s hides a neighbour", r.ID)
		}
	}
	if bad == 0 {
		t.Error("no record has a problem")
	}
}

// problem returns what is wrong with the store at path.
func (cfg Config) problem(t *testing.T, path string) *memory.Problem {
	t.Helper()
	sn, ok := cfg.openAt(t, path).(system.Snapshotter)
	if !ok {
		t.Skip(notFor + "this system has no snapshots of its own")
	}
	snap, err := sn.Snapshot(t.Context(), func(memory.Snapshot) {})
	if err != nil {
		t.Fatal(err)
	}
	if p := snap.Problem; p == nil || p.Code == "" || p.What == "" || p.Hint == "" || len(snap.Records) > 0 {
		t.Errorf("problem = %+v with %d records, want code, sentence and hint, and no records", p, len(snap.Records))
	}
	return snap.Problem
}

func (cfg Config) testMissingStore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "not", "there")
	cfg.problem(t, path)
	err := cfg.openAt(t, path).List(t.Context(), func(memory.Record) error { return nil })
	if !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("List = %v, want %v", err, memory.ErrNotFound)
	}
	if _, err := os.Lstat(filepath.Dir(path)); err == nil {
		t.Error("looking for the store made its folder")
	}
}

func (cfg Config) testOtherForStore(t *testing.T) {
	path := t.TempDir()
	if cfg.Shape == Folder {
		path = filepath.Join(path, "file")
		if err := os.WriteFile(path, []byte("text"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cfg.problem(t, path)
	err := cfg.openAt(t, path).List(t.Context(), func(memory.Record) error { return nil })
	if err == nil {
		t.Error("List of what is no store = nil, want an error")
	}
}

// search searches for stores below root, as the library does.
func (cfg Config) search(t *testing.T, root string) memory.Survey {
	t.Helper()
	if cfg.System.StoresIn == nil {
		t.Skip(notFor + "stores of this system are not looked for below a folder")
	}
	survey := memory.Survey{Looked: []memory.Looked{{Where: root}}}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		entries, err := os.ReadDir(path)
		for _, p := range cfg.System.StoresIn(path, entries) {
			p.System = cfg.System.ID
			survey.Places = append(survey.Places, p)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return survey
}

func (cfg Config) testSearch(t *testing.T) {
	s, root := cfg.open(t, cfg.Good)
	want := s.Info().Place.Store
	survey := cfg.search(t, root)
	if len(survey.Places) != 1 || survey.Places[0].Store != want || survey.Places[0].System != cfg.System.ID {
		t.Errorf("places = %+v, want %s alone", survey.Places, want)
	}
	if len(survey.Looked) == 0 {
		t.Error("the survey does not say where it looked")
	}
}

func (cfg Config) testSearchDoesNotFollowLinks(t *testing.T) {
	_, outside := cfg.open(t, cfg.Good)
	root := t.TempDir()
	for link, to := range map[string]string{"out": outside, "loop": root} {
		if err := os.Symlink(to, filepath.Join(root, link)); err != nil {
			t.Skip("symbolic links cannot be made here:", err)
		}
	}
	target := filepath.Join(outside, filepath.FromSlash(cfg.Store))
	if err := os.Symlink(target, filepath.Join(root, filepath.Base(target))); err != nil {
		t.Fatal(err)
	}
	if survey := cfg.search(t, root); len(survey.Places) > 0 {
		t.Errorf("places = %+v, want none", survey.Places)
	}
}
