package lesson

import (
	"strconv"

	"winnow/core/memory"
)

// Namer gives the records of a store their ids, in the order of the store. The
// zero Namer is ready.
type Namer struct {
	seen map[memory.ID]named
}

type named struct{ line, times int32 }

// Name returns the id of the next record: its own id, or its line when own is
// empty, with "~2" and so on after it when earlier records have that id. Then
// first is the line of the first of them; else it is 0.
func (n *Namer) Name(own string, line int) (id memory.ID, first int) {
	id = memory.ID(own)
	if own == "" {
		id = LineID(line)
	}
	if n.seen == nil {
		n.seen = map[memory.ID]named{}
	}
	for base := id; ; {
		was, taken := n.seen[id]
		if !taken {
			break
		}
		if id == base {
			first = int(was.line)
		}
		was = n.seen[base]
		was.times++
		n.seen[base] = was
		id = base + "~" + memory.ID(strconv.Itoa(int(was.times)+1))
	}
	n.seen[id] = named{line: int32(line)}
	return id, first
}

// Give sets the id of r and flags it when an earlier record has the same id. It
// returns the line of that record, or 0.
func (n *Namer) Give(r *memory.Record) (first int) {
	if r.ID, first = n.Name(string(r.ID), r.Line); first > 0 {
		r.Flags |= memory.FlagDuplicate
	}
	return first
}

// LineID returns the ID of a record without an id of its own: "line 41".
func LineID(line int) memory.ID {
	return memory.ID("line " + strconv.Itoa(line))
}
