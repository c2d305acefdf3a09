package tui

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"winnow/tui/msg"
)

// toastTime is how long a toast stays if no key is pressed.
const toastTime = 6 * time.Second

// toast is the sentence above the hints.
type toast struct {
	text   string
	failed bool
	gen    int // rises with each toast, so that the timer of an earlier one does not clear a later one
}

func (t *toast) clear() { t.text, t.failed = "", false }

func (a *App) clearToasts() {
	a.toast.clear()
	a.news.clear()
}

// say shows a sentence for a while.
func (a *App) say(text string) tea.Cmd { return a.toast.show(text) }

// show shows a sentence, and returns the command that clears it after toastTime.
func (t *toast) show(text string) tea.Cmd {
	*t = toast{text: text, gen: t.gen + 1}
	gen := t.gen
	return tea.Tick(toastTime, func(time.Time) tea.Msg {
		return rootFunc(func(*App) tea.Cmd {
			if gen == t.gen {
				t.clear()
			}
			return nil
		})
	})
}

// onArrived announces new records, unless a change made here created them. It does not replace the
// toast, which may say what the person did and how to undo it.
func (a *App) onArrived(m msg.Arrived) tea.Cmd {
	if a.isOurWrite(a.store.snap.ModTime) {
		return nil
	}
	return a.news.show(fmt.Sprintf("%d new from an agent", m.Number))
}

// fail shows a failure until the next key, because it may take time to read. It also cancels a
// pending quit.
func (a *App) fail(m msg.Failed) tea.Cmd {
	a.changes.quitting = false
	a.toast = toast{text: m.Op + ": " + msg.Reason(m.Err), failed: true, gen: a.toast.gen + 1}
	return nil
}

// Clip returns the escape sequence that copies a text to the terminal's clipboard.
func Clip(text string) (sequence, where string, err error) {
	return ansi.SetSystemClipboard(text), "Sent to the clipboard, if the terminal allows", nil
}

// copy copies a text. A terminal does not answer whether it took the text, so the toast only says
// where it was sent. Bytes that are not valid UTF-8, such as half of a surrogate pair, become U+FFFD.
func (a *App) copy(m msg.Copy) tea.Cmd {
	text := strings.ToValidUTF8(m.Text, "\uFFFD")
	clip := a.cfg.Clip
	return func() tea.Msg {
		sequence, where, err := clip(text)
		if err != nil {
			return msg.Failed{Op: "copy", Err: err}
		}
		return tea.BatchMsg{
			tea.Raw(sequence),
			msg.Emit(msg.Toast{Text: fmt.Sprintf("%s: %s, %d bytes", where, m.What, len(text))}),
		}
	}
}

// slowChange is how long a change may take before a toast says that it is running.
const slowChange = 300 * time.Millisecond

// remind notes that a change is running, and returns the command that shows a toast if the change takes
// long. What names the change: "Saving". The toast stays until the change ends or a key is pressed.
func (c *changes) remind(what string) tea.Cmd {
	c.busy = true
	c.round++
	round := c.round
	return tea.Tick(slowChange, func(time.Time) tea.Msg {
		return rootFunc(func(a *App) tea.Cmd {
			if c := &a.changes; c.busy && !c.quitting && round == c.round {
				a.toast = toast{text: what + a.theme.Borders.Cut + " Keys still work.", gen: a.toast.gen + 1}
				c.slowToast = a.toast.gen
			}
			return nil
		})
	})
}

// ended notes that no change is running any more, and removes the toast of remind.
func (a *App) ended() {
	c := &a.changes
	c.busy = false
	if c.slowToast == a.toast.gen {
		a.toast.clear()
	}
}
