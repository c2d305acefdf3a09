package lessonfile

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"winnow/core/jstext"
)

// same fails unless the non-blank lines of text are read unchanged.
func same(t *testing.T, text []byte) {
	t.Helper()
	r := linesFrom(bytes.NewReader(text))
	no := 0
	for raw := range bytes.Lines(text) {
		no++
		want, closed := bytes.CutSuffix(raw, []byte("\n"))
		if len(bytes.TrimFunc(want, jstext.IsSpace)) == 0 && len(want) <= maxLine {
			continue
		}
		l, err := r.record(t.Context())
		size := 0
		switch {
		case len(want) > maxLine:
			size, want = len(want), want[:keptOfLong]
		case closed:
			want = bytes.TrimSuffix(want, []byte("\r"))
		}
		if err != nil || l.no != no || l.size != size || l.text != string(want) {
			t.Fatalf(
				"line %d: no %d, %d bytes of %d, %v; want %d of %d",
				no,
				l.no,
				len(l.text),
				l.size,
				err,
				len(want),
				size,
			)
		}
	}
	if l, err := r.record(t.Context()); !errors.Is(err, io.EOF) {
		t.Fatalf("behind the last line %+v, %v", l, err)
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
