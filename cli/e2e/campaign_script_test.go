package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// beside are the companions of a script by name.
type beside map[string]*lineProgram

// running is the key of a script's companions.
const running = "companions"

// cmdReal sets the variable WINNOW to a program that can be killed: as it is shipped, where everything is tried.
//
//	real
func cmdReal(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: real")
	}
	path, err := exec.LookPath("winnow")
	if isLong() {
		path, err = built()
	}
	ts.Check(err)
	ts.Setenv("WINNOW", path)
}

// cmdStart starts a program that runs beside the script until it ends, and that
// answers lines with lines.
//
//	start NAME PROGRAM [ARG...]
func cmdStart(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: start NAME PROGRAM [ARG...]")
	}
	g := sandbox{dir: ts.MkAbs("."), home: ts.Getenv("HOME")}
	c, err := g.start(nil, args[1], args[2:]...)
	ts.Check(err)
	ts.Defer(func() { c.kill() })
	ts.Value(running).(beside)[args[0]] = c
}

// cmdTell sends a line to a program that was started, and prints the answer.
//
//	tell NAME WORD...
func cmdTell(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: tell NAME WORD...")
	}
	answer, err := tell(ts, args[0], strings.Join(args[1:], " "))
	ts.Check(err)
	fmt.Fprintln(ts.Stdout(), answer)
}

func tell(ts *testscript.TestScript, name, line string) (string, error) {
	c := ts.Value(running).(beside)[name]
	if c == nil {
		return "", fmt.Errorf("%s was not started", name)
	}
	return c.ask(line)
}

// cmdCount holds a file to how often it says something.
//
//	count N TEXT FILE
func cmdCount(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: count N TEXT FILE")
	}
	raw, err := os.ReadFile(ts.MkAbs(args[2]))
	ts.Check(err)
	if got := fmt.Sprint(strings.Count(string(raw), args[1])); got != args[0] {
		ts.Fatalf("%s has %s times %q, want %s:\n%s", args[2], got, args[1], args[0], raw)
	}
}
