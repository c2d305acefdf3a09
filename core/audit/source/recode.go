package source

import (
	"bytes"
	"io"

	textenc "golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// encoding is how the characters of a file are stored.
type encoding uint8

const (
	utf8Text encoding = iota // also what is no text
	utf16LE
	utf16BE
	utf32LE
	utf32BE
)

// decoders read the encodings. A mark was read before.
var decoders = [...]textenc.Encoding{
	utf16LE: unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), utf16BE: unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM),
	utf32LE: utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM), utf32BE: utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM),
}

// marks are the byte order marks, the longer ones before those that they begin with.
var marks = []struct {
	bytes string
	enc   encoding
}{{"\xef\xbb\xbf", utf8Text}, {"\xff\xfe\x00\x00", utf32LE}, {"\x00\x00\xfe\xff", utf32BE}, {"\xff\xfe", utf16LE}, {"\xfe\xff", utf16BE}}

// detect tells from the first bytes of a file how its characters are stored, and how
// many bytes of these are a byte order mark.
func detect(head []byte) (enc encoding, mark int) {
	for _, m := range marks {
		if bytes.HasPrefix(head, []byte(m.bytes)) {
			return m.enc, len(m.bytes)
		}
	}
	return unmarked(head[:min(len(head), 8<<10)]), 0
}

// unmarked tells UTF-16 and UTF-32 without a mark by where the zero bytes stand: most
// characters of a text that concerns us are ASCII ones.
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
	most, few := each-each/8, each/64 // nearly all, hardly any
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

// recoder reads text of another encoding as UTF-8. What is no character becomes U+FFFD.
type recoder struct {
	io.Reader
	// reads is set when bytes were met that read as text without recoding.
	reads bool
	run   int // how many of the last bytes do
}

// newRecoder returns a reader for what begins with raw, and goes on with src.
func newRecoder(enc encoding, raw []byte, src io.Reader) *recoder {
	r := &recoder{}
	r.Reader = decoders[enc].NewDecoder().Reader(io.TeeReader(io.MultiReader(bytes.NewReader(bytes.Clone(raw)), src), r))
	return r
}

// Write notes whether the bytes of the file read as they are.
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

// reads reports whether nearly all bytes read as they are.
func reads(raw []byte) bool {
	n := 0
	for _, b := range raw {
		if readable(b) {
			n++
		}
	}
	return n > len(raw)-len(raw)/8
}

// readable reports whether a byte is a character of ASCII text.
func readable(b byte) bool { return b >= ' ' && b < 0x7F || b == '\n' || b == '\r' || b == '\t' }
