// Package zstd decompresses Zstandard, RFC 8878, without dictionaries. It has nothing to compute before
// it is used; a library would cost every start of the program a quarter of a millisecond.
package zstd

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// errCorrupt is the error of data that is not a stream of Zstandard, or is damaged.
var errCorrupt = errors.New("zstd: corrupt data")

const (
	frameMagic    = 0xFD2FB528
	skippable     = 0x184D2A50 // and the next 15
	maxBlock      = 128 << 10  // bytes of a block, before and after decompression
	minWindow     = 1 << 10
	checksumBytes = 4
)

// Reader decompresses the frames of a stream.
type Reader struct {
	in        *bufio.Reader
	maxWindow int
	err       error

	out      []byte // the window, and what is not read yet
	read     int    // how much of out is read
	inFrame  bool
	frames   int
	window   int
	summed   bool // the frame ends with a checksum
	sum      xxhash
	sized    bool // the frame says its size, of which left is to come
	left     uint64
	block    []byte // a compressed block
	literals []byte
	huffman  huffmanTable
	tables   [3]fseTable // of literal lengths, offsets and match lengths
	offsets  [3]int      // the last ones
}

// NewReader returns a reader of what in holds. It refuses frames that need a window of more than
// maxWindow bytes; it needs about twice as much memory as the window.
func NewReader(in io.Reader, maxWindow int) *Reader {
	return &Reader{in: bufio.NewReader(in), maxWindow: maxWindow}
}

// Read implements io.Reader.
func (r *Reader) Read(p []byte) (int, error) {
	for r.read == len(r.out) && r.err == nil {
		r.err = r.next()
	}
	if r.read == len(r.out) {
		return 0, r.err
	}
	n := copy(p, r.out[r.read:])
	r.read += n
	return n, nil
}

// next decompresses the next block, or reads the next header.
func (r *Reader) next() error {
	if !r.inFrame {
		err := r.header()
		if err == io.EOF && r.frames == 0 {
			err = io.ErrUnexpectedEOF
		}
		return err
	}
	var head [3]byte
	if _, err := io.ReadFull(r.in, head[:]); err != nil {
		return unexpected(err)
	}
	if len(r.out) > 2*r.window+maxBlock {
		r.out = r.out[:copy(r.out, r.out[len(r.out)-r.window:])]
		r.read = len(r.out)
	}
	before := len(r.out)
	last, size := head[0]&1 == 1, int(head[2])<<13|int(head[1])<<5|int(head[0])>>3
	if err := r.readBlock(int(head[0]>>1&3), size); err != nil {
		return err
	}
	fresh := r.out[before:]
	if len(fresh) > maxBlock || r.sized && uint64(len(fresh)) > r.left {
		r.out = r.out[:before]
		return errCorrupt
	}
	r.left -= uint64(len(fresh))
	if r.summed {
		r.sum.write(fresh)
	}
	if last {
		return r.finish()
	}
	return nil
}

// finish ends a frame.
func (r *Reader) finish() error {
	r.inFrame = false
	if r.sized && r.left != 0 {
		return errCorrupt
	}
	if !r.summed {
		return nil
	}
	var sum [checksumBytes]byte
	if _, err := io.ReadFull(r.in, sum[:]); err != nil {
		return unexpected(err)
	}
	if binary.LittleEndian.Uint32(sum[:]) != uint32(r.sum.sum()) {
		return errCorrupt
	}
	return nil
}

// header reads the header of a frame, or skips a frame that is to be skipped. At the end of the stream
// it returns io.EOF.
func (r *Reader) header() error {
	var b [14]byte
	if _, err := io.ReadFull(r.in, b[:4]); err != nil {
		return err
	}
	switch magic := binary.LittleEndian.Uint32(b[:]); {
	case magic&^15 == skippable:
		return r.skipFrame()
	case magic != frameMagic:
		return errCorrupt
	}
	flags, err := r.in.ReadByte()
	if err != nil {
		return unexpected(err)
	}
	single := flags&0x20 != 0
	sizeBytes := []int{0, 2, 4, 8}[flags>>6]
	if single && sizeBytes == 0 {
		sizeBytes = 1
	}
	windowBytes, idBytes := 1, []int{0, 1, 2, 4}[flags&3]
	if single {
		windowBytes = 0
	}
	head := b[:windowBytes+idBytes+sizeBytes]
	if _, err := io.ReadFull(r.in, head); err != nil {
		return unexpected(err)
	}
	var size [8]byte
	copy(size[:], head[windowBytes+idBytes:])
	r.left, r.sized = binary.LittleEndian.Uint64(size[:]), sizeBytes > 0
	if sizeBytes == 2 {
		r.left += 256
	}
	window := r.left
	if !single {
		base := uint64(1) << (10 + head[0]>>3)
		window = base + base/8*uint64(head[0]&7)
	}
	for _, id := range head[windowBytes : windowBytes+idBytes] {
		if id != 0 {
			return errors.New("zstd: dictionaries are not supported")
		}
	}
	if flags&0x08 != 0 {
		return errCorrupt
	}
	if window > uint64(r.maxWindow) {
		return fmt.Errorf("zstd: the window of %d bytes is larger than %d", window, r.maxWindow)
	}
	r.window, r.summed, r.inFrame = max(int(window), minWindow), flags&0x04 != 0, true
	r.frames++
	r.out, r.read = r.out[:0], 0
	r.huffman, r.tables, r.offsets, r.sum = huffmanTable{}, [3]fseTable{}, [3]int{1, 4, 8}, newXXHash()
	return nil
}

// skipFrame goes past a frame that holds nothing for us, after its first four bytes.
func (r *Reader) skipFrame() error {
	var size [4]byte
	if _, err := io.ReadFull(r.in, size[:]); err != nil {
		return unexpected(err)
	}
	r.frames++
	_, err := io.CopyN(io.Discard, r.in, int64(binary.LittleEndian.Uint32(size[:])))
	return unexpected(err)
}

// The types of blocks.
const (
	rawBlock        = 0
	repeatedBlock   = 1
	compressedBlock = 2
)

// readBlock reads a block, and appends what it stands for to the output.
func (r *Reader) readBlock(kind, size int) error {
	stored := size
	if kind == repeatedBlock {
		stored = 1
	}
	if size > maxBlock || kind > compressedBlock {
		return errCorrupt
	}
	if cap(r.block) < stored {
		r.block = make([]byte, maxBlock)
	}
	r.block = r.block[:stored]
	if _, err := io.ReadFull(r.in, r.block); err != nil {
		return unexpected(err)
	}
	switch kind {
	case rawBlock:
		r.out = append(r.out, r.block...)
	case repeatedBlock:
		r.out = appendRepeated(r.out, r.block[0], size)
	case compressedBlock:
		rest, err := r.readLiterals(r.block)
		if err != nil {
			return err
		}
		return r.readSequences(rest)
	}
	return nil
}

func appendRepeated(to []byte, b byte, n int) []byte {
	for range n {
		to = append(to, b)
	}
	return to
}

// unexpected returns the error of a stream that ends within a frame.
func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
