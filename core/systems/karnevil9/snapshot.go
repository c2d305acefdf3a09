package karnevil9

import (
	"context"
	"slices"
	"time"

	"winnow/core/lesson"
	"winnow/core/memory"
	"winnow/core/quietread"
)

// Bounds of the loaded part of a store.
const (
	maxRecords = 100_000
	maxText    = 64 << 20
)

// When parts are shown. firstPart is a screen full and more, so that the first
// frame does not wait; what is left after it must be worth the work.
const (
	firstPart  = 300
	worthParts = 256 << 10
	partsEvery = 150 * time.Millisecond
)

// seen is the last whole snapshot of a store.
type seen struct {
	state
	window memory.Window
	snap   memory.Snapshot
	index  *index
	report report
}

// Snapshot implements [system.Snapshotter].
func (s *Store) Snapshot(ctx context.Context, w memory.Window, emit func(memory.Snapshot)) (memory.Snapshot, error) {
	if w.Max <= 0 || w.Max > maxRecords {
		w.Max = maxRecords
	}
	w.First = max(w.First, 0)
	for tries := 2; ; tries-- {
		snap, again, err := s.snapshot(ctx, w, emit)
		if err != nil || !again || tries == 0 {
			return snap, err
		}
	}
}

// snapshot reads the store once. again is set when the file was written
// meanwhile, so that the snapshot may mix two states.
func (s *Store) snapshot(ctx context.Context, w memory.Window, emit func(memory.Snapshot)) (_ memory.Snapshot, again bool, _ error) {
	snap := memory.Snapshot{
		Place: s.Info().Place, TakenAt: s.now(), Writer: writer(s.path),
		Cap: lesson.Cap, LoadCap: lesson.LoadCap,
	}
	s.aim.Look(s.disk, s.path)
	f, p := open(s.path)
	if p != nil {
		snap.Problem = p
		snap.Place.Exists = p.Code != quietread.CodeMissing
		return snap, false, ctx.Err()
	}
	defer f.Close()
	snap.Place.Exists = true
	snap.Size, snap.Mode, snap.ModTime = f.Info.Size(), f.Info.Mode(), f.Info.ModTime()
	snap.Git = s.lastGit()

	known := s.known(f, snap.TakenAt)
	if known != nil && known.window == w {
		same := known.snap
		same.Writer = snap.Writer
		if same.Git != snap.Git {
			same.Git = snap.Git
			known.report.describe(&same)
		}
		return same, false, ctx.Err()
	}
	r := reading{f: f, now: s.now, window: w, snap: snap, emit: emit, index: new(index)}
	if known != nil {
		r.index, r.report, r.counted = known.index, known.report, true
	}
	r.old.records = s.earlier()
	if err := r.run(ctx); ctx.Err() != nil {
		return memory.Snapshot{}, false, ctx.Err()
	} else if err != nil {
		snap.Problem = unreadable(err)
		return snap, false, nil
	}
	if f.Changed() {
		return r.snap, true, nil
	}
	s.remember(f, snap.TakenAt, r.report.list)
	s.mu.Lock()
	s.seen = &seen{state{f.Info, snap.TakenAt}, w, r.snap, r.index, r.report}
	s.mu.Unlock()
	return r.snap, false, nil
}

// known returns what is known of the state that f is in, or nil.
func (s *Store) known(f *quietread.File, now time.Time) *seen {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seen == nil || !s.seen.is(f, now) {
		return nil
	}
	return s.seen
}

// earlier returns the records of the last snapshot, of whatever state.
func (s *Store) earlier() []memory.Record {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seen == nil {
		return nil
	}
	return s.seen.snap.Records
}

// reading is one pass over a store: first what an agent would load, then the
// window, then the rest, which is only counted.
type reading struct {
	f      *quietread.File
	now    func() time.Time
	window memory.Window
	snap   memory.Snapshot
	emit   func(memory.Snapshot)

	index   *index
	report  report
	counted bool // index and report are complete already
	at      int  // records that were met

	loader *lesson.Loader
	list   *lesson.List // once the loader is done

	old    earlier
	batch  []found
	text   int64
	names  lesson.Namer
	twice  []int // lines of records whose id comes again
	nextAt time.Time
	shown  int // records that were emitted
	marked int // records that have their forecast
}

func (r *reading) run(ctx context.Context) error {
	now := r.snap.TakenAt
	r.loader = lesson.NewLoader(now, now.Location())
	if r.f.Info.Size() > tooLarge {
		r.loaded()
	}
	all := linesFrom(r.f, 0, 1)
	for r.list == nil || !r.full() {
		if r.list != nil && r.counted {
			all = r.jump(all)
		}
		l, more, err := r.next(ctx, all)
		if err != nil {
			return err
		}
		if !more {
			break
		}
		r.visit(&l)
	}
	r.flush()
	if r.list == nil {
		r.loaded()
	}
	r.mark()
	if err := r.countRest(ctx); err != nil {
		return err
	}
	r.finish()
	return nil
}

// next returns the next record and counts what it passes.
func (r *reading) next(ctx context.Context, all *lines) (line, bool, error) {
	l, more, err := all.record(ctx)
	if more && !r.counted {
		r.index.add(&l)
	}
	return l, more, err
}

// jump goes on at the nearest known place before the window, when that saves
// reading.
func (r *reading) jump(all *lines) *lines {
	m := r.index.near(r.window.First)
	if m.records <= r.at {
		return all
	}
	r.at = m.records
	return linesFrom(r.f, m.off, m.line)
}

// visit takes a record where it is wanted.
func (r *reading) visit(l *line) {
	r.at++
	wanted := r.at > r.window.First && !r.full()
	if !wanted && r.list != nil {
		return
	}
	copied := r.find(l)
	if r.list == nil && !copied.load(r.loader) {
		r.loaded()
	}
	if wanted {
		r.gather(l, copied)
	}
}

// find copies a line, unless it was decoded before.
func (r *reading) find(l *line) found {
	if !l.long() {
		if known := r.old.find(l.raw()); known != nil {
			return found{text: known.Raw, no: l.No, known: known}
		}
	}
	return l.find()
}

// loaded notes that the agent would have read all that it reads.
func (r *reading) loaded() {
	r.list = r.loader.List()
	r.report.list, r.report.read = r.list, r.at
}

// full reports whether the window is loaded.
func (r *reading) full() bool {
	return len(r.snap.Records)+len(r.batch) >= r.window.Max || r.text >= maxText
}

// countRest counts what comes after the window.
func (r *reading) countRest(ctx context.Context) error {
	if r.counted {
		return nil
	}
	rest := r.f.Info.Size() - r.index.off
	if rest > worthParts {
		r.show()
	}
	return r.index.count(ctx, r.f, func() {
		if r.now().After(r.nextAt) {
			r.show()
		}
	})
}

// show emits what is there.
func (r *reading) show() {
	r.nextAt = r.now().Add(partsEvery)
	part := r.snap
	part.Partial = true
	part.First, part.Total = r.first(), max(r.index.records, r.at)
	r.report.describe(&part)
	r.emit(part)
	r.shown = len(part.Records)
}

func (r *reading) first() int { return min(r.window.First, r.index.records) }

// finish completes the snapshot.
func (r *reading) finish() {
	r.snap.First, r.snap.Total = r.first(), r.index.records
	if len(r.twice) > 0 && r.shown > 0 {
		r.snap.Records = slices.Clone(r.snap.Records) // the shown ones stay as they were
	}
	for _, no := range r.twice {
		i, ok := slices.BinarySearchFunc(r.snap.Records, no, func(m memory.Record, no int) int { return m.Line - no })
		if ok {
			r.snap.Records[i].Flags |= memory.FlagDuplicate
		}
	}
	if r.snap.Total == 0 {
		r.snap.Problem = empty()
	}
	r.report.describe(&r.snap)
}
