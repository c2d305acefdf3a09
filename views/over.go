package views

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Over returns base with box drawn over it, its top left corner at column x and
// line y. Both are lines of cells, as other views return them; what stands
// outside base is cut.
func Over(base, box string, x, y int) string {
	lines := strings.Split(base, "\n")
	for i, b := range strings.Split(box, "\n") {
		at := y + i
		if at < 0 || at >= len(lines) {
			continue
		}
		line, w := lines[at], Width(b)
		lines[at] = ansi.Truncate(line, x, "") + b + ansi.TruncateLeft(line, x+w, "")
	}
	return strings.Join(lines, "\n")
}

// Size returns how many cells wide and high a block is.
func Size(block string) (w, h int) {
	first, _, _ := strings.Cut(block, "\n")
	return Width(first), strings.Count(block, "\n") + 1
}

// OverCentre returns base, of w by h cells, with box drawn over its middle.
func OverCentre(base, box string, w, h int) string {
	bw, bh := Size(box)
	return Over(base, box, max((w-bw)/2, 0), max((h-bh)/2, 0))
}

// Beside returns blocks of the same height joined line by line.
func Beside(blocks ...string) string { return beside(blocks...) }
