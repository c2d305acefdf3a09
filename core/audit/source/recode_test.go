package source

import (
	"encoding/binary"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"
	"unicode/utf8"
)

// stored returns a text as an encoding stores it.
func stored(text string, enc encoding, mark bool) []byte {
	var order binary.AppendByteOrder = binary.LittleEndian
	if enc == utf16BE || enc == utf32BE {
		order = binary.BigEndian
	}
	if mark {
		text = "\uFEFF" + text
	}
	var b []byte
	if enc >= utf32LE {
		for _, r := range text {
			b = order.AppendUint32(b, uint32(r))
		}
		return b
	}
	for _, u := range utf16.Encode([]rune(text)) {
		b = order.AppendUint16(b, u)
	}
	return b
}

func TestEncodingIsToldAndRecoded(t *testing.T) {
	text := strings.Repeat("key = value, größe 日本 🦆\n", 20)
	for _, enc := range []encoding{utf16LE, utf16BE, utf32LE, utf32BE} {
		for _, mark := range []bool{true, false} {
			raw := stored(text, enc, mark)
			told, n := detectEncoding(raw)
			if told != enc || (n > 0) != mark {
				t.Errorf("encoding %d, mark %v: told %d with a mark of %d bytes", enc, mark, told, n)
				continue
			}
			r := newRecoder(enc, raw[n:min(len(raw), n+5)], iotest.OneByteReader(strings.NewReader(string(raw[min(len(raw), n+5):]))))
			if got, err := io.ReadAll(r); string(got) != text || err != nil {
				t.Errorf("encoding %d: read %q, %v", enc, got, err)
			}
		}
	}
}

func TestBytesAndTextAreNotTakenForWideCharacters(t *testing.T) {
	for name, head := range map[string]string{
		"empty": "", "text": "plain text\n", "zeros": strings.Repeat("\x00", 4096), "page": "SQLite format 3\x00\x10\x00\x01\x01" + strings.Repeat("\x00", 500),
		"short": "a\x00", "one zero": "text with a \x00 in it and more text behind it, so that it is text\n",
	} {
		if enc, mark := detectEncoding([]byte(head)); enc != utf8Text || mark != 0 {
			t.Errorf("%s: encoding %d, mark %d", name, enc, mark)
		}
	}
}

func TestHalfCharactersAreReplaced(t *testing.T) {
	for raw, want := range map[string]string{
		"a\x00b": "a\uFFFD", "\x00\xd8": "\uFFFD", "\x00\xd8a\x00": "\uFFFDa", "\x00\xdc": "\uFFFD",
	} {
		got, err := io.ReadAll(newRecoder(utf16LE, nil, strings.NewReader(raw)))
		if string(got) != want || err != nil {
			t.Errorf("%q is read as %q, %v; want %q", raw, got, err, want)
		}
	}
}

func FuzzRecode(f *testing.F) {
	f.Add([]byte("a\x00b\x00"), uint8(1))
	f.Add([]byte("\x00\xd8\x00"), uint8(2))
	f.Fuzz(func(t *testing.T, raw []byte, enc uint8) {
		got, err := io.ReadAll(newRecoder(encoding(1+enc%4), nil, iotest.HalfReader(strings.NewReader(string(raw)))))
		if err != nil || !utf8.Valid(got) || len(got) > 3*len(raw) {
			t.Errorf("%q is read as %q, %v", raw, got, err)
		}
	})
}
