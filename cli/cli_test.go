package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"winnow/core/memory"
)

// memoryLibrary is a library of one or more stores in memory.
type memoryLibrary struct {
	places []memory.Place
	looked []memory.Looked
	snap   memory.Snapshot
	recall memory.Recall
	asked  memory.Task
	paths  []string
	curating
}

func (s *memoryLibrary) Find(context.Context) memory.Survey {
	return memory.Survey{Places: s.places, Looked: s.looked}
}

func (s *memoryLibrary) FindIn(ctx context.Context, paths []string) memory.Survey {
	s.paths = paths
	return s.Find(ctx)
}

func (s *memoryLibrary) Load(ctx context.Context, id memory.StoreID) (memory.Snapshot, error) {
	snap := s.snap
	snap.Place = s.places[0]
	snap.Total = len(snap.Records)
	return snap, ctx.Err()
}

func (s *memoryLibrary) LoadRecords(ctx context.Context, id memory.StoreID) (memory.Snapshot, error) {
	return s.Load(ctx, id)
}

func (s *memoryLibrary) Describe(id memory.StoreID) (memory.Noun, memory.Description) {
	for _, p := range s.places { // only one of them has lessons
		if p.Store == id && p.System != "karnevil9" && s.snap.Noun.One == "lesson" {
			return memory.Noun{}, memory.Description{}
		}
	}
	return s.snap.Noun, s.snap.Described
}

func (s *memoryLibrary) Summary(ctx context.Context, id memory.StoreID) (memory.Snapshot, error) {
	snap, err := s.Load(ctx, id)
	snap.Records = nil
	snap.Noun, snap.Described = s.Describe(id)
	return snap, err
}

func (s *memoryLibrary) Recall(ctx context.Context, _ memory.StoreID, t memory.Task) (memory.Recall, error) {
	s.asked = t
	r := s.recall
	r.Task = t
	return r, ctx.Err()
}

var noon = time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)

const (
	hostile = "a\x1b]52;c;ZXZpbA==\a b\u202ec\u200bd\tcol\nrow"
	token   = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
)

// standard is a memoryLibrary with one store: a plain record, one with a secret, one
// that is hostile, and a damaged line.
func standard() *memoryLibrary {
	day := func(n int) memory.Moment {
		at := noon.AddDate(0, 0, -n)
		return memory.Moment{Text: at.Format("2006-01-02T15:04:05.000Z"), Time: at}
	}
	title := "Rotate token " + token
	return &memoryLibrary{
		places: []memory.Place{
			{
				Store:  "/s/memory.jsonl",
				System: "karnevil9",
				Path:   "memory.jsonl",
				Why:    "named",
				Exists: true,
				ByPath: true,
			},
		},
		snap: memory.Snapshot{
			Noun:      memory.Noun{One: "lesson", Many: "lessons"},
			Described: lessons(),
			Cap:       100,
			LoadCap:   200,
			Held:      3,
			Unused:    2,
			Size:      99,
			Mode:      0o600,
			ModTime:   noon,
			Records: []memory.Record{
				{
					ID:       "aa11",
					Line:     1,
					Title:    "Deploy the docs",
					Body:     "Completed using mkdocs.",
					Outcome:  memory.Succeeded,
					Tools:    []string{"mkdocs"},
					Session:  "s-1",
					Created:  day(3),
					Used:     day(1),
					Count:    memory.Count{N: 4},
					Raw:      `{"lesson_id":"aa11"}`,
					RawLen:   20,
					Forecast: memory.Forecast{Rank: 3},
				},
				{ID: "aa22", Line: 2, Title: title, Body: "Failed: no", Outcome: memory.Failed, Created: day(20),
					Raw:      `{"t":"` + title + `"}`,
					RawLen:   8 + len(title),
					Flags:    memory.FlagSecret | memory.FlagPrunesSoon,
					Forecast: memory.Forecast{Rank: 1, LeavesAfter: 7, PruneAt: noon.AddDate(0, 0, 10)},
					Secrets: []memory.Secret{
						{Field: memory.InTitle, Start: 13, End: 13 + len(token), Rule: "github-pat"},
						{Field: memory.InRaw, Start: 19, End: 19 + len(token), Rule: "github-pat"},
					}},
				{
					ID:      "bb\x1b33",
					Line:    3,
					Title:   hostile,
					Body:    hostile,
					Outcome: memory.Outcome("\x9bodd\r"),
					Raw:     "\x00\xff",
					RawLen:  2,
					Tools: []string{
						"\x1b[2J",
					},
					Session: "\u202e",
					Count:   memory.Count{Odd: "\"\u202e\""},
					Created: memory.Moment{Text: "when\x07"},
				},
				{ID: "line 4", Line: 4, Raw: "{", RawLen: 1, Flags: memory.FlagDamaged,
					Problem: &memory.Problem{Code: "not-json", What: "This line is not JSON.", Hint: "Look at it."}},
			},
		},
	}
}

// lessons describes the records of a lesson store.
func lessons() memory.Description {
	return memory.Description{ByLine: true, Draft: memory.Draft{TextOnly: true}, FieldNames: []string{
		"lesson_id", "task_summary", "lesson", "outcome", "tool_names", "session_id", "created_at", "last_retrieved_at",
		"relevance_count",
	}}
}

// noHooks is a machine on which no hook failed.
type noHooks struct{ Hooks }

func (noHooks) HookHealth() []memory.Health { return nil }

func (noHooks) AgentSettings(string, bool) (text, note string, err error) { return "", "", nil }

// noSessions is a machine on which no agent kept a session or a journal.
type noSessions struct{ embedded }

type embedded = Sessions

func (noSessions) Evidence(context.Context, memory.StoreID) (map[memory.ID]memory.Evidence, error) {
	return nil, nil
}

func (noSessions) WithUse(_ context.Context, snap memory.Snapshot) memory.Snapshot { return snap }

func (noSessions) Verify(context.Context, memory.StoreID) ([]memory.Health, error) { return nil, nil }

// testEnv is an Env whose output can be read.
type testEnv struct {
	Env
	out, err bytes.Buffer
	started  *Screen
}

func newWorld(lib Library) *testEnv {
	w := &testEnv{}
	w.Env = Env{
		In:      strings.NewReader(""),
		Out:     &w.out,
		Err:     &w.err,
		Library: lib,
		Now:     func() time.Time { return noon },
		Zone:    time.UTC,
		Version: "1.2.3",
		Lookup:  lookup(map[string]string{"NO_COLOR": "1"}), // colours have tests of their own

		Auditing: &fakeAuditor{},
		Fixing:   &fakeAuditor{},
		Copying:  &fakeAuditor{},
		Sessions: noSessions{},
		Plots:    plots{},
		Learning: noLearning{},
		Failing:  noLearning{},
		Hooks:    noHooks{},
	}
	w.Demo = func(context.Context) (Env, func(), error) {
		e := w.Env
		e.Dir = "/demo"
		e.Start = func(ctx context.Context, o Screen) error { o.Paths = []string{e.Dir}; return w.Start(ctx, o) }
		return e, func() {}, nil
	}
	w.ReadOnly = func(e *Env) { e.Library = readOnlyLibrary{lib} }
	w.Start = func(_ context.Context, s Screen) error { w.started = &s; return nil }
	return w
}

// run runs a command and wants an exit status.
func (w *testEnv) run(t *testing.T, want int, args ...string) string {
	t.Helper()
	w.out.Reset()
	w.err.Reset()
	if got := Run(t.Context(), w.Env, args); got != want {
		t.Fatalf("winnow %q: exit status %d, want %d\n%s%s", args, got, want, &w.out, &w.err)
	}
	return w.out.String()
}

// TestOutputHoldsNothingHidden runs every command over a hostile store.
func TestOutputHoldsNothingHidden(t *testing.T) {
	lib := standard()
	lib.snap.Health = []memory.Health{
		{Code: "x", Level: memory.Note, What: hostile, Next: hostile, Lines: []int{3}, Count: 3},
	}
	lib.snap.Writer = hostile
	lib.looked = []memory.Looked{{Where: hostile, Note: hostile}}
	lib.places[0].Path, lib.places[0].Why = "/x/"+hostile, hostile
	lib.makeHostile()
	lib.makeHostileSystem()
	block := memory.Block{Where: hostile, Name: hostile, Text: hostile}
	lib.recall = memory.Recall{
		Words: []memory.Word{{Text: hostile}, {Text: hostile, State: memory.WordShort}}, Block: block, Prompt: block,
		Hits: []memory.Hit{
			{
				ID:       hostile,
				Title:    hostile,
				Body:     hostile,
				Outcome:  hostile,
				ToolHits: []string{hostile},
				Matches:  []memory.Match{{Word: hostile}},
			},
		},
		Notes: []string{hostile}, Empty: hostile, Estimate: hostile, Also: []memory.Block{{
			Where: hostile,
			Name:  hostile,
			Text:  hostile,
			Parts: []memory.Part{{Name: hostile, ID: hostile, Path: hostile, Note: hostile}},
		}},
		LastSession: &memory.LastSession{
			Session: hostile,
			Source:  hostile,
			Blocks:  []memory.Block{block},
			Differs: []memory.Difference{{Name: hostile, Path: hostile, Was: hostile, Now: hostile + "x"}},
		},
	}
	for _, tty := range []int{0, 80} {
		w := newWorld(lib)
		w.Width, w.OutTTY, w.InTTY, w.ErrTTY = tty, tty > 0, tty > 0, true
		for _, args := range [][]string{
			{"list"},
			{"list", "--json"},
			{"list", "deploj"},
			{"show", ":3"},
			{"show", ":3", "--json"},
			{"show", ":1", ":3"},
			{"search", "x"}, {"search", "x", "--json"}, {"recall", "x"}, {"recall", "x", "--json"},
			{"stores"}, {"stores", "--json"}, {"doctor"}, {"doctor", "--json"}, {"--plain"}, {"__complete", "show", ""},
			{"rm", ":3", "--dry-run"},
			{"rm", ":3"},
			{"rm", ":3", "--json"},
			{"rm", ":1", ":3", "--yes"},
			{"edit", ":3", "--set", "lesson=x", "--dry-run"},
			{"edit", ":3", "--set", "lesson=x", "--json"},
			{"history"},
			{"history", "--json"},
			{"history", "1"},
			{"__complete", "undo", ""},
			{"stores", "--long", "--findings"},
			{"search", "--all", "a"},
			{"search", "--all", "a", "--json"},
			{"recall", "x", "--format", "all"},
			{"list", "--across"},
			{"show", ":3", "--store", "odd"},
			{"list", "--store", "odd"},
			{"__complete", "list", "--store", ""},
			{"guard", "--once", "--dry-run"},
			{"guard", "--once", "--json"},
			{"recall", "x", "--commit"},
			{"recall", "x", "--commit", "--json"},
		} {
			out := w.run(t, 0, args...) + w.err.String()
			if i := strings.IndexFunc(out, unseen); i >= 0 {
				t.Errorf("winnow %q prints %q", args, out[max(i-20, 0):min(i+20, len(out))])
			}
		}
	}
	w := newWorld(lib)
	w.OutTTY = true
	for _, format := range []string{"block", "prompt"} {
		if out := w.run(t, 0, "recall", "x", "--format", format); strings.ContainsFunc(out, unseen) {
			t.Errorf("recall --format %s prints %q to a terminal", format, out)
		}
	}
}

// unseen reports whether r must not reach a terminal. Line ends and tabs are ours.
func unseen(r rune) bool {
	return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || strings.ContainsRune("\u202e\u200b", r)
}

func TestSecretsAreMaskedUntilRevealed(t *testing.T) {
	lib := standard()
	mark := memory.Mark{Kind: memory.MarkSecret, Start: 4, End: 4 + len(token)}
	block := memory.Block{Text: "key " + token + "\nend", Marks: []memory.Mark{mark}}
	lib.recall = memory.Recall{Block: block, Prompt: block, Hits: []memory.Hit{{
		ID: "aa22", Title: lib.snap.Records[1].Title, Secrets: lib.snap.Records[1].Secrets, Recalled: true,
	}}}
	w := newWorld(lib)
	for _, args := range [][]string{
		{"list"}, {"list", "--json"}, {"show", "aa22"}, {"show", "aa22", "--json"},
		{"search", "x"}, {"search", "x", "--json"}, {"recall", "x"}, {"recall", "x", "--json"},
	} {
		if out := w.run(t, 0, args...); strings.Contains(out, token) || !strings.Contains(out, "ghp_****") {
			t.Errorf("winnow %q does not mask:\n%s", args, out)
		}
		if out := w.run(t, 0, append(args, "--reveal")...); !strings.Contains(out, token) {
			t.Errorf("winnow %q --reveal does not show the secret:\n%s", args, out)
		}
	}
	for _, args := range [][]string{{"--plain"}, {"__complete", "show", "aa2"}} {
		if out := w.run(t, 0, args...); strings.Contains(out, token) || !strings.Contains(out, "Rotate token") {
			t.Errorf("winnow %q does not mask:\n%s", args, out)
		}
	}
	w.OutTTY, w.Width = true, 80
	if out := w.run(t, 0, "recall", "x", "--format", "block"); strings.Contains(out, token) {
		t.Errorf("a block on a terminal is not masked:\n%s", out)
	}
	if out := w.run(t, 0, "show", "--raw", "aa22"); strings.Contains(out, token) {
		t.Errorf("raw bytes on a terminal are not masked:\n%s", out)
	}
}

func TestPathsAreToldFromCommands(t *testing.T) {
	for _, c := range []struct {
		args   []string
		there  bool
		paths  []string // nil when nothing is opened
		status int
	}{
		{args: nil, paths: []string{}},
		{args: []string{"sessions/memory.jsonl"}, paths: []string{"sessions/memory.jsonl"}},
		{args: []string{"memory.jsonl", "other"}, paths: []string{"memory.jsonl", "other"}},
		{args: []string{"folder"}, there: true, paths: []string{"folder"}},
		{args: []string{"--", "list"}, paths: []string{"list"}},
		{args: []string{"--", "-x"}, paths: []string{"-x"}},
		{args: []string{"./list"}, paths: []string{"./list"}},
		{args: []string{"--store", "a", "b/c"}, paths: []string{"a", "b/c"}},
		{args: []string{"lsit"}, status: exitNotFound},
		{args: []string{"list"}},
		{args: []string{"--demo"}, paths: []string{"/demo"}},
		{args: []string{"--demo", "x/y"}, status: exitUsage},
		{args: []string{"--theme", "pink"}, status: exitUsage},
		{args: []string{"--nonsense"}, status: exitUsage},
	} {
		w := newWorld(standard())
		w.InTTY, w.OutTTY = true, true
		t.Chdir(t.TempDir())
		if c.there {
			if err := os.Mkdir("folder", 0o700); err != nil {
				t.Fatal(err)
			}
		}
		w.run(t, c.status, c.args...)
		switch {
		case c.paths == nil && w.started != nil:
			t.Errorf("winnow %q opens %q, want no screens", c.args, w.started.Paths)
		case c.paths != nil && (w.started == nil || strings.Join(w.started.Paths, "|") != strings.Join(c.paths, "|")):
			t.Errorf("winnow %q opens %+v, want %q", c.args, w.started, c.paths)
		}
	}
}

func TestMistypedCommandIsNamed(t *testing.T) {
	w := newWorld(standard())
	w.run(t, exitNotFound, "lsit")
	if want := "winnow: lsit is neither a command nor a file or folder here\nhint: did you mean: winnow edit, winnow list\n"; w.err.String() != want {
		t.Errorf("it says %q, want %q", w.err.String(), want)
	}
}

func TestScreensWantATerminal(t *testing.T) {
	w := newWorld(standard())
	w.run(t, exitUsage)
	if w.started != nil || !strings.Contains(w.err.String(), "hint: print the records instead: winnow list") {
		t.Errorf("it says %q", &w.err)
	}
}

func TestTerminalsThatCannotDrawGetLines(t *testing.T) {
	for variable, value := range map[string]string{"TERM": "dumb", "ACCESSIBLE": "1", "WINNOW_PLAIN": "1"} {
		w := newWorld(standard())
		w.InTTY, w.OutTTY = true, true
		w.Lookup = func(name string) (string, bool) { return value, name == variable }
		w.run(t, 0)
		if w.started == nil || !w.started.Plain {
			t.Errorf("%s=%s opens %+v", variable, value, w.started)
		}
	}
}

func TestPlainWithoutAnInputIsAList(t *testing.T) {
	w := newWorld(standard())
	w.OutTTY = true
	out := w.run(t, 0, "--plain")
	if w.started != nil || !strings.Contains(out, "1. Deploy the docs (succeeded, recalled 4 times, 3d old)\n") {
		t.Errorf("it prints %s", out)
	}
	if !strings.Contains(out, ", secret, expires)\n") {
		t.Errorf("the flags are no words in %s", out)
	}
}

func TestSeveralStoresAreRefusedOrAskedBeforeAChange(t *testing.T) {
	lib := standard()
	lib.places = append(
		lib.places,
		memory.Place{
			Store:  "/s/other",
			System: "karnevil9",
			ByPath: true,
			Path:   "other.jsonl",
			Why:    "found",
			Exists: true,
		},
	)
	w := newWorld(lib)
	add := []string{"add", "--set", "lesson=x"}
	w.run(t, exitUsage, add...)
	if s := w.err.String(); !strings.Contains(
		s,
		"2 stores were found\n  memory.jsonl\n  other.jsonl\nhint: name one with --store PATH",
	) {
		t.Errorf("it says %q", s)
	}
	w.InTTY, w.ErrTTY = true, true
	w.In = strings.NewReader("2\n")
	w.run(t, 0, append(add, "--json")...)
	if got := lib.applied[0].Store; got != "/s/other" {
		t.Errorf("%s was changed", got)
	}
	if !strings.Contains(w.err.String(), "  2  other.jsonl  (found)\nWhich one (1-2)?") {
		t.Errorf("it asks %q", &w.err)
	}
	w.In = strings.NewReader("3\n")
	w.run(t, exitUsage, add...)
	w.In = strings.NewReader("2\n")
	w.run(t, exitUsage, "add", "-")
}

// TestLookingAsksNothing, and covers all stores of the project under one heading each, on a terminal too.
func TestLookingAsksNothing(t *testing.T) {
	lib := standard()
	lib.places = append(
		lib.places,
		memory.Place{Store: "/s/other", System: "karnevil9", ByPath: true, Path: "other.jsonl", Exists: true},
	)
	for _, args := range [][]string{
		{"list"},
		{"show", "aa11"},
		{"recall", "deploy"},
		{"doctor"},
		{"stats"},
		{"search", "deploy", "--tool", "x"},
		{"history"},
	} {
		w := newWorld(lib)
		w.InTTY, w.ErrTTY, w.OutTTY, w.Width = true, true, true, 80
		status := Run(t.Context(), w.Env, args)
		out := w.out.String()
		for _, heading := range []string{"# KarnEvil9  --store memory.jsonl\n", "# KarnEvil9  --store other.jsonl\n"} {
			if strings.Count(out, heading) != 1 || status == exitUsage || strings.Contains(w.err.String(), "Which") {
				t.Errorf("winnow %q: %d, %q is missing in %s%s", args, status, heading, out, &w.err)
			}
		}
	}
}

func TestNoStoreSaysWhereWasLooked(t *testing.T) {
	lib := &memoryLibrary{looked: []memory.Looked{{Where: "sessions/memory.jsonl", Note: "does not exist"}}}
	for _, args := range [][]string{
		{"list"},
		{"show", "x"},
		{"search", "x"},
		{"recall", "x"},
		{"doctor"},
		{"--plain"},
		{"stores"},
	} {
		w := newWorld(lib)
		out := w.run(t, exitNotFound, args...) + w.err.String()
		if !strings.Contains(out, "looked at sessions/memory.jsonl") || !strings.Contains(out, "hint: ") {
			t.Errorf("winnow %q says %q", args, out)
		}
	}
}

func TestUnreadableStoreHasItsSentence(t *testing.T) {
	for code, status := range map[string]int{"missing": exitNotFound, "folder": exitFailure} {
		lib := standard()
		lib.snap.Problem = &memory.Problem{Code: code, What: "This is no file.", Hint: "do this"}
		hint := "do this"
		if code == "missing" {
			hint = "list the stores: winnow stores"
		}
		for _, args := range [][]string{{"list"}, {"show", "x"}, {"doctor"}} {
			w := newWorld(lib)
			w.run(t, status, args...)
			if want := "winnow: open memory.jsonl: this is no file\nhint: " + hint + "\n"; w.err.String() != want {
				t.Errorf("winnow %q says %q, want %q", args, &w.err, want)
			}
		}
	}
}

func TestEmptyStoreIsNoFailure(t *testing.T) {
	lib := standard()
	lib.snap = memory.Snapshot{Problem: &memory.Problem{Code: "empty", What: "There are no lessons here yet."}}
	w := newWorld(lib)
	if out := w.run(t, 0, "list"); out != "" || w.err.String() != "There are no lessons here yet.\n" {
		t.Errorf("list prints %q, %q", out, &w.err)
	}
	if out := w.run(t, 0, "list", "--json"); !strings.Contains(out, `"records": []`) {
		t.Errorf("list --json prints %s", out)
	}
	if out := w.run(t, 0, "doctor"); out != "memory.jsonl: 0 records\nnote  There are no lessons here yet.\n" {
		t.Errorf("doctor prints %q", out)
	}
	w.run(t, exitNotFound, "show", "x")
}

func TestShowTakesTheBeginningOfAnID(t *testing.T) {
	w := newWorld(standard())
	for arg, want := range map[string]string{
		"aa1":      "aa11",
		"aa22":     "aa22",
		":3":       "bb<ESC>33",
		"bb<ESC>3": "bb<ESC>33",
		"line":     "line 4",
		":4":       "line 4",
	} {
		if out := w.run(t, 0, "show", arg); !strings.HasPrefix(out, "id        "+want+"\n") {
			t.Errorf("show %s prints %q, want %s", arg, out, want)
		}
	}
	w.run(t, exitUsage, "show", "aa")
	if !strings.Contains(w.err.String(), "2 ids begin with this\n  aa11\n  aa22\n") {
		t.Errorf("it says %q", &w.err)
	}
	w.run(t, exitNotFound, "show", "zz")
	w.run(t, exitUsage, "show")
	w.run(t, exitUsage, "show", "")
}

func TestRawIsTheStoredBytes(t *testing.T) {
	w := newWorld(standard())
	if out := w.run(t, 0, "show", "--raw", ":3", "aa11"); out != "\x00\xff\n{\"lesson_id\":\"aa11\"}\n" {
		t.Errorf("it prints %q", out)
	}
	w.OutTTY, w.Width = true, 80
	if out := w.run(t, 0, "show", "--raw", ":3"); out != "<NUL><0xFF>\n" {
		t.Errorf("it prints %q to a terminal", out)
	}
}

func TestBlockAndPromptAreExact(t *testing.T) {
	lib := standard()
	lib.recall = memory.Recall{
		Block:  memory.Block{Text: "## P\n" + hostile},
		Prompt: memory.Block{Text: "x\xed\xa0\xbdy " + token},
	}
	w := newWorld(lib)
	if out := w.run(t, 0, "recall", "x", "--format", "block"); out != "## P\n"+hostile || w.err.Len() > 0 {
		t.Errorf("it prints %q, %q", out, &w.err)
	}
	if out := w.run(t, 0, "recall", "x", "--format", "prompt"); out != "x\uFFFDy "+token {
		t.Errorf("it prints %q", out)
	}
}

func TestTaskComesFromOnePlace(t *testing.T) {
	lib := standard()
	for _, c := range []struct {
		args   []string
		in     string
		want   string
		status int
	}{
		{args: []string{"recall", "fix", "the  docs"}, want: "fix the  docs"},
		{args: []string{"recall", "--task", "fix"}, want: "fix"},
		{args: []string{"recall", "--task", ""}, want: ""},
		{args: []string{"recall", "-"}, in: "from\nstdin\n", want: "from\nstdin\n"},
		{args: []string{"search", "-"}, in: "\n", want: "\n"},
		{args: []string{"recall", "--task", "-"}, in: "x", want: "x"},
		{args: []string{"recall"}, status: exitUsage},
		{args: []string{"search"}, status: exitUsage},
		{args: []string{"recall", "--task", "a", "b"}, status: exitUsage},
		{args: []string{"recall", "--mode", "both", "x"}, status: exitUsage},
		{args: []string{"recall", "--format", "xml", "x"}, status: exitUsage},
		{args: []string{"recall", "--dry-run", "x"}, status: exitUsage},
	} {
		lib.asked = memory.Task{Text: "nothing"}
		w := newWorld(lib)
		w.In = strings.NewReader(c.in)
		w.run(t, c.status, c.args...)
		if c.status == 0 && lib.asked.Text != c.want {
			t.Errorf("winnow %q asks for %q, want %q", c.args, lib.asked.Text, c.want)
		}
		if c.status != 0 && lib.asked.Text != "nothing" {
			t.Errorf("winnow %q asks for %q, want no recall", c.args, lib.asked.Text)
		}
	}
}

func TestStopHasItsExitStatus(t *testing.T) {
	lib := standard()
	lib.recall = memory.Recall{
		Stop: &memory.Problem{
			Code: "no-text",
			What: "the agent would stop here, because line 3 has no lesson",
			Hint: "delete it",
		},
	}
	w := newWorld(lib)
	for _, args := range [][]string{
		{"search", "x"},
		{"recall", "x"},
		{"recall", "x", "--format", "prompt"},
		{"recall", "x", "--json"},
	} {
		w.run(t, exitStops, args...)
		if want := "winnow: the agent would stop here, because line 3 has no lesson\nhint: delete it\n"; w.err.String() != want {
			t.Errorf("winnow %q says %q, want %q", args, &w.err, want)
		}
	}
}

func TestDoctorTellsByItsExitStatus(t *testing.T) {
	for level, status := range map[memory.Level]int{
		memory.Good: 0,
		memory.Note: 0,
		memory.Warn: exitUnwell,
		memory.Stop: exitUnwell,
	} {
		lib := standard()
		lib.snap.Health = []memory.Health{
			{Code: "c", Level: level, What: "w", Next: "n", Lines: []int{1, 2}, Count: 7},
			{Code: "d", What: "fine"},
		}
		w := newWorld(lib)
		if out := w.run(t, status, "doctor"); !strings.Contains(out, level.String()) ||
			!strings.Contains(out, "w (line 1, 2 and 5 more)\n      next: n\n") {
			t.Errorf("it prints %s", out)
		}
		if out := w.run(t, status, "doctor", "--json"); !strings.Contains(out, `"worst": "`+level.String()+`"`) {
			t.Errorf("it prints %s", out)
		}
	}
}

// closing is a pipe whose reader has gone.
type closing struct{ err error }

func (c closing) Write([]byte) (int, error) { return 0, c.err }

func TestClosedPipeIsSilent(t *testing.T) {
	for _, c := range []struct {
		err    error
		status int
		said   string
	}{
		{syscall.EPIPE, 0, ""},
		{io.ErrClosedPipe, 0, ""},
		{errors.New("disk full"), exitFailure, "winnow: write output: disk full\n"},
	} {
		for _, args := range [][]string{
			{"list"},
			{"list", "--json"},
			{"show", "aa11"},
			{"stores"},
			{"doctor"},
			{"search", "x"},
			{"man"},
		} {
			w := newWorld(standard())
			w.Out = closing{c.err}
			w.run(t, c.status, args...)
			if w.err.String() != c.said {
				t.Errorf("winnow %q with %v says %q, want %q", args, c.err, &w.err, c.said)
			}
		}
	}
}

func TestInterruptEndsAWaitForInput(t *testing.T) {
	in, hold := io.Pipe()
	defer hold.Close()
	w := newWorld(standard())
	w.In = in
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := Run(ctx, w.Env, []string{"recall", "-"}); got != exitBroken || w.err.Len() > 0 {
		t.Errorf("exit status %d, want %d; it says %q", got, exitBroken, &w.err)
	}
}

func TestListSortsLimitsAndFilters(t *testing.T) {
	w := newWorld(standard())
	ids := func(args ...string) string {
		var got []string
		for line := range strings.Lines(w.run(t, 0, append([]string{"list"}, args...)...)) {
			id, _, _ := strings.Cut(line, "\t")
			got = append(got, id)
		}
		return strings.Join(got, " ")
	}
	for args, want := range map[string]string{
		"outcome:failed": "aa22", "docs": "aa11", "--limit 1": "aa11", "--sort rel --desc --limit 1": "aa11",
		"--desc --limit 1": "line 4",
		"flag:x":           "line 4", "nosuchthing:1 zzzz": "",
	} {
		if got := ids(strings.Fields(args)...); got != want {
			t.Errorf("list %s prints %q, want %q", args, got, want)
		}
	}
	for _, args := range [][]string{{"list", "--sort", "colour"}, {"list", "--limit", "-1"}, {"list", "rel:x"}} {
		w.run(t, exitUsage, args...)
	}
}

func TestShortIDNamesItsRecord(t *testing.T) {
	for id, want := range map[memory.ID]string{
		"7f3c9a10-b21e": "7f3c9a10", "a1": "a1      ", "日本語日本語": "日本語日", "x\x1by": "x<ESC>y ",
	} {
		if got := shortID(id); got != want {
			t.Errorf("%q is printed as %q, want %q", id, got, want)
		}
	}
}

func TestLongListOfStoresIsCut(t *testing.T) {
	lib := standard()
	for i := range 30 {
		lib.places = append(
			lib.places,
			memory.Place{
				Store:  memory.StoreID(fmt.Sprint(i)),
				System: "karnevil9",
				ByPath: true,
				Path:   fmt.Sprintf("s%d", i),
				Exists: true,
			},
		)
	}
	w := newWorld(lib)
	w.run(t, exitUsage, "add", "--set", "lesson=x")
	if s := w.err.String(); !strings.Contains(s, "\n  s18\n  and 11 more; winnow stores lists them\nhint: ") {
		t.Errorf("it says %s", s)
	}
}

func TestLongJSONListIsTheSameAsAWholeOne(t *testing.T) {
	w := newWorld(standard())
	for _, args := range [][]string{
		{"list", "--json"},
		{"list", "--json", "--limit", "1"},
		{"list", "--json", "nothingisso:1 zz"},
	} {
		var v any
		out := w.run(t, 0, args...)
		if err := json.Unmarshal([]byte(out), &v); err != nil {
			t.Fatalf("%q prints %s: %v", args, out, err)
		}
		var whole bytes.Buffer
		if err := json.Indent(&whole, []byte(out), "", "  "); err != nil || whole.String() != out {
			t.Errorf("%q prints %s, want it indented as %s (%v)", args, out, &whole, err)
		}
	}
}
