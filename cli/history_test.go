package cli

import (
	"strings"
	"testing"

	"winnow/core/memory"
)

// remembered is a memoryLibrary with a history of three entries.
func remembered() *memoryLibrary {
	s := standard()
	edited := s.snap.Records[0]
	edited.Body, edited.Raw = "new", "{new}"
	secret := s.snap.Records[1]
	s.past = memory.History{
		Path: "/state/h", Size: 34, Damaged: 1, Undo: "3", Redo: "",
		Entries: []memory.Entry{
			{ID: "3", At: noon, Who: memory.You, Do: memory.EditOne, What: "Edited 1 lesson", Changes: []memory.Change{
				{
					Do:     memory.Editing,
					ID:     "aa11",
					Record: s.snap.Records[0],
					Edited: edited,
					Before: s.snap.Records[0].Raw,
					After:  edited.Raw,
					Line:   1,
				}}},
			{ID: "2", At: noon.AddDate(0, 0, -1), Who: memory.Others, What: "Added 1 lesson", Omitted: 2},
			{
				ID:       "1",
				At:       noon.AddDate(0, 0, -2),
				Who:      memory.You,
				Do:       memory.Delete,
				What:     "Deleted " + token,
				UndoneBy: "4",
				Changes: []memory.Change{
					{Do: memory.Deleting, ID: "aa22", Record: secret, Before: secret.Raw}},
			},
		},
	}
	return s
}

func TestHistoryIsListedNewestFirst(t *testing.T) {
	w := newWorld(remembered())
	want := "3\t2026-03-15T12:00:00Z\tyou\tedit\tEdited 1 lesson\t-\tmemory.jsonl\n" +
		"2\t2026-03-14T12:00:00Z\tanother writer\t-\tAdded 1 lesson\t-\tmemory.jsonl\n" +
		"1\t2026-03-13T12:00:00Z\tyou\tdelete\tDeleted [REDACTED]\tundone by 4\tmemory.jsonl\n"
	if out := w.run(t, 0, "history"); out != want || w.err.String() != "unreadable history: 1 entry\n" {
		t.Errorf("it prints\n%s, want\n%s; it says %q", out, want, &w.err)
	}
	w.OutTTY, w.Width = true, 80
	want = "   3       now  you             Edited 1 lesson\n" +
		"   2    1d ago  another writer  Added 1 lesson\n" +
		"   1    2d ago  you             Deleted [REDACTED] (undone by 4)\n"
	if out := w.run(t, 0, "history"); out != want {
		t.Errorf("it prints\n%s, want\n%s", out, want)
	}
}

func TestEntryIsShownWithItsDifference(t *testing.T) {
	w := newWorld(remembered())
	want := `entry     3
when      2026-03-15T12:00:00Z
who       you
what      Edited 1 lesson

edit  aa11  Deploy the docs
        - lesson: Completed using mkdocs.
        + lesson: new
`
	if out := w.run(t, 0, "history", "3"); out != want {
		t.Errorf("it prints\n%s, want\n%s", out, want)
	}
	if out := w.run(t, 0, "history", "2"); !strings.Contains(out, "2 more were too large to be kept\n") {
		t.Errorf("it prints %s", out)
	}
	w.run(t, exitNotFound, "history", "9")
}

func TestHistoryInJSONIsMasked(t *testing.T) {
	w := newWorld(remembered())
	out := w.run(t, 0, "history", "--json")
	if strings.Contains(out, token) || !strings.Contains(out, "ghp_****") ||
		!strings.Contains(out, `"undone_by": "4"`) ||
		!strings.Contains(out, `"damaged": 1`) {
		t.Errorf("it prints %s", out)
	}
	if out := w.run(t, 0, "history", "1", "--json", "--reveal"); strings.Count(out, token) != 3 ||
		strings.Contains(out, `"entry": "3"`) {
		t.Errorf("it prints %s", out)
	}
}

func TestPurgeEmptiesTheHistory(t *testing.T) {
	for _, args := range [][]string{{"history", "--purge", "--yes"}, {"history", "--purge", "--yes", "--json"}} {
		lib := remembered()
		w := newWorld(lib)
		if out := w.run(t, 0, args...); !lib.purged || out == "" {
			t.Errorf("winnow %q prints %q", args, out)
		}
	}
}

func TestEntriesAreCompleted(t *testing.T) {
	w := newWorld(remembered())
	for _, command := range []string{"undo", "redo", "restore", "history"} {
		if out := w.run(t, 0, "__complete", command, ""); !strings.HasPrefix(
			out,
			"3\tEdited 1 lesson\n2\tAdded 1 lesson\n1\tDeleted [REDACTED]\n",
		) {
			t.Errorf("%s completes to %s", command, out)
		}
	}
	if out := w.run(t, 0, "__complete", "edit", "aa11", "--set", "out"); !strings.Contains(out, "outcome=\n") {
		t.Errorf("--set completes to %s", out)
	}
}

func TestRestoreKnowsTheRecordsOfTheHistory(t *testing.T) {
	lib := remembered()
	lib.past.Entries[1].Changes = []memory.Change{{ID: "gone-1"}, {ID: "gone-2"}, {ID: "aa11"}}
	w := newWorld(lib)
	w.run(t, 0, "restore", "2", "gone-1", "aa1", ":4", "--yes")
	if got := lib.said(); got != "restore gone-1 aa11 line 4" {
		t.Errorf("ordered is %q", got)
	}
	w.run(t, exitUsage, "restore", "2", "gone")
	w.run(t, exitNotFound, "restore", "2", "zz")
}

func TestUndoDoesNotPassOverWhatKeepsNoCopy(t *testing.T) {
	lib := remembered()
	lib.past.Entries[0].Final, lib.past.Undo = true, "1"
	w := newWorld(lib)
	w.run(t, exitNotFound, "undo", "--store", "a b")
	const want = "winnow: undo: entry 3 (Edited 1 lesson) keeps no copy, so it cannot be undone\nhint: undo an earlier change: winnow undo 1 --store 'a b'\n"
	if len(lib.orders) > 0 || w.err.String() != want {
		t.Errorf("%d orders; it says %q", len(lib.orders), &w.err)
	}
	w.run(t, 0, "undo", "1")
}

func TestEntryThatCannotBeUndoneSaysWhy(t *testing.T) {
	for args, want := range map[string]string{
		"undo 1": "entry 4 undid it already",
		"undo 2": "only your own changes can be undone; restore brings an earlier state back",
		"undo 3": "it keeps no copy, so it cannot be undone",
		"undo 5": "it was undone already, or other changes were made since",
		"undo 6": "it is a decision about the guard; change it with guard",
		"undo 9": "no such entry",
		"redo 1": "it is not undone, or other changes were made since",
	} {
		lib := remembered()
		lib.past.Entries[0].Final = true
		lib.past.Entries = append(
			lib.past.Entries,
			memory.Entry{ID: "5", Who: memory.You, Do: memory.Undo},
			memory.Entry{ID: "6", Who: memory.You, Do: memory.Trust},
		)
		lib.planErr = memory.ErrNothing
		w := newWorld(lib)
		w.run(t, exitNotFound, strings.Fields(args)...)
		if got := w.err.String(); got != "winnow: "+args+": "+want+"\nhint: see the entries: winnow history\n" {
			t.Errorf("winnow %s says %q", args, got)
		}
	}
}
