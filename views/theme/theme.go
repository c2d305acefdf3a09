// Package theme turns a small palette of semantic tokens into the styles and
// border runes that the views draw with. A view never names a colour itself.
//
// No style paints the whole background: the terminal's own stays. What a colour
// says is always said by a letter, a sign or an attribute as well, so that
// nothing is lost without colours.
package theme

import (
	"image/color"
	"strings"

	"charm.land/lipgloss/v2"
)

// The names of the themes, in the order in which a key goes through them.
const (
	Auto     = "auto" // light or dark, as the terminal says
	Light    = "light"
	Dark     = "dark"
	ANSI     = "ansi" // the terminal's own 16 colours
	Mono     = "mono" // no colours
	Contrast = "contrast"
)

// Names returns the names of all themes, Auto first.
func Names() []string { return []string{Auto, Light, Dark, ANSI, Mono, Contrast} }

// Options say which theme is wanted and what the terminal can show.
type Options struct {
	Name    string // one of Names; any other means Auto
	Dark    bool   // the terminal's background is dark; matters for Auto and Contrast
	NoColor bool   // attributes only
	ASCII   bool   // borders of + - |
	// Plain is for lines that are read aloud or kept: no styles, no boxes.
	Plain bool
}

// Theme holds the styles by meaning.
type Theme struct {
	Name  string
	Plain bool // see Options

	Text, Dim, Accent, Selection Style
	OK, Warn, Danger, Info       Style
	Border, Match                Style

	Strong Style // a title or label

	Borders Borders
}

// Borders are the runes of a box.
type Borders struct {
	TopLeft, TopRight, BottomLeft, BottomRight string
	Horizontal, Vertical                       string
	// MiddleLeft and MiddleRight join a dividing line to the sides.
	MiddleLeft, MiddleRight string
	// Heights draw how high a value is: the first that it is not known, the second none.
	Heights []string
	// Falling and Rising come before the name of the column that rows are sorted
	// by.
	Falling, Rising string
	// Cut is where a title was cut for lack of room, Between is between two facts, and Onward
	// begins a line that goes on with the one before.
	Cut, Between, Onward string
	// Bar are the signs that a cell of a bar is filled with, from empty to full.
	Bar string
}

// New returns the theme for o.
func New(o Options) Theme {
	name, p := paletteOf(o)
	if o.Plain {
		return Theme{
			Name:  name,
			Plain: true,
			Borders: Borders{
				TopLeft:    PaneStart,
				Horizontal: " ",
				Falling:    "v ",
				Rising:     "^ ",
				Cut:        "..",
				Between:    ", ",
			},
		}
	}
	t := Theme{Name: name, Borders: rounded()}
	if o.ASCII {
		t.Borders = ascii()
	}
	plain := lipgloss.NewStyle()
	t.Text = style(fg(plain, p.Text))
	t.Dim = style(fg(plain, p.Dim))
	t.Accent = style(fg(plain.Bold(true), p.Accent))
	t.OK = style(fg(plain, p.OK))
	t.Warn = style(fg(plain, p.Warn))
	t.Danger = style(fg(plain.Bold(true), p.Danger))
	t.Info = style(fg(plain, p.Info))
	t.Border = style(fg(plain, p.Border))
	t.Match = style(fg(plain.Underline(true).Bold(true), p.Match))
	t.Strong = style(fg(plain.Bold(true), p.Text))
	t.Selection = style(plain.Reverse(true))
	if p.SelectionBack != nil {
		t.Selection = style(plain.Foreground(p.Selection).Background(p.SelectionBack).Bold(true))
	}
	return t
}

func fg(s lipgloss.Style, c color.Color) lipgloss.Style {
	if c == nil {
		return s
	}
	return s.Foreground(c)
}

// Style is a lipgloss style whose escape sequences are made once. Rendering one
// line with it is a hundred times cheaper than with lipgloss.
type Style struct {
	lipgloss.Style
	open string
}

const reset = "\x1b[m"

func style(s lipgloss.Style) Style {
	open, _, _ := strings.Cut(s.Render("x"), "x")
	return Style{Style: s, open: open}
}

// Render returns s, which must be a single line, in the style. Styles that s
// already has stay, and the style goes on after them.
func (s Style) Render(text string) string {
	if s.open == "" || text == "" {
		return text
	}
	if strings.Contains(text, reset) {
		text = strings.ReplaceAll(text, reset, reset+s.open)
	}
	return s.open + text + reset
}

func rounded() Borders {
	return Borders{
		TopLeft: "╭", TopRight: "╮", BottomLeft: "╰", BottomRight: "╯",
		Horizontal: "─", Vertical: "│", MiddleLeft: "├", MiddleRight: "┤",
		Falling: "▼",
		Rising:  "▲",
		Cut:     "…",
		Between: " · ",
		Onward:  "↳ ",
		Bar:     "░▏▎▍▌▋▊▉█",
		Heights: strings.Split(" ▁▂▃▄▅▆▇█", ""),
	}
}

// PaneStart is before each pane of a plain theme, which has no boxes to tell them apart.
const PaneStart = "\f"

func ascii() Borders {
	return Borders{
		TopLeft: "+", TopRight: "+", BottomLeft: "+", BottomRight: "+",
		Horizontal: "-", Vertical: "|", MiddleLeft: "+", MiddleRight: "+",
		Falling: "v ",
		Rising:  "^ ",
		Cut:     "..",
		Between: "  ",
		Onward:  "> ",
		Bar:     "-#",
		Heights: strings.Split(" .:-=+*#", ""),
	}
}
