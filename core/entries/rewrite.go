package entries

import (
	"slices"
	"strings"

	"winnow/core/jsonl"
	"winnow/core/memory"
	"winnow/core/system"
)

// item is an entry of the new file: an existing one, or a new text.
type item struct {
	lead, text string // the bytes before it, and its own bytes
	old        int    // index of the existing entry, or -1
	by         int    // index of the change that made it, or -1
}

// Rewrite returns the file with the changes made in it as it stands, whoever wrote it
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
//
// Base are the entries as they were last seen, as far as they are known.
func (f *Form) Rewrite(file string, changes []memory.Change, base []string) (jsonl.Made, *memory.Problem) {
	r := &rewriter{
		f:       f,
		File:    f.Split(file),
		changes: changes,
		base:    base,
		fates:   make([]memory.Applied, len(changes)),
		by:      map[int]int{},
		back:    map[string]int{},
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
	r.listRemaining()
	for _, i := range jsonl.Additions(r.changes) {
		r.add(i)
	}
	if slices.ContainsFunc(r.fates, jsonl.Refused) {
		return jsonl.Made{Text: file, Fates: r.fates}, nil
	}
	out := r.assembled()
	if !slices.Equal(f.Split(out).Raws(), r.texts()) {
		return jsonl.Made{Text: file, Fates: r.fates}, &memory.Problem{
			Code: "not-separable", What: f.Inseparable, Hint: "take that out of the entry first",
		}
	}
	return jsonl.Made{Text: out, Changes: r.made(), Fates: r.fates}, nil
}

// rewriter is one run of rewrite. Entries are counted from 0.
type rewriter struct {
	f *Form
	File
	changes []memory.Change
	base    []string // the entries as last seen; nil if unknown
	fates   []memory.Applied

	at    []int          // index of each change's entry, or -1
	by    map[int]int    // edited or deleted entry -> its change
	items []item         // the entries of the new file
	tail  string         // the bytes after them
	back  map[string]int // text -> number of its additions that exist already
}

// find finds the entries that are as the changes saw them, each the nearest to its old position.
func (r *rewriter) find() {
	taken := map[int]bool{}
	for i := range r.changes {
		at, ch := -1, &r.changes[i]
		if ch.Do <= memory.Editing {
			at = closest(len(r.Spans), ch.Line-1, func(k int) bool { return r.Raw(k) == ch.Before && !taken[k] })
		}
		r.at, taken[at] = append(r.at, at), true
	}
}

// closest returns the number below n that is nearest to near among those that fit, or -1.
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

// found returns what a change finds in the place of an entry, or in none for -1.
func (r *rewriter) found(at int) system.Found {
	if at < 0 {
		return system.Found{}
	}
	return system.Found{There: true, Theirs: func() (string, memory.Record) {
		return r.Raw(at), r.f.Record(r.Raw(at), at+1)
	}}
}

// remove decides on a deletion.
func (r *rewriter) remove(i int) {
	at := r.at[i]
	asSeen := at >= 0
	if !asSeen {
		at = r.changed(i)
	}
	found := r.found(at)
	found.AsSeen = asSeen
	if found.Decide(memory.Deleting, &r.fates[i]) {
		r.by[at] = i
	}
}

// edit decides on an edit.
func (r *rewriter) edit(i int) {
	at, ch := r.at[i], &r.changes[i]
	found := r.found(at)
	found.Made = ch.After == ch.Before
	if at < 0 {
		theirs := r.changed(i)
		found = r.found(theirs)
		found.Made = slices.Contains(r.Raws(), ch.After)
		if found.There {
			found.Clash = "it"
		}
	}
	if found.Decide(memory.Editing, &r.fates[i]) {
		r.by[at] = i
	}
}

// changed returns the entry into which another writer turned the one of a change, or -1. It is the
// entry that took its position, if the neighbours are known and unchanged. Otherwise it is the one
// that shares its first line or most of its words.
func (r *rewriter) changed(i int) int {
	before := r.changes[i].Before
	if r.f.Name != nil {
		return slices.IndexFunc(r.Raws(), func(raw string) bool { return r.f.id(raw) == r.f.id(before) })
	}
	if at := r.replaced(before); at >= 0 {
		return at
	}
	known := map[string]bool{}
	for _, raw := range r.base {
		known[raw] = true
	}
	title, words := FirstLine(r.f.text(before)), wordsOf(before)
	best, most := -1, 0.5
	for k := range r.Spans {
		raw := r.Raw(k)
		if known[raw] {
			continue // it was a neighbour of the entry we look for
		}
		share := shared(words, wordsOf(raw))
		if FirstLine(r.f.text(raw)) == title {
			share = 1
		}
		if share > most {
			best, most = k, share
		}
	}
	return best
}

// replaced returns the entry between the two former neighbours of an entry. It returns -1 unless
// exactly one entry is new between them.
func (r *rewriter) replaced(before string) int {
	was := slices.Index(r.base, before)
	if was < 0 || len(r.base) != len(r.Spans) {
		return -1
	}
	now := r.Raws()
	same := func(i int) bool { return i < 0 || i == len(now) || now[i] == r.base[i] }
	if same(was-1) && same(was+1) && !slices.Contains(r.base, now[was]) {
		return was
	}
	return -1
}

// wordsOf returns the set of words of a text.
func wordsOf(text string) map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.Fields(strings.ToLower(text)) {
		words[w] = true
	}
	return words
}

// shared returns the share of words that two texts have in common, from 0 to 1.
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

// listRemaining lists the entries that remain after edits and deletions.
func (r *rewriter) listRemaining() {
	lead := r.gap(0)
	for i := range r.Spans {
		behind := r.gap(i + 1)
		by, changed := r.by[i]
		it := item{lead: lead, text: r.Raw(i), old: i, by: -1}
		if changed {
			it.text, it.by = r.changes[by].After, by
		}
		if lead = behind; changed && r.changes[by].Do == memory.Deleting {
			lead = r.gapWithout(it.lead, behind, i+1 == len(r.Spans))
			continue
		}
		r.items = append(r.items, it)
	}
	r.tail = lead
}

// Adopt returns the file with the entries added that other has and base does not. All three are
// states of one store: file was made from base, and another writer made other from base at the same
// time. New entries go to the end, each as often as it is missing. Nothing is removed, so an entry
// that other dropped stays. Adopt also returns the number of entries added.
func (f *Form) Adopt(file, base, other string) (string, int) {
	stood, stands := countEntries(f.Split(base)), countEntries(f.Split(file))
	var changes []memory.Change
	theirs := f.Split(other)
	if f.Name != nil {
		m, _ := f.Rewrite(file, f.foreign(f.Split(file), f.Split(base), theirs), nil) // on a problem, it is unchanged
		return m.Text, len(m.Changes)
	}
	met := map[string]int{}
	for i := range theirs.Spans {
		raw := theirs.Raw(i)
		if met[raw]++; met[raw] > stood[raw] && met[raw] > stands[raw] {
			changes = append(
				changes,
				memory.Change{
					Do:       memory.Adding,
					After:    raw,
					Position: &memory.Position{Above: "none", Under: 1 << 30, Alike: stands[raw]},
				},
			)
		}
	}
	m, _ := f.Rewrite(file, changes, nil) // on a problem, the file is unchanged
	return m.Text, len(m.Changes)
}

// foreign returns what another writer did to named entries: it added those that base lacks, and changed those that
// the file has as base has them.
func (f *Form) foreign(file, base, theirs File) (changes []memory.Change) {
	byName := func(n File) map[memory.ID]string {
		all := map[memory.ID]string{}
		for _, raw := range slices.Backward(n.Raws()) {
			all[f.id(raw)] = raw
		}
		return all
	}
	stood, stands := byName(base), byName(file)
	for _, raw := range theirs.Raws() {
		id := f.id(raw)
		was, before := stood[id]
		now, there := stands[id]
		switch {
		case !there && !before:
			changes = append(changes, memory.Change{Do: memory.Adding, After: raw})
			stands[id] = raw
		case there && before && now == was && raw != was:
			changes = append(changes, memory.Change{Do: memory.Editing, Before: was, After: raw})
			stands[id] = raw
		}
	}
	return changes
}

// countEntries counts entries by their bytes.
func countEntries(n File) map[string]int {
	all := make(map[string]int, len(n.Spans))
	for i := range n.Spans {
		all[n.Raw(i)]++
	}
	return all
}

// assembled returns the new file. All other bytes stay, except for a delimiter and the white space
// around it, which go with a deleted entry.
func (r *rewriter) assembled() string {
	var out strings.Builder
	for _, it := range r.items {
		out.WriteString(it.lead + it.text)
	}
	return out.String() + r.tail
}

// gapWithout returns the gap that replaces a deleted entry. It keeps the bytes before the delimiter in
// the gap to the left, and the bytes after the white space in the gap to the right. Without a gap
// to the left, the delimiter to the right goes. The first and last bytes of the file stay.
func (r *rewriter) gapWithout(left, right string, last bool) string {
	cut := -1
	if all := r.f.Delimiters().FindAllStringIndex(left, -1); len(all) > 0 {
		cut = all[len(all)-1][0]
	}
	at, next := r.f.delimiter(right, 0)
	switch {
	case cut >= 0 && last:
		return left[:cut] + right
	case cut >= 0:
		return left[:cut] + right[at:]
	case next >= 0:
		return left + right[next:]
	}
	return left + right
}

// newDelimiter returns the delimiter for a new entry: the one that the file uses.
func (r *rewriter) newDelimiter() string {
	at, next := r.f.delimiter(r.Text, 0)
	if next < 0 {
		return r.f.Delimiter
	}
	return r.Text[at:next]
}

// add decides on an addition.
func (r *rewriter) add(i int) {
	ch := &r.changes[i]
	var found system.Found
	if at := r.named(ch.After); at >= 0 {
		found = r.found(r.items[at].old)
		found.There, found.Taken = true, "another record has its name"
		found.Made = r.items[at].text == ch.After
	} else {
		found.Made = r.isBack(ch)
	}
	if found.Decide(memory.Adding, &r.fates[i]) {
		r.insert(r.place(ch), item{lead: r.newDelimiter(), text: ch.After, old: -1, by: i})
	}
}

// isBack reports whether another writer put back what an addition puts back: more entries with its text stand there
// than stayed when it was deleted.
func (r *rewriter) isBack(ch *memory.Change) bool {
	alike := 0
	for _, it := range r.items {
		if it.text == ch.After && (it.by < 0 || r.changes[it.by].Do != memory.Adding) {
			alike++
		}
	}
	stayed := 0
	if ch.Position != nil {
		stayed = ch.Position.Alike
	}
	if alike-r.back[ch.After] <= stayed {
		return false
	}
	r.back[ch.After]++
	return true
}

// named returns the item of the new file that has the name of an entry, or -1. Without names there is none.
func (r *rewriter) named(raw string) int {
	if r.f.Name == nil {
		return -1
	}
	return slices.IndexFunc(r.items, func(it item) bool { return r.f.id(it.text) == r.f.id(raw) })
}

// insert inserts a new entry. The file keeps its first bytes.
func (r *rewriter) insert(k int, it item) {
	switch {
	case len(r.items) == 0:
		rest, marked := strings.CutPrefix(r.tail, Mark)
		it.lead, r.tail = "", rest
		if marked {
			it.lead = Mark
		}
		if r.tail == "" {
			r.tail = r.f.End
		}
	case k == 0:
		it.lead, r.items[0].lead = r.items[0].lead, it.lead
	}
	r.items = slices.Insert(r.items, k, it)
}

// place returns the index in items at which an addition goes.
func (r *rewriter) place(ch *memory.Change) int {
	above, near, at := withoutNumber(ch.Behind), ch.Line-2, ch.Line-1
	if p := ch.Position; p != nil {
		above, near, at = memory.ID(p.Above), p.Under-1, p.Under
	} else if ch.Line <= 0 {
		at = len(r.items)
	}
	k := closest(len(r.items), near, func(k int) bool { return r.f.id(r.items[k].text) == above })
	if k >= 0 || ch.Position != nil && above == "" {
		return r.indexBehind(k)
	}
	return min(at, len(r.items))
}

// indexBehind returns the index after an item and the additions already put behind it: later ones belong
// after earlier ones.
func (r *rewriter) indexBehind(k int) int {
	for k++; k < len(r.items) && r.items[k].old < 0 && r.items[k].by >= 0; k++ {
	}
	return k
}

// made returns the changes that changed bytes, in the order in which they were made.
func (r *rewriter) made() (all []memory.Change) {
	for i, ch := range r.changes {
		at := r.at[i]
		by, changed := r.by[at]
		if changed && by == i && ch.Do == memory.Editing && r.f.Name != nil && r.f.id(ch.Before) == r.f.id(ch.After) {
			ch.Before, ch.Behind, ch.Position = r.Raw(at), "", nil
			ch.ID, ch.Line, ch.Record = r.numbered(r.Raws(), at), at+1, r.f.Record(r.Raw(at), at+1)
			ch.Edited = r.f.Record(ch.After, at+1)
			ch.Record.ID, ch.Edited.ID = ch.ID, ch.ID
			all = append(all, ch)
			continue
		}
		if changed && by == i {
			gone := ch
			gone.Do, gone.After, gone.Edited = memory.Deleting, "", memory.Record{}
			all = append(all, r.removed(gone, at))
		}
		if k := slices.IndexFunc(r.items, func(it item) bool { return it.by == i }); k >= 0 {
			ch.Do, ch.Before, ch.Edited = memory.Adding, "", memory.Record{}
			r.completeChange(&ch, r.texts(), k)
			ch.Position = nil
			all = append(all, ch)
		}
	}
	return all
}

// removed returns the deletion of an entry, with its position.
func (r *rewriter) removed(ch memory.Change, at int) memory.Change {
	texts := r.Raws()
	ch.Before, ch.Position = texts[at], &memory.Position{}
	r.completeChange(&ch, texts, at)
	for _, it := range r.items {
		if it.old < 0 || it.by >= 0 {
			continue
		}
		if it.old < at {
			ch.Position.Above, ch.Position.Under = string(r.f.id(it.text)), ch.Position.Under+1
		}
		if it.text == ch.Before {
			ch.Position.Alike++
		}
	}
	ch.Position.Beside = ch.Position.Alike
	return ch
}

// texts returns the entries of the new file.
func (r *rewriter) texts() []string {
	all := make([]string, len(r.items))
	for i, it := range r.items {
		all[i] = it.text
	}
	return all
}

// numbered returns the ID that an entry has among others.
func (r *rewriter) numbered(texts []string, at int) memory.ID {
	id, alike := r.f.id(texts[at]), 1
	for _, above := range texts[:at] {
		if r.f.id(above) == id {
			alike++
		}
	}
	return Numbered(id, alike)
}

// completeChange completes a change that is about an entry of the file.
func (r *rewriter) completeChange(ch *memory.Change, texts []string, at int) {
	ch.ID, ch.Line, ch.Record, ch.Behind = r.numbered(texts, at), at+1, r.f.Record(texts[at], at+1), ""
	ch.Record.ID = ch.ID
	if at > 0 {
		ch.Behind = r.f.id(texts[at-1])
	}
}
