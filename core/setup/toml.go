package setup

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"winnow/core/jstext"
)

// tables is a settings file in TOML: each hook and each server is its own table.
type tables struct{ hooks }

const serversTable = "mcp_servers"

// read returns the file as a tree, and its tables in order.
func (tables) read(text string) (root *node, list []*node, err error) {
	var p unstable.Parser
	p.Reset([]byte(text))
	root = &node{kind: jstext.Object}
	in := root
	for p.NextExpression() {
		e := p.Expression()
		if e.Kind == unstable.KeyValue {
			in.addCommand(e)
			continue
		}
		in = root
		for it := e.Key(); it.Next(); {
			in = in.tableAt(string(it.Node().Data), it.IsLast() && e.Kind == unstable.ArrayTable)
			if !in.table {
				in.from = 1 + strings.LastIndexByte(text[:it.Node().Raw.Offset], '\n')
			}
		}
		if len(list) > 0 {
			list[len(list)-1].end = in.from
		}
		in.table, in.end = true, len(text)
		list = append(list, in)
	}
	for _, t := range list {
		t.end = t.from + contentLength(text[t.from:max(t.from, t.end)])
	}
	if err := p.Error(); err != nil {
		return nil, nil, err
	}
	var any map[string]any
	return root, list, toml.Unmarshal([]byte(text), &any)
}

// tableAt returns the table with a key; in an array of tables, the last one. It creates the table if
// it is missing, and with another it adds one to the array.
func (n *node) tableAt(key string, another bool) *node {
	c := n.member(key)
	if c == nil {
		c = &node{key: key, kind: jstext.Object}
		n.children = append(n.children, c)
		if another {
			c.kind = jstext.Array
		}
	}
	if another {
		c.children = append(c.children, &node{kind: jstext.Object})
	}
	if c.kind == jstext.Array && len(c.children) > 0 {
		return c.children[len(c.children)-1]
	}
	return c
}

// contentLength returns the length of a text without trailing blank lines and comments.
func contentLength(text string) int {
	for {
		text = strings.TrimRight(text, " \t\r\n")
		line := text[strings.LastIndexByte(text, '\n')+1:]
		if !strings.HasPrefix(strings.TrimLeft(line, " \t"), "#") {
			return len(text)
		}
		text = text[:len(text)-len(line)]
	}
}

// addCommand records what a table says about its command.
func (n *node) addCommand(e *unstable.Node) {
	it, value := e.Key(), e.Value()
	if !it.Next() || !it.IsLast() || value.Kind != unstable.String && value.Kind != unstable.Array {
		return
	}
	at := int(value.Raw.Offset)
	c := &node{key: string(it.Node().Data), text: string(value.Data), at: at, end: at + int(value.Raw.Length)}
	for it := value.Children(); value.Kind == unstable.Array && it.Next(); {
		c.children = append(c.children, &node{text: string(it.Node().Data)})
	}
	n.children = append(n.children, c)
}

func (f tables) find(text string) ([]found, error) {
	root, _, err := f.read(text)
	if err != nil {
		return nil, err
	}
	return findIn(root, serversTable), nil
}

// cut removes tables and the blank lines before them. If nothing but blank lines is left, those are left
// that add found.
func (f tables) cut(text string, e found) (string, error) {
	ours := e.path[len(e.path)-1].tables()
	slices.SortFunc(ours, func(a, b *node) int { return b.from - a.from })
	for i, t := range ours {
		before, after := text[:t.from], text[t.end:]
		if i == len(ours)-1 && isBlank(before+after) {
			return before + strings.TrimPrefix(strings.TrimPrefix(after, "\r"), "\n"), nil
		}
		text = strings.TrimRight(before, " \t\r\n") + after
	}
	_, _, err := f.read(text)
	return text, err
}

// tables returns the tables at or below n.
func (n *node) tables() (list []*node) {
	if n.table {
		list = append(list, n)
	}
	for _, c := range n.children {
		list = append(list, c.tables()...)
	}
	return list
}

// isBlank reports whether a text is only white space.
func isBlank(text string) bool { return strings.Trim(text, " \t\r\n") == "" }

// add adds tables after the existing text, and keeps the file's last line end last. They follow blank
// lines that are all there is, and end with a line end of their own.
func (f tables) add(text, name, program string) (string, error) {
	blocks := []string{"[" + serversTable + ".winnow]", "command = " + jstext.Quoted(program), `args = ["mcp"]`}
	if name != MCP {
		event := "hooks." + f.events[name]
		matcher := ""
		if tools := f.matcher(name); tools != "" {
			matcher = "matcher = " + jstext.Quoted(tools) + "\n"
		}
		blocks = []string{
			"[[" + event + "]]", matcher, "[[" + event + ".hooks]]", `type = "command"`,
			"command = " + jstext.Quoted(f.command(name, program)), "timeout = " + strconv.Itoa(f.timeout),
		}
	}
	line := "\n"
	if strings.Contains(text, "\r\n") {
		line = "\r\n"
	}
	at := len(strings.TrimRight(text, " \t\r\n"))
	block := strings.Join(blocks, line)
	if at > 0 {
		block = line + line + block
	} else {
		at, block = 1+strings.LastIndexByte(text, '\n'), block+line
	}
	made := text[:at] + block + text[at:]
	if _, _, err := f.read(made); err != nil {
		return "", errForm
	}
	return made, nil
}

// whyIgnored implements [form]. Codex silently skips a hook that the person did not trust. Whether a
// hook changed since it was trusted is unknown.
func (f tables) whyIgnored(path, text string) []string {
	var all map[string]any
	var trust struct {
		Hooks struct {
			State map[string]struct {
				Hash string `toml:"trusted_hash"`
			}
		}
	}
	root, _, err := f.read(text)
	if err != nil || toml.Unmarshal([]byte(text), &all) != nil || toml.Unmarshal([]byte(text), &trust) != nil {
		return nil
	}
	list := f.switchedOff(all)
	for _, event := range root.member("hooks").all() {
		for g, group := range event.children {
			for h, handler := range group.member("hooks").all() {
				e, ok := hookOf(handler.member("command").str(), event.key)
				if ok && trust.Hooks.State[fmt.Sprintf("%s:%s:%d:%d", path, snake(event.key), g, h)].Hash == "" {
					list = append(
						list,
						"Codex skips the hook for "+e.Name+" until you trust it: start codex, and see /hooks.",
					)
				}
			}
		}
	}
	return list
}

// snake returns a name like SessionEnd as session_end.
func snake(name string) string {
	return strings.ToLower(regexp.MustCompile(`(.)([A-Z])`).ReplaceAllString(name, "${1}_$2"))
}
