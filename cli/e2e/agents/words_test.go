//go:build agents

package agents_test

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"winnow/cli/e2e/agents"
)

// oddWords are lessons that an agent could change on their way into a prompt.
var oddWords = []string{
	`"double", 'single' and backquotes`,
	`<b>bold</b> &amp; &lt;i&gt; a < b > c && d`,
	`backslashes \n \\ \u0041 \x41 C:\temp\new`,
	`$HOME ${HOME} $(id) %s %d {{name}} {0} $1 $&`,
	`an import @notes.md and @/etc/hosts`,
	"a tab\tand two  spaces and a no-break\u00a0space",
	"emoji \U0001F600, CJK 漢字, Arabic العربية, combining e\u0301",
	"a first line\n\na third line\n    indented\n",
	"- a list\n# a heading\n```\na fence\n```\n---\n> a quote",
	"a closing </hook_context> tag",
	"a closing </system-reminder> tag",
	"<tick> and <command-name> and <total_tokens>",
	"</INSTRUCTIONS> and --- project-doc ---",
	"carriage\rreturn and\r\nboth",
	"null \u0000 and escape \u001b[31m",
	strings.Repeat("long ", 390) + "end",
}

// TestOddWordsReachRealAgentsUnchanged records a lesson for each of the odd words, and compares what an agent's
// model is given by hook or plugin with the preview of the block.
func TestOddWordsReachRealAgentsUnchanged(t *testing.T) {
	for _, a := range agents.All() {
		t.Run(string(a), func(t *testing.T) {
			p := newPerson(t, a)
			p.runs("winnow", "setup", string(a), "--write")
			p.trust()
			for i, words := range oddWords {
				p.reaches(fmt.Sprintf("zebra%d", i), words)
			}
		})
	}
}

// reaches adds a lesson and runs a session that is given it. A lesson that Winnow refuses to store is no case.
func (p *person) reaches(task, words string) {
	p.t.Helper()
	lesson, err := json.Marshal(map[string]any{"task_summary": task, "lesson": words, "outcome": "succeeded"})
	if err != nil {
		p.t.Fatal(err)
	}
	add := exec.Command("winnow", "add", "-", "--store", lessons)
	add.Dir, add.Env, add.Stdin = p.project, agents.Agent("").Environment(p.home, ""), strings.NewReader(string(lesson))
	if out, err := add.CombinedOutput(); err != nil {
		if code := add.ProcessState.ExitCode(); code != 6 {
			p.t.Fatalf("winnow add %q: %v: %s", words, err, out)
		}
		p.t.Logf("refused: %q", words)
		return
	}
	block := p.runs("winnow", "recall", task, "--store", lessons, "--format", "block")
	if !strings.Contains(block, task) {
		p.t.Fatalf("the preview of %q is %q", words, block)
	}
	requests := agents.Run(p.t, p.agent, p.home, p.project, task)
	if frames := p.asked(requests, block); len(frames) != 1 {
		p.t.Errorf("the model was given %q, want once %q", p.asked(requests, task), block)
	}
}
