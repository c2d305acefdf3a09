package lessonfile

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
)

// split is the plain form of what lines does.
func split(text []byte) (all [][]byte) {
	for len(text) > 0 {
		first, rest, _ := bytes.Cut(text, []byte("\n"))
		all, text = append(all, first), rest
	}
	return all
}

func readAll(t *testing.T, text []byte) (all []line, texts []string) {
	t.Helper()
	r := linesFrom(bytes.NewReader(text))
	for {
		l, err := r.next(t.Context())
		if errors.Is(err, io.EOF) {
			return all, texts
		}
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(l.Text))
		all = append(all, l)
	}
}

// same fails unless the lines of text are read as they are.
func same(t *testing.T, text []byte) {
	t.Helper()
	want := split(text)
	got, texts := readAll(t, text)
	if len(got) != len(want) {
		t.Fatalf("%d lines, want %d", len(got), len(want))
	}
	for i, l := range got {
		if l.No != i+1 || l.Len != int64(len(want[i])) {
			t.Fatalf("line %d: no %d of %d bytes, want %d", i+1, l.No, l.Len, len(want[i]))
		}
		if !strings.HasPrefix(string(want[i]), texts[i]) || l.Len <= maxLine && texts[i] != string(want[i]) {
			t.Fatalf("line %d has another text", i+1)
		}
	}
}

func TestLinesAreReadAsTheyAre(t *testing.T) {
	long := strings.Repeat("x", maxLine)
	for name, text := range map[string]string{
		"empty":             "",
		"one":               "a",
		"one closed":        "a\n",
		"blank ones":        "\n\n \t\r\na\n\n\u00a0\n",
		"buffer edge":       strings.Repeat("y", readBuffer-1) + "\nb\n" + strings.Repeat("z", readBuffer) + "\nc",
		"longest":           long + "\nb\n",
		"one longer":        long + "x\nb\n",
		"much longer":       "a\n" + strings.Repeat(long, 3) + "tail\nb\nc",
		"long and last":     "a\n" + strings.Repeat(long, 2),
		"long with hole":    "{" + strings.Repeat("\x00", 3*maxLine) + "}\nb\n",
		"hole to the end":   "a\n" + strings.Repeat("\x00", 2*maxLine),
		"hole at the start": strings.Repeat("\x00", 2*maxLine) + "\nb",
		"line after a hole": "a\n" + strings.Repeat("\x00", 3<<20) + "\n\n  \nb\n",
	} {
		t.Run(name, func(t *testing.T) { same(t, []byte(text)) })
	}
}

func FuzzLines(f *testing.F) {
	f.Add([]byte("a\n\n b\r\n"), 1, 0)
	f.Add([]byte("\n\xc2\xa0\n\xef\xbb\xbfx"), readBuffer, 3)
	f.Add([]byte("q\n"), maxLine-1, 1)
	f.Fuzz(func(t *testing.T, text []byte, times, at int) {
		if times < 0 || times > 2*maxLine || len(text) == 0 {
			return
		}
		filler := bytes.Repeat([]byte{"x \x00"[uint(at)%3]}, times)
		cut := int(uint(at) % uint(len(text)))
		same(t, bytes.Join([][]byte{text[:cut], filler, text[cut:]}, nil))
	})
}
