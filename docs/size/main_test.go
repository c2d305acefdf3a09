package main

import (
	"strings"
	"testing"
)

func TestBlocksAndLabelsAreNoStatements(t *testing.T) {
	var s size
	err := s.add("a.go", []byte(`// Package a has a comment.
package a

// F loops.
func F(n int) {
outer:
	for range n {
		switch {
		case n > 1:
			break outer
		}
	}
}

type t struct{ X int }
`))
	if err != nil {
		t.Fatal(err)
	}
	want := size{statements: 4, functions: 1, lines: 15, exported: 1, comments: 2, blank: 2} // for, switch, case, break
	if s != want {
		t.Errorf("got %+v, want %+v", s, want)
	}
}

func TestTableSumsRooms(t *testing.T) {
	got := table(
		[]size{{name: "main", statements: 1}, {name: "core/a", statements: 2}, {name: "core/b", statements: 3}},
	)
	for _, row := range []string{"| **all** | 6 |", "| **core/** | 5 |", "| core/b | 3 |", "| main | 1 |"} {
		if !strings.Contains(got, row) {
			t.Errorf("the table lacks %q:\n%s", row, got)
		}
	}
}
