package views

import (
	"fmt"
	"strings"

	"winnow/core/memory"
	"winnow/views/theme"
)

// Reading says how far a program is that reads sessions.
type Reading struct {
	Program string
	Title   string // of the session that it reads
	// Session is the number of that session among Of, and Seconds how long the program has been reading.
	Session, Of, Seconds int
	Stopping             bool
	Key                  string // stops it
}

// Distils says what a program that reads sessions is doing, in at most w cells, or returns nothing.
func (v Inbox) Distils(t theme.Theme, w int) string {
	r := v.Distilling
	if r == nil {
		return ""
	}
	name := v.Mask.line(r.Program, maxPath)
	if r.Stopping {
		return truncate(t, "Stopping "+name+t.Borders.Cut, w)
	}
	doing := fmt.Sprintf("%s reads session %d of %d, %d s; %s stops it", name, r.Session, r.Of, r.Seconds, r.Key)
	if titled := doing + ": " + v.Mask.line(r.Title, maxPath); Width(titled) <= w {
		return titled
	}
	return truncate(t, doing, w)
}

// Distilling is the dialog that asks whether a program shall be given sessions.
type Distilling struct {
	Plan    memory.Distilling
	Looking bool   // the plan is not known yet
	Wrong   string // why there is no plan; may be empty
	Names   map[memory.SystemID]string
}

// Asks reports whether there is something to agree to.
func (v Distilling) Asks() bool { return !v.Looking && v.Wrong == "" && len(v.Plan.Sessions) > 0 }

// Dialog returns the dialog in a room of w cells.
func (v Distilling) Dialog(l Look, w, _ int) Dialog {
	terms := "Nothing is given to the program before you agree."
	if v.Asks() {
		terms = l.Mask.longText(strings.Join(v.Plan.Terms(), " "))
	}
	return note(l, "Let a program read sessions?", w, terms, func(p *paper) {
		switch {
		case v.Looking:
			p.add(p.t.Dim, "", "Looking for sessions that it was not given yet"+p.t.Borders.Cut)
		case v.Wrong != "":
			p.add(p.t.Danger, "", "! "+l.Mask.longText(v.Wrong))
		case len(v.Plan.Program) == 0:
			p.add(p.t.Warn, "", "! No program is set for this: [learn] distil in config.toml")
		case !v.Asks():
			p.add(p.t.Text, "", "No finished session of this project is left that it was not given.")
		default:
			v.sessions(l, p)
		}
	})
}

// sessions adds the question, and what would be given.
func (v Distilling) sessions(l Look, p *paper) {
	p.add(p.t.Strong, "", l.Mask.longText(v.Plan.Question()))
	p.blank()
	for i := range v.Plan.Sessions {
		s := &v.Plan.Sessions[i]
		agent, title := l.Mask.line(systemName(v.Names, s.Agent), p.w), l.Mask.line(s.Title, p.w)
		line := fmt.Sprintf("  %s, %d bytes: %s", agent, len(s.Input), title)
		p.put(p.t.Text.Render(truncate(p.t, line, p.w)))
	}
	more := memory.Counted(v.Plan.More, "session")
	p.add(p.t.Dim, "  ", textIf(v.Plan.More > 0, "%s more wait for the next time.", more))
}
