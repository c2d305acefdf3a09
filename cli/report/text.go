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
	"winnow/views"
	"winnow/views/safe"
)

// text prints the report for a person.
func (r *Report) text(o *output.Out) {
	put(o, "", r.Headline())
	put(o, "", r.Coverage())
	r.putFixed(o)
	r.putFindings(o)
	r.putRest(o)
}

// put prints a line of safe text that begins with head, wrapped under the end of head.
func put(o *output.Out, head, s string) { o.Hang(head, "%s", output.Safe(s)) }

// putIf prints a line if it says something.
func putIf(o *output.Out, head, s string) {
	if s != "" {
		put(o, head, s)
	}
}

// whole prints a line of safe text that is not wrapped: what somebody copies.
func whole(o *output.Out, head, s string) { o.Printf("%s%s\n", output.Safe(head), output.Safe(s)) }

// Quiet prints the verdict alone, with what it does not cover.
func (r *Report) Quiet(o *output.Out) {
	whole(o, "", r.Headline())
	if len(r.notRead()) > 0 {
		whole(o, "", r.Coverage())
	}
}

// Coverage says in one line what was read, and what no finding can be expected from.
func (r *Report) Coverage() string {
	list := strings.Join(r.notRead(), ", ")
	return "Read " + r.extent() + "." + output.When(list != "", " Not covered: "+list+".")
}

// notRead returns what was not read: files that cannot be, and what an audit leaves out.
func (r *Report) notRead() []string {
	failed := len(r.Audit.Failed)
	return output.NonEmpty(append([]string{output.When(failed > 0, output.Plural(failed, "place")+" that could not be read")},
		output.Each(r.Audit.Uncovered, func(u *string) string { return r.line(*u) })...)...)
}

// noGuarantee is what even a clean verdict is worth.
const noGuarantee = "This is no guarantee: rules are best effort."

func (r *Report) putFindings(o *output.Out) {
	said := map[string]string{} // why a rule matters, or how to go on, once it was said
	heads, groups := r.sections()
	for _, head := range heads {
		put(o, "", "")
		put(o, "", head)
		for _, g := range groups[head] {
			r.putFinding(o, g, said)
		}
	}
	r.putThen(o)
}

// indent is what the lines of a finding begin with, but the first.
const indent = "   "

// putFinding lists a finding. What its rule is about, why it matters and what to do is
// said once a rule.
func (r *Report) putFinding(o *output.Out, g *group, said map[string]string) {
	f := g.Finding
	head := fmt.Sprintf("%-3s", f.Family.Letter())
	put(o, head, safe.Line(f.Rule)+"  "+r.place(g))
	if g.rest {
		return
	}
	if f.Text != "" {
		put(o, indent, safe.Line(r.passage(f).marked()))
	}
	if f.Shown != "" && !strings.Contains(f.Text, strings.TrimSpace(f.Shown)) {
		put(o, indent+"reads: ", r.line(f.Shown))
	}
	if f.Ignored != nil {
		put(o, indent+"ignored: ", r.reason(f.Ignored))
	} else {
		r.putAdvice(o, g, said)
	}
	if g.findings == 1 {
		r.putName(o, f)
	}
}

// putName ends a finding with its fingerprint, and whether an agent recalls it.
func (r *Report) putName(o *output.Out, f *memory.Finding) {
	name, recalled := "fingerprint "+safe.Line(f.Fingerprint), output.When(f.Recalled != "", "recalled: "+r.line(f.Recalled))
	if one := output.Joined("  ", name, recalled); o.Width == 0 || views.Width(indent+one) <= o.Width {
		whole(o, indent, one)
		return
	}
	whole(o, indent, name)
	putIf(o, indent, recalled)
}

// putAdvice says what is wrong with a finding, and the steps that are special to its
// rule, unless that was said: those that all secrets share stand at the end.
func (r *Report) putAdvice(o *output.Out, g *group, said map[string]string) {
	f := g.Finding
	why, known := said[f.Rule]
	said[f.Rule] = f.Why
	own := r.own(g)
	putIf(o, indent, safe.Line(output.Joined(". ", output.When(!known || own == f.What, own), output.When(f.Why != why, r.told(f, f.Why)))))
	steps, _ := stepsOf(f)
	key := "\x00" + strings.Join(steps, "\n") // no rule has such a name
	if _, again := said[key]; known || again {
		return
	}
	said[key] = ""
	head := "next: "
	for i, next := range steps {
		put(o, indent+head+output.When(len(steps) > 1, fmt.Sprint(i+1, " ")), safe.Line(r.told(f, next)))
		head = "      "
	}
}

// own returns what a finding says that its first line does not: the name of its rule, or
// a sentence that does not begin with it.
func (r *Report) own(g *group) string {
	f := g.Finding
	name := []rune(f.Name)
	if len(name) > 0 {
		name[0] = unicode.ToUpper(name[0])
	}
	if f.What != "" && g.findings == 1 && !strings.HasPrefix(f.What, string(name)) {
		return r.told(f, f.What)
	}
	return r.told(f, string(name))
}

// stepsOf returns the steps that are special to a finding, and those that all secrets of
// its kind of file share.
func stepsOf(f *memory.Finding) (own, shared []string) {
	if f.Family != memory.FamilySecret {
		return f.Next, nil
	}
	n := min(1, len(f.Next))
	return f.Next[:n], f.Next[n:]
}

// putThen says once what is to be done with all the secrets.
func (r *Report) putThen(o *output.Out) {
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
		for _, s := range shared {
			if !slices.Contains(steps, s) {
				steps = append(steps, s)
			}
		}
	}
	fixes := len(files) > 0 && r.Fix != ""
	if len(steps) == 0 && !fixes {
		return
	}
	put(o, "", "")
	put(o, "", "Then, when what can be revoked is revoked:")
	if fixes {
		put(o, "  ", "replace the secrets in "+output.Plural(len(files), "file")+" by [REDACTED], keeping no copy:")
		whole(o, "    ", r.line(r.Fix))
	}
	for _, s := range steps {
		put(o, "  ", r.line(s))
	}
}

// reason says why something is ignored, and until when.
func (r *Report) reason(g *memory.Ignore) string {
	return output.Joined(", until ", r.line(g.Reason), r.date(g.Until))
}

// putFixed says what was redacted, and what could not be reached.
func (r *Report) putFixed(o *output.Out) {
	x := r.Fixed
	if x == nil {
		return
	}
	put(o, "", "")
	if x.Secrets == 0 {
		put(o, "", "Nothing was redacted.")
	} else {
		put(o, "", "Redacted "+output.Plural(x.Secrets, "secret")+", keeping no copy:")
	}
	for _, f := range x.Files {
		put(o, "  ", r.line(f.Path)+": "+output.Plural(f.Secrets, "secret")+output.When(f.Records > 0, " in "+output.Plural(f.Records, "lesson")))
	}
	r.putUnread(o, "Not changed:", x.Failed)
	if x.Secrets == 0 {
		return
	}
	putIf(o, "", output.When(len(x.Beyond) > 0, "Whoever read them still has them: revoke them first. They may also be in:"))
	for _, b := range x.Beyond {
		put(o, "  ", r.line(b.What))
		for _, c := range b.Commands {
			whole(o, "    ", r.line(c))
		}
	}
}

// putRest says what was left out, what could not be looked at and what is not covered.
func (r *Report) putRest(o *output.Out) {
	a, ignored := &r.Audit, r.ignored()
	put(o, "", "")
	putIf(o, "", output.When(a.Stopped, "Interrupted: this is what was found so far."))
	putIf(o, "", output.When(a.More > 0, output.Plural(a.More, "finding")+" more were counted but are not listed."))
	r.putUnread(o, "Could not be read:", a.Failed)
	for _, l := range a.Left {
		put(o, "", output.Joined(", such as ", output.Plural(l.Files, "file")+" left out: "+r.line(l.Why), r.line(l.Example))+".")
	}
	putIf(o, "", output.When(len(a.Findings) > ignored, "To ignore a finding: winnow ignore FINGERPRINT --reason TEXT."))
	putIf(o, "", output.When(ignored > 0 && !r.ShowIgnored, output.Plural(ignored, "finding")+" ignored, as you decided: --show-ignored lists them."))
	put(o, "", noGuarantee)
	putIf(o, "", output.When(a.Took > 0, fmt.Sprintf("%s, %s.", output.Plural(a.Rules, "rule"), a.Took.Round(time.Millisecond))))
}

func (r *Report) putUnread(o *output.Out, head string, list []memory.Unread) {
	putIf(o, "", output.When(len(list) > 0, head))
	for _, u := range list {
		problem := cmp.Or(u.Problem, &memory.Problem{})
		put(o, "  ", output.Joined(": ", r.line(u.Path), r.line(problem.What)))
		putIf(o, "    hint: ", r.line(problem.Hint))
	}
}
