package views

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/memory"
	"winnow/views/theme"
)

// TestTextsThatASessionGotAreListed: also where its instructions are not on record.
func TestTextsThatASessionGotAreListed(t *testing.T) {
	g := &memory.LastSession{Session: "2b802e19", Unknown: "The instructions are not recorded.", Blocks: []memory.Block{
		{Name: "recalled memories, as recorded", Text: "one and two", Parts: []memory.Part{
			{Name: "memory", Path: "/m/a.md", Start: 0, End: 3},
			{Name: "memory", Path: "/m/\x1b[2J.md", Start: 8, End: 11, Note: "otherwise in the file"},
		}},
	}}
	v := Recall{Result: memory.Recall{LastSession: g}}
	out := ansi.Strip(strings.Join(v.sessionLines(theme.New(theme.Options{Name: theme.Mono}), 80), "\n"))
	for _, want := range []string{"What the last session got is not known: The instructions are not recorded.", "Recalled memories, as recorded", "memory  /m/a.md  3 bytes", "<ESC>[2J.md", "otherwise in the file"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	g.Blocks[0].Parts = make([]memory.Part, 5000)
	if n := len(v.sessionLines(theme.New(theme.Options{Name: theme.Mono}), 80)); n > 2*maxSessionTexts {
		t.Errorf("%d lines", n)
	}
}
