package jsonl

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"winnow/core/jstext"
	"winnow/core/lesson"
	"winnow/core/memory"
	"winnow/core/system"
)

// Made is a file after changes.
type Made struct {
	Text string
	// Parts turn the original file into Text. There may be none even if there are Changes.
	Parts []memory.Splice
	// Changes are those that changed bytes, with Before as it was and After as it is now. Line
	// refers to the original file, or for an addition to the new one. Behind is the id of the
	// preceding record, also for a deletion.
	Changes []memory.Change
	// Standing are additions that are already in the file in another form; After is that form.
	Standing []memory.Change
	// Fates has one element for each requested change.
	Fates []memory.Applied
}

// Rewrite returns the file with the changes made, even if others wrote to it since the changes were
// planned. Each change finds its line by its bytes, at its place or the next one, or else by the
// lesson's own id, and is merged member by member:
//
//   - A deletion is made if only the agent's own counting or the spelling differs. If the lesson
//     is missing, the fate is gone.
//   - An edit sets the members that differ between Before and After and keeps all others. It is
//     refused if the lesson is missing or a member has a third value, except for counts and
//     dates of use, which are merged (see merge).
//   - An addition goes back to its place. Its fate is gone if the lesson is already there; it is
//     refused if another lesson has its id.
//   - Pins change no bytes.
//
// If a change is refused, the file is returned unchanged. The running time is linear in the file
// and the changes.
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
	out, _ := Splice(file, parts) // the parts come from the file itself
	return Made{Text: out, Parts: parts, Changes: r.made(), Standing: r.asFound, Fates: r.fates}
}

// Refused reports whether a change was refused.
func Refused(a memory.Applied) bool { return a.Fate == memory.Refused }

// rewriter is the state of one Rewrite. It counts lines from 0.
type rewriter struct {
	file      string
	lines     []Line
	starts    []int // offset of each line, and of the end
	changes   []memory.Change
	at        []int // line of each change, or -1
	claimed   map[int]bool
	unclaimed map[string][]int // lines that no change has looked at yet, by what they share (see identityOf)
	fates     []memory.Applied
	ids       map[string][]int // lines by own id, or without one by content

	texts   map[int]string // new text of edited lines
	deleted map[int]bool
	staying map[string]*stayingLines
	marks   map[string][]int // lines by mark, filled on demand
	gaps    map[int][]int    // changes that add before a line
	placed  int
	done    []bool // whether each change changes bytes

	asFound []memory.Change // additions that are already there, with After as stored
}

func newRewriter(file string, changes []memory.Change) *rewriter {
	r := &rewriter{
		file: file, lines: split(file), changes: changes,
		at: make([]int, len(changes)), claimed: map[int]bool{},
		fates: make([]memory.Applied, len(changes)), done: make([]bool, len(changes)),
		staying: map[string]*stayingLines{}, texts: map[int]string{}, deleted: map[int]bool{},
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

// found returns what a change finds on a line, or on none for -1.
func (r *rewriter) found(i, line int) system.Found {
	if line < 0 {
		return system.Found{}
	}
	return system.Found{There: true, Theirs: func() (string, memory.Record) {
		text := r.lines[line].Text
		return text, recordOf(text, line+1, r.fates[i].ID)
	}}
}

// remove decides about a deletion.
func (r *rewriter) remove(i int) {
	line := r.at[i]
	found := r.found(i, line)
	found.AsSeen = found.There && sameValues(r.lines[line].Text, r.before(i, line), true)
	if found.Decide(memory.Deleting, &r.fates[i]) {
		r.deleted[line], r.done[i] = true, true
	}
}

// before returns the complete stored form that the change saw.
func (r *rewriter) before(i, line int) string {
	if r.cutAt(i, line) {
		return r.lines[line].Text
	}
	return r.changes[i].Before
}

// edit decides about an edit.
func (r *rewriter) edit(i int) {
	line, text := r.at[i], r.changes[i].After
	if strings.Contains(text, "\n") {
		r.refuse(i, "a record is one line")
		return
	}
	found := r.found(i, line)
	if found.There {
		text = r.merged(i, line, &found)
	}
	if found.Decide(memory.Editing, &r.fates[i]) {
		r.set(i, line, text)
	}
}

// merged returns what an edit makes of a line.
func (r *rewriter) merged(i, line int, found *system.Found) string {
	ch, current := &r.changes[i], r.lines[line].Text
	if current == r.before(i, line) {
		return ch.After
	}
	if current == ch.After {
		found.Made = true
		return current
	}
	m, ok := merge(ch.Before, ch.After, current)
	switch {
	case !ok:
		found.Clash = "it"
	case m.clash != "":
		found.Clash = m.clash + " too"
	}
	found.Merged = !m.own && !m.already
	return m.text
}

// set gives a line a new text.
func (r *rewriter) set(i, line int, text string) {
	if text != r.lines[line].Text {
		r.texts[line], r.done[i] = text, true
	}
}

// noteStanding records the form of an addition that is already in the file.
func (r *rewriter) noteStanding(i int, text string) {
	if ch := r.changes[i]; text != ch.After {
		ch.After = text
		r.asFound = append(r.asFound, ch)
	}
}

// refuse records that a change cannot be made, whatever is in the file.
func (r *rewriter) refuse(i int, why string) {
	r.fates[i].Fate, r.fates[i].Why = memory.Refused, why
}

// Additions returns the indices of the changes that add, ordered by place. Those without a place
// come last.
func Additions(changes []memory.Change) (order []int) {
	for i := range changes {
		if changes[i].Do == memory.Adding {
			order = append(order, i)
		}
	}
	place := func(i int) uint { return uint(changes[i].Line) - 1 } // 0, the end, becomes the highest
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(place(a), place(b)) })
	return order
}

// add decides about an addition.
func (r *rewriter) add(i int) {
	ch := &r.changes[i]
	if strings.Contains(ch.After, "\n") || blank(ch.After) {
		r.refuse(i, "a record is one line")
		return
	}
	line, same := r.blockingLine(ch)
	found := r.found(i, line)
	found.Made, found.Taken = same && line >= 0, "another record has its id"
	if found.Decide(memory.Adding, &r.fates[i]) {
		gap := r.gap(ch)
		r.gaps[gap] = append(r.gaps[gap], i)
		r.placed++
		r.done[i] = true
		return
	}
	if !found.Made {
		return
	}
	r.at[i] = line
	if text, more := withHigherCounts(r.text(line), ch.After); more {
		r.fates[i].Fate = memory.Merged
		_, edited := r.texts[line] // by a change that already lists it in Made
		r.texts[line], r.done[i] = text, !edited
		return
	}
	r.noteStanding(i, r.text(line))
}

// text returns the new text of a line.
func (r *rewriter) text(line int) string {
	if text, ok := r.texts[line]; ok {
		return text
	}
	return r.lines[line].Text
}

// findLines finds the line of each change that needs one: a line with the same bytes, or else with
// the same id. If several lines have that id, it prefers one that says the same, then the one that
// the change's name means ("a~2"), then the next one not claimed by another change. The merge
// decides later whether the line still says what the change saw.
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
		key := identityOf(ch.Before)
		lines := r.byKey(key)
		if n := nth(ch.ID, OwnID(ch.Before)); n > 1 && n <= len(lines) && r.claim(i, lines[n-1]) {
			continue
		}
		r.claimNext(i, r.unclaimed, key, lines)
	}
}

// claimSaying claims the next line with the id of a stored form that says the same, except for what
// agents count. says caches the lines of each id by what they say.
func (r *rewriter) claimSaying(i int, says map[string]map[string][]int, stored string) bool {
	key := identityOf(stored)
	lines := r.byKey(key)
	if len(lines) == 0 {
		return false
	}
	if says[key] == nil {
		says[key] = map[string][]int{}
		for _, l := range lines {
			text := looseMeaning(r.lines[l].Text)
			says[key][text] = append(says[key][text], l)
		}
	}
	text := looseMeaning(stored)
	return r.claimNext(i, says[key], text, says[key][text])
}

// findBytes finds the lines with exactly the bytes that the changes saw: the one at its place, or
// else the next one. It returns the changes without such a line.
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

// claimNext claims the next free line of a key for a change. unclaimed holds the lines of each key
// that were not tried yet.
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

// cutAt reports whether the change saw only the beginning of the line, and the line still begins
// with that and has the same length.
func (r *rewriter) cutAt(i, line int) bool {
	ch := &r.changes[i]
	return ch.Record.RawCut() && line >= 0 && line < len(r.lines) &&
		len(r.lines[line].Text) == ch.Record.RawLen && strings.HasPrefix(r.lines[line].Text, ch.Before)
}

// nth returns which of the records with the same own id a name means: 2 for "a~2".
func nth(name memory.ID, own string) int {
	if rest, ok := strings.CutPrefix(string(name), own+"~"); ok {
		if n, err := strconv.Atoi(rest); err == nil && n > 1 {
			return n
		}
	}
	return 1
}

// byKey returns the lines of a record (see identityOf).
func (r *rewriter) byKey(key string) []int {
	if r.ids == nil {
		r.ids = make(map[string][]int, len(r.lines))
		for l := range r.lines {
			if key := identityOf(r.lines[l].Text); key != "" {
				r.ids[key] = append(r.ids[key], l)
			}
		}
	}
	return r.ids[key]
}

// identityOf returns what two lines of one record share: the record's own id, or without one its
// content except what an agent counts.
func identityOf(line string) string {
	if own := OwnID(line); own != "" {
		return "i" + own
	}
	if jstext.Trim(line) == "" {
		return ""
	}
	return "v" + looseMeaning(line)
}

// OwnID returns the id of the lesson in a line, or "" if it has none.
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
