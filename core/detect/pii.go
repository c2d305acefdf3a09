package detect

import (
	"cmp"
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
	piiRule(RuleUser, "user name", "It holds the name of a user, whose home folder stands in the same text.", adviceEdit,
		"the names of the home folders in the text"),
	piiRule(RuleEmail, "e-mail address", "It holds the e-mail address of a person.", adviceEdit,
		"RFC 5322, section 3.4.1; addresses of examples by RFC 2606"),
	piiRule(RuleHost, "host of a private network", "It names a host that only people inside a network know.", adviceEdit,
		"RFC 6762, appendix G, and the .internal domain that ICANN reserved"),
	piiRule(RuleAddress, "address of a private network", "It holds an address inside a private network.", adviceEdit,
		"RFC 1918, RFC 3927 and RFC 4193"),
	piiRule(RuleSession, "session id", "It names a session, whose transcript may still be on the machine.", adviceShare,
		"the ids that agents give their sessions: UUIDs, and ses_ in OpenCode"),
}

func piiRule(id, name, why, next, source string) memory.AuditRule {
	return memory.AuditRule{ID: id, Family: memory.FamilyPrivate, Severity: memory.Low, Name: name, Why: why, Next: next, Source: source}
}

// privateForm is a form of private data: a literal that it always contains, and a function that
// examines the text around the literal at the bytes at to end. The function returns a trace without
// a rule if there is no private data.
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

// findForms returns the places in a text that match one of the forms.
func findForms(forms []privateForm, text string) (out []memory.Trace) {
	for _, f := range forms {
		for i := 0; ; {
			n := strings.Index(text[i:], f.literal)
			if n < 0 {
				break
			}
			at := i + n
			i = at + len(f.literal)
			if t := f.check(text, at, i); t.Rule != "" {
				out = append(out, t)
				i = max(i, t.End)
			}
		}
	}
	return out
}

// PII returns the places in a text that reveal who or where somebody is, sorted and not
// overlapping.
func PII(text string) []memory.Trace {
	homes := homesIn(text)
	return withoutOverlaps(slices.Concat(homes, findForms(otherForms, text), usersIn(text, homes)))
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
