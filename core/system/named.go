package system

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"

	"winnow/core/memory"
)

// Named returns a function that reports whether a path ends in a match of one of the patterns.
// Elements of a pattern are separated by /. Within an element, * matches any characters; the
// element ** matches any number of elements, including none. A match starts at the beginning of any
// path element. Matching is case-sensitive.
func Named(patterns ...string) func(path string) bool {
	all := sync.OnceValue(func() []pathPattern { return parsePatterns(patterns) })
	return func(path string) bool {
		return path != "" && slices.ContainsFunc(all(), func(p pathPattern) bool {
			return strings.HasSuffix(path, p.end) && strings.Contains(path, p.part) && p.whole().MatchString(path)
		})
	}
}

func parsePatterns(patterns []string) []pathPattern {
	all := make([]pathPattern, len(patterns))
	for i, p := range patterns {
		all[i].end = strings.TrimPrefix(p[strings.LastIndexByte(p, '*')+1:], "/")
		for part := range strings.SplitSeq(p, "*") {
			if part = strings.Trim(part, "/"); len(part) > len(all[i].part) {
				all[i].part = part
			}
		}
		all[i].whole = sync.OnceValue(func() *regexp.Regexp {
			return regexp.MustCompile(
				"(?s)(?:^|/)" + wildcards.Replace(regexp.QuoteMeta(strings.ToValidUTF8(p, "\ufffd"))) + "$",
			)
		})
	}
	return all
}

// pathPattern is a pattern of [Named]. Few paths contain its literal end and its longest literal
// part, so the regular expression runs only on those.
type pathPattern struct {
	end, part string
	whole     func() *regexp.Regexp
}

// wildcards replaces the wildcards of a quoted pattern with regular expressions.
var wildcards = strings.NewReplacer(
	`/\*\*/`,
	`/(?:[^/]*/)*`,
	`\*\*/`,
	`(?:[^/]*/)*`,
	`/\*\*`,
	`(?:/.*)?`,
	`\*`,
	`[^/]*`,
)

// Framed returns a function for Form.Land that puts the body of a file between two texts, as the
// product does for its model. Ends are as in [memory.Landed].
func Framed(name, before, after string, ends ...string) func(*memory.Record) memory.Landed {
	return func(r *memory.Record) memory.Landed {
		start := len(before)
		return memory.Landed{
			Name: name, Text: before + r.Body + after, Ends: ends, Prose: true,
			Parts: []memory.LandedPart{{Field: "body", Start: start, End: start + len(r.Body)}},
		}
	}
}

// ObjectWith returns a function for Form.Looks. It reports whether one of the first lines of a file
// looks like a JSON object with all the keys. The last line of head may be cut.
func ObjectWith(keys ...string) func(head []byte) bool {
	quoted := make([][]byte, len(keys))
	for i, k := range keys {
		quoted[i] = []byte(`"` + k + `"`)
	}
	return func(head []byte) bool {
		for line := range bytes.Lines(head) {
			line = bytes.TrimLeft(line, "\ufeff \t\r\n")
			if len(line) > 0 && line[0] == '{' && holdsAll(line, quoted) {
				return true
			}
		}
		return false
	}
}

func holdsAll(line []byte, texts [][]byte) bool {
	return !slices.ContainsFunc(texts, func(t []byte) bool { return !bytes.Contains(line, t) })
}

// Pages reports whether a file begins like a SQLite database or its write-ahead log. The magic
// numbers are from https://sqlite.org/fileformat2.html.
func Pages(head []byte) bool {
	return slices.ContainsFunc(
		[]string{"SQLite format 3\x00", "\x37\x7f\x06\x82", "\x37\x7f\x06\x83"},
		func(magic string) bool {
			return strings.HasPrefix(string(head[:min(len(head), 16)]), magic)
		},
	)
}
