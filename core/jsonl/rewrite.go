package jsonl

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"winnow/core/jstext"
	"winnow/core/lesson"
	"winnow/core/memory"
)

// Made is a file with changes made in it.
type Made struct {
	Text string
	// Parts turn the file into Text. There may be none, though it was changed.
	Parts []memory.Splice
	// Changes are those that changed bytes, with Before as it stood and After as it
	// stands now. Line is in the file as it was, and for an addition in the new one.
	// Behind is the id of the record before it, also of a deletion.
	Changes []memory.Change
	// Standing are additions that need not be made, with After as it stands, where that is
	// another form than was asked for.
	Standing []memory.Change
	// Fates has one element for each change that was asked for.
	Fates []memory.Applied
}

// Rewrite returns the file with the changes made in it as it stands, whoever wrote it
// since the changes were planned. Each change finds its line by its bytes, in its
// place or the next, else by the lesson's own id, and is merged member by member:
//
//   - A deletion is done when no more than the agent's own counting or the spelling
//     differs. A lesson that is not there is gone.
//   - An edit sets the members that differ between Before and After and keeps all
//     others. It is refused when a member has a third value, save for counts and
//     dates of use, which merge (see merge), or when the lesson is not there.
//   - An addition goes back to its place. It is gone when the lesson stands already,
//     and refused when another one has its id.
//   - Pins change no bytes.
//
// When a change is refused the file is returned as it was. The time is linear in the
// file and the changes.
func Rewrite(file string, changes []memory.Change) Made {
	r := newRewriter(file, changes)
	r.findLines()
	for i := range changes {
		switch changes[i].Do {
		case memory.Deleting:
			r.remove(i)
		case memory.Editing:
			r.edit(i)
		}
	}
	for _, i := range Additions(r.changes) {
		r.add(i)
	}
	if slices.ContainsFunc(r.fates, Refused) {
		return Made{Text: file, Fates: r.fates}
	}
	parts := r.parts()
	out, _ := Splice(file, parts) // they are of the file itself
	return Made{Text: out, Parts: parts, Changes: r.made(), Standing: r.asFound, Fates: r.fates}
}

// Refused reports whether a change was refused.
func Refused(a memory.Applied) bool { return a.Fate == memory.Refused }

// rewriter is one run of Rewrite. Lines are counted from 0 in it.
type rewriter struct {
	file      string
	lines     []Line
	starts    []int // offset of each line, and of the end
	changes   []memory.Change
	at        []int // line of each change, or -1
	claimed   map[int]bool
	unclaimed map[string][]int // by what lines have in common, those that no change looked at
	fates     []memory.Applied
	ids       map[string][]int // lines by own id, or by what they say without one

	texts   map[int]string // new text of edited lines
	deleted map[int]bool
	stand   map[string]*standings
	marks   map[string][]int // lines by mark, once one is asked for
	gaps    map[int][]int    // changes that add before a line
	placed  int
	done    []bool // changes that change bytes

	asFound []memory.Change // additions that need not be made; with After as it stands
}

func newRewriter(file string, changes []memory.Change) *rewriter {
	r := &rewriter{
		file: file, lines: Split(file), changes: changes,
		at: make([]int, len(changes)), claimed: map[int]bool{},
		fates: make([]memory.Applied, len(changes)), done: make([]bool, len(changes)),
		stand: map[string]*standings{}, texts: map[int]string{}, deleted: map[int]bool{},
		gaps: map[int][]int{}, unclaimed: map[string][]int{},
	}
	r.starts = make([]int, len(r.lines)+1)
	for i, l := range r.lines {
		r.starts[i+1] = r.starts[i] + len(l.Text) + int(l.End)
	}
	for i := range changes {
		r.fates[i].ID = changes[i].ID
	}
	return r
}

// remove decides about a deletion.
func (r *rewriter) remove(i int) {
	line := r.at[i]
	switch {
	case line < 0:
		r.fates[i].Fate, r.fates[i].Why = memory.Gone, "another writer removed it already"
	case !sameValues(r.lines[line].Text, r.before(i, line), true):
		r.refuse(i, line, "another writer changed it")
	default:
		r.deleted[line], r.done[i] = true, true
	}
}

// before returns the stored form that the change saw, whole.
func (r *rewriter) before(i, line int) string {
	if r.cutAt(i, line) {
		return r.lines[line].Text
	}
	return r.changes[i].Before
}

// edit decides about an edit.
func (r *rewriter) edit(i int) {
	ch, line := &r.changes[i], r.at[i]
	switch {
	case strings.ContainsAny(ch.After, "\n"):
		r.refuse(i, -1, "a record is one line")
		return
	case line < 0:
		r.refuse(i, -1, "another writer removed it")
		return
	}
	stands, after := r.lines[line].Text, ch.After
	if ch.Sums {
		after = summed(ch.Before, after, stands)
	}
	switch {
	case stands == r.before(i, line):
		r.set(i, line, after)
		return
	case stands == after:
		return
	}
	m, ok := merge(ch.Before, after, stands)
	switch {
	case !ok:
		r.refuse(i, line, "another writer changed it")
	case m.clash != "":
		r.refuse(i, line, "another writer changed "+m.clash+" too")
	default:
		r.set(i, line, m.text)
		if !m.own && !m.stood {
			r.fates[i].Fate = memory.Merged
		}
	}
}

// set gives a line another text.
func (r *rewriter) set(i, line int, text string) {
	if text != r.lines[line].Text {
		r.texts[line], r.done[i] = text, true
	}
}

// stands notes the form of an addition that need not be made.
func (r *rewriter) stands(i int, text string) {
	if ch := r.changes[i]; text != ch.After {
		ch.After = text
		r.asFound = append(r.asFound, ch)
	}
}

// refuse says why a change cannot be made, and what stands there.
func (r *rewriter) refuse(i, line int, why string) {
	f := &r.fates[i]
	f.Fate, f.Why = memory.Refused, why
	if line >= 0 {
		f.Theirs = r.lines[line].Text
		f.TheirRecord = recordOf(f.Theirs, line+1, f.ID)
	}
}

// Additions returns the changes that add, in the order of their places: those without
// one come last.
func Additions(changes []memory.Change) (order []int) {
	for i := range changes {
		if changes[i].Do == memory.Adding {
			order = append(order, i)
		}
	}
	place := func(i int) uint { return uint(changes[i].Line) - 1 } // 0 is the end
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(place(a), place(b)) })
	return order
}

// add decides about an addition.
func (r *rewriter) add(i int) {
	ch := &r.changes[i]
	if strings.ContainsAny(ch.After, "\n") || blank(ch.After) {
		r.refuse(i, -1, "a record is one line")
		return
	}
	line, same := r.standing(ch)
	if line < 0 {
		gap := r.gap(ch)
		r.gaps[gap] = append(r.gaps[gap], i)
		r.placed++
		r.done[i] = true
		return
	}
	if !same {
		r.refuse(i, line, "another record has its id")
		return
	}
	r.fates[i].Fate, r.fates[i].Why = memory.Gone, "it stands there already"
	r.at[i] = line
	if text, more := heighten(r.text(line), ch.After); more {
		r.fates[i].Fate = memory.Merged
		_, edited := r.texts[line] // by a change that has it in Made already
		r.texts[line], r.done[i] = text, !edited
		return
	}
	r.stands(i, r.text(line))
}

// text returns the text of a line as it is to be.
func (r *rewriter) text(line int) string {
	if text, ok := r.texts[line]; ok {
		return text
	}
	return r.lines[line].Text
}

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
		if n := nth(ch.ID, OwnID(ch.Before)); n > 1 && n <= len(lines) && r.claim(i, lines[n-1]) {
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
	if own := OwnID(line); own != "" {
		return "i" + own
	}
	if jstext.Trim(line) == "" {
		return ""
	}
	return "v" + loosely(line)
}

// OwnID returns the id that the lesson in a line has, or "" without one.
func OwnID(line string) (id string) {
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
