package main

import (
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strings"
	"testing"
)

// TestNames refuses names that say nothing.
func TestNames(t *testing.T) {
	empty := []string{"util", "utils", "common", "helper", "helpers", "manager", "misc", "shared"}
	eachFile(t, func(file string, fset *token.FileSet, f *ast.File) {
		if base := strings.TrimSuffix(path.Base(file), ".go"); slices.Contains(empty, base) ||
			slices.Contains(empty, f.Name.Name) {
			t.Errorf("%s: a name that says nothing", file)
		}
		for _, d := range f.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if rest, ok := strings.CutPrefix(fd.Name.Name, "Get"); ok &&
				(rest == "" || rest[0] < 'a' || rest[0] > 'z') {
				t.Errorf("%s: %s: drop the Get", fset.Position(fd.Pos()), fd.Name.Name)
			}
			if fd.Recv != nil && len(fd.Recv.List[0].Names) > 0 && fd.Recv.List[0].Names[0].Name == "self" {
				t.Errorf("%s: receiver named self", fset.Position(fd.Pos()))
			}
		}
	})
}

// TestPublicNamesAreDocumented wants a package comment in every package and a
// doc comment at every exported name.
func TestPublicNamesAreDocumented(t *testing.T) {
	documented := map[string]bool{}
	eachFile(t, func(file string, fset *token.FileSet, f *ast.File) {
		dir := path.Dir(file)
		documented[dir] = documented[dir] || f.Doc != nil
		for _, d := range f.Decls {
			for _, name := range undocumented(d) {
				t.Errorf("%s: %s has no doc comment", fset.Position(d.Pos()), name)
			}
		}
	})
	for dir, ok := range documented {
		if !ok {
			t.Errorf("package %s has no comment", dir)
		}
	}
}

// undocumented returns the exported names of a declaration that lack a comment.
func undocumented(d ast.Decl) (names []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && d.Doc == nil && exportedReceiver(d) {
			names = append(names, d.Name.Name)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() && s.Doc == nil && d.Doc == nil {
					names = append(names, s.Name.Name)
				}
			case *ast.ValueSpec:
				if s.Names[0].IsExported() && s.Doc == nil && s.Comment == nil && d.Doc == nil {
					names = append(names, s.Names[0].Name)
				}
			}
		}
	}
	return names
}

func exportedReceiver(fd *ast.FuncDecl) bool {
	if fd.Recv == nil {
		return true
	}
	typ := fd.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	if ix, ok := typ.(*ast.IndexExpr); ok {
		typ = ix.X
	}
	id, ok := typ.(*ast.Ident)
	return ok && id.IsExported()
}

// TestNoPackageStateChanges finds assignments to package variables: state lives
// in values that are handed around.
func TestNoPackageStateChanges(t *testing.T) {
	vars := map[string]map[string]bool{} // folder -> names
	eachFile(t, func(file string, _ *token.FileSet, f *ast.File) {
		dir := path.Dir(file)
		if vars[dir] == nil {
			vars[dir] = map[string]bool{}
		}
		for _, d := range f.Decls {
			gd, ok := d.(*ast.GenDecl)
			if !ok || gd.Tok != token.VAR {
				continue
			}
			for _, s := range gd.Specs {
				for _, n := range s.(*ast.ValueSpec).Names {
					vars[dir][n.Name] = n.Name != "_"
				}
			}
		}
	})
	eachFile(t, func(file string, fset *token.FileSet, f *ast.File) {
		known := vars[path.Dir(file)]
		for _, d := range f.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || fd.Body == nil {
				continue
			}
			local := locals(fd)
			for _, e := range assigned(fd.Body) {
				if id, ok := root(e).(*ast.Ident); ok && known[id.Name] && !local[id.Name] {
					t.Errorf("%s: %s is package state and is changed here", fset.Position(e.Pos()), id.Name)
				}
			}
		}
	})
}

// assigned returns what is assigned to in a body, declarations left out.
func assigned(body ast.Node) (targets []ast.Expr) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				targets = append(targets, n.Lhs...)
			}
		case *ast.IncDecStmt:
			targets = append(targets, n.X)
		}
		return true
	})
	return targets
}

// locals returns every name that a function declares anywhere inside it.
func locals(fd *ast.FuncDecl) map[string]bool {
	names := map[string]bool{}
	add := func(e ast.Expr) {
		if id, ok := e.(*ast.Ident); ok {
			names[id.Name] = true
		}
	}
	ast.Inspect(fd, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			for _, id := range n.Names {
				names[id.Name] = true
			}
		case *ast.ValueSpec:
			for _, id := range n.Names {
				names[id.Name] = true
			}
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				for _, e := range n.Lhs {
					add(e)
				}
			}
		case *ast.RangeStmt:
			add(n.Key)
			add(n.Value)
		}
		return true
	})
	return names
}

// root strips selectors and indexes: the variable that a.b[c] changes is a.
func root(e ast.Expr) ast.Expr {
	for {
		switch x := e.(type) {
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		default:
			return e
		}
	}
}
