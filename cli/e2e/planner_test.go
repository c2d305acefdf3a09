package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winnow/cli/program"
	"winnow/core/jstext"
	"winnow/core/vectortest"
)

// TestRecallPrintsWhatThePlannerWasSent replays sessions of the real agent. Where
// it sent nothing, because it had stopped before, so do we. Later prompts of a
// session hold what happened in between, and are not recalls.
func TestRecallPrintsWhatThePlannerWasSent(t *testing.T) {
	vectortest.Each(t, "karnevil9", "e2e", func(t *testing.T, v vectortest.Vector) {
		store := filepath.Join(t.TempDir(), "memory.jsonl")
		if file := v.Input.Member("file"); !file.IsNull() {
			if err := os.WriteFile(store, file.File(t), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		mode := "single"
		if v.Input.Member("agentic").Bool() {
			mode = "agentic"
		}
		now := func() time.Time { return v.Input.Member("now").Time(t).UTC() }
		text, prompts := v.Input.Member("task_text").Text(), v.Want.Member("prompts").Texts()
		for _, task := range [][]string{{"--task", text}, {"-"}} {
			var stdout, stderr bytes.Buffer
			args := append([]string{"recall", "--store", store, "--mode", mode, "--format", "prompt"}, task...)
			p := program.New()
			p.Now = now
			status := p.Run(t.Context(), args, strings.NewReader(text), &stdout, &stderr)
			if len(prompts) == 0 {
				if status != 5 || stdout.Len() > 0 {
					t.Errorf("exit status %d, want 5; it prints %q", status, &stdout)
				}
				continue
			}
			if want := jstext.WellFormed(prompts[0]); status != 0 || stdout.String() != want {
				t.Errorf("exit status %d\n%sit prints %q\nwant      %q", status, &stderr, &stdout, want)
			}
		}
	})
}
