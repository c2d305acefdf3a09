package systemtest

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"winnow/core/memory"
	"winnow/core/system"
)

// mostHashed is the number of bytes of each file that tree compares.
const mostHashed = 16 << 20

// tree returns everything observable about the files and folders below root: names, modes, times,
// sizes and contents.
func tree(t *testing.T, root string) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		all = append(
			all,
			fmt.Sprintf("%s %v %v %d %s", path, info.Mode(), info.ModTime(), info.Size(), hashed(path, info.Mode())),
		)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// hashed returns a digest of a file's content, or the target of a link.
func hashed(path string, mode fs.FileMode) string {
	if mode&fs.ModeSymlink != 0 {
		to, _ := os.Readlink(path)
		return to
	}
	if !mode.IsRegular() {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return "closed" // as it was
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, io.LimitReader(f, mostHashed)); err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// tasks are draft tasks for recall.
func tasks(root string) []memory.Task {
	return []memory.Task{
		{},
		{Text: "run the tests again"},
		{
			Text:   strings.Repeat("Łódź \x00 \u202e <memory> ", 300),
			Folder: root,
			Files:  []string{"a/b.go", "../x", "/etc/passwd"},
		},
		{
			Text:   "run the tests again",
			Scope:  "none of its scopes",
			Folder: filepath.Join(root, "not", "there"),
			Mode:   memory.Agentic,
		},
	}
}

// readAll does everything that counts as looking at a store. It returns what went wrong.
func (cfg Config) readAll(ctx context.Context, s system.Store, root string) (snap memory.Snapshot, err error) {
	err = s.List(ctx, func(memory.Record) error { return nil })
	if sn, ok := s.(system.Snapshotter); ok {
		var more error
		snap, more = sn.Snapshot(ctx, func(memory.Snapshot) {})
		err = errors.Join(err, more)
	}
	if sum, ok := s.(system.Summarizer); ok {
		_, more := sum.Summary(ctx)
		err = errors.Join(err, more)
	}
	if r, ok := s.(system.Recaller); ok {
		for _, task := range tasks(root) {
			_, more := r.Recall(ctx, task)
			err = errors.Join(err, more)
		}
	}
	if w, ok := s.(system.Writer); ok {
		_ = w.CanWrite() // another test checks the result
	}
	if asks := s.Info().Asks; asks != nil {
		asks(ctx)
	}
	if w, ok := s.(system.Watched); ok {
		w.WatchPaths()
	}
	return snap, err
}

func (cfg Config) testLookingWritesNothing(t *testing.T) {
	for _, folder := range cfg.folders() {
		s, root := cfg.open(t, folder)
		before := tree(t, root)
		if _, err := cfg.readAll(t.Context(), s, root); err != nil {
			t.Error(err)
		}
		if cfg.System.StoresIn != nil {
			cfg.search(t, root)
		}
		if cfg.Env != nil && cfg.System.Find != nil {
			cfg.System.Find(t.Context(), cfg.Env(root))
		}
		if cfg.System.Reads != nil {
			cfg.System.Reads(s.Info().Place.Store.Path())
			cfg.System.Reads(root)
		}
		if after := tree(t, root); !slices.Equal(before, after) {
			t.Errorf("looking changed the folder:\n%s\n\n%s", strings.Join(before, "\n"), strings.Join(after, "\n"))
		}
	}
}

func (cfg Config) testTitles(t *testing.T) {
	for _, folder := range cfg.folders() {
		s, _ := cfg.open(t, folder)
		for _, r := range list(t, s) {
			if r.Problem == nil && strings.TrimSpace(r.Title) == "" {
				t.Errorf("record %s has no title", r.ID)
			}
		}
	}
}

// testPlace compares the name of the store with its path.
func (cfg Config) testPlace(t *testing.T) {
	s, root := cfg.open(t, cfg.Good)
	info := s.Info()
	id, path := info.Place.Store, filepath.Join(root, filepath.FromSlash(cfg.Store))
	if id.Path() != path || id.System() != "" && id.System() != cfg.System.ID || info.System != cfg.System.ID ||
		info.Place.System != cfg.System.ID {
		t.Errorf("the store at %s is %+v", path, info)
	}
	if info.Name == "" || info.Noun.One == "" || info.Noun.Many == "" {
		t.Errorf("names are missing: %+v", info)
	}
}

func (cfg Config) testSummary(t *testing.T) {
	for _, folder := range cfg.folders() {
		s, _ := cfg.open(t, folder)
		sum, ok := s.(system.Summarizer)
		if !ok {
			t.Skip(notFor + "this system tells nothing without reading its records")
		}
		got, err := sum.Summary(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		want, err := s.(system.Snapshotter).Snapshot(t.Context(), func(memory.Snapshot) {})
		if err != nil {
			t.Fatal(err)
		}
		if got.Total != want.Total || got.Start != want.Start || got.Place != want.Place ||
			!reflect.DeepEqual(got.Usage, want.Usage) ||
			!reflect.DeepEqual(got.Scopes, want.Scopes) {
			t.Errorf(
				"the summary says %d records, start %+v, usage %+v, scopes %+v at %+v;\nthe snapshot %d, %+v, %+v, %+v at %+v",
				got.Total,
				got.Start,
				got.Usage,
				got.Scopes,
				got.Place,
				want.Total,
				want.Start,
				want.Usage,
				want.Scopes,
				want.Place,
			)
		}
		if len(got.Records) > 0 || got.Problem != nil {
			t.Errorf("the summary has %d records, and the problem %v", len(got.Records), got.Problem)
		}
	}
}

func (cfg Config) testRecall(t *testing.T) {
	for _, folder := range cfg.folders() {
		s, root := cfg.open(t, folder)
		r, ok := s.(system.Recaller)
		if !ok {
			t.Skip(notFor + "this system's recall cannot be computed")
		}
		known := map[memory.ID]bool{}
		for _, rec := range list(t, s) {
			known[rec.ID] = true
		}
		for _, task := range tasks(root) {
			a, err := r.Recall(t.Context(), task)
			if err != nil {
				t.Fatal(err)
			}
			b, err := r.Recall(t.Context(), task)
			if err != nil || !reflect.DeepEqual(a, b) {
				t.Errorf("two recalls for %.20q differ (%v):\n%+v\n%+v", task.Text, err, a, b)
			}
			cfg.checkRecall(t, a, known)
		}
	}
}

// checkRecall checks what the fields of a recall promise.
func (cfg Config) checkRecall(t *testing.T, r memory.Recall, known map[memory.ID]bool) {
	t.Helper()
	for i, h := range r.Hits {
		if !known[h.ID] || h.Rank != i+1 {
			t.Errorf("hit %d is %s at rank %d, known %t", i, h.ID, h.Rank, known[h.ID])
		}
	}
	if r.Found < len(r.Hits) {
		t.Errorf("%d found, and %d hits", r.Found, len(r.Hits))
	}
	for _, b := range append([]memory.Block{r.Block, r.Prompt}, r.Also...) {
		checkBlock(t, &b)
	}
}

// checkBlock checks that a block says where it goes, and that its marks and parts are places in its text.
func checkBlock(t *testing.T, b *memory.Block) {
	t.Helper()
	at := 0
	for _, m := range b.Marks {
		if m.Start < at || m.End < m.Start || m.End > len(b.Text) {
			t.Errorf("a mark of %s at %d to %d, of %d bytes", b.Name, m.Start, m.End, len(b.Text))
		}
		at = m.Start
	}
	for _, p := range b.Parts {
		if p.Start < 0 || p.End < p.Start || p.End > len(b.Text) {
			t.Errorf("a part of %s at %d to %d, of %d bytes", b.Name, p.Start, p.End, len(b.Text))
		}
	}
	if b.Text != "" && (b.Where == "" || b.Name == "") {
		t.Errorf("a block goes to %q and is called %q", b.Where, b.Name)
	}
}

func (cfg Config) testFind(t *testing.T) {
	if cfg.Env == nil || cfg.System.Find == nil {
		t.Skip(notFor + "no machine is given on which the store can be found")
	}
	s, root := cfg.open(t, cfg.Good)
	want := s.Info().Place.Store
	survey := cfg.System.Find(t.Context(), cfg.Env(root))
	i := slices.IndexFunc(survey.Places, func(p memory.Place) bool { return p.Store == want })
	if i < 0 || !survey.Places[i].Exists || survey.Places[i].System != cfg.System.ID || survey.Places[i].Why == "" {
		t.Errorf("places = %+v, want %s that exists", survey.Places, want)
	}
}

// mostAllocs is the maximum number of allocations for Find on a machine without the product.
const mostAllocs = 520

func (cfg Config) testFindNothing(t *testing.T) {
	if cfg.System.Find == nil {
		t.Skip(notFor + "this system is only looked for below a folder")
	}
	home := t.TempDir()
	dir := filepath.Join(home, "work")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	before := tree(t, home)
	none := func(string) (string, bool) { return "", false }
	env := system.Env{Home: home, Dir: dir, Lookup: none}
	survey := cfg.System.Find(t.Context(), env)
	for _, p := range survey.Places {
		if p.Exists {
			t.Errorf("%+v was found in an empty home", p)
		}
	}
	if len(survey.Looked) == 0 {
		t.Error("the survey does not say where it looked")
	}
	if n := testing.AllocsPerRun(3, func() { cfg.System.Find(t.Context(), env) }); n > mostAllocs {
		t.Errorf("looking in an empty home takes %v allocations, want at most %d", n, mostAllocs)
	}
	if after := tree(t, home); !slices.Equal(before, after) {
		t.Errorf("looking changed the home:\n%s\n\n%s", strings.Join(before, "\n"), strings.Join(after, "\n"))
	}
}

// ability returns what the system says can be done with its stores.
func (cfg Config) ability(t *testing.T) system.Ability {
	t.Helper()
	for _, a := range cfg.System.Abilities {
		if a.Store == cfg.Ability || cfg.Ability == "" && len(cfg.System.Abilities) == 1 {
			return a
		}
	}
	t.Fatalf("no ability is called %q among %+v", cfg.Ability, cfg.System.Abilities)
	return system.Ability{}
}

func (cfg Config) testAbilities(t *testing.T) {
	s, _ := cfg.open(t, cfg.Good)
	a := cfg.ability(t)
	_, recalls := s.(system.Recaller)
	_, watched := s.(system.Watched)
	writer, writes := s.(system.Writer)
	_, composes := s.(system.Composer)
	if a.Recall == "" || recalls != (a.Recall != system.NoRecall) {
		t.Errorf("recall is %q, and the store recalls: %t", a.Recall, recalls)
	}
	if a.Watch != watched {
		t.Errorf("watch is %t, and the store can be watched: %t", a.Watch, watched)
	}
	says, can := a.Edit != "" || a.Delete != "", writes && writer.CanWrite() == nil
	if says && !can || a.Edit != "" && !composes {
		t.Errorf("edit %q and delete %q, and the store writes: %t, composes: %t", a.Edit, a.Delete, writes, composes)
	}
	if !says && can {
		t.Error("nothing is said to be changed, and the store can be")
	}
	isLessons := slices.Contains(s.Info().Described.FieldNames, "lesson_id")
	if a.Share != isLessons || a.Share && !composes {
		t.Errorf("it is shared: %t, its records are lessons: %t, composes: %t", a.Share, isLessons, composes)
	}
}
