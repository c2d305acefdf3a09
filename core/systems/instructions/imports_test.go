package instructions

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/core/filestore"
	"winnow/core/jstext"
)

// codeSlowly is what codeIn does, as a machine for regular expressions goes about it.
func codeSlowly(text string) (regions [][2]int) {
	for i := 0; i < len(text); {
		run := 0
		for i+run < len(text) && text[i+run] == '`' {
			run++
		}
		end := 0
		for k := run; k > 0 && end == 0; k-- {
			if at := strings.Index(text[i+k:], text[i:i+k]); at >= 0 {
				end = i + k + at + k
			}
		}
		if end == 0 {
			i++
			continue
		}
		regions = append(regions, [2]int{i, end})
		i = end
	}
	return regions
}

func FuzzCodeIsWhatTheExpressionFinds(f *testing.F) {
	for _, text := range []string{"`a`", "```\n@a\n```", "``` ` @a ` ``", "````", "`````a``", "a ``b` c`` `", "```a``b````c`"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 2000 {
			return
		}
		if got, want := codeIn(text), codeSlowly(text); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	})
}

func FuzzImportsKeepTheTextAroundThem(f *testing.F) {
	for _, text := range []string{"@a.md", "x @GEMINI.md y", "`@a.md` @./a.md.", "@../a @/ @%2e%2e/a @a\x00b @\xff", "@https://a @" + strings.Repeat("n", 300)} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		dir := t.TempDir()
		for name, text := range map[string]string{
			"GEMINI.md": text,
			"a.md":      "A @b.md " + text,
			"b.md":      "B @a.md @b.md",
		} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		text = jstext.DecodeString(text)
		im := NewImports(1 << 20)
		got := im.expand(text, filepath.Join(dir, "GEMINI.md"), dir, nil)
		rest, at := got, 0
		for _, m := range append((&Imports{}).mentions(text), mention{start: len(text), end: len(text)}) {
			between := text[at:m.start]
			i := strings.Index(rest, between)
			if i < 0 || at == 0 && i > 0 {
				t.Fatalf("%q is lost in %q", between, got)
			}
			rest, at = rest[i+len(between):], m.end
		}
		for _, path := range im.From {
			if real, err := filepath.EvalSymlinks(path); err != nil || !strings.HasPrefix(real, filestore.Real(dir)) {
				t.Fatalf("%q read %s", text, path)
			}
		}
		im.flatText(text, filepath.Join(dir, "GEMINI.md"), dir)
	})
}
