package setup

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"winnow/core/jstext"
)

// object is a settings file in JSON.
type object struct {
	hooks
	servers  string // the member that holds MCP servers; empty when the file has none
	listed   bool   // a server's program and its arguments are one list
	comments bool   // comments are allowed, and commas that nothing follows
}

// part is a value in a text of JSON, with the key before it.
type part struct {
	key      string
	from     int // offset of the key, or else of the value
	at, end  int // of the value
	kind     jstext.Kind
	children []part
}

// level is a container and which of its children is meant.
type level struct {
	part
	i int
}

// document is the text of a file: as it is, and without comments.
type document struct{ text, plain string }

func (o object) read(text string) (d document, root part, err error) {
	d = document{text, text}
	if rest, bom := strings.CutPrefix(text, "\ufeff"); bom {
		d.plain = "   " + rest
	}
	if o.comments {
		if d.plain, err = jstext.WithoutComments(d.plain); err != nil {
			return d, root, err
		}
	}
	root = part{end: len(text)}
	if err := d.open(&root); err != nil {
		return d, root, err
	}
	if root.kind != jstext.Object {
		return d, root, errForm
	}
	root.end = 1 + strings.LastIndexByte(d.plain, '}')
	return d, root, nil
}

// open finds the kind and the children of a value.
func (d document) open(p *part) (err error) {
	p.children = nil
	p.kind, err = jstext.Scan(d.plain[p.at:p.end], func(c jstext.Part) bool {
		child := part{key: c.Name(), from: p.at + c.At, at: p.at + c.At}
		if c.Key != "" {
			child.from = p.at + c.KeyAt
		}
		child.end = child.at + len(c.Value)
		p.children = append(p.children, child)
		return true
	})
	return err
}

// child returns a child with its own children.
func (d document) child(p part, i int) part {
	c := p.children[i]
	_ = d.open(&c) // it is part of what was read already
	return c
}

// member returns the last member of that key, which is the one that counts.
func (d document) member(p part, key string) (part, int) {
	for i := len(p.children) - 1; i >= 0 && p.kind == jstext.Object; i-- {
		if p.children[i].key == key {
			return d.child(p, i), i
		}
	}
	return part{}, -1
}

// str returns the string that a part is, and "" for another value.
func (d document) str(p part) string { return jstext.Text(d.plain[p.at:p.end]) }

func (o object) find(text string) ([]found, error) {
	d, root, err := o.read(text)
	if err != nil {
		return nil, err
	}
	list := o.findHooks(d, root)
	servers, i := d.member(root, o.servers)
	for j := range servers.children {
		server := d.child(servers, j)
		command, ok := o.starts(d, server)
		if !ok {
			continue
		}
		list = append(list, found{
			Entry: Entry{MCP, d.str(command)}, at: command.at, end: command.end, respell: quoted,
			where: []level{{root, i}, {servers, j}},
		})
	}
	return list, nil
}

// findHooks returns our hooks, at whatever event they stand.
func (o object) findHooks(d document, root part) (list []found) {
	if o.events == nil {
		return nil
	}
	all, i := d.member(root, "hooks")
	for e := range all.children {
		event := d.child(all, e)
		for g := range event.children {
			group := d.child(event, g)
			handlers, h := d.member(group, "hooks")
			for j := range handlers.children {
				command, _ := d.member(d.child(handlers, j), "command")
				entry, ok := hookOf(d.str(command), all.children[e].key)
				if !ok {
					continue
				}
				where := []level{{root, i}, {all, e}, {event, g}}
				if len(handlers.children) > 1 { // else the whole group is ours
					where = append(where, level{group, h}, level{handlers, j})
				}
				list = append(list, found{
					Entry: entry, at: command.at, end: command.end, where: where,
					respell: func(program string) string { return quoted(o.hooks.command(entry.Name, program)) },
				})
			}
		}
	}
	return list
}

// starts returns where a server says which program it starts. It is false for one that is not
// ours.
func (o object) starts(d document, server part) (program part, ok bool) {
	program, _ = d.member(server, "command")
	args, first := program, 1
	if o.listed && len(program.children) > 0 {
		program = d.child(program, 0)
	} else {
		args, _ = d.member(server, "args")
		first = 0
	}
	return program, isWinnow(d.str(program)) && len(args.children) > first && d.str(args.children[first]) == MCP
}

// cut takes an entry out, and the containers that were made for it and are empty then.
func (o object) cut(text string, f found) (string, error) {
	d, where := document{text: text}, f.where.([]level)
	for len(where) > 1 && d.made(where[len(where)-1]) {
		where = where[:len(where)-1]
	}
	last := where[len(where)-1]
	if len(where) == 1 && d.made(last) {
		return "", nil
	}
	spaced, tight := d.without(last)
	if _, err := o.find(spaced); err == nil {
		return spaced, nil
	}
	_, err := o.find(tight)
	return tight, err
}

// made reports whether setup made a container for its only child: what is added to an empty one
// that was there has no line end behind it.
func (d document) made(l level) bool {
	return len(l.children) == 1 && strings.Contains(d.text[l.children[0].end:l.part.end], "\n")
}

// without returns the text without a child, its comma, and the space before it. In tight that
// space stays.
func (d document) without(l level) (spaced, tight string) {
	p := l.children[l.i]
	from, end := d.spaceBefore(p.from), p.end
	before := d.text[:from]
	only := len(l.children) == 1
	if only {
		from = p.from
		before = d.text[:from]
	}
	if comma, ok := d.commaAfter(l.part, p.end); ok {
		end = comma + 1
	} else if !only {
		comma := l.children[l.i-1].end
		if at, ok := d.commaAfter(l.part, comma); ok {
			before = d.text[:at] + d.text[at+1:from]
		}
	}
	return before + d.text[end:], before + d.text[from:p.from] + d.text[end:]
}

// spaceBefore returns the offset at which the space before another begins.
func (d document) spaceBefore(at int) int { return len(strings.TrimRight(d.text[:at], " \t\r\n")) }

// commaAfter returns the offset of the comma between the end of a child and the next one, or the
// end of the container.
func (d document) commaAfter(in part, end int) (int, bool) {
	bare, _ := jstext.WithoutComments(d.text[end:in.end-1] + "1") // so the last comma is not blank
	if !strings.HasPrefix(strings.TrimLeft(bare, " \t\r\n"), ",") {
		return 0, false
	}
	return end + strings.IndexByte(bare, ','), true
}

// add adds an entry behind what is there. Containers that are missing are made around it.
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
		next, i := d.member(in, key)
		switch last := depth == len(keys)-1; {
		case i < 0:
			for _, k := range slices.Backward(keys[depth+1:]) {
				value = "{" + quoted(k) + ":" + value + "}"
			}
			return d.insert(in, key, value, depth+1, made), nil
		case last && name != MCP && next.kind == jstext.Array:
			return d.insert(next, "", o.hook(name, program), depth+2, false), nil
		case last || next.kind != jstext.Object:
			return "", fmt.Errorf("%s is there already and holds something else", strings.Join(keys[:depth+1], "."))
		}
		in = next
	}
	return "", errForm
}

// hook returns the group of one hook, and server the registration of the server, as JSON.
func (o object) hook(name, program string) string {
	named := ""
	if o.named {
		named = `"name":"winnow-` + name + `",`
	}
	return fmt.Sprintf(`{"hooks":[{%s"type":"command","command":%s,"timeout":%d}]}`, named, quoted(o.hooks.command(name, program)), o.timeout)
}

func (o object) server(program string) string {
	if o.listed {
		return `{"type":"local","command":[` + quoted(program) + `,"mcp"],"enabled":true}`
	}
	return `{"command":` + quoted(program) + `,"args":["mcp"]}`
}

// insert returns the text with a value behind the last child of a container, spaced and indented
// like that one. In an empty container it stands right before the end; made is for one that setup
// makes itself, which gets a line end behind it.
func (d document) insert(in part, key, value string, depth int, made bool) string {
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
		entry += quoted(key) + ": "
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

// unit is what the file indents with.
func (d document) unit() string {
	for line := range strings.Lines(d.text) {
		if rest := strings.TrimLeft(line, " \t"); len(rest) < len(line) && strings.HasPrefix(rest, `"`) {
			return line[:len(line)-len(rest)]
		}
	}
	return "  "
}

// pretty returns a value in lines that are indented by unit, and but for the first by indent.
func pretty(value, unit, indent string) string {
	v, _ := jstext.Parse(value) // it was made here
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

// unused implements form: both agents have a switch for all hooks.
func (o object) unused(_, text string) (list []string) {
	d, _, err := o.read(text)
	v, _ := jstext.Parse(strings.TrimSpace(d.plain))
	if err != nil || o.events == nil {
		return nil
	}
	if off, _ := v.Field("disableAllHooks"); off.Bool() {
		list = append(list, `Hooks are off in this file: "disableAllHooks" is true.`)
	}
	if config, _ := v.Field("hooksConfig"); o.named {
		if on, set := config.Field("enabled"); set && !on.Bool() {
			list = append(list, `Hooks are off in this file: "hooksConfig.enabled" is false.`)
		}
		off, _ := config.Field("disabled")
		for i := range off.Len() {
			if name := off.At(i).Str(); strings.HasPrefix(name, "winnow-") {
				list = append(list, "The hook "+name+" is switched off in this file: it is in hooksConfig.disabled.")
			}
		}
	}
	return list
}
