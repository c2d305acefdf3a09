package kimchi

import (
	"slices"
	"strings"

	"winnow/core/memory"
)

// assembled puts the entries together as they are to be. Entry by entry goes over: with
// a deleted one go a delimiter and the white space around it, behind the one that a new
// one follows comes a delimiter and the new one, and all other bytes stay.
func (r *rewriter) assembled() string {
	var out strings.Builder
	gap, passed := r.file, 0 // the bytes before the next entry of the file, and how many were passed
	if len(r.spans) > 0 {
		gap = r.file[:r.spans[0].start]
	}
	deletedTo := func(end int) { // passes entries that are deleted
		for ; passed < end; passed++ {
			gap = r.without(gap, r.behindEntry(passed), passed == len(r.spans)-1)
		}
	}
	front, emitted := "", false
	for _, it := range r.items {
		switch {
		case it.old >= 0:
			deletedTo(it.old)
			out.WriteString(gap + front + it.text)
			gap, passed = r.behindEntry(it.old), it.old+1
			front, emitted = "", true
		case emitted:
			out.WriteString(r.newDelimiter() + it.text)
		default:
			front += it.text + r.newDelimiter()
		}
	}
	deletedTo(len(r.spans))
	if front != "" { // no entry of the file stays
		rest, marked := strings.CutPrefix(gap, mark)
		if marked {
			out.WriteString(mark)
		}
		gap = strings.TrimSuffix(front, r.newDelimiter()) + rest
	}
	return out.String() + gap
}

// behindEntry returns the bytes between an entry and the next.
func (r *rewriter) behindEntry(i int) string {
	end := len(r.file)
	if i+1 < len(r.spans) {
		end = r.spans[i+1].start
	}
	return r.file[r.spans[i].end:end]
}

// without returns what stands in place of an entry that goes: left of it what is before
// the delimiter there, and right of it what is behind the white space; where there is
// none to the left, that to the right goes. What the file begins and ends with stays.
func (r *rewriter) without(left, right string, last bool) string {
	cut := -1
	if all := r.d.delimiters.FindAllStringIndex(left, -1); len(all) > 0 {
		cut = all[len(all)-1][0]
	}
	at, next := r.d.delimiter(right, 0)
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

// newDelimiter returns the delimiter that a new entry gets: that of the file.
func (r *rewriter) newDelimiter() string {
	at, next := r.d.delimiter(r.file, 0)
	if next < 0 {
		return delimiter
	}
	return r.file[at:next]
}

// add decides about an addition.
func (r *rewriter) add(i int) {
	ch := &r.changes[i]
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
	if alike-r.back[ch.After] > stayed {
		r.back[ch.After]++
		r.fates[i].Fate, r.fates[i].Why = memory.Gone, "it stands there already"
		return
	}
	r.items = slices.Insert(r.items, r.gap(ch), item{old: -1, text: ch.After, by: i})
}

// gap returns the index in items at which an addition goes.
func (r *rewriter) gap(ch *memory.Change) int {
	switch at := ch.Position; {
	case at != nil && at.Above == "":
		return r.behind(-1)
	case at != nil:
		if k := closest(len(r.items), at.Under-1, func(k int) bool { return string(idOf(r.items[k].text)) == at.Above }); k >= 0 {
			return r.behind(k)
		}
		return min(at.Under, len(r.items))
	case ch.Behind != "":
		if k := closest(len(r.items), ch.Line-2, func(k int) bool { return idOf(r.items[k].text) == bare(ch.Behind) }); k >= 0 {
			return r.behind(k)
		}
	}
	if ch.Line <= 0 {
		return len(r.items)
	}
	return min(ch.Line-1, len(r.items))
}

// behind returns the index behind an item and what was added behind that before: those
// that come later stood later.
func (r *rewriter) behind(k int) int {
	for k++; k < len(r.items) && r.items[k].old < 0 && r.items[k].by >= 0; k++ {
	}
	return k
}

// made returns the changes that changed bytes, as they came about.
func (r *rewriter) made() []memory.Change {
	var all []memory.Change
	done := func(i int, ch memory.Change) {
		if r.fates[i].Fate != memory.Gone {
			all = append(all, ch)
		}
	}
	for i := range r.changes {
		ch := r.changes[i]
		switch {
		case ch.Do == memory.Adding:
			done(i, r.added(ch, i))
		case r.at[i] < 0 || ch.Do > memory.Adding:
		case ch.Do == memory.Deleting:
			done(i, r.removed(ch, r.at[i]))
		case ch.After != ch.Before:
			gone := ch
			gone.Do, gone.After, gone.Edited = memory.Deleting, "", memory.Record{}
			came := ch
			came.Do, came.Before, came.Edited = memory.Adding, "", memory.Record{}
			done(i, r.removed(gone, r.at[i]))
			done(i, r.added(came, i))
		}
	}
	return all
}

// removed returns a deletion of the entry at a place, with where it stood.
func (r *rewriter) removed(ch memory.Change, at int) memory.Change {
	ch.Before, ch.Line = r.raw(at), at+1
	ch.Record = r.d.record(ch.Before, at+1)
	ch.ID = r.name(at)
	ch.Record.ID = ch.ID
	ch.Behind = ""
	if at > 0 {
		ch.Behind = idOf(r.raw(at - 1))
	}
	ch.Position = &memory.Position{}
	for k := range at {
		_, gone := r.deleted[k]
		if _, edited := r.texts[k]; !gone && !edited {
			ch.Position.Above, ch.Position.Under = string(idOf(r.raw(k))), ch.Position.Under+1
		}
	}
	for _, it := range r.items {
		if it.old >= 0 && it.by < 0 && it.text == ch.Before {
			ch.Position.Alike++
		}
	}
	ch.Position.Beside = ch.Position.Alike
	return ch
}

// name returns the name that an entry has in the store.
func (r *rewriter) name(at int) memory.ID {
	n := 1
	for k := range at {
		if r.raw(k) == r.raw(at) {
			n++
		}
	}
	return numbered(idOf(r.raw(at)), n)
}

// added returns an addition as it was made, with where it stands now.
func (r *rewriter) added(ch memory.Change, by int) memory.Change {
	for k, it := range r.items {
		if it.by != by {
			continue
		}
		n := 1
		for _, above := range r.items[:k] {
			if above.text == it.text {
				n++
			}
		}
		ch.After, ch.Line, ch.Behind, ch.Position = it.text, k+1, "", nil
		ch.Record = r.d.record(it.text, k+1)
		ch.ID = numbered(idOf(it.text), n)
		ch.Record.ID = ch.ID
		if k > 0 {
			ch.Behind = idOf(r.items[k-1].text)
		}
	}
	return ch
}

// write returns the bytes of the new file.
func (r *rewriter) write() (string, *memory.Problem) {
	if len(r.items) == len(r.spans) && !slices.ContainsFunc(r.items, func(it item) bool { return it.by >= 0 }) {
		return r.file, nil
	}
	out := r.assembled()
	var want []string
	for _, it := range r.items {
		want = append(want, it.text)
	}
	if got := r.d.split(out).raws(); !slices.Equal(got, want) {
		return "", &memory.Problem{
			Code: "not-separable",
			What: "Beside each other, some of these entries would be read as others: one begins or ends with a line that is only §.",
			Hint: "take that line out of the entry first",
		}
	}
	return out, nil
}
