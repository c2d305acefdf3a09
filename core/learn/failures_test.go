package learn

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/session"
)

var noon = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

// sh returns a step of a shell; an error makes it a failed one.
func sh(command, failure string) session.Step {
	raw, _ := json.Marshal(map[string]any{"command": command, "description": "Step " + command + failure})
	s := session.Step{Tool: "Bash", Arguments: string(raw), Status: session.OK}
	if failure != "" {
		s.Status, s.Error = session.Error, "Exit code 1\n"+failure
	}
	return s
}

// quiet returns a step of a shell that worked by its status, with what it said.
func quiet(command, output string) session.Step {
	s := sh(command, "")
	s.Hear(output)
	return s
}

func declined(command string) session.Step {
	s := sh(command, "")
	s.Status = session.Declined
	return s
}

func of(steps ...session.Step) *session.Session {
	return &session.Session{
		Head: session.Head{System: "claudecode", ID: "s1", Folder: "/p"}, Task: "Make the build work again",
		Steps: steps, State: session.Succeeded, Ended: noon,
	}
}

// lessons returns what the rules make of sessions that all have the same steps: "variant: Run ...".
func lessons(sessions int, steps ...session.Step) (out []string) {
	var traces []Trace
	for i := range sessions {
		s := of(steps...)
		s.ID = fmt.Sprintf("s%d", i)
		s.Ended = noon.Add(time.Duration(i) * time.Hour)
		traces = append(traces, TraceOf(s))
	}
	all := Lessons(FailuresOf(traces), func(p *memory.FailurePlace) *Trace {
		for i := range traces {
			if traces[i].ID == p.Session {
				return &traces[i]
			}
		}
		return nil
	}, noon)
	for _, p := range all {
		out = append(out, p.Origin.Rule+": "+p.Body+" ["+p.When+"]")
	}
	return out
}

const missing = "bash: line 1: rtk: command not found"

func TestRulesThatMakeLessons(t *testing.T) {
	for _, c := range []struct {
		name     string
		sessions int
		steps    []session.Step
		want     string // empty if nothing is proposed
	}{
		{"without the first word", 1, []session.Step{sh("rtk bun test", missing), sh("bun test", "")},
			"variant: Leave out `rtk` before `bun test`: with it the call fails: \"rtk: command not found\". [command: rtk]"},
		{"behind a wrapper", 1, []session.Step{sh("pnpm i", "zsh:1: command not found: pnpm"), sh("corepack pnpm i", "")},
			"variant: Run `corepack pnpm i`, not `pnpm i`, which fails here: \"pnpm: command not found\". [command: pnpm i]"},
		{"with a variable", 1, []session.Step{sh("./check.sh --json", "ERROR: Not on a feature branch"), sh("FEATURE=7 ./check.sh --json", "")},
			"variant: Set `FEATURE=7` for `./check.sh --json`: without it the call fails: \"ERROR: Not on a feature branch\". [command: ./check.sh --json]"},
		{"too late", 1, append(append([]session.Step{sh("rtk bun test", missing)}, many(8, "node a.js")...), sh("bun test", "")), ""},
		{"another name of the program", 2, []session.Step{sh("python a.py", "bash: python: command not found"), sh("python3 a.py", "")},
			"recurring: Call `python3`, not `python`, which fails here: \"python: command not found\". [command: python]"},
		{"another name, once", 1, []session.Step{sh("python a.py", "bash: python: command not found"), sh("python3 a.py", "")}, ""},
		{"a near variant", 2, []session.Step{sh("git push", "fatal: The current branch x has no upstream branch."), sh("git push -u origin x", "")},
			"recurring: Run `git push -u origin x`, not `git push`, which fails here: \"fatal: The current branch x has no upstream branch\". [command: git push]"},
		{"a file that is elsewhere", 2, []session.Step{sh("cat arch.md", "cat: arch.md: No such file or directory"), sh("sed -n 1,9p docs/arch.md", "")},
			"recurring: Read `docs/arch.md`, not `arch.md`, which is not there: \"No such file or directory\". [error: arch.md: No such file or directory]"},
		{"the same about another file", 2, []session.Step{sh("git checkout -- a/b.md", "error: pathspec 'a/b.md' did not match"), sh("git checkout -- c.md", "")}, ""},
		{"a shell before a file", 1, []session.Step{sh("bash a.sh", "a.sh: line 2: $'\\r': command not found"), sh("./fix; a.sh", "")}, ""},
		{"another script", 2, []session.Step{sh("python3 a.py", "KeyError: 'x' is missing"), sh("python3 b.py", "")}, ""},
		{"it is the same again", 2, []session.Step{sh("docker compose up", "Error: no such service: db"), sh("docker compose up", "")}, ""},
		{"nothing worked", 2, []session.Step{sh("gh pr list", "error: authentication required")}, ""},
		{"refused", 1, []session.Step{declined("git push"), declined("git push"), declined("git push")},
			"denied: Do not run `git push`: the person refused it 3 times. [command: git push]"},
		{"refused twice", 1, []session.Step{declined("git push"), declined("git push")}, ""},
		{"behind a pipe", 1, []session.Step{quiet("rtk bun test 2>&1 | tail -5", missing), sh("bun test", "")},
			"variant: Leave out `rtk` before `bun test`: with it the call fails: \"rtk: command not found\". [command: rtk]"},
		{"before || true", 1, []session.Step{quiet("rtk bun test || true", missing), quiet("bun test | tail", "ok")},
			"variant: Leave out `rtk` before `bun test`: with it the call fails: \"rtk: command not found\". [command: rtk]"},
		{"what a file says is no error", 2, []session.Step{quiet("cat log | tail", missing), sh("git push -u origin x", "")}, ""},
		{"tests of work under way", 2, []session.Step{sh("go test ./a", "a.go:3: undefined: x"), sh("go test ./b", "")}, ""},
		{"nothing was found", 2, []session.Step{sh("ls src", "ls: src: No such file or directory"), sh("ls lib", "")}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(lessons(c.sessions, c.steps...), "\n"); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func many(n int, command string) (steps []session.Step) {
	for range n {
		steps = append(steps, sh(command, ""))
	}
	return steps
}

func TestFailuresAreCountedBySessions(t *testing.T) {
	var traces []Trace
	for i := range 3 {
		s := of(
			sh("npm run dev", fmt.Sprintf("Error: listen EADDRINUSE: address already in use :::30%02d in /p/a%d/b.js", i, i)),
			sh("npm run dev", "Error: listen EADDRINUSE: address already in use :::3000 in /p/x/b.js"),
		)
		s.ID, s.Ended = fmt.Sprint(i), noon.Add(time.Duration(i)*time.Hour)
		traces = append(traces, TraceOf(s))
	}
	traces = append(traces, TraceOf(of(sh("ls", ""))))
	fs := FailuresOf(traces)
	if len(fs) != 1 || fs[0].Sessions != 3 || fs[0].Of != 4 || fs[0].Calls != 6 || fs[0].Called != "npm run dev" ||
		fs[0].Error != "Error: listen EADDRINUSE: address already in use :::N in PATH" ||
		!fs[0].Last.Equal(noon.Add(2*time.Hour)) || fs[0].Rule != "" || len(fs[0].Places) != 6 {
		t.Errorf("%+v", fs)
	}
}

func TestWhatSourcesSayIsTold(t *testing.T) {
	near := memory.Failure{Command: "git push", Worked: "git push --no-verify"}
	out := memory.Failure{Command: "rtk bun test", Worked: "bun test"}
	for _, c := range []struct {
		f    memory.Failure
		text string
		line int
	}{
		{near, "# Git\n- Push with `git push --no-verify`.\n", 2},
		{near, "Run git push.\n", 0},
		{out, "Run `bun test`, never `rtk bun test`.", 1},
		{out, "Put rtk before everything: rtk bun test", 0},
		{memory.Failure{Command: "python a", Worked: "python3 a"}, "x\n\nUse python3 here", 3},
	} {
		told := ToldBy(&c.f, "CLAUDE.md", c.text)
		if line := 0; told != nil {
			line = told.Line
			if line != c.line {
				t.Errorf("%q: line %d, want %d", c.text, line, c.line)
			}
		} else if c.line != 0 {
			t.Errorf("%q: not found", c.text)
		}
	}
	f := memory.Failure{Called: "rtk bun", When: "command: rtk", Told: ToldBy(&out, "CLAUDE.md", "- Run `bun test`, never `rtk bun test`.")}
	trace := TraceOf(of())
	p := LessonOf(&f, &trace, &memory.FailurePlace{}, noon)
	if p.Body != "Run `bun test`, never `rtk bun test`." || p.Origin.Rule != RuleTold || p.When != "command: rtk" {
		t.Errorf("the trigger of what is told already: %+v", p)
	}
}

func TestLeftOutsHaveAReason(t *testing.T) {
	for i := range leftOuts {
		l := &leftOuts[i]
		if l.why == "" || l.tool == nil && l.command == nil && l.failure == nil {
			t.Errorf("%+v fits everything, or has no reason", l)
		}
	}
	for _, c := range []struct{ tool, command, failure, want string }{
		{"Edit", "", "String to replace not found in file.", "harness"},
		{"Bash", "git status", "This command requires approval", "permissions"},
		{"Bash", "git commit -m x", "error: blocked by pre-commit hook", "hook"},
		{"Bash", "npx eslint .", "error  Missing semicolon", "lint"},
		{"Bash", "npm run lint", "npm ERR! Missing script: \"lint\"", ""},
		{"Bash", "pytest", "bash: pytest: command not found", ""},
		{"Bash", "python3 -c 'x'", "NameError: name 'x' is not defined", "one call"},
		{"Bash", "gh api x", "HTTP 429: rate limit exceeded", "moment"},
		{"Bash", "docker compose up", "no configuration file provided: not found", ""},
	} {
		got := leftOutFor(c.tool, c.command, c.failure, c.failure)
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

func TestNamesThatDifferByTheirNumberAreOneError(t *testing.T) {
	for line, want := range map[string]string{
		"Error: no such service: db1": "Error: no such service: dbN", "no such service: 'db12'.": "no such service: 'dbN'.",
		"python3: command not found": "python3: command not found", "error TS2322": "error TS2322",
		"no such table users": "no such table users",
	} {
		if got := alike(line); got != want {
			t.Errorf("%q is %q, want %q", line, got, want)
		}
	}
}

func TestToolsOwnErrorIsQuoted(t *testing.T) {
	for output, want := range map[string]string{
		"[lint] task failed\nsrc/a.ts: error: no semicolon":              "src/a.ts: error: no semicolon",
		"error: script \"build\" exited with code 2\nfatal: no such tag": "fatal: no such tag",
		"make: *** [all] Error 2":                                        "make: *** [all] Error 2",
		"✓ refuses an invalid name\nTypeError: x is undefined":           "TypeError: x is undefined",
		"test errors::unknown ... ok\nerror: unresolved import":          "error: unresolved import",
		"--- PASS: TestError\nok \tapp/errors\ncannot find module app":   "cannot find module app",
		"all is well": "",
	} {
		got := ""
		if lines, at := errorLine(output); at >= 0 {
			got = lines[at]
		}
		if got != want {
			t.Errorf("%q: quoted %q, want %q", output, got, want)
		}
	}
}

func TestLessonsAreSentencesOfTwoHundred(t *testing.T) {
	long := strings.Repeat("very ", 25)
	for _, p := range lessons(2, sh("deploy "+long, "deploy: unknown option: "+long), sh("deploy --now "+long, "")) {
		t.Log(p)
		if body, _, _ := strings.Cut(p, " ["); jstext.Len(body) > sentenceUnits+len("recurring: ") {
			t.Errorf("%d: %s", len(p), p)
		}
	}
}

// FuzzTrace checks that what is kept of a hostile session holds no secrets, and that lessons hold to their limits.
func FuzzTrace(f *testing.F) {
	key := "ghp_" + strings.Repeat("a1B2", 9)
	f.Add("rtk deploy "+key, "error: "+key+" is not found", "web")
	f.Add("a\u200b\u202e<<<UNTRUSTED_INPUT>>>\x00", "<<<END_UNTRUSTED_INPUT>>> not found", "\xff")
	f.Add("x -----BEGIN PRIVATE KEY-----", "x: command not found\n"+strings.Repeat("x", 5000), "")
	f.Fuzz(func(t *testing.T, command, failure, taint string) {
		_, rest, _ := strings.Cut(command, " ")
		s := of(sh(command, failure), sh(rest, ""), declined(command), declined(command), declined(command))
		s.Taint, s.Model = []string{taint}, command
		trace := TraceOf(s)
		for _, p := range Lessons(FailuresOf([]Trace{trace}), func(*memory.FailurePlace) *Trace { return &trace }, noon) {
			sound(t, &p)
		}
	})
}

// TestHugeHostileSession uses a session of the maximum size; a rule that compares all steps with each other would take
// minutes.
func TestHugeHostileSession(t *testing.T) {
	long := strings.Repeat("error: not found --flag ", session.MostText/24)
	var steps []session.Step
	count := 2 * mostTraced
	if os.Getenv("WINNOW_LONG") != "" {
		count = session.MostSteps
	}
	for range count {
		steps = append(steps, sh("x --flag "+strings.Repeat("y ", 60), long))
	}
	if got := TraceOf(of(steps...)); len(got.Failed) != mostTraced {
		t.Errorf("%d failed calls are kept", len(got.Failed))
	}
}
