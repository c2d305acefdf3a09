// Keys writes docs/keys.md, with the keys of each place and the names of all actions, from the key map.
//
//	go run ./docs/keys
package main

import (
	"fmt"
	"os"
	"strings"

	"winnow/keymap"
)

const page = "docs/keys.md"

func main() {
	if err := os.WriteFile(page, []byte(document(keymap.Default())), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, "keys:", err)
		os.Exit(1)
	}
}

// document returns the page: the keys of each place, then all actions.
func document(m keymap.Map) string {
	return "# Keys\n\nArrows, Home and End work beside the letters. `?` and `:` list the keys of the current place by what they\nare for; typing finds one, and Enter does it.\n" +
		table(m) + names(m)
}

// names returns the actions, with the names that config.toml has for them.
func names(m keymap.Map) string {
	var b strings.Builder
	b.WriteString(`## Names of actions

The section ` + "`[keys]`" + ` of [config.toml](settings.md) gives actions other keys, one or a list of them:

    [keys]
    curate.delete = ["d", "delete"]
    recall.editor = "ctrl-o"

Keys are a character (` + "`d`, `D`, `?`" + `), a name (` + "`Enter`, `Esc`, `Tab`, `space`, `Backspace`, `Del`, `Ins`, `up`, `down`, `left`," + `
` + "`right`, `Home`, `End`, `PgUp`, `PgDn`, `f1` to `f12`" + `), or either behind ` + "`ctrl-`, `alt-` or `shift-`" + `. The new keys take
the place of the old ones. On one screen no key can mean two things. Digits stay, and while text is typed a
character is text.

| action | keys | what it does |
|---|---|---|
`)
	all := m.Actions()
	for _, name := range m.Names() {
		cell := func(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
		fmt.Fprintf(&b, "| `%s` | `%s` | %s |\n", name, cell(keymap.ShownKeys(all[name])), cell(all[name].Help().Desc))
	}
	return b.String()
}

// table returns the key map as Markdown, a row for each place.
func table(m keymap.Map) string {
	var b strings.Builder
	b.WriteString("\n| where | keys |\n|---|---|\n")
	for _, s := range m.Sections() {
		var keys []string
		for _, k := range s.Bindings {
			keys = append(keys, fmt.Sprintf("`%s` %s", k.Help().Key, strings.ReplaceAll(k.Help().Desc, "|", `\|`)))
		}
		fmt.Fprintf(&b, "| %s | %s |\n", s.Title, strings.Join(keys, " · "))
	}
	b.WriteString("\n")
	return b.String()
}
