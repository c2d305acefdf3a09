package crashdisk

import (
	"hash/maphash"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
)

// sector is the number of bytes that a drive writes in one step.
const sector = 512

// Crashes yields the disks that a power failure may leave, for every moment since the disk was
// created. It yields each different outcome once; outcomes differ by the files, their modes and the
// marks reached. If a moment has more than limit outcomes, it draws limit of them, the same in
// every run. The disks share nothing with d.
func (d *Disk) Crashes(limit int) iter.Seq[*Disk] {
	d.mu.Lock()
	events := slices.Clone(d.events)
	d.mu.Unlock()
	return func(yield func(*Disk) bool) {
		c := &crash{
			disk:    d,
			durable: map[uint64]*node{},
			pending: map[uint64][]event{},
			seen:    map[uint64]bool{},
			seed:    maphash.MakeSeed(),
		}
		for ino, n := range d.start {
			c.durable[ino] = n.clone()
		}
		for i := range len(events) + 1 {
			if !c.outcomes(i, limit, yield) {
				return
			}
			if i < len(events) {
				c.apply(events[i])
			}
		}
	}
}

// crash is the durable state of a disk at one moment.
type crash struct {
	disk    *Disk
	durable map[uint64]*node
	pending map[uint64][]event
	marks   []string
	seen    map[uint64]bool
	seed    maphash.Seed
}

// apply applies an event.
func (c *crash) apply(e event) {
	switch {
	case e.kind == marking:
		c.marks = append(slices.Clone(c.marks), e.mark)
	case e.kind == syncing:
		for _, p := range c.pending[e.node] {
			c.durable[e.node].apply(p)
		}
		delete(c.pending, e.node)
	default:
		if e.born != nil {
			c.durable[e.born.info.Ino] = e.born.clone()
		}
		c.pending[e.node] = append(c.pending[e.node], e)
	}
}

// outcomes yields what a crash at this moment may leave behind.
func (c *crash) outcomes(moment, limit int, yield func(*Disk) bool) bool {
	rng := rand.New(rand.NewPCG(uint64(moment), 1))
	inos := slices.Sorted(maps.Keys(c.pending))
	choices := make([][]*node, len(inos))
	product := 1
	for i, ino := range inos {
		choices[i] = variants(c.durable[ino], c.pending[ino], limit, rng)
		product = min(product*len(choices[i]), 1<<30)
	}
	pick := make([]*node, len(inos))
	for k := range min(product, limit) {
		// Half are drawn evenly, each once. The other half favours cases in which almost everything
		// succeeded or failed.
		at, even := k, product <= limit || k%2 == 0
		if product > limit {
			at = k / 2 * stride % product
		}
		for i, list := range choices {
			if even {
				pick[i], at = list[at%len(list)], at/len(list)
			} else {
				pick[i] = draw(list, rng)
			}
		}
		if s := c.state(inos, pick); s != nil && !yield(s) {
			return false
		}
	}
	return true
}

// stride is a prime used to step through all numbers below a limit.
const stride = 7368787

// draw draws a variant. "All durable" and "nothing durable" are more likely than their share, since
// a fault shows best if everything else went well.
func draw(list []*node, rng *rand.Rand) *node {
	switch rng.IntN(4) {
	case 0:
		return list[0]
	case 1:
		return list[1%len(list)]
	}
	return list[rng.IntN(len(list))]
}

// state returns the disk with the picked nodes, or nil if it was yielded before.
func (c *crash) state(inos []uint64, pick []*node) *Disk {
	s := &Disk{
		NoExchange: c.disk.NoExchange, nodes: maps.Clone(c.durable), marks: c.marks,
		last: c.disk.last, faults: map[int]Fault{},
	}
	for i, ino := range inos {
		s.nodes[ino] = pick[i]
	}
	hash := c.hash(s)
	if c.seen[hash] {
		return nil
	}
	c.seen[hash] = true
	for ino, n := range s.nodes {
		s.nodes[ino] = n.clone()
	}
	s.start = s.snapshot()
	return s
}

// hash returns a number for everything that can be seen of a disk.
func (c *crash) hash(s *Disk) uint64 {
	sum := uint64(len(s.marks))
	s.walk(root, "", func(p string, n *node) {
		// The order of the walk is not fixed, and a sum does not depend on it.
		attributes := maphash.String(c.seed, p+"\x00"+strconv.Itoa(int(n.info.Mode))+n.link)
		sum += maphash.Bytes(c.seed, n.data)*3 ^ attributes
	})
	return sum
}

// variants returns what may become of a node: first without its pending events, then with all of
// them, then the rest.
func variants(n *node, pending []event, limit int, rng *rand.Rand) []*node {
	if n.names != nil {
		return subsets(n, pending, limit, rng)
	}
	list := []*node{n, withEvents(n, pending)}
	for i := 1; i < len(pending); i++ {
		list = append(list, withEvents(n, pending[:i]))
	}
	var about []event // everything but content
	for _, e := range pending {
		if e.kind != writing && e.kind != cutting {
			about = append(about, e)
		}
	}
	list = append(list, withEvents(n, about))
	for i, e := range pending {
		if e.kind == writing {
			list = append(list, tornWrites(withEvents(n, pending[:i]), e.data, pending[i+1:], limit, rng)...)
		}
	}
	return list
}

// withEvents returns a copy of a node after events.
func withEvents(n *node, events []event) *node {
	n = n.clone()
	for _, e := range events {
		n.apply(e)
	}
	return n
}

// tornWrites returns what may become of one write: its beginning, or only some of its sectors with zeros
// in place of the others.
func tornWrites(n *node, data []byte, rest []event, limit int, rng *rand.Rand) []*node {
	var list []*node
	whole := append(slices.Clone(n.data), data...)
	at := len(n.data)
	add := func(content []byte) {
		c := *n
		c.data = content
		list = append(list, withEvents(&c, rest))
	}
	step := max(1, len(data)/max(1, limit))
	for k := 1; k < len(data); k += step {
		add(whole[: at+k : at+k])
	}
	sectors := (len(data) + sector - 1) / sector
	for range min(limit, 4*sectors) {
		content := slices.Clone(whole)
		for i := range sectors {
			if rng.IntN(2) == 0 {
				clear(content[at+i*sector : min(at+(i+1)*sector, len(content))])
			}
		}
		add(content)
	}
	return list
}

// subsets returns what may become of a folder: the sets of pending events in which no event is
// included without the earlier ones that touch its names.
func subsets(n *node, pending []event, limit int, rng *rand.Rand) []*node {
	list := []*node{n, withEvents(n, pending)}
	if len(pending) <= 12 {
		for set := 1; set < 1<<len(pending)-1 && len(list) < limit; set++ {
			if kept, ok := closed(pending, func(i int) bool { return set>>i&1 == 1 }); ok {
				list = append(list, withEvents(n, kept))
			}
		}
		return list
	}
	for i := range pending {
		list = append(list, withEvents(n, pending[:i]))
	}
	for range limit {
		lost := rng.IntN(len(pending))
		kept, _ := closed(pending, func(i int) bool { return i != lost && rng.IntN(8) > 0 })
		list = append(list, withEvents(n, kept))
	}
	return list
}

// closed returns the events that in selects, if none of them depends on an event left out.
// Otherwise it returns false.
func closed(pending []event, in func(int) bool) (kept []event, ok bool) {
	var left []event
	ok = true
	for i, e := range pending {
		switch {
		case !in(i):
			left = append(left, e)
		case slices.ContainsFunc(left, e.touches):
			left, ok = append(left, e), false
		default:
			kept = append(kept, e)
		}
	}
	return kept, ok
}
