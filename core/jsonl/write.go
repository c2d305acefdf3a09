package jsonl

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"winnow/core/jstext"
	"winnow/core/lesson"
	"winnow/core/memory"
)

// parts returns the splices of all decided changes, in order.
func (r *rewriter) parts() (parts []memory.Splice) {
	var all, added, last []memory.Splice
	for line := range r.deleted {
		all = append(all, memory.Splice{At: int64(r.starts[line]), Old: r.file[r.starts[line]:r.starts[line+1]]})
	}
	for line, text := range r.texts {
		if !r.deleted[line] {
			all = append(all, difference(r.starts[line], r.lines[line].Text, text))
		}
	}
	for _, gap := range slices.Sorted(maps.Keys(r.gaps)) {
		if p := r.addition(gap); p.At == int64(len(r.file)) {
			last = append(last, p) // after what an edit appends to the last line
		} else {
			added = append(added, p)
		}
	}
	all = slices.Concat(added, all, last)
	sortParts(all)
	for _, p := range all {
		parts = appendPart(parts, p, r.file)
	}
	return parts
}

func sortParts(parts []memory.Splice) {
	slices.SortStableFunc(parts, func(a, b memory.Splice) int { return cmp.Compare(a.At, b.At) })
}

// addition returns the part that adds the records of a gap.
func (r *rewriter) addition(gap int) memory.Splice {
	end := r.lineEnd()
	var all strings.Builder
	for _, i := range r.gaps[gap] {
		all.WriteString(r.changes[i].After)
		all.WriteString(end)
	}
	text := all.String()
	behind := func(at int) memory.Splice {
		return memory.Splice{At: int64(at), New: end + strings.TrimSuffix(text, end)}
	}
	n := len(r.lines)
	if lead := r.leadingSpace(); lead > 0 && gap == r.nextNonBlank(0, 1) {
		return memory.Splice{At: int64(r.starts[gap] + lead), New: text}
	}
	if body := r.body(); body > 0 && gap == r.nextNonBlank(n-1, -1)+1 {
		return behind(r.starts[gap-1] + body)
	}
	if gap == n && n > 0 && r.lines[n-1].End == noEnd {
		if !r.deleted[n-1] {
			return behind(len(r.file))
		}
		text = strings.TrimSuffix(text, end)
	}
	return memory.Splice{At: int64(r.starts[gap]), New: text}
}

// nextNonBlank returns the first non-blank line from i, searching in steps of step. It is outside the file
// if there is none.
func (r *rewriter) nextNonBlank(i, step int) int {
	for i >= 0 && i < len(r.lines) && r.lines[i].blank() {
		i += step
	}
	return i
}

// leadingSpace returns the length of the white space before the first record if it is only accepted at the
// beginning of a file, and otherwise 0.
func (r *rewriter) leadingSpace() int {
	first := r.nextNonBlank(0, 1)
	if first == len(r.lines) || r.touched(first) {
		return 0
	}
	return lesson.OddSpace(r.lines[first].Text)
}

// body returns the length of the last record without the white space after it, if that is only
// accepted at the end of a file, and otherwise 0.
func (r *rewriter) body() int {
	last := r.nextNonBlank(len(r.lines)-1, -1)
	if last < 0 || r.touched(last) {
		return 0
	}
	line := r.lines[last].Text
	body := jstext.LeadingSpace(line) + len(jstext.Trim(line))
	if lesson.OddSpace(line[body:]) == 0 {
		return 0
	}
	return body
}

func (r *rewriter) touched(line int) bool {
	_, edited := r.texts[line]
	return edited || r.deleted[line]
}

// lineEnd returns the line end of the last line that has one.
func (r *rewriter) lineEnd() string {
	for i := len(r.lines) - 1; i >= 0 && i >= len(r.lines)-2; i-- {
		switch r.lines[i].End {
		case lf:
			return "\n"
		case crlf:
			return "\r\n"
		}
	}
	return "\n"
}

// made returns the changes that changed bytes, as they were made.
func (r *rewriter) made() (out []memory.Change) {
	positions, newLines := r.positions(), r.newLines()
	for i := range r.changes {
		if !r.done[i] {
			continue
		}
		ch := r.changes[i]
		line := r.at[i]
		switch {
		case line < 0:
			ch.Line, ch.Record.Line = newLines[i], newLines[i]
		case ch.Do == memory.Deleting:
			ch.Line, ch.Before = line+1, r.lines[line].Text
			ch.Behind, ch.Position = r.recordBefore(line), positions[line]
			ch.Record = recordOf(ch.Before, ch.Line, ch.ID)
		default:
			ch.Do, ch.Line, ch.Before, ch.After = memory.Editing, line+1, r.lines[line].Text, r.texts[line]
			ch.Behind, ch.Position = "", nil
			ch.Record, ch.Edited = recordOf(ch.Before, ch.Line, ch.ID), recordOf(ch.After, ch.Line, ch.ID)
		}
		out = append(out, ch)
	}
	return out
}

// newLines returns the line in the new file of each addition.
func (r *rewriter) newLines() map[int]int {
	all := map[int]int{}
	if len(r.gaps) == 0 {
		return all
	}
	line := 0 // in the new file
	for l := range r.starts {
		for _, i := range r.gaps[l] {
			line++
			all[i] = line
		}
		if !r.deleted[l] {
			line++
		}
	}
	return all
}

// recordOf returns the record of a line, with the name that it has in its store.
func recordOf(raw string, line int, id memory.ID) memory.Record {
	r := lesson.Record(raw, line)
	if id != "" {
		r.ID = id
	}
	return r
}

// recordBefore returns the name of the record before a line, or "" if there is none.
func (r *rewriter) recordBefore(line int) memory.ID {
	l := r.nextNonBlank(line-1, -1)
	if l < 0 {
		return ""
	}
	if own := OwnID(r.lines[l].Text); own != "" {
		return memory.ID(own)
	}
	return memory.LineID(l + 1)
}
