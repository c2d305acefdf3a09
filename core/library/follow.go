package library

import (
	"context"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"winnow/core/memory"
	"winnow/core/share/joined"
	"winnow/core/system"
	"winnow/core/watch"
)

const (
	// readTime is how long a read may go on after the store changed. Nearly every read ends within
	// that time. For as long, an old complete snapshot is preferred to a new partial one.
	readTime = time.Second
	// readAgain is how often an unchanged store is read again, because records age.
	readAgain = time.Hour
	// firstFrameTime is the pause before the first comparison of records, since drawing is more urgent.
	firstFrameTime = 150 * time.Millisecond
	// fewRecords is how many records can be compared and audited before a change is shown.
	fewRecords = 500
	// detailAge is how long details are reused.
	detailAge = 10 * time.Second
	// evidenceAge is how long evidence from sessions is reused.
	evidenceAge = time.Minute
)

// Follow reads a store now and after every change, and sends snapshots. The channel holds only the newest
// snapshot. When ctx ends, Follow closes it.
func (l *Library) Follow(ctx context.Context, id memory.StoreID) <-chan memory.Snapshot {
	f := &follow{lib: l, id: id, out: make(chan memory.Snapshot, 1), touched: make(chan struct{}, 1)}
	l.mu.Lock()
	l.follows[f] = true
	l.mu.Unlock()
	l.start(func() { f.run(ctx) })
	return f.out
}

// follow is one call of Follow. Except as noted, only the goroutine of run uses its fields.
type follow struct {
	lib *Library
	id  memory.StoreID
	sys system.Store
	out chan memory.Snapshot
	// touched holds a token if the library itself changed something about the store.
	touched chan struct{}

	mode     memory.WatchMode
	seq      int
	last     memory.Snapshot // the last one sent
	complete bool            // last is complete
	arrival  arrivals

	// lastRecords are the records of the last complete read, or nil. Only reads use it.
	lastRecords *[]memory.Record
	// doneAgain counts the changes that were reapplied since following began.
	doneAgain int

	// detailed is when details were last read. Only reads use it.
	detailed time.Time
	// evidence is the evidence about the records as of weighedAt. Only reads use both.
	evidence  map[memory.ID]memory.Evidence
	weighedAt time.Time

	running   sync.WaitGroup
	read      *read // the current read, or nil
	readAgain bool  // Read again after the current read
}

// Read is one read of the store. At its end it closes parts.
type read struct {
	parts   chan memory.Snapshot
	cancel  context.CancelFunc
	stopped bool
	audited bool // the audit was sent; what follows is not urgent
	began   time.Time
}

func (f *follow) run(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer f.end()
	defer cancel()
	var err error
	if f.sys, err = f.lib.Store(f.id); err != nil {
		f.send(memory.Snapshot{Problem: &memory.Problem{Code: "unknown", What: err.Error()}})
		<-ctx.Done()
		return
	}
	events := f.watched(ctx)
	f.start(ctx)
	age := time.NewTicker(readAgain)
	defer age.Stop()
	for f.step(ctx, events, age.C) {
	}
	cancel()
	if events != nil {
		for range events { // wait until the watcher closes it
		}
	}
}

// background runs work in the background; end waits for it.
func (f *follow) background(work func()) {
	f.running.Add(1)
	f.lib.start(func() {
		defer f.running.Done()
		work()
	})
}

// end waits for all background work, and closes the channel.
func (f *follow) end() {
	f.running.Wait()
	f.lib.mu.Lock()
	delete(f.lib.follows, f)
	f.lib.mu.Unlock()
	close(f.out)
}

// watched begins to watch the store. It returns once the watch is in place, so that no change after the
// first read is missed.
func (f *follow) watched(ctx context.Context) <-chan watch.Event {
	w, ok := f.sys.(system.Watched)
	if !ok {
		return nil
	}
	paths := slices.Clone(w.WatchPaths())
	if dir := f.lib.state.Dir; dir != "" { // another Winnow may ignore findings
		paths = append(paths, filepath.Join(dir, ignoredName))
		key := joined.KeyOf(RealID(f.id))
		if _, err := f.lib.shares.Read(key); err == nil { // another Winnow may sync
			paths = append(paths, f.lib.shares.Path(key+joined.FileEnd))
		}
	}
	events := f.lib.watch.Files(ctx, paths)
	if ev, ok := <-events; ok {
		f.mode = ev.Mode
	}
	return events
}

// step handles one event. It returns false when ctx is done.
func (f *follow) step(ctx context.Context, events <-chan watch.Event, age <-chan time.Time) bool {
	var parts chan memory.Snapshot
	if f.read != nil {
		parts = f.read.parts
	}
	select {
	case <-ctx.Done():
		return false
	case ev, ok := <-events:
		if ok {
			f.onEvent(ctx, ev)
		}
	case <-age:
		f.restart(ctx)
	case <-f.touched:
		f.restart(ctx)
	case snap, ok := <-parts:
		f.onPart(ctx, snap, ok)
	}
	return ctx.Err() == nil
}

func (f *follow) onEvent(ctx context.Context, ev watch.Event) {
	if ev.Mode != f.mode {
		f.mode = ev.Mode
		if f.seq > 0 {
			f.send(f.last)
		}
	}
	if ev.Changed {
		f.restart(ctx)
	}
}

// restart reads the store. If a read is under way, the new one follows it. It cancels that read if it has
// been audited or has taken longer than readTime.
func (f *follow) restart(ctx context.Context) {
	if f.read == nil {
		f.start(ctx)
		return
	}
	f.readAgain = true
	if f.read.audited || f.lib.now().Sub(f.read.began) >= readTime {
		f.read.stopped = true
		f.read.cancel()
	}
}

func (f *follow) start(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	r := &read{parts: make(chan memory.Snapshot), cancel: cancel, began: f.lib.now()}
	f.read, f.readAgain = r, false
	first := f.seq == 0
	f.background(func() {
		defer close(r.parts)
		defer cancel()
		pass := func(s memory.Snapshot) {
			if len(f.evidence) > 0 { // or the counts would be gone until the last part, and the rows sorted without
				s = weighed(s, f.sys, f.evidence)
			}
			select {
			case r.parts <- s:
			case <-ctx.Done():
			}
		}
		snap, err := f.lib.read(ctx, f.sys, pass)
		if err != nil {
			return
		}
		if first { // show it at once, the rest follows
			pass(snap)
		}
		bare := snap
		snap = f.curated(ctx, bare)
		if first && addsTo(&snap, &bare) || !first && len(snap.Records) > fewRecords {
			pass(snap)
		}
		if first && !waitFirstFrame(ctx) {
			return
		}
		snap = f.lib.audited(ctx, f.lib.withGone(withSimilar(snap, f.sys)))
		pass(snap)
		type step func(context.Context, memory.Snapshot) (memory.Snapshot, bool)
		for _, more := range []step{f.withKin, f.detail, f.withEvidence} {
			found := false
			if snap, found = more(ctx, snap); found {
				pass(snap)
			}
		}
	})
}

// waitFirstFrame waits until the store has been drawn first. It returns false if ctx is done before.
func waitFirstFrame(ctx context.Context) bool {
	select {
	case <-time.After(firstFrameTime):
		return true
	case <-ctx.Done():
		return false
	}
}

// onPart handles a snapshot from the current read, or the end of that read.
func (f *follow) onPart(ctx context.Context, snap memory.Snapshot, ok bool) {
	r := f.read
	if !ok {
		f.read = nil
		if f.readAgain {
			f.start(ctx)
		}
		return
	}
	if r.stopped || snap.Partial && f.complete && f.lib.now().Sub(r.began) < readTime {
		return
	}
	r.audited = snap.Audited
	f.complete = !snap.Partial
	f.send(f.arrival.mark(snap))
}

// send puts a snapshot into the channel, and replaces one that nobody has received.
func (f *follow) send(snap memory.Snapshot) {
	f.seq++
	snap.Seq, snap.Watch = f.seq, f.mode
	if snap.Place.Store == "" {
		snap.Place.Store = f.id
	}
	snap = masked(snap)
	snap.Place = f.lib.place(snap.Place)
	f.last = snap
	select {
	case <-f.out:
	default:
	}
	f.out <- snap
}

// detail returns a snapshot with details that are too slow for the read itself, and whether they are new.
// It reads them at most once per detailAge.
func (f *follow) detail(ctx context.Context, snap memory.Snapshot) (memory.Snapshot, bool) {
	detail := f.sys.Info().Detail
	if detail == nil || snap.Problem != nil && !snap.Place.Exists || f.lib.now().Sub(f.detailed) < detailAge {
		return snap, false
	}
	next := detail(ctx, snap)
	if ctx.Err() != nil {
		return snap, false
	}
	f.detailed = f.lib.now()
	if next.Git == snap.Git && slices.Equal(next.Facts, snap.Facts) {
		return snap, false
	}
	for _, h := range snap.Health {
		same := func(o memory.Health) bool { return o.Code == h.Code }
		if (h.Code == codeHistory || h.Code == joined.HealthCode) && !slices.ContainsFunc(next.Health, same) {
			next.Health = append(slices.Clip(next.Health), h)
		}
	}
	return f.lib.audited(ctx, next), true
}

// withEvidence asks the sessions anew whether records helped them, at most once per evidenceAge, and reports whether
// it did and anything is known. What is known comes with each snapshot that a read passes on.
func (f *follow) withEvidence(ctx context.Context, snap memory.Snapshot) (memory.Snapshot, bool) {
	now := f.lib.now()
	if len(snap.Records) == 0 || len(snap.Records) > mostKin || now.Sub(f.weighedAt) < evidenceAge {
		return snap, false
	}
	evidence, _ := f.lib.evidence(ctx, f.id, snap.Records) // on an error, some sessions are missing
	if ctx.Err() != nil {
		return snap, false // what is known stays, and the next read asks again
	}
	f.evidence, f.weighedAt = evidence, now
	return snap, len(evidence) > 0
}

// arrivals holds the records that were there when following began. It is nil until all were read.
type arrivals map[memory.ID]bool

// mark flags the records that arrived since then.
func (a *arrivals) mark(snap memory.Snapshot) memory.Snapshot {
	if *a != nil {
		return annotated(snap, func(_ int, r *memory.Record) bool {
			r.Flags |= memory.FlagNew
			return !(*a)[r.ID]
		})
	}
	if !snap.Partial {
		*a = make(arrivals, len(snap.Records))
		for i := range snap.Records {
			(*a)[snap.Records[i].ID] = true
		}
	}
	return snap
}

// FilesChanged sends when one of the files changed. The channel holds one event and is closed when ctx ends.
func (l *Library) FilesChanged(ctx context.Context, paths []string) <-chan struct{} {
	out := make(chan struct{}, 1)
	events := l.watch.Files(ctx, paths)
	l.start(func() {
		defer close(out)
		for e := range events {
			if !e.Changed {
				continue
			}
			select {
			case out <- struct{}{}:
			default: // one is pending already
			}
		}
	})
	return out
}
