package prompt

import (
	"testing"

	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/vectortest"
)

func TestSanitizeAndWrapAgreeWithVectors(t *testing.T) {
	vectortest.Each(t, "karnevil9", "wrap", func(t *testing.T, v vectortest.Vector) {
		call, max := sanitize, defaultSanitize
		if v.Input.Member("fn").Text() == "wrapUntrusted" {
			call, max = wrap, defaultWrap
		}
		if given := v.Input.Member("max_len"); !given.IsNull() {
			max = int(given.Number())
		}
		if got, want := call(v.Input.Member("text").Text(), max), v.Want.Member("text").Text(); got != want {
			t.Errorf("got %+q, want %+q", got, want)
		}
	})
}

func TestInjectNegativeMaximumCutsTheEndOff(t *testing.T) {
	for max, want := range map[int]string{-1: "ab\xed\xa0\xbd", -2: "ab", -4: "", -9: "", 0: ""} {
		if got := sanitize("ab😀", max); got != want {
			t.Errorf("%d leaves %+q, want %+q", max, got, want)
		}
	}
	if got, want := wrap("x<<<UNTRUSTED_INPUT>>>", -1), Begin+"\nx[filtered\n"+End; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// inputOf returns what a vector builds from; false if it has a section that Winnow never previews.
func inputOf(in vectortest.Value) (Input, bool) {
	out := Input{Task: in.Member("task_text").Text()}
	if c := in.Member("task_constraints_json").Text(); c != "" {
		out.Constraints, _ = jstext.Parse(c)
	}
	extra := in.Member("snapshot_extra")
	for i := range extra.Len() {
		if key := extra.Key(i); key != "task_domain" && key != "conversation_history" {
			return out, false
		}
	}
	out.Domain = extra.Member("task_domain").Text()
	turns := extra.Member("conversation_history")
	for i := range turns.Len() {
		turn := turns.Item(i)
		out.Conversation = append(out.Conversation,
			Turn{turn.Member("role").Text() == "user", turn.Member("text").Text()})
	}
	return out, true
}

func TestPromptsAgreeWithVectors(t *testing.T) {
	vectortest.Each(t, "karnevil9", "prompt", func(t *testing.T, v vectortest.Vector) {
		in, ok := inputOf(v.Input)
		if !ok {
			v.Differs(t, "it has a section that is not built")
			return
		}
		list, problem := Memories(v.Input.Resolved())
		if v.Want.Has("throws") {
			if _, later := Build(Input{Memories: list}); problem == nil && later == nil {
				v.Differs(t, "built, though the planner throws")
			}
			return
		}
		in.Memories = list
		for _, mode := range [...]memory.Mode{memory.Single, memory.Agentic} {
			in.Mode = mode
			out, problem := Build(in)
			if want := v.Want.Member(string(mode)).Text(); problem != nil || out.Text != want {
				v.Differs(t, "%s: %v\n got %+q\nwant %+q", mode, problem, out.Text, want)
			}
		}
	})
}
