package journal

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strings"

	"winnow/core/jstext"
	"winnow/core/memory"
)

// Options say how to read.
type Options struct {
	// Separators makes U+2028 and U+2029 end a line, as in node 24. In node 20 and 22 they do not.
	Separators bool
}

// event is one line of a journal that is JSON.
type event struct {
	Index int // from 0, counting the lines that are JSON
	Line  int // from 1, counting all lines
	Value jstext.Value
}

// Verification is the result of the agent's integrity check, which hashes each event as it would
// write it, and skips lines that are not JSON.
type Verification struct {
	Valid    bool
	BrokenAt int             // index of the event that breaks the chain, if not valid
	Line     int             // its line, from 1
	Stop     *memory.Problem // why the agent would throw; Valid is then false
}

// Opening is what the agent would do on its next start: it hashes each line as stored, and
// truncates the file where the chain breaks.
type Opening struct {
	Events   int   // kept events
	Bytes    int64 // kept bytes; the size of the file if nothing is cut
	Line     int   // the line, from 1, at which the file is cut; 0 if it is not
	Torn     bool  // that line is not JSON and is the last: an agent died while writing it
	NextSeq  float64
	LastHash string // empty if no event is kept
	// Strict is the error in the agent's strict mode; empty if nothing is wrong.
	Strict string
	Stop   *memory.Problem // why the agent would throw
}

// Report is everything that one reading of a journal tells.
type Report struct {
	Events  int // lines that are JSON
	Lines   int // including blank ones
	Skipped int // lines that are neither JSON nor blank
	Long    int // the first line, from 1, that is too long to be read here, so that its effect is unknown
	// Unended is set when the last line has no line end. Only [Verify] sets it.
	Unended bool
	// Separators is set when a line contains U+2028 or U+2029, so that [Options.Separators] changes
	// the result.
	Separators bool
	Verify     Verification
	Open       Opening
	// Lessons are the lessons learnt, in order; only the latest if there are very many.
	Lessons []Lesson
}

// Verify reads the journal at path as the agent's own two verifiers do. It changes nothing. The
// error is fs.ErrNotExist for a missing file, and [quietread.ErrNotAFile] for anything but a
// regular file.
func Verify(ctx context.Context, path string, o Options) (Report, error) {
	f, err := open(path)
	if err != nil {
		return Report{}, err
	}
	defer f.Close()
	size := f.Info.Size()
	report, err := read(ctx, io.LimitReader(f, size), size, o)
	var end [1]byte
	if size > 0 && err == nil {
		_, err = f.ReadAt(end[:], size-1)
		report.Unended = end[0] != '\n' && end[0] != '\r'
	}
	return report, err
}

// read is Verify on a journal of the given size.
func read(ctx context.Context, r io.Reader, size int64, o Options) (Report, error) {
	var report Report
	verify := verifier{Verification: Verification{Valid: true}}
	var open opener
	var lessons lessonReader
	in := newLines(r, o.Separators)
	err := eachLine(ctx, in, func(no int, v jstext.Value, err error) {
		report.Lines++
		report.Separators = report.Separators || strings.ContainsAny(in.text, "\u2028\u2029")
		if in.long && report.Long == 0 {
			report.Long = no
		}
		switch {
		case in.blank():
			open.offset += int64(len(in.text)) + 1
		case err != nil:
			report.Skipped++
			open.endAtGarbage(no)
		default:
			e := event{Index: report.Events, Line: no, Value: v}
			report.Events++
			verify.event(e)
			open.event(e, in.text)
			lessons.event(no, v)
		}
	})
	if !open.ended {
		open.Bytes = size
	}
	report.Verify, report.Open, report.Lessons = verify.Verification, open.Opening, lessons.latest()
	return report, err
}

// hash returns the hash by which the next event refers to a line.
func hash(line []byte) string {
	sum := sha256.Sum256(line)
	return hex.EncodeToString(sum[:])
}

// verifier is the agent's integrity check.
type verifier struct {
	Verification
	previous string
	buf      []byte
}

func (v *verifier) event(e event) {
	switch {
	case !v.Valid:
		return
	case e.Index > 0 && e.Value.Kind() == jstext.Null:
		v.Valid, v.Stop = false, stopsAt(e)
		return
	case e.Index > 0 && !hasHashOf(e.Value, v.previous):
		v.Valid, v.BrokenAt, v.Line = false, e.Index, e.Line
		return
	}
	v.buf = e.Value.AppendJSON(v.buf[:0])
	v.previous = hash(v.buf)
}

// opener does what the agent does when it opens a journal.
type opener struct {
	Opening
	offset int64 // of the line, if each line before it ended with one byte
	ended  bool  // at a line that breaks the chain
}

// endAtGarbage ends the journal at a line that is not JSON. If that is the last line, an agent died
// while writing it.
func (o *opener) endAtGarbage(line int) {
	o.goesOn()
	if !o.ended {
		o.ended, o.Torn, o.Bytes, o.Line = true, true, o.offset, line
	}
}

// goesOn notes that another non-blank line follows.
func (o *opener) goesOn() {
	if o.Torn {
		o.Torn = false
		o.Strict = fmt.Sprintf("Journal parse error at event %d: corrupted JSON", o.Events)
	}
}

func (o *opener) event(e event, line string) {
	if o.goesOn(); o.ended {
		return
	}
	if e.Value.Kind() == jstext.Null {
		stop := stopsAt(e)
		o.ended, o.Opening = true, Opening{Stop: stop, Strict: stop.What}
		return
	}
	seq, hasSeq := e.Value.Field("seq")
	if o.Events > 0 && !hasHashOf(e.Value, o.LastHash) {
		o.ended, o.Bytes, o.Line = true, o.offset, e.Line
		name := "undefined"
		if hasSeq {
			name = seq.ToString()
		}
		o.Strict = fmt.Sprintf("Journal integrity violation at event %d (seq=%s): hash chain broken", o.Events, name)
		return
	}
	o.LastHash = hash([]byte(line))
	if n := seq.ToNumber(); hasSeq && n+1 > o.NextSeq {
		o.NextSeq = n + 1
	}
	o.Events++
	o.offset += int64(len(line)) + 1
}

// hasHashOf reports whether an event contains the hash of the previous line.
func hasHashOf(event jstext.Value, previous string) bool {
	v, _ := event.Field("hash_prev")
	return v.Kind() == jstext.String && v.Str() == previous
}

// stopsAt is the agent's TypeError at a line that is null.
func stopsAt(e event) *memory.Problem {
	return &memory.Problem{
		Code: "null-event",
		What: fmt.Sprintf("the agent stops at line %d of its journal: the event is null", e.Line),
		Hint: "delete that line while no agent runs",
	}
}
