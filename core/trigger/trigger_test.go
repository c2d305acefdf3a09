package trigger

import (
	"encoding/json"
	"strings"
	"testing"

	"winnow/core/memory"
)

func whenOf(t *testing.T, text string) memory.When {
	t.Helper()
	w, err := memory.ParseWhen(text)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestCommandsMatchByTheirWords(t *testing.T) {
	for _, c := range []struct {
		when, line string
		want       bool
	}{
		{"command: git push", "git push", true},
		{"command: git push", "cd web && git push origin main", true},
		{"command: git push", "cd web; git push | tail -3", true},
		{"command: git push", "FOO=1 BAR='a b' git push", true},
		{"command: git push", "sudo git push", true},
		{"command: git push", "sudo -u ada git push", true},
		{"command: git push", "sudo -E env A=1 git push", true},
		{"command: git push", "if ! git push; then echo no; fi", true},
		{"command: git push", "echo $(git push) \"`git push`\"", true},
		{"command: git push", `bash -lc "cd x && git push"`, true},
		{"command: git push", "(git push)", true},
		{"command: git push", "make all\ngit   push", true},
		{"command: git push", "/usr/bin/git push", true},
		{"command: git push", `g"it" 'push'`, true},
		{"command: rtk bun", "rtk bun test 2>&1 | tail", true},
		{"command: npm run build:all", "npm run build:all", true},
		{"command: ./deploy.sh", "./deploy.sh prod", true},
		{"command: git push", "git pushall", false},
		{"command: git push", "echo git push", false},
		{"command: git push", `echo "do not; git push"`, false},
		{"command: git push", "echo 'a && git push'", false},
		{"command: git push", "# git push", false},
		{"command: git push", "cat <<'EOF'\ngit push\nEOF\necho done", false},
		{"command: git push", "echo >git push", false},
		{"command: git push", "git", false},
		{"command: ./deploy.sh", "deploy.sh", false},
		{"command: git push", "git pu\\\nsh", true},
		{"command: bun test", "cat <<EOF >x\nbun test\nEOF\nbun test", true},
	} {
		call := Call{Commands: Commands(c.line)}
		if got := Matches(whenOf(t, c.when), &call); got != c.want {
			t.Errorf("%s means %q: %v, want %v; its commands are %q", c.when, c.line, got, c.want, call.Commands)
		}
	}
}

func TestMomentsThatMeanNearlyEverythingAreRefused(t *testing.T) {
	for _, text := range []string{
		"command: c", "command: cd", "command: ls", "command: git", "command: /bin/ls", "command: ls -la",
		"command: a b", "command: sudo", "command: FOO=1", "command: sudo -n cd", "command: git push && ls",
		"command: | x",
		"command: $(x)", "command: ''", "file: *", "file: **/*", "file: *.*", "file: /etc/passwd", "file: ../x.go",
		"file: ~/x.go",
		"file: [a", "file: **/a/**/b/**/c/**/d", "error: e", "error: error", "error: Exit code",
		"error: !!!!", "error: failed: 1",
	} {
		w := whenOf(t, text)
		all := Call{
			Commands: [][]string{{"c"}, {"cd"}, {"ls", "-la"}, {"a", "b"}, {"x"}}, Files: []string{"x.go", "a/b/c/d"},
			Error: "exit code error: failed: 1 !!!!",
		}
		if Check(w) == nil || Matches(w, &all) {
			t.Errorf("%s is not refused", text)
		}
	}
	for _, text := range []string{
		"command: npm", "command: git push", "command: sed -i", "command: ls src", "file: *.go", "file: go.mod",
		"file: docs/**/*.md", "error: EACCES", "error: command not found: rtk", "always", "task", "command: bun",
	} {
		if err := Check(whenOf(t, text)); err != nil {
			t.Errorf("%s is refused: %v", text, err)
		}
	}
}

func TestFilesMatchFromTheProject(t *testing.T) {
	for _, c := range []struct {
		when, file string
		want       bool
	}{
		{"file: *.go", "a/b/c.go", true},
		{"file: go.mod", "go.mod", true},
		{"file: docs/**/*.md", "docs/a/b/c.md", true},
		{"file: docs/**/*.md", "docs/c.md", true},
		{"file: docs/**", "docs/a/b", true},
		{"file: ./docs/*.md", "docs/c.md", true},
		{"file: docs/*.md", "docs/a/c.md", false},
		{"file: docs/*.md", "x/docs/c.md", false},
		{"file: go.mod", "go.modx", false},
		{"file: **/testdata/*", "testdata/x", true},
	} {
		if got := Matches(whenOf(t, c.when), &Call{Files: []string{c.file}}); got != c.want {
			t.Errorf("%s means %s: %v", c.when, c.file, got)
		}
	}
}

func TestCallsOfAllAgents(t *testing.T) {
	const folder, project = "/p/sub", "/p"
	json := func(v any) []byte { return mustJSON(t, v) }
	type m = map[string]any
	for name, c := range map[string]struct {
		given memory.ToolCall
		when  string
		want  bool
	}{
		"Claude Code": {
			memory.ToolCall{Tool: "Bash", Input: json(m{"command": "npm ci"})},
			"command: npm ci", true,
		},
		"Codex": {
			memory.ToolCall{Tool: "exec_command", Input: json(m{"cmd": "npm ci"})},
			"command: npm ci", true,
		},
		"a list": {
			memory.ToolCall{Tool: "shell", Input: json(m{"command": []string{"bash", "-lc", "npm ci"}})},
			"command: npm ci", true,
		},
		"Gemini": {
			memory.ToolCall{Tool: "run_shell_command", Input: json(m{"command": "npm ci"})},
			"command: npm ci", true,
		},
		"absolute": {
			memory.ToolCall{Tool: "Edit", Input: json(m{"file_path": "/p/docs/a.md"})},
			"file: docs/*.md", true,
		},
		"relative": {
			memory.ToolCall{Tool: "read_file", Input: json(m{"file_path": "a.md"})},
			"file: sub/a.md", true,
		},
		"camel": {
			memory.ToolCall{Tool: "write", Input: json(m{"filePath": "/p/x/a.md"})},
			"file: x/*", false,
		},
		"camel dot": {
			memory.ToolCall{Tool: "write", Input: json(m{"filePath": "/p/xyz/a.md"})},
			"file: xyz/*", true,
		},
		"outside": {
			memory.ToolCall{Tool: "Read", Input: json(m{"file_path": "/etc/docs/a.md"})},
			"file: *.md", false,
		},
		"beside": {
			memory.ToolCall{Tool: "Read", Input: json(m{"file_path": "/pp/a.md"})},
			"file: *.md", false,
		},
		"a patch": {
			memory.ToolCall{
				Tool:  "apply_patch",
				Input: json(m{"command": "*** Begin Patch\n*** Update File: a.md\n@@\n"}),
			},
			"file: sub/a.md", true,
		},
		"another tool": {
			memory.ToolCall{Tool: "WebFetch", Input: json(m{"command": "npm ci", "file_path": "/p/a.md"})},
			"command: npm ci", false,
		},
		"no JSON": {
			memory.ToolCall{Tool: "Bash", Input: []byte("{")},
			"command: npm ci", false,
		},
		"failed": {
			memory.ToolCall{Tool: "Bash", Error: "Exit code 1\nEACCES: denied", Status: memory.CallFailed},
			"error: eacces:  denied", true,
		},
		"failed to read": {
			memory.ToolCall{Tool: "Read", Error: "no such file: x", Status: memory.CallFailed},
			"error: no such file", true,
		},
		"worked": {
			memory.ToolCall{
				Tool:   "Bash",
				Input:  json(m{"command": "npm ci"}),
				Output: json("EACCES"),
				Status: memory.CallSucceeded,
			},
			"error: EACCES", false,
		},
		"behind a pipe": {
			memory.ToolCall{
				Tool:   "Bash",
				Input:  json(m{"command": "npm ci | tail"}),
				Output: json("EACCES"),
				Status: memory.CallSucceeded,
			},
			"error: EACCES", true,
		},
		"or true": {
			memory.ToolCall{
				Tool: "Bash", Input: json(m{"command": "npm ci || true"}), Output: json(m{"stderr": "EACCES"}),
				Status: memory.CallSucceeded,
			},
			"error: EACCES", true,
		},
		"nobody knows": {
			memory.ToolCall{Tool: "Bash", Input: json(m{"command": "npm ci"}), Output: json("EACCES")},
			"error: EACCES", true,
		},
		"a file says it": {
			memory.ToolCall{
				Tool:   "Bash",
				Input:  json(m{"command": "cd x && grep -r EACCES . | head"}),
				Output: json("EACCES"),
			},
			"error: EACCES", false,
		},
	} {
		call := CallOf(&c.given, folder, project)
		if got := Matches(whenOf(t, c.when), &call); got != c.want {
			t.Errorf("%s: %v, want %v: %+v", name, got, c.want, call)
		}
	}
}

func mustJSON(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// FuzzMatches: whatever an agent sends, the reading of it ends, and no moment that Check refuses means anything.
func FuzzMatches(f *testing.F) {
	f.Add("command: git push", "cd x && FOO=1 sudo -u a git push <<E | `a $(b \"c`\nE\n", "a/b.go")
	f.Add("file: **/*.go", "bash -lc 'bash -c \"x\"' $((", "a/**/b")
	f.Add("error: not found", "a\\", "")
	f.Fuzz(func(t *testing.T, when, line, file string) {
		w, err := memory.ParseWhen(when)
		if err != nil {
			return
		}
		input := mustJSON(t, map[string]string{"command": line, "file_path": file})
		for _, tool := range []string{"Bash", "Edit"} {
			call := CallOf(&memory.ToolCall{Tool: tool, Input: input, Output: input}, "/p/x", "/p")
			for _, words := range call.Commands {
				if len(words) == 0 {
					t.Error("a command without words")
				}
			}
			if Matches(w, &call) && Check(w) != nil {
				t.Errorf("%s means something", w)
			}
			for _, rel := range call.Files {
				if rel == ".." || strings.HasPrefix(rel, "../") || strings.HasPrefix(rel, "/") {
					t.Errorf("%q is outside", rel)
				}
			}
		}
	})
}
