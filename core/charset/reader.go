package charset

import (
	"bytes"
	"io"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// Reader reads the decoded text of a file, as [Decode] returns it, in bounded memory. A file in UTF-8
// passes through without being copied.
type Reader struct {
	// Hole, if set, skips zeros that are not stored in the source, and returns how many it skipped.
	Hole func() int64

	src  io.Reader
	d    decoder
	raw  []byte // read and not decoded
	out  []byte // decoded and not returned
	gap  int64  // zeros skipped behind raw
	pass bool   // the file is no text: return its bytes
	err  error
}

// NewReader returns a Reader of what src reads.
func NewReader(src io.Reader) *Reader { return &Reader{src: src} }

// Skip returns how many zeros follow what was returned that are not stored in the source. They are skipped.
func (r *Reader) Skip() int64 {
	if len(r.out)+len(r.raw) > 0 || r.err != nil {
		return 0
	}
	n := r.gap + r.hole()
	r.gap = 0
	return n
}

func (r *Reader) hole() int64 {
	if r.Hole == nil {
		return 0
	}
	return r.Hole()
}

// mostBytes is how much of a text that is not UTF-8 is decoded at once.
const mostBytes = 32 << 10

// Read implements [io.Reader].
func (r *Reader) Read(p []byte) (int, error) {
	if len(r.out) == 0 && r.err == nil && len(p) >= 2*ahead {
		if n, done := r.through(p); done {
			return n, nil
		}
	}
	for len(r.out) == 0 {
		if r.err != nil && len(r.raw) == 0 {
			return 0, r.err
		}
		if r.decode(); r.gap > 0 {
			break
		}
	}
	n := copy(p, r.out)
	r.out = r.out[n:]
	return n, nil
}

// through reads into p what needs no decoding. Otherwise the bytes are in raw.
func (r *Reader) through(p []byte) (n int, done bool) {
	if r.d.form != asStored || len(r.raw) > ahead {
		return 0, false
	}
	n = copy(p, r.raw)
	if r.gap = r.hole(); r.gap > 0 {
		r.raw = r.raw[:0]
		return n, true
	}
	more, err := r.src.Read(p[n:])
	n += more
	r.err = err
	text := p[:n]
	if !r.d.begun && isPages(text) {
		r.pass = true
	}
	keep := 0
	switch {
	case r.pass:
	case !r.d.begun && (n < ahead || text[0] >= 0xFE) || !isPlain(text):
		r.raw = append([]byte(nil), text...)
		return 0, false
	case err == nil: // a zero behind the last byte would make that wide
		keep = min(n, utf8.UTFMax)
	}
	r.d.begun = true
	r.raw = append(r.raw[:0], text[n-keep:]...)
	r.d.source += n - keep
	return n - keep, true
}

// isPlain reports whether a part of a text is UTF-8, apart from a character that is cut at its end.
func isPlain(text []byte) bool {
	s := unsafe.String(unsafe.SliceData(text), len(text))
	if strings.IndexByte(s, 0) >= 0 {
		return false
	}
	for n := 0; n < utf8.UTFMax && n <= len(s); n++ {
		if rest := s[len(s)-n:]; n == 0 || !utf8.FullRuneInString(rest) {
			if utf8.ValidString(s[:len(s)-n]) {
				return true
			}
		}
	}
	return false
}

// decode reads more and decodes what can be.
func (r *Reader) decode() {
	if r.err == nil && len(r.raw) < mostBytes {
		if r.gap = r.hole(); r.gap == 0 {
			at := len(r.raw)
			r.raw = append(r.raw, make([]byte, mostBytes)...)
			n, err := r.src.Read(r.raw[at:])
			r.raw, r.err = r.raw[:at+n], err
		}
	}
	r.d.parts, r.d.out = r.d.parts[:0], nil
	n := r.d.walk(string(r.raw), r.err != nil || r.gap > 0)
	r.d.before += len(r.d.out)
	r.out, r.raw = r.d.out, r.raw[n:]
	if r.gap > 0 {
		r.d.form = asStored
	}
}

// isPages reports whether a file begins as a SQLite database or its log does. Their pages are no text, and
// hold some.
func isPages(head []byte) bool {
	for _, magic := range [...]string{"SQLite format 3\x00", "\x37\x7f\x06\x82", "\x37\x7f\x06\x83"} {
		if bytes.HasPrefix(head, []byte(magic)) {
			return true
		}
	}
	return false
}
