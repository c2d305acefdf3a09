package main

import (
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestOneWayToTheTerminal holds that the command line prints through cli/output alone,
// which masks stored text and makes it visible.
func TestOneWayToTheTerminal(t *testing.T) {
	printing := regexp.MustCompile(
		`^(fmt\.(Print.*|Fprint.*)|os\.(Stdout|Stderr)|io\.(WriteString|Copy.*)|bufio\.NewWriter.*)$`,
	)
	eachFile(t, func(file string, fset *token.FileSet, f *ast.File) {
		dir := path.Dir(file)
		if dir != "cli" && dir != "cli/report" {
			return
		}
		builders := map[token.Pos]bool{} // formatting into memory is no printing
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			switch to := call.Args[0].(type) {
			case *ast.UnaryExpr:
				builders[call.Fun.Pos()] = to.Op == token.AND
			case *ast.Ident:
				builders[call.Fun.Pos()] = to.Name == "b"
			}
			return true
		})
		eachSelector(f, func(pkg, name string, pos token.Pos) {
			if printing.MatchString(pkg+"."+name) && !(strings.HasPrefix(name, "Fprint") && builders[pos]) {
				t.Errorf("%s: %s.%s: print through cli/output", fset.Position(pos), pkg, name)
			}
		})
	})
}

// TestNoFrontEndNamesASystem holds that what differs between systems comes from their own
// descriptions.
func TestNoFrontEndNamesASystem(t *testing.T) {
	names := regexp.MustCompile(`(?i)karnevil|claude ?code|opencode|kimchi|hermes|arbiter|handbook`)
	eachFile(t, func(file string, fset *token.FileSet, f *ast.File) {
		if dir := path.Dir(file); dir != "cli" && dir != "cli/output" && dir != "cli/report" && dir != "cli/program" &&
			file != "main.go" {
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if s, _ := strconv.Unquote(lit.Value); names.MatchString(s) {
					t.Errorf("%s: %s: a front end names no system", fset.Position(lit.Pos()), names.FindString(s))
				}
			}
			return true
		})
	})
}
