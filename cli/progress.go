package cli

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"winnow/core/memory"
	"winnow/views"
	"winnow/views/safe"
)

const (
	// patience is how long something takes before it is said how far it got, and
	// betweenTold how often that is said again.
	patience    = time.Second
	betweenTold = 100 * time.Millisecond
	// toldWidth is how long a line about progress is at most, in cells.
	toldWidth = 78
)

// progress says on a terminal how far an audit got. It is safe for concurrent use.
type progress struct {
	Env
	start time.Time
	off   bool

	mu    sync.Mutex // guards what follows
	last  time.Time
	shown bool
}

func (p *progress) tell(m memory.Progress) {
	if p.off {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.Now()
	if now.Sub(p.start) < patience || now.Sub(p.last) < betweenTold {
		return
	}
	p.last, p.shown = now, true
	fmt.Fprintf(p.Err, "\r%s", views.Cell(progressLine(m), toldWidth))
}

// progressLine says how far an audit got.
func progressLine(m memory.Progress) string {
	files := plural(m.Files, "file")
	if m.Of > 0 {
		files = fmt.Sprintf("%d of %s", m.Files, plural(m.Of, "file"))
	}
	return fmt.Sprintf("%s: %s, %.1f MB, %s so far", safe.Line(m.Doing), files, float64(m.Bytes)/1e6, plural(m.Findings, "finding"))
}

// end takes the line away.
func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.off = true
	if p.shown {
		fmt.Fprintf(p.Err, "\r%s\r", strings.Repeat(" ", toldWidth))
	}
}
