package claudecode

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"winnow/core/jstext"
	"winnow/core/system"
	"winnow/core/systems/claudecode/markdown"
)

// maxHeader is the number of bytes of front matter that are read.
const maxHeader = 64 << 10

// header is the front matter of a file: YAML lines between two lines of three dashes at its
// beginning. A file without front matter has the zero header.
type header struct {
	there bool
	// start and end are the offsets of the lines between the dashes, and body is the offset of the
	// text after them. A header that is never closed takes up the whole file.
	start, end, body int
	root             *yaml.Node // the mapping; nil if it cannot be decoded
	repaired         *yaml.Node // what Claude Code makes of a header that cannot be decoded
	// problem is a sentence that says why it cannot be decoded. It is empty if it can.
	problem string
}

const bom = "\ufeff"

var (
	headerBegin = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\A\x{feff}?---[ \t]*\r?\n`) })
	headerEnd   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^---[ \t]*\r?$\n?`) })
)

// headerOf returns the front matter of a text.
func headerOf(text string) header {
	begin := headerBegin().FindString(text)
	if begin == "" {
		return header{body: len(text) - len(strings.TrimPrefix(text, bom))}
	}
	h := header{there: true, start: len(begin), end: len(begin), body: len(text)}
	end := headerEnd().FindStringIndex(text[h.start:])
	if end == nil || end[0] > maxHeader {
		h.problem = "The header has no closing line of three dashes."
		return h
	}
	h.end, h.body = h.start+end[0], h.start+end[1]
	h.read(text)
	return h
}

// lineAt returns the line that begins at an offset, without its line end, and the offset of the
// next line.
func lineAt(text string, at int) (line string, next int) {
	line, _, found := strings.Cut(text[at:], "\n")
	next = at + len(line)
	if found {
		next++
	}
	return strings.TrimSuffix(line, "\r"), next
}

// withoutEnd returns a line without its line end.
func withoutEnd(line string) string {
	return strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
}

// read decodes the lines between the fences.
func (h *header) read(text string) {
	root, err := yamlValue(text[h.start:h.end])
	if err != nil {
		h.problem = fmt.Sprintf(
			"The header is not valid YAML: %s.",
			strings.TrimPrefix(firstLine(err.Error()), "yaml: "),
		)
		h.repaired = loadedHeader(text[h.start:h.end])
	} else if h.root = root; root != nil && root.Kind != yaml.MappingNode {
		h.root, h.problem = nil, "The header is not a list of keys and values."
	}
}

// yamlValue returns the value in a YAML text, or nil if there is none.
func yamlValue(text string) (*yaml.Node, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil || len(doc.Content) == 0 {
		return nil, err
	}
	return doc.Content[0], nil
}

// trimmed returns the range of a part of a text without the white space around it.
func trimmed(text string, from, to int) (int, int) {
	const space = " \t\r\n"
	to = from + len(strings.TrimRight(text[from:to], space))
	from = to - len(strings.TrimLeft(text[from:to], space))
	return from, to
}

// find returns the nodes of a key and its value, at the top level or below metadata, or nil.
func (h *header) find(name string) (key, value *yaml.Node) {
	root := h.root
	if root == nil {
		root = h.repaired
	}
	if key, value = pair(root, name); value == nil {
		key, value = pair(member(root, "metadata"), name)
	}
	return key, value
}

// has reports whether the header has a key.
func (h *header) has(name string) bool {
	_, value := h.find(name)
	return value != nil
}

// pair returns the nodes of a key in a mapping and of its value, or nil.
func pair(n *yaml.Node, name string) (key, value *yaml.Node) {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil, nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i], n.Content[i+1]
		}
	}
	return nil, nil
}

func member(n *yaml.Node, name string) *yaml.Node {
	_, value := pair(n, name)
	return value
}

// text returns the text of a key, or "" if there is none.
func (h *header) text(name string) string {
	_, n := h.find(name)
	switch {
	case n == nil || n.Kind != yaml.ScalarNode:
		return ""
	case h.root == nil: // the damage is in the quotes
		return strings.Trim(n.Value, `"'`)
	case h.commented(name):
		return n.Value + " " + n.LineComment
	}
	return n.Value
}

// commented reports whether YAML ends the value of a key at a # in its line.
func (h *header) commented(name string) bool {
	_, n := h.find(name)
	return n != nil && n.Kind == yaml.ScalarNode && n.Style == 0 && n.Value != "" && n.LineComment != ""
}

// place returns the range of a key's value in the text of the file, without the white space around
// it. It returns false if no line begins with the key.
func (h *header) place(text, name string) (from, to int, found bool) {
	key, _ := h.find(name)
	if key == nil {
		return 0, 0, false
	}
	at := h.start
	for range key.Line - 1 {
		_, at = lineAt(text, at)
	}
	line, next := lineAt(text, at)
	before, _, _ := strings.Cut(line, ":")
	if strings.Trim(before, " ") != name {
		return 0, 0, false
	}
	for next < h.end { // a value continues in lines that are indented further
		more, after := lineAt(text, next)
		if strings.TrimSpace(more) != "" && len(more)-len(strings.TrimLeft(more, " ")) < key.Column {
			break
		}
		next = after
	}
	colon := at + len(before) + 1
	from, to = trimmed(text, colon, max(colon, min(next, h.end)))
	return from, to, true
}

// newline returns the line end that a text uses.
func newline(text string) string {
	if i := strings.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// set returns the text with only the value of a key replaced. It adds a missing key at the end of
// the header.
func (h *header) set(text, name, value string) string {
	from, to, found := h.place(text, name)
	if !found {
		return text[:h.end] + name + ": " + quoted(value) + newline(text) + text[h.end:]
	}
	_, n := h.find(name)
	spelt := quoted(value)
	if plainWord().MatchString(value) && n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) == 0 {
		spelt = value
	}
	if from == to && text[from-1] == ':' {
		spelt = " " + spelt
	}
	return text[:from] + spelt + text[to:]
}

// plainWord matches texts that need no quotes in YAML, because they are not a number, date or
// boolean.
var plainWord = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(
		`^(?:user|feedback|project|reference|[A-Za-z][A-Za-z0-9]*(?:[ _/.,()-]+[A-Za-z0-9]+)+\.?)$`,
	)
})

// quoted returns a text as a double-quoted YAML string.
func quoted(s string) string {
	// encoding a string cannot fail
	out, _ := yaml.Marshal(&yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Style: yaml.DoubleQuotedStyle, Value: s})
	return strings.TrimSuffix(string(out), "\n")
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return strings.TrimSuffix(s, "\r")
}

// jsSpace is what JavaScript treats as white space, as a character class.
const jsSpace = `[\s\x0b\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}]`

// withoutHeader returns the text of a file as Claude Code loads it, decoded as JavaScript does, and
// the header that it removes. The header is between three dashes with the end of their line and the
// next three dashes, which may be within a line. A byte order mark goes with the header. Without a
// header it stays, and counts as a letter of the first line, which is then no fence, comment or list.
func withoutHeader(raw string) (text, header string) {
	text = jstext.Decode([]byte(raw))
	behind, ok := strings.CutPrefix(strings.TrimPrefix(text, bom), "---")
	blank := len(behind) - len(strings.TrimLeftFunc(behind, jstext.IsSpace))
	begin := strings.LastIndexByte(behind[:blank], '\n')
	if !ok || begin < 0 {
		return text, ""
	}
	header, rest, ok := strings.Cut(behind[begin+1:], "---")
	if !ok {
		return text, ""
	}
	return strings.TrimLeftFunc(rest, jstext.IsSpace), header
}

// content returns what Claude Code uses of a file: the text without its header and without HTML
// comments that are blocks of their own. It is not trimmed.
func content(raw string) string {
	text, _ := withoutHeader(raw)
	text, _ = markdown.Uncommented(text)
	return text
}

// pathsOf returns the patterns in the header of a rule, and whether the rule waits for a matching
// file. A rule without paths, or with a pattern for all files, is always loaded.
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

// loadedHeader decodes a header as Claude Code does when it loads a file. It returns nil if the
// header is not a mapping.
func loadedHeader(header string) *yaml.Node {
	root, err := yamlValue(untabbed(header))
	if err != nil {
		root, _ = yamlValue(untabbed(requoted(header))) // a header that still cannot be decoded is ignored
	}
	return root
}

// untabbed returns a header with spaces instead of leading tabs.
func untabbed(header string) string {
	return leadingTabs().ReplaceAllStringFunc(strings.ReplaceAll(header, "\r", ""), func(tabs string) string {
		return strings.Repeat(" ", len(tabs))
	})
}

var leadingTabs = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\t+`) })

var (
	plainEntry = sync.OnceValue(
		func() *regexp.Regexp { return regexp.MustCompile(`^([a-zA-Z_-]+):` + jsSpace + `+(.+)$`) },
	)
	unsafe = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("[{}\\[\\]*&#!|>%@`]|: ") })
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
		var all []string
		for _, c := range n.Content {
			all = append(all, patternsIn(c)...)
		}
		return all
	case n.Kind != yaml.ScalarNode || slices.Contains([]string{"!!null", "!!int", "!!float", "!!bool"}, n.ShortTag()):
		return nil
	}
	depth := 0
	var out []string
	for part := range strings.FieldsFuncSeq(n.Value, func(r rune) bool {
		depth += map[rune]int{'{': 1, '}': -1}[r]
		return r == ',' && depth <= 0
	}) {
		out = append(out, jstext.Trim(part))
	}
	return system.Notes(out...) // without empty ones
}
