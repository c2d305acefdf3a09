package kimchi

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"

	"winnow/core/jstext"
)

// A threat is a pattern that a system takes for an attack. It ignores case unless exact is set.
type threat struct {
	id, text string
	exact    bool
}

// compiledThreat is a compiled threat.
type compiledThreat struct {
	threat
	re    *regexp.Regexp
	needs []string // texts of which a match needs at least one; may be empty
}

var (
	kimchiThreats = sync.OnceValue(func() []compiledThreat {
		const secret = `\s+[^\n]*\$\{?\w*(KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL|API)`
		return compiled(spaceJS, `0-9A-Za-z_`, []threat{
			{id: "prompt_injection", text: `ignore\s+(previous|all|above|prior)\s+instructions`},
			{id: "role_hijack", text: `you\s+are\s+now\s+(a|an|the)\b`},
			{id: "deception_hide", text: `do\s+not\s+tell\s+the\s+user`},
			{id: "sys_prompt_override", text: `system\s+prompt\s+override`},
			{id: "disregard_rules", text: `disregard\s+(your|all|any)\s+(instructions|rules|guidelines)`},
			{
				id:   "bypass_restrictions",
				text: `act\s+as\s+(if|though)\s+you\s+(have\s+no|don't\s+have)\s+(restrictions|limits|rules)`,
			},
			{id: "exfil_curl", text: `curl` + secret},
			{id: "exfil_wget", text: `wget` + secret},
			{id: "read_secrets", text: `cat\s+[^\n]*(\.env|credentials|\.netrc|\.pgpass|\.npmrc|\.pypirc)`},
			{id: "ssh_backdoor", text: `authorized_keys`, exact: true},
			{id: "ssh_access", text: `\$HOME/\.ssh|~/\.ssh`, exact: true},
		})
	})
	hermesThreats = sync.OnceValue(
		func() []compiledThreat { return compiled(spacePython, `\p{L}\p{N}_`, hermesPatterns()) },
	)
)

// hermesPatterns returns the patterns of Hermes Agent as of autumn 2026.
func hermesPatterns() []threat {
	const (
		filler = `(?:\w+\s+){0,8}`
		secret = `\$\{?\w*(?:KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL)S?\b`
		modify = `(update|modify|edit|write|change|append|add\s+to)\s+[^\n]*`
	)
	return []threat{
		{
			id:   "prompt_injection",
			text: `ignore\s+` + filler + `(previous|all|above|prior)\s+` + filler + `instructions`,
		},
		{id: "sys_prompt_override", text: `system\s+prompt\s+override`},
		{
			id:   "disregard_rules",
			text: `disregard\s+` + filler + `(your|all|any)\s+` + filler + `(instructions|rules|guidelines)`,
		},
		{
			id:   "bypass_restrictions",
			text: `act\s+as\s+(if|though)\s+` + filler + `you\s+` + filler + `(have\s+no|don't\s+have)\s+` + filler + `(restrictions|limits|rules)`,
		},
		{
			id:   "html_comment_injection",
			text: `<!--(?:[^>]{0,511}[^>A-Za-z])?(?:ignore|override|system|secret|hidden)(?:[^>A-Za-z][^>]{0,511})?-->`,
		},
		{id: "hidden_div", text: `<\s*div\s+style\s*=\s*["'][^>]*display\s*:\s*none`},
		{
			id:   "translate_execute",
			text: `translate\s+[^\n]{0,512}\s+into\s+\w+(?:[\s-]+\w+){0,2}\s+and\s+(execute|run|eval)\b`,
		},
		{id: "deception_hide", text: `do\s+not\s+` + filler + `tell\s+` + filler + `the\s+user`},
		{id: "role_hijack", text: `you\s+are\s+` + filler + `now\s+(?:a|an|the)\s+`},
		{id: "role_pretend", text: `pretend\s+` + filler + `(you\s+are|to\s+be)\s+`},
		{id: "leak_system_prompt", text: `output\s+` + filler + `(system|initial)\s+prompt`},
		{
			id:   "remove_filters",
			text: `(respond|answer|reply)\s+without\s+` + filler + `(restrictions|limitations|filters|safety)`,
		},
		{id: "fake_update", text: `you\s+have\s+been\s+` + filler + `(updated|upgraded|patched)\s+to`},
		{id: "identity_override", text: `\bname\s+yourself\s+\w+`},
		{id: "c2_node_registration", text: `register\s+(as\s+)?a?\s*node`},
		{id: "c2_heartbeat", text: `(heartbeat|beacon|check[\s\-]?in)\s+(to|with)\s+`},
		{id: "c2_task_pull", text: `pull\s+(down\s+)?(?:new\s+)?task(?:ing|s)?\b`},
		{id: "c2_network_connect", text: `connect\s+to\s+the\s+network\b`},
		{id: "forced_action", text: `you\s+must\s+(?:\w+\s+){0,3}(register|connect|report|beacon)\b`},
		{id: "anti_forensic_oneliner", text: `only\s+use\s+one[\s\-]?liners?\b`},
		{
			id:   "anti_forensic_disk",
			text: `never\s+` + filler + `(?:create|write)\s+` + filler + `(?:script|file)\s+` + filler + `disk`,
		},
		{id: "env_var_unset_agent", text: `unset\s+\w*(?:CLAUDE|CODEX|HERMES|AGENT|OPENAI|ANTHROPIC)\w*`},
		{id: "known_c2_framework", text: `\b(?:cobalt\s*strike|sliver|havoc|mythic|metasploit|brainworm)\b`},
		{id: "c2_explicit", text: `\bc2\s+(?:server|channel|infrastructure|beacon)\b`},
		{id: "c2_explicit_long", text: `\bcommand\s+and\s+control\b`},
		{id: "exfil_curl", text: `curl\s+[^\n]*` + secret},
		{id: "exfil_wget", text: `wget\s+[^\n]*` + secret},
		{id: "read_secrets", text: `cat\s+[^\n]*(\.env|credentials|\.netrc|\.pgpass|\.npmrc|\.pypirc)`},
		{id: "send_to_url", text: `(send|post|upload|transmit)\s+[^\n]*\s+(to|at)\s+https?://`},
		{
			id:   "context_exfil",
			text: `(include|output|print|share)\s+` + filler + `(conversation|chat\s+history|previous\s+messages|full\s+context|entire\s+context)`,
		},
		{id: "ssh_backdoor", text: `authorized_keys`},
		{id: "ssh_access", text: `\$HOME/\.ssh|~/\.ssh`},
		{id: "hermes_env", text: `\$HOME/\.hermes/\.env|~/\.hermes/\.env`},
		{id: "agent_config_mod", text: modify + `(?:AGENTS\.md|CLAUDE\.md|\.cursorrules|\.clinerules)`},
		{id: "hermes_config_mod", text: modify + `\.hermes/(config\.yaml|SOUL\.md)`},
		{id: "hardcoded_secret", text: `(?:api[_-]?key|token|secret|password)\s*[=:]\s*["'][A-Za-z0-9+/=_-]{20,}`},
	}
}

// What \s matches in the two languages, as the inside of a character class.
const (
	spacePython = `\t-\r \x1c-\x1f\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}`
	spaceJS     = `\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`
)

// compiled compiles threats for an engine in linear time. space and word are what \s and \w match, as the inside of
// a character class. The systems' own engines look at no more than 2,048 characters of some gaps.
func compiled(space, word string, all []threat) (ready []compiledThreat) {
	classes := strings.NewReplacer(
		`[\s`, "["+space, `\s`, "["+space+"]", `\w`, "["+word+"]", `\b`, "(?:^|[^"+word+"]|$)",
	)
	for _, t := range all {
		pattern := t.text
		if !t.exact {
			pattern = strings.ToLower(pattern)
		}
		tree, err := syntax.Parse(pattern, syntax.Perl)
		if err != nil {
			panic(err) // the patterns are our own
		}
		ready = append(ready, compiledThreat{t, regexp.MustCompile(classes.Replace(pattern)), requiredTexts(tree)})
	}
	return ready
}

// asciiLower returns an ASCII letter in lower case.
func asciiLower(r rune) rune {
	if r >= 'A' && r <= 'Z' {
		return r | 0x20
	}
	return r
}

// smallPython lower-cases a letter as Python's case-insensitive matching does. Python also takes
// two letters beyond ASCII for an i.
func smallPython(r rune) rune {
	if r == 'ı' || r == 'İ' {
		return 'i'
	}
	return asciiLower(r)
}

// unseen are the characters that no entry may contain. Hermes names them in no fixed order, Kimchi
// in this one.
const (
	kimchiUnseen = "\u200b\u200c\u200d\u2060\ufeff\u202a\u202b\u202c\u202d\u202e"
	hermesUnseen = "\u200b\u200c\u200d\u2060\u2062\u2063\u2064\ufeff\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)

// longestScan is the number of code points of an entry that Hermes scans.
const longestScan = 65536

const invisible = "invisible_unicode_"

// threats returns the names of everything that a system's scan finds in a text. Invisible
// characters are named by their numbers.
func (d *dialect) threats(text string) (all []string) {
	if d.mostScanned > 0 && len(text) > d.mostScanned {
		if all := []rune(text); len(all) > d.mostScanned {
			text = string(all[:d.mostScanned])
		}
	}
	for _, r := range d.unseen {
		if strings.ContainsRune(text, r) {
			all = append(all, fmt.Sprintf("%sU+%04X", invisible, r))
		}
	}
	if d.normalizes {
		text = jstext.Compatible(text)
	}
	folded := strings.Map(d.foldCase, text)
	for _, t := range d.known() {
		if t.exact && t.matchesIn(text) || !t.exact && t.matchesIn(folded) {
			all = append(all, t.id)
		}
	}
	return all
}

// scan returns the sentence with which the tool refuses a text, or "".
func (d *dialect) scan(text string) string {
	found := d.threats(text)
	if len(found) == 0 {
		return ""
	}
	if char, is := strings.CutPrefix(found[0], invisible); is {
		return "Blocked: content contains invisible unicode character " + char + " (possible injection)."
	}
	return "Blocked: content matches threat pattern '" + found[0] + "'. " + d.blockedNoun + " injected into the system prompt and must not contain injection or exfiltration payloads."
}

// requiredTexts returns texts of which every match contains at least one: the longest such set, or none.
func requiredTexts(tree *syntax.Regexp) (longest []string) {
	switch tree.Op {
	case syntax.OpLiteral:
		return []string{string(tree.Rune)}
	case syntax.OpCapture, syntax.OpPlus:
		return requiredTexts(tree.Sub[0])
	case syntax.OpConcat:
		for _, part := range tree.Sub {
			if texts := requiredTexts(part); shortest(texts) > shortest(longest) {
				longest = texts
			}
		}
	case syntax.OpAlternate:
		for _, branch := range tree.Sub {
			texts := requiredTexts(branch)
			if len(texts) == 0 {
				return nil
			}
			longest = append(longest, texts...)
		}
	}
	return longest
}

// shortest returns the length of the shortest text, or 0 if there are none.
func shortest(texts []string) int {
	if len(texts) == 0 {
		return 0
	}
	return len(slices.MinFunc(texts, func(a, b string) int { return len(a) - len(b) }))
}

// matchesIn reports whether the threat is in a text.
func (t *compiledThreat) matchesIn(text string) bool {
	isThere := func(need string) bool { return strings.Contains(text, need) }
	return (len(t.needs) == 0 || slices.ContainsFunc(t.needs, isThere)) && t.re.MatchString(text)
}
