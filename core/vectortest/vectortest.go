// Package vectortest reads the vectors that tests compare Winnow with: what the
// original was given, and what it made of it. A kind of vectors is one file of JSON
// lines {"name": ..., "input": ..., "want": ...}, for example search.jsonl.
//
// The files are those of testdata/vectors/karnevil9, or of the folder that the
// environment names in WINNOW_VECTORS.
package vectortest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/jstext"
)

// Vector is one case.
type Vector struct {
	Name        string
	Input, Want Value
}

// Differs reports that Winnow made something else of v. Cases named weird-, whose
// order is an accident of the original's sort, and ext-, which have sections that
// Winnow does not preview, are skipped then: agreeing with them is a bonus.
func (v Vector) Differs(t *testing.T, format string, args ...any) {
	t.Helper()
	if strings.HasPrefix(v.Name, "weird-") || strings.HasPrefix(v.Name, "ext-") {
		t.Skipf("optional, and differs: "+format, args...)
	}
	t.Errorf(format, args...)
}

// Each runs fn in a subtest for each vector of a kind. The test fails when the file
// of the kind is missing or empty.
func Each(t *testing.T, kind string, fn func(t *testing.T, v Vector)) {
	t.Helper()
	for _, v := range load(t, kind) {
		t.Run(v.Name, func(t *testing.T) { fn(t, v) })
	}
}

func load(t *testing.T, kind string) []Vector {
	t.Helper()
	path := filepath.Join(folder(t), kind+".jsonl")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var list []Vector
	for line := range strings.Lines(string(data)) {
		v, err := jstext.Parse(line)
		if err != nil {
			t.Fatalf("%s line %d: %v", path, len(list)+1, err)
		}
		all := Value{v}
		list = append(list, Vector{all.Member("name").Str(), all.Member("input"), all.Member("want")})
	}
	if len(list) == 0 {
		t.Fatalf("%s holds no vectors", path)
	}
	return list
}

// folder returns the folder of the vectors. A test runs in the folder of its
// package, which is somewhere below that of the module.
func folder(t *testing.T) string {
	t.Helper()
	if dir := os.Getenv("WINNOW_VECTORS"); dir != "" {
		return dir
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(dir, "testdata", "vectors", "karnevil9")
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatal("no folder above has a go.mod, and WINNOW_VECTORS names none with vectors")
		}
		dir = up
	}
}
