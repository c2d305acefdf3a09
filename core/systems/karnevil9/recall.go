package karnevil9

import (
	"fmt"
	"strings"

	"winnow/core/annotate"
	"winnow/core/jstext"
	"winnow/core/lesson"
	"winnow/core/lessonfile"
	"winnow/core/memory"
	"winnow/core/prompt"
	"winnow/core/system"
)

// recall returns what an agent that holds the list would recall for t, and the user prompt that its
// planner would send. It does not bump any count.
//
// The texts are as a model receives them: half a character, which a cut can leave behind, becomes
// U+FFFD.
func recall(list *lesson.List, t memory.Task) memory.Recall {
	if t.Mode == "" {
		t.Mode = memory.Single
	}
	if jstext.FromUnits(jstext.Units(t.Text)) != t.Text { // not valid UTF-8
		t.Text = jstext.Decode([]byte(t.Text))
	}
	r := lesson.Explain(list, t)
	in := prompt.Input{Task: t.Text, Mode: t.Mode}
	for _, h := range r.Hits {
		if !h.Recalled {
			break
		}
		l := list.Lookup(h.ID)
		if p := l.Stops(); p != nil && r.Stop == nil {
			r.Stop = p
		}
		in.Memories = append(in.Memories, lessonfile.MemoryOf(l))
	}
	r.Notes = taskNotes(t)
	if n := list.Stats().TooLong; n.Count > 0 {
		r.Unread = fmt.Sprintf(
			"Lessons longer than 1 MiB are not read here, but the agent reads them, so it may recall something else. There are %d of them, the first on line %d.",
			n.Count,
			n.First[0],
		)
		r.Notes = append(r.Notes, r.Unread)
	}
	if r.Stop != nil {
		return r
	}
	out, stop := prompt.Build(in)
	if stop != nil {
		r.Stop = stop
		return r
	}
	r.Prompt = block("User prompt", out.Text, out.Marks, 0)
	if out.BlockEnd > out.BlockStart {
		text := out.Text[out.BlockStart:out.BlockEnd]
		r.Block = block(lessonfile.BlockName, text, out.Marks, out.BlockStart)
		r.Notes = append(r.Notes, blockNotes(text, r.Block.Marks)...)
	}
	return r
}

// block returns the part of the prompt that begins at offset start. It keeps the prompt's marks
// that lie in that part.
func block(name, text string, marks []memory.Mark, start int) memory.Block {
	b := memory.Block{Where: "user prompt", Name: name, Text: jstext.WellFormed(text)}
	for _, m := range marks {
		if m.Start < start || m.End > start+len(text) {
			continue
		}
		m.Start -= start
		m.End -= start
		b.Marks = append(b.Marks, m)
	}
	b.TokensLow, b.TokensHigh = annotate.Tokens(b.Text)
	return b
}

// taskNotes says which parts of the task ask for something that the agent does not do.
func taskNotes(t memory.Task) []string {
	return system.Notes(
		system.Say(
			len(t.Without) > 0,
			"The agent would use the words left out here: "+strings.Join(t.Without, ", ")+".",
		),
		system.Say(len(t.Tools) > 0,
			"The agent's own planner names no tools when it recalls; this order is for a caller that does."),
	)
}

// blockNotes says how the block differs from one made by our stricter engine.
func blockNotes(text string, marks []memory.Mark) []string {
	counts := map[memory.MarkKind]int{}
	for _, m := range marks {
		counts[m.Kind]++
	}
	var notes []string
	for _, n := range [...]struct {
		kind memory.MarkKind
		says string
	}{
		{memory.MarkHeading, "starts a heading outside the part that the model is told not to trust"},
		{memory.MarkDelimiter, "passes the agent's delimiter filter; Winnow replaces it in the blocks that it serves"},
		{memory.MarkSecret, "looks like a secret and is sent to the model; the stricter engine stores none"},
		{memory.MarkHidden, "cannot be seen and is sent to the model"},
	} {
		if c := counts[n.kind]; c > 0 {
			notes = append(notes, fmt.Sprintf("Places in the block: %d. Each %s.", c, n.says))
		}
	}
	if jstext.WellFormed(text) != text {
		notes = append(notes, "A character was cut in half; the model reads U+FFFD there.")
	}
	return notes
}
