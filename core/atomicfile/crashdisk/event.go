package crashdisk

import (
	"slices"

	"winnow/core/atomicfile"
)

// kind is a kind of event.
type kind uint8

const (
	naming      kind = iota // of a folder: names refer to nodes
	writing                 // of a file, at its end
	cutting                 // to a size
	moding                  // the mode
	owning                  // owner and group
	attributing             // an extended attribute
	timing                  // the modification time
	syncing                 // of a file or folder
	marking
)

// event is something that happened to a node.
type event struct {
	kind  kind
	node  uint64
	names []string
	inos  []uint64
	born  *node // the initial state of the first of inos
	data  []byte
	size  int
	mode  uint32
	uid   int
	gid   int
	mtime int64
	attr  atomicfile.Attr
	mark  string
}

// record applies and records an event.
func (d *Disk) record(e event) {
	d.events = append(d.events, e)
	n := d.nodes[e.node]
	n.apply(e)
	if e.kind == writing || e.kind == cutting {
		d.last++
		n.info.Mtime = int64(d.last)
	}
}

// apply changes a node according to an event.
func (n *node) apply(e event) {
	switch e.kind {
	case naming:
		for i, name := range e.names {
			if e.inos[i] == 0 {
				delete(n.names, name)
			} else {
				n.names[name] = e.inos[i]
			}
		}
	case writing:
		n.data = append(n.data[:len(n.data):len(n.data)], e.data...)
	case cutting:
		n.data = append(slices.Clone(n.data[:min(e.size, len(n.data))]), make([]byte, max(0, e.size-len(n.data)))...)
	case moding:
		n.info.Mode = e.mode
	case owning:
		n.info.UID, n.info.GID = e.uid, e.gid
	case timing:
		n.info.Mtime = e.mtime
	case attributing:
		n.attrs = append(n.attrs[:len(n.attrs):len(n.attrs)], e.attr)
	}
}

// touches reports whether two namings concern a common name.
func (e event) touches(o event) bool {
	return slices.ContainsFunc(e.names, func(n string) bool { return slices.Contains(o.names, n) })
}
