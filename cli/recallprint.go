package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"winnow/core/memory"
	"winnow/views"
	"winnow/views/safe"
)

// blocks are the texts of a recall as they are numbered, from 1: the one that depends on
// the task, and the others in the order in which the model reads them.
func blocks(r memory.Recall) []memory.Block {
	var list []memory.Block
	if r.Block.Text != "" {
		list = append(list, r.Block)
	}
	return append(list, slices.DeleteFunc(slices.Clone(r.Also), func(b memory.Block) bool { return b.Text == "" })...)
}

// blockNamed returns the text of that number, or the only one whose name begins so.
func blockNamed(r memory.Recall, name string) (memory.Block, error) {
	list := blocks(r)
	if n, err := strconv.Atoi(name); err == nil && n >= 1 && n <= len(list) {
		return list[n-1], nil
	}
	var fit []memory.Block
	for _, b := range list {
		switch {
		case strings.EqualFold(b.Name, name):
			return b, nil
		case strings.HasPrefix(strings.ToLower(b.Name), strings.ToLower(name)):
			fit = append(fit, b)
		}
	}
	if len(fit) == 1 {
		return fit[0], nil
	}
	f := &failure{code: exitNotFound, err: fmt.Errorf("recall: no text is called %s", name), hint: "give a number or a name: winnow recall lists them"}
	if len(fit) > 1 {
		f.code, f.err = exitUsage, fmt.Errorf("recall: %d texts are called %s", len(fit), name)
	}
	for i, b := range list {
		f.more = append(f.more, fmt.Sprintf("  %d  %s", i+1, b.Name))
	}
	return memory.Block{}, f
}

// printRecall prints a recall for reading. With whole all texts are printed, else only
// the one that depends on the task.
func (e Env) printRecall(o *output, p memory.Place, r memory.Recall, whole bool) {
	o.foreign = p.System != engine
	if !o.foreign || len(r.Words) > 0 {
		o.printWords(r)
	}
	if r.Estimate != "" {
		o.paragraph("", "estimate: "+o.sentence(r.Estimate))
	}
	list := blocks(r)
	if len(r.Hits) > 0 || r.Empty != "" || len(list) == 0 {
		o.printHits(r)
	}
	for i, b := range list {
		number := ""
		if len(r.Also) > 0 {
			number = strconv.Itoa(i+1) + "  "
		}
		o.printf("\n")
		o.line(number + o.blockHead(b))
		e.printParts(o, b)
		switch {
		case whole || i == 0 && r.Block.Text != "":
			o.printBlock("| ", b)
		default:
			o.line(fmt.Sprintf("  the exact text: --block %d, or all for reading: --format all", i+1))
		}
	}
	e.printGot(o, r.Got, list)
	o.printNotes(r)
}

// blockHead says where a text goes, and how long it is.
func (o *output) blockHead(b memory.Block) string {
	return fmt.Sprintf("%s in the %s: %d bytes, about %d to %d tokens",
		o.sentence(b.Name), o.sentence(b.Where), len(b.Text), b.TokensLow, b.TokensHigh)
}

// printParts lists the pieces of a text in order, with their sizes.
func (e Env) printParts(o *output, b memory.Block) {
	for i, p := range b.Parts {
		said := fmt.Sprintf("  %2d  %s: %d bytes, about %d to %d tokens", i+1, p.Name, p.End-p.Start, p.TokensLow, p.TokensHigh)
		if from := firstOf(e.fromHome(p.Path), string(p.ID)); from != "" {
			said += ", " + from
		}
		if p.Note != "" {
			said += " (" + p.Note + ")"
		}
		o.paragraph("", o.sentence(said))
	}
}

// printGot says what the last session really got, and how that differs from now.
func (e Env) printGot(o *output, g *memory.Got, now []memory.Block) {
	if g == nil {
		return
	}
	head := "the last session"
	if g.Running {
		head = "the session that runs now"
	}
	if g.Session != "" {
		head += " (" + g.Session + ")"
	}
	if !g.At.IsZero() {
		head += ", " + since(e.Now().Sub(g.At))
	}
	o.printf("\n")
	if g.Unknown != "" {
		o.paragraph("", o.sentence(head+": "+g.Unknown))
		return
	}
	size := 0
	for _, b := range g.Blocks {
		size += len(b.Text)
	}
	o.paragraph("", o.sentence(fmt.Sprintf("%s got %s, %d bytes, as %s says", head, plural(len(g.Blocks), "text"), size, firstOf(g.Source, "its record"))))
	for _, b := range g.Blocks {
		o.line("  " + o.blockHead(b))
	}
	switch {
	case len(g.Differs) > 0:
		o.line("what is otherwise now:")
	case len(now) > 0:
		o.line("nothing is otherwise now")
	}
	for _, d := range g.Differs {
		o.printDifference(d)
	}
}

// printDifference prints the first line in which two texts differ.
func (o *output) printDifference(d memory.Difference) {
	name := firstOf(d.Name, d.Path)
	switch {
	case d.Was == "":
		o.paragraph("  ", o.sentence(fmt.Sprintf("%s: was not there, and has %d bytes now", name, len(d.Now))))
		return
	case d.Now == "":
		o.paragraph("  ", o.sentence(fmt.Sprintf("%s: had %d bytes, and is gone", name, len(d.Was))))
		return
	}
	n, was, now := firstOther(o.hidden(d.Was), o.hidden(d.Now))
	o.paragraph("  ", o.sentence(fmt.Sprintf("%s: had %d bytes, and has %d now; first in line %d:", name, len(d.Was), len(d.Now), n)))
	o.line("    - " + views.Cell(safe.Line(was), differenceWidth))
	o.line("    + " + views.Cell(safe.Line(now), differenceWidth))
}

// differenceWidth is how much of a line that differs is shown, in cells.
const differenceWidth = 200

// firstOther returns the number of the first line in which two texts differ, and both.
func firstOther(a, b string) (n int, was, now string) {
	for n = 1; ; n++ {
		var moreA, moreB bool
		was, a, moreA = strings.Cut(a, "\n")
		now, b, moreB = strings.Cut(b, "\n")
		if was != now || !moreA || !moreB {
			return n, was, now
		}
	}
}
