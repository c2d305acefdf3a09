package source

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"winnow/core/memory"
	"winnow/core/quietread"
)

// Reasons why files are skipped.
const (
	leftIgnored   = "ignored by git"
	leftOther     = "not a memory file by name or shape"
	leftBinary    = "not text"
	leftLink      = "a symbolic link, which is not followed"
	leftUntracked = "an environment file that git does not track"
	leftNowhere   = "a symbolic link that leads nowhere"
	leftIrregular = "not a regular file: a pipe, a socket or a device"
	leftLocks     = "the locks of a database"
	leftLog       = "the log of a database, which is read with it"
	leftTwin      = "another name of a file that was read"
	leftGone      = "gone before it was read"
	leftReplaced  = "replaced again and again while it was opened"
	leftIndexOnly = "in the index of git only, not in the folder"
	leftUnmerged  = "in conflict, so that it cannot be committed"
	leftModule    = "a submodule that is not checked out"
	leftLFS       = "kept by git LFS: only a pointer to it was read"
	leftUnfetched = "not fetched: the clone is partial"
)

// mostFailed is how many unreadable files are listed. The rest are only counted.
const mostFailed = 1000

// tally collects the result of Each.
type tally struct {
	files, others, blobs, commits, bytes atomic.Int64

	mu        sync.Mutex
	left      map[string]*memory.LeftOut
	failed    []memory.Unread
	more      int
	uncovered []string

	report    func(memory.Progress)
	doing     string
	reporting sync.Mutex
}

func (t *tally) begin(tell func(memory.Progress)) {
	t.left = map[string]*memory.LeftOut{}
	t.report, t.doing = tell, "reading"
}

// countSkipped counts a skipped file, given its path as shown. The first by name is the example, because
// files come in no order.
func (t *tally) countSkipped(why, shown string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	l := t.left[why]
	if l == nil {
		l = &memory.LeftOut{Why: why}
		t.left[why] = l
	}
	if l.Files == 0 || shown < l.Example {
		l.Example = shown
	}
	l.Files++
}

// fail records, once, what cannot be read and why.
func (t *tally) fail(path string, p *memory.Problem) {
	t.mu.Lock()
	defer t.mu.Unlock()
	same := func(u memory.Unread) bool { return u.Path == path && *u.Problem == *p }
	if n := len(t.failed); slices.ContainsFunc(t.failed[max(0, n-8):], same) {
		return // git failed twice for the same reason
	}
	if len(t.failed) < mostFailed {
		t.failed = append(t.failed, memory.Unread{Path: path, Problem: p})
	} else {
		t.more++
	}
}

// uncover records, once, that something is not covered.
func (t *tally) uncover(what string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.uncovered) < mostFailed && !slices.Contains(t.uncovered, what) {
		t.uncovered = append(t.uncovered, what)
	}
}

// progress reports the progress.
func (t *tally) progress() {
	if t.report == nil {
		return
	}
	t.reporting.Lock()
	defer t.reporting.Unlock()
	t.report(memory.Progress{Doing: t.doing, Files: int(t.files.Load() + t.blobs.Load()), Bytes: t.bytes.Load()})
}

func (t *tally) setDoing(doing string) {
	t.reporting.Lock()
	defer t.reporting.Unlock()
	t.doing = doing
}

// result returns the result. Nothing may be counted afterwards.
func (t *tally) result() memory.Audit {
	s := memory.Audit{
		Files:     int(t.files.Load()),
		Others:    int(t.others.Load()),
		Blobs:     int(t.blobs.Load()),
		Commits:   int(t.commits.Load()),
		Bytes:     t.bytes.Load(),
		Failed:    t.failed,
		Uncovered: t.uncovered,
	}
	for _, l := range t.left {
		s.Left = append(s.Left, *l)
	}
	slices.SortFunc(s.Left, func(a, b memory.LeftOut) int {
		return cmp.Or(cmp.Compare(b.Files, a.Files), cmp.Compare(a.Why, b.Why))
	})
	slices.SortStableFunc(s.Failed, func(a, b memory.Unread) int { return cmp.Compare(a.Path, b.Path) })
	if t.more > 0 {
		s.Uncovered = append(s.Uncovered, fmt.Sprintf("%d more files and folders that cannot be read", t.more))
	}
	return s
}

func (r *run) countSkipped(why, path string) { r.tally.countSkipped(why, r.Short(path)) }

// fail records that a path cannot be read, and why.
func (r *run) fail(path string, p *memory.Problem) { r.tally.fail(r.Short(path), p) }

// unread records a file that cannot be read.
func (r *run) unread(path string, err error) { r.fail(path, quietread.Problem(err)) }

// unlisted records a folder whose files cannot even be listed.
func (r *run) unlisted(path string, err error) {
	p := *quietread.Problem(err)
	switch p.Code {
	case quietread.CodeUnreadable:
		p.What, p.Hint = "The folder cannot be read: permission denied.", memory.Allow(
			runtime.GOOS,
			"chmod u+rx the folder, as the user who owns it",
		)
	case quietread.CodeReadError:
		p.What = "The folder cannot be read: " + quietread.Cause(err) + "."
	}
	r.fail(path, &p)
}
