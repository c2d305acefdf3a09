package annotate

import (
	"slices"
	"strings"
	"testing"

	"winnow/core/memory"
)

// TestHiddenCharactersInARowHaveOneMark: a file may consist of them.
func TestHiddenCharactersInARowHaveOneMark(t *testing.T) {
	b := Block("system prompt", "notes", "a\n"+strings.Repeat("\x00\u200b", 1000)+"b\x00")
	const note = "a character that cannot be seen"
	want := []memory.Mark{
		{Kind: memory.MarkHidden, Start: 2, End: 4002, Note: note},
		{Kind: memory.MarkHidden, Start: 4003, End: 4004, Note: note},
	}
	if !slices.Equal(b.Marks, want) {
		t.Errorf("%d marks, want %+v", len(b.Marks), want)
	}
}
