package main

import (
	"go/ast"
	"go/token"
	"path"
	"slices"
	"testing"
)

// The measures of the code that is no test. Each may only fall.
const (
	mostComplex   = 6  // functions with a cyclomatic complexity over 15, without those of readWhole
	mostOrOfErrs  = 15 // calls of cmp.Or with an error
	mostBoolTexts = 1  // maps from bool that stand for an if
)

// readWhole are the functions with more branches that read best whole, each with the reason.
var readWhole = map[string]string{
	"core/detect.findSecret":                             "the kinds of literals, each with what finds its secret",
	"core/detect.sentenceEndLen":                         "what ends a sentence, by the first byte",
	"core/shell.stmt":                                    "the kinds of statements that a shell has",
	"core/systems/claudecode/markdown.begins":            "the kinds of blocks that CommonMark has",
	"core/systems/claudecode/markdown.beginsItem":        "what CommonMark says begins an item, in its order",
	"core/systems/claudecode/markdown.continues":         "what continues a block of CommonMark, by its kind",
	"core/systems/claudecode/markdown.destinationLength": "what CommonMark says ends a destination, by character",
	"core/systems/claudecode/markdown.line":              "how CommonMark takes a line apart, in its order",
	"core/systems/claudecode/markdown.special":           "the signs of CommonMark",
	"core/systems/claudecode/transcript.withoutData":     "a scanner of JSON in one pass, by byte",
	"core/systems/codex.event":                           "the kinds of events that Codex writes",
	"tui.onChange":                                       "the messages that are about changes",
	"tui.onRequest":                                      "the messages of pages and dialogs",
	"tui/pages/lessons.Update":                           "the messages that the page takes",
}

// TestNoMoreFunctionsAreComplex counts the functions that have more than 15 ways through them.
func TestNoMoreFunctionsAreComplex(t *testing.T) {
	const most = 15
	found := 0
	isComplex := map[string]bool{}
	eachFile(t, func(file string, fset *token.FileSet, f *ast.File) {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || complexity(fn) <= most {
				continue
			}
			name := path.Dir(file) + "." + fn.Name.Name
			isComplex[name] = true
			if readWhole[name] == "" {
				found++
				t.Logf("%s: %s: %d", fset.Position(fn.Pos()), fn.Name.Name, complexity(fn))
			}
		}
	})
	for name := range readWhole {
		if !isComplex[name] {
			t.Errorf("%s is not complex any more: take it out of readWhole", name)
		}
	}
	atMost(t, "functions are complex", found, mostComplex)
}

// complexity is one more than the number of branches of a function.
func complexity(fn *ast.FuncDecl) int {
	n := 1
	ast.Inspect(fn, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			n++
		case *ast.CaseClause:
			if node.List != nil {
				n++
			}
		case *ast.CommClause:
			if node.Comm != nil {
				n++
			}
		case *ast.BinaryExpr:
			if node.Op == token.LAND || node.Op == token.LOR {
				n++
			}
		}
		return true
	})
	return n
}

// TestNoMoreErrorsAreChosenByOr: cmp.Or evaluates all that it is given, so that an error does not stop what follows.
func TestNoMoreErrorsAreChosenByOr(t *testing.T) {
	found := count(t, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return false
		}
		s, ok := call.Fun.(*ast.SelectorExpr)
		return ok && s.Sel.Name == "Or" && isNamed(s.X, "cmp") &&
			slices.ContainsFunc(call.Args, func(arg ast.Expr) bool { return isNamed(arg, "err") })
	})
	atMost(t, "calls of cmp.Or have an error", found, mostOrOfErrs)
}

// TestNoMoreMapsStandForAnIf: map[bool]string{true: a, false: b}[cond].
func TestNoMoreMapsStandForAnIf(t *testing.T) {
	found := count(t, func(n ast.Node) bool {
		index, ok := n.(*ast.IndexExpr)
		if !ok {
			return false
		}
		lit, ok := index.X.(*ast.CompositeLit)
		if !ok {
			return false
		}
		m, ok := lit.Type.(*ast.MapType)
		return ok && isNamed(m.Key, "bool")
	})
	atMost(t, "maps from bool stand for an if", found, mostBoolTexts)
}

// count returns how many nodes of the code are what is looked for.
func count(t *testing.T, is func(ast.Node) bool) (found int) {
	eachFile(t, func(_ string, _ *token.FileSet, f *ast.File) {
		ast.Inspect(f, func(n ast.Node) bool {
			if is(n) {
				found++
			}
			return true
		})
	})
	return found
}

func isNamed(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

// atMost fails unless exactly as many were found as are left.
func atMost(t *testing.T, what string, found, left int) {
	t.Helper()
	if found != left {
		t.Errorf("%d %s, %d are left: mend the new ones, or lower the number", found, what, left)
	}
}
