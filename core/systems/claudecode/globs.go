package claudecode

import (
	"path"
	"strings"
)

// What a rule may spend on braces: patterns, and bytes of them.
const (
	maxPatterns     = 1000
	maxPatternBytes = 4 << 20
	maxPattern      = 4 << 10 // bytes of one; ours
)

// globs are the patterns of a rule.
type globs struct {
	written []string
	// plain are they without braces.
	plain []string
	// bad are those that match nothing, since a bracket in them is not closed.
	bad []string
	// cut is set when there were more than a rule may have.
	cut bool
}

// globsOf returns the patterns of a rule, braces resolved.
func globsOf(written []string) globs {
	g := globs{written: written}
	left := maxPatternBytes
	for _, w := range written {
		if len(w) > maxPattern || !closedBrackets(w) {
			g.bad = append(g.bad, w)
			continue
		}
		expand("", w, func(p string) bool {
			if len(g.plain) == maxPatterns || len(p) > left {
				g.cut = true
				return false
			}
			left -= len(p)
			g.plain = append(g.plain, p)
			return true
		})
	}
	return g
}

// matches reports whether a path, relative and with slashes, is one of the globs'.
func (g *globs) matches(rel string) bool {
	for _, p := range g.plain {
		if globMatches(p, rel) {
			return true
		}
	}
	return false
}

// closedBrackets reports whether every [ of a pattern is closed in the same element.
func closedBrackets(p string) bool {
	for {
		i := strings.IndexByte(p, '[')
		if i < 0 {
			return true
		}
		if i > 0 && p[i-1] == '\\' {
			p = p[i+1:]
			continue
		}
		class, rest, closed := strings.Cut(p[i+1:], "]")
		if !closed || class == "" || strings.Contains(class, "/") {
			return false
		}
		p = rest
	}
}

// expand calls fn with each of the texts that braces in a pattern stand for: "a{b,c}" is
// "ab" and "ac". Braces without a comma, or without their other half, stand for
// themselves. It stops and returns false when fn does.
func expand(before, pattern string, fn func(string) bool) bool {
	open, parts, after := braces(pattern)
	if parts == nil {
		return fn(before + pattern)
	}
	before += pattern[:open]
	for _, p := range parts {
		more := func(s string) bool { return expand(s, after, fn) }
		if !expand(before, p, more) {
			return false
		}
	}
	return true
}

// braces returns where the first braces with a comma begin, what is between the commas,
// and what follows.
func braces(pattern string) (open int, parts []string, after string) {
	for open = 0; open < len(pattern); open++ {
		if pattern[open] != '{' {
			continue
		}
		depth, from := 1, open+1
		parts = nil
		for i := open + 1; i < len(pattern); i++ {
			switch c := pattern[i]; {
			case c == '{':
				depth++
			case c == '}':
				depth--
			case c == ',' && depth == 1:
				parts = append(parts, pattern[from:i])
				from = i + 1
			}
			if depth == 0 {
				if parts == nil {
					break
				}
				return open, append(parts, pattern[from:i]), pattern[i+1:]
			}
		}
	}
	return 0, nil, ""
}

// globMatches reports whether a path is as a pattern without braces says: ** stands for
// any number of elements, also none, * and ? for characters in one element, [ab] for one
// of several.
func globMatches(pattern, name string) bool {
	pattern = strings.TrimPrefix(strings.TrimPrefix(pattern, "./"), "/")
	p, n := strings.Split(pattern, "/"), strings.Split(strings.TrimPrefix(name, "/"), "/")
	again, from := -1, 0
	i, k := 0, 0
	for k < len(n) {
		if i < len(p) && p[i] == "**" {
			again, from = i, k
			i++
			if i == len(p) {
				return true
			}
			continue
		}
		if i < len(p) {
			if ok, err := path.Match(strings.ReplaceAll(p[i], "[!", "[^"), n[k]); ok && err == nil {
				i, k = i+1, k+1
				continue
			}
		}
		if again < 0 {
			return false
		}
		from++
		i, k = again+1, from
	}
	for i < len(p) && p[i] == "**" {
		i++
	}
	return i == len(p)
}
