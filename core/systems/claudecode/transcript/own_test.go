package transcript

import (
	"strings"
	"testing"
)

// TestOwnIsWhatClaudeWroteByItself pins which strings of a line are the product's own: the
// word that is marked OWN must be, and the one that is marked THEIRS must not.
func TestOwnIsWhatClaudeWroteByItself(t *testing.T) {
	for name, line := range map[string]string{
		"rendered":       `{"attachment":{"type":"instructions","files":[{"content":"THEIRS"}]},"type":"attachment","rendered":[{"content":"OWN"}]}`,
		"rendered, else": `{"type":"user","toolUseResult":{"type":"attachment","rendered":"THEIRS"},"rendered":"THEIRS"}`,
		"snapshot":       `{"type":"attachment","attachment":{"type":"prompt_snapshot","systemPrompt":["OWN"],"tools":[{"name":"Bash","schema":{"a":"OWN"}},{"name":"mcp__a__b","description":"THEIRS"}]}}`,
		"shape":          `{"type":"api-request-shape","shape":{"system":[{"text":"OWN"}],"tools":[{"description":"OWN","name":"Read"},{"name":"mcp__x","a":"THEIRS"}]}}`,
		"request":        `{"type":"api-request","params":"OWN"}`,
		"system blob":    `{"type":"api-request-blob","message":{"role":"system","content":"OWN"}}`,
		"user blob":      `{"type":"api-request-blob","message":{"role":"user","content":[{"type":"text","text":"THEIRS"}]}}`,
		"in a text":      `{"type":"user","message":{"content":"{\"type\":\"api-request\",\"rendered\":\"THEIRS\"}"}}`,
	} {
		own := make([]bool, len(line)+1)
		for _, p := range Own(line) {
			for i := p[0]; i < p[1]; i++ {
				own[i] = true
			}
		}
		for word, want := range map[string]bool{"OWN": true, "THEIRS": false} {
			for at := 0; ; at++ {
				i := strings.Index(line[at:], word)
				if i < 0 {
					break
				}
				if at += i; own[at] != want {
					t.Errorf("%s: %s at byte %d: own is %t", name, word, at, own[at])
				}
			}
		}
	}
}

func TestTagsOfRemindersAreOwnOnlyWhereNothingForgesThem(t *testing.T) {
	for text, want := range map[string]int{
		`<system-reminder>\na\n</system-reminder>`:                                           2,
		`<system-reminder>\na\n</system-reminder>\n`:                                         2,
		`<system-reminder>\na\n</system-reminder>\n<system-reminder>\nb\n</system-reminder>`: 4,
		`say <system-reminder>\na\n</system-reminder>`:                                       0,
		`<system-reminder>\na</system-reminder>b\n</system-reminder>`:                        0,
		`<system-reminder>\na\n</system-reminder>\n</system-reminder>`:                       0,
		`<system-reminder>\na\n<system-reminder>\nb\n</system-reminder>`:                     0,
		`<system-reminder>\na`: 0,
		`no tags`:              0,
	} {
		line := `{"type":"api-request-blob","message":{"role":"user","content":"` + text + `"}}`
		if got := len(Own(line)); got != want {
			t.Errorf("%s: %d own tags, want %d", text, got, want)
		}
	}
}

// FuzzOwnLiesInTheLine pins that places are in order within the line, whatever stands there.
func FuzzOwnLiesInTheLine(f *testing.F) {
	f.Add(`{"type":"attachment","rendered":[{"content":"<system-reminder>\na\n</system-reminder>"}]}`)
	f.Add(`{"type":"api-request-blob","message":{"content":[{"text":"<system-reminder>\na\n</system-reminder>"}]}}`)
	f.Add(`{"type":"api-request-shape","shape":{"tools":[{"name":"mcp__a"},1,[]]}`)
	f.Fuzz(func(t *testing.T, line string) {
		for _, p := range Own(line) {
			if p[0] < 0 || p[0] > p[1] || p[1] > len(line) {
				t.Fatalf("%v in %d bytes", p, len(line))
			}
		}
	})
}
