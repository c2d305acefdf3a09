package jsonl

import (
	"crypto/sha256"
	"encoding/hex"
	"sort"
	"strconv"
	"strings"

	"winnow/core/memory"
)

// markOf names a line for a [memory.Position], from what it shares with other lines of its record
// (see identityOf): its own id, or without one its content except what an agent counts.
func markOf(sameness string) string {
	if content, ok := strings.CutPrefix(sameness, "v"); ok {
		sameness = "s" + content // the spelling that positions in histories have
	}
	sum := sha256.Sum256([]byte(sameness))
	return hex.EncodeToString(sum[:8])
}

// positions returns for each deleted line its position among the lines that stay.
func (r *rewriter) positions() map[int]*memory.Position {
	all := make(map[int]*memory.Position, len(r.deleted))
	if len(r.deleted) == 0 {
		return all
	}
	at, above := memory.Position{}, ""
	remaining := map[string]*stayingLines{} // because undoing this restores the texts of edited lines
	line := 0                               // of those that stay, counted from 1
	stays := func(text string) { line++; above, at.Under = text, line }
	for l := range r.lines {
		for _, i := range r.gaps[l] {
			stays(r.changes[i].After)
		}
		switch {
		case r.deleted[l]:
			spot := at
			if above != "" {
				spot.Above = markOf(identityOf(above))
			}
			text := r.lines[l].Text
			key := identityOf(text)
			if remaining[key] == nil {
				remaining[key] = r.standingOf(r.byKey(key), func(l int) string { return r.lines[l].Text })
			}
			spot.Beside = remaining[key].count
			if like := remaining[key].says[looseMeaning(text)]; like != nil {
				spot.Alike = len(like.lines)
			}
			all[l] = &spot
		case r.lines[l].blank():
			line++
		default:
			stays(r.text(l))
		}
	}
	return all
}

// gap returns the line before which to insert an addition. White space that an agent accepts only
// at the ends of a file stays at its ends.
func (r *rewriter) gap(ch *memory.Change) int {
	gap := r.place(ch)
	if first := r.nextNonBlank(0, 1); r.leadingSpace() > 0 {
		gap = max(gap, first)
	}
	if last := r.nextNonBlank(len(r.lines)-1, -1); r.body() > 0 {
		gap = min(gap, last+1)
	}
	return gap
}

// place returns the line before which an addition belongs: behind the neighbour that its record had, or else
// behind the record it names, or else its line.
func (r *rewriter) place(ch *memory.Change) int {
	if s := ch.Position; s != nil {
		if s.Above == "" {
			return 0
		}
		if l := nearest(r.marked(s.Above), s.Under-1); l >= 0 {
			return l + 1
		}
		return min(s.Under, len(r.lines))
	}
	if ch.Line <= 0 && ch.Behind == "" {
		return len(r.lines)
	}
	line := r.originalLine(ch.Line - 1 - r.placed)
	if l := r.named(ch.Behind, line-1); l >= 0 {
		return l + 1
	}
	if ch.Line <= 0 {
		return len(r.lines)
	}
	return line
}

// originalLine returns the line of the original file before which there are stay of the lines that
// stay.
func (r *rewriter) originalLine(stay int) int {
	if len(r.deleted) == 0 {
		return min(max(0, stay), len(r.lines))
	}
	for l := range r.lines {
		if stay <= 0 {
			return l
		}
		if !r.deleted[l] {
			stay--
		}
	}
	return len(r.lines)
}

// named returns the line of the record with that name, or -1. If several records have it, the one
// closest to near wins.
func (r *rewriter) named(id memory.ID, near int) int {
	lines := r.byKey("i" + string(id))
	if i := strings.LastIndexByte(string(id), '~'); len(lines) == 0 && i > 0 {
		lines = r.byKey("i" + string(id[:i]))
	}
	if number, ok := strings.CutPrefix(string(id), "line "); ok && len(lines) == 0 {
		if n, err := strconv.Atoi(number); err == nil && n >= 1 && n <= len(r.lines) && OwnID(r.lines[n-1].Text) == "" {
			return n - 1
		}
	}
	return nearest(lines, near)
}

// nearest returns the line that is closest to near, or -1 if there are none.
func nearest(lines []int, near int) int {
	i := sort.SearchInts(lines, near)
	switch {
	case len(lines) == 0:
		return -1
	case i == len(lines) || i > 0 && near-lines[i-1] < lines[i]-near:
		i--
	}
	return lines[i]
}

// marked returns the lines with a mark.
func (r *rewriter) marked(m string) []int {
	if r.marks == nil {
		r.byKey("")
		r.marks = make(map[string][]int, len(r.ids))
		for key, lines := range r.ids {
			r.marks[markOf(key)] = lines
		}
	}
	return r.marks[m]
}

// stayingLines are the lines of one record that stay.
type stayingLines struct {
	first, count int
	back         int // how many of them are records that additions would restore
	says         map[string]*sameText
}

// sameText are lines that say the same.
type sameText struct {
	lines []int
	back  int
}

// stayingLines returns the lines that belong to the same record as a stored form and stay.
func (r *rewriter) stayingLines(stored string) *stayingLines {
	key := identityOf(stored)
	if r.staying[key] == nil {
		r.staying[key] = r.standingOf(r.byKey(key), r.text)
	}
	return r.staying[key]
}

// standingOf returns those of the lines that stay, with their texts.
func (r *rewriter) standingOf(lines []int, textOf func(int) string) *stayingLines {
	s := &stayingLines{first: -1, says: map[string]*sameText{}}
	for _, l := range lines {
		if r.deleted[l] {
			continue
		}
		if s.count++; s.first < 0 {
			s.first = l
		}
		text := looseMeaning(textOf(l))
		if s.says[text] == nil {
			s.says[text] = &sameText{}
		}
		s.says[text].lines = append(s.says[text].lines, l)
	}
	return s
}

// blockingLine returns the line that blocks an addition, or -1, and whether it says the same. Records
// that share an id are told apart by their names. Records that already stayed when this one was
// deleted do not block it.
func (r *rewriter) blockingLine(ch *memory.Change) (line int, same bool) {
	s := r.stayingLines(ch.After)
	like := s.says[looseMeaning(ch.After)]
	var spot memory.Position
	if ch.Position != nil {
		spot = *ch.Position
	}
	switch {
	case like == nil:
	case ch.Position == nil:
		return like.lines[0], true
	case len(like.lines)-like.back > spot.Alike:
		line = like.lines[spot.Alike+like.back]
		like.back++
		s.back++
		return line, true
	}
	own := OwnID(ch.After)
	if own == "" || s.count-s.back <= max(spot.Beside, nth(ch.ID, own)-1) {
		return -1, false
	}
	return s.first, false
}
