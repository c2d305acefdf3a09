// Size counts the code that is linked into winnow, package by package, and writes the
// table into docs/lab/benchmarks.md. Test files, test support and the programs in docs are
// left out: they are not reachable from main.
//
//	go run ./docs/size          write the table
//	go run ./docs/size -print   print it
package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// The markers between which the table is written.
const (
	begin = "<!-- size -->\n"
	end   = "<!-- /size -->\n"
)

const page = "docs/lab/benchmarks.md"

func main() {
	if err := run(slices.Contains(os.Args[1:], "-print")); err != nil {
		fmt.Fprintln(os.Stderr, "size:", err)
		os.Exit(1)
	}
}

func run(printed bool) error {
	packages, err := measure(".")
	if err != nil {
		return err
	}
	if printed {
		fmt.Print(table(packages))
		return nil
	}
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	fresh, err := update(string(text), table(packages))
	if err != nil {
		return fmt.Errorf("update %s: %w", page, err)
	}
	return os.WriteFile(page, []byte(fresh), 0o644)
}

// update returns text with what is between the markers replaced.
func update(text, table string) (string, error) {
	before, rest, found := strings.Cut(text, begin)
	_, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		return "", errors.New("the markers are missing")
	}
	return before + begin + table + end + after, nil
}

// size is what a package holds.
type size struct {
	name       string // relative to the module; "main" for its root
	statements int    // without blocks and labels
	functions  int    // with methods, without function literals
	lines      int    // all of them
	exported   int    // types, functions, methods, constants and variables at the top level
	comments   int    // lines that hold a comment
	blank      int    // empty lines
}

// measure returns the sizes of the packages of the module at root that main links.
func measure(root string) ([]size, error) {
	list := exec.Command(
		"go",
		"list",
		"-deps",
		"-f",
		"{{if .Module}}{{if .Module.Main}}{{.ImportPath}}\t{{.Dir}}{{end}}{{end}}",
		".",
	)
	list.Dir, list.Stderr = root, os.Stderr
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("list packages: %w", err)
	}
	var packages []size
	for line := range strings.Lines(string(out)) {
		name, dir, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if dir == "" {
			continue
		}
		s, err := measurePackage(dir)
		if err != nil {
			return nil, err
		}
		_, s.name, _ = strings.Cut(name, "/")
		s.name = cmp.Or(s.name, "main")
		packages = append(packages, s)
	}
	return packages, nil
}

// measurePackage counts the files of a folder for every operating system.
func measurePackage(dir string) (size, error) {
	var s size
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return s, err
	}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return s, err
		}
		if err := s.add(path, src); err != nil {
			return s, err
		}
	}
	return s, nil
}

func (s *size) add(path string, src []byte) error {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, path, src, parser.ParseComments)
	if err != nil {
		return err
	}
	for line := range bytes.Lines(src) {
		s.lines++
		if len(bytes.TrimSpace(line)) == 0 {
			s.blank++
		}
	}
	for _, c := range f.Comments {
		s.comments += fset.Position(c.End()).Line - fset.Position(c.Pos()).Line + 1
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.BlockStmt, *ast.LabeledStmt, *ast.EmptyStmt:
		case ast.Stmt:
			s.statements++
		}
		return true
	})
	for _, d := range f.Decls {
		s.declare(d)
	}
	return nil
}

func (s *size) declare(d ast.Decl) {
	names := []*ast.Ident{}
	switch d := d.(type) {
	case *ast.FuncDecl:
		s.functions++
		names = append(names, d.Name)
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, spec.Name)
			case *ast.ValueSpec:
				names = append(names, spec.Names...)
			}
		}
	}
	for _, name := range names {
		if name.IsExported() {
			s.exported++
		}
	}
}

// table returns the packages as Markdown, the largest first, after the sums of the
// top-level folders and of all.
func table(packages []size) string {
	total := size{name: "**all**"}
	rooms := map[string]*size{}
	for _, p := range packages {
		room, _, inside := strings.Cut(p.name, "/")
		if inside || room == "cli" || room == "tui" || room == "views" || room == "keymap" {
			if rooms[room] == nil {
				rooms[room] = &size{name: "**" + room + "/**"}
			}
			rooms[room].sum(p)
		}
		total.sum(p)
	}
	rows := []size{total}
	for _, r := range rooms {
		rows = append(rows, *r)
	}
	largest := func(a, b size) int {
		return cmp.Or(cmp.Compare(b.statements, a.statements), cmp.Compare(a.name, b.name))
	}
	slices.SortFunc(rows, largest)
	slices.SortFunc(packages, largest)
	var b strings.Builder
	b.WriteString(
		"\n| package | statements | functions | lines | exported | comments |\n|---|---:|---:|---:|---:|---:|\n",
	)
	for _, r := range append(rows, packages...) {
		share := 100 * r.comments / max(1, r.lines-r.blank)
		fmt.Fprintf(
			&b,
			"| %s | %d | %d | %d | %d | %d %% |\n",
			r.name,
			r.statements,
			r.functions,
			r.lines,
			r.exported,
			share,
		)
	}
	b.WriteString("\n")
	return b.String()
}

func (s *size) sum(p size) {
	s.statements += p.statements
	s.functions += p.functions
	s.lines += p.lines
	s.exported += p.exported
	s.comments += p.comments
	s.blank += p.blank
}
