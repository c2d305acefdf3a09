package views

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"winnow/core/memory"
	"winnow/views/safe"
)

// judgement is the verdict on a recall in a few words.
type judgement struct {
	text  string
	level memory.Level
}

// verdict judges a recall; the worst problem decides.
func (v Recall) verdict() judgement {
	r := v.Result
	switch {
	case r.Stop != nil:
		return judgement{"the agent would stop here, because " + safe.Line(clauseOf(r.Stop.What)), memory.Stop}
	case r.Empty != "" && v.Described.Draft.TextOnly:
		return judgement{"nothing would be recalled: " + safe.Line(r.Empty), memory.Note}
	}
	var n [memory.MarkDelimiter + 1]int
	secrets := 0
	for _, b := range v.injected() {
		for k, c := range markCounts(b) {
			n[k] += c
		}
		secrets += len(secretMarks(nil, b))
	}
	some := func(n int, what string) string { return textIf(n > 0, "%s", memory.Counted(n, what)) }
	risks := joined(", ", some(n[memory.MarkHeading], "heading"), some(n[memory.MarkDelimiter], "delimiter"),
		some(n[memory.MarkHidden], "hidden character"), v.riskText())
	filtered, reach := n[memory.MarkFiltered], plural(secrets, "reaches", "reach")
	j := judgement{level: memory.Good}
	if filtered+secrets > 0 {
		j.level = memory.Warn
	}
	if risks != "" {
		j.level = memory.Stop
	}
	j.text = cmp.Or(
		joined(
			"; ",
			textIf(risks != "", "injection risk: %s", risks),
			textIf(secrets > 0, "%s %s the model", memory.Counted(secrets, "secret"), reach),
			textIf(filtered > 0, "%d filtered", filtered),
		),
		"clean",
	)
	return j
}

// clauseOf turns a sentence into a clause that ends another one.
func clauseOf(s string) string {
	return strings.TrimSuffix(strings.TrimPrefix(s, "the agent would stop here, because "), ".")
}

// warning returns the warning about a hit in the table: the rule of its worst finding, or otherwise
// its flags.
func (v Recall) warning(h memory.Hit) string {
	risks := v.Risks[h.ID]
	if len(risks) == 0 {
		return textIf(h.Flags&memory.FlagInjection != 0, "injection")
	}
	return safe.Line(risks[0].Rule) + textIf(len(risks) > 1, " +%d", len(risks)-1)
}

// riskText names a finding on a record that would be recalled.
func riskText(f memory.Finding) string {
	return safe.Line(f.Rule) + textIf(f.Name != "", ": %s", safe.Line(f.Name)) +
		textIf(f.Field != "", ", in %s", storedName(f.Field)) +
		fmt.Sprintf(" (%s)", f.Severity)
}

// riskText names the findings on the recalled records, except secrets, which are counted in the block.
func (v Recall) riskText() string {
	const most = 2 // number of rules named
	acts := func(f memory.Finding) bool {
		return f.Family == memory.FamilyInjection || f.Family == memory.FamilyHidden
	}
	n := 0
	var rules []string
	for i := range v.Result.Hits {
		risks := v.Risks[v.Result.Hits[i].ID]
		first := slices.IndexFunc(risks, acts)
		if first < 0 || !v.Result.Hits[i].Recalled {
			continue
		}
		n++
		if rule := safe.Line(risks[first].Rule); len(rules) < most && !slices.Contains(rules, rule) {
			rules = append(rules, rule)
		}
	}
	return textIf(n > 0, "%s with %s", v.Noun.Count(n), strings.Join(rules, " and "))
}
