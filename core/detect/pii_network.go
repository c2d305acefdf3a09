package detect

import (
	"net/netip"
	"slices"
	"strings"

	"winnow/core/memory"
)

// privateTopDomains are the top domains of private networks.
var privateTopDomains = []string{"internal", "corp", "local", "lan", "intranet", "home.arpa"}

// wellKnownHosts are hosts in these domains that every machine of a kind has.
var wellKnownHosts = []string{"host.docker.internal", "gateway.docker.internal", "kubernetes.docker.internal", "metadata.google.internal", "kubernetes.default.svc.cluster.local"}

// hostOrTranscriptAt checks for a private host or address with the full stop at byte at, or for a named
// transcript with a session ID before the full stop.
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
	from := max(0, at-4)
	start := from + runStart(text[from:at], at-from, digit)
	end := trimDots(text, start, runEnd(text, start, digit|dot))
	before, after := text[:start], text[end:]
	if before != "" && (isNameByte(before[start-1]) || inClass(before[start-1], dash|dot)) || after != "" && isNameByte(after[0]) {
		return memory.Trace{}
	}
	if ip, err := netip.ParseAddr(text[start:end]); err != nil || !isPrivateIP(ip) {
		return memory.Trace{}
	}
	if strings.HasSuffix(text[:end], ".0") && strings.HasPrefix(after, "/") || strings.HasSuffix(strings.ToLower(strings.TrimRight(text[max(0, start-10):start], " :=")), "version") {
		return memory.Trace{} // a whole network, as in documentation
	}
	return memory.Trace{Start: start, End: end, Rule: RuleAddress}
}

// isPrivateIP reports whether an address is in a private network, except the one that clouds give every
// machine.
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
	if end == 0 || end < len(text) && (isNameByte(text[end]) || text[end] == '-' || text[end] == '(' || text[end] == '.' && end+1 < len(text) && isNameByte(text[end+1])) {
		return memory.Trace{}
	}
	from := max(0, at-253)
	start := from + runStart(text[from:at], at-from, slug|dot)
	name := strings.ToLower(text[start:end])
	if start == at || name[0] == '.' || name[0] == '-' || slices.Contains(wellKnownHosts, name) || !isHostName(text, name, start, end) {
		return memory.Trace{}
	}
	return memory.Trace{Start: start, End: end, Rule: RuleHost}
}

// isHostName distinguishes the name of a host from that of a program or file, which may end alike. It
// is a host if the text around it is an address, if no program would be written that way, or if it
// has the labels of a host.
func isHostName(text, name string, start, end int) bool {
	before, after := text[max(0, start-12):start], text[end:min(len(text), end+2)]
	if len(after) == 2 && after[0] == ':' && inClass(after[1], digit) || strings.HasSuffix(before, "://") || strings.HasSuffix(before, "@") {
		return true
	}
	if strings.HasSuffix(before, "/") || strings.HasSuffix(before, "\\") || strings.Contains(name, "_") {
		return false // a file
	}
	labels := strings.Split(name, ".")
	if slices.Contains([]string{"com", "org", "net", "io", "java", "javax", "sun", "this", "self", "settings", "config", "env", "python", "github"}, labels[0]) {
		return false
	}
	return strings.Contains(name, "-") || len(labels) > 2 || strings.ContainsAny(labels[0], "0123456789")
}

// localIPv6At checks for a unique local IPv6 address whose first number ends at byte at.
// That number has four digits and begins with fd.
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
