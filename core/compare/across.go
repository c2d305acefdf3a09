package compare

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"winnow/core/detect"
	"winnow/core/memory"
)

// The limits of a comparison of records.
const (
	mostRecords = 20_000
	mostKin     = 20  // related records to list for a record
	manyRecords = 10  // a sentence in more records than this is a set phrase
	enough      = 0.6 // part of a record that another must also say to be similar
	mostQuoted  = 80  // bytes of a statement quoted in a reason
)

// Across returns, by store and record, similar records of other stores, and records of any store that contradict it.
// The stores are those of one project; agents are the names by which records may name those that read them. It
// compares the sentences and bullets of titles and bodies, so it also finds a single line in a long file of
// instructions.
//
// Two records contradict each other if they have statements that differ as [FindDiffering] says. They are similar if
// one says most of what the other says in the same words, or as [Near] says. Sessions, lines of an index, records of
// one file in two stores, and rules for different paths are not compared.
func Across(agents []string, stores map[memory.StoreID][]memory.Record) map[memory.StoreID]map[memory.ID][]memory.Kin {
	c := newCollection(agents, stores)
	c.findContrary()
	c.findShared()
	c.findNear()
	return c.kin()
}

// comparedRecord is a record whose statements are compared.
type comparedRecord struct {
	store  memory.StoreID
	record *memory.Record
	paths  string // the paths to which it applies; empty for all
	words  int    // of its statements that are no set phrases
}

// collection holds the records that are compared, and what each says.
type collection struct {
	records []comparedRecord
	texts   []*Text
	pairs   map[[2]int]*relation
}

// relation is how two records are related.
type relation struct {
	contrary bool
	why      [2]string // for each record, how the other is related to it
}

func newCollection(agents []string, stores map[memory.StoreID][]memory.Record) *collection {
	c := &collection{pairs: map[[2]int]*relation{}}
	names := Names{}
	for _, agent := range agents {
		names.AddAgent(agent)
	}
	for _, id := range slices.Sorted(maps.Keys(stores)) {
		records := stores[id]
		for i := range records {
			if r := &records[i]; isCompared(r) && len(c.records) < mostRecords {
				c.records = append(c.records, comparedRecord{store: id, record: r, paths: pathsOf(r)})
				if r.File != "" {
					names.AddFile(r.File)
				}
			}
		}
	}
	for i := range c.records {
		c.texts = append(c.texts, NewText(saidBy(c.records[i].record), names))
	}
	return c
}

// isCompared reports whether a record is compared: not sessions, lines of an index and damaged records.
func isCompared(r *memory.Record) bool {
	return r.Kind != "session" && r.Kind != "index" && r.Flags&memory.FlagDamaged == 0
}

// pathsOf returns the paths to which a record applies.
func pathsOf(r *memory.Record) (paths string) {
	for _, f := range r.Facts {
		if f.Name == "globs" || f.Name == "paths" {
			paths = f.Text
		}
	}
	return paths
}

// saidBy returns what a record states, each statement once.
func saidBy(r *memory.Record) (all []Statement) {
	before := map[string]bool{}
	add := func(text string) {
		statements(text, func(s string) {
			if !before[s] && !isGenerated(s) {
				before[s] = true
				all = append(all, Statement{Text: s})
			}
		})
	}
	if r.Outcome == "" { // with an outcome, the title is a task and states nothing
		add(r.Title)
	}
	add(r.Body)
	return all
}

// isGenerated reports whether a sentence is one that an agent writes automatically for every task.
func isGenerated(s string) bool {
	return strings.HasPrefix(s, "Completed using ") || strings.HasPrefix(s, "Failed: ") ||
		strings.HasSuffix(s, " step(s) succeeded.")
}

// mayRelate reports whether two records are compared.
func (c *collection) mayRelate(a, b int) bool {
	x, y := &c.records[a], &c.records[b]
	sameFile := x.store != y.store && x.record.File != "" && x.record.File == y.record.File
	return x.paths == y.paths && !sameFile
}

// findContrary finds the records that contradict each other.
func (c *collection) findContrary() {
	found, _ := FindDiffering(c.texts, c.mayRelate)
	for i := range found {
		d := &found[i]
		key := [2]int{d.A, d.B}
		if c.pairs[key] != nil {
			continue
		}
		a, b := quote(c.texts[d.A].Statements[d.InA].Text), quote(c.texts[d.B].Statements[d.InB].Text)
		if d.Slots[0] != "" && d.Slots[1] != "" {
			a, b = quote(strings.TrimRight(d.Slots[0], ".,;:")), quote(strings.TrimRight(d.Slots[1], ".,;:"))
		}
		c.pairs[key] = &relation{contrary: true, why: [2]string{b + ", and here " + a, a + ", and here " + b}}
	}
}

// findShared finds the records of two stores of which one says most of the other in the same words.
func (c *collection) findShared() {
	having := map[string][]int{}
	for i, t := range c.texts {
		for key := range t.firsts {
			having[key] = append(having[key], i)
		}
	}
	shared := map[[2]int]int{}
	first := map[[2]int]int{} // by pair: the first statement of the first that the second says too
	for key, list := range having {
		if len(list) > max(manyRecords, len(c.records)/100) { // a set phrase
			continue
		}
		words := strings.Count(key, " ")
		for k, i := range list {
			c.records[i].words += words
			for _, j := range list[:k] {
				if pair := [2]int{j, i}; c.records[i].store != c.records[j].store && c.mayRelate(j, i) {
					shared[pair] += words
					at := c.texts[j].firsts[key]
					if before, known := first[pair]; !known || at < before {
						first[pair] = at
					}
				}
			}
		}
	}
	for pair, words := range shared {
		least := min(c.records[pair[0]].words, c.records[pair[1]].words)
		if c.pairs[pair] == nil && words > 0 && float64(words) >= enough*float64(least) {
			why := "both say " + quote(c.texts[pair[0]].Statements[first[pair]].Text)
			c.pairs[pair] = &relation{why: [2]string{why, why}}
		}
	}
}

// findNear finds the records of two stores that are near.
func (c *collection) findNear() {
	records := make([]memory.Record, len(c.records))
	for i := range c.records {
		if len(c.texts[i].Statements) > 0 { // else it states nothing, such as a task that was done
			records[i] = *c.records[i].record
		}
	}
	const why = "both say nearly the same"
	for i, others := range Near(records) {
		for _, j := range others {
			pair := [2]int{min(i, j), max(i, j)}
			if c.records[i].store != c.records[j].store && c.mayRelate(pair[0], pair[1]) && c.pairs[pair] == nil {
				c.pairs[pair] = &relation{why: [2]string{why, why}}
			}
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
	keys := slices.SortedFunc(maps.Keys(c.pairs), func(a, b [2]int) int {
		return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
	})
	found := map[*comparedRecord]kinship{}
	put := func(of, other *comparedRecord, r *relation, why string) {
		k := memory.Kin{
			Store: other.store, ID: other.record.ID, Title: other.record.Title, Contrary: r.contrary, Why: why,
		}
		found[of] = append(found[of], kinOf{k, other.record.File, other.record.Flags&memory.FlagUnseen != 0})
	}
	for _, key := range keys {
		r, a, b := c.pairs[key], &c.records[key[0]], &c.records[key[1]]
		put(a, b, r, r.why[0])
		put(b, a, r, r.why[1])
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
