package cli

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"winnow/cli/output"
	"winnow/core/filter"
	"winnow/core/memory"
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
		list := slices.DeleteFunc(slices.Clone(all(c.Context(), args)), func(s string) bool {
			return !strings.HasPrefix(s, begun)
		})
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
		Use:               d.use,
		Short:             d.short,
		Long:              d.long,
		Example:           strings.Join(d.examples, "\n"),
		Args:              d.args,
		ValidArgsFunction: completeWith(d.offer, d.paths),
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
		if err = f.check(); err != nil {
			break
		}
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
	return flag{to: &p.json, name: "json", help: "print JSON (see docs/json.md)"}
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
	commands []namedCommand
}

// namedCommand makes a command when it is needed.
type namedCommand struct {
	name string
	make func() command
}

// groups are the commands in the order of the help.
func (p *program) groups() []commandGroup {
	return []commandGroup{
		{"Look", []namedCommand{
			{"list", p.list},
			{"show", p.show},
			{"search", p.search},
			{"recall", p.recall},
			{"sources", p.sources},
			{"stores", p.stores},
			{"session", p.session},
			{"doctor", p.doctor},
			{"history", p.history},
			{"stats", p.stats},
		}},
		{"Change", []namedCommand{
			{"inbox", p.inbox},
			{"add", p.add},
			{"edit", p.edit},
			{"rm", p.rm},
			{"merge", p.merge},
			{"pin", p.pin},
			{"unpin", p.unpin},
			{"prune", p.prune},
			{"redact", p.redact},
			{"undo", p.undo},
			{"redo", p.redo},
			{"restore", p.restore},
			{"forget", p.forget},
		}},
		{"Share", []namedCommand{
			{"audit", p.audit},
			{"ignore", p.ignore},
			{"rules", p.rules},
			{"hook", p.hook},
			{"export", p.export},
			{"sync", p.sync},
		}},
		{"Agents", []namedCommand{
			{"learn", p.learn},
			{"failures", p.failures},
			{"setup", p.setup},
			{"mcp", p.mcp},
			{"agent-hook", p.agentHook},
			{"guard", p.guard},
			{"repair", p.repair},
		}},
		{more, []namedCommand{{"config", p.config}, {"man", p.man}, {"version", p.version}}},
	}
}

// needsTree reports whether a command line needs every command: it asks for help or completions, or
// it names no command but has a word that may be a misspelled one. Otherwise every start would pay
// for commands that it does not run.
func needsTree(words []string, groups []commandGroup) bool {
	bare, named := false, false
	for _, word := range words {
		if word == "help" || word == "completion" || strings.HasPrefix(word, "__complete") ||
			strings.HasPrefix(word, "-h") || strings.HasPrefix(word, "--h") {
			return true
		}
		bare = bare || !strings.HasPrefix(word, "-") && !strings.ContainsAny(word, `/\.`)
		named = named || slices.ContainsFunc(groups, func(g commandGroup) bool {
			return slices.ContainsFunc(g.commands, func(c namedCommand) bool { return c.name == word })
		})
	}
	return bare && !named
}

// more is the heading of the commands about Winnow itself.
const more = "More"

// commands returns the tree of commands, or of those that the words name if they need no other.
func (p *program) commands() *cobra.Command {
	root, groups := p.root(), p.groups()
	all := p.words == nil || needsTree(p.words, groups)
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error {
		if p.readOnly {
			p.ReadOnly(&p.Env)
		}
		if p.Setting != nil {
			return &failure{code: exitUsage, err: p.Setting, hint: "unset the variable, or give it another value"}
		}
		p.warnOfState(c)
		if p.BadSettings != nil && slices.Contains([]string{"audit", "export", "sync"}, c.Name()) {
			return p.BadSettings
		}
		return nil
	}
	for _, f := range p.globalFlags() {
		f.declare(root, root.PersistentFlags())
	}
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.heading, Title: g.heading})
		for _, d := range g.commands {
			if all || slices.Contains(p.words, d.name) {
				c := p.cobraCommand(d.make())
				c.GroupID = g.heading
				root.AddCommand(c)
			}
		}
	}
	p.addHelp(root, all)
	return root
}

// warnOfState says that others could have written the state. Hooks say nothing, since nobody reads it, and
// doctor says it among its findings.
func (p *program) warnOfState(c *cobra.Command) {
	quiet := []string{"agent-hook", "doctor", "help", "man", "version", "completion"}
	if p.Untrusted == nil || slices.Contains(quiet, c.Name()) || strings.HasPrefix(c.Name(), "__") {
		return
	}
	p.notef("warning: %s", p.Untrusted)
	p.notef("hint: %s", asFailure(p.Untrusted).hint)
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

Without a command it opens the screens: on PATH (a store, or a folder to search), or on
Home, which says what each agent reads in this folder and what is wrong with it. Looking
changes nothing. Before Winnow changes a store, it saves the old bytes in its history.`

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
			"winnow                        open Home in this folder",
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
	plain := f.plain || f.OutTTY && f.wantsLines(term)
	if f.mistyped(f.command, args) {
		return noSuchCommand(f.command, args[0])
	}
	if err := f.check(args, paths, plain); err != nil {
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
	s, state := f.settings(), f.Kept.Read()
	if err := f.chooseTheme(&s, state.Theme); err != nil {
		return err
	}
	if err := f.screenPaths(ctx, &paths); err != nil {
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

// wantsLines reports whether the environment asks for the line mode.
func (f *opening) wantsLines(term string) bool {
	return term == "dumb" || f.has("WINNOW_PLAIN") || f.has("ACCESSIBLE")
}

// check refuses arguments that make no sense together, and screens where there is no terminal.
func (f *opening) check(args, paths []string, plain bool) error {
	return refuse(
		refusal{
			f.demo && len(paths) > 0,
			"leave out one of them",
			"--demo opens stores of its own, not " + strings.Join(paths, " "),
		},
		refusal{slices.Contains(args, ""), "see winnow --help", "a path is empty"},
		refusal{
			!plain && (!f.InTTY || !f.OutTTY),
			"print the records instead: winnow list",
			"the screens need a terminal for input and output",
		},
	)
}

// chooseTheme takes the theme from --theme, or else from config.toml, or else the theme used last.
func (f *opening) chooseTheme(s *Settings, last string) error {
	flagged := f.isSet("theme")
	if !flagged {
		f.theme = cmp.Or(s.File.Theme, last, theme.Auto)
	}
	if !slices.Contains(theme.Names(), f.theme) {
		if flagged {
			return noSuchValue("theme", f.theme, theme.Names())
		}
		f.theme = theme.Auto
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
	return len(args) == 1 && c.ArgsLenAtDash() < 0 && !strings.ContainsAny(args[0], `/\.`) && !p.exists(args[0]) && !p.isSystem(args[0])
}

func noSuchCommand(c *cobra.Command, word string) error {
	f := failed(exitNotFound, "see winnow --help", "%s is neither a command nor a file or folder here", word)
	if like := c.SuggestionsFor(word); len(like) > 0 {
		f.hint = "did you mean: winnow " + strings.Join(like, ", winnow ")
	}
	return f
}

// sortColumns are the values of --sort.
func sortColumns() []string {
	return []string{
		"store", string(filter.ByOutcome), string(filter.ByRel), string(filter.ByUsed),
		string(filter.ByAge), string(filter.ByNext), string(filter.ByFlags), string(filter.ByTask),
	}
}
