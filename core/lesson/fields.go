package lesson

import (
	"slices"

	"winnow/core/jstext"
	"winnow/core/memory"
)

// fields are the members of a lesson that a record shows. A text that is no string
// is shown as the JSON of its value.
type fields struct {
	texts [len(known)]string // by the member
	tools []string
	count memory.Count
	// missing has the bit of each member that is not there or not of its kind.
	missing bits
	odd     bool // a member is not of its kind
}

// known are the members by their numbers.
var known = [...]string{
	atID: KeyID, atTitle: KeyTitle, atOutcome: KeyOutcome, atBody: KeyBody, atTools: KeyTools,
	atCreated: KeyCreated, atSession: KeySession, atCount: KeyCount, atUsed: KeyUsed,
}

// The numbers of the members.
const (
	atID = iota
	atTitle
	atOutcome
	atBody
	atTools
	atCreated
	atSession
	atCount
	atUsed
)

// bits is a set of members, one bit each.
type bits uint16

const allBits bits = 1<<len(known) - 1

func (b bits) has(member int) bool { return b>>member&1 != 0 }

// set takes a member. The last of several with one key counts.
func (f *fields) set(key string, v jstext.Value) {
	member := slices.Index(known[:], key)
	sound, there := v.Kind() == jstext.String, v.Kind() == jstext.Array
	switch member {
	case -1:
		return
	case atTools:
		f.tools = Strings(v)
		sound = there && len(f.tools) == v.Len()
	case atCount:
		f.count = countOf(v)
		sound = f.count.Odd == ""
	default:
		f.texts[member] = v.Str()
		if !sound {
			f.texts[member] = string(v.AppendJSON(nil))
		}
	}
	f.odd = f.odd || !sound
	if f.missing &^= 1 << member; !sound && !(member == atTools && there) {
		f.missing |= 1 << member
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
