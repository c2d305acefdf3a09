package journal

import (
	"fmt"

	"winnow/core/jstext"
	"winnow/core/memory"
)

// verifier is the agent's integrity check.
type verifier struct {
	previous string
	broken   bool
	at       int
	stop     *memory.Problem
	buf      []byte
}

func (v *verifier) event(e Event) {
	if v.broken || v.stop != nil {
		return
	}
	if e.Index > 0 {
		if e.Value.Kind() == jstext.Null {
			v.stop = stopsAt(e)
			return
		}
		if !follows(e.Value, v.previous) {
			v.broken, v.at = true, e.Index
			return
		}
	}
	v.buf = e.Value.AppendJSON(v.buf[:0])
	v.previous = hash(v.buf)
}

func (v *verifier) result() Verification {
	return Verification{Valid: !v.broken && v.stop == nil, BrokenAt: v.at, Stop: v.stop}
}

// opener is what the agent does when it opens a journal.
type opener struct {
	offset   int64 // of the line, if each line before it ended with one byte
	ended    bool  // at a line that breaks the chain
	torn     bool  // at a line that is no JSON, the last one so far
	kept     int64
	events   int
	previous string
	seq      float64
	strict   string
	stop     *memory.Problem
}

// garbage ends the journal at a line that is no JSON. The last line may be one:
// an agent died while it wrote.
func (o *opener) garbage() {
	o.goesOn()
	if !o.ended {
		o.ended, o.torn, o.kept = true, true, o.offset
	}
}

// goesOn tells that a line which is not blank follows.
func (o *opener) goesOn() {
	if o.torn {
		o.torn = false
		o.strict = fmt.Sprintf("Journal parse error at event %d: corrupted JSON", o.events)
	}
}

func (o *opener) event(e Event, line string) {
	if o.goesOn(); o.ended {
		return
	}
	if e.Value.Kind() == jstext.Null {
		o.ended, o.stop = true, stopsAt(e)
		o.strict = o.stop.What
		return
	}
	seq, hasSeq := e.Value.Field("seq")
	if o.events > 0 && !follows(e.Value, o.previous) {
		o.ended, o.kept = true, o.offset
		name := "undefined"
		if hasSeq {
			name = seq.ToString()
		}
		o.strict = fmt.Sprintf("Journal integrity violation at event %d (seq=%s): hash chain broken", o.events, name)
		return
	}
	o.previous = hash([]byte(line))
	if n := seq.ToNumber(); hasSeq && n+1 > o.seq {
		o.seq = n + 1
	}
	o.events++
	o.offset += int64(len(line)) + 1
}

func (o *opener) result(size int64) Opening {
	if o.stop != nil {
		return Opening{Strict: o.strict, Stop: o.stop}
	}
	if !o.ended {
		o.kept = size
	}
	return Opening{Events: o.events, Bytes: o.kept, NextSeq: o.seq, LastHash: o.previous, Strict: o.strict}
}

// follows reports whether an event names the hash of the line before it.
func follows(event jstext.Value, previous string) bool {
	v, _ := event.Field("hash_prev")
	return v.Kind() == jstext.String && v.Str() == previous
}

// stopsAt is the agent's TypeError at a line that says null.
func stopsAt(e Event) *memory.Problem {
	return &memory.Problem{
		Code: "null-event",
		What: fmt.Sprintf("the agent stops at line %d of its journal: the event is null", e.Line),
		Hint: "delete that line while no agent runs",
	}
}
