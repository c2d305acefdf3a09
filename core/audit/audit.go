// Package audit looks for what should not be shared, or not be believed, in the
// memories of agents: in stores, in folders, in what git holds and in streams. It reads
// through package source and judges through package judge, on all cores and in bounded
// memory, and changes nothing.
package audit

import (
	"context"
	"io"
	"iter"
	"sync"
	"sync/atomic"
	"time"

	"winnow/core/audit/judge"
	"winnow/core/audit/source"
	"winnow/core/memory"
	"winnow/core/system"
)

// most is how many findings are kept when nobody says.
const most = 5_000

// tellEvery is the shortest time between two reports of progress.
const tellEvery = 100 * time.Millisecond

// Config is what an Auditor works with.
type Config struct {
	// Forms are how the memories of all systems lie in files.
	Forms []system.Form
	Now   func() time.Time
	// Dir is the working folder, which relative paths are below.
	Dir string
	// Short returns a path as it is shown; nil for as it is.
	Short func(path string) string
	// Journal returns what the journal beside a store says of a record, each of its
	// texts, and nil when there is none. It may be nil: journals are then not compared.
	Journal func(ctx context.Context, store memory.StoreID) func(r *memory.Record) []string
	// Texter returns what reads the texts of a store, and its place; nil for a store that is
	// read by its files. It may be nil.
	Texter func(store memory.StoreID) (system.Texter, memory.Place)
}

// Auditor audits. It is safe for concurrent use.
type Auditor struct {
	c Config

	mu       sync.Mutex
	verdicts map[reading]*verdicts
}

// New returns an Auditor.
func New(c Config) *Auditor {
	if c.Short == nil {
		c.Short = func(path string) string { return path }
	}
	return &Auditor{c: c, verdicts: map[reading]*verdicts{}}
}

// Rules returns every rule of the audit, by family.
func Rules() []memory.AuditRule { return judge.Rules() }

// Run audits what o names. in is standard input, for a path of "-". tell, which may be
// nil, is called with the progress now and then, by one goroutine at a time. When ctx ends the
// audit holds what was found so far, and is Stopped. An error is a *memory.Problem:
// nothing could be looked at.
func (a *Auditor) Run(ctx context.Context, o memory.AuditOrder, in io.Reader, tell func(memory.Progress)) (memory.Audit, error) {
	begun := a.c.Now()
	input := &again{from: in}
	r := run{auditor: a, ctx: ctx, judge: judge.New(), pool: newPool(o.Most, newDecisions(o.Ignored, begun)), tell: tell, lastTell: begun, records: map[memory.Noun]int{}}
	out, err := r.read(o, input)
	out.Rules, out.Nouns, out.Uncovered = len(Rules()), r.records, r.uncovered(o, append(r.unread, out.Uncovered...))
	for _, n := range r.records {
		out.Records += n
	}
	r.pool.result(&out)
	if err == nil {
		err = r.copies(o, input, &out)
	}
	out.Stopped = ctx.Err() != nil
	out.Took = a.c.Now().Sub(begun)
	if out.Stopped {
		err = nil
	}
	return out, err
}

// read judges what the order names.
func (r *run) read(o memory.AuditOrder, in io.Reader) (memory.Audit, error) {
	c := &r.auditor.c
	seen, err := source.Each(r.ctx, source.Order{
		Paths: o.Paths, Dir: c.Dir, AllText: o.AllText, Sharing: o.Sharing, Staged: o.Staged, History: o.History,
		Forms: c.Forms, In: in, Short: c.Short, Tell: r.progress,
	}, r.document)
	for _, id := range o.Folders {
		r.folder(id, &seen)
	}
	return seen, err
}

// run is one audit.
type run struct {
	auditor *Auditor
	ctx     context.Context
	judge   *judge.Judge
	pool    *pool
	// Set when a document was of the kind.
	stores, journals, databases atomic.Bool

	mu       sync.Mutex
	tell     func(memory.Progress)
	lastTell time.Time
	records  map[memory.Noun]int
	unread   []string
}

// document judges one document.
func (r *run) document(d *judge.Doc, pieces iter.Seq2[judge.Piece, error]) error {
	if d.Form != nil && d.Form.ByRecord && d.OnDisk && r.auditor.c.Texter != nil {
		doc := *d
		doc.Store = memory.StoreID(d.File)
		store, _ := r.auditor.c.Texter(memory.At(d.Form.System, d.File))
		n, _, err := r.texts(doc, store)
		if err == nil || r.ctx.Err() != nil {
			r.count(d.Form, n)
			return r.ctx.Err()
		}
		r.leave("the records of " + d.Path + ", which was read as bytes: " + err.Error())
	}
	reading := r.judge.Open(d, func(f memory.Finding) { r.pool.add(f, d.Nth) })
	if form := d.Form; form != nil {
		r.databases.Store(r.databases.Load() || form.Database)
		if form.Decode != nil && d.OnDisk && d.Store != "" {
			r.stores.Store(true)
			if journal := r.auditor.c.Journal; journal != nil {
				reading.Journal = journal(r.ctx, d.Store)
				r.journals.Store(r.journals.Load() || reading.Journal != nil)
			}
		}
	}
	err := judged(reading, pieces)
	r.count(d.Form, reading.Records())
	return err
}

// count adds to the number of records that were judged.
func (r *run) count(form *system.Form, n int) {
	if n == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.records[form.Noun] += n
}

// leave notes what no finding can be expected from.
func (r *run) leave(what ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.unread = append(r.unread, what...)
}

// judged judges pieces up to an error, and ends the document.
func judged(reading *judge.Reading, pieces iter.Seq2[judge.Piece, error]) error {
	defer reading.Done()
	for p, err := range pieces {
		if err != nil {
			return err
		}
		reading.Piece(p)
	}
	return nil
}

// progress passes on what the source tells, not too often.
func (r *run) progress(p memory.Progress) {
	if r.tell == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if now := r.auditor.c.Now(); now.Sub(r.lastTell) >= tellEvery {
		r.lastTell = now
		p.Findings = r.pool.size()
		r.tell(p)
	}
}

// uncovered says what no finding can be expected from.
func (r *run) uncovered(o memory.AuditOrder, also []string) []string {
	var out []string
	if !o.History && !o.Staged {
		out = append(out, "git history")
	}
	out = append(out, "backups")
	if r.stores.Load() && !r.journals.Load() {
		out = append(out, "the agent's journal, unless it was among the files")
	}
	if r.databases.Load() {
		out = append(out, "compressed and encrypted pages of databases")
	}
	return memory.AppendNew(out, also...)
}
