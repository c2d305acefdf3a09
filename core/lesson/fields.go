package lesson

import (
	"winnow/core/jstext"
	"winnow/core/memory"
)

// fields are the members of a lesson that a record shows. A text that is no string
// is shown as the JSON of its value.
type fields struct {
	id, title, outcome, body, created, session, used string

	tools []string
	count memory.Count
	// missing has the bit of each member that is not there or not of its kind.
	missing bits
	odd     bool // a member is not of its kind
}

// bits is a set of members, one bit each.
type bits uint16

const (
	bitID bits = 1 << iota
	bitTitle
	bitOutcome
	bitBody
	bitTools
	bitCreated
	bitSession
	bitCount
	bitUsed

	allBits = bitUsed<<1 - 1
)

// noFields returns the fields of a lesson without members.
func noFields() fields { return fields{missing: allBits, count: memory.Count{Odd: "missing"}} }

// set takes a member. The last of several with one key counts.
func (f *fields) set(key string, v jstext.Value) {
	switch key {
	case KeyID:
		f.text(&f.id, bitID, v)
	case KeyTitle:
		f.text(&f.title, bitTitle, v)
	case KeyOutcome:
		f.text(&f.outcome, bitOutcome, v)
	case KeyBody:
		f.text(&f.body, bitBody, v)
	case KeyCreated:
		f.text(&f.created, bitCreated, v)
	case KeySession:
		f.text(&f.session, bitSession, v)
	case KeyUsed:
		f.text(&f.used, bitUsed, v)
	case KeyTools:
		f.tools = Strings(v)
		f.note(bitTools, v.Kind() == jstext.Array && len(f.tools) == v.Len())
		if v.Kind() == jstext.Array {
			f.missing &^= bitTools
		}
	case KeyCount:
		f.count = countOf(v)
		f.note(bitCount, f.count.Odd == "")
	}
}

func (f *fields) text(to *string, bit bits, v jstext.Value) {
	*to = v.Str()
	f.note(bit, v.Kind() == jstext.String)
	if v.Kind() != jstext.String {
		*to = string(v.AppendJSON(nil))
	}
}

// note says whether a member is of its kind.
func (f *fields) note(bit bits, sound bool) {
	f.missing &^= bit
	if !sound {
		f.missing |= bit
		f.odd = true
	}
}

// countOf returns the relevance count that a value is.
func countOf(v jstext.Value) memory.Count {
	n := v.Number()
	if v.Kind() != jstext.Number || n < 0 || n > 1<<53 || n != float64(int(n)) {
		return memory.Count{Odd: string(v.AppendJSON(nil))}
	}
	return memory.Count{N: int(n)}
}
