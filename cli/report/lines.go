package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"winnow/cli/output"
	"winnow/core/memory"
	"winnow/views/safe"
)

// line is a line of a report for people, as text or Markdown.
type line struct {
	kind kind
	head string // prefix in text; in Markdown it is used without its spaces
	text string // safe to print
	// exact is set for text that is copied or quoted: a command, a fingerprint.
	exact bool
}

// kind is the role of a line in the report.
type kind uint8

const (
	plain   kind = iota // a line by itself
	start               // a line by itself that starts a part
	heading             // a heading above findings
	listed              // an item of a list below a plain line
	item                // first line of a finding; its head is the letter of the family
	below               // further line of a finding
)

// noGuarantee limits what even a clean verdict means.
const noGuarantee = "This is no guarantee: rules are best effort."

// lines returns the report without the verdict: what was redacted, the findings (worst first), what
// to do with all secrets, and what the report does not cover.
func (r *Report) lines() []line {
	list := r.fixedLines()
	printed := map[string]string{} // reasons and next steps that were already said
	heads, groups := r.sections()
	for _, head := range heads {
		list = append(list, line{kind: heading, text: head})
		for _, g := range groups[head] {
			list = append(list, r.findingLines(g, printed)...)
		}
	}
	list = slices.DeleteFunc(append(list, r.thenLines()...), isEmpty)
	rest := slices.DeleteFunc(r.restLines(), isEmpty)
	rest[0].kind = start
	return append(list, rest...)
}

func isEmpty(l line) bool { return l.text == "" }

// indent starts every line of a finding except the first.
const indent = "   "

// findingLines lists a finding. The explanation of a rule, why it matters and what to do appear
// only once for each rule.
func (r *Report) findingLines(g *group, printed map[string]string) []line {
	f := g.Finding
	list := []line{{item, f.Family.Letter(), safe.Line(f.Rule) + "  " + r.place(g), true}}
	if g.rest {
		return list
	}
	if f.Text != "" {
		list = append(list, line{below, indent, safe.Line(r.passage(f).marked()), true})
	}
	list = append(list, line{kind: below, head: indent + "reads: ", text: output.When(!strings.Contains(f.Text, strings.TrimSpace(f.Shown)), r.line(f.Shown))})
	if f.Ignored != nil {
		list = append(list, line{kind: below, head: indent + "ignored: ", text: output.Joined(", until ", r.line(f.Ignored.Reason), r.date(f.Ignored.Until))})
	} else {
		list = append(list, r.adviceLines(g, printed)...)
	}
	if g.findings > 1 {
		return list
	}
	return append(list, line{below, indent + "fingerprint ", safe.Line(f.Fingerprint), true},
		line{kind: below, head: indent, text: output.When(f.Recalled != "", "recalled: "+r.line(output.Joined(", in ", f.Recalled, f.Lands)))})
}

// adviceLines say what is wrong with a finding, and the steps special to its rule, unless they were
// already said. Steps that all secrets share are listed at the end.
func (r *Report) adviceLines(g *group, printed map[string]string) []line {
	f, own := g.Finding, r.ownText(g)
	why, known := printed[f.Rule]
	printed[f.Rule] = f.Why
	list := []line{{kind: below, head: indent, text: safe.Line(output.Joined(". ", output.When(!known || own == f.What, own), output.When(f.Why != why, r.sentence(f, f.Why))))}}
	steps, _ := stepsOf(f)
	key := "\x00" + strings.Join(steps, "\n") // no rule has such a name
	if _, again := printed[key]; known || again {
		return list
	}
	printed[key] = ""
	return append(list, output.Each(steps, func(next *string) line {
		return line{kind: below, head: indent + "next: ", text: safe.Line(r.sentence(f, *next))}
	})...)
}

// ownText returns what a finding adds to its first line: the name of its rule, or a sentence that does
// not begin with that name.
func (r *Report) ownText(g *group) string {
	f := g.Finding
	name := []rune(f.Name)
	if len(name) > 0 {
		name[0] = unicode.ToUpper(name[0])
	}
	if f.What != "" && g.findings == 1 && !strings.HasPrefix(f.What, string(name)) {
		return r.sentence(f, f.What)
	}
	return r.sentence(f, string(name))
}

// stepsOf returns the steps special to a finding, and the steps shared by all secrets in the same
// kind of file.
func stepsOf(f *memory.Finding) (own, shared []string) {
	if f.Family != memory.FamilySecret {
		return f.Next, nil
	}
	n := min(1, len(f.Next))
	return f.Next[:n], f.Next[n:]
}

// thenLines say, once, what to do with all secrets.
func (r *Report) thenLines() []line {
	var steps []string
	files := map[string]bool{}
	for i := range r.Audit.Findings {
		f := &r.Audit.Findings[i]
		_, shared := stepsOf(f)
		if !f.Open() || len(shared) == 0 {
			continue
		}
		if f.Fixable {
			files[f.Path] = true
			shared = shared[1:]
		}
		steps = memory.AppendNew(steps, shared...)
	}
	var list []line
	if len(files) > 0 && r.Fix != "" {
		list = []line{{listed, "  ", "replace the secrets in " + output.Plural(len(files), "file") + " by [REDACTED], keeping no copy:", false}, {listed, "    ", r.line(r.Fix), true}}
	}
	list = append(list, output.Each(steps, func(s *string) line { return line{kind: listed, head: "  ", text: r.line(*s)} })...)
	return slices.Insert(list, 0, line{kind: start, text: output.When(len(list) > 0, "Then, when what can be revoked is revoked:")})
}

// fixedLines say what was redacted, and what could not be reached.
func (r *Report) fixedLines() []line {
	x := r.Fixed
	if x == nil {
		return nil
	}
	list := []line{{kind: start, text: cmp.Or(output.When(x.Secrets > 0, "Redacted "+output.Plural(x.Secrets, "secret")+", keeping no copy:"), "Nothing was redacted.")}}
	for _, f := range x.Files {
		records := output.When(f.Records > 0, " in "+output.Plural(f.Records, "lesson"))
		list = append(list, line{kind: listed, head: "  ", text: r.line(f.Path) + ": " + output.Plural(f.Secrets, "secret") + records})
	}
	list = append(list, r.unreadLines("Not changed:", x.Failed)...)
	if x.Secrets == 0 {
		return list
	}
	list = append(list, line{text: output.When(len(x.Beyond) > 0, "Whoever read them still has them: revoke them first. They may also be in:")})
	for _, b := range x.Beyond {
		list = append(list, line{kind: listed, head: "  ", text: r.line(b.What)})
		list = append(list, output.Each(b.Commands, func(c *string) line { return line{listed, "    ", r.line(*c), true} })...)
	}
	return list
}

// restLines say what was skipped, what could not be read and what is not covered.
func (r *Report) restLines() []line {
	a, ignored := &r.Audit, r.ignored()
	list := []line{
		{text: output.When(a.Stopped, "Interrupted: this is what was found so far.")},
		{text: output.When(a.More > 0, output.Plural(a.More, "finding")+" more were counted but are not listed.")},
	}
	list = append(list, r.unreadLines("Could not be read:", a.Failed)...)
	list = append(list, output.Each(a.Left, func(l *memory.LeftOut) line {
		return line{text: output.Joined(", such as ", output.Plural(l.Files, "file")+" left out: "+r.line(l.Why), r.line(l.Example)) + "."}
	})...)
	return append(list,
		line{text: output.When(len(a.Findings) > ignored, "To ignore a finding: winnow ignore FINGERPRINT --reason TEXT.")},
		line{text: output.When(ignored > 0 && !r.ShowIgnored, output.Plural(ignored, "finding")+" ignored, as you decided: --show-ignored lists them.")},
		line{text: noGuarantee},
		line{text: output.When(a.Took > 0, fmt.Sprintf("%s, %s.", output.Plural(a.Rules, "rule"), a.Took.Round(time.Millisecond)))})
}

func (r *Report) unreadLines(head string, failed []memory.Unread) []line {
	list := []line{{text: output.When(len(failed) > 0, head)}}
	for _, u := range failed {
		problem := cmp.Or(u.Problem, &memory.Problem{})
		list = append(list, line{kind: listed, head: "  ", text: output.Joined(": ", r.line(u.Path), r.line(problem.What))},
			line{kind: listed, head: "    hint: ", text: r.line(problem.Hint)})
	}
	return list
}
