//go:build unix

package claudecode

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"winnow/core/memory"
)

// TestDamagedTreeIsShownAsFarAsItGoes has everything in the way that can be.
func TestDamagedTreeIsShownAsFarAsItGoes(t *testing.T) {
	f := unpack(t)
	root, mem := f.path("work/shop_api"), f.memory("work/shop_api")
	huge := strings.Repeat("# Far too long\n", maxLoaded/15+10)
	for path, text := range map[string]string{
		root + "/CLAUDE.local.md": huge,
		mem + "/binary.md":        "\xff\xfe\x00\x00\x80",
		mem + "/long.md": "---\nname: long\ndescription: It is long\ntype: user\n---\n" +
			strings.Repeat("word ", maxTopic/4),
		mem + "/odd\nname\x1b[31m.md":         "text",
		mem + "/unknown.md":                   "---\nname: flaky-ci\ndescription: d\ntype: lore\n---\n",
		mem + "/.hidden.md":                   "hidden",
		mem + "/folder.md/inner.md":           "in a folder",
		root + "/.claude/rules/binary.md":     "\x00\x01",
		root + "/.claude/rules/many.md":       "---\npaths: '" + strings.Repeat("{a,b}", 12) + "'\n---\n",
		f.home + "/.claude/sessions/7.json":   "{",
		f.home + "/.claude/projects/file.txt": "not a folder",
		f.home + "/.claude.json":              "{\"projects\": 7",
		root + "/.claude/settings.local.json": "[]",
	} {
		put(t, path, text)
	}
	for link, to := range map[string]string{
		mem + "/loop.md": "loop.md", mem + "/nowhere.md": "nowhere", mem + "/up": "..",
		root + "/.claude/rules/round":  "..",
		root + "/.claude/rules/linked": "backend", f.home + "/.claude/projects/round": ".",
	} {
		if err := os.Symlink(to, link); err != nil {
			t.Fatal(err)
		}
	}
	for _, pipe := range []string{
		mem + "/pipe.md",
		root + "/.claude/rules/pipe.md",
		f.home + "/.claude/sessions/8.json",
		f.home + "/.claude/projects/pipe",
	} {
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Skip(err)
		}
	}
	before := allBelow(t, f.home)
	s := f.open(t, "work/shop_api")
	all, _ := records(t, s)
	for id, holds := range map[memory.ID]func(memory.Record) bool{
		"CLAUDE.local.md":  func(r memory.Record) bool { return noted(r, "larger than 4 MiB") && r.Fixed != "" },
		"memory:binary.md": func(r memory.Record) bool { return r.Title != "" },
		"memory:long.md": func(r memory.Record) bool {
			return r.RawCut() && r.Title == "It is long" &&
				r.Fixed != ""
		},
		"memory:unknown.md": func(r memory.Record) bool {
			return noted(r, "type is lore") && noted(r, "2 memories are called flaky-ci")
		},
		"memory:folder.md/inner.md":     func(r memory.Record) bool { return r.Title == "in a folder" },
		"memory:loop.md":                func(r memory.Record) bool { return r.Problem != nil && r.Problem.Code == "link-loop" },
		"memory:pipe.md":                func(r memory.Record) bool { return r.Problem != nil && r.Problem.Code == "not-a-file" },
		".claude/rules/pipe.md":         func(r memory.Record) bool { return r.Problem != nil },
		".claude/rules/many.md":         func(r memory.Record) bool { return noted(r, "more than 1,000 patterns") },
		".claude/rules/linked/db.md":    nil, // it is shown where the link leads
		"memory:project_flaky_ci.md":    func(r memory.Record) bool { return r.Problem == nil },
		"memory:odd\nname\x1b[31m.md":   func(r memory.Record) bool { return r.Title == "text" },
		"CLAUDE.md":                     func(r memory.Record) bool { return r.Problem == nil },
		".claude/rules/backend/db.md":   func(r memory.Record) bool { return r.Problem == nil },
		"memory:MEMORY.md":              func(r memory.Record) bool { return r.Kind == kindIndex },
		"memory:feedback_testing.md":    func(r memory.Record) bool { return r.Title != "" },
		".claude/rules/testing.md":      func(r memory.Record) bool { return fact(r, "read") == "at every start" },
		"memory:reference_api_dump.md":  func(r memory.Record) bool { return r.Kind == "reference" },
		"memory:reference_dashboard.md": nil, "memory:nowhere.md": nil, "memory:.hidden.md": nil, "memory:up": nil,
	} {
		r, there := all[id]
		if there != (holds != nil) || there && !holds(r) {
			t.Errorf("%q: there %t, %.300s", id, there, r.Notes)
		}
	}
	snap, err := s.Snapshot(t.Context(), nil)
	if err != nil || snap.Total != len(all) || healthy(snap.Health, "damaged") == nil ||
		healthy(snap.Health, "folder") == nil ||
		healthy(snap.Health, "settings-damaged") == nil {
		t.Errorf("%d records and %d, %v: %+v", snap.Total, len(all), err, snap.Health)
	}
	sum, err := s.Summary(t.Context())
	if err != nil || sum.Total != snap.Total {
		t.Errorf("the summary has %d records (%v), the snapshot %d", sum.Total, err, snap.Total)
	}
	if r := blockOf(t, s, memory.Task{Text: "flaky"}); strings.Contains(r.Block.Text, "Far too long") {
		t.Error("what is too long is injected")
	}
	if got := f.find(t, root); len(got) != 3 {
		t.Errorf("found %q", got)
	}
	if after := allBelow(t, f.home); !maps.Equal(before, after) {
		t.Error("looking changed the home folder")
	}
}

func TestUnreadableFilesAreSaid(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("does not apply: root reads everything; the suite tries it as another user")
	}
	f := unpack(t)
	path := filepath.Join(f.memory("work/shop_api"), "user_role.md")
	if err := os.Chmod(path, 0); err != nil {
		t.Fatal(err)
	}
	all, _ := records(t, f.open(t, "work/shop_api"))
	if r := all[memoryPrefix+"user_role.md"]; r.Problem == nil || r.Problem.Code != "unreadable" {
		t.Errorf("the record is %+v", r)
	}
}

func TestLinksThatLeadOutAreNotWritten(t *testing.T) {
	f := unpack(t)
	outside := f.path("notes/outside.md")
	put(t, outside, "# Outside\n")
	link := filepath.Join(f.memory("work/shop_api"), "link.md")
	if err := os.Symlink(outside, link); err != nil {
		t.Fatal(err)
	}
	d := f.libraryStore(t, "work/shop_api")
	body := "changed"
	p, err := d.l.Plan(
		t.Context(),
		d.id,
		memory.Order{Do: memory.EditOne, IDs: []memory.ID{memoryPrefix + "link.md"}, Edit: memory.Edit{Body: &body}},
	)
	if err == nil {
		_, err = d.l.Apply(t.Context(), p)
	}
	text, _ := os.ReadFile(outside)
	if problem := (*memory.Problem)(nil); !errors.As(err, &problem) || string(text) != "# Outside\n" {
		t.Errorf("editing through a link = %v, and there is %q", err, text)
	}
}

func TestEmptyFileIsDeletedAndComesBack(t *testing.T) {
	f := unpack(t)
	d := f.libraryStore(t, "work/site")
	before := allBelow(t, f.memory("work/site"))
	d.apply(memory.Order{Do: memory.Delete, IDs: []memory.ID{memoryPrefix + "note_004.md"}})
	if _, err := os.Lstat(filepath.Join(f.memory("work/site"), "note_004.md")); err == nil {
		t.Error("it is still there")
	}
	d.apply(memory.Order{Do: memory.Undo})
	if after := allBelow(t, f.memory("work/site")); !maps.Equal(before, after) {
		t.Error("undone is not as it was")
	}
}
