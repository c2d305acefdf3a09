package e2e

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"winnow/core/demo"
)

// scripts is the folder of the scripts.
var scripts = filepath.Join("..", "..", "testdata", "script")

// TestScript runs the scripts of testdata/script. The line "winnow ..." of a script runs winnow within this
// process, and "exec winnow ..." starts it as a program, which takes ten times as long: that is for what
// processes have, such as signals, pipes and a terminal. WINNOW_UPDATE=1 writes what the
// program prints into the scripts that compare it, and its screens into
// testdata/screens.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 scripts,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       updating(),
		Condition: func(cond string) (bool, error) {
			if cond == "long" { // everything is tried
				return isLong(), nil
			}
			return false, fmt.Errorf("no such condition")
		},
		Setup: func(e *testscript.Env) error {
			e.Setenv("HOME", filepath.Join(e.WorkDir, "home"))
			e.Setenv("TMPDIR", filepath.Join(e.WorkDir, "tmp"))
			e.Setenv("TZ", "UTC")
			e.Values[running] = beside{}
			for _, dir := range []string{"home", "tmp"} {
				if err := os.MkdirAll(filepath.Join(e.WorkDir, dir), 0o700); err != nil {
					return err
				}
			}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"winnow":    cmdInside("winnow"),
			"winnow-at": cmdInside("winnow-at"),
			"exits":     cmdExits,

			"tui":   cmdTUI,
			"state": cmdState,
			"bytes": cmdBytes,
			"bare":  cmdBare,
			"demo":  cmdDemo,
			"real":  cmdReal,
			"start": cmdStart,
			"tell":  cmdTell,
			"count": cmdCount,

			"household": cmdHome,
		},
	})
}

// updating reports whether what is compared is to be written anew.
func updating() bool { return os.Getenv("WINNOW_UPDATE") != "" }

// cmdState prints the state of everything below a folder: names, modes, times of
// change and the sha256 of what is in the files.
//
//	state FOLDER
func cmdState(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: state FOLDER")
	}
	root := ts.MkAbs(args[0])
	ts.Check(filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		sum := ""
		if info.Mode().IsRegular() {
			raw, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			sum = fmt.Sprintf("%x", sha256.Sum256(raw))
		}
		rel, err := filepath.Rel(root, path)
		fmt.Fprintln(ts.Stdout(), rel, info.Mode(), info.ModTime().UnixNano(), sum)
		return err
	}))
}

// cmdBytes writes a file of bytes that a script cannot hold. Each line of SOURCE
// is a Go string without its quotes, and becomes one line.
//
//	bytes SOURCE FILE
func cmdBytes(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: bytes SOURCE FILE")
	}
	var out strings.Builder
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		out.WriteString(unquote(ts, strings.TrimSuffix(line, "\n")) + "\n")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(out.String()), 0o600))
}

// cmdBare takes away the last line end of a file, which a script has to hold.
//
//	bare FILE
func cmdBare(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: bare FILE")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.TrimSuffix(ts.ReadFile(args[0]), "\n")), 0o600))
}

// cmdDemo writes the demo store below FOLDER, as old as the clock of winnow-at has it.
//
//	demo FOLDER
func cmdDemo(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: demo FOLDER")
	}
	path, err := demo.Unpack(ts.MkAbs(args[0]), moment)
	ts.Check(err)
	written := moment.Add(-26 * time.Hour)
	ts.Check(os.Chtimes(path, written, written))
}

// unquote replaces \xNN and \uNNNN in a line. Other backslashes, as JSON has
// them, stay.
func unquote(ts *testscript.TestScript, s string) string {
	var b strings.Builder
	for {
		i := strings.Index(s, `\x`)
		if j := strings.Index(s, `\U`); j >= 0 && (i < 0 || j < i) {
			i = j
		}
		if i < 0 {
			return b.String() + s
		}
		n, verb := 4, "%x"
		if s[i+1] == 'U' {
			n = 10
		}
		var r rune
		if _, err := fmt.Sscanf(s[i+2:i+n], verb, &r); err != nil {
			ts.Fatalf("%s: %v", s[i:], err)
		}
		b.WriteString(s[:i])
		if n == 4 {
			b.WriteByte(byte(r))
		} else {
			b.WriteRune(r)
		}
		s = s[i+n:]
	}
}
