package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"winnow/cli/output"
	"winnow/core/filter"
	"winnow/core/memory"
	"winnow/views"
	"winnow/views/theme"
)

// flag is a flag of a command. The variable that it sets holds its default and determines its type.
type flag struct {
	to         any // *bool, *string, *int or *[]string
	name, help string
	values     []string  // all allowed values, if there are only a few
	offer      completer // completes its value
	paths      bool      // its value may also be a path
	commas     bool      // a list may be separated by commas
}

// completer completes an argument or the value of a flag. It returns every candidate, given the
// arguments before it.
type completer func(ctx context.Context, args []string) []string

// offerOf completes one of a few words.
func offerOf(words ...string) completer {
	return func(context.Context, []string) []string { return words }
}

// completeWith adapts an offer to cobra and keeps the candidates with the typed prefix. If paths is
// set, the shell completes paths as well.
func completeWith(all completer, paths bool) cobra.CompletionFunc {
	if all == nil {
		return nil
	}
	return func(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		list := slices.DeleteFunc(slices.Clone(all(c.Context(), args)), func(s string) bool { return !strings.HasPrefix(s, begun) })
		how := cobra.ShellCompDirectiveKeepOrder
		if !paths {
			how |= cobra.ShellCompDirectiveNoFileComp
		}
		if len(list) > 0 && strings.HasSuffix(list[0], "=") {
			how |= cobra.ShellCompDirectiveNoSpace
		}
		return list, how
	}
}

// command describes a command, from which the cobra command is made.
type command struct {
	use, short, long string
	examples         []string
	args             cobra.PositionalArgs // nil takes any
	flags            []flag
	exclusive        [][]string                // flags that exclude each other
	offer            completer                 // completes an argument
	paths            bool                      // an argument may also be a path
	check            func(args []string) error // refuses invalid uses; may be nil
	on               func() choice             // how to choose its store; nil if it needs none or chooses it itself
	run              func(ctx context.Context, args []string) error
	paged            bool // its output may be longer than a screen
}

// cobraCommand returns the cobra command. It refuses flags that exclude each other and invalid values,
// chooses the store, runs the command, and flushes its output.
func (p *program) cobraCommand(d command) *cobra.Command {
	c := &cobra.Command{
		Use: d.use, Short: d.short, Long: d.long, Example: strings.Join(d.examples, "\n"), Args: d.args, ValidArgsFunction: completeWith(d.offer, d.paths),
		RunE: func(c *cobra.Command, args []string) error {
			p.isSet, p.op = c.Flags().Changed, c.Name()
			done := p.display(d.paged)
			err := p.prepare(c, d, args)
			if err == nil {
				err = d.run(c.Context(), args)
			}
			return errors.Join(p.out.Close(), done(), err)
		},
	}
	for _, f := range d.flags {
		f.declare(c, c.Flags())
	}
	return c
}

// prepare refuses invalid uses of a command, and chooses its store.
func (p *program) prepare(c *cobra.Command, d command, args []string) (err error) {
	for _, names := range d.exclusive {
		given := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !p.isSet(name) })
		if len(given) > 1 {
			return usage("leave out one of them", "%s: --%s do not go together", p.op, strings.Join(given, " and --"))
		}
	}
	for _, f := range append(d.flags, p.globalFlags()...) {
		err = cmp.Or(err, f.check())
	}
	if err == nil && d.check != nil {
		err = d.check(args)
	}
	if err == nil && d.on != nil {
		err = p.chooseStore(c.Context(), d.on())
	}
	return err
}

// declare adds the flag to a command's flag set, with its completion.
func (f *flag) declare(c *cobra.Command, set *pflag.FlagSet) {
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
		f.offer = offerOf(f.values...)
	}
	if f.offer != nil {
		// The only error is an unknown flag, which a test would catch.
		_ = c.RegisterFlagCompletionFunc(f.name, completeWith(f.offer, f.paths))
	}
}

// check refuses a value that the flag does not accept.
func (f *flag) check() error {
	var given []string
	switch to := f.to.(type) {
	case *string:
		given = []string{*to}
	case *[]string:
		given = *to
	}
	for _, value := range given {
		if f.values != nil && !slices.Contains(f.values, value) {
			return noSuchValue(f.name, value, f.values)
		}
	}
	return nil
}

func (p *program) jsonFlag() flag {
	return flag{to: &p.json, name: "json", help: "print JSON (see docs/cli.md)"}
}

func (p *program) revealFlag() flag {
	return flag{to: &p.reveal, name: "reveal", help: "show secrets unmasked"}
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

// commandGroup is the commands under one heading of the help.
type commandGroup struct {
	heading  string
	commands []command
}

// groups are the commands in the order of the help.
func (p *program) groups() []commandGroup {
	return []commandGroup{
		{"Look", []command{p.list(), p.show(), p.search(), p.recall(), p.stores(), p.session(), p.doctor(), p.history(), p.stats()}},
		{"Change", []command{p.inbox(), p.add(), p.edit(), p.rm(), p.merge(), p.pin(), p.unpin(), p.prune(), p.redact(), p.undo(), p.redo(), p.restore(), p.forget()}},
		{"Share", []command{p.audit(), p.ignore(), p.rules(), p.hook(), p.export(), p.sync()}},
		{"Agents", []command{p.learn(), p.setup(), p.mcp(), p.agentHook(), p.guard(), p.repair(), p.unfreeze()}},
		{more, []command{p.config(), p.man(), p.version()}},
	}
}

// more is the heading of the commands about Winnow itself.
const more = "More"

// commands returns the whole tree of commands.
func (p *program) commands() *cobra.Command {
	root := p.root()
	root.PersistentPreRunE = func(*cobra.Command, []string) error {
		if p.readOnly {
			p.ReadOnly(&p.Env)
		}
		if p.Setting != nil {
			return &failure{code: exitUsage, err: p.Setting, hint: "unset the variable, or give it another value"}
		}
		return nil
	}
	for _, f := range p.globalFlags() {
		f.declare(root, root.PersistentFlags())
	}
	for _, g := range p.groups() {
		root.AddGroup(&cobra.Group{ID: g.heading, Title: g.heading})
		for _, d := range g.commands {
			if name, _, _ := strings.Cut(d.use, " "); p.words != nil && !slices.Contains(p.words, name) {
				d.flags = nil // otherwise every start would pay for the flags of every command
			}
			c := p.cobraCommand(d)
			c.GroupID = g.heading
			root.AddCommand(c)
		}
	}
	p.addHelp(root)
	return root
}

// globalFlags are the flags of every command.
func (p *program) globalFlags() []flag {
	return []flag{
		{to: &p.store, name: "store", help: "use the store at `PATH`; also SYSTEM, SYSTEM:PATH, or a project folder", offer: p.offerStores, paths: true},
		{to: &p.system, name: "system", help: "use only the stores of system `NAME`", offer: p.offerSystems},
		{to: &p.utc, name: "utc", help: "show times in UTC"},
		{to: &p.colour, name: "color", help: "when to use colours: `WHEN` is auto, always or never", values: []string{"auto", "always", "never"}},
		{to: &p.noPager, name: "no-pager", help: "do not pipe long output through a pager"},
		{to: &p.readOnly, name: "readonly", help: "refuse to change stores and their history"},
	}
}

func (p *program) version() command {
	return command{
		use: "version", short: "Print the version", long: "Prints the version, as --version does.",
		examples: []string{"winnow version"}, args: atMost(0),
		run: func(context.Context, []string) error {
			p.out.Printf("winnow version %s\n", p.Version)
			return nil
		},
	}
}

const about = `Winnow shows the memories that coding agents keep across sessions: what is in a store,
what a task would recall from it, and what an agent would be told. It edits, deletes,
prunes and merges them, can undo every change, and notices when an agent undoes one.

Without a command it opens the full-screen program on PATH (a store, or a folder to
search), or on the stores it finds. Looking changes nothing. Before Winnow changes a
store, it saves the old bytes in its history.`

// opening is one call of the full-screen program, with its flags.
type opening struct {
	*program
	command              *cobra.Command
	demo, plain, noMouse bool
	theme                string
}

func (p *program) root() *cobra.Command {
	f := opening{program: p, theme: theme.Auto}
	f.command = p.cobraCommand(command{
		use: "winnow [PATH...]", short: "Browse and curate the memories of coding agents", long: about,
		examples: []string{
			"winnow                        open the store found here",
			"winnow sessions/memory.jsonl  open this store",
			"winnow --demo                 try it on sample data",
			"winnow -- list                open a store named like a command",
		},
		args: cobra.ArbitraryArgs, // a word that is not a command is a path
		flags: []flag{
			{to: &f.demo, name: "demo", help: "try Winnow on sample data of four agents, in a temporary folder"},
			{to: &f.theme, name: "theme", help: "colour theme `NAME`: " + strings.Join(theme.Names(), ", ") + ", or one of your own", offer: offerOf(theme.Names()...)},
			{to: &f.plain, name: "plain", help: "line by line instead of full screen, for screen readers"},
			{to: &f.noMouse, name: "no-mouse", help: "do not use the mouse"},
		},
		run: f.open,
	})
	c := f.command
	c.Version, c.SilenceErrors, c.SilenceUsage = p.Version, true, true
	c.SuggestionsMinimumDistance = 2 // letters of a typo
	return c
}

// open runs the full-screen program, or its line mode if that was requested or the terminal cannot
// draw screens. Without a terminal for input it prints a plain list.
func (f *opening) open(ctx context.Context, args []string) error {
	paths := output.NonEmpty(append([]string{f.store}, args...)...)
	term, _ := f.Lookup("TERM")
	plain := f.plain || f.OutTTY && (term == "dumb" || f.has("WINNOW_PLAIN") || f.has("ACCESSIBLE"))
	if f.mistyped(f.command, args) {
		return noSuchCommand(f.command, args[0])
	}
	if err := refuse(
		refusal{f.demo && len(paths) > 0, "leave out one of them", "--demo opens stores of its own, not " + strings.Join(paths, " ")},
		refusal{slices.Contains(args, ""), "see winnow --help", "a path is empty"},
		refusal{!plain && (!f.InTTY || !f.OutTTY), "print the records instead: winnow list", "the screens need a terminal for input and output"},
	); err != nil {
		return err
	}
	if f.demo {
		e, remove, err := f.Demo(ctx)
		if err != nil {
			return err
		}
		defer remove()
		f.Env = e
	}
	s, state := f.Settings(), f.Kept.Read()
	if err := cmp.Or(f.chooseTheme(&s, state.Theme), f.screenPaths(ctx, &paths)); err != nil {
		return err
	}
	if plain && !(f.InTTY && f.OutTTY) {
		return f.plainList(ctx, paths)
	}
	noColor, _ := f.Lookup("NO_COLOR")
	old := strings.HasPrefix(term, "vt") // it has neither colours nor characters beyond ASCII
	return f.Start(ctx, Screen{
		Paths: paths, Zone: f.zone(), NoMouse: f.noMouse, Settings: s, State: state,
		Theme: f.theme, NoColor: old || noColor != "", ASCII: old || f.asciiOnly(), ReadOnly: f.readOnly, Plain: plain,
	})
}

// chooseTheme takes the theme from --theme, or else from config.toml, or else the theme used last.
func (f *opening) chooseTheme(s *Settings, last string) error {
	flagged := f.isSet("theme")
	if !flagged {
		f.theme = cmp.Or(s.File.Theme, last, theme.Auto)
	}
	if f.theme == s.User.Name || slices.Contains(theme.Names(), f.theme) {
		return nil
	}
	user, file := f.userTheme(f.theme)
	switch {
	case file == nil || flagged && len(file.Mistakes) > 0 && !exists(file.Path):
		return noSuchValue("theme", f.theme, theme.Names())
	case flagged && len(file.Mistakes) > 0:
		return usage("correct the file, or choose another theme", "--theme %s: %s: %s", f.theme, file.Path, file.Mistakes[0].Error())
	case len(file.Mistakes) > 0:
		f.theme = theme.Auto
	default:
		s.User = user
	}
	return nil
}

// screenPaths replaces values that name a system by the stores they stand for. With --system it
// replaces all values.
func (p *program) screenPaths(ctx context.Context, paths *[]string) error {
	if p.system == "" && !slices.ContainsFunc(*paths, p.namesSystem) {
		return nil
	}
	found, err := p.existing(ctx, *paths...)
	*paths = output.Each(found, func(q *memory.Place) string { return string(q.Store) })
	return err
}

// has reports whether an environment variable is set to anything but "" or 0.
func (e *Env) has(name string) bool {
	v, _ := e.Lookup(name)
	return v != "" && v != "0"
}

// asciiOnly reports whether the locale names an encoding other than UTF-8, so that line drawing may
// not work.
func (e *Env) asciiOnly() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v, _ := e.Lookup(name); v != "" {
			v = strings.ToLower(v)
			return !strings.Contains(v, "utf-8") && !strings.Contains(v, "utf8")
		}
	}
	return false
}

// mistyped reports whether the only argument looks like a misspelled command: a bare word that is
// not a file or folder.
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
	found, err := p.existing(ctx, paths...)
	if err != nil {
		return err
	}
	for _, place := range found {
		snap, err := p.load(ctx, place)
		if ctx.Err() != nil || err != nil && len(found) == 1 {
			return cmp.Or(ctx.Err(), err)
		}
		if err != nil { // it does not hide the others
			p.out.Printf("Store %s: %s\n", place.Path, err)
			continue
		}
		p.printPlain(snap)
	}
	p.out.Printf("This is a plain list. For the screens, run winnow on a terminal that can draw, without --plain. To browse by lines, run winnow --plain with a terminal as its input. For more: winnow --help\n")
	return nil
}

func (p *program) printPlain(snap memory.Snapshot) {
	o, name := p.out, p.out.Show(views.PlacePath(snap.Place))
	if snap.Place.Name != "" {
		name += o.Sprintf(" (%s)", p.kindName(snap.Place))
	}
	others := output.When(snap.Aside > 0, fmt.Sprintf(" and %d others", snap.Aside))
	o.Printf("Store %s: %s%s, %d shown.\n", name, snap.Noun.Count(snap.Counted()), others, len(snap.Records))
	for i := range snap.Records {
		r := o.Shown(&snap.Records[i])
		age := output.When(!r.Created.Time.IsZero(), p.age(r.Created.Time)+" old")
		more := output.NonEmpty(append([]string{plainKind(&snap, r), age}, r.Flags.Names()...)...)
		o.Printf("%d. %s (%s)\n", i+1, headline(r), strings.Join(more, ", "))
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

// plainKind describes a record in a word or two: the outcome of its session and its relevance count
// or, if its system has neither, its kind.
func plainKind(snap *memory.Snapshot, r *memory.Record) string {
	outcome, noun := string(r.Outcome), snap.Noun.OrRecord().One
	switch {
	case outcome == "" && r.Kind != "":
		return output.Joined(", ", r.Kind, r.Scope)
	case outcome == "" && snap.Cap == 0 && r.Count.N == 0:
		return noun
	case outcome == "" && snap.Cap == 0:
		outcome = noun
	}
	return cmp.Or(outcome, "no outcome") + ", recalled " + timesText(r)
}

// sortColumns are the values of --sort.
func sortColumns() []string {
	return []string{
		"store", string(filter.ByOutcome), string(filter.ByRel), string(filter.ByUsed),
		string(filter.ByAge), string(filter.ByNext), string(filter.ByFlags), string(filter.ByTask),
	}
}
