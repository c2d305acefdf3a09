package detect

import (
	"slices"
	"strings"
)

// secretScanner finds secrets in a text.
type secretScanner struct {
	literals *literalIndex
	found    []secretSpan
	// tokenBegun is set if a token begins somewhere, even an incomplete one.
	tokenBegun bool
	// rejected is the last value that was checked and rejected.
	rejected value
	namedTo  int // end of the last value found by its name
	steps    int // bytes examined after the first pass; a test checks that this is linear

	// If checksFlags is set, the scan also sets mayFlag when Flags may find something by a keyword.
	checksFlags, mayFlag bool
	// flagScanner is that of the text if hasFlagScanner is set: it is large, and most texts need none.
	flagScanner    *flagScanner
	hasFlagScanner bool
}

// secretSpan is a span that matches the secret rule with that index.
type secretSpan struct {
	start, end int
	rule       int16
}

// scan appends the secrets in s to found.
func (c *secretScanner) scan(s string) {
	c.rejected, c.namedTo, c.hasFlagScanner = value{}, 0, false
	for i := c.literals.next(s, 0); i < len(s); i = c.literals.next(s, i) {
		next := max(i+1, c.checkLiterals(s, i))
		c.mayFlag = c.mayFlag || next > i+1 // keywords inside a token are not searched for
		i = next
	}
}

// checkLiterals checks every literal with the gram at s[i] and returns where to continue.
func (c *secretScanner) checkLiterals(s string, i int) int {
	g := gramAt(s, i)
	word := false
	for n := c.literals.firstEntry(g); n != 0; n = c.literals.entries[n].next {
		d := &c.literals.entries[n]
		if d.kind == keywordLiteral {
			if c.wantsKeywords() && d.matchesGram(g, i) {
				c.checkKeyword(s, i, d)
			}
			continue
		}
		if d.gram != g || d.kind == nameLiteral && word || d.isName() && i < c.namedTo {
			continue
		}
		start := i - int(d.offset)
		if start < 0 {
			continue
		}
		c.steps += 16
		p, ok, matched := c.findSecret(s, start, d)
		word = word || matched
		if !ok {
			continue
		}
		c.found = append(c.found, p)
		if d.isName() {
			c.steps += p.end - p.start
			c.namedTo = p.end
			return p.start
		}
		if p.start <= start {
			c.steps += p.end - p.start
			return p.end
		}
	}
	return i
}

// wantsKeywords reports whether the text is to be judged by Flags and no keyword was found yet.
func (c *secretScanner) wantsKeywords() bool { return c.checksFlags && !c.mayFlag }

// isName reports whether the literal is a part of a name whose value may be secret.
func (d *literalEntry) isName() bool { return d.kind == nameLiteral || d.kind == keyNameLiteral }

// findSecret returns the secret that the literal at s[start] leads to. word reports whether the
// literal is a word in a name.
func (c *secretScanner) findSecret(s string, start int, d *literalEntry) (p secretSpan, ok, word bool) {
	switch d.kind {
	case tokenLiteral:
		p, ok = c.findToken(s, start, d)
	case infixLiteral:
		p, ok = c.findInfixToken(s, start, d)
	case discordLiteral:
		p, ok = findDiscordToken(s, start, d.rule)
	case nameLiteral:
		p, ok, word = c.findNameWord(s, start, &c.literals.nameWords[d.rule])
	case keyNameLiteral:
		if isKeyName(s, start+1) {
			p, ok = c.findNamed(s, start+1, start+4, tokenName)
		} else if isKeyFor(s, start+1) {
			p, ok = c.findNamed(s, start+1, start+4, keyForName)
		}
	case urlLiteral:
		p, ok = findURLPassword(s, start+3)
		c.tokenBegun = c.tokenBegun || !ok && mayCutPassword(s, start+3)
	case pemLiteral:
		p, ok = c.findPrivateKey(s, start)
	case puttyLiteral:
		p, ok = findPuttyKey(s, start)
	case bearerLiteral:
		p, ok = findBearer(s, start)
	case curlLiteral:
		p, ok = findCurlPassword(s, start)
	case programLiteral:
		p, ok = c.findProgramPassword(s, start, &programs()[d.rule])
	case pipedLiteral:
		p, ok = findPipedPassword(s, start)
	case expectLiteral:
		p, ok = findExpectPassword(s, start)
	case cookieLiteral:
		p, ok = c.findCookieHeader(s, start)
	case curlCookieLiteral:
		p, ok = c.findCurlCookie(s, start)
	case cookieJarLiteral:
		p, ok = findCookieInJar(s, start)
	case storageLiteral:
		p, ok = findStoredCookie(s, start)
	case htpasswdLiteral:
		p, ok = findHtpasswd(s, start)
	}
	return p, ok, word
}

// checkKeyword sets mayFlag if d's keyword is at s[i] and Flags may find something there.
func (c *secretScanner) checkKeyword(s string, i int, d *literalEntry) {
	at := i - int(d.offset)
	if at < 0 || !d.keyword.matchesAt(s[at:]) {
		return
	}
	if c.flagScanner == nil {
		c.flagScanner = &flagScanner{}
	}
	if !c.hasFlagScanner {
		*c.flagScanner, c.hasFlagScanner = flagScanner{text: s, words: c.flagScanner.words}, true
	}
	c.mayFlag = c.flagScanner.finds(d.keyword, at)
}

// findToken finds the token with the prefix at s[start].
func (c *secretScanner) findToken(s string, start int, d *literalEntry) (secretSpan, bool) {
	r := &secretRules()[d.rule]
	f := &r.forms[d.form]
	if !strings.HasPrefix(s[start:], f.prefix) || inClass(f.prefix[0], alnum) && !mayBeginToken(s, start) ||
		isWithinBase64(s, start) {
		return secretSpan{}, false
	}
	c.tokenBegun = c.tokenBegun || f.mayBeCut(s, start+len(f.prefix))
	end := f.matchEnd(s, start)
	c.steps += maxExamined
	if end == 0 || !f.accepts(s[start:end]) || isElided(s, start, end) {
		return secretSpan{}, false
	}
	if f.isPublished(s, start, end) {
		return secretSpan{}, false
	}
	if end = f.fullEnd(s, start, end); r.id == ruleAWSKey {
		c.addAWSSecret(s, end)
	}
	if r.id == ruleGoogleKey && isOnPages(s, start, end) {
		return secretSpan{start, end, ruleIndex(ruleFirebaseKey)}, true
	}
	return secretSpan{start, end, d.rule}, true
}

// isPublished reports whether the token s[start:end] is a part of what everybody may see: the id of a key in a signed
// link, and Mapbox's tokens for visitors, which contain a web token.
func (f *tokenForm) isPublished(s string, start, end int) bool {
	if f.prefix == "eyJ" {
		return strings.HasSuffix(s[:start], "pk.")
	}
	return strings.HasPrefix(f.prefix, "AKIA") && hasAnyPrefix(s[end:], "/20;%2F20;%2f20")
}

// isOnPages reports whether the key of Google's s[start:end] is given to everybody who opens a page: it is in the
// address of the script that draws a map, or in the settings of an app with Firebase, where the rules of the database
// say what it may do. A key that is named after a model beside it is not.
func isOnPages(s string, start, end int) bool {
	const around, longestName = 240, 48
	before := bytesBefore(s, start, around)
	if at := strings.LastIndex(before, "maps/api/js?"); at >= 0 && !strings.ContainsAny(before[at:], " \t\r\n\"'`<>") {
		return true
	}
	name := strings.ToLower(bytesBefore(s, start, longestName))
	name = name[strings.LastIndexByte(name, '\n')+1:]
	return !containsAny(name, "gemini;genai;generative;google_ai;googleai;palm;vertex") &&
		containsAny(before+bytesAfter(s, end, around),
			"authDomain;auth_domain;firebaseapp.com;FIREBASE_;firebaseConfig;messagingSenderId;firebase_options")
}

// isWithinBase64 reports whether what begins at s[i] goes on a long run of base64, such as a picture, in which the
// first letters of any token occur.
func isWithinBase64(s string, i int) bool {
	const least, data = 64, 256
	if i > data && runStart(s, i-data, i, alnum|plusSlash) == i-data {
		return true // a font and a picture of one colour have few changes
	}
	if i < least || !inClass(s[i-1], plusSlash) || runStart(s, i-least, i, alnum|plusSlash) > i-least {
		return false
	}
	run := s[i-least : i]
	return classChanges(run)*4 >= least && wordBytes(run)*2 < least // a path has words
}

// accepts reports whether a token is random enough for the form and passes its check.
func (f *tokenForm) accepts(token string) bool {
	if entropy(token) < int(f.minEntropy) || f.check != nil && !f.check(token) {
		return false
	}
	body := token[len(f.prefix):]
	return f.minEntropy == 0 || body == "" ||
		!endsInCapitals(body) && !isPlaceholder(body) && !isCounting(body) && !isSlugOfWords(body) &&
			!documentedKeys()[token]
}

// endsInCapitals reports whether the body of a token ends in words in capitals, as in "api03-PROBESECRET".
func endsInCapitals(body string) bool {
	const least = 8
	last := body[strings.LastIndexAny(body, "-_")+1:]
	return len(last) >= least && len(last) < len(body) && runEnd(last, 0, upper) == len(last) &&
		wordBytes(last) == len(last)
}

// findInfixToken finds the token around the infix at s[at].
func (c *secretScanner) findInfixToken(s string, at int, d *literalEntry) (secretSpan, bool) {
	t := &secretRules()[d.rule].infixes[d.form]
	if !strings.HasPrefix(s[at:], t.infix) {
		return secretSpan{}, false
	}
	it, _ := parseBodyItem(t.before)
	start := runStart(s, max(0, at-it.max-1), at, it.set)
	if n := at - start; n < it.min || n > it.max {
		return secretSpan{}, false
	}
	end := at + len(t.infix)
	if t.after != "" {
		f := tokenForm{prefix: t.infix, body: t.after}
		end = f.matchEnd(s, at)
	} else if end < len(s) && inClass(s[end], wordChar) {
		return secretSpan{}, false
	}
	if end == 0 || t.needsKeyword && !t.hasKeywordBefore(s, start) || !isMixed(s[start:end]) ||
		entropy(s[start:end]) < 28 ||
		isPlaceholder(s[start:end]) ||
		isRepetitive(s[start:end]) {
		return secretSpan{}, false
	}
	return secretSpan{start, end, d.rule}, true
}

// hasKeywordBefore reports whether a word before s[start] says that the token is secret. Keys that
// begin with pk_ are public.
func (t *infixForm) hasKeywordBefore(s string, start int) bool {
	before := bytesBefore(s, start, longestGap)
	before = strings.ToLower(before[strings.LastIndexByte(before, '\n')+1:])
	return !strings.HasPrefix(s[start:], "pk_") && containsAny(before, "key;token;secret;credential")
}

// findDiscordToken finds a bot token by the base64 number it begins with.
func findDiscordToken(s string, start int, rule int16) (secretSpan, bool) {
	f := tokenForm{body: "a23,28 . s6 . s27,45"}
	end := f.matchEnd(s, start)
	if end == 0 || !mayBeginToken(s, start) || !isMixed(s[start:end]) {
		return secretSpan{}, false
	}
	return secretSpan{start, end, rule}, true
}

// mayBeginToken reports whether a token can begin at s[i]: not after a letter or digit, unless it
// is the end of an escape.
func mayBeginToken(s string, i int) bool {
	if i == 0 || !inClass(s[i-1], alnum) {
		return true
	}
	before := bytesBefore(s, i, 12)
	return endsInEscape(before) || endsInColour(before)
}

// endsInEscape reports whether a text ends in an escape of JSON or of a link.
func endsInEscape(before string) bool {
	n := len(before)
	switch {
	case n >= 2 && before[n-2] == '\\' && strings.IndexByte("nrtbf", before[n-1]) >= 0:
		return true
	case n >= 3 && before[n-3] == '%' && inClass(before[n-2], anyHex) && inClass(before[n-1], anyHex):
		return true
	case n >= 6 && before[n-6] == '\\' && before[n-5] == 'u' && runEnd(before, n-4, anyHex) == n:
		return true
	}
	return false
}

// endsInColour reports whether a text ends in a sequence that colours what follows in a terminal.
func endsInColour(before string) bool {
	numbers, ok := strings.CutSuffix(before, "m")
	return ok && strings.HasSuffix(strings.TrimRight(numbers, "0123456789;"), "[")
}

// result returns the secrets found in s, sorted. Overlapping spans are joined under the most
// certain rule.
func (c *secretScanner) result(s string) []Span {
	if len(c.found) == 0 {
		return nil
	}
	all := secretRules()
	slices.SortStableFunc(c.found, func(a, b secretSpan) int { return a.start - b.start })
	kept := c.found[:0]
	for _, p := range c.found {
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
		if p, ok := includeMarks(s, p); ok {
			out = append(out, Span{p.start, p.end, all[p.rule].id})
		}
	}
	return out
}

// includeMarks widens a span that begins or ends inside a Redacted mark to the whole mark. It
// returns false for a span of nothing but marks.
func includeMarks(s string, p secretSpan) (secretSpan, bool) {
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
