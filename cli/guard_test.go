package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"winnow/core/memory"
)

// undoing is a memoryLibrary of which another writer undid three changes, and lost a fourth
// by its own rules.
func undoing() *memoryLibrary {
	s := standard()
	secret, mine := s.snap.Records[1], s.snap.Records[0]
	mine.Body, mine.Raw = "mine", "{mine}"
	s.undone = []memory.Undone{
		{Kind: memory.CameBack, ID: "aa22", Theirs: secret.Raw, Record: secret, Entry: "3", Times: 2, At: noon},
		{
			Kind:   memory.Dropped,
			ID:     "gone",
			Mine:   "{gone}",
			Record: memory.Record{ID: "gone", Title: "Gone", Raw: "{gone}"},
			Entry:  "4",
			Times:  1,
			At:     noon,
		},
		{
			Kind:     memory.Conflict,
			ID:       "aa11",
			Mine:     mine.Raw,
			Theirs:   s.snap.Records[0].Raw,
			Record:   s.snap.Records[0],
			MyRecord: mine,
			Entry:    "5",
			Times:    1,
			At:       noon,
		},
		{
			Kind:   memory.Evicted,
			ID:     "old",
			Mine:   "{old}",
			Record: memory.Record{ID: "old", Title: "Old", Raw: "{old}"},
			Entry:  "2",
			Times:  1,
			At:     noon,
		},
	}
	return s
}

// decided is what was undone, one of it to be done again always.
func decided() []memory.Undone {
	list := undoing().undone
	list[1].Always = true
	return list
}

func TestGuardTellsByItsExitStatus(t *testing.T) {
	for _, c := range []struct {
		undone []memory.Undone
		args   string
		status int
		orders string
	}{
		{nil, "guard --once", 0, ""},
		{nil, "guard --once --reapply", 0, ""},
		{undoing().undone[3:], "guard --once", 0, ""},
		{undoing().undone[3:], "guard --once --reapply", 0, "reapply"},
		{decided(), "guard --once", exitUndone, "reapply gone"},
		{decided(), "guard --once --readonly", exitUndone, ""},
		{undoing().undone, "guard --once", exitUndone, ""},
		{undoing().undone, "guard --once --json", exitUndone, ""},
		{undoing().undone, "guard --once --reapply", exitUndone, "reapply"},
		{undoing().undone, "guard --once --accept", exitUndone, "accept aa22 gone old"},
		{undoing().undone, "guard --once --accept --json", exitUndone, "accept aa22 gone old"},
		{undoing().undone, "guard --once --always", exitUndone, "always, reapply"},
		{undoing().undone, "guard --once --always --only gon", exitUndone, "always gone, reapply gone"},
		{undoing().undone, "guard --once --accept --only aa11 --only gone", exitUndone, "accept aa11 gone"},
		{undoing().undone, "guard --once --accept --only zz", exitNotFound, ""},
		{undoing().undone, "guard memory.jsonl --once", exitUndone, ""},
	} {
		lib := undoing()
		lib.undone = c.undone
		w := newWorld(lib)
		w.run(t, c.status, strings.Fields(c.args)...)
		if lib.said() != c.orders {
			t.Errorf("winnow %s orders %q, want %q", c.args, lib.said(), c.orders)
		}
	}
}

func TestGuardNamesWhatWasUndone(t *testing.T) {
	w := newWorld(undoing())
	want := "came back\taa22\t3\t2\t2026-03-15T12:00:00Z\tRotate token ghp_************\n" +
		"dropped\tgone\t4\t1\t2026-03-15T12:00:00Z\tGone\n" +
		"conflict\taa11\t5\t1\t2026-03-15T12:00:00Z\tDeploy the docs\n" +
		"evicted\told\t2\t1\t2026-03-15T12:00:00Z\tOld\n"
	if out := w.run(t, exitUndone, "guard", "--once"); out != want {
		t.Errorf("it prints\n%s, want\n%s", out, want)
	}
	w.OutTTY, w.Width = true, 90
	want = `Another writer undid 3 changes of yours:
  came back  aa22      Rotate token ghp_************ (2 times, your change 3)
  dropped  gone      Gone (once, your change 4)
  conflict  aa11      Deploy the docs (once, your change 5)
    yours   lesson: mine
    theirs  lesson: Completed using mkdocs.
1 lesson left by the agent's own rules:
  evicted  old       Old (once, your change 2)
`
	if out := w.run(t, exitUndone, "guard", "--once"); out != want {
		t.Errorf("it prints\n%s, want\n%s", out, want)
	}
	w.Library.(*memoryLibrary).undone = nil
	if out := w.run(t, 0, "guard", "--once"); out != "Nothing of yours was undone.\n" {
		t.Errorf("it prints %q", out)
	}
}

func TestGuardInJSONIsMasked(t *testing.T) {
	w := newWorld(undoing())
	out := w.run(t, exitUndone, "guard", "--once", "--reapply", "--json")
	if strings.Contains(out, token) || !strings.Contains(out, "ghp_****") || !strings.Contains(out, `"do": "reapply"`) {
		t.Errorf("it prints %s", out)
	}
	if out := w.run(t, exitUndone, "guard", "--once", "--json", "--reveal"); !strings.Contains(out, token) ||
		!strings.Contains(out, `"plans": []`) {
		t.Errorf("it prints %s", out)
	}
}

func TestGuardThatFollowsTellsEachOnce(t *testing.T) {
	lib := undoing()
	again := lib.undone[0]
	again.Times++
	lib.snaps = []memory.Snapshot{
		{}, {Undone: lib.undone[:1]}, {Undone: lib.undone[:1], Partial: true}, {Undone: lib.undone[:2]},
		{Undone: lib.undone[:2], Reapplied: 2}, {Undone: []memory.Undone{again}, Reapplied: 2},
	}
	w := newWorld(lib)
	out := w.run(t, 0, "guard")
	if strings.Count(out, "\n") != 3 || strings.Count(out, "aa22") != 2 || strings.Count(out, "gone") != 1 {
		t.Errorf("it prints\n%s", out)
	}
	if w.err.String() != "2 changes repeated, as you decided\n" {
		t.Errorf("it says %q", &w.err)
	}
	for line := range strings.Lines(w.run(t, 0, "guard", "--json")) {
		var event struct {
			Schema    int
			Undone    *struct{ ID string }
			Reapplied int
		}
		if err := json.Unmarshal([]byte(line), &event); err != nil || event.Schema != 1 ||
			(event.Undone == nil) == (event.Reapplied == 0) {
			t.Errorf("it prints %s (%v)", line, err)
		}
	}
}

func TestGuardThatFollowsDoesAgainWhatIsNew(t *testing.T) {
	for args, want := range map[string]string{
		"guard --reapply":            "reapply, reapply",
		"guard --reapply --json":     "reapply, reapply",
		"guard --accept --only gone": "accept gone",
		"guard --always":             "always, reapply",
		"guard":                      "",
	} {
		lib := undoing()
		lib.snaps = []memory.Snapshot{{Undone: lib.undone[:1]}, {Undone: lib.undone}, {Undone: lib.undone}}
		w := newWorld(lib)
		w.run(t, 0, strings.Fields(args)...)
		if lib.said() != want {
			t.Errorf("winnow %s orders %q, want %q", args, lib.said(), want)
		}
	}
}

func TestGuardGoesOnAfterWhatItCannotDo(t *testing.T) {
	lib := undoing()
	lib.planErr = &memory.Problem{What: "The disk is full."}
	lib.snaps = []memory.Snapshot{{Undone: lib.undone[:1]}, {Undone: lib.undone[:2]}}
	w := newWorld(lib)
	w.run(t, 0, "guard", "--reapply")
	if want := strings.Repeat("winnow: guard: the disk is full\n", 2); w.err.String() != want {
		t.Errorf("it says %q, want %q", &w.err, want)
	}
}

func TestRecallIsCountedOnlyWhenAsked(t *testing.T) {
	recall := memory.Recall{Block: memory.Block{Text: "block"}, Prompt: memory.Block{Text: "prompt"}}
	for _, c := range []struct {
		args, out, said string
		applied         int
	}{
		{"recall x", "preview only: no relevance count was changed\n", "", 0},
		{"recall x --commit", "\ncommit of 4 done. To undo it: winnow undo 1\n  aa11  rel 4 -> 5  Deploy the docs\n", "", 1},
		{"recall x --commit --dry-run", "\nwould be counted; nothing was changed:\n  aa11  rel 4 -> 5  Deploy the docs\n", "", 0},
		{"recall x --commit --format block", "block", "commit of 4 done\n", 1},
		{
			"recall x --commit --format prompt --dry-run",
			"prompt",
			"dry run: nothing was changed; 4 would be counted\n",
			0,
		},
		{"recall x --commit --json", `"commit": {`, "", 1},
	} {
		lib := standard()
		lib.recall = recall
		w := newWorld(lib)
		if out := w.run(t, 0, strings.Fields(c.args)...); !strings.Contains(out, c.out) || w.err.String() != c.said ||
			len(lib.applied) != c.applied {
			t.Errorf(
				"winnow %s prints %q and says %q, want %q and %q; applied are %d",
				c.args,
				out,
				&w.err,
				c.out,
				c.said,
				len(lib.applied),
			)
		}
		if c.applied > 0 && lib.orders[0].Task.Text != "x" {
			t.Errorf("winnow %s counts %+v", c.args, lib.orders[0])
		}
	}
	lib := standard()
	lib.recall.Stop = &memory.Problem{What: "The agent would stop."}
	w := newWorld(lib)
	if w.run(t, exitStops, "recall", "x", "--commit"); len(lib.orders) > 0 {
		t.Errorf("a recall that stops the agent is counted: %+v", lib.orders)
	}
}
