package source

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"winnow/core/audit/judge"
)

// part reads a text in pieces of 64 bytes, with lines of up to 256, parts of which
// overlap by 16.
func part(t *testing.T, src io.Reader, pages bool) (pieces []judge.Piece, err error) {
	t.Helper()
	s := &splitter{
		sizes:  sizes{64, 256, 16},
		ctx:    t.Context(),
		room:   new([]byte),
		src:    src,
		row:    1,
		column: 1,
		pages:  pages,
	}
	for p, e := range s.pieces {
		if err = e; err == nil {
			p.Text = strings.Clone(p.Text)
			pieces = append(pieces, p)
		}
	}
	return pieces, err
}

// joined puts pieces together again, and holds each to what it says of itself.
func joined(t *testing.T, text string, pieces []judge.Piece, pages bool) string {
	t.Helper()
	var whole strings.Builder
	for i, p := range pieces {
		before := text[:p.Offset]
		row, column := 1+strings.Count(before, "\n"), len(before)-strings.LastIndexByte(before, '\n')
		if pages {
			row, column = 0, 0
		}
		if p.Line != row || p.Column != column {
			t.Errorf("piece %d at %d says %d:%d, want %d:%d", i, p.Offset, p.Line, p.Column, row, column)
		}
		overlap := whole.Len() - int(p.Offset)
		if overlap != 0 && !(p.InLine && overlap > 0 && overlap <= 16+utf8.UTFMax && overlap < len(p.Text)) {
			t.Fatalf("piece %d begins at %d, which is %d bytes before the end of the last", i, p.Offset, overlap)
		}
		if !p.InLine && i+1 < len(pieces) && !strings.HasSuffix(p.Text, "\n") {
			t.Errorf("piece %d parts a line: %q", i, p.Text)
		}
		if len(p.Text) > 256+utf8.UTFMax || len(p.Text) == 0 {
			t.Errorf("piece %d has %d bytes", i, len(p.Text))
		}
		whole.WriteString(p.Text[overlap:])
	}
	return whole.String()
}

func TestPiecesAreWholeLinesOrPartsThatOverlap(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		var b strings.Builder
		for range random.IntN(12) {
			b.WriteString(
				strings.Repeat([]string{"a", "é", "日", "🦆", "\xff"}[random.IntN(5)], random.IntN(1+1<<random.IntN(11))),
			)
			if random.IntN(4) > 0 {
				b.WriteByte('\n')
			}
		}
		text := b.String()
		for _, pages := range []bool{false, true} {
			pieces, err := part(t, iotest.HalfReader(strings.NewReader(text)), pages)
			if got := joined(t, text, pieces, pages); got != text || err != nil {
				t.Fatalf("read %q, %v\nwant %q", got, err, text)
			}
			for i, p := range pieces {
				if utf8.ValidString(text) && !utf8.ValidString(p.Text) {
					t.Errorf("piece %d parts a character: %q", i, p.Text)
				}
			}
		}
	}
}

func FuzzPieces(f *testing.F) {
	f.Add([]byte("one\ntwo\n"), false)
	f.Add(bytes.Repeat([]byte("x"), 1000), true)
	f.Add([]byte(strings.Repeat("y", 300)+"\n-----BEGIN A KEY-----\nz\n"+strings.Repeat("z\n", 40)), false)
	f.Fuzz(func(t *testing.T, text []byte, pages bool) {
		pieces, err := part(t, bytes.NewReader(text), pages)
		if got := joined(t, string(text), pieces, pages); got != string(text) || err != nil {
			t.Errorf("read %q, %v", got, err)
		}
	})
}

func TestShortLinesComeTogether(t *testing.T) {
	pieces, err := part(t, strings.NewReader(strings.Repeat("0123456789\n", 100)), false)
	if len(pieces) != 20 || err != nil {
		t.Errorf("%d pieces, %v; want 20 of five lines", len(pieces), err)
	}
}

func TestPrivateKeyIsNotParted(t *testing.T) {
	key := "-----BEGIN " + "X KEY-----\nAAAA\n-----END " + "X KEY-----\n"
	for fill := range 64 {
		text := "first\n" + strings.Repeat("f", fill) + "\n" + key + strings.Repeat("after\n", 20)
		pieces, err := part(t, strings.NewReader(text), false)
		in := 0
		for _, p := range pieces {
			in += strings.Count(p.Text, key)
		}
		if in != 1 || err != nil || joined(t, text, pieces, false) != text {
			t.Errorf("with %d bytes before it the key is whole in %d pieces, %v", fill, in, err)
		}
	}
}

func TestFailureComesAfterWhatWasRead(t *testing.T) {
	broken := errors.New("broken")
	pieces, err := part(t, io.MultiReader(strings.NewReader("one\ntwo"), iotest.ErrReader(broken)), false)
	if len(pieces) != 1 || pieces[0].Text != "one\ntwo" || !errors.Is(err, broken) {
		t.Errorf("pieces %v, %v", pieces, err)
	}
}

// holed is a text in which zeros are left out, as in the hole of a file.
type holed struct {
	parts []string
	hole  int64
	inGap bool
}

func (h *holed) Read(p []byte) (int, error) {
	if len(h.parts) == 0 {
		return 0, io.EOF
	}
	n := copy(p, h.parts[0])
	if h.parts[0] = h.parts[0][n:]; h.parts[0] == "" {
		h.parts = h.parts[1:]
		h.inGap = len(h.parts) > 0
	}
	return n, nil
}

func (h *holed) skip() int64 {
	if !h.inGap {
		return 0
	}
	h.inGap = false
	return h.hole
}

func TestHoleIsPassedOver(t *testing.T) {
	long := strings.Repeat("x", 400)
	for _, before := range []string{"one\ntw", "one\n", long} {
		src := &holed{parts: []string{before, "o\nthree\n"}, hole: 1 << 40}
		s := &splitter{
			sizes:  sizes{64, 256, 16},
			ctx:    t.Context(),
			room:   new([]byte),
			src:    src,
			skip:   src.skip,
			row:    1,
			column: 1,
		}
		var last judge.Piece
		text := ""
		for p, err := range s.pieces {
			if err != nil {
				t.Fatal(err)
			}
			if text == "" && p.Offset >= 1<<40 {
				last, text = p, strings.Clone(p.Text)
			}
		}
		row := 1 + strings.Count(before, "\n")
		if !strings.HasPrefix(text, "o\n") || last.Offset < 1<<40 || last.Line < row ||
			last.Line == row && last.Column < 1<<40 {
			t.Errorf("behind %.10q comes %q at %d, %d:%d", before, text, last.Offset, last.Line, last.Column)
		}
	}
}
