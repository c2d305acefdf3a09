package detect

import (
	"slices"
	"strings"
)

// RuleKnown names a place that no rule of this package finds, but which holds the text of
// a secret that one found elsewhere.
const RuleKnown = "known-secret"

// Values are texts that are known as secrets. They find what Find and InLine find, and
// beside that every place in which one of them stands, however it is spelled. Nil knows
// none. They do not change.
type KnownSecrets struct {
	telling []string // sorted, each once
	texts   *Texts
}

// NewValues returns the values of a list that tell a secret wherever they stand; nil when
// there are none.
func NewKnownSecrets(found []string) *KnownSecrets {
	var telling []string
	for _, s := range Decoded(found) {
		if Distinctive(s) {
			telling = append(telling, s)
		}
	}
	if len(telling) == 0 {
		return nil
	}
	return &KnownSecrets{telling, NewTexts(telling)}
}

// Same reports whether two lists of values find the same.
func (v *KnownSecrets) Same(w *KnownSecrets) bool {
	if v == nil || w == nil {
		return v == w
	}
	return slices.Equal(v.telling, w.telling)
}

// Plain returns the texts of a list, and what each of them says where it is spelled with
// escapes, split by what is not seen or in base64. Each is there once.
func Decoded(found []string) []string {
	out := slices.Clone(found)
	for _, s := range found {
		for _, how := range [...]decoding{jsonEscapes, percents, unseen, folded} {
			if d, ok := decode(s, how); ok {
				out = append(out, d.text)
			}
		}
		if run(s, 0, alnum|base64s) == len(strings.TrimRight(s, "=")) {
			inner := fromBase64(strings.TrimRight(s, "="))
			for _, p := range Secrets(inner) {
				out = append(out, inner[p.Start:p.End])
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Secrets returns what the function Secrets does, and the copies of known values.
func (v *KnownSecrets) Secrets(s string) []Span { return WithCopies(Secrets(s), v.Copies(s)) }

// SecretsInLine returns what the function SecretsInLine does, and the copies of known
// values.
func (v *KnownSecrets) SecretsInLine(line string) []Span {
	return WithCopies(SecretsInLine(line), v.Copies(line))
}

// Copies returns where known values are in a text, apart from longer words.
func (v *KnownSecrets) Copies(s string) []Span {
	if v == nil {
		return nil
	}
	return slices.DeleteFunc(v.texts.In(s), func(k Span) bool { return !standsAlone(s, k) })
}

// WithCopies adds copies of known values to the secrets that rules found. A place that holds
// some of a value is widened to all of it.
func WithCopies(found, copies []Span) []Span {
	rules := len(found)
next:
	for _, k := range copies {
		for i := range found[:rules] {
			if f := &found[i]; k.Start < f.End && f.Start < k.End {
				f.Start, f.End = min(f.Start, k.Start), max(f.End, k.End)
				continue next
			}
		}
		found = append(found, Span{Start: k.Start, End: k.End, Rule: RuleKnown})
	}
	return merged(found)
}

// alone reports whether a place is no part of a longer word, which a short value can be by
// chance.
func standsAlone(s string, p Span) bool {
	const chance = 20
	return p.End-p.Start >= chance ||
		(p.Start == 0 || !is(s[p.Start-1], alnum)) && (p.End == len(s) || !is(s[p.End], alnum))
}
