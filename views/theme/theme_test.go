package theme

import (
	"image/color"
	"math"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
)

func TestPalettesCanBeRead(t *testing.T) {
	for name, c := range map[string]struct {
		p     palette
		backs []string
	}{
		"dark":           {darkPalette(), darkBacks()},
		"light":          {lightPalette(), lightBacks()},
		"contrast dark":  {contrastPalette(true), darkBacks()},
		"contrast light": {contrastPalette(false), lightBacks()},
	} {
		for _, back := range c.backs {
			for token, want := range map[string]struct {
				c     color.Color
				least float64
			}{
				"text": {c.p.Text, 7}, "dim": {c.p.Dim, 4.5}, "accent": {c.p.Accent, 4.5}, "ok": {c.p.OK, 4.5},
				"warn": {c.p.Warn, 4.5}, "danger": {c.p.Danger, 4.5}, "info": {c.p.Info, 4.5},
				"match": {c.p.Match, 4.5}, "border": {c.p.Border, 3},
			} {
				if got := contrast(want.c, lipgloss.Color(back)); got < want.least {
					t.Errorf("%s: %s on %s has contrast %.2f, want %.1f", name, token, back, got, want.least)
				}
			}
		}
		if got := contrast(c.p.Selection, c.p.SelectionBack); got < 7 {
			t.Errorf("%s: the selected row has contrast %.2f", name, got)
		}
	}
}

// TestColoursAreAmongThe256 pins that a terminal without true colour shows the
// same ones: the nearest of a pink can be a grey.
func TestColoursAreAmongThe256(t *testing.T) {
	for name, p := range map[string]palette{"dark": darkPalette(), "light": lightPalette()} {
		for _, c := range []color.Color{
			p.Text, p.Dim, p.Accent, p.OK, p.Warn, p.Danger, p.Info, p.Border, p.Match, p.Selection,
			p.SelectionBack,
		} {
			near := colorprofile.ANSI256.Convert(c)
			if contrast(near, c) > 1.001 {
				r, g, b, _ := c.RGBA()
				t.Errorf("%s: #%02x%02x%02x becomes %v", name, r>>8, g>>8, b>>8, near)
			}
		}
	}
}

func TestWithoutColoursAttributesStay(t *testing.T) {
	for _, o := range []Options{{Name: Mono}, {Name: Dark, NoColor: true}, {Name: Auto, NoColor: true, Dark: true}} {
		th := New(o)
		for name, s := range map[string]string{
			"selection is reversed": th.Selection.Render("x"), "a match is underlined": th.Match.Render("x"),
			"danger is bold": th.Danger.Render("x"),
		} {
			want := map[byte]string{'s': "7", 'a': "4", 'd': "1"}[name[0]]
			seq, _, _ := strings.Cut(strings.TrimPrefix(s, "\x1b["), "m")
			if !strings.Contains(";"+seq+";", ";"+want+";") {
				t.Errorf("%+v: %s: %q", o, name, s)
			}
		}
		all := th.Text.Render("x") + th.Dim.Render("x") + th.Selection.Render("x") + th.Match.Render("x") +
			th.Border.Render("x")
		if strings.Contains(all, "38;") || strings.Contains(all, "48;") {
			t.Errorf("%+v has colours: %q", o, all)
		}
	}
}

func TestOnlyTheSelectionHasABackground(t *testing.T) {
	for _, name := range Names() {
		th := New(Options{Name: name, Dark: true})
		for token, s := range map[string]Style{
			"text":   th.Text,
			"dim":    th.Dim,
			"accent": th.Accent,
			"ok":     th.OK,
			"warn":   th.Warn,
			"danger": th.Danger,
			"info":   th.Info,
			"border": th.Border,
			"match":  th.Match,
			"strong": th.Strong,
		} {
			if strings.Contains(s.Render("x"), "48;") {
				t.Errorf("%s: %s paints a background", name, token)
			}
		}
	}
}

func TestAutoLeavesTheTextToTheTerminal(t *testing.T) {
	if got := New(Options{Name: Auto, Dark: true}).Text.Render("x"); got != "x" {
		t.Errorf("got %q", got)
	}
}

func TestStylesWithinAStyleStay(t *testing.T) {
	th := New(Options{Name: Dark})
	got := th.Selection.Render("a" + th.Match.Render("b") + "c")
	if end := strings.TrimSuffix(got, reset); !strings.HasSuffix(end, th.Selection.open+"c") {
		t.Errorf("after the inner style the outer one does not go on: %q", got)
	}
}

func TestStyleAgreesWithLipgloss(t *testing.T) {
	for _, name := range Names() {
		th := New(Options{Name: name})
		for _, s := range []Style{th.Text, th.Accent, th.Selection, th.Danger} { // lipgloss underlines letter by letter
			if got, want := s.Render("one line"), s.Style.Render("one line"); got != want {
				t.Errorf("%s: %q, lipgloss %q", name, got, want)
			}
		}
	}
}

func TestBordersCanBeASCII(t *testing.T) {
	b := New(Options{ASCII: true}).Borders
	for _, s := range []string{
		b.TopLeft, b.TopRight, b.BottomLeft, b.BottomRight, b.Horizontal, b.Vertical, b.MiddleLeft, b.MiddleRight,
	} {
		if len(s) != 1 || s[0] > '~' {
			t.Errorf("border %q", s)
		}
	}
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

// Backgrounds that terminals commonly have.
func darkBacks() []string  { return []string{"#000000", "#1e1e1e", "#1d1f21", "#002b36"} }
func lightBacks() []string { return []string{"#ffffff", "#fafafa", "#fdf6e3"} }
