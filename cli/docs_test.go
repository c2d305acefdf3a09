package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// tree returns the tree of commands.
func tree() *cobra.Command { return (&program{Env: newWorld(standard()).Env}).commands() }

func TestEveryFieldOfTheJSONIsDocumented(t *testing.T) {
	docs, err := os.ReadFile(filepath.Join("..", "docs", "json.md"))
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(filepath.Join("testdata", "json.golden"))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^ +"([a-z_0-9]+)": `).FindAllStringSubmatch(string(raw), -1) {
		names[m[1]] = true
	}
	for name := range names {
		if !strings.Contains(string(docs), "`"+name+"`") && !strings.Contains(string(docs), "."+name+"`") {
			t.Errorf("docs/json.md does not tell of %s", name)
		}
	}
	if len(names) < 150 {
		t.Errorf("only %d names were seen", len(names))
	}
}

func TestEveryVariableOfAnAgentNamesTheAgent(t *testing.T) {
	w := newWorld(standard())
	p := &program{Env: w.Env}
	texts := map[string]string{}
	for _, row := range p.environment() {
		texts[row[0]] = row[1]
	}
	for _, s := range w.Library.Systems() {
		for _, v := range s.Variables {
			if !strings.Contains(texts[v.Name], s.Name) {
				t.Errorf("%s is said to be %q, and not for %s", v.Name, texts[v.Name], s.Name)
			}
		}
	}
}

func TestManualNamesEverything(t *testing.T) {
	p := &program{Env: newWorld(standard()).Env}
	root := p.commands()
	page := p.manual(root)
	for _, s := range exitStatuses() {
		if !strings.Contains(page, "\n.B "+s[0]+"\n") {
			t.Errorf("exit status %s is missing in the manual page", s[0])
		}
	}
	for _, c := range subcommands(root) {
		if c.Name() == "help" || c.Name() == "completion" {
			continue
		}
		if c.Long == "" || c.Example == "" {
			t.Errorf("%s has no help or no example", c.Name())
		}
		for _, f := range flagRows(c.NonInheritedFlags()) {
			if !strings.Contains(page, "\n.B "+roff(f[0])+"\n") || f[1] == "" {
				t.Errorf("%s %s is missing in the manual page", c.Name(), f[0])
			}
		}
	}
}

func TestEveryCommandPrintsItsHelp(t *testing.T) {
	w := newWorld(standard())
	var visit func(c *cobra.Command, path []string)
	visit = func(c *cobra.Command, path []string) {
		out := w.run(t, 0, append(path, "--help")...)
		if !strings.Contains(out, "Usage:\n  winnow") {
			t.Errorf("winnow %q --help prints %s", path, out)
		}
		for line := range strings.Lines(out) {
			if n := len(strings.TrimSuffix(line, "\n")); n > helpWidth {
				t.Errorf("winnow %q --help has a line of %d columns: %s", path, n, line)
			}
		}
		for _, sub := range subcommands(c) {
			if sub.Name() != "help" {
				visit(sub, append(path, sub.Name()))
			}
		}
	}
	visit(tree(), nil)
}

func TestHelpIsFilledAndListsStay(t *testing.T) {
	long := strings.Repeat("word ", 20)
	if got, want := rewrap(long+"\nand more\n\na list:\n  one\n  two"), strings.TrimSpace(strings.Repeat("word ", 16))+
		"\nword word word word  and more\n\na list:\n  one\n  two"; got != want {
		t.Errorf("it is\n%s\nwant\n%s", got, want)
	}
	if got, want := table(4, [][2]string{{"--longer", strings.Repeat("word ", 15) + "end"}}), "  --longer "+
		strings.TrimSpace(strings.Repeat("word ", 14))+"\n       word end\n"; got != want {
		t.Errorf("it is\n%s\nwant\n%s", got, want)
	}
}

// TestCommandsInTheDocsExist wants each command line of the documents to be one that
// the program takes.
func TestCommandsInTheDocsExist(t *testing.T) {
	root := tree()
	line := regexp.MustCompile(
		`(?m)(?:^ {4}|\|\| |run: |entry: |- |\| |&& |^)winnow ([a-z][a-z/.-]*)((?: +[^|\n` + "`" + `]+)?)`,
	)
	seen := 0
	pages, err := filepath.Glob(filepath.Join("..", "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(pages, filepath.Join("..", "README.md"),
		filepath.Join("..", ".pre-commit-hooks.yaml")) {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range line.FindAllStringSubmatch(string(raw), -1) {
			if strings.Contains(m[1], "/") { // a store
				continue
			}
			c, _, err := root.Find([]string{m[1]})
			if err != nil || c == root {
				t.Errorf("%s: there is no command %s", path, m[1])
				continue
			}
			seen++
			for word := range strings.FieldsSeq(m[2]) {
				flag, _, _ := strings.Cut(strings.TrimPrefix(word, "--"), "=")
				if strings.HasPrefix(word, "--") && c.Flag(flag) == nil {
					t.Errorf("%s: winnow %s has no flag %s", path, m[1], word)
				}
			}
		}
	}
	if seen < 40 {
		t.Errorf("only %d commands were seen", seen)
	}
}
