package karnevil9

import (
	"bytes"
	"os"
	"reflect"
	"testing"

	"winnow/core/memory"
)

func TestRecordsUsedAgainAreAsDecodedAnew(t *testing.T) {
	lines := bytes.Split(lessons(600), []byte("\n"))
	join := func(parts ...[][]byte) (text []byte) {
		for _, part := range parts {
			text = append(append(text, bytes.Join(part, []byte("\n"))...), '\n')
		}
		return text
	}
	odd := [][]byte{[]byte("null"), []byte("{half"), lines[5], []byte(`{"lesson":"no id"}`), []byte("\u00a0{}")}
	path := write(t, join(lines))
	s := openStore(t, path)
	for name, text := range map[string][]byte{
		"same":       join(lines),
		"appended":   join(lines, lessonsOf(650)[600:]),
		"evicted":    join(lines[30:], lessonsOf(620)[600:]),
		"one gone":   join(lines[:40], lines[41:]),
		"one in":     join(lines[:250], lessonsOf(700)[699:], lines[250:]),
		"reversed":   join(lines[300:], lines[:300]),
		"damaged":    join(lines[:100], odd, lines[100:]),
		"with cr":    bytes.ReplaceAll(join(lines), []byte("\n"), []byte("\r\n")),
		"with bom":   append([]byte("\ufeff"), join(lines)...),
		"all double": join(lines, lines),
	} {
		for range 2 { // the second time after itself
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
			got, want := snapshot(t, s, memory.Window{}), snapshot(t, openStore(t, path), memory.Window{})
			if !reflect.DeepEqual(got.Records, want.Records) || !reflect.DeepEqual(got.Health, want.Health) {
				t.Errorf("%s: the records or the health differ from those of a store that is opened anew", name)
			}
		}
	}
}

func lessonsOf(n int) [][]byte { return bytes.Split(lessons(n), []byte("\n")) }
