package claudecode

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"winnow/core/jstext"
	"winnow/core/system"
	"winnow/core/systems/claudecode/markdown"
)

// jsSpace is what JavaScript takes for white space, as a class of an expression.
const jsSpace = `[\s\x0b\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}]`

// frontMatter is what Claude Code takes for a header when it loads a file. The header ends
// at the first three dashes, also within a line.
var frontMatter = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^---` + jsSpace + `*\n((?s:.*?))---` + jsSpace + `*\n?`)
})

// withoutHeader returns the text of a file that Claude Code loads, with its bytes read as
// JavaScript does, and the header that it takes off.
func withoutHeader(raw string) (text, header string) {
	text = strings.TrimPrefix(jstext.Decode([]byte(raw)), bom)
	if !strings.HasPrefix(text, "---") {
		return text, ""
	}
	m := frontMatter().FindStringSubmatchIndex(text)
	if m == nil {
		return text, ""
	}
	return text[m[1]:], text[m[2]:m[3]]
}

// content returns what Claude Code takes of a file: without its header, and without the
// HTML comments that are blocks of their own. It is not trimmed.
func content(raw string) string {
	text, _ := withoutHeader(raw)
	text, _ = markdown.Uncommented(text)
	return text
}

// pathsOf returns the patterns in the header of a rule, and whether it waits for a file:
// a rule without paths, or with all of them, is always loaded.
func pathsOf(raw string) ([]string, bool) {
	_, header := withoutHeader(raw)
	if !strings.Contains(header, "paths") {
		return nil, false
	}
	var written []string
	if n := member(loadedHeader(header), "paths"); n != nil {
		written = patternsIn(n)
	}
	for _, w := range written {
		g := globsOf([]string{w})
		for _, p := range g.plain {
			if p = strings.TrimSuffix(p, "/**"); p != "" && p != "**" {
				return written, true
			}
		}
	}
	return nil, false
}

// loadedHeader decodes a header as Claude Code does when it loads a file. It is nil for one
// that is no mapping.
func loadedHeader(header string) *yaml.Node {
	root, err := yamlValue(untabbed(header))
	if err != nil {
		root, _ = yamlValue(untabbed(requoted(header))) // of one that still cannot be decoded nothing is used
	}
	return root
}

// untabbed returns a header with spaces in place of the tabs that lines begin with.
func untabbed(header string) string {
	return leadingTabs().ReplaceAllStringFunc(strings.ReplaceAll(header, "\r", ""), func(tabs string) string {
		return strings.Repeat(" ", len(tabs))
	})
}

var leadingTabs = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\t+`) })

var (
	plainEntry = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([a-zA-Z_-]+):` + jsSpace + `+(.+)$`) })
	unsafe     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("[{}\\[\\]*&#!|>%@`]|: ") })
)

// requoted returns a header with the values in quotes that are no plain YAML. Claude Code
// tries that when a header cannot be decoded.
func requoted(header string) string {
	lines := strings.Split(strings.ReplaceAll(header, "\r\n", "\n"), "\n")
	for i, l := range lines {
		m := plainEntry().FindStringSubmatch(l)
		if m == nil {
			continue
		}
		key, value := m[1], m[2]
		inQuotes := len(value) > 1 && (value[0] == '"' || value[0] == '\'') && value[len(value)-1] == value[0]
		if !inQuotes && unsafe().MatchString(value) {
			lines[i] = key + `: "` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value) + `"`
		}
	}
	return strings.Join(lines, "\n")
}

// patternsIn returns the patterns in a value of paths: a text with commas between them, or
// a list of such. Commas in braces separate nothing.
func patternsIn(n *yaml.Node) []string {
	switch {
	case n.Kind == yaml.SequenceNode:
		var out []string
		for _, c := range n.Content {
			out = append(out, patternsIn(c)...)
		}
		return out
	case n.Kind != yaml.ScalarNode || slices.Contains([]string{"!!null", "!!int", "!!float", "!!bool"}, n.ShortTag()):
		return nil
	}
	depth := 0
	parts := strings.Split(strings.Map(func(c rune) rune {
		switch {
		case c == '{':
			depth++
		case c == '}':
			depth--
		case c == ',' && depth <= 0:
			return 0
		}
		return c
	}, n.Value), "\x00")
	for i := range parts {
		parts[i] = jstext.Trim(parts[i])
	}
	return system.Notes(parts...) // without empty ones
}
