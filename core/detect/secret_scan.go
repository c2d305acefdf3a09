package detect

import (
	"slices"
	"strings"
)

// secretScanner finds secrets in a text.
type secretScanner struct {
	t     *literals
	spans []secretAt
	// begun is set if a token begins somewhere, even an incomplete one.
	begun bool
	// tried is the last value that was checked and rejected.
	tried   value
	covered int // end of the last value that was found by its name
	steps   int // bytes examined beyond the first pass; tests check that this grows linearly

	// If asked is set, the scan also sets flagged when Flags might find something by a keyword.
	asked, flagged bool
	flags          flagScanner
}

// secretAt is a place in the text that matches a rule, by the rule's index in the table.
type secretAt struct {
	start, end int
	rule       int16
}

// find scans s and appends the secrets it finds to spans.
func (c *secretScanner) find(s string) {
	c.tried, c.covered = value{}, 0
	if c.asked {
		c.flags = flagScanner{text: s}
		c.flags.near.begin(s)
	}
	for i := c.t.next(s, 0); i < len(s); i = c.t.next(s, i) {
		next := max(i+1, c.at(s, i))
		c.flagged = c.flagged || next > i+1 // keywords inside a token are not searched for
		i = next
	}
}

// at checks every literal that the four bytes at s[i] may belong to, and returns where to continue.
func (c *secretScanner) at(s string, i int) int {
	g := gramOf(s, i)
	word := false
	for n := c.t.head(g); n != 0; n = c.t.nodes[n].next {
		d := &c.t.nodes[n]
		if d.kind == aKeyword {
			if c.asked && !c.flagged && d.holds(g, i) {
				c.keyword(s, i, d)
			}
			continue
		}
		if d.gram != g || d.kind == aWord && word || (d.kind == aWord || d.kind == aName) && i < c.covered {
			continue
		}
		start := i - int(d.off)
		if start < 0 {
			continue
		}
		c.steps += 16
		p, ok, matched := c.secretFrom(s, start, d)
		word = word || matched
		if !ok {
			continue
		}
		c.spans = append(c.spans, p)
		if d.kind != aWord && d.kind != aName && p.start <= start {
			c.steps += p.end - p.start
			return p.end
		}
		if d.kind == aWord || d.kind == aName {
			c.steps += p.end - p.start
			c.covered = p.end
			return p.start
		}
	}
	return i
}

// secretFrom returns the secret that the literal at s[start] leads to. Word reports whether the
// literal is a word that a secret can follow.
func (c *secretScanner) secretFrom(s string, start int, d *node) (p secretAt, ok, word bool) {
	switch d.kind {
	case aForm:
		p, ok = c.form(s, start, d)
	case aTail:
		p, ok = c.tail(s, start, d)
	case aDiscord:
		p, ok = discordToken(s, start, d.rule)
	case aWord:
		p, ok, word = c.word(s, start, &c.t.words[d.rule])
	case aName:
		if isKeyName(s, start+1) {
			p, ok = c.named(s, start+1, start+4, namesToken)
		}
	case aURL:
		p, ok = urlPassword(s, start+3)
		c.begun = c.begun || !ok && cutAuthority(s, start+3)
	case aKeyHead:
		p, ok = c.privateKey(s, start)
	case aPutty:
		p, ok = putty(s, start)
	case aBearer:
		p, ok = bearer(s, start)
	case aCurl:
		p, ok = curlUser(s, start)
	}
	return p, ok, word
}

// keyword sets flagged if d's keyword stands at s[i] and Flags might find something there.
func (c *secretScanner) keyword(s string, i int, d *node) {
	at := i - int(d.off)
	if at >= 0 && d.key.at(s[at:]) {
		c.flagged = c.flags.suspects(d.key, at, len(s) > 1024)
	}
}

// form finds the token with the prefix at s[start].
func (c *secretScanner) form(s string, start int, d *node) (secretAt, bool) {
	r := &table()[d.rule]
	f := &r.forms[d.form]
	if !strings.HasPrefix(s[start:], f.prefix) || is(f.prefix[0], alnum) && !tokenBegins(s, start) {
		return secretAt{}, false
	}
	c.begun = c.begun || f.mayBeCut(s, start+len(f.prefix))
	end := f.end(s, start)
	c.steps += judged
	if end == 0 || !f.fits(s[start:end]) || elided(s, start, end) {
		return secretAt{}, false
	}
	return secretAt{start, f.rest(s, start, end), d.rule}, true
}

// fits reports whether a token looks random enough for the form and passes its check.
func (f *form) fits(token string) bool {
	if entropy(token) < int(f.bits) || f.check != nil && !f.check(token) {
		return false
	}
	body := token[len(f.prefix):]
	return f.bits == 0 || body == "" || !placeholder(body) && !countsUp(body) && !documented()[token]
}

// tail finds the token that contains the tail's text at s[at].
func (c *secretScanner) tail(s string, at int, d *node) (secretAt, bool) {
	t := &table()[d.rule].tails[d.form]
	if !strings.HasPrefix(s[at:], t.text) {
		return secretAt{}, false
	}
	it, _ := nextItem(t.before)
	start := at
	for start > 0 && at-start <= it.most && is(s[start-1], it.set) {
		start--
	}
	if n := at - start; n < it.least || n > it.most {
		return secretAt{}, false
	}
	end := at + len(t.text)
	if t.body != "" {
		f := form{prefix: t.text, body: t.body}
		end = f.end(s, at)
	} else if end < len(s) && is(s[end], word) {
		return secretAt{}, false
	}
	if end == 0 || t.asked && !t.named(s, start) || !mixed(s[start:end]) || entropy(s[start:end]) < 28 || placeholder(s[start:end]) || repeats(s[start:end]) {
		return secretAt{}, false
	}
	return secretAt{start, end, d.rule}, true
}

// named reports whether a word before s[start] says that the token is secret. Keys that begin with
// pk_ are meant to be published.
func (t *tail) named(s string, start int) bool {
	before := s[max(0, start-longestGap):start]
	before = strings.ToLower(before[strings.LastIndexByte(before, '\n')+1:])
	return !strings.HasPrefix(s[start:], "pk_") && containsAny(before, "key;token;secret;credential")
}

// discordToken finds a bot token by the base64 number it begins with.
func discordToken(s string, start int, rule int16) (secretAt, bool) {
	f := form{body: "a23,28 . s6 . s27,45"}
	end := f.end(s, start)
	if end == 0 || !tokenBegins(s, start) || !mixed(s[start:end]) {
		return secretAt{}, false
	}
	return secretAt{start, end, rule}, true
}

// tokenBegins reports whether a token can begin at s[i]: not after a letter or digit, unless that
// belongs to an escape.
func tokenBegins(s string, i int) bool {
	if i == 0 || !is(s[i-1], alnum) {
		return true
	}
	before := s[max(0, i-12):i]
	n := len(before)
	switch {
	case n >= 2 && before[n-2] == '\\' && strings.IndexByte("nrtbf", before[n-1]) >= 0:
		return true
	case n >= 3 && before[n-3] == '%' && is(before[n-2], hexAny) && is(before[n-1], hexAny):
		return true
	case n >= 6 && before[n-6] == '\\' && before[n-5] == 'u' && run(before, n-4, hexAny) == n:
		return true
	case before[n-1] == 'm': // the end of a colour sequence, whose escape character may be spelled out
		k := n - 1
		for k > 0 && (is(before[k-1], digit) || before[k-1] == ';') {
			k--
		}
		return k > 0 && before[k-1] == '['
	}
	return false
}

// result returns the secrets found in s, sorted and not overlapping. Overlapping finds are joined
// under the most certain rule.
func (c *secretScanner) result(s string) []Span {
	if len(c.spans) == 0 {
		return nil
	}
	all := table()
	slices.SortStableFunc(c.spans, func(a, b secretAt) int { return a.start - b.start })
	kept := c.spans[:0]
	for _, p := range c.spans {
		if n := len(kept); n > 0 && p.start < kept[n-1].end {
			last := &kept[n-1]
			last.end = max(last.end, p.end)
			last.rule = min(last.rule, p.rule)
			continue
		}
		kept = append(kept, p)
	}
	out := make([]Span, 0, len(kept))
	for _, p := range kept {
		if p, ok := besideMarks(s, p); ok {
			out = append(out, Span{p.start, p.end, all[p.rule].id})
		}
	}
	return out
}

// besideMarks widens a place that begins or ends inside a Redacted mark to include the whole mark.
// It returns false for a place that holds nothing but marks.
func besideMarks(s string, p secretAt) (secretAt, bool) {
	from, to := max(0, p.start-len(Redacted)+1), min(len(s), p.end+len(Redacted)-1)
	if !strings.Contains(s[from:to], Redacted) {
		return p, true
	}
	rest := 0
	for i := from; i < to; {
		n := 1
		if strings.HasPrefix(s[i:], Redacted) {
			n = len(Redacted)
			if i < p.start && i+n > p.start {
				p.start = i
			}
			if i < p.end && i+n > p.end {
				p.end = i + n
			}
		} else if i >= p.start && i < p.end {
			rest++
		}
		i += n
	}
	return p, rest > 0
}
