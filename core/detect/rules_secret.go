package detect

import (
	"cmp"
	"slices"
	"sync"

	"winnow/core/memory"
)

// secretRules returns what the scanner of secrets looks for, the most certain forms first.
func secretRules() []memory.AuditRule {
	all := table()
	out := make([]memory.AuditRule, len(all))
	for i := range all {
		out[i] = all[i].audit()
	}
	return out
}

// secretRule is one kind of secret: what it is, and how it is known.
type secretRule struct {
	id, name string
	by       *issuer
	severity memory.Severity // 0 for high
	// forms are known by how they begin.
	forms []form
	// tails are known by what stands in or behind them.
	tails []tail
	// near are known by a name that stands before a value.
	near []nearValue
	// source is where the form is documented when the issuer does not say it.
	source string
}

// issuer is who gives out a kind of secret.
type issuer struct {
	does   string // what its holder can do
	revoke string // the first thing to do
	source string // where it documents its forms
}

// nearValue is the form of a value that only its name tells.
type nearValue struct {
	name string // in lower case, as it stands before the value
	body string // as in a form, the whole value
}

// tail is the form of a token that is known by a text inside of it.
type tail struct {
	before string // one item of a body: what comes before the text
	text   string
	body   string // what follows; may be empty
	asked  bool   // a word before it has to say that it is secret
}

func (r *secretRule) audit() memory.AuditRule {
	return memory.AuditRule{
		ID: r.id, Family: memory.FamilySecret, Severity: cmp.Or(r.severity, memory.High), Name: r.name,
		Why: "Whoever reads it can " + r.by.does + ".", Next: r.by.revoke, Source: cmp.Or(r.source, r.by.source),
	}
}

// table returns all rules. A find of an earlier one is the more certain.
var table = sync.OnceValue(func() []secretRule {
	return slices.Concat(codeRules, modelRules, cloudRules, chatRules, payRules, toolRules, moreRules, nearRules, plainRules)
})

// ruleIndex returns the place of a rule in the table.
func ruleIndex(id string) int16 {
	return int16(slices.IndexFunc(table(), func(r secretRule) bool { return r.id == id }))
}

// gitleaks is where a form is known from that no document of its issuer was found
// for. See NOTICE in this folder.
const gitleaks = "https://github.com/gitleaks/gitleaks/blob/v8.30.1/config/gitleaks.toml"
