package share

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"
)

// The simulation plays machines that share through one repository in memory. Nothing but files goes from one to
// the other, and nothing but the file of the base is kept between two syncs.

// machine is one of them.
type machine struct {
	name     string
	rnd      *rand.Rand
	store    map[string]Lesson
	base     []byte            // file; nil before the first sync
	next     []byte            // file, saved before a push that makes it the base
	done     bool              // that push was made
	agent    map[string]Lesson // what a running agent holds
	deleted  map[string]bool
	restored map[string]bool
	edited   map[string]bool
	keeps    map[string]bool // a person rejected their deletion
	offline  int
}

// world is the remote, and what is true.
type world struct {
	t        *testing.T
	rnd      *rand.Rand
	now      time.Time
	files    map[string][]byte
	version  int
	machines []*machine
	serial   int
	shared   map[string]bool            // was in the share at some time
	died     map[string]bool            // was deleted at some time
	parents  map[string][]string        // of a value: those that it was made from
	pushed   map[string]map[string]bool // id+field: values that the share had
	stats    map[string]int
}

func newWorld(t *testing.T, seed uint64, n int) *world {
	w := &world{
		t: t, rnd: rand.New(rand.NewPCG(seed, 1)), now: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC), files: Start(),
		died:    map[string]bool{},
		shared:  map[string]bool{},
		parents: map[string][]string{},
		pushed:  map[string]map[string]bool{},
		stats:   map[string]int{},
	}
	for i := range n {
		w.machines = append(w.machines, &machine{
			name: fmt.Sprintf("m%d", i), rnd: w.rnd, store: map[string]Lesson{}, deleted: map[string]bool{},
			restored: map[string]bool{}, edited: map[string]bool{}, keeps: map[string]bool{},
		})
	}
	return w
}

func (w *world) value(parents ...string) string {
	w.serial++
	v := strconv.Itoa(w.serial)
	w.parents[v] = parents
	return v
}

func (m *machine) pick() (string, bool) {
	ids := slices.Sorted(maps.Keys(m.store))
	if len(ids) == 0 {
		return "", false
	}
	return ids[m.rnd.IntN(len(ids))], true
}

// step is one random operation of one machine.
func (w *world) step() {
	w.now = w.now.Add(time.Minute)
	m := w.machines[w.rnd.IntN(len(w.machines))]
	id, some := m.pick()
	switch k := w.rnd.IntN(100); {
	case k < 8 || !some && k < 60:
		id = fmt.Sprintf("%s-%d", m.name, w.serial)
		if w.rnd.IntN(8) == 0 {
			id = "../" + id // a name that needs another file name
		}
		m.store[id] = Lesson{ID: id, System: "s", Fields: map[string]string{"a": w.value(), "b": w.value()}}
		w.stats["add"]++
	case !some:
	case k < 22:
		h := m.store[id]
		f := []string{"a", "b"}[w.rnd.IntN(2)]
		h.Fields = maps.Clone(h.Fields)
		h.Fields[f] = w.value(h.Fields[f])
		m.store[id], m.edited[id] = h, true
		w.stats["edit"]++
	case k < 27:
		w.stats["delete"]++
		delete(m.store, id)
		m.deleted[id] = true
	case k < 29:
		w.stats["evict"]++
		delete(m.store, id)
	case k < 31:
		m.offline = w.rnd.IntN(300)
	case k < 35:
		m.agent = maps.Clone(m.store)
	case k < 39 && m.agent != nil:
		m.save(w)
	case m.offline > 0:
		m.offline--
	default:
		w.sync(m, true)
	}
}

// save ends a session of an agent that loaded the store a while ago: what was deleted or evicted since is back. The
// guard has put the rest right, by what was synced last, also where a crash came between.
func (m *machine) save(w *world) {
	m.finish()
	base := w.base(m)
	for id, h := range m.agent {
		if _, there := m.store[id]; there {
			continue
		}
		if e, known := base.entry(id); known && e.where != alone {
			h = e.lesson
		}
		m.store[id] = h
		w.stats["old copy"]++
	}
	m.agent = nil
}

// finish takes the base of a sync that a crash ended, if what it is about was done.
func (m *machine) finish() {
	if m.next != nil && m.done {
		m.base = m.next
	}
	m.next = nil
}

// sync is a sync of one machine, which a crash can end anywhere.
func (w *world) sync(m *machine, rough bool) (busy bool) {
	crash := func() bool { return rough && w.rnd.IntN(12) == 0 }
	m.finish()
	for {
		r := w.merge(m)
		files := r.Files(nil)
		if crash() {
			w.stats["crash before push"]++
			return true
		}
		if rough && w.rnd.IntN(4) == 0 { // somebody is faster
			before := w.version
			if other := w.machines[w.rnd.IntN(len(w.machines))]; other != m && other.offline == 0 {
				w.sync(other, false)
			}
			if w.version != before {
				w.stats["overtaken"]++
				continue
			}
		}
		m.next, m.done = r.Base(nil).Bytes(), false
		if crash() {
			w.stats["crash before push"]++
			return true
		}
		w.push(m, r, files)
		m.done = true
		if crash() {
			w.stats["crash after push"]++
			return true
		}
		m.base, m.next = m.next, nil
		m.review(w, r, rough)
		w.decide(m, r)
		return len(files)+len(r.Local)+len(r.Conflicts) > 0
	}
}

func (w *world) merge(m *machine) *Result {
	rd := NewReader()
	for path, data := range w.files {
		rd.Add(path, data)
	}
	state, err := rd.State()
	if err != nil || len(state.Refused) > 0 {
		w.t.Fatal(err, state.Refused)
	}
	return Merge(w.base(m), &Here{
		Who: m.name, System: "s", Now: w.now, Held: maps.Clone(m.store),
		Deleted:  func(id string) bool { return m.deleted[id] },
		Restored: func(id string) bool { return m.restored[id] },
		Keeps:    func(id string) bool { return m.keeps[id] },
	}, state)
}

// base returns what a machine synced last, from its file.
func (w *world) base(m *machine) *Base {
	if m.base == nil {
		return nil
	}
	b, err := ReadBase(m.base)
	if err != nil {
		w.t.Fatal(err)
	}
	return b
}

// push replaces the remote's files and notes what is true from now on.
func (w *world) push(m *machine, r *Result, files map[string][]byte) {
	for path, data := range files {
		if data == nil && path[:len(Tombstones)] == Tombstones {
			if t, _ := readTombstone(path, w.files[path]); !m.edited[t.ID] && !m.restored[t.ID] && !m.keeps[t.ID] {
				w.t.Fatalf("%s brought %s back from the dead", m.name, t.ID)
			}
			w.stats["edit over deletion"]++
		}
		if t, err := readTombstone(path, data); err == nil {
			w.died[t.ID] = true
			delete(w.pushed, t.ID+"a")
			delete(w.pushed, t.ID+"b")
		}
		if w.files[path] = data; data == nil {
			delete(w.files, path)
		}
		if l, err := ReadLesson(path, data); err == nil {
			for f, v := range l.Fields {
				if w.pushed[l.ID+f] == nil {
					w.pushed[l.ID+f] = map[string]bool{}
				}
				w.pushed[l.ID+f][v] = true
			}
			w.shared[l.ID] = true
		}
		w.version++
	}
	clear(m.restored)
	clear(m.keeps)
	clear(m.edited)
	for _, c := range r.Conflicts {
		m.edited[c.ID] = true
	}
}

// review has a person approve what others sent. With rough, some of it waits, and some deletions are rejected.
func (m *machine) review(w *world, r *Result, rough bool) {
	for _, c := range r.Local {
		switch {
		case rough && w.rnd.IntN(8) == 0:
		case c.Do == Remove && rough && w.rnd.IntN(4) == 0:
			m.keeps[c.ID] = true
			w.stats["deletion rejected"]++
		case c.Do == Remove:
			delete(m.store, c.ID)
			m.deleted[c.ID] = true
		default:
			m.store[c.ID] = c.Lesson
			delete(m.deleted, c.ID)
		}
	}
}

// decide settles the conflicts as a person does.
func (w *world) decide(m *machine, r *Result) {
	if len(r.Conflicts) == 0 {
		return
	}
	base := w.base(m)
	for _, c := range r.Conflicts {
		w.stats["conflict"]++
		h, there := m.store[c.ID]
		if !there {
			continue
		}
		h = w.decided(m, c, h)
		base = base.Decide(c)
		m.store[c.ID] = h
	}
	m.base = base.Bytes()
}

// decided returns the lesson after a person chose theirs, mine, or an edit made of both.
func (w *world) decided(m *machine, c Conflict, h Lesson) Lesson {
	choice := w.rnd.IntN(3)
	h.Fields = maps.Clone(h.Fields)
	for f, mine := range c.Mine.Fields {
		theirs := c.Theirs.Fields[f]
		switch {
		case mine == theirs:
		case choice == 0:
			h.Fields[f] = theirs
			w.parents[theirs] = append(w.parents[theirs], mine)
		case choice == 1:
			w.parents[mine] = append(w.parents[mine], theirs)
		default:
			h.Fields[f] = w.value(mine, theirs)
		}
	}
	if choice != 0 {
		m.edited[c.ID] = true
	}
	return h
}

// descends reports whether a value was made from another, or from one that was.
func (w *world) descends(value, from string, seen map[string]bool) bool {
	if value == from {
		return true
	}
	for _, p := range w.parents[value] {
		if !seen[p] {
			if seen[p] = true; w.descends(p, from, seen) {
				return true
			}
		}
	}
	return false
}

// TestManyMachinesAgreeInTheEnd: 10 machines, 1,500 operations. With WINNOW_LONG set, as .ci/run has it, six
// times 25 machines and 5,000 operations.
func TestManyMachinesAgreeInTheEnd(t *testing.T) {
	seeds, machines, steps := uint64(1), 10, 1_500
	if os.Getenv("WINNOW_LONG") != "" {
		seeds, machines, steps = 6, 25, 5_000
	}
	for seed := range seeds {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			w := newWorld(t, seed, machines)
			for range steps {
				w.step()
			}
			for round := 0; ; round++ {
				busy := false
				for _, m := range w.machines {
					busy = w.sync(m, false) || busy
				}
				if !busy {
					break
				}
				if round == 20 {
					t.Fatal("they do not come to an end")
				}
			}
			w.check()
			t.Log(w.stats, len(w.files), "files")
			for _, what := range []string{"overtaken", "conflict", "edit over deletion", "old copy", "crash after push", "deletion rejected"} {
				if w.stats[what] == 0 {
					t.Errorf("%s never happened", what)
				}
			}
		})
	}
}

// check compares the share and all stores with what is true.
func (w *world) check() {
	rd := NewReader()
	for path, data := range w.files {
		rd.Add(path, data)
	}
	s, _ := rd.State()
	for id := range w.shared {
		_, lives := s.Lessons[id]
		if _, dead := s.Tombstones[id]; lives == dead {
			w.t.Errorf("%s: lives %t, deleted %t", id, lives, dead)
		}
	}
	for id, l := range s.Lessons {
		for f, v := range l.Fields {
			for was := range w.pushed[id+f] {
				if !w.descends(v, was, map[string]bool{}) {
					w.t.Errorf("%s: %s is %s, and %s is lost", id, f, v, was)
				}
			}
		}
	}
	for _, m := range w.machines {
		b := w.base(m)
		for id, l := range s.Lessons {
			e, _ := b.entry(id)
			switch h, there := m.store[id]; {
			case there && !h.equal(l):
				w.t.Errorf("%s: %s is %v, want %v", m.name, id, h, l)
			case !there && e.where != away:
				w.t.Errorf("%s: %s is missing", m.name, id)
			}
		}
		for id := range m.store {
			if e, _ := b.entry(id); e.where == alone {
				continue
			}
			if _, there := s.Lessons[id]; !there {
				w.t.Errorf("%s: %s is not in the share", m.name, id)
			}
		}
	}
}
