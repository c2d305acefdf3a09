package views

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"winnow/core/memory"
	"winnow/views/safe"
	"winnow/views/theme"
)

// State is a box in the place of a list: it says why there is none and what to do
// next. Its texts are untrusted: they may name files.
type State struct {
	Title  string
	What   string // one sentence
	Danger bool   // What tells of a failure
	Lines  []string
	Next   []string // keys and commands, one a line
}

// Render returns exactly w by h cells.
func (v State) Render(t theme.Theme, w, h int) string {
	p, style := prose(t, w-3), t.Strong
	if v.Danger {
		style = t.Danger
	}
	p.put("")
	p.add(style, "", safe.Line(v.What))
	p.blank()
	for _, l := range v.Lines {
		p.indented("", wrapped(t.Text, safe.Line(l), p.w))
	}
	p.blank()
	for _, l := range v.Next {
		p.add(t.Info, "  ", safe.Line(l))
	}
	return Pane{Title: v.Title, Lines: p.inset()}.Render(t, w, h)
}

// NoStore is the data of the screen for a machine on which no store was found.
type NoStore struct {
	Looked    []memory.Looked
	Found     int  // stores that were found but not opened
	Searching bool // the search has not ended
}

// storesTab is where the places are listed that were looked at.
const storesTab = "screen Stores"

// notSet is the note of an environment variable that would name a store.
const notSet = "not set"

// Render returns exactly w by h cells.
func (v NoStore) Render(t theme.Theme, w, h int) string {
	if v.Searching {
		return State{
			Title: "Stores", What: "Looking for stores..",
			Lines: []string{"A large folder takes a while. The first store that is found opens by itself."},
			Next:  []string{"q  quit"},
		}.Render(t, w, h)
	}
	s := State{
		Title: "No store",
		What:  "No store was found.",
		Next: []string{
			"winnow PATH                      open a file, or look below a folder",
			"winnow --demo                    try with sample data",
			"?  help      q  quit",
		},
	}
	if i := slices.IndexFunc(v.Looked, func(l memory.Looked) bool { return l.Note == notSet }); i >= 0 {
		s.Next = slices.Insert(s.Next, 2, Cell(safe.Line(v.Looked[i].Where)+"=PATH", 33)+"says where the store is")
	}
	if v.Found > 0 {
		s.What = "No store is open."
		s.Next = append([]string{"S  choose one of the " + strconv.Itoa(v.Found) + " that were found"}, s.Next...)
	}
	shown, more := v.Looked, 0
	if most := max(h-len(s.Next)-10, 4); len(shown) > most {
		shown, more = shown[:most-1], len(shown)-most+1
	}
	for i, l := range shown {
		if i == 0 {
			s.Lines = append(s.Lines, "Looked in")
		}
		where := safe.Line(l.Where)
		s.Lines = append(s.Lines, "  "+where+pad(max(min(max(w/2, 20), 48)-Width(where), 2))+lookedNote(l))
	}
	if more > 0 {
		s.Lines = append(s.Lines, fmt.Sprintf("  and %d more places; %s lists them", more, storesTab))
	}
	searched := slices.ContainsFunc(v.Looked, func(l memory.Looked) bool { return l.Found == 0 && l.Note == "" })
	if searched && v.Found == 0 {
		s.Lines = append(s.Lines, "", "An agent writes its store when its first session ends. Any file can be opened by its own path.")
	}
	return s.Render(t, w, h)
}

// lookedNote says what was found in a place.
func lookedNote(l memory.Looked) string {
	return cmp.Or(l.Note, when(l.Found == 0, "searched, and no store in it"), strconv.Itoa(l.Found)+" found")
}

// Alarm returns at most h lines of w cells: what is wrong, cut where it is too
// long, and where the next step is found. Both must be safe.
func Alarm(t theme.Theme, what, next string, w, h int) []string {
	if h < 1 {
		return nil
	}
	next = "  " + next
	lines := Wrap("! "+what, max(w, 1))
	last := min(len(lines), h) - 1
	text := strings.Join(lines[last:], " ")
	if Width(text)+len(next) > w && len(lines) < h {
		return []string{t.Danger.Render(Cell(lines[0], w)), t.Info.Render(Cell(next, w))}
	}
	lines = lines[:last+1]
	lines[last] = Cell(t.Danger.Render(fit(text, max(w-len(next), 0)))+t.Info.Render(next), w)
	if last > 0 {
		lines[0] = t.Danger.Render(Cell(lines[0], w))
	}
	return lines
}

// TooSmall returns w by h cells that hold one line, as long as there is room.
func TooSmall(t theme.Theme, w, h int) string {
	texts := []string{fmt.Sprintf("winnow needs 60 x 15 cells; this is %d x %d", w, h), "needs 60 x 15", "too small", ""}
	text := texts[slices.IndexFunc(texts, func(s string) bool { return len(s) <= max(w, 0) })]
	lines := make([]string, max((h-1)/2, 0), max(h, 1))
	lines = append(lines, pad((w-len(text))/2)+t.Warn.Render(text))
	return Fill(lines, w, h)
}
