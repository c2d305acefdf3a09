// Package program puts the whole program together: the machine it runs on, the systems it
// knows, the commands and the screens.
package program

import (
	"context"
	"crypto/rand"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"sync"
	"syscall"
	"time"

	"github.com/charmbracelet/x/term"

	"winnow/cli"
	"winnow/core/config"
	"winnow/core/library"
	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/all"
	"winnow/tui/crash"
)

// Program is a Winnow with the systems that it knows and the clock that it goes by.
type Program struct {
	Systems func(now func() time.Time) []system.System
	Now     func() time.Time
}

// New returns the program with every system and the clock of this machine.
func New() Program { return Program{Systems: all.Systems, Now: time.Now} }

// Main runs the program with the arguments and streams of the process, ends with its
// first interrupt or end signal, and exits. A second signal ends the process at once.
func (p Program) Main() {
	debug.SetMemoryLimit(softLimit)
	ctx, stop := signal.NotifyContext(context.Background(), append(endings(), os.Interrupt)...)
	context.AfterFunc(ctx, stop)
	status := p.Run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}

// Run runs the program and returns its exit status, which package cli explains. A panic of
// a goroutine ends it as one of the command does.
func (p Program) Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if moves(args) {
		moveFolders(system.ThisMachine(), stderr)
	}
	e, catch := p.Env(stdin, stdout, stderr)
	go func() {
		select {
		case <-catch.Caught():
			cancel(catch.crashed())
		case <-ctx.Done():
		}
	}()
	return cli.Run(ctx, e, args)
}

// Catcher catches the panics of goroutines. crashed writes the report of the first one,
// once, and returns the error that names it.
type Catcher struct {
	*crash.Catcher
	crashed func() error
}

// softLimit is the memory in bytes that the garbage collector works harder to stay
// below. A store of 100,000 lessons that changes as a whole needs as much, since
// the state before it is still shown.
const softLimit = 256 << 20

// endings returns the signals that end the program. nohup makes a program ignore SIGHUP,
// so that it outlives its terminal.
func endings() []os.Signal {
	if signal.Ignored(syscall.SIGHUP) {
		return []os.Signal{syscall.SIGTERM}
	}
	return []os.Signal{syscall.SIGTERM, syscall.SIGHUP}
}

// Env returns what the commands know of this machine, and what catches panics of goroutines.
func (p Program) Env(stdin io.Reader, stdout, stderr io.Writer) (e cli.Env, catch Catcher) {
	catch = Catcher{crash.NewCatcher(), sync.OnceValue(func() error { r := catch.Report(); return e.Crashed(r.Value, r.Stack) })}
	e = p.env(system.ThisMachine(), catch, stdin, stdout, stderr)
	e.Demo = func(ctx context.Context) (cli.Env, func(), error) { return p.demo(ctx, e, catch) }
	return e, catch
}

// env returns what the commands know of a machine.
func (p Program) env(machine system.Env, catch Catcher, stdin io.Reader, stdout, stderr io.Writer) cli.Env {
	state, wrong := library.StateIn(machine, rand.Reader)
	lib := library.New(p.Systems(p.Now), machine, p.Now, catch.Go, state, all.Forms()...)
	e := cli.Env{
		In: stdin, Out: stdout, Err: stderr,
		InTTY: isTerminal(stdin), OutTTY: isTerminal(stdout), ErrTTY: isTerminal(stderr),
		Dir: machine.Dir, Now: p.Now, Zone: time.Local, Lookup: os.LookupEnv, Version: version(), State: state.Dir, Setting: wrong, Kept: lib.Kept(),
		Config: config.Path(machine.Folder(system.Settings)), Auditing: lean{lib}, Sessions: lib, Learning: lib, Proposing: lib,
	}
	use(&e, lib)
	e.Sharing, e.ReadOnly = lean{lib}, func(e *cli.Env) { use(e, lib.ReadOnly()) }
	if e.OutTTY {
		e.Width, e.Height, _ = term.GetSize(stdout.(*os.File).Fd())
	}
	e.Start = func(ctx context.Context, o cli.Screen) error {
		return screens{Env: e, lib: lib, catch: catch}.run(ctx, o)
	}
	return e
}

// use hands a library to the commands that may change something with it.
func use(e *cli.Env, lib *library.Library) {
	e.Library, e.Plots, e.Inbox, e.Hooks, e.Sharing = lib, lib, lib, lib, lib
}

// lean is a library whose audits take little memory, whatever they read: what is found
// in a large file is garbage soon, and twice as much of it would be waiting.
type lean struct{ *library.Library }

// Audit implements cli.Auditing.
func (l lean) Audit(ctx context.Context, o memory.AuditOrder, in io.Reader, tell func(memory.Progress)) (memory.Audit, error) {
	const percent = 60
	defer debug.SetGCPercent(debug.SetGCPercent(percent))
	return l.Library.Audit(ctx, o, in, tell)
}

// Sync implements cli.Sharing: all of a share is held at once, and soon not needed.
func (l lean) Sync(ctx context.Context, o memory.SyncOrder) (memory.Synced, error) {
	const percent = 30
	defer debug.SetGCPercent(debug.SetGCPercent(percent))
	return l.Library.Sync(ctx, o)
}

func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(f.Fd())
}

// version returns the version that the program was built from: a tag, or the date and the name of a commit.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
