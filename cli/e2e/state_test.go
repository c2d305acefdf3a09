package e2e

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// olderState is a home with the state folder that an earlier Winnow wrote for three
// stores: histories of every kind of change, pins, ignored findings, a baseline and a
// draft. What it wrote has to mean the same for ever.
type olderState struct{ *filledHome }

// The stores of testdata/state.
const (
	olderLessons = "work/app/sessions/memory.jsonl"
	olderProject = ".claude/projects/-home-dev-app"
	olderEntries = ".config/kimchi/harness/memory/MEMORY.md"
)

func (o olderState) lessons() string { return o.at(olderLessons) }
func (o olderState) project() string { return "claudecode:" + o.at(olderProject) }
func (o olderState) entries() string { return o.at(olderEntries) }

// openOlderState unpacks the fixture. Histories name their store, in a folder that is named
// after the hash of that name, so both change with the place of the home.
func openOlderState(t *testing.T) olderState {
	t.Helper()
	program, err := exec.LookPath("winnow")
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	o := olderState{&filledHome{t: t, program: program, home: root, shop: root, temp: t.TempDir()}}
	archive, err := txtar.ParseFile("../../testdata/state/home.txtar")
	o.check(err)
	for _, f := range archive.Files {
		path := filepath.Join(root, filepath.FromSlash(f.Name))
		o.check(os.MkdirAll(filepath.Dir(path), 0o700))
		o.check(os.WriteFile(path, f.Data, 0o600))
	}
	for path, store := range map[string]string{olderLessons: o.lessons(), "claudecode:" + olderProject: o.project(), olderEntries: o.entries()} {
		was := wasHome + "/" + path
		if system, rest, named := strings.Cut(path, ":"); named {
			was = system + ":" + wasHome + "/" + rest
		}
		o.check(os.Rename(o.history(was), o.history(store)))
		o.rename(filepath.Join(o.history(store), "history"), was, store)
	}
	return o
}

// history returns the folder of a store's history.
func (o olderState) history(store string) string {
	return filepath.Join(o.state(), "stores", fmt.Sprintf("%x", sha256.Sum256([]byte(store)))[:32])
}

// rename writes the name of the store in the first line of a history, which begins with
// the CRC-32C of the rest.
func (o olderState) rename(path, was, is string) {
	raw, err := os.ReadFile(path)
	o.check(err)
	line, rest, _ := bytes.Cut(raw, []byte("\n"))
	header := bytes.Replace(line[9:], []byte(was), []byte(is), 1)
	if bytes.Equal(header, line[9:]) {
		o.t.Fatalf("%s does not name %s", path, was)
	}
	sum := crc32.Checksum(header, crc32.MakeTable(crc32.Castagnoli))
	o.check(os.WriteFile(path, fmt.Appendf(nil, "%08x %s\n%s", sum, header, rest), 0o600))
}

func (o olderState) sum(path string) string {
	raw, err := os.ReadFile(path)
	o.check(err)
	return fmt.Sprintf("%x", sha256.Sum256(raw))[:16]
}

// TestHistoryOfAnEarlierWinnowIsRead compares what is listed with what that one listed.
func TestHistoryOfAnEarlierWinnowIsRead(t *testing.T) {
	o := openOlderState(t)
	for store, want := range map[string]string{
		o.lessons(): "15 edit, 14 redact for good, 13 restore, 12 repair, 11 redo, 10 undo, 9 undo, 8 prune undone by 9, 7 merge, 6 add, 5 unpin, 4 pin, 3 pin, 2 edit, 1 delete",
		o.project(): "2 edit, 1 delete",
		o.entries(): "1 delete",
	} {
		var doc struct {
			Damaged int
			Entries []struct {
				Entry, Do string
				UndoneBy  string `json:"undone_by"`
				Final     bool
			}
		}
		o.into(&doc, "history", "--store", store)
		var got []string
		for _, e := range doc.Entries {
			text := e.Entry + " " + e.Do
			if e.Final {
				text += " for good"
			}
			if e.UndoneBy != "" {
				text += " undone by " + e.UndoneBy
			}
			got = append(got, text)
		}
		if joined := strings.Join(got, ", "); joined != want || doc.Damaged != 0 {
			t.Errorf("%s: %d damaged lines\n got %s\nwant %s", store, doc.Damaged, joined, want)
		}
	}
}

// TestPinsAndUndoneChangesOfAnEarlierWinnowAreKnown looks at what it kept beside its plans.
func TestPinsAndUndoneChangesOfAnEarlierWinnowAreKnown(t *testing.T) {
	o := openOlderState(t)
	var list struct {
		Records []struct {
			ID    string
			Flags []string
		}
	}
	o.into(&list, "list", "--store", o.lessons())
	var pinned []string
	for _, r := range list.Records {
		if strings.Contains(strings.Join(r.Flags, " "), "pinned") {
			pinned = append(pinned, r.ID)
		}
	}
	if len(pinned) != 1 || pinned[0] != "00000002-0000-4000-8000-000000000002" {
		t.Errorf("pinned: %q", pinned)
	}
	var guard struct {
		Undone []struct{ Kind, ID, Entry string }
	}
	out := o.run("guard", "--once", "--json", "--store", o.lessons())
	if err := json.Unmarshal([]byte(out.out), &guard); err != nil || out.status != 1 || fmt.Sprint(guard.Undone) != "[{pruned line 11 13} {reverted 00000007-0000-4000-8000-000000000007 15}]" {
		t.Errorf("guard: status %d, %v, %v", out.status, guard.Undone, err)
	}
	for _, args := range [][]string{{"ignore", "--list", "--json"}, {"ignore", "--list", "--json", "--baseline", o.at("work/app/.winnow-baseline")}} {
		if out := o.done(args...); !strings.Contains(out, "f1e2d3c4b5a69788796a5b4c3d2e1f0") {
			t.Errorf("winnow %q prints %s", args, out)
		}
	}
	draft := o.at(".local/state/winnow/drafts/lesson-4208899904.txt")
	if out := o.run("edit", "00000008", "--store", o.lessons(), "--form", draft); out.status != 1 || !strings.Contains(out.err, "line 1") {
		t.Errorf("edit with the draft: status %d, %s", out.status, out.err)
	}
}

// TestChangesOfAnEarlierWinnowAreUndone goes through its history and compares each state of
// the store with the one that it went to.
func TestChangesOfAnEarlierWinnowAreUndone(t *testing.T) {
	o := openOlderState(t)
	for _, step := range []struct{ command, want string }{
		{"undo", "2939e8b3680e4183"}, {"undo", "eac1d24e15e3fd76"}, {"redo", "2939e8b3680e4183"},
		{"restore 1", "a8b3eb015ca8190f"}, {"undo", "2939e8b3680e4183"},
	} {
		o.done(append(strings.Fields(step.command), "--yes", "--store", o.lessons())...)
		if got := o.sum(o.lessons()); got != step.want {
			t.Errorf("%s leads to %s, want %s", step.command, got, step.want)
		}
	}
	for range 2 {
		o.done("undo", "--yes", "--anyway", "--store", o.project())
	}
	o.done("undo", "--yes", "--anyway", "--store", o.entries())
	for path, want := range map[string]string{
		olderProject + "/memory/MEMORY.md": "- [db](db.md): which database\n- [ci](ci.md): how CI runs\n",
		olderProject + "/memory/ci.md":     "---\nname: ci\ndescription: how CI runs\ntype: project\n---\nThe pipeline runs twice.\n",
		olderProject + "/memory/db.md":     "---\nname: db\ndescription: which database\ntype: project\n---\nPostgres 15.\n",
		olderEntries:                       "Use pnpm in this house.\n§\nStaging is amber.\n",
	} {
		if raw, err := os.ReadFile(o.at(path)); err != nil || string(raw) != want {
			t.Errorf("%s: %q, %v", path, raw, err)
		}
	}
}
