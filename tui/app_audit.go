package tui

import (
	"errors"
	"io/fs"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/tui/msg"
)

// openIgnore asks for a reason to ignore a finding. The decision is saved in Winnow's own folder,
// so this also works for a read-only store.
func (a *App) openIgnore(f memory.Finding) tea.Cmd {
	switch {
	case a.cfg.ReadOnly:
		return a.say("Nothing ignored: Winnow was started with --readonly.")
	case f.Fingerprint == "":
		return a.say("Nothing ignored: this finding has no fingerprint")
	}
	return a.push(newIgnore(a.cfg.Keys, f, a.cfg.Now))
}

func (a *App) decide(m msg.Decide) tea.Cmd {
	ctx, auditor := a.ctx, a.cfg.Auditor
	return readCmd(a, "ignore", func() (struct{}, error) { return struct{}{}, auditor.Ignore(ctx, m.Add, m.Remove) },
		func(a *App, _ struct{}) tea.Cmd { return a.say(m.What) }) // Follower delivers the updated findings
}

func (a *App) openExport(found memory.Audit) tea.Cmd {
	if a.cfg.ReadOnly {
		return a.say("No report: Winnow was started with --readonly; use winnow audit --markdown > FILE")
	}
	return a.push(newExport(a.cfg.Keys, found))
}

func (a *App) report(m msg.Report) tea.Cmd {
	ctx, write := a.ctx, a.cfg.Report
	return func() tea.Msg {
		written, err := write(ctx, m.Form, m.Audit, m.Path, m.Replace)
		return rootFunc(func(a *App) tea.Cmd { return a.onReported(m, written, err) })
	}
}

// onReported says which file the report was written to. If the file exists, it asks whether to
// replace it. If writing failed, it opens the dialog again with what was typed.
func (a *App) onReported(r msg.Report, written string, err error) tea.Cmd {
	switch {
	case err == nil:
		return a.say("Wrote " + written)
	case errors.Is(err, fs.ErrExist) && !r.Replace:
		return a.push(newExportReplace(a.cfg.Keys, r))
	}
	return a.push(newExportRetry(a.cfg.Keys, r, msg.Reason(err)))
}
