package lessonfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"winnow/core/lesson"
	"winnow/core/memory"
	"winnow/core/system"
)

// now is the current time of the agent in the tests.
func now() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }

// plain is a kind without anything of its own.
func plain() Kind {
	return Kind{
		Info:   func(string) system.Info { return system.Info{System: "plain", Name: "Plain"} },
		Place:  func(path string) memory.Place { return memory.Place{Store: memory.StoreID(path), Path: path} },
		Recall: lesson.Explain,
	}
}

func openStore(t testing.TB, path string) *Store {
	t.Helper()
	return Open(plain(), path, now)
}

// write returns the path of a store in its own folder, with text as its content.
func write(t testing.TB, text []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "memory.jsonl")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func snapshot(t testing.TB, s *Store) memory.Snapshot {
	t.Helper()
	snap, err := s.Snapshot(t.Context(), func(memory.Snapshot) {})
	if err != nil {
		t.Fatal(err)
	}
	return snap
}

// lessons returns n lines of lessons, without a line feed at the end. The last lesson is about a
// minute old, and each earlier one is a second older.
func lessons(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		at := now().Add(time.Duration(i-n)*time.Second - time.Minute).Format("2006-01-02T15:04:05.000Z")
		fmt.Fprintf(&b, `{"lesson_id":"%08d-0000-4000-8000-000000000000","task_summary":"Repair the build of component %d after the upgrade","outcome":"succeeded","lesson":"Completed using read-file, edit-file. %d step(s) succeeded. %s","tool_names":["read-file","edit-file"],"created_at":"%s","session_id":"s-%d","relevance_count":%d}`+"\n",
			i, i%97, i%9+1, strings.Repeat("word ", i%40), at, i, i%5)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

func codes(snap memory.Snapshot) string {
	var all []string
	for _, h := range snap.Health {
		all = append(all, h.Code)
	}
	return strings.Join(all, " ")
}

func contents(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// all returns the records of a store.
func all(t testing.TB, s *Store) []memory.Record {
	t.Helper()
	var out []memory.Record
	if err := s.List(t.Context(), func(r memory.Record) error { out = append(out, r); return nil }); err != nil {
		t.Fatal(err)
	}
	return out
}

func deletion(r memory.Record) memory.Change {
	return memory.Change{Do: memory.Deleting, ID: r.ID, Record: r, Before: r.Raw, Line: r.Line}
}

func TestWithoutRandomnessNothingIsMade(t *testing.T) {
	s := openStore(t, write(t, lessons(3)))
	s.rand = iotest.ErrReader(io.ErrUnexpectedEOF)
	title := "Try it"
	var p *memory.Problem
	if stored, err := s.Compose("", memory.Edit{Title: &title}); !errors.As(err, &p) || p.Hint == "" {
		t.Errorf("Compose = %q, %v; want a problem", stored, err)
	}
	before := contents(t, s.path)
	if _, err := s.Write(t.Context(), system.Write{Changes: []memory.Change{deletion(all(t, s)[0])}}); !errors.As(err, &p) || p.Hint == "" {
		t.Errorf("Write = %v, want a problem", err)
	}
	if contents(t, s.path) != before {
		t.Error("the store was changed")
	}
}

// TestWriteForgetsWhatWasSeen checks internal state, because a file system seldom gives a new file
// the place of the old one.
func TestWriteForgetsWhatWasSeen(t *testing.T) {
	path := write(t, append(lessons(4), '\n'))
	long := now().Add(-time.Hour)
	if err := os.Chtimes(path, long, long); err != nil {
		t.Fatal(err)
	}
	s := openStore(t, path)
	r := snapshot(t, s).Records[0]
	if s.cache == nil || s.cache.snap == nil || s.cache.info == nil {
		t.Fatal("nothing is remembered of a snapshot")
	}
	if _, err := s.Write(t.Context(), system.Write{Changes: []memory.Change{deletion(r)}}); err != nil {
		t.Fatal(err)
	}
	if s.cache != nil {
		t.Error("what was seen before a change is taken for what is there")
	}
}

func TestPickedRecordsHaveTheIDAndTheWords(t *testing.T) {
	line := func(id, body string) string {
		return `{"lesson_id":"` + id + `","task_summary":"t","outcome":"succeeded","lesson":"` + body + `"}`
	}
	lines := []string{
		line("a", "other"), line("a", "l"), ``, line("a", "l"), line("b", "l"), `{"lesson_id":"a"}`, `[]`, `null`, `no JSON`, "\u00a0" + line("c", "l"),
		line("\\u0063", "l") + "\r", line("d", `l","lesson":"m`), line(strings.Repeat("x", maxLine), "l"),
	}
	s := openStore(t, write(t, []byte(strings.Join(lines, "\n"))))
	served := func(id memory.ID, body string) system.Served {
		return system.Served{ID: id, Title: "t", Outcome: "succeeded", Body: body}
	}
	got, err := s.Pick(t.Context(), []system.Served{served("a", "l"), served("c", "l"), served("d", "l"), served("d", "m"), served("e", "l")})
	var nos []int
	for _, r := range got {
		if nos = append(nos, r.Line); r.Raw != strings.TrimSuffix(lines[r.Line-1], "\r") {
			t.Errorf("line %d is %q", r.Line, r.Raw)
		}
	}
	if err != nil || !slices.Equal(nos, []int{2, 11, 12}) {
		t.Errorf("lines %v, %v", nos, err)
	}
}
