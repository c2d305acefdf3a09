package source

import (
	"bufio"
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"
	"time"
)

var (
	id1 = strings.Repeat("1a", 20)
	id2 = strings.Repeat("2b", 20)
)

func TestListedFilesAreParsed(t *testing.T) {
	for line, want := range map[string]listed{
		"? a b":                          {other: true, path: "a b"},
		"? ? x":                          {other: true, path: "? x"},
		"H 100644 " + id1 + " 0\ta\tb\n": {mode: modeFile | 0o644, stage: '0', id: id1, path: "a\tb\n"},
		"M 100755 " + id2 + " 2\tx":      {mode: modeFile | 0o755, stage: '2', id: id2, path: "x"},
		"S 160000 " + id2 + " 0\tmodule": {mode: modeModule, stage: '0', id: id2, path: "module"},
	} {
		if got, err := parseListed([]byte(line)); got != want || err != nil {
			t.Errorf("%q is %+v, %v; want %+v", line, got, err, want)
		}
	}
	for _, line := range []string{"", "H", "H 100644 " + id1 + " 0 a", "H 100644 short 0\ta", "H 9 " + id1 + " 0\ta", "H 100644 " + id1 + "\ta"} {
		if got, err := parseListed([]byte(line)); err == nil {
			t.Errorf("%q is taken for %+v", line, got)
		}
	}
}

func TestLogIsParsed(t *testing.T) {
	text := id1 + " 1700000000\x00\n:000000 100644 " + strings.Repeat("0", 40) + " " + id2 + " A\x00\n:odd name\x00" +
		":100644 000000 " + id2 + " " + strings.Repeat("0", 40) + " D\x00gone\x00" +
		id2 + " 1700000001\x00\x00::100644 100644 100755 " + id1 + " " + id1 + " " + id2 + " MM\x00merged\x00"
	commits := 0
	var got []changed
	r := rawReader{begun: func() { commits++ }, each: func(c changed) { got = append(got, c) }}
	for line := range strings.SplitSeq(text, "\x00") {
		if err := r.parse([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	want := []changed{
		{mode: modeFile | 0o644, id: id2, status: "A", path: "\n:odd name"},
		{mode: 0, id: strings.Repeat("0", 40), status: "D", path: "gone"},
		{mode: modeFile | 0o755, id: id2, status: "MM", path: "merged"},
	}
	if !slices.Equal(got, want) || commits != 2 || r.commit != id2 || r.time.Unix() != 1700000001 {
		t.Errorf("parsed %+v of %d commits, the last %s at %v", got, commits, r.commit, r.time)
	}
}

func FuzzLog(f *testing.F) {
	f.Add([]byte(id1 + " 17\x00\n:000000 100644 " + id1 + " " + id2 + " A\x00a\x00"))
	f.Add([]byte("::100644 100644 100755 " + id1 + " " + id1 + " " + id2 + " MM\x00merged\x00"))
	f.Fuzz(func(t *testing.T, text []byte) {
		r := rawReader{each: func(c changed) {
			if !isID(c.id) || !bytes.Contains(text, []byte(c.path)) ||
				c.status == "" && !bytes.Contains(text, []byte(" \x00")) {
				t.Errorf("%q holds %+v", text, c)
			}
		}}
		for line := range bytes.SplitSeq(text, []byte{0}) {
			if r.parse(line) != nil {
				return
			}
		}
	})
}

func FuzzMessageHead(f *testing.F) {
	f.Add(
		"tree "+id1+"\nauthor A <a@b> 1 +0000\ncommitter A B <a@b> 1700000000 +0100\ngpgsig -----BEGIN\n \n x\n\nsubject\n\nbody\n",
		64,
	)
	f.Add("object "+id2+"\ntype commit\ntag v1\ntagger A <a@b> -1 +0000\n\nmessage", 16)
	f.Add("object "+id2+"\ntype tree\n\n", 16)
	f.Add("committer <<> > 5", 16)
	f.Add("object "+id2+"2b2b2b2b\ntype commit\n\n", len("object "+id2)) // the buffer ends where a name could
	f.Fuzz(func(t *testing.T, text string, size int) {
		in := bufio.NewReaderSize(strings.NewReader(text), max(16, min(size, 4096)))
		h := readMessageHead(in)
		rest, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		_, message, _ := strings.Cut("\n"+text, "\n\n") // a head may be empty
		if string(rest) != message {
			t.Errorf("%q has the message %q; want %q", text, rest, message)
		}
		if h.commit != "" && (!isID(h.commit) || !strings.Contains(text, "object "+h.commit+"\n")) {
			t.Errorf("%q is of commit %q", text, h.commit)
		}
	})
}

func TestHeadOfAMessageTellsCommitAndTime(t *testing.T) {
	for text, want := range map[string]messageHead{
		"tree " + id1 + "\ncommitter A > B <a@b> 1700000000 +0100\n\nm":                     {time: time.Unix(1700000000, 0).UTC()},
		"object " + id2 + "\ntype commit\ntag v\ntagger A <a@b> 1700000000 +0000\n\nm":      {id2, time.Unix(1700000000, 0).UTC()},
		"object " + id2 + "\ntype tree\ntag v\n\nobject " + id1 + "\ntype commit\n":         {},
		"object short\ntype commit\ntagger A <a@b> soon\n\n":                                {},
		"tree " + id1 + "\nencoding " + strings.Repeat("x", 9000) + "\ncommitter <> 7 +0\n": {time: time.Unix(7, 0).UTC()},
	} {
		if got := readMessageHead(bufio.NewReader(strings.NewReader(text))); got != want {
			t.Errorf("%.80q has %+v; want %+v", text, got, want)
		}
	}
}

func FuzzListed(f *testing.F) {
	f.Add([]byte("? a/b"))
	f.Add([]byte("H 100644 " + id1 + " 0\ta\tb"))
	f.Fuzz(func(t *testing.T, line []byte) {
		e, err := parseListed(line)
		if err != nil {
			return
		}
		if !bytes.HasSuffix(line, []byte(e.path)) || !e.other && !isID(e.id) {
			t.Errorf("%q is %+v", line, e)
		}
		if at, ok := locationOf("top", e.path); ok && !strings.HasPrefix(at, "top") {
			t.Errorf("%q leads to %q", e.path, at)
		}
	})
}

func FuzzHeader(f *testing.F) {
	f.Add(id1 + " blob 12")
	f.Add(id1 + " missing")
	f.Fuzz(func(t *testing.T, line string) {
		h, err := parseHeader(line)
		if err == nil && (h.size < 0 || !strings.HasPrefix(line, h.id) || !h.missing && !isID(h.id)) {
			t.Errorf("%q is %+v", line, h)
		}
	})
}
