package karnevil9

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
)

// textSource is a text in memory, with holes where it has long runs of zeros.
type textSource struct{ *bytes.Reader }

func newSource(text []byte) textSource { return textSource{bytes.NewReader(text)} }

func (s textSource) NextData(off int64) int64 {
	var block [512]byte
	for off < s.Size() && off%512 == 0 {
		n, _ := s.ReadAt(block[:], off)
		if n < 512 || block != [512]byte{} {
			break
		}
		off += 512
	}
	return off
}

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
	r := linesFrom(newSource(text), 0, 1)
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

// same fails unless the lines of text are read as they are, and counted as they
// are read.
func same(t *testing.T, text []byte) {
	t.Helper()
	want := split(text)
	got, texts := readAll(t, text)
	if len(got) != len(want) {
		t.Fatalf("%d lines, want %d", len(got), len(want))
	}
	off, records := int64(0), 0
	for i, l := range got {
		if l.No != i+1 || l.Off != off || l.Len != int64(len(want[i])) {
			t.Fatalf("line %d: no %d at %d of %d bytes, want it at %d of %d", i+1, l.No, l.Off, l.Len, off, len(want[i]))
		}
		if !strings.HasPrefix(string(want[i]), texts[i]) || l.Len <= maxLine && texts[i] != string(want[i]) {
			t.Fatalf("line %d has another text", i+1)
		}
		if !isBlank(want[i]) {
			records++
		}
		off += l.Len + 1
	}
	var x index
	if err := x.count(t.Context(), newSource(text), func() {}); err != nil {
		t.Fatal(err)
	}
	if x.lines != len(want) || x.records != records {
		t.Fatalf("counted %d lines and %d records, want %d and %d", x.lines, x.records, len(want), records)
	}
}

func TestLinesAreReadAndCountedAsTheyAre(t *testing.T) {
	long := strings.Repeat("x", maxLine)
	for name, text := range map[string]string{
		"empty":              "",
		"one":                "a",
		"one closed":         "a\n",
		"blank ones":         "\n\n \t\r\na\n\n\u00a0\n",
		"buffer edge":        strings.Repeat("y", firstBuffer-1) + "\nb\n" + strings.Repeat("z", firstBuffer) + "\nc",
		"longest":            long + "\nb\n",
		"one longer":         long + "x\nb\n",
		"much longer":        "a\n" + strings.Repeat(long, 3) + "tail\nb\nc",
		"long and last":      "a\n" + strings.Repeat(long, 2),
		"long with hole":     "{" + strings.Repeat("\x00", 3*maxLine) + "}\nb\n",
		"hole to the end":    "a\n" + strings.Repeat("\x00", 2*maxLine),
		"hole at the start":  strings.Repeat("\x00", 2*maxLine) + "\nb",
		"line after a hole":  "a\n" + strings.Repeat("\x00", 3<<20) + "\n\n  \nb\n",
		"chunk ends in line": strings.Repeat("z", countChunk) + "\n" + strings.Repeat(" ", countChunk) + "\nq",
	} {
		t.Run(name, func(t *testing.T) { same(t, []byte(text)) })
	}
}

func TestEveryPlaceOfTheIndexIsTheBeginningOfItsRecord(t *testing.T) {
	var text bytes.Buffer
	for i := range 35_000 {
		text.WriteString(strings.Repeat("x", 1+i%90))
		text.WriteString("\n")
		if i%3 == 0 {
			text.WriteString(" \n")
		}
	}
	var x index
	if err := x.count(t.Context(), newSource(text.Bytes()), func() {}); err != nil {
		t.Fatal(err)
	}
	if len(x.marks) != 4 {
		t.Fatalf("%d marks, want 4", len(x.marks))
	}
	for _, n := range []int{0, 9_999, 10_000, 29_999, 34_999} {
		m := x.near(n)
		if m.records > n || n-m.records >= markEvery {
			t.Errorf("nearest mark before record %d is at %d", n, m.records)
		}
		l, err := linesFrom(newSource(text.Bytes()), m.off, m.line).next(t.Context())
		if want := 1 + m.records%90; err != nil || int(l.Len) != want || l.No != m.line {
			t.Errorf("record %d at mark has %d bytes in line %d (%v), want %d in %d", m.records, l.Len, l.No, err, want, m.line)
		}
	}
}

func TestCountingEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var x index
	chunks := 0
	err := x.count(ctx, newSource(bytes.Repeat([]byte("a\n"), 4*countChunk)), func() {
		chunks++
		cancel()
	})
	if !errors.Is(err, context.Canceled) || chunks != 1 {
		t.Errorf("count = %v after %d chunks, want %v after 1", err, chunks, context.Canceled)
	}
}

func FuzzLines(f *testing.F) {
	f.Add([]byte("a\n\n b\r\n"), 1, 0)
	f.Add([]byte("\n\xc2\xa0\n\xef\xbb\xbfx"), firstBuffer, 3)
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
