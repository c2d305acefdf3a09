package karnevil9

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"winnow/core/memory"
	"winnow/core/system/systemtest"
)

const stores = "../../../testdata/stores/karnevil9"

// now is the time of an agent in the tests, a day after the newest lesson of
// the stores.
func now() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }

// What the store holds whole, and what it shows before the rest is read.
const (
	maxRecords = 50_000
	firstPart  = 300
)

func read(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(stores, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// write returns the path of a store in a folder of its own that holds text.
func write(t testing.TB, text []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "memory.jsonl")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func openStore(t testing.TB, path string) *Store {
	t.Helper()
	s := Open(path, now)
	return s
}

func snapshot(t testing.TB, s *Store) memory.Snapshot {
	t.Helper()
	snap, err := s.Snapshot(t.Context(), func(memory.Snapshot) {})
	if err != nil {
		t.Fatal(err)
	}
	return snap
}

// lessons returns n lines of lessons, the first a minute before now and each a
// second older than the one after it, and without the last line feed.
func lessons(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		at := now().Add(time.Duration(i-n)*time.Second - time.Minute).Format("2006-01-02T15:04:05.000Z")
		fmt.Fprintf(
			&b,
			`{"lesson_id":"%08d-0000-4000-8000-000000000000","task_summary":"Repair the build of component %d after the upgrade","outcome":"succeeded","lesson":"Completed using read-file, edit-file. %d step(s) succeeded. %s","tool_names":["read-file","edit-file"],"created_at":"%s","session_id":"s-%d","relevance_count":%d}`+"\n",
			i,
			i%97,
			i%9+1,
			strings.Repeat("word ", i%40),
			at,
			i,
			i%5,
		)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

func TestConformance(t *testing.T) {
	good := read(t, "good/sessions/memory.jsonl")
	lines := bytes.Split(bytes.TrimSpace(good), []byte("\n"))
	bad := bytes.Join(
		[][]byte{lines[0], []byte("{half"), lines[1], []byte("null"), lines[2], {0, 0}, lines[3]},
		[]byte("\n"),
	)
	systemtest.Run(t, systemtest.Config{
		System:  System(now),
		Good:    fstest.MapFS{"sessions/memory.jsonl": {Data: good, Mode: 0o600}},
		Damaged: fstest.MapFS{"sessions/memory.jsonl": {Data: bad, Mode: 0o600}},
		Store:   "sessions/memory.jsonl",
	})
}

func codes(snap memory.Snapshot) string {
	var all []string
	for _, h := range snap.Health {
		all = append(all, h.Code)
	}
	return strings.Join(all, " ")
}

func TestGoodStoreIsGood(t *testing.T) {
	path := write(t, read(t, "good/sessions/memory.jsonl"))
	snap := snapshot(t, openStore(t, path))
	if len(snap.Records) != 12 || snap.Held != 12 || snap.Total != 12 || snap.Problem != nil {
		t.Errorf("%d records, %d held, %d in all, problem %v; want 12, 12, 12, none",
			len(snap.Records), snap.Held, snap.Total, snap.Problem)
	}
	if snap.Unused != 6 {
		t.Errorf("unused = %d, want 6", snap.Unused)
	}
	for _, h := range snap.Health {
		if h.Level > memory.Note {
			t.Errorf("health: %+v", h)
		}
	}
	first := snap.Records[0]
	if first.Forecast.PruneAt.IsZero() || first.Flags&memory.FlagPrunesSoon == 0 {
		t.Errorf("a lesson of 28 days that was never recalled: forecast %+v, flags %b", first.Forecast, first.Flags)
	}
}

func TestEachDamageHasItsSentence(t *testing.T) {
	for _, c := range []struct {
		file    string
		records int
		problem string // of the store
		health  string // one of its lines
	}{
		{"empty", 0, "empty", ""},
		{"blank", 0, "empty", ""},
		{"null-line", 3, "", "null-line"},
		{"bom", 2, "", "prunes-soon"},
		{"bom-inside", 3, "", "damaged"},
		{"crlf", 2, "", "prunes-soon"},
		{"nul-bytes", 3, "", "nul-bytes"},
		{"invalid-utf8", 2, "", ""},
		{"truncated-last-line", 3, "", "damaged"},
		{"no-last-newline", 2, "", "prunes-soon"},
		{"scalars", 8, "", "pruned"},
		{"missing-text", 3, "", "no-text"},
		{"odd-fields", 3, "", "odd-dates"},
		{"duplicate-ids", 4, "", "duplicate-ids"},
		{"not-json", 4, "", "damaged"},
		{"lone-surrogate", 2, "", ""},
		{"binary", -1, "", "damaged"},
	} {
		t.Run(c.file, func(t *testing.T) {
			path := write(t, read(t, "damaged/"+c.file+".jsonl"))
			snap := snapshot(t, openStore(t, path))
			if c.records >= 0 && len(snap.Records) != c.records {
				t.Errorf("%d records, want %d", len(snap.Records), c.records)
			}
			if got := problemCode(snap); got != c.problem {
				t.Errorf("problem %q, want %q", got, c.problem)
			}
			if !strings.Contains(codes(snap), c.health) {
				t.Errorf("health %q, want %q in it", codes(snap), c.health)
			}
			damaged := strings.Contains(codes(snap), "damaged")
			if damaged != (c.health == "damaged" || c.health == "nul-bytes") {
				t.Errorf("lines are reported as damaged: %v", damaged)
			}
			last := len(snap.Records) - 1
			if last >= 0 && c.file != "truncated-last-line" && snap.Records[last].Problem != nil {
				t.Errorf("damage hides the lesson after it: %v", snap.Records[last].Problem)
			}
		})
	}
}

func problemCode(snap memory.Snapshot) string {
	if snap.Problem == nil {
		return ""
	}
	if snap.Problem.What == "" || snap.Problem.Hint == "" {
		return "a problem without words: " + snap.Problem.Code
	}
	return snap.Problem.Code
}

func TestFirstOfTwoWithOneIDIsFlaggedToo(t *testing.T) {
	path := write(t, read(t, "damaged/duplicate-ids.jsonl"))
	snap := snapshot(t, openStore(t, path))
	var got []bool
	for _, r := range snap.Records {
		got = append(got, r.Flags&memory.FlagDuplicate != 0)
	}
	if want := []bool{true, false, true, true}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("duplicate flags %v, want %v", got, want)
	}
	if id := snap.Records[3].ID; !strings.HasSuffix(string(id), "~3") {
		t.Errorf("id of the third = %s, want ~3 at its end", id)
	}
}

func TestLinesPastTheLoadCapAreBeyond(t *testing.T) {
	snap := snapshot(t, openStore(t, write(t, lessons(205))))
	if snap.Held != 200 || !strings.Contains(codes(snap), "beyond") {
		t.Errorf("held %d, health %q; want 200 and %q", snap.Held, codes(snap), "beyond")
	}
	for _, h := range snap.Health {
		if h.Code == "beyond" && h.Count != 5 {
			t.Errorf("beyond = %d, want 5", h.Count)
		}
	}
	for _, r := range snap.Records {
		if beyond := r.Flags&memory.FlagBeyond != 0; beyond != (r.Line > 200) {
			t.Errorf("line %d beyond: %v", r.Line, beyond)
		}
	}
}

func TestWriterIsTheLiveOwnerOfTheLock(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "sessions", "memory.jsonl")
	lock := filepath.Join(root, "journal", "events.jsonl.lock")
	for _, dir := range []string{filepath.Dir(path), filepath.Dir(lock)} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for text, want := range map[string]string{
		fmt.Sprint(os.Getpid()): fmt.Sprintf("pid %d holds events.jsonl.lock", os.Getpid()),
		"2147483646":            "", // more than any system has
		"nobody":                "",
		"-1":                    "",
		"":                      "",
	} {
		if err := os.WriteFile(lock, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := snapshot(t, openStore(t, path)).Writer; got != want {
			t.Errorf("writer with lock %q = %q, want %q", text, got, want)
		}
	}
}

func TestUnchangedStoreIsNotReadAgain(t *testing.T) {
	path := write(t, lessons(150))
	old := now().Add(-time.Hour)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	s := openStore(t, path)
	a, b := snapshot(t, s), snapshot(t, s)
	if &a.Records[0] != &b.Records[0] {
		t.Error("the records were decoded again")
	}
	put := lessons(151)
	if err := os.WriteFile(path, put, 0o600); err != nil {
		t.Fatal(err)
	}
	if c := snapshot(t, s); c.Total != 151 {
		t.Errorf("total after a change = %d, want 151", c.Total)
	}
}
