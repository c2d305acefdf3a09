package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"testing"

	"winnow/cli/output"
	"winnow/core/memory"
)

// writing are the commands that change a store, with arguments that one change.
func writing() []string {
	return []string{
		"rm aa11", "edit aa11 --set lesson=x", "add --set task_summary=x", "merge aa11 aa22", "pin aa11", "unpin aa11",
		"prune --unused", "repair", "repair aa11", "redact aa11", "undo", "redo", "restore 3", "recall x --commit",
		"guard --once --reapply", "guard --once --accept", "guard --once --always",
	}
}

func TestOrdersFollowTheArguments(t *testing.T) {
	for args, want := range map[string]string{
		"rm aa1":                              "delete aa11",
		"rm :2 aa11 aa11 --yes":               "delete aa22 aa11",
		"rm --filter outcome:failed":          "delete aa22",
		"rm -":                                "delete aa22",
		"pin aa11":                            "pin aa11",
		"unpin aa11":                          "unpin aa11",
		"redact aa11 --yes":                   "redact aa11",
		"repair":                              "repair",
		"repair :4":                           "repair line 4",
		"undo":                                "undo",
		"redo":                                "redo",
		"restore 3":                           "restore",
		"restore 3 gone":                      "restore gone-1",
		"restore 3 aa22":                      "restore aa22",
		"merge aa11 aa22 --yes":               "merge aa11 aa22",
		"edit aa11 --set lesson=x":            "edit aa11",
		"add --set task_summary=x":            "add",
		"prune --unused --older 30d":          "prune",
		"prune --filter outcome:failed":       "prune aa22",
		"recall --commit x":                   "commit",
		"guard --once --always":               "always, reapply",
		"rm --filter outcome:nosuch":          "",
		"prune --filter zzzz":                 "",
		"rm --filter dply --yes":              "", // only looks like deploy
		"rm --filter 'x' aa11 --dry-run=true": "usage",
	} {
		w := newWorld(standard())
		lib := w.Library.(*memoryLibrary)
		lib.past = memory.History{Entries: []memory.Entry{{ID: "3", Changes: []memory.Change{{ID: "gone-1"}}}}}
		w.In = strings.NewReader("aa22\n\n")
		status := 0
		if want == "usage" {
			status, want = exitUsage, ""
		}
		w.run(t, status, strings.Fields(args)...)
		if lib.said() != want {
			t.Errorf("winnow %s orders %q, want %q", args, lib.said(), want)
		}
	}
}

func TestRulesAndEntriesReachTheOrder(t *testing.T) {
	for args, want := range map[string]memory.Order{
		"prune --unused --older 30d": {Do: memory.Prune, Rule: memory.Rule{Unused: true, Days: 30}},
		"prune --unused --older 4w":  {Do: memory.Prune, Rule: memory.Rule{Unused: true, Days: 28}},
		"prune --failed":             {Do: memory.Prune, Rule: memory.Rule{Failed: true}},
		"prune --keep 60":            {Do: memory.Prune, Rule: memory.Rule{Keep: 60}},
		"prune --idle 20":            {Do: memory.Prune, Rule: memory.Rule{Idle: 20}},
		"prune --older 30d":          {Do: memory.Prune, Rule: memory.Rule{Days: 30}},
		"prune --flagged stale,twice": {
			Do: memory.Prune, Rule: memory.Rule{Flag: memory.FlagNamesGone | memory.FlagSimilar},
		},
		"undo 12":    {Do: memory.Undo, Entry: "12"},
		"redo 12":    {Do: memory.Redo, Entry: "12"},
		"restore 12": {Do: memory.Restore, Entry: "12"},
	} {
		w := newWorld(standard())
		w.run(t, 0, strings.Fields(args)...)
		if got := w.Library.(*memoryLibrary).orders; len(got) != 1 || fmt.Sprint(got[0]) != fmt.Sprint(want) {
			t.Errorf("winnow %s orders %v, want %v", args, got, want)
		}
	}
}

func TestWrongUseOrdersNothing(t *testing.T) {
	for _, args := range [][]string{
		{"rm"},
		{"rm", ""},
		{"rm", "aa"},
		{"rm", "--filter", ""},
		{"rm", "--filter", "rel:x"},
		{"rm", "aa11", "--filter", "x"},
		{"prune"},
		{"prune", "--unused", "--failed"},
		{"prune", "--older", "30d", "--idle", "3"},
		{"prune", "--idle", "0"},
		{"prune", "--keep", "0"},
		{"prune", "--keep", "-3"},
		{"prune", "--unused", "--older", "soon"},
		{"prune", "--unused", "--older", "-1d"},
		{"prune", "--unused", "--older", "3dw"},
		{"prune", "aa11"},
		{"edit"}, {"edit", "aa11", "aa22"}, {"edit", "aa11", "--set", "lesson"}, {"edit", "aa11", "--set", "id=x"},
		{"edit", "aa11", "--set", "lesson=x", "--set", "lesson=y"}, {"edit", "aa11", "--set", "relevance_count=-1"},
		{"edit", "aa11", "--set", "lesson=x", "--raw", "{}"}, {"edit", "aa11", "--set", "tool_names=[1"},
		{"add", "x"},
		{"add", "-", "--set", "lesson=x"},
		{"merge", "aa11"},
		{"merge", "aa11", "aa11"},
		{"merge", "aa11", "aa22", "--set", "x"},
		{"show", "aa11", "--raw", "--json"}, {"add", "--set", "lesson=x", "--form", "-"},
		{"restore"}, {"undo", "1", "2"}, {"undo", ""}, {"history", "--purge", "3"},
		{"guard", "--reapply", "--accept"},
		{"guard", "--only", "aa11"},
		{"guard", "x", "--store", "y"},
		{"guard", "--dry-run"},
	} {
		w := newWorld(standard())
		w.run(t, exitUsage, args...)
		if lib := w.Library.(*memoryLibrary); len(lib.orders) > 0 || w.err.Len() == 0 {
			t.Errorf("winnow %q orders %v and says %q", args, lib.orders, &w.err)
		}
	}
}

func TestMoreThanOneChangeIsAskedAbout(t *testing.T) {
	for _, c := range []struct {
		args, in string
		tty      bool
		arrange  func(*memoryLibrary)
		status   int
		applied  int
		asked    string
	}{
		{args: "rm aa11", applied: 1},
		{args: "rm aa11 aa22", status: exitUsage},
		{args: "rm aa11 aa22 --yes", applied: 1},
		{args: "rm aa11 aa22", tty: true, in: "y\n", applied: 1, asked: "Delete 2 lessons? [y/N] "},
		{args: "rm aa11 aa22", tty: true, in: "\n", status: exitFailure, asked: "Delete 2 lessons? [y/N] "},
		{args: "rm aa11 aa22", tty: true, in: "", status: exitFailure, asked: "[y/N] "},
		{args: "rm -", tty: true, in: "aa11\naa22\n", status: exitUsage},
		{args: "rm aa11", arrange: pinFirst, status: exitUsage},
		{
			args:    "rm aa11",
			arrange: pinFirst,
			tty:     true,
			in:      "yes\n",
			applied: 1,
			asked:   "Delete 1 lesson, which is pinned? [y/N] ",
		},
		{
			args:    "rm aa11 aa22",
			arrange: pinFirst,
			tty:     true,
			in:      "y\n",
			applied: 1,
			asked:   "Delete 2 lessons, 1 of them pinned? [y/N] ",
		},
		{args: "unpin aa11", arrange: pinFirst, applied: 1},
		{args: "pin aa11 aa22", applied: 1},
		{args: "redact aa11", arrange: keepNoCopy, status: exitUsage},
		{
			args:    "redact aa11",
			arrange: keepNoCopy,
			tty:     true,
			in:      "y\n",
			applied: 1,
			asked:   "Redact 1 lesson, keeping no copy? [y/N] ",
		},
		{args: "merge aa11 aa22", tty: true, in: "y\n", applied: 1, asked: "Merge 2 lessons? [y/N] "},
		{args: "recall x --commit", applied: 1},
		{args: "history --purge", status: exitUsage},
		{args: "history --purge", tty: true, in: "n\n", status: exitFailure, asked: "Empty the history of memory.jsonl for good (0 entries, 0 bytes)? [y/N] "},
	} {
		w := newWorld(standard())
		lib := w.Library.(*memoryLibrary)
		if c.arrange != nil {
			c.arrange(lib)
		}
		w.In, w.InTTY, w.ErrTTY = strings.NewReader(c.in), c.tty, c.tty
		w.run(t, c.status, strings.Fields(c.args)...)
		if len(lib.applied) != c.applied || !strings.Contains(w.err.String(), c.asked) || lib.purged {
			t.Errorf(
				"winnow %s applies %d plans, want %d; it says %q, want %q",
				c.args,
				len(lib.applied),
				c.applied,
				&w.err,
				c.asked,
			)
		}
		if c.status == exitUsage && !strings.Contains(w.err.String(), "hint: add --yes\n") {
			t.Errorf("winnow %s says %q", c.args, &w.err)
		}
	}
}

func pinFirst(s *memoryLibrary)   { s.snap.Records[0].Flags |= memory.FlagPinned }
func keepNoCopy(s *memoryLibrary) { s.final = true }

func TestQuestionShowsThePlan(t *testing.T) {
	w := newWorld(standard())
	w.In, w.InTTY, w.ErrTTY = strings.NewReader("n\n"), true, true
	lib := w.Library.(*memoryLibrary)
	lib.kept = []memory.Kept{{Record: lib.snap.Records[0], Why: "pinned"}}
	lib.notes = []string{"An agent then holds 1."}
	w.run(t, exitFailure, "rm", "aa11", "aa22")
	want := `Delete 2 lessons in memory.jsonl
  delete  aa11      Deploy the docs
  delete  aa22      Rotate token ghp_************
Kept although they match: 1
  aa11      Deploy the docs (pinned)
note: An agent then holds 1.
Delete 2 lessons? [y/N] winnow: rm: not confirmed, and nothing was changed
`
	if w.err.String() != want {
		t.Errorf("it says\n%s, want\n%s", &w.err, want)
	}
}

func TestDryRunChangesNothing(t *testing.T) {
	for _, args := range writing() {
		for _, more := range []string{" --dry-run", " --dry-run --json", " --dry-run --readonly"} {
			w := newWorld(standard())
			lib := w.Library.(*memoryLibrary)
			out := w.run(t, 0, strings.Fields(args+more)...)
			if len(lib.applied) > 0 || strings.HasPrefix(args, "rm") && !strings.Contains(out, "aa11") {
				t.Errorf("winnow %s%s applies %v and prints %q", args, more, lib.applied, out)
			}
		}
	}
}

func TestReadOnlyRefusesWhatWrites(t *testing.T) {
	for _, args := range append(writing(), "history --purge --yes", "guard --reapply", "add -") {
		w := newWorld(standard())
		lib := w.Library.(*memoryLibrary)
		out := w.run(t, exitUsage, strings.Fields(args+" --readonly")...)
		if len(lib.applied) > 0 || lib.purged || out != "" ||
			!strings.Contains(w.err.String(), "--readonly forbids changing a store") {
			t.Errorf("winnow %s --readonly applies %v and says %q, %q", args, lib.applied, out, &w.err)
		}
		if planned := strings.Contains(w.err.String(), "--dry-run"); planned == strings.HasPrefix(args, "history") {
			t.Errorf("winnow %s --readonly hints at --dry-run: %v", args, planned)
		}
	}
	for _, args := range []string{"list", "show aa11", "recall x", "history", "guard --once", "doctor"} {
		w := newWorld(standard())
		w.run(t, 0, strings.Fields(args+" --readonly")...)
	}
}

func TestReadOnlyReachesTheScreensAndTheLibrary(t *testing.T) {
	w := newWorld(standard())
	w.InTTY, w.OutTTY = true, true
	w.run(t, 0, "--readonly")
	if w.started == nil || !w.started.ReadOnly {
		t.Errorf("the screens are opened with %+v", w.started)
	}
	asked := 0
	w.ReadOnly = func(e *Env) { asked++; e.Library = readOnlyLibrary{w.Library} }
	w.run(t, 0, "list")
	w.run(t, 0, "list", "--readonly")
	if asked != 1 {
		t.Errorf("the library that only reads is asked for %d times, want once", asked)
	}
}

func TestCheckRefusesWithItsOwnStatus(t *testing.T) {
	text := "read " + token + " \u200b and more, which goes on for a while"
	at := strings.Index(text, "\u200b")
	for _, args := range []string{
		"edit aa11 --set lesson=x",
		"edit aa11 --set lesson=x --dry-run",
		"add --set task_summary=x",
		"merge aa11 aa22 --yes",
	} {
		w := newWorld(standard())
		lib := w.Library.(*memoryLibrary)
		lib.findings = []memory.Finding{
			{ID: "aa11", Field: "lesson", Rule: "hidden-text", What: "It hides.", Text: text, Start: at, End: at + 3},
		}
		out := w.run(t, exitRefused, strings.Fields(args)...)
		op, _, _ := strings.Cut(args, " ")
		want := "winnow: " + op + ": the check refuses the text, and nothing was changed\n" +
			"  hidden-text in lesson: read [REDACTED] [<U+200B>] and more, which goes on for a.. (It hides.)\n"
		if said := w.err.String(); !strings.HasPrefix(said, want) ||
			!strings.HasSuffix(
				said,
				"hint: correct it, or store it as it is with --allow hidden-text\n",
			) || len(lib.applied) > 0 || out != "" {
			t.Errorf("winnow %s says %q, want %q", args, said, want)
		}
		if out := w.run(t, exitRefused, append(strings.Fields(args), "--json")...); !strings.Contains(
			out,
			`"rule": "hidden-text"`,
		) ||
			strings.Contains(out, token) {
			t.Errorf("winnow %s --json prints %s", args, out)
		}
	}
	w := newWorld(standard())
	w.run(t, 0, "edit", "aa11", "--set", "lesson=x", "--allow", "hidden-text", "--allow", "breakout-heading")
	if o := w.Library.(*memoryLibrary).orders[0]; strings.Join(o.Allow, "|") != "hidden-text|breakout-heading" {
		t.Errorf("allowed is %q", o.Allow)
	}
}

func TestConflictShowsBothAndHasItsOwnStatus(t *testing.T) {
	w := newWorld(standard())
	lib := w.Library.(*memoryLibrary)
	theirs := lib.snap.Records[0]
	theirs.Body, theirs.Raw = "theirs", `{"x":1}`
	lib.applyErr = memory.ErrConflict
	lib.result = memory.Result{
		Changes: []memory.Applied{{ID: "aa11", Fate: memory.Refused, Theirs: theirs.Raw, TheirRecord: theirs}},
	}
	w.run(t, exitConflict, "edit", "aa11", "--set", "lesson=changed")
	want := `winnow: edit: another writer changed the same record, and nothing was changed
  aa11
    yours   lesson: changed
    theirs  lesson: theirs
    yours   relevance_count: 5
    theirs  relevance_count: 4
hint: look at their text with winnow show, and repeat what you still want
`
	if w.err.String() != want {
		t.Errorf("it says\n%s, want\n%s", &w.err, want)
	}
	if out := w.run(t, exitConflict, "edit", "aa11", "--set", "lesson=changed", "--json"); !strings.Contains(
		out,
		`"fate": "conflict"`,
	) {
		t.Errorf("it prints %s", out)
	}
}

func TestErrorsOfTheLibraryHaveTheirStatusAndHint(t *testing.T) {
	for _, c := range []struct {
		err    error
		status int
		said   string
	}{
		{
			&memory.Problem{Code: "no-space", What: "There is no space left.", Hint: "make room"},
			exitFailure,
			"winnow: rm: there is no space left\nhint: make room\n",
		},
		{
			fmt.Errorf("write x: %w", &memory.Problem{What: "It is full."}),
			exitFailure,
			"winnow: rm: write x: it is full\n",
		},
		{fmt.Errorf("undo: %w", memory.ErrNothing), exitNotFound, "winnow: rm: undo: nothing to do\nhint: see what was done: winnow history\n"},
		{fmt.Errorf("entry 9: %w", memory.ErrNotFound), exitNotFound, "winnow: rm: entry 9: not found\nhint: list the records: winnow list, or the entries: winnow history\n"},
		{fmt.Errorf("rm aa11: %w", memory.ErrNotFound), exitNotFound, "winnow: rm aa11: not found\nhint: list the records: winnow list, or the entries: winnow history\n"},
		{errors.New("boom"), exitFailure, "winnow: rm: boom\n"},
		{fs.ErrNotExist, exitNotFound, "winnow: rm: file does not exist\nhint: list the stores: winnow stores\n"},
	} {
		for _, at := range []string{"plan", "apply"} {
			w := newWorld(standard())
			lib := w.Library.(*memoryLibrary)
			if at == "plan" {
				lib.planErr = c.err
			} else {
				lib.applyErr = c.err
			}
			if out := w.run(t, c.status, "rm", "aa11"); out != "" || w.err.String() != c.said {
				t.Errorf("with %v of %s it prints %q and says %q, want %q", c.err, at, out, &w.err, c.said)
			}
		}
	}
}

func TestWhatBecameOfEachChangeIsTold(t *testing.T) {
	w := newWorld(standard())
	lib := w.Library.(*memoryLibrary)
	lib.what = "Deleted 2 lessons"
	lib.kept = []memory.Kept{{Record: memory.Record{ID: "k", Title: "Kept"}, Why: "pinned"}}
	lib.result = memory.Result{Entry: "12", Adopted: 1, Notes: []string{"No exchange here."}, Changes: []memory.Applied{
		{ID: "aa11", Fate: memory.Merged}, {ID: "aa22", Fate: memory.Gone},
	}}
	out := w.run(t, 0, "rm", "aa11", "aa22", "--yes")
	if want := "merged\tdelete\taa11\tDeploy the docs\t-\ngone\tdelete\taa22\tRotate token ghp_************\t-\nkept\t-\tk\tKept\tpinned\n"; out != want {
		t.Errorf("it prints %q, want %q", out, want)
	}
	if want := "note: No exchange here.\nnote: 1 lesson that another writer saved in the same instant stay\n"; w.err.String() != want {
		t.Errorf("it says %q, want %q", &w.err, want)
	}
	w.OutTTY, w.Width = true, 100
	want := `Deleted 2 lessons, first "Deploy the docs". To undo it: winnow undo 12
  aa11      Deploy the docs  (kept what another writer changed in it meanwhile)
  aa22      Rotate token ghp_************  (another writer removed it already)
note: No exchange here.
note: 1 lesson that another writer saved in the same instant stay
`
	if out := w.run(t, 0, "rm", "aa11", "aa22", "--yes"); out != want {
		t.Errorf("it prints\n%s, want\n%s", out, want)
	}
}

func TestPlanOnATerminalShowsWhatChanges(t *testing.T) {
	w := newWorld(standard())
	w.OutTTY, w.Width = true, 80
	want := `Edit 1 lesson in memory.jsonl
  edit    aa11      Deploy the docs
        - lesson: Completed using mkdocs.
        + lesson: changed
        - relevance_count: 4
        + relevance_count: 5
`
	if out := w.run(t, 0, "edit", "aa11", "--set", "lesson=x", "--dry-run"); out != want {
		t.Errorf("it prints\n%s, want\n%s", out, want)
	}
	if w.err.String() != "dry run: nothing was changed\n" {
		t.Errorf("it says %q", &w.err)
	}
}

func TestStoredFormsOfAPlanAreMasked(t *testing.T) {
	for _, args := range []string{
		"rm aa22 --json",
		"redact aa22 --json",
		"rm aa22 --dry-run --json",
		"pin aa22 --json",
	} {
		w := newWorld(standard())
		w.Library.(*memoryLibrary).what = "Changed " + token
		out := w.run(t, 0, strings.Fields(args)...)
		if strings.Contains(out, token) || !strings.Contains(out, "ghp_****") ||
			!strings.Contains(out, `"masked": true`) {
			t.Errorf("winnow %s prints %s", args, out)
		}
		if out := w.run(t, 0, strings.Fields(args+" --reveal")...); strings.Count(out, token) < 3 {
			t.Errorf("winnow %s --reveal prints %s", args, out)
		}
	}
}

func TestStoredFormThatNobodyDecodedIsNotShown(t *testing.T) {
	o := output.New(io.Discard, 0, false)
	for _, r := range []memory.Record{{}, {Raw: "other"}} {
		if shown, masked := storedText(o, token, &r); shown != "" || !masked {
			t.Errorf("with the record of %q it is %q, %v", r.Raw, shown, masked)
		}
	}
	cut := memory.Record{Raw: "abc", RawLen: 5}
	if shown, masked := storedText(o, "abcde", &cut); shown != "abc" || masked {
		t.Errorf("it is %q, %v", shown, masked)
	}
}

func TestEveryPlanHasItsResultInJSON(t *testing.T) {
	w := newWorld(standard())
	w.In = strings.NewReader(
		`{"task_summary":"one","lesson":"x"} {"task_summary":"two","tool_names":["a","b"],"relevance_count":3}`,
	)
	var got struct {
		Plans []struct {
			Do     string
			Result *struct{ Entry string }
		}
	}
	if err := json.Unmarshal([]byte(w.run(t, 0, "add", "--json", "-", "--yes")), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Plans) != 2 || got.Plans[1].Do != "add" || got.Plans[1].Result == nil ||
		got.Plans[1].Result.Entry != "2" {
		t.Errorf("it prints %+v", got)
	}
	if out := w.run(t, 0, "rm", "--filter", "line:99", "--json"); !strings.Contains(out, `"plans": []`) {
		t.Errorf("it prints %s", out)
	}
}

func TestPlanWithoutChangesIsNotApplied(t *testing.T) {
	w := newWorld(standard())
	lib := w.Library.(*memoryLibrary)
	lib.what = "Nothing to repair"
	if out := w.run(t, 0, "repair"); out != "" || w.err.String() != "Nothing to repair\n" || len(lib.applied) > 0 {
		t.Errorf("it prints %q and says %q", out, &w.err)
	}
	w.OutTTY, w.Width = true, 80
	if out := w.run(t, 0, "repair"); out != "Nothing to repair.\n" {
		t.Errorf("it prints %q", out)
	}
}
