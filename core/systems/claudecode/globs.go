package claudecode

import (
	"path"
	"slices"
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
	// cut is set when there were more than a rule may have.
	cut bool
}

// globsOf returns the patterns of a rule, braces resolved.
func globsOf(written []string) globs {
	g := globs{written: written}
	left := maxPatternBytes
	for _, w := range written {
		if len(w) > maxPattern {
			g.cut = true
			continue
		}
		expand(w, func(p string) bool {
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

// matches reports whether a rule waits for a file, whose path is relative to the folder
// that the patterns count from, and has slashes.
func (g *globs) matches(rel string) bool {
	if rel == "." || rel == ".." || strings.HasPrefix(rel, "../") {
		return false
	}
	for _, p := range g.plain {
		if ignores(strings.TrimSuffix(p, "/**"), rel) {
			return true
		}
	}
	return false
}

// expand calls fn with each of the texts that braces in a pattern stand for: "a{b,c}" is
// "ab" and "ac". As in the original a brace closes at the first one that does, and one
// without its other half, or with nothing in it, ends the search. It stops and returns
// false when fn does.
func expand(pattern string, fn func(string) bool) bool {
	before, rest, opened := strings.Cut(pattern, "{")
	in, after, closed := strings.Cut(rest, "}")
	if !opened || !closed || in == "" {
		return fn(pattern)
	}
	for part := range strings.SplitSeq(in, ",") {
		if !expand(before+strings.TrimSpace(part)+after, fn) {
			return false
		}
	}
	return true
}

// ignores reports whether a line of a .gitignore, in any case, covers a path or a folder
// above it. A line that takes back covers nothing.
func ignores(line, rel string) bool {
	line = strings.ToLower(strings.TrimRight(line, " "))
	if line == "" || line[0] == '#' || line[0] == '!' {
		return false
	}
	folders := strings.HasSuffix(line, "/")
	line = strings.TrimSuffix(line, "/")
	anchored := strings.Contains(line, "/")
	pattern := strings.Split(strings.TrimPrefix(line, "/"), "/")
	path := strings.Split(strings.ToLower(rel), "/")
	for n := 1; n <= len(path); n++ {
		switch {
		case folders && n == len(path):
		case anchored && covers(pattern, path[:n]), !anchored && wildcard(pattern[0], path[n-1]):
			return true
		}
	}
	return false
}

// covers reports whether elements of a pattern are those of a path. Two stars are any
// number of elements, at the end at least one.
func covers(pattern, path []string) bool {
	again, from := -1, 0
	i, k := 0, 0
	for k < len(path) {
		switch {
		case i < len(pattern) && pattern[i] == "**":
			again, from = i, k
			if i++; i == len(pattern) {
				return true
			}
		case i < len(pattern) && wildcard(pattern[i], path[k]):
			i, k = i+1, k+1
		case again < 0:
			return false
		default:
			from++
			i, k = again+1, from
		}
	}
	return i == len(pattern)
}

// wildcard reports whether an element of a path is as a pattern says, in which * stands
// for any characters, ? for one, and brackets for one of those in them; ! and ^ there mean
// themselves.
func wildcard(pattern, name string) bool {
	p, s := []rune(pattern), []rune(name)
	again, from := -1, 0
	i, k := 0, 0
	for k < len(s) {
		if i < len(p) && p[i] == '*' {
			again, from = i, k
			i++
			continue
		}
		if n := one(p[i:], s[k]); n > 0 {
			i, k = i+n, k+1
			continue
		}
		if again < 0 {
			return false
		}
		from++
		i, k = again+1, from
	}
	for i < len(p) && p[i] == '*' {
		i++
	}
	return i == len(p)
}

// one returns how much of a pattern stands for a character, and 0 when it does not.
func one(p []rune, c rune) int {
	if len(p) == 0 {
		return 0
	}
	switch p[0] {
	case '?':
		return 1
	case '\\':
		if len(p) > 1 && p[1] == c {
			return 2
		}
		return 0
	case '[':
		end := slices.Index(p, ']')
		if end < 0 {
			break
		}
		for i := 1; i < end; i++ {
			if p[i] == c || i+2 < end && p[i+1] == '-' && p[i] <= c && c <= p[i+2] {
				return end + 1
			}
		}
		return 0
	}
	if p[0] == c {
		return 1
	}
	return 0
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
