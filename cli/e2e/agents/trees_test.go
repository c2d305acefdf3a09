package agents_test

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
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
// start was predicted not to.
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
	m := agents.NewModel(t)
	if g.reads != "" {
		m.Play(a.Read(g.reads))
	}
	out, err := m.Start(t, a, p.home, p.project, "say hello").Wait(t)
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
		for _, inner := range v {
			list = stringsIn(inner, list)
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
	reads string   // the file that the agent reads, "" for none
	dirs  []string // the folders that can have instructions, from the outermost
	log   []string
	marks int
}

func (g *tree) chance(percent int) bool { return g.rng.IntN(100) < percent }

func pick[T any](g *tree, list ...T) T { return list[g.rng.IntN(len(list))] }

func (g *tree) write(path, text string) {
	g.t.Helper()
	if _, err := os.Lstat(path); err == nil {
		return
	}
	g.log = append(g.log, fmt.Sprintf("%s: %q", path, text))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		g.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		g.t.Fatal(err)
	}
}

func (g *tree) link(target, path string) {
	if _, err := os.Lstat(path); err == nil {
		return
	}
	g.log = append(g.log, path+" -> "+target)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		g.t.Fatal(err)
	}
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
	g.settings()
	if g.chance(50) {
		g.memories()
	}
	names := g.names()
	for _, dir := range g.dirs {
		for _, name := range names {
			if g.chance(45) {
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
			if g.chance(35) {
				g.instructions(filepath.Join(g.home, dir), name)
			}
		}
	}
}

// memories makes what the agent keeps for itself.
func (g *tree) memories() {
	var dir, index string
	switch g.agent {
	case agents.ClaudeCode:
		dir, index = filepath.Join(g.home, "mem"), "MEMORY.md"
		g.write(filepath.Join(g.home, ".claude/settings.json"), fmt.Sprintf(`{"autoMemoryDirectory":%q}`, dir))
	case agents.Codex:
		dir, index = filepath.Join(g.home, ".codex/memories"), "memory_summary.md"
	case agents.GeminiCLI:
		dir, index = filepath.Join(g.home, ".gemini/tmp/kept/memory"), pick(g, "MEMORY.md", "MEMORY.md", "GEMINI.md", "AGENTS.md")
		g.write(filepath.Join(g.home, ".gemini/projects.json"), fmt.Sprintf(`{"projects":{%q:"kept"}}`, g.cwd))
		g.write(filepath.Join(g.home, ".gemini/tmp/kept/.project_root"), g.cwd)
	default:
		return
	}
	if g.chance(70) {
		text := g.text(dir)
		switch {
		case g.chance(15):
			text += strings.Repeat("- [Title](topic.md) — a hook\n", 180+g.rng.IntN(60))
		case g.chance(15):
			text += strings.Repeat("- a line with \u00e9 and \U0001F600 "+strings.Repeat("x", g.rng.IntN(400))+"\n", 30+g.rng.IntN(120))
		case g.chance(10):
			text = strings.Repeat(pick(g, "x", "\U0001F600", "word "), 9000+g.rng.IntN(20000)) + g.mark()
		}
		if g.agent == agents.Codex && g.chance(80) {
			text = "v1\n" + text
		}
		g.write(filepath.Join(dir, index), text)
	}
	for i := range g.rng.IntN(3) {
		g.write(filepath.Join(dir, fmt.Sprintf("topic%d.md", i)), fmt.Sprintf("---\nname: topic %d\ndescription: %s\n---\n%s", i, pick(g, "about "+g.mark(), "\"quoted: "+g.mark()+"\"", ">-\n  folded\n  "+g.mark()), g.text(dir)))
	}
}

// settings writes settings that change what is read.
func (g *tree) settings() {
	switch g.agent {
	case agents.Codex:
		text := "[features]\nmemories = true\n[memories]\ngenerate_memories = false\n"
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
	default:
		g.write(path, g.text(filepath.Dir(path)))
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
	store, kept := "", ""
	for _, s := range found.Stores {
		name := cmp.Or(s.Store, s.Path)
		switch {
		case s.System != string(g.agent) || s.Name == "sessions":
		case s.Name == "memories" || s.Name == "private memory":
			kept = name
		case store == "" || s.Name == "project" || s.Name == "instructions":
			store = name
		}
	}
	for _, name := range []string{store, kept} {
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
	args := []string{"recall", "--json", "--store", store, "say hello", "--folder", g.cwd}
	if g.reads != "" {
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
