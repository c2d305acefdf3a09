package setup

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// tables is a settings file in TOML: each hook and each server is a table of its own.
type tables struct{ hooks }

// table is one table, from its header to the line before the next header.
type table struct {
	key     []string
	at, end int // end is behind the last line that holds anything
	command string
	spelled [2]int // offsets of the command as it is spelled
	args    []string
}

const serversTable = "mcp_servers"

// read returns the tables of a file in order.
func (tables) read(text string) (list []table, err error) {
	var p unstable.Parser
	p.Reset([]byte(text))
	for p.NextExpression() {
		e := p.Expression()
		if e.Kind == unstable.KeyValue {
			if len(list) > 0 {
				list[len(list)-1].take(e)
			}
			continue
		}
		t := table{key: keyOf(e), end: len(text)}
		for it := e.Key(); it.Next() && t.at == 0; {
			t.at = 1 + strings.LastIndexByte(text[:it.Node().Raw.Offset], '\n')
		}
		list = append(list, t)
	}
	if err := p.Error(); err != nil {
		return nil, err
	}
	for i := range list {
		if i+1 < len(list) {
			list[i].end = list[i+1].at
		}
		list[i].end = list[i].at + ends(text[list[i].at:list[i].end])
	}
	var any map[string]any
	return list, toml.Unmarshal([]byte(text), &any)
}

// ends returns the length of a text without the blank lines and comments that it ends in.
func ends(text string) int {
	for {
		text = strings.TrimRight(text, " \t\r\n")
		line := text[strings.LastIndexByte(text, '\n')+1:]
		if !strings.HasPrefix(strings.TrimLeft(line, " \t"), "#") {
			return len(text)
		}
		text = text[:len(text)-len(line)]
	}
}

func keyOf(e *unstable.Node) (key []string) {
	for it := e.Key(); it.Next(); {
		key = append(key, string(it.Node().Data))
	}
	return key
}

// take notes what a table says about its command.
func (t *table) take(e *unstable.Node) {
	value := e.Value()
	switch key := keyOf(e); {
	case len(key) == 1 && key[0] == "command" && value.Kind == unstable.String:
		at := int(value.Raw.Offset)
		t.command, t.spelled = string(value.Data), [2]int{at, at + int(value.Raw.Length)}
	case len(key) == 1 && key[0] == "args" && value.Kind == unstable.Array:
		for it := value.Children(); it.Next(); {
			t.args = append(t.args, string(it.Node().Data))
		}
	}
}

// begins reports whether the key of a table begins with these parts.
func (t *table) begins(key ...string) bool {
	return len(t.key) >= len(key) && slices.Equal(t.key[:len(key)], key)
}

// isHook reports whether a table is a hook, and isGroup whether it is one that holds hooks.
func (t *table) isHook() bool { return len(t.key) == 3 && t.key[0] == "hooks" && t.key[2] == "hooks" }

// hook returns the entry that a table is.
func (t *table) hook() (e Entry, ok bool) {
	if !t.isHook() {
		return e, false
	}
	return hookOf(t.command, t.key[1])
}

func (t *table) isGroup() bool { return len(t.key) == 2 && t.key[0] == "hooks" }

func (f tables) find(text string) (list []found, err error) {
	all, err := f.read(text)
	if err != nil {
		return nil, err
	}
	for i := range all {
		t := &all[i]
		if e, ok := t.hook(); ok {
			list = append(list, found{
				Entry: e, at: t.spelled[0], end: t.spelled[1], where: hookTables(all, i),
				respell: func(program string) string { return quoted(f.command(e.Name, program)) },
			})
		}
		if len(t.key) == 2 && t.begins(serversTable) && isWinnow(t.command) && len(t.args) > 0 && t.args[0] == MCP {
			below := []table{*t}
			for _, sub := range all[i+1:] {
				if sub.begins(t.key...) {
					below = append(below, sub)
				}
			}
			list = append(list, found{Entry: Entry{MCP, t.command}, at: t.spelled[0], end: t.spelled[1], respell: quoted, where: below})
		}
	}
	return list, nil
}

// hookTables returns the table of a hook, and that of its group when nothing else is in it.
func hookTables(all []table, i int) []table {
	alone := i+1 == len(all) || !all[i+1].isHook()
	if group := i - 1; alone && group >= 0 && all[group].isGroup() && all[i].begins(all[group].key...) {
		return []table{all[group], all[i]}
	}
	return []table{all[i]}
}

// cut takes tables out with the blank lines before them.
func (f tables) cut(text string, e found) (string, error) {
	for _, t := range slices.Backward(e.where.([]table)) {
		text = strings.TrimRight(text[:t.at], " \t\r\n") + text[t.end:]
	}
	if text == "\n" {
		return "", nil
	}
	_, err := f.read(text)
	return text, err
}

// add adds tables behind what is there; the line end behind that stays the last one.
func (f tables) add(text, name, program string) (string, error) {
	blocks := []string{"[" + serversTable + ".winnow]", "command = " + quoted(program), `args = ["mcp"]`}
	if name != MCP {
		event := "hooks." + f.events[name]
		blocks = []string{
			"[[" + event + "]]", "", "[[" + event + ".hooks]]", `type = "command"`,
			"command = " + quoted(f.command(name, program)), "timeout = " + strconv.Itoa(f.timeout),
		}
	}
	if text == "" {
		text = "\n"
	}
	line := "\n"
	if strings.Contains(text, "\r\n") {
		line = "\r\n"
	}
	at := len(strings.TrimRight(text, " \t\r\n"))
	block := strings.Join(blocks, line)
	if at > 0 {
		block = line + line + block
	}
	made := text[:at] + block + text[at:]
	if _, err := f.read(made); err != nil {
		return "", errForm
	}
	return made, nil
}

// unused implements form: hooks can be off, and one that a person did not trust is skipped in silence.
// Nothing tells whether a hook changed since it was trusted.
func (f tables) unused(path, text string) (list []string) {
	var settings struct {
		Features map[string]any
		Hooks    struct {
			State map[string]struct {
				Hash string `toml:"trusted_hash"`
			}
		}
	}
	all, err := f.read(text)
	if err != nil || toml.Unmarshal([]byte(text), &settings) != nil {
		return nil
	}
	for _, name := range [...]string{"hooks", "codex_hooks"} {
		if settings.Features[name] == false {
			list = append(list, "Hooks are off in this file: features."+name+" is false.")
		}
	}
	groups, within := map[string]int{}, 0
	for i := range all {
		t := &all[i]
		switch {
		case t.isGroup():
			groups[t.key[1]]++
			within = 0
		case t.isHook():
			key := path + ":" + snake(t.key[1]) + ":" + strconv.Itoa(groups[t.key[1]]-1) + ":" + strconv.Itoa(within)
			within++
			if e, ok := t.hook(); ok && settings.Hooks.State[key].Hash == "" {
				list = append(list, "Codex skips the hook for "+e.Name+" until you trust it: start codex, and see /hooks.")
			}
		}
	}
	return list
}

// snake returns a name like SessionEnd as session_end.
func snake(name string) string {
	return strings.ToLower(regexp.MustCompile(`(.)([A-Z])`).ReplaceAllString(name, "${1}_$2"))
}
