package theme

import (
	"image/color"

	"charm.land/lipgloss/v2"
)

// Palette holds the colour of each token. A nil colour is the terminal's own.
type Palette struct {
	Text, Dim, Accent      color.Color
	OK, Warn, Danger, Info color.Color
	Border, Match          color.Color
	// Selection is the text of the selected row, on SelectionBack. Without
	// SelectionBack the row is reversed.
	Selection, SelectionBack color.Color
}

// DarkPalette is for dark backgrounds.
func DarkPalette() Palette {
	return Palette{
		Text: hex("#dfe3e8"), Dim: hex("#a3abb5"), Accent: hex("#7cc4f8"),
		OK: hex("#7fd4a0"), Warn: hex("#f0c26a"), Danger: hex("#ff8f9c"), Info: hex("#8fc7e8"),
		Border: hex("#7a838e"), Match: hex("#ffd76e"),
		Selection: hex("#ffffff"), SelectionBack: hex("#2b4a6b"),
	}
}

// LightPalette is for light backgrounds.
func LightPalette() Palette {
	return Palette{
		Text: hex("#1f2328"), Dim: hex("#565d66"), Accent: hex("#0a4f96"),
		OK: hex("#17603a"), Warn: hex("#754700"), Danger: hex("#9c1038"), Info: hex("#14566f"),
		Border: hex("#7a828b"), Match: hex("#7a3d00"),
		Selection: hex("#10151a"), SelectionBack: hex("#c4dcf5"),
	}
}

// paletteOf returns the name of the theme and its palette. Auto leaves the text
// to the terminal, since the background may be guessed wrongly.
func paletteOf(o Options) (string, Palette) {
	name := o.Name
	switch name {
	case Light, Dark, ANSI, Mono, Contrast:
	default:
		name = Auto
	}
	switch {
	case o.NoColor || name == Mono:
		return name, Palette{}
	case name == ANSI:
		return name, ansiPalette()
	case name == Contrast:
		return name, contrastPalette(o.Dark)
	}
	p := LightPalette()
	if name == Dark || name == Auto && o.Dark {
		p = DarkPalette()
	}
	if name == Auto {
		p.Text = nil
	}
	return name, p
}

// ansiPalette uses the terminal's colours by number and no background.
func ansiPalette() Palette {
	return Palette{
		Accent: lipgloss.Blue, OK: lipgloss.Green, Warn: lipgloss.Yellow,
		Danger: lipgloss.Magenta, Info: lipgloss.Cyan, Match: lipgloss.Yellow,
	}
}

func contrastPalette(dark bool) Palette {
	text, back := hex("#000000"), hex("#ffffff")
	p := LightPalette()
	if dark {
		text, back = back, text
		p = DarkPalette()
	}
	p.Text, p.Dim, p.Border = text, text, text
	p.Selection, p.SelectionBack = back, text
	return p
}

func hex(s string) color.Color { return lipgloss.Color(s) }
