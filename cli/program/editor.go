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

// editor opens the user's editor for tasks.
type editor struct {
	cli.Env
	mu    sync.Mutex // guards the fields below
	open  *cli.Draft // the draft that the editor was opened on; nil once taken
	saved string     // its text at that time
}

// Edit returns the command that opens text in the editor and passes the saved text to done.
func (e *editor) Edit(text string, done func(string, error) tea.Msg) tea.Cmd {
	draft, err := e.Draft("task", text)
	if err != nil {
		return msg.Emit(done("", err))
	}
	e.mu.Lock()
	e.open = draft
	e.mu.Unlock()
	return tea.Exec(draft, func(err error) tea.Msg { return done(e.savedText(err)) })
}

// savedText returns the text saved in the editor. If a signal ends the screens while the editor is open,
// savedText is called directly, since no screen is left to do it.
func (e *editor) savedText(ended error) (string, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.open == nil {
		return e.saved, ended
	}
	saved, err := e.open.Take(ended)
	e.open, e.saved = nil, saved
	return saved, err
}

// lessonEditor opens the user's editor for lessons. The typed text survives a mistake and a crash.
type lessonEditor struct {
	cli.Env
	mu   sync.Mutex // guards the fields below
	open *cli.Draft // the draft that the editor was last opened on
	last *cli.Draft // the last typed draft that is not settled yet
}

// Edit implements tui.editor.
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
		return done(typed, errors.Join(err, e.rememberDraft(draft)))
	})
}

// rememberDraft remembers the draft typed last. It removes the previous draft if its text went into the new
// one.
func (e *lessonEditor) rememberDraft(d *cli.Draft) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	before := e.last
	e.last = d
	if d != nil {
		if err := d.Keep(); err != nil {
			return err
		}
	}
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

// Kept implements tui.editor.
func (e *lessonEditor) Kept() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.last == nil {
		return ""
	}
	return e.last.Path()
}

// RemoveKept implements tui.editor.
func (e *lessonEditor) RemoveKept() tea.Cmd {
	return func() tea.Msg {
		if err := e.rememberDraft(nil); err != nil {
			return msg.Failed{Op: "edit", Err: err}
		}
		return nil
	}
}

// reportKept says where a typed text is kept, if a signal ended the screens while the editor was open.
func (e *lessonEditor) reportKept(ended error) {
	if path := e.left(); path != "" && ended != nil {
		fmt.Fprintf(e.Err, "What you typed is kept in %s\n", safe.Line(path))
	}
}

// left returns the path of a typed text that is not settled yet, or nothing.
func (e *lessonEditor) left() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, d := range []*cli.Draft{e.open, e.last} {
		if d == nil || d.Untouched() {
			continue
		}
		if err := d.Keep(); err == nil {
			return d.Path()
		}
	}
	return ""
}
