package share

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The simulation plays machines that share through one repository in memory. Nothing but files goes from one to
// the other, and nothing but the file of the base is kept between two syncs.

// machine is one of them.
type machine struct {
	name     string
	rnd      *rand.Rand
	store    map[string]Held
	base     []byte          // file; nil before the first sync
	next     []byte          // file, saved before a step that makes it the base
	done     bool            // that step was made
	agent    map[string]Held // what a running agent holds
	deleted  map[string]bool
	restored map[string]bool
	edited   map[string]bool
	recalls  map[string]int // since the last push
	offline  int
}

// world is the remote, and what is true.
type world struct {
	t        *testing.T
	rnd      *rand.Rand
	now      time.Time
	files    map[string][]byte
	commits  map[string]map[string][]byte // the files of each version
	objects  map[string]Lesson            // all that the share ever had
	version  int
	machines []*machine
	serial   int
	recalls  map[string]int             // pushed, by id
	shared   map[string]bool            // was in the share at some time
	died     map[string]bool            // was deleted at some time
	parents  map[string][]string        // of a value: those that it was made from
	pushed   map[string]map[string]bool // id+field: values that the share had
	stats    map[string]int
}

func newWorld(t *testing.T, seed uint64, n int) *world {
	start, err := Start()
	if err != nil {
		t.Fatal(err)
	}
	w := &world{
		t: t, rnd: rand.New(rand.NewPCG(seed, 1)), now: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC), files: start, commits: map[string]map[string][]byte{}, objects: map[string]Lesson{},
		recalls: map[string]int{}, died: map[string]bool{}, shared: map[string]bool{}, parents: map[string][]string{}, pushed: map[string]map[string]bool{}, stats: map[string]int{},
	}
	for i := range n {
		w.machines = append(w.machines, &machine{
			name: fmt.Sprintf("m%d", i), rnd: w.rnd, store: map[string]Held{}, deleted: map[string]bool{},
			restored: map[string]bool{}, edited: map[string]bool{}, recalls: map[string]int{},
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
		m.store[id] = Held{Lesson: Lesson{ID: id, System: "s", Fields: map[string]string{"a": w.value(), "b": w.value()}}}
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
		delete(m.recalls, id)
		m.deleted[id] = true
	case k < 29:
		w.stats["evict"]++
		delete(m.store, id)
		delete(m.recalls, id)
	case k < 50:
		w.recall(m, id)
	case k < 52:
		m.offline = w.rnd.IntN(300)
	case k < 56:
		m.agent = maps.Clone(m.store)
	case k < 60 && m.agent != nil:
		m.save(w)
	case m.offline > 0:
		m.offline--
	default:
		w.sync(m, true)
	}
}

func (w *world) recall(m *machine, id string) {
	h := m.store[id]
	h.N++
	h.Used = w.now.Format("2006-01-02T15:04:05.000Z")
	m.store[id] = h
	m.recalls[id]++
	w.stats["recall"]++
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
		if e, known := base.entry(id); known {
			h = Held{e.lesson, e.shown[len(e.shown)-1], ""}
		} else if !w.died[id] {
			m.recalls[id] = h.N
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
		pushed := r.Pushed(nil)
		pushed.Commit = fmt.Sprint("v", w.version+len(files)) // as push is going to make it
		m.next, m.done = pushed.Bytes(), false
		if crash() {
			w.stats["crash before push"]++
			return true
		}
		w.push(m, r, files)
		w.commit()
		m.done = true
		if crash() {
			w.stats["crash after push"]++
			return true
		}
		m.base = m.next
		waiting := map[string]bool{}
		for _, c := range r.Local {
			if rough && w.rnd.IntN(8) == 0 {
				waiting[c.ID] = true
			}
		}
		m.next, m.done = w.saved(r.Base(waiting, nil)), false
		if crash() {
			w.stats["crash before change"]++
			return true
		}
		m.apply(r, waiting)
		m.done = true
		if crash() {
			w.stats["crash after change"]++
			return true
		}
		m.base, m.next = m.next, nil
		w.decide(m, r)
		return len(files)+len(r.Local)+len(r.Counts)+len(r.Conflicts) > 0
	}
}

func (w *world) merge(m *machine) *Result {
	rd := NewReader(m.name)
	for path, data := range w.files {
		rd.Add(path, data)
	}
	state, err := rd.State()
	if err != nil || len(state.Refused) > 0 {
		w.t.Fatal(err, state.Refused)
	}
	held, lines := map[string]Held{}, map[string]string{}
	for id, h := range m.store {
		h.Line = fmt.Sprint(h.Fields, h.Count)
		held[id], lines[id] = h, h.Line
	}
	here := &Here{
		Machine: m.name, Who: m.name, System: "s", Now: w.now, Held: held,
		Deleted: func(id string) bool { return m.deleted[id] }, Restored: func(id string) bool { return m.restored[id] },
	}
	base := w.base(m)
	if base == nil {
		return Merge(nil, here, state)
	}
	var whole *Result
	if w.version%4 == 0 {
		whole = Merge(w.base(m), here, state)
	}
	base.Look(w.paths(), lines, state)
	if f := w.follow(base, m); f != nil && w.rnd.IntN(4) > 0 {
		f.Look(lines)
		all := w.paths()
		for path, object := range f.Files() {
			if all[path] != object {
				w.t.Fatalf("%s: %s is taken for %s in the share, and is %s", m.name, path, object, all[path])
			}
			f.Add(path, w.files[path])
		}
		if state, err = f.State(); err != nil || len(state.Refused) > 0 {
			w.t.Fatal(err, state.Refused)
		}
		w.stats["followed"]++
	} else {
		maps.DeleteFunc(state.Lessons, func(id string, _ Lesson) bool { return base.Quiet(id) }) // these are not read
		w.stats["not followed"]++
	}
	for id := range base.all() {
		if base.Quiet(id) {
			w.stats["quiet"]++
		} else {
			w.stats["not quiet"]++
		}
	}
	here.Held = maps.Clone(held)
	maps.DeleteFunc(here.Held, func(id string, _ Held) bool { return base.Quiet(id) })
	r := Merge(base, here, state)
	what := func(r *Result) string { return fmt.Sprint(told(r), r.Counts, r.Files(nil)) }
	if whole != nil && (what(r) != what(whole) || linesOf(r) != linesOf(whole)) {
		w.t.Fatalf("%s: where quiet lessons are not looked at:\n%s\n%s\n%s\n%s", m.name, what(r), what(whole), r.Base(nil, nil).Bytes(), whole.Base(nil, nil).Bytes())
	}
	return r
}

// linesOf returns what the base of a merge says of each lesson. When its first deletion expires is left out: a merge that
// followed may name an earlier day, since the deletion of that day was taken back.
func linesOf(r *Result) string {
	lines := strings.SplitN(string(r.Base(nil, nil).Bytes()), "\n", 3)
	return lines[2]
}

// follow reads what changed since the commit of a base; nil where all has to be read.
func (w *world) follow(base *Base, m *machine) *Following {
	then, changed := w.commits[base.Commit], map[string]Changed{}
	for _, files := range []map[string][]byte{then, w.files} {
		for path := range files {
			var c Changed
			if data, there := then[path]; there {
				c.Was = objectOf(data)
			}
			if data, there := w.files[path]; there {
				c.Is = objectOf(data)
			}
			if c.Was != c.Is {
				changed[path] = c
			}
		}
	}
	f := base.Follow(m.name, w.now, changed)
	if f == nil {
		return nil
	}
	blobs := map[string][]byte{}
	for path := range f.Counts() {
		if name, old := strings.CutPrefix(path, before); old {
			blobs[path] = then[name]
		} else {
			blobs[path] = w.files[path]
		}
	}
	if !f.Recount(blobs) {
		return nil
	}
	return f
}

// commit names the files of the share as they are.
func (w *world) commit() string {
	name := fmt.Sprint("v", w.version)
	w.commits[name] = maps.Clone(w.files)
	return name
}

// saved returns the file of a base of the share as it is.
func (w *world) saved(b *Base) []byte {
	b.Commit = w.commit()
	return b.Bytes()
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
	b.lessons = w.objects
	return b
}

// paths returns the objects of the share by path.
func (w *world) paths() map[string]string {
	all := map[string]string{}
	for path, data := range w.files {
		all[path] = objectOf(data)
	}
	return all
}

// push replaces the remote's files and notes what is true from now on.
func (w *world) push(m *machine, r *Result, files map[string][]byte) {
	for path, data := range files {
		if data == nil && path[:len(Tombstones)] == Tombstones {
			if t, _ := ReadTombstone(path, w.files[path]); !m.edited[t.ID] && !m.restored[t.ID] {
				w.t.Fatalf("%s brought %s back from the dead", m.name, t.ID)
			}
			w.stats["edit over deletion"]++
		}
		if t, err := ReadTombstone(path, data); err == nil {
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
			w.shared[l.ID], w.objects[objectOf(data)] = true, l
		}
		w.version++
	}
	for id, n := range m.recalls {
		w.recalls[id] += n
	}
	clear(m.recalls)
	clear(m.restored)
	clear(m.edited)
	for _, c := range r.Conflicts {
		m.edited[c.ID] = true
	}
}

func (m *machine) apply(r *Result, waiting map[string]bool) {
	for _, c := range r.Local {
		switch {
		case waiting[c.ID]:
		case c.Do == Add:
			m.store[c.ID] = Held{c.Lesson, c.Count, ""}
			delete(m.deleted, c.ID)
		case c.Do == Edit:
			m.store[c.ID] = Held{c.Lesson, m.store[c.ID].Count, ""}
		case c.Do == Remove:
			delete(m.store, c.ID)
		}
	}
	for id, n := range r.Counts {
		m.store[id] = Held{m.store[id].Lesson, n, ""}
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
		h.Fields = maps.Clone(h.Fields)
		base = base.Decide(c)
		switch w.rnd.IntN(3) {
		case 0:
			h.Fields[c.Field] = c.Theirs
			w.parents[c.Theirs] = append(w.parents[c.Theirs], c.Mine)
		case 1:
			w.parents[c.Mine] = append(w.parents[c.Mine], c.Theirs)
			m.edited[c.ID] = true
		case 2:
			h.Fields[c.Field] = w.value(c.Mine, c.Theirs)
			m.edited[c.ID] = true
		}
		m.store[c.ID] = h
	}
	m.base = base.Bytes()
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

// TestManyMachinesAgreeInTheEnd: 25 machines, 5,000 operations. With WINNOW_LONG set, as .ci/run has it, six times.
func TestManyMachinesAgreeInTheEnd(t *testing.T) {
	seeds := uint64(1)
	if os.Getenv("WINNOW_LONG") != "" {
		seeds = 6
	}
	for seed := range seeds {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			w := newWorld(t, seed, 25)
			for range 5000 {
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
			for _, what := range []string{"overtaken", "conflict", "edit over deletion", "old copy", "crash after push", "crash before change", "crash after change", "quiet", "not quiet", "followed", "not followed"} {
				if w.stats[what] == 0 {
					t.Errorf("%s never happened", what)
				}
			}
		})
	}
}

// check compares the share and all stores with what is true.
func (w *world) check() {
	rd := NewReader("nobody")
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
		if n := s.Others[id].N; n != w.recalls[id] && !w.died[id] {
			w.t.Errorf("%s: count %d, want %d", id, n, w.recalls[id])
		}
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
			case there && (!h.equal(l) || h.N != s.Others[id].N):
				w.t.Errorf("%s: %s is %v, want %v %v", m.name, id, h, l, s.Others[id])
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
