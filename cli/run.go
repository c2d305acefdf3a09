package cli

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// Run runs the command line args, without the program's name, and returns the
// exit status. A panic is reported like an error.
func Run(ctx context.Context, e Env, args []string) (status int) {
	defer func() {
		if r := recover(); r != nil {
			status = e.report(e.Crashed(fmt.Sprint(r), string(debug.Stack())))
		}
	}()
	root := e.command()
	root.SetArgs(args)
	root.SetIn(e.In)
	root.SetOut(e.Out)
	root.SetErr(e.Err)
	help := root.HelpFunc()
	var unknown error
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		if words := c.Flags().Args(); c == root && e.mistyped(c, words) {
			unknown = noSuchCommand(c, words[0])
			return
		}
		help(c, args)
	})
	return e.report(errors.Join(root.ExecuteContext(ctx), unknown))
}

// flags are those that every command knows.
type flags struct {
	store    string
	system   string
	utc      bool
	readOnly bool
	// writes is set while a store is chosen that is to be changed.
	writes bool
}

// door is the library that all commands use. It is exchanged for one that changes
// nothing when --readonly is given, which is known only after they were made.
type door struct{ Library }

// zone returns what absolute times are shown in.
func (f *flags) zone(e Env) *time.Location {
	if f.utc || e.Zone == nil {
		return time.UTC
	}
	return e.Zone
}

// command returns the whole tree of commands.
func (e Env) command() *cobra.Command {
	all, d := &flags{}, &door{e.Library}
	e.Library = d
	root := e.root(all)
	root.PersistentPreRunE = func(*cobra.Command, []string) error {
		if all.readOnly {
			d.Library = e.ReadOnly()
		}
		if e.Setting != nil {
			return &failure{code: exitUsage, err: e.Setting, hint: "unset the variable, or give it another value"}
		}
		return nil
	}
	root.PersistentFlags().StringVar(&all.store, "store", "", "use the store at `PATH`, of a system (SYSTEM or SYSTEM:PATH), or of a project's folder")
	root.PersistentFlags().StringVar(&all.system, "system", "", "leave out the stores of other systems than `NAME`")
	root.PersistentFlags().BoolVar(&all.utc, "utc", false, "show times in UTC")
	root.PersistentFlags().BoolVar(&all.readOnly, "readonly", false, "refuse whatever would change a store or its history")
	root.AddCommand(e.list(all), e.show(all), e.search(all), e.recall(all), e.stores(all), e.doctor(all), e.man(), e.version())
	root.AddCommand(e.rm(all), e.edit(all), e.add(all), e.merge(all), e.pin(all), e.unpin(all), e.prune(all),
		e.unfreeze(all), e.repair(all), e.redact(all), e.undo(all), e.redo(all), e.history(all), e.restore(all), e.guard(all))
	root.AddCommand(e.audit(all), e.ignore(all), e.hook(all), e.export(all), e.rules())
	e.completeStores(root, all)
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { printHelp(c) })
	root.SetUsageFunc(func(c *cobra.Command) error { return printUsage(c) })
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usage("see "+c.CommandPath()+" --help", "%w", err)
	})
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "help":
			c.Short = "print the help of a command"
		case "completion":
			c.Short = "print a completion script for a shell"
		}
	}
	return root
}

// atMost refuses more than n arguments.
func atMost(n int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > n {
			return usage("see "+c.CommandPath()+" --help", "%s: unexpected argument %q", c.Name(), args[n])
		}
		return nil
	}
}

// examples joins example lines for a command's help.
func examples(lines ...string) string { return strings.Join(lines, "\n") }
