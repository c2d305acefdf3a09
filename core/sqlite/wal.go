package sqlite

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"

	"winnow/core/quietread"
)

// The write-ahead log, as in section 4 of https://sqlite.org/fileformat2.html.
const (
	walSuffix    = "-wal"
	walMagic     = 0x377f0682 // the last bit is set if checksums are big-endian
	walVersion   = 3007000
	walHeadSize  = 32
	frameHead    = 24
	walChunk     = 1 << 20
	commitOffset = 4 // of the number of pages, in the header of a frame
	saltOffset   = 8
	sumOffset    = 16
)

// wal is the committed part of a write-ahead log when it was opened.
type wal struct {
	file   *quietread.File
	path   string
	head   [walHeadSize]byte
	page   int
	order  binary.ByteOrder
	frames map[uint32]int64 // page -> offset of its last committed content
	pages  int64            // of the database after the last commit; 0 if there is none
	end    int64            // of the last commit
	sum    [2]uint32        // checksum at that point
}

// openWAL opens the database's log, if there is one.
func (v *view) openWAL(ctx context.Context) error {
	w := &wal{path: v.path + walSuffix, frames: map[uint32]int64{}}
	file, err := quietread.Open(w.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return besideProblem(w.path, err)
	}
	w.file, v.wal = file, w
	if !w.begin() {
		return nil // it is still empty
	}
	if w.frames, err = w.scan(ctx); err != nil {
		return err
	}
	if w.pages > 0 {
		v.pageSize, v.pages = w.page, w.pages
	}
	return nil
}

// begin reads the header of the log. It returns false if there is no valid one.
func (w *wal) begin() bool {
	if _, err := w.file.ReadAt(w.head[:], 0); err != nil {
		w.head = [walHeadSize]byte{}
		return false
	}
	word := func(i int) uint32 { return binary.BigEndian.Uint32(w.head[4*i:]) }
	w.order = binary.LittleEndian
	if word(0)&1 != 0 {
		w.order = binary.BigEndian
	}
	w.page, w.end = int(word(2)), walHeadSize
	const sumAt = walHeadSize - 8
	w.sum = checksum(w.order, [2]uint32{}, w.head[:sumAt])
	valid := word(0)&^1 == walMagic && word(1) == walVersion && w.page >= minPage && w.page <= maxPage &&
		w.page&(w.page-1) == 0
	if !valid || w.sum != [2]uint32{word(6), word(7)} {
		w.page = 0
		return false
	}
	return true
}

// frame returns the offset of a page in the log. The receiver may be nil.
func (w *wal) frame(page uint32) (int64, bool) {
	if w == nil {
		return 0, false
	}
	at, ok := w.frames[page]
	return at, ok
}

// scan returns the offsets of the pages committed after the last known commit, and advances that
// commit. Anything after the last complete transaction does not count.
func (w *wal) scan(ctx context.Context) (map[uint32]int64, error) {
	if w.page == 0 {
		return nil, nil
	}
	size := int64(frameHead + w.page)
	left := w.file.Info.Size() - w.end + size // plus one frame that was added since
	buf := make([]byte, max(1, min(walChunk, left)/size)*size)
	committed, open := map[uint32]int64{}, map[uint32]int64{}
	at, sum := w.end, w.sum
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n, err := w.file.ReadAt(buf, at)
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, besideProblem(w.path, err)
		}
		for frame := buf[:n]; int64(len(frame)) >= size; frame = frame[size:] {
			page, pages, ok := w.readFrame(frame[:size], &sum)
			if !ok {
				return committed, nil
			}
			open[page] = at + frameHead
			at += size
			if pages == 0 {
				continue
			}
			w.end, w.sum, w.pages = at, sum, int64(pages)
			for p, where := range open {
				committed[p] = where
			}
			clear(open)
		}
		if err != nil || n < len(buf) {
			return committed, nil
		}
	}
}

// readFrame reads a frame whose running checksum so far is sum, and advances sum. pages is set for
// the last frame of a transaction.
func (w *wal) readFrame(frame []byte, sum *[2]uint32) (page, pages uint32, ok bool) {
	page = binary.BigEndian.Uint32(frame)
	pages = binary.BigEndian.Uint32(frame[commitOffset:])
	const saltInHead = 16
	if page == 0 || !bytes.Equal(frame[saltOffset:sumOffset], w.head[saltInHead:saltInHead+8]) {
		return 0, 0, false
	}
	*sum = checksum(w.order, *sum, frame[:saltOffset])
	*sum = checksum(w.order, *sum, frame[frameHead:])
	want := [2]uint32{binary.BigEndian.Uint32(frame[sumOffset:]), binary.BigEndian.Uint32(frame[sumOffset+4:])}
	return page, pages, *sum == want
}

// checksum continues a checksum over the bytes of p, eight at a time.
func checksum(order binary.ByteOrder, sum [2]uint32, p []byte) [2]uint32 {
	a, b := sum[0], sum[1]
	if order == binary.LittleEndian {
		for ; len(p) >= 8; p = p[8:] {
			a += binary.LittleEndian.Uint32(p) + b
			b += binary.LittleEndian.Uint32(p[4:]) + a
		}
		return [2]uint32{a, b}
	}
	for ; len(p) >= 8; p = p[8:] {
		a += binary.BigEndian.Uint32(p) + b
		b += binary.BigEndian.Uint32(p[4:]) + a
	}
	return [2]uint32{a, b}
}

// pagesSince returns the pages committed since the log was opened. It returns false if the log was
// restarted or is another file, so that nothing is known.
func (w *wal) pagesSince(ctx context.Context) (map[uint32]int64, bool) {
	info, err := os.Stat(w.path)
	if err != nil || !os.SameFile(info, w.file.Info) {
		return nil, false
	}
	var head [walHeadSize]byte
	if _, err := w.file.ReadAt(head[:], 0); err != nil && info.Size() >= walHeadSize {
		return nil, false
	}
	if head != w.head {
		return nil, false
	}
	again := *w
	pages, err := again.scan(ctx)
	return pages, err == nil
}
