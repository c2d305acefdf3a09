package detect

import (
	"cmp"
	"slices"

	"winnow/core/memory"
)

// The IDs of the rules. They are stable: baselines and people name them.
const (
	RuleHome    = "home-path"
	RuleUser    = "user-name"
	RuleEmail   = "email"
	RuleHost    = "private-host"
	RuleAddress = "private-address"
	RuleSession = "session-id"
)

// piiRules returns the rules on private data. All are of the family private, and low.
func piiRules() []memory.AuditRule {
	rule := func(id, name, why, next, source string) memory.AuditRule {
		return memory.AuditRule{ID: id, Family: memory.FamilyPrivate, Severity: memory.Low, Name: name, Why: why, Next: next, Source: source}
	}
	const share = "share a copy with winnow export --share, which replaces it"
	const edit = "edit it out of what is shared if strangers should not know it"
	return []memory.AuditRule{
		rule(RuleHome, "home folder", "It names the home folder of a user of this machine.", share,
			"the places of home folders on Linux, macOS and Windows"),
		rule(RuleUser, "user name", "It holds the name of a user, whose home folder stands in the same text.", edit,
			"the names of the home folders in the text"),
		rule(RuleEmail, "e-mail address", "It holds the e-mail address of a person.", edit,
			"RFC 5322, section 3.4.1; addresses of examples by RFC 2606"),
		rule(RuleHost, "host of a private network", "It names a host that only people inside a network know.", edit,
			"RFC 6762, appendix G, and the .internal domain that ICANN reserved"),
		rule(RuleAddress, "address of a private network", "It holds an address inside a private network.", edit,
			"RFC 1918, RFC 3927 and RFC 4193"),
		rule(RuleSession, "session id", "It names a session, whose transcript may still be on the machine.", share,
			"the ids that agents give their sessions: UUIDs, and ses_ in OpenCode"),
	}
}

// PII returns the places in a text that say who or where somebody is, in order. None
// overlaps another.
func PII(text string) []memory.Trace {
	var out []memory.Trace
	homes := homesIn(text)
	for _, h := range homes {
		out = append(out, memory.Trace{Start: h.start, End: h.end, Rule: RuleHome})
	}
	out = mailsIn(out, text)
	out = dotsIn(out, text)
	out = localsIn(out, text)
	out = sessionsIn(out, text)
	out = usersIn(out, text, homes)
	return withoutOverlaps(out)
}

// withoutOverlaps sorts traces by place and drops those that begin inside another.
func withoutOverlaps(traces []memory.Trace) []memory.Trace {
	if len(traces) < 2 {
		return traces
	}
	slices.SortStableFunc(traces, func(a, b memory.Trace) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End))
	})
	end := 0
	return slices.DeleteFunc(traces, func(t memory.Trace) bool {
		inside := t.Start < end
		end = max(end, t.End)
		return inside
	})
}
