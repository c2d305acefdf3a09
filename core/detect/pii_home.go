package detect

import (
	"slices"
	"strings"

	"winnow/core/memory"
)

// impersonalUsers are user names that belong to no person: accounts of images and services, and
// placeholders.
var impersonalUsers = strings.Fields("shared public default user users username you me name your-name yourname runner node ubuntu ec2-user vscode " +
	"codespace gitpod example someone circleci travis jenkins vagrant linuxbrew app appuser git root admin " +
	"index page home foo bar xxx dev developer build builder coder nobody guest nonroot")

// homesIn returns the home folders in a text, in order.
func homesIn(text string) []memory.Trace {
	if strings.IndexByte(text, '/') < 0 && strings.IndexByte(text, '\\') < 0 {
		return nil
	}
	return withoutOverlaps(findForms(homeForms, text))
}

// homeAt checks for a home folder with its root, such as "/home/", at the bytes at to end. A
// user name must follow.
func homeAt(text string, at, end int) memory.Trace {
	user := text[end : end+userNameLen(text[end:])]
	start, ok := homeStart(text, at)
	if !ok || !isPerson(user) {
		return memory.Trace{}
	}
	return memory.Trace{Start: start, End: end + len(user), Rule: RuleHome}
}

// homeStart returns where the path with a root at byte at begins, and whether it is a home folder.
// On Windows a drive must precede the root; elsewhere no other folder or host may.
func homeStart(text string, at int) (int, bool) {
	drive := at >= 2 && text[at-1] == ':' && isLetter(text[at-2]) && (at == 2 || !isNameByte(text[at-3]))
	switch {
	case drive:
		return at - 2, true
	case text[at] == '\\':
		return at, false
	case at >= 6 && strings.HasPrefix(text[at-6:], "/mnt/") && isLetter(text[at-1]):
		return at - 6, true
	case at >= 3 && text[at-1] == '/' && text[at-2] == '/':
		return at, text[at-3] == ':' // file:///home/…
	}
	return at, at == 0 || !isNameByte(text[at-1]) && text[at-1] != '.' && text[at-1] != '-' && text[at-1] != '~' && text[at-1] != '}' && text[at-1] != '>'
}

// isPerson reports whether a name may be that of a person's account.
func isPerson(user string) bool {
	return user != "" && strings.Trim(user, "0123456789-_.") != "" && !slices.Contains(impersonalUsers, strings.ToLower(user))
}

// userNameLen returns the length of the user name at the start of s.
func userNameLen(s string) (n int) {
	for n < len(s) && n < 64 && (isNameByte(s[n]) || n > 0 && (s[n] == '-' || s[n] == '.') && n+1 < len(s) && isNameByte(s[n+1])) {
		n++
	}
	return n
}

// isNameByte reports whether c may be part of a name: a letter, a digit, an underscore or any
// non-ASCII byte.
func isNameByte(c byte) bool { return isLetter(c) || inClass(c, digit) || c == '_' || c >= 0x80 }

// Limits on the user names searched for in one text: how many, and the fewest letters that
// distinguish a name from other words.
const (
	maxUserNames       = 16
	minUserNameLetters = 4
)

// usersIn returns where the names of the users of the home folders occur in a text, including in
// those folders.
func usersIn(text string, homes []memory.Trace) []memory.Trace {
	var names []privateForm
	for _, h := range homes {
		folder := text[h.Start:h.End]
		name := folder[strings.LastIndexAny(folder, `/\`)+1:]
		known := slices.ContainsFunc(names, func(f privateForm) bool { return f.literal == name })
		if len(names) < maxUserNames && letterCount(name) >= minUserNameLetters && !known {
			names = append(names, privateForm{name, standaloneUserAt})
		}
	}
	return findForms(names, text)
}

// standaloneUserAt checks the user name at the bytes at to end.
func standaloneUserAt(text string, at, end int) memory.Trace {
	part := func(c byte) bool { return inClass(c, alnum) || c >= 0x80 }
	if at > 0 && part(text[at-1]) || end < len(text) && part(text[end]) {
		return memory.Trace{} // part of a longer word
	}
	return memory.Trace{Start: at, End: end, Rule: RuleUser}
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

// ShortenHomes replaces the home folders in a text by "~", and returns how many there were.
func ShortenHomes(text string) (string, int) {
	var spans []Span
	for _, h := range homesIn(text) {
		spans = append(spans, Span{Start: h.Start, End: h.End})
	}
	return replaceSpans(text, spans, "~"), len(spans)
}
