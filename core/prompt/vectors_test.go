package prompt

import (
	"bufio"
	"os"
	"path/filepath"
	"testing"

	"winnow/core/jstext"
	"winnow/core/memory"
)

// vectors calls check with each line of the vectors of a kind.
func vectors(t *testing.T, kind string, check func(name string, input, want jstext.Value)) {
	t.Helper()
	dir := os.Getenv("WINNOW_VECTORS")
	if dir == "" {
		dir = filepath.FromSlash("../../testdata/vectors/karnevil9")
	}
	f, err := os.Open(filepath.Join(dir, kind+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	n := 0
	for lines.Scan() {
		v, err := jstext.Parse(lines.Text())
		if err != nil {
			t.Fatal(err)
		}
		name, _ := v.Field("name")
		input, _ := v.Field("input")
		want, _ := v.Field("want")
		check(name.Str(), input, want)
		n++
	}
	if err := lines.Err(); err != nil || n == 0 {
		t.Fatalf("%s: %d vectors, %v", kind, n, err)
	}
}

// text returns the string member, which may be given as its units.
func text(v jstext.Value, name string) string {
	f, _ := v.Field(name)
	list, ok := f.Field("$utf16")
	if !ok {
		return f.Str()
	}
	u := make([]uint16, list.Len())
	for i := range u {
		u[i] = uint16(list.At(i).Number())
	}
	return jstext.FromUnits(u)
}

func TestSanitizeAndWrapAgreeWithVectors(t *testing.T) {
	vectors(t, "wrap", func(name string, input, want jstext.Value) {
		call, max := Sanitize, DefaultSanitize
		if text(input, "fn") == "wrapUntrusted" {
			call, max = Wrap, DefaultWrap
		}
		if v, ok := input.Field("max_len"); ok {
			max = int(v.Number())
		}
		if got := call(text(input, "text"), max); got != text(want, "text") {
			t.Errorf("%s: got %+q, want %+q", name, got, text(want, "text"))
		}
	})
}

// resolved returns v with every list of units below it as the string they make.
func resolved(v jstext.Value) jstext.Value {
	switch v.Kind() {
	case jstext.Array:
		list := make([]jstext.Value, v.Len())
		for i := range list {
			list[i] = resolved(v.At(i))
		}
		return jstext.ArrayValue(list...)
	case jstext.Object:
		if _, ok := v.Field("$utf16"); ok {
			return jstext.StringValue(text(jstext.ObjectValue(jstext.Member{Key: "x", Value: v}), "x"))
		}
		for i := range v.Len() {
			v = v.With(v.Key(i), resolved(v.At(i)))
		}
	}
	return v
}

// known are the sections of a snapshot that Build has.
var known = map[string]bool{"task_domain": true, "conversation_history": true}

func TestPromptsAgreeWithVectors(t *testing.T) {
	vectors(t, "prompt", func(name string, input, want jstext.Value) {
		in := Input{Task: text(input, "task_text")}
		if c := text(input, "task_constraints_json"); c != "" {
			in.Constraints, _ = jstext.Parse(c)
		}
		extra, _ := input.Field("snapshot_extra")
		for i := range extra.Len() {
			if !known[extra.Key(i)] {
				return // a section that Winnow never previews
			}
		}
		in.Domain = text(extra, "task_domain")
		turns, _ := extra.Field("conversation_history")
		for i := range turns.Len() {
			in.Conversation = append(in.Conversation, Turn{text(turns.At(i), "role") == "user", text(turns.At(i), "text")})
		}
		list, problem := Memories(resolved(input))
		if _, throws := want.Field("throws"); throws {
			if _, later := Build(Input{Memories: list}); problem == nil && later == nil {
				t.Errorf("%s: built, though the planner throws", name)
			}
			return
		}
		in.Memories = list
		for _, mode := range [...]memory.Mode{memory.Single, memory.Agentic} {
			in.Mode = mode
			out, problem := Build(in)
			if problem != nil || out.Text != text(want, string(mode)) {
				t.Errorf("%s %s: %v\n got %+q\nwant %+q", name, mode, problem, out.Text, text(want, string(mode)))
			}
		}
	})
}
