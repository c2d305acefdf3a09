package source

import (
	"bytes"
	"encoding/binary"
	"io"
	"unicode/utf16"
	"unicode/utf8"
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

// detect tells from the first bytes of a file how its characters are stored, and how
// many bytes of these are a byte order mark.
func detect(head []byte) (enc encoding, mark int) {
	switch {
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		return utf8Text, 3
	case bytes.HasPrefix(head, []byte("\xff\xfe\x00\x00")):
		return utf32LE, 4
	case bytes.HasPrefix(head, []byte("\x00\x00\xfe\xff")):
		return utf32BE, 4
	case bytes.HasPrefix(head, []byte("\xff\xfe")):
		return utf16LE, 2
	case bytes.HasPrefix(head, []byte("\xfe\xff")):
		return utf16BE, 2
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
	src  io.Reader
	enc  encoding
	raw  []byte // bytes that are not decoded yet
	room []byte // where raw lies
	err  error
	// reads is set when bytes were met that read as text without recoding.
	reads bool
	run   int // how many of the last bytes do
}

// newRecoder returns a reader for what begins with raw, which it keeps, and goes on
// with src.
func newRecoder(enc encoding, raw []byte, src io.Reader) *recoder {
	r := &recoder{src: src, enc: enc, raw: bytes.Clone(raw)}
	r.look(raw)
	return r
}

// Read implements [io.Reader]. It needs room for one character: p must have 4 bytes.
func (r *recoder) Read(p []byte) (n int, err error) {
	for n == 0 {
		n = r.decode(p)
		if n > 0 || len(p) < utf8.UTFMax {
			return n, nil
		}
		if r.err != nil {
			if len(r.raw) > 0 { // half a character
				r.raw = nil
				return copy(p, "\uFFFD"), nil
			}
			return 0, r.err
		}
		r.fill()
	}
	return n, nil
}

// fill reads more bytes behind those that are left.
func (r *recoder) fill() {
	if r.room == nil {
		r.room = make([]byte, 64<<10)
	}
	left := copy(r.room, r.raw)
	n, err := r.src.Read(r.room[left:])
	r.raw, r.err = r.room[:left+n], err
	r.look(r.room[left : left+n])
}

// look notes whether bytes read as they are.
func (r *recoder) look(raw []byte) {
	const telling = 16
	for _, b := range raw {
		if r.run++; !readable(b) {
			r.run = 0
		}
		r.reads = r.reads || r.run >= telling
	}
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

// decode writes the characters that are whole, as many as there is room for.
func (r *recoder) decode(p []byte) (n int) {
	for len(p)-n >= utf8.UTFMax {
		c, size := r.next()
		if size == 0 {
			break
		}
		r.raw = r.raw[size:]
		if c < utf8.RuneSelf {
			p[n] = byte(c)
			n++
			continue
		}
		n += utf8.EncodeRune(p[n:], c)
	}
	return n
}

// next returns the first character and its size; 0 when more bytes are needed.
func (r *recoder) next() (c rune, size int) {
	var order binary.ByteOrder = binary.LittleEndian
	if r.enc == utf16BE || r.enc == utf32BE {
		order = binary.BigEndian
	}
	if r.enc >= utf32LE {
		if len(r.raw) < 4 {
			return 0, 0
		}
		if u := order.Uint32(r.raw); u <= utf8.MaxRune {
			return rune(u), 4
		}
		return utf8.RuneError, 4
	}
	if len(r.raw) < 2 {
		return 0, 0
	}
	c = rune(order.Uint16(r.raw))
	if !utf16.IsSurrogate(c) {
		return c, 2
	}
	if len(r.raw) < 4 {
		if r.err != nil {
			return utf8.RuneError, 2
		}
		return 0, 0
	}
	if pair := utf16.DecodeRune(c, rune(order.Uint16(r.raw[2:]))); pair != utf8.RuneError {
		return pair, 4
	}
	return utf8.RuneError, 2
}
