package views

import (
	"cmp"
	"fmt"

	"winnow/core/memory"
	"winnow/views/theme"
)

// sessionLine says in one line what is known about the texts that a session received.
func (v Recall) sessionLine(g *memory.LastSession) string {
	who, n := "the "+cmp.Or(textIf(g.Running, "running"), "last")+" session", len(g.Differs)
	return cmp.Or(
		textIf(g.Unknown != "", "What %s got is not known: %s", who, v.Mask.line(g.Unknown, 300)),
		textIf(n == 0, "%s got exactly this", who),
		textIf(n == 1, "%s got 1 text that differs now", who),
		fmt.Sprintf("%s got %d texts that differ now", who, n),
	)
}

// gotLine is sessionLine with the key that shows more. It is empty if no session is known.
func (v Recall) gotLine() string {
	if v.Result.LastSession == nil {
		return ""
	}
	return v.sessionLine(v.Result.LastSession) + " (" + keyOf(v.keys().Recall.Got) + ")"
}

// sessionLines compares what a session received with what the next one will receive.
func (v Recall) sessionLines(t theme.Theme, w int) []string {
	p := paper{t: t, w: max(w-1, 1)}
	g := v.Result.LastSession
	if g == nil {
		p.add(t.Dim, "", "No record of what a session of this system got.")
		return p.lines
	}
	p.add(t.Strong, "", Capital(v.sessionLine(g)))
	p.fact("session", v.Mask.line(g.Session, 200))
	p.fact("from", v.Mask.line(g.Source, 200))
	p.fact("began", textIf(!g.At.IsZero(), "%s", minute(v.Now, g.At)))
	p.add(t.Warn, "", textIf(g.Running, "It still runs with what it got; changes reach the next session."))
	for i, d := range g.Differs {
		p.section(fmt.Sprintf("%d %s", i+1, joined("  ", v.Mask.line(d.Name, 200), v.Mask.line(d.Path, 200))))
		v.difference(&p, d)
	}
	if len(g.Differs) == 0 && g.Unknown == "" {
		p.blank()
		p.add(t.OK, "", "Every text it got is unchanged.")
	}
	v.addReceived(&p, g)
	return p.lines
}

// maxSessionTexts limits the texts of a session that are listed.
const maxSessionTexts = 100

// addReceived adds the texts that a session received, with their lengths.
func (v Recall) addReceived(p *paper, g *memory.LastSession) {
	n := 0
	for _, b := range g.Blocks {
		p.section(v.Mask.line(Capital(b.Name), 200))
		for _, part := range b.Parts {
			if n++; n > maxSessionTexts {
				p.add(p.t.Dim, "  ", "and more texts")
				return
			}
			text := joined("  ", v.Mask.line(part.Name, 100), v.Mask.line(part.Path, 300))
			p.add(p.t.Text, "  ", fmt.Sprintf("%s  %d bytes", text, part.End-part.Start))
			p.add(p.t.Dim, "    ", v.Mask.line(part.Note, 300))
		}
	}
}

// difference adds the old and new form of one text.
func (v Recall) difference(p *paper, d memory.Difference) {
	switch {
	case d.Was == "" && d.Now == "":
		p.add(p.t.Dim, "  ", "both empty, or not kept")
	case d.Was == "":
		p.add(p.t.OK, "  ", "new: the session did not get this")
	case d.Now == "":
		p.add(p.t.Danger, "  ", "gone: the next session does not get this")
	}
	p.changedLines("  ", v.Mask.lines(d.Was), v.Mask.lines(d.Now))
}
