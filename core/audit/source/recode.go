package source

import (
	"bytes"
	"io"

	textenc "golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// encoding is the text encoding of a file.
type encoding uint8

const (
	utf8Text encoding = iota // also for files that are not text
	utf16LE
	utf16BE
	utf32LE
	utf32BE
)

// decoders decode the encodings, after any byte order mark.
var decoders = [...]textenc.Encoding{
	utf16LE: unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), utf16BE: unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM),
	utf32LE: utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM), utf32BE: utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM),
}

// marks are the byte order marks. A mark comes before any shorter one that it begins with.
var marks = []struct {
	bytes string
	enc   encoding
}{{"\xef\xbb\xbf", utf8Text}, {"\xff\xfe\x00\x00", utf32LE}, {"\x00\x00\xfe\xff", utf32BE}, {"\xff\xfe", utf16LE}, {"\xfe\xff", utf16BE}}

// detectEncoding guesses the encoding from the first bytes of a file. mark is the length of the byte order
// mark.
func detectEncoding(head []byte) (enc encoding, mark int) {
	for _, m := range marks {
		if bytes.HasPrefix(head, []byte(m.bytes)) {
			return m.enc, len(m.bytes)
		}
	}
	return unmarked(head[:min(len(head), 8<<10)]), 0
}

// unmarked recognizes UTF-16 and UTF-32 without a mark by the positions of zero bytes, since most
// characters of relevant text are ASCII.
func unmarked(head []byte) encoding {
	if bytes.IndexByte(head, 0) < 0 {
		return utf8Text
	}
	var zeros [4]int
	head = head[:len(head)&^3]
	for i, b := range head {
		if b == 0 {
			zeros[i&3]++
		}
	}
	each := len(head) / 4
	most, few := each-each/8, each/64 // thresholds for nearly all and for hardly any
	switch {
	case each == 0:
		return utf8Text
	case zeros[2] >= most && zeros[3] >= most && zeros[0] <= few:
		return utf32LE
	case zeros[0] >= most && zeros[1] >= most && zeros[3] <= few:
		return utf32BE
	case zeros[1] > each/3 && zeros[3] > each/3 && zeros[0] <= few && zeros[2] <= few:
		return utf16LE
	case zeros[0] > each/3 && zeros[2] > each/3 && zeros[1] <= few && zeros[3] <= few:
		return utf16BE
	}
	return utf8Text
}

// recoder converts text from another encoding to UTF-8. Invalid input becomes U+FFFD.
type recoder struct {
	io.Reader
	// reads is set once there were bytes that are readable without conversion.
	reads bool
	run   int // how many of the last bytes are
}

// newRecoder returns a recoder for raw followed by src.
func newRecoder(enc encoding, raw []byte, src io.Reader) *recoder {
	r := &recoder{}
	r.Reader = decoders[enc].NewDecoder().Reader(io.TeeReader(io.MultiReader(bytes.NewReader(bytes.Clone(raw)), src), r))
	return r
}

// Write checks whether the original bytes are readable without conversion.
func (r *recoder) Write(raw []byte) (int, error) {
	const telling = 16
	for _, b := range raw {
		if r.run++; !readable(b) {
			r.run = 0
		}
		r.reads = r.reads || r.run >= telling
	}
	return len(raw), nil
}

// mostlyReadable reports whether nearly all bytes are readable ASCII.
func mostlyReadable(raw []byte) bool {
	n := 0
	for _, b := range raw {
		if readable(b) {
			n++
		}
	}
	return n > len(raw)-len(raw)/8
}

// readable reports whether a byte is a printable ASCII character, a line end or a tab.
func readable(b byte) bool { return b >= ' ' && b < 0x7F || b == '\n' || b == '\r' || b == '\t' }
