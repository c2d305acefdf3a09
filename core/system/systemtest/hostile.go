package systemtest

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/core/memory"
	"winnow/core/system"
)

// obstacle is something in the place of a store's file.
type obstacle struct {
	name string
	// mustReport is set if the store must report it.
	mustReport bool
	make       func(path string) error
	// long is set if only a run that tries everything has it.
	long bool
}

// obstacles returns what can be in the way.
func obstacles() []obstacle {
	write := func(text string) func(string) error {
		return func(path string) error { return os.WriteFile(path, []byte(text), 0o600) }
	}
	return []obstacle{
		{name: "pipe", mustReport: true, make: makePipe},
		{name: "socket", mustReport: true, make: makeSocket},
		{name: "folder", mustReport: true, make: func(path string) error { return os.Mkdir(path, 0o755) }},
		{
			name:       "link to itself",
			mustReport: true,
			make:       func(path string) error { return os.Symlink(filepath.Base(path), path) },
		},
		{name: "link to a pipe outside", mustReport: true, make: func(path string) error {
			pipe := filepath.Join(filepath.Dir(filepath.Dir(path)), "outside-pipe")
			return errors.Join(makePipe(pipe), os.Symlink(pipe, path))
		}},
		{name: "link to nothing", make: func(path string) error { return os.Symlink("nowhere", path) }},
		{name: "nothing", make: func(string) error { return nil }},
		{name: "empty file", make: write("")},
		{name: "bytes that are no text", make: write("\xff\xfe\x00\x80--\n\x00---\xc3(\xed\xa0\x80\n")},
		{name: "zeros", make: write(strings.Repeat("\x00", 100_000)), long: true},
		{name: "one long line", make: write(strings.Repeat("a b ", 300_000)), long: true},
		// More than any system reads as one text. A system that streams reads all of it.
		{name: "a gigabyte", long: true, make: func(path string) error {
			return errors.Join(os.WriteFile(path, []byte("---\n"), 0o600), os.Truncate(path, 1<<30))
		}},
	}
}

// victim returns the path of a dispensable file of the store, and the ids of the records in it.
func (cfg Config) victim(t *testing.T, s system.Store) (path string, in []memory.ID) {
	t.Helper()
	all := list(t, s)
	for i := range all {
		if r := &all[i]; path == "" && r.File != "" && r.Fixed == "" && r.Problem == nil {
			path = r.File
		}
	}
	if path == "" {
		path = s.Info().Place.Store.Path()
	}
	for _, r := range all {
		if r.File == path || r.File == "" && path == s.Info().Place.Store.Path() {
			in = append(in, r.ID)
		}
	}
	return path, in
}

func (cfg Config) testHostile(t *testing.T) {
	for _, h := range obstacles() {
		if h.long && (testing.Short() || !isLong()) {
			continue
		}
		t.Run(h.name, func(t *testing.T) {
			s, root := cfg.open(t, cfg.Good)
			path, in := cfg.victim(t, s)
			if path == s.Info().Place.Store.Path() && cfg.Shape == Folder {
				t.Skip(notFor + "the records of this store name no files")
			}
			others := cfg.others(t, s, in)
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			if err := h.make(path); err != nil {
				t.Skip("this cannot be made here:", err)
			}
			cfg.checkObstacle(t, root, others, h.mustReport)
		})
	}
	t.Run("file that may not be read", cfg.testUnreadable)
}

func (cfg Config) testUnreadable(t *testing.T) {
	s, root := cfg.open(t, cfg.Good)
	path, in := cfg.victim(t, s)
	others := cfg.others(t, s, in)
	d := &writableStore{t: t, cfg: cfg, root: root, path: s.Info().Place.Store.Path()}
	d.shareAll()
	if err := os.Chmod(path, 0); err != nil {
		t.Fatal(err)
	}
	asStranger(t, func() { cfg.checkObstacle(t, root, others, true) })
}

// others returns the ids of the records that are not in the given list.
func (cfg Config) others(t *testing.T, s system.Store, in []memory.ID) []memory.ID {
	t.Helper()
	var others []memory.ID
	for _, r := range list(t, s) {
		if !slices.Contains(in, r.ID) {
			others = append(others, r.ID)
		}
	}
	return others
}

// checkObstacle looks at a store with something in the way: nothing may be changed or waited for, the other
// records must be listed, and the problem must be reported.
func (cfg Config) checkObstacle(t *testing.T, root string, others []memory.ID, mustReport bool) {
	t.Helper()
	s := cfg.openAt(t, filepath.Join(root, filepath.FromSlash(cfg.Store)))
	before := tree(t, root)
	snap, err := cfg.readAll(t.Context(), s, root)
	if after := tree(t, root); !slices.Equal(before, after) {
		t.Errorf("looking changed the folder:\n%s\n\n%s", strings.Join(before, "\n"), strings.Join(after, "\n"))
	}
	if err != nil && !errors.Is(err, memory.ErrNotFound) {
		checkHint(t, "looking", err)
	}
	reported := isReported(t, &snap)
	if _, ok := s.(system.Snapshotter); ok && mustReport && !reported {
		t.Error("nothing is reported")
	}
	if p := snap.Problem; p != nil {
		if p.Code == "" || p.What == "" || p.Hint == "" {
			t.Errorf("the problem %+v has no code, sentence or hint", p)
		}
		if len(others) > 0 {
			t.Errorf("the store has the problem %q, although %d other records are intact", p.What, len(others))
		}
		return
	}
	checkListed(t, s, others)
}

// isReported reports whether a snapshot names a problem, and checks that each has words.
func isReported(t *testing.T, snap *memory.Snapshot) bool {
	t.Helper()
	reported := snap.Problem != nil ||
		slices.ContainsFunc(snap.Health, func(h memory.Health) bool { return h.Level > memory.Good && h.What != "" })
	for _, r := range snap.Records {
		if r.Problem == nil {
			continue
		}
		reported = true
		if r.Problem.Code == "" || r.Problem.What == "" {
			t.Errorf("record %s has a problem without words: %+v", r.ID, r.Problem)
		}
	}
	return reported
}

// checkListed checks that a store lists records that are intact.
func checkListed(t *testing.T, s system.Store, others []memory.ID) {
	t.Helper()
	now := map[memory.ID]bool{}
	if err := s.List(t.Context(), func(r memory.Record) error { now[r.ID] = true; return nil }); err != nil &&
		len(others) > 0 {
		t.Errorf("List = %v, although %d other records are intact", err, len(others))
	}
	for _, id := range others {
		if !now[id] {
			t.Errorf("%s is hidden by its neighbour", id)
		}
	}
}

func (cfg Config) testVanishing(t *testing.T) {
	s, root := cfg.open(t, cfg.Good)
	n := 0
	err := s.List(t.Context(), func(memory.Record) error {
		n++
		return os.RemoveAll(filepath.Join(root, filepath.FromSlash(cfg.Store)))
	})
	if err != nil && !errors.Is(err, memory.ErrNotFound) {
		checkHint(t, "List", err)
	}
	if n == 0 {
		t.Error("nothing was listed")
	}
	if _, err := cfg.readAll(t.Context(), s, root); err != nil && !errors.Is(err, memory.ErrNotFound) {
		checkHint(t, "looking", err)
	}
}
