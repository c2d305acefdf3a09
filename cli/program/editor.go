package program

import (
	"errors"
	"fmt"
	"sync"

	tea "charm.land/bubbletea/v2"

	"winnow/cli"
	"winnow/tui/msg"
	"winnow/views/safe"
)

// editor is the user's editor for tasks.
type editor struct {
	cli.Env
	mu    sync.Mutex // guards what is below
	open  *cli.Draft // that the editor was opened on, nil once it is taken
	saved string     // what was in it then
}

// Edit returns the command that opens text in the editor and hands what was
// saved to done.
func (e *editor) Edit(text string, done func(string, error) tea.Msg) tea.Cmd {
	draft, err := e.Draft("task", text)
	if err != nil {
		return msg.Emit(done("", err))
	}
	e.mu.Lock()
	e.open = draft
	e.mu.Unlock()
	return tea.Exec(draft, func(err error) tea.Msg { return done(e.take(err)) })
}

// take returns what was saved in the editor. A signal that ends the screens while it is open takes the
// text itself, since no screen does any more.
func (e *editor) take(ended error) (string, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.open == nil {
		return e.saved, ended
	}
	saved, err := e.open.Take(ended)
	e.open, e.saved = nil, saved
	return saved, err
}

// lessonEditor is the user's editor for lessons. What was typed outlives a mistake
// and a crash.
type lessonEditor struct {
	cli.Env
	mu   sync.Mutex // guards what is below
	open *cli.Draft // that the editor was opened on last
	last *cli.Draft // that was typed and is not settled
}

// Edit implements tui.Editor.
func (e *lessonEditor) Edit(text string, done func(string, error) tea.Msg) tea.Cmd {
	draft, err := e.Draft("lesson", text)
	if err != nil {
		return msg.Emit(done("", err))
	}
	e.mu.Lock()
	e.open = draft
	e.mu.Unlock()
	return tea.Exec(draft, func(err error) tea.Msg {
		typed, err := draft.Read(err)
		if err != nil && draft.Untouched() {
			return done("", errors.Join(err, draft.Done()))
		}
		return done(typed, errors.Join(err, e.keep(draft)))
	})
}

// keep notes the draft that was typed last, and removes the one before when its text went
// into it.
func (e *lessonEditor) keep(d *cli.Draft) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	before := e.last
	e.last = d
	if before == nil {
		return nil
	}
	if d != nil {
		if saved, err := before.Read(nil); err != nil || !d.BeganWith(saved) {
			return nil
		}
	}
	return before.Done()
}

// Kept implements tui.Editor.
func (e *lessonEditor) Kept() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.last == nil {
		return ""
	}
	return e.last.Path()
}

// RemoveKept implements tui.Editor.
func (e *lessonEditor) RemoveKept() tea.Cmd {
	return func() tea.Msg {
		if err := e.keep(nil); err != nil {
			return msg.Failed{Op: "edit", Err: err}
		}
		return nil
	}
}

// tell says where a text is kept that was typed, when a signal ended the screens while the editor
// was open.
func (e *lessonEditor) tell(ended error) {
	if path := e.left(); path != "" && ended != nil {
		fmt.Fprintf(e.Err, "What you typed is kept in %s\n", safe.Line(path))
	}
}

// left returns where a text is that was typed and is not settled, or nothing.
func (e *lessonEditor) left() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, d := range []*cli.Draft{e.open, e.last} {
		if d == nil || d.Untouched() {
			continue
		}
		if _, err := d.Read(nil); err == nil {
			return d.Path()
		}
	}
	return ""
}
