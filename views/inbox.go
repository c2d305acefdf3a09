package views

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"winnow/core/memory"
	"winnow/views/layout"
	"winnow/views/safe"
	"winnow/views/theme"
)

// Inbox is the data of the inbox screen: the waiting entries on the left, and the selected one on
// the right. In a narrow terminal only one of the two is shown.
type Inbox struct {
	Box     memory.Inbox         // its counts and notes
	Entries []*memory.InboxEntry // in the order of their groups
	Listing
	Keyed
	Ready  bool
	Failed string // why the list is out of date; empty if it is current
	Unread int    // sessions that were not yet read for what failed in them

	Distilling *Reading // what a program of the person's own is doing, or nil

	Deciding map[string]string         // the decision in progress for an entry, by ID: "approving"
	To       map[string]memory.StoreID // stores that the user chose, by entry ID

	Names map[memory.SystemID]string
	Look
}

// inboxGroups are the headings and their explanations.
var inboxGroups = [...][2]string{
	memory.Proposal:        {"PROPOSED", "(in no store yet)"},
	memory.NewRecord:       {"NEW", "(stored since your last visit)"},
	memory.ChangedRecord:   {"CHANGED", "(by an agent)"},
	memory.BackRecord:      {"CAME BACK", "(you rejected it)"},
	memory.DoubtedRecord:   {"STILL TRUE?", "(not told until you say so)"},
	memory.GoneRecord:      {"GONE", "(for information)"},
	memory.FailingCall:     {"FAILED IN SESSIONS", "(of this project; the commonest first)"},
	memory.FailingCall + 1: {"LATER", "(you put these off)"},
}

// InboxGroup returns the index of the group of an entry.
func InboxGroup(e *memory.InboxEntry, now time.Time) int {
	if e.Later.After(now) {
		return int(memory.FailingCall) + 1
	}
	return int(min(e.Kind, memory.FailingCall))
}

// InboxGroups returns the groups of a list that is sorted by group.
func InboxGroups(entries []*memory.InboxEntry, now time.Time) []Group {
	return groups(len(entries), func(i int) string { return inboxGroups[InboxGroup(entries[i], now)][0] })
}

// Chosen returns the entry under the cursor, or nil.
func (v Inbox) Chosen() *memory.InboxEntry { return at(v.Entries, v.Cursor) }

// Len returns how many entries the list has.
func (v Inbox) Len() int { return len(v.Entries) }

// rows returns how many rows the list has, headings included.
func (v Inbox) rows() int { return v.RowsOf(len(v.Entries)) }

// Panes returns where list and detail are on a screen of w by h cells. A narrow screen shows only
// one of them.
func (v Inbox) Panes(w, h int) layout.Panes {
	mode := v.Layout
	if w < layout.SplitWidth && mode == layout.Both {
		mode = layout.DetailOnly
	}
	return layout.Split(w, max(h-1, 0), mode, v.Share).Down(1)
}

// Visible returns how many rows of the list a screen of w by h cells shows.
func (v Inbox) Visible(w, h int) int {
	lw, lh := v.Panes(w, h).Inside()
	return max(lh-len(v.foot(theme.Theme{}, lw, lh)), 0)
}

// ItemAt returns the entry at a cell of a screen of w by h cells.
func (v Inbox) ItemAt(w, h, x, y int) (entry int, ok bool) {
	return v.entryAt(v.Panes(w, h).List, 1, v.Visible(w, h), v.rows(), x, y) // below the border
}

// MaxScroll returns the largest useful Scroll on a screen of w by h cells.
func (v Inbox) MaxScroll(w, h int) int {
	lines, _, room := v.detail(theme.Theme{}, v.Panes(w, h))
	return max(len(lines)-room, 0)
}

// Render returns the screen as text of exactly w by h cells.
func (v Inbox) Render(t theme.Theme, w, h int) string {
	return paneUnder(t, v.progress(t, w), w, h, func() string { return v.body(t, w, h) })
}

// body returns the two boxes below the line of progress.
func (v Inbox) body(t theme.Theme, w, h int) string {
	p := v.Panes(w, h)
	lw, lh := p.Inside()
	s := ListDetail{Panes: p, Title: "Inbox", List: v.list(t, lw, lh), DetailFocused: v.Detail}
	s.Right = textIf(v.rows() > v.Visible(w, h), "%d of %d", v.Cursor+1, len(v.Entries))
	lines, foot, room := v.detail(t, p)
	shown, which := window(lines, v.Scroll, room)
	s.Detail = append(append(s.Detail, shown...), make([]string, max(room-len(shown), 0))...)
	s.Detail = append(s.Detail, foot...)
	k := v.keys()
	more := cmp.Or(
		textIf(v.Detail, "%s/%s", keyOf(k.Move.Down), keyOf(k.Move.Up)),
		textIf(p.List.Empty(), "%s", keyOf(k.Move.PageDown)),
		keyOf(k.Global.NextPane),
	)
	s.DetailTitle = textIf(len(v.Entries) > 0, "%d of %d", v.Cursor+1, len(v.Entries)) +
		textIf(v.Chosen() != nil && v.marked(v.Cursor), ", marked") +
		textIf(which != "", ", lines %s, %s for more", which, more)
	return s.Render(t)
}

// progress returns the line above the boxes: how many entries wait, and how many were decided.
func (v Inbox) progress(t theme.Theme, w int) string {
	const cells = 20 // width of the bar
	b, waiting := &v.Box, v.Box.Waiting(v.Now)
	all := waiting + b.Done
	toReview := joined(
		" ",
		strconv.Itoa(waiting)+" to review",
		textIf(!b.Since.IsZero(), "since %s", b.Since.In(v.Now.Location()).Format("Mon 15:04")),
	)
	done := textIf(b.Done > 0, "%d/%d done ", b.Done, all)
	if done != "" && w >= layout.SplitWidth/2 {
		done += bar(t, b.Done, all, cells)
	}
	sums := joined(
		"  ",
		textIf(b.Approved > 0, "approved %d", b.Approved),
		textIf(b.Rejected > 0, "rejected %d", b.Rejected),
		textIf(b.Edited > 0, "edited %d", b.Edited),
	)
	left := " " + t.Strong.Render(toReview) + t.Text.Render(textIf(done != "", "   %s", done)) +
		t.Dim.Render(textIf(sums != "" && w >= wideVerdict, "   %s", sums))
	a := v.keys().Inbox
	style, keys := t.Dim, keyOf(a.Approve)+"/"+keyOf(a.Reject)
	right := textIf(waiting > 0 && w >= wideVerdict, "  %s move to the next one ", keys)
	if doing := v.Distils(t, w-Width(toReview)-6); doing != "" {
		style, right = t.Info, "  "+doing+" "
	}
	if n := len(v.Marked); n > 0 {
		style, right = t.Strong, "  "+strconv.Itoa(n)+" marked: keys decide about these "
	}
	if v.Failed != "" {
		style, right = t.Danger, "  ! not up to date: "+truncate(t, v.Mask.line(v.Failed, w), max(w/2-24, 10))+" "
	}
	return leftAndRight(t, left, style.Render(right), w)
}

// list returns the inside of the left box, at most h lines of w cells.
func (v Inbox) list(t theme.Theme, w, h int) []string {
	if w <= 0 || h <= 0 {
		return nil
	}
	foot := v.foot(t, w, h)
	lines := v.visibleRows(len(v.Entries), h-len(foot), func(group int) string {
		g := inboxGroups[InboxGroup(v.Entries[v.Groups[group].From], v.Now)]
		return Cell(t, " "+t.Strong.Render(g[0])+" "+t.Dim.Render(g[1]), w)
	}, func(i int) string { return v.entry(t, i, w) })
	return slices.Concat(lines, make([]string, max(h-len(foot)-len(lines), 0)), foot)
}

// marked reports whether an entry is marked or in the range being marked.
func (v Inbox) marked(i int) bool {
	in := v.Range >= 0 && i >= min(v.Range, v.Cursor) && i <= max(v.Range, v.Cursor)
	return in || v.Marked[v.Entries[i].ID]
}

func (v Inbox) entry(t theme.Theme, i, w int) string {
	e := v.Entries[i]
	mark := v.sign(i) + cmp.Or(textIf(v.marked(i), "x"), " ")
	left := mark + " " + Cell(t, outcomeText(&e.Record, v.Reveal), outcomeCells) + "  " + v.name(t, e, w)
	style := t.Text
	if v.Deciding[e.ID] != "" || e.Kind == memory.GoneRecord || e.Later.After(v.Now) {
		style = t.Dim
	}
	age := v.age(e)
	age = Right(t, age, max(len(age), 3)) // 300d needs four
	return v.row(t, i, style, leftAndRight(t, left, "  "+joined("  ", v.note(t, e, w/3), age)+" ", w))
}

func (v Inbox) age(e *memory.InboxEntry) string {
	return textIf(!e.Arrived.IsZero() && !v.Now.IsZero(), "%s", Age(max(v.Now.Sub(e.Arrived), 0)))
}

// name returns what identifies an entry in a row of w cells: its title, followed by the beginning
// of its text if another entry has the same title.
func (v Inbox) name(t theme.Theme, e *memory.InboxEntry, w int) string {
	r := &e.Record
	same := func(other *memory.InboxEntry) bool { return other != e && other.Record.Title == r.Title }
	if r.Title == "" || r.Body == "" || !slices.ContainsFunc(v.Entries, same) {
		return v.title(e, w)
	}
	return truncate(t, v.title(e, w), w/2) + ": " + v.masked(r, memory.InBody, clip(r.Body, w))
}

// title returns the title of an entry in a list.
func (v Inbox) title(e *memory.InboxEntry, cells int) string {
	r := &e.Record
	if r.Title == "" {
		return cmp.Or(v.masked(r, memory.InBody, clip(r.Body, cells)), "(no text)")
	}
	return v.masked(r, memory.InTitle, clip(r.Title, cells))
}

// masked returns a text of a record with its secrets hidden: those with known places, and those
// found now.
func (v Inbox) masked(r *memory.Record, in memory.Field, text string) string {
	if !v.Reveal {
		text = safe.Hide(text, memory.Places(r.Secrets, in, 0))
	}
	return v.Mask.longText(text)
}

// note returns the most important remark about an entry, in at most w cells.
func (v Inbox) note(t theme.Theme, e *memory.InboxEntry, w int) string {
	if doing := v.Deciding[e.ID]; doing != "" {
		return doing + t.Borders.Cut
	}
	against := textIf(!e.Clean && e.Kind != memory.GoneRecord, "!")
	switch e.Kind {
	case memory.FailingCall:
		f := e.Failure
		told := textIf(f.Told != nil, "told")
		return joined(" ", told, strconv.Itoa(f.Sessions)+"/"+strconv.Itoa(f.Of))
	case memory.ChangedRecord:
		return joined(" ", against, truncate(t, v.Mask.line(e.Before, w), w))
	case memory.BackRecord:
		return joined(" ", against, "again")
	case memory.GoneRecord:
		return textIf(e.Restorable, "%s restores", keyOf(v.keys().Inbox.Restore))
	}
	said := memory.FlagNew
	if e.Kind == memory.DoubtedRecord {
		said |= memory.FlagUnseen // the heading says that nobody is told it
	}
	flags := joined(" ", against, (e.Record.Flags &^ said).Worst())
	if e.Deletes {
		flags = "deleted " + flags
	}
	return joined(" ", v.sender(t, e, w-len(flags)-1, false), flags)
}

// maxSender is the maximum width of the sender of a lesson.
const maxSender = 60

// sender says in at most w cells who sent a lesson through a share, with or without the mail
// address. It is empty if the lesson came through no share.
func (v Inbox) sender(t theme.Theme, e *memory.InboxEntry, w int, mail bool) string {
	o := e.Origin
	if name, _, cut := strings.Cut(o.Person, " <"); cut && !mail {
		o.Person = name
	}
	return truncate(t, v.Mask.line(o.Sender(), w), w)
}

// foot returns the lines below the list: notes on the inbox as a whole and, if there is room, what
// a decision does.
func (v Inbox) foot(t theme.Theme, w, h int) []string {
	if w <= 0 {
		return nil
	}
	const most = 3 // lines if the list is long
	p := prose(t, w)
	for _, n := range v.Box.Notes {
		p.add(t.Warn, "", "! "+v.Mask.longText(n))
	}
	p.add(t.Info, "", v.Waiting())
	p.add(t.Info, "", textIf(v.Unread > 0, "%s not read yet: winnow failures", memory.Counted(v.Unread, "session")))
	toReview := len(p.lines)
	p.blank()
	p.add(t.Dim, "", "Approving a proposal writes it to the store that is named beside it. Approving a record only notes that you have seen it; rejecting removes it.")
	switch room := h - v.rows() - 1; {
	case len(p.lines) <= room:
		return p.inset()
	case toReview <= room:
		return p.inset()[:toReview]
	case h >= 4*most:
		return p.inset()[:min(toReview, most)]
	}
	return nil
}

// Waiting says how many sessions wait to be learnt from, or returns nothing.
func (v Inbox) Waiting() string {
	n := v.Box.Queued
	return textIf(
		n > 0,
		"%s%s to be learnt from: winnow learn --queue",
		memory.Counted(n, "finished session"),
		plural(n, " waits", " wait"),
	)
}

// Named returns the title of an entry for a sentence or a list.
func (v Inbox) Named(e *memory.InboxEntry) string { return v.title(e, maxPath) }

// InboxLegend explains the signs and words of the inbox.
func InboxLegend() []string {
	return []string{
		"! something speaks against it; the detail says what",
		" Proposals are in no store: no agent reads them before you approve",
		" Approve a record: it stays, and counts as seen. Reject it: it is deleted, until undone",
	}
}
