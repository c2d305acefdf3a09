package cli

import (
	"cmp"
	"context"
	"strconv"

	"winnow/cli/output"
	"winnow/core/compare"
	"winnow/core/memory"
)

// recalled is a recall and the store it came from.
type recalled struct {
	place     memory.Place
	recall    memory.Recall
	described memory.Description
}

// pair is two hits, one of each recall, that repeat or contradict each other.
type pair struct {
	left, right int
	contrary    bool
	why         string // in what they contradict each other
}

// comparison says which of the records recalled from two stores say the same. The numbers are indexes
// of hits.
type comparison struct {
	both        []pair
	left, right []int // that only one recall has
}

// compareRecalls pairs the records that two recalls inject.
func compareRecalls(a, b memory.Recall) (c comparison) {
	const leftSide, rightSide memory.StoreID = "left", "right"
	left, right := hitRecords(a.Hits), hitRecords(b.Hits)
	kin := compare.Across(map[memory.StoreID][]memory.Record{leftSide: left, rightSide: right})[leftSide]
	met := map[int]bool{}
	for _, r := range left {
		alone := true
		for _, k := range kin[r.ID] {
			if k.Store == rightSide {
				alone, met[index(k.ID)] = false, true
				c.both = append(c.both, pair{index(r.ID), index(k.ID), k.Contrary, k.Why})
			}
		}
		if alone {
			c.left = append(c.left, index(r.ID))
		}
	}
	for _, r := range right {
		if !met[index(r.ID)] {
			c.right = append(c.right, index(r.ID))
		}
	}
	return c
}

// hitRecords returns the hits as records. The ID of each is its index.
func hitRecords(hits []memory.Hit) (records []memory.Record) {
	for i := range hits {
		if h := &hits[i]; h.Recalled {
			records = append(records, memory.Record{ID: memory.ID(strconv.Itoa(i)), Title: h.Title, Body: h.Body, Scope: h.Scope})
		}
	}
	return records
}

// index returns the index of a hit from its record's ID.
func index(id memory.ID) int { n, _ := strconv.Atoi(string(id)); return n }

// recallWith recalls from a second store for the same task, and prints both recalls with what they
// have in common.
func (f *recalling) recallWith(ctx context.Context, left recalled) error {
	second := *f.program
	second.store, second.system = f.with, ""
	if err := second.chooseStore(ctx, choice{inputTaken: true}); err != nil {
		return err
	}
	r, err := f.Library.Recall(ctx, second.place.Store, left.recall.Task)
	if err != nil {
		return err
	}
	right := recalled{second.place, r, second.described}
	c, o := compareRecalls(left.recall, r), f.out
	if f.format == "json" {
		j := func(r recalled) object { return recallOf(o, placeJSON(o, r.place), r.recall, true, nil) }
		o.JSON(append(j(left), "with", j(right), "compared", comparedOf(o, left.recall, right.recall, c)))
		return nil
	}
	whole, sides := f.format == "all", [2]recalled{left, right}
	for _, one := range sides {
		o.Line("== %s", f.storeName(one.place))
		f.printSide(o, one, whole)
		o.Printf("\n")
	}
	f.printCompared(o, sides, c)
	return nil
}

// storeName names a store in a comparison.
func (p *program) storeName(q memory.Place) string { return p.kindName(q) + ": " + q.Path }

// printSide prints one of two recalls.
func (p *program) printSide(o *output.Out, one recalled, whole bool) {
	if one.recall.Stop != nil {
		o.Paragraph("", "the agent would stop: %s", one.recall.Stop.What)
		return
	}
	p.printRecall(o, one.recall, one.described, whole)
}

// printCompared says what both stores recall, and what only one of them does.
func (p *program) printCompared(o *output.Out, sides [2]recalled, c comparison) {
	name := func(side, i int) output.Safe {
		h := &sides[side].recall.Hits[i]
		return o.Sprintf("%s  %s", o.ID(&memory.Record{ID: h.ID, Secrets: h.Secrets}, h.ID), output.Of(h.Title, memory.Places(h.Secrets, memory.InTitle, 0)))
	}
	o.Line("recalled by both: %d", len(c.both))
	for _, both := range c.both {
		o.Line("  %s %s", cmp.Or(output.When(both.contrary, "!"), "="), name(0, both.left))
		o.Line("    %s", name(1, both.right))
		if both.contrary {
			o.Paragraph("    ", "contrary: %s", both.why)
		}
	}
	for s, only := range [][]int{c.left, c.right} {
		o.Line("only by %s: %d", p.storeName(sides[s].place), len(only))
		for _, i := range only {
			o.Line("  %s %s", []string{"<", ">"}[s], name(s, i))
		}
	}
	for _, one := range sides {
		size, low, high := 0, 0, 0
		for _, b := range blocks(one.recall) {
			size, low, high = size+len(b.Text), low+b.TokensLow, high+b.TokensHigh
		}
		o.Line("%s injects %d bytes, about %d to %d tokens", p.storeName(one.place), size, low, high)
	}
}
