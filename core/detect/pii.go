package detect

import (
	"net/netip"
	"slices"
	"strings"

	"winnow/core/memory"
)

// IDs of the rules. They must stay stable because baselines and people refer to them.
const (
	RuleHome    = "home-path"
	RuleUser    = "user-name"
	RuleEmail   = "email"
	RuleHost    = "private-host"
	RuleAddress = "private-address"
	RuleSession = "session-id"
)

const (
	adviceShare = "share a copy with winnow export --share, which replaces it"
	adviceEdit  = "edit it out of what is shared if strangers should not know it"
)

// piiRules are the rules on private data.
var piiRules = []memory.AuditRule{
	piiRule(RuleHome, "home folder", "It names the home folder of a user of this machine.", adviceShare,
		"the places of home folders on Linux, macOS and Windows"),
	piiRule(RuleUser, "user name", "It holds the name of a user whose home folder is in the same text.", adviceEdit,
		"the names of the home folders in the text"),
	piiRule(RuleEmail, "e-mail address", "It holds the e-mail address of a person.", adviceEdit,
		"RFC 5322, section 3.4.1; addresses of examples by RFC 2606"),
	piiRule(
		RuleHost,
		"host of a private network",
		"It names a host that only people inside a network know.",
		adviceEdit,
		"RFC 6762, appendix G, and the .internal domain that ICANN reserved",
	),
	piiRule(RuleAddress, "address of a private network", "It holds an address inside a private network.", adviceEdit,
		"RFC 1918, RFC 3927 and RFC 4193"),
	piiRule(RuleSession, "session id", "It names a session, whose transcript may still be on the machine.", adviceShare,
		"the ids that agents give their sessions: UUIDs, and ses_ in OpenCode"),
}

func piiRule(id, name, why, next, source string) memory.AuditRule {
	return memory.AuditRule{
		ID:       id,
		Family:   memory.FamilyPrivate,
		Severity: memory.Low,
		Name:     name,
		Why:      why,
		Next:     next,
		Source:   source,
	}
}

// privateForm is a form of private data: a literal that it always contains, and a check of the text
// around the literal text[at:end]. The check returns a trace without a rule if there is no private
// data.
type privateForm struct {
	literal string
	check   func(text string, at, end int) memory.Trace
}

// homeForms are the forms of home folders. A backslash may be doubled, as in JSON and source code.
var homeForms = []privateForm{
	{"/home/", homeAt}, {"/Users/", homeAt}, {`\Users\`, homeAt}, {`\\Users\\`, homeAt},
}

// otherForms are the other forms, except user names.
var otherForms = []privateForm{
	{"@", mailAt}, {".", hostOrTranscriptAt}, {":", localIPv6At}, {"ession", sessionUUIDAfter}, {"_", sessionIDAt},
}

// findForms returns the matches of the forms in a text.
func findForms(forms []privateForm, text string) (out []memory.Trace) {
	for _, f := range forms {
		for at, next := indexFrom(text, f.literal, 0), 0; at >= 0; at = indexFrom(text, f.literal, next) {
			next = at + len(f.literal)
			if t := f.check(text, at, next); t.Rule != "" {
				out = append(out, t)
				next = max(next, t.End)
			}
		}
	}
	return out
}

// PII returns what reveals who or where somebody is in a text, sorted and not overlapping.
func PII(text string) []memory.Trace {
	homes := homesIn(text)
	return withoutOverlaps(slices.Concat(homes, findForms(otherForms, text), usersIn(text, homes)))
}

// withoutOverlaps sorts traces by place and drops those that begin inside another.
func withoutOverlaps(traces []memory.Trace) []memory.Trace {
	if len(traces) < 2 {
		return traces
	}
	end := 0
	return slices.DeleteFunc(sortTraces(traces), func(t memory.Trace) bool {
		inside := t.Start < end
		end = max(end, t.End)
		return inside
	})
}

// impersonalUsers are user names of services, container images and examples.
var impersonalUsers = wordSet(
	"shared public default user users username you me name your-name yourname runner node ubuntu ec2-user vscode " +
		"codespace gitpod example someone circleci travis jenkins vagrant linuxbrew app appuser git root admin " +
		"index page home foo bar xxx dev developer build builder coder nobody guest nonroot",
)

// homesIn returns the home folders in a text, in order.
func homesIn(text string) []memory.Trace {
	if strings.IndexByte(text, '/') < 0 && strings.IndexByte(text, '\\') < 0 {
		return nil
	}
	return withoutOverlaps(findForms(homeForms, text))
}

// homeAt checks for a home folder whose root, such as "/home/", is text[at:end].
func homeAt(text string, at, end int) memory.Trace {
	user := text[end : end+userNameLen(text[end:])]
	start, ok := homeStart(text, at)
	if !ok || !isPerson(user) {
		return memory.Trace{}
	}
	return memory.Trace{Start: start, End: end + len(user), Rule: RuleHome}
}

// homeStart returns where the path with its root at byte at begins, and whether it is a home
// folder. On Windows a drive must precede the root; elsewhere no folder or host may.
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
	return at, at == 0 || !isNameByte(text[at-1]) && strings.IndexByte(".-~}>", text[at-1]) < 0
}

// isPerson reports whether a name may be that of a person's account.
func isPerson(user string) bool {
	return user != "" && strings.Trim(user, "0123456789-_.") != "" &&
		!impersonalUsers()[strings.ToLower(user)]
}

// userNameLen returns the length of the user name at the start of s.
func userNameLen(s string) (n int) {
	for n < min(len(s), 64) && (isNameByte(s[n]) || n > 0 && isNameSeparator(s[n:])) {
		n++
	}
	return n
}

// isNameSeparator reports whether s begins with a hyphen or full stop before another part of a name.
func isNameSeparator(s string) bool {
	return len(s) > 1 && (s[0] == '-' || s[0] == '.') && isNameByte(s[1])
}

// isNameByte reports whether c may be part of a name: a letter, digit, underscore or non-ASCII
// byte.
func isNameByte(c byte) bool { return isLetter(c) || inClass(c, digit) || c == '_' || c >= 0x80 }

// Limits on the user names searched for in one text. Shorter names are too often ordinary words.
const (
	maxUserNames       = 16
	minUserNameLetters = 4
)

// usersIn returns where the user names in the home folders occur in a text, including in those
// folders.
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

// standaloneUserAt checks that the user name text[at:end] is not part of a longer word.
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

// impersonalDomains are reserved for examples by RFC 2606 and RFC 6761, usual in examples, or hide
// whose address it is.
var impersonalDomains = []string{
	"example.com",
	"example.org",
	"example.net",
	"example.edu",
	".example",
	".invalid",
	".test",
	".localhost",
	"users.noreply.github.com",
	"domain.com",
	"email.com",
	"company.com",
	"acme.com",
	"foo.com",
	"bar.com",
}

// impersonalMailboxes are names before the @ that belong to services and examples.
var impersonalMailboxes = []string{
	"git",
	"hg",
	"svn",
	"noreply",
	"no-reply",
	"donotreply",
	"do-not-reply",
	"notifications",
	"mailer-daemon",
	"user",
	"you",
	"name",
	"foo",
	"email",
	"username",
	"you.name",
	"your.name",
	"root",
}

// fileExtensions end names of files, units and packages, which may contain an @.
var fileExtensions = wordSet(
	"png jpg jpeg gif svg webp avif ico js mjs cjs ts tsx jsx json css scss html md mdx go py rs rb java c h cc cpp txt toml yaml yml lock xml tgz tar gz zip service socket timer mount target slice device latest next beta canary local internal lan corp intranet",
)

// mailAt checks for an e-mail address with its @ at byte at.
func mailAt(text string, at, end int) memory.Trace {
	start := at
	for start > max(0, at-64) && isMailboxByte(text[start-1]) {
		start--
	}
	second := start > 0 && text[start-1] == '@' // second @, so the previous address ends here
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
	if len(top) < 2 || letterCount(top) != len(top) || fileExtensions()[top] ||
		letterCount(domain[:dot]) == 0 {
		return false
	}
	domain, local = strings.ToLower(domain), strings.ToLower(local)
	if slices.Contains(impersonalMailboxes, local) || strings.Contains(local, "noreply") ||
		strings.Contains(local, "no-reply") {
		return false
	}
	return !slices.ContainsFunc(impersonalDomains, func(end string) bool {
		rest, ok := strings.CutSuffix(domain, end)
		return ok && (rest == "" || end[0] == '.' || strings.HasSuffix(rest, "."))
	})
}

// isInURL reports whether byte i is in a URL, where user@host is no e-mail address.
func isInURL(text string, i int) bool {
	from := max(0, i-64)
	before := text[from:i]
	before = before[strings.LastIndexAny(before, " \t\n\"'<>()")+1:]
	return strings.Contains(before, "://")
}

// privateTopDomains are the top domains of private networks.
var privateTopDomains = []string{"internal", "corp", "local", "lan", "intranet", "home.arpa"}

// wellKnownHosts are hosts in these domains that exist on every machine of a kind.
var wellKnownHosts = []string{
	"host.docker.internal",
	"gateway.docker.internal",
	"kubernetes.docker.internal",
	"metadata.google.internal",
	"kubernetes.default.svc.cluster.local",
}

// hostOrTranscriptAt checks for a private host or address with its full stop at byte at, or for a
// transcript file named by a session ID.
func hostOrTranscriptAt(text string, at, end int) memory.Trace {
	rest := text[end:min(len(text), end+len("home.arpa"))]
	switch {
	case rest == "" || rest[0] <= ' ': // the full stop of a sentence
	case at > 0 && inClass(text[at-1], digit) && inClass(rest[0], digit):
		return privateAddressAt(text, at)
	case strings.IndexByte("icl", rest[0]|0x20) >= 0 || rest == "home.arpa":
		return privateHostAt(text, at)
	case strings.HasPrefix(rest, "jsonl") && at >= 36 && isUUID(text[at-36:at]):
		return memory.Trace{Start: at - 36, End: at, Rule: RuleSession}
	}
	return memory.Trace{}
}

// privateAddressAt returns the private address whose first number ends at byte at.
func privateAddressAt(text string, at int) memory.Trace {
	start := runStart(text, max(0, at-4), at, digit)
	end := trimDots(text, start, runEnd(text, start, digit|dot))
	before, after := text[:start], text[end:]
	if before != "" && (isNameByte(before[start-1]) || inClass(before[start-1], dash|dot)) ||
		after != "" && isNameByte(after[0]) {
		return memory.Trace{}
	}
	if ip, err := netip.ParseAddr(text[start:end]); err != nil || !isPrivateIP(ip) {
		return memory.Trace{}
	}
	if strings.HasSuffix(text[:end], ".0") && strings.HasPrefix(after, "/") ||
		strings.HasSuffix(strings.ToLower(strings.TrimRight(bytesBefore(text, start, 10), " :=")), "version") {
		return memory.Trace{} // a whole network, as in documentation
	}
	return memory.Trace{Start: start, End: end, Rule: RuleAddress}
}

// isPrivateIP reports whether an address is in a private network, except the metadata address of
// clouds.
func isPrivateIP(ip netip.Addr) bool {
	return ip.IsPrivate() || ip.IsLinkLocalUnicast() && ip.String() != "169.254.169.254"
}

// privateHostAt returns the private host whose last full stop before the top domain is at byte at.
func privateHostAt(text string, at int) memory.Trace {
	rest := strings.ToLower(text[at+1 : min(len(text), at+12)])
	end := 0
	for _, top := range privateTopDomains {
		if strings.HasPrefix(rest, top) {
			end = at + 1 + len(top)
		}
	}
	if end == 0 || continuesName(text[end:]) {
		return memory.Trace{}
	}
	start := runStart(text, max(0, at-253), at, slug|dot)
	name := strings.ToLower(text[start:end])
	if start == at || name[0] == '.' || name[0] == '-' || slices.Contains(wellKnownHosts, name) ||
		!isHostName(text, name, start, end) {
		return memory.Trace{}
	}
	return memory.Trace{Start: start, End: end, Rule: RuleHost}
}

// continuesName reports whether what follows a name belongs to it, or makes it that of a function.
func continuesName(after string) bool {
	return after != "" && (isNameByte(after[0]) || after[0] == '-' || after[0] == '(' || isNameSeparator(after))
}

// isHostName tells the name of a host from that of a file or identifier with the same ending, by
// the text around it and by its labels.
func isHostName(text, name string, start, end int) bool {
	before, after := bytesBefore(text, start, 12), bytesAfter(text, end, 2)
	if len(after) == 2 && after[0] == ':' && inClass(after[1], digit) || strings.HasSuffix(before, "://") ||
		strings.HasSuffix(before, "@") {
		return true
	}
	if strings.HasSuffix(before, "/") || strings.HasSuffix(before, "\\") || strings.Contains(name, "_") {
		return false // a file
	}
	labels := strings.Split(name, ".")
	if slices.Contains(
		[]string{
			"com",
			"org",
			"net",
			"io",
			"java",
			"javax",
			"sun",
			"this",
			"self",
			"settings",
			"config",
			"env",
			"python",
			"github",
		},
		labels[0],
	) {
		return false
	}
	return strings.Contains(name, "-") || len(labels) > 2 || strings.ContainsAny(labels[0], "0123456789")
}

// localIPv6At checks for a unique local IPv6 address, whose first group fdxx ends at byte at.
func localIPv6At(text string, at, end int) memory.Trace {
	start := at - len("fd00")
	if start < 0 || text[start:start+2] != "fd" || runEnd(text[:at], start, anyHex) < at {
		return memory.Trace{}
	}
	for end < min(len(text), start+45) && (inClass(text[end], anyHex) || text[end] == ':') {
		end++
	}
	address := text[start:end]
	before := start > 0 && (isNameByte(text[start-1]) || text[start-1] == ':')
	after := end < len(text) && isNameByte(text[end])
	if before || after || strings.Count(address, ":") < 2 || strings.HasSuffix(address, ":") {
		return memory.Trace{}
	}
	return memory.Trace{Start: start, End: end, Rule: RuleAddress}
}

// maxSessionDistance is how many bytes after the word "session" its ID may begin.
const maxSessionDistance = 48

// minSessionIDLen is the minimum length of an ID after "ses_".
const minSessionIDLen = 16

// sessionUUIDAfter searches for a session's UUID after the word that ends at byte end.
func sessionUUIDAfter(text string, _, end int) memory.Trace {
	line := text[end:min(len(text), end+maxSessionDistance+36)]
	line = line[:lineLen(line)]
	n := indexUUID(line)
	if n < 0 {
		return memory.Trace{}
	}
	return memory.Trace{Start: end + n, End: end + n + 36, Rule: RuleSession}
}

// sessionIDAt checks for a session ID such as "ses_…" with its underscore at byte at.
func sessionIDAt(text string, at, end int) memory.Trace {
	if at == 0 || text[at-1] != 's' && text[at-1] != 'n' {
		return memory.Trace{}
	}
	start := runStart(text, max(0, at-8), at, letter)
	if !inWordList("s ses sess session", text[start:at]) ||
		start > 0 && (isNameByte(text[start-1]) || text[start-1] == '-') {
		return memory.Trace{}
	}
	id := text[end:runEnd(text[:min(len(text), at+80)], end, alnum|dash)]
	digits := strings.LastIndexAny(id, "0123456789") > strings.IndexAny(id, "0123456789") // at least two digits
	if len(id) < minSessionIDLen || !digits {
		return memory.Trace{}
	}
	return memory.Trace{Start: start, End: end + len(id), Rule: RuleSession}
}

// indexUUID returns where the first UUID in s begins, or -1.
func indexUUID(s string) int {
	for i := 0; i+36 <= len(s); i++ {
		if i+8 < len(s) && s[i+8] == '-' && isUUID(s[i:i+36]) && (i == 0 || !inClass(s[i-1], anyHex)) {
			return i
		}
	}
	return -1
}

// isUUID reports whether s, 36 bytes long, is a UUID.
func isUUID(s string) bool {
	return runEnd(s, 0, anyHex|dash) == 36 && matchWholeBody(s, 0, uuidBody) == 36
}
