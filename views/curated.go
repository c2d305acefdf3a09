package views

import (
	"strconv"

	"winnow/core/memory"
)

// curated says what people and other writers did about the lesson: pins, look-alikes,
// and changes that were undone.
func (v LessonDetail) curated(p *paper) {
	r := v.Record
	if r.Flags&memory.FlagPinned != 0 {
		p.add(p.t.Strong, "", "PINNED (only Winnow knows)")
	}
	if n := len(r.Similar); n > 0 {
		p.add(p.t.Info, "", "Similar: "+strconv.Itoa(n)+" (D) press m")
	}
	v.kin(p)
	v.undone(p)
}

func (v LessonDetail) undone(p *paper) {
	switch {
	case v.Undone == 1:
		p.add(p.t.Warn, "", "Undone by another writer once")
	case v.Undone > 1:
		p.add(p.t.Warn, "", "Undone by another writer "+strconv.Itoa(v.Undone)+" times")
	}
}
