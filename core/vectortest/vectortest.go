// Package vectortest reads the vectors that tests compare Winnow with: what the
// original was given, and what it made of it. The vectors of a system are a folder,
// and a kind of vectors is a file of JSON lines {"name": ..., "input": ...,
// "want": ...} in it, for example karnevil9/search.jsonl.
//
// The folders are in testdata/vectors, or in the folder that the environment names in
// WINNOW_VECTORS. A file that is missing or empty fails the test.
package vectortest

import (
	"encoding/json"
	"fmt"
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

// Each runs fn in a subtest for each vector of a system's kind.
func Each(t *testing.T, system, kind string, fn func(t *testing.T, v Vector)) {
	t.Helper()
	eachLine(t, system, kind, func(line string) (Vector, error) {
		v, err := jstext.Parse(line)
		all := Value{v}
		return Vector{all.Member("name").Str(), all.Member("input"), all.Member("want")}, err
	}, func(v Vector) {
		t.Run(v.Name, func(t *testing.T) { fn(t, v) })
	})
}

// EachAs is Each for vectors whose strings are valid UTF-8: the input and what is
// wanted are decoded into Go types.
func EachAs[In, Want any](t *testing.T, system, kind string, fn func(t *testing.T, in In, want Want)) {
	t.Helper()
	type vector struct {
		Name  string
		Input In
		Want  Want
	}
	eachLine(t, system, kind, func(line string) (v vector, err error) {
		err = json.Unmarshal([]byte(line), &v)
		return v, err
	}, func(v vector) {
		t.Run(v.Name, func(t *testing.T) { fn(t, v.Input, v.Want) })
	})
}

// EachFlat is Each for vectors whose lines have members of their own beside the name.
func EachFlat[V any](t *testing.T, system, kind string, fn func(t *testing.T, v V)) {
	t.Helper()
	type vector struct {
		name string
		v    V
	}
	eachLine(t, system, kind, func(line string) (all vector, err error) {
		var named struct{ Name string }
		if err := json.Unmarshal([]byte(line), &named); err != nil {
			return all, err
		}
		all.name = named.Name
		err = json.Unmarshal([]byte(line), &all.v)
		return all, err
	}, func(all vector) {
		t.Run(all.name, func(t *testing.T) { fn(t, all.v) })
	})
}

func eachLine[V any](t *testing.T, system, kind string, parse func(line string) (V, error), run func(V)) {
	t.Helper()
	list, err := read(filepath.Join(folder(t), system, kind+".jsonl"), parse)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range list {
		run(v)
	}
}

func read[V any](path string, parse func(line string) (V, error)) ([]V, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var list []V
	for line := range strings.Lines(string(data)) {
		v, err := parse(strings.TrimSuffix(line, "\n"))
		if err != nil {
			return nil, fmt.Errorf("%s line %d: %w", path, len(list)+1, err)
		}
		list = append(list, v)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s holds no vectors", path)
	}
	return list, nil
}

// folder returns the folder that holds the systems' folders. A test runs in the folder
// of its package, which is somewhere below that of the module.
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
			return filepath.Join(dir, "testdata", "vectors")
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatal("no folder above has a go.mod, and WINNOW_VECTORS names none with vectors")
		}
		dir = up
	}
}
