package private

import (
	"strings"

	"winnow/core/memory"
)

// homes are what stands before the name of a user in a path, on Linux, macOS and
// Windows. A backslash may be doubled, as JSON texts and program texts write it.
var homes = []string{"/home/", "/Users/", `:\Users\`, `:\\Users\\`, ":/Users/"}

// nobody are names of folders beside the homes that belong to no person.
var nobody = []string{"shared", "public", "default", "all users", "user", "username", "you", "me", "name", "runner", "node", "ubuntu", "vscode", "example"}

// home is a path to a home folder.
type home struct {
	start, end int    // of the folder, with the letter of a drive
	user       string // its last part
}

// homesIn returns the home folders in a text, in order.
func homesIn(text string) (out []home) {
	for i := 0; ; {
		at, prefix := next(text, i)
		if at < 0 {
			return out
		}
		start, from := at, at+len(prefix)
		if prefix[0] == ':' {
			start--
		}
		n := nameLen(text[from:])
		if n > 0 && start >= 0 && begins(text, start, prefix) && text[from:from+n] != "" {
			out = append(out, home{start, from + n, text[from : from+n]})
		}
		i = from + n
	}
}

// next returns where the next prefix of a home stands, or -1.
func next(text string, from int) (int, string) {
	for i := from; i < len(text); i++ {
		n := strings.IndexByte(text[i:], 's')
		m := strings.Index(text[i:], "/home/")
		if n < 0 && m < 0 {
			return -1, ""
		}
		at, prefix := -1, ""
		for _, h := range homes {
			if k := strings.Index(text[i:], h); k >= 0 && (at < 0 || k < at) {
				at, prefix = k, h
			}
		}
		if at < 0 {
			return -1, ""
		}
		return i + at, prefix
	}
	return -1, ""
}

// begins reports whether a path can begin at start.
func begins(text string, start int, prefix string) bool {
	if prefix[0] == ':' {
		c := text[start] | 0x20
		return c >= 'a' && c <= 'z'
	}
	return start == 0 || !wordByte(text[start-1])
}

// nameLen returns the length of the name of a user that s begins with.
func nameLen(s string) int {
	n := 0
	for n < len(s) && n < 64 && (wordByte(s[n]) || n > 0 && (s[n] == '-' || s[n] == '.' && n+1 < len(s) && wordByte(s[n+1]))) {
		n++
	}
	return n
}

func wordByte(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c >= 0x80
}

// Shared returns a text with the home folders in it replaced by "~", and how many
// there were.
func Shared(text string) (string, int) {
	found := homesIn(text)
	if len(found) == 0 {
		return text, 0
	}
	var out strings.Builder
	last := 0
	for _, h := range found {
		out.WriteString(text[last:h.start])
		out.WriteByte('~')
		last = h.end
	}
	out.WriteString(text[last:])
	return out.String(), len(found)
}

// Find returns the places in a text that say who or where somebody is, in order.
func Find(text string) []memory.Trace {
	var out []memory.Trace
	for _, h := range homesIn(text) {
		out = append(out, memory.Trace{Start: h.start, End: h.end, Rule: RuleHome})
	}
	return inOrder(out)
}
