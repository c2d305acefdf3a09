package cli

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"

	"winnow/core/memory"
	"winnow/views"
)

// recalled is a recall, and the store that it is from.
type recalled struct {
	place  memory.Place
	recall memory.Recall
}

// compared says which of the records that two stores recall say the same. The numbers
// are indexes of hits.
type compared struct {
	both        []pair
	left, right []int // that only one has
}

// pair is a hit of each of two recalls that have to do with each other.
type pair struct {
	left, right int
	contrary    bool
	why         string // in what they contradict each other
}

// The stores that two recalls are compared as.
const leftSide, rightSide memory.StoreID = "left", "right"

// compare pairs the records that two recalls inject.
func (e Env) compare(a, b memory.Recall) (c compared) {
	if e.Across == nil {
		return c
	}
	left, right := injected(a.Hits), injected(b.Hits)
	kin := e.Across(map[memory.StoreID][]memory.Record{leftSide: left, rightSide: right})[leftSide]
	met := map[int]bool{}
	for i := range left {
		alone := true
		for _, k := range kin[left[i].ID] {
			if k.Store != rightSide {
				continue
			}
			j, _ := strconv.Atoi(string(k.ID))
			alone, met[j] = false, true
			at, _ := strconv.Atoi(string(left[i].ID))
			c.both = append(c.both, pair{at, j, k.Contrary, k.Why})
		}
		if alone {
			at, _ := strconv.Atoi(string(left[i].ID))
			c.left = append(c.left, at)
		}
	}
	for i := range right {
		if at, _ := strconv.Atoi(string(right[i].ID)); !met[at] {
			c.right = append(c.right, at)
		}
	}
	return c
}

// injected returns the hits that are recalled as records, each called by its index.
func injected(hits []memory.Hit) []memory.Record {
	var records []memory.Record
	for i := range hits {
		if h := &hits[i]; h.Recalled {
			records = append(records, memory.Record{ID: memory.ID(strconv.Itoa(i)), Title: h.Title, Body: h.Body, Scope: h.Scope})
		}
	}
	return records
}

// recallWith recalls for the same task from a second store, and prints both with what
// they have in common.
func (e Env) recallWith(ctx context.Context, all *flags, f *recallFlags, left recalled) error {
	asked := *all
	asked.store, asked.system = f.with, ""
	place, err := e.choose(ctx, &asked, true)
	if err != nil {
		return err
	}
	r, err := e.Library.Recall(ctx, place.Store, left.recall.Task)
	if err != nil {
		return err
	}
	right := recalled{place, r}
	c := e.compare(left.recall, r)
	o := e.output(f.reveal)
	if f.format == "json" {
		j := o.recallJSON(left.place, left.recall, true)
		with := o.recallJSON(right.place, right.recall, true)
		j.With, j.Compared = &with, o.comparedJSON(left.recall, right.recall, c)
		return o.json(j)
	}
	whole := f.format == "all"
	if o.width >= wide {
		e.printBeside(o, left, right, whole)
	} else {
		for _, one := range []recalled{left, right} {
			o.line("== " + o.sentence(e.called(one.place)))
			e.printSide(o, one, whole)
			o.printf("\n")
		}
	}
	e.printCompared(o, left, right, c)
	return o.close()
}

// called names a store in a comparison.
func (e Env) called(p memory.Place) string { return e.kindName(p) + ": " + p.Path }

// printSide prints one of two recalls.
func (e Env) printSide(o *output, one recalled, whole bool) {
	if one.recall.Stop != nil {
		o.paragraph("", "the agent would stop: "+o.sentence(one.recall.Stop.What))
		return
	}
	e.printRecall(o, one.place, one.recall, whole)
}

// printBeside prints two recalls in two columns.
func (e Env) printBeside(o *output, left, right recalled, whole bool) {
	const gap = " | "
	width := (o.width - len(gap)) / 2
	var sides [2][]string
	for i, one := range []recalled{left, right} {
		var b bytes.Buffer
		side := *o
		side.Writer, side.width = bufio.NewWriter(&b), width
		side.line(side.sentence(e.called(one.place)))
		side.line(strings.Repeat("-", width))
		e.printSide(&side, one, whole)
		_ = side.Flush() // of a buffer
		sides[i] = strings.Split(strings.TrimRight(b.String(), "\n"), "\n")
	}
	for i := range max(len(sides[0]), len(sides[1])) {
		var cells [2]string
		for s := range sides {
			if i < len(sides[s]) {
				cells[s] = sides[s][i]
			}
		}
		o.line(views.Cell(cells[0], width) + gap + cells[1])
	}
	o.printf("\n")
}

// printCompared says what both stores recall, and what only one of them does.
func (e Env) printCompared(o *output, left, right recalled, c compared) {
	name := func(r memory.Recall, i int) string {
		h := &r.Hits[i]
		rec := o.shown(&memory.Record{ID: h.ID, Title: h.Title, Secrets: h.Secrets})
		return o.sentence(string(rec.ID)) + "  " + o.title(rec)
	}
	o.line(fmt.Sprintf("recalled by both: %d", len(c.both)))
	for _, p := range c.both {
		sign := "  = "
		if p.contrary {
			sign = "  ! "
		}
		o.line(sign + name(left.recall, p.left))
		o.line("    " + name(right.recall, p.right))
		if p.contrary {
			o.paragraph("    ", "contrary: "+o.sentence(p.why))
		}
	}
	for s, only := range [][]int{c.left, c.right} {
		one := []recalled{left, right}[s]
		o.line(fmt.Sprintf("only by %s: %d", o.sentence(e.called(one.place)), len(only)))
		for _, i := range only {
			o.line("  " + []string{"<", ">"}[s] + " " + name(one.recall, i))
		}
	}
	for _, one := range []recalled{left, right} {
		size, low, high := 0, 0, 0
		for _, b := range blocks(one.recall) {
			size, low, high = size+len(b.Text), low+b.TokensLow, high+b.TokensHigh
		}
		o.line(fmt.Sprintf("%s injects %d bytes, about %d to %d tokens", o.sentence(e.called(one.place)), size, low, high))
	}
}

// comparedJSON is what two recalls have in common, by the ids of records.
type comparedJSON struct {
	Both  []pairJSON `json:"both"`
	Here  []text     `json:"here"`
	There []text     `json:"there"`
}

type pairJSON struct {
	Here     text `json:"here"`
	There    text `json:"there"`
	Contrary bool `json:"contrary"`
	Why      text `json:"why"`
}

func (o *output) comparedJSON(a, b memory.Recall, c compared) *comparedJSON {
	id := func(r memory.Recall, i int) text { return o.text(string(r.Hits[i].ID), r.Hits[i].Secrets, memory.InID) }
	j := &comparedJSON{Both: []pairJSON{}, Here: []text{}, There: []text{}}
	for _, p := range c.both {
		j.Both = append(j.Both, pairJSON{id(a, p.left), id(b, p.right), p.contrary, o.said(p.why)})
	}
	for _, i := range c.left {
		j.Here = append(j.Here, id(a, i))
	}
	for _, i := range c.right {
		j.There = append(j.There, id(b, i))
	}
	return j
}
