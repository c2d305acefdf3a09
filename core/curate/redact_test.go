package curate_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/curate"
	"winnow/core/detect"
	"winnow/core/memory"
)

// left returns the files below dir whose names or contents contain one of the words.
func left(t *testing.T, dir string, words ...string) (found []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		for _, w := range words {
			if strings.Contains(string(text), w) || strings.Contains(d.Name(), w) {
				found = append(found, path+" holds "+w)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// Made of two parts, so that no scanner takes this file for a leak.
const token = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"

func secretLine(id, secret string) string {
	return strings.Replace(line(id, 0), "what "+id, "the token is "+secret+" and", 1)
}

func TestARedactionLeavesNoCopyAnywhere(t *testing.T) {
	escaped := `\u0067` + token[1:]
	b := newBench(t, secretLine("a", token), line("b", 0), secretLine("c", escaped))
	b.title("a", "one")
	b.do(memory.Delete, "c")
	b.do(memory.Undo)
	b.title("b", "two")
	if len(left(t, b.state, token)) == 0 {
		t.Fatal("the secret was never in the history: the test shows nothing")
	}
	p, err := b.Plan(t.Context(), memory.Order{Do: memory.Redact, IDs: []memory.ID{"a", "c"}})
	if err != nil || !p.Final || len(p.Changes) != 2 {
		t.Fatalf("plan is %+v, %v", p, err)
	}
	if _, err := b.Apply(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	if found := left(t, filepath.Dir(b.path), token, token[8:], escaped); found != nil {
		t.Fatal(found)
	}
	h := b.history()
	newest := h.Entries[0]
	if !newest.Final || newest.Do != memory.Redact || !strings.Contains(newest.Changes[0].Before, "[REDACTED]") ||
		h.Undo != "4" {
		t.Fatalf("newest is %+v, undo %s", newest, h.Undo)
	}
	// Undoing now brings back the redacted text.
	b.do(memory.Undo)
	b.order(memory.Order{Do: memory.Undo, Entry: "1"})
	if text := b.text(); strings.Contains(text, token) || !strings.Contains(text, `"task of a"`) ||
		!strings.Contains(text, "[REDACTED]") {
		t.Fatalf("after an undo the store holds\n%s", text)
	}
	if got := len(b.history().Entries); got != 7 {
		t.Fatalf("history has %d entries", got)
	}
}

func TestCopiesOfAPasswordAreTakenOutOfStoreAndHistory(t *testing.T) {
	said := strings.Replace(line("a", 0), "what a taught", "the password: "+copied+" and "+token, 1)
	bare := strings.Replace(line("b", 0), "what b taught", "use "+copied+" there", 1)
	b := newBench(t, said, bare, line("c", 0))
	b.title("b", "one")
	body := "with " + copied
	b.order(memory.Order{Do: memory.EditOne, IDs: []memory.ID{"c"}, Edit: memory.Edit{Body: &body}})
	b.title("c", "two")
	b.do(memory.Delete, "b")
	b.do(memory.Undo)
	was := b.text()
	r := b.order(
		memory.Order{
			Do:   memory.Redact,
			IDs:  []memory.ID{"a"},
			Only: []string{detect.Secrets("password: " + copied)[0].Rule},
		},
	)
	if len(r.Changes) != 3 {
		t.Fatalf("changes are %+v", r.Changes)
	}
	b.wants("all other bytes", strings.ReplaceAll(was, copied, "[REDACTED]"))
	if found := left(t, filepath.Dir(b.path), copied); found != nil {
		t.Fatal(found)
	}
	if !strings.Contains(b.text(), token) {
		t.Error("what no chosen rule finds is gone as well")
	}
	b.guards("nothing came back", "")
	b.do(memory.Undo)
	if text := b.text(); strings.Contains(text, copied) || !strings.Contains(text, "[REDACTED]") {
		t.Errorf("after an undo the store holds\n%s", text)
	}
}

func TestDraftsAreRedactedToo(t *testing.T) {
	b := newBench(t, secretLine("a", token), line("b", 0))
	b.conf.Drafts = filepath.Join(b.state, "drafts")
	b.Curator = curate.Open(b.conf)
	draft := filepath.Join(b.conf.Drafts, "lesson-1.txt")
	if err := os.MkdirAll(filepath.Join(b.conf.Drafts, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(draft, []byte("lesson:\nuse "+token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := b.do(memory.Redact, "a")
	if text, err := os.ReadFile(draft); string(text) != "lesson:\nuse [REDACTED]\n" || err != nil {
		t.Errorf("the draft is %q, %v", text, err)
	}
	if found := left(t, filepath.Dir(b.path), token); found != nil {
		t.Error(found)
	}
	if len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "folder may still hold it") {
		t.Errorf("notes are %q", r.Notes)
	}
	b.title("b", "nothing is looked for")
}

func TestAnEditThatIsFinalLeavesNoCopyEither(t *testing.T) {
	b := newBench(t, secretLine("a", token), line("b", 0))
	b.title("a", "one")
	body := "nothing to see"
	p, err := b.Plan(
		t.Context(),
		memory.Order{Do: memory.EditOne, IDs: []memory.ID{"a"}, Edit: memory.Edit{Body: &body}},
	)
	if err != nil {
		t.Fatal(err)
	}
	p.Final = true
	if _, err := b.Apply(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	if found := left(t, filepath.Dir(b.path), token); found != nil {
		t.Fatal(found)
	}
	b.guards("after", "")
}

func TestAPurgeKeepsPinsAndDecisions(t *testing.T) {
	b := newBench(t, line("a", 0), line("b", 0), line("c", 0))
	held := b.text()
	b.do(memory.Pin, "b")
	b.do(memory.Delete, "a")
	b.do(memory.Trust, "c")
	if err := b.Purge(t.Context()); err != nil {
		t.Fatal(err)
	}
	if h := b.history(); len(h.Entries) != 0 || h.Undo != "" {
		t.Fatalf("history is %+v", h)
	}
	if pins, err := b.Pinned(t.Context()); err != nil || len(pins) != 1 || !pins["b"] {
		t.Fatalf("pins are %v, %v", pins, err)
	}
	b.agent(held)
	b.guards("a is forgotten", "")
	b.do(memory.Delete, "c")
	b.agent(held)
	b.guards("c is still trusted", "c came back 1 always")
}

func TestASecretInAnIDIsNotKeptEither(t *testing.T) {
	b := newBench(t, line(token, 0), line("b", 0), line(token, 2), line("c", 0))
	b.title(token, "one")
	b.do(memory.Pin, token)
	b.do(memory.Delete, "b")
	b.do(memory.Trust, token)
	if len(left(t, b.state, token)) == 0 {
		t.Fatal("the secret was never in the history: the test shows nothing")
	}
	p, err := b.Plan(t.Context(), memory.Order{Do: memory.Redact})
	if err != nil || len(p.Changes) != 2 {
		t.Fatalf("plan is %+v, %v", p.Changes, err)
	}
	if _, err := b.Apply(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	if found := left(t, filepath.Dir(b.path), token, token[8:]); found != nil {
		t.Fatal(found)
	}
	b.do(memory.Undo)
	b.guards("later", "")
	if found := left(t, filepath.Dir(b.path), token, token[8:]); found != nil {
		t.Fatal(found)
	}
}
