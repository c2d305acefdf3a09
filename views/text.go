// Package views turns plain data into text for a terminal. Each view is a
// struct of data with a Render method whose result is exactly w by h cells and
// depends on nothing else, so that it can be tested by comparing text.
//
// Text out of a store goes through package safe before anything here sees it:
// the widths below are those of text without control characters, in which the
// only escape sequences are the ones that styles make.
package views

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"winnow/views/theme"
)

// reset ends all styles.
const reset = "\x1b[m"

// pad returns n spaces.
func pad(n int) string { return strings.Repeat(" ", max(n, 0)) }

// next returns the size in bytes and the width in cells of the first unit of s: an escape sequence
// of a style, or a character with its combining marks. A terminal draws a character of several code
// points in as many cells as they have together, unless it draws them as one. The larger width
// counts, because text beyond the edge of a box is not on the screen at all.
func next(s string) (size, width int) {
	switch c := s[0]; {
	case c == 0x1b:
		return escape(s), 0
	case c < 0x80 && (len(s) == 1 || s[1] < 0x80):
		return 1, 1
	}
	cluster, apart := ansi.FirstGraphemeCluster(s, ansi.WcWidth)
	if len(cluster) < utf8.UTFMax && apart > 0 { // both ways to count agree on one code point of the first plane
		return len(cluster), apart
	}
	return max(len(cluster), 1), max(apart, ansi.GraphemeWidth.StringWidth(cluster))
}

// escape returns the length of the escape sequence at the start of s.
func escape(s string) int {
	if len(s) < 2 || s[1] != '[' {
		return 1
	}
	for i := 2; i < len(s); i++ {
		if s[i] >= 0x40 && s[i] <= 0x7E {
			return i + 1
		}
	}
	return len(s)
}

// Width returns the width of a styled line in cells.
func Width(s string) int {
	width := 0
	for i := 0; i < len(s); {
		n, w := next(s[i:])
		i += n
		width += w
	}
	return width
}

// Cell returns a styled line, cut or padded to exactly w cells. A cut line ends with the theme's
// sign, in the style of the line.
func Cell(t theme.Theme, s string, w int) string {
	if w <= 0 {
		return ""
	}
	sign := t.Borders.Cut
	tail := Width(sign)
	if tail > w {
		sign, tail = sign[:1], 1
	}
	width, cut, cutWidth, styled := 0, 0, 0, false
	for i := 0; i < len(s); {
		n, cells := next(s[i:])
		styled = styled || s[i] == 0x1b
		width += cells
		i += n
		if width <= w-tail {
			cut, cutWidth = i, width
		}
		if width > w {
			end := ""
			if styled {
				end = reset
			}
			return s[:cut] + sign + end + pad(w-tail-cutWidth)
		}
	}
	if width == w {
		return s
	}
	return s + pad(w-width)
}

// without removes the characters that begin in the first n cells of a plain line.
func without(s string, n int) string {
	for s != "" && n > 0 {
		size, width := next(s)
		s, n = s[size:], n-width
	}
	return s
}

// cutMiddle shortens a plain line of more than w cells so that the part at cell `at` stays visible.
// It cuts the end if that is enough, and otherwise removes the middle.
func cutMiddle(t theme.Theme, s string, w, at int) string {
	const (
		seen   = 6 // visible cells from at on
		before = 2 // visible cells before at
	)
	tail := w / 3
	if at+seen+Width(t.Borders.Cut) <= w || tail < seen {
		return Cell(t, s, w)
	}
	from := max(min(Width(s)-tail, at-before), 0)
	return Cell(t, s, w-tail) + Cell(t, without(s, from), tail)
}

// cutFront cuts the beginning of a path, because its end says more.
func cutFront(t theme.Theme, s string, w int) string {
	if n := Width(s); n > w {
		sign := t.Borders.Cut
		return truncate(t, sign+without(s, n-w+Width(sign)), w)
	}
	return s
}

// cutStart is cutFront, but returns nothing if too little would remain.
func cutStart(t theme.Theme, s string, w int) string {
	if w < 8 && Width(s) > w {
		return ""
	}
	return cutFront(t, s, w)
}

// Right returns a styled line cut or padded on the left to exactly w cells.
func Right(t theme.Theme, s string, w int) string {
	if width := Width(s); width < w {
		return pad(w-width) + s
	}
	return Cell(t, s, w)
}

// leftAndRight returns a line of exactly w cells with left at its start and right at its end. If both do
// not fit, left is cut; if left would get less than half of the line, right is omitted.
func leftAndRight(t theme.Theme, left, right string, w int) string {
	room := w - Width(right)
	if right == "" || room < min(Width(left), w/2)+1 {
		return Cell(t, left, w)
	}
	return Cell(t, left, room) + right
}

// Fill returns lines as text of exactly w by h cells.
func Fill(t theme.Theme, lines []string, w, h int) string {
	if h <= 0 {
		return ""
	}
	var b strings.Builder
	b.Grow(h * (w + 24))
	for i := range h {
		if i > 0 {
			b.WriteByte('\n')
		}
		if i < len(lines) {
			b.WriteString(Cell(t, lines[i], w))
		} else {
			b.WriteString(pad(w))
		}
	}
	return b.String()
}

// Wrap breaks plain text into lines of at most w cells, between words if possible. It removes
// spaces at a break and keeps the line breaks of s. A character wider than w gets a line of its
// own. The result is empty if w < 1.
func Wrap(s string, w int) []string {
	if w < 1 {
		return nil
	}
	lines := make([]string, 0, len(s)/w+1)
	for {
		line, rest, more := strings.Cut(s, "\n")
		lines = wrapLine(lines, line, w, w)
		if !more {
			return lines
		}
		s = rest
	}
}

// wrapAtMost is Wrap with at most `most` lines. The last one is cut if there are more.
func wrapAtMost(t theme.Theme, s string, w, most int) []string {
	lines := Wrap(s, w)
	if len(lines) <= most {
		return lines
	}
	return append(lines[:most-1:most-1], Cell(t, lines[most-1]+" "+lines[most], w))
}

// wrapLine appends the wrapped lines of s, which has no line break. The first line has w cells, the
// others have rest.
func wrapLine(lines []string, s string, w, rest int) []string {
	start, width := 0, 0 // of the current line
	space := -1          // start of its last run of spaces
	for i := 0; i < len(s); {
		n, cells := next(s[i:])
		blank := s[i] == ' ' && n == 1
		if blank && i > start && s[i-1] != ' ' {
			space = i
		}
		if width+cells <= w || blank || i == start {
			width += cells
			i += n
			continue
		}
		end := i
		if space > start {
			end = space
		}
		lines = append(lines, strings.TrimRight(s[start:end], " "))
		for end < len(s) && s[end] == ' ' {
			end++
		}
		start, i, width, space, w = end, end, 0, -1, rest
	}
	return append(lines, strings.TrimRight(s[start:], " "))
}

// day and minute return a time in the zone of now: a person chose whether that is their own or UTC.
func day(now, at time.Time) string { return at.In(now.Location()).Format(time.DateOnly) }

func minute(now, at time.Time) string { return at.In(now.Location()).Format("2006-01-02 15:04") }

// Age formats a duration in at most four cells: now, 5m, 5h, 41d, 2y. A date in the future gets a
// plus sign.
func Age(d time.Duration) string {
	sign := ""
	if d < 0 {
		sign, d = "+", -max(d, -1<<62)
	}
	const day = 24 * time.Hour
	switch {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return sign + strconv.Itoa(int(d/time.Minute)) + "m"
	case d < day:
		return sign + strconv.Itoa(int(d/time.Hour)) + "h"
	case d < 365*day && (sign == "" || d < 100*day):
		return sign + strconv.Itoa(int(d/day)) + "d"
	case d < 365*day:
		return sign + "1y"
	}
	return sign + strconv.Itoa(min(int(d/(365*day)), 99)) + "y"
}
