//go:build unix

package main

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"github.com/charmbracelet/x/vt"
)

func screen(t *testing.T, text string) string {
	t.Helper()
	e := vt.NewEmulator(30, 3)
	if _, err := e.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	svg := picture(e)
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		if _, err := d.Token(); err == io.EOF {
			return svg
		} else if err != nil {
			t.Fatalf("%v in %s", err, svg)
		}
	}
}

func TestColoursAndPlacesAreKept(t *testing.T) {
	svg := screen(t, "a <b>\x1b[1;38;2;255;0;128m  bold\x1b[m\r\n\x1b[48;2;0;0;255mx")
	for _, want := range []string{
		`<text x="14" y="28" textLength="45" fill="#c8ccd8">a &lt;b&gt;</text>`,
		`<text x="77" y="28" textLength="36" fill="#ff0080" font-weight="bold">bold</text>`,
		`<rect x="14" y="33" width="9" height="19" fill="#0000ff"/>`,
	} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %s in\n%s", want, svg)
		}
	}
}

func TestReversedAndFaintAreWorkedOut(t *testing.T) {
	svg := screen(t, "\x1b[7mr\x1b[m\x1b[2mf")
	for _, want := range []string{`fill="#1a1b26">r<`, `fill="#71737f">f<`} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %s in\n%s", want, svg)
		}
	}
}

func TestFramesAreDrawnWithoutAFont(t *testing.T) {
	svg := screen(t, "│ text │")
	if strings.Count(svg, "<path") != 2 || strings.Contains(svg, "│") || !strings.Contains(svg, `<text x="32"`) {
		t.Errorf("the frame is not made of paths:\n%s", svg)
	}
}

func TestWideCharactersKeepTheirCells(t *testing.T) {
	svg := screen(t, "日本 x")
	for _, want := range []string{`<text x="14"`, `<text x="32"`, `<text x="59"`} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %s in\n%s", want, svg)
		}
	}
}
