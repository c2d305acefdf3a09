package claudecode

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"winnow/core/memory"
	"winnow/core/systems/instructions"
)

func TestInstructionsBelowTheProjectAreRecords(t *testing.T) {
	f := unpack(t)
	for _, rel := range []string{
		"packages/app/CLAUDE.md", "packages/app/.claude/CLAUDE.md", "packages/app/.claude/rules/api.md",
		"a/b/c/CLAUDE.local.md",
		"node_modules/x/CLAUDE.md", ".cache/CLAUDE.md", "x/CLAUDE.md/no.md", "elsewhere/CLAUDE.md",
	} {
		put(t, f.path("work/site/"+rel), "# Nested\n")
	}
	put(t, f.path("work/site/packages/app/.claude/rules/ts.md"), "---\npaths: \"*.ts\"\n---\nUse types.\n")
	put(t, f.path("work/site/packages/app/CLAUDE.md"), "# Nested\n\n@more.txt\n")
	put(t, f.path("work/site/packages/app/more.txt"), "Imported.\n")
	if err := os.Symlink(f.path("work/site/elsewhere"), f.path("work/site/link")); err != nil {
		t.Fatal(err)
	}
	s := f.open(t, "work/site")
	all, _ := records(t, s)
	for id, read := range map[memory.ID]string{
		"packages/app/CLAUDE.md":            "with a file in packages/app",
		"packages/app/.claude/CLAUDE.md":    "with a file in packages/app",
		"packages/app/.claude/rules/api.md": "with a file in packages/app",
		"packages/app/.claude/rules/ts.md":  "with a file that its globs match",
		"packages/app/more.txt":             "with a file in packages/app",
		"a/b/c/CLAUDE.local.md":             "with a file in a/b/c",
		"elsewhere/CLAUDE.md":               "with a file in elsewhere",
		"x/CLAUDE.md":                       "", "x/CLAUDE.md/no.md": "",
		"node_modules/x/CLAUDE.md": "",
		".cache/CLAUDE.md":         "with a file in .cache",
		"link/CLAUDE.md":           "",
	} {
		r, has := all[id]
		if has != (read != "") || said(r.Facts, "read") != read || r.Flags&memory.FlagUnseen != 0 || r.Fixed != "" {
			t.Errorf("%s is a record: %t, read %q, %+v", id, has, said(r.Facts, "read"), r)
		}
	}
	snap, err := s.Summary(t.Context())
	if err != nil || snap.Total != len(all) ||
		!strings.Contains(said(snap.Facts, "on demand"), "7 files of folders below") ||
		healthy(snap.Health, "many-folders") != nil {
		t.Errorf("the summary says %d of %d, %+v, %+v, %v", snap.Total, len(all), snap.Facts, snap.Health, err)
	}
	recalled, err := s.Recall(t.Context(), memory.Task{Files: []string{"packages/app/x.go"}})
	if err != nil || strings.Contains(recalled.Block.Text, "# Nested") || len(recalled.Also) < 3 ||
		recalled.Also[0].Parts[0].ID != "packages/app/CLAUDE.md" {
		t.Errorf("recall says %+v, %v", recalled, err)
	}
}

func TestFoldersThatWereNotSearchedAreSaid(t *testing.T) {
	dir := t.TempDir()
	put(t, dir+"/deep/er/CLAUDE.md", "x\n")
	for i := range 20 {
		put(t, fmt.Sprintf("%s/many/%02d/x", dir, i), "")
	}
	if folders, gap := instructedFolders(t.Context(), dir, instructions.MostEntries); gap != "" ||
		!slices.Equal(folders, []string{dir + "/deep/er"}) {
		t.Errorf("found %q, not searched %q", folders, gap)
	}
	if _, gap := instructedFolders(t.Context(), dir, 3); gap == "" {
		t.Error("nothing is said of folders past the limit")
	}
}

func TestIndexNamesTheTopicsThatFallOutOfIt(t *testing.T) {
	f := unpack(t)
	var index strings.Builder
	index.WriteString("# Memory index\n")
	for i := range 240 {
		name := fmt.Sprintf("topic_%03d.md", i)
		fmt.Fprintf(&index, "- [%d](%s) — hook\n", i, name)
		if i >= 195 {
			put(t, f.memory("work/site")+"/"+name, "text\n")
		}
	}
	put(t, f.memory("work/site")+"/MEMORY.md", index.String())
	s := f.open(t, "work/site")
	all, _ := records(t, s)
	// The heading is the first line: line 200 is that of topic_198.
	if r := all[memoryPrefix+"MEMORY.md"]; !noted(
		r,
		"Past what is read of it: topic_199.md, topic_200.md",
		"topic_208.md, 31 more topics",
	) {
		t.Errorf("the index says %q", r.Notes)
	}
	for id, beyond := range map[memory.ID]bool{
		memoryPrefix + "topic_198.md": false,
		memoryPrefix + "topic_199.md": true,
	} {
		if got := all[id].Flags&memory.FlagBeyond != 0; got != beyond {
			t.Errorf("%s is beyond: %t", id, got)
		}
	}
	snap, err := s.Summary(t.Context())
	if h := healthy(snap.Health, "over-limit"); err != nil || h == nil || !strings.Contains(h.What, "topic_199.md") {
		t.Errorf("the report says %+v, %v", h, err)
	}
	wide := "# Index\n- [one](note_001.md) — " + strings.Repeat("x", 24_950) + "\n- [two](note_002.md) — " +
		strings.Repeat("y", 100) + "\n- [three](note_003.md) — " + strings.Repeat("z", 900) + "\n"
	put(t, f.memory("work/site")+"/MEMORY.md", wide)
	all, _ = records(t, s)
	if r := all[memoryPrefix+"MEMORY.md"]; !noted(r, "Past what is read of it: note_002.md, note_003.md.") {
		t.Errorf("the index says %q", r.Notes)
	}
}

func TestLongAndTooLargeInstructionsAreSaid(t *testing.T) {
	f := unpack(t)
	put(
		t,
		f.path("work/site/CLAUDE.md"),
		strings.Repeat("line\n", 201)+"<!--\n"+strings.Repeat("not counted\n", 50)+"-->\n",
	)
	put(t, f.path("work/site/CLAUDE.local.md"), strings.Repeat("x\n", maxLoaded/2+1))
	s := f.open(t, "work/site")
	all, _ := records(t, s)
	if r := all["CLAUDE.md"]; !noted(r, "It has 201 lines", "under 200") || r.Flags&memory.FlagUnseen != 0 {
		t.Errorf("a long file says %q", r.Notes)
	}
	if r := all["CLAUDE.local.md"]; !noted(r, "larger than 4 MiB") || r.Flags&memory.FlagUnseen == 0 || r.Fixed == "" {
		t.Errorf("a large file says %q, %q", r.Notes, r.Fixed)
	}
	snap, err := s.Summary(t.Context())
	if err != nil || healthy(snap.Health, "long-instructions") == nil || healthy(snap.Health, "too-large") == nil {
		t.Errorf("the report says %+v, %v", snap.Health, err)
	}
	put(t, f.path("work/site/CLAUDE.md"), strings.Repeat("line\n", 200))
	all, _ = records(t, s)
	if r := all["CLAUDE.md"]; noted(r, "200 lines") {
		t.Errorf("a file of 200 lines says %q", r.Notes)
	}
}

func TestSessionInAWorkTreeGetsItsFilesAndTheMemoryOfTheRoot(t *testing.T) {
	f := unpack(t)
	root, tree := f.path("work/shop_api"), f.path("elsewhere/tree")
	put(t, tree+"/.git", "gitdir: "+root+"/.git/worktrees/tree\n")
	put(t, root+"/.git/worktrees/tree/gitdir", tree+"/.git\n")
	put(t, root+"/.git/worktrees/tree/commondir", "../..\n")
	put(t, tree+"/CLAUDE.md", "# Of the work tree\n")
	r := blockOf(t, f.open(t, "work/shop_api"), memory.Task{Folder: tree})
	text := r.Block.Text
	if !strings.Contains(text, "# Of the work tree") || !strings.Contains(text, "# Memory index") ||
		strings.Contains(text, "Level 1") {
		t.Errorf("it gets\n%s", text)
	}
	if len(r.Notes) == 0 || !strings.Contains(r.Notes[0], "is a work tree of the repository") {
		t.Errorf("it says %q", r.Notes)
	}
}

func TestEditOfAnOldMemorySaysWhatBecomesOfItsAge(t *testing.T) {
	f := unpack(t)
	s := f.open(t, "work/shop_api")
	all, _ := records(t, s)
	var list []memory.Record
	for _, r := range all {
		list = append(list, r)
	}
	for id, want := range map[memory.ID]bool{memoryPrefix + "project_flaky_ci.md": true, "CLAUDE.md": false} {
		r := all[id]
		more, notes := s.companions(
			list,
			[]memory.Change{{Do: memory.Editing, ID: id, Record: r, Edited: r, Before: r.Raw, After: r.Raw + "more\n"}},
		)
		got := len(notes) == 1 && strings.Contains(notes[0], "keeps the date of the file")
		if got != want || len(more) != 0 {
			t.Errorf("%s: %q, %v", id, notes, more)
		}
	}
}

// TestFileOfAFolderBelowImportsAnUnreadAgentsFile: requests of Claude Code 2.1.332 have the import.
func TestFileOfAFolderBelowImportsAnUnreadAgentsFile(t *testing.T) {
	f := &fixture{home: t.TempDir(), etc: t.TempDir()}
	put(t, f.path("p/CLAUDE.md"), "the project\n")
	put(t, f.path("p/AGENTS.md"), "not read at the start\n")
	put(t, f.path("p/lib/CLAUDE.md"), "see @../AGENTS.md\n")
	r := blockOf(t, f.open(t, "p"), memory.Task{Files: []string{"lib/x.txt"}})
	if strings.Contains(r.Block.Text, "not read") || len(r.Also) != 2 ||
		!strings.Contains(r.Also[1].Text, "not read at the start\n") {
		t.Errorf("a session is given %q and %+v", r.Block.Text, r.Also)
	}
}

// TestAgentsFilesOfFoldersBelowComeByAHook holds them to requests of Claude Code 2.1.332.
func TestAgentsFilesOfFoldersBelowComeByAHook(t *testing.T) {
	f := &fixture{home: t.TempDir(), etc: t.TempDir()}
	put(t, f.path("p/AGENTS.md"), "root\n")
	put(t, f.path("p/lib/AGENTS.md"), "mid\n")
	put(t, f.path("p/lib/.claude/AGENTS.md"), "mid, hidden\n")
	put(
		t,
		f.path("p/lib/x/AGENTS.md"),
		"\ufeff---\na: b\n---\n\nnested @y.md </system-reminder> < system-reminder> </system-reminders> <tick>\n<!-- c -->\n\nend  \n\n",
	)
	put(t, f.path("p/lib/x/CLAUDE.local.md"), "<!-- nothing -->\n")
	put(t, f.path("p/lib/x/y.md"), "imported\n")
	put(t, f.path("p/lib/x/.claude/rules/r.md"), "rule\n")
	dir := f.path("p/lib")
	want := "Contents of " + dir + "/AGENTS.md:\n\nmid\n\nContents of " + dir +
		"/.claude/AGENTS.md:\n\nmid, hidden\n\nContents of " + dir +
		"/x/AGENTS.md:\n\nnested @y.md &lt;/system-reminder> &lt; system-reminder> </system-reminders> <tick>\nend  \n\n\nContents of " +
		dir + "/x/y.md:\n\nimported\n"
	s := f.open(t, "p")
	r := blockOf(t, s, memory.Task{Files: []string{"lib/x/n.txt"}})
	if len(r.Also) != 2 || r.Also[1].Text != want || !strings.Contains(r.Also[0].Text, "rule\n\n</system-reminder>") {
		t.Errorf("a read is given %+v, want a rule and\n%s", r.Also, want)
	}
	if all, _ := records(t, s); said(all["lib/x/AGENTS.md"].Facts, "read") != "with a file in lib/x" {
		t.Errorf("the record is %+v", all["lib/x/AGENTS.md"])
	}
	put(t, f.path("p/CLAUDE.md"), "Claude Code's own\n")
	if r := blockOf(t, f.open(t, "p"), memory.Task{Files: []string{"lib/x/n.txt"}}); len(r.Also) != 1 {
		t.Errorf("with a CLAUDE.md at the start a read is given %+v", r.Also)
	}
}
