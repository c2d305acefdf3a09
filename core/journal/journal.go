// Package journal reads the hash-chained event journal of an agent: its events, the lessons that it
// says were learnt, whether the chain is intact, and who holds the journal. It never writes and
// never locks. It does not open a journal the agent's way, which may truncate it.
package journal

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"winnow/core/jstext"
	"winnow/core/quietread"
)

// Limits of what is read. They are far above what an agent writes.
const (
	maxLine     = 4 << 20 // bytes of one event
	maxLessons  = 10_000  // the number of latest lessons to keep
	maxSessions = 1_000   // the number of sessions whose task to keep
)

// Lesson is what a memory.lesson_extracted event says was learnt. A missing value is null. The text
// may be redacted completely although the lesson file has it.
type Lesson struct {
	Line               int // from 1
	Seq, Session, Time jstext.Value
	ID, Outcome, Text  jstext.Value
	Task               jstext.Value // of its session, as it began
}

// Lessons returns the lessons in the journal at path, in order, and only the latest if there are
// very many. It changes nothing, and reads at most the first most bytes of the journal. The error
// is fs.ErrNotExist for a missing file, and [quietread.ErrNotAFile] for anything but a regular
// file.
func Lessons(ctx context.Context, path string, most int64) ([]Lesson, error) {
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var r lessonReader
	// What an agent appends meanwhile is left to the next call.
	err = eachLine(
		ctx,
		newLines(io.LimitReader(f, min(most, f.Info.Size())), false),
		func(no int, event jstext.Value, err error) {
			if err == nil {
				r.event(no, event)
			}
		},
	)
	return r.latest(), err
}

// Events calls fn with each non-blank line of the journal at path, in order, and with "" for a line
// that is too long. It changes nothing, and reads the last most bytes of the journal, so the first
// line may be incomplete. Errors are those of [Lessons].
func Events(ctx context.Context, path string, most int64, fn func(line string)) error {
	f, err := open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	size := f.Info.Size()
	if _, err := f.Seek(max(0, size-most), io.SeekStart); err != nil {
		return fmt.Errorf("read journal: %w", err)
	}
	in := newLines(io.LimitReader(f, min(most, size)), false)
	for no := 0; in.next(); no++ {
		if no%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if !in.blank() {
			fn(in.text)
		}
	}
	return in.failed()
}

// open opens a journal. The error is fs.ErrNotExist for a missing file, and [quietread.ErrNotAFile]
// for anything but a regular file.
func open(path string) (*quietread.File, error) {
	f, err := quietread.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open journal: %w", err)
	}
	return f, nil
}

// eachLine calls fn with each line, counted from 1: its event, or the reason why it has none. It
// returns a read error or that of ctx.
func eachLine(ctx context.Context, in *lines, fn func(no int, event jstext.Value, err error)) error {
	for no := 1; in.next(); no++ {
		if no%1024 == 1 && ctx.Err() != nil {
			return ctx.Err()
		}
		var event jstext.Value
		err := errTooLong
		if !in.long {
			event, err = jstext.Parse(in.text)
		}
		fn(no, event, err)
	}
	return in.failed()
}

// lessonReader collects the lessons from events.
type lessonReader struct {
	tasks   map[string]jstext.Value // by session
	lessons []Lesson
}

// event processes an event. It keeps the tasks of a limited number of sessions, and drops the older
// half of the lessons if there are too many.
func (r *lessonReader) event(line int, event jstext.Value) {
	kind, _ := event.Field("type")
	session, _ := event.Field("session_id")
	payload, _ := event.Field("payload")
	switch kind.Str() {
	case "session.created":
		if len(r.tasks) >= maxSessions || r.tasks == nil {
			r.tasks = map[string]jstext.Value{}
		}
		r.tasks[session.Str()], _ = payload.Field("task_text")
	case "memory.lesson_extracted":
		l := Lesson{Line: line, Session: session, Task: r.tasks[session.Str()]}
		l.Seq, _ = event.Field("seq")
		l.Time, _ = event.Field("timestamp")
		l.ID, _ = payload.Field("lesson_id")
		l.Outcome, _ = payload.Field("outcome")
		l.Text, _ = payload.Field("lesson")
		if len(r.lessons) == 2*maxLessons {
			r.lessons = slices.Delete(r.lessons, 0, maxLessons)
		}
		r.lessons = append(r.lessons, l)
	}
}

// latest returns the lessons that are kept.
func (r *lessonReader) latest() []Lesson { return r.lessons[max(0, len(r.lessons)-maxLessons):] }

// Holder is the process that holds the lock of a journal.
type Holder struct {
	Text string // the content of the lock file, at most 64 bytes
	PID  int    // the process it names, or 0
}

// Alive reports whether the process that holds the lock is running.
func (h Holder) Alive() bool { return h.PID > 0 && alive(h.PID) }

// LockPath returns the path of the lock file of the journal at path.
func LockPath(path string) string { return path + ".lock" }

// LockHolder returns who holds the lock of the journal at path. The holder may have died without
// removing it. It returns false if there is no lock or it cannot be read.
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
