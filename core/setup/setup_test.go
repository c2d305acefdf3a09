package setup

import (
	"errors"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"winnow/core/jstext"
)

// files are settings files as agents and people write them.
var files = map[string][]string{
	"/h/.claude/settings.json": {
		"", "{}", "{}\n", "{\n}\n", `{"hooks":{}}`, "{\n  \"hooks\": {\n  }\n}\n", `{"hooks":{"UserPromptSubmit":[]}}`,
		"{\n  \"model\": \"opus\"\n}\n", "{\"a\":1,\"b\":[1,2]}", "{\r\n\t\"a\": 1\r\n}\r\n",
		"{\n  \"hooks\": {\n    \"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"date\"}]}]\n  },\n  \"env\": {\"A\": \"sk-ant-api03-aaaa\"}\n}\n",
		"{\n  \"hooks\": {\n    \"UserPromptSubmit\": [\n      {\"matcher\": \"\", \"hooks\": [{\"type\": \"command\", \"command\": \"winnow-lint agent-hook recall\"}]}\n    ]\n  }\n}",
		`{"permissions":{"allow":["Bash(winnow agent-hook recall)"]},"n":1.50,"e":"\u00e9\/"}`,
		"\ufeff{\r\n\t\"a\": 1\r\n}\r\n",
		"{\t\"hooks\":\t{\"SessionEnd\":\t[ ] } }\n\n", "\n\n{\"a\":{}}",
		"{\"hooks\":{\"UserPromptSubmit\":[{\"hooks\":[]}],\"SessionStart\":[{\"matcher\":\"*\",\"hooks\":[{\"type\":\"command\",\"command\":\"x\"}]}],\"SessionEnd\":[\n]}}",
		"{\r\n\t\"hooks\": {\r\n\t\t\"UserPromptSubmit\": [\r\n\t\t\t{ \"hooks\": [{ \"type\": \"command\", \"command\": \"date\" }] }\r\n\t\t]\r\n\t}\r\n}",
	},
	"/p/.mcp.json": {
		"",
		"{}",
		`{"mcpServers":{"other":{"command":"npx","args":["mcp"]}}}`,
		"{\n    \"mcpServers\": {\n        \"a\": {\"command\": \"a\"}\n    }\n}",
	},
	"/h/.gemini/settings.json": {
		"",
		"{}",
		"{\n  // the model\n  \"model\": {\"name\": \"x\"}, /* and more */\n}\n",
		"{\"mcpServers\":{}}\n",
		"\ufeff// mine\r\n{\r\n\t\"hooks\": { /* none */ },\r\n}\r\n// end\r\n",
		"{\n\t\"hooks\": {\n\t\t\"BeforeAgent\": [\n\t\t\t// theirs\n\t\t\t{\"hooks\": [{\"type\": \"command\", \"command\": \"date\"}]}, // last\n\t\t],\n\t},\n}\n",
	},
	"/p/opencode.json": {"", "{\n  \"$schema\": \"https://opencode.ai/config.json\"\n}\n", "{ \"mcp\": {} }"},
	"/p/opencode.jsonc": {
		"{\n  // first\n  \"a\": 1, // one, two\n  \"mcp\": {\n    \"x\": {\"type\": \"local\", \"command\": [\"x\"]}, // x, y\n    // last\n  },\n  // end\n}\n",
		"{\"a\": 1 // one\n}", "{\"a\": 1 /* , */ }", "\ufeff{\"a\": 1,}\n", "{ // nothing yet\n}\n",
	},
	"/h/.codex/config.toml": {
		"", "\n", "\n\n\n", "\r\n\r\n", " ", "\t\n  ", "\n\t", "model = \"m\"", "model = \"m\"\n",
		"model = \"m\"\n\n\n", "# only a comment", "a = 1\r\nb = 2\r\n",
		"[features]\nhooks = true\n\n[projects.\"/p\"]\ntrust_level = \"trusted\"\n",
		"text = \"\"\"\n[[hooks.UserPromptSubmit]]\ncommand = \"winnow agent-hook recall\"\n\"\"\"\n",
		"[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = \"date\"\n# end\n",
		"[[hooks.UserPromptSubmit]]\nmatcher = \"x\"\n[[hooks.UserPromptSubmit.hooks]]\ntype = 'command'\ncommand = 'date'\n",
		"[mcp_servers.other]\ncommand = \"npx\"\nargs = [\n  \"mcp\", # it\n]\n",
	},
	"/p/.opencode/plugins/winnow.ts": {""},
}

// formatOf returns the format of the settings file at a path, judged by its name and folder.
func formatOf(file string) (Format, bool) {
	for _, p := range places(false) {
		if fits, named := strings.Contains(file, p.project), path.Base(file); fits &&
			(named == path.Base(p.file.Path) || named == p.file.Or) {
			return p.file.Format, true
		}
	}
	return Format{}, false
}

// namesOf returns the entries that a file can have.
func namesOf(path string) []string {
	switch {
	case strings.HasSuffix(path, ".mcp.json"), strings.Contains(path, "opencode.json"):
		return []string{MCP}
	case strings.HasSuffix(path, ".ts"):
		return []string{Recall, Learn, AfterCall}
	case strings.Contains(path, ".claude"):
		return []string{Recall, Resume, Learn, BeforeCall, AfterCall, FailedCall}
	case strings.Contains(path, ".codex"):
		return []string{Recall, Resume, Learn, BeforeCall, AfterCall, MCP}
	}
	return []string{Recall, Resume, Learn, AfterCall, MCP}
}

func TestRemoveGivesBackTheSameBytes(t *testing.T) {
	for path, texts := range files {
		f, ok := formatOf(path)
		if !ok {
			t.Fatalf("%s has no format", path)
		}
		for _, text := range texts {
			for n := range namesOf(path) {
				names := namesOf(path)[:n+1]
				if strings.HasSuffix(path, ".ts") {
					names = namesOf(path)[:max(2, n+1)] // the first two are one program
				}
				got, err := f.Set(text, names, "/opt/my tools/winnow")
				if err != nil {
					t.Errorf("%s %q: %v", path, text, err)
					continue
				}
				entries, err := f.Entries(got)
				if has, program := Names(entries); err != nil || !slices.Equal(has, names) ||
					program != "/opt/my tools/winnow" {
					t.Errorf("%s %q: has %q of %q, %v:\n%s", path, text, has, program, err, got)
				}
				if again, err := f.Set(got, names, "/opt/my tools/winnow"); again != got || err != nil {
					t.Errorf("%s: the second time\n%s\nbecame, %v\n%s", path, got, err, again)
				}
				moved, err := f.Set(got, names, "winnow")
				if err != nil || strings.Contains(moved, "my tools") {
					t.Errorf("%s: the moved program: %v\n%s", path, err, moved)
				}
				for _, made := range []string{got, moved} {
					if back, err := f.Set(made, nil, ""); back != text || err != nil {
						t.Errorf("%s: %q was %q, %v; with entries:\n%s", path, back, text, err, made)
					}
				}
			}
		}
	}
}

// TestOldFormsOfHooksAreBroughtUpToDate has each form that setup ever wrote, and those that people made of
// it so that it stops no agent.
func TestOldFormsOfHooksAreBroughtUpToDate(t *testing.T) {
	const call = "'/my tools/winnow' agent-hook recall --agent claudecode"
	const inQuotes = `'\''/my tools/winnow'\'' agent-hook recall --agent claudecode`
	f, _ := formatOf("/h/.claude/settings.json")
	now, err := f.Set("", []string{Recall}, "/my tools/winnow")
	if err != nil || f.Outdated(now) {
		t.Fatalf("what setup writes is outdated: %v\n%s", err, now)
	}
	windows := Format{object{hooks: hooksOf("claudecode", "UserPromptSubmit", 10, true)}}
	power, err := windows.Set("", []string{Recall}, `C:\it's\winnow.exe`)
	if err != nil || windows.Outdated(power) || !strings.Contains(power, "& 'C:/it''s/winnow.exe' agent-hook") {
		t.Errorf("on Windows: %v\n%s", err, power)
	}
	if back, err := windows.Set(power, nil, ""); back != "" || err != nil {
		t.Errorf("on Windows %q is left, %v", back, err)
	}
	for _, old := range []string{
		call, call + " || true", call + " 2>/dev/null || true", strings.TrimSuffix(call, " --agent claudecode"),
		`sh -c 'trap "exit 0" 0; ` + inQuotes + ` 2>/dev/null; exit 0'`,
	} {
		text := `{"hooks":{"UserPromptSubmit":[{"hooks":[{"type":"command","command":` + jstext.Quoted(old) +
			`,"timeout":10}]}]}}`
		entries, err := f.Entries(text)
		if want := []Entry{{Recall, "/my tools/winnow"}}; !slices.Equal(entries, want) || err != nil ||
			!f.Outdated(text) {
			t.Errorf("%s: entries are %v, %v, outdated %t", old, entries, err, f.Outdated(text))
		}
		made, err := f.Set(text, []string{Recall}, "/my tools/winnow")
		if err != nil || strings.Count(made, hookWord) != 1 || f.Outdated(made) || !f.ChangesHook(text, made) {
			t.Errorf("%s: became, %v\n%s", old, err, made)
		}
		if left, err := f.Set(text, nil, ""); strings.Contains(left, hookWord) || err != nil {
			t.Errorf("%s: left is %s, %v", old, left, err)
		}
	}
}

// TestAnyPathOfTheProgramIsFoundAgain has paths with what shells treat as special.
func TestAnyPathOfTheProgramIsFoundAgain(t *testing.T) {
	f, _ := formatOf("/h/.claude/settings.json")
	for _, dir := range []string{"it's", "a b", `"`, `\`, `'\''`, "$HOME", "$(date)", "`", "a;b", "é", "!", "~", "#"} {
		program := "/" + dir + "/winnow"
		made, err := f.Set("", []string{Recall, Resume, Learn}, program)
		entries, _ := f.Entries(made)
		want := []Entry{{Recall, program}, {Resume, program}, {Learn, program}}
		if err != nil || !slices.Equal(entries, want) || f.Outdated(made) {
			t.Errorf("%s: entries are %q, %v\n%s", program, entries, err, made)
		}
		if back, err := f.Set(made, nil, ""); back != "" || err != nil {
			t.Errorf("%s: %q is left, %v", program, back, err)
		}
	}
}

// TestCallsAreHookedAtShellAndFileTools: without a matcher an agent would start the hook at calls of every tool.
func TestCallsAreHookedAtShellAndFileTools(t *testing.T) {
	for path, want := range map[string]struct{ matcher, tools string }{
		"/h/.claude/settings.json": {`"matcher": "`, "Bash|Read|Edit|MultiEdit|Write|NotebookEdit"},
		"/h/.codex/config.toml":    {`matcher = "`, "Bash|apply_patch"},
		"/h/.gemini/settings.json": {`"matcher": "`, "run_shell_command|read_file|read_many_files|replace|write_file"},
	} {
		f, _ := formatOf(path)
		names := slices.DeleteFunc(namesOf(path), func(name string) bool { return !slices.Contains(Triggers(), name) })
		made, err := f.Set("", names, "winnow")
		calls, matchers := strings.Count(made, hookWord+" call"), strings.Count(made, want.matcher+want.tools+`"`)
		if err != nil || calls != len(names) || matchers != len(names) || strings.Contains(made, "permission") {
			t.Errorf("%s: %v, %d calls of %q\n%s", path, err, calls, names, made)
		}
	}
	f, _ := formatOf("/p/.opencode/plugins/winnow.ts")
	without, _ := f.Set("", []string{Recall, Learn}, "winnow")
	with, err := f.Set(without, []string{Recall, Learn, AfterCall}, "winnow")
	if err != nil || strings.Contains(without, pluginCalls) || !strings.Contains(with, pluginCalls) ||
		f.Outdated(with) {
		t.Errorf("%v: without calls\n%s\nwith calls\n%s", err, without, with)
	}
	if back, err := f.Set(with, []string{Recall, Learn}, "winnow"); back != without || err != nil {
		t.Errorf("turned off it is, %v\n%s", err, back)
	}
}

func TestSetupWritesWhatAgentsRead(t *testing.T) {
	for _, c := range []struct{ path, text, want string }{
		{"/h/.claude/settings.json", "{\n  \"model\": \"opus\"\n}\n", `{
  "model": "opus",
  "hooks": {
    "UserPromptSubmit": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "sh -c 'trap \"exit 0\" 0; exec 2>/dev/null; winnow agent-hook recall --agent claudecode; exit 0'",
            "timeout": 10
          }
        ]
      }
    ],
    "SessionStart": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "sh -c 'trap \"exit 0\" 0; exec 2>/dev/null; winnow agent-hook recall --agent claudecode; exit 0'",
            "timeout": 10
          }
        ]
      }
    ],
    "SessionEnd": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "sh -c 'trap \"exit 0\" 0; exec 2>/dev/null; winnow agent-hook learn --agent claudecode; exit 0'",
            "timeout": 10
          }
        ]
      }
    ]
  }
}
`},
		{"/p/.mcp.json", "", `{
  "mcpServers": {
    "winnow": {
      "command": "winnow",
      "args": [
        "mcp"
      ]
    }
  }
}
`},
		{"/p/opencode.jsonc", "{\n\t// mine\n\t\"a\": 1, // one\n}\n", "{\n\t// mine\n\t\"a\": 1, // one\n\t\"mcp\": {\n\t\t\"winnow\": {\n\t\t\t\"type\": \"local\",\n\t\t\t\"command\": [\n\t\t\t\t\"winnow\",\n\t\t\t\t\"mcp\"\n\t\t\t],\n\t\t\t\"enabled\": true\n\t\t}\n\t},\n}\n"},
		{"/h/.codex/config.toml", "model = \"m\"\n", `model = "m"

[[hooks.UserPromptSubmit]]

[[hooks.UserPromptSubmit.hooks]]
type = "command"
command = "sh -c 'trap \"exit 0\" 0; exec 2>/dev/null; winnow agent-hook recall --agent codex; exit 0'"
timeout = 3

[[hooks.SessionStart]]

[[hooks.SessionStart.hooks]]
type = "command"
command = "sh -c 'trap \"exit 0\" 0; exec 2>/dev/null; winnow agent-hook recall --agent codex; exit 0'"
timeout = 3

[[hooks.SessionEnd]]

[[hooks.SessionEnd.hooks]]
type = "command"
command = "sh -c 'trap \"exit 0\" 0; exec 2>/dev/null; winnow agent-hook learn --agent codex; exit 0'"
timeout = 3

[mcp_servers.winnow]
command = "winnow"
args = ["mcp"]
`},
	} {
		f, _ := formatOf(c.path)
		names := slices.DeleteFunc(namesOf(c.path), func(name string) bool { return slices.Contains(Triggers(), name) })
		if got, err := f.Set(c.text, names, "winnow"); got != c.want || err != nil {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.path, err, got, c.want)
		}
	}
}

func TestRemoveFindsItsEntriesAfterEdits(t *testing.T) {
	for _, c := range []struct{ path, text, want string }{
		{ // minified, the program moved, another hook in our group, one of ours at another event
			"/h/.claude/settings.json",
			`{"hooks":{"UserPromptSubmit":[{"matcher":"","hooks":[{"type":"command","command":"'/old place/winnow' agent-hook recall"},{"type":"command","command":"date"}]}],"SessionStart":[{"hooks":[{"command":"/old/winnow agent-hook recall","type":"command"}]}],"SessionEnd":[{"hooks":[{"type":"command","command":"winnow agent-hook learn","timeout":3}]},{"hooks":[]}]}}`,
			`{"hooks":{"UserPromptSubmit":[{"matcher":"","hooks":[{"type":"command","command":"date"}]}],"SessionStart":[],"SessionEnd":[{"hooks":[]}]}}`,
		},
		{ // what only contains our words is not ours
			"/h/.claude/settings.json",
			`{"hooks":{"Stop":[{"hooks":[{"command":"date; winnow agent-hook learn"},{"command":"winnow agent-hook recall --plain"}]}]}}`,
			`{"hooks":{"Stop":[{"hooks":[{"command":"date; winnow agent-hook learn"},{"command":"winnow agent-hook recall --plain"}]}]}}`,
		},
		{"/p/.mcp.json", `{"mcpServers":{"lessons":{"command":"C:\\tools\\winnow.exe","args":["mcp"],"env":{"A":"b"}},"x":{"command":"x"}}}`, `{"mcpServers":{"x":{"command":"x"}}}`},
		{
			"/h/.codex/config.toml",
			"a = 1\n\n[[hooks.UserPromptSubmit]]\n[[hooks.UserPromptSubmit.hooks]]\ncommand = '/old/winnow agent-hook recall'\ntype = 'command'\n\n[[hooks.UserPromptSubmit.hooks]]\ncommand = 'date'\n\n# mine\n[mcp_servers.winnow]\ncommand = '/old/winnow'\nargs = ['mcp']\n\n[mcp_servers.winnow.tools.recall]\napproval_mode = 'approve'\n\n# state\n[hooks.state]\n",
			"a = 1\n\n[[hooks.UserPromptSubmit]]\n\n[[hooks.UserPromptSubmit.hooks]]\ncommand = 'date'\n\n# mine\n\n# state\n[hooks.state]\n",
		},
		{ // tables of ours in any order, another's among them
			"/h/.codex/config.toml",
			"[mcp_servers.winnow.tools.a]\nx = 1\n[mcp_servers.winnow.env]\nA = 'b'\n[other]\n[mcp_servers.winnow.tools.b]\ny = 2\n[mcp_servers.winnow]\nargs = ['mcp']\ncommand = 'winnow'\n[last]\n",
			"\n[other]\n[last]\n",
		},
		{
			"/h/.codex/config.toml",
			"[mcp_servers.a]\ncommand = ['winnow', 'mcp']\n",
			"[mcp_servers.a]\ncommand = ['winnow', 'mcp']\n",
		},
		{
			"/p/.opencode/plugins/winnow.ts",
			"// mine\n" + pluginBegin + "const winnow = \"/old/winnow\"\nedited\n" + pluginEnd + "export const x = 1\n",
			"// mine\nexport const x = 1\n",
		},
	} {
		f, _ := formatOf(c.path)
		if got, err := f.Set(c.text, nil, ""); got != c.want || err != nil {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.path, err, got, c.want)
		}
	}
}

func TestTextsThatAgentsCannotReadAreRefused(t *testing.T) {
	for path, texts := range map[string][]string{
		"/h/.claude/settings.json": {"{", "[]", "null", " ", "{} x", `{"hooks":[]}`, `{"hooks":{"UserPromptSubmit":{}}}`, `{"a":1,}`, "{} // a"},
		"/p/.mcp.json":             {`{"mcpServers":{"winnow":{"command":"other"}}}`, `{"mcpServers":[]}`},
		"/p/opencode.jsonc":        {"{ /* ", `{"mcp":{"winnow":{"type":"remote"}}}`},
		"/h/.codex/config.toml": {
			"a = ", "hooks = {}\n", "[hooks]\nUserPromptSubmit = []\n",
			"[mcp_servers]\nwinnow = {command = \"other\"}\n", "a = 1\na = 2\n", "\x00",
		},
		"/p/.opencode/plugins/winnow.ts": {"export const x = 1\n", pluginBegin},
	} {
		f, _ := formatOf(path)
		for _, text := range texts {
			if got, err := f.Set(text, namesOf(path), "winnow"); err == nil {
				t.Errorf("%s %q became %q", path, text, got)
			}
		}
	}
}

func TestProgramOfAnotherNameIsRefused(t *testing.T) {
	for _, path := range []string{
		"/h/.claude/settings.json",
		"/h/.codex/config.toml",
		"/p/.opencode/plugins/winnow.ts",
	} {
		f, _ := formatOf(path)
		if got, err := f.Set("", namesOf(path), "/d/winnow-linux-amd64"); !errors.Is(err, ErrName) {
			t.Errorf("%s: %q, %v", path, got, err)
		}
		if _, err := f.Set("", nil, "/d/winnow-linux-amd64"); err != nil {
			t.Errorf("%s: nothing is taken out: %v", path, err)
		}
	}
}

func TestEntriesWithoutEffectAreTold(t *testing.T) {
	const codex = "[features]\nX = true\n[[hooks.SessionEnd]]\n[[hooks.SessionEnd.hooks]]\ncommand = \"date\"\n[[hooks.SessionEnd.hooks]]\ncommand = \"winnow agent-hook learn\"\n"
	for _, c := range []struct {
		path, text string
		want       int
	}{
		{"/h/.claude/settings.json", `{"hooks":{"Stop":[{"hooks":[{"command":"winnow agent-hook learn"}]}]}}`, 0},
		{"/h/.claude/settings.json", `{"disableAllHooks":true,"hooks":{"Stop":[{"hooks":[{"command":"winnow agent-hook learn"}]}]}}`, 1},
		{"/h/.claude/settings.json", `{"disableAllHooks":true}`, 0}, // none of ours
		{"/h/.gemini/settings.json", "{// a\n\"hooksConfig\":{\"enabled\":false,\"disabled\":[\"x\",\"winnow-learn\"]},\"hooks\":{\"SessionEnd\":[{\"hooks\":[{\"command\":\"winnow agent-hook learn\"}]}]}}", 2},
		{"/h/.codex/config.toml", codex, 1},
		{"/h/.codex/config.toml", strings.Replace(codex, "X", "hooks = false\nY", 1), 2},
		{"/h/.codex/config.toml", codex + "[hooks.state.\"/h/.codex/config.toml:session_end:0:1\"]\ntrusted_hash = \"sha256:1\"\n", 0},
		{"/h/.codex/config.toml", codex + "[hooks.state.\"/h/.codex/config.toml:session_end:0:0\"]\ntrusted_hash = \"sha256:1\"\n", 1},
	} {
		f, _ := formatOf(c.path)
		if got := f.Unused(c.path, c.text); len(got) != c.want {
			t.Errorf("%s %s: %q, want %d", c.path, c.text, got, c.want)
		}
	}
}

func FuzzSet(f *testing.F) {
	var paths []string
	for path, texts := range files {
		paths = append(paths, path)
		for _, text := range texts {
			f.Add(path, text)
			if format, _ := formatOf(path); text != "" {
				made, _ := format.Set(text, namesOf(path), "winnow")
				f.Add(path, made)
			}
		}
	}
	f.Fuzz(func(t *testing.T, path, text string) {
		if !slices.Contains(paths, path) || text == "" {
			return
		}
		format, _ := formatOf(path)
		bare, err := format.Set(text, nil, "")
		if err != nil || bare == "" {
			return
		}
		made, err := format.Set(bare, namesOf(path), "winnow")
		if err != nil {
			return
		}
		var any map[string]any
		switch plain, _ := jstext.WithoutComments(strings.TrimPrefix(made, "\ufeff")); {
		case strings.HasSuffix(path, ".toml"):
			err = toml.Unmarshal([]byte(made), &any)
		case !strings.HasSuffix(path, ".ts"):
			_, err = jstext.Parse(plain)
		}
		if err != nil {
			t.Fatalf("%q became %q: %v", bare, made, err)
		}
		back, err := format.Set(made, nil, "")
		if err != nil || back != bare {
			t.Fatalf("%q came back as %q, %v; it was %q", bare, back, err, made)
		}
	})
}
