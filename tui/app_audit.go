package tui

import (
	"errors"
	"io/fs"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/tui/dialog"
	"winnow/tui/msg"
)

// decidedMsg says that decisions on findings were kept, or why not.
type decidedMsg struct {
	gen  int
	what string
	err  error
}

// reportedMsg says that a report was written, or why not.
type reportedMsg struct {
	report  msg.Report
	written string
	err     error
}

// onAudit takes what pages and dialogs ask for about findings, and what became of it.
func (a *App) onAudit(m tea.Msg) (tea.Cmd, bool) {
	switch m := m.(type) {
	case msg.Ignore:
		return a.openIgnore(m.Finding), true
	case msg.Decide:
		return a.decide(m), true
	case msg.Export:
		return a.openExport(m.Audit), true
	case msg.Report:
		return a.report(m), true
	case decidedMsg:
		return a.onDecided(m), true
	case reportedMsg:
		return a.onReported(m), true
	}
	return nil, false
}

// openIgnore asks why a finding is no matter. That is kept in our own folder, so that
// it can be done for a store that cannot be changed.
func (a *App) openIgnore(f memory.Finding) tea.Cmd {
	switch {
	case a.cfg.Auditor == nil:
		return a.say("Nothing ignored: decisions on findings cannot be saved here")
	case a.cfg.ReadOnly:
		return a.say("Nothing ignored: Winnow was started with --readonly.")
	case f.Fingerprint == "":
		return a.say("Nothing ignored: this finding has no fingerprint")
	}
	a.stack.Push(dialog.NewIgnore(a.cfg.Keys, f, a.cfg.Now))
	return nil
}

func (a *App) decide(m msg.Decide) tea.Cmd {
	if a.cfg.Auditor == nil {
		return nil
	}
	ctx, auditor, gen := a.ctx, a.cfg.Auditor, a.store.gen
	return func() tea.Msg {
		return decidedMsg{gen: gen, what: m.What, err: auditor.Ignore(ctx, m.Add, m.Remove)}
	}
}

// onDecided tells what was decided. The state of the store that has it comes by itself.
func (a *App) onDecided(m decidedMsg) tea.Cmd {
	switch {
	case m.err != nil:
		return a.fail(msg.Failed{Op: "ignore", Err: errors.New(dialog.Reason(m.err))})
	case m.gen != a.store.gen:
		return nil
	}
	return a.say(m.what)
}

func (a *App) openExport(found memory.Audit) tea.Cmd {
	switch {
	case a.cfg.Report == nil:
		return a.say("No report: it cannot be written from here; use winnow audit --markdown")
	case a.cfg.ReadOnly:
		return a.say("No report: Winnow was started with --readonly; use winnow audit --markdown > FILE")
	}
	a.stack.Push(dialog.NewExport(a.cfg.Keys, found))
	return nil
}

func (a *App) report(m msg.Report) tea.Cmd {
	if a.cfg.Report == nil {
		return nil
	}
	ctx, write := a.ctx, a.cfg.Report
	return func() tea.Msg {
		written, err := write(ctx, m.Form, m.Audit, m.Path, m.Replace)
		return reportedMsg{report: m, written: written, err: err}
	}
}

// onReported says where the report is. A file that is in the way is replaced only when
// the person says so, and what was typed is offered again when it could not be written.
func (a *App) onReported(m reportedMsg) tea.Cmd {
	switch {
	case m.err == nil:
		return a.say("Wrote " + m.written)
	case errors.Is(m.err, fs.ErrExist) && !m.report.Replace:
		a.stack.Push(dialog.NewReplace(a.cfg.Keys, m.report))
		return nil
	}
	a.stack.Push(dialog.NewRetry(a.cfg.Keys, m.report, dialog.Reason(m.err)))
	return nil
}
