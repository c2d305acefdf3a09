package views

import (
	"slices"
	"strconv"
	"strings"

	"winnow/core/memory"
	"winnow/views/safe"
)

// judgement is the verdict on a recall in a few words.
type judgement struct {
	text  string
	level memory.Level
}

// verdict judges a recall, the worst first.
func (v Recall) verdict() judgement {
	r := v.Result
	n, secrets := v.allMarks()
	var risks []string
	for _, x := range []struct {
		n    int
		what string
	}{
		{n[memory.MarkHeading], "heading"}, {n[memory.MarkDelimiter], "delimiter"}, {n[memory.MarkHidden], "hidden character"},
	} {
		if x.n > 0 {
			risks = append(risks, count(x.n, x.what))
		}
	}
	if said := v.risky(); said != "" {
		risks = append(risks, said)
	}
	switch {
	case r.Stop != nil:
		return judgement{"the agent would stop here, because " + safe.Line(because(r.Stop.What)), memory.Stop}
	case r.Empty != "" && v.Described.Draft.TextOnly:
		return judgement{"nothing would be recalled: " + safe.Line(r.Empty), memory.Note}
	}
	j := judgement{"clean", memory.Good}
	if k := n[memory.MarkFiltered]; k > 0 {
		j = judgement{strconv.Itoa(k) + " filtered", memory.Warn}
	}
	if k := secrets; k > 0 {
		j = j.after(judgement{reach(k, "secret") + " the model", memory.Warn})
	}
	if len(risks) > 0 {
		j = j.after(judgement{"injection risk: " + strings.Join(risks, ", "), memory.Stop})
	}
	return j
}

// allMarks counts the marks and the secrets of all texts that are injected.
func (v Recall) allMarks() (n [memory.MarkDelimiter + 1]int, secrets int) {
	for _, b := range v.injected() {
		for k, c := range markCounts(b) {
			n[k] += c
		}
		secrets += len(secretMarks(nil, b))
	}
	return n, secrets
}

// after returns the judgement with a worse one before it.
func (j judgement) after(worse judgement) judgement {
	if j.level == memory.Good {
		return worse
	}
	return judgement{worse.text + "; " + j.text, worse.level}
}

// reach returns "1 secret reaches" or "2 secrets reach".
func reach(n int, noun string) string {
	if n == 1 {
		return count(n, noun) + " reaches"
	}
	return count(n, noun) + " reach"
}

// because makes a sentence the end of another.
func because(s string) string {
	return strings.TrimSuffix(strings.TrimPrefix(s, "the agent would stop here, because "), ".")
}

// warning returns what is marked of a hit in the table: the rule of the worst finding,
// or else what its flags say.
func (v Recall) warning(h memory.Hit) string {
	risks := v.Risks[h.ID]
	if len(risks) == 0 {
		if h.Flags&memory.FlagInjection != 0 {
			return "injection"
		}
		return ""
	}
	said := safe.Line(risks[0].Rule)
	if n := len(risks) - 1; n > 0 {
		said += " +" + strconv.Itoa(n)
	}
	return said
}

// riskText names a finding on a record that would be recalled.
func riskText(f memory.Finding) string {
	text := safe.Line(f.Rule)
	if f.Name != "" {
		text += ": " + safe.Line(f.Name)
	}
	if f.Field != "" {
		text += ", in " + storedName(f.Field)
	}
	return text + " (" + f.Severity.String() + ")"
}

// risky names what the audit says of the records that are recalled, apart from secrets,
// which are counted in the block.
func (v Recall) risky() string {
	const most = 2 // rules that are named
	n := 0
	var rules []string
	for i := range v.Result.Hits {
		h := &v.Result.Hits[i]
		rule := ""
		for _, f := range v.Risks[h.ID] {
			if rule == "" && (f.Family == memory.FamilyInjection || f.Family == memory.FamilyHidden) {
				rule = safe.Line(f.Rule)
			}
		}
		if rule == "" || !h.Recalled {
			continue
		}
		n++
		if len(rules) < most && !slices.Contains(rules, rule) {
			rules = append(rules, rule)
		}
	}
	if n == 0 {
		return ""
	}
	return v.Noun.Count(n) + " with " + strings.Join(rules, " and ")
}
