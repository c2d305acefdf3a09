package opencode

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/instructions"
)

func openFolder(m machine, dir string) *instructions.AgentStore {
	return openInstructions(m, noon, dir)
}

func records(t *testing.T, s system.Store) map[memory.ID]memory.Record {
	t.Helper()
	all := map[memory.ID]memory.Record{}
	if err := s.List(t.Context(), func(r memory.Record) error { all[r.ID] = r; return nil }); err != nil {
		t.Fatal(err)
	}
	return all
}

func snapshot(t *testing.T, s system.Snapshotter) memory.Snapshot {
	t.Helper()
	snap, err := s.Snapshot(t.Context(), func(memory.Snapshot) {})
	if err != nil {
		t.Fatal(err)
	}
	return snap
}

func healthOf(snap memory.Snapshot, code string) memory.Health {
	i := slices.IndexFunc(snap.Health, func(h memory.Health) bool { return h.Code == code })
	if i < 0 {
		return memory.Health{}
	}
	return snap.Health[i]
}

func TestEmptyFileHidesThree(t *testing.T) {
	m, home := unpack(t, nil)
	vectorCases()["I-empty-agents"].arrange(t, home)
	s := openFolder(m, filepath.Join(home, "work/demo"))
	r := records(t, s)["AGENTS.md"]
	if r.Problem == nil || !strings.Contains(r.Problem.What, "This empty AGENTS.md hides 3 files") ||
		r.Flags&memory.FlagUnseen == 0 {
		t.Errorf("the record is %+v with the problem %v", r, r.Problem)
	}
	if h := healthOf(snapshot(t, s), "empty-hides"); h.Level != memory.Warn || len(h.Lines) != 1 || h.Next == "" {
		t.Errorf("health is %+v", h)
	}
}

func TestFileThatSaysSomethingHidesWithoutAProblem(t *testing.T) {
	m, home := unpack(t, nil)
	s := openFolder(m, filepath.Join(home, "work/demo"))
	all := records(t, s)
	if all["AGENTS.md"].Problem != nil {
		t.Errorf("problem %v", all["AGENTS.md"].Problem)
	}
	for id, kind := range map[memory.ID]string{
		"AGENTS.md": kindInstructions, "CLAUDE.md": kindHidden, "CONTEXT.md": kindHidden, "docs/a.md": kindConfig,
		".github/instructions/memory.instruction.md": kindConfig, "packages/web/AGENTS.md": kindNested,
		"packages/web/src/AGENTS.md": kindNested, "packages/api/CLAUDE.md": kindNested,
	} {
		r, ok := all[id]
		if !ok || r.Kind != kind || (r.Flags&memory.FlagUnseen != 0) != (kind == kindHidden) {
			t.Errorf("%s is %q with the flags %q, want %q", id, r.Kind, r.Flags.Letters(), kind)
		}
		if kind == kindHidden && (len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "AGENTS.md hides it")) {
			t.Errorf("notes of %s are %q", id, r.Notes)
		}
	}
	if notes := all["packages/api/CLAUDE.md"].Notes; len(notes) != 1 ||
		!strings.Contains(notes[0], "A session that starts in its folder does not get it") {
		t.Errorf("notes are %q", notes)
	}
}

func TestMemoryOfSomeModelsIsUnseenUntilAPatternNamesIt(t *testing.T) {
	m, home := unpack(t, nil)
	put(t, filepath.Join(home, "work/demo/opencode.json"), "{}")
	r := records(t, openFolder(m, filepath.Join(home, "work/demo")))[memoryFile]
	if r.Kind != kindMemory || r.Flags&memory.FlagUnseen == 0 || len(r.Notes) == 0 {
		t.Errorf("record is %+v", r)
	}
}

func TestRecallIsWhatTheModelGot(t *testing.T) {
	m, home := unpack(t, nil)
	vectorCases()["H-nested-read"].arrange(t, home)
	want := load(t)["H-nested-read"]
	s := openFolder(m, filepath.Join(home, "work/demo"))
	r, err := s.Recall(
		t.Context(),
		memory.Task{Files: []string{"packages/web/src/deep/file.txt", "packages/web/other.txt"}},
	)
	if err != nil {
		t.Fatal(err)
	}
	remote := "\nInstructions from: " + remoteURL + "\nREMOTE RULES (fake)\n"
	if got := strings.ReplaceAll(r.Block.Text, home, "/home/dev"); got+remote != want.Block {
		t.Errorf("block is\n%q\nwant\n%q", got, want.Block)
	}
	var paths []string
	for _, p := range r.Block.Parts {
		paths = append(paths, strings.Replace(p.Path, home, "/home/dev", 1))
		if p.End > p.Start && !strings.HasPrefix(r.Block.Text[p.Start:p.End], "Instructions from: "+p.Path+"\n") {
			t.Errorf("part %+v stands at %q", p, r.Block.Text[p.Start:p.End])
		}
	}
	if !slices.Equal(paths, want.Paths) {
		t.Errorf("parts are %q, want %q", paths, want.Paths)
	}
	if last := r.Block.Parts[len(r.Block.Parts)-1]; last.Path != remoteURL || last.Start != last.End ||
		!strings.Contains(last.Note, "no network call") {
		t.Errorf("the address is %+v", last)
	}
	if len(r.Also) != 1 {
		t.Fatalf("%d blocks come with reads, want 1", len(r.Also))
	}
	if got := strings.ReplaceAll(r.Also[0].Text, home, "/home/dev"); !strings.HasSuffix(want.Result, "\n\n"+got) {
		t.Errorf("with the read comes\n%q\nwant the end of\n%q", got, want.Result)
	}
}

func TestGlobalStoreHoldsWhatIsForAllProjects(t *testing.T) {
	m, home := unpack(t, nil)
	s := openFolder(m, filepath.Join(home, ".config/opencode"))
	all := records(t, s)
	claude := memory.ID(filepath.Join(home, ".claude/CLAUDE.md"))
	if all["AGENTS.md"].Kind != kindInstructions || all["AGENTS.md"].Scope != scopeGlobal ||
		all[claude].Kind != kindHidden ||
		all[claude].Fixed == "" {
		t.Errorf("records are %+v", all)
	}
	if len(all) != 3 {
		t.Errorf("%d records, want the file, the one it hides, and the one that a pattern names", len(all))
	}
	r, err := s.Recall(t.Context(), memory.Task{})
	if err != nil || len(r.Block.Parts) != 2 {
		t.Errorf("recall has %d parts, %v", len(r.Block.Parts), err)
	}
}

func TestSwitchIsSaidWhereItHides(t *testing.T) {
	m, home := unpack(t, map[string]string{noProjectConfig: "1"})
	r := records(t, openFolder(m, filepath.Join(home, "work/demo")))["AGENTS.md"]
	if r.Kind != kindHidden || len(r.Notes) == 0 || !strings.Contains(r.Notes[0], noProjectConfig) {
		t.Errorf("record is %+v", r)
	}
}

func TestBrokenSettingsAreSaid(t *testing.T) {
	m, home := unpack(t, nil)
	put(t, filepath.Join(home, "work/demo/opencode.json"), `{"instructions": [`)
	s := openFolder(m, filepath.Join(home, "work/demo"))
	if h := healthOf(snapshot(t, s), "refused"); h.Level != memory.Stop ||
		!strings.Contains(h.What, "opencode.json is not valid JSON(C)") {
		t.Errorf("health is %+v", h)
	}
	if r, err := s.Recall(t.Context(), memory.Task{}); err != nil || r.Block.Text != "" || r.Stop == nil ||
		!strings.Contains(r.Stop.What, "does not start") {
		t.Errorf("recall is %+v, %v", r, err)
	}
}

func TestEditTouchesOneFile(t *testing.T) {
	m, home := unpack(t, nil)
	dir := filepath.Join(home, "work/demo")
	s := openFolder(m, dir)
	r := records(t, s)["packages/web/AGENTS.md"]
	body := r.Body + "Use tabs.\n"
	after, err := s.Compose(r.Raw, memory.Edit{Body: &body})
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Write(t.Context(), system.Write{
		Changes: []memory.Change{{Do: memory.Editing, ID: r.ID, Record: r, Before: r.Raw, After: after}},
		Stage:   func(system.Staged) error { return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(filepath.Join(dir, "packages/web/AGENTS.md")); string(text) != body {
		t.Errorf("file is %q, want %q", text, body)
	}
	recall, err := s.Recall(t.Context(), memory.Task{Folder: filepath.Join(dir, "packages/web")})
	if err != nil || !strings.Contains(recall.Block.Text, "Use tabs.") {
		t.Errorf("the next prompt is %q, %v", recall.Block.Text, err)
	}
}

func TestNothingOutsideOfTheFolderIsWritten(t *testing.T) {
	m, home := unpack(t, nil)
	s := openFolder(m, filepath.Join(home, "work/demo"))
	reach := system.Reach{Project: filepath.Join(home, "work/demo")}
	s.Confine(reach.May)
	if err := os.Symlink(filepath.Join(home, "AGENTS.md"),
		filepath.Join(home, "work/demo/packages/AGENTS.md")); err != nil {
		t.Skip("links cannot be made here:", err)
	}
	text, _ := os.ReadFile(filepath.Join(home, "AGENTS.md"))
	for _, id := range []memory.ID{
		"../../AGENTS.md",
		memory.ID(filepath.Join(home, "AGENTS.md")),
		".git/config",
		"packages/AGENTS.md",
	} {
		_, err := s.Write(
			t.Context(),
			system.Write{Changes: []memory.Change{{Do: memory.Editing, ID: id, Before: string(text), After: "x"}}},
		)
		if err == nil {
			t.Errorf("%s was written", id)
		}
	}
}
