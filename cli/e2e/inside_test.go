package e2e

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"winnow/core/system"
)

// cmdInside returns a command that runs a variant of winnow within the process of the tests, in the folder
// and the environment of the script. FILE is its standard input.
//
//	winnow [ARG...] [<FILE]
func cmdInside(name string) func(*testscript.TestScript, bool, []string) {
	return func(ts *testscript.TestScript, neg bool, args []string) {
		if status := runInside(ts, name, args); (status != 0) != neg {
			ts.Fatalf("exit status %d", status)
		}
	}
}

// cmdExits holds winnow to an exit status.
//
//	exits STATUS winnow [ARG...] [<FILE]
func cmdExits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || args[1] != "winnow" && args[1] != "winnow-at" {
		ts.Fatalf("usage: exits STATUS winnow [ARG...] [<FILE]")
	}
	if status := strconv.Itoa(runInside(ts, args[1], args[2:])); status != args[0] {
		ts.Fatalf("exit status %s, want %s", status, args[0])
	}
}

// runInside runs winnow and returns its exit status.
func runInside(ts *testscript.TestScript, name string, args []string) int {
	in := ""
	if n := len(args) - 1; n >= 0 && strings.HasPrefix(args[n], "<") {
		in, args = ts.ReadFile(args[n][1:]), args[:n]
	}
	return inside(name, system.Machine(ts.MkAbs("."), variables(ts)), args, in, ts.Stdout(), ts.Stderr())
}

// inside runs a variant of winnow on a machine within this process, and returns its exit status.
func inside(name string, machine system.Env, args []string, in string, out, errs io.Writer) int {
	p := variant(name)
	p.Machine, p.Zone = machine, time.UTC
	ctx, cancel := context.WithTimeoutCause(context.Background(), 4*patience, errRuns)
	defer cancel()
	toOut, toErrs := &untilEnd{to: out}, &untilEnd{to: errs}
	defer toOut.end()
	defer toErrs.end()
	return p.Run(ctx, args, strings.NewReader(in), toOut, toErrs)
}

// within runs winnow as it is with arguments in a folder and an environment, within this process.
func within(dir string, vars []string, args ...string) outcome {
	var out, errs bytes.Buffer
	status := inside("winnow", system.Machine(dir, vars), args, "", &out, &errs)
	return outcome{status: status, out: out.String(), err: errs.String()}
}

// untilEnd passes on what is written until it ends. What a goroutine that is left writes later is lost, as
// at the end of a process.
type untilEnd struct {
	mu sync.Mutex
	to io.Writer
}

// Write implements io.Writer.
func (u *untilEnd) Write(p []byte) (int, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.to == nil {
		return 0, os.ErrClosed
	}
	return u.to.Write(p)
}

func (u *untilEnd) end() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.to = nil
}

// variables returns the environment of a script: of the variables that any script sets, those that are not
// empty, and PATH and the folders that testscript sets.
func variables(ts *testscript.TestScript) (list []string) {
	for _, name := range namedVariables() {
		if v := ts.Getenv(name); v != "" {
			list = append(list, name+"="+v)
		}
	}
	return list
}

// namedVariables are the variables that scripts have.
var namedVariables = sync.OnceValue(func() []string {
	names := map[string]bool{}
	for _, name := range []string{"PATH", "HOME", "TMPDIR", "TZ", "WORK"} {
		names[name] = true
	}
	files, err := filepath.Glob(filepath.Join(scripts, "*.txtar"))
	if err != nil {
		panic(err)
	}
	set := regexp.MustCompile(`(?m)^env (\w+)=`)
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			panic(fmt.Errorf("read the names of variables: %w", err))
		}
		for _, m := range set.FindAllSubmatch(raw, -1) {
			names[string(m[1])] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
})
