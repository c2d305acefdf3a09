package kimchi

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// unseen are the characters that are refused, in the order in which they are looked
// for.
var unseen = [...]rune{0x200b, 0x200c, 0x200d, 0x2060, 0xfeff, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e}

// A pattern is one of the texts that the systems take for an attack. SP stands for white
// space. Letters are of either case unless exact.
type pattern struct {
	id, text string
	exact    bool
	// word is in each text that matches, in small letters: without it nothing is tried.
	// It has no letter that stands for one beyond ASCII.
	word string
}

// patterns returns what is looked for, in that order.
func patterns() []pattern {
	const secret = `SP+[^\n]*\$\{?\w*(KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL|API)`
	return []pattern{
		{id: "prompt_injection", word: "ignore", text: `ignoreSP+(previous|all|above|prior)SP+instructions`},
		{id: "role_hijack", word: "now", text: `youSP+areSP+nowSP+(a|an|the)\b`},
		{id: "deception_hide", word: "tell", text: `doSP+notSP+tellSP+theSP+user`},
		{id: "sys_prompt_override", word: "override", text: `systemSP+promptSP+override`},
		{id: "disregard_rules", word: "regard", text: `disregardSP+(your|all|any)SP+(instructions|rules|guidelines)`},
		{id: "bypass_restrictions", word: "you", text: `actSP+asSP+(if|though)SP+youSP+(haveSP+no|don'tSP+have)SP+(restrictions|limits|rules)`},
		{id: "exfil_curl", word: "curl", text: `curl` + secret},
		{id: "exfil_wget", word: "wget", text: `wget` + secret},
		{id: "read_secrets", word: "cat", text: `catSP+[^\n]*(\.env|credentials|\.netrc|\.pgpass|\.npmrc|\.pypirc)`},
		{id: "ssh_backdoor", word: "authorized_", text: `authorized_keys`, exact: true},
		{id: "ssh_access", word: "/.ssh", text: `\$HOME/\.ssh|~/\.ssh`, exact: true},
	}
}

// compiled is a pattern that is ready.
type compiled struct {
	pattern
	re *regexp.Regexp
}

// matches reports whether a text has it. Small is the text in small letters.
func (c *compiled) matches(text, small string) bool {
	return strings.Contains(small, c.word) && c.re.MatchString(text)
}

// inSmall returns a text with the letters of ASCII in small.
func inSmall(text string) string {
	b := []byte(text)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c | 0x20
		}
	}
	return string(b)
}

var (
	kimchiPatterns = sync.OnceValue(func() []compiled { return compile(kimchi()) })
	hermesPatterns = sync.OnceValue(func() []compiled { return compile(hermes()) })
)

func compile(d *dialect) []compiled {
	var all []compiled
	for _, p := range patterns() {
		text := p.text
		switch {
		case p.exact:
		case d.folds:
			text = "(?i)" + text
		default:
			text = eitherCase(text)
		}
		all = append(all, compiled{p, regexp.MustCompile(strings.ReplaceAll(text, "SP", "["+d.spaces+"]"))})
	}
	return all
}

// eitherCase returns a pattern in which each letter stands for both of its cases, and
// for no others: (?i) would take the Kelvin sign for a k.
func eitherCase(pattern string) string {
	var out strings.Builder
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		lower := c | 0x20
		switch {
		case c == '\\' || strings.HasPrefix(pattern[i:], "SP"):
			out.WriteString(pattern[i : i+2])
			i++
		case lower >= 'a' && lower <= 'z':
			out.WriteString("[" + string(rune(lower)) + string(rune(lower-0x20)) + "]")
		default:
			out.WriteByte(c)
		}
	}
	return out.String()
}

// scan returns the sentence with which the tool refuses a text, or nothing.
func (d *dialect) scan(text string) string {
	for _, r := range unseen {
		if strings.ContainsRune(text, r) {
			return fmt.Sprintf("Blocked: content contains invisible unicode character U+%04X (possible injection).", r)
		}
	}
	small := inSmall(text)
	for _, p := range d.patterns() {
		if p.matches(text, small) {
			return "Blocked: content matches threat pattern '" + p.id + "'. Memory entries are injected into the system prompt and must not contain injection or exfiltration payloads."
		}
	}
	return ""
}

func (d *dialect) patterns() []compiled {
	if d.folds {
		return hermesPatterns()
	}
	return kimchiPatterns()
}

// threats returns the names of all that is wrong with a text, those of invisible
// characters as their numbers.
func (d *dialect) threats(text string) []string {
	var all []string
	for _, r := range unseen {
		if strings.ContainsRune(text, r) {
			all = append(all, fmt.Sprintf("invisible_unicode_U+%04X", r))
		}
	}
	small := inSmall(text)
	for _, p := range d.patterns() {
		if p.matches(text, small) {
			all = append(all, p.id)
		}
	}
	return all
}
