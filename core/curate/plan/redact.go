package plan

import (
	"encoding/json"
	"fmt"
	"slices"

	"winnow/core/detect"
	"winnow/core/memory"
)

// redact plans to replace secrets: those that the order's rules find in the named records, or in
// all, and then every copy of them in the whole store. No copy of the old text is kept, so the plan
// is final.
func (m *maker) redact() error {
	scope, err := m.namedOrMatching(func(r *memory.Record) bool { return r.Flags&memory.FlagSecret != 0 })
	if err != nil {
		return err
	}
	texts, indistinct := m.secrets(scope)
	for _, s := range m.o.Also {
		if detect.Distinctive(s) {
			texts = append(texts, s)
		}
	}
	redaction := detect.PrepareRedaction(memory.Redaction{Only: m.o.Only, Also: texts})
	if len(texts) > 0 {
		scope = inOrder(append(scope, m.others(scope)...))
	}
	secrets, copies := 0, 0 // copies: records changed only because of copies
	for _, p := range scope {
		had := len(m.p.Changes)
		if secrets += m.redactOne(p, redaction); p.copy {
			copies += len(m.p.Changes) - had
		}
	}
	if len(m.p.Changes) == 0 {
		return m.changeNothing("Nothing to redact")
	}
	m.p.Final = true
	m.p.What = fmt.Sprintf("Redacted %s in %s", memory.Counted(secrets, "secret"), m.records(len(m.p.Changes)))
	if copies > 0 {
		m.note(
			"%d more %s the same secret.",
			copies,
			verb(copies, m.v.Info.Noun.One+" holds", m.v.Info.Noun.Many+" hold"),
		)
	}
	if indistinct {
		m.note("A plain word or a short number is replaced only where the text says that it is a secret.")
	}
	m.note("Earlier history of these %s is scrubbed too.", m.v.Info.Noun.Many)
	m.note("Revoke the secret first, then redact it, then clean the git history.")
	m.noteCopy("bring the secrets back")
	return nil
}

// redactOne adds the change of a record that contains something to replace, and returns the number
// of replacements.
func (m *maker) redactOne(p pick, redaction memory.Redaction) int {
	if p.copy {
		redaction.Only = []string{}
	}
	before := m.startForm(p)
	after, n := m.v.Compose.Redact(before, redaction)
	if m.cut(p) {
		if n > 0 || p.nth >= 0 || redaction.Only == nil {
			m.spare(p, "too long to be changed here")
		}
		return 0
	}
	if n == 0 || after == before {
		return 0
	}
	p.why = memory.Counted(n, "secret")
	changes := len(m.p.Changes)
	if m.change(memory.Editing, p, after); len(m.p.Changes) > changes {
		Mask(&m.p.Changes[changes].Record, redaction.Places)
	}
	return n
}

// Mask adds redacted texts that no rule finds to the record's secrets, so that they are masked
// wherever the record is shown.
func Mask(r *memory.Record, places func(text string) [][2]int) {
	known := r.Secrets
	r.Secrets = slices.Clone(known)
	r.EachText(func(f memory.Field, item int, text string) {
		for _, at := range places(text) {
			if !slices.ContainsFunc(known, func(s memory.Secret) bool {
				return s.Field == f && s.Item == item && s.Start < at[1] && at[0] < s.End
			}) {
				r.Secrets = append(
					r.Secrets,
					memory.Secret{Field: f, Item: item, Start: at[0], End: at[1], Rule: detect.RuleKnown},
				)
			}
		}
	})
}

// others returns the records of the store that are not in picks, as copies.
func (m *maker) others(picks []pick) []pick {
	in := make(map[int]bool, len(picks))
	for _, p := range picks {
		in[p.at] = true
	}
	out := m.matching(func(at int) bool { return !in[at] })
	for i := range out {
		out[i].copy = true
	}
	return out
}

// secrets returns the texts that the order's rules find in the records and that are distinctive
// enough to be secrets anywhere. indistinct is set if there are less distinctive ones.
func (m *maker) secrets(picks []pick) (texts []string, indistinct bool) {
	for _, p := range picks {
		r := m.record(p)
		for _, s := range r.Secrets {
			if m.o.Only != nil && !slices.Contains(m.o.Only, s.Rule) {
				continue
			}
			switch text := SecretText(&r, s); {
			case text == "":
			case detect.Distinctive(text):
				texts = append(texts, text)
			default:
				indistinct = true
			}
		}
	}
	slices.Sort(texts)
	return slices.Compact(texts), indistinct
}

// SecretText returns the text of a record's secret, unescaped. It is "" if the secret is only known
// to be somewhere in the stored form.
func SecretText(r *memory.Record, s memory.Secret) (plain string) {
	text := r.Text(s.Field, s.Item)
	if s.Start < 0 || s.End > len(text) || s.Start >= s.End {
		return ""
	}
	if s.Field != memory.InRaw {
		return text[s.Start:s.End]
	}
	if s.End-s.Start == len(text) {
		return ""
	}
	if json.Unmarshal([]byte(`"`+text[s.Start:s.End]+`"`), &plain) != nil {
		return text[s.Start:s.End]
	}
	return plain
}
