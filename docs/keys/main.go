// Keys writes the table of keys in README.md and the names of actions in docs/keys.md from the key map.
//
//	go run ./docs/keys
package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"winnow/keymap"
)

// The markers between which the table stands.
const (
	begin = "<!-- keys -->\n"
	end   = "<!-- /keys -->\n"
)

func main() {
	if err := run("README.md"); err != nil {
		fmt.Fprintln(os.Stderr, "keys:", err)
		os.Exit(1)
	}
}

func run(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	fresh, err := update(string(text), keymap.Default())
	if err != nil {
		return fmt.Errorf("update %s: %w", path, err)
	}
	if err := os.WriteFile("docs/keys.md", []byte(names(keymap.Default())), 0o644); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(fresh), 0o644)
}

// names returns the document of all actions, with the names that config.toml has for them.
func names(m keymap.Map) string {
	var b strings.Builder
	b.WriteString(`# Names of actions

The section ` + "`[keys]`" + ` of [config.toml](cli.md#settings) gives actions other keys, one or a list of them:

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

// update returns text with the table between the markers made anew.
func update(text string, m keymap.Map) (string, error) {
	before, rest, found := strings.Cut(text, begin)
	_, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		return "", errors.New("the markers are missing")
	}
	return before + begin + table(m) + end + after, nil
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
