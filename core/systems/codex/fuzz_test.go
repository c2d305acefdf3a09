package codex

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"winnow/core/memory"
)

func FuzzSettingsAreReadOrRefused(f *testing.F) {
	for _, text := range []string{
		"", "project_doc_max_bytes = 3\n", "project_doc_max_bytes = -3", "project_doc_fallback_filenames = [\"a\", 1]",
		"project_root_markers = []",
		"[features]\nmemories = true", "[projects.\"/a\"]\ntrust_level = \"untrusted\"", "= =", "\xff", "[a",
		"a.b.c = 1\na = 2",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		dir := t.TempDir()
		path := filepath.Join(dir, settingsName)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, agentsFile), []byte("Use tabs.\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := agent().Open(envOf(dir, dir), morning, dir).Recall(t.Context(), memory.Task{Folder: dir})
		if err != nil || (r.Stop == nil) == (r.Block.Text == "") ||
			r.Stop != nil && !strings.Contains(r.Stop.What, path) {
			t.Errorf("%q: %v, stop %+v, block %q", text, err, r.Stop, r.Block.Text)
		}
	})
}

func FuzzShortenedSummaryKeepsItsEnds(f *testing.F) {
	for _, text := range []string{
		"v1\n",
		strings.Repeat("a", mostSummary),
		strings.Repeat("a", mostSummary+1),
		strings.Repeat("é€😀", 3000),
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return // of such a file nothing is given
		}
		got := shortened(text)
		if len(text) <= mostSummary {
			if got != text {
				t.Errorf("%q is %q", text, got)
			}
			return
		}
		head, tail, cut := strings.Cut(got, " tokens truncated…")
		if !cut || !utf8.ValidString(got) || len(got) > mostSummary+60 ||
			!strings.HasPrefix(text, head[:strings.LastIndex(head, "…")]) ||
			!strings.HasSuffix(text, tail) {
			t.Errorf("%d bytes became %q", len(text), got)
		}
	})
}

func FuzzWhatASessionFileSaysWasGiven(f *testing.F) {
	f.Add(`{"timestamp":"2026-11-23T23:37:33.427Z","type":"session_meta","payload":{"id":"a","cwd":"/p"}}` + "\n" +
		`{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"# AGENTS.md instructions\n\n<INSTRUCTIONS>\na\n</INSTRUCTIONS>"}]}}` + "\n")
	f.Add("{\n\x00\n[]\nnull\n")
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(t.TempDir(), "rollout-a.jsonl")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		given, _, err := givenTo(t.Context(), path)
		if err == nil && len(given) != 2 {
			t.Errorf("%q gave %+v", text, given)
		}
	})
}

func FuzzNamesOfMemories(f *testing.F) {
	for _, name := range []string{
		summaryFile,
		rawFile,
		recaps + "/a.md",
		"skills/a/SKILL.md",
		".git/config",
		"a/.b",
		"extensions/a/instructions.md",
		"",
	} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		kind, fixed := memoryKind(name)
		if kind == "" && fixed != "" || strings.HasPrefix(name, ".") && kind != "" || kind != "" && goesTo(kind) == "" {
			t.Errorf("%q is of the kind %q, fixed: %q", name, kind, fixed)
		}
	})
}
