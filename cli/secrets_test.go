package cli

import (
	"strings"
	"testing"

	"winnow/core/memory"
)

func TestSecretsAreMaskedInEveryField(t *testing.T) {
	lib := standard()
	all := func(f memory.Field) memory.Secret {
		return memory.Secret{Field: f, End: len(token), Rule: "github-pat"}
	}
	lib.snap.Records = []memory.Record{{
		ID:      token,
		Line:    1,
		Title:   token,
		Body:    token,
		Outcome: token,
		Session: token,
		Tools:   []string{"plain", token},
		Created: memory.Moment{Text: token},
		Used:    memory.Moment{Text: token},
		Count:   memory.Count{Odd: token},
		Raw:     token,
		RawLen:  len(token),
		Secrets: []memory.Secret{
			all(memory.InTitle),
			all(memory.InBody),
			all(memory.InRaw),
			all(memory.InID),
			all(memory.InOutcome),
			{Field: memory.InTools, Item: 1, End: len(token)},
			all(memory.InSession),
			all(memory.InCreated),
			all(memory.InUsed),
			all(memory.InCount),
		},
	}}
	w := newWorld(lib)
	for _, args := range []string{"list", "list --json", "show :1", "show :1 --json"} {
		if out := w.run(t, 0, strings.Fields(args)...); strings.Contains(out, token) || !strings.Contains(out, "ghp_") {
			t.Errorf("winnow %s prints %s", args, out)
		}
		if out := w.run(t, 0, strings.Fields(args+" --reveal")...); !strings.Contains(out, token) {
			t.Errorf("winnow %s --reveal prints %s", args, out)
		}
	}
}
