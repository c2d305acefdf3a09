package prompt

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"winnow/core/detect"
	"winnow/core/jstext"
	"winnow/core/memory"
)

// Memory is one recalled lesson as the planner gets it. A value that is not a string makes the
// planner throw.
type Memory struct {
	Task, Outcome, Lesson jstext.Value
}

// MemoryOf returns a lesson with these texts.
func MemoryOf(task, outcome, lesson string) Memory {
	return Memory{
		Task:    jstext.StringValue(task),
		Outcome: jstext.StringValue(outcome),
		Lesson:  jstext.StringValue(lesson),
	}
}

// Part is the place of a memory's text in a block.
type Part struct {
	Memory     int    // index in the list
	Name       string // "outcome", "task" or "lesson"
	Start, End int    // bytes of the block
	Cut        bool   // the text was cut at the end
	Filtered   []int  // where delimiters were replaced
}

// pastExperience returns the block from its heading to its last line end, as it is in the user
// prompt, with everything notable marked. The problem says why the planner would throw; the block
// is then empty.
func pastExperience(list []Memory) (text string, marks []memory.Mark, problem *memory.Problem) {
	text, parts, problem := Block(list)
	return text, Marks(text, parts), problem
}

// Marks returns everything notable in the parts of a block.
func Marks(text string, parts []Part) (marks []memory.Mark) {
	for _, p := range parts {
		marks = append(marks, p.marks(text)...)
	}
	return marks
}

// Block is pastExperience, but returns the places of the memories' texts instead of marks.
func Block(list []Memory) (text string, parts []Part, problem *memory.Problem) {
	return build(list, original)
}

// Strict is Block with the strict rule for delimiters.
func Strict(list []Memory) (text string, parts []Part, problem *memory.Problem) {
	return build(list, strict)
}

// Served returns the block that Winnow itself gives an agent: the first n memories of the list, as
// many as fit into most bytes, with the strict rule for delimiters. If the first one alone is too
// long, its lesson is cut. Half a character becomes U+FFFD.
func Served(list []Memory, most int) (text string, parts []Part, n int) {
	for n = len(list); n > 0; n-- {
		block, parts, problem := Strict(list[:n])
		block = jstext.WellFormed(block)
		if over := len(block) - most; over > 0 && n == 1 && problem == nil {
			first := list[0]
			first.Lesson = jstext.StringValue(shortened(first.Lesson.Str(), over))
			if len(first.Lesson.Str()) < len(list[0].Lesson.Str()) {
				return Served([]Memory{first}, most)
			}
		} else if over <= 0 && problem == nil {
			return block, parts, n
		}
	}
	return "", nil, 0
}

// shortened returns the visible part of a lesson with at least over bytes removed from its end.
func shortened(lesson string, over int) string {
	lesson = jstext.Slice(lesson, lessonUnits)
	end := max(0, len(lesson)-over)
	for end > 0 && !utf8.RuneStart(lesson[end]) {
		end--
	}
	return lesson[:end]
}

// build returns a block, with delimiters replaced according to a rule.
func build(list []Memory, by rule) (text string, parts []Part, problem *memory.Problem) {
	b := builder{by: by, parts: make([]Part, 0, 3*len(list))}
	b.out.Grow(96 + longestLine*len(list))
	b.add("## Past Experience\n")
	for i, m := range list {
		b.add("- [")
		b.part(i, "outcome", m.Outcome, outcomeUnits)
		b.add(`] Task "`)
		b.part(i, "task", m.Task, taskUnits)
		b.add(`": `)
		b.part(i, "lesson", m.Lesson, lessonUnits)
		b.add("\n")
		if b.problem != nil {
			return "", nil, b.problem
		}
	}
	b.add("\nConsider these when planning.\n")
	return b.out.String(), b.parts, nil
}

// longestLine is roughly the maximum number of bytes in a memory's line.
const longestLine = 32 + outcomeUnits + taskUnits + lessonUnits

// builder collects a block and its parts.
type builder struct {
	by      rule
	out     strings.Builder
	parts   []Part
	problem *memory.Problem
}

func (b *builder) add(s string) { b.out.WriteString(s) }

// part adds a text of memory i, sanitized and cut.
func (b *builder) part(i int, name string, v jstext.Value, units int) {
	if v.Kind() != jstext.String {
		if b.problem == nil {
			b.problem = notText(i, name, v.Kind())
		}
		return
	}
	p := Part{Memory: i, Name: name, Start: b.out.Len()}
	clean := filter(v.Str(), b.by, &p.Filtered)
	kept := jstext.Slice(clean, units)
	p.Cut = kept != clean
	b.add(kept)
	p.End = b.out.Len()
	for j := range p.Filtered {
		p.Filtered[j] += p.Start
	}
	b.parts = append(b.parts, p)
}

// marks returns what is notable in the part, in order.
func (p Part) marks(text string) []memory.Mark {
	part := text[p.Start:p.End]
	marks := detect.Marks(part)
	for _, s := range detect.Secrets(part) {
		marks = append(marks, memory.Mark{Kind: memory.MarkSecret, Start: s.Start, End: s.End, Note: s.Rule})
	}
	for i := range marks {
		marks[i].Start += p.Start
		marks[i].End += p.Start
	}
	marks = append(marks, p.changes()...)
	slices.SortStableFunc(marks, func(a, b memory.Mark) int { return cmp.Compare(a.Start, b.Start) })
	return marks
}

// changes returns what was replaced or cut in the part, in order.
func (p Part) changes() (marks []memory.Mark) {
	for _, at := range p.Filtered {
		if at < p.End {
			marks = append(marks, memory.Mark{
				Kind:  memory.MarkFiltered,
				Start: at,
				End:   min(at+len(filtered), p.End),
				Note:  "a delimiter was replaced",
			})
		}
	}
	if p.Cut {
		marks = append(marks, memory.Mark{Kind: memory.MarkCut, Start: p.End, End: p.End, Note: "the text goes on"})
	}
	return marks
}

// notText is the planner's TypeError for a text that is not a string.
func notText(i int, name string, kind jstext.Kind) *memory.Problem {
	return &memory.Problem{
		Code: "recalled-not-text",
		What: "the agent's planner stops here: the " + name + " of recalled lesson " + strconv.Itoa(i+1) +
			" is not text but " + kind.String(),
		Hint: "edit or delete that lesson",
	}
}
