package theme

import (
	"strings"
	"testing"
)

func TestThemesOfUsers(t *testing.T) {
	p, flaws := Custom(map[string]string{"accent": "#f90", "text": "#ffffff"})
	if flaws != nil || p.Dim != DarkPalette().Dim {
		t.Fatal(flaws)
	}
	th := New(Options{Name: "mine", User: User{"mine", p}})
	if th.Name != "mine" || !strings.Contains(th.Accent.Render("x"), "38;2;255;153;0") {
		t.Errorf("%s %q", th.Name, th.Accent.Render("x"))
	}
	if th := New(Options{Name: "mine", NoColor: true, User: User{"mine", p}}); strings.Contains(th.Accent.Render("x"), "38;") {
		t.Error("colours without colours")
	}
	if th := New(Options{Name: "another", User: User{"mine", p}}); th.Name != Auto {
		t.Error(th.Name)
	}
	if _, flaws := Custom(map[string]string{"base": "light", "background": "#eeeeee", "border": "#777777"}); flaws != nil {
		t.Error(flaws)
	}
}

func TestThemesThatCannotBeRead(t *testing.T) {
	for _, c := range []struct {
		colours map[string]string
		want    string
	}{
		{map[string]string{"base": "grey"}, "neither dark nor light"},
		{map[string]string{"txt": "#fff"}, "no such colour"},
		{map[string]string{"text": "white"}, "is not a colour"},
		{map[string]string{"text": "#ffff"}, "is not a colour"},
		{map[string]string{"background": "8"}, "is not a colour"},
		{map[string]string{"dim": "#444444"}, "its contrast on #000000 is 2.2, and needs 4.5"},
		{map[string]string{"base": "light", "text": "#aaaaaa"}, "needs 4.5"},
		{map[string]string{"border": "#333333"}, "needs 3.0"},
		{map[string]string{"selection": "#005f88"}, "its contrast on #005f87 is 1.0"},
		{map[string]string{"selection_background": "#eeeeee"}, "its contrast on #eeeeee"},
		{map[string]string{"background": "#808080"}, "its contrast on #808080"},
	} {
		if _, flaws := Custom(c.colours); len(flaws) == 0 || !strings.Contains(flaws[0].What, c.want) {
			t.Errorf("%v: %v", c.colours, flaws)
		}
	}
}
