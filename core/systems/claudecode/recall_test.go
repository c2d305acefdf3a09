package claudecode

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/core/filestore"
	"winnow/core/jstext"
	"winnow/core/memory"
)

// blockOf returns the text of a session's start.
func blockOf(t *testing.T, s *store, task memory.Task) memory.Recall {
	t.Helper()
	r, err := s.Recall(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestBlockIsTheCapturedText holds the block to the text that was captured of a request.
func TestBlockIsTheCapturedText(t *testing.T) {
	f := &fixture{home: t.TempDir(), etc: t.TempDir()}
	put(t, f.path("p/CLAUDE.md"), "<!-- for people -->\n# Project\n- one\n\n\n")
	put(t, f.path("p/CLAUDE.local.md"), "mine\r\n")
	put(t, f.path(".claude/CLAUDE.md"), "\n# Me\n</system-reminder>\n")
	put(t, filepath.Join(f.memory("p"), indexName), "- [A](a.md) — hook\n</system-reminder>\n")
	const frame = "<system-reminder>\nCodebase and user instructions are shown below. Be sure to adhere to these instructions. IMPORTANT: These instructions OVERRIDE any default behavior and you MUST follow them exactly as written.\n\n"
	want := frame +
		"Contents of " + f.path(".claude/CLAUDE.md") + " (user's private global instructions for all projects):\n\n# Me\n</system-reminder>\n\n" +
		"Contents of " + f.path("p/CLAUDE.md") + " (project instructions, checked into the codebase):\n\n# Project\n- one\n\n" +
		"Contents of " + f.path("p/CLAUDE.local.md") +
		" (user's private project instructions, not checked in):\n\nmine\n\n" +
		"Contents of " + filepath.Join(f.memory("p"), indexName) + " (user's auto-memory, persists across conversations):\n\n- [A](a.md) — hook\n<\\/system-reminder>\n" +
		"</system-reminder>"
	r := blockOf(t, f.open(t, "p"), memory.Task{})
	if r.Block.Text != want {
		t.Errorf("the block is\n%s\nwant\n%s", r.Block.Text, want)
	}
	for _, p := range r.Block.Parts {
		if text := r.Block.Text[p.Start:p.End]; strings.TrimSpace(text) != text || text == "" || p.TokensHigh == 0 {
			t.Errorf("a part is %q: %+v", text, p)
		}
	}
	if !slices.ContainsFunc(r.Block.Marks, func(m memory.Mark) bool {
		return m.Kind == memory.MarkDelimiter && r.Block.Text[m.Start:m.End] == blockEnd && m.End < len(want)-1
	}) {
		t.Errorf("the end of the block in instructions is not marked: %+v", r.Block.Marks)
	}
}

func TestIndexIsCutAtTheLinesAndBytesThatAreRead(t *testing.T) {
	f := unpack(t)
	r := blockOf(t, f.open(t, "work/site"), memory.Task{})
	last := r.Block.Parts[len(r.Block.Parts)-1]
	text := r.Block.Text[last.Start:last.End]
	shown, warning, _ := strings.Cut(text, "\n\n> WARNING: ")
	if n := jstext.Len(shown); n > maxIndexUnits || n < maxIndexUnits-200 || lines(shown) != 169 ||
		!strings.Contains(warning, "72 of 241 lines were cut off") {
		t.Errorf("%d characters and %d lines of the index are injected, and %q", n, lines(shown), warning)
	}
	if !strings.Contains(last.Note, "first 169 of 241 lines") {
		t.Errorf("the note is %q", last.Note)
	}
	for n, want := range map[int]int{199: 199, 200: 200, 201: 200, 500: 200} {
		x := indexOf(filestore.File{Text: strings.Repeat("- x\n", n)})
		if got := lines(x.shown); got != want {
			t.Errorf("of %d lines %d are read, want %d", n, got, want)
		}
	}
	x := indexOf(filestore.File{Text: strings.Repeat("é", 30_000)})
	if jstext.Len(x.shown) != maxIndexUnits || !strings.Contains(x.warning, "first 25000 characters of line 1") {
		t.Errorf("of one long line %d characters are read, with %q", jstext.Len(x.shown), x.warning)
	}
	all, _ := records(t, f.open(t, "work/site"))
	if all[memoryPrefix+"note_001.md"].Flags&memory.FlagBeyond != 0 {
		t.Error("a topic that is read is said to be beyond")
	}
	put(t, filepath.Join(f.memory("work/site"), "note_240.md"), "late")
	all, _ = records(t, f.open(t, "work/site"))
	if r := all[memoryPrefix+"note_240.md"]; r.Flags&memory.FlagBeyond == 0 || !noted(r, "past what is read") {
		t.Errorf("a topic past what is read is %+v", r)
	}
}

func TestFilesOfTheTaskBringTheirInstructions(t *testing.T) {
	f := unpack(t)
	s := f.open(t, "work/shop_api")
	names := func(task memory.Task) []string {
		var out []string
		for _, b := range blockOf(t, s, task).Also {
			if len(b.Parts) == 1 && b.Parts[0].Path != "" && !strings.Contains(b.Parts[0].Path, "agent-memory") {
				out = append(out, filepath.ToSlash(strings.TrimPrefix(b.Parts[0].Path, f.home+"/")))
			}
		}
		return out
	}
	for _, c := range []struct {
		folder string
		files  []string
		want   []string
	}{
		{"", nil, nil},
		{"", []string{"src/api/handler.go"}, []string{"work/shop_api/.claude/rules/api.md"}},
		{"", []string{"src/routes/a/b.txt"}, []string{"work/shop_api/.claude/rules/api.md"}},
		{"", []string{"src/other/b.go"}, nil},
		{"", []string{"tools/x.py"}, []string{".claude/rules/python.md"}},
		{"", []string{"packages/web/src/x.ts"}, []string{"work/shop_api/packages/web/CLAUDE.md"}},
		{
			"",
			[]string{f.path("work/shop_api/packages/web/y.ts"), "packages/web/x.ts"},
			[]string{"work/shop_api/packages/web/CLAUDE.md"},
		},
		{"packages/web", []string{"x.ts"}, nil},
	} {
		if got := names(memory.Task{Folder: c.folder, Files: c.files}); !slices.Equal(got, c.want) {
			t.Errorf("%q in %q bring %q, want %q", c.files, c.folder, got, c.want)
		}
	}
	nested := blockOf(t, s, memory.Task{Folder: "packages/web"})
	if !strings.Contains(nested.Block.Text, "# Nested web CLAUDE (fake)") {
		t.Error("a session in a subfolder does not get its instructions at the start")
	}
	outside := blockOf(t, s, memory.Task{Folder: f.home})
	if len(outside.Notes) == 0 || !strings.Contains(outside.Notes[0], "not in the project") {
		t.Errorf("a folder elsewhere is taken: %q", outside.Notes)
	}
}

func TestTopicsAreRankedByTheWordsOfTheTask(t *testing.T) {
	f := unpack(t)
	s := f.open(t, "work/shop_api")
	r := blockOf(t, s, memory.Task{Text: "the integration tests of the retry loop are flaky in CI"})
	if len(r.Hits) < 2 || r.Hits[0].ID != memoryPrefix+"project_flaky_ci.md" ||
		r.Hits[1].ID != memoryPrefix+"feedback_testing.md" ||
		r.Estimate == "" {
		t.Errorf("hits are %+v, estimate %q", r.Hits, r.Estimate)
	}
	if !slices.ContainsFunc(r.Also, func(b memory.Block) bool {
		return b.Text == "<system-reminder>This memory is 120 days old. Memories are point-in-time observations, not live state — claims about code behavior or file:line citations may be outdated. Verify against current code before asserting as fact.</system-reminder>"
	}) {
		t.Error("the caveat of an old memory is not shown")
	}
	r = blockOf(t, s, memory.Task{Text: "migration plan"})
	if len(r.Hits) == 0 || r.Hits[0].ID != memoryPrefix+"project_orphan_migration.md" || r.Hits[0].Recalled {
		t.Errorf("a memory that is in no index is recalled: %+v", r.Hits)
	}
	if r = blockOf(t, s, memory.Task{Text: "flaky", Without: []string{"flaky"}}); len(r.Hits) > 0 ||
		r.Words[0].State != memory.WordLeftOut {
		t.Errorf("a word that is left out finds %+v", r.Hits)
	}
}

func TestSubagentsGetTheirMemories(t *testing.T) {
	f := unpack(t)
	var got []string
	for _, b := range blockOf(t, f.open(t, "work/shop_api"), memory.Task{}).Also {
		got = append(got, b.Where+": "+b.Text)
	}
	want := []string{
		"system prompt of the subagent db-migrator: ## MEMORY.md\n\n# db-migrator memory (project scope, fake)\n- always take a backup first",
		"system prompt of the subagent db-migrator: ## MEMORY.md\n\n# db-migrator memory (local scope, fake)\n- local socket /tmp/pg.sock",
		"system prompt of the subagent code-reviewer: ## MEMORY.md\n\n# code-reviewer memory (user scope, fake)\n\n## Patterns seen\n- Missing null checks in handlers",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	f.vars["CLAUDE_CODE_DISABLE_AUTO_MEMORY"] = "1"
	if also := blockOf(t, f.open(t, "work/shop_api"), memory.Task{}).Also; len(also) > 0 {
		t.Errorf("with auto memory off subagents get %+v", also)
	}
}

func TestAgentsFileIsReadOnlyWhereNoOtherIs(t *testing.T) {
	f := unpack(t)
	for rel, want := range map[string]bool{"solo": true, "work/site": false, "work/shop_api": false} {
		s := f.open(t, rel)
		r := blockOf(t, s, memory.Task{})
		if got := strings.Contains(r.Block.Text, "/AGENTS.md (project instructions"); got != want {
			t.Errorf("AGENTS.md of %s is read: %t", rel, got)
		}
		all, _ := records(t, s)
		if unseen := all["AGENTS.md"].Flags&memory.FlagUnseen != 0; unseen == want {
			t.Errorf("AGENTS.md of %s is unseen: %t", rel, unseen)
		}
	}
	for name, arrange := range map[string]func(f *fixture){
		"a service of others": func(f *fixture) { f.vars["CLAUDE_CODE_USE_BEDROCK"] = "1" },
		"an older version": func(f *fixture) {
			put(t, filepath.Join(filepath.Dir(f.memory("solo")), "s.jsonl"), `{"type":"user","cwd":"`+f.path("solo")+`","sessionId":"s","version":"2.1.276"}`+"\n")
		},
	} {
		f := unpack(t)
		arrange(f)
		if r := blockOf(t, f.open(t, "solo"), memory.Task{}); strings.Contains(r.Block.Text, "Solo AGENTS") {
			t.Errorf("AGENTS.md is read in spite of %s", name)
		}
	}
}

func TestDriftSinceTheLastSessionIsShown(t *testing.T) {
	f := unpack(t)
	s := f.open(t, "work/shop_api")
	dir := filepath.Dir(f.memory("work/shop_api"))
	touch(t, filepath.Join(dir, "2b802e19-0320-4588-a910-39a3fc6ef4cd.jsonl"), f.now.AddDate(5, 0, 0))
	differs := func() map[string]memory.Difference {
		out := map[string]memory.Difference{}
		for _, d := range blockOf(t, s, memory.Task{}).LastSession.Differs {
			out[strings.TrimPrefix(d.Path, f.home)] = d
		}
		return out
	}
	before := differs()
	if d, ok := before["/work/shop_api/CLAUDE.md"]; !ok || !strings.Contains(d.Was, "cut for the fixture") ||
		!strings.Contains(d.Now, "make test") {
		t.Errorf("CLAUDE.md differs by %+v", d)
	}
	if _, ok := before["/.claude/CLAUDE.md"]; ok {
		t.Error("the user's file is as it was, and is said to differ")
	}
	if _, ok := before["/work/shop_api/.claude/rules/api.md"]; ok {
		t.Error("a rule is as it was, and is said to differ")
	}
	put(t, f.path("work/shop_api/CLAUDE.local.md"), "now otherwise\n")
	if d := differs()["/work/shop_api/CLAUDE.local.md"]; d.Now != "now otherwise" ||
		!strings.HasPrefix(d.Was, "# Local notes") {
		t.Errorf("the local file differs by %+v", d)
	}
}

func TestSwitchesOfTheEnvironmentAndSettings(t *testing.T) {
	for name, c := range map[string]struct {
		arrange func(f *fixture)
		gone    string // from the block
		stays   string
	}{
		"no instructions": {
			func(f *fixture) { f.vars["CLAUDE_CODE_DISABLE_CLAUDE_MDS"] = "1" },
			"# Memory index",
			"",
		},
		"safe mode": {func(f *fixture) { f.vars["CLAUDE_CODE_SAFE_MODE"] = "true" }, "# Local notes", ""},
		"simple":    {func(f *fixture) { f.vars["CLAUDE_CODE_SIMPLE"] = "1" }, "# Managed", ""},
		"no memory": {
			func(f *fixture) { f.vars["CLAUDE_CODE_DISABLE_AUTO_MEMORY"] = "1" },
			"# Memory index",
			"# Personal",
		},
		"no memory, settings": {func(f *fixture) { put(t, f.path("work/shop_api/.claude/settings.json"), `{"autoMemoryEnabled":false}`) }, "# Memory index", "# Personal"},
		"no memory, but on": {func(f *fixture) {
			put(t, f.path("work/shop_api/.claude/settings.json"), `{"autoMemoryEnabled":false}`)
			f.vars["CLAUDE_CODE_DISABLE_AUTO_MEMORY"] = "0"
		}, "nothing of this", "# Memory index"},
		"excludes": {func(f *fixture) {
			put(t, f.path("work/shop_api/.claude/settings.json"), `{"claudeMdExcludes":["**/work/CLAUDE.md","`+f.path("work/shop_api/CLAUDE.local.md")+`"]}`)
		}, "# Local notes", "# shop_api project"},
		"damaged settings": {func(f *fixture) { put(t, f.path("work/shop_api/.claude/settings.json"), `{"claudeMdExcludes":[`) }, "nothing of this", "# Local notes"},
	} {
		t.Run(name, func(t *testing.T) {
			f := unpack(t)
			c.arrange(f)
			r := blockOf(t, f.open(t, "work/shop_api"), memory.Task{})
			if strings.Contains(r.Block.Text, c.gone) || !strings.Contains(r.Block.Text, c.stays) {
				t.Errorf("%q is there, or %q is not:\n%s", c.gone, c.stays, r.Block.Text)
			}
			snap, err := f.open(t, "work/shop_api").Snapshot(t.Context(), nil)
			if err != nil || snap.Total < 20 {
				t.Errorf("%d records are shown (%v): what is not read is still there", snap.Total, err)
			}
		})
	}
}

func TestFolderOfMemoryThatTheSettingsName(t *testing.T) {
	f := unpack(t)
	s := f.open(t, "work/shop_api")
	snap, err := s.Snapshot(t.Context(), nil)
	if err != nil || healthy(snap.Health, "untrusted-directory") == nil ||
		!strings.Contains(blockOf(t, s, memory.Task{}).Block.Text, "# Memory index") {
		t.Errorf("a folder that no session made is read (%v): %+v", err, snap.Health)
	}
	put(t, f.path("shop-memory/MEMORY.md"), "# Elsewhere\n")
	text := blockOf(t, s, memory.Task{}).Block.Text
	if !strings.Contains(text, "# Elsewhere") || strings.Contains(text, "# Memory index") {
		t.Errorf("the block lacks the folder that the project names:\n%s", text)
	}
	all, _ := records(t, s)
	old := all[memory.ID(memoryPrefix+"@"+slug(f.path("work/shop_api"))+"/user_role.md")]
	if old.Flags&memory.FlagUnseen == 0 || !noted(old, "autoMemoryDirectory") {
		t.Errorf("what lies in the usual folder is %+v", old)
	}
}

// TestPathsInATaskBringWhatAReadBrings holds what counts as a path, and what comes with it, to requests of
// Claude Code 2.1.332.
func TestPathsInATaskBringWhatAReadBrings(t *testing.T) {
	f := &fixture{home: t.TempDir(), etc: t.TempDir()}
	put(t, f.path("p/CLAUDE.md"), "at the start\n")
	put(t, f.path("p/d/CLAUDE.md"), "with files of d\n")
	put(t, f.path("p/d/deep/CLAUDE.md"), "with files of deep\n")
	put(t, f.path("p/d/deep/n.txt"), "x")
	put(t, f.path("p/.claude/rules/r.md"), "---\npaths: d/**\n---\nthe rule of d\n")
	deep := []string{"with files of d", "with files of deep", "the rule of d"}
	d := []string{deep[0], deep[2]}
	for task, want := range map[string][]string{
		"see @d/n.txt":                          d,
		"@d/missing.txt, please":                d,
		"see\n@d/deep/n.txt.":                   deep,
		"see\u00a0@d/n.txt)":                    d,
		"@./d/n.txt":                            d,
		"@d/../d/n.txt":                         d,
		"@~/p/d/n.txt":                          d,
		"@" + f.path("p/d/n.txt"):               d,
		"@d/n.txt#L1-2":                         d,
		"@d/n.txt#head":                         d,
		"@d/n.txt:3":                            d,
		`@"d/deep/a b.txt"x`:                    deep,
		`@"d/n.txt#L1"`:                         d,
		"@d/n.txt@d/deep/n.txt":                 d,
		"@d/n.txt and @d/n.txt":                 d,
		"(@d/n.txt)":                            nil,
		"a@d/n.txt":                             nil,
		"`@d/n.txt`":                            nil,
		`"@d/n.txt"`:                            nil,
		"@@d/n.txt":                             nil,
		"@ d/n.txt":                             nil,
		"@'d/n.txt'":                            nil,
		"@d/deep":                               nil,
		"@d/deep/":                              nil,
		"@CLAUDE.md":                            nil,
		"@../elsewhere/n.txt":                   nil,
		"d/n.txt":                               nil,
		"ask someone@example.com about @nobody": nil,
	} {
		r := blockOf(t, f.open(t, "p"), memory.Task{Text: task})
		var got []string
		for _, b := range r.Also {
			for _, part := range b.Parts {
				got = append(got, strings.TrimSpace(b.Text[part.Start:part.End]))
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("with %q come %q, want %q", task, got, want)
		}
	}
}
