package arbiter

import (
	"encoding/base64"
	"reflect"
	"slices"
	"strings"
	"testing"

	"winnow/core/vectortest"
)

func each[In, Want any](t *testing.T, kind string, fn func(t *testing.T, in In, want Want)) {
	t.Helper()
	vectortest.EachAs(t, "arbiter", kind, fn)
}

type vectorRow struct {
	ID         int64  `json:"id"`
	Tenant     string `json:"tenant"`
	Agent      string `json:"agent_id"`
	Signature  string `json:"signature"`
	Text       string `json:"lesson_text"`
	Hits       int64  `json:"hit_count"`
	Created    int64  `json:"created_at"`
	Updated    int64  `json:"updated_at"`
	LastSeenAt int64  `json:"last_seen_at"`
}

func TestPreambleIsThatOfTheOriginal(t *testing.T) {
	type input struct {
		Tenant, Agent, Prompt string
		Now                   int64
		Rows                  []vectorRow
	}
	type bumped struct {
		ID   int64 `json:"id"`
		Hits int64 `json:"hit_count"`
		Seen int64 `json:"last_seen_at"`
	}
	type want struct {
		Result, Message string
		Injected        bool
		Bumped          []bumped
	}
	each(t, "preamble", func(t *testing.T, in input, want want) {
		if in.Agent == "" {
			in.Agent = defaultAgent
		}
		var mine []pitfall
		for _, r := range in.Rows {
			if r.Tenant == in.Tenant && r.Agent == in.Agent {
				mine = append(
					mine,
					pitfall{id: r.ID, signature: r.Signature, text: r.Text, hits: r.Hits, seen: r.LastSeenAt},
				)
			}
		}
		p := newProbe(mine, in.Prompt)
		block, message := p.blocks(in.Prompt)
		result := block.Text
		if result == "" {
			result = nothingFound
		}
		if result != want.Result || (block.Text != "") != want.Injected || message.Text != want.Message {
			t.Errorf("the block is\n%s\nwant\n%s", result, want.Result)
		}
		got := []bumped{}
		for _, l := range p.chosen {
			got = append(got, bumped{l.id, l.hits + 1, in.Now})
		}
		slices.SortFunc(got, func(a, b bumped) int { return int(a.ID - b.ID) })
		slices.SortFunc(want.Bumped, func(a, b bumped) int { return int(a.ID - b.ID) })
		if !slices.Equal(got, want.Bumped) {
			t.Errorf("bumped %v, want %v", got, want.Bumped)
		}
	})
}

func TestLoopIsDetectedAsByTheOriginal(t *testing.T) {
	type input struct {
		Iterations []struct {
			Commands []struct{ Name, Args string }
			Results  string
		}
	}
	type want struct {
		Iterations []struct {
			Warning    *string
			WarningB64 *string `json:"warning_b64"`
			Failed     [][2]string
		}
	}
	each(t, "loop", func(t *testing.T, in input, want want) {
		var before []command
		for i, it := range in.Iterations {
			now := iteration{results: it.Results}
			for _, c := range it.Commands {
				now.commands = append(now.commands, command{c.Name, c.Args})
			}
			failed := now.failed()
			w, expected := want.Iterations[i], ""
			switch {
			case w.Warning != nil:
				expected = *w.Warning
			case w.WarningB64 != nil:
				raw, err := base64.StdEncoding.DecodeString(*w.WarningB64)
				if err != nil {
					t.Fatal(err)
				}
				expected = string(raw)
			}
			if got := warning(before, failed); got != expected {
				t.Errorf("round %d: warning %q, want %q", i+1, got, expected)
			}
			names := make([][2]string, 0, len(failed))
			for _, c := range failed {
				names = append(names, [2]string{c.name, c.args})
			}
			if len(names)+len(w.Failed) > 0 && !reflect.DeepEqual(names, w.Failed) {
				t.Errorf("round %d: failed %q, want %q", i+1, names, w.Failed)
			}
			before = failed
		}
	})
}

func TestInjectLoopLinesAreCutBeforeTheyAreCompared(t *testing.T) {
	long := strings.Repeat("x", loopLine)
	calls := []command{{"fetch", long + "1"}, {"fetch", long + "2"}, {"mem", "a"}, {"mem", "a"}, {"fetch", long + "3"}}
	want := loopBegin + "  /fetch " + long[:loopLine-len("/fetch ")] + "\n  /mem a\n" + loopEnd
	if got := warning(calls[:4], calls); got != want {
		t.Errorf("the warning is %q, want %q", got, want)
	}
	if got := warning(calls[:1], calls[1:2]); got != "" {
		t.Errorf("a call that differs behind the cut did not fail before, and the warning is %q", got)
	}
}
