package detect

import (
	"cmp"
	"slices"
	"sync"

	"winnow/core/memory"
)

// secretAuditRules returns the rules of the secret scanner, the most certain first.
func secretAuditRules() []memory.AuditRule {
	all := secretRules()
	out := make([]memory.AuditRule, len(all))
	for i := range all {
		out[i] = all[i].auditRule()
	}
	return out
}

// secretRule describes one kind of secret and how to recognize it.
type secretRule struct {
	id, name string
	issuer   *issuer
	severity memory.Severity // 0 means High
	// forms recognize tokens by their prefix.
	forms []tokenForm
	// infixes recognize tokens by a text inside or at the end of them.
	infixes []infixForm
	// named recognizes values by the name before them.
	named []namedForm
	// source documents the form if the issuer does not.
	source string
}

// issuer is the service that gives out a kind of secret.
type issuer struct {
	allows string // what the holder of the secret can do
	revoke string // how to revoke it: the first thing to do
	source string // where the issuer documents its forms
}

// namedForm is the form of a value that is recognized only by its name.
type namedForm struct {
	name string // in lower case, as written before the value
	body string // the whole value, in the syntax of a form
}

// infixForm is the form of a token that is recognized by a text inside it.
type infixForm struct {
	before       string // what comes before the text: one item of a body
	infix        string
	after        string // what follows the text; may be empty
	needsKeyword bool   // only if a word before the token says that it is secret
}

func (r *secretRule) auditRule() memory.AuditRule {
	return memory.AuditRule{
		ID: r.id, Family: memory.FamilySecret, Severity: cmp.Or(r.severity, memory.High), Name: r.name,
		Why: "Whoever reads it can " + r.issuer.allows + ".", Next: r.issuer.revoke, Source: cmp.Or(r.source, r.issuer.source),
	}
}

// secretRules returns all rules, the most certain first.
var secretRules = sync.OnceValue(func() []secretRule {
	return slices.Concat(codeRules, modelRules, cloudRules, chatRules, payRules, toolRules, variousRules, tokenRules, plainRules)
})

// ruleIndex returns the index of a rule in the table.
func ruleIndex(id string) int16 {
	return int16(slices.IndexFunc(secretRules(), func(r secretRule) bool { return r.id == id }))
}

// gitleaks is the source of forms that no document of the issuer was found for. See NOTICE in this
// folder.
const gitleaks = "https://github.com/gitleaks/gitleaks/blob/v8.30.1/config/gitleaks.toml"
