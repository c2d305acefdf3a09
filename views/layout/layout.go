// Package layout divides the screen. Its functions are pure arithmetic.
package layout

import "image"

// The smallest terminal that is drawn on.
const (
	MinWidth  = 60
	minHeight = 15
)

// SplitWidth is the width from which a detail pane is beside its list.
const SplitWidth = 100

// Screen is the division of a frame: a header line, the page, a line for toasts
// and a line of key hints.
type Screen struct{ Header, Body, Toast, Hints image.Rectangle }

// Divide divides a terminal of w by h cells.
func Divide(w, h int) Screen {
	w, h = max(w, 0), max(h, 0)
	top, foot := min(1, h), max(h-2, min(1, h))
	hints := max(h-1, foot)
	return Screen{
		Header: image.Rect(0, 0, w, top),
		Body:   image.Rect(0, top, w, foot),
		Toast:  image.Rect(0, foot, w, hints),
		Hints:  image.Rect(0, hints, w, h),
	}
}

// TooSmall reports whether a terminal of w by h cells is smaller than the least.
func TooSmall(w, h int) bool { return w < MinWidth || h < minHeight }

// Mode says which of a list and its detail are shown.
type Mode uint8

// The modes, in the order in which a key goes through them.
const (
	Both Mode = iota
	DetailOnly
	ListOnly
)

// Next returns the mode after m.
func (m Mode) Next() Mode { return (m + 1) % 3 }

// The share of a list in percent: when nothing else was chosen, and its bounds.
const (
	Share    = 57
	minShare = 30
	maxShare = 80
)

// Panes is the place of a list and of its detail. An empty rectangle is not
// shown. Below is set when the detail is below the list, in one box with it.
type Panes struct {
	List, Detail image.Rectangle
	Below        bool
}

// Split divides an area of w by h cells between a list and its detail, share
// percent for the list. From SplitWidth on they are side by side, below it
// the detail is under the list.
func Split(w, h int, m Mode, share int) Panes {
	w, h = max(w, 0), max(h, 0)
	all := image.Rect(0, 0, w, h)
	switch m {
	case DetailOnly:
		return Panes{Detail: all}
	case ListOnly:
		return Panes{List: all}
	}
	share = Resized(share, 0)
	if w >= SplitWidth {
		at := w * share / 100
		return Panes{List: image.Rect(0, 0, at, h), Detail: image.Rect(at, 0, w, h)}
	}
	if h < 9 {
		return Panes{List: all}
	}
	at := min(max(h*(share+10)/100, 5), h-3)
	return Panes{List: image.Rect(0, 0, w, at), Detail: image.Rect(0, at, w, h), Below: true}
}

// Down returns the panes moved down by lines.
func (p Panes) Down(lines int) Panes {
	by := image.Pt(0, lines)
	p.List, p.Detail = p.List.Add(by), p.Detail.Add(by)
	return p
}

// Inside returns the size of the inside of the list.
func (p Panes) Inside() (w, h int) {
	borders := 2
	if p.Below {
		borders = 1 // the lower border is the dividing line
	}
	return max(p.List.Dx()-2, 0), max(p.List.Dy()-borders, 0)
}

// DetailLines returns how many lines of the detail there is room for. Below the list its upper
// border is the dividing line.
func (p Panes) DetailLines() int { return max(p.Detail.Dy()-2, 0) }

// Both reports whether list and detail are side by side.
func (p Panes) Both() bool { return !p.List.Empty() && !p.Detail.Empty() && !p.Below }

// Offset returns the first visible of n rows, as near to offset as can be while the rows
// first to last are among the visible ones, last above all, and no room is wasted.
func Offset(offset, first, last, visible, n int) int {
	visible = max(visible, 1)
	return max(min(offset, first, max(n-visible, 0)), last-visible+1, 0)
}

// Resized returns another share for a list, within the bounds.
func Resized(share, by int) int { return min(max(share+by, minShare), maxShare) }
