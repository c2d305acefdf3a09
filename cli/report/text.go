package report

import (
	"cmp"
	"fmt"
	"strings"

	"winnow/cli/output"
)

// text prints the report for a person.
func (r *Report) text(o *output.Out) {
	verdict := map[Verdict]output.Colour{Unsafe: output.Bad, Unknown: output.Warn, Nothing: output.Warn}[r.Verdict()]
	o.Hang("", "%s", o.Paint(cmp.Or(verdict, output.Good), output.Safe(r.Headline())))
	o.Hang("", "%s", output.Safe(r.Coverage()))
	for _, l := range r.lines() {
		head := l.head
		if l.kind == item {
			head = fmt.Sprintf("%-3s", head)
			l.text = string(o.Paint(output.Strong, output.Safe(l.text)))
		}
		if l.kind == heading {
			l.text = string(o.Paint(output.Warn, output.Safe(l.text)))
		}
		if l.kind == start || l.kind == heading {
			o.Printf("\n")
		}
		if l.exact && l.kind != item && l.head != indent { // if it were wrapped, it could not be copied
			o.Printf("%s%s\n", output.Safe(head), output.Safe(l.text))
		} else {
			o.Hang(head, "%s", output.Safe(l.text))
		}
	}
}

// Quiet prints only the verdict, and what it does not cover.
func (r *Report) Quiet(o *output.Out) {
	o.Printf("%s\n", output.Safe(r.Headline()))
	if len(r.notRead()) > 0 {
		o.Printf("%s\n", output.Safe(r.Coverage()))
	}
}

// Coverage says in one line what was read and what is not covered.
func (r *Report) Coverage() string {
	list := strings.Join(r.notRead(), ", ")
	return "Read " + r.extent() + "." + output.When(list != "", " Not covered: "+list+".")
}

// notRead lists what was not read: unreadable files, and what an audit skips.
func (r *Report) notRead() []string {
	failed := len(r.Audit.Failed)
	return output.NonEmpty(append([]string{output.When(failed > 0, output.Plural(failed, "place")+" that could not be read")},
		output.Each(r.Audit.Uncovered, func(u *string) string { return r.line(*u) })...)...)
}
