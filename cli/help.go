package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"winnow/cli/output"
	"winnow/views"
)

// helpWidth is the width in columns of the help.
const helpWidth = 80

// addHelp adds the help to the command tree and, for a whole tree, its topics and what cobra adds by
// itself. The help does not use templates, which would link in the reflection of text/template.
func (p *program) addHelp(root *cobra.Command, whole bool) {
	root.SetHelpFunc(func(c *cobra.Command, _ []string) {
		about := cmp.Or(c.Long, strings.TrimSuffix(c.Short, ".")+".")
		p.write(c, rewrap(strings.TrimSpace(about))+"\n\n"+usageText(c, daily()))
	})
	root.SetUsageFunc(func(c *cobra.Command) error { p.write(c, usageText(c, daily())); return nil })
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return badFlag(err, "see "+c.CommandPath()+" --help")
	})
	if root.CompletionOptions.DisableDefaultCmd = !whole; !whole {
		return
	}
	root.SetHelpCommandGroupID(more)
	root.SetCompletionCommandGroupID(more)
	root.SetHelpCommand(p.helpCommand(root))
	root.InitDefaultHelpCmd()
	root.SetOut(p.Env.Out) // the next line takes it
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			c.Short = "Print a shell completion script"
			c.Long = "Prints a completion script for a shell. It also completes the ids in a store."
		}
	}
}

// write prints a help text. It ignores write errors, since they mean that nobody is reading.
func (p *program) write(c *cobra.Command, text string) {
	o := output.New(c.OutOrStdout(), 0, false)
	o.Exact([]byte(text))
	o.Flush()
}

// rewrap rewraps the paragraphs of a text. A paragraph with an indented line is a list and stays.
func rewrap(s string) string {
	paragraphs := strings.Split(s, "\n\n")
	for i, p := range paragraphs {
		if !strings.Contains("\n"+p, "\n ") {
			paragraphs[i] = wrapHanging("", "", strings.ReplaceAll(p, "\n", " "))
		}
	}
	return strings.Join(paragraphs, "\n\n")
}

// wrapHanging returns a text wrapped after head, with its further lines after indent.
func wrapHanging(head, indent, s string) string {
	lines := views.Wrap(strings.Repeat("x", len(head)-len(indent))+s, helpWidth-len(indent))
	for i, line := range lines {
		lines[i] = strings.TrimRight(indent+line, " ")
	}
	lines[0] = head + lines[0][len(head):]
	return strings.Join(lines, "\n")
}

// table returns names with their descriptions beside them, in columns.
func table(width int, rows [][2]string) string {
	var b strings.Builder
	for _, row := range rows {
		b.WriteString(wrapHanging(fmt.Sprintf("  %-*s ", width, row[0]), strings.Repeat(" ", width+3), row[1]) + "\n")
	}
	return b.String()
}

// allCommands is the help topic that lists every command.
const allCommands = "all"

// daily are the commands of daily use, which the help lists.
func daily() []string {
	return []string{
		"doctor", "sources", "list", "show", "search", "recall", "edit", "rm", "prune", "undo", "inbox", "audit",
	}
}

// usageText is the part of a help text below the description. Of the commands of the program it lists those in few,
// or all if that is nil.
func usageText(c *cobra.Command, few []string) string {
	var b strings.Builder
	section := func(title, text string) {
		if text != "" {
			fmt.Fprintf(&b, "\n%s:\n%s", title, text)
		}
	}
	if c.Runnable() || c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "Usage:\n  %s\n", useLine(c))
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "  %s COMMAND [ARG...]\n", c.CommandPath())
		brief := few != nil && !c.HasParent()
		for _, g := range append(c.Groups(), &cobra.Group{Title: "Commands"}) {
			var rows [][2]string
			for _, sub := range subcommands(c) {
				if sub.GroupID == g.ID && (!brief || slices.Contains(few, sub.Name())) {
					rows = append(rows, [2]string{sub.Name(), sub.Short})
				}
			}
			section(g.Title, table(12, rows))
		}
	}
	if !c.HasParent() {
		section("Help topics", table(12, topicRows()))
	}
	if c.Runnable() {
		section("Flags", table(18, flagRows(c.NonInheritedFlags())))
		section("Flags of every command", table(18, flagRows(c.InheritedFlags())))
	}
	if c.Example != "" {
		section("Examples", "  "+strings.ReplaceAll(c.Example, "\n", "\n  ")+"\n")
	}
	return b.String()
}

// useLine returns the usage line of a command.
func useLine(c *cobra.Command) string {
	if c.HasParent() {
		return c.Parent().CommandPath() + " " + c.Use + " [FLAG...]"
	}
	return c.Use + " [FLAG...]"
}

// subcommands returns the visible commands below c, in order.
func subcommands(c *cobra.Command) (list []*cobra.Command) {
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() && sub.Runnable() || sub.Name() == "help" || sub.Name() == "completion" {
			list = append(list, sub)
		}
	}
	return list
}

// flagRows returns the spelling and the description of each flag.
func flagRows(set *pflag.FlagSet) (rows [][2]string) {
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
			name += " " + strings.ToUpper(value)
		}
		if d := f.DefValue; d != "" && d != "false" && d != "0" && d != "[]" {
			help += " (default " + d + ")"
		}
		rows = append(rows, [2]string{name, help})
	})
	return rows
}

// environment lists the relevant environment variables, those of the systems first.
func (p *program) environment() (rows [][2]string) {
	if p.Library != nil {
		for _, s := range p.Library.Systems() {
			for _, v := range s.Variables {
				text := v.Text
				if !strings.Contains(text, s.Name) {
					text = s.Name + ": " + text
				}
				rows = append(rows, [2]string{v.Name, text})
			}
		}
	}
	return append(rows, [][2]string{
		{"NO_COLOR, CLICOLOR=0", "when set, nothing has colours; CLICOLOR_FORCE=1 gives them to pipes too"},
		{"PAGER", "shows what is longer than the screen; less where it is not set (more on Windows), and nothing when it is empty or cat"},
		{"TERM", "dumb shows lines to read and to answer instead of screens"},
		{"WINNOW_PLAIN, ACCESSIBLE", "when set, the same: for screen readers"},
		{"VISUAL, EDITOR", "the editor for draft tasks and for records; vi where neither is set (notepad on Windows)"},
		{"XDG_CONFIG_HOME", "where config.toml and themes are, below winnow: ~/.config, or the folder that macOS or Windows has for it"},
		{"XDG_STATE_HOME", "where history, pins, drafts and crash reports are kept, below winnow: ~/.local/state, or that of macOS or Windows"},
		{"WINNOW_HISTORY_DAYS", "how many days history is kept: 90, or 0 without limit"},
		{"WINNOW_HISTORY_MB", "how much history is kept for each store: 50 MB, or 0 without limit"},
	}...)
}

func (p *program) man() command {
	return command{
		use: "man", short: "Print the manual page", long: "Prints the manual page as roff.",
		examples: []string{"winnow man | man -l -", "winnow man > ~/.local/share/man/man1/winnow.1"}, args: atMost(0),
		run: func(context.Context, []string) error {
			p.words = nil
			p.out.Exact([]byte(p.manual(p.commands())))
			return nil
		},
	}
}

// manual returns the man page of a command tree.
func (p *program) manual(root *cobra.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH WINNOW 1 \"\" \"winnow %s\" \"User Commands\"\n", roff(p.Version))
	fmt.Fprintf(&b, ".SH NAME\nwinnow \\- %s\n", roff(root.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B winnow\n%s\n.br\n.B winnow\nCOMMAND [ARG...]\n", roff("[PATH...] [FLAG...]"))
	b.WriteString(".SH DESCRIPTION\n" + roffProse(root.Long))
	b.WriteString(".SH OPTIONS\n" + roffTerms(flagRows(root.LocalFlags())) + ".SH COMMANDS\n")
	for _, c := range subcommands(root) {
		if c.Name() == "help" || c.Name() == "completion" {
			continue
		}
		fmt.Fprintf(
			&b,
			".SS \"%s\"\n%s%s%s",
			roff("winnow "+c.Use),
			roffProse(c.Long),
			roffTerms(flagRows(c.NonInheritedFlags())),
			roffExample(c.Example),
		)
	}
	return b.String() + ".SS \"winnow completion SHELL\"\n" +
		roffProse("Prints a completion script for bash, zsh, fish or powershell.") +
		".SH EXIT STATUS\n" + roffTerms(exitStatuses()) + ".SH ENVIRONMENT\n" +
		roffTerms(p.environment()) + ".SH EXAMPLES\n" + roffExample(root.Example)
}

func roffTerms(list [][2]string) string {
	var b strings.Builder
	for _, t := range list {
		fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(t[0]), roff(t[1]))
	}
	return b.String()
}

func roffProse(s string) string {
	return strings.ReplaceAll(roff(strings.TrimSpace(s))+"\n", "\n\n", "\n.PP\n")
}

func roffExample(s string) string { return fmt.Sprintf(".PP\n.nf\n.RS\n%s\n.RE\n.fi\n", roff(s)) }

// roff escapes a text for roff: backslashes, hyphens that must stay hyphens, and anything that
// would begin a request at the start of a line.
func roff(s string) string {
	lines := strings.Split(strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s), "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}
