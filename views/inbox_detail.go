package views

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/views/layout"
	"winnow/views/theme"
)

// detail returns the lines of the detail for its pane, the fixed lines below them, and how many
// lines fit above those.
func (v Inbox) detail(t theme.Theme, panes layout.Panes) (lines, foot []string, room int) {
	e, room := v.Chosen(), panes.DetailLines()
	if e == nil || panes.Detail.Empty() {
		return nil, nil, room
	}
	p := paper{t: t, w: max(panes.Detail.Dx()-2, 1)}
	v.addAbout(&p, e)
	if e.Kind == memory.FailingCall {
		v.failing(&p, e.Failure)
		foot = v.question(t, e, panes, room)
		return p.lines, foot, room - len(foot)
	}
	v.texts(&p, e)
	v.seen(&p, e)
	v.fires(&p, e)
	v.reasons(&p, e)
	v.addForm(&p, e)
	v.addSimilar(&p, e)
	if e.Block != "" {
		p.section("What a recall for this task would then add")
		v.lines(&p, e.Block)
	}
	p.blank()
	p.fact("folder", v.Mask.line(e.Origin.Folder, maxPath))
	var tools []string
	for _, tool := range e.Record.Tools[:min(len(e.Record.Tools), 12)] {
		tools = append(tools, v.Mask.line(tool, 40))
	}
	p.fact("tools", strings.Join(tools, ", "))
	foot = v.question(t, e, panes, room)
	return p.lines, foot, room - len(foot)
}

// addAbout adds what an entry is and where it came from.
func (v Inbox) addAbout(p *paper, e *memory.InboxEntry) {
	r, o := &e.Record, &e.Origin
	style := p.t.Strong
	if e.Kind == memory.BackRecord || e.Again != "" {
		style = p.t.Warn
	}
	name := inboxGroups[InboxGroup(e, v.Now)]
	if e.Deletes {
		style, name = p.t.Warn, [2]string{"DELETED", "(in the share, not here)"}
	}
	outcome := v.Mask.line(string(r.Outcome), maxOutcome)
	what := p.t.Dim.Render(name[1])
	if by := v.sender(p.t, e, min(p.w-len(name[0])-len("  by  12mo"), maxSender), true); by != "" {
		what = p.t.Info.Render("by " + by)
		defer p.fact("outcome", outcome)
		outcome = ""
	}
	p.put(
		leftAndRight(
			p.t,
			style.Render(name[0])+" "+what+textIf(outcome != "", "  %s", p.t.Text.Render(outcome)),
			p.t.Dim.Render("  "+orDash(v.age(e))),
			p.w,
		),
	)
	p.add(p.t.Warn, "", textIf(e.Again != "", "! %s", v.Mask.longText(e.Again)))
	p.add(p.t.Info, "", textIf(e.Before != "", "changed: %s", v.Mask.longText(e.Before)))
	p.add(
		p.t.Info,
		"",
		textIf(e.Later.After(v.Now), "put off until %s", e.Later.In(v.Now.Location()).Format("Mon 2 Jan 15:04")),
	)
	p.fact("from", v.senderText(e))
	p.fact("by", joined(", ", v.sender(p.t, e, 2*maxPath, true), v.makerText(o)))
	p.fact("in", textIf(e.Store != "", "%s", v.storeName(e, e.Store)))
}

// senderText names the agent and the session.
func (v Inbox) senderText(e *memory.InboxEntry) string {
	o := &e.Origin
	session := cmp.Or(o.Session, e.Record.Session)
	var steps []string
	for _, n := range o.Steps[:min(len(o.Steps), 8)] {
		steps = append(steps, strconv.Itoa(n))
	}
	agent := cmp.Or(v.Names[o.Agent], string(o.Agent), textIf(e.Kind == memory.Proposal, "nobody knows which agent"))
	return joined(
		", ",
		v.Mask.line(agent, 60),
		textIf(session != "", "session %s", v.Mask.line(session, 60)),
		textIf(
			len(steps) > 0,
			"%s %s",
			plural(len(o.Steps), "step", "steps"),
			strings.Join(steps, ", ")+textIf(len(o.Steps) > len(steps), " and more"),
		),
	)
}

// makerText says what created the proposal from the session.
func (v Inbox) makerText(o *memory.Origin) string {
	rule := textIf(o.Rule != "", `Winnow, rule "%s"`, v.Mask.line(o.Rule, 60))
	if o.Rule == "agent" {
		rule = "the agent, in its own words"
	}
	via := map[string]string{
		"mcp":             "over MCP",
		"clone":           "came with a cloned repository",
		memory.DoorPerson: "chosen among the failures",
		memory.DoorShare:  "through a share",
	}[o.Door]
	return joined(", ", rule, via, textIf(o.Model != "", "model %s", v.Mask.line(o.Model, 60)))
}

// texts shows what an entry says.
func (v Inbox) texts(p *paper, e *memory.InboxEntry) {
	r, task, lesson := &e.Record, "Task", "Lesson"
	if e.Seen.Sessions > 0 { // the sentence first: it is what agents would read
		p.section(lesson)
		p.add(p.t.Strong, "  ", v.masked(r, memory.InBody, r.Body))
		p.add(p.t.Dim, "  ", "topic: "+v.masked(r, memory.InTitle, r.Title))
		return
	}
	if r.Outcome == "" { // not a lesson
		task, lesson = textIf(!strings.HasPrefix(r.Body, r.Title), "Title"), "Text"
	}
	if r.Title != "" && task != "" {
		p.section(task)
		p.add(p.t.Text, "  ", v.masked(r, memory.InTitle, r.Title))
		p.addMoreBytes(r.Title)
	}
	if r.Body != "" {
		p.section(lesson)
		for _, line := range shownLines(r.Body, v.hidden(r), false) {
			p.add(p.t.Text, "  ", v.Mask.longText(line))
		}
		p.addMoreBytes(r.Body)
	}
	p.fact("told", v.Mask.line(r.When, maxWhen))
}

// hidden returns the places of the secrets in the body of a record.
func (v Inbox) hidden(r *memory.Record) [][2]int {
	if v.Reveal {
		return nil
	}
	return memory.Places(r.Secrets, memory.InBody, 0)
}

// lines shows a text of several lines.
func (v Inbox) lines(p *paper, text string) {
	for _, line := range v.Mask.lines(text) {
		p.indented("  ", wrapped(p.t.Text, line, p.w-2))
	}
	p.addMoreBytes(text)
}

// reasons adds what speaks for and against an entry.
func (v Inbox) reasons(p *paper, e *memory.InboxEntry) {
	if e.Kind == memory.GoneRecord {
		return
	}
	p.section("For and against")
	p.add(
		p.t.OK,
		"  ",
		textIf(
			e.Clean && !slices.ContainsFunc(e.Reasons, func(r memory.Reason) bool { return r.Against }),
			"+ nothing was found that speaks against it",
		),
	)
	for _, r := range e.Reasons {
		if r.Against {
			p.add(p.t.Danger, "  ", "! "+v.Mask.longText(r.Text))
		} else {
			p.add(p.t.OK, "  ", "+ "+v.Mask.longText(r.Text))
		}
	}
}

// addForm adds the exact form a proposal would have, and where it would go.
func (v Inbox) addForm(p *paper, e *memory.InboxEntry) {
	if e.Kind != memory.Proposal || e.Deletes {
		return
	}
	to := cmp.Or(v.To[e.ID], e.Target)
	p.section("Where it would go")
	p.add(p.t.Text, "  ", cmp.Or(textIf(to != "", "%s", v.storeName(e, to)), "no store was found for it"))
	p.add(
		p.t.Dim,
		"  ",
		textIf(len(e.Targets) > 1, "%s chooses among %d stores", keyOf(v.keys().Inbox.Target), len(e.Targets)),
	)
	if e.Stored != "" && to == e.Target {
		p.section("The exact " + cmp.Or(textIf(e.Record.Outcome == "", "text"), "line") + " it would become")
		v.lines(p, e.Stored)
	}
}

// storeName names a store.
func (v Inbox) storeName(e *memory.InboxEntry, id memory.StoreID) string {
	if i := slices.IndexFunc(e.Targets, func(p memory.Place) bool { return p.Store == id }); i >= 0 {
		made := textIf(!e.Targets[i].Exists, " (made by the first approval)")
		return v.Mask.line(PlaceName(v.Names, e.Targets[i]), 2*maxPath) + made
	}
	return v.Mask.line(joined(" ", cmp.Or(v.Names[id.System()], string(id.System())), id.Path()), 2*maxPath)
}

// addSimilar adds the records that say nearly the same, or contradict it.
func (v Inbox) addSimilar(p *paper, e *memory.InboxEntry) {
	for i, k := range e.Similar[:min(len(e.Similar), maxSimilar)] {
		if i == 0 {
			p.section("Similar")
		}
		style, does := p.t.Info, textIf(i == 0, "; %s merges into it", keyOf(v.keys().Inbox.Merge))
		if k.Contrary {
			style, does = p.t.Danger, "; it says the contrary"
		}
		p.add(
			style,
			"  ",
			`"`+v.Mask.line(
				k.Title,
				120,
			)+`" in `+v.storeName(
				e,
				k.Store,
			)+textIf(
				k.Why != "",
				" (%s)",
				v.Mask.line(k.Why, 120),
			)+does,
		)
	}
	p.add(p.t.Dim, "  ", textIf(len(e.Similar) > maxSimilar, "%d more", len(e.Similar)-maxSimilar))
}

// keyFor names a key, and what it does.
func keyFor(b keymap.Binding, does string) string { return "[" + keyOf(b) + "] " + does }

// ask returns what the user should ask themselves about an entry, and the keys for the answers.
func (v Inbox) ask(t theme.Theme, e *memory.InboxEntry) (style theme.Style, text string, keys []string) {
	const ofRecord = "Ask yourself: true? still true? general?"
	a := v.keys().Inbox
	switch {
	case v.Deciding[e.ID] != "":
		return t.Info, v.Deciding[e.ID] + t.Borders.Cut, nil
	case e.Kind == memory.GoneRecord:
		if e.Restorable {
			keys = []string{keyFor(a.Restore, "restore it")}
		}
		return t.Dim, "It is no longer in its store.", keys
	case e.Kind == memory.FailingCall:
		return t.Strong, "Shall agents be told?", []string{
			keyFor(a.Approve, "make a lesson of it"),
			keyFor(a.Open, "where it was"),
		}
	case e.Deletes:
		return t.Strong, "Others deleted it: shall it go here too?", []string{
			keyFor(a.Approve, "delete it"),
			keyFor(a.Reject, "keep it, share it again"),
			keyFor(a.Later, "later"),
		}
	case e.Kind == memory.DoubtedRecord:
		return t.Strong, "Is it still true? No agent is told it until you say so.", []string{
			keyFor(a.Approve, "still true"),
			keyFor(a.Reject, "delete it"),
			keyFor(a.Edit, "correct it"),
			keyFor(a.Pin, "pin"),
			keyFor(a.Later, "later"),
		}
	case e.Kind != memory.Proposal:
		return t.Strong, ofRecord, []string{
			keyFor(a.Approve, "keep it"),
			keyFor(a.Reject, "delete it"),
			keyFor(a.Edit, "edit"),
			keyFor(a.Pin, "pin"),
			keyFor(a.Later, "later"),
		}
	case e.Both:
		return t.Strong, "You changed it too: whose text is to hold?", []string{
			keyFor(a.Merge, "compare, or keep both"),
			keyFor(a.Approve, "take theirs"),
			keyFor(a.Reject, "keep mine"),
			keyFor(a.Later, "later"),
		}
	}
	return t.Strong, ofRecord, []string{
		keyFor(a.Approve, "approve"),
		keyFor(a.Reject, "reject"),
		keyFor(a.Edit, "edit, approve"),
		keyFor(a.Pin, "approve + pin"),
		keyFor(a.Later, "later"),
	}
}

// question returns the fixed lines below the detail: what the user should ask themselves, and the
// keys for the answers.
func (v Inbox) question(t theme.Theme, e *memory.InboxEntry, panes layout.Panes, room int) []string {
	p := paper{t: t, w: max(panes.Detail.Dx()-2, 1)}
	p.put("")
	style, text, keys := v.ask(t, e)
	p.add(style, "", text)
	if len(e.Similar) > 0 && len(keys) > 1 && !e.Both && !e.Deletes {
		keys = append(keys, keyFor(v.keys().Inbox.Merge, "merge"))
	}
	for len(keys) > 0 { // do not split a name between lines
		n := 1
		for n < len(keys) && len(strings.Join(keys[:n+1], "   ")) <= p.w-2 {
			n++
		}
		p.add(t.Accent, "  ", strings.Join(keys[:n], "   "))
		keys = keys[n:]
	}
	if next := v.Cursor + 1; panes.List.Empty() && next < len(v.Entries) {
		p.add(t.Dim, "", truncate(t, "next: "+v.name(t, v.Entries[next], p.w), p.w))
	}
	if len(p.lines) > room/2 {
		return nil
	}
	return p.lines
}
