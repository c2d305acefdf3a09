package report

import (
	"fmt"
	"strings"

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
