package gemini

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/memory"
)

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
	r, err := agent().Open(envOf(filepath.Join(dir, "nobody"), dir), morning, dir).Recall(t.Context(), memory.Task{})
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
		r, err := agent().Open(envOf(filepath.Join(dir, "nobody"), dir), morning, dir).Recall(t.Context(),
			memory.Task{})
		if err != nil || (r.Stop == nil) == (r.Block.Text == "") {
			t.Errorf("%q: %v, stop %+v, block %q", text, err, r.Stop, r.Block.Text)
		}
	})
}

func FuzzFirstMessageOfASessionFile(f *testing.F) {
	f.Add(
		`{"$set":{"messages":[{"type":"user","content":[{"text":"<session_context>\n\n<loaded_context>\na\n</loaded_context>\n</session_context>"}]}]}}` + "\n",
	)
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
