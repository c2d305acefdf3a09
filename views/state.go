package views

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/views/safe"
	"winnow/views/theme"
)

// State is a box shown in place of a list. It says why there is none and what to do next. Its texts
// are untrusted because they may name files.
type State struct {
	Title  string
	What   string // one sentence
	Danger bool   // What reports a failure
	Lines  []string
	Next   []string // keys and commands, one per line
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
	return pane{Title: v.Title, Lines: p.inset()}.render(t, w, h)
}

// NoStore is the data of the screen for a machine without stores.
type NoStore struct {
	Keyed
	Looked    []memory.Looked
	Found     int  // number of stores found but not opened
	Searching bool // the search is still running
	Unfolded  bool // list the places that were searched

	CanOpen bool // the user can type a path
	CanDemo bool
	Setups  []Setup
}

// Setup is the command that sets up Winnow in an agent on this machine.
type Setup struct{ Agent, Command string }

// Render returns exactly w by h cells.
func (v NoStore) Render(t theme.Theme, w, h int) string {
	if v.Searching {
		return State{
			Title: "Stores", What: "Looking for stores" + t.Borders.Cut,
			Lines: []string{"A large folder takes a while. The first store that is found opens by itself."},
			Next:  []string{keyOf(v.keys().Global.Quit) + "  quit"},
		}.Render(t, w, h)
	}
	p, k := prose(t, w-3), v.keys()
	key := func(on bool, b keymap.Binding, what string) {
		if on {
			p.put("  " + t.Accent.Render(Cell(t, keyOf(b), 8)) + t.Text.Render(truncate(t, what, p.w-10)))
		}
	}
	p.put("")
	switch least := 20; {
	case v.Found > 0:
		p.add(t.Strong, "", "No store is open.")
		p.blank()
		key(true, k.Global.Switch, "choose one of the "+strconv.Itoa(v.Found)+" that were found")
		key(v.CanOpen, k.Global.OpenPath, "open another file, or find the stores below a folder")
		return pane{Title: "No store", Lines: p.inset()}.render(t, w, h)
	case v.Unfolded && h < least: // only one of the two fits
	default:
		p.add(t.Strong, "", "No agent has memories here. No store was found.")
		p.blank()
		key(v.CanOpen, k.Global.OpenPath, "open a file, or find the stores below a folder")
		key(v.CanDemo, k.Home.Open, "look around in a demo; yours stays untouched")
		key(len(v.Setups) == 0, k.Global.Help, "see what the keys do")
		for _, s := range v.Setups {
			p.put(
				"  " + truncate(
					t,
					t.Info.Render(
						Cell(t, s.Command, 23),
					)+"  "+t.Text.Render(
						"sets up "+safe.Line(s.Agent)+"; shows a diff first",
					),
					p.w-2,
				),
			)
		}
		p.blank()
		p.add(t.Text, "", "This screen fills by itself when a store appears.")
		p.blank()
	}
	key(
		true,
		k.Home.Fold,
		cmp.Or(textIf(v.Unfolded, "fold: looked in"), "looked in "+memory.Counted(len(v.Looked), "place")),
	)
	if len(p.lines) > h-2 {
		p.lines = slices.DeleteFunc(p.lines, func(l string) bool { return l == "" })
	}
	if v.Unfolded {
		v.places(&p, h-len(p.lines)-2)
	}
	return pane{Title: "No store", Lines: p.inset()}.render(t, w, h)
}

// places adds the places that were searched, in at most h lines.
func (v NoStore) places(p *paper, h int) {
	for i, l := range v.Looked {
		where := safe.Line(l.Where)
		lines := wrapped(
			p.t.Dim,
			where+pad(max(min(max(p.w/2, 20), 48)-Width(where), 2))+safe.Line(lookedNote(l)),
			p.w-4,
		)
		if h -= len(lines); h < 1 && i+1 < len(v.Looked) {
			p.put(p.t.Dim.Render(fmt.Sprintf("    and %d more; winnow stores lists them", len(v.Looked)-i)))
			return
		}
		p.indented("    ", lines)
	}
}

// lookedNote says what was found in a place.
func lookedNote(l memory.Looked) string {
	return cmp.Or(l.Note, textIf(l.Found == 0, "searched, and no store in it"), strconv.Itoa(l.Found)+" found")
}

// Alarm returns at most h lines of w cells: what is wrong, cut if it is too long, and where to find
// the next step. Both texts must be safe.
func Alarm(t theme.Theme, what, next string, w, h int) []string {
	if h < 1 {
		return nil
	}
	next = "  " + next
	lines := Wrap("! "+what, max(w, 1))
	above := min(len(lines), h) - 1
	text := strings.Join(lines[above:], " ")
	if Width(text)+len(next) > w && len(lines) < h {
		above, text = len(lines), ""
	}
	lines = lines[:above]
	for i, l := range lines {
		lines[i] = t.Danger.Render(Cell(t, l, w))
	}
	return append(lines, Cell(t, t.Danger.Render(truncate(t, text, max(w-len(next), 0)))+t.Info.Render(next), w))
}

// TooSmall returns w by h cells with one line, if there is room for it.
func TooSmall(t theme.Theme, w, h int) string {
	texts := []string{
		fmt.Sprintf("winnow needs 60 x 15 cells; this is %d x %d", w, h),
		"needs 60 x 15",
		"too small",
		"",
	}
	text := texts[slices.IndexFunc(texts, func(s string) bool { return len(s) <= max(w, 0) })]
	lines := make([]string, max((h-1)/2, 0), max(h, 1))
	lines = append(lines, pad((w-len(text))/2)+t.Warn.Render(text))
	return Fill(t, lines, w, h)
}
