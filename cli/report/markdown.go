package report

import (
	"cmp"
	"fmt"
	"strings"

	"winnow/cli/output"
	"winnow/core/memory"
	"winnow/views/safe"
)

// markdown prints the report for a pull request or a wiki. Whatever could be read as
// markup, a link or the name of a person or an issue stands as code.
func (r *Report) markdown(o *output.Out) {
	r = r.masked()
	b := &strings.Builder{}
	fmt.Fprintf(b, "## Winnow audit: %s\n\n%s\n", r.Headline(), prose(r.Coverage()))
	heads, groups := r.sections()
	for _, head := range heads {
		fmt.Fprintf(b, "\n### %s\n\n", head)
		said := map[string]bool{}
		for _, g := range groups[head] {
			r.markdownFinding(b, g, said[g.Rule])
			said[g.Rule] = true
		}
	}
	r.markdownRest(b)
	o.Exact([]byte(b.String()))
}

func (r *Report) markdownFinding(b *strings.Builder, g *group, said bool) {
	f := g.Finding
	fmt.Fprintf(b, "- **%s** %s %s\n", f.Family.Letter(), code(f.Rule), code(r.place(g)))
	if g.rest {
		return
	}
	item := func(head, s string) {
		if s = safe.Line(s); s != "" {
			fmt.Fprintf(b, "  - %s%s\n", head, prose(s))
		}
	}
	if f.Text != "" {
		fmt.Fprintf(b, "  - %s\n", code(safe.Line(r.passage(f).marked())))
	}
	item("reads: ", r.line(f.Shown))
	item("", r.told(f, cmp.Or(f.What, f.Name)))
	item("recalled: ", r.line(output.Joined(", in ", f.Recalled, f.Lands)))
	if f.Ignored != nil {
		item("ignored: ", r.reason(f.Ignored))
	} else if !said {
		item("why: ", r.told(f, f.Why))
		for _, next := range f.Next {
			item("next: ", r.told(f, next))
		}
	}
	if f.Fingerprint != "" && g.findings == 1 {
		fmt.Fprintf(b, "  - fingerprint %s\n", code(safe.Line(f.Fingerprint)))
	}
}

func (r *Report) markdownRest(b *strings.Builder) {
	a, ignored := &r.Audit, r.ignored()
	b.WriteString("\n" + output.When(a.Stopped, "Interrupted: this is what was found so far.\n\n") +
		output.When(a.More > 0, output.Plural(a.More, "finding")+" more were counted but are not listed.\n\n"))
	b.WriteString(output.When(len(a.Failed) > 0, "Could not be read:\n\n"))
	for _, u := range a.Failed {
		what := output.When(u.Problem != nil, ": "+prose(r.line(cmp.Or(u.Problem, &memory.Problem{}).What)))
		fmt.Fprintf(b, "- %s%s\n", code(r.line(u.Path)), what)
	}
	b.WriteString(output.When(len(a.Failed) > 0, "\n"))
	for _, l := range a.Left {
		fmt.Fprintf(b, "- %s left out: %s\n", output.Plural(l.Files, "file"), prose(r.line(l.Why)))
	}
	b.WriteString(output.When(ignored > 0, "- "+output.Plural(ignored, "finding")+" ignored by decision\n"))
	fmt.Fprintf(b, "\n%s\n", noGuarantee)
}

// prose returns a line as it is where nothing in it means anything in Markdown, in any
// reader, and as code otherwise. It holds nothing that cannot be seen.
func prose(s string) string {
	if tame(s) {
		return s
	}
	return code(s)
}

// tame reports whether a line is words and plain punctuation: nothing that is markup,
// a link, a name, an issue, a commit or a picture anywhere.
func tame(s string) bool {
	if s == "" || !letter(s[0]) {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if !letter(c) && (c < '0' || c > '9') && !strings.ContainsRune(" ,.;'()-:", rune(c)) {
			return false
		}
	}
	for word := range strings.FieldsSeq(s) {
		word = strings.TrimRight(word, ",.;:)")
		if strings.ContainsAny(word, ":") || strings.Contains(strings.ToLower(word), "www.") || issue(word) || hexadecimal(word) {
			return false
		}
	}
	return true
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// issue reports whether a word may name an issue: "GH-12".
func issue(word string) bool {
	_, number, ok := strings.Cut(word, "-")
	return ok && number != "" && strings.Trim(number, "0123456789") == ""
}

// hexadecimal reports whether a word may name a commit.
func hexadecimal(word string) bool {
	return len(word) >= 7 && strings.ContainsAny(word, "0123456789") && strings.Trim(word, "0123456789abcdefABCDEF") == ""
}

// code returns a line as Markdown code. It holds nothing that cannot be seen, and no
// line end.
func code(s string) string {
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if s == "" || strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return fence + s + fence
}
