package program

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"winnow/core/config"
	"winnow/core/memory"
)

// mark is in every planted secret, and in nothing else.
const mark = "QZJXVWKQ"

// isLong reports whether everything is tried, as .ci/run does.
func isLong() bool { return os.Getenv("WINNOW_LONG") != "" }

// plantedSecrets are secrets of several kinds. The small form of the test plants the first ones.
var plantedSecrets = []string{
	"gh" + "p_" + mark + "x81bVzK4nD7sYtA3eLm5cPo9rGu1",
	"-----BEGIN RSA " + "PRIVATE KEY-----\nMIIEow" + mark +
		"IBAAKCAQEA04up8hoqzS1+APIB0RhjXyObwHQnOzhAk5Bd7mhkSbPkyhP1\n-----END RSA " + "PRIVATE KEY-----",
	"aws_access_key_id = AK" + "IA" + mark + "7ZQWESKJ\naws_secret_access_key = " +
		mark + "NFEMIK7MDENGbPxRfiCYzz81bVzK4nD7",
	"pass" + "word = hunter2-" + mark + "-hunter2",
	"post" + "gres://app:s3cr3t" + mark + "@db.example.org/app",
	"Authorization: Bearer " + "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0ODgxMjM3In0." + mark + "SflKxwRJSMeKKF2QT4fwpM",
}

// lessonFields are the places in the line of a lesson, each with a form that is given the secret as JSON has it.
var lessonFields = map[string]string{
	"lesson_id": `"x-%s"`, "task_summary": `"Deploy it with %s"`, "lesson": `"The key is %s here."`, "outcome": `"%s"`,
	"tool_names": `["ls","%s"]`, "created_at": `"%s"`, "session_id": `"%s"`, "relevance_count": `"%s"`,
	"last_retrieved_at": `"%s"`, "note": `"%s"`, "tags": `[{"deep":["%s"]}]`, "place": `{"%s":1}`,
}

// spelled returns a text as the inside of a JSON string, in an unusual spelling if escaped is set.
func spelled(s string, escaped bool) string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	inner := string(text[1 : len(text)-1])
	if escaped {
		inner = strings.Replace(inner, mark[:2], fmt.Sprintf(`\u%04x\u%04X`, mark[0], mark[1]), 1)
		inner = strings.Replace(inner, "ghp_", `\u0067hp_`, 1)
	}
	return inner
}

// plantedLine returns the line of a lesson with a secret in a field, or without one if the field is "".
func plantedLine(id, field, secret string, escaped bool) string {
	o := map[string]json.RawMessage{
		"lesson_id":    json.RawMessage(strconv.Quote(id)),
		"task_summary": json.RawMessage(strconv.Quote("Deploy the docs of " + id)),
		"lesson":       json.RawMessage(strconv.Quote("Run step " + id + " before the upload")),
		"outcome":      json.RawMessage(`"succeeded"`),
		"tool_names":   json.RawMessage(`["bash"]`),
		"session_id":   json.RawMessage(`"s"`), "relevance_count": json.RawMessage(`0`),
		"created_at": json.RawMessage(strconv.Quote(time.Now().UTC().Format("2006-01-02T15:04:05.000Z"))),
	}
	if field != "" {
		o[field] = json.RawMessage(fmt.Sprintf(lessonFields[field], spelled(secret, escaped)))
	}
	var members []string // marshalled as a whole, they would be spelled another way
	for _, key := range slices.Sorted(maps.Keys(o)) {
		members = append(members, fmt.Sprintf("%q:%s", key, o[key]))
	}
	return "{" + strings.Join(members, ",") + "}\n"
}

// planted is a machine in whose stores secrets are planted.
type planted struct {
	*testing.T
	root, home, state, data, config, project string
	secrets                                  []string
	ran                                      int
}

func newPlanted(t *testing.T, root, name string, secrets []string) *planted {
	home := filepath.Join(root, name)
	p := &planted{
		T: t, root: root, home: home, project: filepath.Join(home, "project"), secrets: secrets,
		state: filepath.Join(home, ".local", "state"),
		data:  filepath.Join(home, ".local", "share"), config: filepath.Join(home, ".config"),
	}
	for _, dir := range []string{p.project, p.state, p.data,
		filepath.Join(p.config, "winnow"), filepath.Join(root, "tmp")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	p.put(filepath.Join(home, ".gitconfig"), "[user]\n\tname = Ada\n\temail = ada@example.org\n")
	return p
}

// here makes this machine the one on which commands run.
func (p *planted) here() *planted {
	p.Setenv("HOME", p.home)
	p.Setenv("XDG_STATE_HOME", p.state)
	p.Setenv("XDG_DATA_HOME", p.data)
	p.Setenv("XDG_CONFIG_HOME", p.config)
	p.Setenv("TMPDIR", filepath.Join(p.root, "tmp"))
	for _, name := range []string{"KARNEVIL9_MEMORY_PATH", "CLAUDE_CONFIG_DIR",
		"CODEX_HOME", "HERMES_HOME", "EDITOR", "VISUAL"} {
		p.Setenv(name, "")
	}
	p.Chdir(p.project)
	return p
}

func (p *planted) put(path, text string) {
	p.Helper()
	if !filepath.IsAbs(path) {
		path = filepath.Join(p.project, path)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		p.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		p.Fatal(err)
	}
}

// run runs a command with an input, and returns what it printed.
func (p *planted) run(in string, args ...string) string {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.Context(), time.Minute)
	defer cancel()
	var out, err bytes.Buffer
	if status := New().Run(ctx, args, strings.NewReader(in), &out, &err); status > 8 || ctx.Err() != nil {
		p.Errorf("winnow %s: status %d, %s", args, status, err.String())
	}
	p.ran++
	return out.String() + err.String()
}

var escapes = regexp.MustCompile(`\\u([0-9a-fA-F]{4})`)

// leaks reports whether a text holds the mark, in whatever spelling of JSON.
func leaks(text string) bool {
	text = escapes.ReplaceAllStringFunc(text, func(s string) string {
		n, _ := strconv.ParseUint(s[2:], 16, 16)
		return string(rune(n))
	})
	return strings.Contains(strings.ToUpper(text), mark)
}

// holding returns the files of Winnow that hold a planted secret. What git stores is unpacked. Before a
// redaction the histories of stores, and the person's own lessons, may hold one.
func (p *planted) holding(redacted bool) (files []string) {
	p.Helper()
	own := filepath.Join(p.data, "winnow", "lessons.jsonl")
	histories := filepath.Join(p.state, "winnow", "stores")
	for _, dir := range []string{p.state, p.data, filepath.Join(p.config, "winnow"), filepath.Join(p.root, "tmp")} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			may := !redacted && (path == own || strings.HasPrefix(path, histories))
			var text string
			switch {
			case d.IsDir() && strings.HasSuffix(path, ".git"):
				text = p.objects(path)
			case d.Type().IsRegular():
				data, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				text = string(data)
			}
			if leaks(path+text) && !may {
				files = append(files, strings.TrimPrefix(path, p.root))
			}
			return nil
		})
		if err != nil {
			p.Fatal(err)
		}
	}
	return files
}

// objects returns the contents of all objects of a repository.
func (p *planted) objects(dir string) string {
	cmd := exec.Command("git", "cat-file", "--batch-all-objects", "--batch")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return "" // not a repository yet
	}
	return string(out)
}

// clean checks that no file of Winnow holds a planted secret.
func (p *planted) clean(after string, redacted bool) {
	p.Helper()
	for _, path := range p.holding(redacted) {
		data, _ := os.ReadFile(filepath.Join(p.root, path))
		at := max(0, strings.Index(strings.ToUpper(string(data)), mark)-150)
		p.Errorf("after %s: %s holds a secret: %.300q", after, path, data[min(at, len(data)):])
		_ = os.Remove(filepath.Join(p.root, path)) // once is enough
	}
}

// each runs commands, and looks for secrets after each. The small form looks once, after the last: what is
// left in a file is still there.
func (p *planted) each(redacted bool, commands ...[]string) {
	p.Helper()
	for i, args := range commands {
		p.run("", args...)
		if isLong() || i == len(commands)-1 {
			p.clean("winnow "+strings.Join(args, " "), redacted)
		}
	}
}

// some returns of a list what the small form tries: every third.
func some[T any](all []T) []T {
	if isLong() {
		return all
	}
	var list []T
	for i := 0; i < len(all); i += 3 {
		list = append(list, all[i])
	}
	return list
}

// plantedStores plants secrets in a store of each kind that can be changed, and in a transcript. It returns
// the stores that Winnow finds.
func (p *planted) plantedStores() (names []string) {
	n := 0
	lines := func(path string, fields []string) {
		var text strings.Builder
		for _, secret := range p.secrets {
			for _, field := range fields {
				for _, escaped := range []bool{false, true} {
					n++
					text.WriteString(plantedLine(fmt.Sprint("les-", n), field, secret, escaped))
				}
			}
		}
		p.put(path, text.String()+plantedLine("clean-1", "", "", false))
	}
	lines(projectStore, slices.Sorted(maps.Keys(lessonFields)))
	lines(".winnow/lessons.jsonl", []string{"lesson", "note", "session_id"})
	lines(filepath.Join(p.data, "winnow", "lessons.jsonl"), []string{"task_summary", "tool_names"})
	p.put(".git/HEAD", "ref: refs/heads/main\n")
	p.put(".git/objects/README", "")
	p.put(".git/refs/README", "")
	slug := strings.NewReplacer("/", "-", ".", "-", "_", "-").Replace(p.project)
	projects := filepath.Join(p.home, ".claude", "projects", slug)
	memories, described := projects+"/memory/", "description: with "+p.secrets[0]+"\n"
	text := strings.Join(p.secrets, "\n\n")
	for path, form := range map[string]string{
		"AGENTS.md": "", "CLAUDE.md": "", "GEMINI.md": "",
		".cursor/rules/own.mdc": "", ".github/copilot-instructions.md": "",
		".claude/CLAUDE.md": "", ".codex/AGENTS.md": "", ".gemini/GEMINI.md": "", ".config/opencode/AGENTS.md": "",
		".hermes/memories/MEMORY.md":              "The bot signs in with %s\n§\nThe warehouse closes at 16:00.\n",
		".hermes/memories/USER.md":                "Prefers tables to %s\n",
		".config/kimchi/harness/memory/MEMORY.md": "The build needs %s\n§\nUses tabs.\n",
		"memory/deploys.md":                       "---\nname: deploys\n" + described + "type: fact\n---\n\nUse %s\n",
		memories + "MEMORY.md":                    "- [Deploys](deploys.md) — how to release with " + p.secrets[0] + "\n",
		memories + "deploys.md":                   "---\nname: Deploys\n" + described + "type: reference\n---\nUse %s\n",
	} {
		if form == "" {
			form = "# Rules\n\n- Deploy with %s\n- Run make docs first.\n"
		}
		if strings.HasPrefix(path, ".") && !strings.HasPrefix(path, ".cursor") && !strings.HasPrefix(path, ".github") {
			path = filepath.Join(p.home, path)
		}
		p.put(path, strings.ReplaceAll(form, "%s", text))
	}
	p.put(filepath.Join(projects, "5d2c7b10-64e1-4f0a-9a35-0b8d51c7e2f4.jsonl"), p.transcript())
	var found struct {
		Stores []struct {
			Store, Path, System string
			Exists              bool
		}
	}
	if err := json.Unmarshal([]byte(p.run("", "stores", "--json")), &found); err != nil {
		p.Fatal(err)
	}
	for _, s := range found.Stores {
		if s.Exists {
			names = append(names, cmp.Or(s.Store, s.System+":"+s.Path))
		}
	}
	return names
}

// projectStore is the store of lessons in a project.
const projectStore = "sessions/memory.jsonl"

// transcript returns a session in which each message and result has a secret.
func (p *planted) transcript() string {
	var out strings.Builder
	for i, s := range p.secrets {
		quoted := `"Deploy with ` + spelled(s, false) + `"`
		for n, message := range [][2]string{
			{"user", quoted},
			{"assistant", `[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":` + quoted + `}}]`},
			{"user", `[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":` + quoted + `}]`},
			{"assistant", `[{"type":"tool_use","id":"t2","name":"Bash","input":{"command":` + quoted + `}}]`},
			{"user", `[{"type":"tool_result","tool_use_id":"t2","content":` + quoted + `}]`},
			{"assistant", `[{"type":"text","text":` + quoted + `}]`},
		} {
			fmt.Fprintf(&out, `{"type":%q,"cwd":%q,"sessionId":"5d2c7b10-64e1-4f0a-9a35-0b8d51c7e2f4",`+
				`"version":"2.1.330","uuid":"u%d-%d",`+
				`"timestamp":%q,"message":{"role":%q,"content":%s}}`+"\n",
				message[0], p.project, i, n,
				time.Now().UTC().Add(-time.Hour).Format(time.RFC3339), message[0], message[1])
		}
	}
	return out.String()
}

// database plants secrets in the database of Arbiter.
func (p *planted) database() {
	p.Helper()
	path := filepath.Join(p.home, ".arbiter", "tenants.db")
	data, err := os.ReadFile("../../testdata/stores/arbiter/arbiter.db")
	if err != nil {
		p.Fatal(err)
	}
	p.put(path, string(data))
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		p.Fatal(err)
	}
	defer db.Close()
	for i, s := range p.secrets {
		if _, err := db.Exec("UPDATE lessons SET lesson_text=lesson_text||?, signature=signature||? WHERE id%?=?",
			" with "+s, " "+s, len(p.secrets), i); err != nil {
			p.Fatal(err)
		}
	}
}

// TestNoFileOfOursHoldsASecret plants secrets in every field of stores, sessions, proposals, arguments and
// a share, runs the commands, and searches all files of Winnow after each: before a redaction only the
// histories may hold one, afterwards nothing. With WINNOW_LONG set, as .ci/run has it, there are more kinds.
func TestNoFileOfOursHoldsASecret(t *testing.T) {
	secrets := plantedSecrets[:2]
	if isLong() {
		secrets = plantedSecrets
	}
	p := newPlanted(t, t.TempDir(), "home", secrets)
	p.database()
	stores := p.here().plantedStores()
	if len(stores) < 15 {
		t.Errorf("only %d stores: %q", len(stores), stores)
	}
	p.looking(some(stores))
	p.typing()
	p.agents()
	p.changing(some(stores))
	p.redacting(stores)
	t.Logf("%d commands over %d stores", p.ran, len(stores))
}

// looking runs the commands that look, and the audit.
func (p *planted) looking(stores []string) {
	p.Helper()
	for _, s := range stores {
		p.each(false, []string{"list", "--store", s},
			[]string{"show", "--store", s, ":1"},
			[]string{"doctor", "--store", s},
			[]string{"stats", "--store", s},
			[]string{"guard", "--once", "--store", s},
			[]string{"recall", "Deploy it with " + p.secrets[0], "--store", s})
	}
	p.each(false, []string{"stores"},
		[]string{"session"},
		[]string{"session", "--helped"},
		[]string{"search", p.secrets[0]},
		[]string{"audit", "."},
		[]string{"audit", "--stores"},
		[]string{"inbox"},
		[]string{"config", "show"},
		[]string{"repair", "--dry-run"},
		[]string{"export", "--share", filepath.Join(p.home, "out.jsonl"), "--store", projectStore},
		[]string{"list", "--filter", p.secrets[0]})
}

// typing gives commands secrets as arguments.
func (p *planted) typing() {
	p.Helper()
	const finding = "0123456789abcdef0123456789abcdef"
	for i, s := range some(p.secrets) {
		p.each(false,
			[]string{"ignore", finding, "--reason", "it is " + s},
			[]string{"ignore", "--list", "--json"},
			[]string{"ignore", "--remove", finding},
			[]string{"audit", ".", "--write-baseline", filepath.Join(p.config, "winnow", "baseline"), "--reason",
				"all of " + s},
			[]string{"add", "--store", projectStore, "--set", "task_summary=Deploy " + s,
				"--set", "lesson=Use " + s, "--allow", "secret"},
			[]string{"edit", fmt.Sprint("les-", i+1), "--store", projectStore, "--set", "lesson=Take " + s},
			[]string{"nonsense " + s},
			[]string{"show", s},
			[]string{"inbox", "approve", s},
			[]string{"sync", "init", "https://" + s + "@example.invalid/x.git"},
			[]string{"sync", "join", filepath.Join(p.home, s), "--machine", s},
			[]string{"learn", s},
			[]string{"restore", s},
			[]string{"guard", "--once", "--accept", "--only", s})
	}
	kept := config.OpenState(filepath.Join(p.state, "winnow"))
	for _, s := range p.secrets {
		now := config.State{
			Theme: s, Store: memory.StoreID("/x/" + s), Record: memory.ID(s),
			Folded: []string{s}, Drafts: []string{"Deploy " + s}, Seen: []string{s},
			Lists:  map[string]config.List{s: {Layout: 1}},
			Orders: map[string]config.Order{s: {Sort: s, Filter: s, Columns: []string{s}}},
		}
		if err := kept.Save(p.Context(), config.State{}, now); err != nil {
			p.Error(err)
		}
		p.clean("what the screens remember", false)
	}
	e, _ := New().Env(strings.NewReader(""), &bytes.Buffer{}, &bytes.Buffer{})
	_ = e.Crashed("panic: "+p.secrets[0], "main.f(\""+strings.Join(p.secrets, "\")\nmain.g(\"")+"\")")
	p.clean("a crash", false)
	for _, editor := range []string{"false", "true"} {
		p.Setenv("EDITOR", editor)
		p.each(false, []string{"edit", "les-1", "--store", projectStore}, []string{"add", "--store", projectStore})
	}
	broken := filepath.Join(p.home, "editor")
	p.put(broken, "#!/bin/sh\nprintf 'no form: %s\\n' '"+p.secrets[0]+"' >> \"$1\"\n")
	if err := os.Chmod(broken, 0o700); err != nil {
		p.Fatal(err)
	}
	p.Setenv("EDITOR", broken)
	p.each(false, []string{"edit", "les-2", "--store", projectStore},
		[]string{"edit", "CLAUDE.md", "--store", "claudecode"})
	p.Setenv("EDITOR", "")
}

// agents calls the hooks and the MCP server as agents do, and lets sessions be learnt from.
func (p *planted) agents() {
	p.Helper()
	for _, s := range some(p.secrets) {
		q := spelled(s, false)
		for _, event := range []string{"UserPromptSubmit", "SessionStart", "PreCompact",
			"SessionEnd", "Stop", "Odd" + q} {
			in := `{"session_id":"` + q + `","transcript_path":"/x/` + q + `","cwd":"` + p.project +
				`","hook_event_name":"` + event + `","prompt":"deploy with ` + q +
				`","source":"` + q + `","reason":"` + q + `","odd":{"` + q + `":1}}`
			elsewhere := strings.Replace(in, p.project, "/x/"+q, 1)
			inputs := []string{in, elsewhere, in[:len(in)-2], `"` + q + `"`}
			if !isLong() && event != "UserPromptSubmit" {
				inputs = inputs[:1]
			}
			for _, input := range inputs {
				p.run(input, "agent-hook", "recall")
				p.run(input, "agent-hook", "learn", "--agent", "claudecode")
				p.run(input, "agent-hook", q)
				if isLong() {
					p.clean("agent-hook with "+event, false)
				}
			}
			p.clean("agent-hook with "+event, false)
		}
		call := func(method, params string) string {
			return `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":` + params + "}\n"
		}
		begin := call("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},`+
			`"clientInfo":{"name":"`+q+`","version":"`+q+`"}}`) +
			`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
		args := `{"task":"Deploy ` + q + `","lesson":"Use ` + q + ` for it","outcome":"failed",` +
			`"evidence":"` + q + `","tags":["` + q + `"],"x":"` + q + `"}`
		p.Setenv("CLAUDE_SESSION_ID", s)
		for _, tool := range []string{"propose_lesson", "recall_lessons", "learn_status", q} {
			p.run(begin+call("tools/call", `{"name":"`+tool+`","arguments":`+args+`}`)+call(q, args)+`{"`+q, "mcp")
			p.clean("mcp "+tool, false)
		}
	}
	p.put(filepath.Join(p.home, ".claude", "settings.json"),
		`{"env":{"TOKEN":"`+spelled(p.secrets[0], false)+`"},"hooks":{"Stop":[{"hooks":[`+
			`{"type":"command","command":"say `+spelled(p.secrets[0], false)+`"}]}]}}`)
	p.each(false, []string{"learn", "--since", "30d"},
		[]string{"learn", "--queue"},
		[]string{"inbox"},
		[]string{"inbox", "--json"},
		[]string{"setup", "claudecode", "--write", "--mcp"},
		[]string{"doctor"},
		[]string{"setup", "claudecode", "--remove"})
	var in struct{ Entries []struct{ ID string } }
	if err := json.Unmarshal([]byte(p.run("", "inbox", "--json")), &in); err != nil || len(in.Entries) == 0 {
		p.Fatalf("the inbox has %d entries, %v: nothing is shown", len(in.Entries), err)
	}
	acts := []string{"later", "reject", "approve", "undo", "redo"}
	entries := in.Entries
	if !isLong() {
		entries = entries[:min(len(entries), len(acts))]
	}
	for i, e := range entries {
		p.each(false, []string{"inbox", "show", e.ID},
			[]string{"inbox", acts[i%len(acts)], e.ID, "--yes"},
			[]string{"inbox", "undo"})
	}
}

// changing changes stores in each way.
func (p *planted) changing(stores []string) {
	p.Helper()
	for _, s := range stores {
		ids := p.ids(s)
		if len(ids) < 2 {
			continue
		}
		at := []string{"--store", s, "--yes", "--anyway"}
		p.each(false,
			append([]string{"pin", ids[0]}, at[:2]...),
			append([]string{"merge", ids[0], ids[1]}, at...),
			append([]string{"undo"}, at[:2]...),
			append([]string{"redo"}, at[:2]...),
			append([]string{"undo"}, at[:2]...),
			append([]string{"rm", ids[0]}, at...),
			append([]string{"undo"}, at[:2]...),
			append([]string{"repair"}, at...),
			append([]string{"inbox"}, at[:2]...),
			append([]string{"history", "--json"}, at[:2]...))
	}
}

func (p *planted) ids(store string) (ids []string) {
	var out struct{ Records []struct{ ID string } }
	text := p.run("", "list", "--json", "--store", store)
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		p.Logf("%s: %v: %.200s", store, err, text)
	}
	for _, r := range out.Records {
		ids = append(ids, r.ID)
	}
	return ids
}

// redacting redacts each store. Afterwards no file may hold a secret, whatever is undone and done again.
func (p *planted) redacting(stores []string) {
	p.Helper()
	for _, s := range stores {
		p.run("", "redact", "--filter", "flag:S", "--store", s, "--yes", "--anyway")
	}
	p.run("", "audit", "--stores", "--fix", "--yes")
	p.run("", "audit", p.project, "--fix", "--yes")
	p.run("", "audit", filepath.Join(p.data, "winnow", "lessons.jsonl"), "--fix", "--yes")
	p.clean("redact and audit --fix", true)
	for _, s := range stores {
		if out := p.run("", "list", "--filter", "flag:S", "--store", s); strings.Contains(out, "\t") {
			p.Errorf("%s is not redacted: %s", s, out)
		}
	}
	for _, s := range some(stores) {
		p.each(true, []string{"undo", "--store", s, "--anyway"},
			[]string{"redo", "--store", s, "--anyway"},
			[]string{"guard", "--once", "--reapply", "--store", s},
			[]string{"history", "--store", s}, []string{"list", "--store", s})
	}
	p.each(true, []string{"inbox"}, []string{"inbox", "undo"}, []string{"forget", "--yes"})
}

// TestNoFileOfOursHoldsASecretOfAShare has two machines share a store in which secrets come and go, and a
// third that pushes secrets in every field without Winnow's audit.
func TestNoFileOfOursHoldsASecretOfAShare(t *testing.T) {
	secrets := plantedSecrets[:1]
	if isLong() {
		secrets = plantedSecrets
	}
	root := t.TempDir()
	remote := filepath.Join(root, "remote.git")
	p := newPlanted(t, root, "a", secrets)
	p.git(root, "init", "-q", "--bare", "-b", "main", remote)
	q := newPlanted(t, root, "b", secrets)
	at := []string{"--store", projectStore}
	sync := func(p *planted, what string, args ...string) {
		t.Helper()
		p.here().run("", append(append([]string{"sync"}, args...), at...)...)
		p.clean(what, false)
		if leaks(p.objects(remote)) {
			t.Errorf("after %s: the share holds a secret", what)
		}
	}
	var clean, dirty strings.Builder
	for i := range 12 * len(secrets) {
		clean.WriteString(plantedLine(fmt.Sprint("les-", i), "", "", false))
		field := []string{"lesson", "note", "task_summary", "session_id"}[i%4]
		dirty.WriteString(plantedLine(fmt.Sprint("les-", i), field, secrets[i/12], i%2 == 0))
	}
	// 1. Secrets come into a store that was shared without them, and are redacted again.
	p.put(projectStore, clean.String())
	q.put(projectStore, clean.String())
	sync(p, "init", "init", remote)
	sync(p, "the first sync", "--yes")
	sync(q, "join", "join", remote)
	sync(q, "the other's first sync", "--yes")
	q.put(projectStore, dirty.String())
	sync(q, "a sync of secrets", "--yes")
	// 2. The other machine deletes them, and this one leaves and joins again.
	p.here().run("", "rm", "les-0", "les-1", "les-2", "--store", projectStore, "--yes")
	sync(p, "a sync of deletions", "--yes")
	for _, step := range [][]string{{"--yes"},
		{"leave"},
		{"join", remote},
		{"--yes"},
		{"status"},
		{"log"},
		{"--dry-run"},
		{"--take", "mine", "les-0"}} {
		sync(q, "sync "+strings.Join(step, " "), step...)
	}
	q.here().run("", "redact", "--filter", "flag:S", "--store", projectStore, "--yes", "--anyway")
	q.clean("redact", true)
	for _, step := range [][]string{{"--yes"}, {"leave"}, {"join", remote}, {"--yes"}} {
		sync(q, "sync after redact", step...)
		q.clean("sync after redact", true)
	}
	p.hostile(remote)
	for _, m := range []*planted{p, q} {
		m.here()
		for _, step := range [][]string{{"--yes"}, {"status"}, {"log"}, {"--yes"}} {
			m.run("", append(append([]string{"sync"}, step...), at...)...)
		}
		m.run("", "inbox")
		m.run("", "inbox", "approve", "--clean", "--yes")
		m.run("", "sync", "--yes", "--store", projectStore)
		if err := os.RemoveAll(m.copyOfShare()); err != nil { // git's copy has what the share has, until it is left
			t.Fatal(err)
		}
		m.clean("a sync of what somebody pushed", true)
		m.run("", "sync", "leave")
		m.clean("leaving the share", true)
	}
}

// copyOfShare returns git's copy of the one share.
func (p *planted) copyOfShare() string {
	p.Helper()
	found, err := filepath.Glob(filepath.Join(p.state, "winnow", "shares", "*.git"))
	if err != nil || len(found) != 1 {
		p.Fatalf("copies of the share: %q, %v", found, err)
	}
	return found[0]
}

// git runs git in a folder.
func (p *planted) git(dir string, args ...string) {
	p.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+filepath.Join(p.home, ".gitconfig"))
	if out, err := cmd.CombinedOutput(); err != nil {
		p.Fatalf("git %s: %v: %s", args, err, out)
	}
}

// hostile pushes secrets in every field of the lessons of a share.
func (p *planted) hostile(remote string) {
	p.Helper()
	work := filepath.Join(p.root, "hostile")
	p.git(p.root, "clone", "-q", remote, work)
	n := 0
	err := filepath.WalkDir(work, func(path string, d fs.DirEntry, err error) error {
		if d.IsDir() || strings.Contains(path, ".git/") || !strings.HasSuffix(path, ".json") || err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var o struct {
			Fields map[string]json.RawMessage `json:"fields"`
			ID     string                     `json:"id"`
			Kind   string                     `json:"kind"`
			System string                     `json:"system"`
		}
		if json.Unmarshal(data, &o) != nil || o.Fields == nil { // a tombstone
			return nil
		}
		fields := slices.Sorted(maps.Keys(lessonFields))
		fields = slices.DeleteFunc(fields, func(f string) bool { return f == "lesson_id" })
		field := fields[n%len(fields)]
		o.Fields[field] = json.RawMessage(fmt.Sprintf(lessonFields[field], spelled(p.secrets[n%len(p.secrets)], false)))
		n++
		if field != "lesson" {
			o.Fields["lesson"] = json.RawMessage(strconv.Quote(fmt.Sprint("Changed by somebody ", n)))
		}
		text, err := json.MarshalIndent(o, "", " ")
		if err != nil {
			return err
		}
		return os.WriteFile(path, append(text, '\n'), 0o600)
	})
	if err != nil || n == 0 {
		p.Fatalf("%d lessons in the share, %v", n, err)
	}
	p.git(work, "commit", "-qam", "Change lessons")
	p.git(work, "push", "-q")
}
