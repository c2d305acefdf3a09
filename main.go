// Winnow shows the memories that coding agents keep across sessions, and what an
// agent would recall from them for a task. It opens stores and changes nothing.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/x/term"

	"winnow/cli"
	"winnow/core/demo"
	"winnow/core/jstext"
	"winnow/core/library"
	"winnow/core/system"
	"winnow/core/systems/all"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	context.AfterFunc(ctx, stop) // the second signal ends the program at once
	status := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}

// run is main without globals. It returns the exit status, which cli explains.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return cli.Run(ctx, world(stdin, stdout, stderr, time.Now), args)
}

// world is what the commands know of this machine.
func world(stdin io.Reader, stdout, stderr io.Writer, now func() time.Time) cli.Env {
	// Without a home or a working folder there are fewer places to look at.
	home, _ := os.UserHomeDir()
	dir, _ := os.Getwd()
	lib := library.New(all.Kinds(now), system.Env{Home: home, Dir: dir, Lookup: os.LookupEnv}, now)
	e := cli.Env{
		In: stdin, Out: stdout, Err: stderr,
		InTTY: isTerminal(stdin), OutTTY: isTerminal(stdout), ErrTTY: isTerminal(stderr),
		Library: lib, Now: now, Zone: time.Local, Lookup: os.LookupEnv, Version: version(),
		Task: taskText, Encode: jstext.WellFormed,
		Exists: func(path string) bool { _, err := os.Lstat(path); return err == nil },
		Unpack: unpack,
	}
	if e.OutTTY {
		e.Width, _, _ = term.GetSize(stdout.(*os.File).Fd())
	}
	e.Start = screens{lib: lib, stdin: stdin, stdout: stdout, home: home, now: now}.run
	return e
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

// taskText decodes a task as an agent would. A lone surrogate in its three
// generalised bytes, which no agent could be given as an argument but may have
// got in JSON, counts as the one unit that it is.
func taskText(b []byte) string {
	var parts []string
	start := 0
	for i := 0; i+2 < len(b); i++ {
		if b[i] == 0xED && b[i+1] >= 0xA0 && b[i+1] <= 0xBF && b[i+2]&0xC0 == 0x80 {
			parts = append(parts, jstext.Decode(b[start:i]), string(b[i:i+3]))
			i += 2
			start = i + 1
		}
	}
	if start == 0 && utf8.Valid(b) {
		return string(b)
	}
	return jstext.Concat(append(parts, jstext.Decode(b[start:]))...)
}

// unpack makes the demo store in a temporary folder. remove takes the folder away.
func unpack() (path string, remove func(), err error) {
	dir, err := os.MkdirTemp("", "winnow-demo-")
	if err != nil {
		return "", nil, fmt.Errorf("unpack demo: %w", err)
	}
	// What is left of a temporary folder harms nobody.
	remove = func() { _ = os.RemoveAll(dir) }
	if path, err = demo.Unpack(dir, time.Now()); err != nil {
		remove()
		return "", nil, err
	}
	return path, remove, nil
}
