package jsonl

import (
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"

	"winnow/core/jstext"
	"winnow/core/lesson"
	"winnow/core/memory"
)

// findLines finds the line of each change that needs one: the same bytes, then the
// same id. Of several with that id it is one that says the same, then the one that the
// name of the change means ("a~2"), else the nearest to its place; a wrong guess shows
// when it is merged.
func (r *rewriter) findLines() {
	bytes, lost := r.findBytes()
	alike := alikes{}
	free := map[string]*vacant{} // lines by id
	for _, i := range lost {
		ch := &r.changes[i]
		lines := r.byID(ch.Before)
		edits := ch.Do == memory.Editing
		if r.nearest(i, alike.of(r, lines, ch.Before)) || edits && (r.nearest(i, bytes[ch.After]) || r.nearest(i, alike.of(r, lines, ch.After))) {
			continue
		}
		if n := nth(ch.ID, ownID(ch.Before)); n <= len(lines) && n > 1 && !r.taken[lines[n-1]] {
			r.take(i, lines[n-1])
			continue
		}
		key := sameness(ch.Before)
		if free[key] == nil {
			free[key] = newVacant(slices.Clone(lines))
		}
		r.nearest(i, free[key])
	}
}

// nearest takes the line for a change that is the nearest to its place and is free, and
// reports whether there is one.
func (r *rewriter) nearest(i int, v *vacant) bool {
	if v == nil {
		return false
	}
	line := r.changes[i].Line - 1
	for k := v.nearest(line); k >= 0 && r.at[i] < 0; k = v.nearest(line) {
		r.take(i, v.lines[k])
		v.take(k)
	}
	return r.at[i] >= 0
}

// alikes are lines by their id, and of one id by what they say.
type alikes map[string]map[string]*vacant

// of returns those of the lines of one id that say what a stored form does.
func (a alikes) of(r *rewriter, lines []int, stored string) *vacant {
	if len(lines) == 0 {
		return nil
	}
	key := sameness(r.lines[lines[0]].Text)
	if a[key] == nil {
		by := map[string][]int{}
		for _, l := range lines {
			text := loosely(r.lines[l].Text)
			by[text] = append(by[text], l)
		}
		a[key] = make(map[string]*vacant, len(by))
		for text, lines := range by {
			a[key][text] = newVacant(lines)
		}
	}
	return a[key][loosely(stored)]
}

// findBytes finds the lines that stand as the changes saw them. It returns the lines
// by the bytes that changes speak of, and the changes that have none.
func (r *rewriter) findBytes() (free map[string]*vacant, lost []int) {
	wanted := map[string][]int{}
	for i := range r.changes {
		r.at[i] = -1
		if ch := &r.changes[i]; ch.Do <= memory.Editing {
			wanted[ch.Before] = nil
			if ch.Do == memory.Editing {
				wanted[ch.After] = nil
			}
		}
	}
	if len(wanted) == 0 {
		return nil, nil
	}
	for l := range r.lines {
		if at, ok := wanted[r.lines[l].Text]; ok {
			wanted[r.lines[l].Text] = append(at, l)
		}
	}
	free = make(map[string]*vacant, len(wanted))
	for text, lines := range wanted {
		free[text] = newVacant(lines)
	}
	for i := range r.changes {
		ch := &r.changes[i]
		if ch.Do > memory.Editing || r.nearest(i, free[ch.Before]) {
			continue
		}
		if line := ch.Line - 1; r.cutAt(i, line) {
			r.take(i, line)
			continue
		}
		lost = append(lost, i)
	}
	return free, lost
}

// cutAt reports whether the change saw only the beginning of the line, and the line
// still begins so and is as long.
func (r *rewriter) cutAt(i, line int) bool {
	ch := &r.changes[i]
	return ch.Record.RawCut() && line >= 0 && line < len(r.lines) &&
		len(r.lines[line].Text) == ch.Record.RawLen && strings.HasPrefix(r.lines[line].Text, ch.Before)
}

func (r *rewriter) take(i, line int) {
	if line >= 0 && !r.taken[line] {
		r.at[i], r.taken[line] = line, true
	}
}

// nth returns which of the records with the own id a name means: 2 for "a~2".
func nth(name memory.ID, own string) int {
	if rest, ok := strings.CutPrefix(string(name), own+"~"); ok {
		if n, err := strconv.Atoi(rest); err == nil && n > 1 {
			return n
		}
	}
	return 1
}

// byID returns the lines that are the same record as the stored form: by its own id,
// and without one by what it says.
func (r *rewriter) byID(stored string) []int {
	if r.ids == nil {
		r.ids = make(map[string][]int, len(r.lines))
		for l := range r.lines {
			if key := sameness(r.lines[l].Text); key != "" {
				r.ids[key] = append(r.ids[key], l)
			}
		}
	}
	return r.ids[sameness(stored)]
}

// sameness returns what two lines of one record have in common: its own id, and
// without one what it says but for what an agent counts.
func sameness(line string) string {
	if own := ownID(line); own != "" {
		return "i" + own
	}
	if jstext.Trim(line) == "" {
		return ""
	}
	return "v" + loosely(line)
}

// ownID returns the id that the lesson in a line has, or "" without one.
func ownID(line string) string {
	id := ""
	_, err := jstext.Scan(jstext.Trim(lesson.Decode(line)), func(p jstext.Part) bool {
		if p.Name() == lesson.KeyID {
			id = jstext.Text(p.Value)
		}
		return true
	})
	if err != nil {
		return ""
	}
	return id
}

// gap returns the line before which an addition goes. White space that an agent
// forgives at the ends of a file stays at its ends.
func (r *rewriter) gap(ch *memory.Change) int {
	gap := r.place(ch)
	if first := r.solid(0, 1); r.lead() > 0 {
		gap = max(gap, first)
	}
	if last := r.solid(len(r.lines)-1, -1); r.body() > 0 {
		gap = min(gap, last+1)
	}
	return gap
}

// place returns the line before which an addition is to go.
func (r *rewriter) place(ch *memory.Change) int {
	switch {
	case ch.Spot != nil:
		return r.spot(ch.Spot)
	case ch.Behind != "":
		if gap, ok := r.gapOf[ch.Behind]; ok {
			return r.behindBlank(gap, ch.Line)
		}
		if l := r.named(ch.Behind, ch.Line-2); l >= 0 {
			return r.behindBlank(l+1, ch.Line)
		}
	case ch.Line == 1:
		return 0
	}
	if ch.Line <= 0 {
		return len(r.lines)
	}
	return r.after(ch.Line - 1 - r.placed)
}

// behindBlank returns the gap behind those blank lines at a gap that stood between the
// records when the one to be added stood in the line.
func (r *rewriter) behindBlank(gap, line int) int {
	left := line - 1 - r.placed - (gap - sort.SearchInts(r.gone(), gap))
	for l := gap; left > 0 && l < len(r.lines) && (r.deleted[l] || r.lines[l].Blank()); l++ {
		if !r.deleted[l] {
			gap, left = l+1, left-1
		}
	}
	return gap
}

// after returns the line that so many of the lines that stay stand before.
func (r *rewriter) after(stay int) int {
	gone := r.gone()
	leave := sort.Search(len(gone), func(k int) bool { return gone[k]-k >= stay })
	return min(max(0, stay+leave), len(r.lines))
}

// gone returns the deleted lines in order, once all are known.
func (r *rewriter) gone() []int {
	if r.leaving == nil {
		r.leaving = slices.Sorted(maps.Keys(r.deleted))
	}
	return r.leaving
}

// named returns the line of the record with that name, the nearest to near where
// several have it, or -1.
func (r *rewriter) named(id memory.ID, near int) int {
	r.byID("") // makes the index
	lines := r.ids["i"+string(id)]
	if i := strings.LastIndexByte(string(id), '~'); len(lines) == 0 && i > 0 {
		lines = r.ids["i"+string(id[:i])]
	}
	if number, ok := strings.CutPrefix(string(id), "line "); ok && len(lines) == 0 {
		n, err := strconv.Atoi(number)
		if err != nil || n < 1 || n > len(r.lines) || ownID(r.lines[n-1].Text) != "" {
			return -1
		}
		return n - 1
	}
	if len(lines) == 0 {
		return -1
	}
	i := sort.SearchInts(lines, near)
	if i == len(lines) || i > 0 && near-lines[i-1] < lines[i]-near {
		i--
	}
	return lines[i]
}

// vacant are lines with the same bytes, of which some are taken.
type vacant struct {
	lines       []int // rising
	left, right []int // the next that is free to each side, with a place before all
}

func newVacant(lines []int) *vacant {
	v := &vacant{lines: lines, left: make([]int, len(lines)+2), right: make([]int, len(lines)+2)}
	for k := range v.left {
		v.left[k], v.right[k] = k, k
	}
	return v
}

// nearest returns the index of the free line that is the nearest, or -1.
func (v *vacant) nearest(line int) int {
	k := sort.SearchInts(v.lines, line)
	after := follow(v.right, k+1) - 1
	before := follow(v.left, k) - 1
	switch {
	case after == len(v.lines):
		return before
	case before < 0 || v.lines[after]-line <= line-v.lines[before]:
		return after
	}
	return before
}

func (v *vacant) take(k int) {
	v.left[k+1], v.right[k+1] = k, k+2
}

// follow returns the end of the chain of places, and shortens it.
func follow(next []int, k int) int {
	end := k
	for next[end] != end {
		end = next[end]
	}
	for next[k] != k {
		k, next[k] = next[k], end
	}
	return end
}
