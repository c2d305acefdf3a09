package source

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"strings"
	"sync"
	"time"

	"winnow/core/audit/judge"
	"winnow/core/git"
	"winnow/core/memory"
)

// blob is a version of a file that git holds, or the message of a commit or a tag.
type blob struct {
	id     string
	path   string // by which its form is known; empty when nothing names it
	shown  string
	commit string
	time   time.Time
	nth    int // of the commit, the oldest being 1
	git    memory.GitState
	named  bool // it is read whatever it is
	// message is set for a commit or a tag: its message is read. A tag has no commit yet, and
	// names one itself.
	message bool
}

// blobReader reads versions from a git cat-file of its own, which answers in the order of the
// questions. A few are asked at once, so that git works while a version is judged.
type blobReader struct {
	*run
	git  git.Git
	dir  string
	todo <-chan blob

	asked    []blob // and not answered
	process  *git.Process
	out      *bufio.Reader
	restarts int
}

const (
	// ahead is how many questions are asked at once. They must fit into a pipe.
	ahead = 4
	// mostRestarts is how often git may die of a damaged repository.
	mostRestarts = 100
)

// readBlobs calls list, which hands blobs to ask, and reads them meanwhile. It returns
// when all are read.
func (r *run) readBlobs(ctx context.Context, g git.Git, dir string, list func(ask func(blob))) {
	todo := make(chan blob, 256)
	var group sync.WaitGroup
	for range r.Workers {
		group.Add(1)
		r.jobs <- func(ctx context.Context, w *worker) {
			defer group.Done()
			b := &blobReader{run: r, git: g, dir: dir, todo: todo}
			defer b.end(ctx)
			for b.ask(ctx) {
				x := b.asked[0]
				b.asked = b.asked[1:]
				if err := b.read(ctx, w, x); err != nil {
					b.died(ctx, x)
				}
			}
		}
	}
	func() {
		defer close(todo)
		list(func(x blob) {
			select {
			case todo <- x:
			case <-ctx.Done():
			}
		})
	}()
	group.Wait()
}

// end ends git.
func (b *blobReader) end(ctx context.Context) {
	switch {
	case b.process == nil:
	case ctx.Err() != nil:
		b.process.Stop()
	default:
		b.gitFailed(ctx, b.dir, b.process.Wait())
	}
}

// read reads the answer to the question for x. After an error git has to be asked anew.
func (b *blobReader) read(ctx context.Context, w *worker, x blob) error {
	h, err := b.answer(x)
	switch {
	case err != nil:
		return err
	case h.missing:
		b.damaged(x, "it has no object "+x.id)
		return nil
	case h.kind != "blob" && !x.message:
		return b.pass(h.size)
	case h.size > lineSize:
		rest := &io.LimitedReader{R: b.out, N: h.size}
		w.object(ctx, x, h, nil, wholly{rest})
		return b.pass(rest.N)
	}
	raw := make([]byte, h.size)
	if _, err := io.ReadFull(b.out, raw); err != nil {
		return err
	}
	if err := b.pass(0); err != nil {
		return err
	}
	w.object(ctx, x, h, raw, bytes.NewReader(raw))
	return nil
}

// ask sends questions as far as there are any, and reports whether an answer is due.
func (b *blobReader) ask(ctx context.Context) bool {
	var lines bytes.Buffer
	for len(b.asked) < ahead {
		x, ok := b.take()
		if !ok {
			break
		}
		b.asked = append(b.asked, x)
		lines.WriteString(x.id + "\n")
	}
	if len(b.asked) == 0 || ctx.Err() != nil {
		return false
	}
	if b.process == nil && b.restarts <= mostRestarts {
		b.start(ctx)
		lines.Reset()
		for _, x := range b.asked {
			lines.WriteString(x.id + "\n")
		}
	}
	if b.process != nil {
		_, _ = b.process.In.Write(lines.Bytes()) // a failure shows in the answer
	}
	return true
}

// take returns the next blob. It waits for one only when no answer is due.
func (b *blobReader) take() (x blob, ok bool) {
	if len(b.asked) == 0 {
		x, ok = <-b.todo
		return x, ok
	}
	select {
	case x, ok = <-b.todo:
	default:
	}
	return x, ok
}

func (b *blobReader) start(ctx context.Context) {
	p, err := b.git.Start(ctx, b.dir, true, "cat-file", "--batch")
	if err != nil {
		b.restarts = mostRestarts + 1
		return
	}
	b.process, b.out = p, bufio.NewReaderSize(p.Out, 64<<10)
}

// answer reads what git says before the content of x.
func (b *blobReader) answer(x blob) (header, error) {
	if b.process == nil {
		return header{}, errOdd
	}
	line, err := b.out.ReadSlice('\n')
	if err != nil {
		return header{}, err
	}
	h, err := parseHeader(strings.TrimSuffix(string(line), "\n"))
	if err == nil && h.id != x.id {
		err = errOdd
	}
	return h, err
}

// pass passes over what is left of a content, and the line end behind it.
func (b *blobReader) pass(left int64) error {
	if _, err := io.CopyN(io.Discard, b.out, left); err != nil {
		return err
	}
	c, err := b.out.ReadByte()
	if err == nil && c != '\n' {
		err = errOdd
	}
	return err
}

// died notes that git ended before it answered for x. The next question starts another one.
func (b *blobReader) died(ctx context.Context, x blob) {
	why := "git ended too often to be started again"
	if b.process != nil {
		_ = b.process.In.Close()          // it has answered oddly, or gone
		_, _ = io.Copy(io.Discard, b.out) // so that it can end by itself
		err := b.process.Wait()
		b.process = nil
		b.restarts++
		why = "git ended"
		if f := (*git.Failure)(nil); errors.As(err, &f) {
			why = f.Line()
		}
	}
	if ctx.Err() == nil {
		b.damaged(x, why)
	}
}

func (b *blobReader) damaged(x blob, why string) {
	b.tally.fail(x.shown, &memory.Problem{
		Code: codeGit, What: fmt.Sprintf("git cannot read this version: %s.", why), Hint: "run git fsck in the repository",
	})
}

// object judges an object: raw, or what is only in src where it is too long to be held.
func (w *worker) object(ctx context.Context, x blob, h header, raw []byte, src io.Reader) {
	if x.message {
		w.message(ctx, x, h, src)
	} else {
		w.blob(ctx, x, h.size, raw, src)
	}
}

// message judges the message of a commit or a tag.
func (w *worker) message(ctx context.Context, x blob, h header, object io.Reader) {
	in := bufio.NewReader(object)
	about := readMessageHead(in)
	if x.commit == "" {
		x.commit, x.time = cmp.Or(about.commit, x.id), about.time
	}
	s, _, _ := w.begin(ctx, in)
	w.tally.bytes.Add(h.size)
	w.visit(&judge.Doc{Path: x.shown, Commit: x.commit, CommitTime: x.time, Nth: x.nth, Message: true}, s)
	w.tally.progress()
}

// blob judges a blob; raw and src are those of object.
func (w *worker) blob(ctx context.Context, x blob, size int64, raw []byte, src io.Reader) {
	s, head, enc := w.begin(ctx, src)
	d := judge.Doc{Path: x.shown, Commit: x.commit, CommitTime: x.time, Nth: x.nth, Git: x.git}
	if x.path != "" {
		d.Form = w.form(x.path, head)
	} else {
		d.Form = w.shaped(head)
	}
	if why := w.unwanted(d.Form, head, enc); why != "" && !x.named {
		w.tally.leave(why, x.shown)
		return
	}
	w.tally.blobs.Add(1)
	w.tally.bytes.Add(size)
	w.visit(&d, s) // whoever reads src notes when it ends too early
	if enc, ok := s.other(); ok && raw != nil {
		w.visit(&d, w.readAs(ctx, enc, bytes.NewReader(raw)))
	} else if ok {
		w.tally.fail(x.shown, twoReadings())
	}
	w.tally.progress()
}

// twoReadings is the problem of a text that reads in two encodings, and was read in one.
func twoReadings() *memory.Problem {
	return &memory.Problem{
		Code: "two-readings", What: "It reads as text in two encodings, and was read in one of them.",
		Hint: "write it to a file and audit that",
	}
}

// wholly reads a content to its end: an end before it is a failure.
type wholly struct{ *io.LimitedReader }

// Read implements [io.Reader].
func (r wholly) Read(p []byte) (int, error) {
	n, err := r.LimitedReader.Read(p)
	if errors.Is(err, io.EOF) && r.N > 0 {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// idSet holds names of objects by a hash of 64 bits: of ten million names, two share
// one with a probability below one in 300,000.
type idSet struct {
	seed  maphash.Seed
	held  map[uint64]bool // whether the object was asked for
	whole bool            // every commit of the repository was looked at
}

func newIDSet() *idSet { return &idSet{seed: maphash.MakeSeed(), held: map[uint64]bool{}} }

// meet notes that there is such an object, and reports whether it is the first time.
func (s *idSet) meet(id string) bool {
	h := maphash.String(s.seed, id)
	if _, ok := s.held[h]; ok {
		return false
	}
	s.held[h] = false
	return true
}

// ask notes that the object is asked for, and reports whether it is the first time.
func (s *idSet) ask(id string) bool {
	h := maphash.String(s.seed, id)
	if s.held[h] {
		return false
	}
	s.held[h] = true
	return true
}
