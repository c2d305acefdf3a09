package cli

import (
	"strings"
	"time"

	"winnow/cli/output"
)

// progress shows on a terminal, in a temporary line, how far a slow operation has come.
type progress struct {
	*Env
	next  time.Time // the time of the next update
	off   bool
	shown bool
}

const (
	// progressWidth is the longest progress line, in cells.
	progressWidth = 78
	// slow is the delay before the first line, and then the time between updates.
	slow  = 500 * time.Millisecond
	again = 100 * time.Millisecond
)

// progress returns the progress line of the command. It returns none if JSON is printed on the same
// terminal.
func (p *program) progress() *progress {
	return &progress{Env: &p.Env, next: p.Now().Add(slow), off: !p.ErrTTY || p.json && p.OutTTY}
}

// show shows a line if it is time for one.
func (b *progress) show(line func() string) {
	if now := b.Now(); !b.off && !now.Before(b.next) {
		b.shown, b.next = true, now.Add(again)
		b.prompt("\r%s", output.Safe(output.Cell(string(output.Visible(line())), progressWidth)))
	}
}

// end clears the line.
func (b *progress) end() {
	if b.shown {
		b.prompt("\r%s\r", strings.Repeat(" ", progressWidth))
	}
}
