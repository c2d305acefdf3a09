package detect

// longestWrapped is how much of a run of base64 is read as one.
const longestWrapped = 1 << 16

// wrapped finds secrets in what base64 stands for whose groups of four begin at
// s[at]. The place is the whole run.
func (c *secretScanner) wrapped(s string, at int) (p secretAt, ok bool) {
	const least, overlap, set = 20, 1024, alnum | plus | under | dash
	if c.depth > 1 || at < c.decoded[at&3] {
		return p, false
	}
	start := at
	first := max(0, at-longestWrapped, c.decoded[at&3]-overlap)
	for start > first && is(s[start-1], set) {
		start--
	}
	end := run(s[:min(len(s), at+longestWrapped)], at, set)
	start += (at - start) & 3
	c.decoded[at&3] = end
	c.steps += end - start
	if end-start < least {
		return p, false
	}
	inner := secretScanner{t: c.t, depth: c.depth + 1}
	inner.find(fromBase64(s[start:end]))
	c.steps += inner.steps
	rule := int16(-1)
	for _, q := range inner.spans {
		if inner.telling(q) && (rule < 0 || q.rule < rule) {
			rule = q.rule
		}
	}
	if rule < 0 {
		return p, false
	}
	return secretAt{start, run(s[:min(len(s), end+2)], end, equal), rule}, true
}

// telling reports whether a find is of a form that chance does not make.
func (c *secretScanner) telling(p secretAt) bool {
	own := ruleOf()
	return p.rule < own.key || p.rule == own.key || p.rule == own.url
}

// fromBase64 returns what a text in base64 of either alphabet stands for.
func fromBase64(s string) string {
	out := make([]byte, 0, len(s)/4*3+3)
	bits, n := uint32(0), 0
	for i := range len(s) {
		bits = bits<<6 | uint32(sixBits(s[i]))
		if n++; n == 4 {
			out = append(out, byte(bits>>16), byte(bits>>8), byte(bits))
			bits, n = 0, 0
		}
	}
	switch n {
	case 2:
		out = append(out, byte(bits>>4))
	case 3:
		out = append(out, byte(bits>>10), byte(bits>>2))
	}
	return string(out)
}

// sixBits returns what a letter of base64 stands for.
func sixBits(c byte) byte {
	switch {
	case c >= 'A' && c <= 'Z':
		return c - 'A'
	case c >= 'a' && c <= 'z':
		return c - 'a' + 26
	case c >= '0' && c <= '9':
		return c - '0' + 52
	case c == '+' || c == '-':
		return 62
	}
	return 63
}
