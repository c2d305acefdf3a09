package curate

import (
	"context"
	"errors"
	"slices"
	"time"

	"winnow/core/atomicfile"
)

// leastKept is the number of newest entries to keep whatever the clock says, because it may be
// wrong now, or may have been wrong when they were made.
const leastKept = 20

// keep drops entries that are older than since, except the newest leastKept, and then the oldest
// ones while the file is larger than limit bytes; 0 means no limit. It does nothing if there are
// none to drop. Pins and decisions stay. What the guard watches stays too, unless it is older than
// since and its entry is dropped. The lock must be held, and the state must be current.
func (f *historyFile) keep(now, since time.Time, limit int64) error {
	first := f.first(since, limit)
	if first == 0 || f.state.Pending != nil {
		return nil
	}
	b := f.header(now)
	for i := first; i < len(f.state.Items); i++ {
		it := &f.state.Items[i]
		line, err := f.line(it)
		if err != nil {
			return err
		}
		b = append(append(b, line...), '\n')
		b = append(b, encodeEvent(event{Kind: kindDone, ID: it.ID})...)
	}
	b = append(b, encodeEvent(event{Kind: kindSum, At: now, Sum: f.state.summary(first, since)})...)
	return f.rewriteDurably(append(b, historyMark(f.state.Pins)...))
}

// first returns the index of the first entry to keep.
func (f *historyFile) first(since time.Time, limit int64) int {
	items := f.state.Items
	first := 0
	for first < len(items)-leastKept && items[first].At.Before(since) {
		first++
	}
	// Do not try again with every change to free what could not be freed last time.
	if limit <= 0 || f.size <= limit || f.size <= f.state.sumEnd/4*5 {
		return first
	}
	// Free a fifth, so that the next entries have room.
	room := limit/5*4 - int64(len(encodeEvent(event{Kind: kindSum, Sum: f.state.summary(first, since)})))
	keep := len(items)
	for keep > first && (keep == len(items) || items[keep-1].place.size+itemOverhead <= room) {
		keep--
		room -= items[keep].place.size + itemOverhead
	}
	return keep
}

// itemOverhead is roughly what an entry takes in addition to its line: the line that says it was made.
const itemOverhead = 48

// purge drops all entries. Pins and decisions stay. The guard forgets what it watched, except pins,
// and redactions known by hashes, which contain no text. The lock must be held, and the state must
// be current.
func (f *historyFile) purge(now time.Time) error {
	sum := f.state.summary(len(f.state.Items), now)
	sum.Undo, sum.Redo = nil, nil
	sum.Promises = slices.DeleteFunc(sum.Promises, func(p promise) bool { return !p.Pinned })
	b := append(f.header(now), encodeEvent(event{Kind: kindSum, At: now, Sum: sum})...)
	return f.rewriteDurably(append(b, historyMark(f.state.Pins)...))
}

// rewriteDurably rewrites the file durably, and reads it back.
func (f *historyFile) rewriteDurably(b []byte) error {
	log, err := f.opened()
	if err != nil {
		return err
	}
	if err := log.Rewrite(b); err != nil {
		f.closeBroken()
		return err
	}
	f.unsure = false
	f.restart()
	return f.refresh(true)
}

// scrub rewrites the history durably, with every stored form and sentence replaced with the result
// of clean, and with last, which is not cleaned, at the end. An entry that this changes loses its
// bytes: it can only be undone by its changes. Unreadable lines are dropped, because nobody knows
// what they contain. The lock must be held, and the state must be current.
func (f *historyFile) scrub(clean func(string) string, last event) error {
	b, _, err := f.scrubbed(clean, last.At)
	if err != nil {
		return err
	}
	return f.rewriteDurably(append(b, encodeEvent(last)...))
}

// scrubbed returns the file without what clean removes, and whether that is less than it was.
func (f *historyFile) scrubbed(clean func(string) string, at time.Time) (b []byte, changed bool, err error) {
	events, err := f.events(nil)
	if err != nil {
		return nil, false, err
	}
	b = f.header(at)
	for i := range events {
		if events[i].Kind == kindHeader || events[i].Kind == kindMark {
			continue
		}
		if events[i].scrub(clean) {
			changed = true
		}
		b = append(b, encodeEvent(events[i])...)
	}
	return b, changed, nil
}

// cleanHistory removes from the history in a folder what a redaction of another store removed, and reports
// whether there was any. An older history that holds it is deleted. A history with an unfinished change is
// refused.
func cleanHistory(
	ctx context.Context, disk atomicfile.Disk, dir string, clean func(string) string, now time.Time,
) (changed bool, _ error) {
	f := openHistory(disk, dir, "")
	unlock, err := f.lock(ctx)
	if err != nil {
		return false, err
	}
	defer unlock()
	if f.state.Pending != nil {
		return false, errors.New("a change of its store is unfinished: winnow doctor finishes it")
	}
	if _, err := f.moveOlder(now); err != nil {
		return false, err
	}
	held, err := f.olderHolds(clean)
	if err != nil {
		return false, err
	}
	if held {
		if _, err := f.removeOlder(); err != nil {
			return false, err
		}
	}
	b, changed, err := f.scrubbed(clean, now)
	if err != nil || !changed {
		return held, err
	}
	return true, f.rewriteDurably(append(b, historyMark(f.state.Pins)...))
}
