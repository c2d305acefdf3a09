package opencode

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/core/memory"
)

const stores = "../../../testdata/stores/opencode"

// noon is when tests take place.
func noon() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }

// copied returns the path of a copy of a store, in a folder of its own.
func copied(t *testing.T, name string) string {
	t.Helper()
	root := t.TempDir()
	from := filepath.Join(stores, name)
	info, err := os.Stat(from)
	if err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(root, name)
	if info.IsDir() {
		if err := os.CopyFS(to, os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
		return to
	}
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	put(t, to, string(text))
	return to
}

func openDatabase(t *testing.T, path string) *Database {
	t.Helper()
	return &Database{path: path, now: noon, m: testMachine(t.TempDir(), nil)}
}

// expected is what a fixture's session must be read as.
type expected struct {
	Session, Title, State string
	Parent                *string  `json:"parent_id"`
	Task                  *string  `json:"task"`
	Tools                 []string `json:"tools"`
	Errors                []string `json:"tool_errors"`
	Soft                  []string `json:"soft_failures"`
}

func expectations(t *testing.T) map[string]expected {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(stores, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]map[string]expected
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all["opencode.db"]
}

// found reads all sessions of a database.
func readAll(t *testing.T, d *Database) map[string]session {
	t.Helper()
	all := map[string]session{}
	err := d.pages(t.Context(), maxAll, func(p *page) error {
		for _, s := range p.sessions {
			all[s.id] = s
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// state returns how a session ended in the words of the fixture.
func (e expected) state(s *session) string {
	switch s.outcome {
	case failed:
		return "failed:" + s.failure
	case unsettled:
		return "running_or_crashed"
	}
	return string(s.outcome)
}

func (e expected) check(t *testing.T, s session) {
	t.Helper()
	calls := []string{}
	for _, c := range s.calls {
		calls = append(calls, c.tool+":"+c.status)
	}
	task := ""
	if e.Task != nil {
		task = *e.Task
	}
	if e.state(&s) != e.State || s.task != task || s.title != e.Title || (e.Parent != nil) != (s.parent != "") {
		t.Errorf(
			"%s is %q %q with the task %q, want %q %q %q",
			s.id,
			e.state(&s),
			s.title,
			s.task,
			e.State,
			e.Title,
			task,
		)
	}
	for _, c := range []struct {
		what      string
		got, want []string
	}{{"tools", calls, e.Tools}, {"errors", s.toolErrors(), e.Errors}, {"soft failures", s.softFailures(), e.Soft}} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%s of %s are %q, want %q", c.what, s.id, c.got, c.want)
		}
	}
}

func TestSessionsAreReadAsTheFixtureSays(t *testing.T) {
	all := readAll(t, openDatabase(t, copied(t, "opencode.db")))
	if len(all) != 11 {
		t.Errorf("%d sessions, want 11", len(all))
	}
	for name, e := range expectations(t) {
		t.Run(name, func(t *testing.T) { e.check(t, all[e.Session]) })
	}
}

func TestSessionInTheLogIsRead(t *testing.T) {
	d := openDatabase(t, filepath.Join(copied(t, "opencode-wal"), "opencode.db"))
	snap, err := d.Snapshot(t.Context(), func(memory.Snapshot) {})
	if err != nil || snap.Problem != nil {
		t.Fatal(err, snap.Problem)
	}
	i := slices.IndexFunc(snap.Records, func(r memory.Record) bool { return r.Title == "Only visible through the WAL" })
	if i < 0 {
		t.Fatal("the session that only the log has is not listed")
	}
	if !slices.ContainsFunc(snap.Facts, func(f memory.Fact) bool { return f.Name == "written by" && f.Text == "1.3" }) {
		t.Errorf("facts are %v", snap.Facts)
	}
}

func TestAbortOf13IsAnAbort(t *testing.T) {
	d := openDatabase(t, filepath.Join(copied(t, "opencode-wal"), "opencode.db"))
	n := 0
	for _, s := range readAll(t, d) {
		if s.title == "Full rebuild of the docs site" {
			n++
			if s.outcome != aborted || !slices.Equal(s.toolErrors(), []string{"bash: Tool execution aborted"}) {
				t.Errorf("%s: %q, %q", s.id, s.outcome, s.toolErrors())
			}
		}
	}
	if n != 1 {
		t.Errorf("%d such sessions", n)
	}
}

func TestSummaryCountsWithoutReading(t *testing.T) {
	d := openDatabase(t, copied(t, "opencode.db"))
	s, err := d.Summary(t.Context())
	if err != nil || s.Total != 11 || s.Problem != nil || len(s.Records) > 0 {
		t.Errorf("summary is of %d sessions, %v, %v", s.Total, s.Problem, err)
	}
}

func TestSecondReadingSaysTheSame(t *testing.T) {
	d := openDatabase(t, copied(t, "opencode.db"))
	var snaps [2]memory.Snapshot
	for i := range snaps {
		var err error
		if snaps[i], err = d.Snapshot(t.Context(), func(memory.Snapshot) {}); err != nil {
			t.Fatal(err)
		}
	}
	for i, r := range snaps[0].Records {
		if again := snaps[1].Records[i]; again.Rev != r.Rev || !slices.Equal(again.Facts, r.Facts) ||
			again.Body != r.Body {
			t.Errorf("%s reads differently: %v, %v", r.ID, r.Facts, again.Facts)
		}
	}
}

func TestCredentialsAreNotShown(t *testing.T) {
	d := openDatabase(t, copied(t, "opencode.db"))
	snap, err := d.Snapshot(t.Context(), func(memory.Snapshot) {})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(snap)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"crd_fixture01", "Fake provider (fixture)", `"type\": \"api`} {
		if strings.Contains(string(text), secret) {
			t.Errorf("what is shown holds %q, which stands in the table of credentials", secret)
		}
	}
}
