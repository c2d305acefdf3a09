package prompt

import (
	"strconv"

	"winnow/core/jstext"
	"winnow/core/memory"
)

// hookLimit is the maximum that one hook may add, in UTF-16 units of its JSON.
const hookLimit = 64 * 1024

// MergeHook returns data, the planner's view of the session, with what a before_plan hook adds. It
// takes only the keys hints, constraints, context, relevant_memories, subagent_findings and
// conversation_history. A hook's relevant_memories replaces the recalled list. Data that is over
// the limit (see HookProblem) or not an object changes nothing.
func MergeHook(data, hook jstext.Value) jstext.Value {
	if hook.Kind() != jstext.Object || HookProblem(hook) != nil {
		return data
	}
	for i := range hook.Len() {
		switch key := hook.Key(i); key {
		case "hints", "constraints", "context", "relevant_memories", "subagent_findings", "conversation_history":
			data = data.With(key, hook.At(i))
		}
	}
	return data
}

// HookProblem says why the agent ignores what a hook returned, or nil.
func HookProblem(hook jstext.Value) *memory.Problem {
	n := jstext.Len(string(hook.AppendJSON(nil)))
	if n <= hookLimit {
		return nil
	}
	return &memory.Problem{
		Code: "hook-too-large",
		What: "the agent ignores this hook: its data has " + strconv.Itoa(n) + " characters as JSON, and " +
			strconv.Itoa(hookLimit) + " are allowed",
	}
}

// Memories returns the relevant_memories of data for Build: nil if the section is left out. The
// problem says why the planner would throw.
func Memories(data jstext.Value) ([]Memory, *memory.Problem) {
	v, _ := data.Field("relevant_memories")
	if !v.Truthy() {
		return nil, nil
	}
	if v.Kind() != jstext.Array {
		return nil, &memory.Problem{
			Code: "recalled-not-list",
			What: "the agent's planner stops here: relevant_memories is no list but " + v.Kind().String(),
		}
	}
	list := make([]Memory, v.Len())
	for i := range list {
		list[i].Task, _ = v.At(i).Field("task")
		list[i].Outcome, _ = v.At(i).Field("outcome")
		list[i].Lesson, _ = v.At(i).Field("lesson")
	}
	return list, nil
}
