package learn

import (
	"strings"
	"unicode"

	"winnow/core/session"
)

// An echo repeats text that was given. It is measured by runs of echoRow words: the share of a text
// that must have been given, and the higher share for a title with a sentence made by a rule.
const (
	echoRow      = 4
	echoShare    = 0.6
	echoSentence = 0.95
	// mostGiven is how many bytes of the given texts are compared.
	mostGiven = 4 << 20
)

// givenRuns is the set of word runs in what a session was given. It prevents a recalled lesson from
// coming back as a new one.
type givenRuns map[string]bool

func newGiven(texts []session.Given) givenRuns {
	g, left := givenRuns{}, mostGiven
	for _, t := range texts {
		text := t.Text[:min(len(t.Text), left)]
		left -= len(text)
		for _, row := range rows(text, echoRow) {
			g[row] = true
		}
	}
	return g
}

// covers reports whether a proposal only repeats what the session was given.
func (g givenRuns) covers(p *Proposal) bool {
	if g.share(p.Title+" "+p.Body) >= echoSentence {
		return true
	}
	if strings.HasPrefix(p.Body, "Completed using ") || strings.HasPrefix(p.Body, "Failed with ") {
		return false // the words are the engine's
	}
	return g.share(strings.TrimPrefix(p.Body, "Failed: ")) >= echoShare
}

// share returns how much of a text was given, from 0 to 1. A text that is too short to compare
// counts as not given.
func (g givenRuns) share(text string) float64 {
	all := rows(text, echoRow)
	found := 0
	for _, row := range all {
		if g[row] {
			found++
		}
	}
	return float64(found) / float64(max(1, len(all)))
}

// rows returns every run of n consecutive words of a text, in lower case and with all numbers
// replaced with 0.
func rows(text string, n int) (out []string) {
	words := strings.FieldsFunc(
		strings.ToLower(text),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) },
	)
	for i, w := range words {
		if strings.Trim(w, "0123456789") == "" {
			words[i] = "0"
		}
	}
	for i := n; i <= len(words); i++ {
		out = append(out, strings.Join(words[i-n:i], " "))
	}
	return out
}
