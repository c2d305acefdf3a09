package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"winnow/cli/output"
	"winnow/core/filter"
	"winnow/core/memory"
	"winnow/views"
	"winnow/views/theme"
)

// flag is a flag of a command. The variable that it sets has its default, and says which
// type the flag is of.
type flag struct {
	to         any // *bool, *string, *int or *[]string
	name, help string
	values     []string             // all that it takes, if these are few
	offer      cobra.CompletionFunc // completes its value
	commas     bool                 // a list can be given with commas between its items
}

// command describes a command. Cobra makes one of it.
type command struct {
	use, short, long string
	examples         []string
	args             cobra.PositionalArgs // nil takes any
	flags            []flag
	exclusive        [][]string           // flags of which one can be given at a time
	offer            cobra.CompletionFunc // completes an argument
	run              func(c *cobra.Command, args []string) error
}

// make returns the command for cobra. Before it runs, flags that exclude each other and
// values that do not exist are refused.
func (d command) make() *cobra.Command {
	c := &cobra.Command{
		Use: d.use, Short: d.short, Long: d.long, Example: strings.Join(d.examples, "\n"), Args: d.args, ValidArgsFunction: d.offer,
		RunE: func(c *cobra.Command, args []string) error {
			for _, names := range d.exclusive {
				if err := onlyOne(c, names...); err != nil {
					return err
				}
			}
			for _, f := range d.flags {
				if err := f.check(); err != nil {
					return err
				}
			}
			return d.run(c, args)
		},
	}
	for _, f := range d.flags {
		f.declare(c)
	}
	return c
}

func (f *flag) declare(c *cobra.Command) {
	set := c.Flags()
	switch to := f.to.(type) {
	case *bool:
		set.BoolVar(to, f.name, *to, f.help)
	case *string:
		set.StringVar(to, f.name, *to, f.help)
	case *int:
		set.IntVar(to, f.name, *to, f.help)
	case *[]string:
		if f.commas {
			set.StringSliceVar(to, f.name, nil, f.help)
		} else {
			set.StringArrayVar(to, f.name, nil, f.help)
		}
	}
	if f.values != nil {
		f.offer = cobra.FixedCompletions(f.values, cobra.ShellCompDirectiveNoFileComp)
	}
	if f.offer != nil {
		// The error is that the flag does not exist, which a test would see.
		_ = c.RegisterFlagCompletionFunc(f.name, f.offer)
	}
}

// check refuses a value that the flag does not take.
func (f *flag) check() error {
	var given []string
	switch to := f.to.(type) {
	case *string:
		given = []string{*to}
	case *[]string:
		given = *to
	}
	for _, value := range given {
		if f.values == nil {
			break
		}
		if err := oneOf(f.name, value, f.values...); err != nil {
			return err
		}
	}
	return nil
}

func jsonFlag(to *bool) flag {
	return flag{to: to, name: "json", help: "print JSON, as described in docs/cli.md"}
}

func revealFlag(to *bool) flag {
	return flag{to: to, name: "reveal", help: "show secrets instead of masking them"}
}

// onlyOne refuses more than one of the flags.
func onlyOne(c *cobra.Command, names ...string) error {
	var given []string
	for _, n := range names {
		if c.Flags().Changed(n) {
			given = append(given, "--"+n)
		}
	}
	if len(given) > 1 {
		return usage("leave out one of them", "%s: %s do not go together", c.Name(), strings.Join(given, " and "))
	}
	return nil
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

// The groups of commands in the help, in order.
var groups = []cobra.Group{
	{ID: "look", Title: "Look"}, {ID: "change", Title: "Change"}, {ID: "share", Title: "Share"},
	{ID: "agents", Title: "Agents"}, {ID: "more", Title: "More"},
}

// commands returns the whole tree of commands.
func (p *program) commands() *cobra.Command {
	root := p.root()
	root.PersistentPreRunE = func(*cobra.Command, []string) error {
		if p.readOnly {
			p.Library = p.ReadOnly()
		}
		if p.Setting != nil {
			return &failure{code: exitUsage, err: p.Setting, hint: "unset the variable, or give it another value"}
		}
		return nil
	}
	all := root.PersistentFlags()
	all.StringVar(&p.store, "store", "", "use the store at `PATH`, of a system (SYSTEM or SYSTEM:PATH), or of a project folder")
	all.StringVar(&p.system, "system", "", "use only stores of the system `NAME`")
	all.BoolVar(&p.utc, "utc", false, "show times in UTC")
	all.BoolVar(&p.readOnly, "readonly", false, "refuse to change any store or its history")
	for group, list := range map[string][]command{
		"look":   {p.list(), p.show(), p.search(), p.recall(), p.stores(), p.doctor(), p.history()},
		"change": {p.add(), p.edit(), p.rm(), p.merge(), p.pin(), p.unpin(), p.prune(), p.redact(), p.undo(), p.redo(), p.restore()},
		"share":  {p.audit(), p.ignore(), p.rules(), p.hook(), p.export()},
		"agents": {p.guard(), p.repair(), p.unfreeze()},
		"more":   {p.man(), p.version()},
	} {
		for _, d := range list {
			c := d.make()
			c.GroupID = group
			root.AddCommand(c)
		}
	}
	for i := range groups {
		root.AddGroup(&groups[i])
	}
	// The errors are that a flag does not exist, which a test would see.
	_ = root.RegisterFlagCompletionFunc("system", func(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		return p.offerSystems(begun), cobra.ShellCompDirectiveNoFileComp
	})
	_ = root.RegisterFlagCompletionFunc("store", p.offerStores)
	p.addHelp(root)
	return root
}

func (p *program) version() command {
	return command{
		use: "version", short: "Print the version", long: "Prints the version of the program, as --version does.",
		examples: []string{"winnow version"}, args: atMost(0),
		run: func(*cobra.Command, []string) error {
			o := p.output(false)
			o.Printf("winnow version %s\n", p.Version)
			return o.Close()
		},
	}
}

const about = `Winnow shows the memories that coding agents keep across sessions: what is in a store,
what a task would recall from it, and what an agent would be told. It edits, deletes,
prunes and merges them, can undo every change, and notices when an agent undoes one.

Without a command it opens the full-screen program on PATH, a store or a folder to look
below, or on the stores that it finds. Looking changes nothing. Before a store is changed
its old bytes are saved in the history.`

// opening are the flags of the full-screen program.
type opening struct {
	demo, plain, noMouse bool
	theme                string
}

func (p *program) root() *cobra.Command {
	f := opening{theme: theme.Auto}
	c := command{
		use: "winnow [PATH...]", short: "Look into the memories of coding agents, and curate them", long: about,
		examples: []string{
			"winnow                        open the store that is found here",
			"winnow sessions/memory.jsonl  open this store",
			"winnow --demo                 try it on invented lessons",
			"winnow -- list                open a store whose name is that of a command",
		},
		args: cobra.ArbitraryArgs, // a word that is no command is a path
		flags: []flag{
			{to: &f.demo, name: "demo", help: "open invented lessons in a temporary folder"},
			{to: &f.theme, name: "theme", help: "colours by `NAME`: " + strings.Join(theme.Names(), ", "), values: theme.Names()},
			{to: &f.plain, name: "plain", help: "print a numbered list instead of drawing screens"},
			{to: &f.noMouse, name: "no-mouse", help: "leave the mouse to the terminal"},
		},
		run: func(c *cobra.Command, args []string) error { return p.open(c, args, f) },
	}.make()
	c.Version, c.SilenceErrors, c.SilenceUsage = p.Version, true, true
	c.SuggestionsMinimumDistance = 2 // letters of a typing error
	return c
}

// open runs the full-screen program, or prints a plain list where there is no screen to
// draw on.
func (p *program) open(c *cobra.Command, args []string, f opening) error {
	paths := args
	if p.store != "" {
		paths = append([]string{p.store}, args...)
	}
	term, _ := p.Lookup("TERM")
	plain := f.plain || p.OutTTY && term == "dumb"
	switch {
	case f.demo && len(paths) > 0:
		return usage("leave out one of them", "--demo opens a store of its own, not %s", paths[0])
	case slices.Contains(paths, ""):
		return usage("see winnow --help", "a path is empty")
	case p.mistyped(c, args):
		return noSuchCommand(c, args[0])
	case !plain && (!p.InTTY || !p.OutTTY):
		return usage("print the records instead: winnow list", "the screens need a terminal for input and output")
	}
	if f.demo {
		path, remove, err := p.Unpack()
		if err != nil {
			return err
		}
		defer remove()
		paths = []string{path}
	} else if err := p.screenPaths(c.Context(), &paths); err != nil {
		return err
	}
	if plain {
		return p.plainList(c.Context(), paths)
	}
	noColor, _ := p.Lookup("NO_COLOR")
	return p.Start(c.Context(), Screen{
		Paths: paths, Demo: f.demo, Zone: p.zone(), NoMouse: f.noMouse,
		Theme: f.theme, NoColor: noColor != "", ASCII: p.asciiOnly(), ReadOnly: p.readOnly,
	})
}

// screenPaths replaces values that name a system, or with --system all of them, by the
// stores that they stand for.
func (p *program) screenPaths(ctx context.Context, paths *[]string) error {
	if p.system == "" && !slices.ContainsFunc(*paths, p.namesSystem) {
		return nil
	}
	s, err := p.places(ctx, p.system, *paths...)
	if err != nil {
		return err
	}
	*paths = nil
	for _, place := range existing(s) {
		*paths = append(*paths, string(place.Store))
	}
	if len(*paths) == 0 {
		return noStore(s)
	}
	return nil
}

// asciiOnly reports whether the locale names another encoding than UTF-8, so that
// lines and corners may not show.
func (e *Env) asciiOnly() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v, _ := e.Lookup(name); v != "" {
			v = strings.ToLower(v)
			return !strings.Contains(v, "utf-8") && !strings.Contains(v, "utf8")
		}
	}
	return false
}

// mistyped reports whether the only argument looks like the name of a command
// that does not exist: a bare word at which there is neither a file nor a folder.
func (p *program) mistyped(c *cobra.Command, args []string) bool {
	return len(args) == 1 && c.ArgsLenAtDash() < 0 && !strings.ContainsAny(args[0], `/\.`) && !exists(args[0]) && !p.isSystem(args[0])
}

func noSuchCommand(c *cobra.Command, word string) error {
	f := failed(exitNotFound, "see winnow --help", "%s is neither a command nor a file or folder here", word)
	if like := c.SuggestionsFor(word); len(like) > 0 {
		f.hint = "did you mean: winnow " + strings.Join(like, ", winnow ")
	}
	return f
}

// plainList prints the records as a numbered list: for screen readers, and for
// terminals that cannot draw screens.
func (p *program) plainList(ctx context.Context, paths []string) error {
	s, err := p.places(ctx, p.system, paths...)
	if err != nil {
		return err
	}
	found := existing(s)
	if len(found) == 0 {
		return noStore(s)
	}
	o := p.output(false)
	for _, place := range found {
		snap, err := p.load(ctx, place)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && len(found) == 1:
			return err
		case err != nil: // it does not hide the others
			o.Printf("Store %s: %s\n", place.Path, err)
		default:
			p.printPlain(o, snap)
		}
	}
	o.Printf("This is a plain list. For the screens, run winnow on a terminal that can draw, without --plain. ")
	o.Printf("For more: winnow --help\n")
	return o.Close()
}

func (p *program) printPlain(o *output.Out, snap memory.Snapshot) {
	name, others := o.Show(views.PlacePath(snap.Place)), output.Safe("")
	if snap.Place.Name != "" {
		name += o.Sprintf(" (%s)", p.kindName(snap.Place))
	}
	if snap.Aside > 0 {
		others = o.Sprintf(" and %d others", snap.Aside)
	}
	o.Printf("Store %s: %s%s, %d shown.\n", name, snap.Noun.Count(snap.Counted()), others, len(snap.Records))
	for i := range snap.Records {
		r := o.Shown(&snap.Records[i])
		o.Printf("%d. %s (%s", i+1, headline(r), plainKind(&snap, r))
		if !r.Created.Time.IsZero() {
			o.Printf(", %s old", p.age(r.Created.Time))
		}
		for _, name := range flagNames(r.Flags) {
			o.Printf(", %s", name)
		}
		o.Printf(")\n")
	}
	for _, h := range snap.Health {
		if h.Level >= memory.Warn {
			o.Printf("%s: %s%s\n", h.Level, h.What, inLines(h))
		}
	}
	if n := snap.Total - len(snap.Records); n > 0 {
		o.Printf("%d more are not shown.\n", n)
	}
}

// plainKind says in a word or two what a record is: how its session ended and how often
// it was recalled, or its kind where its system has no such things.
func plainKind(snap *memory.Snapshot, r *memory.Record) string {
	outcome, noun := string(r.Outcome), snap.Noun.OrRecord().One
	switch {
	case outcome == "" && r.Kind != "":
		return strings.TrimSuffix(r.Kind+", "+r.Scope, ", ")
	case outcome == "" && snap.Cap == 0 && r.Count.N == 0:
		return noun
	case outcome == "" && snap.Cap == 0:
		outcome = noun
	case outcome == "":
		outcome = "no outcome"
	}
	return outcome + ", recalled " + times(r)
}

// sortColumns are the values of --sort.
func sortColumns() []string {
	return []string{
		"store", string(filter.ByOutcome), string(filter.ByRel), string(filter.ByUsed),
		string(filter.ByAge), string(filter.ByNext), string(filter.ByFlags), string(filter.ByTask),
	}
}
