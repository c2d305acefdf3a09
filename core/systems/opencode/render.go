package opencode

import (
	"strings"

	"winnow/core/memory"
)

// maxFile is how much is read of a file of instructions. OpenCode knows no limit.
const maxFile = 512 << 10

// heading comes before each text of instructions, followed by its path and a line end.
const heading = "Instructions from: "

// The block of nested instructions at the end of what the read tool returns.
const (
	reminderBegin = "<system-reminder>\n"
	reminderEnd   = "\n</system-reminder>"
)

// piece is one text of instructions.
type piece struct {
	name, path string
	text       string // nothing of it, and the piece is left out
	note       string
	// unread is set for what is fetched: it is named, and its text is not known.
	unread bool
}

// joined returns the text that the pieces make, and the place of each. Those without
// a text are left out. Those that are not read are parts of no length.
func joined(before string, pieces []piece, between, after string) (string, []memory.Part) {
	var out strings.Builder
	var parts []memory.Part
	out.WriteString(before)
	for _, p := range pieces {
		if p.text == "" && !p.unread {
			continue
		}
		if !p.unread && out.Len() > len(before) {
			out.WriteString(between)
		}
		start := out.Len()
		if !p.unread {
			out.WriteString(heading + p.path + "\n" + p.text)
		}
		parts = append(parts, memory.Part{Name: p.name, Path: p.path, Start: start, End: out.Len(), Note: p.note})
	}
	out.WriteString(after)
	return out.String(), parts
}
