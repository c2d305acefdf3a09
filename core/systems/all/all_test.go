package all_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/all"
)

// formOf returns the first form that a file is of, or nil.
func formOf(forms []system.Form, path, head string) *system.Form {
	for i := range forms {
		f := &forms[i]
		named := f.Named(path)
		looks := f.Looks != nil && f.Looks([]byte(head))
		if f.Both && named && looks || !f.Both && (named || looks) {
			return f
		}
	}
	return nil
}

const (
	lessonHead  = `{"lesson_id":"a","task_summary":"b","outcome":"failed","lesson":"c","tool_names":[]}` + "\n"
	journalHead = `{"event_id":"a","timestamp":"b","session_id":"c","type":"session.created","payload":{"task_text":"`
	spokenHead  = `{"parentUuid":null,"isSidechain":false,"type":"user","message":{},"uuid":"a","sessionId":"b"}` + "\n"
	pagesHead   = "SQLite format 3\x00\x10\x00\x02\x02"
)

func TestEveryFileIsOfTheFormOfItsProduct(t *testing.T) {
	forms := all.Forms()
	for _, c := range []struct{ path, head, want string }{
		{"sessions/memory.jsonl", "", "karnevil9 lesson store"},
		{"/home/u/x/sessions/memory.jsonl", "null\n", "karnevil9 lesson store"},
		{"run7/active-memory.jsonl", "", "karnevil9 lesson store"},
		{"data/memory.jsonl", lessonHead, "karnevil9 lesson store"},
		{"p000/lessons-00001.jsonl", lessonHead, "karnevil9 lesson store"},
		{"memory/lessons.jsonl", lessonHead, "karnevil9 lesson store"},
		{"a/memory.jsonl.tmp", "null\n" + lessonHead, "karnevil9 lesson store"},
		{"a/.winnow-0011223344556677.tmp.2", lessonHead, "karnevil9 lesson store"},
		{"a/lessons.jsonl.bak", "\ufeff" + lessonHead, "karnevil9 lesson store"},
		{"journal/events.jsonl", "", "karnevil9 journal"},
		{"data/journal.jsonl", journalHead, "karnevil9 journal"},
		{"x/memory.jsonl", `{"type":"entity","name":"a","observations":[]}`, "mcpmemory memory graph"},
		{"x/other.jsonl", `{"a":1}`, ""},
		{"x/notes.txt", lessonHead, ""},

		{"MEMORY.md", "a\n§\nb", "kimchi notes"},
		{"harness/memory/USER.md", "a", "kimchi notes"},
		{".hermes/memories/MEMORY.md.bak.17", "a\n§\nb", "kimchi notes"},
		{".kimchi/agent-memory/scout/MEMORY.md", "", "kimchi agent memory"},
		{".config/kimchi/harness/agent-memory/scout/x.md", "", "kimchi agent memory"},

		{"memory/deploy.md", "---\nname: a\ndescription: b\ntype: decision\n---\n\nc\n", "handbook memory"},
		{"notes/deploy.md", "---\nname: a\ndescription: b\ntype: fact\n---\n", "handbook memory"},
		{"memory/MEMORY.md", "# Memory index\n\nNotes this agent chose to remember, one", "handbook memory index"},
		{"notes/blog.md", "---\ntitle: a\ntype: post\n---\n", ""},

		{"CLAUDE.md", "", "claudecode instruction file"},
		{"a/b/.claude/CLAUDE.md", "", "claudecode instruction file"},
		{"CLAUDE.local.md", "", "claudecode instruction file"},
		{".claude/rules/go/tests.md", "", "claudecode instruction file"},
		{".claude/commands/ship.md", "", "claudecode instruction file"},
		{"skills/pdf/SKILL.md", "", "claudecode instruction file"},
		{"/root/.claude/projects/-a-b/memory/MEMORY.md", "", "claudecode auto memory"},
		{"/root/.claude/projects/-a-b/memory/topic.md", "", "claudecode auto memory"},
		{".claude/agent-memory-local/scout/MEMORY.md", "", "claudecode auto memory"},
		{"export/memory/a.md", "---\nname: a\nmetadata: \n  type: feedback\n---\n", "claudecode auto memory"},
		{"/root/.claude/projects/-a-b/0f.jsonl", "", "claudecode transcript"},
		{"logs/session.jsonl", spokenHead, "claudecode transcript"},
		{".claude/history.jsonl", "", "claudecode prompt history"},
		{".claude/settings.local.json", "", "claudecode settings"},
		{".mcp.json", "", "claudecode settings"},
		{".claude/plans/x.md", "", "claudecode agent file"},

		{"AGENTS.md", "", "opencode instruction file"},
		{".opencode/agent/x.md", "", "opencode instruction file"},
		{"opencode.json", "", "opencode settings"},
		{".local/share/opencode/opencode.db", pagesHead, "opencode session database"},
		{"opencode-beta.db-wal", "\x37\x7f\x06\x82", "opencode session database"},
		{"opencode.db", "no pages", ""},
		{"storage/message/ses_1/msg_2.json", "", "opencode session file"},
		{".local/share/opencode/auth.json", "", "opencode credentials"},
		{".local/state/opencode/prompt-history.jsonl", "", "opencode prompt history"},

		{".arbiter/tenants.db", pagesHead, "arbiter lesson database"},
		{"arbiter.db", pagesHead, "arbiter lesson database"},
		{"tenants.db-wal", "\x37\x7f\x06\x83", "arbiter lesson database"},
		{"tenants.db", "", ""},
		{"other.db", pagesHead, ""},

		{"GEMINI.md", "", "gemini instruction file"},
		{".cursorrules", "", "rulefiles instruction file"},
		{".cursor/rules/a/b.mdc", "", "rulefiles instruction file"},
		{".windsurfrules", "", "rulefiles instruction file"},
		{".github/copilot-instructions.md", "", "rulefiles instruction file"},
		{".github/instructions/memory.instruction.md", "", "agents instruction file"},
		{"CONVENTIONS.md", "", "agents instruction file"},
		{"proj000/.agent/memory/notes-00001.md", "- a", "agents agent memory"},
		{"memories/x/y.txt", "", "agents agent memory"},
		{".agents/state.json", "", "agents agent memory"},
		{"memory/graph.jsonl", "{}", "agents agent memory"},
		{"memory/MEMORY.md", "- a", "agents agent memory"},
		{".codex/sessions/2026/rollout-1.jsonl", "", "codex transcript"},
		{"AGENTS.override.md", "", "codex instruction file"},
		{"web/GEMINI.md", "", "gemini instruction file"},
		{".gemini/tmp/shop/memory/MEMORY.md", "", "gemini private memory"},
		{".gemini/tmp/shop/chats/session-1.jsonl", "", "gemini transcript"},
		{".codex/memories/memory_summary.md", "", "codex memory summary"},
		{".codex/memories/rollout_summaries/a.md", "", "codex memory"},
		{"web/QWEN.md", "", "qwen instruction file"},
		{".qwen/rules/go/a.md", "", "qwen instruction file"},
		{".qwen/projects/-srv-shop/memory/MEMORY.md", "", "qwen memory"},
		{".qwen/memories/me.md", "", "qwen memory"},
		{".qwen/settings.json", "", "qwen settings"},
		{"web/.goosehints", "", "goose hints"},
		{".goose/memory/dev.txt", "", "goose memory"},
		{"/home/u/.config/goose/memory/dev.txt", "", "goose memory"},
		{".serena/memories/auth/login.md", "", "serena memory"},
		{".serena/project.yml", "", "serena settings"},
		{".aider.chat.history.md", "", "agents transcript"},
		{".cursor/mcp.json", "", "agents settings"},
		{".winnow-0011223344556677.tmp", "# Rules", "agents temporary file"},

		{"README.md", "# a", ""},
		{"core/memory/memory.go", "package memory", ""},
		{"src/main.py", "", ""},
		{"", "", ""},
	} {
		got := ""
		if f := formOf(forms, c.path, c.head); f != nil {
			got = string(f.System) + " " + f.Name
		}
		if got != c.want {
			t.Errorf("%s with %.20q is %q, want %q", c.path, c.head, got, c.want)
		}
	}
}

func TestLinesAreReadWhereAFileHoldsThem(t *testing.T) {
	forms := all.Forms()
	for path, want := range map[string]bool{
		"sessions/memory.jsonl": true, "journal/events.jsonl": true, "memory/a.jsonl": true,
		".claude/projects/a/b.jsonl": true,
		"CLAUDE.md":                  false, "memory/a.json": false, "opencode.json": false,
	} {
		if f := formOf(forms, path, ""); f == nil || f.Lines != want {
			t.Errorf("%s: %+v", path, f)
		}
	}
	if f := formOf(forms, "sessions/memory.jsonl", ""); f.Decode == nil || f.Land == nil || f.Held != 200 {
		t.Errorf("the lesson store is %+v", f)
	}
}

func TestLeftOversAreKnownByTheirNames(t *testing.T) {
	forms := all.Forms()
	for path, want := range map[string]bool{
		"sessions/memory.jsonl.tmp": true, "journal/events.jsonl.lock": true, "a/.winnow-0011223344556677.tmp": true,
		"a/.winnow-0011223344556677.tmp.part": true, ".hermes/memories/.1700000000000.tmp": true,
		"sessions/memory.jsonl": false, "MEMORY.md.lock": false, ".consolidate-lock": false, "a.tmp": false,
		".tmp": false, "": false,
	} {
		got := false
		for _, f := range forms {
			got = got || f.Stale != nil && f.Stale(path)
		}
		if got != want {
			t.Errorf("%q is left over: %t", path, got)
		}
	}
}

func TestWhatIsLandedStandsInItsBlock(t *testing.T) {
	for _, f := range all.Forms() {
		if f.Land == nil {
			continue
		}
		r := memory.Record{Title: "the title", Body: "the body", Outcome: memory.Failed}
		checkLanded(t, &f, &r)
		if l := f.Land(&r); !strings.Contains(l.Text, r.Body) {
			t.Errorf("%s %s: %+v", f.System, f.Name, l)
		}
	}
}

// checkLanded holds a rendering to what memory.Landed promises.
func checkLanded(t *testing.T, f *system.Form, r *memory.Record) {
	t.Helper()
	l := f.Land(r)
	at := 0
	for _, p := range l.Parts {
		if p.Field == "" || p.Start < at || p.End < p.Start || p.End > len(l.Text) {
			t.Errorf("%s %s: part %+v of %d bytes", f.System, f.Name, p, len(l.Text))
			return
		}
		at = p.End
	}
	if l.Name == "" || l.Text != "" && len(l.Parts) == 0 {
		t.Errorf("%s %s: %+v", f.System, f.Name, l)
	}
}

func FuzzAnyNameAndTextIsTold(f *testing.F) {
	for _, head := range []string{
		lessonHead, journalHead, spokenHead, pagesHead, "---\nname: a\ntype: fact\n---", "a\r\n§\r\nb",
	} {
		f.Add("memory/MEMORY.md", head)
		f.Add("a/.claude/**/x.jsonl", head)
	}
	forms := all.Forms()
	f.Fuzz(func(t *testing.T, path, head string) {
		for i := range forms {
			form := &forms[i]
			if first, again := form.Named(path), form.Named(path); first != again {
				t.Errorf("%s %s: %q is and is not so named", form.System, form.Name, path)
			}
			if form.Looks != nil {
				form.Looks([]byte(head))
			}
			if form.Stale != nil {
				form.Stale(path)
			}
			r := memory.Record{Title: path, Body: head}
			if form.Decode != nil && !strings.Contains(head, "\n") && utf8.ValidString(head) {
				r = form.Decode(head, 1)
			}
			if form.Land != nil {
				checkLanded(t, form, &r)
			}
		}
	})
}
