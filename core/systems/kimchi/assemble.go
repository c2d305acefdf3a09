package kimchi

import "strings"

// assembled puts the entries together as they are to be. Between two that stood beside
// each other, and before the first and behind the last, all bytes stay; between others
// stands a delimiter.
func (r *rewriter) assembled() string {
	if len(r.spans) == 0 {
		return r.first()
	}
	n := len(r.spans)
	var out strings.Builder
	out.WriteString(r.file[:r.spans[0].start])
	last := -1 // the last entry that stood there before
	for k, it := range r.items {
		if k > 0 {
			out.WriteString(r.between(k, last))
		}
		out.WriteString(it.text)
		if it.old >= 0 {
			last = it.old
		}
	}
	out.WriteString(r.file[r.spans[n-1].end:])
	return out.String()
}

// first is assembled for a file without entries: what is new stands behind a byte order
// mark.
func (r *rewriter) first() string {
	const mark = "\ufeff"
	rest, marked := strings.CutPrefix(r.file, mark)
	var texts []string
	for _, it := range r.items {
		texts = append(texts, it.text)
	}
	out := strings.Join(texts, r.parted()) + rest
	if marked {
		out = mark + out
	}
	return out
}

// between returns what stands before item k. Last is the last entry before it that
// stood in the file, or -1.
func (r *rewriter) between(k, last int) string {
	a, b := r.items[k-1], r.items[k]
	if b.old > 0 && b.old == last+1 {
		// All that was added between the two stands before this.
		return r.file[r.spans[last].end:r.spans[b.old].start]
	}
	head, tail := "", ""
	if a.old >= 0 && a.old < len(r.spans)-1 && b.old >= 0 {
		gap := r.file[r.spans[a.old].end:r.spans[a.old+1].start]
		at, _ := r.d.delimiter(gap, 0)
		tail = gap[:at]
	}
	if b.old > 0 {
		gap := r.file[r.spans[b.old-1].end:r.spans[b.old].start]
		for from := 0; from >= 0; {
			head = gap[from:]
			_, from = r.d.delimiter(gap, from)
		}
	}
	return tail + r.parted() + head
}

// parted returns the delimiter that a new entry gets: that of the file.
func (r *rewriter) parted() string {
	at, next := r.d.delimiter(r.file, 0)
	if next < 0 {
		return delimiter
	}
	return r.file[at:next]
}
