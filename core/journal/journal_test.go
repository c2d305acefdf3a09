package journal

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"winnow/core/quietread"
)

// split returns the lines of s, read one byte at a time and as a whole.
func split(t *testing.T, s string, separators bool) []string {
	t.Helper()
	read := func(r io.Reader) (out []string) {
		for l := newLines(r, separators); l.next(); {
			out = append(out, l.text)
		}
		return out
	}
	whole := read(strings.NewReader(s))
	if bytewise := read(iotest.OneByteReader(strings.NewReader(s))); !slices.Equal(whole, bytewise) {
		t.Fatalf("%q: %q as a whole, %q by bytes", s, whole, bytewise)
	}
	return whole
}

func TestLinesEndWhereNodeEndsThem(t *testing.T) {
	for s, want := range map[string][]string{
		"":                   nil,
		"a":                  {"a"},
		"a\n\nb\n":           {"a", "", "b"},
		"a\r\nb\rc\r\r\nd\n": {"a", "b", "c", "", "d"},
		"\xe2\x80\nx":        {"\ufffd", "x"},
		"\ufeffa\n":          {"\ufeffa"},
	} {
		if got := split(t, s, false); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", s, got, want)
		}
		if got := split(t, s, true); !slices.Equal(got, want) {
			t.Errorf("%q with separators: got %q, want %q", s, got, want)
		}
	}
	const s = "a\u2028b\u2029\u2027c\xe2"
	if got := split(t, s, false); !slices.Equal(got, []string{"a\u2028b\u2029\u2027c\ufffd"}) {
		t.Errorf("got %q", got)
	}
	if got := split(t, s, true); !slices.Equal(got, []string{"a", "b", "\u2027c\ufffd"}) {
		t.Errorf("with separators: got %q", got)
	}
}

func TestLineTooLongIsSkippedInBoundedMemory(t *testing.T) {
	const event = `{"type":"x"}` + "\n"
	in := io.MultiReader(strings.NewReader(event), io.LimitReader(zeros{}, 3*maxLine), strings.NewReader("\n"+event))
	r, err := read(t.Context(), in, 0, Options{})
	if err != nil || r.Events != 2 || r.Skipped != 1 || r.Lines != 3 {
		t.Errorf("got %+v, %v", r, err)
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

func TestRestOfALongJournalIsNotRead(t *testing.T) {
	const event = `{"type":"memory.lesson_extracted"}` + "\n"
	path := filepath.Join(t.TempDir(), "events.jsonl")
	if err := os.WriteFile(path, bytes.Repeat([]byte(event), 100), 0o400); err != nil {
		t.Fatal(err)
	}
	if all, err := Lessons(t.Context(), path, int64(10*len(event))); err != nil || len(all) != 10 {
		t.Errorf("got %d, %v", len(all), err)
	}
}

func TestReadingStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := read(ctx, strings.NewReader("{}\n"), 3, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestOnlyTheLatestLessonsAreKept(t *testing.T) {
	const event = `{"type":"memory.lesson_extracted"}` + "\n"
	data := strings.Repeat(event, 2*maxLessons+5)
	r, err := read(t.Context(), strings.NewReader(data), int64(len(data)), Options{})
	if err != nil || len(r.Lessons) != maxLessons || r.Lessons[maxLessons-1].Line != 2*maxLessons+5 {
		t.Errorf("kept %d, %v", len(r.Lessons), err)
	}
}

func TestReadingAFileLeavesItAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "events.jsonl")
	const text = "{\"seq\":0}\r\n{\"type\":\"memory.lesson_extracted\"}\n{broken"
	if err := os.WriteFile(path, []byte(text), 0o400); err != nil {
		t.Fatal(err)
	}
	if all, err := Lessons(t.Context(), path, 1<<20); err != nil || len(all) != 1 || all[0].Line != 2 {
		t.Errorf("got %+v, %v", all, err)
	}
	entries, _ := os.ReadDir(filepath.Dir(path))
	if b, _ := os.ReadFile(path); string(b) != text || len(entries) != 1 {
		t.Error("the file or its folder changed")
	}
}

func TestOnlyRegularFilesAreOpened(t *testing.T) {
	dir := t.TempDir()
	if _, err := Lessons(t.Context(), dir, 1); !errors.Is(err, quietread.ErrNotAFile) {
		t.Errorf("folder: got %v", err)
	}
	if _, err := Lessons(t.Context(), filepath.Join(dir, "none"), 1); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing: got %v", err)
	}
}

func TestLockNamesItsHolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "events.jsonl")
	if h, ok := LockHolder(path); ok {
		t.Errorf("no lock: got %+v", h)
	}
	for text, want := range map[string]Holder{
		"4711": {"4711", 4711}, "12\n": {"12\n", 12}, "": {}, "me": {Text: "me"}, "-4": {Text: "-4"},
	} {
		if err := os.WriteFile(LockPath(path), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if h, ok := LockHolder(path); !ok || h != want {
			t.Errorf("%q: got %+v", text, h)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("{\"seq\":0}\r\nnull\n{\"hash_prev\":\"x\"}\u2028[]\r\xe2\x80"), true)
	f.Fuzz(func(t *testing.T, data []byte, separators bool) {
		split(t, string(data), separators)
		r, err := read(t.Context(), bytes.NewReader(data), int64(len(data)), Options{Separators: separators})
		if err != nil || r.Events+r.Skipped > r.Lines || r.Open.Events > r.Events {
			t.Fatalf("%q: %+v, %v", data, r, err)
		}
	})
}
