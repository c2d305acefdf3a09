package prompt

import (
	"winnow/core/jstext"
	"winnow/core/memory"
)

// Input is what the planner builds a user prompt from, as far as Winnow knows its sections.
type Input struct {
	Task string
	Mode memory.Mode // Single when empty
	// Memories are the recalled lessons. An empty list still gives the section; nil leaves it out.
	Memories []Memory
	// Constraints are those of the task; null if there are none.
	Constraints jstext.Value
	Domain      string
	// Conversation is what was said before, oldest first.
	Conversation []Turn
}

// Turn is one message of a conversation.
type Turn struct {
	User bool // said by the user rather than the assistant
	Text string
}

// Output is a user prompt. The Past Experience block is Text from BlockStart to BlockEnd; the two
// are equal if there is none. Marks are sorted by place in Text.
type Output struct {
	Text                 string
	BlockStart, BlockEnd int
	Marks                []memory.Mark
}

// Build returns the user prompt. The problem says why the planner would throw; the output is then
// empty.
func Build(in Input) (Output, *memory.Problem) {
	var out Output
	dst := append(make([]byte, 0, len(in.Task)+1024), "## Task\n"...)
	dst = appendTask(dst, in.Task, &out.Marks)
	dst = append(dst, '\n')
	if in.Constraints.Truthy() {
		dst = append(dst, "\n## Task Constraints\n"...)
		dst = append(dst, wrap(string(in.Constraints.AppendIndent(nil, 2)), defaultWrap)...)
		dst = append(dst, '\n')
	}
	if in.Domain != "" {
		dst = append(dst, "\n## Task Domain: "+in.Domain+"\nFocus on "+in.Domain+"-specific approaches.\n"...)
	}
	out.BlockStart, out.BlockEnd = len(dst), len(dst)
	if in.Memories != nil {
		text, marks, problem := pastExperience(in.Memories)
		if problem != nil {
			return Output{}, problem
		}
		dst = append(dst, '\n')
		out.BlockStart = len(dst)
		dst = append(dst, text...)
		out.BlockEnd = len(dst)
		for _, m := range marks {
			m.Start += out.BlockStart
			m.End += out.BlockStart
			out.Marks = append(out.Marks, m)
		}
	}
	dst = appendConversation(dst, in.Conversation)
	if in.Mode == memory.Agentic {
		dst = append(dst, "\nProduce the next step(s), or return empty steps if the task is complete."...)
	} else {
		dst = append(dst, "\nProduce the plan JSON now."...)
	}
	out.Text = string(dst)
	return out, nil
}

// appendTask appends the wrapped task, and marks what was replaced or cut in it.
func appendTask(dst []byte, task string, marks *[]memory.Mark) []byte {
	var replaced []int
	clean := filter(task, original, &replaced)
	kept := jstext.Slice(clean, defaultWrap)
	p := Part{Start: len(dst) + len(Begin) + 1, Filtered: replaced, Cut: kept != clean}
	p.End = p.Start + len(kept)
	for i := range replaced {
		replaced[i] += p.Start
	}
	dst = appendWrapped(dst, kept)
	*marks = p.changes()
	return dst
}

func appendConversation(dst []byte, turns []Turn) []byte {
	if len(turns) == 0 {
		return dst
	}
	dst = append(dst, "\n## Conversation History\nRecent conversation between the user and you (EDDIE). "+
		"Use this to understand follow-up questions.\n\n"...)
	for _, t := range turns {
		who := "**EDDIE:** "
		if t.User {
			who = "**User:** "
		}
		dst = append(append(dst, who...), wrap(t.Text, defaultWrap)...)
		dst = append(dst, "\n\n"...)
	}
	return append(dst, "The current task is a follow-up. Answer in context.\n"...)
}
