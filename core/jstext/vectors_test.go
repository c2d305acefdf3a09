package jstext

import (
	"bufio"
	"os"
	"path/filepath"
	"testing"
)

// vectors calls check with each line of the vectors of a kind.
func vectors(t *testing.T, kind string, check func(name string, input, want Value)) {
	t.Helper()
	dir := os.Getenv("WINNOW_VECTORS")
	if dir == "" {
		dir = filepath.FromSlash("../../testdata/vectors/karnevil9")
	}
	f, err := os.Open(filepath.Join(dir, kind+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	n := 0
	for lines.Scan() {
		v, err := Parse(lines.Text())
		if err != nil {
			t.Fatal(err)
		}
		name, _ := v.Field("name")
		input, _ := v.Field("input")
		want, _ := v.Field("want")
		check(name.Str(), input, want)
		n++
	}
	if err := lines.Err(); err != nil || n == 0 {
		t.Fatalf("%s: %d vectors, %v", kind, n, err)
	}
}

// text returns the string member, which may be given as its units.
func text(v Value, name string) string {
	f, _ := v.Field(name)
	list, ok := f.Field("$utf16")
	if !ok {
		return f.Str()
	}
	u := make([]uint16, list.Len())
	for i := range u {
		u[i] = uint16(list.At(i).Number())
	}
	return FromUnits(u)
}

func TestLowerAgreesWithVectors(t *testing.T) {
	vectors(t, "lower", func(name string, input, want Value) {
		if got := Lower(text(input, "text")); got != text(want, "text") {
			t.Errorf("%s: got %+q, want %+q", name, got, text(want, "text"))
		}
	})
}

func TestWrittenJSONAgreesWithVectors(t *testing.T) {
	vectors(t, "save", func(name string, input, want Value) {
		list, _ := input.Field("lessons_json")
		var got []byte
		for i := range list.Len() {
			v, err := Parse(list.At(i).Str())
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			got = append(v.AppendJSON(got), '\n')
		}
		if saved := text(want, "bytes"); list.Len() <= 100 && string(got) != saved {
			t.Errorf("%s: got %q, want %q", name, got, saved)
		}
	})
}
