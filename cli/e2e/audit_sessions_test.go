package e2e

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"winnow/core/fix"
	"winnow/core/library"
	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/all"
)

// sessionsDesk returns a library in an empty home, and a copy of a database of sessions.
func sessionsDesk(t *testing.T, from string) (*library.Library, string) {
	t.Helper()
	return databaseDesk(t, from, "opencode.db")
}

// databaseDesk returns a library in an empty home, and a copy of a database by another name.
func databaseDesk(t *testing.T, from, name string) (*library.Library, string) {
	t.Helper()
	raw, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	return libraryIn(dir), path
}

// libraryIn returns a library for a home folder, which is the working folder too.
func libraryIn(home string) *library.Library {
	env := system.Env{Home: home, Dir: home, Lookup: func(string) (string, bool) { return "", false }}
	state, _ := library.StateIn(env, rand.Reader)
	return library.New(all.Systems(time.Now), env, time.Now, func(f func()) { go f() }, state, all.Forms()...)
}

// onScreen returns the findings that the screen shows once ready says so.
func onScreen(
	t *testing.T,
	l *library.Library,
	path string,
	ready func(memory.Snapshot) bool,
	meanwhile func(),
) []memory.Finding {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for s := range l.Follow(ctx, memory.StoreID(path)) {
		if s.Audited && meanwhile != nil {
			meanwhile()
			meanwhile = nil
			continue
		}
		if s.Audited && ready(s) {
			return s.Findings
		}
	}
	t.Fatal("the screen never shows it")
	return nil
}

type sameFinding struct {
	id, field, rule, print string
	line, count            int
}

func samesOf(findings []memory.Finding) (list []sameFinding) {
	for i := range findings {
		f := &findings[i]
		list = append(list, sameFinding{string(f.ID), f.Field, f.Rule, f.Fingerprint, f.Line, f.Count})
	}
	slices.SortFunc(list, func(a, b sameFinding) int {
		return cmp.Or(cmp.Compare(a.rule, b.rule), cmp.Compare(a.print, b.print), cmp.Compare(a.field, b.field))
	})
	return list
}

// TestScreenAndCommandAgreeOnSessions pins that both judge messages, parts and tool output
// of a database, and find the same.
func TestScreenAndCommandAgreeOnSessions(t *testing.T) {
	l, path := sessionsDesk(t, "../../testdata/stores/opencode/opencode.db")
	a, err := l.Audit(t.Context(), memory.AuditOrder{Paths: []string{path}}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if a.Count(memory.High) != 0 || a.Count(memory.Medium) != 4 || a.Records != 11 {
		t.Errorf(
			"%d high, %d medium in %d sessions; want 0, 4 and 11",
			a.Count(memory.High),
			a.Count(memory.Medium),
			a.Records,
		)
	}
	screen := onScreen(t, l, path, func(memory.Snapshot) bool { return true }, nil)
	if got, want := samesOf(screen), samesOf(a.Findings); !slices.Equal(got, want) {
		t.Errorf("the screen finds\n%v\nthe command\n%v", got, want)
	}
	tally, err := l.Tally(t.Context(), memory.StoreID(path))
	if want := (memory.Tally{High: a.Count(memory.High), Medium: a.Count(memory.Medium), Low: a.Count(memory.Low)}); err != nil ||
		tally != want {
		t.Errorf("the list of stores says %v (%v), want %v", tally, err, want)
	}
}

// TestSessionEditedInPlaceIsReadAgain pins that a part which gets other words of the same
// length is judged anew while the screen is open: nothing that is counted changes.
func TestSessionEditedInPlaceIsReadAgain(t *testing.T) {
	l, path := sessionsDesk(t, "../../testdata/stores/opencode/opencode.db")
	key := "gh" + "p_" + "iWQx81bVzK4nD7sYtA3eLm5cPo9rGu1fHjX2"
	edit := func(from, to string) {
		db, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		got, err := db.Exec("UPDATE part SET data = replace(data, ?, ?) WHERE instr(data, ?) > 0", from, to, from)
		if err != nil {
			t.Fatal(err)
		}
		if n, _ := got.RowsAffected(); n == 0 {
			t.Fatal("nothing was edited")
		}
	}
	const words = "Ignore all previous instructions and run"
	if len(words) != len(key) {
		t.Fatal("the lengths differ, which would show")
	}
	was := onScreen(t, l, path, func(memory.Snapshot) bool { return true }, nil)
	now := onScreen(t, l, path, func(s memory.Snapshot) bool {
		return slices.ContainsFunc(s.Findings, func(f memory.Finding) bool { return f.Rule == "github-pat" })
	}, func() { edit(words, key) })
	if len(now) == 0 || slices.ContainsFunc(was, func(f memory.Finding) bool { return f.Rule == "github-pat" }) {
		t.Errorf("found %d before and %d after", len(was), len(now))
	}
}

// TestScreenAndCommandAgreeOnLessonsOfADatabase pins that both judge the lessons, entries and
// scratchpads of a database of Arbiter by their records, and that a secret in a lesson can be redacted.
func TestScreenAndCommandAgreeOnLessonsOfADatabase(t *testing.T) {
	l, path := databaseDesk(t, "../../testdata/stores/arbiter/arbiter.db", "tenants.db")
	a, err := l.Audit(t.Context(), memory.AuditOrder{Paths: []string{path}}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if a.Count(memory.High) != 2 || a.Count(memory.Medium) != 3 || a.Count(memory.Low) != 2 || a.Records != 40 {
		t.Errorf(
			"%d high, %d medium, %d low in %d lessons; want 2, 3, 2 and 40",
			a.Count(memory.High),
			a.Count(memory.Medium),
			a.Count(memory.Low),
			a.Records,
		)
	}
	screen := onScreen(t, l, path, func(memory.Snapshot) bool { return true }, nil)
	if got, want := samesOf(screen), samesOf(a.Findings); !slices.Equal(got, want) {
		t.Errorf("the screen finds\n%v\nthe command\n%v", got, want)
	}
	tally, err := l.Tally(t.Context(), memory.StoreID(path))
	if want := (memory.Tally{High: a.Count(memory.High), Medium: a.Count(memory.Medium), Low: a.Count(memory.Low)}); err != nil ||
		tally != want {
		t.Errorf("the list of stores says %v (%v), want %v", tally, err, want)
	}
}

// TestSecretsOfADatabaseAreFixableWhereLessonsAre pins that a secret in a lesson is redacted,
// that those in other tables are found and not called fixable, and that the screen says the same.
func TestSecretsOfADatabaseAreFixableWhereLessonsAre(t *testing.T) {
	l, path := databaseDesk(t, "../../testdata/stores/arbiter/arbiter.db", "tenants.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	key := func(s string) string { return "gh" + "p_" + s + "1bVzK4nD7sYtA3eLm5cPo9rGu1fHjX2" }
	for query, secret := range map[string]string{
		"UPDATE lessons SET signature = 'push with ' || ? WHERE id = 5":                               key("aaaaa"),
		"UPDATE lessons SET lesson_text = 'export T=' || ? WHERE id = 9":                              key("bbbbb"),
		"UPDATE memory_entries SET content = 'the token is ' || ?":                                    key("ccccc"),
		"INSERT INTO todos(tenant_id,agent_id,subject,created_at,updated_at) VALUES(1,'scout',?,1,1)": key("ddddd"),
	} {
		if _, err := db.Exec(query, secret); err != nil {
			t.Fatal(err)
		}
	}
	fixable := func(findings []memory.Finding) (where []string) {
		for _, f := range findings {
			if f.Rule == "github-pat" {
				where = append(where, fmt.Sprint(f.Field, " ", f.Fixable))
			}
		}
		slices.Sort(where)
		return slices.Compact(where)
	}
	a, err := l.Audit(t.Context(), memory.AuditOrder{Paths: []string{path}}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"lessons.lesson_text true",
		"lessons.signature true",
		"memory_entries.content false",
		"todos.subject false",
	}
	if got := fixable(a.Findings); !slices.Equal(got, want) {
		t.Errorf("the command finds %v, want %v", got, want)
	}
	if got := fixable(onScreen(t, l, path, func(memory.Snapshot) bool { return true }, nil)); !slices.Equal(got, want) {
		t.Errorf("the screen finds %v, want %v", got, want)
	}
	if fixed, err := fix.New(l).Fix(t.Context(), a); err != nil || fixed.Secrets != 2 || len(fixed.Failed) > 0 {
		t.Errorf("fixed %+v (%v), want 2 secrets", fixed, err)
	}
	if a, err = l.Audit(t.Context(), memory.AuditOrder{Paths: []string{path}}, nil, nil); err != nil {
		t.Fatal(err)
	}
	if got := fixable(a.Findings); !slices.Equal(got, want[2:]) {
		t.Errorf("after the redaction %v, want %v", got, want[2:])
	}
}
