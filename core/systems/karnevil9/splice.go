package karnevil9

import (
	"bytes"

	"winnow/core/memory"
)

// difference returns the one part between the lines that from and to begin and end
// with, or none when they are equal.
func difference(from, to []byte) []memory.Splice {
	if bytes.Equal(from, to) {
		return nil
	}
	most := min(len(from), len(to))
	head := 0
	for head < most && from[head] == to[head] {
		head++
	}
	head = bytes.LastIndexByte(from[:head], '\n') + 1
	tail := 0
	for tail < most-head && from[len(from)-1-tail] == to[len(to)-1-tail] {
		tail++
	}
	// The first of the equal bytes may be the end of a line that is not equal.
	if i := bytes.IndexByte(from[len(from)-tail:], '\n'); i >= 0 {
		tail -= i + 1
	} else {
		tail = 0
	}
	return []memory.Splice{{
		At: int64(head), Old: string(from[head : len(from)-tail]), New: string(to[head : len(to)-tail]),
	}}
}
