package views

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"winnow/core/memory"
	"winnow/views/safe"
	"winnow/views/theme"
)

// detailTitle names the row under the cursor.
func (v Home) detailTitle(t theme.Theme, w int) string {
	item, ok := v.Chosen()
	if !ok {
		return "Where Winnow looked"
	}
	switch item.Kind {
	case HomeAgent:
		return safe.Line(v.Read.Agents[item.N].Agent) + ", what it reads"
	case HomeIdle:
		return "Nothing to read here"
	case HomeIssue:
		return v.Read.Issues[item.N].Kind.Words()
	case HomeFailing:
		return "What failed in the sessions"
	case HomeShared:
		return "The same, twice"
	case HomeOther:
		return cutPath(v.path(v.Others[item.N].Folder, 1000), max(w-20, 8))
	case HomeMore:
		return "Other projects"
	}
	l := v.Lines[item.N]
	if l.Heading != "" {
		return v.Mask.line(l.Heading, max(w-20, 8))
	}
	return "Health of " + v.name(t, &v.Rows[l.Row], l, max(w-20, 8))
}

// detailLines returns what is known about the row under the cursor, in lines of w cells.
func (v Home) detailLines(t theme.Theme, w int) []string {
	p := prose(t, max(w, 3))
	item, ok := v.Chosen()
	switch {
	case !ok:
		v.whereLooked(&p)
	case item.Kind == HomeAgent:
		v.agentDetail(&p, &v.Read.Agents[item.N])
	case item.Kind == HomeIdle:
		p.add(t.Text, "", v.idleText()+".")
		v.notLooked(&p)
	case item.Kind == HomeIssue:
		v.issueDetail(&p, &v.Read.Issues[item.N])
	case item.Kind == HomeFailing:
		p.add(t.Text, "", v.Mask.longText(v.Read.Failing))
		p.add(t.Dim, "", "Its sessions say where, and a lesson can be made of it: see the Inbox, or winnow failures.")
	case item.Kind == HomeShared:
		v.sharedDetail(&p, &v.Read.Same[item.N])
	case item.Kind == HomeOther:
		v.otherDetail(&p, &v.Others[item.N])
	case item.Kind == HomeMore:
		p.add(t.Info, keyOf(v.keys().Home.Open)+"  ", "lists them all")
	default:
		v.storeDetail(&p, v.Lines[item.N])
	}
	return p.inset()
}

// storeDetail describes a store or a group of stores, and where stores were searched.
func (v Home) storeDetail(p *paper, l StoreLine) {
	if l.Heading != "" {
		v.group(p, l)
	} else {
		v.about(p, &v.Rows[l.Row])
	}
	v.whereLooked(p)
}

// otherDetail lists the stores of another project.
func (v Home) otherDetail(p *paper, o *OtherProject) {
	for _, row := range o.Rows {
		r := &v.Rows[row]
		name := joined(" ", v.system(r), v.Mask.line(r.Place.Name, 200))
		trouble := v.sum([]int{row}).trouble(p.t)
		room := max(p.w-Width(trouble)-1, 8)
		p.put(Cell(p.t, name, room) + " " + trouble)
		if r.Loaded && r.Summary.Problem == nil {
			p.add(p.t.Dim, "  ", strings.TrimSpace(countText(&r.Summary))+", "+v.writer(&r.Summary))
		}
	}
	p.blank()
	p.add(p.t.Info, keyOf(v.keys().Home.Open)+"  ", "what agents read there")
}

// agentDetail lists the sources of an agent by the occasion on which it reads them.
func (v Home) agentDetail(p *paper, a *memory.HomeAgent) {
	t := p.t
	if a.Stop != nil {
		v.stored(p, t.Danger, "", "does not start here: ", a.Stop.What)
		v.stored(p, t.Info, "  ", "next: ", a.Stop.Hint)
	}
	for _, w := range a.Problems {
		v.stored(p, levelStyle(t, w.Level), "", "! ", w.Text)
	}
	p.section("At every start" + textIf(a.Start.TokensHigh > 0, ", about %d tokens", a.Start.Tokens()))
	number := 0
	for i := range a.Sources {
		s := &a.Sources[i]
		if s.When != memory.AtStart {
			continue
		}
		if s.Kind != memory.SourceImport {
			number++
		}
		v.source(p, s, number, a.Start.Bytes)
	}
	p.add(t.Dim, "", textIf(number == 0, "nothing"))
	v.occasion(p, a, memory.WithFile, "With a file that they belong to")
	v.chosenByModel(p, a)
	v.occasion(p, a, memory.Never, "Not read")
	p.blank()
	v.stored(p, t.Dim, "", "", a.Note)
	v.stored(p, t.Dim, "", "Not searched: ", a.Gap)
	v.notLooked(p)
}

// source adds a source that is read at every start: its number, its part of the whole, and what it holds.
func (v Home) source(p *paper, s *memory.HomeSource, number, whole int) {
	t := p.t
	sign := Right(t, strconv.Itoa(number), 2) + "  "
	if s.Kind == memory.SourceImport {
		sign = "    " + t.Dim.Render("@ ")
	}
	size := ByteSize(s.Bytes) + textIf(s.Sent > 0, ", %s sent", ByteSize(s.Sent))
	part := ""
	if whole > 0 && p.w >= 60 {
		part = "  " + bar(t, s.Start.Bytes, whole, 6)
	}
	right := v.sourceWords(t, s) + "  " + t.Dim.Render(Right(t, size, 8)) + part
	room := max(p.w-Width(sign)-Width(right)-1, 8)
	path := v.path(s.Path, 1000)
	if s.Kind == memory.SourceMemoryIndex && Width(path) > room {
		path = baseOf(s.Path) + " (index)"
	}
	p.put(sign + Cell(t, cutPath(path, room), room) + " " + right)
}

// sourceWords says what is wrong with a source.
func (v Home) sourceWords(t theme.Theme, s *memory.HomeSource) string {
	return joined(" ",
		textIf(s.Secrets > 0, "%s", t.Danger.Render(memory.Counted(s.Secrets, "secret"))),
		textIf(s.Issues > 0, "%s", t.Warn.Render(memory.Counted(s.Issues, "problem"))))
}

// occasion lists the sources of one occasion with their conditions.
func (v Home) occasion(p *paper, a *memory.HomeAgent, when memory.SourceWhen, title string) {
	const most = 20
	n := 0
	for i := range a.Sources {
		s := &a.Sources[i]
		if s.When != when {
			continue
		}
		if n++; n == 1 {
			p.section(title)
		}
		if n > most {
			continue
		}
		path := cutPath(v.path(s.Path, 1000), max(p.w-4, 8))
		p.hanging("  ", p.t.Text.Render, joined("  ", path, v.Mask.line(v.inProject(s.Why), 400)))
	}
	p.add(p.t.Dim, "  ", textIf(n > most, "and %d more", n-most))
}

// inProject names files of the project in a sentence by their paths in it.
func (v Home) inProject(sentence string) string {
	if v.Read.Project == "" {
		return sentence
	}
	return strings.ReplaceAll(sentence, v.Read.Project+"/", "")
}

// chosenByModel counts what a model, a person or a search chooses from.
func (v Home) chosenByModel(p *paper, a *memory.HomeAgent) {
	counts := map[memory.SourceKind]int{}
	var kinds []memory.SourceKind
	for i := range a.Sources {
		if s := &a.Sources[i]; s.When == memory.WhenChosen {
			if counts[s.Kind]++; counts[s.Kind] == 1 {
				kinds = append(kinds, s.Kind)
			}
		}
	}
	if len(kinds) == 0 {
		return
	}
	p.section("Chosen by the model, a task or a person")
	for _, k := range kinds {
		written := ""
		if k == memory.SourceMemoryTopic && !a.LastNote.Time.IsZero() && !v.Now.IsZero() {
			written = ", last written " + ago(v.Now.Sub(a.LastNote.Time))
		}
		p.add(p.t.Text, "  ", memory.Counted(counts[k], string(k))+written)
	}
	p.add(p.t.Text, "  ", textIf(a.OnRecall, "%s that a task recalls", memory.Counted(a.Notes, "note")))
}

// ago says how long ago something was.
func ago(d time.Duration) string {
	if age := Age(d); age != "now" {
		return age + " ago"
	}
	return "just now"
}

// notLooked says what was not looked at.
func (v Home) notLooked(p *paper) {
	p.blank()
	for _, text := range v.Read.NotLooked {
		v.stored(p, p.t.Dim, "", "", text)
	}
}

// issueDetail says what is wrong, where, and what mends it. Two places are side by side if there is room.
func (v Home) issueDetail(p *paper, is *memory.Issue) {
	const sideBySide = 70 // cells
	t, k := p.t, v.keys().Home
	v.stored(p, levelStyle(t, is.Level), "", "", is.What)
	p.blank()
	if len(is.Places) == 2 && p.w >= sideBySide {
		half := p.w/2 - 1
		left, right := v.place(t, is, 0, half), v.place(t, is, 1, half)
		for i := range max(len(left), len(right)) {
			p.put(Cell(t, at(left, i), half) + "  " + at(right, i))
		}
	} else {
		for i := range is.Places {
			for _, l := range v.place(t, is, i, p.w) {
				p.put(l)
			}
			p.blank()
		}
	}
	p.add(t.Dim, "", textIf(is.More > 0, "and %d more places", is.More))
	p.blank()
	p.fact("Agents", v.Mask.line(strings.Join(is.Agents, ", "), 400))
	p.blank()
	if is.Mend != nil {
		p.add(t.Info, keyOf(k.Mend)+"  ", v.Mask.line(is.Mend.What, 400))
	}
	if is.Next != "" {
		p.add(t.Info, "next  ", v.Mask.line(is.Next, 400))
	}
	p.add(t.Info, keyOf(k.Meant)+"  ", "meant so: it is not shown again until a text changes")
}

// place returns one place of an issue: the file with the line, and its statement.
func (v Home) place(t theme.Theme, is *memory.Issue, i, w int) []string {
	s := &is.Places[i]
	p := paper{t: t, w: w}
	p.put(t.Accent.Render(v.spot(s, w)))
	slot := safe.Line(at(is.Slots[:], i))
	p.hanging("  ", func(line string) string {
		if before, after, found := strings.Cut(line, slot); found && slot != "" && is.Kind == memory.Differ {
			return t.Text.Render(before) + t.Match.Render(slot) + t.Text.Render(after)
		}
		return t.Text.Render(line)
	}, cmp.Or(v.Mask.longText(s.Text), "the whole file"))
	return p.lines
}

// sharedDetail says how much of two files is one text.
func (v Home) sharedDetail(p *paper, s *memory.SharedText) {
	p.add(p.t.Text, "", v.sharedText(s)+".")
	p.blank()
	p.fact(strconv.Itoa(s.OfA), v.path(s.A, 1000))
	p.fact(strconv.Itoa(s.OfB), v.path(s.B, 1000))
	p.blank()
	p.add(p.t.Dim, "", "An import of one in the other keeps them one text.")
}
