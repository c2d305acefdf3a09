package views

import (
	"strconv"
	"strings"

	"winnow/core/memory"
)

// Sessions is the dialog that lists the sessions of a store's project, or shows one of them.
type Sessions struct {
	Sessions []memory.SessionSummary
	Names    map[memory.SystemID]string
	Cursor   int
	Open     bool // the selected session is shown
	Problem  string
	Reading  bool // the list is not known yet
}

// Dialog returns the dialog in a room of w cells.
func (v Sessions) Dialog(l Look, w, _ int) Dialog {
	d, inner := newDialog("Sessions", w, historyWide)
	if v.Problem != "" {
		d.Foot = append(d.Foot, wrapped(l.Theme.Warn, "! "+l.Mask.longText(v.Problem), inner))
	}
	switch {
	case v.Reading:
		d.setLines(wrapped(l.Theme.Dim, "Reading the sessions of this project …", inner))
	case len(v.Sessions) == 0:
		d.setLines(wrapped(l.Theme.Dim, "No agent kept a session of this project.", inner))
	case v.Open:
		d.setLines(v.details(l, inner))
	default:
		d.Right, d.Cursor, d.Rows = memory.Counted(len(v.Sessions), "session"), v.Cursor, len(v.Sessions)
		d.Row = func(i int) string { return v.row(l, i, inner) }
	}
	return d
}

// row is a session: how it ended, its age, its steps, its agent and its task.
func (v Sessions) row(l Look, i, w int) string {
	s := &v.Sessions[i]
	steps := strconv.Itoa(s.Steps) + textIf(s.Failed > 0, ", %d failed", s.Failed)
	text := " " + Cell(l.Theme, s.State, 9) + "  " + Right(l.Theme, Age(l.Now.Sub(s.Changed)), 4) + "  " +
		Cell(l.Theme, steps, 14) + "  " + Cell(l.Theme, systemName(v.Names, s.Agent), 12) + "  "
	task := Cell(l.Theme, l.Mask.line(s.Task, w), max(w-Width(text)-1, 0))
	style := l.Theme.Text
	if s.State == "failed" {
		style = l.Theme.Warn
	}
	return rowLine(l.Theme, style, i == v.Cursor, text+task, w)
}

// details are the lines of one session.
func (v Sessions) details(l Look, w int) []string {
	s, p := &v.Sessions[v.Cursor], paper{t: l.Theme, w: w}
	for _, f := range [][2]string{
		{"id", s.ID},
		{"agent", systemName(v.Names, s.Agent)},
		{"state", joined(": ", s.State, s.Why)},
		{"folder", s.Folder},
		{"task", s.Task},
		{"given", strings.Join(s.Given, ", ")}, {"taint", strings.Join(s.Taint, ", ")},
		{"steps", strconv.Itoa(s.Steps) + textIf(s.Failed > 0, ", %d failed", s.Failed)},
	} {
		p.fact(f[0], l.Mask.longText(f[1]))
	}
	for _, f := range s.Failures {
		p.add(p.t.Warn, "  ", l.Mask.longText(f))
	}
	return p.lines
}
