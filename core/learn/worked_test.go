package learn

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/core/session"
)

var noon = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

// sh returns a step of a shell; an error makes it a failed one.
func sh(command, failure string) session.Step {
	return step("Bash", map[string]any{"command": command, "description": "Step " + command + failure}, failure)
}

func step(tool string, arguments any, failure string) session.Step {
	raw, _ := json.Marshal(arguments)
	s := session.Step{Tool: tool, Arguments: string(raw), Status: session.OK}
	if failure != "" {
		s.Status, s.Error = session.Error, "Exit code 1\n"+failure
	}
	return s
}

func file(tool, path, failure string) session.Step {
	return step(tool, map[string]any{"file_path": path}, failure)
}

func of(steps ...session.Step) *session.Session {
	return &session.Session{
		Head: session.Head{System: "claudecode", ID: "s1", Folder: "/p"}, Task: "Make the build work again",
		Steps: steps, State: session.Succeeded, Ended: noon,
	}
}

// bodies returns what a rule made of a session.
func bodies(t *testing.T, rule string, s *session.Session) (out []string) {
	t.Helper()
	drafts, _ := Propose(s, noon)
	for _, d := range drafts {
		if d.Origin.Rule == rule {
			out = append(out, d.Body)
		}
	}
	return out
}

func TestWhatFailedThenWorked(t *testing.T) {
	for _, c := range []struct {
		name  string
		steps []session.Step
		want  string // empty if nothing is proposed
	}{
		{"another name of the program", []session.Step{sh("python a.py", "bash: line 1: python: command not found"), sh("python3 a.py", "")},
			"bash: line 1: python: command not found with `python a.py`; `python3 a.py` worked."},
		{"a program behind another", []session.Step{sh("pytest tests", "/bin/sh: 1: pytest: not found"), sh("python3 -m pytest tests", "")},
			"/bin/sh: 1: pytest: not found with `pytest tests`; `python3 -m pytest tests` worked."},
		{"npx", []session.Step{sh("tsc --noEmit", "bash: tsc: command not found"), sh("npx tsc --noEmit", "")},
			"bash: tsc: command not found with `tsc --noEmit`; `npx tsc --noEmit` worked."},
		{"docker-compose", []session.Step{sh("docker-compose up -d", "docker-compose: command not found"), sh("docker compose up -d", "")},
			"docker-compose: command not found with `docker-compose up -d`; `docker compose up -d` worked."},
		{"looking between changes nothing", []session.Step{sh("rg TODO", "bash: rg: command not found"), sh("which grep", ""), file("Read", "/p/a.go", ""), sh("grep -rn TODO", "")},
			"bash: rg: command not found with `rg TODO`; `grep -rn TODO` worked."},
		{"an unknown flag", []session.Step{sh("go test -fast ./...", "flag provided but not defined: -fast\nusage: go test [build/test flags] [packages]"), sh("go test -short ./...", "")},
			"flag provided but not defined: -fast with `go test -fast ./...`; `go test -short ./...` worked."},
		{"a flag of a letter", []session.Step{sh("date -Z now", "date: invalid option -- 'Z'"), sh("date -u now", "")},
			"date: invalid option -- 'Z' with `date -Z now`; `date -u now` worked."},
		{"the error names the flag", []session.Step{sh("npm install", "npm ERR! ERESOLVE unable to resolve dependency tree\nnpm ERR! or --legacy-peer-deps to accept it"), sh("npm install --legacy-peer-deps", "")},
			"npm ERR! ERESOLVE unable to resolve dependency tree with `npm install`; `npm install --legacy-peer-deps` worked."},
		{"the error names the command", []session.Step{sh("git push", "fatal: The current branch fix has no upstream branch.\nTo push the current branch use\n\n    git push --set-upstream origin fix\n"), sh("git push --set-upstream origin fix", "")},
			"fatal: The current branch fix has no upstream branch with `git push`; `git push --set-upstream origin fix` worked."},
		{"a slip", []session.Step{sh("git chekout main", "git: 'chekout' is not a git command. See 'git --help'.\nunknown command chekout"), sh("git checkout main", "")},
			"git: 'chekout' is not a git command. See 'git --help' with `git chekout main`; `git checkout main` worked."},
		{"the script has another name", []session.Step{sh("npm run test", "npm ERR! Missing script: \"test\""), sh("npm run tests", "")},
			"npm ERR! Missing script: \"test\" with `npm run test`; `npm run tests` worked."},
		{"another folder", []session.Step{sh("go test ./...", "pattern ./...: directory prefix . does not contain main module or its selected dependencies"), sh("cd sub && go test ./...", "")},
			"pattern ./...: directory prefix . does not contain main module or its selected dependencies with `go test ./...`; `cd sub && go test ./...` worked."},
		{"the folder of the tool", []session.Step{step("shell", map[string]any{"command": []string{"bash", "-lc", "npm ci"}}, "npm error enoent Could not read package.json"), step("shell", map[string]any{"command": []string{"bash", "-lc", "npm ci"}, "workdir": "/p/web"}, "")},
			"npm error enoent Could not read package.json with `npm ci`; `cd web && npm ci` worked."},
		{"a variable that is missing", []session.Step{sh("make migrate", "error: DATABASE_URL is not set"), sh("DATABASE_URL=sqlite.db make migrate", "")},
			"error: DATABASE_URL is not set with `make migrate`; `DATABASE_URL=sqlite.db make migrate` worked."},
		{"a path of a command", []session.Step{sh("python3 tool.py --all", "python3: can't open file '/p/tool.py': [Errno 2] No such file or directory: tool.py"), sh("python3 scripts/tool.py --all", "")},
			"python3: can't open file 'tool.py': [Errno 2] No such file or directory: tool.py with `python3 tool.py --all`; `python3 scripts/tool.py --all` worked."},
		{"a path", []session.Step{file("Read", "/p/core/a.go", "<tool_use_error>File does not exist.</tool_use_error>"), file("Read", "/p/src/core/a.go", "")},
			"File does not exist with `Read core/a.go`; `Read src/core/a.go` worked."},
		{"an argument", []session.Step{step("mcp__gh__close", map[string]any{"id": 4, "state": "done"}, "invalid state done: want open or closed"), step("mcp__gh__close", map[string]any{"id": 4, "state": "closed"}, "")},
			"invalid state done: want open or closed with `mcp__gh__close {\"id\":4,\"state\":\"done\"}`; `mcp__gh__close {\"id\":4,\"state\":\"closed\"}` worked."},
		{"a missing argument", []session.Step{step("create", map[string]any{"name": "x"}, "missing required parameter: owner"), step("create", map[string]any{"name": "x", "owner": "me"}, "")},
			"missing required parameter: owner with `create x`; `create {\"name\":\"x\",\"owner\":\"me\"}` worked."},
		{"a command without JSON", []session.Step{{Tool: "shell", Arguments: "pip install x", Status: session.Error, Error: "pip: command not found"}, {Tool: "shell", Arguments: "pip3 install x", Status: session.OK}},
			"pip: command not found with `pip install x`; `pip3 install x` worked."},

		{"the same command after a repair of the code", []session.Step{sh("go test ./...", "--- FAIL: TestX\nFAIL"), file("Edit", "/p/a.go", ""), sh("go test ./...", "")},
			"`go test ./...` failed with --- FAIL: TestX; it passed after editing a.go."},
		{"edited twice, failed between", []session.Step{sh("make", "a.c:1: error: x"), file("Edit", "/p/a.c", ""), sh("make", "b.c:1: error: y"), file("Edit", "/p/b.c", ""), sh("make", "")},
			"`make` failed with b.c:1: error: y; it passed after editing b.c."},
		{"a patch", []session.Step{sh("make", "a.c:1: error: x"), {Tool: "apply_patch", Arguments: "*** Begin Patch\n*** Update File: src/a.c\n@@", Status: session.OK}, sh("make", "")},
			"`make` failed with a.c:1: error: x; it passed after editing src/a.c."},

		{"the same command again", []session.Step{sh("go test ./...", "dial tcp: connection refused"), sh("go test ./...", "")}, ""},
		{"fewer tests", []session.Step{sh("go test ./...", "--- FAIL: TestX\nFAIL winnow/core/y\nfile not found: ./..."), sh("go test ./core/x", "")}, ""},
		{"other tests", []session.Step{sh("pytest tests/a.py", "E   AssertionError\nFAILED tests/a.py::test_x not found"), sh("pytest tests/b.py", "")}, ""},
		{"short tests", []session.Step{sh("go test ./...", "--- FAIL: TestSlow"), sh("go test -short ./...", "")}, ""},
		{"tests of another folder", []session.Step{sh("cd a && go test ./...", "--- FAIL: TestX file not found"), sh("cd b && go test ./...", "")}, ""},
		{"other tests of another folder", []session.Step{sh("go test ./...", "x_test.go:3: no such file or directory\n--- FAIL: TestX"), sh("cd sub && go test ./...", "")}, ""},
		{"another command of the same program", []session.Step{sh("git push origin main", "fatal: unable to access: not found"), sh("git pull origin main", "")}, ""},
		{"another script", []session.Step{sh("npm run test", "> app@1.0.0 test\nnpm ERR! Missing script: test"), sh("npm run build", "")}, ""},
		{"another file", []session.Step{sh("cat a.txt", "cat: a.txt: No such file or directory"), sh("cat b.txt", "")}, ""},
		{"another file of a common name", []session.Step{file("Read", "/p/a/index.ts", "File does not exist."), file("Read", "/p/b/index.ts", "")}, ""},
		{"the next version", []session.Step{sh("git checkout v1.2", "error: pathspec 'v1.2' did not match any file(s) known to git"), sh("git checkout v1.3", "")}, ""},
		{"something was changed between", []session.Step{sh("tsc --noEmit", "bash: tsc: command not found"), sh("npm install typescript", ""), sh("npx tsc --noEmit", "")}, ""},
		{"a file was edited between", []session.Step{sh("go vet -fast .", "flag provided but not defined: -fast"), file("Edit", "/p/a.go", ""), sh("go vet .", "")}, ""},
		{"something was installed after the edit", []session.Step{sh("make", "error: x"), file("Edit", "/p/a.c", ""), sh("npm install", ""), sh("make", "")}, ""},
		{"something unknown happened between", []session.Step{sh("make", "error: x"), file("Edit", "/p/a.c", ""), step("mcp__db__migrate", map[string]any{"to": 3}, ""), sh("make", "")}, ""},
		{"a pipe hides the failure", []session.Step{sh("python a.py", "python: command not found"), sh("python3 a.py | tail -5", "")}, ""},
		{"or hides the failure", []session.Step{sh("python a.py", "python: command not found"), sh("python3 a.py || true", "")}, ""},
		{"a semicolon hides the failure", []session.Step{sh("python a.py", "python: command not found"), sh("python3 a.py; echo done", "")}, ""},
		{"it was only started", []session.Step{sh("python a.py", "python: command not found"), step("Bash", map[string]any{"command": "python3 a.py", "run_in_background": true}, "")}, ""},
		{"part of a chain", []session.Step{sh("make build && make test", "make: *** No rule to make target 'build', not found"), sh("make test", "")}, ""},
		{"a tool that is not there, and a look around", []session.Step{sh("deploytool src", "deploytool: command not found"), sh("ls src", "")}, ""},
		{"a script that is not there", []session.Step{sh("./run.sh src", "bash: ./run.sh: No such file or directory"), sh("make src", "")}, ""},
		{"nothing was found", []session.Step{sh("grep foo a.go", ""), sh("grep foo b.go", "")}, ""},
		{"it worked without an error's word on it", []session.Step{sh("git commit -m x", "error: gpg failed to sign the data"), sh("git commit --no-gpg-sign -m x", "")}, ""},
		{"another tool", []session.Step{file("Read", "/p/a.go", "File does not exist."), file("Write", "/p/src/a.go", "")}, ""},
		{"another call of the tool", []session.Step{step("create", map[string]any{"name": "x", "kind": "a"}, "unknown kind a"), step("create", map[string]any{"name": "y", "kind": "b"}, "")}, ""},
		{"another repository", []session.Step{step("issues", map[string]any{"repo": "alpha"}, "repo alpha not found"), step("issues", map[string]any{"repo": "omega"}, "")}, ""},
		{"a string to replace", []session.Step{step("Edit", map[string]any{"file_path": "/p/a", "old_string": "foos"}, "String to replace not found: foos"), step("Edit", map[string]any{"file_path": "/p/a", "old_string": "food"}, "")}, ""},
		{"a file that was made", []session.Step{sh("cat a.txt", "cat: a.txt: No such file or directory"), file("Write", "/p/a.txt", ""), sh("cat a.txt", "")}, ""},
		{"a substitution", []session.Step{sh("kill $(pidof x)", "kill: not found"), sh("kill $(pidof y)", "")}, ""},
		{"the person said no", []session.Step{{Tool: "Bash", Arguments: `{"command":"python a.py"}`, Status: session.Declined, Error: "python: command not found"}, sh("python3 a.py", "")}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := bodies(t, RuleWorked, of(c.steps...))
			if want := slices.DeleteFunc([]string{c.want}, func(s string) bool { return s == "" }); !slices.Equal(got, want) {
				t.Errorf("got  %q\nwant %q", got, want)
			}
		})
	}
}

func TestLoops(t *testing.T) {
	down := "curl: (7) Failed to connect: connection refused"
	for _, c := range []struct {
		name  string
		steps []session.Step
		want  string
	}{
		{"twice in a row", []session.Step{sh("curl http://x", down), sh("curl http://x", down)},
			"Do not repeat `curl http://x`: it failed 2 times in a row with " + down + "."},
		{"two in turn", []session.Step{sh("curl http://x", down), sh("make up", "Error 1: not found"), sh("curl http://x", down), sh("curl http://x", down)},
			"Do not repeat `curl http://x`: it failed 3 times in a row with " + down + "."},
		{"something worked between", []session.Step{sh("curl http://x", down), sh("ls", ""), sh("curl http://x", down)}, ""},
		{"it worked later", []session.Step{sh("curl http://x", down), sh("curl http://x", down), sh("make up", ""), sh("curl http://x", "")}, ""},
		{"other arguments", []session.Step{sh("curl http://x", down), sh("curl http://y", down)}, ""},
		{"another tool", []session.Step{file("Read", "/p/a", "File does not exist."), file("Write", "/p/a", "not allowed: error")}, ""},
		{"tests fail for the code", []session.Step{sh("go test", "--- FAIL: TestX"), sh("go test", "--- FAIL: TestX")}, ""},
		{"without a word", []session.Step{sh("grep x a", ""), sh("grep x a", "")}, ""},
		{"the person said no", []session.Step{{Tool: "Bash", Arguments: `{"command":"rm x"}`, Status: session.Declined}, {Tool: "Bash", Arguments: `{"command":"rm x"}`, Status: session.Declined}}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(bodies(t, RuleLoop, of(c.steps...)), "\n"); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}
