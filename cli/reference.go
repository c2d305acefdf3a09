package cli

import (
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"winnow/cli/output"
	"winnow/views"
)

// Reference returns the help of all commands and all topics as one page of Markdown. Of e it needs the systems only.
func Reference(e Env) string {
	p := &program{Env: e, out: output.New(io.Discard, 0, false), colour: "auto"}
	root := p.commands()
	var b strings.Builder
	b.WriteString(markdownProse(root.Long))
	for _, t := range topics() {
		fmt.Fprintf(&b, "- [%s](#%s)\n", t.title, strings.ReplaceAll(strings.ToLower(t.title), " ", "-"))
	}
	for _, g := range root.Groups() {
		fmt.Fprintf(&b, "\n| %s | |\n|---|---|\n", g.Title)
		for _, c := range subcommands(root) {
			if c.GroupID == g.ID {
				fmt.Fprintf(&b, "| [`winnow %s`](#winnow-%[1]s) | %s |\n", c.Name(), markdownText(c.Short))
			}
		}
	}
	b.WriteString("\n## winnow\n\n" + markdownUsage(root))
	b.WriteString("\nEvery command takes these flags:\n\n" + markdownFlags(root.PersistentFlags()))
	for _, c := range subcommands(root) {
		fmt.Fprintf(&b, "\n## winnow %s\n\n%s%s", c.Name(), markdownProse(c.Long), markdownUsage(c))
	}
	for _, t := range topics() {
		text := strings.TrimSuffix(markdownProse(t.prose), "\n")
		if t.names != nil {
			text = markdownTable(t.names(p))
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s", t.title, text)
	}
	return b.String()
}

// markdownUsage returns how a command is typed, its own flags and its examples.
func markdownUsage(c *cobra.Command) string {
	s := "    " + useLine(c) + "\n"
	if c.HasAvailableSubCommands() {
		s += "    " + c.CommandPath() + " COMMAND [ARG...]\n"
	}
	if flags := markdownFlags(c.LocalNonPersistentFlags()); flags != "" {
		s += "\n" + flags
	}
	if c.Example != "" {
		s += "\nExamples:\n\n    " + strings.ReplaceAll(c.Example, "\n", "\n    ") + "\n"
	}
	return s
}

func markdownFlags(set *pflag.FlagSet) string { return markdownTable(flagRows(set)) }

// markdownTable returns names with what they mean, or nothing if there are none.
func markdownTable(rows [][2]string) string {
	if len(rows) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("| | |\n|---|---|\n")
	for _, row := range rows {
		fmt.Fprintf(&b, "| `%s` | %s |\n", row[0], markdownText(row[1]))
	}
	return b.String()
}

// markdownProse returns paragraphs with an empty line after each. One that is indented is a list, and becomes code.
func markdownProse(s string) string {
	const width = 120
	var b strings.Builder
	for _, paragraph := range strings.Split(strings.TrimSpace(s), "\n\n") {
		lines := strings.Split(paragraph, "\n")
		if strings.HasPrefix(lines[len(lines)-1], "  ") {
			b.WriteString("    " + strings.ReplaceAll(strings.Join(lines, "\n"), "\n", "\n    ") + "\n\n")
			continue
		}
		for _, line := range views.Wrap(markdownText(strings.Join(lines, " ")), width) {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
		}
		b.WriteString("\n")
	}
	return b.String()
}

// markdownText returns a text in which nothing is markup, and flags and paths of documents stand as code.
func markdownText(s string) string {
	code := regexp.MustCompile(`--[a-z][a-z-]*|docs/[a-z/]+\.md`)
	plain := strings.NewReplacer(
		`\`, `\\`, "|", `\|`, "<", `\<`, "[", `\[`, "*", `\*`, "`", "\\`", "$", `\$`, "~", `\~`, "_", `\_`,
	)
	var b strings.Builder
	end := 0
	for _, at := range code.FindAllStringIndex(s, -1) {
		b.WriteString(plain.Replace(s[end:at[0]]) + "`" + s[at[0]:at[1]] + "`")
		end = at[1]
	}
	return b.String() + plain.Replace(s[end:])
}
