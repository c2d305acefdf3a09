// Package audit looks for text that must not be shared or must not be trusted in the memories of
// agents: in stores, folders, git history and streams. It reads with package source and judges with
// package judge, on all cores and in bounded memory, and changes nothing.
package audit

import (
	"context"
	"io"
	"iter"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"winnow/core/audit/judge"
	"winnow/core/audit/source"
	"winnow/core/memory"
	"winnow/core/system"
)

// most is the default limit on the number of findings kept.
const most = 5_000

// tellEvery is the shortest time between two progress reports.
const tellEvery = 100 * time.Millisecond

// Config is what an Auditor needs to work.
type Config struct {
	// Forms describe how all systems store memories in files.
	Forms []system.Form
	Now   func() time.Time
	// Dir is the working folder; relative paths start there.
	Dir string
	// Short returns a path as shown to people. If nil, paths are shown unchanged.
	Short func(path string) string
	// Journal returns a function for a store that yields every text the journal beside the store
	// has for a record. The function is nil if there is no journal. If Journal is nil, journals are
	// not compared.
	Journal func(ctx context.Context, store memory.StoreID) func(r *memory.Record) []string
	// Approved returns a function for a store that reports whether a person approved the words of a record on this
	// machine. If Approved is nil, nothing is approved.
	Approved func(store memory.StoreID) func(r *memory.Record) bool
	// Texter returns the reader for the texts of a store, and the place of the store. The reader is
	// nil for a store that is read as files. Texter may be nil.
	Texter func(store memory.StoreID) (system.Texter, memory.Place)
}

// Auditor runs audits. It is safe for concurrent use.
type Auditor struct {
	c Config

	mu       sync.Mutex
	verdicts map[reading]*verdicts
}

// New returns an Auditor that works with c.
func New(c Config) *Auditor {
	if c.Short == nil {
		c.Short = func(path string) string { return path }
	}
	return &Auditor{c: c, verdicts: map[reading]*verdicts{}}
}

// Rules returns every rule of the audit, grouped by family.
func Rules() []memory.AuditRule { return judge.Rules() }

// Run audits what o names. It reads in, the standard input, for the path "-". It calls tell, unless
// nil, with the progress now and then, from one goroutine at a time. If ctx ends, the audit is
// Stopped and holds what was found so far. An error is a *memory.Problem and means that nothing
// could be read.
func (a *Auditor) Run(
	ctx context.Context,
	o memory.AuditOrder,
	in io.Reader,
	tell func(memory.Progress),
) (memory.Audit, error) {
	begun := a.c.Now()
	input := &rereadable{from: in}
	r := run{
		auditor:  a,
		ctx:      ctx,
		judge:    judge.New(),
		pool:     newPool(o.Most, newDecisions(o.Ignored, begun)),
		tell:     tell,
		lastTell: begun,
		records:  map[memory.Noun]int{},
	}
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

// read judges everything the order names.
func (r *run) read(o memory.AuditOrder, in io.Reader) (memory.Audit, error) {
	seen, err := source.Each(r.ctx, r.order(o, in), r.wanted)
	for _, id := range o.Folders {
		r.folder(id, &seen)
	}
	return seen, err
}

// order returns what the source reads for an order.
func (r *run) order(o memory.AuditOrder, in io.Reader) source.Order {
	c := &r.auditor.c
	return source.Order{
		Paths:      o.Paths,
		Dir:        c.Dir,
		AllText:    o.AllText,
		AgentFiles: o.AgentFiles,
		Sharing:    o.Sharing,
		Staged:     o.Staged,
		History:    o.History,
		Forms:      withSources(c.Forms, o.Sources), In: in, Short: c.Short, Tell: r.progress,
	}
}

// withSources adds forms for sources that no other form names: a text that a model is given, and a
// file that decides what an agent does. A program that an agent starts has a form of its own.
func withSources(forms []system.Form, sources []memory.Source) []system.Form {
	if len(sources) == 0 {
		return forms
	}
	texts, settings, programs := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, s := range sources {
		to := texts
		switch s.Kind {
		case memory.SourceHook:
			to = programs
		case memory.SourceSettings:
			to = settings
		}
		to[filepath.ToSlash(s.Path)] = true
	}
	const by = memory.SystemID("agents")
	started := system.Form{
		System:  by,
		Name:    "agent file",
		Started: true,
		Given:   true,
		Named:   func(path string) bool { return programs[path] },
	}
	return append(append([]system.Form{started}, forms...),
		system.Form{
			System: by, Name: "instruction file", Given: true, Named: func(path string) bool { return texts[path] },
			Land: system.Framed("instructions", "", "", "</system-reminder>", "</instructions>"),
		},
		system.Form{System: by, Name: "agent file", Named: func(path string) bool { return settings[path] }})
}

// run is a single audit.
type run struct {
	auditor *Auditor
	ctx     context.Context
	judge   *judge.Judge
	pool    *pool
	// only has the paths of the documents to judge; nil for all.
	only map[string]bool
	// Set once a document of that kind was judged.
	stores, journals, databases atomic.Bool

	mu       sync.Mutex
	tell     func(memory.Progress)
	lastTell time.Time
	records  map[memory.Noun]int
	unread   []string
}

// wanted judges one document, unless only others are to be judged.
func (r *run) wanted(d *judge.Doc, pieces iter.Seq2[judge.Piece, error]) error {
	if r.only != nil && !r.only[d.Path] {
		return nil
	}
	return r.document(d, pieces)
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
		r.addUnread("the records of " + d.Path + ", which was read as bytes: " + err.Error())
	}
	reading := r.judge.Open(d, func(f memory.Finding) { r.pool.add(f, d.Nth) })
	if form := d.Form; form != nil {
		r.databases.Store(r.databases.Load() || form.Database)
		if form.Decode != nil && d.OnDisk && d.Store != "" {
			r.stores.Store(true)
			reading.Approved = r.auditor.approvedIn(form, d.Store)
			if journal := r.auditor.c.Journal; journal != nil {
				reading.Journal = journal(r.ctx, d.Store)
				r.journals.Store(r.journals.Load() || reading.Journal != nil)
			}
		}
	}
	err := judgePieces(reading, pieces)
	r.count(d.Form, reading.Records())
	return err
}

// approvedIn returns the function of Config.Approved for the file of a store in a form, or nil.
func (a *Auditor) approvedIn(form *system.Form, store memory.StoreID) func(r *memory.Record) bool {
	if a.c.Approved == nil {
		return nil
	}
	return a.c.Approved(memory.At(form.System, store.Path()))
}

// count adds n to the number of records judged.
func (r *run) count(form *system.Form, n int) {
	if n == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.records[form.Noun] += n
}

// addUnread adds to the list of what the audit does not cover.
func (r *run) addUnread(what ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.unread = append(r.unread, what...)
}

// judgePieces judges pieces until the first error, and then ends the document.
func judgePieces(reading *judge.Reading, pieces iter.Seq2[judge.Piece, error]) error {
	defer reading.Done()
	for p, err := range pieces {
		if err != nil {
			return err
		}
		reading.Piece(p)
	}
	return nil
}

// progress passes on the progress of the source, at most once every tellEvery.
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

// uncovered lists what the audit does not cover.
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
