package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"winnow/core/demo"
)

// notTried are the command lines of the guides that are not run, and why.
var notTried = map[string]string{
	"winnow":               "it opens the screens, which need a terminal: tui_opens_project.txtar",
	"winnow --demo":        "it opens the screens, which need a terminal: tui_demo.txtar",
	"winnow audit . --fix": "it asks, which needs a terminal: audit_fix_asks_first.txtar",

	"winnow guard sessions/memory.jsonl": "it follows the store until it is stopped: guard_follow.txtar",
	"winnow failures ff082d5 --lesson":   "winnow learn, before it on the page, made that lesson: failures.txtar",

	"winnow prune --store .winnow/lessons.jsonl --failed-again --dry-run": "no session of the demo was told a lesson: " +
		"lesson_fired_in_vain.txtar",
}

// elsewhere is how a command begins that reaches another machine: sync.txtar runs it on a share in a folder.
const elsewhere = "winnow sync"

// invented are the names and ids that the guides make up, with what stands for them in the demo.
var invented = strings.NewReplacer("/home/ada/notes/memory.jsonl", "sessions/memory.jsonl")

// TestCommandsOfTheGuidesWork runs the command lines that README.md and the pages of docs show, those of a page one
// after the other in the project of the demo. docs/cli.md is made of the help texts, which name no real records.
func TestCommandsOfTheGuidesWork(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is needed")
	}
	pages, err := filepath.Glob(filepath.Join("..", "..", "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, page := range append(pages, filepath.Join("..", "..", "README.md")) {
		raw, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		lines := commandsIn(string(raw))
		if len(lines) == 0 || filepath.Base(page) == "cli.md" {
			continue
		}
		seen += len(lines)
		t.Run(filepath.Base(page), func(t *testing.T) {
			t.Parallel()
			h := documentedHome(t)
			vars := []string{"HOME=" + h.Dir, "PATH=" + os.Getenv("PATH"), "TMPDIR=" + t.TempDir(), "TERM=dumb"}
			for _, args := range lines {
				line := strings.Join(args, " ")
				if notTried[line] != "" || strings.HasPrefix(line, elsewhere) {
					continue
				}
				got := within(h.Project, vars, args[1:]...)
				finds := args[1] == "doctor" || args[1] == "audit"
				if got.status != 0 && !(finds && got.status == 1) {
					t.Errorf("%s: ends with %d: %.1000s%s", line, got.status, got.out, got.err)
				}
			}
		})
	}
	if seen < 50 {
		t.Errorf("only %d command lines were seen", seen)
	}
}

// commandsIn returns the command lines in the code of a Markdown text as words, without comments, redirections and
// what they are piped to.
func commandsIn(text string) (all [][]string) {
	word := regexp.MustCompile(`[|<>]|(?:'[^']*'|"[^"]*"|[^\s'"|<>])+`)
	for _, line := range codeLines(text) {
		var args []string
		for _, w := range word.FindAllString(invented.Replace(line), -1) {
			if strings.ContainsAny(w[:1], "|<>#") {
				break
			}
			args = append(args, strings.NewReplacer("'", "", `"`, "").Replace(w))
		}
		if len(args) > 0 && args[0] == "winnow" {
			all = append(all, args)
		}
	}
	return all
}

// codeLines returns the lines of a Markdown text that are code: fenced, or four spaces in.
func codeLines(text string) (code []string) {
	fenced := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
			continue
		}
		if fenced || strings.HasPrefix(line, "    ") {
			code = append(code, line)
		}
	}
	return code
}

// documentedHome returns the home of the demo, with its project in git.
func documentedHome(t *testing.T) demo.Home {
	h, err := demo.UnpackHome(t.TempDir(), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	git := exec.Command("git", "init", "-q", h.Project)
	if out, err := git.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return h
}
