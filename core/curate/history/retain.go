package history

import (
	"slices"
	"time"
)

// leastKept is how many of the newest entries stay whatever the clock says: it may have
// been wrong when they were made, or be wrong now.
const leastKept = 20

// Keep drops entries that are older than since, but for the newest leastKept, and the
// oldest while the file is larger than limit bytes, which is without limit when 0. It
// does nothing when there are none. Pins and decisions stay, and so does what the guard
// watches over unless it is older than since and its entry is dropped. The lock must be
// held, and the state be fresh.
func (f *File) Keep(now, since time.Time, limit int64) error {
	first := f.first(since, limit)
	if first == 0 || f.State.Pending != nil {
		return nil
	}
	b := f.header(now)
	for i := first; i < len(f.State.Items); i++ {
		it := &f.State.Items[i]
		line, err := f.line(it)
		if err != nil {
			return err
		}
		b = append(append(b, line...), '\n')
		b = append(b, Encode(Event{Kind: Done, ID: it.ID})...)
	}
	b = append(b, Encode(Event{Kind: Sum, At: now, Sum: f.State.summary(first, since)})...)
	return f.renew(append(b, mark(f.State.Pins)...))
}

// first returns the index of the first entry that is kept.
func (f *File) first(since time.Time, limit int64) int {
	items := f.State.Items
	first := 0
	for first < len(items)-leastKept && items[first].At.Before(since) {
		first++
	}
	// What was not freed the last time is not tried for again with each change.
	if limit <= 0 || f.Size <= limit || f.Size <= f.State.sumEnd/4*5 {
		return first
	}
	// A fifth is freed, so that the next entries find room.
	room := limit/5*4 - int64(len(Encode(Event{Kind: Sum, Sum: f.State.summary(first, since)})))
	keep := len(items)
	for keep > first && (keep == len(items) || items[keep-1].place.size+overhead <= room) {
		keep--
		room -= items[keep].place.size + overhead
	}
	return keep
}

// overhead is about what an entry takes beside its line: the one that says it was made.
const overhead = 48

// Purge drops all entries. Pins and decisions stay; what the guard watches over is
// forgotten but for pins and for redactions by hashes, which hold no text. The lock must be held, and the state be fresh.
func (f *File) Purge(now time.Time) error {
	sum := f.State.summary(len(f.State.Items), now)
	sum.Undo, sum.Redo = nil, nil
	sum.Promises = slices.DeleteFunc(sum.Promises, func(p Promise) bool { return !p.Pinned })
	sum.Redactions = slices.DeleteFunc(sum.Redactions, func(r Redaction) bool { return r.Key == "" })
	b := append(f.header(now), Encode(Event{Kind: Sum, At: now, Sum: sum})...)
	return f.renew(append(b, mark(f.State.Pins)...))
}

// renew writes the file anew, durably, and reads it back.
func (f *File) renew(b []byte) error {
	log, err := f.opened()
	if err != nil {
		return err
	}
	if err := log.Rewrite(b); err != nil {
		f.drop()
		return err
	}
	f.unsure = false
	f.restart()
	return f.Refresh(true)
}

// Scrub writes the history anew with every stored form and every sentence as clean
// returns it, and with last, which is not cleaned, behind it; all of it durable. The
// bytes of an entry that changes so are dropped: it can be undone by its changes
// only. What cannot be read is dropped, as nobody knows what it holds. The lock must
// be held, and the state be fresh.
func (f *File) Scrub(clean func(string) string, last Event) error {
	events, err := f.Events(nil)
	if err != nil {
		return err
	}
	b := f.header(last.At)
	for i := range events {
		if events[i].Kind == Header || events[i].Kind == Mark || events[i].ID == noticeID {
			continue
		}
		events[i].Scrub(clean)
		b = append(b, Encode(events[i])...)
	}
	return f.renew(append(b, Encode(last)...))
}
