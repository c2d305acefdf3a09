package cli

import (
	"strings"
	"time"

	"winnow/cli/output"
)

// progress says on a terminal, in a line that goes again, how far something got that takes a while.
type progress struct {
	*Env
	next  time.Time // when it says more
	off   bool
	shown bool
}

const (
	// progressWidth is how long a line about progress is at most, in cells.
	progressWidth = 78
	// slow is what takes a while, and again how long a line stays.
	slow  = 500 * time.Millisecond
	again = 100 * time.Millisecond
)

// progress returns what says how far the command got. JSON on the same terminal is left alone.
func (p *program) progress() *progress {
	return &progress{Env: &p.Env, next: p.Now().Add(slow), off: !p.ErrTTY || p.json && p.OutTTY}
}

// say shows a line, if it is time for one.
func (b *progress) say(line func() string) {
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
