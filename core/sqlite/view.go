package sqlite

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/maphash"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"

	"winnow/core/quietread"
)

// viewName is the name that the driver opens. It never comes near a real path.
const viewName = "view"

const (
	headSize = 100 // of the header of a database
	magic    = "SQLite format 3\x00"
	minPage  = 512
	maxPage  = 65536
)

// view is one state of a database. It is the file system that the driver reads, with one file in
// it.
type view struct {
	path     string // with links resolved
	main     *quietread.File
	opened   time.Time
	head     [headSize]byte // of the file, as it was then
	pageSize int
	pages    int64
	wal      *wal     // nil if there is none
	journal  *journal // nil if there is none

	mu   sync.Mutex
	used []uint64 // a bit for each page read from the file
	// sums are the checksums of these pages if dates cannot reveal a change, because the file was
	// written just before it was opened. Otherwise nil.
	sums map[int64]uint64
	seed maphash.Seed
}

// coarse is longer than the clocks of file systems differ. A file changed more recently than that
// may change again with the same date.
const coarse = 100 * time.Millisecond

// open opens the last committed state of the database at path.
func open(ctx context.Context, path string) (*view, error) {
	path, err := realPath(path)
	if err != nil {
		return nil, err
	}
	v := &view{path: path, opened: time.Now()}
	if v.main, err = quietread.Open(path); err != nil {
		return nil, quietread.Problem(err)
	}
	if v.opened.Sub(v.main.Info.ModTime()) <= coarse {
		v.sums, v.seed = map[int64]uint64{}, maphash.MakeSeed()
	}
	if err := v.begin(ctx); err != nil {
		v.close()
		return nil, err
	}
	return v, nil
}

func (v *view) close() {
	_ = v.main.Close() // nothing was written
	if v.wal != nil {
		_ = v.wal.file.Close()
	}
	if v.journal != nil {
		_ = v.journal.file.Close()
	}
}

// begin reads the headers that say which pages belong to the state.
func (v *view) begin(ctx context.Context) error {
	size := v.main.Info.Size()
	if size == 0 {
		return empty()
	}
	n, err := v.main.ReadAt(v.head[:], 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return quietread.Problem(err)
	}
	if !bytes.HasPrefix([]byte(magic), v.head[:min(n, len(magic))]) {
		return notADatabase()
	}
	v.pageSize = pageSize(v.head[:])
	if n < headSize || v.pageSize == 0 || size < minPage {
		return truncated()
	}
	v.pages = (size + int64(v.pageSize) - 1) / int64(v.pageSize)
	if err := v.openJournal(); err != nil {
		return err
	}
	return v.openWAL(ctx)
}

// pageSize returns the page size in a header, or 0 if it is not a valid header.
func pageSize(head []byte) int {
	size := int(binary.BigEndian.Uint16(head[16:]))
	if size == 1 {
		return maxPage
	}
	if size < minPage || size&(size-1) != 0 {
		return 0
	}
	return size
}

// isConsistent reports whether everything read since the view was opened belongs to one state.
func (v *view) isConsistent(ctx context.Context) bool {
	now, err := os.Stat(v.path)
	if err != nil || !os.SameFile(now, v.main.Info) {
		return false
	}
	unchanged := now.Size() == v.main.Info.Size() && now.ModTime().Equal(v.main.Info.ModTime())
	if !v.journalSettled(unchanged) {
		return false
	}
	if v.wal == nil {
		return unchanged && !exists(v.path+walSuffix) && v.unchanged()
	}
	// A checkpoint writes pages of the log into the file. The pages of this state are read from the
	// log anyway, so only later commits can do harm.
	later, ok := v.wal.pagesSince(ctx)
	if !ok || v.wal.pages == 0 {
		return ok && len(later) == 0 && unchanged && v.unchanged()
	}
	return unchanged && v.sums == nil || !v.read(later)
}

// unchanged reports whether the header is unchanged and, if dates cannot reveal a change, also
// everything that was read from the file.
func (v *view) unchanged() bool {
	if !v.sameHead() {
		return false
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	buf := make([]byte, v.pageSize)
	for at, sum := range v.sums {
		n, err := v.main.ReadAt(buf, at)
		if err != nil && !errors.Is(err, io.EOF) || maphash.Bytes(v.seed, buf[:n]) != sum {
			return false
		}
	}
	return true
}

// sameHead reports whether the header of the file is unchanged.
func (v *view) sameHead() bool {
	var head [headSize]byte
	_, err := v.main.ReadAt(head[:], 0)
	return err == nil && head == v.head
}

// exists reports whether there is a file that is not empty.
func exists(path string) bool {
	info, err := os.Stat(path)
	return err == nil && (info.Size() > 0 || !info.Mode().IsRegular())
}

// read reports whether one of the pages was read from the database file.
func (v *view) read(pages map[uint32]int64) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	for p := range pages {
		if i := int(p / 64); i < len(v.used) && v.used[i]&(1<<(p%64)) != 0 {
			return true
		}
	}
	return false
}

// rememberPage remembers that a page was read from the database file. p is its content, from byte at of the
// page.
func (v *view) rememberPage(page uint32, at int64, p []byte) {
	v.mu.Lock()
	defer v.mu.Unlock()
	i := int(page / 64)
	if i >= len(v.used) {
		v.used = append(v.used, make([]uint64, i+1-len(v.used))...)
	}
	v.used[i] |= 1 << (page % 64)
	if v.sums != nil && len(p) == v.pageSize {
		v.sums[at] = maphash.Bytes(v.seed, p)
	}
}

// Open implements [fs.FS].
func (v *view) Open(name string) (fs.File, error) {
	if name != viewName {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	info := viewInfo{v.main.Info, v}
	return viewFile{io.NewSectionReader(v, 0, info.Size()), info}, nil
}

// ReadAt implements [io.ReaderAt] for the state.
func (v *view) ReadAt(p []byte, off int64) (n int, err error) {
	for n < len(p) {
		at := off + int64(n)
		page, in := at/int64(v.pageSize)+1, at%int64(v.pageSize)
		if page > v.pages {
			return n, io.EOF
		}
		part := p[n:min(len(p), n+v.pageSize-int(in))]
		if err := v.readPage(part, uint32(page), in); err != nil {
			return n, err
		}
		n += len(part)
	}
	return n, nil
}

// readPage reads a part of a page.
func (v *view) readPage(p []byte, page uint32, in int64) error {
	src, at := io.ReaderAt(v.main), int64(page-1)*int64(v.pageSize)
	if frame, ok := v.wal.frame(page); ok {
		src, at = v.wal.file, frame
	} else if old, ok := v.journal.page(page); ok {
		src, at = v.journal.file, old
	}
	n, err := src.ReadAt(p, at+in)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if src == io.ReaderAt(v.main) {
		v.rememberPage(page, at, p[:n])
	}
	clear(p[n:]) // an incomplete last page
	if page == 1 {
		rollbackMode(p, in)
	}
	return nil
}

// rollbackMode sets the versions in a database header to those of a database without a write-ahead
// log, since the log is already laid over. p holds the bytes from offset in.
func rollbackMode(p []byte, in int64) {
	const writeVersion, readVersion = 18, 19
	for _, at := range [...]int64{writeVersion, readVersion} {
		if i := at - in; i >= 0 && i < int64(len(p)) && p[i] == 2 {
			p[i] = 1
		}
	}
}

// viewFile is the view as an open file. The underlying files stay open as long as the view.
type viewFile struct {
	*io.SectionReader
	info viewInfo
}

// Stat implements [fs.File].
func (f viewFile) Stat() (fs.FileInfo, error) { return f.info, nil }

// Close implements [fs.File].
func (f viewFile) Close() error { return nil }

// viewInfo describes the file of a view.
type viewInfo struct {
	fs.FileInfo
	view *view
}

// Size returns the size of the state in bytes.
func (i viewInfo) Size() int64 { return i.view.pages * int64(i.view.pageSize) }
