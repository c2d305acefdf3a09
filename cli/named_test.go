package cli

import (
	"strings"
	"testing"

	"winnow/core/memory"
)

// A database gives a row its number only when it is written.
func TestWhatIsAddedIsNamedAsItIsStored(t *testing.T) {
	lib := standard()
	lib.result.Changes = []memory.Applied{{ID: "#44", Fate: memory.Done}}
	w := newWorld(lib)
	if got := w.run(t, 0, "add", "--set", "lesson=x"); !strings.HasPrefix(got, "done\tadd\t#44\t") {
		t.Errorf("%q", got)
	}
}

func TestNoLimitOfWordsIsMadeUp(t *testing.T) {
	for most, want := range map[int]string{0: "words used 1: x\n", 12: "words used 1 of at most 12: x\n"} {
		lib := standard()
		lib.recall = memory.Recall{Used: 1, WordCap: most, Words: []memory.Word{{Text: "x", State: memory.WordUsed}}}
		if got := newWorld(lib).run(t, 0, "recall", "x"); !strings.Contains(got, want) {
			t.Errorf("%d: %q", most, got)
		}
	}
}
