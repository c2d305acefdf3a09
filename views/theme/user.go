package theme

import (
	"cmp"
	"fmt"
	"image/color"
	"maps"
	"math"
	"slices"
	"strings"
)

// User is a theme of the person's own.
type User struct {
	Name    string // empty for none
	Palette Palette
}

// Flaw is what is wrong with a token of a palette.
type Flaw struct{ Token, What string }

// Tokens returns the names of the colours of a palette, and before them base and background.
func Tokens() []string {
	return append([]string{"base", "background"}, slices.Sorted(maps.Keys((&Palette{}).tokens()))...)
}

// tokens returns the colours of a palette by name.
func (p *Palette) tokens() map[string]*color.Color {
	return map[string]*color.Color{
		"text": &p.Text, "dim": &p.Dim, "accent": &p.Accent, "ok": &p.OK, "warn": &p.Warn, "danger": &p.Danger, "info": &p.Info,
		"border": &p.Border, "match": &p.Match, "selection": &p.Selection, "selection_background": &p.SelectionBack,
	}
}

// Backgrounds that terminals commonly have.
func darkBacks() []string  { return []string{"#000000", "#1e1e1e", "#1d1f21", "#002b36"} }
func lightBacks() []string { return []string{"#ffffff", "#fafafa", "#fdf6e3"} }

// isColour reports whether s is #rgb or #rrggbb.
func isColour(s string) bool {
	digits, ok := strings.CutPrefix(s, "#")
	return ok && (len(digits) == 3 || len(digits) == 6) && strings.Trim(digits, "0123456789abcdefABCDEF") == ""
}

// Custom returns the palette with these colours by token, "#rrggbb" each. base, "dark" or "light", gives those
// that are not there. A colour must be readable on background, or else on what terminals with that base
// commonly have.
func Custom(colours map[string]string) (Palette, []Flaw) {
	p, backs := DarkPalette(), darkBacks()
	var flaws []Flaw
	switch base := cmp.Or(colours["base"], Dark); base {
	case Dark:
	case Light:
		p, backs = LightPalette(), lightBacks()
	default:
		flaws = append(flaws, Flaw{"base", fmt.Sprintf("%q is neither dark nor light", base)})
	}
	tokens := p.tokens()
	for _, token := range slices.Sorted(maps.Keys(colours)) {
		switch to := tokens[token]; {
		case token == "base":
		case to == nil && token != "background":
			flaws = append(flaws, Flaw{token, "no such colour; the colours are " + strings.Join(Tokens(), ", ")})
		case !isColour(colours[token]):
			flaws = append(flaws, Flaw{token, fmt.Sprintf("%q is not a colour; write it as #rrggbb", colours[token])})
		case token == "background":
			backs = []string{colours[token]}
		default:
			*to = hex(colours[token])
		}
	}
	if flaws == nil {
		flaws = p.unreadable(backs)
	}
	return p, flaws
}

// The contrasts that text and marks need at least, after WCAG 2.
const (
	leastText = 4.5
	leastMark = 3
)

// unreadable returns the tokens that cannot be read well on one of some backgrounds.
func (p *Palette) unreadable(backs []string) []Flaw {
	var flaws []Flaw
	tokens := p.tokens()
	for _, token := range slices.Sorted(maps.Keys(tokens)) {
		least, on := leastText, backs
		switch token {
		case "selection_background":
			continue
		case "border":
			least = leastMark
		case "selection":
			r, g, b, _ := p.SelectionBack.RGBA()
			on = []string{fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)}
		}
		for _, back := range on {
			if got := contrast(*tokens[token], hex(back)); got < least {
				flaws = append(flaws, Flaw{token, fmt.Sprintf("its contrast on %s is %.1f, and needs %.1f to be readable", back, got, least)})
				break
			}
		}
	}
	return flaws
}

// contrast returns the contrast ratio of WCAG 2.
func contrast(a, b color.Color) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// luminance is the relative luminance of WCAG 2.
func luminance(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	linear := func(v uint32) float64 {
		x := float64(v) / 0xffff
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}
