package plan

import (
	"maps"
	"slices"
	"strings"

	"winnow/core/detect"
	"winnow/core/memory"
	"winnow/core/system"
)

// Names of the stored fields, and of the line as a whole.
const (
	fieldTitle   = "task_summary"
	fieldBody    = "lesson"
	fieldOutcome = "outcome"
	fieldTools   = "tool_names"
	fieldWhen    = "when"
	wholeLine    = "line"
)

// check inspects texts that a person typed. What was already in the same field before is not
// theirs, and is only mentioned in a note.
type check struct {
	id      memory.ID
	allow   []string
	compose system.Composer
	lines   []string // that were there before

	noun        string         // for one record
	prose       bool           // texts may have headings of their own
	previous    map[string]int // how often each suspicious text was in a field before
	replaced    []string       // rules of the secrets that were replaced
	preexisting []string       // rules of what was there before and still is
	findings    []memory.Finding
}

// newCheck returns the check of texts for the record id that replace those of the old records and
// their lines.
func (m *maker) newCheck(id memory.ID, lines []string, old []memory.Record) *check {
	c := &check{
		noun:     m.v.Info.Noun.One,
		prose:    m.v.Info.Prose,
		id:       id,
		allow:    m.o.Allow,
		compose:  m.v.Compose,
		lines:    lines,
		previous: map[string]int{},
	}
	for i := range old {
		eachText(&old[i], func(field, text string) { c.noteEarlier(field, text) })
	}
	for _, line := range lines {
		c.noteEarlier(wholeLine, line)
	}
	return c
}

// eachText calls fn with the texts of a record that can reach a prompt.
func eachText(r *memory.Record, fn func(field, text string)) {
	fn(fieldTitle, r.Title)
	fn(fieldBody, r.Body)
	fn(fieldOutcome, string(r.Outcome))
	fn(fieldWhen, r.When)
	for _, t := range r.Tools {
		fn(fieldTools, t)
	}
}

// stored returns the redacted stored form of what the person set: the raw line, or what compose
// makes of the fields.
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
	}{{fieldTitle, &e.Title}, {fieldBody, &e.Body}, {fieldOutcome, &e.Outcome}, {fieldWhen, &e.When}} {
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
	c.inspect(field, text)
	return text
}

// inspect records what is suspicious in a text.
func (c *check) inspect(field, text string) {
	for _, t := range detect.CheckInput(text) {
		key := field + "\x00" + t.Rule + "\x00" + text[t.Start:t.End]
		switch {
		case c.prose && t.Rule == detect.RuleBreakoutHeading:
		case c.previous[key] > 0:
			c.previous[key]--
			c.preexisting = append(c.preexisting, t.Rule)
		case !c.allows(t.Rule):
			r, _ := detect.Rule(t.Rule)
			c.find(field, t, r.Why, text)
		}
	}
}

// Check returns what the check of typed texts finds in a record that nobody typed here.
func Check(r *memory.Record) []memory.Finding {
	c := check{id: r.ID}
	eachText(r, func(field, text string) {
		c.text(field, text)
		for _, rule := range c.replaced {
			c.find(
				field,
				memory.Trace{Rule: rule},
				"It contains what looks like a secret, and agents would be given it.",
				"",
			)
		}
		c.replaced = nil
	})
	return c.findings
}

func (c *check) find(field string, t memory.Trace, what, text string) {
	c.findings = append(c.findings, memory.Finding{
		ID: c.id, Field: field, Rule: t.Rule, What: what, Text: text, Start: t.Start, End: t.End, Shown: t.Shown,
	})
}

// noteEarlier records what is suspicious in a text that was there before.
func (c *check) noteEarlier(field, text string) {
	for _, t := range detect.CheckInput(text) {
		c.previous[field+"\x00"+t.Rule+"\x00"+text[t.Start:t.End]]++
	}
}

// redacted returns a text with its secrets replaced, except those that are allowed.
func (c *check) redacted(text string) string {
	for {
		spans := slices.DeleteFunc(detect.Secrets(text), func(s detect.Span) bool { return c.allows(s.Rule) })
		if len(spans) == 0 {
			return text
		}
		for _, s := range slices.Backward(spans) {
			text = text[:s.Start] + detect.Redacted + text[s.End:]
			c.replaced = append(c.replaced, s.Rule)
		}
	}
}

func (c *check) allows(rule string) bool { return slices.Contains(c.allow, rule) }

// ruleDamaged is the rule for a typed line that cannot be decoded. The other rules are those of
// detect.CheckInput.
const ruleDamaged = "damaged-line"

// line checks a stored form that a person typed, and returns it redacted and without the line end
// that an editor leaves.
func (c *check) line(raw string) (string, error) {
	raw = strings.TrimSuffix(strings.TrimSuffix(raw, "\n"), "\r")
	switch {
	case slices.Contains(c.lines, raw):
		return raw, nil
	case strings.TrimSpace(raw) == "":
		return "", &memory.Problem{
			Code: "empty-line",
			What: "the line is empty",
			Hint: "delete the " + c.noun + " instead",
		}
	}
	raw = c.redactedLine(raw)
	c.lookAtLine(raw)
	return raw, nil
}

// redactedLine returns a line with its secrets replaced, unless all of them are allowed.
func (c *check) redactedLine(raw string) string {
	var rules []string
	for _, s := range detect.SecretsInLine(raw) {
		rules = append(rules, s.Rule)
	}
	if len(rules) == 0 || !slices.ContainsFunc(rules, func(rule string) bool { return !c.allows(rule) }) {
		return raw
	}
	clean, _ := c.compose.Redact(raw, memory.Redaction{})
	c.replaced = append(c.replaced, rules...)
	return clean
}

// lookAtLine records what is suspicious in the texts of a line, and then in the rest of it.
func (c *check) lookAtLine(raw string) {
	r := c.compose.Decode(raw)
	if r.Problem != nil && !c.allows(ruleDamaged) {
		c.find(
			wholeLine,
			memory.Trace{End: len(raw), Rule: ruleDamaged},
			"An agent cannot use this: "+r.Problem.What+".",
			raw,
		)
	}
	eachText(&r, c.inspect)
	inTexts := map[string]bool{}
	for _, f := range c.findings {
		inTexts[f.Rule] = true
	}
	for _, rule := range c.preexisting {
		inTexts[rule] = true
	}
	rest := *c
	rest.findings, rest.preexisting = nil, nil
	rest.inspect(wholeLine, raw)
	known := func(rule string) bool { return inTexts[rule] }
	c.findings = append(
		c.findings,
		slices.DeleteFunc(rest.findings, func(f memory.Finding) bool { return known(f.Rule) })...)
	c.preexisting = append(c.preexisting, slices.DeleteFunc(rest.preexisting, known)...)
}

// checked puts the check's findings into the plan, and adds notes on what it replaced.
func (m *maker) checked(c *check) {
	m.p.Findings, m.p.Replaced = c.findings, len(c.replaced)
	times := map[string]int{}
	for _, rule := range c.replaced {
		times[rule]++
	}
	for _, rule := range slices.Sorted(maps.Keys(times)) {
		if n := times[rule]; n == 1 {
			m.note("1 %s was replaced with %s.", rule, detect.Redacted)
		} else {
			m.note("%d secrets (%s) were replaced with %s.", n, rule, detect.Redacted)
		}
	}
	for _, rule := range slices.Compact(slices.Sorted(slices.Values(c.preexisting))) {
		m.note("It still contains what was there before: %s.", rule)
	}
}
