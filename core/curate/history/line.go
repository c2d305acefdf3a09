package history

import (
	"reflect"
	"slices"

	"winnow/core/memory"
)

// promiseLine is a promise as it is written. Of its forms it has what each change began
// from, and what each made unless that is what the next one began from.
type promiseLine struct {
	Promise
	Was, Made []string
}

// decision is one of a map of decisions, which is written as a list.
type decision struct {
	ID   memory.ID
	What memory.Decision
}

// lineOf returns a promise as it is written.
func lineOf(p *Promise) *promiseLine {
	l := &promiseLine{Promise: *p}
	var made []string
	for _, f := range p.Forms {
		l.Was, made = append(l.Was, f.Before), append(made, f.After)
	}
	if !slices.Equal(p.Forms, l.promise().Forms) {
		l.Made = made
	}
	return l
}

// promise returns what a line says. Where Made does not say otherwise, each change made what
// the next one began from.
func (l *promiseLine) promise() Promise {
	p := l.Promise
	p.Forms = nil
	for i, before := range l.Was {
		f := memory.FormChange{Before: before, After: l.Mine}
		if i < len(l.Made) {
			f.After = l.Made[i]
		} else if i+1 < len(l.Was) {
			f.After = l.Was[i+1]
		}
		p.Forms = append(p.Forms, f)
	}
	return p
}

// decisions returns decisions in the order of their ids.
func decisions(d map[memory.ID]memory.Decision) *[]decision {
	var all []decision
	for _, id := range sorted(d) {
		all = append(all, decision{id, d[id]})
	}
	return &all
}

func byID(all []decision) map[memory.ID]memory.Decision {
	d := map[memory.ID]memory.Decision{}
	for _, one := range all {
		d[one.ID] = one.What
	}
	return d
}

// Scrub cleans one event, and reports whether that changed it. It then has no splices.
// Changes and the summary are cleaned in their place.
func (e *Event) Scrub(clean func(string) string) (changed bool) {
	cleanTexts(reflect.ValueOf(e).Elem(), func(was string) string {
		is := clean(was)
		changed = changed || is != was
		return is
	})
	if changed {
		e.Splices = nil
	}
	return changed
}
