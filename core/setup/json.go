package setup

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"winnow/core/jstext"
)

// object is a settings file in JSON.
type object struct {
	hooks
	servers  string // the member with the MCP servers; empty if the file has none
	listed   bool   // a server's program and arguments are a single list
	comments bool   // comments and trailing commas are allowed
}

// document is the text of a file, and the same text without comments.
type document struct{ text, plain string }

func (o object) read(text string) (d document, root *node, err error) {
	d = document{text, text}
	if rest, bom := strings.CutPrefix(text, "\ufeff"); bom {
		d.plain = "   " + rest
	}
	if o.comments {
		if d.plain, err = jstext.WithoutComments(d.plain); err != nil {
			return d, nil, err
		}
	}
	root = &node{end: len(text)}
	if err := d.open(root, mostNested); err != nil {
		return d, nil, err
	}
	if root.kind != jstext.Object {
		return d, nil, errForm
	}
	root.end = 1 + strings.LastIndexByte(d.plain, '}')
	return d, root, nil
}

// mostNested is the depth of our entries: hooks, event, group, hooks, handler, command.
const mostNested = 6

// open finds the kind and the children of a value.
func (d document) open(n *node, depth int) (err error) {
	n.kind, err = jstext.Scan(d.plain[n.at:n.end], func(c jstext.Part) bool {
		child := &node{key: c.Name(), from: n.at + c.At, at: n.at + c.At, end: n.at + c.At + len(c.Value)}
		if c.Key != "" {
			child.from = n.at + c.KeyAt
		}
		n.children = append(n.children, child)
		return true
	})
	if n.kind == jstext.String {
		n.text = jstext.Text(d.plain[n.at:n.end])
	}
	for _, c := range n.children {
		if depth > 0 && err == nil {
			err = d.open(c, depth-1)
		}
	}
	return err
}

func (o object) find(text string) ([]found, error) {
	_, root, err := o.read(text)
	if err != nil {
		return nil, err
	}
	return findIn(root, o.servers), nil
}

// cut removes an entry, and any containers that were created for it and would be empty.
func (o object) cut(text string, f found) (string, error) {
	d, last := document{text: text}, len(f.path)-1
	for last > 1 && d.madeHere(f.path[last-1]) {
		last--
	}
	if last == 1 && d.madeHere(f.path[0]) {
		return "", nil
	}
	spaced, tight := d.without(f.path[last-1], f.path[last])
	if _, err := o.find(spaced); err == nil {
		return spaced, nil
	}
	_, err := o.find(tight)
	return tight, err
}

// madeHere reports whether setup created a container for its only child. When setup adds a child to an
// existing empty container, it adds no line end after it.
func (d document) madeHere(in *node) bool {
	return len(in.children) == 1 && strings.Contains(d.text[in.children[0].end:in.end], "\n")
}

// without returns the text without a child, its comma, and the space before it. tight keeps that
// space.
func (d document) without(in, child *node) (spaced, tight string) {
	from, end, only := d.spaceBefore(child.from), child.end, len(in.children) == 1
	if only {
		from = child.from
	}
	before := d.text[:from]
	if comma, ok := d.commaAfter(in, end); ok {
		end = comma + 1
	} else if !only {
		if at, ok := d.commaAfter(in, in.children[slices.Index(in.children, child)-1].end); ok {
			before = d.text[:at] + d.text[at+1:from]
		}
	}
	return before + d.text[end:], before + d.text[from:child.from] + d.text[end:]
}

// spaceBefore returns the offset at which the white space before another offset begins.
func (d document) spaceBefore(at int) int { return len(strings.TrimRight(d.text[:at], " \t\r\n")) }

// commaAfter returns the offset of the comma between the end of a child and the next child or the
// end of the container.
func (d document) commaAfter(in *node, end int) (int, bool) {
	bare, _ := jstext.WithoutComments(d.text[end:in.end-1] + "1") // so that the last comma is not blanked
	if !strings.HasPrefix(strings.TrimLeft(bare, " \t\r\n"), ",") {
		return 0, false
	}
	return end + strings.IndexByte(bare, ','), true
}

// add adds an entry after the existing ones, and creates missing containers around it.
func (o object) add(text, name, program string) (string, error) {
	keys, value := []string{"hooks", o.events[name]}, "["+o.hook(name, program)+"]"
	if name == MCP {
		keys, value = []string{o.servers, "winnow"}, o.server(program)
	}
	made := text == ""
	d, in, err := o.read(cmp.Or(text, "{\n}\n"))
	if err != nil {
		return "", err
	}
	for depth, key := range keys {
		next := in.member(key)
		switch last := depth == len(keys)-1; {
		case next == nil:
			for _, k := range slices.Backward(keys[depth+1:]) {
				value = "{" + jstext.Quoted(k) + ":" + value + "}"
			}
			return d.insert(in, key, value, depth+1, made), nil
		case last && name != MCP && next.kind == jstext.Array:
			return d.insert(next, "", o.hook(name, program), depth+2, false), nil
		case last || next.kind != jstext.Object:
			return "", fmt.Errorf("%s already exists and contains something else", strings.Join(keys[:depth+1], "."))
		}
		in = next
	}
	return "", errForm
}

// hook returns the group of one hook as JSON.
func (o object) hook(name, program string) string {
	named := ""
	if o.named {
		named = `"name":"winnow-` + name + `",`
	}
	matcher := ""
	if tools := o.matcher(name); tools != "" {
		matcher = `"matcher":` + jstext.Quoted(tools) + `,`
	}
	return fmt.Sprintf(
		`{%s"hooks":[{%s"type":"command","command":%s,"timeout":%d}]}`,
		matcher,
		named,
		jstext.Quoted(o.hooks.command(name, program)),
		o.timeout,
	)
}

// server returns the registration of the MCP server as JSON.
func (o object) server(program string) string {
	if o.listed {
		return `{"type":"local","command":[` + jstext.Quoted(program) + `,"mcp"],"enabled":true}`
	}
	return `{"command":` + jstext.Quoted(program) + `,"args":["mcp"]}`
}

// insert returns the text with a value added after the last child of a container, with the same
// spacing and indentation. In an empty container it goes right before the end; if setup created
// that container itself (made), a line end follows.
func (d document) insert(in *node, key, value string, depth int, made bool) string {
	unit, close := d.unit(), in.end-1
	space, indent, n := "", strings.Repeat(unit, depth), len(in.children)
	comma, at, after := -1, close, ""
	if n > 0 {
		last := in.children[n-1]
		space = d.text[d.spaceBefore(last.from):last.from]
		if i := strings.LastIndexByte(space, '\n'); i >= 0 {
			indent = space[i+1:]
		}
		at = d.spaceBefore(close)
		var trailing bool
		if comma, trailing = d.commaAfter(in, last.end); trailing {
			after = ","
		} else {
			comma = last.end
		}
		if strings.TrimRight(d.text[last.end:at], ", \t\r\n") != "" && !strings.Contains(space, "\n") { // a comment
			space = "\n" + indent
		}
	} else if made {
		space, at = "\n"+indent, close-1
	}
	entry := space
	if key != "" {
		entry += jstext.Quoted(key) + ": "
	}
	entry = d.lines(entry+pretty(value, unit, indent)) + after
	if n > 0 && after == "" {
		return d.text[:comma] + "," + d.text[comma:at] + entry + d.text[at:]
	}
	return d.text[:at] + entry + d.text[at:]
}

// lines returns a text with the line ends of the file.
func (d document) lines(text string) string {
	if !strings.Contains(d.text, "\r\n") {
		return text
	}
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")
}

// unit returns the indentation unit of the file.
func (d document) unit() string {
	for line := range strings.Lines(d.text) {
		if rest := strings.TrimLeft(line, " \t"); len(rest) < len(line) && strings.HasPrefix(rest, `"`) {
			return line[:len(line)-len(rest)]
		}
	}
	return "  "
}

// pretty returns a value as lines indented by unit; all lines except the first are also indented by
// indent.
func pretty(value, unit, indent string) string {
	v, _ := jstext.Parse(value) // it was created here
	var out strings.Builder
	for line := range strings.Lines(string(v.AppendIndent(nil, 1))) {
		rest := strings.TrimLeft(line, " ")
		if out.Len() > 0 {
			out.WriteString(indent)
		}
		out.WriteString(strings.Repeat(unit, len(line)-len(rest)) + rest)
	}
	return out.String()
}

// whyIgnored implements [form].
func (o object) whyIgnored(_, text string) []string {
	d, _, err := o.read(text)
	var settings map[string]any
	if err != nil || json.Unmarshal([]byte(d.plain), &settings) != nil {
		return nil
	}
	list := o.switchedOff(settings)
	config, _ := settings["hooksConfig"].(map[string]any)
	disabled, _ := config["disabled"].([]any)
	for _, name := range disabled {
		if name, _ := name.(string); o.named && strings.HasPrefix(name, "winnow-") {
			list = append(list, "The hook "+name+" is switched off in this file: it is in hooksConfig.disabled.")
		}
	}
	return list
}
