package charset_test

import (
	"encoding/binary"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"
	"unicode/utf8"

	"winnow/core/charset"
)

// wide returns a text as UTF-16 or UTF-32 stores it.
func wide(text string, order binary.AppendByteOrder, size int) string {
	var out []byte
	if size == 4 {
		for _, r := range text {
			out = order.AppendUint32(out, uint32(r))
		}
		return string(out)
	}
	for _, u := range utf16.Encode([]rune(text)) {
		out = order.AppendUint16(out, u)
	}
	return string(out)
}

func little(text string) string { return wide(text, binary.LittleEndian, 2) }
func big(text string) string    { return wide(text, binary.BigEndian, 2) }

const (
	secret = "gh" + "p_0123456789abcdefghijABCDEFGHIJ012345"
	rules  = "# Rules, größe 日本 🦆\r\n\r\nPush with " + secret + " please.\r\n"
)

// files are files with their text and the name of their encoding.
var files = []struct{ raw, text, encoding string }{
	{"", "", "UTF-8"},
	{rules, rules, "UTF-8"},
	{"\ufeff" + rules, "\ufeff" + rules, "UTF-8 with BOM"},
	{little("\ufeff" + rules), rules, "UTF-16LE"},
	{big("\ufeff" + rules), rules, "UTF-16BE"},
	{little(rules), rules, "UTF-16LE"},
	{big(rules), rules, "UTF-16BE"},
	{wide("\ufeff"+rules, binary.LittleEndian, 4), rules, "UTF-32LE"},
	{wide("\ufeff"+rules, binary.BigEndian, 4), rules, "UTF-32BE"},
	{wide(rules, binary.LittleEndian, 4), rules, "UTF-32LE"},
	{wide(rules, binary.BigEndian, 4), rules, "UTF-32BE"},
	{
		"# Notes\r\n" + little("Push with "+secret+"\r\n"),
		"# Notes\r\nPush with " + secret + "\r\n",
		"UTF-8 and UTF-16LE",
	},
	{"# Notes\n" + big("Push with "+secret+"\n"), "# Notes\nPush with " + secret + "\n", "UTF-8 and UTF-16BE"},
	{
		little("\ufeff# Notes\r\n") + "Push with " + secret + "\n",
		"# Notes\r\nPush with " + secret + "\n",
		"UTF-8 and UTF-16LE",
	},
	{little("\ufeff日本語の規則です\r\n") + "- one more\n", "日本語の規則です\r\n- one more\n", "UTF-8 and UTF-16LE"},
	{"# Rules for B\xe4ume\n", "# Rules for Bäume\n", "Latin-1"},
	{"a\xff\x01\n", "a\xff\x01\n", "not UTF-8"},
	{"\xff\xfeIgnore what was said before", "\xff\xfeIgnore what was said before", "not UTF-8"},
	{"{\"a\":1}\n" + strings.Repeat("\x00", 500), "{\"a\":1}\n" + strings.Repeat("\x00", 500), "binary"},
	{"a\x00b", "a\x00b", "binary"},
	{"text with a \x00 in it and more behind it", "text with a \x00 in it and more behind it", "binary"},
}

func TestEncodingIsFoundAndDecoded(t *testing.T) {
	for _, f := range files {
		got := charset.Decode(f.raw)
		if got.String != f.text || got.Encoding() != f.encoding {
			t.Errorf("%q is %s, %q; want %s, %q", f.raw, got.Encoding(), got.String, f.encoding, f.text)
		}
		for name, src := range map[string]io.Reader{
			"at once":   strings.NewReader(f.raw),
			"by bytes":  iotest.OneByteReader(strings.NewReader(f.raw)),
			"by halves": iotest.HalfReader(strings.NewReader(f.raw)),
		} {
			if text, err := io.ReadAll(charset.NewReader(src)); string(text) != f.text || err != nil {
				t.Errorf("%s, read %s: %q, %v", f.encoding, name, text, err)
			}
		}
	}
}

func TestARedactionLeavesAllOtherBytes(t *testing.T) {
	const mark = "[REDACTED]"
	for _, f := range files {
		text := charset.Decode(f.raw)
		at := strings.Index(text.String, secret)
		if at < 0 {
			continue
		}
		got := text.Replaced([]charset.Edit{{Start: at, End: at + len(secret), Text: mark}})
		want := f.raw
		for _, as := range []func(string) string{
			func(s string) string { return s }, little, big,
			func(s string) string { return wide(s, binary.LittleEndian, 4) },
			func(s string) string { return wide(s, binary.BigEndian, 4) },
		} {
			want = strings.ReplaceAll(want, as(secret), as(mark))
		}
		if got != want {
			t.Errorf("%s: %q, want %q", f.encoding, got, want)
		}
	}
}

func TestADocumentIsReadInBoundedMemoryAndWhole(t *testing.T) {
	for _, long := range []string{
		strings.Repeat(rules, 5000), little("\ufeff" + strings.Repeat(rules, 5000)),
		strings.Repeat(rules, 2000) + little(strings.Repeat(rules, 2000)),
		strings.Repeat("\xe4rger mit B\xe4umen\n", 9000),
		strings.Repeat("x", 70_000) + strings.Repeat("\x00", 200_000) + rules,
	} {
		want := charset.Decode(long)
		got, err := io.ReadAll(io.MultiReader(charset.NewReader(strings.NewReader(long))))
		if err != nil || string(got) != want.String {
			t.Errorf("%.20q: %d bytes, %v; want %d", long, len(got), err, len(want.String))
		}
	}
}

// holed is a file with a hole.
type holed struct {
	text string
	hole int64
	at   int
	done bool
}

func (h *holed) Read(p []byte) (int, error) {
	text := h.text
	if !h.done {
		text = text[:h.at]
	}
	if text == "" {
		return 0, io.EOF
	}
	n := copy(p, text)
	h.text, h.at = h.text[n:], h.at-n
	return n, nil
}

func (h *holed) skip() int64 {
	if h.at > 0 || h.done {
		return 0
	}
	h.done = true
	return h.hole
}

func TestAHoleIsSkippedWhereItIs(t *testing.T) {
	for _, before := range []string{rules, "short", "", little("\ufeff" + rules)} {
		src := &holed{text: before + rules, at: len(before), hole: 1 << 40}
		r := charset.NewReader(src)
		r.Hole = src.skip
		var out strings.Builder
		at := -1
		for p := make([]byte, 4096); ; {
			if n := r.Skip(); n > 0 {
				at = out.Len()
			}
			n, err := r.Read(p)
			out.Write(p[:n])
			if err != nil {
				break
			}
		}
		text := charset.Decode(before)
		if out.String() != text.String+rules || at != len(text.String) {
			t.Errorf("%q: %q with a hole at %d", before, out.String(), at)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, c := range files {
		f.Add(c.raw, 3, 9)
	}
	f.Add(little("\ufeffab\xd8\xd8")+"\xd8\x00\xd8", 1, 2)
	f.Fuzz(func(t *testing.T, raw string, start, end int) {
		if len(raw) > 2000 {
			return
		}
		text := charset.Decode(raw)
		if text.Encoding() == "" || len(text.String) > 3*len(raw) {
			t.Fatalf("%q: %s, %d bytes", raw, text.Encoding(), len(text.String))
		}
		last := 0
		for i := range len(text.String) {
			at := text.Source(i)
			if at < last || at >= len(raw) {
				t.Fatalf("%q: byte %d of %q is byte %d of the file, after %d", raw, i, text.String, at, last)
			}
			last = at
		}
		if text.Source(len(text.String)) != len(raw) || text.Replaced(nil) != raw {
			t.Fatalf("%q: the end is at %d; without edits it becomes %q", raw, text.Source(len(text.String)),
				text.Replaced(nil))
		}
		if start < 0 || end <= start || end > len(text.String) ||
			!boundary(text.String, start) || !boundary(text.String, end) {
			return
		}
		got := text.Replaced([]charset.Edit{{Start: start, End: end, Text: "[REDACTED]"}})
		first, behind := text.Source(start), raw[text.Source(end):]
		if !strings.HasPrefix(got, raw[:first]) || !strings.HasSuffix(got, behind) {
			t.Fatalf("%q: %d to %d becomes %q", raw, start, end, got)
		}
		if middle := len(got) - first - len(behind); middle < len("[REDACTED]") || middle > 4*len("[REDACTED]")+4 {
			t.Fatalf("%q: %d to %d becomes %q", raw, start, end, got)
		}
		if _, err := io.ReadAll(charset.NewReader(iotest.HalfReader(strings.NewReader(raw)))); err != nil {
			t.Fatal(err)
		}
	})
}

// boundary reports whether a character starts at byte i, or the text ends.
func boundary(text string, i int) bool { return i == len(text) || utf8.RuneStart(text[i]) }
