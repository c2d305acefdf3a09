package compare

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"winnow/core/detect"
	"winnow/core/memory"
)

// What is compared at most.
const (
	mostSaid    = 150_000 // statements in all
	mostPairs   = 200_000 // of records that have something to do with each other
	mostKin     = 20      // for a record
	rarestSaid  = 5       // words by which statements are found
	manyRecords = 10      // that say the same: a set phrase
	manyValues  = 3       // of one sentence in a store: a list
	enough      = 0.6     // share of what a record says that another must say as well
	mostQuoted  = 80      // bytes of a statement in a reason
)

// Across returns, by store and record, the records of other stores that say nearly the
// same, and those of any store that say the contrary. The stores are those of one
// project. What a record says are the sentences and bullets of its title and body, so
// that a line of a long file of instructions is met too.
//
// Two statements contradict each other when they speak of the same, and one denies what
// the other says; or they choose differently where only one thing can be chosen, as
// package managers; or they give another number, date, place or command. They say the
// same when most of their words are the same, whatever their order and form. Words that
// only one of them has, and names of other subjects, keep them apart: it is better to miss
// a pair than to accuse one. Sentences that many records have are set phrases and those
// of a list differ in numbers by nature; neither is compared. Neither are sessions, lines
// of an index, records of one file, and rules for other paths.
//
// TestPairs checks how many of the hand-labelled pairs in testdata are found. Time and
// memory grow with the length of the texts and not with its square: a statement is
// compared with the last 48 (16 where statements are many) that share a rare word with it.
func Across(stores map[memory.StoreID][]memory.Record) map[memory.StoreID]map[memory.ID][]memory.Kin {
	c := gather(stores)
	c.compare()
	return c.kin()
}

// speaker is a record that says something.
type speaker struct {
	store  memory.StoreID
	record *memory.Record
	paths  string  // for which it holds; empty for all
	weight float32 // of all it says
}

// collection is what all records say.
type collection struct {
	*reader
	records []speaker
	said    []statement
	pairs   map[[2]int32]*relation
}

// relation is what two records have to do with each other.
type relation struct {
	same     [2]float32 // weights of what each says that the other says too
	shared   string     // the first statement that both have
	contrary bool
	in       [2]string // what each says
}

func gather(stores map[memory.StoreID][]memory.Record) *collection {
	c := &collection{reader: newReader(), pairs: map[[2]int32]*relation{}}
	for _, id := range slices.Sorted(maps.Keys(stores)) {
		records := stores[id]
		for i := range records {
			if r := &records[i]; compared(r) && len(c.said) < mostSaid {
				c.add(id, r)
			}
		}
	}
	c.drop()
	c.list()
	return c
}

// compared reports whether what a record says is meant to hold.
func compared(r *memory.Record) bool {
	return r.Kind != "session" && r.Kind != "index" && r.Flags&memory.FlagDamaged == 0
}

func (c *collection) add(store memory.StoreID, r *memory.Record) {
	t := speaker{store: store, record: r}
	for _, f := range r.Facts {
		if f.Name == "globs" || f.Name == "paths" {
			t.paths = f.Text
		}
	}
	before := map[string]bool{}
	each := func(s string) {
		if before[s] || len(c.said) == mostSaid || generated(s) {
			return
		}
		before[s] = true
		if st := c.read(s); st.weight > 0 {
			st.record = len(c.records)
			c.said = append(c.said, st)
		}
	}
	if r.Outcome == "" { // else the title is a task
		statements(r.Title, each)
	}
	statements(r.Body, each)
	c.records = append(c.records, t)
}

// generated reports whether an agent writes a sentence by itself for each task.
func generated(s string) bool {
	return strings.HasPrefix(s, "Completed using ") || strings.HasPrefix(s, "Failed: ") || strings.HasSuffix(s, " step(s) succeeded.")
}

// key names what a statement says, without its numbers.
func (s *statement) key() string {
	b := make([]byte, 0, 5*(len(s.words)+len(s.choices)))
	put := func(id int32, denied bool) {
		b = append(b, byte(id), byte(id>>8), byte(id>>16), byte(id>>24))
		if denied {
			b = append(b, '!')
		}
	}
	for _, w := range s.words {
		put(w.id, w.denied)
	}
	for _, ch := range s.choices {
		put(ch.id, ch.denied)
	}
	return string(b)
}

// drop takes out set phrases, and weighs the records.
func (c *collection) drop() {
	count := map[string]int{}
	for i := range c.said {
		count[c.said[i].text]++
	}
	most := max(manyRecords, len(c.records)/100)
	c.said = slices.DeleteFunc(c.said, func(s statement) bool { return count[s.text] > most })
	for i := range c.said {
		c.records[c.said[i].record].weight += c.said[i].weight
	}
}

// list marks the statements of lists.
func (c *collection) list() {
	type place struct{ store, key string }
	values := map[place]map[string]bool{}
	at := func(s *statement) place {
		return place{string(c.records[s.record].store), s.key()}
	}
	for i := range c.said {
		s := &c.said[i]
		for _, f := range s.figures {
			p := at(s)
			if values[p] == nil {
				values[p] = map[string]bool{}
			}
			if len(values[p]) <= manyValues {
				values[p][f.text] = true
			}
		}
	}
	for i := range c.said {
		if s := &c.said[i]; len(s.figures) > 0 {
			s.listed = len(values[at(s)]) >= manyValues
		}
	}
}

// compare judges the statements that share a rare word, or choose of one class.
func (c *collection) compare() {
	count := make([]int32, len(c.names)+len(c.classes))
	for i := range c.said {
		for _, id := range c.ids(&c.said[i]) {
			count[id]++
		}
	}
	rare := newRareWords(count, len(c.said), len(c.said))
	for i := range c.said {
		ids := rare.sorted(c.ids(&c.said[i]))
		rest := ids[min(len(ids), rarestSaid):]
		rest = slices.DeleteFunc(rest, func(id int32) bool { return int(id) >= len(c.classes) })
		ids = ids[:min(len(ids), rarestSaid)+len(rest)]
		rare.add(i, ids, func(j int) { c.meet(&c.said[j], &c.said[i]) })
	}
}

// ids returns the words by which a statement is found, and its classes, whose numbers are below
// those of all words.
func (c *collection) ids(s *statement) (ids []int32) {
	for _, w := range s.words {
		if w.weight == 1 {
			ids = append(ids, int32(len(c.classes))+w.id)
		}
	}
	for _, ch := range s.choices {
		ids = append(ids, int32(len(c.classes))+ch.id)
		for _, class := range ch.classes {
			ids = append(ids, int32(len(c.classes)-1-class))
		}
	}
	return ids
}

// meet judges two statements and notes what their records have to do with each other.
func (c *collection) meet(a, b *statement) {
	x, y := &c.records[a.record], &c.records[b.record]
	if a.record == b.record || x.paths != y.paths || x.store != y.store && x.record.File != "" && x.record.File == y.record.File {
		return
	}
	v, inA, inB := c.judge(a, b)
	if v == apart || v == same && x.store == y.store {
		return
	}
	key := [2]int32{int32(a.record), int32(b.record)}
	r := c.pairs[key]
	if r == nil {
		if len(c.pairs) == mostPairs {
			return
		}
		r = &relation{}
		c.pairs[key] = r
	}
	switch {
	case v == same:
		r.same[0] += a.weight
		r.same[1] += b.weight
		r.shared = cmp.Or(r.shared, b.text)
	case !r.contrary:
		r.contrary, r.in = true, [2]string{inA, inB}
		if inA == a.text {
			r.in = [2]string{quote(inA), quote(inB)}
		}
	}
}

// quote returns the beginning of a statement in quotation marks. It does not end within a secret, which
// nobody would know and mask then.
func quote(s string) string {
	if len(s) > mostQuoted {
		cut := mostQuoted
		for _, secret := range detect.Secrets(s) {
			if secret.Start < cut && cut < secret.End {
				cut = secret.Start
			}
		}
		s = strings.ToValidUTF8(s[:cut], "") + "…"
	}
	return `"` + s + `"`
}

// kin returns what was found, by record.
func (c *collection) kin() map[memory.StoreID]map[memory.ID][]memory.Kin {
	keys := slices.SortedFunc(maps.Keys(c.pairs), func(a, b [2]int32) int {
		return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
	})
	found := map[*speaker]kinship{}
	put := func(of, other *speaker, k memory.Kin) {
		k.Store, k.ID, k.Title = other.store, other.record.ID, other.record.Title
		found[of] = append(found[of], kinOf{k, other.record.File, other.record.Flags&memory.FlagUnseen != 0})
	}
	for _, key := range keys {
		r, a, b := c.pairs[key], &c.records[key[0]], &c.records[key[1]]
		switch {
		case r.contrary:
			put(a, b, memory.Kin{Contrary: true, Why: r.in[1] + ", and here " + r.in[0]})
			put(b, a, memory.Kin{Contrary: true, Why: r.in[0] + ", and here " + r.in[1]})
		case r.same[0] >= enough*a.weight || r.same[1] >= enough*b.weight:
			why := "both say " + quote(r.shared)
			put(a, b, memory.Kin{Why: why})
			put(b, a, memory.Kin{Why: why})
		}
	}
	out := map[memory.StoreID]map[memory.ID][]memory.Kin{}
	for of, kin := range found {
		if out[of.store] == nil {
			out[of.store] = map[memory.ID][]memory.Kin{}
		}
		out[of.store][of.record.ID] = kin.list()
	}
	return out
}

// kinship is what a record has to do with others, best first and one for each file.
type kinship []kinOf

type kinOf struct {
	memory.Kin
	file   string
	unseen bool
}

// list returns them for the record: what contradicts first. A file that two stores show is
// named once, for the store whose agent reads it.
func (k kinship) list() (out []memory.Kin) {
	rank := func(of *kinOf) (n int) {
		if !of.Contrary {
			n = 2
		}
		if of.unseen {
			n++
		}
		return n
	}
	slices.SortStableFunc(k, func(a, b kinOf) int { return cmp.Compare(rank(&a), rank(&b)) })
	files := map[string]memory.StoreID{} // by the store that is named
	for i := range k {
		if f := k[i].file; f != "" {
			if s, named := files[f]; named && s != k[i].Store {
				continue
			}
			files[f] = k[i].Store
		}
		if len(out) < mostKin {
			out = append(out, k[i].Kin)
		}
	}
	return out
}
