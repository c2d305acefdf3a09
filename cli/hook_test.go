package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"winnow/core/memory"
)

// hooked is a testEnv in whose repository hook is the pre-commit hook, none when empty.
func hooked(t *testing.T, hook string) (w *testEnv, path string) {
	t.Helper()
	putWinnowOnPath(t)
	w, d := onFakeAuditor()
	d.hooks = t.TempDir()
	path = filepath.Join(d.hooks, "pre-commit")
	if hook != "" {
		if err := os.WriteFile(path, []byte(hook), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return w, path
}

// putWinnowOnPath makes a shell find a program of that name first.
func putWinnowOnPath(t *testing.T) {
	t.Helper()
	name, dir := "winnow", t.TempDir()
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if err := os.WriteFile(filepath.Join(dir, name), nil, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// A hook that looked for a program that no shell finds would let every secret pass.
func TestHookCallsTheProgramByItsPathIfNoShellFindsItsName(t *testing.T) {
	w, path := hooked(t, "")
	t.Setenv("PATH", t.TempDir())
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	w.said(t, exitOK, "hook install", path+": installed\n")
	if got := hookAt(t, path); got != "#!/bin/sh\n"+hookBlock(own, "audit --staged --incomplete-ok --fail-on high") {
		t.Errorf("it is %s", got)
	}
}

func hookAt(t *testing.T, path string) string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(raw)
}

func TestHookIsInstalledAndTakenAway(t *testing.T) {
	w, path := hooked(t, "")
	w.said(t, exitOK, "hook show", path+": there is no hook\n", "winnow audit --staged --incomplete-ok --fail-on high ")
	w.said(t, exitOK, "hook install", path+": installed\n")
	if got := hookAt(t, path); got != "#!/bin/sh\n"+hookBlock(
		"winnow",
		"audit --staged --incomplete-ok --fail-on high",
	) {
		t.Errorf("it is %s", got)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("its mode is %v, %v", info.Mode(), err)
	}
	w.said(t, exitOK, "hook install", "is installed already")
	w.said(t, exitOK, "hook install --fail-on review", "updated")
	if got := hookAt(t, path); got != "#!/bin/sh\n"+hookBlock(
		"winnow",
		"audit --staged --incomplete-ok --fail-on review",
	) {
		t.Errorf("it is %s", got)
	}
	w.said(t, exitOK, "hook show --json", `"state": "ours"`)
	w.said(t, exitOK, "hook uninstall", "removed")
	if got := hookAt(t, path); got != "" {
		t.Errorf("it is %s", got)
	}
	w.said(t, exitNotFound, "hook uninstall", "has nothing that winnow added")
}

func TestAnotherHookIsKept(t *testing.T) {
	for _, hook := range []string{
		"#!/bin/sh\nmake lint\nexit 0\n",
		"#!/usr/bin/env bash\nexec pre-commit run",
		"#! /bin/dash -e\n",
	} {
		w, path := hooked(t, hook)
		w.said(
			t,
			exitFailure,
			"hook install",
			"it was not changed: "+path,
			"begins with: "+strings.Split(hook, "\n")[0],
			"  winnow_found=$(winnow audit --staged",
			"--append adds it",
		)
		if hookAt(t, path) != hook {
			t.Error("it was changed")
		}
		w.said(t, exitOK, "hook install --append", "added to the existing hook")
		head, rest, _ := strings.Cut(hook, "\n")
		if got := hookAt(t, path); got != head+"\n"+hookBlock(
			"winnow",
			"audit --staged --incomplete-ok --fail-on high",
		)+rest {
			t.Errorf("it is %s", got)
		}
		w.said(t, exitOK, "hook show", "beside another")
		w.said(t, exitOK, "hook uninstall", "removed")
		if got := hookAt(t, path); got != hook && got != hook+"\n" {
			t.Errorf("it is %q, was %q", got, hook)
		}
	}
}

func TestAHookInAnotherLanguageIsLeftAlone(t *testing.T) {
	for _, hook := range []string{
		"#!/usr/bin/python3\nprint()\n", "\x7fELF", "#!\n", "#!/bin/sh\r\nx\r\n", "#!/usr/bin/env fish\n",
	} {
		w, path := hooked(t, hook)
		if w.said(t, exitFailure, "hook install --append", "is not a shell script"); hookAt(t, path) != hook {
			t.Errorf("%q was changed", hook)
		}
	}
}

func TestHookNamesItsBaseline(t *testing.T) {
	w, path := hooked(t, "")
	baseline := filepath.Join(t.TempDir(), "the baseline")
	w.said(t, exitUsage, "hook install --baseline=", "a path is empty")
	w.run(t, exitUsage, "hook", "install", "--baseline", baseline)
	if hookAt(t, path) != "" {
		t.Fatal("a hook was installed that cannot work")
	}
	if err := os.WriteFile(baseline, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	w.run(t, exitOK, "hook", "install", "--baseline", baseline)
	if got := hookAt(t, path); !strings.Contains(got, " --fail-on high --baseline '"+baseline+"' 2>&1)") {
		t.Errorf("it is %s", got)
	}
}

func TestAHookThatIsALinkIsLeftAlone(t *testing.T) {
	w, path := hooked(t, "")
	if err := os.Symlink(filepath.Join(t.TempDir(), "x"), path); err != nil {
		t.Skip("there are no links here")
	}
	w.said(t, exitFailure, "hook install", "is not a regular file")
}

func TestHookRefusesWhatMakesNoSense(t *testing.T) {
	for _, args := range []string{
		"hook", "hook remove", "hook install twice", "hook install --fail-on x", "hook install --readonly",
		"hook uninstall --readonly",
	} {
		w, path := hooked(t, "")
		if w.said(t, exitUsage, args, "winnow: "); hookAt(t, path) != "" {
			t.Errorf("winnow %s installs", args)
		}
	}
	w, d := onFakeAuditor()
	d.hooksErr = &memory.Problem{Code: "bare", What: "This repository is bare.", Hint: "use a clone"}
	w.said(t, exitFailure, "hook install", "winnow: hook: this repository is bare\nhint: use a clone\n")
}

// TestHookStopsACommitOnlyForAFinding runs the hook with a winnow that finds nothing,
// something, or is not there.
func TestHookStopsACommitOnlyForAFinding(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no sh here")
	}
	hook, _ := insertBlock(
		"#!/bin/sh\necho rest; exit 0\n",
		hookBlock("winnow", "audit --staged --incomplete-ok --fail-on high"),
	)
	for _, c := range []struct {
		program string
		stops   bool
		says    string
	}{{"echo clean", false, "rest\n"}, {"echo REVIEW: 1", false, "REVIEW: 1\nThe commit goes on.\nrest\n"},
		{"echo INCOMPLETE: 1", false, "INCOMPLETE: 1\nThe commit goes on.\nrest\n"},
		{"echo found; exit 1", true, "found\nTo commit all the same: git commit --no-verify\n"},
		{"echo usage >&2; exit 2", true, "usage\nTo commit all the same: git commit --no-verify\n"},
		{"", false, "winnow was not found: what is staged was not looked at\nrest\n"}} {
		dir := t.TempDir()
		if c.program != "" {
			if err := os.WriteFile(filepath.Join(dir, "winnow"), []byte("#!/bin/sh\n"+c.program+"\n"),
				0o755); err != nil {
				t.Fatal(err)
			}
		}
		sh, _ := exec.LookPath("sh")
		cmd := exec.Command(sh, "-c", hook)
		cmd.Env = []string{"PATH=" + dir}
		out, err := cmd.CombinedOutput()
		if (err != nil) != c.stops || string(out) != c.says {
			t.Errorf("with %q it says %q, %v", c.program, out, err)
		}
	}
}

func FuzzBlockIsTakenOutAsItWasPutIn(f *testing.F) {
	f.Add("#!/bin/sh\nmake\n")
	f.Add("#!/bin/bash")
	f.Fuzz(func(t *testing.T, hook string) {
		added, ok := insertBlock(hook, hookBlock("winnow", "audit --staged --incomplete-ok --fail-on high"))
		if !ok || hook == "" || strings.Contains(hook, hookBegin[:5]) {
			return
		}
		if got := replaceBlock(added, ""); got != hook && got != hook+"\n" {
			t.Fatalf("%q became %q", hook, got)
		}
	})
}
