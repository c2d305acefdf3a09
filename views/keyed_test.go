package views

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/views/theme"
)

// TestSentencesNameTheKeysInForce on the screens that say in a sentence what a key does: a person who bound other
// keys is told those.
func TestSentencesNameTheKeysInForce(t *testing.T) {
	km, refused := keymap.Default().With(map[string][]string{
		"global.undo":    {"ä"},
		"global.history": {"Ä"},
		"global.reveal":  {"Ö"},
		"global.quit":    {"ö"},
		"recall.block":   {"ü"},
		"recall.scope":   {"Ü"},
		"recall.drop":    {"ß"},
		"recall.parts":   {"á"},
		"recall.got":     {"Á"},
		"recall.edit":    {"é"},
	})
	if refused != nil {
		t.Fatal(refused)
	}
	keyed, th := Keyed{Keys: &km}, theme.New(theme.Options{Name: theme.Mono})
	recall := with(func(v *Recall) {
		v.Keyed, v.Scopes = keyed, 3
		v.Described.Draft.Without = true
		v.Result.Hits[0].Noise = true
		v.Result.Words[5].State = memory.WordLeftOut
		v.Result.LastSession = &memory.LastSession{Running: true}
	})
	pieces := recall
	pieces.Described.Draft.TextOnly, pieces.Pieces = false, true
	confirm := Confirm{Planned{Plan: memory.Plan{Changes: []memory.Change{{Do: memory.Deleting}}}}}.Dialog(
		Look{Keyed: keyed, Theme: th}, 100, 30,
	)
	for name, tc := range map[string]struct{ screen, want string }{
		"recall":       {recall.Render(th, 160, 60), "Ü: next of 3|ß: try without a word|; ß)|(Ö reveals)|(Á)"},
		"narrow":       {recall.Render(th, 80, 50), "(ü: full screen)"},
		"pieces":       {pieces.Render(th, 160, 60), "(á: 20 hits)"},
		"confirm":      {confirm.Render(th, 30), "Reversible: ä, or History (Ä)"},
		"no store yet": {NoStore{Keyed: keyed, Searching: true}.Render(th, 100, 20), "ö  quit"},
	} {
		for want := range strings.SplitSeq(tc.want, "|") {
			if screen := ansi.Strip(tc.screen); !strings.Contains(screen, want) {
				t.Errorf("%s does not show %q:\n%s", name, want, screen)
			}
		}
	}
}
