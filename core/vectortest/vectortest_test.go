package vectortest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/core/jstext"
)

func valueOf(t *testing.T, text string) Value {
	t.Helper()
	v, err := jstext.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return Value{v}
}

func TestTextsAreReadInBothSpellings(t *testing.T) {
	v := valueOf(t, `["a",{"$utf16":[55357,56832]},{"$utf16":[55357]},5]`)
	want := []string{"a", "\U0001F600", "\xed\xa0\xbd", ""}
	if got := v.Texts(); !slices.Equal(got, want) {
		t.Errorf("got %+q, want %+q", got, want)
	}
	if got := v.Resolved().AppendJSON(nil); string(got) != `["a","😀","\ud83d",5]` {
		t.Errorf("resolved %s", got)
	}
}

func TestFilesAreReadInBothSpellings(t *testing.T) {
	v := valueOf(t, `{"text":"a\n","raw":{"$b64":"/wA="},"none":null}`)
	for key, want := range map[string]string{"text": "a\n", "raw": "\xff\x00", "none": "", "missing": ""} {
		if got := v.Member(key).File(t); string(got) != want {
			t.Errorf("%s: %q", key, got)
		}
	}
	if !v.Has("none") || v.Has("missing") || !v.Member("none").IsNull() || !v.Member("missing").IsNull() {
		t.Error("null and missing are confused")
	}
}

func TestVectorsOfEachSystemAreFoundInTheNamedFolder(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("WINNOW_VECTORS", dir)
	for _, system := range []string{"karnevil9", "claudecode"} {
		if err := os.Mkdir(filepath.Join(dir, system), 0o755); err != nil {
			t.Fatal(err)
		}
		text := `{"name":"one","input":"` + system + `","want":2}`
		if err := os.WriteFile(filepath.Join(dir, system, "inject.jsonl"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		n := 0
		Each(t, system, "inject", func(t *testing.T, v Vector) {
			if n++; v.Input.Text() != system {
				t.Errorf("input %q", v.Input.Text())
			}
		})
		EachAs(t, system, "inject", func(t *testing.T, in string, want int) {
			if n++; in != system || want != 2 {
				t.Errorf("input %q, want %d", in, want)
			}
		})
		if n != 2 {
			t.Errorf("%s: %d ran", system, n)
		}
	}
}

func TestAFileThatIsMissingEmptyOrTornFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "inject.jsonl")
	parse := func(line string) (jstext.Value, error) { return jstext.Parse(line) }
	if _, err := read(path, parse); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
	for text, want := range map[string]string{"": "holds no vectors", "{}\n{\"na": "line 2"} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := read(path, parse); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestVectorsAreFoundFromAPackage(t *testing.T) {
	n := 0
	Each(t, "karnevil9", "lower", func(t *testing.T, v Vector) {
		if n++; v.Name == "" || v.Input.IsNull() || v.Want.IsNull() {
			t.Errorf("vector %+v", v)
		}
	})
	if n == 0 {
		t.Error("none was run")
	}
}
