package judge

import (
	"slices"
	"strings"

	"winnow/core/detect"
	"winnow/core/memory"
)

// judgeRendered renders what a prompt gets of the line's record. It notes which matches are inside the block,
// and adds the places that break out of it.
func (w *lineWalk) judgeRendered(r *memory.Record) {
	if r == nil || w.kind.form.Land == nil {
		return
	}
	l := w.kind.form.Land(r)
	for i := range w.matches {
		f := &w.matches[i]
		if part, ok := partOf(&l, f.Field); ok {
			f.Lands = l.Name
			f.cut = w.isCutOff(f, l.Text[part.Start:part.End])
		}
	}
	for _, t := range detect.Breakouts(l) {
		i := slices.IndexFunc(l.Parts, func(p memory.LandedPart) bool { return t.Start >= p.Start && t.Start < p.End })
		if i < 0 {
			continue
		}
		part := l.Parts[i]
		if at := w.lastFieldNamed(part.Field); at >= 0 {
			w.addBreakout(at, l.Name, l.Text[part.Start:part.End], memory.Trace{
				Start: t.Start - part.Start, End: min(t.End, part.End) - part.Start, Rule: t.Rule, Shown: t.Shown,
			})
		}
	}
}

func partOf(l *memory.Landed, field string) (memory.LandedPart, bool) {
	for _, p := range l.Parts {
		if p.Field == field {
			return p, true
		}
	}
	return memory.LandedPart{}, false
}

// lastFieldNamed returns the index of the last top-level field with the key, or -1. JSON readers keep the
// last of several equal keys.
func (w *lineWalk) lastFieldNamed(key string) int {
	for i := len(w.fields) - 1; i >= 0; i-- {
		if f := &w.fields[i]; f.top && f.path == key {
			return i
		}
	}
	return -1
}

// isCutOff reports whether a match is beyond the part of its field that the block contains.
func (w *lineWalk) isCutOff(f *match, part string) bool {
	at := &w.fields[f.at]
	return at.source.Text(int(f.Offset)-at.start, false) >= lengthInBlock(at.text, part)
}

// lengthInBlock returns how much of text the block contains, given the part in the block, which a filter
// may have changed.
func lengthInBlock(text, part string) int {
	if strings.HasPrefix(text, part) {
		return len(part)
	}
	if len(part) > 0 && len(text) > len(part) { // it was filtered: look for its end
		tail := part[max(0, runeTo(part, len(part)-20)):]
		if i := strings.LastIndex(text, tail); i >= 0 {
			return i + len(tail)
		}
	}
	return len(text)
}

// addBreakout adds a place that breaks out, if it lies in the block's part of a field. Each rule has at
// most one match in a field.
func (w *lineWalk) addBreakout(index int, block, part string, t memory.Trace) {
	f := &w.fields[index]
	start := mapToText(f.text, part, t.Start, t.End)
	t.Start, t.End = start, min(start+t.End-t.Start, len(f.text))
	for i := range w.matches {
		if at := &w.matches[i]; at.Rule == t.Rule && at.at == index {
			at.Count++
			return
		}
	}
	w.add(f, index, []memory.Trace{t})
	w.matches[len(w.matches)-1].Lands = block
}

// mapToText maps the bytes start to end of part, which may be filtered, to their place in text.
func mapToText(text, part string, start, end int) int {
	if strings.HasPrefix(text, part[:start]) {
		return start
	}
	what := part[start:end]
	at := 0
	for n := strings.Count(part[:start], what); ; n-- {
		i := strings.Index(text[at:], what)
		if i < 0 {
			return min(start, len(text))
		}
		if at += i; n == 0 {
			return at
		}
		at += max(len(what), 1)
	}
}
