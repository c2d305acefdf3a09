package lesson

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // the vectors name time zones

	"winnow/core/jstext"
	"winnow/core/vectortest"
)

func parse1(t *testing.T, line string) jstext.Value {
	t.Helper()
	v, err := jstext.Parse(line)
	if err != nil {
		t.Fatalf("parse %q: %v", line, err)
	}
	return v
}

func zoneOf(t *testing.T, name vectortest.Value) *time.Location {
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
		id, _ := l.At(i).Value.Field(KeyID)
		out = append(out, id.Str())
	}
	return out
}

func splitLines(file string) []string {
	return strings.Split(strings.TrimSuffix(file, "\n"), "\n")
}
