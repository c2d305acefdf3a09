package kimchi

import (
	"slices"
	"strings"

	"winnow/core/jsonl"
	"winnow/core/memory"
)

// item is an entry of a file that is to be: one that stands in it, or a new text.
type item struct {
	old  int // index of the entry, or -1
	text string
	by   int // the change that made it, or -1
}

// rewrite returns the file with the changes made in it as it stands, whoever wrote it
// since they were planned. An entry has no id of its own, so a change finds it by its
// bytes, the nearest to where it stood:
//
//   - A deletion takes the entry with one delimiter. One that is not there is gone, and
//     refused where another writer changed it (see changed).
//   - An edit takes the place of the entry. It is refused when the entry is not there.
//   - An addition goes back to its place, and without one to the end. It is gone when
//     the same text stands already.
//
// All other bytes stay: white space around entries, a byte order mark, the missing or
// present last line end. When a change is refused nothing is made. An edit is told as a
// deletion and an addition in the same place: to the store, the new text is another
// entry.
func (d *dialect) rewrite(file string, changes []memory.Change, base []string) (jsonl.Made, *memory.Problem) {
	r := &rewriter{
		d: d, notes: d.split(file), changes: changes, base: base, fates: make([]memory.Applied, len(changes)), by: map[int]int{}, back: map[string]int{},
	}
	r.find()
	for i := range changes {
		r.fates[i].ID = changes[i].ID
		switch changes[i].Do {
		case memory.Deleting:
			r.remove(i)
		case memory.Editing:
			r.edit(i)
		}
	}
	r.stand()
	for _, i := range jsonl.Additions(r.changes) {
		r.add(i)
	}
	if slices.ContainsFunc(r.fates, jsonl.Refused) {
		return jsonl.Made{Text: file, Fates: r.fates}, nil
	}
	out, p := r.write()
	if p != nil {
		return jsonl.Made{Text: file, Fates: r.fates}, p
	}
	return jsonl.Made{Text: out, Changes: r.made(), Fates: r.fates}, nil
}

// rewriter is one run of rewrite. Entries are counted from 0 in it.
type rewriter struct {
	d *dialect
	notes
	changes []memory.Change
	base    []string // the entries as they were last looked at; nil when that is not known
	fates   []memory.Applied

	at    []int          // entry of each change, or -1
	by    map[int]int    // the entries that are edited or deleted, and by which change
	items []item         // the entries as they are to be
	back  map[string]int // how many additions of a text were found to stand already
}

// find finds the entries that stand as the changes saw them, each the nearest to its place.
func (r *rewriter) find() {
	taken := map[int]bool{}
	for i := range r.changes {
		at, ch := -1, &r.changes[i]
		if ch.Do <= memory.Editing {
			at = closest(len(r.spans), ch.Line-1, func(k int) bool { return r.raw(k) == ch.Before && !taken[k] })
		}
		r.at, taken[at] = append(r.at, at), true
	}
}

// closest returns the number below n that is the nearest to a place, of those that fit, or -1.
func closest(n, near int, fits func(i int) bool) int {
	best := -1
	for i := range n {
		if fits(i) && (best < 0 || distance(i, near) < distance(best, near)) {
			best = i
		}
	}
	return best
}

func distance(a, b int) int { return max(a-b, b-a) }

// remove decides about a deletion.
func (r *rewriter) remove(i int) {
	if at := r.at[i]; at >= 0 {
		r.by[at] = i
		return
	}
	if theirs := r.changed(i); theirs >= 0 {
		r.refuse(i, theirs, "another writer changed it")
		return
	}
	r.fates[i].Fate, r.fates[i].Why = memory.Gone, "another writer removed it already"
}

// edit decides about an edit.
func (r *rewriter) edit(i int) {
	at, ch := r.at[i], &r.changes[i]
	switch {
	case at >= 0 && ch.After != ch.Before:
		r.by[at] = i
	case at >= 0 || slices.Contains(r.raws(), ch.After): // it is made already
	default:
		if theirs := r.changed(i); theirs >= 0 {
			r.refuse(i, theirs, "another writer changed it")
		} else {
			r.refuse(i, -1, "another writer removed it")
		}
	}
}

// refuse says why a change cannot be made, and what stands there.
func (r *rewriter) refuse(i, at int, why string) {
	f := &r.fates[i]
	f.Fate, f.Why = memory.Refused, why
	if at >= 0 {
		f.Theirs = r.raw(at)
		f.TheirRecord = r.d.record(f.Theirs, at+1)
	}
}

// changed returns the entry that another writer made of the one that a change is about,
// or -1. It is the one that took its place among those around it, when these are known
// and stand as they did, else the one that shares its first line or most of its words.
func (r *rewriter) changed(i int) int {
	before := r.changes[i].Before
	if at := r.replaced(before); at >= 0 {
		return at
	}
	known := map[string]bool{}
	for _, raw := range r.base {
		known[raw] = true
	}
	title, words := firstLine(r.d.text(before)), wordsOf(before)
	best, most := -1, 0.5
	for k := range r.spans {
		raw := r.raw(k)
		if known[raw] {
			continue // it stood beside the one that is looked for
		}
		share := shared(words, wordsOf(raw))
		if firstLine(r.d.text(raw)) == title {
			share = 1
		}
		if share > most {
			best, most = k, share
		}
	}
	return best
}

// replaced returns the entry that stands between the two that an entry stood between,
// when there is just one that did not stand there, or -1.
func (r *rewriter) replaced(before string) int {
	was := slices.Index(r.base, before)
	if was < 0 || len(r.base) != len(r.spans) {
		return -1
	}
	now := r.raws()
	same := func(i int) bool { return i < 0 || i == len(now) || now[i] == r.base[i] }
	if same(was-1) && same(was+1) && !slices.Contains(r.base, now[was]) {
		return was
	}
	return -1
}

// wordsOf returns the words of a text, each once.
func wordsOf(text string) map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.Fields(strings.ToLower(text)) {
		words[w] = true
	}
	return words
}

// shared returns how many of the words of both are in both, from 0 to 1.
func shared(a, b map[string]bool) float64 {
	both := 0
	for w := range a {
		if b[w] {
			both++
		}
	}
	if all := len(a) + len(b) - both; all > 0 {
		return float64(both) / float64(all)
	}
	return 0
}

// stand lists the entries as they are after edits and deletions.
func (r *rewriter) stand() {
	for i := range r.spans {
		switch by, changed := r.by[i]; {
		case !changed:
			r.items = append(r.items, item{old: i, text: r.raw(i), by: -1})
		case r.changes[by].Do == memory.Editing:
			r.items = append(r.items, item{old: i, text: r.changes[by].After, by: by})
		}
	}
}

// adopt returns the file with what other has more than base, for three states of one
// store: base is what the file was made from, and other what another writer made of base
// at the same time. Entries that are new in other are added at the end, each as often as
// it is missing; nothing is removed, so that an entry which other dropped stays. It also
// returns how many were added.
func (d *dialect) adopt(file, base, other string) (string, int) {
	stood, stands := tally(d.split(base)), tally(d.split(file))
	var changes []memory.Change
	theirs := d.split(other)
	met := map[string]int{}
	for i := range theirs.spans {
		raw := theirs.raw(i)
		if met[raw]++; met[raw] > stood[raw] && met[raw] > stands[raw] {
			changes = append(changes, memory.Change{Do: memory.Adding, After: raw, Position: &memory.Position{Above: "none", Under: 1 << 30, Alike: stands[raw]}})
		}
	}
	m, _ := d.rewrite(file, changes, nil) // with a problem it is the file as it was
	return m.Text, len(m.Changes)
}

// tally counts entries by their bytes.
func tally(n notes) map[string]int {
	all := make(map[string]int, len(n.spans))
	for i := range n.spans {
		all[n.raw(i)]++
	}
	return all
}
