// Package program puts the whole program together: the machine it runs on, the systems it
// knows, the commands and the screens.
package program

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"sync"
	"syscall"
	"time"

	"github.com/charmbracelet/x/term"

	"winnow/cli"
	"winnow/core/demo"
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
func (p Program) Env(stdin io.Reader, stdout, stderr io.Writer) (cli.Env, Catcher) {
	// Without a home or a working folder there are fewer places to look at.
	home, _ := os.UserHomeDir()
	dir, _ := os.Getwd()
	catch := Catcher{Catcher: crash.NewCatcher()}
	env := system.Env{Home: home, Dir: dir, Lookup: os.LookupEnv}
	state, wrong := library.StateIn(env, rand.Reader)
	lib := library.New(p.Systems(p.Now), env, p.Now, catch.Go, state, all.Forms()...)
	e := cli.Env{
		In: stdin, Out: stdout, Err: stderr,
		InTTY: isTerminal(stdin), OutTTY: isTerminal(stdout), ErrTTY: isTerminal(stderr),
		Library: lib, ReadOnly: func() cli.Library { return lib.ReadOnly() }, Dir: dir, Now: p.Now, Zone: time.Local, Lookup: os.LookupEnv, Version: version(), State: state.Dir, Setting: wrong,
		Auditing: lean{lib}, Sessions: lib, Inbox: lib, Learning: lib, Hooks: lib, Proposing: lib,
		Unpack: func() (string, func(), error) { return unpack(p.Now()) },
	}
	if e.OutTTY {
		e.Width, _, _ = term.GetSize(stdout.(*os.File).Fd())
	}
	catch.crashed = sync.OnceValue(func() error { r := catch.Report(); return e.Crashed(r.Value, r.Stack) })
	e.Start = func(ctx context.Context, o cli.Screen) error { return screens{e, lib, catch}.run(ctx, o) }
	return e, catch
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

func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(f.Fd())
}

// version returns the version that the program was built from.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// unpack makes the demo store in a temporary folder. remove takes the folder away.
func unpack(now time.Time) (path string, remove func(), err error) {
	dir, err := os.MkdirTemp("", "winnow-demo-")
	if err != nil {
		return "", nil, fmt.Errorf("unpack demo: %w", err)
	}
	// What is left of a temporary folder harms nobody.
	remove = func() { _ = os.RemoveAll(dir) }
	if path, err = demo.Unpack(dir, now); err != nil {
		remove()
		return "", nil, err
	}
	return path, remove, nil
}
