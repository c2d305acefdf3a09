package plan

import (
	"slices"
	"strings"

	"winnow/core/detect"
	"winnow/core/memory"
)

// line checks a stored form that a person typed and returns it redacted, without
// the line end that an editor leaves.
func (c *check) line(raw string) (string, error) {
	raw = strings.TrimSuffix(strings.TrimSuffix(raw, "\n"), "\r")
	switch {
	case slices.Contains(c.lines, raw):
		return raw, nil
	case strings.TrimSpace(raw) == "":
		return "", &memory.Problem{Code: "empty-line", What: "the line is empty", Hint: "delete the " + c.noun + " instead"}
	}
	raw = c.redactedLine(raw)
	c.lookAtLine(raw)
	return raw, nil
}

// redactedLine returns a line with its secrets replaced, unless all of them are
// allowed.
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

// lookAtLine notes what is evil in the texts of a line, and then what is in the rest
// of it.
func (c *check) lookAtLine(raw string) {
	r := c.compose.Decode(raw)
	if r.Problem != nil && !c.allows(ruleDamaged) {
		c.find(wholeLine, memory.Trace{End: len(raw), Rule: ruleDamaged}, "This is nothing that an agent can use: "+r.Problem.What+".", raw)
	}
	eachText(&r, c.look)
	inTexts := map[string]bool{}
	for _, f := range c.findings {
		inTexts[f.Rule] = true
	}
	for _, rule := range c.left {
		inTexts[rule] = true
	}
	rest := *c
	rest.findings, rest.left = nil, nil
	rest.look(wholeLine, raw)
	for _, f := range rest.findings {
		if !inTexts[f.Rule] {
			c.findings = append(c.findings, f)
		}
	}
	for _, rule := range rest.left {
		if !inTexts[rule] {
			c.left = append(c.left, rule)
		}
	}
}

// checked takes over what the check found, and notes what it replaced.
func (m *maker) checked(c *check) {
	m.p.Findings, m.p.Replaced = c.findings, len(c.replaced)
	for _, rule := range distinct(c.replaced) {
		n := times(c.replaced, rule)
		if n == 1 {
			m.note("1 %s was replaced by %s.", rule, detect.Redacted)
		} else {
			m.note("%d secrets (%s) were replaced by %s.", n, rule, detect.Redacted)
		}
	}
	for _, rule := range distinct(c.left) {
		m.note("It still holds what stood there before: %s.", rule)
	}
}

// distinct returns the words in order, each once.
func distinct(words []string) []string {
	out := slices.Clone(words)
	slices.Sort(out)
	return slices.Compact(out)
}

func times(words []string, word string) int {
	n := 0
	for _, w := range words {
		if w == word {
			n++
		}
	}
	return n
}
