//go:build agents

package agents_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"winnow/cli/e2e/agents"
	"winnow/cli/program"
)

// TestMain is Winnow itself where the program is called so.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "winnow" {
		p := program.New()
		p.HookTime = 10 * time.Second // three programs beside it want the processors
		p.Main()
		return
	}
	os.Exit(m.Run())
}

// person is somebody with Winnow on the PATH, a home and a project.
type person struct {
	t             *testing.T
	agent         agents.Agent
	home, project string
}

// settingsOf is what each agent's settings hold before Winnow comes, in the person's own spelling,
// by their path in the home, or behind a dot in the project.
func settingsOf(a agents.Agent) map[string]string {
	switch a {
	case agents.ClaudeCode: // with the approval that Claude Code asks the person for once
		return map[string]string{
			".claude/settings.json": "{ \"enabledMcpjsonServers\": [\"winnow\"],\n\n\t\"cleanupPeriodDays\":30 }\n",
			"./.mcp.json":           "",
		}
	case agents.Codex:
		return map[string]string{
			".codex/config.toml": "# mine\nhide_agent_reasoning = true # not now\n\n[tui]\nanimations=false",
		}
	case agents.GeminiCLI:
		return map[string]string{
			".gemini/settings.json": "{\n    \"security\": {\"auth\": {\"selectedType\": \"gemini-api-key\"}, \"folderTrust\": {\"enabled\": false}},\n" +
				"    \"telemetry\": {\"enabled\": false}, // none\n    \"privacy\": {\"usageStatisticsEnabled\": false},\n    \"general\": {\"enableAutoUpdate\": false}\n}\n",
		}
	}
	return map[string]string{
		".config/opencode/opencode.json":     "{\"$schema\": \"https://opencode.ai/config.json\"}",
		".config/opencode/plugins/winnow.ts": "",
	}
}

func newPerson(t *testing.T, a agents.Agent) *person {
	t.Helper()
	agents.Need(t, a)
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := os.Symlink(own, filepath.Join(bin, "winnow")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	p := &person{t, a, t.TempDir(), t.TempDir()}
	for path, text := range settingsOf(a) {
		if text != "" {
			p.write(p.path(path), text)
		}
	}
	p.write(filepath.Join(p.project, "report.txt"), "all is well\n")
	p.write(filepath.Join(p.project, "publish.sh"), "cat \"$1\"\n")
	p.runs("git", "init", "--quiet")
	return p
}

func (p *person) path(name string) string {
	if in, ok := strings.CutPrefix(name, "./"); ok {
		return filepath.Join(p.project, in)
	}
	return filepath.Join(p.home, name)
}

func (p *person) write(path, text string) {
	p.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		p.t.Fatal(err)
	}
}

// runs runs a program in the project, and returns what it printed.
func (p *person) runs(name string, args ...string) string {
	p.t.Helper()
	c := exec.Command(name, args...)
	c.Dir, c.Env = p.project, []string{"HOME=" + p.home, "PATH=" + os.Getenv("PATH")}
	var refused strings.Builder
	c.Stderr = &refused
	out, err := c.Output()
	if err != nil {
		p.t.Fatalf("%s %q: %v: %s%s", name, args, err, out, refused.String())
	}
	return string(out)
}

const lessons = ".winnow/lessons.jsonl"

// count returns how often the lesson with a text was recalled.
func (p *person) count(text string) int {
	p.t.Helper()
	b, err := os.ReadFile(filepath.Join(p.project, lessons))
	for line := range strings.Lines(string(b)) {
		var one struct {
			Lesson string `json:"lesson"`
			Count  int    `json:"relevance_count"`
		}
		if json.Unmarshal([]byte(line), &one) == nil && strings.Contains(one.Lesson, text) {
			return one.Count
		}
	}
	p.t.Fatalf("the store is %q, %v", b, err)
	return 0
}

// frame is a text of a request that holds the block, with the role of its message.
type frame struct{ role, text string }

// framesOf returns the texts of a request that hold the block byte for byte.
func framesOf(v any, role, block string) (list []frame) {
	switch v := v.(type) {
	case map[string]any:
		if r, ok := v["role"].(string); ok {
			role = r
		}
		for key, inner := range v {
			if role == "" && (key == "system" || key == "systemInstruction") {
				list = append(list, framesOf(inner, "system", block)...)
				continue
			}
			list = append(list, framesOf(inner, role, block)...)
		}
	case []any:
		for _, inner := range v {
			list = append(list, framesOf(inner, role, block)...)
		}
	case string:
		if strings.Contains(v, block) {
			list = append(list, frame{role, v})
		}
	}
	return list
}

// asked returns the frames of the last request that offers tools.
func (p *person) asked(requests []agents.Request, block string) []frame {
	p.t.Helper()
	for i := len(requests) - 1; i >= 0; i-- {
		var in map[string]any
		if err := json.Unmarshal(requests[i].Body, &in); err != nil {
			p.t.Fatal(err)
		}
		if _, tools := in["tools"]; tools {
			return framesOf(in, "", block)
		}
	}
	p.t.Fatal("the model was not asked")
	return nil
}

// frameOf is the agent's own frame around what a hook or a plugin adds: the role, and what the text
// is before and behind the block.
func frameOf(a agents.Agent) (role string, form *regexp.Regexp) {
	block := `## Past Experience\n(.|\n)*Consider these when planning\.\n`
	switch a {
	case agents.Codex:
		return "developer", regexp.MustCompile(`^` + block + `$`)
	case agents.ClaudeCode:
		date := `(\n\nToday's date is [\d-]+\.)?` // in the same message, when it comes at the same time
		return "system", regexp.MustCompile(`UserPromptSubmit hook additional context: ` + block + date + `$`)
	case agents.GeminiCLI:
		return "user", regexp.MustCompile(`<hook_context>` + block + `</hook_context>`)
	}
	return "system", regexp.MustCompile(block + `$`)
}

const task = "publish the quarterly report"

// known is what a person writes down about the task.
const known = "Publish with sh publish.sh report.txt."

// moment is the command before which the lesson of these sessions is told.
const moment = "command: rtk"

// TestLessonOfARealSessionReachesTheNext is the whole loop with real agents: a command fails behind a wrapper and
// works without it, Winnow learns that, a person approves, and the next session is told before the same call, once.
func TestLessonOfARealSessionReachesTheNext(t *testing.T) {
	for _, a := range agents.All() {
		t.Run(string(a), func(t *testing.T) {
			p := newPerson(t, a)
			t.Log(p.runs("winnow", "setup", string(a), "--mcp", "--triggers", "--write"))
			p.trust()
			agents.Run(
				t,
				a,
				p.home,
				p.project,
				task,
				a.Shell("rtk sh publish.sh report.txt"),
				a.Shell("sh publish.sh report.txt"),
			)
			text := p.approves()
			requests := agents.Run(
				t,
				a,
				p.home,
				p.project,
				"write it down",
				a.Shell("echo rtk"),
				a.Shell("cd . && rtk sh publish.sh report.txt"),
				a.Shell("echo end"),
				a.Shell("sh publish.sh report.txt # not rtk"),
			)
			p.wasTold(requests, text)
			p.adds(task, known, "task")
			block := p.runs("winnow", "recall", task, "--store", lessons, "--format", "block")
			requests = agents.Run(t, a, p.home, p.project, task, a.Shell("echo hi"), a.Shell("echo ho"))
			p.wasGiven(requests, block)
			p.serves(block)
			p.removes()
		})
	}
}

// approves learns from what the hook queued, and approves what the session shows. It returns the sentence.
func (p *person) approves() string {
	p.t.Helper()
	if _, err := os.Stat(filepath.Join(p.project, lessons)); err == nil {
		p.t.Error("there is a store before anybody approved")
	}
	p.t.Log(p.runs("winnow", "learn", "--queue"))
	var waiting struct {
		Entries []struct {
			ID   string `json:"id"`
			When string `json:"when"`
			Text string `json:"text"`
		} `json:"entries"`
	}
	list := p.runs("winnow", "inbox", "--json")
	if err := json.Unmarshal([]byte(list), &waiting); err != nil || len(waiting.Entries) != 1 {
		p.t.Fatalf("there is not one proposal: %s, %v", list, err)
	}
	e := &waiting.Entries[0]
	if e.When != moment || !strings.HasPrefix(e.Text, "Leave out `rtk` before `sh publish.sh report.txt`") {
		p.t.Fatalf("the proposal is %+v", e)
	}
	p.t.Log(p.runs("winnow", "inbox", "approve", e.ID), p.runs("winnow", "inbox"))
	return e.Text
}

// wasTold checks what the model was asked in a session of five requests: the lesson stands there once, from the call
// on that it is about, and no other call brings it up.
func (p *person) wasTold(requests []agents.Request, text string) {
	p.t.Helper()
	sentence, _, _ := strings.Cut(text, ":") // its quotes are spelled otherwise in JSON
	counts := p.asksOf(requests, sentence)
	p.t.Logf("%q stands in the requests %v times", sentence, counts)
	for i, want := range []int{0, 0, 1, 1, 1} {
		if i >= len(counts) || counts[i] != want {
			p.t.Fatalf("%q stands in the requests %v times, want 0, 0, 1, 1, 1", sentence, counts)
		}
	}
	if n := p.count(sentence); n != 1 {
		p.t.Errorf("the lesson counts %d recalls, want 1", n)
	}
}

// wasGiven checks what the model was asked in a session of three requests, and the count.
func (p *person) wasGiven(requests []agents.Request, block string) {
	p.t.Helper()
	frames := p.asked(requests, block)
	role, form := frameOf(p.agent)
	if len(frames) != 1 || frames[0].role != role || !form.MatchString(frames[0].text) {
		p.t.Fatalf("the last request holds the block in %q, want one of the role %s", frames, role)
	}
	at := strings.Index(frames[0].text, block)
	p.t.Logf("given in role %s: %q", role, frames[0].text[max(0, at-60):min(len(frames[0].text), at+len(block)+60)])
	if n := p.count(known); n != 1 {
		p.t.Errorf("the lesson counts %d recalls, want 1", n)
	}
}

// serves has a session recall and propose by the server.
func (p *person) serves(block string) {
	p.t.Helper()
	const words = "The publish command is missing here, so read the file."
	requests := agents.Run(
		p.t,
		p.agent,
		p.home,
		p.project,
		"say hello",
		agents.Step{Tool: "recall", Args: map[string]any{"task": task}},
		agents.Step{
			Tool: "propose_lesson",
			Args: map[string]any{"task": "say hello", "lesson": words, "outcome": "failed", "evidence": "none"},
		},
	)
	text := strings.TrimSuffix(block, "\n")
	if frames := p.asked(requests, text); len(frames) != 1 {
		p.t.Errorf("the server's answer is in %q of %s, want it once", frames, requests[len(requests)-1].Body)
	} else {
		p.t.Logf("served: %q", frames)
	}
	answered := p.asked(requests, "is waiting for a person, who approves or rejects it.")
	if len(answered) != 1 {
		p.t.Errorf("the agent was answered %q", answered)
	}
	list := p.runs("winnow", "inbox")
	if !strings.Contains(list, "\tsay hello\t") {
		p.t.Errorf("the proposal does not wait: %s", list)
	}
	p.t.Logf("answered %q; waiting: %s", answered, list)
	want := 1 // Gemini CLI and OpenCode do not tell a server which session asks
	if p.agent == agents.ClaudeCode || p.agent == agents.Codex {
		want = 2
	}
	if n := p.count(known); n != want {
		p.t.Errorf("the lesson counts %d recalls, want %d", n, want)
	}
}

// removes takes Winnow out of the settings, which are then what they were.
func (p *person) removes() {
	p.t.Helper()
	wrote := map[string]string{} // what the files would be if only ours went
	for path, was := range settingsOf(p.agent) {
		if p.agent == agents.Codex { // it keeps trust and what it showed in the same file
			b, err := os.ReadFile(p.path(path))
			if err != nil {
				p.t.Fatal(err)
			}
			was = ownTables.ReplaceAllString(string(b), "")
		}
		wrote[path] = was
	}
	p.t.Log(p.runs("winnow", "setup", string(p.agent), "--remove"))
	for path, was := range wrote {
		b, _ := os.ReadFile(p.path(path)) // a file that was not there is gone
		if string(b) != was {
			p.t.Errorf("%s is %q after --remove, was %q", path, b, was)
		}
	}
}

// ownTables are the tables that setup puts into Codex' settings, as they are spelled there.
var ownTables = regexp.MustCompile(
	`\n\n\[\[hooks\.\w+\]\]\n(matcher = [^\n]*\n)?\n\[\[hooks\.\w+\.hooks\]\]\ntype = "command"\ncommand = "[^\n]*winnow agent-hook [^\n]*\ntimeout = 3|` +
		`\n\n\[mcp_servers\.winnow\]\ncommand = "winnow"\nargs = \["mcp"\]`,
)

// trust does what Codex wants of a person before it runs hooks, in a terminal.
func (p *person) trust() {
	if p.agent != agents.Codex {
		return
	}
	p.t.Helper()
	settings := filepath.Join(p.home, ".codex", "config.toml")
	c := agents.NewModel(p.t).Terminal(p.t, p.agent, p.home, p.project)
	for limit := time.After(time.Minute); ; {
		b, err := os.ReadFile(settings)
		hooks := strings.Count(string(b), "winnow agent-hook")
		if err == nil && strings.Count(string(b), "trusted_hash") == hooks {
			c.Close()
			p.t.Logf("trusted:\n%s", b)
			break
		}
		screen := c.Screen()
		switch {
		case strings.Contains(screen, "Trust all and continue"):
			c.Type("2")
			c.Type("\r")
		case strings.Contains(screen, "Trust this folder?"):
			c.Type("\r")
		}
		select {
		case <-time.After(200 * time.Millisecond):
		case <-limit:
			c.Close()
			p.t.Fatalf("Codex did not ask for the trust of the hooks:\n%s", screen)
		}
	}
	if out := p.runs("winnow", "setup", string(p.agent)); strings.Contains(out, "until you trust it") {
		p.t.Errorf("setup does not see the trust: %s", out)
	}
}
