package crashdisk

import (
	"maps"
	"slices"
	"syscall"

	"winnow/core/atomicfile"
)

// folder is an open folder.
type folder struct {
	d      *Disk
	ino    uint64
	failed bool // a sync failed
}

func (f *folder) node() *node { return f.d.nodes[f.ino] }

// lookup returns the node that name refers to.
func (f *folder) lookup(name string) (*node, error) {
	if len(name) > 255 {
		return nil, syscall.ENAMETOOLONG
	}
	if name == "." {
		return f.node(), nil
	}
	ino, ok := f.node().names[name]
	if !ok {
		return nil, syscall.ENOENT
	}
	return f.d.nodes[ino], nil
}

// set records that names refer to nodes from now on; 0 means no node.
func (f *folder) set(names []string, inos []uint64, born *node) {
	f.d.record(event{kind: naming, node: f.ino, names: names, inos: inos, born: born})
}

func (f *folder) Open(name string) (atomicfile.File, error) {
	done, err := f.d.begin("open", name)
	if err != nil {
		return nil, err
	}
	defer done()
	n, err := f.lookup(name)
	if err != nil {
		return nil, err
	}
	if n.info.Kind == atomicfile.Symlink {
		return nil, syscall.ELOOP
	}
	return &file{d: f.d, ino: n.info.Ino, name: name}, nil
}

func (f *folder) Create(name string, mode uint32) (atomicfile.File, error) {
	done, err := f.d.begin("create", name)
	if err != nil {
		return nil, err
	}
	defer done()
	return f.create(name, mode)
}

func (f *folder) create(name string, mode uint32) (*file, error) {
	if _, err := f.lookup(name); err != syscall.ENOENT {
		if err == nil {
			err = syscall.EEXIST
		}
		return nil, err
	}
	f.d.last++
	n := &node{info: atomicfile.Info{Mode: mode, Dev: 1, Ino: f.d.last, Mtime: int64(f.d.last)}}
	f.d.nodes[f.d.last] = n
	f.set([]string{name}, []uint64{f.d.last}, n.clone())
	return &file{d: f.d, ino: f.d.last, name: name}, nil
}

func (f *folder) Append(name string, mode uint32) (atomicfile.File, bool, error) {
	done, err := f.d.begin("append", name)
	if err != nil {
		return nil, false, err
	}
	defer done()
	n, err := f.lookup(name)
	if err == syscall.ENOENT {
		made, err := f.create(name, mode)
		return made, true, err
	}
	if err != nil {
		return nil, false, err
	}
	switch n.info.Kind {
	case atomicfile.Symlink:
		return nil, false, syscall.ELOOP
	case atomicfile.Directory:
		return nil, false, syscall.EISDIR
	}
	return &file{d: f.d, ino: n.info.Ino, name: name}, false, nil
}

func (f *folder) Stat(name string) (atomicfile.Info, error) {
	done, err := f.d.begin("stat", name)
	if err != nil {
		return atomicfile.Info{}, err
	}
	defer done()
	n, err := f.lookup(name)
	if err != nil {
		return atomicfile.Info{}, err
	}
	return n.stat(), nil
}

func (f *folder) ReadLink(name string) (string, error) {
	done, err := f.d.begin("readlink", name)
	if err != nil {
		return "", err
	}
	defer done()
	n, err := f.lookup(name)
	if err != nil {
		return "", err
	}
	if n.info.Kind != atomicfile.Symlink {
		return "", syscall.EINVAL
	}
	return n.link, nil
}

func (f *folder) Exchange(a, b string) error {
	return f.move("exchange", a, b, func(x, y *node) error {
		if f.d.NoExchange {
			return syscall.ENOSYS
		}
		if y == nil {
			return syscall.ENOENT
		}
		f.set([]string{a, b}, []uint64{y.info.Ino, x.info.Ino}, nil)
		return nil
	})
}

func (f *folder) RenameNew(from, to string) error {
	return f.move("rename new", from, to, func(x, y *node) error {
		if f.d.NoExchange {
			return syscall.ENOSYS
		}
		if y != nil {
			return syscall.EEXIST
		}
		f.set([]string{from, to}, []uint64{0, x.info.Ino}, nil)
		return nil
	})
}

func (f *folder) Rename(from, to string) error {
	return f.move("rename", from, to, func(x, y *node) error {
		if y != nil && y.info.Kind == atomicfile.Directory {
			return syscall.EISDIR
		}
		f.set([]string{from, to}, []uint64{0, x.info.Ino}, nil)
		return nil
	})
}

func (f *folder) Link(from, to string) error {
	return f.move("link", from, to, func(x, y *node) error {
		if y != nil {
			return syscall.EEXIST
		}
		f.set([]string{to}, []uint64{x.info.Ino}, nil)
		return nil
	})
}

// move does something with two names. The second may refer to nothing.
func (f *folder) move(do, from, to string, fn func(x, y *node) error) error {
	done, err := f.d.begin(do, from+" "+to)
	if err != nil {
		return err
	}
	defer done()
	x, err := f.lookup(from)
	if err != nil {
		return err
	}
	y, err := f.lookup(to)
	if err != nil && err != syscall.ENOENT {
		return err
	}
	return fn(x, y)
}

func (f *folder) SetTime(name string, mtime int64) error {
	done, err := f.d.begin("settime", name)
	if err != nil {
		return err
	}
	defer done()
	n, err := f.lookup(name)
	if err == nil {
		f.d.record(event{kind: timing, node: n.info.Ino, mtime: mtime})
	}
	return err
}

func (f *folder) Remove(name string) error {
	return f.remove("remove", name, func(n *node) error {
		if n.info.Kind == atomicfile.Directory {
			return syscall.EISDIR
		}
		return nil
	})
}

func (f *folder) RemoveFolder(name string) error {
	return f.remove("rmdir", name, func(n *node) error {
		if n.info.Kind != atomicfile.Directory {
			return syscall.ENOTDIR
		}
		if len(n.names) > 0 {
			return syscall.ENOTEMPTY
		}
		return nil
	})
}

// remove removes a name unless check refuses.
func (f *folder) remove(do, name string, check func(*node) error) error {
	done, err := f.d.begin(do, name)
	if err != nil {
		return err
	}
	defer done()
	n, err := f.lookup(name)
	if err == nil {
		err = check(n)
	}
	if err == nil {
		f.set([]string{name}, []uint64{0}, nil)
	}
	return err
}

func (f *folder) MakeFolder(name string, mode uint32) error {
	done, err := f.d.begin("mkdir", name)
	if err != nil {
		return err
	}
	defer done()
	if _, err := f.lookup(name); err != syscall.ENOENT {
		if err == nil {
			err = syscall.EEXIST
		}
		return err
	}
	f.d.last++
	n := folderNode(f.d.last)
	n.info.Mode = mode
	f.d.nodes[f.d.last] = n
	f.set([]string{name}, []uint64{f.d.last}, n.clone())
	return nil
}

func (f *folder) Names() ([]string, error) {
	done, err := f.d.begin("names", "")
	if err != nil {
		return nil, err
	}
	defer done()
	return slices.Collect(maps.Keys(f.node().names)), nil
}

func (f *folder) Writable() error {
	done, err := f.d.begin("access", "")
	if err != nil {
		return err
	}
	done()
	return nil
}

func (f *folder) Sync() error {
	if f.failed {
		f.d.recordResync("the folder")
	}
	done, err := f.d.begin("sync folder", "")
	if err != nil {
		f.failed = true
		return err
	}
	defer done()
	f.d.events = append(f.d.events, event{kind: syncing, node: f.ino})
	return nil
}

// Close never fails.
func (f *folder) Close() error { return nil }

// recordResync records that a descriptor is synced again.
func (d *Disk) recordResync(what string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.resyncs = append(d.resyncs, what)
}
