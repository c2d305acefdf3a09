package lesson

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // the vectors name time zones

	"winnow/core/jstext"
)

// vector is one case of the vectors: what the original was given and what it made.
type vector struct {
	name        string
	input, want value
}

// value is a JSON value of a vector. Missing members are null.
type value struct{ jstext.Value }

func (v value) get(key string) value { f, _ := v.Field(key); return value{f} }
func (v value) at(i int) value       { return value{v.At(i)} }
func (v value) has(key string) bool  { _, ok := v.Field(key); return ok }
func (v value) null() bool           { return v.Kind() == jstext.Null }

// text returns a string of the vector: lone surrogates stand as {"$utf16":[...]}.
func (v value) text() string {
	if u := v.get("$utf16"); !u.null() {
		units := make([]uint16, u.Len())
		for i := range units {
			units[i] = uint16(u.At(i).Number())
		}
		return jstext.FromUnits(units)
	}
	return v.Str()
}

// file returns the bytes of a file of the vector.
func (v value) file(t *testing.T) string {
	t.Helper()
	if b := v.get("$b64"); !b.null() {
		raw, err := base64.StdEncoding.DecodeString(b.Str())
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	return v.Str()
}

func (v value) texts() []string {
	out := []string{}
	for i := range v.Len() {
		out = append(out, v.at(i).text())
	}
	return out
}

func (v value) time(t *testing.T) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, v.Str())
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// vectors returns the vectors of a kind, and fails when there are none.
func vectors(t *testing.T, kind string) []vector {
	t.Helper()
	dir := os.Getenv("WINNOW_VECTORS")
	if dir == "" {
		dir = filepath.Join("..", "..", "testdata", "vectors", "karnevil9")
	}
	data, err := os.ReadFile(filepath.Join(dir, kind+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var out []vector
	for i, line := range strings.Split(string(data), "\n") {
		if line == "" {
			continue
		}
		v, err := jstext.Parse(line)
		if err != nil {
			t.Fatalf("%s line %d: %v", kind, i+1, err)
		}
		all := value{v}
		out = append(out, vector{name: all.get("name").Str(), input: all.get("input"), want: all.get("want")})
	}
	if len(out) == 0 {
		t.Fatalf("no vectors of kind %s", kind)
	}
	return out
}

// eachVector runs fn for each vector of a kind.
func eachVector(t *testing.T, kind string, fn func(t *testing.T, v vector)) {
	for _, v := range vectors(t, kind) {
		t.Run(v.name, func(t *testing.T) { fn(t, v) })
	}
}

func parse1(t *testing.T, line string) jstext.Value {
	t.Helper()
	v, err := jstext.Parse(line)
	if err != nil {
		t.Fatalf("parse %q: %v", line, err)
	}
	return v
}

func zoneOf(t *testing.T, name value) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(name.Str())
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func same[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if g, w := fmt.Sprintf("%q", any(got)), fmt.Sprintf("%q", any(want)); g != w {
		t.Errorf("%s:\n got %s\nwant %s", what, g, w)
	}
}

func sha(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// linesIn returns each held value as JSON.
func linesIn(l *List) []string {
	out := []string{}
	for i := range l.Len() {
		out = append(out, string(l.At(i).Value.AppendJSON(nil)))
	}
	return out
}

func idsIn(l *List) []string {
	out := []string{}
	for i := range l.Len() {
		id, _ := l.At(i).Value.Field(keyID)
		out = append(out, id.Str())
	}
	return out
}
