package history

import (
	"reflect"
	"slices"

	"winnow/core/memory"
)

// line is an event as it is written: what no field holds as its members do is in lists.
type line struct {
	Event
	Decided []decision
	Sum     *sumLine
}

type sumLine struct {
	Summary
	Promises []promiseLine
	Decided  []decision
}

// promiseLine is a promise as it is written. Of its forms it has what each change began
// from, and what each made unless that is what the next one began from.
type promiseLine struct {
	Promise
	Was, Made []string
}

type decision struct {
	ID   memory.ID
	What memory.Decision
}

// lineOf returns an event as it is written.
func lineOf(e *Event) *line {
	l := &line{Event: *e, Decided: decisions(e.Decided)}
	if s := e.Sum; s != nil {
		l.Sum = &sumLine{Summary: *s, Decided: decisions(s.Decided), Promises: make([]promiseLine, len(s.Promises))}
		for i, p := range s.Promises {
			w := promiseLine{Promise: p}
			var made []string
			for _, f := range p.Forms {
				w.Was, made = append(w.Was, f.Before), append(made, f.After)
			}
			if !slices.Equal(p.Forms, w.forms()) {
				w.Made = made
			}
			l.Sum.Promises[i] = w
		}
	}
	return l
}

// event returns what a line says.
func (l *line) event() Event {
	e := l.Event
	if len(l.Decided) > 0 {
		e.Decided = byID(l.Decided)
	}
	if l.Sum != nil {
		s := l.Sum.Summary
		s.Decided, s.Promises = byID(l.Sum.Decided), nil
		for _, w := range l.Sum.Promises {
			w.Forms = w.forms()
			s.Promises = append(s.Promises, w.Promise)
		}
		e.Sum = &s
	}
	return e
}

// forms returns the changes of a promise. Where Made does not say otherwise, each made what
// the next one began from.
func (w *promiseLine) forms() memory.Forms {
	var all memory.Forms
	for i, before := range w.Was {
		f := memory.FormChange{Before: before, After: w.Mine}
		if i < len(w.Made) {
			f.After = w.Made[i]
		} else if i+1 < len(w.Was) {
			f.After = w.Was[i+1]
		}
		all = append(all, f)
	}
	return all
}

// decisions returns decisions in the order of their ids.
func decisions(d map[memory.ID]memory.Decision) (all []decision) {
	for _, id := range sorted(d) {
		all = append(all, decision{id, d[id]})
	}
	return all
}

func byID(all []decision) map[memory.ID]memory.Decision {
	d := map[memory.ID]memory.Decision{}
	for _, one := range all {
		d[one.ID] = one.What
	}
	return d
}

// Scrub cleans one event, and reports whether that changed it. It then has no splices.
func (e *Event) Scrub(clean func(string) string) (changed bool) {
	l := lineOf(e)
	cleanTexts(reflect.ValueOf(l), func(was string) string {
		is := clean(was)
		changed = changed || is != was
		return is
	})
	if *e = l.event(); changed {
		e.Splices = nil
	}
	return changed
}
