package layout

import (
	"image"
	"testing"
)

func TestDividedScreenCoversEveryLineOnce(t *testing.T) {
	for h := range 60 {
		s := Divide(80, h)
		at := 0
		for _, r := range []image.Rectangle{s.Header, s.Body, s.Toast, s.Hints} {
			if r.Min.Y != at || r.Max.Y < r.Min.Y {
				t.Fatalf("height %d: %+v leaves a gap", h, s)
			}
			at = r.Max.Y
		}
		if at != h {
			t.Fatalf("height %d: %+v ends at %d", h, s, at)
		}
	}
}

func TestPanesCoverTheArea(t *testing.T) {
	for _, mode := range []Mode{Both, DetailOnly, ListOnly} {
		for w := 0; w < 200; w += 7 {
			for h := range 50 {
				for _, share := range []int{-5, 30, 57, 80, 400} {
					p := Split(w, h, mode, share)
					area := p.List.Dx()*p.List.Dy() + p.Detail.Dx()*p.Detail.Dy()
					if area != w*h {
						t.Fatalf("Split(%d, %d, %d, %d) = %+v covers %d cells", w, h, mode, share, p, area)
					}
				}
			}
		}
	}
}

func TestDetailStandsBelowTheListInNarrowTerminals(t *testing.T) {
	if p := Split(99, 30, Both, Share); !p.Below || p.Detail.Min.Y != p.List.Max.Y {
		t.Errorf("99 columns: %+v", p)
	}
	if p := Split(100, 30, Both, Share); p.Below || p.Detail.Min.X != p.List.Max.X {
		t.Errorf("100 columns: %+v", p)
	}
}

func TestSmallIsBelow60x15(t *testing.T) {
	if TooSmall(60, 15) || !TooSmall(59, 15) || !TooSmall(60, 14) {
		t.Error("60x15 is the smallest size")
	}
}
