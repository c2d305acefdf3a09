package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"

	"winnow/core/memory"
	"winnow/views"
	"winnow/views/safe"
)

// page collects lines, wrapped to a width.
type page struct {
	*bufio.Writer // keeps the first error
	width         int
}

// put writes a line that begins with head. What does not fit goes on below, under the
// end of head.
func (p *page) put(head, s string) {
	indent := strings.Repeat(" ", views.Width(head))
	lines := []string{s}
	if room := p.width - len(indent); p.width > 0 && room >= narrowest {
		lines = views.Wrap(s, room)
	}
	for _, line := range lines {
		fmt.Fprintf(p, "%s\n", strings.TrimRight(head+line, " "))
		head = indent
	}
}

// whole writes a line that is not wrapped: what somebody copies.
func (p *page) whole(head, s string) { fmt.Fprintf(p, "%s%s\n", head, s) }

// narrowest is the least room in cells that a text is wrapped for.
const narrowest = 20

// Text writes the report for a person: the verdict first, then the findings, worst
// first, and at the end what it does not say.
func (r *Report) Text(w io.Writer) error {
	p := &page{bufio.NewWriter(w), r.Width}
	p.put("", r.Headline())
	p.put("", r.Coverage())
	r.putFixed(p)
	r.putFindings(p)
	r.putRest(p)
	return p.Flush()
}

// Quiet writes the verdict alone, with what it does not cover.
func (r *Report) Quiet(w io.Writer) error {
	p := &page{bufio.NewWriter(w), r.Width}
	p.whole("", r.Headline())
	if len(r.notRead()) > 0 {
		p.whole("", r.Coverage())
	}
	return p.Flush()
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
		list = append(list, plural(n, "place")+" that could not be looked at")
	}
	for _, u := range r.Audit.Uncovered {
		list = append(list, r.line(u))
	}
	return list
}

// noGuarantee is what even a clean verdict is worth.
const noGuarantee = "This is no guarantee: rules are best effort."

func (r *Report) putFindings(p *page) {
	said := map[string]string{} // why a rule matters, or how to go on, once it was said
	heads, groups := r.sections()
	for _, head := range heads {
		p.put("", "")
		p.put("", head)
		for _, g := range groups[head] {
			r.putFinding(p, g, said)
		}
	}
	r.putThen(p)
}

// indent is what the lines of a finding begin with, but the first.
const indent = "   "

// putFinding lists a finding. What its rule is about, why it matters and what to do is
// said once a rule.
func (r *Report) putFinding(p *page, g *group, said map[string]string) {
	f := g.Finding
	head := fmt.Sprintf("%-3s", f.Family.Letter())
	p.put(head, safe.Line(f.Rule)+"  "+r.place(g))
	if g.rest {
		return
	}
	if f.Text != "" {
		p.put(indent, safe.Line(r.passage(f).marked()))
	}
	if f.Shown != "" && !strings.Contains(f.Text, strings.TrimSpace(f.Shown)) {
		p.put(indent+"reads: ", r.line(f.Shown))
	}
	if f.Ignored != nil {
		p.put(indent+"ignored: ", r.reason(f.Ignored))
	} else {
		r.putAdvice(p, g, said)
	}
	if g.findings == 1 {
		r.putName(p, f)
	}
}

// putName ends a finding with its fingerprint, and whether an agent recalls it.
func (r *Report) putName(p *page, f *memory.Finding) {
	name, recalled := "fingerprint "+safe.Line(f.Fingerprint), ""
	if f.Recalled != "" {
		recalled = "recalled: " + r.line(f.Recalled)
	}
	if one := joinedBy("  ", name, recalled); p.width == 0 || views.Width(indent+one) <= p.width {
		p.whole(indent, one)
		return
	}
	p.whole(indent, name)
	if recalled != "" {
		p.put(indent, recalled)
	}
}

// putAdvice says what is wrong with a finding, and the steps that are special to its
// rule, unless that was said: those that all secrets share stand at the end.
func (r *Report) putAdvice(p *page, g *group, said map[string]string) {
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
		p.put(indent, safe.Line(strings.Join(parts, ". ")))
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
		p.put(head, safe.Line(r.told(f, next)))
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
func (r *Report) putThen(p *page) {
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
	p.put("", "")
	p.put("", "Then, when what can be revoked is revoked:")
	if fixes {
		p.put("  ", "replace the secrets in "+plural(len(files), "file")+" by [REDACTED], keeping no copy:")
		p.whole("    ", r.line(r.Fix))
	}
	for _, s := range steps {
		p.put("  ", r.line(s))
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
func (r *Report) putFixed(p *page) {
	x := r.Fixed
	if x == nil {
		return
	}
	p.put("", "")
	if x.Secrets == 0 {
		p.put("", "Nothing was redacted.")
	} else {
		p.put("", "Redacted "+plural(x.Secrets, "secret")+", keeping no copy:")
	}
	for _, f := range x.Files {
		s := r.line(f.Path) + ": " + plural(f.Secrets, "secret")
		if f.Records > 0 {
			s += " in " + plural(f.Records, "lesson")
		}
		p.put("  ", s)
	}
	r.putUnread(p, "Not changed:", x.Failed)
	if x.Secrets == 0 {
		return
	}
	if len(x.Beyond) > 0 {
		p.put("", "Whoever read them still knows them: revoke them first. They may also be in:")
	}
	for _, b := range x.Beyond {
		p.put("  ", r.line(b.What))
		for _, c := range b.Commands {
			p.whole("    ", r.line(c))
		}
	}
}

// putRest says what was left out, what could not be looked at and what is not covered.
func (r *Report) putRest(p *page) {
	a := &r.Audit
	p.put("", "")
	if a.Stopped {
		p.put("", "Interrupted: this is what was found until then.")
	}
	if a.More > 0 {
		p.put("", plural(a.More, "finding")+" more were counted and are not listed.")
	}
	r.putUnread(p, "Could not be looked at:", a.Failed)
	for _, l := range a.Left {
		s := plural(l.Files, "file") + " left out: " + r.line(l.Why)
		if l.Example != "" {
			s += ", such as " + r.line(l.Example)
		}
		p.put("", s+".")
	}
	if len(a.Findings) > r.ignored() {
		p.put("", "What is no matter: winnow ignore FINGERPRINT --reason TEXT.")
	}
	if n := r.ignored(); n > 0 && !r.ShowIgnored {
		p.put("", plural(n, "finding")+" ignored, as you decided: --show-ignored lists them.")
	}
	p.put("", noGuarantee)
	if a.Took > 0 {
		p.put("", fmt.Sprintf("%s, %s.", plural(a.Rules, "rule"), a.Took.Round(time.Millisecond)))
	}
}

func (r *Report) putUnread(p *page, head string, list []memory.Unread) {
	if len(list) == 0 {
		return
	}
	p.put("", head)
	for _, u := range list {
		s := r.line(u.Path)
		if u.Problem != nil {
			s += ": " + r.line(u.Problem.What)
		}
		p.put("  ", s)
		if u.Problem != nil && u.Problem.Hint != "" {
			p.put("    hint: ", r.line(u.Problem.Hint))
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
