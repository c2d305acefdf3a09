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
	entry               // a finding on one line, with the head of an item; cut to the width of a terminal
)

// noGuarantee limits what even a clean verdict means.
const noGuarantee = "Rules are best effort: this is no guarantee."

// lines returns the report without the verdict: what was redacted, the findings (worst first), what
// to do with all secrets, what was not read, and a summary as the last line.
func (r *Report) lines() []line {
	list := r.fixedLines()
	printed := map[string]string{} // reasons and next steps that were already said
	heads, groups := r.sections()
	for _, head := range heads {
		if !r.Long && (head == headLow || head == headFile) {
			continue
		}
		if r.Long || head != headHigh { // the verdict says it already
			list = append(list, line{kind: heading, text: head})
		}
		for _, g := range groups[head] {
			if r.Long {
				list = append(list, r.findingLines(g, printed)...)
			} else {
				list = append(list, r.entryLine(g))
			}
		}
	}
	if !r.Long {
		list = append(list, r.noteLine(groups[headLow], groups[headFile])...)
	}
	list = slices.DeleteFunc(append(list, r.thenLines()...), isEmpty)
	rest := slices.DeleteFunc(r.restLines(), isEmpty)
	rest[0].kind = start
	return append(list, rest...)
}

// How much of a place, and of the text around it, is shown where a finding has one line.
const (
	entryAround = 16
	entryMost   = 64
)

// entryLine lists a finding, or the rest of a rule's findings, on one line.
func (r *Report) entryLine(g *group) line {
	f := g.Finding
	l := line{kind: entry, head: f.Family.Letter(), exact: true}
	switch {
	case g.others:
		l.head, l.text = "", r.place(g)
		return l
	case g.rest:
		l.text = safe.Line(f.Rule) + "  " + r.place(g)
		return l
	}
	p := r.passage(f)
	p.before, p.place, p.after = Last(p.before, entryAround), First(p.place, entryMost), First(p.after, entryAround)
	text := strings.Join(strings.Fields(safe.Line(p.marked())), " ")
	if f.Ignored != nil {
		text = "ignored: " + output.Joined(", until ", r.line(f.Ignored.Reason), r.date(f.Ignored.Until))
	}
	if f.Shown != "" && !strings.Contains(f.Text, strings.TrimSpace(f.Shown)) {
		text += " reads: " + First(r.line(f.Shown), entryMost)
	}
	l.text = safe.Line(f.Rule) + "  " + r.place(g) + "  " + output.Joined(": ", safe.Line(r.sentence(f, f.Name)), text)
	return l
}

// noteLine says in one line which notes there are.
func (r *Report) noteLine(lists ...[]*group) []line {
	var rules []string
	counts := map[string]int{}
	for _, list := range lists {
		for _, g := range list {
			rules = memory.AppendNew(rules, g.Rule)
			counts[g.Rule] += g.findings
		}
	}
	if len(rules) == 0 {
		return nil
	}
	said := output.Each(rules, func(rule *string) string {
		if n := counts[*rule]; n > 1 {
			return fmt.Sprintf("%s (%d)", safe.Line(*rule), n)
		}
		return safe.Line(*rule)
	})
	return []line{{text: "Notes: " + strings.Join(said, ", ") + ". --long lists them."}}
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
	list = append(
		list,
		line{
			kind: below,
			head: indent + "reads: ",
			text: output.When(!strings.Contains(f.Text, strings.TrimSpace(f.Shown)), r.line(f.Shown)),
		},
	)
	if f.Ignored != nil {
		list = append(
			list,
			line{
				kind: below,
				head: indent + "ignored: ",
				text: output.Joined(", until ", r.line(f.Ignored.Reason), r.date(f.Ignored.Until)),
			},
		)
	} else {
		list = append(list, r.adviceLines(g, printed)...)
	}
	if g.findings > 1 {
		return list
	}
	return append(
		list,
		line{below, indent + "fingerprint ", safe.Line(f.Fingerprint), true},
		line{
			kind: below,
			head: indent,
			text: output.When(f.Recalled != "", "recalled: "+r.line(output.Joined(", in ", f.Recalled, f.Lands))),
		},
	)
}

// adviceLines say what is wrong with a finding, and the steps special to its rule, unless they were
// already said. Steps that all secrets share are listed at the end.
func (r *Report) adviceLines(g *group, printed map[string]string) []line {
	f, own := g.Finding, r.ownText(g)
	why, known := printed[f.Rule]
	printed[f.Rule] = f.Why
	list := []line{
		{
			kind: below,
			head: indent,
			text: safe.Line(
				output.Joined(
					". ",
					output.When(!known || own == f.What, own),
					output.When(f.Why != why, r.sentence(f, f.Why)),
				),
			),
		},
	}
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

// mostSteps limits the steps listed below the findings, unless the report is long.
const mostSteps = 3

// thenLines say, once, what to do with what was found.
func (r *Report) thenLines() []line {
	var first, steps []string
	files, others := map[string]bool{}, map[string]bool{} // those that --fix changes, and those that it leaves alone
	for i := range r.Audit.Findings {
		f := &r.Audit.Findings[i]
		own, shared := stepsOf(f)
		if !f.Open() {
			continue
		}
		if f.Severity == memory.High {
			first = memory.AppendNew(first, own...)
		}
		if f.Fixable && len(shared) > 0 {
			switch {
			case f.Severity == memory.Low:
			case r.Fixes == nil || r.Fixes(f):
				files[f.Path] = true
			default:
				others[f.Path] = true
			}
			shared = shared[1:]
		}
		steps = memory.AppendNew(steps, shared...)
	}
	say := func(s *string) line { return line{kind: listed, head: "  ", text: r.line(*s)} }
	var list []line
	head := "Then, when what can be revoked is revoked:"
	if !r.Long {
		head, list, steps = "Next:", output.Each(first[:min(len(first), mostSteps)], say), nil
	}
	if len(files) > 0 && r.Fix != "" {
		list = append(
			list,
			line{
				listed,
				"  ",
				"replace the secrets in " + output.Plural(len(files), "file") + " by [REDACTED], keeping no copy:",
				false,
			},
			line{listed, "    ", r.line(r.Fix), true},
		)
	}
	if len(others) > 0 && r.Fix != "" {
		text := "take the secrets out of " + output.Plural(len(others), "file") +
			" that no agent reads: by hand, or with --fix --all-text"
		list = append(list, line{listed, "  ", text, false})
	}
	list = append(list, output.Each(steps, say)...)
	return slices.Insert(list, 0, line{kind: start, text: output.When(len(list) > 0, head)})
}

// fixedLines say what was redacted, and what could not be reached.
func (r *Report) fixedLines() []line {
	x := r.Fixed
	if x == nil {
		return nil
	}
	list := []line{
		{
			kind: start,
			text: cmp.Or(
				output.When(x.Secrets > 0, "Redacted "+output.Plural(x.Secrets, "secret")+", keeping no copy:"),
				"Nothing was redacted.",
			),
		},
	}
	for _, f := range x.Files {
		records := output.When(f.Records > 0, " in "+output.Plural(f.Records, "lesson"))
		list = append(
			list,
			line{kind: listed, head: "  ", text: r.line(f.Path) + ": " + output.Plural(f.Secrets, "secret") + records},
		)
	}
	list = append(list, r.unreadLines("Not changed:", x.Failed)...)
	if x.Secrets == 0 {
		return list
	}
	list = append(
		list,
		line{
			text: output.When(
				len(x.Beyond) > 0,
				"Whoever read them still has them: revoke them first. They may also be in:",
			),
		},
	)
	for _, b := range x.Beyond {
		list = append(list, line{kind: listed, head: "  ", text: r.line(b.What)})
		list = append(
			list,
			output.Each(b.Commands, func(c *string) line { return line{listed, "    ", r.line(*c), true} })...)
	}
	return list
}

// restLines say what was skipped and could not be read, and end with the summary.
func (r *Report) restLines() []line {
	a, ignored := &r.Audit, r.ignored()
	list := []line{
		{text: output.When(a.Stopped, "Interrupted: this is what was found so far.")},
		{text: output.When(a.More > 0, output.Plural(a.More, "finding")+" more were counted but are not listed.")},
	}
	list = append(list, r.unreadLines("Could not be read:", a.Failed)...)
	list = append(list, r.leftLines()...)
	open := len(a.Findings) > ignored
	return append(
		list,
		line{text: output.When(open && r.Long, "To ignore a finding: winnow ignore FINGERPRINT --reason TEXT.")},
		line{
			text: output.When(
				open && !r.Long,
				"--long says why each is a finding and what to do, and has the fingerprints for winnow ignore.",
			),
		},
		line{
			text: output.When(
				ignored > 0 && !r.ShowIgnored,
				output.Plural(ignored, "finding")+" ignored, as you decided: --show-ignored lists them.",
			),
		},
		line{text: r.summary()},
	)
}

// summary is the last line: what was read and not covered, by how many rules and in which time.
func (r *Report) summary() string {
	a := &r.Audit
	took := output.When(
		a.Took > 0,
		fmt.Sprintf("%s, %s.", output.Plural(a.Rules, "rule"), a.Took.Round(time.Millisecond)),
	)
	return output.Joined(" ", r.coverage(), took, noGuarantee)
}

// leftLines say what was left out: each reason on a line, or all on one.
func (r *Report) leftLines() []line {
	say := func(l *memory.LeftOut) string {
		if l.Files == 1 && l.Example != "" {
			return "1 " + r.line(l.Why) + " (" + r.line(l.Example) + ")"
		}
		return fmt.Sprintf("%d %s", l.Files, r.line(l.Why)) +
			output.When(l.Example != "", ", such as "+r.line(l.Example))
	}
	if r.Long {
		return output.Each(
			r.Audit.Left,
			func(l *memory.LeftOut) line { return line{text: "Left out: " + say(l) + "."} },
		)
	}
	all := strings.Join(output.Each(r.Audit.Left, say), "; ")
	return []line{{text: output.When(all != "", "Left out: "+all+".")}}
}

// mostUnread is how many places that could not be read are listed, unless the report is long.
const mostUnread = 5

func (r *Report) unreadLines(head string, failed []memory.Unread) []line {
	list := []line{{text: output.When(len(failed) > 0, head)}}
	hints := map[string]bool{"": true}
	for i, u := range failed {
		if i == mostUnread && !r.Long {
			return append(
				list,
				line{kind: listed, head: "  ", text: fmt.Sprintf("and %d more: --long lists them", len(failed)-i)},
			)
		}
		problem := cmp.Or(u.Problem, &memory.Problem{})
		list = append(
			list,
			line{kind: listed, head: "  ", text: output.Joined(": ", r.line(u.Path), r.line(problem.What))},
		)
		if !hints[problem.Hint] || r.Long {
			list = append(list, line{kind: listed, head: "    hint: ", text: r.line(problem.Hint)})
		}
		hints[problem.Hint] = true
	}
	return list
}
