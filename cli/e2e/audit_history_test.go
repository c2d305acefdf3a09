package e2e

import (
	"bufio"
	"fmt"
	"os/exec"
	"strings"
	"testing"
)

// TestHistoryHoldsWhatTheTreeDoesNot adds a key in one of 500 commits and takes it out
// with the second after it.
func TestHistoryHoldsWhatTheTreeDoesNot(t *testing.T) {
	const commits, added, gone = 500, 137, 139
	a := newAudited(t)
	a.git("init", "-q", "-b", "main")
	secret := "gh" + "p_" + "iWQx81bVzK4nD7sYtA3eLm5cPo9rGu1fHjX2"
	cmd := exec.Command("git", "-C", a.dir, "fast-import", "--quiet")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriter(in)
	lines := []string{}
	for i := range commits {
		lines = append(lines, fmt.Sprintf("- note %d: run the tests before the build\n", i))
		text := "# memory\n\n" + strings.Join(lines, "")
		if i >= added && i < gone {
			text += "- push with " + secret + "\n"
		}
		fmt.Fprintf(
			w,
			"commit refs/heads/main\nmark :%d\ncommitter T <t@example.invalid> %d +0000\ndata 4\nnote\nM 100644 inline MEMORY.md\ndata %d\n%s\n",
			i+1,
			1767225600+600*i,
			len(text),
			text,
		)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	a.git("reset", "-q", "--hard", "main")
	out, err := exec.Command("git", "-C", a.dir, "log", "--format=%H", "--reverse").Output()
	if err != nil {
		t.Fatal(err)
	}
	commit := strings.Fields(string(out))[added]

	if o := a.run("audit", "."); o.status != 0 {
		t.Errorf("the tree alone: status %d\n%s%s", o.status, o.out, o.err)
	}
	list := secrets(a.findings(".", "--history"))
	if len(list) != 1 || list[0].Commit != commit || list[0].Path != "MEMORY.md" {
		t.Errorf("found %+v, want one of commit %s", list, commit)
	}
	if o := a.run("audit", ".", "--history"); o.status != 1 || !strings.Contains(o.out, commit[:7]) ||
		strings.Contains(o.out, secret[8:]) {
		t.Errorf("status %d\n%s%s", o.status, o.out, o.err)
	}
}
