package kimchi

import "strings"

// assembled puts the entries together as they are to be. Entry by entry goes over: with
// a deleted one go a delimiter and the white space around it, behind the one that a new
// one follows comes a delimiter and the new one, and all other bytes stay.
func (r *rewriter) assembled() string {
	after, front := r.new()
	n := len(r.spans)
	gap := r.file
	if n > 0 {
		gap = r.file[:r.spans[0].start]
	}
	var out strings.Builder
	emitted := false
	for i := range n {
		next := r.file[r.spans[i].end:r.end(i)]
		if _, gone := r.deleted[i]; gone {
			gap = r.without(gap, next, i == n-1)
			continue
		}
		out.WriteString(gap)
		if !emitted {
			for _, text := range front {
				out.WriteString(text + r.parted())
			}
		}
		emitted = true
		out.WriteString(r.now(i))
		for _, text := range after[i] {
			out.WriteString(r.parted() + text)
		}
		gap = next
	}
	if !emitted && len(front) > 0 {
		rest, marked := strings.CutPrefix(gap, mark)
		if marked {
			out.WriteString(mark)
		}
		gap = strings.Join(front, r.parted()) + rest
	}
	out.WriteString(gap)
	return out.String()
}

// new returns the new texts by the entry that they follow, and those that follow none.
func (r *rewriter) new() (after map[int][]string, front []string) {
	after = map[int][]string{}
	last := -1
	for _, it := range r.items {
		switch {
		case it.old >= 0:
			last = it.old
		case last < 0:
			front = append(front, it.text)
		default:
			after[last] = append(after[last], it.text)
		}
	}
	return after, front
}

// now returns the text of an entry that stays, as it is to be.
func (r *rewriter) now(i int) string {
	if by, edited := r.texts[i]; edited {
		return r.changes[by].After
	}
	return r.raw(i)
}

// end returns where the bytes between an entry and the next end.
func (r *rewriter) end(i int) int {
	if i+1 < len(r.spans) {
		return r.spans[i+1].start
	}
	return len(r.file)
}

// without returns what stands in place of an entry that goes: left of it what is before
// the delimiter there, and right of it what is behind the white space; where there is
// none to the left, that to the right goes. What the file begins and ends with stays.
func (r *rewriter) without(left, right string, last bool) string {
	cut, from := -1, 0
	for {
		at, next := r.d.delimiter(left, from)
		if next < 0 {
			break
		}
		cut, from = at, next
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

// parted returns the delimiter that a new entry gets: that of the file.
func (r *rewriter) parted() string {
	at, next := r.d.delimiter(r.file, 0)
	if next < 0 {
		return delimiter
	}
	return r.file[at:next]
}
