package report

import (
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

// Print prints the report in a form: "json", "sarif", "md", or else text for a person,
// with the verdict first, then the findings, worst first, and at the end what it does not
// say. Secrets are shown in text only, and only if they are to be revealed.
func (r *Report) Print(o *output.Out, form string) error {
	switch form {
	case "json":
		return r.json(o)
	case "sarif":
		return r.sarif(o)
	case "md":
		return r.markdown(o)
	case "text":
	default:
		return fmt.Errorf("no form %s", form)
	}
	put(o, "", r.Headline())
	put(o, "", r.Coverage())
	r.putFixed(o)
	r.putFindings(o)
	r.putRest(o)
	return o.Close()
}

// put prints a line of safe text that begins with head, wrapped under the end of head.
func put(o *output.Out, head, s string) { o.Hang(head, "%s", output.Safe(s)) }

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
	s := "Read " + r.extent() + "."
	if list := r.notRead(); len(list) > 0 {
		s += " Not covered: " + strings.Join(list, ", ") + "."
	}
	return s
}

// notRead returns what was not read: files that cannot be, and what an audit leaves out.
func (r *Report) notRead() (list []string) {
	if n := len(r.Audit.Failed); n > 0 {
		list = append(list, plural(n, "place")+" that could not be read")
	}
	for _, u := range r.Audit.Uncovered {
		list = append(list, r.line(u))
	}
	return list
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
	name, recalled := "fingerprint "+safe.Line(f.Fingerprint), ""
	if f.Recalled != "" {
		recalled = "recalled: " + r.line(f.Recalled)
	}
	if one := joinedBy("  ", name, recalled); o.Width == 0 || views.Width(indent+one) <= o.Width {
		whole(o, indent, one)
		return
	}
	whole(o, indent, name)
	if recalled != "" {
		put(o, indent, recalled)
	}
}

// putAdvice says what is wrong with a finding, and the steps that are special to its
// rule, unless that was said: those that all secrets share stand at the end.
func (r *Report) putAdvice(o *output.Out, g *group, said map[string]string) {
	f := g.Finding
	why, known := said[f.Rule]
	said[f.Rule] = f.Why
	var parts []string
	if own := r.own(g); own != "" && (!known || own == f.What) {
		parts = append(parts, own)
	}
	if f.Why != "" && f.Why != why {
		parts = append(parts, r.told(f, f.Why))
	}
	if len(parts) > 0 {
		put(o, indent, safe.Line(strings.Join(parts, ". ")))
	}
	steps, _ := stepsOf(f)
	key := "\x00" + strings.Join(steps, "\n") // no rule has such a name
	if _, again := said[key]; known || again {
		return
	}
	said[key] = ""
	for i, next := range steps {
		head := indent + "next: "
		if i > 0 {
			head = indent + "      "
		}
		if len(steps) > 1 {
			head += fmt.Sprint(i+1, " ")
		}
		put(o, head, safe.Line(r.told(f, next)))
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
		put(o, "  ", "replace the secrets in "+plural(len(files), "file")+" by [REDACTED], keeping no copy:")
		whole(o, "    ", r.line(r.Fix))
	}
	for _, s := range steps {
		put(o, "  ", r.line(s))
	}
}

// reason says why something is no matter, and until when.
func (r *Report) reason(g *memory.Ignore) string {
	s := r.line(g.Reason)
	if day := r.date(g.Until); day != "" {
		s += ", until " + day
	}
	return s
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
		put(o, "", "Redacted "+plural(x.Secrets, "secret")+", keeping no copy:")
	}
	for _, f := range x.Files {
		s := r.line(f.Path) + ": " + plural(f.Secrets, "secret")
		if f.Records > 0 {
			s += " in " + plural(f.Records, "lesson")
		}
		put(o, "  ", s)
	}
	r.putUnread(o, "Not changed:", x.Failed)
	if x.Secrets == 0 {
		return
	}
	if len(x.Beyond) > 0 {
		put(o, "", "Whoever read them still has them: revoke them first. They may also be in:")
	}
	for _, b := range x.Beyond {
		put(o, "  ", r.line(b.What))
		for _, c := range b.Commands {
			whole(o, "    ", r.line(c))
		}
	}
}

// putRest says what was left out, what could not be looked at and what is not covered.
func (r *Report) putRest(o *output.Out) {
	a := &r.Audit
	put(o, "", "")
	if a.Stopped {
		put(o, "", "Interrupted: this is what was found so far.")
	}
	if a.More > 0 {
		put(o, "", plural(a.More, "finding")+" more were counted but are not listed.")
	}
	r.putUnread(o, "Could not be read:", a.Failed)
	for _, l := range a.Left {
		s := plural(l.Files, "file") + " left out: " + r.line(l.Why)
		if l.Example != "" {
			s += ", such as " + r.line(l.Example)
		}
		put(o, "", s+".")
	}
	if len(a.Findings) > r.ignored() {
		put(o, "", "To ignore a finding: winnow ignore FINGERPRINT --reason TEXT.")
	}
	if n := r.ignored(); n > 0 && !r.ShowIgnored {
		put(o, "", plural(n, "finding")+" ignored, as you decided: --show-ignored lists them.")
	}
	put(o, "", noGuarantee)
	if a.Took > 0 {
		put(o, "", fmt.Sprintf("%s, %s.", plural(a.Rules, "rule"), a.Took.Round(time.Millisecond)))
	}
}

func (r *Report) putUnread(o *output.Out, head string, list []memory.Unread) {
	if len(list) == 0 {
		return
	}
	put(o, "", head)
	for _, u := range list {
		s := r.line(u.Path)
		if u.Problem != nil {
			s += ": " + r.line(u.Problem.What)
		}
		put(o, "  ", s)
		if u.Problem != nil && u.Problem.Hint != "" {
			put(o, "    hint: ", r.line(u.Problem.Hint))
		}
	}
}

// firstOf returns the first of the texts that is not empty.
func firstOf(list ...string) string {
	for _, s := range list {
		if s != "" {
			return s
		}
	}
	return ""
}

// joinedBy joins the texts that are not empty.
func joinedBy(sep string, list ...string) string {
	return strings.Join(slices.DeleteFunc(list, func(s string) bool { return s == "" }), sep)
}
