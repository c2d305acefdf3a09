package report

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"winnow/cli/output"
)

// markdown prints the report for a pull request or a wiki. Text that could be read as markup, a
// link, or the name of a person or issue is printed as code.
func (r *Report) markdown(o *output.Out) {
	r = r.masked()
	b := &strings.Builder{}
	fmt.Fprintf(b, "## Winnow audit: %s\n\n%s\n", r.headline(), markdownLine(r.coverage()))
	last := plain
	for _, l := range r.lines() {
		text := markdownLine(l.text)
		if l.exact {
			text = code(l.text)
		}
		if l.kind <= heading || last <= heading { // keep a list together
			b.WriteString("\n")
		}
		last = l.kind
		switch l.kind {
		case heading:
			fmt.Fprintf(b, "### %s\n", l.text)
		case item, entry:
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

// markdownLine returns a line unchanged if no Markdown reader gives any of it a meaning, and otherwise as
// code. The result has no invisible characters.
func markdownLine(s string) string {
	if isPlainText(s) {
		return s
	}
	return code(s)
}

// isPlainText reports whether a line is words and plain punctuation that no reader turns into a link.
func isPlainText(s string) bool { return plainWords().MatchString(s) && !linked().MatchString(s) }

// plainWords matches a line of words and plain punctuation without markup or pictures.
var plainWords = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z][A-Za-z0-9 ,.;'():-]*$`)
})

// linked matches what readers may turn into a link: an address, an issue such as GH-12, or the name
// of a commit.
var linked = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(
		`:[,.;:)]*[^ ,.;:)]|(?i:www\.)|(^| )[^ -]*-[0-9]+[,.;:)]*( |$)|(^| )[0-9a-fA-F]{7,}[,.;:)]*( |$)`,
	)
})

// code returns a line as Markdown code, without invisible characters and line ends.
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
