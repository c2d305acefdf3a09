// Package program assembles the program from the machine it runs on, the systems it knows, the
// commands and the screens.
package program

import (
	"cmp"
	"context"
	"crypto/rand"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/charmbracelet/x/term"

	"winnow/cli"
	"winnow/core/atomicfile"
	"winnow/core/config"
	"winnow/core/fix"
	"winnow/core/git"
	"winnow/core/home"
	"winnow/core/inbox"
	"winnow/core/library"
	"winnow/core/memory"
	"winnow/core/serve"
	"winnow/core/session"
	"winnow/core/sessions"
	sharing "winnow/core/sync"
	"winnow/core/system"
	"winnow/core/systems/all"
)

// Program is Winnow with the systems that it knows, the machine that it is on and its clock.
type Program struct {
	Systems func(machine system.Env, now func() time.Time) []system.System
	Machine system.Env
	Now     func() time.Time
	Zone    *time.Location // of absolute times
	// HookTime is how long a hook of an agent may take; 0 means [cli.HookTime].
	HookTime time.Duration

	started time.Time // when Main began; zero without it
	// alone is set if the program has the process to itself, and may change its limits.
	alone bool
}

// New returns the program with every system and the real clock, on this machine.
func New() Program {
	return Program{Systems: all.On, Machine: system.ThisMachine(), Now: time.Now, Zone: time.Local}
}

// Main runs the program with the arguments and streams of the process, and exits. The first
// interrupt or end signal makes it stop; a second one ends the process at once.
func (p Program) Main() {
	p.started, p.alone = time.Now(), true
	if cli.IsHook(os.Args[1:]) {
		p.guardHook()
	}
	debug.SetMemoryLimit(softLimit)
	ctx, stop := signal.NotifyContext(context.Background(), append(endSignals(), os.Interrupt)...)
	context.AfterFunc(ctx, stop)
	status := p.Run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}

// hookGrace is what a hook may take beyond its time, to print what it has and to end.
const hookGrace = 30 * time.Millisecond

// guardHook ends the process with status 0 even if the hook hangs, as on a disk that does not answer.
// An agent that no longer reads what is printed does not kill it either.
func (p Program) guardHook() {
	debug.SetGCPercent(-1) // the hook ends before a collection is worth its time; the limit still applies
	time.AfterFunc(cmp.Or(p.HookTime, cli.HookTime)+hookGrace, func() { os.Exit(0) })
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // ignoring it would be inherited by other programs
}

// Run runs the program and returns its exit status, as documented in package cli. It handles a
// panic in a goroutine like one in a command. Programs on machines with environments of their own can run
// beside each other.
func (p Program) Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if slices.Equal(args, []string{"--version"}) { // needs neither stores nor settings
		return cli.Run(ctx, cli.Env{Out: stdout, Err: stderr, Version: version()}, args)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if mayMoveFolders(args) {
		moveFolders(p.Machine, stderr)
		if state := p.Machine.Folder(system.State); state != "" {
			atomicfile.RemoveUnfinished(state, p.Now())
		}
	}
	e, catch := p.Env(stdin, stdout, stderr)
	go func() {
		select {
		case <-catch.caught:
			cancel(catch.crashed())
		case <-ctx.Done():
		}
	}()
	return cli.Run(git.WithVariables(ctx, p.Machine.Vars), e, args)
}

// Catcher catches the panics of goroutines. crashed writes the report of the first one, once, and
// returns an error that names the report.
type Catcher struct {
	*panics
	crashed func() error
}

// softLimit is the memory limit, in bytes, that the garbage collector tries to keep. A store of
// 100,000 lessons that changes as a whole needs this much, because its previous state is still on
// the screen.
const softLimit = 256 << 20

// endSignals returns the signals that end the program, and leave the terminal as it was. One that is ignored stays
// so: nohup ignores SIGHUP so that a program outlives its terminal.
func endSignals() []os.Signal {
	return slices.DeleteFunc([]os.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}, signal.Ignored)
}

// Env returns the environment of the commands on this machine, and the catcher for panics in
// goroutines.
func (p Program) Env(stdin io.Reader, stdout, stderr io.Writer) (e cli.Env, catch Catcher) {
	catch = Catcher{
		newPanics(),
		sync.OnceValue(func() error { r := catch.first(); return e.Crashed(r.Value, r.Stack) }),
	}
	e = p.env(p.Machine, catch, stdin, stdout, stderr)
	e.Demo = func(ctx context.Context) (cli.Env, func(), error) { return p.demo(ctx, e, catch) }
	return e, catch
}

// env returns the environment of the commands on a machine.
func (p Program) env(machine system.Env, catch Catcher, stdin io.Reader, stdout, stderr io.Writer) cli.Env {
	state, wrong := library.StateIn(machine, rand.Reader)
	lib := library.New(p.Systems(machine, p.Now), machine, p.Now, catch.start, state, all.Forms()...)
	syncs, box := sharing.New(lib), inbox.New(lib)
	e := cli.Env{
		In: stdin, Out: stdout, Err: stderr,
		InTTY: isTerminal(stdin), OutTTY: isTerminal(stdout), ErrTTY: isTerminal(stderr),
		Dir: machine.Dir, Home: machine.Home, Now: p.Now, Started: p.started, HookTime: p.HookTime, Zone: p.Zone,
		Lookup: machine.Lookup, Prepare: machine.Prepare, Version: version(), State: state.Dir, Setting: wrong,
		Untrusted:   state.Untrusted,
		BadSettings: state.Settings,
		Kept:        lib.Kept(),
		Config:      config.Path(machine.Folder(system.Settings)),
		Fixing:      fix.New(lib),
		Copying:     syncs,
		Auditing:    lib,
		Sessions:    recorded{lib, lib.Machine().Sessions, box},
		Learning:    box,
		Failing:     box,
		Proposing:   proposing{serve.New(lib), box},
	}
	useLibrary(&e, lib)
	if p.alone {
		e.Auditing, e.Sharing = leanLibrary{lib}, leanSyncer{syncs}
	}
	e.ReadOnly = func(e *cli.Env) { useLibrary(e, lib.ReadOnly()) }
	if e.OutTTY {
		e.Width, e.Height, _ = term.GetSize(stdout.(*os.File).Fd())
	}
	e.Start = func(ctx context.Context, o cli.Screen) error {
		return screens{Env: e, lib: lib, catch: catch, alone: p.alone}.run(ctx, o)
	}
	return e
}

// useLibrary gives the library to the commands that need it.
func useLibrary(e *cli.Env, lib *library.Library) {
	box := inbox.New(lib)
	e.Library, e.Plots = Stores{lib, home.New(lib), box}, lib
	e.Inbox, e.Hooks, e.Sharing = box, serve.New(lib), sharing.New(lib)
}

// Stores are those of a library, with what agents read beside them. An undo there also takes back a decision of the
// inbox.
type Stores struct {
	*library.Library
	*home.Reader
	inbox *inbox.Reviewer
}

// Apply implements cli.Library.
func (s Stores) Apply(ctx context.Context, p memory.Plan) (memory.Result, error) {
	return s.inbox.Apply(ctx, p)
}

// recorded has the sessions that agents kept, with what stores and the inbox know of them.
type recorded struct {
	*library.Library
	*sessions.Reader
	inbox *inbox.Reviewer
}

// SessionRecords implements cli.Sessions.
func (s recorded) SessionRecords(
	ctx context.Context, of *session.Session,
) (left, given []memory.Kin, notes []string, err error) {
	return s.inbox.SessionRecords(ctx, of)
}

// proposing serves agents, and takes what they propose into the inbox.
type proposing struct {
	*serve.Server
	*inbox.Reviewer
}

// leanLibrary is a library that keeps the memory of audits small. What is found in a large file soon
// becomes garbage; by default, nearly twice as much of it would wait for collection.
type leanLibrary struct{ *library.Library }

// Audit implements cli.Auditing.
func (l leanLibrary) Audit(
	ctx context.Context,
	o memory.AuditOrder,
	in io.Reader,
	tell func(memory.Progress),
) (memory.Audit, error) {
	const percent = 60
	defer debug.SetGCPercent(debug.SetGCPercent(percent))
	return l.Library.Audit(ctx, o, in, tell)
}

// leanSyncer is a Syncer that keeps the memory of syncs small.
type leanSyncer struct{ *sharing.Syncer }

// Sync implements cli.Sharing. A whole share is in memory at once, and soon not needed any more.
func (l leanSyncer) Sync(ctx context.Context, o memory.SyncOrder) (memory.Synced, error) {
	const percent = 30
	defer debug.SetGCPercent(debug.SetGCPercent(percent))
	return l.Syncer.Sync(ctx, o)
}

func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(f.Fd())
}

// version returns the version of the build: a tag, or the date and name of a commit.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
