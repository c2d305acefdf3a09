// Package journal reads the hash-chained event journal that the lesson format
// comes with: its events, whether the chain holds in each of the agent's two ways
// of looking, and the lessons it says were learnt. It never writes and never
// locks; the agent's own way of opening a journal may cut it.
package journal

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strconv"
	"strings"

	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/quietread"
)

// Limits of what is read. They are far above what an agent writes.
const (
	maxLine     = 4 << 20   // bytes of one event
	maxBytes    = 256 << 20 // bytes of a journal
	maxLessons  = 10_000    // lessons kept, the latest
	maxSessions = 1_000     // sessions of which the task is kept
)

// Options say how to read.
type Options struct {
	// Separators makes U+2028 and U+2029 end a line, as node 24 has it. Node 20
	// and 22 do not.
	Separators bool
	// MaxBytes is how much is read; 0 stands for 256 MiB.
	MaxBytes int64
}

// Event is one line of a journal that is JSON.
type Event struct {
	Index int // from 0, over the lines that are JSON
	Line  int // from 1, over all lines
	Value jstext.Value
}

// Lesson is what a memory.lesson_extracted event says was learnt. A missing value
// is null. The text can be redacted as a whole though the lesson file has it.
type Lesson struct {
	Line               int
	Seq, Session, Time jstext.Value
	ID, Outcome, Text  jstext.Value
	Task               jstext.Value // of its session, as that began
}

// Verification is the result of the agent's integrity check: it hashes each event
// as it would write it, and skips lines that are no JSON.
type Verification struct {
	Valid    bool
	BrokenAt int             // index of the event that does not follow, when not valid
	Stop     *memory.Problem // why the agent would throw; Valid is then false
}

// Opening is what the agent would do on its next start: it hashes each line as it
// stands, and cuts the file where the chain breaks.
type Opening struct {
	Events   int   // kept
	Bytes    int64 // kept; the size of the file when nothing is cut
	NextSeq  float64
	LastHash string // empty when no event is kept
	// Strict is the error of its strict mode; empty when nothing is wrong.
	Strict string
	Stop   *memory.Problem // why the agent would throw
}

// Report is everything that one reading of a journal tells.
type Report struct {
	Events  int // lines that are JSON
	Lines   int // lines, blank ones included
	Skipped int // lines that are neither JSON nor blank
	Verify  Verification
	Open    Opening
	// Lessons are those learnt, in order; only the latest when there are very many.
	Lessons []Lesson
	// Partial is set when the journal was too long to read to its end. The rest of
	// the report is then about its beginning.
	Partial bool
}

// Read reads a journal of the given size to its end. An error is one of r or ctx;
// what is wrong with the journal is in the report.
func Read(ctx context.Context, r io.Reader, size int64, o Options) (Report, error) {
	most := o.MaxBytes
	if most == 0 {
		most = maxBytes
	}
	c := checker{report: Report{Partial: size > most}}
	in := newLines(io.LimitReader(r, most), o.Separators)
	for in.next() {
		if c.report.Lines%1024 == 0 && ctx.Err() != nil {
			return Report{}, ctx.Err()
		}
		c.line(in)
	}
	if err := in.in.Err(); err != nil {
		return Report{}, fmt.Errorf("read journal: %w", err)
	}
	return c.result(size), nil
}

// checker runs both verifiers beside each other over the lines.
type checker struct {
	tasks  map[string]jstext.Value // of sessions that began
	report Report
	verify verifier
	open   opener
}

func (c *checker) line(in *lines) {
	c.report.Lines++
	if in.blank() {
		c.open.offset += int64(len(in.text)) + 1
		return
	}
	var v jstext.Value
	err := error(errTooLong)
	if !in.long {
		v, err = jstext.Parse(in.text)
	}
	if err != nil {
		c.report.Skipped++
		c.open.garbage()
		return
	}
	e := Event{Index: c.report.Events, Line: c.report.Lines, Value: v}
	c.report.Events++
	c.verify.event(e)
	c.open.event(e, in.text)
	c.began(e)
	if l, ok := lessonOf(e); ok {
		l.Task = c.tasks[l.Session.Str()]
		c.learnt(l)
	}
}

// began keeps the task of a session, of so many sessions as may be under way.
func (c *checker) began(e Event) {
	if kind, _ := e.Value.Field("type"); kind.Str() != "session.created" {
		return
	}
	if len(c.tasks) >= maxSessions || c.tasks == nil {
		c.tasks = map[string]jstext.Value{}
	}
	session, _ := e.Value.Field("session_id")
	payload, _ := e.Value.Field("payload")
	c.tasks[session.Str()], _ = payload.Field("task_text")
}

// learnt keeps a lesson, and forgets the older half when there are too many.
func (c *checker) learnt(l Lesson) {
	if len(c.report.Lessons) == 2*maxLessons {
		n := copy(c.report.Lessons, c.report.Lessons[maxLessons:])
		clear(c.report.Lessons[n:])
		c.report.Lessons = c.report.Lessons[:n]
	}
	c.report.Lessons = append(c.report.Lessons, l)
}

func (c *checker) result(size int64) Report {
	c.report.Verify = c.verify.result()
	c.report.Open = c.open.result(size)
	if extra := len(c.report.Lessons) - maxLessons; extra > 0 {
		c.report.Lessons = c.report.Lessons[extra:]
	}
	return c.report
}

// lessonOf returns the lesson that an event says was learnt.
func lessonOf(e Event) (Lesson, bool) {
	kind, _ := e.Value.Field("type")
	if kind.Str() != "memory.lesson_extracted" {
		return Lesson{}, false
	}
	l := Lesson{Line: e.Line}
	l.Seq, _ = e.Value.Field("seq")
	l.Session, _ = e.Value.Field("session_id")
	l.Time, _ = e.Value.Field("timestamp")
	payload, _ := e.Value.Field("payload")
	l.ID, _ = payload.Field("lesson_id")
	l.Outcome, _ = payload.Field("outcome")
	l.Text, _ = payload.Field("lesson")
	return l, true
}

// hash returns the hash of a line as events refer to it.
func hash(line []byte) string {
	sum := sha256.Sum256(line)
	return hex.EncodeToString(sum[:])
}

// ReadFile reads the journal at path, and changes nothing by that. A missing file is
// fs.ErrNotExist, and what is not a regular file [quietread.ErrNotAFile].
func ReadFile(ctx context.Context, path string, o Options) (Report, error) {
	f, err := quietread.Open(path)
	if err != nil {
		return Report{}, fmt.Errorf("open journal: %w", err)
	}
	defer f.Close()
	// What an agent appends meanwhile is left for the next reading.
	return Read(ctx, io.LimitReader(f, f.Info.Size()), f.Info.Size(), o)
}

// Holder is who holds the lock of a journal.
type Holder struct {
	Text string // what the lock file says, at most 64 bytes of it
	PID  int    // the process it names; 0 when it names none
}

// Alive reports whether the process that holds the lock runs.
func (h Holder) Alive() bool { return h.PID > 0 && alive(h.PID) }

// LockPath returns the path of the lock file of the journal at path.
func LockPath(path string) string { return path + ".lock" }

// LockHolder returns who holds the lock of the journal at path. The holder may
// have died without removing it. No lock, or none that can be read, is false.
func LockHolder(path string) (Holder, bool) {
	text, _, err := quietread.ReadFile(LockPath(path), 64)
	if err != nil {
		return Holder{}, false
	}
	h := Holder{Text: string(text)}
	if pid, err := strconv.Atoi(strings.TrimSpace(h.Text)); err == nil && pid > 0 {
		h.PID = pid
	}
	return h, true
}
