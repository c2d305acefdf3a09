package claudecode

import (
	"regexp"
	"slices"
	"strings"
)

// Limits on what the braces of a rule expand to.
const (
	maxPatterns     = 1000
	maxPatternBytes = 4 << 20
	maxPattern      = 4 << 10 // bytes of one pattern; our own limit
)

// globs are the patterns of a rule.
type globs struct {
	written []string
	// plain are the patterns with braces expanded.
	plain []string
	// cut is set if a limit was reached.
	cut bool
}

// globsOf expands the braces in the patterns of a rule.
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

// matches reports whether a file matches. Its path has slashes and is relative to the folder of the
// patterns.
func (g *globs) matches(rel string) bool {
	if rel == "." || rel == ".." || strings.HasPrefix(rel, "../") {
		return false
	}
	return slices.ContainsFunc(g.plain, func(p string) bool { return ignores(strings.TrimSuffix(p, "/**"), rel) })
}

// expand calls fn with each text that the braces of a pattern expand to: "a{b,c}" is "ab" and "ac".
// As in the original, a brace ends at the first closing brace, and nothing is expanded from an
// empty or unclosed one on. expand stops and returns false when fn does.
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

// ignores reports whether a line of a .gitignore matches a path or a folder above it, ignoring case.
// A line that begins with ! matches nothing.
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

// excludes reports whether a pattern of claudeMdExcludes, without braces, matches a path.
func excludes(pattern, path string) bool {
	pattern = strings.TrimPrefix(strings.TrimPrefix(pattern, "./"), "/")
	end := "$"
	if folder, all := strings.CutSuffix(pattern, "/**"); all {
		pattern, end = folder, "(?:/|$)"
	}
	return globMatches("^", pattern, end, strings.TrimPrefix(path, "/"), true)
}

// globMatches reports whether a path matches a pattern placed between two regular expressions. The
// element ** matches any number of elements, and at least one at the end.
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

// globElement writes one element of a pattern as a regular expression: * matches any characters, ?
// one character, and brackets one of those inside. If negated is set, brackets that begin with !
// match all others.
func globElement(out *strings.Builder, p []rune, negated bool) {
	for i := 0; i < len(p); i++ {
		switch closing := slices.Index(p[i:], ']'); {
		case p[i] == '*':
			out.WriteString("[^/]*")
		case p[i] == '?':
			out.WriteString("[^/]")
		case p[i] == '[' && closing > 1:
			class := strings.NewReplacer(`\`, `\\`, "[", `\[`, "^", `\^`).Replace(string(p[i+1 : i+closing]))
			if others, not := strings.CutPrefix(class, "!"); not && negated {
				class = "^" + others
			}
			out.WriteString("[" + class + "]")
			i += closing
		case p[i] == '\\' && i+1 < len(p):
			i++
			fallthrough
		default:
			out.WriteString(regexp.QuoteMeta(string(p[i])))
		}
	}
}
