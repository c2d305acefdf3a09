//go:build unix

package main

import (
	"fmt"
	"html"
	"image/color"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/vt"
)

// The size of a cell and of the margin, in pixels.
const (
	cellW  = 9
	cellH  = 19
	margin = 14
	base   = 14 // from the top of a cell to the line that letters stand on
)

// boxes are the characters that frames are made of, as paths within a cell of
// 9 x 19, so that they join whatever the font.
var boxes = map[string]string{
	"─": "M0 9.5H9", "│": "M4.5 0V19", "━": "M0 9.5H9", "┃": "M4.5 0V19",
	"┌": "M9 9.5H4.5V19", "┐": "M0 9.5H4.5V19", "└": "M9 9.5H4.5V0", "┘": "M0 9.5H4.5V0",
	"╭": "M9 9.5Q4.5 9.5 4.5 14V19", "╮": "M0 9.5Q4.5 9.5 4.5 14V19",
	"╰": "M9 9.5Q4.5 9.5 4.5 5V0", "╯": "M0 9.5Q4.5 9.5 4.5 5V0",
	"├": "M4.5 0V19M4.5 9.5H9", "┤": "M4.5 0V19M0 9.5H4.5",
	"┬": "M0 9.5H9M4.5 9.5V19", "┴": "M0 9.5H9M4.5 0V9.5", "┼": "M0 9.5H9M4.5 0V19",
}

// look is how a run of cells is painted.
type look struct {
	ink, paper      string
	bold, underline bool
}

// picture paints a screen. Text is placed run by run, so that a font of another
// width shifts nothing by more than a letter.
func picture(screen *vt.Emulator) string {
	var b strings.Builder
	begin(&b, screen.Width(), screen.Height())
	for y := range screen.Height() {
		paintRow(&b, screen, y)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// begin writes the head of an image of so many cells.
func begin(b *strings.Builder, columns, rows int) {
	w, h := columns*cellW+2*margin, rows*cellH+2*margin
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" `, w, h, w, h)
	b.WriteString(
		`font-family="ui-monospace,'JetBrains Mono','DejaVu Sans Mono',Menlo,Consolas,monospace" font-size="14.9">` + "\n",
	)
	fmt.Fprintf(b, `<rect width="100%%" height="100%%" rx="8" fill="%s"/>`+"\n", hex(paper))
}

// glyph is what stands in one cell, or two when it is wide.
type glyph struct {
	text     string
	x, cells int
}

func glyphAt(screen *vt.Emulator, x, y int) (glyph, look) {
	c := screen.CellAt(x, y)
	if c == nil || c.Content == "" {
		return glyph{" ", x, 1}, lookOf(c)
	}
	return glyph{c.Content, x, max(1, c.Width)}, lookOf(c)
}

// paintRow paints the cells of a row in runs of one look.
func paintRow(b *strings.Builder, screen *vt.Emulator, y int) {
	var run []glyph
	var last look
	for x := 0; x < screen.Width(); {
		g, l := glyphAt(screen, x, y)
		if l != last {
			paintRun(b, run, last, y)
			run, last = nil, l
		}
		run = append(run, g)
		x += g.cells
	}
	paintRun(b, run, last, y)
}

func paintRun(b *strings.Builder, run []glyph, l look, y int) {
	if len(run) == 0 {
		return
	}
	top := margin + y*cellH
	if l.paper != hex(paper) {
		end := run[len(run)-1]
		fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`+"\n",
			left(run[0].x), top, (end.x+end.cells-run[0].x)*cellW, cellH, l.paper)
	}
	paintBoxes(b, run, l, top)
	attrs := ""
	if l.bold {
		attrs += ` font-weight="bold"`
	}
	if l.underline {
		attrs += ` text-decoration="underline"`
	}
	for _, p := range pieces(run) {
		fmt.Fprintf(b, `<text x="%d" y="%d" textLength="%d" fill="%s"%s>%s</text>`+"\n",
			left(p.x), top+base, p.cells*cellW, l.ink, attrs, html.EscapeString(p.text))
	}
}

// left returns where a cell begins.
func left(x int) int { return margin + x*cellW }

func paintBoxes(b *strings.Builder, run []glyph, l look, top int) {
	var paths strings.Builder
	for _, g := range run {
		if path, ok := boxes[g.text]; ok {
			fmt.Fprintf(&paths, `<path transform="translate(%d %d)" d="%s"/>`, left(g.x), top, path)
		}
	}
	if paths.Len() > 0 {
		fmt.Fprintf(b, `<g fill="none" stroke="%s">%s</g>`+"\n", l.ink, paths.String())
	}
}

// pieces joins glyphs to texts, cut at gaps of two spaces and more and at frames.
// Wide characters stand alone.
func pieces(run []glyph) (out []glyph) {
	var p glyph
	flush := func() {
		text := strings.TrimRight(p.text, " ")
		p.cells -= len(p.text) - len(text)
		if p.text = text; text != "" {
			out = append(out, p)
		}
		p = glyph{}
	}
	for _, g := range run {
		_, box := boxes[g.text]
		gap := g.text == " " && (p.text == "" || strings.HasSuffix(p.text, " "))
		if box || gap || g.cells > 1 {
			flush()
		}
		if box || gap {
			continue
		}
		if p.text == "" {
			p.x = g.x
		}
		p.text += g.text
		p.cells += g.cells
		if g.cells > 1 {
			flush()
		}
	}
	flush()
	return out
}

// lookOf returns the colours of a cell as they are seen: reversed and faint ones
// are worked out here.
func lookOf(c *uv.Cell) look {
	if c == nil {
		return look{ink: hex(ink), paper: hex(paper)}
	}
	fg, bg := rgba(c.Style.Fg, ink), rgba(c.Style.Bg, paper)
	if c.Style.Attrs&uv.AttrReverse != 0 {
		fg, bg = bg, fg
	}
	if c.Style.Attrs&uv.AttrFaint != 0 {
		fg = mix(fg, bg)
	}
	return look{
		ink: hex(fg), paper: hex(bg),
		bold:      c.Style.Attrs&uv.AttrBold != 0,
		underline: c.Style.Underline != uv.UnderlineNone,
	}
}

func rgba(c color.Color, otherwise color.RGBA) color.RGBA {
	if c == nil {
		return otherwise
	}
	r, g, b, _ := c.RGBA()
	return color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 0xff}
}

// mix returns the colour half way between two.
func mix(a, b color.RGBA) color.RGBA {
	half := func(x, y uint8) uint8 { return uint8((int(x) + int(y)) / 2) }
	return color.RGBA{half(a.R, b.R), half(a.G, b.G), half(a.B, b.B), 0xff}
}

func hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
