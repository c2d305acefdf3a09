// Package tuitest drives a model without a terminal, in virtual time.
package tuitest

import (
	"encoding/base64"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"winnow/tui/msg"
)

// Driver runs a model the way Bubble Tea would, but tells when nothing is left
// to do. It must be used inside a synctest bubble, where timers fire at once and
// in order. What a command sends while the test waits is delivered in turn.
type Driver struct {
	t         *testing.T
	model     tea.Model
	inbox     chan tea.Msg
	done      chan struct{}
	quit      bool
	clipboard string
}

// longest is more than any timer of the program runs.
const longest = time.Hour

// New starts the model in a terminal of w by h cells and lets it settle. At the
// end of the test timers run out unheard; what else a command waits for must end
// with t.Context.
func New(t *testing.T, m tea.Model, w, h int) *Driver {
	t.Helper()
	d := &Driver{t: t, model: m, inbox: make(chan tea.Msg), done: make(chan struct{})}
	t.Cleanup(func() {
		close(d.done)
		time.Sleep(longest)
	})
	d.model.View() // Bubble Tea draws once before the size is known
	d.run(m.Init())
	d.Send(tea.WindowSizeMsg{Width: w, Height: h})
	return d
}

// Send delivers a message and lets the program settle.
func (d *Driver) Send(m tea.Msg) {
	d.t.Helper()
	d.deliver(m)
	d.settle()
}

// Press presses keys, named as in bindings: "j", "enter", "ctrl+c".
func (d *Driver) Press(keys ...string) {
	d.t.Helper()
	for _, k := range keys {
		d.Send(msg.Press(k))
	}
}

// Type presses the key of each character of text.
func (d *Driver) Type(text string) {
	d.t.Helper()
	for _, r := range text {
		if r == ' ' {
			d.Press("space")
			continue
		}
		d.Press(string(r))
	}
}

// Advance lets virtual time pass.
func (d *Driver) Advance(by time.Duration) {
	d.t.Helper()
	timer := time.NewTimer(by)
	defer timer.Stop()
	for {
		select {
		case m := <-d.inbox:
			d.deliver(m)
		case <-timer.C:
			d.settle()
			return
		}
	}
}

// Quit reports whether the program asked to quit.
func (d *Driver) Quit() bool { return d.quit }

// Clipboard returns the text that was last put into the clipboard.
func (d *Driver) Clipboard() string { return d.clipboard }

// View returns what the model draws now.
func (d *Driver) View() tea.View { return d.model.View() }

// Screen returns the text on the screen, without styles.
func (d *Driver) Screen() string { return ansi.Strip(d.model.View().Content) }

// WantText fails the test unless the screen shows each text.
func (d *Driver) WantText(texts ...string) {
	d.t.Helper()
	for _, s := range texts {
		if !strings.Contains(d.Screen(), s) {
			d.t.Fatalf("the screen does not show %q:\n%s", s, d.Screen())
		}
	}
}

// WantNoText fails the test when the screen shows any of the texts.
func (d *Driver) WantNoText(texts ...string) {
	d.t.Helper()
	for _, s := range texts {
		if strings.Contains(d.Screen(), s) {
			d.t.Fatalf("the screen shows %q:\n%s", s, d.Screen())
		}
	}
}

// settle delivers messages until every running command waits for time or for
// the test.
func (d *Driver) settle() {
	for {
		synctest.Wait()
		select {
		case m := <-d.inbox:
			d.deliver(m)
		default:
			return
		}
	}
}

func (d *Driver) deliver(m tea.Msg) {
	switch m := m.(type) {
	case nil:
		return
	case tea.QuitMsg:
		d.quit = true
		return
	case tea.BatchMsg:
		for _, c := range m {
			d.run(c)
		}
		return
	}
	if seq, ok := sequence(m); ok {
		go d.inOrder(seq)
		return
	}
	if text, ok := clipboard(m); ok {
		d.clipboard = text
		return
	}
	var cmd tea.Cmd
	d.model, cmd = d.model.Update(m)
	d.run(cmd)
}

func (d *Driver) run(c tea.Cmd) {
	if c != nil {
		go d.post(c)
	}
}

func (d *Driver) inOrder(cmds []tea.Cmd) {
	for _, c := range cmds {
		if c != nil {
			d.post(c)
		}
	}
}

func (d *Driver) post(c tea.Cmd) {
	select {
	case d.inbox <- c():
	case <-d.done:
	}
}

// sequence recognises the unexported message of tea.Sequence.
func sequence(m tea.Msg) ([]tea.Cmd, bool) {
	v := reflect.ValueOf(m)
	if v.Kind() != reflect.Slice || v.Type().Elem() != reflect.TypeFor[tea.Cmd]() {
		return nil, false
	}
	cmds := make([]tea.Cmd, v.Len())
	for i := range cmds {
		cmds[i], _ = v.Index(i).Interface().(tea.Cmd)
	}
	return cmds, true
}

// clipboard returns the text that a sequence copies.
func clipboard(m tea.Msg) (string, bool) {
	raw, ok := m.(tea.RawMsg)
	if !ok {
		return "", false
	}
	_, coded, ok := strings.Cut(strings.TrimSuffix(raw.Msg.(string), "\a"), "\x1b]52;c;")
	text, err := base64.StdEncoding.DecodeString(coded)
	return string(text), ok && err == nil
}
