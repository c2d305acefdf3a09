package claudecode

import (
	"regexp"
	"slices"
	"strings"
)

// How much the braces of a rule may expand to.
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
	begin, end := "(?:^|/)", "(?:/|$)"
	pattern, folders := strings.CutSuffix(line, "/")
	if folders {
		end = "/"
	}
	if strings.Contains(pattern, "/") {
		begin = "^"
	}
	return globMatches(begin, strings.TrimPrefix(pattern, "/"), end, strings.ToLower(rel), false)
}

// excludes reports whether a pattern of claudeMdExcludes without braces covers a path.
func excludes(pattern, path string) bool {
	pattern = strings.TrimPrefix(strings.TrimPrefix(pattern, "./"), "/")
	end := "$"
	if folder, all := strings.CutSuffix(pattern, "/**"); all {
		pattern, end = folder, "(?:/|$)"
	}
	return globMatches("^", pattern, end, strings.TrimPrefix(path, "/"), true)
}

// globMatches reports whether a path is as a pattern says between two expressions. The
// element ** stands for any number of elements, and at the end for at least one.
func globMatches(begin, pattern, end, path string, negated bool) bool {
	elements := strings.Split(pattern, "/")
	var out strings.Builder
	for i, e := range elements {
		last := i == len(elements)-1
		switch {
		case e == "**" && last:
			out.WriteString(".+")
		case e == "**":
			out.WriteString("(?:[^/]+/)*")
		default:
			globElement(&out, []rune(e), negated)
			if !last {
				out.WriteByte('/')
			}
		}
	}
	re, err := regexp.Compile("(?s)" + begin + out.String() + end)
	return err == nil && re.MatchString(string([]rune(path)))
}

// globElement writes one element of a pattern as an expression: * stands for any
// characters, ? for one, and brackets for one of those in them, or after a ! for
// one of all others where negated is set.
func globElement(out *strings.Builder, p []rune, negated bool) {
	for i := 0; i < len(p); i++ {
		switch shut := slices.Index(p[i:], ']'); {
		case p[i] == '*':
			out.WriteString("[^/]*")
		case p[i] == '?':
			out.WriteString("[^/]")
		case p[i] == '[' && shut > 1:
			class := strings.NewReplacer(`\`, `\\`, "[", `\[`, "^", `\^`).Replace(string(p[i+1 : i+shut]))
			if others, not := strings.CutPrefix(class, "!"); not && negated {
				class = "^" + others
			}
			out.WriteString("[" + class + "]")
			i += shut
		case p[i] == '\\' && i+1 < len(p):
			i++
			fallthrough
		default:
			out.WriteString(regexp.QuoteMeta(string(p[i])))
		}
	}
}
