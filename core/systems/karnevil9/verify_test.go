package karnevil9

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/core/journal"
	"winnow/core/memory"
	"winnow/core/system"
)

// chain returns the lines of a journal whose events name the hash of the one before.
func chain(n int) (lines []string) {
	previous := ""
	for i := range n {
		line := fmt.Sprintf(
			`{"event_id":"e%d","timestamp":"2026-03-15T12:00:00.000Z","session_id":"s","type":"step.started","payload":{},`,
			i,
		)
		if i > 0 {
			line += `"hash_prev":"` + previous + `",`
		}
		line += fmt.Sprintf(`"seq":%d}`, i)
		sum := sha256.Sum256([]byte(line))
		previous, lines = hex.EncodeToString(sum[:]), append(lines, line)
	}
	return lines
}

func TestDoctorSaysWhatBothChecksMakeOfAJournal(t *testing.T) {
	all := func(change func(lines []string) []string) string {
		return strings.Join(change(chain(5)), "\n") + "\n"
	}
	same := func(lines []string) []string { return lines }
	for name, test := range map[string]struct {
		text  string
		codes string
		says  string // of the first line
	}{
		"whole": {all(same), "ok", "5 events"},
		"empty": {"", "ok", "0 events"},
		"other spaces": {
			all(func(l []string) []string { l[1] = strings.Replace(l[1], ":", ": ", 1); return l }),
			"journal-cut journal-disagree",
			"at line 3",
		},
		"garbage": {
			all(func(l []string) []string { return slices.Insert(l, 2, "<html>") }),
			"journal-cut journal-disagree",
			"at line 3 when it opens it",
		},
		"removed": {
			all(func(l []string) []string { return slices.Delete(l, 2, 3) }),
			"journal-broken journal-cut",
			"fails at line 3",
		},
		"changed": {
			all(func(l []string) []string { l[2] = strings.Replace(l[2], "e2", "e9", 1); return l }),
			"journal-broken journal-cut",
			"fails at line 4",
		},
		"garbage first": {
			all(func(l []string) []string { return slices.Insert(l, 0, "garbage") }),
			"journal-cut journal-disagree",
			"keeps 0 of 5 events",
		},
		"null":           {all(func(l []string) []string { l[2] = "null"; return l }), "journal-null", "null"},
		"torn":           {strings.Join(chain(3), "\n") + "\n" + `{"event_id":"e3`, "journal-torn", "keeps 3 of 3 events"},
		"no line end":    {strings.Join(chain(3), "\n"), "journal-unended", "no line end"},
		"torn and glued": {strings.Join(chain(3), "\n") + `{"event_id":"e3` + "\n", "journal-torn", "keeps 2 of 2 events"},
		"too long": {
			strings.Join(chain(2), "\n") + "\n\"" + strings.Repeat("x", 5<<20) + "\"\n",
			"journal-unread",
			"line 3 is too long",
		},
	} {
		t.Run(name, func(t *testing.T) {
			store, path := beside(t, test.text)
			health := verify(t.Context(), bareEnv, store)
			codes := make([]string, 0, len(health))
			for _, h := range health {
				codes = append(codes, h.Code)
				if h.Level != memory.Good && h.Next == "" {
					t.Errorf("%s has no next step", h.Code)
				}
			}
			if got := strings.Join(codes, " "); got != test.codes || !strings.Contains(health[0].What, test.says) {
				t.Errorf("got %s: %v; want %s: %s", got, health, test.codes, test.says)
			}
			after, err := os.ReadFile(path)
			if entries, _ := os.ReadDir(filepath.Dir(path)); err != nil || string(after) != test.text ||
				len(entries) != 1 {
				t.Errorf("looking changed the journal or left a file: %v", err)
			}
		})
	}
}

func TestLastLineThatAnAgentWritesNowIsNoFault(t *testing.T) {
	store, path := beside(t, strings.Join(chain(3), "\n")+"\n"+`{"event_id":"e3`)
	if err := os.WriteFile(journal.LockPath(path), fmt.Append(nil, os.Getpid()), 0o600); err != nil {
		t.Fatal(err)
	}
	health := verify(t.Context(), bareEnv, store)
	if len(health) != 1 || health[0].Level != memory.Note || !strings.Contains(health[0].What, "is writing it now") {
		t.Errorf("got %v", health)
	}
}

func TestNode24ReadsALineSeparatorAsALineEnd(t *testing.T) {
	lines := chain(3)
	lines[2] = strings.Replace(lines[2], `"payload":{}`, "\"payload\":{\"task\":\"a\u2028b\"}", 1)
	store, _ := beside(t, strings.Join(lines, "\n")+"\n")
	health := verify(t.Context(), bareEnv, store)
	if len(health) < 2 || health[0].Level != memory.Good ||
		!strings.Contains(health[1].What, "(under Node 24, where U+2028 ends a line) at line 3") {
		t.Errorf("got %v", health)
	}
}

func TestStoreWithoutAJournalHasNothingToVerify(t *testing.T) {
	if health := verify(t.Context(), bareEnv, filepath.Join(t.TempDir(), "sessions", "memory.jsonl")); len(
		health,
	) != 0 {
		t.Errorf("got %v", health)
	}
	store, path := beside(t, "")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if health := Open(store, time.Now).Info().Verify(t.Context(), bareEnv); len(health) != 1 ||
		health[0].Level != memory.Warn {
		t.Errorf("a folder in its place: got %v", health)
	}
}

// beside writes a journal beside a store and returns the paths of both.
func beside(t *testing.T, text string) (store, path string) {
	t.Helper()
	dir := t.TempDir()
	path = filepath.Join(dir, "journal", "events.jsonl")
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "sessions", "memory.jsonl"), path
}

// bareEnv names no journal.
var bareEnv = system.Env{Lookup: func(string) (string, bool) { return "", false }}

func TestJournalNamedByItsVariableIsVerifiedWithItsStore(t *testing.T) {
	store, _ := beside(t, "")
	dir := filepath.Dir(filepath.Dir(store))
	other := filepath.Join(dir, "kept", "log.jsonl")
	for path, text := range map[string]string{other: "null\n", store: ""} {
		err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600))
		if err != nil {
			t.Fatal(err)
		}
	}
	for named, want := range map[string]int{"kept/log.jsonl": 1, other: 1, "journal/events.jsonl": 0, "": 0} {
		env := system.Env{Dir: dir, Lookup: func(name string) (string, bool) { return named, name == journalVariable }}
		found := 0
		for _, h := range verify(t.Context(), env, store) {
			if h.Code == "journal-null" {
				found++
			}
		}
		if found != want {
			t.Errorf("%q: %d journals with null, want %d", named, found, want)
		}
		if health := verify(t.Context(), env, filepath.Join(t.TempDir(), "memory.jsonl")); len(health) != 0 {
			t.Errorf("%q: a store of other agents has this journal: %v", named, health)
		}
	}
}
