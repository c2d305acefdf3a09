package redact

import (
	"bufio"
	"os"
	"path/filepath"
	"testing"

	"winnow/core/jstext"
)

// vectors calls check with each line of the vectors of a kind.
func vectors(t *testing.T, kind string, check func(name string, input, want jstext.Value)) {
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
		v, err := jstext.Parse(lines.Text())
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
func text(v jstext.Value, name string) string {
	f, _ := v.Field(name)
	list, ok := f.Field("$utf16")
	if !ok {
		return f.Str()
	}
	u := make([]uint16, list.Len())
	for i := range u {
		u[i] = uint16(list.At(i).Number())
	}
	return jstext.FromUnits(u)
}

func TestOriginalAgreesWithVectors(t *testing.T) {
	vectors(t, "redact", func(name string, input, want jstext.Value) {
		if got := Original(text(input, "text")); got != text(want, "text") {
			t.Errorf("%s: got %+q, want %+q", name, got, text(want, "text"))
		}
	})
}

func TestPayloadAgreesWithVectors(t *testing.T) {
	vectors(t, "journal_redact", func(name string, input, want jstext.Value) {
		v, err := jstext.Parse(text(input, "payload_json"))
		if err != nil {
			t.Fatal(err)
		}
		if got := string(Payload(v).AppendJSON(nil)); got != text(want, "payload_json") {
			t.Errorf("%s: got %s, want %s", name, got, text(want, "payload_json"))
		}
	})
}
