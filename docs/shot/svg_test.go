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
	wellFormed(t, svg)
	return svg
}

func wellFormed(t *testing.T, svg string) {
	t.Helper()
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		if _, err := d.Token(); err == io.EOF {
			return
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

// TestARowThatStaysIsPaintedOnce and the rows of a frame are shown while it is.
func TestARowThatStaysIsPaintedOnce(t *testing.T) {
	var frames []frame
	for _, text := range []string{"same\r\none", "same\r\ntwo", "same\r\ntwo"} {
		e := vt.NewEmulator(10, 2)
		if _, err := e.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		frames = append(frames, frameOf(e, "note"))
	}
	svg := movie(frames)
	wellFormed(t, svg)
	for text, n := range map[string]int{">same<": 1, ">one<": 1, ">two<": 1, ">note<": 1, "@keyframes": 2} {
		if got := strings.Count(svg, text); got != n {
			t.Errorf("%s is there %d times, want %d:\n%s", text, got, n, svg)
		}
	}
	if !strings.Contains(svg, "@keyframes f1-3{0%{visibility:hidden}33.333%{visibility:visible}") {
		t.Errorf("the second frame is not shown from its third on:\n%s", svg)
	}
}
