package detect

import (
	"net/netip"
	"slices"
	"strings"

	"winnow/core/memory"
)

// tops are the top domains of private networks.
var tops = []string{"internal", "corp", "local", "lan", "intranet", "home.arpa"}

// known are hosts below them that every machine of a kind has.
var known = []string{"host.docker.internal", "gateway.docker.internal", "kubernetes.docker.internal", "metadata.google.internal", "kubernetes.default.svc.cluster.local"}

// dotsIn adds the private hosts and addresses in a text, and the sessions whose
// transcript is named: all have a full stop.
func dotsIn(out []memory.Trace, text string) []memory.Trace {
	for i := 0; ; {
		at := strings.IndexByte(text[i:], '.')
		if at < 0 {
			return out
		}
		at += i
		i = at + 1
		var t memory.Trace
		switch {
		case at > 0 && is(text[at-1], digit) && i < len(text) && is(text[i], digit):
			t = addressAt(text, at)
		case i < len(text) && strings.IndexByte("icl", text[i]|0x20) >= 0 || strings.HasPrefix(text[i:], "home.arpa"):
			t = hostAt(text, at)
		case strings.HasPrefix(text[i:], "jsonl") && at >= 36 && isUUID(text[at-36:at]):
			t = memory.Trace{Start: at - 36, End: at, Rule: RuleSession}
		}
		if t.Rule != "" {
			out = append(out, t)
			i = max(i, t.End)
		}
	}
}

// addressAt returns the private address whose first number ends at byte at.
func addressAt(text string, at int) memory.Trace {
	from := max(0, at-4)
	start := from + runBack(text[from:at], at-from, digit)
	end := trimmed(text, start, run(text, start, digit|dot))
	before, after := text[:start], text[end:]
	if before != "" && (wordByte(before[start-1]) || is(before[start-1], dash|dot)) || after != "" && wordByte(after[0]) {
		return memory.Trace{}
	}
	if ip, err := netip.ParseAddr(text[start:end]); err != nil || !private(ip) {
		return memory.Trace{}
	}
	if strings.HasSuffix(text[:end], ".0") && strings.HasPrefix(after, "/") || strings.HasSuffix(strings.ToLower(strings.TrimRight(text[max(0, start-10):start], " :=")), "version") {
		return memory.Trace{} // a whole network, as documents name it
	}
	return memory.Trace{Start: start, End: end, Rule: RuleAddress}
}

// private reports whether an address is of a private network, but for that which clouds give every
// machine.
func private(ip netip.Addr) bool {
	return ip.IsPrivate() || ip.IsLinkLocalUnicast() && ip.String() != "169.254.169.254"
}

// hostAt returns the private host whose last full stop before the top domain is at byte
// at.
func hostAt(text string, at int) memory.Trace {
	rest := strings.ToLower(text[at+1 : min(len(text), at+12)])
	end := 0
	for _, top := range tops {
		if strings.HasPrefix(rest, top) {
			end = at + 1 + len(top)
		}
	}
	if end == 0 || end < len(text) && (wordByte(text[end]) || text[end] == '-' || text[end] == '(' || text[end] == '.' && end+1 < len(text) && wordByte(text[end+1])) {
		return memory.Trace{}
	}
	from := max(0, at-253)
	start := from + runBack(text[from:at], at-from, slug|dot)
	name := strings.ToLower(text[start:end])
	if start == at || name[0] == '.' || name[0] == '-' || slices.Contains(known, name) || !isHost(text, name, start, end) {
		return memory.Trace{}
	}
	return memory.Trace{Start: start, End: end, Rule: RuleHost}
}

// isHost tells the name of a host from one of a program or a file, which can end alike:
// what stands around it is of an address, it is written as no program would, or it has
// the labels of a host.
func isHost(text, name string, start, end int) bool {
	before, after := text[max(0, start-12):start], text[end:min(len(text), end+2)]
	if len(after) == 2 && after[0] == ':' && is(after[1], digit) || strings.HasSuffix(before, "://") || strings.HasSuffix(before, "@") {
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

// localsIn adds the addresses of version 6 in a text that are unique to a site: their
// first number has four digits and begins with fd.
func localsIn(out []memory.Trace, text string) []memory.Trace {
	for i, from := 0, 0; ; {
		n := strings.IndexByte(text[i:], ':')
		if n < 0 {
			return out
		}
		i += n + 1
		at := i - len("fd00:")
		if at < from || text[at:at+2] != "fd" {
			continue
		}
		end := at + len(text[at:]) - len(strings.TrimLeft(text[at:], "0123456789abcdefABCDEF:"))
		end = min(end, at+45)
		whole := at == 0 || !wordByte(text[at-1]) && text[at-1] != ':'
		if whole && strings.Count(text[at:end], ":") >= 2 && end > i && (end == len(text) || !wordByte(text[end])) && text[end-1] != ':' {
			out = append(out, memory.Trace{Start: at, End: end, Rule: RuleAddress})
		}
		i = max(i, end)
		from = i
	}
}
