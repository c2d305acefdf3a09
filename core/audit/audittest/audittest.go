// Package audittest makes the labelled texts that the audit is measured with: secrets
// of many kinds where agents leave them, instructions meant for a model, hidden text,
// and harmless texts that look like one of these. The same seed gives the same texts.
//
// All secrets are made up here, in the shapes that vendors document, and were never
// issued. No shape is written as it is, so that no scanner finds one in this source.
// Nothing here knows how the audit finds anything: the texts are its examination.
package audittest

import (
	"math/rand/v2"
	"slices"
	"strings"

	"winnow/core/memory"
)

// Item is a text of which it is known what is in it.
type Item struct {
	Text string
	// Family is what is in it; empty for a harmless text.
	Family memory.Family
	// Kind is what exactly, or what a harmless text is like: "github-classic".
	Kind string
	// Context is where a secret stands: one of Contexts; empty for others.
	Context string
	// Start and End are the place of it: bytes of Text. Both are 0 in a harmless text.
	Start, End int
	// Secret is the secret as it was issued, without what the context made of it; only
	// the part that is left in a text that was cut.
	Secret string
	// Lands is set when it does harm only where it lands in a block of a prompt, as a
	// heading in a lesson does.
	Lands bool
	// Whole is set for a harmless text that is a document, which a field of a record
	// would not hold.
	Whole bool
}

// Place returns what is in the text.
func (it *Item) Place() string { return it.Text[it.Start:it.End] }

// Corpus returns the texts of a seed: at least 40 kinds of secret in each of Contexts,
// 60 injections, 30 hidden texts and 400 harmless ones, and some private data, in an
// order of the seed.
func Corpus(seed uint64) []Item {
	g := gen{rand.New(rand.NewPCG(seed, 0x77696e6e6f77))}
	items := slices.Concat(secrets(g), injections(g), hidden(g), harmless(g), privates(g))
	g.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
	return items
}

// Of returns the items of a family; of the empty family those that are harmless.
func Of(items []Item, family memory.Family) (of []Item) {
	for _, it := range items {
		if it.Family == family {
			of = append(of, it)
		}
	}
	return of
}

// The signs with which the tables mark what is in a text.
const (
	from = "⟦"
	to   = "⟧"
)

// marked makes an item of a text in which from and to mark the place.
func marked(family memory.Family, kind, text string) Item {
	before, rest, ok := strings.Cut(text, from)
	in, after, closed := strings.Cut(rest, to)
	if !ok || !closed {
		panic("audittest: no place is marked in a text of " + kind)
	}
	return Item{Text: before + in + after, Family: family, Kind: kind, Start: len(before), End: len(before) + len(in)}
}
