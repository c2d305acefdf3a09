package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/memory"
)

// full is a memoryLibrary in which everything has a value, with hostile text wherever a store can
// have some.
func full() *memoryLibrary {
	lib := standard()
	lib.snap.Health = []memory.Health{
		{Code: "x", Level: memory.Note, What: hostile, Next: hostile, Lines: []int{3}, Count: 3},
	}
	lib.snap.Writer = hostile
	lib.looked = []memory.Looked{{Where: hostile, Found: 1, Note: hostile}}
	lib.places[0].Path, lib.places[0].Why = "/x/"+hostile, hostile
	lib.makeHostile()
	lib.makeHostileSystem()
	lib.tally = memory.Tally{High: 1, Medium: 2, Low: 3, Files: 4}
	r := &lib.snap.Records[1]
	r.Similar = []memory.ID{"aa11"}
	block := memory.Block{
		Where: hostile, Name: hostile, Text: hostile, TokensLow: 1, TokensHigh: 2,
		Marks: []memory.Mark{{Kind: memory.MarkHidden, Start: 1, End: 2, Note: hostile}},
		Parts: []memory.Part{
			{Name: hostile, ID: hostile, Path: hostile, Start: 1, End: 2, TokensLow: 1, TokensHigh: 2, Note: hostile},
		},
	}
	lib.recall = memory.Recall{
		Words: []memory.Word{{Text: hostile}, {Text: hostile, State: memory.WordShort}}, Block: block, Prompt: block,
		Used: 1, WordCap: 50, Units: 3, UnitCap: 2000, Searched: 4, Found: 3, Limit: 1,
		Hits: []memory.Hit{
			{
				ID:       hostile,
				Line:     3,
				Rank:     1,
				Score:    2,
				Title:    hostile,
				Body:     hostile,
				Outcome:  hostile,
				ToolHits: []string{hostile},
				Recalled: true,
				Matches: []memory.Match{
					{Word: hostile, Times: 2},
				},
				Points: 1.5,
				Why:    hostile,
				Kind:   hostile,
				Scope:  hostile,
				Flags:  memory.FlagPinned,
			},
			{
				ID:       "aa22",
				Line:     2,
				Rank:     2,
				Title:    r.Title,
				Secrets:  r.Secrets,
				LostTie:  true,
				Count:    memory.Count{Odd: "x"},
				Recalled: true,
			},
			{
				ID:      "aa11",
				Line:    1,
				Rank:    3,
				Title:   "Deploy",
				Noise:   true,
				Matches: []memory.Match{{Word: "dep", Kind: memory.InsideWord, Times: 1}},
			},
		},
		Notes: []string{hostile}, Empty: hostile, Estimate: hostile, Also: []memory.Block{block},
		LastSession: &memory.LastSession{
			Session: hostile,
			At:      noon,
			Source:  hostile,
			Blocks:  []memory.Block{block},
			Differs: []memory.Difference{{Name: hostile, Path: hostile, Was: hostile, Now: hostile + "x"}},
		},
	}
	return lib
}

// examples are commands that print all that commands print.
func examples() []string {
	return []string{
		"list", "list --store karnevil9", "show :3 --store karnevil9", "doctor --store karnevil9",
		"recall x --store karnevil9", "search x --store karnevil9",
		"stats --store karnevil9", "history --store karnevil9", "search --all a --store karnevil9", "list deploj",
		"list --sort age --desc --limit 2", "list --across", "show :3", "show :1 :2 :3 :4", "show :2 --reveal",
		"search x", "search --all a", "recall x", "recall x --commit",
		"recall x --commit --dry-run",
		"stores", "stores --findings", "doctor", "rm :3 --dry-run", "rm :1 :3 --yes", "pin :1", "prune --failed --yes",
		"redact :2 --yes",
		"edit :3 --set lesson=x", "edit :3 --set lesson=x --dry-run", "merge :1 :2 --yes", "add --set lesson=x", "undo",
		"redo", "restore 1",
		"history", "history 1", "stats", "stats --id :1", "guard --once --dry-run", "guard --once --reapply",
		"guard --always", "export --share FILE",
		"audit .", "audit . --show-ignored --fail-on low", "ignore --list", "rules", "rules github-pat", "hook show",
	}
}

// printed returns what the commands print, each below its own line.
func printed(t *testing.T, width int, more ...string) string {
	t.Helper()
	var b strings.Builder
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	defer t.Chdir(here)
	for _, line := range examples() {
		_, d := onFakeAuditor()
		d.kept = []memory.Ignore{
			{
				Fingerprint: d.found.Findings[2].Fingerprint,
				Rule:        "home-path",
				Reason:      hostile,
				Added:       noon,
				Until:       noon.AddDate(0, 1, 0),
			},
		}
		d.found.Failed = []memory.Unread{
			{Path: hostile, Problem: &memory.Problem{Code: "x", What: hostile, Hint: hostile}},
		}
		d.shared = memory.Shared{
			Data:     []byte("{}\n"),
			Records:  1,
			Redacted: 2,
			Homes:    3,
			Sessions: 4,
			Dropped:  []memory.Kept{{Record: memory.Record{ID: hostile}, Why: hostile}},
		}
		d.hooks = "/hooks"
		lib := full()
		lib.snap.Undone = lib.undone
		lib.snaps = []memory.Snapshot{lib.snap}
		w := newWorld(lib)
		w.Auditing, w.Fixing, w.Copying = d, d, d
		w.Width, w.OutTTY, w.ErrTTY, w.InTTY = width, width > 0, width > 0, width > 0
		status := Run(t.Context(), w.Env, append(strings.Fields(line), more...))
		fmt.Fprintf(&b, "# %s: status %d\n%s## errors\n%s", line, status, &w.out, &w.err)
	}
	return b.String()
}

// TestJSONOfEveryCommand compares the JSON of all commands with a golden file: scripts
// rely on it byte for byte.
func TestJSONOfEveryCommand(t *testing.T) {
	putWinnowOnPath(t)
	golden(t, "json.golden", printed(t, 0, "--json"))
}

// golden compares text with a golden file, which WINNOW_UPDATE=1 writes.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if os.Getenv("WINNOW_UPDATE") != "" {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, []byte(got)) {
		w, g := strings.Split(string(want), "\n"), strings.Split(got, "\n")
		for i := range min(len(w), len(g)) {
			if w[i] != g[i] {
				t.Fatalf("%s, line %d: got\n%s\nwant\n%s", path, i+1, g[i], w[i])
			}
		}
		t.Errorf("%s has %d lines, want %d", path, len(g), len(w))
	}
}
