package tui

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"winnow/tui/msg"
)

// toastTime is how long a toast stays when no key is pressed.
const toastTime = 6 * time.Second

// toast is the sentence above the hints. Its generation rises with each, so that
// the end of an earlier one does not take away a later one.
type toast struct {
	text   string
	failed bool
	gen    int
}

func (t *toast) clear() { t.text, t.failed = "", false }

func (a *App) clearToasts() {
	a.toast.clear()
	a.news.clear()
}

// say shows a sentence for a while.
func (a *App) say(text string) tea.Cmd { return a.toast.show(text) }

// show shows a sentence, and returns the command that ends it.
func (t *toast) show(text string) tea.Cmd {
	*t = toast{text: text, gen: t.gen + 1}
	gen := t.gen
	return tea.Tick(toastTime, func(time.Time) tea.Msg {
		return then(func(*App) tea.Cmd {
			if gen == t.gen {
				t.clear()
			}
			return nil
		})
	})
}

// onArrived tells of new records, unless they are those of a change made here. A toast
// stays beside it: what a person did, and how to take it back, is not replaced.
func (a *App) onArrived(m msg.Arrived) tea.Cmd {
	if a.ours(a.store.snap.ModTime) {
		return nil
	}
	return a.news.show(fmt.Sprintf("%d new from an agent", m.Number))
}

// fail shows a failure. It stays until the next key, since it may need thought, and a program that
// was about to end stays too.
func (a *App) fail(m msg.Failed) tea.Cmd {
	a.changes.quitting = false
	a.toast = toast{text: m.Op + ": " + msg.Reason(m.Err), failed: true, gen: a.toast.gen + 1}
	return nil
}

// Clip gives a text to the terminal as its clipboard.
func Clip(text string) (sequence, way string, err error) {
	return ansi.SetSystemClipboard(text), "Sent to the clipboard, if the terminal allows", nil
}

// copy hands text to the terminal, which answers nothing: whether it was taken cannot be known, and
// the toast says which way it went. Bytes that are no character, such as those of half a pair, become U+FFFD.
func (a *App) copy(m msg.Copy) tea.Cmd {
	text := strings.ToValidUTF8(m.Text, "\uFFFD")
	clip := a.cfg.Clip
	return func() tea.Msg {
		sequence, way, err := clip(text)
		if err != nil {
			return msg.Failed{Op: "copy", Err: err}
		}
		return tea.BatchMsg{tea.Raw(sequence), msg.Emit(msg.Toast{Text: fmt.Sprintf("%s: %s, %d bytes", way, m.What, len(text))})}
	}
}

// slowChange is how long a change may take before the screen says that it is under way.
const slowChange = 300 * time.Millisecond

// remind says after a while that a step is still under way: what, "Saving". That stays until the step
// ends, or a key is pressed.
func (c *changes) remind(what string) tea.Cmd {
	c.busy = true
	c.round++
	round := c.round
	return tea.Tick(slowChange, func(time.Time) tea.Msg {
		return then(func(a *App) tea.Cmd {
			if c := &a.changes; c.busy && !c.quitting && round == c.round {
				a.toast = toast{text: what + a.theme.Borders.Cut + " Keys still work.", gen: a.toast.gen + 1}
				c.slowToast = a.toast.gen
			}
			return nil
		})
	})
}

// ended notes that no step is under way, and removes its toast.
func (a *App) ended() {
	c := &a.changes
	c.busy = false
	if c.slowToast == a.toast.gen {
		a.toast.clear()
	}
}
