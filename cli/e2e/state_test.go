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
// draft. Its histories are moved aside; all else means the same for ever.
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

// TestHistoryOfAnEarlierWinnowIsMovedAside changes the store and looks for what that one kept, until a redaction
// deletes it.
func TestHistoryOfAnEarlierWinnowIsMovedAside(t *testing.T) {
	o := openOlderState(t)
	path := filepath.Join(o.history(o.lessons()), "history")
	was, err := os.ReadFile(path)
	o.check(err)
	if out := o.run("doctor", "--store", o.lessons()); !strings.Contains(out.out, "history.old") {
		t.Errorf("doctor says %s", out.out)
	}
	if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, was) {
		t.Errorf("looking changed the history (%v)", err)
	}
	for i, want := range []bool{true, false} {
		out := o.run("rm", fmt.Sprintf("0000000%d", 8+i), "--yes", "--store", o.lessons())
		if said := strings.Contains(out.out+out.err, "history.old"); out.status != 0 || said != want {
			t.Errorf("change %d: status %d, %s%s", i, out.status, out.out, out.err)
		}
	}
	if now, err := os.ReadFile(path + ".old"); err != nil || !bytes.Equal(now, was) {
		t.Errorf("what was moved aside differs (%v)", err)
	}
	var doc struct{ Entries []struct{ Entry string } }
	o.into(&doc, "history", "--store", o.lessons())
	if fmt.Sprint(doc.Entries) != "[{17} {16}]" {
		t.Errorf("entries: %v", doc.Entries)
	}
	raw, err := os.ReadFile(o.lessons())
	o.check(err)
	token := "ghp_" + strings.Repeat("a1B2", 9)
	o.check(
		os.WriteFile(
			o.lessons(),
			bytes.Replace(raw, []byte(`"lesson": "`), []byte(`"lesson": "`+token+" "), -1),
			0o600,
		),
	)
	out := o.run("redact", "00000004", "00000005", "00000006", "00000007", "--yes", "--store", o.lessons())
	if !strings.Contains(out.out+out.err, "history.old") {
		t.Errorf("redact: status %d, %s%s", out.status, out.out, out.err)
	}
	if _, err := os.Stat(path + ".old"); err == nil {
		t.Error("a redaction left the older history")
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
	if err := json.Unmarshal([]byte(out.out), &guard); err != nil || out.status != 1 ||
		fmt.Sprint(guard.Undone) != "[{pruned line 11 13} {reverted 00000007-0000-4000-8000-000000000007 15}]" {
		t.Errorf("guard: status %d, %v, %v", out.status, guard.Undone, err)
	}
	for _, args := range [][]string{{"ignore", "--list", "--json"}, {"ignore", "--list", "--json", "--baseline", o.at("work/app/.winnow-baseline")}} {
		if out := o.done(args...); !strings.Contains(out, "f1e2d3c4b5a69788796a5b4c3d2e1f0") {
			t.Errorf("winnow %q prints %s", args, out)
		}
	}
	draft := o.at(".local/state/winnow/drafts/lesson-4208899904.txt")
	if out := o.run("edit", "00000008", "--store", o.lessons(), "--form", draft); out.status != 1 ||
		!strings.Contains(out.err, "line 1") {
		t.Errorf("edit with the draft: status %d, %s", out.status, out.err)
	}
}
