package views

import (
	"fmt"
	"html"
	"slices"
	"strconv"
	"strings"
	"time"

	"winnow/core/activity"
	"winnow/views/safe"
	"winnow/views/theme"
)

// Sizes in the drawing, in pixels.
const (
	svgWide  = 800
	svgEdge  = 16
	svgBars  = 120 // left edge of the bars
	svgWeeks = 572 // width of all weeks
	svgWeek  = 24  // maximum width of a week
	svgHigh  = 32  // height of the highest bar
	svgLine  = 18  // distance between lines of text
	svgRow   = 44  // distance between rows of bars
	svgCells = 108 // characters in a line of text
)

const svgStyle = `<style>.back{fill:#fff}text{fill:#1f2328;font:12px system-ui,sans-serif}.dim{fill:#59636e}.bar{fill:#0969da}.none{fill:#818b98}` +
	`@media(prefers-color-scheme:dark){.back{fill:#0d1117}text{fill:#f0f6fc}.dim{fill:#9198a1}.bar{fill:#4493f8}}</style>`

// svg is a drawing that grows downwards.
type svg struct {
	b     strings.Builder
	y     int
	weeks int       // number of weeks drawn
	from  time.Time // Monday of the first week
}

// text adds escaped text.
func (d *svg) text(x, y int, class, s string) {
	fmt.Fprintf(&d.b, `<text x="%d" y="%d" class="%s">%s</text>`+"\n", x, y, class, xmlText(s))
}

// xmlText returns a text escaped for XML, without characters that XML does not allow.
func xmlText(s string) string {
	s = strings.ToValidUTF8(safe.Line(s), "\uFFFD")
	return html.EscapeString(strings.NewReplacer("\uFFFE", "\uFFFD", "\uFFFF", "\uFFFD").Replace(s))
}

// lines adds a text, wrapped into as many lines as it needs.
func (d *svg) lines(class, s string) {
	for _, l := range Wrap(s, svgCells) {
		d.y += svgLine
		d.text(svgEdge, d.y, class, l)
	}
}

// row adds a row of weeks. An unknown week is empty, and a week with a count of 0 is a line.
func (d *svg) row(r activity.Row) {
	d.y += svgRow
	d.text(svgEdge, d.y, "", r.Name)
	most := max(slices.Max(r.Counts), 1)
	wide := min(svgWeeks/d.weeks, svgWeek)
	for i, n := range r.Counts[len(r.Counts)-d.weeks:] {
		high, class := max(n, 0)*svgHigh/most, "bar"
		if n <= 0 {
			high, class = 0, "none"
		}
		if n >= 0 {
			high = max(high, 1)
			fmt.Fprintf(&d.b, `<rect class="%s" x="%d" y="%d" width="%d" height="%d"><title>week of %s: %d</title></rect>`+"\n",
				class, svgBars+i*wide, d.y-high, wide-2, high, d.from.AddDate(0, 0, 7*i).Format(time.DateOnly), n)
		}
	}
	d.text(svgBars+d.weeks*wide+8, d.y, "dim", orUnknown(r.Sum()))
}

// SVG draws the activity as a self-contained file. Name is the name of the store.
func (v Activity) SVG(name string, mask Mask) string {
	n := weeksIn(svgWeeks, slices.Concat(v.Rows, v.Outcomes)...)
	d := svg{y: svgEdge, weeks: n, from: v.From.AddDate(0, 0, 7*(activity.Weeks-n))}
	d.lines("", mask.longText(name))
	d.lines("dim", strconv.Itoa(n)+" weeks from "+d.from.Format(time.DateOnly)+". A thin line is none, a gap is not known.")
	for _, r := range v.Rows {
		d.row(r)
	}
	if len(v.Outcomes) > 0 {
		d.y += svgLine
		d.lines("dim", "Outcomes of "+v.OutcomesOf)
		for _, r := range v.Outcomes {
			d.row(r)
		}
	}
	d.y += svgLine
	d.lines("", "Fill: "+v.Fill.Text)
	d.lines("", "Recalls: "+v.shares())
	for _, p := range v.Share.Top {
		d.y += svgLine
		wide := max(p.Recalls*(svgBars-2*svgEdge)/v.Share.Top[0].Recalls, 1)
		fmt.Fprintf(&d.b, `<rect class="bar" x="%d" y="%d" width="%d" height="10"/>`+"\n", svgEdge, d.y-10, wide)
		d.text(svgBars, d.y, "", truncate(theme.New(theme.Options{}), strconv.Itoa(p.Recalls)+"  "+mask.line(p.Title, svgCells), svgCells-svgBars/8))
	}
	d.y += svgLine / 2
	for _, note := range v.Notes {
		d.lines("dim", mask.longText(note))
	}
	high := d.y + svgEdge
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" role="img" aria-label="%s">`+"\n%s\n"+`<rect class="back" width="%[1]d" height="%[2]d"/>`+"\n%[5]s</svg>\n",
		svgWide, high, xmlText("Activity of "+mask.longText(name)), svgStyle, d.b.String())
}
