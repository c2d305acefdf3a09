package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"winnow/views/theme"
)

const about = `Winnow shows the memories that coding agents keep across sessions: what is in
a store, what a task would recall from it, and what an agent would be told. It
edits, deletes, prunes and merges them, takes any change back, and notices when
an agent undoes one.

Without a command it opens the full-screen program on PATH, a store or a folder
to look below, or on the stores that it finds. Looking changes nothing; a store
changes only as it is asked to, with its old bytes in the history first.`

// look are the flags of the full-screen program.
type look struct {
	demo, plain, noMouse bool
	theme                string
}

func (e Env) root(all *flags) *cobra.Command {
	var l look
	c := &cobra.Command{
		Use:   "winnow [PATH...]",
		Short: "look into the memories of coding agents, and curate them",
		Long:  about,
		Example: examples(
			"winnow                        open the store that is found here",
			"winnow sessions/memory.jsonl  open this store",
			"winnow --demo                 try it on invented lessons",
			"winnow -- list                open a store whose name is that of a command"),
		Version:       e.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		// A typing error of two letters is near enough to a command.
		SuggestionsMinimumDistance: 2,
		// A word that is no command is a path.
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error { return e.open(c, args, all, l) },
	}
	c.Flags().BoolVar(&l.demo, "demo", false, "open invented lessons in a temporary folder")
	c.Flags().StringVar(&l.theme, "theme", theme.Auto, "colours by `NAME`: "+strings.Join(theme.Names(), ", "))
	c.Flags().BoolVar(&l.plain, "plain", false, "print a numbered list instead of drawing screens")
	c.Flags().BoolVar(&l.noMouse, "no-mouse", false, "leave the mouse to the terminal")
	complete(c, "theme", theme.Names()...)
	return c
}

func (e Env) version() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "print the version",
		Long:    "Prints the version that the program was built from, as --version does.",
		Example: examples("winnow version"),
		Args:    atMost(0),
		RunE: func(*cobra.Command, []string) error {
			o := e.output(false)
			o.printf("winnow version %s\n", e.Version)
			return o.close()
		},
	}
}

// open runs the full-screen program, or what stands in for it where there is no
// screen to draw on.
func (e Env) open(c *cobra.Command, args []string, all *flags, l look) error {
	if err := oneOf("theme", l.theme, theme.Names()...); err != nil {
		return err
	}
	paths := args
	if all.store != "" {
		paths = append([]string{all.store}, args...)
	}
	term, _ := e.Lookup("TERM")
	plain := l.plain || e.OutTTY && term == "dumb"
	switch {
	case l.demo && len(paths) > 0:
		return usage("leave out one of them", "--demo opens a store of its own, not %s", paths[0])
	case slices.Contains(paths, ""):
		return usage("see winnow --help", "a path is empty")
	case e.mistyped(c, args):
		return noSuchCommand(c, args[0])
	case !plain && (!e.InTTY || !e.OutTTY):
		return usage("to print the lessons: winnow list", "the screens need a terminal for input and output")
	}
	if l.demo {
		path, remove, err := e.Unpack()
		if err != nil {
			return err
		}
		defer remove()
		paths = []string{path}
	} else if err := e.screenPaths(c.Context(), all, &paths); err != nil {
		return err
	}
	if plain {
		return e.plain(c.Context(), paths, all)
	}
	noColor, _ := e.Lookup("NO_COLOR")
	return e.Start(c.Context(), Screen{
		Paths: paths, Demo: l.demo, Zone: all.zone(e), NoMouse: l.noMouse,
		Theme: l.theme, NoColor: noColor != "", ASCII: asciiOnly(e.Lookup), ReadOnly: all.readOnly,
	})
}

// screenPaths puts in place of values that name a system, or with --system of all, the
// stores that they stand for.
func (e Env) screenPaths(ctx context.Context, all *flags, paths *[]string) error {
	system := func(p string) bool { return e.isSystem(p) && !e.Exists(p) }
	if all.system == "" && !slices.ContainsFunc(*paths, system) {
		return nil
	}
	s, err := e.places(ctx, all, *paths)
	if err != nil {
		return err
	}
	*paths = nil
	for _, p := range existing(s) {
		*paths = append(*paths, string(p.Store))
	}
	if len(*paths) == 0 {
		return noStore(s)
	}
	return nil
}

// asciiOnly reports whether the locale names another encoding than UTF-8, so that
// lines and corners may not show.
func asciiOnly(lookup func(string) (string, bool)) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v, _ := lookup(name); v != "" {
			v = strings.ToLower(v)
			return !strings.Contains(v, "utf-8") && !strings.Contains(v, "utf8")
		}
	}
	return false
}

// mistyped reports whether the only argument looks like the name of a command
// that does not exist: a bare word at which there is neither a file nor a folder.
func (e Env) mistyped(c *cobra.Command, args []string) bool {
	return len(args) == 1 && c.ArgsLenAtDash() < 0 && !strings.ContainsAny(args[0], `/\.`) && !e.Exists(args[0]) && !e.isSystem(args[0])
}

func noSuchCommand(c *cobra.Command, word string) error {
	f := &failure{
		code: exitNotFound,
		err:  fmt.Errorf("%s is neither a command nor a file or folder here", word),
		hint: "see winnow --help",
	}
	if like := c.SuggestionsFor(word); len(like) > 0 {
		f.hint = "did you mean: winnow " + strings.Join(like, ", winnow ")
	}
	return f
}
