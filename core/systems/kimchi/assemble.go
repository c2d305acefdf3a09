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
	if all := r.d.delimiters().FindAllStringIndex(left, -1); len(all) > 0 {
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
	above, near, at := bare(ch.Behind), ch.Line-2, ch.Line-1
	if p := ch.Position; p != nil {
		above, near, at = memory.ID(p.Above), p.Under-1, p.Under
	} else if ch.Line <= 0 {
		at = len(r.items)
	}
	k := closest(len(r.items), near, func(k int) bool { return idOf(r.items[k].text) == above })
	if k >= 0 || ch.Position != nil && above == "" {
		return r.behind(k)
	}
	return min(at, len(r.items))
}

// behind returns the index behind an item and what was added behind that before: those
// that come later stood later.
func (r *rewriter) behind(k int) int {
	for k++; k < len(r.items) && r.items[k].old < 0 && r.items[k].by >= 0; k++ {
	}
	return k
}

// made returns the changes that changed bytes, as they came about.
func (r *rewriter) made() (all []memory.Change) {
	for i, ch := range r.changes {
		at := r.at[i]
		if by, changed := r.by[at]; changed && by == i {
			gone := ch
			gone.Do, gone.After, gone.Edited = memory.Deleting, "", memory.Record{}
			all = append(all, r.removed(gone, at))
		}
		if k := slices.IndexFunc(r.items, func(it item) bool { return it.by == i }); k >= 0 {
			ch.Do, ch.Before, ch.Edited = memory.Adding, "", memory.Record{}
			all = append(all, r.added(ch, k))
		}
	}
	return all
}

// removed returns a deletion of the entry at a place, with where it stood.
func (r *rewriter) removed(ch memory.Change, at int) memory.Change {
	texts := r.raws()
	ch.Before, ch.Position = texts[at], &memory.Position{}
	r.locate(&ch, texts, at)
	for _, it := range r.items {
		if it.old < 0 || it.by >= 0 {
			continue
		}
		if it.old < at {
			ch.Position.Above, ch.Position.Under = string(idOf(it.text)), ch.Position.Under+1
		}
		if it.text == ch.Before {
			ch.Position.Alike++
		}
	}
	ch.Position.Beside = ch.Position.Alike
	return ch
}

// added returns an addition as it was made, with where it stands now.
func (r *rewriter) added(ch memory.Change, at int) memory.Change {
	ch.After, ch.Position = r.items[at].text, nil
	r.locate(&ch, r.texts(), at)
	return ch
}

// texts returns the entries as they are to be.
func (r *rewriter) texts() []string {
	all := make([]string, len(r.items))
	for i, it := range r.items {
		all[i] = it.text
	}
	return all
}

// locate completes a change that is about one of the entries of a file.
func (r *rewriter) locate(ch *memory.Change, texts []string, at int) {
	text, alike := texts[at], 1
	for _, above := range texts[:at] {
		if above == text {
			alike++
		}
	}
	ch.ID, ch.Line, ch.Record, ch.Behind = numbered(idOf(text), alike), at+1, r.d.record(text, at+1), ""
	ch.Record.ID = ch.ID
	if at > 0 {
		ch.Behind = idOf(texts[at-1])
	}
}

// write returns the bytes of the new file.
func (r *rewriter) write() (string, *memory.Problem) {
	if len(r.items) == len(r.spans) && !slices.ContainsFunc(r.items, func(it item) bool { return it.by >= 0 }) {
		return r.file, nil
	}
	out := r.assembled()
	if !slices.Equal(r.d.split(out).raws(), r.texts()) {
		return "", &memory.Problem{
			Code: "not-separable",
			What: "Beside each other, some of these entries would be read as others: one begins or ends with a line that is only §.",
			Hint: "take that line out of the entry first",
		}
	}
	return out, nil
}
