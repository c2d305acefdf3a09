package zstd

import (
	"encoding/binary"
	"math/bits"
)

// backward reads bits from the end of data to its beginning.
type backward struct {
	data []byte
	left int // bits; negative after more was read than there is
}

// newBackward returns a reader of what is before the highest bit of the last byte.
func newBackward(data []byte) (backward, bool) {
	if len(data) == 0 || data[len(data)-1] == 0 {
		return backward{}, false
	}
	return backward{data, 8*len(data) - 9 + bits.Len8(data[len(data)-1])}, true
}

// peek returns the next n bits, at most 32. Bits before the beginning are 0.
func (b *backward) peek(n int) uint64 {
	start := b.left - n
	if start < 0 {
		if b.left <= 0 {
			return 0
		}
		return b.bits(0, b.left) << -start
	}
	return b.bits(start, n)
}

func (b *backward) bits(start, n int) (v uint64) {
	if rest := b.data[start>>3:]; len(rest) >= 8 {
		v = binary.LittleEndian.Uint64(rest)
	} else {
		for i, c := range rest {
			v |= uint64(c) << (8 * i)
		}
	}
	return v >> (start & 7) & (1<<n - 1)
}

// read returns the next n bits, at most 32, and goes past them.
func (b *backward) read(n int) int {
	v := b.peek(n)
	b.left -= n
	return int(v)
}

// forward reads bits from the beginning of data to its end. Bits after the end are 0.
type forward struct {
	data []byte
	at   int // in bits
}

func (f *forward) peek(n int) (v int) {
	for i := range n {
		if at := f.at + i; at>>3 < len(f.data) {
			v |= int(f.data[at>>3]>>(at&7)&1) << i
		}
	}
	return v
}

func (f *forward) read(n int) int {
	v := f.peek(n)
	f.at += n
	return v
}

const (
	prime1 uint64 = 0x9E3779B185EBCA87
	prime2 uint64 = 0xC2B2AE3D27D4EB4F
	prime3 uint64 = 0x165667B19E3779F9
	prime4 uint64 = 0x85EBCA77C2B2AE63
	prime5 uint64 = 0x27D4EB2F165667C5
)

// xxhash is the checksum XXH64 with the seed 0.
type xxhash struct {
	v      [4]uint64
	length uint64
	buffer []byte // less than 32 bytes
}

func newXXHash() xxhash {
	p1, p2 := prime1, prime2 // constants must not overflow
	return xxhash{v: [4]uint64{p1 + p2, p2, 0, -p1}}
}

func xxRound(v, word uint64) uint64 { return bits.RotateLeft64(v+word*prime2, 31) * prime1 }

func (x *xxhash) write(p []byte) {
	x.length += uint64(len(p))
	if len(x.buffer) > 0 {
		n := min(32-len(x.buffer), len(p))
		x.buffer, p = append(x.buffer, p[:n]...), p[n:]
		if len(x.buffer) < 32 {
			return
		}
		x.stripe(x.buffer)
		x.buffer = x.buffer[:0]
	}
	for ; len(p) >= 32; p = p[32:] {
		x.stripe(p)
	}
	x.buffer = append(x.buffer, p...)
}

func (x *xxhash) stripe(p []byte) {
	for i := range x.v {
		x.v[i] = xxRound(x.v[i], binary.LittleEndian.Uint64(p[8*i:]))
	}
}

func (x *xxhash) sum() uint64 {
	h := prime5
	if x.length >= 32 {
		h = bits.RotateLeft64(x.v[0], 1) + bits.RotateLeft64(x.v[1], 7) + bits.RotateLeft64(x.v[2], 12) +
			bits.RotateLeft64(x.v[3], 18)
		for _, v := range x.v {
			h = (h^xxRound(0, v))*prime1 + prime4
		}
	}
	h += x.length
	p := x.buffer
	for ; len(p) >= 8; p = p[8:] {
		h = bits.RotateLeft64(h^xxRound(0, binary.LittleEndian.Uint64(p)), 27)*prime1 + prime4
	}
	if len(p) >= 4 {
		h = bits.RotateLeft64(h^uint64(binary.LittleEndian.Uint32(p))*prime1, 23)*prime2 + prime3
		p = p[4:]
	}
	for _, c := range p {
		h = bits.RotateLeft64(h^uint64(c)*prime5, 11) * prime1
	}
	h = (h ^ h>>33) * prime2
	h = (h ^ h>>29) * prime3
	return h ^ h>>32
}
