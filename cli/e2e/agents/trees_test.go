//go:build agents

package agents_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"winnow/cli/e2e/agents"
)

var (
	trees = flag.Int("agents-trees", 2, "how many random trees of instruction files each agent is run in")
	from  = flag.Uint64("agents-seed", 1, "the seed of the first tree")
)

// TestRecallIsWhatRealAgentsSend makes random trees of instruction files and settings, runs an agent in each,
// and compares the first requests with what Winnow says the agent is given: every predicted text is in a
// request byte for byte, no marked line is in one that was not predicted, and an agent that does not
// start was predicted not to. Each file that winnow sources says is read at the start is in the first request,
// which has no marked line of another file.
func TestRecallIsWhatRealAgentsSend(t *testing.T) {
	for _, a := range agents.All() {
		t.Run(string(a), func(t *testing.T) {
			agents.Need(t, a)
			for i := range uint64(*trees) {
				t.Run(fmt.Sprint("seed ", *from+i), func(t *testing.T) { compareTree(t, a, *from+i) })
			}
		})
	}
}

func compareTree(t *testing.T, a agents.Agent, seed uint64) {
	p := newPerson(t, a)
	outer, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p.home = filepath.Join(outer, "home")
	g := &tree{t: t, agent: a, rng: rand.New(rand.NewPCG(seed, 17)), outer: outer, home: p.home}
	g.grow()
	p.project = g.cwd
	want, stop := g.predict(p)
	said := g.sources(p)
	m := agents.NewModel(t)
	if g.reads != "" && !g.named {
		m.Play(a.Read(g.reads))
	}
	out, err := m.Start(t, a, p.home, p.project, g.prompt()).Wait(t)
	requests := m.Requests()
	if refused := len(requests) == 0; refused != (stop != "") {
		t.Errorf("%d requests (%v: %s), and the recall said %q\n%s", len(requests), err, out, stop, g.describe())
		return
	}
	var sent []string
	for _, r := range requests {
		var v any
		if err := json.Unmarshal(r.Body, &v); err != nil {
			t.Fatal(err)
		}
		sent = stringsIn(v, sent)
	}
	compareTexts(t, g, want, sent)
	compareSources(t, g, said, firstOf(t, requests))
}

// compareTexts compares the texts that were predicted with the texts of the requests.
func compareTexts(t *testing.T, g *tree, want, sent []string) {
	t.Helper()
	for _, text := range want {
		if !slices.ContainsFunc(sent, func(s string) bool { return strings.Contains(s, text) }) {
			t.Errorf("a predicted text was not sent: %s\n%s", g.nearest(text, sent), g.describe())
		}
	}
	predicted, given := marksIn(want), marksIn(sent)
	t.Logf("%d texts and %d of %d marked lines predicted", len(want), len(predicted), g.marks)
	if !slices.Equal(predicted, given) {
		t.Errorf("predicted the lines %q, sent %q%s\n%s", predicted, given, unpredicted(predicted, sent), g.describe())
	}
}

// firstOf returns the texts of the first request that has the prompt and offers tools.
func firstOf(t *testing.T, requests []agents.Request) []string {
	t.Helper()
	for _, r := range requests {
		var in map[string]any
		if err := json.Unmarshal(r.Body, &in); err != nil {
			t.Fatal(err)
		}
		texts := stringsIn(in, nil)
		isAsked := slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, "say hello") })
		if _, tools := in["tools"]; tools && isAsked {
			return texts
		}
	}
	t.Fatal("no request has the prompt and offers tools")
	return nil
}

// source is a file that is said to be read at the start.
type source struct{ Path, Why string }

// marksOf returns the marks in the part of a file that is sent.
func (s *source) marksOf(t *testing.T) []string {
	t.Helper()
	b, err := os.ReadFile(s.Path)
	if errors.Is(err, fs.ErrNotExist) { // the agent writes it from those beside it
		beside, _ := filepath.Glob(filepath.Join(filepath.Dir(s.Path), "*.md"))
		for _, path := range beside {
			more, _ := os.ReadFile(path)
			b = append(b, more...)
		}
	} else if err != nil {
		t.Fatal(err)
	}
	sent := len(b)
	if _, err := fmt.Sscanf(s.Why, "It is cut after %d", &sent); err == nil {
		b = b[:sent]
	}
	return marksIn([]string{string(b)})
}

// compareSources compares the files that are said to be read at the start with the first request.
func compareSources(t *testing.T, g *tree, said []source, sent []string) {
	t.Helper()
	given := marksIn(sent)
	var known []string
	for _, s := range said {
		marks := s.marksOf(t)
		known = append(known, marks...)
		isGiven := slices.ContainsFunc(marks, func(m string) bool { return slices.Contains(given, m) })
		isNamed := slices.ContainsFunc(sent, func(text string) bool { return strings.Contains(text, s.Path) })
		if len(marks) > 0 && !isGiven && !isNamed {
			t.Errorf("%s is said to be read at the start, and nothing of it was sent\n%s", s.Path, g.describe())
		}
	}
	if g.named { // the prompt brings more
		return
	}
	for _, mark := range given {
		if !slices.Contains(known, mark) {
			t.Errorf("%s is of a file that is not said to be read at the start\n%s", mark, g.describe())
		}
	}
	t.Logf("%d files are read at the start, as was said, with %d of their %d marked lines",
		len(said), len(given), len(known))
}

// unpredicted returns the text of the requests around the first mark that was not predicted.
func unpredicted(predicted, sent []string) string {
	for _, s := range sent {
		for _, at := range markedLine.FindAllStringIndex(s, -1) {
			if !slices.Contains(predicted, s[at[0]:at[1]]) {
				return fmt.Sprintf(", in %q", s[max(0, at[0]-300):min(len(s), at[1]+100)])
			}
		}
	}
	return ""
}

var markedLine = regexp.MustCompile(`mark-\d+`)

// marksIn returns the marks in texts, each once, in order.
func marksIn(texts []string) []string {
	marks := markedLine.FindAllString(strings.Join(texts, "\n"), -1)
	slices.Sort(marks)
	return slices.Compact(marks)
}

func stringsIn(v any, list []string) []string {
	switch v := v.(type) {
	case map[string]any:
		for _, inner := range v {
			list = stringsIn(inner, list)
		}
	case []any:
		whole := "" // a long text can be sent in parts
		for _, inner := range v {
			list = stringsIn(inner, list)
			part, _ := inner.(map[string]any)
			text, _ := part["text"].(string)
			whole += text
		}
		if len(v) > 1 && whole != "" {
			list = append(list, whole)
		}
	case string:
		list = append(list, v)
	}
	return list
}

// tree is a home and a project with random instruction files.
type tree struct {
	t     *testing.T
	agent agents.Agent
	rng   *rand.Rand
	outer string // the folder that holds everything
	home  string
	cwd   string
	reads string         // the file that the agent reads, "" for none
	named bool           // whether the prompt names that file, so that it is read before the model is asked
	dirs  []string       // the folders that can have instructions, from the outermost
	files []string       // the instruction files
	texts []string       // of the instruction files
	share int            // the percentage of possible instruction files that there are
	own   map[string]any // the person's settings of Claude Code
	log   []string
	marks int
}

// prompt returns what the person says.
func (g *tree) prompt() string {
	if !g.named {
		return "say hello"
	}
	rel, err := filepath.Rel(g.cwd, g.reads)
	if err != nil {
		g.t.Fatal(err)
	}
	return "say hello to @" + rel
}

func (g *tree) chance(percent int) bool { return g.rng.IntN(100) < percent }

func pick[T any](g *tree, list ...T) T { return list[g.rng.IntN(len(list))] }

func (g *tree) write(path, text string) {
	g.t.Helper()
	if !g.isFree(path) {
		return
	}
	g.log = append(g.log, fmt.Sprintf("%s: %q", path, text))
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		g.t.Fatal(err)
	}
}

// isFree reports whether nothing is at a path, and makes its folder. A link that leads nowhere is in the way of some.
func (g *tree) isFree(path string) bool {
	if _, err := os.Lstat(path); err == nil {
		return false
	}
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		g.t.Fatal(err)
	}
	return err == nil
}

func (g *tree) link(target, path string) {
	if !g.isFree(path) {
		return
	}
	g.log = append(g.log, path+" -> "+target)
	if err := os.Symlink(target, path); err != nil {
		g.t.Fatal(err)
	}
}

// describe returns what the tree holds, to repeat a failure by hand.
func (g *tree) describe() string {
	return "working folder " + g.cwd + ", reads " + g.reads + "\n" + strings.Join(g.log, "\n")
}

// nearest returns where the sent text that is most like text becomes different from it.
func (g *tree) nearest(text string, sent []string) string {
	best, rest, most := "", text, -1
	for _, s := range sent {
		at := strings.Index(s, text[:min(len(text), 40)])
		if at < 0 {
			continue
		}
		n := 0
		for n < len(text) && at+n < len(s) && text[n] == s[at+n] {
			n++
		}
		if n > most {
			most, best, rest = n, s[at+n:], text[n:]
		}
	}
	if most < 0 {
		return fmt.Sprintf("nothing begins like %.600q", text)
	}
	return fmt.Sprintf("behind %.200q\npredicted %.300q\nsent      %.300q", text[max(0, most-200):most], rest, best)
}

// grow makes the folders, the files and the settings.
func (g *tree) grow() {
	top := filepath.Join(g.outer, "work")
	if g.chance(50) {
		top = filepath.Join(g.home, "work")
	}
	g.dirs = []string{top, filepath.Join(top, "p"), filepath.Join(top, "p", "sub dir"), filepath.Join(top, "p", "sub dir", "deep")}
	if g.chance(50) {
		g.dirs[2], g.dirs[3] = filepath.Join(top, "p", "Sub"), filepath.Join(top, "p", "Sub", "deep")
	}
	g.cwd = g.dirs[pick(g, 1, 1, 2, 2, 3)]
	own := map[agents.Agent]string{agents.ClaudeCode: ".claude", agents.Codex: ".codex", agents.GeminiCLI: ".gemini", agents.OpenCode: ".config/opencode"}[g.agent]
	for _, dir := range append(slices.Clone(g.dirs), filepath.Join(g.home, own)) {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			g.t.Fatal(err)
		}
	}
	g.repository(top)
	g.share, g.own = pick(g, 45, 45, 45, 10), map[string]any{}
	g.settings()
	if g.chance(50) {
		g.memories()
	}
	if len(g.own) > 0 {
		b, err := json.Marshal(g.own)
		if err != nil {
			g.t.Fatal(err)
		}
		g.write(filepath.Join(g.home, ".claude", "settings.json"), string(b))
	}
	names := g.names()
	for _, dir := range g.dirs {
		if g.agent == agents.ClaudeCode {
			g.linkedFolders(dir)
		}
		for _, name := range names {
			if g.chance(g.share) {
				g.instructions(dir, name)
			}
		}
	}
	g.personal(names)
	if g.agent != agents.Codex && g.chance(40) {
		below := filepath.Join(g.cwd, pick(g, "lib", "lib/x", "."))
		for _, name := range names {
			if g.chance(50) {
				g.instructions(below, name)
			}
		}
		g.reads = filepath.Join(below, "notes.txt")
		g.write(g.reads, "nothing here\n")
		g.named = g.agent == agents.ClaudeCode && g.chance(30)
	}
}

// repository makes a git repository, or none, somewhere at or above the working folder.
func (g *tree) repository(top string) {
	at := pick(g, top, g.dirs[1], g.dirs[1], g.dirs[1], g.cwd, "")
	switch {
	case at == "":
	case (g.agent == agents.Codex || g.agent == agents.GeminiCLI) && g.chance(15): // the others ask git
		g.write(filepath.Join(at, ".git"), "gitdir: /nowhere\n")
	default:
		c := exec.Command("git", "init", "--quiet")
		c.Dir = at
		if out, err := c.CombinedOutput(); err != nil {
			g.t.Fatalf("%v: %s", err, out)
		}
		g.log = append(g.log, "git init in "+at)
	}
}

// names returns the names of instruction files that the agent may read, and some that it does not.
func (g *tree) names() []string {
	switch g.agent {
	case agents.ClaudeCode:
		return []string{"CLAUDE.md", ".claude/CLAUDE.md", ".claude/rules/a.md", "CLAUDE.local.md", "AGENTS.md", ".claude/AGENTS.md"}
	case agents.Codex:
		return []string{"AGENTS.md", "AGENTS.override.md", "NOTES.md", "agents.md"}
	case agents.GeminiCLI:
		return []string{"GEMINI.md", "AGENTS.md", "gemini.md"}
	}
	return []string{"AGENTS.md", "CLAUDE.md", "CONTEXT.md", "docs/rule.md"}
}

// personal makes the files of the person.
func (g *tree) personal(names []string) {
	dirs := map[agents.Agent][]string{agents.ClaudeCode: {".claude"}, agents.Codex: {".codex"}, agents.GeminiCLI: {".gemini"}, agents.OpenCode: {".config/opencode", ".claude"}}[g.agent]
	for _, dir := range dirs {
		for _, name := range names {
			name = strings.Replace(name, ".claude/", "", 1)
			if g.chance(g.share * 3 / 4) {
				g.instructions(filepath.Join(g.home, dir), name)
			}
		}
	}
}

// linkedFolders makes links to folders of instructions and rules.
func (g *tree) linkedFolders(dir string) {
	if g.chance(6) {
		from := pick(g, g.dirs...)
		if from != dir {
			g.link(filepath.Join(from, ".claude"), filepath.Join(dir, ".claude"))
		}
	}
	if g.chance(8) {
		rules := pick(g, filepath.Join(g.cwd, "shared"), filepath.Join(g.outer, "shared"))
		g.write(filepath.Join(rules, "rule.md"), g.text(rules))
		g.link(rules, filepath.Join(dir, ".claude", "rules", "shared"))
	}
}

// memories makes what the agent keeps for itself.
func (g *tree) memories() {
	var dir, index string
	switch g.agent {
	case agents.ClaudeCode:
		dir, index = filepath.Join(g.home, "mem"), "MEMORY.md"
		g.own["autoMemoryDirectory"] = dir
	case agents.Codex:
		if g.chance(25) {
			g.keep(filepath.Join(g.home, ".codex", "memories_v2"), "memory_summary.md")
		}
		if g.chance(10) { // it is empty, and there all the same
			g.write(filepath.Join(g.home, ".codex", "memories", ".keep"), "")
		}
		dir, index = filepath.Join(g.home, ".codex", pick(g, "memories", "memories_v2")), "memory_summary.md"
	case agents.GeminiCLI:
		dir, index = filepath.Join(g.home, ".gemini/tmp/kept/memory"), pick(g, "MEMORY.md", "MEMORY.md", "GEMINI.md", "AGENTS.md")
		g.write(filepath.Join(g.home, ".gemini/projects.json"), fmt.Sprintf(`{"projects":{%q:"kept"}}`, g.cwd))
		g.write(filepath.Join(g.home, ".gemini/tmp/kept/.project_root"), g.cwd)
	default:
		return
	}
	g.keep(dir, index)
}

// keep makes a folder of memories.
func (g *tree) keep(dir, index string) {
	if g.chance(70) {
		text := g.text(dir)
		switch {
		case g.chance(15):
			text += strings.Repeat("- [Title](topic.md) — a hook\n", 180+g.rng.IntN(60))
		case g.chance(15):
			text += strings.Repeat("- a line with \u00e9 and \U0001F600 "+strings.Repeat("x", g.rng.IntN(400))+"\n", 30+g.rng.IntN(120))
		case g.chance(10):
			text = strings.Repeat(pick(g, "x", "\U0001F600", "word "), 9000+g.rng.IntN(20000)) + g.mark()
		case g.chance(20):
			end := pick(g, "\r", "\u2028", "\u2029")
			text = strings.Repeat("a line"+pick(g, "", "\n")+end, 180+g.rng.IntN(60)) + g.mark() + "\n" + text
		}
		if g.agent == agents.Codex && g.chance(80) {
			text = "v1\n" + text
		}
		g.write(filepath.Join(dir, index), text)
	}
	for i := range g.rng.IntN(3) {
		header := fmt.Sprintf("---\nname: topic %d\ndescription: %s\n---\n", i, g.description())
		g.write(filepath.Join(dir, fmt.Sprintf("topic%d.md", i)), header+g.text(dir))
	}
}

// description returns the description of a memory.
func (g *tree) description() string {
	long := strings.Repeat(pick(g, "long ", "longer-", "\U0001F600", "some words "), g.rng.IntN(30))
	about := "about " + g.mark()
	return pick(g, about, about+" "+long, "\"quoted: "+g.mark()+"\"", ">-\n  folded\n  "+g.mark())
}

// pluginSettings returns settings of the plugin that reads AGENTS.md.
func (g *tree) pluginSettings() map[string]any {
	id := pick(g, "agents-md@builtin", "cc-plugin-agents-md@builtin")
	switch g.rng.IntN(5) {
	case 0:
		return map[string]any{"enabledPlugins": map[string]bool{id: g.chance(20)}}
	case 1:
		return map[string]any{"projectInstructions": pick(g, "both", "claude-md")}
	}
	how := pick(g, "claude-md-or-agents-md", "claude-md-and-agents-md", "claude-md-and-agents-md", "claude-md",
		"managed-only", "other")
	options := map[string]any{"options": map[string]any{"instructionFiles": how}}
	return map[string]any{"pluginConfigs": map[string]any{id: options}}
}

// settings writes settings that change what is read.
func (g *tree) settings() {
	switch g.agent {
	case agents.ClaudeCode:
		if g.chance(35) {
			maps.Copy(g.own, g.pluginSettings())
		}
		if g.chance(10) {
			b, err := json.Marshal(g.pluginSettings())
			if err != nil {
				g.t.Fatal(err)
			}
			g.write(filepath.Join(g.cwd, ".claude", pick(g, "settings.json", "settings.local.json")), string(b))
		}
	case agents.Codex:
		text := "[features]\nmemories = true\n[memories]\ngenerate_memories = false\n"
		text += pick(g, "", "", "version = \"v1\"\n", "version = \"v2\"\n")
		if g.chance(30) {
			text = ""
		}
		if g.chance(30) {
			text = fmt.Sprintf("project_doc_max_bytes = %d\n", pick(g, 0, 1, 40, 150, 400, 1000)) + text
		}
		if g.chance(30) {
			text = "project_doc_fallback_filenames = " + pick(g, `["NOTES.md"]`, `["missing.md", "NOTES.md"]`, `[]`, `["NOTES.md", "agents.md"]`) + "\n" + text
		}
		if g.chance(20) {
			text = "project_root_markers = " + pick(g, `[]`, `["notes.txt"]`, `[".git", "NOTES.md"]`) + "\n" + text
		}
		g.write(filepath.Join(g.home, ".codex", "config.toml"), text)
	case agents.OpenCode:
		if g.chance(50) {
			list := []string{"docs/*.md", "**/rule.md", "docs/rule.md", "./docs/rule.md", "../docs/*.md", "nothing.md", "{docs,lib}/*.md", "~/.config/opencode/docs/rule.md", "CLAUDE.md", filepath.Join(g.dirs[1], "docs", "rule.md")}
			g.rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			b, _ := json.Marshal(map[string]any{"instructions": list[:1+g.rng.IntN(2)]})
			g.write(pick(g, filepath.Join(g.home, ".config/opencode/opencode.json"), filepath.Join(g.dirs[1], "opencode.json"), filepath.Join(g.cwd, "opencode.jsonc")), string(b))
		}
	case agents.GeminiCLI:
		context := ""
		if g.chance(40) {
			context = `,"context":{"fileName":` + pick(g, `"AGENTS.md"`, `["AGENTS.md","GEMINI.md"]`, `["gemini.md"]`, `""`, `[]`) + pick(g, "", `,"importFormat":"flat"`, `,"memoryBoundaryMarkers":["notes.txt"]`) + "}"
		}
		g.write(filepath.Join(g.home, ".gemini/settings.json"), `{"model":{"name":"gemini-2.5-flash"},"security":{"auth":{"selectedType":"gemini-api-key"},"folderTrust":{"enabled":false}},"telemetry":{"enabled":false},"privacy":{"usageStatisticsEnabled":false},"general":{"enableAutoUpdate":false}`+context+"}")
	}
}

// instructions makes one instruction file: a file, rarely a link, a folder or a dangling link.
func (g *tree) instructions(dir, name string) {
	path := filepath.Join(dir, name)
	switch n := g.rng.IntN(100); {
	case n < 6:
		target := filepath.Join(pick(g, dir, g.dirs[1], g.outer), fmt.Sprintf("target%d.md", g.marks))
		g.write(target, g.text(filepath.Dir(target)))
		g.link(target, path)
	case n < 8:
		g.link("nowhere.md", path)
	case n < 10:
		if os.MkdirAll(path, 0o755) == nil { // a file is in the way of some
			g.log = append(g.log, "folder "+path)
		}
	case n < 18 && len(g.files) > 0:
		to := pick(g, g.files...)
		in := filepath.Dir(path) // a folder of Claude Code's may be a link, from which nothing is relative
		if rel, err := filepath.Rel(in, to); err == nil && g.chance(50) && !strings.Contains(in, ".claude") {
			to = rel
		}
		g.link(to, path)
	case n < 26 && len(g.texts) > 0:
		g.write(path, pick(g, g.texts...)+pick(g, "", "\n"))
	default:
		text := g.text(filepath.Dir(path))
		g.write(path, text)
		g.files, g.texts = append(g.files, path), append(g.texts, text)
	}
}

func (g *tree) mark() string {
	g.marks++
	return fmt.Sprintf("mark-%d", g.marks)
}

// text returns a random text for a file in dir.
func (g *tree) text(dir string) string {
	switch g.rng.IntN(20) {
	case 0:
		return ""
	case 1:
		return pick(g, " ", "\n\n", "\t\r\n", "\u00a0\n", "\ufeff", "\u2028", "\x00")
	case 2:
		return "<!-- " + g.mark() + " -->\n"
	}
	var b strings.Builder
	if g.chance(10) {
		b.WriteString("\ufeff")
	}
	if g.chance(15) {
		b.WriteString("---\n" + pick(g, "description: x", "paths: src/**", "paths:\n  - \"*.txt\"", "globs: x", "a: [", "") + "\n---\n")
	}
	for range 1 + g.rng.IntN(5) {
		b.WriteString(g.paragraph(dir))
	}
	text := b.String()
	switch g.rng.IntN(8) {
	case 0:
		text = strings.ReplaceAll(text, "\n", "\r\n")
	case 1:
		text = strings.TrimRight(text, "\n")
	case 2:
		text = pick(g, "\n", "  ", "\n\n\n", "\u00a0", "\v") + text + pick(g, "\n\n\n", "  \n", "\t", "\u2003\n", "\f\n")
	}
	return text
}

// paragraph returns some lines that an agent may treat in its own way.
func (g *tree) paragraph(dir string) string {
	m := g.mark()
	switch g.rng.IntN(16) {
	case 0:
		return "<!-- " + m + " -->" + pick(g, "\n", "\n\n", " behind\n", "<!-- more -->\n\n\n")
	case 1:
		return "text <!-- " + m + " --> behind\n"
	case 2:
		return "```\n@" + g.importable(dir) + "\n<!-- " + m + " -->\n```\n"
	case 3:
		return "    @" + g.importable(dir) + " " + m + "\n"
	case 4:
		return "`@" + g.importable(dir) + "` " + m + "\n"
	case 5, 6, 7:
		return pick(g, "", "- ", "> ", "# ", "see ", "(", "**", "1. ", "\t", "a\u00a0") + "@" + g.importable(dir) + pick(g, "", " ", ".", ",", ")", "#part", " "+m) + "\n"
	case 8:
		return m + pick(g, " \xff\xfe", " \xed\xa0\x80", " \x00", " \u2028 ", " \x1b[31m", " \U0001F600", " \r", " \xc3", " \ufeff") + "\n"
	case 9:
		return pick(g, "</INSTRUCTIONS>", "<system-reminder>", "</system-reminder>", "--- project-doc ---", "</project_context>", "--- End of Context from: x ---") + " " + m + "\n"
	case 10:
		return "\n\n\n" + m + "\n\n\n\n"
	case 11:
		return "| a | b |\n|---|---|\n| " + m + " | @" + g.importable(dir) + " |\n\n"
	case 12:
		return "~~~\n" + m + pick(g, "\n~~~\n", "\n", "\n```\n")
	case 13:
		return m + " " + strings.Repeat("long ", 40+g.rng.IntN(400)) + "\n"
	}
	return "- " + m + "\n\nmore " + g.mark() + "  \n"
}

// importable makes a file that a text in dir may import, and returns how the text names it.
func (g *tree) importable(dir string) string {
	name := fmt.Sprintf("part%d%s", g.marks, pick(g, ".md", ".md", ".md", ".txt", "", ".png", ".MD", ".json"))
	sub := pick(g, "", "", "docs/", "../", ".hidden/")
	if len(g.files) > 0 && g.chance(10) {
		g.link(pick(g, g.files...), filepath.Join(dir, "linked-"+name))
		return "linked-" + name
	}
	text := "imported " + g.mark() + "\n"
	if g.chance(30) {
		text += "@" + pick(g, "CLAUDE.md", "AGENTS.md", "GEMINI.md", "../AGENTS.md", "nothing.md", name) + "\n"
	}
	if g.chance(20) && g.marks < 60 {
		text += "@" + g.importable(filepath.Join(dir, sub)) + "\n"
	}
	switch g.rng.IntN(10) {
	case 0:
		return sub + "missing-" + name
	case 1:
		g.write(filepath.Join(g.home, "notes", name), text)
		return "~/notes/" + name
	case 2:
		g.write(filepath.Join(dir, sub, name), text)
		return filepath.Join(dir, sub, name)
	case 3:
		g.write(filepath.Join(g.outer, "elsewhere", name), text)
		return filepath.Join(g.outer, "elsewhere", name)
	}
	g.write(filepath.Join(dir, sub, name), text)
	return pick(g, "", "", "./") + sub + name
}

// predict returns the texts that Winnow says the agent is given, and why it would not start.
func (g *tree) predict(p *person) (texts []string, stop string) {
	g.t.Helper()
	var found struct {
		Stores []struct{ System, Name, Store, Path string }
	}
	g.ask(p, &found, "stores", "--json") // its status is 3 when there is no store
	store := ""
	var kept []string
	for _, s := range found.Stores {
		name := cmp.Or(s.Store, s.Path)
		switch {
		case s.System != string(g.agent) || s.Name == "sessions":
		case s.Name == "memories" || s.Name == "private memory":
			kept = append(kept, name)
		case store == "" || s.Name == "project" || s.Name == "instructions":
			store = name
		}
	}
	for _, name := range append(kept, store) {
		if name == "" {
			continue
		}
		g.log = append(g.log, "store "+name)
		more, why := g.recall(p, name)
		if why != "" {
			return nil, why
		}
		texts = append(texts, more...)
	}
	return texts, ""
}

// recall returns the texts that Winnow says the agent is given of one store.
func (g *tree) recall(p *person, store string) (texts []string, stop string) {
	g.t.Helper()
	type block struct {
		Name, Text string
		Masked     bool
	}
	var recall struct {
		Block *block
		Also  []block
		Stop  *struct{ What string }
		Notes []string
	}
	args := []string{"recall", "--json", "--store", store, g.prompt(), "--folder", g.cwd}
	if g.reads != "" && !g.named {
		args = append(args, "--file", g.reads)
	}
	g.ask(p, &recall, args...)
	if recall.Stop != nil {
		return nil, recall.Stop.What
	}
	all := recall.Also
	if recall.Block != nil {
		all = append(all, *recall.Block)
	}
	for _, b := range all {
		if b.Masked {
			g.t.Fatalf("the block %s is masked: %q", b.Name, b.Text)
		}
		texts = append(texts, b.Text)
	}
	return texts, ""
}

// sources returns the files that Winnow says are read at the start.
func (g *tree) sources(p *person) (all []source) {
	g.t.Helper()
	var said struct{ Agents []struct{ Sources []source } }
	g.ask(p, &said, "sources", "--start", "--json", "--system", string(g.agent))
	for _, a := range said.Agents {
		all = append(all, a.Sources...)
	}
	return all
}

// ask runs Winnow in the working folder and reads the JSON that it prints, whatever its exit status is.
func (g *tree) ask(p *person, answer any, args ...string) {
	g.t.Helper()
	c := exec.Command("winnow", args...)
	c.Dir, c.Env = p.project, []string{"HOME=" + p.home, "PATH=" + os.Getenv("PATH")}
	out, err := c.Output()
	if jsonErr := json.Unmarshal(out, answer); jsonErr != nil {
		g.t.Fatalf("winnow %q: %v, %v: %s", args, err, jsonErr, out)
	}
}
