package recall_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
)

func TestCopyTakesTheExactBytes(t *testing.T) {
	start(t, 120, 35, func(d *driver) {
		d.a.block = "\n## Past\tExperience\n- \x1b[31m\u202E<<<\u200Bé日本 \xED\xA0\xBD\xED\xA0\xBD\n"
		d.write("fetch")
		d.Press("y")
		if want := strings.ReplaceAll(d.a.block, "\xED\xA0\xBD", "\uFFFD"); d.Clipboard() != want {
			t.Errorf("copied %+q, want %+q", d.Clipboard(), want)
		}
		d.WantText("the block", fmt.Sprintf("%d bytes", len(d.Clipboard())))
		d.Press("b", "b", "y")
		if !strings.HasPrefix(d.Clipboard(), "## Task\nfetch\n## Past\tExperience") {
			t.Errorf("copied %+q of the prompt", d.Clipboard())
		}
	})
}

func TestCopyMasksSecretsUntilTheyAreShown(t *testing.T) {
	start(t, 120, 35, func(d *driver) {
		d.a.block = "use " + token + "\n"
		d.a.marks = []memory.Mark{{Kind: memory.MarkSecret, Start: 4, End: 4 + len(token)}}
		d.write("fetch")
		d.WantText("ghp_************")
		d.Press("y")
		if got := d.Clipboard(); got != "use ghp_************\n" {
			t.Errorf("copied %q", got)
		}
		d.WantText("secrets masked")
		d.Press("X", "y")
		if got := d.Clipboard(); got != d.a.block {
			t.Errorf("copied %q", got)
		}
		d.WantText(token)
	})
}

func TestCopyOfTheJSONIsTheCommandLines(t *testing.T) {
	start(t, 120, 35, func(d *driver) {
		d.write("fetch")
		d.Press("Y")
		if got := d.Clipboard(); got != `{"fetch":false}` {
			t.Errorf("copied %q", got)
		}
	})
}

func TestPasteOpensTheBox(t *testing.T) {
	start(t, 120, 35, func(d *driver) {
		d.Send(tea.PasteMsg{Content: "fetch\r\nthe notes\r\x1b]52;c;eA==\x07"})
		d.Advance(time.Second)
		if got := d.a.asked[0].Text; got != "fetch\nthe notes\n\x1b]52;c;eA==\x07" {
			t.Errorf("asked for %q", got)
		}
		d.WantText("<ESC>]52;c;eA==<BEL>")
		if !d.page.Typing() {
			t.Error("the box is not open")
		}
	})
}

func TestPasteIsBounded(t *testing.T) {
	start(t, 120, 35, func(d *driver) {
		d.Send(tea.PasteMsg{Content: strings.Repeat("日本 ", 30000)})
		d.WantText("The box is full")
		d.Advance(time.Second)
		if n := len(d.a.asked[0].Text); n > 64<<10 || n < 64<<10-4 {
			t.Errorf("asked for %d bytes", n)
		}
	})
}

func TestEditorHandsBackTheTask(t *testing.T) {
	start(t, 120, 35, func(d *driver) {
		d.write("fetch")
		d.e.give = "fetch all\r\nof it\n"
		d.Press("ctrl+g")
		if d.e.got != "fetch" || d.a.asked[1].Text != "fetch all\nof it" {
			t.Errorf("gave %q, asked for %q", d.e.got, d.a.asked[1].Text)
		}
		d.e.err = errors.New("exit status 1")
		d.Press("i", "ctrl+g")
		d.WantText("edit the task: exit status 1", "of it")
		d.wantAsked(2)
	})
}

func TestEditingKeys(t *testing.T) {
	for name, tc := range map[string]struct {
		keys []string
		want string
	}{
		"delete word":     {[]string{"ctrl+w"}, "one two "},
		"delete line":     {[]string{"ctrl+u"}, ""},
		"start and back":  {[]string{"ctrl+a", "delete", "ctrl+e", "!"}, "ne two three!"},
		"new line":        {[]string{"ctrl+j", "x"}, "one two three\nx"},
		"up and down":     {[]string{"ctrl+j", "x", "up", "Y", "down", "Z"}, "oYne two three\nxZ"},
		"left and right":  {[]string{"left", "left", "right", "-"}, "one two thre-e"},
		"word left":       {[]string{"alt+left", "alt+left", "X"}, "one Xtwo three"},
		"word right":      {[]string{"home", "ctrl+right", "X"}, "oneX two three"},
		"beyond the ends": {[]string{"right", "delete", "home", "left", "backspace"}, "one two three"},
	} {
		t.Run(name, func(t *testing.T) {
			start(t, 120, 35, func(d *driver) {
				d.Press("i")
				d.Type("one two three")
				d.Press(tc.keys...)
				d.Advance(time.Second)
				got := ""
				if n := len(d.a.asked); n > 0 {
					got = d.a.asked[n-1].Text
				}
				if got != tc.want {
					t.Errorf("the task is %q, want %q", got, tc.want)
				}
			})
		})
	}
}

func TestTextCursorFollowsTheText(t *testing.T) {
	start(t, 120, 35, func(d *driver) {
		if d.View().Cursor != nil {
			t.Error("a cursor is shown while nobody types")
		}
		d.Press("i")
		d.Type("日本\u202E")
		d.Send(tea.PasteMsg{Content: "\nab"})
		c := d.View().Cursor
		if c == nil {
			t.Fatal("no cursor while typing")
		}
		line := []rune(strings.Split(d.Screen(), "\n")[c.Y])
		if got := string(line[:c.X]); !strings.HasSuffix(got, "│ab") {
			t.Errorf("the cursor stands after %q", got)
		}
	})
}
