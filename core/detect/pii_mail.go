package detect

import (
	"slices"
	"strings"

	"winnow/core/memory"
)

// impersonalDomains are domain suffixes that nobody owns, by RFC 2606 and RFC 6761, and those that hide whose
// address it is.
var impersonalDomains = []string{"example.com", "example.org", "example.net", "example.edu", ".example", ".invalid", ".test", ".localhost", "users.noreply.github.com", "domain.com", "email.com", "company.com", "acme.com", "foo.com", "bar.com"}

// impersonalMailboxes are names before the @ that belong to no person.
var impersonalMailboxes = []string{"git", "hg", "svn", "noreply", "no-reply", "donotreply", "do-not-reply", "notifications", "mailer-daemon", "user", "you", "name", "foo", "email", "username", "you.name", "your.name", "root"}

// fileExtensions are endings of files, units and packages whose names may contain an @.
var fileExtensions = strings.Fields("png jpg jpeg gif svg webp avif ico js mjs cjs ts tsx jsx json css scss html md mdx go py rs rb java c h cc cpp txt toml yaml yml lock xml tgz tar gz zip service socket timer mount target slice device latest next beta canary local internal lan corp intranet")

// mailAt checks for an e-mail address with its @ at byte at.
func mailAt(text string, at, end int) memory.Trace {
	start := at
	for start > max(0, at-64) && isMailboxByte(text[start-1]) {
		start--
	}
	second := start > 0 && text[start-1] == '@' // the previous address ends here
	domain := strings.TrimRight(text[end:runEnd(text[:min(len(text), at+256)], end, slug|dot)], ".-")
	local := strings.TrimLeft(text[start:at], ".-%")
	start = at - len(local)
	if second || !isPersonalMail(local, domain) || isInURL(text, start) {
		return memory.Trace{}
	}
	return memory.Trace{Start: start, End: end + len(domain), Rule: RuleEmail}
}

func isMailboxByte(c byte) bool {
	return inClass(c, slug|dot|percent) || c == '+'
}

// isPersonalMail reports whether an address with these two parts may belong to a person.
func isPersonalMail(local, domain string) bool {
	dot := strings.LastIndexByte(domain, '.')
	if local == "" || dot <= 0 || strings.Contains(domain, "..") || strings.Contains(domain, "_") {
		return false
	}
	top := strings.ToLower(domain[dot+1:])
	if len(top) < 2 || letterCount(top) != len(top) || slices.Contains(fileExtensions, top) || letterCount(domain[:dot]) == 0 {
		return false
	}
	domain, local = strings.ToLower(domain), strings.ToLower(local)
	if slices.Contains(impersonalMailboxes, local) || strings.Contains(local, "noreply") || strings.Contains(local, "no-reply") {
		return false
	}
	return !slices.ContainsFunc(impersonalDomains, func(end string) bool {
		rest, ok := strings.CutSuffix(domain, end)
		return ok && (rest == "" || end[0] == '.' || strings.HasSuffix(rest, "."))
	})
}

// isInURL reports whether byte i begins the part of a URL before its host: a user or a password.
func isInURL(text string, i int) bool {
	from := max(0, i-64)
	before := text[from:i]
	before = before[strings.LastIndexAny(before, " \t\n\"'<>()")+1:]
	return strings.Contains(before, "://")
}
