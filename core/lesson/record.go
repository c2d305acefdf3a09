package lesson

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"winnow/core/detect"
	"winnow/core/jstext"
	"winnow/core/memory"
)

// Record returns the stored line as a record to show. Its strings share the bytes
// of the line where that has no escapes. The id is the lesson's own, not yet told
// from others (see Namer), and the forecast is empty (see List.Mark).
//
// A line that is no lesson has a Problem. One that parses only without white space
// around it is shown as damaged; List.Mark clears that where the agent forgives it.
func Record(raw string, line int) memory.Record {
	r := memory.Record{Line: line, Rev: revision(raw), Raw: raw, RawLen: len(raw)}
	text := decode(raw)
	f, scanned := scan(text)
	if !scanned {
		var ok bool
		if f, ok = parse(&r, text); !ok {
			r.ID = lineID(line)
			setSecrets(&r, 0, false)
			return r
		}
	}
	fill(&r, &f)
	setSecrets(&r, f.missing, scanned && text == raw)
	return r
}

// TooLong returns the record of a line that is not read as it is too long: begin
// is its beginning, size its length in bytes. Its revision tells beginnings apart.
func TooLong(begin string, size, line int) memory.Record {
	r := memory.Record{
		ID: lineID(line), Line: line, Rev: revision(begin), Raw: begin, RawLen: size,
		Problem: &memory.Problem{
			Code: CodeTooLong,
			What: fmt.Sprintf("this line is too long to be shown: %d bytes", size),
			Hint: "the agent reads it whole; look at it with another program",
		},
	}
	setSecrets(&r, 0, false)
	return r
}

// parse reads a line that scan does not. It is false for a line that has no fields
// to show, and sets what is wrong in any case.
func parse(r *memory.Record, text string) (fields, bool) {
	v, err := jstext.Parse(text)
	if err != nil {
		r.Problem = damaged(err)
		r.Flags |= memory.FlagDamaged
		v, err = jstext.Parse(jstext.Trim(text))
	}
	switch {
	case err != nil:
		return fields{}, false
	case v.Kind() == jstext.Null:
		r.Problem = nullLine()
		return fields{}, false
	case v.Kind() != jstext.Object:
		r.Problem = notLesson(v.Kind())
		return fields{}, false
	}
	return fieldsOf(v), true
}

// fill sets what a record shows of the fields.
func fill(r *memory.Record, f *fields) {
	r.ID = memory.ID(f.id)
	if f.id == "" || f.missing&bitID != 0 {
		r.ID = lineID(r.Line)
	}
	r.Title, r.Body, r.Outcome = f.title, f.body, memory.Outcome(f.outcome)
	r.Tools, r.Session, r.Count = f.tools, f.session, f.count
	if f.missing&bitCount != 0 && f.count.Odd == "" {
		r.Count.Odd = "missing"
	}
	r.Created, r.Used = moment(f.created), moment(f.used)
	if r.Problem == nil {
		r.Problem = unusable(r.Line, f.missing)
	}
	harmless := f.plain && strings.IndexByte(r.Raw, '<') < 0
	if !harmless && (injects(f.title) || injects(f.body) || injects(f.outcome)) {
		r.Flags |= memory.FlagInjection
	}
}

// unusable returns the problem of a lesson that lacks a text which the agent needs.
func unusable(line int, missing bits) *memory.Problem {
	l := Lesson{Line: line}
	switch {
	case missing&bitTitle != 0:
		return noText(&l, keyTitle)
	case missing&bitBody != 0:
		return noText(&l, keyBody)
	case missing&bitOutcome != 0:
		return oddOutcome(&l)
	}
	return nil
}

// revision returns a token for the bytes of a line.
func revision(raw string) memory.Revision {
	var short [1024]byte // keeps the bytes of most lines from the heap
	sum := sha256.Sum256(append(short[:0], raw...))
	var text [32]byte
	hex.Encode(text[:], sum[:16])
	return memory.Revision(text[:])
}

// injects reports whether a text has more to mark than plain line breaks, and the
// half of a character that the agent leaves when it cuts a task.
func injects(text string) bool {
	for _, m := range detect.Marks(text) {
		if m.Kind != memory.MarkNewline && !detect.HalfCharacter(text[m.Start:]) {
			return true
		}
	}
	return false
}
