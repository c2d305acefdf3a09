package plan

import (
	"slices"

	"winnow/core/lesson"
	"winnow/core/memory"
	"winnow/core/redact"
	"winnow/core/system"
)

// Names of the fields as they are stored, and of the line as a whole.
const (
	fieldTitle   = "task_summary"
	fieldBody    = "lesson"
	fieldOutcome = "outcome"
	fieldTools   = "tool_names"
	wholeLine    = "line"
)

// check looks at the texts that a person typed. What stood in the same field before
// is not theirs, and is noted only.
type check struct {
	id      memory.ID
	allow   []string
	compose system.Composer
	lines   []string // that stood before

	stood    map[string]int // how often each evil stood in a field before
	replaced []string       // rules of the secrets that were replaced
	left     []string       // rules of what stood before and still stands
	findings []memory.Finding
}

// newCheck returns the check of texts for the record id, which take the place of
// those of the old records and their lines.
func (m *maker) newCheck(id memory.ID, lines []string, old []memory.Record) *check {
	c := &check{id: id, allow: m.o.Allow, compose: m.v.Compose, lines: lines, stood: map[string]int{}}
	for i := range old {
		eachText(&old[i], func(field, text string) { c.remember(field, text) })
	}
	for _, line := range lines {
		c.remember(wholeLine, line)
	}
	return c
}

// eachText calls fn with the texts of a record that can reach a prompt.
func eachText(r *memory.Record, fn func(field, text string)) {
	fn(fieldTitle, r.Title)
	fn(fieldBody, r.Body)
	fn(fieldOutcome, string(r.Outcome))
	for _, t := range r.Tools {
		fn(fieldTools, t)
	}
}

// stored returns the stored form of what the person set, redacted: the raw line, or
// what compose makes of the fields.
func (c *check) stored(e memory.Edit, compose func(memory.Edit) (string, error)) (string, error) {
	if e.Raw != nil {
		line, err := c.line(*e.Raw)
		if err != nil {
			return "", err
		}
		e.Raw = &line
		return compose(e)
	}
	for _, f := range []struct {
		name string
		text **string
	}{{fieldTitle, &e.Title}, {fieldBody, &e.Body}, {fieldOutcome, &e.Outcome}} {
		if *f.text != nil {
			clean := c.text(f.name, **f.text)
			*f.text = &clean
		}
	}
	if e.Tools != nil {
		tools := slices.Clone(*e.Tools)
		for i := range tools {
			tools[i] = c.text(fieldTools, tools[i])
		}
		e.Tools = &tools
	}
	return compose(e)
}

// text checks the text of a field and returns it redacted.
func (c *check) text(field, text string) string {
	text = c.redacted(text)
	c.look(field, text)
	return text
}

// look notes what is evil in a text.
func (c *check) look(field, text string) {
	for _, e := range evils(text) {
		key := field + "\x00" + e.rule + "\x00" + text[e.start:e.end]
		switch {
		case c.stood[key] > 0:
			c.stood[key]--
			c.left = append(c.left, e.rule)
		case !c.allows(e.rule):
			c.find(field, e, whats[e.rule], text)
		}
	}
}

func (c *check) find(field string, e evil, what, text string) {
	c.findings = append(c.findings, memory.Finding{
		ID: c.id, Field: field, Rule: e.rule, What: what, Text: text, Start: e.start, End: e.end,
	})
}

// remember notes what is evil in a text that stood before.
func (c *check) remember(field, text string) {
	for _, e := range evils(text) {
		c.stood[field+"\x00"+e.rule+"\x00"+text[e.start:e.end]]++
	}
}

// redacted returns a text with its secrets replaced, but for those that are allowed.
func (c *check) redacted(text string) string {
	for {
		spans := slices.DeleteFunc(redact.Find(text), func(s redact.Span) bool { return c.allows(s.Rule) })
		if len(spans) == 0 {
			return text
		}
		for _, s := range slices.Backward(spans) {
			text = text[:s.Start] + redact.Mark + text[s.End:]
			c.replaced = append(c.replaced, s.Rule)
		}
	}
}

func (c *check) allows(rule string) bool { return slices.Contains(c.allow, rule) }

// The rules of findings, which are also the words that overrule them.
const (
	ruleHidden    = "hidden text"
	ruleDelimiter = "prompt delimiter"
	ruleHeading   = "heading"
	ruleDamaged   = "damaged line"
)

// whats say what is wrong.
var whats = map[string]string{
	ruleHidden:    "It holds characters that cannot be seen, which a model reads.",
	ruleDelimiter: "It holds a variant of the prompt's delimiter, which can end the part that a model does not trust.",
	ruleHeading:   "A line break in it starts a heading, which a model can take for a part of the prompt.",
}

// evil is a place in a text that acts on whoever reads the prompt.
type evil struct {
	rule       string
	start, end int
}

// evils returns the evil places in a text. Hidden characters side by side are one
// place, and a heading is its whole line. Plain line breaks are none, nor is half a
// character, which an agent leaves where it cuts a task.
func evils(text string) []evil {
	var out []evil
	for _, m := range lesson.Injections(text) {
		e := evil{start: m.Start, end: m.End}
		switch m.Kind {
		case memory.MarkHidden:
			e.rule = ruleHidden
		case memory.MarkDelimiter:
			e.rule = ruleDelimiter
		case memory.MarkHeading:
			e.rule = ruleHeading
			e.end += lineLen(text[m.End:])
		}
		switch last := len(out) - 1; {
		case e.rule == "" || half(text[m.Start:]):
		case m.Kind == memory.MarkHidden && last >= 0 && out[last].rule == e.rule && out[last].end == e.start:
			out[last].end = e.end
		default:
			out = append(out, e)
		}
	}
	return out
}

// lineLen returns the length of the line that s begins with.
func lineLen(s string) int {
	for i, r := range s {
		if r == '\n' || r == '\r' || r == 0x2028 || r == 0x2029 {
			return i
		}
	}
	return len(s)
}

// half reports whether s begins with half a character, in its three bytes.
func half(s string) bool {
	return len(s) >= 3 && s[0] == 0xED && s[1] >= 0xA0 && s[1] <= 0xBF
}
