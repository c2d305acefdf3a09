package page

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/tui/msg"
	"winnow/views"
	"winnow/views/layout"
)

// Base is what every page knows about the screen.
type Base struct {
	views.Look
	W, H int // of the page
}

// Take accepts a fact about the screen. It returns false for any other message.
func (b *Base) Take(m tea.Msg) bool {
	switch m := m.(type) {
	case tea.WindowSizeMsg:
		body := layout.Divide(m.Width, m.Height).Body
		b.W, b.H = body.Dx(), body.Dy()
	case msg.Theme:
		b.Theme, b.Reveal, b.Mask = m.Theme, m.Reveal, m.Mask
	case msg.Clock:
		b.Now = m.Time
	default:
		return false
	}
	return true
}

// Done is a message with which a command or a dialog makes page P run a function.
type Done[P any] struct {
	do  func(P) tea.Cmd
	ctx context.Context // of the Work it belongs to; nil if it must always run
}

// Then returns the message that makes a page run do.
func Then[P any](do func(P) tea.Cmd) Done[P] { return Done[P]{do: do} }

// In runs the function in page p, unless its Work was given up meanwhile.
func (d Done[P]) In(p P) tea.Cmd {
	if d.do == nil || d.ctx != nil && d.ctx.Err() != nil {
		return nil
	}
	return d.do(p)
}

// Work is what a page does in the background, in commands. Results of any but the latest work are
// dropped.
type Work[P any] struct {
	ctx    context.Context
	cancel context.CancelFunc
}

// Begin gives up the current work and begins another.
func (w *Work[P]) Begin(ctx context.Context) {
	if w.cancel != nil {
		w.cancel()
	}
	w.ctx, w.cancel = context.WithCancel(ctx)
}

// Run returns a command that runs part in the background, and then runs the function that part
// returned in the page.
func (w *Work[P]) Run(part func(context.Context) func(P) tea.Cmd) tea.Cmd {
	ctx := w.ctx
	return func() tea.Msg { return Done[P]{part(ctx), ctx} }
}

// After returns a command that runs do in the page after a delay.
func (w *Work[P]) After(d time.Duration, do func(P) tea.Cmd) tea.Cmd {
	ctx := w.ctx
	return tea.Tick(d, func(time.Time) tea.Msg { return Done[P]{do, ctx} })
}

// Unless returns why a key is off, or "" if it is on.
func Unless(on bool, why string) string { return When(!on, why) }

// When returns the text if it applies, and "" otherwise.
func When(applies bool, text string) string {
	if !applies {
		return ""
	}
	return text
}

// WhyReadOnly says why a store cannot be changed, or returns "".
func WhyReadOnly(s *memory.Snapshot) string {
	return Unless(s.ReadOnly == "", "read-only: "+s.ReadOnly)
}

// Home returns the user's home, derived from a store whose path is shown with ~, or "".
func Home(places []memory.Place) string {
	for i := range places {
		rest, short := strings.CutPrefix(places[i].Path, "~/")
		if home, ok := strings.CutSuffix(places[i].Store.Path(), "/"+rest); short && ok {
			return home
		}
	}
	return ""
}

// Near searches a list from the cursor on, and then backwards, for the first entry for which find
// succeeds. It returns the result of find.
func Near(entries, cursor int, find func(entry int) (to int, ok bool)) (to int, ok bool) {
	for i := cursor; i < entries; i++ {
		if to, ok = find(i); ok {
			return to, true
		}
	}
	for i := min(cursor, entries) - 1; i >= 0; i-- {
		if to, ok = find(i); ok {
			return to, true
		}
	}
	return 0, false
}

// Next returns the name after one in a list, or "" after the last.
func Next(names []string, one string) string {
	if i := slices.Index(names, one) + 1; i < len(names) {
		return names[i]
	}
	return ""
}
