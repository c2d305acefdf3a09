package claudecode

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"winnow/core/filestore"
	"winnow/core/memory"
	"winnow/core/vectortest"
)

// injected is a case of what Claude Code 2.1.330 sent, with the tree that it stood in.
type injected struct {
	Kind, Agent string
	Files       map[string]injectedFile
	Links, Env  map[string]string
	Mtimes      map[string]struct {
		Rank    *int
		DaysAgo float64 `json:"days_ago"`
	}
	Git       []string
	Worktrees []struct{ Of, At string }
	Cwd       string
	Args      []string
	Reads     []string
	Readdir   map[string][]string
	Change    map[string]*injectedFile
	Read      string
	Write     string
	WriteTo   string `json:"write_to"`
	Delta     int64  `json:"mtime_delta_ns"`
	Want      struct {
		Injected            *bool
		Text, Memory, After string
		Result              *string
		AfterChange         *string `json:"after_change"`
		AfterCompact        *string `json:"after_compact"`
		Writes              map[string]string
		Nested              [][]string
		Results             []string
		Noticed             *bool
	}
}

// injectedFile is the content of a file: a text, bytes in base 64, or parts to repeat.
type injectedFile string

func (f *injectedFile) UnmarshalJSON(b []byte) error {
	var other struct {
		Raw   []byte  `json:"$b64"`
		Parts [][]any `json:"$parts"`
	}
	if json.Unmarshal(b, (*string)(f)) == nil {
		return nil
	}
	if err := json.Unmarshal(b, &other); err != nil {
		return err
	}
	*f = injectedFile(other.Raw)
	for _, p := range other.Parts {
		*f += injectedFile(strings.Repeat(p[0].(string), int(p[1].(float64))))
	}
	return nil
}

// injectCase is a case on the disk.
type injectCase struct {
	injected
	t    *testing.T
	home string
	vars map[string]string
}

var slugOf = regexp.MustCompile(`\{SLUG:([^}]*)\}`)

// filled puts the home folder into a text of the case.
func (c *injectCase) filled(text string) string {
	text = strings.ReplaceAll(text, "$HOME", c.home)
	return slugOf.ReplaceAllStringFunc(text, func(m string) string {
		return slug(filepath.Join(c.home, m[len("{SLUG:"):len(m)-1]))
	})
}

func (c *injectCase) path(rel string) string {
	return filepath.Join(c.home, filepath.FromSlash(c.filled(rel)))
}

func (c *injectCase) must(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
}

func (c *injectCase) put(rel string, content injectedFile) {
	c.t.Helper()
	c.must(os.MkdirAll(filepath.Dir(c.path(rel)), 0o755))
	c.must(os.WriteFile(c.path(rel), []byte(c.filled(string(content))), 0o644))
}

func (c *injectCase) git(dir string, args ...string) {
	c.t.Helper()
	cmd := exec.CommandContext(
		c.t.Context(),
		"git",
		append([]string{"-C", c.path(dir), "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
	if out, err := cmd.CombinedOutput(); err != nil {
		c.t.Fatalf("git %s: %v: %s", args, err, out)
	}
}

// laidOut writes the tree of a case.
func laidOut(t *testing.T, in injected) *injectCase {
	t.Helper()
	dir, err := os.MkdirTemp("", "in")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	home, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	c := &injectCase{injected: in, t: t, home: home, vars: map[string]string{}}
	for rel, content := range in.Files {
		c.put(rel, content)
	}
	for _, rel := range append([]string{in.Cwd, "P", ".claude/projects"}, in.Git...) {
		c.must(os.MkdirAll(c.path(rel), 0o755))
	}
	for rel, to := range in.Links {
		c.must(os.MkdirAll(filepath.Dir(c.path(rel)), 0o755))
		c.must(os.Symlink(c.filled(to), c.path(rel)))
	}
	for _, rel := range in.Git {
		if len(in.Worktrees) == 0 { // a folder is enough to be one of git
			c.must(os.MkdirAll(filepath.Join(c.path(rel), ".git", "refs"), 0o755))
			c.must(os.WriteFile(filepath.Join(c.path(rel), ".git", "HEAD"), []byte("ref: refs/heads/main\n"), 0o644))
			continue
		}
		c.git(rel, "init", "--quiet")
		c.git(rel, "commit", "--quiet", "--allow-empty", "--message", "x")
	}
	for _, w := range in.Worktrees {
		c.git(w.Of, "add", "--all")
		c.git(w.Of, "commit", "--quiet", "--allow-empty", "--message", "y")
		c.git(w.Of, "worktree", "add", "--quiet", "--detach", c.path(w.At))
	}
	for rel, m := range in.Mtimes {
		at := time.Now().Add(-time.Duration(m.DaysAgo * 24 * float64(time.Hour)))
		if m.Rank != nil {
			at = time.Now().Add(time.Duration(*m.Rank)*time.Minute - 24*time.Hour)
		}
		c.must(os.Chtimes(c.path(rel), at, at))
	}
	for name, value := range in.Env {
		c.vars[name] = c.filled(value)
	}
	return c
}

// machine returns the machine that Claude Code was started on.
func (c *injectCase) machine() machine {
	home := c.home
	if other := c.vars["HOME"]; other != "" {
		home = other
	}
	m := machineOf(home, func(name string) (string, bool) { v, ok := c.vars[name]; return v, ok })
	m.managed, m.alive = filepath.Join(c.home, "etc-claude-code"), func(int) bool { return false }
	for i, arg := range c.Args {
		if i > 0 && c.Args[i-1] == "--add-dir" {
			m.added = append(m.added, filepath.Join(c.path(c.Cwd), filepath.FromSlash(c.filled(arg))))
		}
	}
	m.ordered = func(dir string) []fs.DirEntry {
		entries := asListed(dir)
		rel, err := filepath.Rel(c.home, dir)
		c.must(err)
		names := c.Readdir[path.Clean(filepath.ToSlash(rel))]
		slices.SortStableFunc(entries, func(a, b fs.DirEntry) int {
			return slices.Index(names, a.Name()) - slices.Index(names, b.Name())
		})
		return entries
	}
	return m
}

// read reads the store as a session in the working folder does.
func (c *injectCase) read() (*store, memory.Recall) {
	c.t.Helper()
	cwd := c.path(c.Cwd)
	s := open(projectOf(cwd), c.machine(), time.Now)
	var files []string
	for _, f := range c.Reads {
		files = append(files, c.path(f))
	}
	r, err := s.Recall(c.t.Context(), memory.Task{Folder: cwd, Files: files})
	c.must(err)
	return s, r
}

func (c *injectCase) same(what, got, want string) {
	c.t.Helper()
	if want = c.filled(want); got == want {
		return
	}
	i := 0
	for i < len(got) && i < len(want) && got[i] == want[i] {
		i++
	}
	from := max(0, i-60)
	c.t.Errorf(
		"%s differs at byte %d of %d and %d:\ngot  %q\nwant %q",
		what,
		i,
		len(got),
		len(want),
		got[from:min(len(got), i+300)],
		want[from:min(len(want), i+300)],
	)
}

func TestInjectIsWhatClaudeCodeSends(t *testing.T) {
	vectortest.EachFlat(t, "claudecode", "inject", func(t *testing.T, in injected) {
		c := laidOut(t, in)
		switch in.Kind {
		case "start", "read", "session":
			c.start()
		case "agent":
			c.agent()
		case "write":
			c.write()
		default:
			t.Fatalf("no kind of case is called %q", in.Kind)
		}
	})
}

func (c *injectCase) start() {
	s, r := c.read()
	c.same("the block", r.Block.Text, c.Want.Text)
	for rel, text := range c.Want.Writes {
		rel = c.filled(rel)
		sh := memoryFolderOf(filepath.Dir(c.path(rel)), "", "")
		c.same(rel, madeIndex(sh.dir, sh.files), text)
	}
	if c.Kind == "read" {
		c.nested(s)
	}
	if c.Kind != "session" {
		return
	}
	for rel, content := range c.Change {
		if content == nil {
			c.must(os.Remove(c.path(rel)))
			continue
		}
		c.put(rel, *content)
	}
	if c.Want.AfterChange != nil {
		c.same("the block of the session", r.Block.Text, *c.Want.AfterChange)
	}
	if _, now := c.read(); c.Want.AfterCompact != nil {
		c.same("the block after compaction", now.Block.Text, *c.Want.AfterCompact)
	}
}

// nested compares what comes with the files that a session reads.
func (c *injectCase) nested(s *store) {
	c.t.Helper()
	cwd := c.path(c.Cwd)
	r, err := s.reading(c.t.Context(), cwd, true)
	c.must(err)
	for i, rel := range c.Reads {
		var got []string
		for _, b := range r.blocksWith(cwd, []string{c.path(rel)}, "") {
			got = append(got, b.Text)
		}
		c.same(
			fmt.Sprintf("what comes with file %d", i+1),
			strings.Join(got, "\x00"),
			strings.Join(c.Want.Nested[i], "\x00"),
		)
		f := filestore.Read(c.path(rel), maxTopic)
		answer := ""
		for _, sh := range r.memoryFolders {
			if text := caveat(f.ModTime, r.now); filestore.Within(sh.dir, f.Path) && text != "" {
				answer = text + "\n"
			}
		}
		for n, line := range strings.Split(f.Text, "\n") {
			if n > 0 {
				answer += "\n"
			}
			answer += fmt.Sprintf("%d\t%s", n+1, strings.TrimSuffix(line, "\r"))
		}
		c.same(fmt.Sprintf("the answer to read %d", i+1), answer, c.Want.Results[i])
	}
}

// agent compares what a subagent gets.
func (c *injectCase) agent() {
	_, r := c.read()
	text := r.Block.Text
	layer, own := c.memoryOf(c.Agent)
	if slices.Contains(bareAgents[:], c.Agent) && !own {
		text = ""
	}
	c.same("the block of the subagent", text, c.Want.Text)
	if c.Want.Memory == "" {
		return
	}
	got := "## MEMORY.md\n\n" + noMemory
	for _, b := range r.Also {
		if b.Name == "memory of "+c.Agent+", "+layer {
			got = b.Text
		}
	}
	c.same("the memory of the subagent", got, c.Want.Memory)
}

// write compares a file that Claude Code wrote after another changed it.
func (c *injectCase) write() {
	target := c.WriteTo
	if target == "" {
		target = c.Read
	}
	got, noticed := written(c.Write), notices(time.Unix(1, 0), time.Unix(1, c.Delta))
	for rel, content := range c.Change {
		if c.filled(rel) == c.filled(target) && noticed {
			got = string(*content)
		}
	}
	if !filestore.Within(c.path(".claude/projects"), c.path(target)) {
		got = c.Write
	}
	c.same("the file", got, c.Want.After)
	if c.Want.Noticed != nil && *c.Want.Noticed != noticed {
		c.t.Errorf("noticed: %v", *c.Want.Noticed)
	}
}

// written returns what Claude Code makes of a memory that it writes: a header gets the
// session and the time.
func written(text string) string {
	h := headerOf(text)
	if h.root == nil {
		return text
	}
	var top, meta strings.Builder
	for i := 0; i+1 < len(h.root.Content); i += 2 {
		key, value := h.root.Content[i].Value, h.root.Content[i+1]
		if key != "metadata" {
			fmt.Fprintf(&top, "%s: %s\n", key, spelt(value.Value))
			continue
		}
		for k := 0; k+1 < len(value.Content); k += 2 {
			if name := value.Content[k].Value; name != "node_type" && name != "originSessionId" && name != "modified" {
				fmt.Fprintf(&meta, "  %s: %s\n", name, spelt(value.Content[k+1].Value))
			}
		}
	}
	return "---\n" + top.String() + "metadata:\n  node_type: memory\n" + meta.String() +
		"  originSessionId: {SESSION}\n  modified: {TIME}\n---\n" + text[h.body:]
}

// spelt returns a value as YAML has it: in quotes where another reader could take it for
// something else than a text.
func spelt(value string) string {
	switch strings.ToLower(value) {
	case "y", "n", "yes", "no", "on", "off", "true", "false", "null", "~", "":
		return `"` + value + `"`
	}
	var plain any
	if err := yaml.Unmarshal([]byte(value), &plain); err == nil && plain == value && !strings.Contains(value, "\n") {
		return value
	}
	return quoted(value)
}

// memoryOf returns which memory an agent of the case has, by its definition.
func (c *injectCase) memoryOf(agent string) (layer string, own bool) {
	for rel, content := range c.Files {
		h := headerOf(string(content))
		if h.text("name") == agent && strings.Contains(rel, ".claude/agents/") {
			layer = h.text("memory")
			return layer, true
		}
	}
	return "", false
}
