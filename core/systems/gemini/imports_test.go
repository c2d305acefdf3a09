package gemini

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/core/jstext"
	"winnow/core/memory"
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
		for name, text := range map[string]string{contextFile: text, "a.md": "A @b.md " + text, "b.md": "B @a.md @b.md"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		text = jstext.DecodeString(text)
		im := newImporter()
		got := im.expand(text, filepath.Join(dir, contextFile), dir, nil)
		rest, at := got, 0
		for _, m := range append(mentions(text), mention{start: len(text), end: len(text)}) {
			between := text[at:m.start]
			i := strings.Index(rest, between)
			if i < 0 || at == 0 && i > 0 {
				t.Fatalf("%q is lost in %q", between, got)
			}
			rest, at = rest[i+len(between):], m.end
		}
		for _, path := range im.from {
			if real, err := filepath.EvalSymlinks(path); err != nil || !strings.HasPrefix(real, realOf(dir)) {
				t.Fatalf("%q read %s", text, path)
			}
		}
		im.flat(text, filepath.Join(dir, contextFile), dir)
	})
}

// TestImportsThatMultiplyAreCut has files each of which imports the next one fifty times.
func TestImportsThatMultiplyAreCut(t *testing.T) {
	dir := t.TempDir()
	for i, name := range []string{contextFile, "1", "2", "3", "4"} {
		text := strings.Repeat("@./"+string(rune('1'+i))+" ", 50)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "5"), []byte("end"), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := storeAt(envOf(filepath.Join(dir, "nobody"), dir), morning, dir).Recall(t.Context(), memory.Task{})
	if err != nil || r.Unread == "" || len(r.Block.Text) > 4<<20 {
		t.Errorf("%d bytes, unread %q, %v", len(r.Block.Text), r.Unread, err)
	}
}

func FuzzSettingsAreReadOrRefused(f *testing.F) {
	for _, text := range []string{"", "{}", `{"context":{"fileName":["A.md","$X",""]}}`, `{"context":{"fileName":5}}`, `{"context":{"includeDirectories":["~","${A:-b}"]}}`,
		"{// a\n}", `{"context":{"memoryBoundaryMarkers":[]}}`, `[1]`, "\xff", `{"security":{"folderTrust":{"enabled":true}}}`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		dir := t.TempDir()
		for name, text := range map[string]string{".gemini/settings.json": text, contextFile: "Use tabs.\n"} {
			path := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		r, err := storeAt(envOf(filepath.Join(dir, "nobody"), dir), morning, dir).Recall(t.Context(), memory.Task{})
		if err != nil || (r.Stop == nil) == (r.Block.Text == "") {
			t.Errorf("%q: %v, stop %+v, block %q", text, err, r.Stop, r.Block.Text)
		}
	})
}

func FuzzFirstMessageOfASessionFile(f *testing.F) {
	f.Add(`{"$set":{"messages":[{"type":"user","content":[{"text":"<session_context>\n\n<loaded_context>\na\n</loaded_context>\n</session_context>"}]}]}}` + "\n")
	f.Add(`{"type":"user","content":"<session_context>"}`)
	f.Add("{\n\x00")
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(t.TempDir(), "session-1.jsonl")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, known, err := firstOf(t.Context(), path); err != nil || !known && got != "" {
			t.Errorf("%q: %q, %v, %v", text, got, known, err)
		}
	})
}
