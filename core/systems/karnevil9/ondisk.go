package karnevil9

import (
	"context"
	"io"
	"path/filepath"
	"time"

	"winnow/core/atomicfile"
	"winnow/core/memory"
	"winnow/core/quietread"
)

// OpenOn returns the store at the absolute path of a disk. It is listed, changed and
// recovered there; snapshots and recalls look at the disk of the system.
func OpenOn(d atomicfile.Disk, path string, now func() time.Time) (*Store, error) {
	s, err := Open(path, now)
	if err != nil {
		return nil, err
	}
	s.disk, s.listed = d, true
	return s, nil
}

// listOn is List through the disk of the store.
func (s *Store) listOn(ctx context.Context, fn func(memory.Record) error) error {
	f, size, p := openOn(s.disk, s.path)
	if p != nil {
		return s.fail("list", p)
	}
	defer f.Close()
	held, err := load(ctx, f, size, s.now())
	if err != nil {
		return s.fail("list", err)
	}
	return s.each(ctx, f, held, fn)
}

// onDisk is a store that was opened through a [atomicfile.Disk].
type onDisk struct {
	atomicfile.File
	dir atomicfile.Folder
}

// openOn opens the store on d, and returns its size.
func openOn(d atomicfile.Disk, path string) (*onDisk, int64, *memory.Problem) {
	real, err := atomicfile.Resolve(d, path)
	if err != nil {
		return nil, 0, unreadable(err)
	}
	dir, err := d.Folder(filepath.Dir(real))
	if err != nil {
		return nil, 0, unreadable(err)
	}
	f, err := dir.Open(filepath.Base(real))
	if err != nil {
		dir.Close()
		return nil, 0, unreadable(err)
	}
	o := &onDisk{f, dir}
	info, err := f.Stat()
	if err == nil && info.Kind != atomicfile.Regular {
		err = quietread.ErrNotAFile
	}
	if err != nil {
		o.Close()
		return nil, 0, unreadable(err)
	}
	return o, info.Size, nil
}

// ReadAt implements [io.ReaderAt]: it returns less than asked for only at the end.
func (o *onDisk) ReadAt(p []byte, off int64) (n int, err error) {
	for n < len(p) {
		m, err := o.File.ReadAt(p[n:], off+int64(n))
		n += m
		if err != nil {
			return n, err
		}
		if m == 0 {
			return n, io.EOF
		}
	}
	return n, nil
}

// NextData implements the interface source.
func (o *onDisk) NextData(off int64) int64 { return off }

// Close closes the file and its folder.
func (o *onDisk) Close() error {
	o.dir.Close()
	return o.File.Close()
}
