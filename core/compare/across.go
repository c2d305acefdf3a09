package compare

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"winnow/core/detect"
	"winnow/core/memory"
)

// The limits of a comparison.
const (
	mostSaid    = 150_000 // statements in total
	mostPairs   = 200_000 // related pairs of records
	mostKin     = 20      // related records to list for a record
	rarestSaid  = 5       // rarest words by which statements are matched
	manyRecords = 10      // a sentence in more records than this is a set phrase
	manyValues  = 3       // a sentence with this many numbers in one store is a list
	enough      = 0.6     // part of a record that another must also say to be similar
	mostQuoted  = 80      // bytes of a statement quoted in a reason
)

// Across returns, by store and record, similar records of other stores, and records of any store that
// contradict it. The stores are those of one project. It compares the sentences and bullets of titles
// and bodies, so it also finds a single line in a long file of instructions.
//
// Two statements contradict each other if they are about the same subject and one denies the other; if
// they choose differently where only one choice is possible, such as a package manager; or if they give
// different numbers, dates, places or commands. They say the same if most of their words are the same, in
// any order and form. Words that only one of them has, and names of other subjects, keep them apart: it
// is better to miss a pair than to report a false one. Set phrases, which many records have, and lists,
// whose entries differ in numbers by nature, are not compared. Sessions, lines of an index, records of
// one file, and rules for different paths are not compared either.
//
// TestPairs checks how many of the hand-labelled pairs in testdata are found. Time and memory grow
// linearly with the length of the texts, because a statement is compared only with the last 48 that
// share a rare word with it (16 if there are many statements).
func Across(stores map[memory.StoreID][]memory.Record) map[memory.StoreID]map[memory.ID][]memory.Kin {
	c := newCollection(stores)
	c.compare()
	return c.kin()
}

// comparedRecord is a record whose statements are compared.
type comparedRecord struct {
	store  memory.StoreID
	record *memory.Record
	paths  string  // the paths to which it applies; empty for all
	weight float32 // sum of the weights of its statements
}

// collection holds the statements of all records.
type collection struct {
	*reader
	records    []comparedRecord
	statements []statement
	pairs      map[[2]int32]*relation
}

// relation is how two records are related.
type relation struct {
	same     [2]float32 // for each record, the weight of its statements that the other also makes
	shared   string     // the first statement that both make
	contrary bool
	in       [2]string // if contrary, what each says
}

func newCollection(stores map[memory.StoreID][]memory.Record) *collection {
	c := &collection{reader: newReader(), pairs: map[[2]int32]*relation{}}
	for _, id := range slices.Sorted(maps.Keys(stores)) {
		records := stores[id]
		for i := range records {
			if r := &records[i]; isCompared(r) && len(c.statements) < mostSaid {
				c.add(id, r)
			}
		}
	}
	c.dropSetPhrases()
	c.list()
	return c
}

// isCompared reports whether a record is compared: not sessions, lines of an index and damaged records.
func isCompared(r *memory.Record) bool {
	return r.Kind != "session" && r.Kind != "index" && r.Flags&memory.FlagDamaged == 0
}

func (c *collection) add(store memory.StoreID, r *memory.Record) {
	t := comparedRecord{store: store, record: r}
	for _, f := range r.Facts {
		if f.Name == "globs" || f.Name == "paths" {
			t.paths = f.Text
		}
	}
	before := map[string]bool{}
	each := func(s string) {
		if before[s] || len(c.statements) == mostSaid || isGenerated(s) {
			return
		}
		before[s] = true
		if st := c.read(s); st.weight > 0 {
			st.record = len(c.records)
			c.statements = append(c.statements, st)
		}
	}
	if r.Outcome == "" { // with an outcome, the title is a task and states nothing
		statements(r.Title, each)
	}
	statements(r.Body, each)
	c.records = append(c.records, t)
}

// isGenerated reports whether a sentence is one that an agent writes automatically for every task.
func isGenerated(s string) bool {
	return strings.HasPrefix(s, "Completed using ") || strings.HasPrefix(s, "Failed: ") ||
		strings.HasSuffix(s, " step(s) succeeded.")
}

// key identifies a statement by its words and choices, without its numbers.
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

// dropSetPhrases removes set phrases, and sums up the weights of records.
func (c *collection) dropSetPhrases() {
	count := map[string]int{}
	for i := range c.statements {
		count[c.statements[i].text]++
	}
	most := max(manyRecords, len(c.records)/100)
	c.statements = slices.DeleteFunc(c.statements, func(s statement) bool { return count[s.text] > most })
	for i := range c.statements {
		c.records[c.statements[i].record].weight += c.statements[i].weight
	}
}

// list marks the statements that belong to lists.
func (c *collection) list() {
	type place struct{ store, key string }
	values := map[place]map[string]bool{}
	at := func(s *statement) place {
		return place{string(c.records[s.record].store), s.key()}
	}
	for i := range c.statements {
		s := &c.statements[i]
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
	for i := range c.statements {
		if s := &c.statements[i]; len(s.figures) > 0 {
			s.listed = len(values[at(s)]) >= manyValues
		}
	}
}

// compare judges all pairs of statements that share a rare word or choose from the same class.
func (c *collection) compare() {
	count := make([]int32, len(c.names)+len(c.classes))
	for i := range c.statements {
		for _, id := range c.ids(&c.statements[i]) {
			count[id]++
		}
	}
	rare := newRareWords(count, len(c.statements), len(c.statements))
	for i := range c.statements {
		ids := rare.sorted(c.ids(&c.statements[i]))
		rest := ids[min(len(ids), rarestSaid):]
		rest = slices.DeleteFunc(rest, func(id int32) bool { return int(id) >= len(c.classes) })
		ids = ids[:min(len(ids), rarestSaid)+len(rest)]
		rare.add(i, ids, func(j int) { c.relate(&c.statements[j], &c.statements[i]) })
	}
}

// ids returns the words and classes by which a statement is matched. The numbers of classes are below those
// of words.
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

// relate judges two statements and records how their records are related.
func (c *collection) relate(a, b *statement) {
	x, y := &c.records[a.record], &c.records[b.record]
	if a.record == b.record || x.paths != y.paths ||
		x.store != y.store && x.record.File != "" && x.record.File == y.record.File {
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

// quote returns the beginning of a statement in quotation marks. It never cuts through a secret, because
// the rest would not be recognized and masked.
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

// kin returns the related records, by store and record.
func (c *collection) kin() map[memory.StoreID]map[memory.ID][]memory.Kin {
	keys := slices.SortedFunc(maps.Keys(c.pairs), func(a, b [2]int32) int {
		return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
	})
	found := map[*comparedRecord]kinship{}
	put := func(of, other *comparedRecord, k memory.Kin) {
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

// kinship holds the records related to one record.
type kinship []kinOf

type kinOf struct {
	memory.Kin
	file   string
	unseen bool
}

// list returns the related records, contradictions first, and at most mostKin. If two stores show the same
// file, only the first of them is listed.
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
	files := map[string]memory.StoreID{} // the store listed for each file
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
