package lessonfile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"winnow/core/lesson"
	"winnow/core/memory"
	"winnow/core/quietread"
)

// CodeEmpty is the problem code of a file without lessons.
const CodeEmpty = "empty"

// A store within these limits is held in memory. Of a larger one, only the first records are shown,
// and it is not written.
const (
	maxRecords = 50_000
	maxSize    = 32 << 20
)

// firstPart is more than a screenful of records. They are shown before the rest is read, so that
// the first frame does not wait, unless less than worthPart bytes remain. batch is the number of
// records decoded together.
const (
	firstPart = 300
	batch     = 2048
	worthPart = 256 << 10
)

// Snapshot implements [system.Snapshotter].
func (s *Store) Snapshot(ctx context.Context, emit func(memory.Snapshot)) (memory.Snapshot, error) {
	for tries := 2; ; tries-- {
		snap, again, err := s.snapshot(ctx, emit)
		if err != nil || !again || tries == 0 {
			return snap, err
		}
	}
}

// snapshot reads the store once. again is set if the file was written meanwhile, so that the
// snapshot may mix two states.
func (s *Store) snapshot(ctx context.Context, emit func(memory.Snapshot)) (_ memory.Snapshot, again bool, _ error) {
	snap := memory.Snapshot{
		Place: s.Info().Place, TakenAt: s.now(),
		Cap: lesson.Cap, LoadCap: lesson.LoadCap,
	}
	if s.kind.Writer != nil {
		snap.Writer = s.kind.Writer(s.path)
	}
	f, p := s.open()
	if p != nil {
		snap.Problem = p
		snap.Place.Exists = p.Code != quietread.CodeMissing
		return snap, false, ctx.Err()
	}
	defer f.Close()
	snap.Place.Exists = true
	snap.Size, snap.Mode, snap.ModTime = f.Info.Size(), f.Info.Mode(), f.Info.ModTime()
	s.mu.Lock()
	last := s.cache
	snap.Git = s.git
	s.mu.Unlock()
	if last != nil && last.snap != nil && last.unchanged(f, snap.TakenAt) {
		same := *last.snap
		same.Writer = snap.Writer
		if same.Git != snap.Git {
			same.Git = snap.Git
			last.report.describe(&same)
		}
		return same, false, ctx.Err()
	}
	r := reading{store: s, lines: linesFrom(f.Whole()), snap: snap, emit: emit}
	r.report.approving = s.approved != nil
	if err := r.run(ctx); ctx.Err() != nil {
		return memory.Snapshot{}, false, ctx.Err()
	} else if err != nil {
		snap.Problem = unreadable(err)
		return snap, false, nil
	}
	if f.Changed() {
		return r.snap, true, nil
	}
	snap = r.snap
	s.setCache(&cachedState{state{f.Info, snap.TakenAt}, r.report.list, &snap, r.report})
	return snap, false, nil
}

// reading is the state of one pass over a store.
type reading struct {
	store  *Store
	lines  *lines
	snap   memory.Snapshot
	emit   func(memory.Snapshot)
	report report

	batch  []line
	text   int64 // bytes of the records so far
	names  lesson.Namer
	twice  []int // lines of records whose id occurs again
	shown  bool  // a first part was emitted
	marked int   // number of records that have a forecast
}

// run reads what an agent would load and what is shown; both are the beginning of the store.
func (r *reading) run(ctx context.Context) error {
	now := r.snap.TakenAt
	loader := lesson.NewLoader(now, now.Location())
	loading := r.snap.Size <= tooLarge
	for {
		if !loading && r.report.list == nil {
			r.report.list, r.report.read = loader.List(), r.countRead()
		}
		if (!loading || r.store.approved != nil) && (r.countRead() >= maxRecords || r.text > maxSize) {
			break
		}
		c, err := r.lines.record(ctx)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		loading = loading && (r.store.approved == nil || r.lines.off <= mostServed)
		if loading && c.mayServe(r.store.approved) {
			loading = c.load(loader)
		}
		r.text += int64(len(c.text))
		r.queue(c)
	}
	if r.report.list == nil {
		r.report.list, r.report.read = loader.List(), r.countRead()
	}
	r.flush()
	return r.finish(ctx)
}

// countRead returns the number of records read so far.
func (r *reading) countRead() int { return len(r.snap.Records) + len(r.batch) }

// queue queues a record, and decodes the queue when it is long enough. The first part is shown at
// once.
func (r *reading) queue(c line) {
	r.batch = append(r.batch, c)
	enough := batch
	if r.marked == 0 {
		enough = firstPart
	}
	if len(r.batch) < enough || r.report.list == nil {
		return
	}
	r.flush()
	if left := r.snap.Size - r.lines.off; !r.shown && left > worthPart {
		r.emitRead()
		r.reserve(left)
	}
}

// reserve makes room for the remaining records, estimated from the size of the file.
func (r *reading) reserve(left int64) {
	more := int(float64(left) / float64(max(r.lines.off, 1)) * float64(r.countRead()) * 1.05)
	more = min(more, maxRecords-r.countRead())
	r.snap.Records = slices.Grow(slices.Clone(r.snap.Records), max(more, 0))
}

// flush decodes the queued records. Records that were shown are not touched. It uses one processor
// only, so that another one can answer keys.
func (r *reading) flush() {
	n := len(r.snap.Records)
	r.snap.Records = append(r.snap.Records, make([]memory.Record, len(r.batch))...)
	records := r.snap.Records[n:]
	for i := range records {
		records[i] = r.batch[i].decode()
		if first := r.names.Give(&records[i]); first > 0 {
			r.twice = append(r.twice, first)
		}
		r.report.list.Mark(&records[i])
		r.store.mark(&records[i])
		r.report.add(&records[i])
	}
	clear(r.batch)
	r.batch = r.batch[:0]
	r.marked = len(r.snap.Records)
}

// emitRead emits what has been read so far.
func (r *reading) emitRead() {
	part := r.snap
	part.Partial, part.Total = true, len(part.Records)
	r.report.describe(&part)
	r.emit(part)
	r.shown = true
}

// finish completes the snapshot.
func (r *reading) finish(ctx context.Context) (err error) {
	if r.shown && len(r.twice) > 0 {
		r.snap.Records = slices.Clone(r.snap.Records) // those that were shown must not change
	}
	for _, no := range r.twice {
		i, ok := slices.BinarySearchFunc(r.snap.Records, no, func(m memory.Record, no int) int { return m.Line - no })
		if ok {
			r.snap.Records[i].Flags |= memory.FlagDuplicate
		}
	}
	for r.snap.Total = len(r.snap.Records); err == nil; r.snap.Total++ { // the rest is only counted
		_, err = r.lines.record(ctx)
	}
	r.snap.Total--
	if !errors.Is(err, io.EOF) {
		return err
	}
	if r.snap.Total == 0 {
		r.snap.Problem = quietread.Reworded(&memory.Problem{Code: CodeEmpty}, r.store.kind.Words)
	}
	if p := overLimit(r.snap.Size, r.snap.Total); p != nil {
		r.snap.ReadOnly = p.What
	}
	r.report.describe(&r.snap)
	return nil
}

// overLimit returns why a store of that size and number of records is not written, or nil.
func overLimit(size int64, records int) *memory.Problem {
	if size <= maxSize && records <= maxRecords {
		return nil
	}
	return &memory.Problem{
		Code: "over-limit",
		What: fmt.Sprintf(
			"This store has more than %d MiB or %d lessons. Winnow shows its beginning and does not change it.",
			maxSize>>20,
			maxRecords,
		),
		Hint: "winnow list and winnow audit read all of it; " +
			"to change it, remove lines with another program while no agent runs",
	}
}
