package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"winnow/core/memory"
)

// machine is a memoryLibrary with stores of several systems: the lessons of the working folder, a
// store of its project, one of another project, and two for all projects.
func machine(t *testing.T) (*testEnv, *memoryLibrary, string) {
	t.Helper()
	dir := t.TempDir()
	lib := standard()
	lib.systems = []memory.SystemInfo{{ID: "claudecode", Name: "Claude Code"}, {ID: "hermes", Name: "Hermes"}}
	lib.places = []memory.Place{
		{
			Store:   memory.StoreID(filepath.Join(dir, "memory.jsonl")),
			System:  "karnevil9",
			Path:    "memory.jsonl",
			Exists:  true,
			Project: dir,
			ByPath:  true,
		},
		{
			Store:   memory.At("claudecode", dir),
			System:  "claudecode",
			Path:    ".",
			Name:    "project",
			Exists:  true,
			Project: dir,
		},
		{
			Store:   "claudecode:/other",
			System:  "claudecode",
			Path:    "/other",
			Name:    "project",
			Exists:  true,
			Project: "/other",
		},
		{Store: "/h/MEMORY.md", System: "hermes", Path: "~/MEMORY.md", Name: "MEMORY.md", Exists: true},
		{Store: "/h/USER.md", System: "hermes", Path: "~/USER.md", Name: "USER.md", Exists: true},
	}
	w := newWorld(lib)
	w.Dir = dir
	return w, lib, dir
}

func TestLookingCoversTheProjectAndChangingChoosesNothing(t *testing.T) {
	w, lib, dir := machine(t)
	claude := "claudecode:" + dir
	if out := w.run(t, 0, "list"); strings.Count(out, "\tmemory.jsonl\n") != 4 ||
		strings.Count(out, "\t"+claude+"\n") != 4 {
		t.Errorf("it prints %s", out)
	}
	w.run(t, exitUsage, "rm", "aa11")
	want := "winnow: rm aa11: 2 stores have this id\n  memory.jsonl  (KarnEvil9)\n  " + claude +
		"  (Claude Code, project)\n" +
		"hint: name one with --store PATH\n"
	if w.err.String() != want {
		t.Errorf("it says %q, want %q", &w.err, want)
	}
	if len(lib.orders) > 0 {
		t.Errorf("%d orders were given", len(lib.orders))
	}
	for _, args := range [][]string{
		{"add", "--set", "lesson=x"},
		{"prune", "--unused"},
		{"recall", "x", "--commit"},
		{"guard", "--once", "--reapply"},
		{"rm", ":1"}, {"rm", "line 4"}, {"edit", ":1", "--set", "lesson=x"}, {"recall", "x", "--format", "block"},
	} {
		w.run(t, exitUsage, args...)
	}
	w.run(t, exitNotFound, "undo")
	w.run(t, 0, "guard", "--once")
	w.run(t, 0, "rm", "aa11", "--system", "karnevil9")
	if got := lib.applied[0].Store; got != lib.places[0].Store {
		t.Errorf("%s was changed", got)
	}
	lib.places = lib.places[2:] // nothing of this folder: those for all folders are meant
	if out := w.run(t, 0, "list"); strings.Contains(out, "/other") || !strings.Contains(out, "~/USER.md") {
		t.Errorf("elsewhere it prints %s", out)
	}
	lib.places = lib.places[:1]
	w.run(t, 0, "list")
}

func TestSystemNamesItsOnlyStore(t *testing.T) {
	w, lib, _ := machine(t)
	w.run(t, exitUsage, "list", "--store", "hermes")
	if s := w.err.String(); !strings.Contains(s, "2 stores were found\n  ~/MEMORY.md  (Hermes, MEMORY.md)\n  ~/USER.md  (Hermes, USER.md)\n") {
		t.Errorf("it says %q", s)
	}
	lib.places = lib.places[:4]
	w.run(t, 0, "rm", "aa11", "--store", "hermes")
	if got := lib.applied[0].Store; got != "/h/MEMORY.md" {
		t.Errorf("%s was changed", got)
	}
	w.Dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(w.Dir, "hermes"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if w.run(t, exitUsage, "list", "--store", "hermes"); !slices.Equal(lib.paths, []string{"hermes"}) {
		t.Errorf("a file of that name is looked for as %q", lib.paths)
	}
	w.run(t, exitUsage, "list", "--system", "nosuch")
	if s := w.err.String(); s != "winnow: --system nosuch: no such value\nhint: use one of: karnevil9, claudecode, hermes\n" {
		t.Errorf("it says %q", s)
	}
}

func TestScreensTakeASystem(t *testing.T) {
	w, _, dir := machine(t)
	w.InTTY, w.OutTTY = true, true
	for _, args := range [][]string{{"--store", "claudecode"}, {"--system", "claudecode"}, {"claudecode"}} {
		w.started = nil
		w.run(t, 0, args...)
		if w.started == nil || !slices.Equal(w.started.Paths, []string{"claudecode:" + dir, "claudecode:/other"}) {
			t.Errorf("winnow %q opens %+v", args, w.started)
		}
	}
}

// failing is a library of which one store cannot be described.
type failing struct {
	*memoryLibrary
	store memory.StoreID
}

func (f failing) Summary(ctx context.Context, id memory.StoreID) (memory.Snapshot, error) {
	if id == f.store {
		return memory.Snapshot{}, errors.New("torn in the middle")
	}
	return f.memoryLibrary.Summary(ctx, id)
}

func TestWhatIsGoneHasNoMode(t *testing.T) {
	w := newWorld(standard())
	if out := w.run(t, 0, "stores"); !strings.Contains(out, ", mode 0600") {
		t.Fatalf("it prints %s", out)
	}
	w.Library.(*memoryLibrary).snap.Mode = 0
	if out := w.run(t, 0, "stores"); strings.Contains(out, "mode") {
		t.Errorf("it prints %s", out)
	}
}

func TestStoreThatCannotBeReadHidesNoOther(t *testing.T) {
	w, lib, _ := machine(t)
	w.Library = failing{lib, "/h/MEMORY.md"}
	out := w.run(t, 0, "stores")
	for _, want := range []string{
		"KarnEvil9: 1 store of 1 project, 4 lessons\n",
		"\n  torn in the middle\n",
		"Hermes: 2 stores, 4 records, 1 cannot be read\n",
		"Claude Code: 2 stores of 2 projects, 8 records\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
	if out := w.run(t, 0, "stores", "--json"); !strings.Contains(out, `"what": "torn in the middle"`) || !strings.Contains(out, `"failed": 1`) {
		t.Errorf("it prints %s", out)
	}
}

func TestStoresFitTheTerminal(t *testing.T) {
	w, lib, _ := machine(t)
	lib.snap.Start = memory.Size{Bytes: 6100, TokensLow: 1000, TokensHigh: 2000}
	lib.snap.Usage = []memory.Usage{{Name: "index lines", Used: 231, Limit: 200}}
	lib.snap.Running = []memory.Running{{PID: 4711, State: "busy"}}
	lib.snap.ReadOnly = "It can only be looked at."
	lib.tally = memory.Tally{High: 2}
	for _, width := range []int{60, 80, 120} {
		w.Width, w.OutTTY = width, true
		out := w.run(t, 0, "stores", "--findings")
		for line := range strings.Lines(out) {
			if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > width {
				t.Errorf("a line of %d columns at %d: %s", n, width, line)
			}
		}
		if !strings.Contains(out, "6.1 kB") || !strings.Contains(out, "1 running now") {
			t.Errorf("at %d it prints\n%s", width, out)
		}
	}
	out := w.run(t, 0, "stores", "--long", "--findings")
	for _, want := range []string{
		"at every start: 6100 bytes, about 1000 to 2000 tokens", "index lines 231/200", "running (pid 4711), busy",
		"findings: 2 high", "read-only: It can only",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
}

func TestPlanThatAsksIsRefusedUntilAnyway(t *testing.T) {
	w := newWorld(standard())
	lib := w.Library.(*memoryLibrary)
	lib.asks = "Claude Code runs here (pid 4711)."
	w.run(t, exitRefused, "rm", "aa11")
	if s := w.err.String(); s != "winnow: rm: Claude Code runs here (pid 4711); nothing was changed\nhint: wait until that is over, or add --anyway\n" {
		t.Errorf("it says %q", s)
	}
	if len(lib.applied) > 0 {
		t.Error("it was applied")
	}
	if out := w.run(t, 0, "rm", "aa11", "--dry-run", "--json"); !strings.Contains(out, `"asks": "Claude Code runs here`) {
		t.Errorf("a dry run prints %s", out)
	}
	w.run(t, 0, "rm", "aa11", "--anyway")
	if len(lib.applied) != 1 {
		t.Errorf("%d plans were applied", len(lib.applied))
	}
}

func TestChangeThatComesAlongIsShownAndNotCounted(t *testing.T) {
	w := newWorld(standard())
	lib := w.Library.(*memoryLibrary)
	lib.along = []memory.Change{
		{Do: memory.Editing, ID: "index", Companion: true, Record: memory.Record{ID: "index", Title: "Index"}},
	}
	if out := w.run(t, 0, "rm",
		"aa11"); !strings.Contains(out, "done\tedit\tindex\tIndex\tneeded by another change\n") {
		t.Errorf("it prints %s", out)
	}
	if out := w.run(t, 0, "rm", "aa11", "--dry-run", "--json"); strings.Count(out, `"along": true`) != 1 {
		t.Errorf("it prints %s", out)
	}
}

func TestVerifiedKindScopeAndNameReachTheOrder(t *testing.T) {
	w := newWorld(standard())
	lib := w.Library.(*memoryLibrary)
	w.run(t, 0, "edit", "aa11", "--set", "kind=rule", "--set", "scope=user", "--set", "body=x", "--verified")
	o := lib.orders[0]
	if !o.Verified || *o.Edit.Kind != "rule" || *o.Edit.Scope != "user" || *o.Edit.Body != "x" {
		t.Errorf("%+v", o)
	}
	w.run(t, 0, "add", "--kind", "rule", "--name", "n", "--set", "title=t", "--set", "kind=fact")
	if e := lib.orders[1].Edit; *e.Kind != "fact" || *e.Name != "n" || *e.Title != "t" || e.Scope != nil {
		t.Errorf("%+v", e)
	}
	w.In = strings.NewReader(`{"title":"t","body":"b","kind":"fact"}{"lesson":"b"}`)
	w.run(t, 0, "add", "-", "--scope", "user", "--kind", "rule", "--yes")
	if e := lib.orders[2].Edit; *e.Kind != "fact" || *e.Body != "b" || *e.Scope != "user" {
		t.Errorf("%+v", e)
	}
	if e := lib.orders[3].Edit; *e.Kind != "rule" || *e.Body != "b" {
		t.Errorf("%+v", e)
	}
	w.run(t, exitUsage, "edit", "aa11", "--set", "title=a", "--set", "task_summary=b")
	w.In = strings.NewReader(`{"title":"t","task_summary":"b"}`)
	w.run(t, exitUsage, "add", "-")
}

func TestPanicBesideIsOneOfTheCommand(t *testing.T) {
	var calls atomic.Int32
	inParallel(100, func(int) { calls.Add(1) })
	if calls.Load() != 100 {
		t.Errorf("%d calls", calls.Load())
	}
	defer func() {
		if r := fmt.Sprint(recover()); !strings.HasPrefix(r, "boom\n") {
			t.Errorf("it says %q", r)
		}
	}()
	inParallel(10, func(i int) {
		if i == 3 {
			panic("boom")
		}
	})
}

// injecting is a recall with all that only some systems tell.
func injecting() memory.Recall {
	also := memory.Block{
		Where:      "first user message",
		Name:       "system reminder",
		Text:       "one\ntwo\n",
		TokensLow:  2,
		TokensHigh: 4,
		Parts: []memory.Part{
			{
				Name:       "project instructions",
				Path:       "/p/CLAUDE.md",
				Start:      0,
				End:        4,
				TokensLow:  1,
				TokensHigh: 2,
				Note:       "first 1 of 9 lines",
			},
		},
	}
	return memory.Recall{
		Hits: []memory.Hit{
			{
				ID:       "a",
				Title:    "Use pnpm",
				Recalled: true,
				Rank:     1,
				Points:   1.25,
				Why:      "name and description",
				Kind:     "feedback",
			},
			{ID: "b", Title: "Use tabs", Recalled: true, Rank: 2},
			{ID: "c", Title: "Not injected", Rank: 3},
		},
		Limit:    2,
		Found:    3,
		Block:    memory.Block{Where: "system prompt", Name: "memory", Text: "Use pnpm"},
		Also:     []memory.Block{also},
		Estimate: "A model chooses.",
		LastSession: &memory.LastSession{
			Session: "s-1",
			Running: true,
			Source:  "its transcript",
			Blocks:  []memory.Block{also},
			Differs: []memory.Difference{
				{Name: "index", Was: "a\nb\nc", Now: "a\nx\nc"},
				{Name: "rule", Now: "new"},
				{Name: "local", Was: "old"},
			},
		},
	}
}

func TestRecallIsAskedForAPartAFolderAndFiles(t *testing.T) {
	w, lib, _ := machine(t)
	lib.places = lib.places[3:4]
	w.run(t, 0, "recall", "--scope", "main", "--folder", "sub", "--file", "x.go", "--file", "y.go")
	if got := lib.asked; got.Text != "" || got.Scope != "main" || got.Folder != filepath.Join(w.Dir, "sub") ||
		!slices.Equal(got.Files, []string{"x.go", "y.go"}) {
		t.Errorf("it asks for %+v", got)
	}
}

func TestRecallPrintsWhatIsInjectedInOrder(t *testing.T) {
	w, lib, _ := machine(t)
	lib.recall = injecting()
	lib.places = lib.places[3:4]
	out := w.run(t, 0, "recall")
	for _, want := range []string{
		"estimate: A model chooses.\n", "  1  score 1.250  feedback  a  Use pnpm  name and description\n",
		"1  memory in the system prompt: 8 bytes", "| Use pnpm\n", "2  system reminder in the first user message: 8 bytes, about 2 to 4 tokens\n",
		"   1  project instructions: 4 bytes, about 1 to 2 tokens, /p/CLAUDE.md (first 1 of 9 lines)\n", "the exact text: --block 2",
		"the running session (s-1) got 1 text, 8 bytes, according to its transcript\n",
		"  index: had 5 bytes, and has 5 now:\n", "    -b\n    +x\n", "  rule: was missing, and has 3 bytes now\n",
		"  local: had 3 bytes, and is gone\n",
		"preview only: nothing was changed\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
	if strings.Contains(out, "| one") || !strings.Contains(w.run(t, 0, "recall", "--format", "all"), "| one\n| two\n") {
		t.Errorf("all is not for --format all:\n%s", out)
	}
	for name, want := range map[string]string{"2": "one\ntwo\n", "system": "one\ntwo\n", "MEMORY": "Use pnpm"} {
		if out := w.run(t, 0, "recall", "--block", name); out != want {
			t.Errorf("--block %s prints %q", name, out)
		}
	}
	w.run(t, exitNotFound, "recall", "--block", "3")
	w.run(t, exitUsage, "recall", "--block", "1", "--format", "prompt")
}

func TestSearchOfAllStoresKeepsTheBest(t *testing.T) {
	w, lib, _ := machine(t)
	lib.unread = []memory.Unread{{Path: "~/x", Problem: &memory.Problem{What: "It is torn."}}}
	out := w.run(t, 0, "search", "--all", "mkdocs", "docs")
	if n := strings.Count(out, "\n"); n != 5 || !strings.Contains(out, "~/MEMORY.md\taa11\t-\t-\tDeploy the docs\twinnow show --store ~/MEMORY.md aa11\n") {
		t.Errorf("%d lines:\n%s", n, out)
	}
	if s := w.err.String(); !strings.Contains(s, "not searched: ~/x: it is torn\n") {
		t.Errorf("it says %q", s)
	}
	if out := w.run(t, 0, "search", "--all", "--system", "hermes", "mkdocs", "--limit", "1", "--json"); strings.Count(out, `"open": `) != 1 || strings.Count(out, `"matched": 1,`) != 2 {
		t.Errorf("it prints %s", out)
	}
	s, best := searching{limit: 3}, []result(nil)
	for i := range 10 { // stores are read in any order
		best = s.add(best, result{record: memory.Record{Line: i}, store: (i + 7) % 10, score: i / 8})
	}
	var lines []int
	for _, r := range best {
		lines = append(lines, r.record.Line)
	}
	if want := []int{8, 9, 3}; !slices.Equal(lines, want) {
		t.Errorf("the best are %d, want %d: by score, then by store", lines, want)
	}
}
