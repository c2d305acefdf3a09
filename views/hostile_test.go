package views

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/memory"
	"winnow/views/safe"
	"winnow/views/theme"
)

// hostilePath is a file name that a file system takes.
const hostilePath = "/tmp/\x1b]52;c;ZXZpbA==\a\x1b]0;title\a\x1b[2J\n\r\t\u202e\u200b\U000E0041\u009b31m\xff/memory.jsonl"

// hostileScreens are the places where a path, or what is said of one, is shown.
func hostileScreens() map[string]screen {
	evil := hostilePath
	place := memory.Place{Store: memory.StoreID(evil), Path: evil, Why: evil, Exists: true}
	looked := []memory.Looked{{Where: evil, Note: evil}, {Where: evil}, {Where: evil, Found: 2}}
	problem := &memory.Problem{What: evil, Hint: evil}
	rows := []StoreRow{
		{
			Place:  place,
			Loaded: true,
			Summary: memory.Snapshot{
				Held:   1,
				Cap:    100,
				Writer: evil,
				Health: []memory.Health{{Level: memory.Stop, What: evil, Next: evil}},
			},
		},
		{Place: place, Failed: evil},
		{Place: place, Loaded: true, Summary: memory.Snapshot{Problem: problem}},
		{Place: place},
	}
	all := map[string]screen{
		"header": oneLine(Header{Tabs: []string{"Lessons"}, Path: evil, State: "* live"}.Render),
		"footer": {
			h:      2,
			render: func(t theme.Theme, w, h int) string { return Footer{Toast: evil, Failed: true}.Render(t, w) },
		},
		"filter": oneLine(FilterLine{Text: evil, Note: evil, Sort: "Rel desc"}.Render),
		"switcher": {
			h:   12,
			box: true,
			render: drawn(
				Switcher{Search: Search{Query: evil, Typing: true}, Places: []memory.Place{place, place}}.Dialog,
			),
		},
		"open path": {
			h:      12,
			box:    true,
			render: drawn(OpenPath{Search: Search{Query: evil}, Paths: []string{evil}}.Dialog),
		},
		"open path, wrong": {
			h:      12,
			box:    true,
			render: drawn(OpenPath{Search: Search{Query: evil}, Wrong: evil}.Dialog),
		},
		"help":     {h: 12, box: true, render: drawn(Palette{Search: Search{Query: evil, Typing: true}}.Dialog)},
		"no store": {h: 24, render: NoStore{Looked: looked, Unfolded: true, Setups: []Setup{{evil, "winnow setup"}}}.Render},
		"state": {
			h: 24,
			render: State{
				Title:  "Lessons",
				What:   evil,
				Lines:  []string{evil},
				Next:   []string{evil},
				Danger: true,
			}.Render,
		},
		"alarm": {h: 2, render: func(t theme.Theme, w, h int) string {
			return Fill(theme.Theme{}, Alarm(t, safe.Line(evil), "see Stores", w, h), w, h)
		}},
		"recall": {
			h: 24,
			render: Recall{
				Failed: evil,
				Result: memory.Recall{Stop: problem, Empty: evil, Notes: []string{evil}},
				Ready:  true,
			}.Render,
		},
		"palette": {
			h:   12,
			box: true,
			render: drawn(
				Palette{
					Search: Search{Query: evil},
					Rows: []PaletteRow{
						{Text: evil, Keys: evil, Off: evil},
						{Text: evil, Heading: true},
						{Text: evil, Note: evil},
						{Record: &memory.Record{Title: evil}},
					},
				}.Dialog,
			),
		},
	}
	for i := range rows {
		home := Home{Stores: Stores{Rows: rows, Looked: looked, Ready: true, Lines: []StoreLine{{Row: i}}}}
		home.Arrange()
		all["stores "+string(rune('0'+i))] = screen{h: 30, render: home.Render}
	}
	return all
}

// TestHostilePathIsShownAsTokens: no screen passes on what a file name could do to
// a terminal, and a line break in a name makes no line.
func TestHostilePathIsShownAsTokens(t *testing.T) {
	th := theme.New(theme.Options{Name: theme.Dark})
	for name, s := range hostileScreens() {
		for _, w := range []int{60, 120, 300} {
			out := s.render(th, w, s.h)
			if n := strings.Count(out, "\n") + 1; n != s.h && !s.box || n > s.h {
				t.Errorf("%s at %d cells has %d lines, want %d", name, w, n, s.h)
			}
			if rest := ansi.Strip(out); strings.Contains(rest, "\x1b") ||
				strings.Contains(out, "]52") && !strings.Contains(out, "<ESC>]52") {
				t.Errorf("%s lets an escape through: %q", name, rest)
			}
			for _, r := range ansi.Strip(out) {
				if r != '\n' && safe.IsHidden(r) {
					t.Errorf("%s shows %U", name, r)
				}
			}
			if strings.Contains(out, "\x1b]") || strings.Contains(out, "\x1b[2J") {
				t.Errorf("%s sends an escape sequence of the name", name)
			}
		}
	}
}

// TestWordsAroundAMatchHideSecrets: a word of the task that stands inside a secret
// is no reason to show the secret as an example.
func TestWordsAroundAMatchHideSecrets(t *testing.T) {
	const secret = "ghp_0123456789abcdefghij"
	text := "bad token " + secret + " here"
	hit := memory.Hit{
		Rank:     1,
		Recalled: true,
		Title:    text,
		Body:     text,
		Matches:  []memory.Match{{Word: "6789", Kind: memory.InsideWord}},
		Secrets: []memory.Secret{
			{Field: memory.InTitle, Start: 10, End: 10 + len(secret)},
			{Field: memory.InBody, Start: 10, End: 10 + len(secret)},
		},
	}
	th := theme.New(theme.Options{Name: theme.Mono})
	for _, reveal := range []bool{false, true} {
		v := Recall{Ready: true, Reveal: reveal, Result: memory.Recall{Hits: []memory.Hit{hit}, Found: 1, Limit: 5}}
		out := v.Render(th, 160, 40)
		v.Panel = PanelExplain
		if out += v.Render(th, 160, 40); strings.Contains(out, secret) != reveal {
			t.Errorf("reveal %v:\n%s", reveal, out)
		}
	}
}
