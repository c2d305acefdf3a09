package jsonl

import (
	"strconv"
	"strings"

	"winnow/core/jstext"
	"winnow/core/lesson"
	"winnow/core/memory"
)

// findLines finds the line of each change that needs one: a line with the same bytes,
// else one with the same id. Of several with that id it is one that says the same, else the
// one that the name of the change means ("a~2"), else the next that no other change has
// claimed. Whether the line still says what the change saw is decided when it is merged.
func (r *rewriter) findLines() {
	lost := r.findBytes()
	says := map[string]map[string][]int{}
	for _, i := range lost {
		if ch := &r.changes[i]; !r.claimSaying(i, says, ch.Before) && ch.Do == memory.Editing {
			r.claimSaying(i, says, ch.After)
		}
	}
	for _, i := range lost {
		ch := &r.changes[i]
		if r.at[i] >= 0 {
			continue
		}
		key := sameness(ch.Before)
		lines := r.byKey(key)
		if n := nth(ch.ID, ownID(ch.Before)); n > 1 && n <= len(lines) && r.claim(i, lines[n-1]) {
			continue
		}
		r.claimNext(i, r.unclaimed, key, lines)
	}
}

// claimSaying claims the next line with the id of a stored form that says the same, but
// for what agents count. says has the lines of each id by what they say, as they are asked
// for.
func (r *rewriter) claimSaying(i int, says map[string]map[string][]int, stored string) bool {
	key := sameness(stored)
	lines := r.byKey(key)
	if len(lines) == 0 {
		return false
	}
	if says[key] == nil {
		says[key] = map[string][]int{}
		for _, l := range lines {
			text := loosely(r.lines[l].Text)
			says[key][text] = append(says[key][text], l)
		}
	}
	text := loosely(stored)
	return r.claimNext(i, says[key], text, says[key][text])
}

// findBytes finds the lines that stand as the changes saw them: the one in its place, else
// the next with these bytes. It returns the changes that have none.
func (r *rewriter) findBytes() (lost []int) {
	having := map[string][]int{}
	for i := range r.changes {
		r.at[i] = -1
		if ch := &r.changes[i]; ch.Do <= memory.Editing {
			having[ch.Before] = nil
			if l := ch.Line - 1; l >= 0 && l < len(r.lines) && r.lines[l].Text == ch.Before {
				r.claim(i, l)
			}
		}
	}
	for l := range r.lines {
		if lines, ok := having[r.lines[l].Text]; ok {
			having[r.lines[l].Text] = append(lines, l)
		}
	}
	unclaimed := map[string][]int{}
	for i := range r.changes {
		ch := &r.changes[i]
		if ch.Do > memory.Editing || r.at[i] >= 0 || r.claimNext(i, unclaimed, ch.Before, having[ch.Before]) {
			continue
		}
		if line := ch.Line - 1; !r.cutAt(i, line) || !r.claim(i, line) {
			lost = append(lost, i)
		}
	}
	return lost
}

// claimNext takes the next of the lines of a key for a change. unclaimed has those of each
// key that were not looked at yet.
func (r *rewriter) claimNext(i int, unclaimed map[string][]int, key string, lines []int) bool {
	rest, begun := unclaimed[key]
	if !begun {
		rest = lines
	}
	for len(rest) > 0 && r.at[i] < 0 {
		r.claim(i, rest[0])
		rest = rest[1:]
	}
	unclaimed[key] = rest
	return r.at[i] >= 0
}

// claim gives a line to a change, unless another one has it.
func (r *rewriter) claim(i, line int) bool {
	if r.claimed[line] {
		return false
	}
	r.at[i], r.claimed[line] = line, true
	return true
}

// cutAt reports whether the change saw only the beginning of the line, and the line
// still begins so and is as long.
func (r *rewriter) cutAt(i, line int) bool {
	ch := &r.changes[i]
	return ch.Record.RawCut() && line >= 0 && line < len(r.lines) &&
		len(r.lines[line].Text) == ch.Record.RawLen && strings.HasPrefix(r.lines[line].Text, ch.Before)
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

// byKey returns the lines of a record (see sameness).
func (r *rewriter) byKey(key string) []int {
	if r.ids == nil {
		r.ids = make(map[string][]int, len(r.lines))
		for l := range r.lines {
			if key := sameness(r.lines[l].Text); key != "" {
				r.ids[key] = append(r.ids[key], l)
			}
		}
	}
	return r.ids[key]
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
