package library_test

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/core/fix"
	"winnow/core/library"
	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/all"
)

const (
	leaked     = "AKIAZ7QWERTYUIOPKJHG"
	lessonLine = `{"lesson_id":"a1","task_summary":"Build the project with ` + leaked + `","outcome":"failed","lesson":"Use make.",` +
		`"tool_names":["shell"],"created_at":"2026-01-02T03:04:05.000Z","session_id":"s1","relevance_count":0}` + "\n"
	prose    = "# Notes\n\nThe key is " + leaked + ".\n"
	handbook = "---\nname: build\ndescription: how to build\ntype: fact\n---\n\nThe key is " + leaked + ".\n"
)

// cloned is a clone below a home folder. Whatever lies in the home folder, but not in the clone, is
// outside.
type cloned struct{ home, dir string }

// wayOut is a way in which a clone names something outside of it. Files and links are relative to the
// clone; a link's target may be relative, and ~ is the home folder.
type wayOut struct {
	system memory.SystemID
	name   string
	files  map[string]string
	links  map[string]string
	// leads is the file outside that it leads to, relative to the home folder. It is empty if the agent
	// does not go there.
	leads string
	// into is set if it leads to a place where the system would make files, and not to records. never is
	// set if the system itself refuses to change what is there, or changes other files with it.
	into, never bool
}

// waysOut returns for each system each way to name a path.
func waysOut() []wayOut {
	link := func(id memory.SystemID, path, target, leads string) wayOut {
		return wayOut{system: id, name: path + " -> " + target, links: map[string]string{path: target}, leads: leads}
	}
	file := func(id memory.SystemID, path, text, leads string) wayOut {
		return wayOut{system: id, name: path + ": " + text, files: map[string]string{path: text}, leads: leads}
	}
	const lessons, notes = "out/memory.jsonl", "out/notes.md"
	list := []wayOut{
		file("karnevil9", ".env", "KARNEVIL9_MEMORY_PATH=../"+lessons, lessons),
		file("karnevil9", ".env", "KARNEVIL9_MEMORY_PATH=x/../../"+lessons, lessons),
		file("karnevil9", ".env", "export KARNEVIL9_MEMORY_PATH='~/"+lessons+"'", lessons),
		link("karnevil9", "sessions/memory.jsonl", "../../"+lessons, lessons),
		link("karnevil9", "sessions/memory.jsonl", "~/"+lessons, lessons),
		link("karnevil9", "sessions", "../out", lessons),
		link("karnevil9", "data/memory.jsonl", "../../"+lessons, lessons),
		link("karnevil9", "active-memory.jsonl", "../"+lessons, lessons),
		{system: "karnevil9", name: "a link to a link", leads: lessons,
			links: map[string]string{"sessions/memory.jsonl": "../a", "a": "b", "b": "../" + lessons}},
		link("winnow", ".winnow/lessons.jsonl", "../../"+lessons, lessons),
		link("winnow", ".winnow", "../out/own", "out/own/lessons.jsonl"),
		link("claudecode", "CLAUDE.md", "../"+notes, notes),
		link("claudecode", ".claude", "../out/claude", "out/claude/CLAUDE.md"),
		link("claudecode", ".claude/CLAUDE.md", "~/"+notes, notes),
		link("claudecode", "web/CLAUDE.md", "../../"+notes, notes),
		link("claudecode", ".claude/rules/x.md", "../../../"+notes, notes),
		file("claudecode", "CLAUDE.md", "See @~/"+notes+"\n", notes),
		file("claudecode", "CLAUDE.md", "See @../"+notes+"\n", notes),
		{system: "claudecode", name: "autoMemoryDirectory", never: true, leads: "out/auto/key.md",
			files: map[string]string{".claude/settings.json": `{"autoMemoryDirectory":"~/out/auto"}`}},
		link("codex", "AGENTS.md", "../"+notes, notes),
		link("codex", "web/AGENTS.md", "../../"+notes, notes),
		{system: "codex", name: "a name with a path, which Codex does not take", files: map[string]string{
			"AGENTS.md": "Use make.\n", ".codex/config.toml": `project_doc_fallback_filenames = ["../` + notes + `"]`}},
		link("gemini", "GEMINI.md", "../"+notes, notes),
		file("gemini", ".gemini/settings.json", `{"context":{"fileName":["../`+notes+`"]}}`, notes),
		{system: "gemini", name: "an import, which Gemini CLI does not follow", files: map[string]string{"GEMINI.md": "See @../" + notes + "\n"}},
		link("gemini", ".gemini", "../out/gemini", notes),
		file("opencode", "opencode.json", `{"instructions":["~/`+notes+`"]}`, notes),
		file("opencode", "opencode.json", `{"instructions":["../out/*.md"]}`, notes),
		file("opencode", ".opencode/opencode.json", `{"instructions":["~/`+notes+`"]}`, notes),
		link("opencode", "AGENTS.md", "~/"+notes, notes),
		link("opencode", "opencode.json", "../out/opencode.json", notes),
		link("rulefiles", ".cursorrules", "../"+notes, notes),
		link("rulefiles", ".cursor/rules/x.mdc", "../../../"+notes, notes),
		link("rulefiles", ".github/copilot-instructions.md", "../../"+notes, notes),
		link("rulefiles", ".clinerules", "../"+notes, notes),
		{system: "kimchi", name: "an agent's folder that is a link", never: true, leads: "out/agent/MEMORY.md",
			links: map[string]string{".kimchi/agent-memory/tester": "../../../out/agent"}},
		link("kimchi", ".kimchi", "../out/kimchi", "out/kimchi/agent-memory/tester/MEMORY.md"),
		link("handbook", "memory", "../out/handbook", "out/handbook/build.md"),
		{system: "handbook", name: "a memory that is a link", leads: "out/handbook/build.md",
			files: map[string]string{"memory/other.md": handbook}, links: map[string]string{"memory/build.md": "../../out/handbook/build.md"}},
		link("karnevil9", "sessions/memory.jsonl", "../.git/memory.jsonl", "clone/.git/memory.jsonl"),
		link("winnow", ".winnow", ".git", "clone/.git/lessons.jsonl"),
		{system: "winnow", name: "a folder that is not there yet", links: map[string]string{".winnow": "../out/fresh"}, into: true},
		{system: "winnow", name: "a file that is not there yet", links: map[string]string{".winnow/lessons.jsonl": "../../out/fresh.jsonl"}, into: true},
	}
	return list
}

// put writes a file, and makes its folder.
func put(t *testing.T, path, text string) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = os.WriteFile(path, []byte(text), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// clone makes a home with every agent installed, files outside of the clone, and the clone.
func clone(t *testing.T, w wayOut) cloned {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c := cloned{home: home, dir: filepath.Join(home, "clone")}
	for _, installed := range []string{".claude/projects/x/y", ".codex/x", ".gemini/x", ".config/opencode/x", ".local/share/opencode/x"} {
		put(t, filepath.Join(home, installed), "")
	}
	for path, text := range map[string]string{
		"out/memory.jsonl": lessonLine, "out/own/lessons.jsonl": lessonLine, "out/notes.md": prose, "out/claude/CLAUDE.md": prose,
		"out/auto/MEMORY.md": "- [key](key.md): the key\n", "out/auto/key.md": prose, "out/gemini/settings.json": `{"context":{"fileName":["../out/notes.md"]}}`,
		"out/opencode.json": `{"instructions":["~/out/notes.md"]}`, "out/agent/MEMORY.md": prose,
		"out/kimchi/agent-memory/tester/MEMORY.md": prose, "out/handbook/build.md": handbook,
		"clone/.git/HEAD": "ref: refs/heads/main\n", "clone/.git/memory.jsonl": lessonLine, "clone/.git/lessons.jsonl": lessonLine, "clone/README": "",
		".claude.json": `{"projects":{"` + c.dir + `":{"hasTrustDialogAccepted":true,"hasClaudeMdExternalIncludesApproved":true}}}`,
	} {
		put(t, filepath.Join(home, path), text)
	}
	for path, text := range w.files {
		put(t, filepath.Join(c.dir, path), strings.ReplaceAll(text, "'~/", "'"+home+"/"))
	}
	for path, target := range w.links {
		at := filepath.Join(c.dir, path)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if rest, isHome := strings.CutPrefix(target, "~/"); isHome {
			target = filepath.Join(home, rest)
		}
		if err := os.Symlink(target, at); err != nil {
			t.Skip("links cannot be made here:", err)
		}
	}
	t.Setenv("HOME", home)
	for _, name := range []string{"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "HERMES_HOME", "MEMORY_DIR"} {
		t.Setenv(name, "") // so that the test puts it back
		if err := os.Unsetenv(name); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(c.dir)
	return c
}

func (c cloned) library(t *testing.T) *library.Library {
	t.Helper()
	now := func() time.Time { return time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC) }
	env := system.Env{Home: c.home, Dir: c.dir, Lookup: os.LookupEnv}
	state := library.State{Dir: filepath.Join(c.home, "state"), Rand: rand.Reader}
	return library.New(all.Systems(now), env, now, func(fn func()) { go fn() }, state, all.Forms()...)
}

// outside returns the content of what lies outside of the clone's files, by path.
func (c cloned) outside(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	err := filepath.WalkDir(c.home, func(path string, e fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(c.home, path)
		switch {
		case err != nil:
			return err
		case rel == "state", rel == filepath.Join(".claude", "projects"): // Claude Code keeps memories of the project there
			return filepath.SkipDir
		case strings.HasPrefix(rel, "clone"+string(filepath.Separator)) && !strings.HasPrefix(rel, filepath.Join("clone", ".git")):
			if e.IsDir() {
				return filepath.SkipDir
			}
			return nil
		case e.IsDir():
			texts[rel] = "folder"
			return nil
		}
		text, err := os.ReadFile(path)
		texts[rel] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// differing returns what is there now and was not before, and what is gone, as "".
func differing(before, now map[string]string) map[string]string {
	out := map[string]string{}
	for path, text := range now {
		if was, there := before[path]; !there || was != text {
			out[path] = text
		}
	}
	for path := range before {
		if _, there := now[path]; !there {
			out[path] = ""
		}
	}
	return out
}

// orders returns an order for each command that changes records.
func orders(ids []memory.ID) []memory.Order {
	title, body, name := "Build it", "Changed.", "fresh.md"
	list := []memory.Order{
		{Do: memory.AddOne, Edit: memory.Edit{Title: &title, Body: &body}},
		{Do: memory.AddOne, Edit: memory.Edit{Body: &body, Name: &name}},
		{Do: memory.AddOne, Edit: memory.Edit{Body: &body}},
		{Do: memory.Redact, IDs: ids}, {Do: memory.Repair},
		{Do: memory.Prune, Rule: memory.Rule{Unused: true}, IDs: ids}, {Do: memory.Prune, Rule: memory.Rule{Failed: true}},
		{Do: memory.Commit, IDs: ids}, {Do: memory.Undo}, {Do: memory.Redo}, {Do: memory.Delete, IDs: ids},
	}
	if len(ids) > 1 {
		list = append(list, memory.Order{Do: memory.Merge, IDs: ids})
	}
	for _, id := range ids {
		list = append(list, memory.Order{Do: memory.EditOne, IDs: []memory.ID{id}, Edit: memory.Edit{Body: &body}},
			memory.Order{Do: memory.EditOne, IDs: []memory.ID{id}, Edit: memory.Edit{Raw: &body}},
			memory.Order{Do: memory.Delete, IDs: []memory.ID{id}}, memory.Order{Do: memory.Redact, IDs: []memory.ID{id}})
	}
	for i := range list {
		list[i].Anyway = true
	}
	return list
}

func idsIn(t *testing.T, l *library.Library, id memory.StoreID) (ids []memory.ID) {
	t.Helper()
	_, err := l.Each(t.Context(), []memory.StoreID{id}, func(_ memory.StoreID, r *memory.Record) error {
		ids = append(ids, r.ID)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

// tryAll orders every change of every store, and returns the errors.
func tryAll(t *testing.T, l *library.Library, places []memory.Place) (refused []error) {
	t.Helper()
	for _, p := range places {
		for _, o := range orders(idsIn(t, l, p.Store)) {
			plan, err := l.Plan(t.Context(), p.Store, o)
			for _, f := range plan.Findings {
				plan.Order.Allow = append(plan.Order.Allow, f.Rule)
			}
			if err == nil {
				_, err = l.Apply(t.Context(), plan)
			}
			if err != nil {
				refused = append(refused, err)
			}
		}
	}
	return refused
}

// fixAll audits the stores and the clone, and redacts what can be. It returns why files were not changed.
func fixAll(t *testing.T, l *library.Library) (refused []error) {
	t.Helper()
	for _, o := range []memory.AuditOrder{{Stores: true}, {Paths: []string{"."}, AllText: true, Sharing: memory.SharedAndIgnored}} {
		a, err := l.Audit(t.Context(), o, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		fixed, err := fix.New(l).Fix(t.Context(), a)
		for _, f := range fixed.Failed {
			refused = append(refused, f.Problem)
		}
		if err != nil {
			refused = append(refused, err)
		}
	}
	return refused
}

// refusedAt returns the first refusal because of a file outside.
func refusedAt(errs []error) *memory.Problem {
	for _, err := range errs {
		if p := (*memory.Problem)(nil); errors.As(err, &p) && p.Code == system.CodeOutside {
			return p
		}
	}
	return nil
}

func TestNothingThatAProjectNamesLeadsOutOfIt(t *testing.T) {
	for _, w := range waysOut() {
		t.Run(string(w.system)+"/"+w.name, func(t *testing.T) {
			c := clone(t, w)
			before := c.outside(t)
			l := c.library(t)
			places := slices.DeleteFunc(l.Find(t.Context()).Places, func(p memory.Place) bool { return p.System != w.system || p.Personal })
			if w.into {
				places = []memory.Place{{Store: memory.At(w.system, filepath.Join(c.dir, ".winnow", "lessons.jsonl"))}}
			}
			if len(places) == 0 {
				t.Fatal("no store of the system was found")
			}
			refused := append(fixAll(t, l), tryAll(t, l, places)...)
			for path, text := range differing(before, c.outside(t)) {
				t.Errorf("%s is %q now", path, text)
			}
			p := refusedAt(refused)
			if w.leads == "" {
				return
			}
			if p == nil {
				t.Fatalf("nothing was refused for where it lies: %v", refused)
			}
			if p.Hint == "" {
				t.Errorf("%s: no hint", p.What)
			}
			if want := filepath.Join(c.home, w.leads); !strings.HasPrefix(p.Outside, filepath.Dir(want)) {
				t.Errorf("refused is %s, want %s or in its folder", p.Outside, want)
			}
		})
	}
}

func only(places []memory.Place, holds func(memory.Place) bool) []memory.Place {
	return slices.DeleteFunc(slices.Clone(places), func(p memory.Place) bool { return !holds(p) })
}

// permittedWays are the ways to a file outside that a person may permit: one for each system, or all where
// everything is tried.
func permittedWays() (list []wayOut) {
	isLong := os.Getenv("WINNOW_LONG") != ""
	tried := map[memory.SystemID]bool{}
	for _, w := range waysOut() {
		isPermitted := w.leads != "" && !w.never && !strings.HasPrefix(w.leads, "clone")
		if isPermitted && (isLong || !tried[w.system]) {
			tried[w.system] = true
			list = append(list, w)
		}
	}
	return list
}

func TestWhoNamesAFileMayChangeIt(t *testing.T) {
	for _, w := range permittedWays() {
		t.Run(string(w.system)+"/"+w.name, func(t *testing.T) {
			c := clone(t, w)
			l := c.library(t)
			isOf := func(p memory.Place) bool { return p.System == w.system }
			refused := refusedAt(tryAll(t, l, only(l.Find(t.Context()).Places, isOf)))
			if refused == nil {
				t.Fatal("nothing was refused")
			}
			named, err := filepath.Rel(c.home, refused.Outside)
			if err != nil {
				t.Fatal(err)
			}
			c = clone(t, w) // in the first one, what names the file may have changed
			before := c.outside(t)
			l = c.library(t)
			places := only(l.FindIn(t.Context(), []string{filepath.Join(c.home, named)}).Places, isOf)
			if len(places) == 0 {
				t.Fatalf("no store has %s", refused.Outside)
			}
			_ = tryAll(t, l, places)
			after := c.outside(t)
			if after[w.leads] == before[w.leads] {
				t.Error("the file that was named did not change")
			}
		})
	}
}

func TestSettingsOfThePersonAllowFolders(t *testing.T) {
	for _, w := range permittedWays() {
		t.Run(string(w.system)+"/"+w.name, func(t *testing.T) {
			c := clone(t, w)
			put(t, filepath.Join(c.home, ".config/winnow/config.toml"), "[stores]\nallow = [\"~/out\"]\n")
			before := c.outside(t)
			l := c.library(t)
			_ = tryAll(t, l, slices.DeleteFunc(l.Find(t.Context()).Places, func(p memory.Place) bool { return p.System != w.system }))
			if after := c.outside(t); after[w.leads] == before[w.leads] {
				t.Error("the file in the folder that is allowed did not change")
			}
		})
	}
}
