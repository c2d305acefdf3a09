package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A layer is what the packages at and below a path may import of this module
// and of others, and which parts of the standard library they must not. The
// longest path that fits rules.
type layer struct{ may, banned []string }

// impure is what a package that only computes has no use for.
var impure = []string{"os", "os/exec", "net", "net/http", "syscall", "path/filepath"}

var layers = map[string]layer{
	"core/memory": {banned: []string{"os", "os/exec", "io", "net", "path/filepath", "context", "sync"}},
	"core/jstext": {may: []string{"golang.org/x/text"}, banned: []string{"os", "os/exec", "net", "path/filepath"}},
	"core/detect": {may: []string{"winnow/core/jstext", "winnow/core/memory"}, banned: impure},
	"core/audit":  {may: []string{"winnow/core/memory", "winnow/core/system", "winnow/core/detect", "winnow/core/jstext", "winnow/core/quietread", "winnow/core/git", "winnow/core/audit", "golang.org/x/text"}},
	"core/audit/baseline": {
		may: []string{"winnow/core/memory"}, banned: impure,
	},
	"core/audit/judge": {may: []string{"winnow/core/memory", "winnow/core/system", "winnow/core/detect", "winnow/core/jstext"}, banned: impure},
	"core/git":         {may: []string{"winnow/core/memory", "winnow/core/quietread", "golang.org/x/sys"}},
	"core/prompt":      {may: []string{"winnow/core/jstext", "winnow/core/lesson", "winnow/core/memory", "winnow/core/detect"}, banned: impure},
	"core/lesson":      {may: []string{"winnow/core/jstext", "winnow/core/memory", "winnow/core/detect"}, banned: impure},
	"core/form":        {may: []string{"winnow/core/jstext", "winnow/core/memory", "winnow/core/detect"}, banned: impure},
	"core/jsonl":       {may: []string{"winnow/core/form", "winnow/core/jstext", "winnow/core/lesson", "winnow/core/memory", "winnow/core/system", "winnow/core/detect"}, banned: impure},
	"core/filter":      {may: []string{"winnow/core/memory", "github.com/sahilm/fuzzy"}, banned: impure},
	"core/journal":     {may: []string{"winnow/core/jstext", "winnow/core/memory", "winnow/core/detect", "winnow/core/quietread"}},
	"core/quietread":   {may: []string{"winnow/core/memory", "golang.org/x/sys"}},
	"core/atomicfile":  {may: []string{"winnow/core/memory", "winnow/core/atomicfile", "golang.org/x/sys"}},
	"core/curate":      {may: []string{"winnow/core/compare", "winnow/core/memory", "winnow/core/system", "winnow/core/atomicfile", "winnow/core/detect", "winnow/core/curate"}},
	"core/curate/history": {
		may: []string{"winnow/core/memory", "winnow/core/atomicfile", "winnow/core/jstext"},
	},
	"core/curate/plan": {may: []string{"winnow/core/jsonl", "winnow/core/memory", "winnow/core/system", "winnow/core/detect", "winnow/core/lesson"}, banned: impure},
	"core/watch":       {may: []string{"winnow/core/memory", "github.com/fsnotify/fsnotify", "golang.org/x/sys"}},
	"core/demo":        {may: []string{"winnow/core/jsonl", "winnow/core/jstext", "winnow/core/lesson"}},
	"core/system":      {may: []string{"winnow/core/memory", "winnow/core/system", "winnow/core/session"}},
	"core/session":     {may: []string{"winnow/core/memory", "winnow/core/lesson"}, banned: impure},
	"core/activity":    {may: []string{"winnow/core/memory"}, banned: impure},
	"core/approvals":   {may: []string{"winnow/core/atomicfile"}},
	"core/learn":       {may: []string{"winnow/core/memory", "winnow/core/session", "winnow/core/approvals", "winnow/core/lesson", "winnow/core/jstext", "winnow/core/prompt", "winnow/core/detect", "winnow/core/compare", "winnow/core/atomicfile"}},
	"core/setup":       {may: []string{"winnow/core/jstext", "winnow/core/memory", "github.com/pelletier/go-toml/v2"}, banned: impure},
	"core/config":      {may: []string{"winnow/core/memory", "winnow/core/filter", "winnow/core/detect", "winnow/core/atomicfile", "winnow/core/quietread", "github.com/pelletier/go-toml/v2"}},
	"core/lessonfile":  {may: []string{"winnow/core/memory", "winnow/core/system", "winnow/core/lesson", "winnow/core/jsonl", "winnow/core/jstext", "winnow/core/prompt", "winnow/core/compare", "winnow/core/filestore", "winnow/core/atomicfile", "winnow/core/quietread", "winnow/core/annotate", "winnow/core/git"}},
	"core/annotate":    {may: []string{"winnow/core/jsonl", "winnow/core/memory", "winnow/core/jstext", "winnow/core/lesson", "winnow/core/detect"}, banned: impure},
	"core/procs":       {may: []string{"winnow/core/memory", "winnow/core/quietread"}},
	"core/filestore":   {may: []string{"winnow/core/memory", "winnow/core/jsonl", "winnow/core/system", "winnow/core/atomicfile", "winnow/core/quietread", "winnow/core/annotate"}},
	"core/sqlite":      {may: []string{"winnow/core/memory", "winnow/core/quietread", "winnow/core/atomicfile", "modernc.org/sqlite"}},
	"core/compare":     {may: []string{"winnow/core/memory", "winnow/core/jstext", "winnow/core/lesson", "winnow/core/detect"}, banned: impure},
	"core/share/remote": {
		may: []string{"winnow/core/memory", "winnow/core/atomicfile", "winnow/core/git"},
	},
	"core/share":   {may: []string{"winnow/core/jstext", "winnow/core/lesson", "winnow/core/memory", "github.com/pelletier/go-toml/v2"}, banned: impure},
	"core/systems": {may: []string{"winnow/core/session", "winnow/core/lessonfile", "github.com/klauspost/compress", "github.com/pelletier/go-toml/v2", "winnow/core/form", "winnow/core/jsonl", "winnow/core/memory", "winnow/core/system", "winnow/core/lesson", "winnow/core/jstext", "winnow/core/prompt", "winnow/core/detect", "winnow/core/journal", "winnow/core/git", "winnow/core/quietread", "winnow/core/atomicfile", "winnow/core/annotate", "winnow/core/procs", "winnow/core/filestore", "winnow/core/sqlite", "winnow/core/compare", "winnow/core/systems/instructions", "winnow/core/systems/claudecode/transcript", "winnow/core/systems/claudecode/markdown", "go.yaml.in/yaml/v3", "golang.org/x/sys"}},
	"core/systems/claudecode/markdown": {
		may: []string{"winnow/core/jstext", "github.com/yuin/goldmark"}, banned: impure,
	},
	"core/systems/all": {may: []string{"winnow/core/system", "winnow/core/systems"}},
	"core/library":     {may: []string{"winnow/core/activity", "winnow/core/filter", "winnow/core/session", "winnow/core/approvals", "winnow/core/learn", "winnow/core/config", "winnow/core/prompt", "winnow/core/jsonl", "winnow/core/memory", "winnow/core/quietread", "winnow/core/system", "winnow/core/watch", "winnow/core/curate", "winnow/core/atomicfile", "winnow/core/audit", "winnow/core/git", "winnow/core/lesson", "winnow/core/detect", "winnow/core/compare", "winnow/core/share"}},
	"core":             {may: []string{"winnow/core"}},
	"keymap":           {may: []string{"charm.land/bubbles/v2/key"}, banned: impure},
	"views": {
		may: []string{
			"winnow/core/memory", "winnow/core/activity", "winnow/core/session", "winnow/core/compare", "winnow/views", "winnow/keymap", "charm.land/lipgloss/v2",
			"charm.land/bubbles/v2/key", "github.com/charmbracelet/x/ansi", "github.com/rivo/uniseg", "github.com/aymanbagabas/go-udiff/lcs",
		},
		banned: append([]string{"context", "encoding/json", "sync"}, impure...),
	},
	"tui": {
		may: []string{
			"winnow/core/memory", "winnow/core/activity", "winnow/core/session", "winnow/core/filter", "winnow/core/compare", "winnow/core/jstext", "winnow/core/config", "winnow/keymap", "winnow/views", "winnow/tui",
			"charm.land", "github.com/charmbracelet/x", "github.com/sahilm/fuzzy",
		},
		banned: []string{"os", "os/exec", "net", "net/http", "path/filepath"},
	},
	// The library of the protocol is used in one place, which only winnow mcp reaches.
	"cli/mcp":          {may: []string{"winnow/core/memory", "github.com/modelcontextprotocol/go-sdk"}, banned: impure},
	"cli/e2e/variants": {may: []string{"winnow"}}, // winnow itself, for tests
	"cli/program":      {may: []string{"winnow", "charm.land/bubbletea/v2", "github.com/charmbracelet/x"}},
	// Commands compute with what is pure in the core. What reads or writes they ask the
	// library for, which is handed in.
	"cli": {
		may: []string{
			"winnow/core/memory", "winnow/core/activity", "winnow/core/session", "winnow/core/filter", "winnow/core/compare", "winnow/core/detect", "winnow/core/jstext", "winnow/core/setup", "winnow/core/config", "winnow/core/audit/baseline",
			"winnow/views", "winnow/keymap", "winnow/cli", "github.com/spf13/cobra", "github.com/spf13/pflag", "github.com/aymanbagabas/go-udiff",
		},
	},
}

func TestLayers(t *testing.T) {
	eachFile(t, func(file string, _ *token.FileSet, f *ast.File) {
		dir := path.Dir(file)
		rule, ok := ruleFor(dir)
		if !ok {
			return
		}
		for _, spec := range f.Imports {
			imp, _ := strconv.Unquote(spec.Path.Value)
			first, _, _ := strings.Cut(imp, "/")
			std := !strings.Contains(first, ".") && first != "winnow"
			if std && slices.Contains(rule.banned, imp) || !std && imp != "winnow/"+dir && !within(imp, rule.may) {
				t.Errorf("%s must not import %s", file, imp)
			}
		}
	})
}

// TestNoSystemKnowsAnother keeps the folders below core/systems apart. What is the same for the files of
// instructions of all is in instructions.
func TestNoSystemKnowsAnother(t *testing.T) {
	const root = "winnow/core/systems/"
	eachFile(t, func(file string, _ *token.FileSet, f *ast.File) {
		dir := "winnow/" + path.Dir(file)
		for _, spec := range f.Imports {
			imp, _ := strconv.Unquote(spec.Path.Value)
			if strings.HasPrefix(imp, root) && dir != root+"all" && imp != root+"all" && imp != root+"instructions" && !strings.HasPrefix(dir, imp) && !strings.HasPrefix(imp, dir+"/") {
				t.Errorf("%s names the system %s; only core/systems/all may", file, imp)
			}
		}
	})
}

// TestFrontEndsNameNoSystem: what is special about a system is data that it gives.
func TestFrontEndsNameNoSystem(t *testing.T) {
	systems := []string{"karnevil9", "claudecode", "codex", "gemini", "opencode", "kimchi", "hermes", "arbiter", "handbook"}
	eachFile(t, func(file string, fset *token.FileSet, f *ast.File) {
		if !within(file, []string{"tui", "views", "keymap"}) || within(file, testSupport) {
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			text := ""
			switch n := n.(type) {
			case *ast.Ident:
				text = n.Name
			case *ast.BasicLit:
				text = n.Value
			}
			text = strings.ToLower(strings.ReplaceAll(text, " ", ""))
			for _, name := range systems {
				if strings.Contains(text, name) {
					t.Errorf("%s names the system %s", fset.Position(n.Pos()), name)
				}
			}
			return true
		})
	})
}

func ruleFor(dir string) (layer, bool) {
	for ; dir != "."; dir = path.Dir(dir) {
		if r, found := layers[dir]; found {
			return r, true
		}
	}
	return layer{}, false
}

func within(imp string, list []string) bool {
	return slices.ContainsFunc(list, func(p string) bool { return imp == p || strings.HasPrefix(imp, p+"/") })
}

// The sizes we accept, in lines. STYLE counts a function from func to its brace.
const (
	maxFunc   = 60
	maxUpdate = 40
	maxFile   = 500
)

func TestSizes(t *testing.T) {
	eachFile(t, func(file string, fset *token.FileSet, f *ast.File) {
		if n := fset.Position(f.FileEnd).Line; n > maxFile {
			t.Errorf("%s has %d lines, want at most %d", file, n, maxFile)
		}
		for _, d := range f.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			limit := maxFunc
			if fd.Name.Name == "Update" {
				limit = maxUpdate
			}
			if n := fset.Position(fd.End()).Line - fset.Position(fd.Pos()).Line + 1; n > limit {
				t.Errorf("%s: %s has %d lines, want at most %d", file, fd.Name.Name, n, limit)
			}
		}
	})
}

// ceilings are the most statements that a room may have, blocks and labels not counted, as
// docs/size counts them; code that only tests link is left out. To raise one, say why in
// the commit.
var ceilings = map[string]int{
	"main.go": 10, "cli": 5502, "core": 36971, "keymap": 132, "tui": 5070, "views": 4441,
}

// testSupport are the folders whose code only tests link.
var testSupport = []string{"core/audit/audittest", "core/system/systemtest", "core/atomicfile/crashdisk", "core/vectortest", "tui/tuitest", "cli/e2e/agents", "cli/e2e/variants"}

func TestRoomsStayBelowTheirCeilings(t *testing.T) {
	statements := map[string]int{}
	eachFile(t, func(file string, _ *token.FileSet, f *ast.File) {
		if within(file, testSupport) {
			return
		}
		room, _, _ := strings.Cut(file, "/")
		ast.Inspect(f, func(n ast.Node) bool {
			switch n.(type) {
			case *ast.BlockStmt, *ast.LabeledStmt, *ast.EmptyStmt:
			case ast.Stmt:
				statements[room]++
			}
			return true
		})
	})
	for room, most := range ceilings {
		if n := statements[room]; n > most || n == 0 {
			t.Errorf("%s has %d statements, want at most %d", room, n, most)
		}
	}
}

// writers are the folders and files whose code may change files. Looking changes
// nothing: everything else reads. In cli, a draft for $EDITOR and the report of a
// crash are files of our own.
var writers = []string{".", "cli/env.go", "cli/draft.go", "core/atomicfile", "core/curate", "core/demo", "core/learn", "core/share/remote", "core/system/systemtest", "cli/program", "cli/e2e/agents", "docs"}

func TestOnlyWritersWrite(t *testing.T) {
	writing := []string{
		"WriteFile", "Create", "CreateTemp", "Rename", "Remove", "RemoveAll", "Mkdir", "MkdirAll", "MkdirTemp",
		"Chmod", "Chown", "Chtimes", "Symlink", "Link", "Truncate", "CopyFS", "O_RDWR", "O_WRONLY", "O_CREATE", "O_APPEND", "O_TRUNC",
	}
	eachFile(t, func(file string, fset *token.FileSet, f *ast.File) {
		dir := path.Dir(file)
		if dir == "." || within(dir, writers) || slices.Contains(writers, file) {
			return
		}
		eachSelector(f, func(pkg, name string, pos token.Pos) {
			if (pkg == "os" || pkg == "syscall" || pkg == "unix") && slices.Contains(writing, name) {
				t.Errorf("%s: %s.%s: only %v may change files", fset.Position(pos), pkg, name, writers)
			}
		})
	})
}

// TestClockIsHandedIn keeps time.Now out of everything that renders or computes.
func TestClockIsHandedIn(t *testing.T) {
	pure := []string{"views", "tui", "keymap", "core/memory", "core/lesson", "core/lessonfile", "core/jstext", "core/detect", "core/prompt", "core/filter", "core/system", "core/library", "core/systems", "core/curate", "core/atomicfile", "core/quietread", "core/audit"}
	eachFile(t, func(file string, fset *token.FileSet, f *ast.File) {
		if !within(path.Dir(file), pure) {
			return
		}
		eachSelector(f, func(pkg, name string, pos token.Pos) {
			if pkg == "time" && (name == "Now" || name == "Since" || name == "Until" || name == "Local") {
				t.Errorf("%s: time.%s: the clock and the zone are handed in", fset.Position(pos), name)
			}
		})
	})
}

// TestNothingLeavesTheMachine forbids the network; net/url and net/netip only parse. The model that tests
// play for real agents listens on the loopback, and no code but that of tests links it.
func TestNothingLeavesTheMachine(t *testing.T) {
	const model = "cli/e2e/agents"
	eachFile(t, func(file string, _ *token.FileSet, f *ast.File) {
		for _, spec := range f.Imports {
			if path.Dir(file) == model {
				continue
			}
			if imp, _ := strconv.Unquote(spec.Path.Value); imp == "winnow/"+model || imp == "net" || strings.HasPrefix(imp, "net/") && imp != "net/url" && imp != "net/netip" {
				t.Errorf("%s imports %s", file, imp)
			}
		}
	})
}

// TestKeysAreMatchedByBinding forbids comparing the text of a message: keys
// belong to package keymap.
// TestExpressionsAreCompiledWhenUsed, not at each start: within the initialisation of a package only a function does.
func TestExpressionsAreCompiledWhenUsed(t *testing.T) {
	eachFile(t, func(file string, fset *token.FileSet, f *ast.File) {
		if within(file, testSupport) || strings.HasPrefix(file, "docs/") {
			return
		}
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); !ok || g.Tok != token.VAR {
				continue
			}
			ast.Inspect(d, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncLit:
					return false
				case *ast.CallExpr:
					if s, ok := n.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "MustCompile" {
						t.Errorf("%s: an expression is compiled at each start: put it into sync.OnceValue", fset.Position(n.Pos()))
					}
				}
				return true
			})
		}
	})
}

func TestKeysAreMatchedByBinding(t *testing.T) {
	isString := func(e ast.Expr) bool {
		call, ok := e.(*ast.CallExpr)
		if !ok {
			return false
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		return ok && sel.Sel.Name == "String" && len(call.Args) == 0
	}
	eachFile(t, func(file string, fset *token.FileSet, f *ast.File) {
		if !strings.HasPrefix(file, "tui/") {
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				if isString(n.X) || isString(n.Y) {
					t.Errorf("%s: compare keys with key.Matches", fset.Position(n.Pos()))
				}
			case *ast.SwitchStmt:
				if n.Tag != nil && isString(n.Tag) {
					t.Errorf("%s: compare keys with key.Matches", fset.Position(n.Pos()))
				}
			}
			return true
		})
	})
}

func eachSelector(f *ast.File, fn func(pkg, name string, pos token.Pos)) {
	ast.Inspect(f, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := sel.X.(*ast.Ident); ok {
				fn(x.Name, sel.Sel.Name, sel.Pos())
			}
		}
		return true
	})
}

// eachFile parses every Go file that is not a test.
func eachFile(t *testing.T, fn func(file string, fset *token.FileSet, f *ast.File)) {
	t.Helper()
	fset := token.NewFileSet()
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); name != "." && (name[0] == '.' || name == "testdata") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(fset, file, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		fn(filepath.ToSlash(file), fset, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestTopLevel keeps the root of the tree as it is drawn in the design.
func TestTopLevel(t *testing.T) {
	allowed := []string{
		"go.mod", "go.sum", "main.go", "tui", "core", "views", "keymap", "testdata", "README.md",
		"cli", "docs", "LICENSE", "dist",
	}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		name := e.Name()
		if name[0] == '.' || strings.HasSuffix(name, "_test.go") || name == "winnow" || slices.Contains(allowed, name) {
			continue
		}
		t.Errorf("%s does not belong in the root", name)
	}
}

// TestArchitectureNamesWhatExists keeps docs/architecture.md true: every path in it exists.
func TestArchitectureNamesWhatExists(t *testing.T) {
	text, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	paths := 0
	for i, quoted := range strings.Split(string(text), "`") {
		if i%2 == 0 || !strings.Contains(quoted, "/") || strings.ContainsAny(quoted, " <\n") {
			continue
		}
		found, err := filepath.Glob(quoted)
		if err != nil || len(found) == 0 {
			t.Errorf("%s does not exist", quoted)
		}
		paths++
	}
	if paths < 30 {
		t.Errorf("only %d paths are named", paths)
	}
}
