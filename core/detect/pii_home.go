package detect

import (
	"slices"
	"strings"

	"winnow/core/memory"
)

// roots are what stands before the name of a user in a path. A backslash may be
// doubled, as texts of JSON and of programs write it.
var roots = []string{"/home/", "/Users/", `\Users\`, `\\Users\\`}

// nobody are names in the place of a user that are no person's: of accounts that images
// and services come with, and placeholders.
var nobody = strings.Fields("shared public default user users username you me name your-name yourname runner node ubuntu ec2-user vscode " +
	"codespace gitpod example someone circleci travis jenkins vagrant linuxbrew app appuser git root admin " +
	"index page home foo bar xxx dev developer build builder coder nobody guest nonroot")

// home is a path to a home folder in a text.
type home struct {
	start, end int    // of the folder, with the drive that it is on
	user       string // its last part
}

// homesIn returns the home folders in a text, in order.
func homesIn(text string) (out []home) {
	if strings.IndexByte(text, '/') < 0 && strings.IndexByte(text, '\\') < 0 {
		return nil
	}
	for _, root := range roots {
		for i := 0; ; {
			at := strings.Index(text[i:], root)
			if at < 0 {
				break
			}
			at += i
			i = at + len(root)
			n := userNameLen(text[i:])
			start, ok := homeBegins(text, at, root)
			if user := text[i : i+n]; ok && isPerson(user) {
				out = append(out, home{start, i + n, user})
			}
		}
	}
	if len(out) > 1 {
		slices.SortFunc(out, func(a, b home) int { return a.start - b.start })
	}
	return out
}

// homeBegins returns where the path begins that has a root at byte at, and whether it is
// one: a drive stands before it on Windows, and no other folder or host elsewhere.
func homeBegins(text string, at int, root string) (int, bool) {
	drive := at >= 2 && text[at-1] == ':' && isLetter(text[at-2]) && (at == 2 || !wordByte(text[at-3]))
	switch {
	case drive:
		return at - 2, true
	case root[0] == '\\':
		return at, false
	case at >= 6 && strings.HasPrefix(text[at-6:], "/mnt/") && isLetter(text[at-1]):
		return at - 6, true
	case at >= 3 && text[at-1] == '/' && text[at-2] == '/':
		return at, text[at-3] == ':' // file:///home/…
	}
	return at, at == 0 || !wordByte(text[at-1]) && text[at-1] != '.' && text[at-1] != '-' && text[at-1] != '~' && text[at-1] != '}' && text[at-1] != '>'
}

// isPerson reports whether a name can be that of a person's account.
func isPerson(user string) bool {
	return user != "" && strings.Trim(user, "0123456789-_.") != "" && !slices.Contains(nobody, strings.ToLower(user))
}

// userNameLen returns the length of the name of a user that s begins with.
func userNameLen(s string) (n int) {
	for n < len(s) && n < 64 && (wordByte(s[n]) || n > 0 && (s[n] == '-' || s[n] == '.') && n+1 < len(s) && wordByte(s[n+1])) {
		n++
	}
	return n
}

// wordByte reports whether c can be of a name: letters, digits, the underscore and
// whatever is not ASCII.
func wordByte(c byte) bool { return isLetter(c) || is(c, digit) || c == '_' || c >= 0x80 }

// The most users whose names are looked for in one text, and the fewest letters that a
// name has to be told from other words.
const (
	mostUsers  = 16
	shortestID = 4
)

// usersIn adds where the names of the users stand elsewhere in a text.
func usersIn(out []memory.Trace, text string, homes []home) []memory.Trace {
	var names []string
	for _, h := range homes {
		if len(names) < mostUsers && letterCount(h.user) >= shortestID && !slices.Contains(names, h.user) {
			names = append(names, h.user)
		}
	}
	for _, name := range names {
		left := homes
		for i := 0; ; {
			at := strings.Index(text[i:], name)
			if at < 0 {
				break
			}
			at += i
			i = at + len(name)
			for len(left) > 0 && left[0].end <= at {
				left = left[1:]
			}
			if (len(left) == 0 || left[0].start > at) && wordAlone(text, at, i) {
				out = append(out, memory.Trace{Start: at, End: i, Rule: RuleUser})
			}
		}
	}
	return out
}

// letterCount counts the ASCII letters of a name.
func letterCount(s string) (n int) {
	for i := range len(s) {
		if isLetter(s[i]) {
			n++
		}
	}
	return n
}

// wordAlone reports whether the bytes start to end are a word by themselves.
func wordAlone(text string, start, end int) bool {
	part := func(c byte) bool { return isLetter(c) || is(c, digit) || c >= 0x80 }
	return (start == 0 || !part(text[start-1])) && (end == len(text) || !part(text[end]))
}

// ShortenHomes returns a text with the home folders in it replaced by "~", and how many there
// were.
func ShortenHomes(text string) (string, int) {
	var spans []Span
	for _, h := range homesIn(text) {
		if n := len(spans); n == 0 || h.start >= spans[n-1].End {
			spans = append(spans, Span{Start: h.start, End: h.end})
		}
	}
	return replaced(text, spans, "~"), len(spans)
}
