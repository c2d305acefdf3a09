package cli

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func (e Env) man() *cobra.Command {
	return &cobra.Command{
		Use:     "man",
		Short:   "print the manual page",
		Long:    "Prints the manual page in roff.",
		Example: examples("winnow man | man -l -", "winnow man > ~/.local/share/man/man1/winnow.1"),
		Args:    atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			o := e.output(false)
			o.printf("%s", manual(c.Root(), e.Version))
			return o.close()
		},
	}
}

// manual returns the manual page for a tree of commands.
func manual(root *cobra.Command, version string) string {
	var b bytes.Buffer
	fmt.Fprintf(&b, ".TH WINNOW 1 \"\" \"winnow %s\" \"User Commands\"\n", roff(version))
	fmt.Fprintf(&b, ".SH NAME\nwinnow \\- %s\n", roff(root.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B winnow\n%s\n.br\n.B winnow\nCOMMAND [ARG...]\n", roff("[PATH...] [FLAG...]"))
	b.WriteString(".SH DESCRIPTION\n")
	prose(&b, root.Long)
	b.WriteString(".SH OPTIONS\n")
	manFlags(&b, root.LocalFlags())
	b.WriteString(".SH COMMANDS\n")
	for _, c := range commands(root) {
		if c.Name() != "help" && c.Name() != "completion" {
			manCommand(&b, c)
		}
	}
	b.WriteString(".SS \"winnow completion SHELL\"\n")
	prose(&b, "Prints a completion script for bash, zsh, fish or powershell.")
	b.WriteString(".SH EXIT STATUS\n")
	terms(&b, exitStatuses())
	b.WriteString(".SH ENVIRONMENT\n")
	terms(&b, environment())
	b.WriteString(".SH EXAMPLES\n")
	example(&b, root.Example)
	return b.String()
}

func manCommand(b *bytes.Buffer, c *cobra.Command) {
	fmt.Fprintf(b, ".SS \"%s\"\n", roff("winnow "+c.Use))
	prose(b, c.Long)
	manFlags(b, c.NonInheritedFlags())
	if c.Example != "" {
		example(b, c.Example)
	}
}

func manFlags(b *bytes.Buffer, set *pflag.FlagSet) {
	eachFlag(set, func(name, help string) { terms(b, [][2]string{{name, help}}) })
}

func terms(b *bytes.Buffer, list [][2]string) {
	for _, t := range list {
		fmt.Fprintf(b, ".TP\n.B %s\n%s\n", roff(t[0]), roff(t[1]))
	}
}

func prose(b *bytes.Buffer, s string) {
	for i, paragraph := range strings.Split(strings.TrimSpace(s), "\n\n") {
		if i > 0 {
			b.WriteString(".PP\n")
		}
		b.WriteString(roff(paragraph) + "\n")
	}
}

func example(b *bytes.Buffer, s string) {
	fmt.Fprintf(b, ".PP\n.nf\n.RS\n%s\n.RE\n.fi\n", roff(s))
}

// roff escapes text: backslashes, hyphens that are to stay hyphens, and what
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
