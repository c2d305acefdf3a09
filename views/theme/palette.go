package theme

import (
	"cmp"
	"image/color"
	"slices"

	"charm.land/lipgloss/v2"
)

// palette holds the colour of each token. A nil colour is the terminal's own.
type palette struct {
	Text, Dim, Accent      color.Color
	OK, Warn, Danger, Info color.Color
	Border, Match          color.Color
	// Selection is the text of the selected row, on SelectionBack. Without
	// SelectionBack the row is reversed.
	Selection, SelectionBack color.Color
}

// The colours are of the 256 that terminals without true colour have, so that
// they look the same there.

// darkPalette is for dark backgrounds.
func darkPalette() palette {
	return palette{
		Text: hex("#e4e4e4"), Dim: hex("#a8a8a8"), Accent: hex("#87d7ff"),
		OK: hex("#87d7af"), Warn: hex("#ffaf5f"), Danger: hex("#ff87af"), Info: hex("#afd7ff"),
		Border: hex("#808080"), Match: hex("#ffd75f"),
		Selection: hex("#ffffff"), SelectionBack: hex("#005f87"),
	}
}

// lightPalette is for light backgrounds.
func lightPalette() palette {
	return palette{
		Text: hex("#1c1c1c"), Dim: hex("#585858"), Accent: hex("#005faf"),
		OK: hex("#005f00"), Warn: hex("#875f00"), Danger: hex("#af005f"), Info: hex("#005f87"),
		Border: hex("#808080"), Match: hex("#5f00af"),
		Selection: hex("#121212"), SelectionBack: hex("#afd7ff"),
	}
}

// paletteOf returns the name of the theme and its palette. Auto leaves the text
// to the terminal, since the background may be guessed wrongly.
func paletteOf(o Options) (string, palette) {
	name := cmp.Or(o.Name, Auto)
	if !slices.Contains(Names(), name) {
		name = Auto
	}
	switch {
	case o.NoColor || name == Mono:
		return name, palette{}
	case name == ANSI:
		return name, ansiPalette()
	case name == Contrast:
		return name, contrastPalette(o.Dark)
	}
	p := lightPalette()
	if name == Dark || name == Auto && o.Dark {
		p = darkPalette()
	}
	if name == Auto {
		p.Text = nil
	}
	return name, p
}

// ansiPalette uses the terminal's colours by number and no background.
func ansiPalette() palette {
	return palette{
		Accent: lipgloss.Blue, OK: lipgloss.Green, Warn: lipgloss.Yellow,
		Danger: lipgloss.Magenta, Info: lipgloss.Cyan, Match: lipgloss.Yellow,
	}
}

func contrastPalette(dark bool) palette {
	text, back := hex("#000000"), hex("#ffffff")
	p := lightPalette()
	if dark {
		text, back = back, text
		p = darkPalette()
	}
	p.Text, p.Dim, p.Border = text, text, text
	p.Selection, p.SelectionBack = back, text
	return p
}

func hex(s string) color.Color { return lipgloss.Color(s) }
