// Package crashdisk is a disk in memory that knows what a crash may leave of it. It records every
// operation. Crashes then yields the disks that a power failure could leave behind at every point:
// unsynced writes are lost, torn or out of order, and names may or may not have been created,
// renamed, exchanged or removed. It can also make operations fail.
//
// The rules are those of POSIX at its worst. Content is durable once its file was synced, and names
// once their folder was. Everything else may or may not be durable, and operations on names of one
// folder stay in order only if they touch each other's names.
package crashdisk

import (
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"syscall"

	"winnow/core/atomicfile"
)

// Disk is a disk in memory. Paths are absolute, with slashes. It is safe for concurrent use. The
// zero value is not usable; see New.
type Disk struct {
	// NoExchange makes it a disk without RENAME_EXCHANGE and RENAME_NOREPLACE.
	NoExchange bool

	mu      sync.Mutex
	nodes   map[uint64]*node
	last    uint64 // the highest node number, which is also the clock
	start   map[uint64]*node
	events  []event
	marks   []string
	ops     int
	trace   []string
	faults  map[int]Fault
	always  int // operations from this number on fail; 0 for none
	because error
	only    string // the operation that fails; all if it is empty
	before  func(Op)
	resyncs []string
}

// root is the number of the root folder.
const root = 1

// node is a file, folder or link. Its content is replaced, never modified in place, so that copies
// can share it.
type node struct {
	info  atomicfile.Info
	data  []byte
	names map[string]uint64 // of a folder
	link  string
	attrs []atomicfile.Attr
}

func (n *node) clone() *node {
	c := *n
	c.names = maps.Clone(n.names)
	return &c
}

// New returns a disk that durably holds the files, given by path. A text that begins with "-> "
// makes a link. Folders are created as needed. A path that ends in a slash is an empty folder.
func New(files map[string]string) *Disk {
	d := &Disk{nodes: map[uint64]*node{}, faults: map[int]Fault{}, last: root}
	d.nodes[root] = folderNode(root)
	for _, p := range slices.Sorted(maps.Keys(files)) {
		dir := d.mkdirs(path.Dir(p))
		if strings.HasSuffix(p, "/") {
			continue
		}
		d.last++
		d.nodes[d.last] = d.fileNode(files[p], 0o600)
		dir.names[path.Base(p)] = d.last
	}
	d.start = d.snapshot()
	return d
}

// fileNode returns a new file or link with the next number.
func (d *Disk) fileNode(text string, mode uint32) *node {
	n := &node{data: []byte(text)}
	n.info = atomicfile.Info{Mode: mode, Dev: 1, Ino: d.last, Mtime: int64(d.last)}
	if target, ok := strings.CutPrefix(text, "-> "); ok {
		n.info.Kind, n.link, n.data = atomicfile.Symlink, target, nil
	}
	return n
}

func folderNode(ino uint64) *node {
	return &node{
		info:  atomicfile.Info{Kind: atomicfile.Directory, Mode: 0o700, Dev: 1, Ino: ino},
		names: map[string]uint64{},
	}
}

// mkdirs returns the folder at p, and creates it and its parents if needed.
func (d *Disk) mkdirs(p string) *node {
	n := d.nodes[root]
	for _, name := range strings.FieldsFunc(p, func(r rune) bool { return r == '/' }) {
		ino, ok := n.names[name]
		if !ok {
			d.last++
			ino = d.last
			d.nodes[ino] = folderNode(ino)
			n.names[name] = ino
		}
		n = d.nodes[ino]
	}
	return n
}

// snapshot copies the nodes.
func (d *Disk) snapshot() map[uint64]*node {
	c := make(map[uint64]*node, len(d.nodes))
	for ino, n := range d.nodes {
		c[ino] = n.clone()
	}
	return c
}

// Files returns every file by path, with links in New's notation.
func (d *Disk) Files() map[string]string {
	d.mu.Lock()
	defer d.mu.Unlock()
	files := map[string]string{}
	d.walk(root, "", func(p string, n *node) {
		switch n.info.Kind {
		case atomicfile.Regular:
			files[p] = string(n.data)
		case atomicfile.Symlink:
			files[p] = "-> " + n.link
		}
	})
	return files
}

// walk calls fn for everything below a folder.
func (d *Disk) walk(ino uint64, p string, fn func(string, *node)) {
	for name, child := range d.nodes[ino].names {
		n := d.nodes[child]
		fn(p+"/"+name, n)
		if n.info.Kind == atomicfile.Directory {
			d.walk(child, p+"/"+name, fn)
		}
	}
}

// Put writes a file like another program that renames a complete, synced file over the old one, or
// puts a link there in New's notation. It does not count as an operation and cannot fail.
func (d *Disk) Put(p, text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	dir := d.mkdirs(path.Dir(p))
	d.last++
	n := d.fileNode(text, 0o644)
	d.nodes[d.last] = n
	d.record(
		event{kind: naming, node: dir.info.Ino, names: []string{path.Base(p)}, inos: []uint64{d.last}, born: n.clone()},
	)
}

// Mark records that something was reached, such as a change reported as done. Disks that crash
// later have the mark.
func (d *Disk) Mark(what string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.marks = append(d.marks, what)
	d.events = append(d.events, event{kind: marking, mark: what})
}

// Reached reports whether the mark was set, on this disk or before its crash.
func (d *Disk) Reached(mark string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Contains(d.marks, mark)
}

// Folder opens the folder at p.
func (d *Disk) Folder(p string) (atomicfile.Folder, error) {
	done, err := d.begin("folder", p)
	if err != nil {
		return nil, err
	}
	defer done()
	ino, err := d.find(p, 40)
	if err != nil {
		return nil, err
	}
	if d.nodes[ino].info.Kind != atomicfile.Directory {
		return nil, syscall.ENOTDIR
	}
	return &folder{d: d, ino: ino}, nil
}

// User returns 0.
func (d *Disk) User() int { return 0 }

// find returns the node at p, following at most links links.
func (d *Disk) find(p string, links int) (uint64, error) {
	ino, at := uint64(root), "/"
	for _, name := range strings.FieldsFunc(path.Clean(p), func(r rune) bool { return r == '/' }) {
		n := d.nodes[ino]
		if n.info.Kind != atomicfile.Directory {
			return 0, syscall.ENOTDIR
		}
		next, ok := n.names[name]
		if !ok {
			return 0, syscall.ENOENT
		}
		if c := d.nodes[next]; c.info.Kind == atomicfile.Symlink {
			if links == 0 {
				return 0, syscall.ELOOP
			}
			target := c.link
			if !path.IsAbs(target) {
				target = path.Join(at, target)
			}
			found, err := d.find(target, links-1)
			if err != nil {
				return 0, err
			}
			next = found
		}
		ino, at = next, path.Join(at, name)
	}
	return ino, nil
}
