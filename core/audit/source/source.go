// Package source finds and reads what an audit looks at: files, folders, a stream, staged versions
// in a git repository, and every version in its history. It changes nothing, uses no network, and
// needs only a few MB whatever it reads. It reports what it skips.
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
	// Paths are files and folders; "-" is In. Relative paths start at Dir, or at the working folder
	// if Dir is empty.
	Paths []string
	Dir   string
	// AllText and AgentFiles are as in [memory.AuditOrder]. A file named in Paths is always read whole.
	AllText, AgentFiles bool
	Sharing             memory.Sharing
	// Staged and History are as in [memory.AuditOrder].
	Staged, History bool
	// Forms are tried in order; the first that fits a file is used.
	Forms []system.Form
	In    io.Reader
	// Workers is how many documents are read at once; 0 means one for each processor.
	Workers int
	// Short returns a path as shown. If nil, absolute paths are shown.
	Short func(path string) string
	// Tell receives the progress, one call at a time. It may be nil.
	Tell func(memory.Progress)
}

// Visit is the function that [Each] calls for a document. The pieces can be iterated once, before
// it returns. An error ends the iteration; Each already includes that error in its result.
type Visit func(d *judge.Doc, pieces iter.Seq2[judge.Piece, error]) error

// Each calls fn for every document of the order, from as many goroutines as there are workers, and
// returns when all are done. A Piece holds about 256 KiB of whole lines. A line over 1 MiB comes in
// parts of 256 KiB that overlap by 8 KiB. The Text of a piece is valid only until the next piece,
// because its memory is reused.
//
// The error is that of ctx, or the first that fn returned, which ends the audit. The returned audit
// has no findings. It says what was read and what could not be. A panic of fn ends Each and is
// raised again in the caller of Each, so that a partial result is never taken for a complete one.
func Each(ctx context.Context, o Order, fn Visit) (memory.Audit, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r := &run{Order: o, fn: fn, stop: cancel, jobs: make(chan job, 256)}
	if err := r.prepare(); err != nil {
		return memory.Audit{}, err
	}
	wait := r.startWorkers(ctx)
	r.list(ctx)
	close(r.jobs)
	wait()
	if what := r.broken.Load(); what != nil {
		panic(*what)
	}
	r.followLinks(ctx)
	return r.tally.result(), context.Cause(ctx)
}

// run is the state of one call of Each.
type run struct {
	Order
	fn    Visit
	stop  context.CancelCauseFunc
	jobs  chan job
	tally tally
	known identities // files already read
	git   func() (git.Git, error)
	links links
	// held are the versions already requested, by the git folder of their repository.
	held map[string]*idSet
	// broken is the first panic in a goroutine, with its stack.
	broken atomic.Pointer[string]
}

// job is a task for a worker.
type job func(ctx context.Context, w *worker)

// worker is a goroutine's reusable memory.
type worker struct {
	*run
	text     []byte // buffer for the text being read; see splitter
	linkFree string // last folder that was checked to have no link on the way from its root
	folder   folder // folder of the last file whose neighbours were needed
}

func (r *run) prepare() (err error) {
	r.Dir, err = filepath.Abs(r.Dir)
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

// startWorkers starts the workers and returns a function that waits for them. They take all jobs, but drop
// them once ctx has ended.
func (r *run) startWorkers(ctx context.Context) (wait func()) {
	var group sync.WaitGroup
	for range r.Workers {
		group.Go(func() {
			w := &worker{run: r}
			for j := range r.jobs {
				r.catchPanic(func() { j(ctx, w) })
			}
		})
	}
	return group.Wait
}

// catchPanic calls fn. A panic stops the run, and Each raises it again in its caller.
func (r *run) catchPanic(fn func()) {
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
			r.jobs <- readStdin
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

// visit passes a document to fn.
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
