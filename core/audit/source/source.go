// Package source finds and reads what an audit looks at: files, folders, a stream, what
// is staged in a git repository, and every version that it holds. It changes nothing,
// reaches no network, and holds a few MB whatever it reads; what it leaves out it says.
package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"winnow/core/audit/judge"
	"winnow/core/git"
	"winnow/core/memory"
	"winnow/core/system"
)

// Order says what to read.
type Order struct {
	// Paths are files and folders; "-" is In. Dir is the folder that relative ones start
	// from; empty for the working folder.
	Paths []string
	Dir   string
	// AllText reads every file that is text, not only those with a form. A file that is
	// named in Paths is read whatever it is.
	AllText bool
	Sharing memory.Sharing
	// Staged and History are those of [memory.AuditOrder].
	Staged, History bool
	// Forms are asked in their order: the first that fits is a file's.
	Forms []system.Form
	In    io.Reader
	// Workers is how many documents are read at once; 0 for one a processor.
	Workers int
	// Short returns a path as it is shown; nil shows absolute paths.
	Short func(path string) string
	// Tell hears how far it got, by one caller at a time; may be nil.
	Tell func(memory.Progress)
}

// Visit is what [Each] calls for a document. The pieces can be asked for once, before it
// returns. After an error there are no more; the error is in what Each returns already.
type Visit func(d *judge.Doc, pieces iter.Seq2[judge.Piece, error]) error

// Each calls fn for every document of the order, from as many goroutines as it has
// workers; it returns when all have ended. A Piece holds whole lines, about 256 KiB of
// them. A line over 1 MiB comes in parts of 256 KiB that overlap by 8 KiB. Its Text is
// valid until the next piece: it lies in memory that is used again.
//
// The error is that of ctx, or the first that fn returned, which ends the audit. The audit
// has no findings: it says what was read, and what could not be. A panic of fn ends Each too,
// and is one of Each: nobody takes what was read until then for the whole.
func Each(ctx context.Context, o Order, fn Visit) (memory.Audit, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r := &run{Order: o, fn: fn, stop: cancel, jobs: make(chan job, 256)}
	if err := r.prepare(); err != nil {
		return memory.Audit{}, err
	}
	wait := r.work(ctx)
	r.list(ctx)
	close(r.jobs)
	wait()
	if what := r.broken.Load(); what != nil {
		panic(*what)
	}
	r.followLinks(ctx)
	return r.tally.seen(), context.Cause(ctx)
}

// run is one call of Each.
type run struct {
	Order
	fn    Visit
	stop  context.CancelCauseFunc
	jobs  chan job
	tally tally
	known identities // files that were read
	git   func() (git.Git, error)
	links links
	// held are the versions that were asked for, by the git folder of their repository.
	held map[string]*idSet
	// broken is the first panic of a goroutine, with its stack.
	broken atomic.Pointer[string]
}

// job is something for a worker to do.
type job func(ctx context.Context, w *worker)

// worker is a goroutine with its memory.
type worker struct {
	*run
	text     []byte // what is read, see splitter
	straight string // the last folder that has no link on the way from its root
	folder   folder // that of the last file whose neighbours were needed
}

func (r *run) prepare() (err error) {
	if r.Dir == "" {
		r.Dir, err = os.Getwd()
	} else {
		r.Dir, err = filepath.Abs(r.Dir)
	}
	if r.Workers <= 0 {
		r.Workers = runtime.GOMAXPROCS(0)
	}
	if r.Short == nil {
		r.Short = func(path string) string { return path }
	}
	r.git = sync.OnceValues(git.Find)
	r.held = map[string]*idSet{}
	r.tally.begin(r.Tell)
	return err
}

// work starts the workers and returns a function that waits for their end. They take
// all jobs, and drop them once ctx has ended.
func (r *run) work(ctx context.Context) (wait func()) {
	var group sync.WaitGroup
	for range r.Workers {
		group.Go(func() {
			w := &worker{run: r}
			for j := range r.jobs {
				r.catch(func() { j(ctx, w) })
			}
		})
	}
	return group.Wait
}

// catch calls fn. A panic stops the run, and Each passes it on to its caller.
func (r *run) catch(fn func()) {
	defer func() {
		if p := recover(); p != nil {
			what := fmt.Sprintf("%v\n%s", p, debug.Stack())
			r.broken.CompareAndSwap(nil, &what)
			r.stop(context.Canceled)
		}
	}()
	fn()
}

// list finds what there is to read.
func (r *run) list(ctx context.Context) {
	var named []string
	for _, p := range r.Paths {
		if ctx.Err() != nil {
			return
		}
		if p == "-" {
			r.jobs <- stream
			continue
		}
		if !filepath.IsAbs(p) {
			p = filepath.Join(r.Dir, p)
		}
		info, err := os.Stat(p)
		switch {
		case r.Staged || r.History && err != nil:
			r.versions(ctx, p)
		case err != nil:
			r.unread(p, err)
		case info.IsDir():
			r.folder(ctx, p)
		default:
			named = append(named, p)
		}
	}
	r.named(ctx, named)
}

// visit hands a document to fn.
func (r *run) visit(d *judge.Doc, s *splitter) {
	s.pages = d.Form != nil && d.Form.Database
	var failed error
	err := r.fn(d, func(yield func(judge.Piece, error) bool) {
		for p, err := range s.pieces {
			failed = err
			if !yield(p, err) || err != nil {
				return
			}
		}
	})
	if err != nil && (failed == nil || !errors.Is(err, failed)) {
		r.stop(err)
	}
}
