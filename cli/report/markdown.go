package report

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"winnow/cli/output"
)

// markdown prints the report for a pull request or a wiki. Whatever could be read as
// markup, a link or the name of a person or an issue stands as code.
func (r *Report) markdown(o *output.Out) {
	r = r.masked()
	b := &strings.Builder{}
	fmt.Fprintf(b, "## Winnow audit: %s\n\n%s\n", r.Headline(), prose(r.Coverage()))
	last := plain
	for _, l := range r.lines() {
		text := prose(l.text)
		if l.exact {
			text = code(l.text)
		}
		if l.kind <= heading || last <= heading { // a list stays together
			b.WriteString("\n")
		}
		last = l.kind
		switch l.kind {
		case heading:
			fmt.Fprintf(b, "### %s\n", l.text)
		case item:
			rule, place, _ := strings.Cut(l.text, "  ")
			fmt.Fprintf(b, "- **%s** %s %s\n", l.head, code(rule), code(place))
		case plain, start:
			fmt.Fprintf(b, "%s\n", text)
		default:
			fmt.Fprintf(b, "%s- %s%s\n", output.When(l.kind == below, "  "), strings.TrimLeft(l.head, " "), text)
		}
	}
	o.Exact([]byte(b.String()))
}

// prose returns a line as it is where nothing in it means anything in Markdown, in any
// reader, and as code otherwise. It holds nothing that cannot be seen.
func prose(s string) string {
	if tame(s) {
		return s
	}
	return code(s)
}

// tame reports whether a line is words and plain punctuation, of which no reader makes a link.
func tame(s string) bool { return plainWords().MatchString(s) && !linked().MatchString(s) }

// plainWords matches a line of words and plain punctuation, in which nothing is markup or a picture.
var plainWords = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z][A-Za-z0-9 ,.;'():-]*$`)
})

// linked matches what readers may turn into a link in such a line: an address, an issue such as
// GH-12, or the name of a commit.
var linked = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`:[,.;:)]*[^ ,.;:)]|(?i:www\.)|(^| )[^ -]*-[0-9]+[,.;:)]*( |$)|(^| )[0-9a-fA-F]{7,}[,.;:)]*( |$)`)
})

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
