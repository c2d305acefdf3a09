package judge

import "winnow/core/memory"

// overlap is how much of the end of a part is left to the next one, which holds it again
// and what follows it.
const overlap = 4 << 10

// longer is a line that comes in parts.
type longer struct {
	part  bool
	line  int
	end   int64 // of the last part
	limit int64 // up to where its parts told what they found
	begin int64 // from where the part that is judged tells
	held  []memory.Finding
}

// parts judges a part of a line that is too long to be a record here, in smaller ones.
func (r *Reading) parts(p Piece) {
	const again = 2 * overlap
	for len(p.Text) > atOnce+again {
		n := runeTo(p.Text, atOnce)
		r.part(p.cut(0, n))
		p = p.cut(runeTo(p.Text, n-again), len(p.Text))
	}
	r.part(p)
}

func (r *Reading) part(p Piece) {
	end := p.Offset + int64(len(p.Text))
	p.InLine = true
	private, first := 0, false
	if r.long.part && p.Line == r.long.line && p.Offset <= r.long.end {
		for _, f := range r.long.held {
			if f.Offset < p.Offset {
				r.to(f)
			}
		}
		r.long.held = r.long.held[:0]
		r.long.begin = max(r.long.limit, p.Offset)
		private = int(r.long.end - p.Offset)
	} else {
		r.flush()
		r.long.begin = p.Offset
		first = true
	}
	r.long.part, r.long.line, r.long.end = true, p.Line, end
	r.long.limit = max(r.long.begin, end-min(overlap, int64(len(p.Text)/2)))

	secrets, found := r.search(p)
	if form := r.doc.Form; first && form != nil && form.Lines && !form.Database {
		r.values++
		r.begun = true
		r.lost.tooLong.add(Piece{Line: p.Line, Offset: p.Offset}, p.Text, secrets)
	}
	r.passages(p, secrets, found, len(p.Text))
	r.privates(p, secrets, private)
}

// later reports whether a finding in a part is none of its own: an earlier part told it,
// or the next one will if there is one.
func (l *longer) later(p Piece, f memory.Finding) bool {
	if f.Offset < l.begin {
		return true
	}
	if f.Offset >= l.limit {
		l.held = append(l.held, f)
		return true
	}
	return false
}

// flush ends a long line: what its last part found is told.
func (r *Reading) flush() {
	if !r.long.part {
		return
	}
	for _, f := range r.long.held {
		r.to(f)
	}
	r.long = longer{}
}
