package judge

import (
	"slices"
	"strings"

	"winnow/core/detect"
	"winnow/core/memory"
)

// landRecord renders what a prompt gets of the line's record. It notes which finds are inside the block,
// and adds the places that break out of it.
func (w *walk) landRecord(r *memory.Record) {
	if r == nil || w.kind.form.Land == nil {
		return
	}
	l := w.kind.form.Land(r)
	for i := range w.finds {
		f := &w.finds[i]
		if part, ok := partOf(&l, f.Field); ok {
			f.Lands = l.Name
			f.cut = w.pastOf(f, l.Text[part.Start:part.End])
		}
	}
	for _, t := range detect.Breakouts(l) {
		i := slices.IndexFunc(l.Parts, func(p memory.LandedPart) bool { return t.Start >= p.Start && t.Start < p.End })
		if i < 0 {
			continue
		}
		part := l.Parts[i]
		if at := w.named(part.Field); at >= 0 {
			w.escape(at, l.Name, l.Text[part.Start:part.End], memory.Trace{
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

// named returns the index of the last top-level field with the key, or -1. JSON readers keep the
// last of several equal keys.
func (w *walk) named(key string) int {
	for i := len(w.fields) - 1; i >= 0; i-- {
		if f := &w.fields[i]; f.top && f.path == key {
			return i
		}
	}
	return -1
}

// pastOf reports whether a find is beyond the part of its field that the block contains.
func (w *walk) pastOf(f *find, part string) bool {
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

// escape adds a place that breaks out, if it lies in the block's part of a field. Each rule has at
// most one find in a field.
func (w *walk) escape(index int, block, part string, t memory.Trace) {
	f := &w.fields[index]
	start := whereIs(f.text, part, t.Start, t.End)
	t.Start, t.End = start, min(start+t.End-t.Start, len(f.text))
	for i := range w.finds {
		if at := &w.finds[i]; at.Rule == t.Rule && at.at == index {
			at.Count++
			return
		}
	}
	w.add(f, index, []memory.Trace{t})
	w.finds[len(w.finds)-1].Lands = block
}

// whereIs maps the bytes start to end of part, which may be filtered, to their place in text.
func whereIs(text, part string, start, end int) int {
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
