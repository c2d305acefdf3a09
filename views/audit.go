package views

import (
	"image"
	"strings"
	"time"

	"winnow/core/memory"
	"winnow/views/layout"
	"winnow/views/theme"
)

// AuditItem is a finding in the list. It does not change once it is listed.
type AuditItem struct {
	*memory.Finding
	Record *memory.Record // the record it is in; nil if that is not loaded
	// TitleMasks are the places in the record's title that are hidden unless secrets are revealed.
	TitleMasks [][2]int
	// Redacted is set if it was redacted on this screen. Its text is gone.
	Redacted bool
}

// Open reports whether the finding counts.
func (i AuditItem) Open() bool { return !i.Redacted && i.Finding.Open() }

// Audit is the data of the audit screen: the verdict, the findings on the left and the selected one
// on the right.
type Audit struct {
	Items []AuditItem // by group, worst first in each
	Sum   AuditSum
	Listing
	Keyed
	// Level is the lowest severity that fails the audit.
	Level memory.Severity

	Ready bool // the findings are complete
	Slow  bool // the running audit takes long
	// Lessons of Total records in the store were audited, with Rules rules; Rules is 0 if unknown.
	Lessons, Total, Rules int
	Before                int // places that already held [REDACTED] when the store was opened
	// Noun is the word for a record. Named is set if record IDs are names that identify them to a
	// person.
	Noun  memory.Noun
	Named bool
	Mask  Mask
	// Unread lists records that were not audited. Unless it is empty, the verdict is never clean.
	Unread []string
	// Uncovered lists what the audit does not cover, such as "git history".
	Uncovered []string

	// Writable is set if the store can be changed. Fixed is set if nothing at all can be written,
	// not even decisions or reports.
	Writable, Fixed bool
	Reveal          bool
	Now             time.Time
}

// AuditGroups splits a list of findings into groups with headings. Findings on files must be last;
// the others must be sorted with the worst first.
func AuditGroups(items []AuditItem) []Group {
	return groups(len(items), func(i int) string { return groupOf(items[i].Finding) })
}

// fileGroup is the heading of findings on a file itself instead of its content, and reviewGroup that of
// places to read.
const (
	fileGroup   = "FILE"
	reviewGroup = "TO READ"
)

func groupOf(f *memory.Finding) string {
	switch {
	case f.Family == memory.FamilyFile:
		return fileGroup
	case f.Severity == memory.Medium:
		return reviewGroup
	}
	return strings.ToUpper(f.Severity.String())
}

// Chosen returns the finding under the cursor, or false.
func (v Audit) Chosen() (AuditItem, bool) {
	item := at(v.Items, v.Cursor)
	return item, item.Finding != nil
}

// AuditSum says how many findings of a list count, and what happened to the others.
type AuditSum struct {
	memory.Tally
	Ignored, Redacted int
	Worst             memory.Severity // the worst severity that counts; 0 for none
}

// SumOf counts the findings of a list.
func SumOf(items []AuditItem) (s AuditSum) {
	for _, f := range items {
		switch {
		case f.Redacted:
			s.Redacted++
		case f.Ignored != nil:
			s.Ignored++
		default:
			s.Add(f.Finding)
			s.Worst = max(s.Worst, f.Severity)
		}
	}
	return s
}

// Panes returns where list and detail are on a screen of w by h cells.
func (v Audit) Panes(w, h int) layout.Panes {
	if len(v.Items) == 0 {
		return layout.Panes{List: image.Rect(0, 1, w, max(h, 1))}
	}
	return layout.Split(w, max(h-1, 0), v.Layout, v.Share).Down(1)
}

// Len returns how many findings the list has.
func (v Audit) Len() int { return len(v.Items) }

// rows returns how many rows the list has, headings included.
func (v Audit) rows() int { return v.RowsOf(len(v.Items)) }

// Visible returns how many rows of the list fit on a screen of w by h cells.
func (v Audit) Visible(w, h int) int {
	lw, lh := v.Panes(w, h).Inside()
	return max(lh-1-len(v.foot(theme.Theme{}, lw, lh)), 0)
}

// ItemAt returns the item at a cell of a screen of w by h cells.
func (v Audit) ItemAt(w, h, x, y int) (item int, ok bool) {
	// Below the border and the column headings.
	return v.entryAt(v.Panes(w, h).List, 2, v.Visible(w, h), v.rows(), x, y)
}

// MaxScroll returns the largest useful Scroll on a screen of w by h cells.
func (v Audit) MaxScroll(w, h int) int {
	p := v.Panes(w, h)
	if p.Detail.Empty() {
		return 0
	}
	return max(len(v.detailLines(theme.Theme{}, p))-max(p.DetailLines(), 1), 0)
}

// Render returns the screen as text of exactly w by h cells.
func (v Audit) Render(t theme.Theme, w, h int) string {
	return paneUnder(t, v.verdict(t, w), w, h, func() string { return v.body(t, w, h) })
}

// body returns the two boxes below the verdict.
func (v Audit) body(t theme.Theme, w, h int) string {
	p := v.Panes(w, h)
	s := ListDetail{
		Panes:         p,
		Title:         "Findings, worst first",
		DetailTitle:   v.detailTitle(),
		Scroll:        v.Scroll,
		DetailFocused: v.Detail,
	}
	if p.Below {
		s.Title = "Findings"
	}
	s.Right = textIf(v.rows() > v.Visible(w, h) && len(v.Items) > 0, "%d of %d", v.Cursor+1, len(v.Items))
	lw, lh := p.Inside()
	s.List, s.Detail = v.list(t, lw, lh), v.detailLines(t, p)
	return s.Render(t)
}
