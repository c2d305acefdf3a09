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

// blob is a version of a file in git, or the message of a commit or tag.
type blob struct {
	id     string
	path   string // decides its form; empty if the object has no name
	shown  string
	commit string
	time   time.Time
	nth    int // position of the commit, 1 for the oldest
	git    memory.GitState
	named  bool // read it whatever it is
	// message is set for a commit or tag whose message is to be read. The commit of a tag is not
	// known yet; the tag itself names it.
	message bool
}

// blobReader reads versions from its own git cat-file, which answers in the order of the requests.
// A few requests are sent ahead so that git works while a version is judged.
type blobReader struct {
	*run
	git  git.Git
	dir  string
	todo <-chan blob

	requested []blob // sent but not answered
	process   *git.Process
	out       *bufio.Reader
	restarts  int
}

const (
	// ahead is how many requests are sent ahead. They must fit into a pipe.
	ahead = 4
	// mostRestarts limits how often git may die on a damaged repository.
	mostRestarts = 100
)

// readBlobs calls list, which passes blobs to ask, and reads them at the same time. It returns when
// all are read.
func (r *run) readBlobs(ctx context.Context, g git.Git, dir string, list func(ask func(blob))) {
	todo := make(chan blob, 256)
	var group sync.WaitGroup
	for range r.Workers {
		group.Add(1)
		r.jobs <- func(ctx context.Context, w *worker) {
			defer group.Done()
			b := &blobReader{run: r, git: g, dir: dir, todo: todo}
			defer b.end(ctx)
			for b.request(ctx) {
				x := b.requested[0]
				b.requested = b.requested[1:]
				if err := b.read(ctx, w, x); err != nil {
					b.gitEnded(ctx, x)
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

// end stops git.
func (b *blobReader) end(ctx context.Context) {
	switch {
	case b.process == nil:
	case ctx.Err() != nil:
		b.process.Stop()
	default:
		b.gitFailed(ctx, b.dir, b.process.Wait())
	}
}

// read reads the answer to the request for x. After an error, git must be restarted.
func (b *blobReader) read(ctx context.Context, w *worker, x blob) error {
	h, err := b.readHeader(x)
	switch {
	case err != nil:
		return err
	case h.missing:
		b.damaged(x, "it has no object "+x.id)
		return nil
	case h.kind != "blob" && !x.message:
		return b.skipContent(h.size)
	case h.size > lineSize:
		rest := &io.LimitedReader{R: b.out, N: h.size}
		w.object(ctx, x, h, exactReader{rest})
		return b.skipContent(rest.N)
	}
	raw := make([]byte, h.size)
	if _, err := io.ReadFull(b.out, raw); err != nil {
		return err
	}
	if err := b.skipContent(0); err != nil {
		return err
	}
	w.object(ctx, x, h, bytes.NewReader(raw))
	return nil
}

// request sends the requests that are ready, and reports whether an answer is due.
func (b *blobReader) request(ctx context.Context) bool {
	var lines bytes.Buffer
	for len(b.requested) < ahead {
		x, ok := b.nextBlob()
		if !ok {
			break
		}
		b.requested = append(b.requested, x)
		lines.WriteString(x.id + "\n")
	}
	if len(b.requested) == 0 || ctx.Err() != nil {
		return false
	}
	if b.process == nil && b.restarts <= mostRestarts {
		b.start(ctx)
		lines.Reset()
		for _, x := range b.requested {
			lines.WriteString(x.id + "\n")
		}
	}
	if b.process != nil {
		_, _ = b.process.In.Write(lines.Bytes()) // a failure shows up in the answer
	}
	return true
}

// nextBlob returns the next blob. It waits for one only if no answer is due.
func (b *blobReader) nextBlob() (x blob, ok bool) {
	if len(b.requested) == 0 {
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

// readHeader reads the header that git sends before the content of x.
func (b *blobReader) readHeader(x blob) (header, error) {
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

// skipContent skips the rest of a content and the line end after it.
func (b *blobReader) skipContent(left int64) error {
	if _, err := io.CopyN(io.Discard, b.out, left); err != nil {
		return err
	}
	c, err := b.out.ReadByte()
	if err == nil && c != '\n' {
		err = errOdd
	}
	return err
}

// gitEnded records that git ended before it answered for x. The next request starts a new process.
func (b *blobReader) gitEnded(ctx context.Context, x blob) {
	why := "git ended too often to be started again"
	if b.process != nil {
		_ = b.process.In.Close()          // it gave an unexpected answer, or has ended
		_, _ = io.Copy(io.Discard, b.out) // so that it can exit
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
		Code: codeGit,
		What: fmt.Sprintf("git cannot read this version: %s.", why),
		Hint: "run git fsck in the repository",
	})
}

// object judges an object.
func (w *worker) object(ctx context.Context, x blob, h header, src io.Reader) {
	if x.message {
		w.message(ctx, x, h, src)
	} else {
		w.blob(ctx, x, h.size, src)
	}
}

// message judges the message of a commit or tag.
func (w *worker) message(ctx context.Context, x blob, h header, object io.Reader) {
	in := bufio.NewReader(object)
	about := readMessageHead(in)
	if x.commit == "" {
		x.commit, x.time = cmp.Or(about.commit, x.id), about.time
	}
	s, _ := w.readBeginning(ctx, in)
	w.tally.bytes.Add(h.size)
	w.visit(&judge.Doc{Path: x.shown, Commit: x.commit, CommitTime: x.time, Nth: x.nth, Message: true}, s)
	w.tally.progress()
}

// blob judges a blob.
func (w *worker) blob(ctx context.Context, x blob, size int64, src io.Reader) {
	text, packed := w.unpacked(x.path, x.named, src)
	s, head := w.readBeginning(ctx, text)
	d := judge.Doc{Path: x.shown, Commit: x.commit, CommitTime: x.time, Nth: x.nth, Git: x.git, Packed: packed != ""}
	if x.path != "" {
		d.Form = w.form(strings.TrimSuffix(x.path, packed), head)
	} else {
		d.Form = w.guessForm(head)
	}
	if w.isUnpackable(x.path, x.named, d.Form, head) {
		w.tally.fail(x.shown, compressed())
		return
	}
	if why := w.whyUnwanted(d.Form, x.path, head); why != "" && !x.named {
		w.tally.countSkipped(why, x.shown)
		return
	}
	d.SecretsOnly = (d.Form == nil || !isRead(x.path)) && !x.named && !w.AllText
	w.tally.blobs.Add(1)
	if d.SecretsOnly && !w.History {
		w.tally.others.Add(1)
	}
	w.tally.bytes.Add(size)
	w.visit(&d, s) // the reader src reports it if it ends too early
	if p := (*memory.Problem)(nil); errors.As(s.failure(), &p) {
		w.tally.fail(x.shown, p)
	}
	w.tally.progress()
}

// exactReader reads a content of known length. Ending early is an error.
type exactReader struct{ *io.LimitedReader }

// Read implements [io.Reader].
func (r exactReader) Read(p []byte) (int, error) {
	n, err := r.LimitedReader.Read(p)
	if errors.Is(err, io.EOF) && r.N > 0 {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// idSet holds object names as 64-bit hashes. With ten million names, the probability that two
// collide is below one in 300,000.
type idSet struct {
	seed     maphash.Seed
	held     map[uint64]bool // whether the object was requested
	complete bool            // all commits of the repository were listed
}

func newIDSet() *idSet { return &idSet{seed: maphash.MakeSeed(), held: map[uint64]bool{}} }

// add records that an object exists, and reports whether it is new.
func (s *idSet) add(id string) bool {
	h := maphash.String(s.seed, id)
	if _, ok := s.held[h]; ok {
		return false
	}
	s.held[h] = false
	return true
}

// request records that an object was requested, and reports whether it is the first request.
func (s *idSet) request(id string) bool {
	h := maphash.String(s.seed, id)
	if s.held[h] {
		return false
	}
	s.held[h] = true
	return true
}
