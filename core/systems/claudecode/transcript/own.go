package transcript

import (
	"strings"

	"winnow/core/jstext"
)

// Own returns the ranges of a transcript line that Claude Code itself wrote for its model: what it
// rendered of an attachment, the system prompt, its own tools, and the tags around reminders. A
// range is the offset of its first byte and the offset after its last. What a reminder wraps is
// also in this line, or in another one, as it was read.
func Own(line string) (own [][2]int) {
	if !strings.Contains(line, `"rendered"`) && !strings.Contains(line, `"api-request`) &&
		!strings.Contains(line, `"prompt_snapshot"`) {
		return nil
	}
	top := membersOf(line, span{0, len(line)})
	switch textOf(line, top["type"]) {
	case "attachment":
		inside := membersOf(line, top["attachment"])
		if textOf(line, inside["type"]) == "prompt_snapshot" {
			own = append(own, inside["systemPrompt"].pair())
			own = append(own, ownTools(line, inside["tools"])...)
		}
		own = append(own, top["rendered"].pair())
	case "api-request":
		own = append(own, [2]int{0, len(line)})
	case "api-request-shape":
		inside := membersOf(line, top["shape"])
		own = append(own, inside["system"].pair())
		own = append(own, ownTools(line, inside["tools"])...)
	case "api-request-blob":
		message := membersOf(line, top["message"])
		if textOf(line, message["role"]) == "system" {
			return append(own, message["content"].pair())
		}
		own = ownTags(line, message["content"])
		for _, block := range elementsOf(line, message["content"]) {
			own = append(own, ownTags(line, membersOf(line, block)["text"])...)
		}
	}
	return own
}

// span is the range of a value in a line: the offset of its first byte, and the offset after its
// last.
type span struct{ start, end int }

func (s span) pair() [2]int { return [2]int{s.start, s.end} }

// ownTools returns the tools in a list that Claude Code itself provides. Other tools are described
// by servers that anybody may have written.
func ownTools(line string, tools span) (own [][2]int) {
	for _, t := range elementsOf(line, tools) {
		if !strings.HasPrefix(textOf(line, membersOf(line, t)["name"]), "mcp__") {
			own = append(own, t.pair())
		}
	}
	return own
}

// reminderTags open and close a reminder.
var reminderTags = [2]string{"<system-reminder>", "</system-reminder>"}

// ownTags returns the tags of a string that consists of reminders, each on its own lines and not
// nested. In any other string, nobody can tell who wrote a tag.
func ownTags(line string, at span) (own [][2]int) {
	const lineEnd = `\n` // as JSON spells it
	if at.end-at.start < 2 || line[at.start] != '"' {
		return nil
	}
	text := line[at.start+1 : at.end-1]
	for end := 0; ; {
		closes := len(own) % 2
		i := strings.Index(text[end:], reminderTags[0][1:])
		switch {
		case i < 0 && closes == 0:
			return own
		case i < 0:
			return nil
		}
		tag := reminderTags[closes]
		end += i + len(reminderTags[0]) - 1
		before, is := strings.CutSuffix(text[:end], tag)
		begins := before == "" || len(own) > 0 && strings.HasSuffix(before, lineEnd)
		ends := strings.HasPrefix(text[end:], lineEnd) || closes == 1 && end == len(text)
		if !is || !begins || !ends {
			return nil
		}
		own = append(own, [2]int{at.start + 1 + len(before), at.start + 1 + end})
	}
}

// membersOf returns the ranges of the values of an object, or none if the value is not an object.
func membersOf(line string, at span) map[string]span {
	all := map[string]span{}
	_, _ = jstext.Scan(line[at.start:at.end], func(p jstext.Part) bool { // whatever can be read counts
		if p.Key != "" {
			all[p.Name()] = span{at.start + p.At, at.start + p.At + len(p.Value)}
		}
		return true
	})
	return all
}

// elementsOf returns the ranges of the elements of a list, or none if the value is not a list.
func elementsOf(line string, at span) (all []span) {
	_, _ = jstext.Scan(line[at.start:at.end], func(p jstext.Part) bool { // whatever can be read counts
		if p.Key == "" {
			all = append(all, span{at.start + p.At, at.start + p.At + len(p.Value)})
		}
		return true
	})
	return all
}

// textOf returns the text of the string in a range, or "" for any other value.
func textOf(line string, at span) string { return jstext.Text(line[at.start:at.end]) }
