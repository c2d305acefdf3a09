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

// maxHeader is how many bytes of front matter are read.
const maxHeader = 64 << 10

// header is the front matter of a file: lines of YAML between two lines of three dashes at its
// beginning. The zero header is for a file without one.
type header struct {
	there bool
	// start and end are the offsets of the lines between the dashes, and body is where the text
	// after them begins. A header that is never closed takes up the whole file.
	start, end, body int
	entries          []entry
	root             *yaml.Node // the mapping; nil when it cannot be decoded
	// problem says in a sentence why it cannot be decoded; empty when it can.
	problem string
}

// entry is one key of a header, at the top or one level down.
type entry struct {
	under, key string // under is the key above it; empty at the top
	indent     int
	// from and to are the bytes of the value in the text of the file, without space
	// around it; next is where the line after the entry begins.
	from, to, next int
}

const bom = "\ufeff"

// headerOf returns the front matter of a text.
func headerOf(text string) header {
	at := len(bom)
	if !strings.HasPrefix(text, bom) {
		at = 0
	}
	line, next := lineAt(text, at)
	if strings.TrimRight(line, " \t") != "---" || next == at+len(line) && next == len(text) {
		return header{body: at}
	}
	h := header{there: true, start: next, end: next, body: len(text)}
	for at = next; at < len(text) && at-h.start <= maxHeader; at = next {
		line, next = lineAt(text, at)
		if strings.TrimRight(line, " \t") == "---" {
			h.end, h.body = at, next
			h.read(text)
			return h
		}
	}
	h.problem = "The header has no closing line of three dashes."
	h.entries = scanned(text, h.start, min(len(text), h.start+maxHeader))
	return h
}

// lineAt returns the line that begins at an offset, without its end, and where the next
// begins.
func lineAt(text string, at int) (line string, next int) {
	line, _, found := strings.Cut(text[at:], "\n")
	next = at + len(line)
	if found {
		next++
	}
	return strings.TrimSuffix(line, "\r"), next
}

// withoutEnd returns a line without its end.
func withoutEnd(line string) string {
	return strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
}

// read decodes the lines between the fences.
func (h *header) read(text string) {
	h.entries = scanned(text, h.start, h.end)
	root, err := yamlValue(text[h.start:h.end])
	if err != nil {
		h.problem = fmt.Sprintf("The header is not valid YAML: %s.", strings.TrimPrefix(firstLine(err.Error()), "yaml: "))
	} else if h.root = root; root != nil && root.Kind != yaml.MappingNode {
		h.root, h.problem = nil, "The header is not a list of keys and values."
	}
}

// yamlValue returns the value in a text of YAML, nil when there is none.
func yamlValue(text string) (*yaml.Node, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil || len(doc.Content) == 0 {
		return nil, err
	}
	return doc.Content[0], nil
}

// keyLine is a line that begins with a key.
var keyLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^( *)([A-Za-z_][A-Za-z0-9_.-]*):(?:[ \t]|$)`) })

// keyOf returns the key that a line begins with and its indentation, or nothing.
func keyOf(line string) (indent int, key string) {
	m := keyLine().FindStringSubmatch(line)
	if m == nil {
		return 0, ""
	}
	return len(m[1]), m[2]
}

// scanned returns the keys that lines begin with, in order.
func scanned(text string, start, end int) (out []entry) {
	top := ""
	for at := start; at < end; {
		line, next := lineAt(text, at)
		indent, key := keyOf(line)
		if key == "" {
			at = next
			continue
		}
		e := entry{key: key, indent: indent, next: next}
		for e.next < end { // a value goes on in lines that are further in
			more, after := lineAt(text, e.next)
			in := len(more) - len(strings.TrimLeft(more, " "))
			if strings.TrimSpace(more) != "" && (in <= e.indent || e.indent == 0 && keyLine().MatchString(more)) {
				break
			}
			e.next = after
		}
		colon := at + indent + len(key) + 1
		e.from, e.to = trimmed(text, colon, max(colon, min(e.next, end)))
		if e.indent == 0 {
			top = e.key
		} else {
			e.under = top
		}
		out = append(out, e)
		at = next
		if e.indent > 0 || e.to > e.from {
			at = e.next
		}
	}
	return out
}

// trimmed returns the bytes of a part of a text without the space around it.
func trimmed(text string, from, to int) (int, int) {
	const space = " \t\r\n"
	to = from + len(strings.TrimRight(text[from:to], space))
	from = to - len(strings.TrimLeft(text[from:to], space))
	return from, to
}

// find returns the entry of a key, at the top or below metadata.
func (h *header) find(key string) (entry, bool) {
	for _, under := range [...]string{"", "metadata"} {
		if i := slices.IndexFunc(h.entries, func(e entry) bool { return e.key == key && e.under == under }); i >= 0 {
			return h.entries[i], true
		}
	}
	return entry{}, false
}

// text returns the text of a key, empty when there is none.
func (h *header) text(text, key string) string {
	value, _ := h.value(text, key)
	return value
}

// node returns the decoded value of a key, at the top or below metadata, or nil.
func (h *header) node(key string) *yaml.Node {
	if n := member(h.root, key); n != nil {
		return n
	}
	return member(member(h.root, "metadata"), key)
}

func member(n *yaml.Node, key string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// value returns the text of a key, or nothing. When the header cannot be decoded, that is the rest
// of the line. Cut is set when YAML ends the value at a # in the line.
func (h *header) value(text, key string) (value string, cut bool) {
	e, found := h.find(key)
	if n := h.node(key); n != nil {
		if n.Kind != yaml.ScalarNode {
			return "", false
		}
		if n.Style == 0 && found {
			if line := text[e.from:e.to]; len(line) > len(n.Value) && strings.HasPrefix(line, n.Value) && !strings.Contains(line, "\n") {
				return line, true
			}
		}
		return n.Value, false
	}
	if !found || h.root != nil {
		return "", false
	}
	return strings.Trim(firstLine(text[e.from:e.to]), `"'`), false
}

// newline returns how the lines of a text end.
func newline(text string) string {
	if i := strings.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// set returns the text with only the value of a key replaced. A missing key is added at the end of
// the header.
func (h *header) set(text, key, value string) string {
	e, found := h.find(key)
	if !found {
		return text[:h.end] + key + ": " + quoted(value) + newline(text) + text[h.end:]
	}
	n := h.node(key)
	spelt := quoted(value)
	if plainWord().MatchString(value) && (n == nil || n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) == 0) {
		spelt = value
	}
	if e.from == e.to && text[e.from-1] == ':' {
		spelt = " " + spelt
	}
	return text[:e.from] + spelt + text[e.to:]
}

// plainWord matches texts that need no quotes in YAML, since they are no number, date or boolean.
var plainWord = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:user|feedback|project|reference|[A-Za-z][A-Za-z0-9]*(?:[ _/.,()-]+[A-Za-z0-9]+)+\.?)$`)
})

// quoted returns a text as YAML in double quotes.
func quoted(s string) string {
	out, _ := yaml.Marshal(&yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Style: yaml.DoubleQuotedStyle, Value: s}) // a text can be written
	return strings.TrimSuffix(string(out), "\n")
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return strings.TrimSuffix(s, "\r")
}

// jsSpace is what JavaScript takes for white space, as a class of an expression.
const jsSpace = `[\s\x0b\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}]`

// withoutHeader returns the text of a file that Claude Code loads, with its bytes read as
// JavaScript does, and the header that it takes off. The header stands between three dashes
// with the end of their line and the next three dashes, also within a line.
func withoutHeader(raw string) (text, header string) {
	text = strings.TrimPrefix(jstext.Decode([]byte(raw)), bom)
	behind, ok := strings.CutPrefix(text, "---")
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
