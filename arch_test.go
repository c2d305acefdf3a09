package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

// A layer is what the packages at and below a path may import of this module
// and of others, and which parts of the standard library they must not. The
// longest path that fits rules.
type layer struct{ may, banned []string }

// impure is what a package that only computes has no use for.
var impure = []string{"os", "os/exec", "net", "net/http", "syscall", "path/filepath"}

var layers = map[string]layer{
	"core/memory":  {banned: []string{"os", "os/exec", "io", "net", "path/filepath", "context", "sync"}},
	"core/zstd":    {banned: impure},
	"core/charset": {may: []string{"winnow/core/charset"}, banned: impure},
	"core/jstext":  {may: []string{"golang.org/x/text"}, banned: []string{"os", "os/exec", "net", "path/filepath"}},
	"core/detect":  {may: []string{"winnow/core/jstext", "winnow/core/memory"}, banned: impure},
	"core/audit": {
		may: []string{
			"winnow/core/charset", "winnow/core/memory", "winnow/core/system", "winnow/core/detect",
			"winnow/core/jstext", "winnow/core/quietread", "winnow/core/git", "winnow/core/audit", "winnow/core/zstd",
			"golang.org/x/text",
		},
	},
	"core/audit/baseline": {
		may: []string{"winnow/core/memory"}, banned: impure,
	},
	"core/audit/judge": {
		may: []string{
			"winnow/core/memory", "winnow/core/system", "winnow/core/detect", "winnow/core/jstext",
		},
		banned: impure,
	},
	"core/git": {may: []string{"winnow/core/memory", "winnow/core/quietread", "golang.org/x/sys"}},
	"core/prompt": {
		may: []string{
			"winnow/core/jstext", "winnow/core/lesson", "winnow/core/memory", "winnow/core/detect",
		},
		banned: impure,
	},
	"core/lesson": {
		may: []string{
			"winnow/core/jstext", "winnow/core/memory", "winnow/core/detect",
		},
		banned: impure,
	},
	"core/shell":   {may: []string{"mvdan.cc/sh/v3/syntax"}, banned: impure},
	"core/trigger": {may: []string{"winnow/core/memory", "winnow/core/shell"}, banned: impure},
	"core/form": {
		may: []string{
			"winnow/core/jstext", "winnow/core/memory", "winnow/core/detect",
		},
		banned: impure,
	},
	"core/jsonl": {
		may: []string{
			"winnow/core/charset", "winnow/core/form", "winnow/core/jstext", "winnow/core/lesson",
			"winnow/core/memory", "winnow/core/system", "winnow/core/detect",
		},
		banned: impure,
	},
	"core/filter": {may: []string{"winnow/core/memory", "github.com/sahilm/fuzzy"}, banned: impure},
	"core/journal": {
		may: []string{
			"winnow/core/jstext", "winnow/core/memory", "winnow/core/detect", "winnow/core/quietread",
		},
	},
	"core/quietread":  {may: []string{"winnow/core/memory", "golang.org/x/sys"}},
	"core/atomicfile": {may: []string{"winnow/core/memory", "winnow/core/atomicfile", "golang.org/x/sys"}},
	"core/statefile":  {may: []string{"winnow/core/memory", "winnow/core/atomicfile", "winnow/core/quietread"}},
	"core/curate": {
		may: []string{
			"winnow/core/compare", "winnow/core/memory", "winnow/core/system", "winnow/core/atomicfile",
			"winnow/core/detect", "winnow/core/curate",
		},
	},
	"core/curate/plan": {
		may: []string{
			"winnow/core/charset", "winnow/core/jsonl", "winnow/core/memory", "winnow/core/system",
			"winnow/core/detect", "winnow/core/lesson", "winnow/core/trigger",
		},
		banned: impure,
	},
	"core/watch":    {may: []string{"winnow/core/memory", "github.com/fsnotify/fsnotify", "golang.org/x/sys"}},
	"core/demo":     {may: []string{"winnow/core/jsonl", "winnow/core/jstext", "winnow/core/lesson"}},
	"core/system":   {may: []string{"winnow/core/memory", "winnow/core/system", "winnow/core/session"}},
	"core/session":  {may: []string{"winnow/core/memory", "winnow/core/lesson"}, banned: impure},
	"core/activity": {may: []string{"winnow/core/memory"}, banned: impure},
	"core/sessions": {
		may: []string{
			"winnow/core/activity", "winnow/core/approvals", "winnow/core/atomicfile", "winnow/core/detect",
			"winnow/core/git", "winnow/core/learn", "winnow/core/memory", "winnow/core/session",
			"winnow/core/statefile", "winnow/core/system",
		},
	},
	"core/approvals": {may: []string{"winnow/core/atomicfile", "winnow/core/statefile", "winnow/core/memory"}},
	"core/approve": {
		may: []string{
			"winnow/core/approvals", "winnow/core/learn", "winnow/core/memory", "winnow/core/system",
		},
		banned: impure,
	},
	"core/learn": {
		may: []string{
			"winnow/core/memory", "winnow/core/session", "winnow/core/approvals", "winnow/core/lesson",
			"winnow/core/jsonl", "winnow/core/jstext", "winnow/core/prompt", "winnow/core/detect",
			"winnow/core/compare", "winnow/core/atomicfile", "winnow/core/statefile", "winnow/core/shell",
			"winnow/core/trigger",
		},
	},
	"core/setup": {
		may: []string{
			"winnow/core/jstext", "winnow/core/memory", "github.com/pelletier/go-toml/v2",
		},
		banned: impure,
	},
	"core/config": {
		may: []string{
			"winnow/core/memory", "winnow/core/filter", "winnow/core/detect", "winnow/core/jstext",
			"winnow/core/atomicfile", "winnow/core/statefile", "winnow/core/quietread",
			"github.com/pelletier/go-toml/v2",
		},
	},
	"core/lessonfile": {
		may: []string{
			"winnow/core/memory", "winnow/core/system", "winnow/core/lesson", "winnow/core/jsonl",
			"winnow/core/jstext", "winnow/core/prompt", "winnow/core/compare", "winnow/core/filestore",
			"winnow/core/atomicfile", "winnow/core/quietread", "winnow/core/annotate", "winnow/core/git",
		},
	},
	"core/annotate": {
		may: []string{
			"winnow/core/charset", "winnow/core/jsonl", "winnow/core/memory", "winnow/core/jstext",
			"winnow/core/lesson", "winnow/core/detect",
		},
		banned: impure,
	},
	"core/procs": {may: []string{"winnow/core/memory", "winnow/core/quietread"}},
	"core/filestore": {
		may: []string{
			"winnow/core/charset", "winnow/core/memory", "winnow/core/jsonl", "winnow/core/system",
			"winnow/core/atomicfile", "winnow/core/quietread", "winnow/core/annotate",
		},
	},
	"core/entries": {
		may: []string{
			"winnow/core/annotate", "winnow/core/atomicfile", "winnow/core/filestore", "winnow/core/jsonl",
			"winnow/core/memory", "winnow/core/quietread", "winnow/core/system",
		},
		banned: impure,
	},
	"core/sqlite": {
		may: []string{
			"winnow/core/memory", "winnow/core/quietread", "winnow/core/atomicfile", "modernc.org/sqlite",
		},
	},
	"core/compare": {
		may: []string{
			"winnow/core/memory", "winnow/core/lesson", "winnow/core/detect",
		},
		banned: impure,
	},
	"core/share": {
		may: []string{
			"winnow/core/jstext", "winnow/core/lesson", "winnow/core/memory", "github.com/pelletier/go-toml/v2",
		},
		banned: impure,
	},
	"core/systems": {
		may: []string{
			"winnow/core/charset", "winnow/core/entries", "winnow/core/session",
			"winnow/core/lessonfile", "github.com/pelletier/go-toml/v2", "winnow/core/zstd", "winnow/core/form",
			"winnow/core/jsonl", "winnow/core/memory", "winnow/core/system", "winnow/core/lesson",
			"winnow/core/jstext", "winnow/core/prompt", "winnow/core/detect", "winnow/core/journal",
			"winnow/core/git", "winnow/core/quietread", "winnow/core/atomicfile", "winnow/core/annotate",
			"winnow/core/procs", "winnow/core/filestore", "winnow/core/sqlite", "winnow/core/compare",
			"winnow/core/systems/instructions", "winnow/core/systems/claudecode/transcript",
			"winnow/core/systems/claudecode/markdown", "go.yaml.in/yaml/v3", "golang.org/x/sys",
		},
	},
	"core/systems/winnow": {
		may: []string{
			"winnow/core/annotate", "winnow/core/atomicfile", "winnow/core/filestore", "winnow/core/git",
			"winnow/core/jstext",
			"winnow/core/lesson", "winnow/core/lessonfile", "winnow/core/memory", "winnow/core/prompt",
			"winnow/core/quietread",
			"winnow/core/system", "github.com/blevesearch/snowballstem",
		},
	},
	"core/systems/claudecode/markdown": {
		may: []string{"winnow/core/jstext"}, banned: impure,
	},
	"core/systems/all":   {may: []string{"winnow/core/system", "winnow/core/systems"}},
	"core/problems/past": {may: []string{"winnow/core/git", "winnow/core/memory", "winnow/core/problems"}},
	"core/problems": {
		may:    []string{"winnow/core/compare", "winnow/core/memory"},
		banned: []string{"os", "os/exec", "net", "net/http", "syscall"},
	},
	"core/fix": {
		may: []string{
			"winnow/core/atomicfile", "winnow/core/charset", "winnow/core/curate", "winnow/core/detect",
			"winnow/core/git",
			"winnow/core/library", "winnow/core/memory", "winnow/core/system",
		},
	},

	"core/inbox": {
		may: []string{
			"winnow/core/approvals", "winnow/core/charset", "winnow/core/compare", "winnow/core/config",
			"winnow/core/curate",
			"winnow/core/detect", "winnow/core/git", "winnow/core/jstext", "winnow/core/learn", "winnow/core/library",
			"winnow/core/memory", "winnow/core/problems", "winnow/core/quietread", "winnow/core/session",
			"winnow/core/sessions", "winnow/core/statefile", "winnow/core/system", "winnow/core/trigger",
		},
	},
	"core/serve": {
		may: []string{
			"winnow/core/approvals", "winnow/core/atomicfile", "winnow/core/detect", "winnow/core/learn",
			"winnow/core/library", "winnow/core/memory", "winnow/core/prompt", "winnow/core/quietread",
			"winnow/core/session", "winnow/core/sessions", "winnow/core/share/joined",
			"winnow/core/statefile", "winnow/core/system", "winnow/core/trigger",
		},
	},
	"core/home": {
		may: []string{
			"winnow/core/annotate", "winnow/core/charset", "winnow/core/detect", "winnow/core/git",
			"winnow/core/library", "winnow/core/memory", "winnow/core/problems", "winnow/core/quietread",
			"winnow/core/sessions", "winnow/core/system",
		},
	},
	"core/sync": {
		may: []string{
			"winnow/core/approvals", "winnow/core/atomicfile", "winnow/core/audit", "winnow/core/curate",
			"winnow/core/detect",
			"winnow/core/git", "winnow/core/learn", "winnow/core/lesson", "winnow/core/library", "winnow/core/memory",
			"winnow/core/share", "winnow/core/system",
		},
	},
	"core/share/joined": {
		may: []string{"winnow/core/atomicfile", "winnow/core/learn", "winnow/core/memory", "winnow/core/system"},
	},
	"core/library": {
		may: []string{
			"winnow/core/activity", "winnow/core/annotate", "winnow/core/approvals", "winnow/core/approve",
			"winnow/core/atomicfile", "winnow/core/audit", "winnow/core/charset", "winnow/core/compare",
			"winnow/core/config", "winnow/core/curate",
			"winnow/core/detect", "winnow/core/filter", "winnow/core/git", "winnow/core/jsonl", "winnow/core/learn",
			"winnow/core/lesson", "winnow/core/memory", "winnow/core/problems", "winnow/core/quietread",
			"winnow/core/sessions", "winnow/core/share/joined", "winnow/core/statefile", "winnow/core/system",
			"winnow/core/watch",
		},
	},
	"core":   {may: []string{"winnow/core"}},
	"keymap": {may: []string{"charm.land/bubbles/v2/key"}, banned: impure},
	"views": {
		may: []string{
			"winnow/core/memory", "winnow/core/activity", "winnow/core/session", "winnow/views", "winnow/keymap",
			"charm.land/lipgloss/v2",
			"charm.land/bubbles/v2/key", "github.com/charmbracelet/x/ansi", "github.com/rivo/uniseg",
			"github.com/aymanbagabas/go-udiff/lcs",
		},
		banned: append([]string{"context", "encoding/json", "sync"}, impure...),
	},
	"tui": {
		may: []string{
			"winnow/core/memory", "winnow/core/activity", "winnow/core/session", "winnow/core/filter",
			"winnow/core/jstext", "winnow/core/config", "winnow/keymap", "winnow/views", "winnow/tui",
			"charm.land", "github.com/charmbracelet/x", "github.com/sahilm/fuzzy",
		},
		banned: []string{"os", "os/exec", "net", "net/http", "path/filepath"},
	},
	"cli/mcp":          {may: []string{"winnow/core/memory"}, banned: impure},
	"cli/e2e/variants": {may: []string{"winnow"}}, // winnow itself, for tests
	"cli/program":      {may: []string{"winnow", "charm.land/bubbletea/v2", "github.com/charmbracelet/x"}},
	// Commands compute with what is pure in the core. What reads or writes they ask the
	// library for, which is handed in.
	"cli": {
		may: []string{
			"winnow/core/memory", "winnow/core/activity", "winnow/core/session", "winnow/core/filter",
			"winnow/core/detect", "winnow/core/jstext", "winnow/core/setup", "winnow/core/config",
			"winnow/core/audit/baseline",
			"winnow/views", "winnow/keymap", "winnow/cli", "github.com/spf13/cobra", "github.com/spf13/pflag",
			"github.com/aymanbagabas/go-udiff",
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
			isShared := imp == root+"all" || imp == root+"instructions"
			isOwn := strings.HasPrefix(dir, imp) || strings.HasPrefix(imp, dir+"/")
			if strings.HasPrefix(imp, root) && dir != root+"all" && !isShared && !isOwn {
				t.Errorf("%s names the system %s; only core/systems/all may", file, imp)
			}
		}
	})
}

// TestFrontEndsNameNoSystem: what is special about a system is data that it gives.
func TestFrontEndsNameNoSystem(t *testing.T) {
	systems := []string{
		"karnevil9", "claudecode", "codex", "gemini", "opencode", "kimchi", "hermes", "arbiter", "handbook",
		"qwencode", "goose", "serena", "mcpmemory",
	}
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

// testSupport are the folders whose code only tests link.
var testSupport = []string{
	"core/audit/audittest", "core/librarytest", "core/system/systemtest", "core/atomicfile/crashdisk",
	"core/vectortest", "tui/tuitest", "cli/e2e/agents",
}

// TestGitOfAShareKnowsNoStore keeps what talks with the repository of a share away from stores: what comes from
// there is hostile.
func TestGitOfAShareKnowsNoStore(t *testing.T) {
	may, files := []string{"winnow/core/memory", "winnow/core/atomicfile", "winnow/core/git"}, 0
	eachFile(t, func(file string, _ *token.FileSet, f *ast.File) {
		if !strings.HasPrefix(file, "core/sync/remote") {
			return
		}
		files++
		for _, spec := range f.Imports {
			imp, _ := strconv.Unquote(spec.Path.Value)
			if strings.HasPrefix(imp, "winnow/") && !slices.Contains(may, imp) {
				t.Errorf("%s must not import %s", file, imp)
			}
		}
	})
	if files == 0 {
		t.Error("no such file")
	}
}

// writers are the folders and files whose code may change files. Looking changes
// nothing: everything else reads. In cli, a draft for $EDITOR and the report of a
// crash are files of our own.
var writers = []string{
	".", "cli/env.go", "cli/draft.go", "core/atomicfile", "core/curate", "core/demo", "core/inbox/distil_command.go",
	"core/learn", "core/librarytest", "core/sync/remote_share.go", "core/system/systemtest", "cli/program",
	"cli/e2e/agents", "docs",
}

func TestOnlyWritersWrite(t *testing.T) {
	writing := []string{
		"WriteFile", "Create", "CreateTemp", "Rename", "Remove", "RemoveAll", "Mkdir", "MkdirAll", "MkdirTemp",
		"Chmod", "Chown", "Chtimes", "Symlink", "Link", "Truncate", "CopyFS",
		"O_RDWR", "O_WRONLY", "O_CREATE", "O_APPEND", "O_TRUNC",
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
	pure := []string{
		"views", "tui", "keymap", "core/memory", "core/lesson", "core/lessonfile", "core/jstext", "core/detect",
		"core/prompt", "core/filter", "core/system", "core/library", "core/fix", "core/sync", "core/inbox",
		"core/serve", "core/home", "core/systems", "core/curate", "core/atomicfile", "core/quietread", "core/audit",
	}
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

// TestEnvironmentIsHandedIn keeps the environment and the working folder of the process out of all code but that
// which hands them in: several programs run beside each other in one process of tests.
func TestEnvironmentIsHandedIn(t *testing.T) {
	askers := []string{"core/system/system.go", "core/git/variables.go", "cli/program/demo.go"}
	ask := []string{
		"Getenv", "LookupEnv", "Environ", "ExpandEnv", "Getwd", "UserHomeDir", "UserConfigDir", "Setenv", "Clearenv",
		"Chdir",
	}
	eachFile(t, func(file string, fset *token.FileSet, f *ast.File) {
		dir := path.Dir(file)
		isCode := within(dir, []string{"core", "cli", "tui", "views"}) && !within(dir, testSupport)
		if !isCode || slices.Contains(askers, file) {
			return
		}
		eachSelector(f, func(pkg, name string, pos token.Pos) {
			if pkg == "os" && slices.Contains(ask, name) {
				t.Errorf("%s: os.%s: the machine is handed in, see system.Env", fset.Position(pos), name)
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
			imp, _ := strconv.Unquote(spec.Path.Value)
			isNet := imp == "net" || strings.HasPrefix(imp, "net/") && imp != "net/url" && imp != "net/netip"
			if imp == "winnow/"+model || isNet {
				t.Errorf("%s imports %s", file, imp)
			}
		}
	})
}

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
						at := fset.Position(n.Pos())
						t.Errorf("%s: an expression is compiled at each start: put it into sync.OnceValue", at)
					}
				}
				return true
			})
		}
	})
}

// TestKeysAreMatchedByBinding forbids comparing the text of a message: keys
// belong to package keymap.
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

// eachFile passes on the syntax of every Go file that is not a test.
func eachFile(t *testing.T, fn func(file string, fset *token.FileSet, f *ast.File)) {
	t.Helper()
	files, err := parsed()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		fn(f.name, f.set, f.File)
	}
}

// sourceFile is a Go file.
type sourceFile struct {
	name string
	set  *token.FileSet
	*ast.File
}

// parsed parses the files of the tree that are no tests, once for all tests.
var parsed = sync.OnceValues(func() ([]sourceFile, error) { return parse(false) })

// parse parses the Go files of the tree: those of tests, or the others.
func parse(tests bool) (files []sourceFile, err error) {
	fset := token.NewFileSet()
	err = filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); name != "." && (name[0] == '.' || name == "testdata") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") != tests {
			return nil
		}
		f, err := parser.ParseFile(fset, file, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		files = append(files, sourceFile{filepath.ToSlash(file), fset, f})
		return nil
	})
	return files, err
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

// How many lines of over 120 columns are left, without those that a text of its own makes long. Both only ever fall.
const (
	mostLongLines     = 0
	mostLongTestLines = 285
)

// TestNoMoreLinesAreLong counts the lines of over 120 columns, a tab as four.
func TestNoMoreLinesAreLong(t *testing.T) {
	files, err := parsed()
	if err != nil {
		t.Fatal(err)
	}
	atMost(t, "lines are too long", longLines(t, files), mostLongLines)
}

// TestNoMoreLinesOfTestsAreLong is the same of tests.
func TestNoMoreLinesOfTestsAreLong(t *testing.T) {
	files, err := parse(true)
	if err != nil {
		t.Fatal(err)
	}
	if found := longLines(t, files); found > mostLongTestLines {
		t.Errorf("%d lines of tests are too long, %d were left: mend the new ones", found, mostLongTestLines)
	}
}

// longLines counts the lines that are too long.
func longLines(t *testing.T, files []sourceFile) (long int) {
	const most, tab, ownText = 120, 4, 70
	literal := regexp.MustCompile(fmt.Sprintf(`"(?:\\.|[^"\\]){%d,}"|`+"`", ownText))
	for _, f := range files {
		text, err := os.ReadFile(f.name)
		if err != nil {
			t.Fatal(err)
		}
		isText := linesOfTexts(f.set, f.File)
		n := 0
		for line := range strings.Lines(string(text)) {
			n++
			line = strings.TrimRight(line, "\n")
			width := utf8.RuneCountInString(line) + (tab-1)*strings.Count(line, "\t")
			if width > most && !isText[n] && !literal.MatchString(line) {
				long++
				t.Logf("%s:%d: %d columns", f.name, n, width)
			}
		}
	}
	return long
}

// linesOfTexts returns the lines of a file that are inside of a text in backquotes.
func linesOfTexts(fset *token.FileSet, f *ast.File) map[int]bool {
	all := map[int]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		text, ok := n.(*ast.BasicLit)
		if !ok || text.Kind != token.STRING || text.Value[0] != '`' {
			return true
		}
		for at := fset.Position(text.Pos()).Line; at <= fset.Position(text.End()).Line; at++ {
			all[at] = true
		}
		return true
	})
	return all
}
