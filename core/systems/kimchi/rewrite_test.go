package kimchi

import (
	"slices"
	"strings"
	"testing"

	"winnow/core/entries"
	"winnow/core/jsonl"
	"winnow/core/memory"
)

func deletion(raw string, line int) memory.Change {
	return memory.Change{Do: memory.Deleting, ID: entries.ID(raw), Before: raw, Line: line}
}

func editing(raw, to string, line int) memory.Change {
	return memory.Change{Do: memory.Editing, ID: entries.ID(raw), Before: raw, After: to, Line: line}
}

func adding(text string) memory.Change {
	return memory.Change{Do: memory.Adding, ID: entries.ID(text), After: text}
}

// inverse takes changes back as the history does.
func inverse(changes []memory.Change) []memory.Change {
	var back []memory.Change
	for _, ch := range slices.Backward(changes) {
		switch ch.Do {
		case memory.Deleting:
			ch.Do, ch.Before, ch.After = memory.Adding, "", ch.Before
		case memory.Adding:
			ch.Do, ch.Before, ch.After, ch.Behind, ch.Position = memory.Deleting, ch.After, "", "", nil
		}
		back = append(back, ch)
	}
	return back
}

func TestChangesLeaveAllOtherBytes(t *testing.T) {
	const bom = "\ufeff"
	for _, c := range []struct {
		name, file string
		changes    []memory.Change
		want       string
	}{
		{"first", "A\n§\nB\n§\nC", []memory.Change{deletion("A", 1)}, "B\n§\nC"},
		{"middle", "A\n§\nB\n§\nC", []memory.Change{deletion("B", 2)}, "A\n§\nC"},
		{"last", "A\n§\nB\n§\nC", []memory.Change{deletion("C", 3)}, "A\n§\nB"},
		{"only", "A", []memory.Change{deletion("A", 1)}, ""},
		{"last line end stays", "A\n§\nB\n", []memory.Change{deletion("B", 2)}, "A\n"},
		{"mark stays", bom + "A\n§\nB", []memory.Change{deletion("A", 1)}, bom + "B"},
		{"white space of others stays", " A \n§\n B \n§\n C \n", []memory.Change{deletion("B", 2)}, " A \n§\n C \n"},
		{"empty pieces stay", "A\n§\n\n§\nB\n§\nC", []memory.Change{deletion("C", 3)}, "A\n§\n\n§\nB"},
		{"edit", " A \n§\n B \n", []memory.Change{editing("A", "X\nY", 1)}, " X\nY \n§\n B \n"},
		{"edit of the second of two", "A\n§\nA", []memory.Change{editing("A", "X", 2)}, "A\n§\nX"},
		{"bytes that are no text", "\xff\xfe\n§\nB\xc2", []memory.Change{editing("\xff\xfe", "X", 1)}, "X\n§\nB\xc2"},
		{"addition", "A\n", []memory.Change{adding("B")}, "A\n§\nB\n"},
		{"addition to nothing", "", []memory.Change{adding("B")}, "B"},
		{"addition to a mark", bom + "\n", []memory.Change{adding("B")}, bom + "B\n"},
		{"line ends of Windows are no delimiters", "A\r\n§\r\nB", []memory.Change{adding("C")}, "A\r\n§\r\nB\n§\nC"},
		{
			"several",
			"A\n§\nB\n§\nC",
			[]memory.Change{deletion("A", 1), editing("C", "Z", 3), adding("D")},
			"B\n§\nZ\n§\nD",
		},
		{"all", "A\n§\nB", []memory.Change{deletion("A", 1), deletion("B", 2)}, ""},
		{"one for all", "A\n§\nB", []memory.Change{deletion("A", 1), deletion("B", 2), adding("C")}, "C"},
		{"delimiter inside an edge", "A\n§\n§\nB", []memory.Change{deletion("A", 1)}, "§\nB"},
	} {
		m, p := kimchi().form().Rewrite(c.file, c.changes, nil)
		if p != nil || m.Text != c.want {
			t.Errorf("%s: %q, %v; want %q", c.name, m.Text, p, c.want)
		}
		back, p := kimchi().form().Rewrite(m.Text, inverse(m.Changes), nil)
		if want := kimchi().split(c.file).Raws(); p != nil || !slices.Equal(kimchi().split(back.Text).Raws(), want) {
			t.Errorf("%s taken back: %q, %v; want the entries %q", c.name, back.Text, p, want)
		}
	}
}

func TestHermesReadsLineEndsOfWindows(t *testing.T) {
	d := hermes()
	const file = "A\r\nb\r\n§\r\nB\r\n"
	if got := d.entries(file); !slices.Equal(got, []string{"A\nb", "B"}) {
		t.Errorf("entries %q", got)
	}
	m, p := d.form().Rewrite(file, []memory.Change{adding("C")}, nil)
	if want := "A\r\nb\r\n§\r\nB\r\n§\r\nC\r\n"; p != nil || m.Text != want {
		t.Errorf("%q, %v; want %q", m.Text, p, want)
	}
}

func TestEntriesThatWouldRunIntoEachOtherAreRefused(t *testing.T) {
	m, p := kimchi().form().Rewrite("A\n§", []memory.Change{adding("B")}, nil)
	if p == nil || m.Text != "A\n§" {
		t.Errorf("%q, %v", m.Text, p)
	}
}

func TestWhatAnotherWriterChangedIsToldFromWhatItRemoved(t *testing.T) {
	base := []string{"the build runs with make", "tests take a minute", "deploy on friday"}
	file := func(entries ...string) string { return join(entries) }
	for _, c := range []struct {
		name, file string
		base       []string
		want       memory.Fate
		theirs     string
	}{
		{"replaced in its place", file(base[0], "x", base[2]), base, memory.Refused, "x"},
		{"removed", file(base[0], base[2]), base, memory.Gone, ""},
		{
			"reworded, when nobody knows what stood there",
			file(base[0], "tests take a minute or two"),
			nil,
			memory.Refused,
			"tests take a minute or two",
		},
		{"removed, when nobody knows what stood there", file(base[0], base[2]), nil, memory.Gone, ""},
	} {
		m, p := kimchi().form().Rewrite(c.file, []memory.Change{deletion(base[1], 2)}, c.base)
		if p != nil || m.Fates[0].Fate != c.want || m.Fates[0].Theirs != c.theirs || m.Text != c.file {
			t.Errorf("%s: %+v, %v; want %v over %q", c.name, m.Fates[0].Fate, p, c.want, c.theirs)
		}
	}
}

func TestSameTextIsAddedOnceAndBroughtBackTwice(t *testing.T) {
	m, _ := kimchi().form().Rewrite("A\n§\nB", []memory.Change{adding("A")}, nil)
	if m.Fates[0].Fate != memory.Gone || m.Text != "A\n§\nB" {
		t.Errorf("%+v", m)
	}
	m, _ = kimchi().form().Rewrite("A\n§\nB\n§\nA", []memory.Change{deletion("A", 3)}, nil)
	if m.Text != "A\n§\nB" || m.Changes[0].ID != entries.ID("A")+"~2" {
		t.Errorf("%+v", m)
	}
	back, _ := kimchi().form().Rewrite(m.Text, inverse(m.Changes), nil)
	if back.Text != "A\n§\nB\n§\nA" {
		t.Errorf("taken back: %q", back.Text)
	}
	again, _ := kimchi().form().Rewrite(back.Text, inverse(m.Changes), nil)
	if again.Text != back.Text || again.Fates[0].Fate != memory.Gone {
		t.Errorf("taken back twice: %q", again.Text)
	}
}

func TestAdoptedIsWhatIsMissing(t *testing.T) {
	out, n := kimchi().form().Adopt("A\n§\nMine", "A\n§\nB", "A\n§\nB\n§\nC\n§\nC")
	if out != "A\n§\nMine\n§\nC\n§\nC" || n != 2 {
		t.Errorf("%q, %d", out, n)
	}
}

// FuzzRewriteOfOneEntryLeavesEveryOtherByte edits, deletes and takes back one entry of
// any file.
func FuzzRewriteOfOneEntryLeavesEveryOtherByte(f *testing.F) {
	for _, file := range []string{
		"A\n§\nB\n§\nC", "\ufeff A \n§\n\n§\nB\n", "A\r\n§\r\nB", "\xff\n§\n\xe0\x80", "§\n§\n§\n§\nA",
		"A\n§",
	} {
		f.Add(file, uint8(1), true)
		f.Add(file, uint8(0), false)
	}
	f.Fuzz(func(t *testing.T, file string, which uint8, edit bool) {
		for _, d := range []*dialect{kimchi(), hermes()} {
			n := d.split(file)
			if len(n.Spans) == 0 {
				continue
			}
			i := int(which) % len(n.Spans)
			at := n.Spans[i]
			ch := deletion(n.Raw(i), i+1)
			if edit {
				ch = editing(n.Raw(i), "another text", i+1)
			}
			m, p := d.form().Rewrite(file, []memory.Change{ch}, nil)
			if p != nil {
				if m.Text != file {
					t.Fatalf("refused, and changed %q to %q", file, m.Text)
				}
				continue
			}
			want := slices.Clone(n.Raws())
			if edit {
				want[i] = "another text"
				if n.Raw(i) != want[i] && m.Text != file[:at.Start]+want[i]+file[at.End:] {
					t.Fatalf("editing %d of %q made %q", i, file, m.Text)
				}
			} else {
				want = slices.Delete(want, i, i+1)
				if !strings.HasPrefix(file, m.Text[:commonPrefix(file, m.Text)]) || len(m.Text) >= len(file) {
					t.Fatalf("deleting %d of %q made %q", i, file, m.Text)
				}
			}
			if got := d.split(m.Text).Raws(); !slices.Equal(got, want) {
				t.Fatalf("%q became %q: entries %q, want %q", file, m.Text, got, want)
			}
			parts := jsonl.Difference(file, m.Text)
			if out, ok := jsonl.Splice(file, parts); !ok || out != m.Text {
				t.Fatalf("the parts make %q of %q, want %q", out, file, m.Text)
			}
			back, p := d.form().Rewrite(m.Text, inverse(m.Changes), nil)
			if p == nil && !slices.Equal(d.split(back.Text).Raws(), n.Raws()) {
				t.Fatalf("taken back: %q holds %q, want %q", back.Text, d.split(back.Text).Raws(), n.Raws())
			}
		}
	})
}

func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// FuzzEntries reads any file: entries are trimmed, not empty, stand where they are said
// to, and written and read again they are the same unless they hold what parts them.
func FuzzEntries(f *testing.F) {
	f.Add("A\n§\nB")
	f.Add("\u0085A\u001c\n§\n\ufeffB\ufeff")
	f.Fuzz(func(t *testing.T, file string) {
		for _, d := range []*dialect{kimchi(), hermes()} {
			n := d.split(file)
			last := 0
			for i, s := range n.Spans {
				if s.Start < last || s.End <= s.Start || d.trim(n.Raw(i)) != n.Raw(i) {
					t.Fatalf("entry %d of %q stands at %v", i, file, s)
				}
				last = s.End
			}
			entries := d.entries(file)
			odd := slices.ContainsFunc(entries, func(e string) bool {
				return strings.HasPrefix(e, "§\n") || strings.HasSuffix(e, "\n§") || e == "§" ||
					strings.Contains(e, delimiter) ||
					d.trim(e) != e
			})
			// At the start of a file it is a byte order mark, and no part of the first entry.
			odd = odd || len(entries) > 0 && strings.HasPrefix(entries[0], "\ufeff")
			if again := d.entries(join(entries)); !odd && !slices.Equal(again, entries) {
				t.Fatalf("%q is read as %q, and again as %q", file, entries, again)
			}
			if head, all := d.render(entries, 10, memoryFile); (head == "") != (len(entries) == 0) ||
				len(all) > len(entries) {
				t.Fatalf("%q: the block of %v", file, all)
			}
		}
	})
}
