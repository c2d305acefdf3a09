package cli

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"winnow/views"
)

// printHelp prints the help of a command. It is made here and not from a
// template, which would link the reflection of text/template.
func printHelp(c *cobra.Command) {
	about := c.Long
	if about == "" {
		about = sentence(c.Short)
	}
	fmt.Fprintf(c.OutOrStdout(), "%s\n\n", filled(strings.TrimSpace(about)))
	writeUsage(c.OutOrStdout(), c)
}

// helpWidth is the number of columns that a help fits.
const helpWidth = 80

// filled returns a text with its paragraphs wrapped anew. A paragraph with an indented
// line is a list, and stays.
func filled(s string) string {
	paragraphs := strings.Split(s, "\n\n")
	for i, p := range paragraphs {
		if !strings.Contains(p, "\n ") {
			words := strings.Join(views.Wrap(strings.ReplaceAll(p, "\n", " "), helpWidth), "\n")
			paragraphs[i] = trimmed(words)
		}
	}
	return strings.Join(paragraphs, "\n\n")
}

// trimmed takes the blanks at the ends of lines away.
func trimmed(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// row writes a name with what it means beside it, in a column of its own.
func row(b *bytes.Buffer, width int, name, means string) {
	indent := strings.Repeat(" ", width+3)
	first := fmt.Sprintf("  %-*s ", width, name)
	lines := views.Wrap(strings.Repeat("x", len(first)-len(indent))+means, helpWidth-len(indent))
	for i, line := range lines {
		if i == 0 {
			fmt.Fprintf(b, "%s%s\n", first, strings.TrimRight(line[len(first)-len(indent):], " "))
			continue
		}
		fmt.Fprintf(b, "%s%s\n", indent, strings.TrimRight(line, " "))
	}
}

func printUsage(c *cobra.Command) error {
	writeUsage(c.ErrOrStderr(), c)
	return nil
}

// sentence makes a sentence of a short description.
func sentence(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + strings.TrimSuffix(s[1:], ".") + "."
}

func writeUsage(w io.Writer, c *cobra.Command) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "Usage:\n  %s\n", useLine(c))
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "  %s COMMAND [ARG...]\n\nCommands:\n", c.CommandPath())
		for _, sub := range commands(c) {
			row(&b, 12, sub.Name(), sub.Short)
		}
	}
	writeFlags(&b, "Flags", c.NonInheritedFlags())
	writeFlags(&b, "Flags of every command", c.InheritedFlags())
	if c.Example != "" {
		fmt.Fprintf(&b, "\nExamples:\n  %s\n", strings.ReplaceAll(c.Example, "\n", "\n  "))
	}
	b.WriteString("\nExit status:\n")
	for _, s := range exitStatuses() {
		row(&b, 4, s[0], s[1])
	}
	if !c.HasParent() {
		b.WriteString("\nEnvironment:\n")
		for _, v := range environment() {
			row(&b, 22, v[0], v[1])
		}
	}
	// A help that nobody reads any more is no failure.
	_, _ = w.Write(b.Bytes())
}

// useLine is how a command is called.
func useLine(c *cobra.Command) string {
	if c.HasParent() {
		return c.Parent().CommandPath() + " " + c.Use + " [FLAG...]"
	}
	return c.Use + " [FLAG...]"
}

// commands returns the commands below c that help shows, in order.
func commands(c *cobra.Command) (list []*cobra.Command) {
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() || sub.Name() == "help" {
			list = append(list, sub)
		}
	}
	return list
}

func writeFlags(b *bytes.Buffer, title string, set *pflag.FlagSet) {
	head := "\n" + title + ":\n"
	eachFlag(set, func(name, help string) {
		b.WriteString(head)
		row(b, 18, name, help)
		head = ""
	})
}

// eachFlag calls fn with how each flag is written and what it does.
func eachFlag(set *pflag.FlagSet, fn func(name, help string)) {
	set.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		value, help := pflag.UnquoteUsage(f)
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		if f.Value.Type() != "bool" {
			name += " " + strings.ToUpper(placeholder(value))
		}
		if d := f.DefValue; d != "" && d != "false" && d != "0" && d != "[]" {
			help += " (default " + d + ")"
		}
		fn(name, help)
	})
}

// placeholder is the word for a flag's value where its help names none.
func placeholder(s string) string {
	if s == "string" || s == "stringArray" || s == "strings" {
		return "value"
	}
	return s
}

// environment says which variables matter.
func environment() [][2]string {
	return [][2]string{
		{"KARNEVIL9_MEMORY_PATH", "where KarnEvil9 keeps its lessons; looked at first"},
		{"NO_COLOR", "when set, the screens use no colours"},
		{"TERM", "dumb prints a plain list instead of drawing screens"},
		{"VISUAL, EDITOR", "the editor for a draft task, and for lessons"},
		{"XDG_STATE_HOME", "where history, pins, drafts and crash reports are kept, below winnow"},
		{"WINNOW_HISTORY_DAYS", "how long history is kept: 90 days, or 0 without limit"},
		{"WINNOW_HISTORY_MB", "how much history of a store is kept: 50 MB, or 0 without limit"},
	}
}
