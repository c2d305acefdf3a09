package crashdisk

import (
	"io"
	"slices"

	"winnow/core/atomicfile"
)

// file is an open file. All writes go to its end.
type file struct {
	d      *Disk
	ino    uint64
	name   string
	failed bool // a sync failed
}

func (f *file) node() *node { return f.d.nodes[f.ino] }

// stat describes a node.
func (n *node) stat() atomicfile.Info {
	i := n.info
	i.Size = int64(len(n.data))
	return i
}

func (f *file) Stat() (atomicfile.Info, error) {
	done, err := f.d.begin("fstat", f.name)
	if err != nil {
		return atomicfile.Info{}, err
	}
	defer done()
	return f.node().stat(), nil
}

func (f *file) ReadAt(p []byte, off int64) (int, error) {
	done, err := f.d.begin("read", f.name)
	if err != nil {
		return 0, err
	}
	defer done()
	data := f.node().data
	if off >= int64(len(data)) {
		return 0, io.EOF
	}
	n := copy(p, data[off:])
	if n < len(p) {
		err = io.EOF
	}
	return n, err
}

func (f *file) Write(p []byte) (int, error) {
	fault := f.d.count("write", f.name)
	if fault.Err != nil || fault.Short > 0 {
		p = p[:min(fault.Short, len(p))]
	}
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	if len(p) > 0 {
		f.d.record(event{kind: writing, node: f.ino, data: slices.Clone(p)})
	}
	return len(p), fault.Err
}

func (f *file) Truncate(size int64) error {
	return f.change("truncate", event{kind: cutting, size: int(size)})
}

func (f *file) Chown(uid, gid int) error {
	return f.change("chown", event{kind: owning, uid: uid, gid: gid})
}

func (f *file) Chmod(mode uint32) error {
	return f.change("chmod", event{kind: moding, mode: mode})
}

func (f *file) SetAttr(a atomicfile.Attr) error {
	return f.change("setxattr", event{kind: attributing, attr: a})
}

// change records a change of the file.
func (f *file) change(do string, e event) error {
	done, err := f.d.begin(do, f.name)
	if err != nil {
		return err
	}
	defer done()
	e.node = f.ino
	f.d.record(e)
	return nil
}

func (f *file) Attrs() ([]atomicfile.Attr, error) {
	done, err := f.d.begin("listxattr", f.name)
	if err != nil {
		return nil, err
	}
	defer done()
	return slices.Clone(f.node().attrs), nil
}

func (f *file) Sync() error {
	if f.failed {
		f.d.recordResync(f.name)
	}
	done, err := f.d.begin("sync", f.name)
	if err != nil {
		f.failed = true
		return err
	}
	defer done()
	f.d.events = append(f.d.events, event{kind: syncing, node: f.ino})
	return nil
}

// Close never fails.
func (f *file) Close() error { return nil }
