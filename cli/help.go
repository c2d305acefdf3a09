package cli

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// printHelp prints the help of a command. It is made here and not from a
// template, which would link the reflection of text/template.
func printHelp(c *cobra.Command) {
	about := c.Long
	if about == "" {
		about = sentence(c.Short)
	}
	fmt.Fprintf(c.OutOrStdout(), "%s\n\n", strings.TrimSpace(about))
	writeUsage(c.OutOrStdout(), c)
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
			fmt.Fprintf(&b, "  %-12s %s\n", sub.Name(), sub.Short)
		}
	}
	writeFlags(&b, "Flags", c.NonInheritedFlags())
	writeFlags(&b, "Flags of every command", c.InheritedFlags())
	if c.Example != "" {
		fmt.Fprintf(&b, "\nExamples:\n  %s\n", strings.ReplaceAll(c.Example, "\n", "\n  "))
	}
	b.WriteString("\nExit status:\n")
	for _, s := range exitStatuses() {
		fmt.Fprintf(&b, "  %-4s %s\n", s[0], s[1])
	}
	if !c.HasParent() {
		b.WriteString("\nEnvironment:\n")
		for _, v := range environment() {
			fmt.Fprintf(&b, "  %-22s %s\n", v[0], v[1])
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
		fmt.Fprintf(b, "%s  %-18s %s\n", head, name, help)
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
