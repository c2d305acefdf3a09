package report

import (
	"fmt"
	"strings"

	"winnow/cli/output"
)

// text prints the report for a person.
func (r *Report) text(o *output.Out) {
	o.Hang("", "%s", o.Paint(r.colour(), output.Safe(r.headline())))
	for _, l := range r.lines() {
		head := l.head
		if l.kind == item {
			head = fmt.Sprintf("%-3s", head)
			l.text = string(o.Paint(output.Strong, output.Safe(l.text)))
		}
		if l.kind == heading {
			l.text = string(o.Paint(output.Warn, output.Safe(l.text)))
		}
		if l.kind == start || l.kind == heading && r.Long {
			o.Printf("\n")
		}
		switch {
		case l.kind == entry:
			o.Line("%-3s%s", output.Safe(head), output.Safe(l.text))
		case l.exact && l.kind != item && l.head != indent: // if it were wrapped, it could not be copied
			o.Printf("%s%s\n", output.Safe(head), output.Safe(l.text))
		default:
			o.Hang(head, "%s", output.Safe(l.text))
		}
	}
}

// colour returns the colour of the verdict.
func (r *Report) colour() output.Colour {
	switch r.Verdict() {
	case Unsafe:
		return output.Bad
	case Clean:
		return output.Good
	}
	return output.Warn
}

// Quiet prints only the verdict, and what was read.
func (r *Report) Quiet(o *output.Out) {
	o.Printf("%s\n", output.Safe(r.headline()))
	if len(r.notRead()) > 0 {
		o.Printf("%s\n", output.Safe(r.coverage()))
	}
}

// coverage says in one line what was read and what is not covered.
func (r *Report) coverage() string {
	list := strings.Join(r.notRead(), ", ")
	return "Read " + r.extent() + "." + output.When(list != "", " Not covered: "+list+".")
}

// notRead lists what was not read: unreadable files, and what an audit skips.
func (r *Report) notRead() []string {
	failed := len(r.Audit.Failed)
	return output.NonEmpty(
		append([]string{output.When(failed > 0, output.Plural(failed, "place")+" that could not be read")},
			output.Each(r.Audit.Uncovered, func(u *string) string { return r.line(*u) })...)...)
}
