package arbiter

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/memory"
	"winnow/core/procs"
	"winnow/core/sqlite"
	"winnow/core/system"
)

// copied returns a store over a copy of the fixture, with its log.
func copied(t *testing.T) (*store, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tenants.db")
	for _, suffix := range []string{"", "-wal", "-shm"} {
		text, err := os.ReadFile(filepath.Join(stores, "live", "tenants.db"+suffix))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path+suffix, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return at(path), path
}

func at(path string) *store {
	return newStore(path, clock, func(string) []memory.Running { return nil })
}

// change runs queries as Arbiter would.
func change(t *testing.T, path string, queries ...string) {
	t.Helper()
	err := sqlite.Change(t.Context(), path, sqlite.Patience, func(tx *sql.Tx) error {
		for _, q := range queries {
			if _, err := tx.Exec(q); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func records(t *testing.T, s *store) map[memory.ID]memory.Record {
	t.Helper()
	all := map[memory.ID]memory.Record{}
	if err := s.List(t.Context(), func(r memory.Record) error { all[r.ID] = r; return nil }); err != nil {
		t.Fatal(err)
	}
	return all
}

func snapshot(t *testing.T, s *store) memory.Snapshot {
	t.Helper()
	snap, err := s.Snapshot(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return snap
}

func code(err error) string {
	var p *memory.Problem
	if errors.As(err, &p) && p.What != "" && p.Hint != "" {
		return p.Code
	}
	return ""
}

func TestFixtureIsListedWithItsLog(t *testing.T) {
	s, _ := copied(t)
	snap := snapshot(t, s)
	if snap.Total != 45 || len(snap.Records) != 45 || snap.Held != 41 || snap.Problem != nil || snap.ReadOnly != "" {
		t.Errorf(
			"%d of %d records, %d lessons, %v, %q; want 41 lessons and 4 others",
			len(snap.Records),
			snap.Total,
			snap.Held,
			snap.Problem,
			snap.ReadOnly,
		)
	}
	var scopes []string
	for _, sc := range snap.Scopes {
		scopes = append(scopes, sc.Name)
	}
	if got := strings.Join(scopes, " "); got != "acme/forge acme/quill acme/scout globex/forge globex/index globex/quill globex/scout" {
		t.Errorf("scopes are %s", got)
	}
	all := records(t, s)
	if r := all["#42"]; r.Title == "" || r.Line != 41 {
		t.Errorf("lesson 42, which stands in the log only, is %+v", r)
	}
	if r := all["#11"]; r.Title != "assume UTC unless the page states a zone" || r.Count.N != 2 ||
		r.Scope != "acme/scout" ||
		r.Used.Time.IsZero() {
		t.Errorf("the lesson without a signature is %+v", r)
	}
	if r := all["#6"]; len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "URL") {
		t.Errorf("the lesson that a URL was cut in has the notes %q", r.Notes)
	}
	if r := all["#21"]; r.Flags&memory.FlagInjection == 0 {
		t.Error("hidden characters are not flagged")
	}
	for _, id := range []memory.ID{"memory#1", "memory#2", "scratchpad#1", "scratchpad#2"} {
		if r := all[id]; r.Kind == "" || r.Fixed == "" || r.Title == "" || r.Body == "" {
			t.Errorf("%s is %+v", id, r)
		}
	}
	if len(snap.Health) != 1 || snap.Health[0].Code != "twins" || snap.Health[0].Count != 2 {
		t.Errorf("health is %+v, want the two twins", snap.Health)
	}
}

func TestPagesAreThePartsOfTheWhole(t *testing.T) {
	s, _ := copied(t)
	whole := snapshot(t, s)
	for first := 0; first < whole.Total; first += 7 {
		part, err := s.read(t.Context(), first, 7)
		if err != nil || part.total() != whole.Total {
			t.Fatalf("%d records, %v", part.total(), err)
		}
		for i, r := range part.records {
			if want := whole.Records[first+i]; r.ID != want.ID || r.Line != want.Line || r.Raw != want.Raw {
				t.Errorf(
					"record %d of the part from %d is %s in line %d, want %s in %d",
					i,
					first,
					r.ID,
					r.Line,
					want.ID,
					want.Line,
				)
			}
		}
	}
}

func TestUnknownSchemaIsReadOnlyWithANote(t *testing.T) {
	for name, query := range map[string]string{
		"version":       "PRAGMA user_version=2",
		"a column more": "ALTER TABLE lessons ADD COLUMN weight INTEGER NOT NULL DEFAULT 1",
		"a column less": "ALTER TABLE lessons DROP COLUMN hit_count",
	} {
		s, path := copied(t)
		change(t, path, query)
		snap := snapshot(t, s)
		if len(snap.Records) != 45 || snap.ReadOnly == "" || len(snap.Health) == 0 ||
			snap.Health[0].Code != "unknown-schema" {
			t.Errorf("%s: %d records, %q, %+v", name, len(snap.Records), snap.ReadOnly, snap.Health)
		}
		r := records(t, s)["#3"]
		_, err := s.Write(
			t.Context(),
			system.Write{Changes: []memory.Change{{Do: memory.Deleting, ID: r.ID, Before: r.Raw}}},
		)
		if got := code(err); got != "unknown-schema" {
			t.Errorf("%s: Write = %v", name, err)
		}
		if code(s.CanWrite()) != "unknown-schema" {
			t.Errorf("%s: CanWrite = %v", name, s.CanWrite())
		}
	}
}

func TestDatabaseWithoutLessonsHasItsSentence(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tenants.db")
	if err := os.WriteFile(path, []byte("SQLite format 3\x00"), 0o600); err != nil {
		t.Fatal(err)
	}
	if snap := snapshot(t, at(path)); snap.Problem == nil || snap.Problem.Code != "truncated" {
		t.Errorf("problem = %v", snap.Problem)
	}
	s, path := copied(t)
	change(t, path, "DROP TABLE lessons")
	if snap := snapshot(t, s); snap.Problem == nil || snap.Problem.Code != "not-arbiter" {
		t.Errorf("problem = %v", snap.Problem)
	}
	if _, ok := reads(path); ok {
		t.Error("it is taken for a store")
	}
}

func TestOddAndHugeRowsAreListed(t *testing.T) {
	s, path := copied(t)
	change(t, path,
		"INSERT INTO lessons VALUES(50,1,'scout',CAST(x'ff00fe' AS TEXT),x'0102',1.5,'soon',2,3)",
		"INSERT INTO lessons VALUES(51,1,'scout','huge',printf('%.*c',3000000,'x'),0,1,2,3)",
		"INSERT INTO lessons VALUES(52,1,'scout','fetch','sound',0,1,2,3)",
	)
	all := records(t, s)
	if r := all["#50"]; r.Problem == nil || r.Raw == "" {
		t.Errorf("the odd row is %+v", r)
	}
	if r := all["#51"]; r.Problem == nil || !r.RawCut() || len(r.Raw) > 1000 {
		t.Errorf("the huge row has a problem: %v, and %d bytes", r.Problem, len(r.Raw))
	}
	if r := all["#52"]; r.Problem != nil || r.Body != "sound" {
		t.Errorf("the row behind them is %+v", r)
	}
	odd := all["#50"]
	w, err := s.Write(
		t.Context(),
		system.Write{Changes: []memory.Change{{Do: memory.Deleting, ID: odd.ID, Before: odd.Raw}}},
	)
	if err != nil {
		t.Fatal(err)
	}
	back := memory.Change{Do: memory.Adding, ID: odd.ID, After: w.Staged.Changes[0].Before}
	if _, err := s.Write(t.Context(), system.Write{Changes: []memory.Change{back}}); err != nil {
		t.Fatal(err)
	}
	if r := records(t, s)["#50"]; r.Raw != odd.Raw {
		t.Errorf("the odd row comes back as\n%s\nand was\n%s", r.Raw, odd.Raw)
	}
	huge := memory.Change{Do: memory.Deleting, ID: "#51", Before: all["#51"].Raw}
	if _, err := s.Write(t.Context(), system.Write{Changes: []memory.Change{huge}}); code(err) != "too-long" {
		t.Errorf("Write = %v", err)
	}
}

func TestRecordsAreDecodedOnce(t *testing.T) {
	s, path := copied(t)
	first := snapshot(t, s)
	change(t, path, "UPDATE lessons SET lesson_text='new' WHERE id=3", "UPDATE tenants SET name='initech' WHERE id=2")
	second := snapshot(t, s)
	for i, r := range second.Records {
		switch {
		case r.ID == "#3" && r.Body != "new":
			t.Errorf("an edit is not seen: %+v", r)
		case strings.HasPrefix(r.Scope, "globex"):
			t.Errorf("the new name of a tenant is not seen: %+v", r)
		case r.ID != "#3" && r.Raw != first.Records[i].Raw:
			t.Errorf("%s changed", r.ID)
		}
	}
}

func TestFindLooksInOnePlace(t *testing.T) {
	home := t.TempDir()
	env := system.Env{Home: home, Dir: home, Lookup: func(string) (string, bool) { return "", false }}
	if s := find(t.Context(), env); len(s.Places) != 0 || len(s.Looked) != 1 || s.Looked[0].Note != "does not exist" {
		t.Errorf("survey = %+v", s)
	}
	if err := os.Mkdir(filepath.Join(home, ".arbiter"), 0o700); err != nil {
		t.Fatal(err)
	}
	_, path := copied(t)
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Rename(path+suffix, filepath.Join(home, ".arbiter", "tenants.db"+suffix)); err != nil {
			t.Fatal(err)
		}
	}
	s := find(t.Context(), env)
	if len(s.Places) != 1 || !s.Places[0].Exists || s.Places[0].System != id {
		t.Errorf("survey = %+v", s)
	}
	entries, err := os.ReadDir(filepath.Join(home, ".arbiter"))
	if err != nil {
		t.Fatal(err)
	}
	if places := storesIn(filepath.Join(home, ".arbiter"), entries); len(places) != 1 ||
		places[0].Store != s.Places[0].Store {
		t.Errorf("places = %+v, want the database and not its log", places)
	}
}

func TestProcessesThatHaveItOpenAreNamed(t *testing.T) {
	s, path := copied(t)
	s.running = func(p string) []memory.Running {
		if p != path {
			t.Errorf("asked for %s", p)
		}
		return []memory.Running{{PID: 4711}}
	}
	if snap := snapshot(t, s); len(snap.Running) != 1 || snap.Writer != "arbiter, pid 4711, has it open" {
		t.Errorf("running = %+v, writer = %q", snap.Running, snap.Writer)
	}
	if list := runningIn(procs.NewWatch(string(id), clock))(path); len(list) != 0 {
		t.Errorf("%+v has it open", list)
	}
}

func BenchmarkSummary(b *testing.B) {
	s := newStore(stores+"/arbiter.db", clock, func(string) []memory.Running { return nil })
	for b.Loop() {
		if snap, err := s.Summary(context.Background()); err != nil || snap.Total != 44 {
			b.Fatal(snap.Total, snap.Problem, err)
		}
	}
}

func BenchmarkSnapshot(b *testing.B) {
	s := newStore(stores+"/arbiter.db", clock, runningIn(procs.NewWatch(string(id), clock)))
	for b.Loop() {
		if snap, err := s.Snapshot(context.Background(), nil); err != nil || len(snap.Records) != 44 {
			b.Fatal(snap.Total, snap.Problem, err)
		}
	}
}
