package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

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

// narrowest is the least room in cells that a text is wrapped for.
const narrowest = 20

// Text writes the report for a person: the verdict first, then the findings, worst
// first, and at the end what it does not say.
func (r *Report) Text(w io.Writer) error {
	p := &page{bufio.NewWriter(w), r.Width}
	p.put("", r.Headline())
	if v := r.Verdict(); v != Clean && v != Nothing {
		p.put("", "Looked at "+r.extent()+".")
	}
	r.putFixed(p)
	r.putFindings(p)
	r.putRest(p)
	return p.Flush()
}

// Verge returns what an audit that found nothing still has to say, in one sentence.
func (r *Report) Verge() string {
	s := "This is no guarantee: rules are best effort."
	if len(r.Audit.Uncovered) > 0 {
		var list []string
		for _, u := range r.Audit.Uncovered {
			list = append(list, r.line(u))
		}
		s += " Not covered: " + strings.Join(list, ", ") + "."
	}
	return s
}

func (r *Report) putFindings(p *page) {
	said := map[string]string{} // what was said of a rule already
	heads, groups := r.sections()
	for _, head := range heads {
		p.put("", "")
		p.put("", head)
		for _, g := range groups[head] {
			r.putFinding(p, g, said[g.Rule])
			said[g.Rule] = g.Why
			if g.Why == "" {
				said[g.Rule] = " "
			}
		}
	}
}

// indent is what the lines of a finding begin with, but the first.
const indent = "   "

// putFinding lists a finding. Why it is one and what to do is said once a rule.
func (r *Report) putFinding(p *page, g *group, said string) {
	f := g.Finding
	head := fmt.Sprintf("%-3s", f.Family.Letter())
	p.put(head, safe.Line(f.Rule)+"  "+r.place(g))
	if g.rest {
		return
	}
	if f.Text != "" {
		p.put(indent, safe.Line(r.passage(f).marked()))
	}
	if f.Shown != "" {
		p.put(indent+"reads: ", r.line(f.Shown))
	}
	if what := firstOf(f.What, f.Name); what != "" {
		p.put(indent, safe.Line(r.told(f, what)))
	}
	if f.Recalled != "" {
		p.put(indent+"recalled: ", r.line(joinedBy(", in ", f.Recalled, f.Lands)))
	}
	if g := f.Ignored; g != nil {
		p.put(indent+"ignored: ", r.reason(g))
	} else {
		r.putAdvice(p, f, said)
	}
	if g.findings == 1 {
		p.put(indent+"fingerprint ", safe.Line(f.Fingerprint))
	}
}

func (r *Report) putAdvice(p *page, f *memory.Finding, said string) {
	if f.Why != "" && f.Why != said {
		p.put(indent+"why: ", safe.Line(r.told(f, f.Why)))
	}
	if said != "" {
		return
	}
	for i, next := range f.Next {
		head := indent + "next: "
		if i > 0 {
			head = indent + "      "
		}
		p.put(fmt.Sprintf("%s%d ", head, i+1), safe.Line(r.told(f, next)))
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
	p.put("", "Redacted "+plural(x.Secrets, "secret")+", keeping no copy:")
	for _, f := range x.Files {
		s := r.line(f.Path) + ": " + plural(f.Secrets, "secret")
		if f.Records > 0 {
			s += " in " + plural(f.Records, "lesson")
		}
		p.put("  ", s)
	}
	r.putUnread(p, "Not changed:", x.Failed)
	if len(x.Beyond) > 0 {
		p.put("", "Whoever read them still knows them: revoke them first. They may also be in:")
	}
	for _, b := range x.Beyond {
		p.put("  ", r.line(b.What))
		for _, c := range b.Commands {
			p.put("    ", r.line(c))
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
	if n := r.ignored(); n > 0 && !r.ShowIgnored {
		p.put("", plural(n, "finding")+" ignored, as you decided: --show-ignored lists them.")
	}
	p.put("", r.Verge())
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
