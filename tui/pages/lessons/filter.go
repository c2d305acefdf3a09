package lessons

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/filter"
	"winnow/core/memory"
	"winnow/tui/msg"
	"winnow/tui/page"
	"winnow/views"
)

// filtered is the result of a job.
type filtered struct {
	shown
	// cursor is the record that the cursor was on, and row its row now, or -1 if it has none.
	cursor memory.ID
	row    int
	news   news
}

// news is what is new in a snapshot.
type news struct {
	came   bool // the snapshot differs from the one shown
	number int  // of lessons that arrived with it
}

// refilter starts filtering the latest snapshot in the background. It gives up an earlier job, whose
// result would be out of date.
func (p *Page) refilter() tea.Cmd {
	p.work.Begin(p.ctx)
	p.filtering = true
	j := job{
		query: p.query, now: p.Now,
		snap: p.pending, before: p.seen, was: p.shown, at: p.at.Cursor,
		cursor: cmp.Or(p.id(), p.away), scope: p.scope,
	}
	return p.work.Run(j.run)
}

// job filters one snapshot in the background. It holds values only, and does not touch the page.
type job struct {
	query  filter.Query
	now    time.Time
	snap   memory.Snapshot
	before memory.Snapshot // the last snapshot shown that could be read
	cursor memory.ID
	scope  string
	was    shown // what is on the screen
	at     int   // the cursor's row in was
}

func (j job) run(ctx context.Context) func(*Page) tea.Cmd {
	res, err := filter.Apply(ctx, j.snap.Records, j.query, j.now)
	if err != nil {
		return nil // ctx ended: a later job replaces this one
	}
	if j.scope != "" {
		res.Index = slices.DeleteFunc(res.Index, func(i int32) bool { return j.snap.Records[i].Scope != j.scope })
	}
	m := filtered{shown: shown{true, j.snap, res, j.query, j.was.display}, cursor: j.cursor}
	if !j.was.loaded || j.snap.Seq != j.was.snap.Seq {
		m.display = views.DisplayOf(j.snap)
	}
	m.row = rowOf(j.snap.Records, res.Index, j.cursor)
	if j.changed() {
		if m.row < 0 {
			m.row = j.nearestRow(res.Index)
		}
		m.news = j.compare()
	}
	return func(p *Page) tea.Cmd { return p.onFiltered(m) }
}

// changed reports whether the snapshot differs from the one shown.
func (j job) changed() bool { return j.was.loaded && j.snap.Seq != j.before.Seq }

// compare returns what is new since the snapshot shown. If that was only partly read, no records
// count as arrived.
func (j job) compare() news {
	if j.snap.Problem != nil {
		return news{} // keep the marks until the store can be read again
	}
	n := news{came: true}
	if j.before.Partial {
		return n
	}
	had := make(map[memory.ID]bool, len(j.before.Records))
	for i := range j.before.Records {
		had[j.before.Records[i].ID] = true
	}
	for i := range j.snap.Records {
		if r := &j.snap.Records[i]; r.Flags&memory.FlagNew != 0 && !had[r.ID] {
			n.number++
		}
	}
	return n
}

// nearestRow returns the new row for a cursor whose record is gone: that of the first record below it that
// is still listed, or else of the last one above it, or else -1.
func (j job) nearestRow(index []int32) int {
	row := make(map[memory.ID]int, len(index))
	for i, at := range index {
		row[j.snap.Records[at].ID] = i
	}
	rows := j.was.result.Index
	to, ok := page.Near(len(rows), j.at, func(i int) (int, bool) {
		to, ok := row[j.was.snap.Records[rows[i]].ID]
		return to, ok
	})
	if !ok {
		return -1
	}
	return to
}

// rowOf returns the row of a record, or -1.
func rowOf(records []memory.Record, index []int32, id memory.ID) int {
	return slices.IndexFunc(index, func(i int32) bool { return id != "" && records[i].ID == id })
}

// onFiltered shows the rows of a snapshot. Cursor and scroll position stay with the record.
func (p *Page) onFiltered(m filtered) tea.Cmd {
	p.filtering = false
	row := m.row
	id := p.id()
	if id != "" && id != m.cursor { // the cursor moved meanwhile
		row = rowOf(m.snap.Records, m.result.Index, id)
	}
	if m.snap.Problem != nil {
		// Keep cursor, marks and scroll position until the store can be read again.
		p.Replace(func() { p.shown = m.shown })
		p.away = cmp.Or(id, p.away)
		return nil
	}
	if p.shown.snap.Partial && !p.touched {
		row = 0 // rows still arrive, and the person has not chosen one
	}
	if made := rowOf(m.snap.Records, m.result.Index, p.sought); p.sought != "" && made >= 0 {
		row, p.sought = made, ""
	}
	above := p.at.Cursor - p.at.Offset
	if row < 0 && m.query == p.shown.query {
		row = p.at.Cursor // the record is gone: stay in its row
	}
	lost := p.reportMissing && p.sought != "" && !m.snap.Partial
	p.Replace(func() {
		p.shown, p.seen, p.away = m.shown, m.snap, ""
		p.at.Cursor = max(min(row, p.Len()-1), 0)
	})
	p.at.Offset = max(p.at.Cursor-above, 0)
	p.Follow()
	if lost {
		p.sought, p.reportMissing = "", false
		return tea.Batch(p.onNews(m.news), notShown())
	}
	return p.onNews(m.news)
}

func (p *Page) onNews(n news) tea.Cmd {
	if !n.came {
		return nil
	}
	here := make(map[string]bool, len(p.shown.snap.Records))
	for i := range p.shown.snap.Records {
		here[string(p.shown.snap.Records[i].ID)] = true
	}
	maps.DeleteFunc(p.at.Marked, func(id string, _ bool) bool { return !here[id] })
	if n.number == 0 {
		return nil
	}
	return msg.Emit(msg.Arrived{Number: n.number})
}

// onFilter handles a key or a paste while the filter is typed.
func (p *Page) onFilter(m tea.Msg) tea.Cmd {
	if !p.filter.Input(p.keys.Text, m, func(by int) { p.MoveTo(p.at.Cursor + by) }) {
		return nil
	}
	return p.setFilter()
}

func (p *Page) clearFilter() tea.Cmd {
	p.filter.Clear()
	return p.setFilter()
}

func (p *Page) setFilter() tea.Cmd {
	p.query.Text = p.filter.Text()
	return p.refilter()
}

// note says which words of the filter are invalid or match only approximately.
func (p *Page) note() string {
	var notes []string
	for _, t := range p.shown.result.Terms {
		switch {
		case t.Problem != "":
			notes = append(notes, t.Problem)
		case t.FuzzyFallback && p.Len() == 0:
			notes = append(notes, fmt.Sprintf("%q is nowhere, nor is anything like it", t.Text))
		case t.FuzzyFallback:
			notes = append(notes, fmt.Sprintf("%q is nowhere: showing what is like it", t.Text))
		}
	}
	if p.shown.result.Limited {
		notes = append(notes, fmt.Sprintf("fuzzy words look at the first %d rows", filter.MaxFuzzy))
	}
	return strings.Join(notes, "; ")
}

// spans returns what the filter matched in a text shown.
func (p *Page) spans(text string, title bool) [][2]int {
	return filter.Spans(p.shown.result.Terms, text, title)
}
