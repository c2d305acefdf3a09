package arbiter

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"winnow/core/memory"
)

func recalled(t *testing.T, s *store, task memory.Task) memory.Recall {
	t.Helper()
	r, err := s.Recall(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRecallShowsTheMessageAndCountsNothing(t *testing.T) {
	s, path := copied(t)
	before := records(t, s)
	r := recalled(t, s, memory.Task{Text: "Fetch the cloudflare page with this token"})
	if r.Task.Scope != "acme/scout" || r.Stop != nil || len(r.Block.Parts) != 3 {
		t.Fatalf("recall of %s with %d parts, %v", r.Task.Scope, len(r.Block.Parts), r.Stop)
	}
	want := r.Block.Text + "\n\nFetch the cloudflare page with this token"
	if r.Prompt.Text != want || !strings.HasPrefix(r.Block.Text, blockBegin) ||
		!strings.HasSuffix(r.Block.Text, blockEnd) {
		t.Errorf("the message is\n%s", r.Prompt.Text)
	}
	for i, p := range r.Block.Parts {
		if text := r.Block.Text[p.Start:p.End]; !strings.Contains(text, "("+string(p.ID)+")\n") ||
			!r.Hits[i].Recalled ||
			r.Hits[i].ID != p.ID {
			t.Errorf("part %d of %s is %q, and hit %+v", i, p.ID, text, r.Hits[i])
		}
	}
	for id, rec := range records(t, s) {
		if rec.Raw != before[id].Raw {
			t.Errorf("%s was changed by looking", id)
		}
	}
	if _, err := os.Stat(path + "-journal"); err == nil {
		t.Error("a journal was left")
	}
}

func TestRecallOfAScopeIsOfItsOwnLessons(t *testing.T) {
	s, _ := copied(t)
	r := recalled(t, s, memory.Task{Text: "british spelling please", Scope: "globex/quill"})
	if len(r.Hits) != 2 || !strings.Contains(r.Block.Text, "(#36)") || !strings.Contains(r.Block.Text, "(#37)") ||
		r.Searched != 2 {
		t.Errorf("hits %+v in\n%s", r.Hits, r.Block.Text)
	}
	if r := recalled(t, s, memory.Task{Text: "british", Scope: "nobody/here"}); r.Empty == "" ||
		r.Prompt.Text != "british" {
		t.Errorf("an unknown scope is %+v", r)
	}
	if r := recalled(t, s, memory.Task{Text: "an of to"}); r.Empty == "" || r.Block.Text != "" ||
		r.Prompt.Text != "an of to" {
		t.Errorf("words that are too short give %+v", r)
	}
}

func TestLessonsBehindTheEightAreNamed(t *testing.T) {
	s, path := copied(t)
	var add []string
	for i := range 10 {
		add = append(
			add,
			fmt.Sprintf(
				"INSERT INTO lessons VALUES(%d,1,'fresh','%s','about it',0,1,1,1)",
				100+i,
				[]string{"alpha", "beta_", "gamma"}[i%3],
			),
		)
	}
	change(
		t,
		path,
		append(
			add,
			"INSERT INTO lessons VALUES(200,1,'fresh','delta','the popular one',50,1,1,1)",
			"INSERT INTO lessons VALUES(201,1,'fresh','alpha','the fifth and more',0,1,1,0)",
			"INSERT INTO lessons VALUES(202,1,'fresh','alpha','the last',0,1,1,0)",
		)...)
	r := recalled(t, s, memory.Task{Text: "alpha beta gamma delta", Scope: "acme/fresh"})
	notes := strings.Join(r.Notes, "\n")
	for _, want := range []string{
		"Arbiter stops at eight lessons, so it does not look up: gamma, delta.",
		"#200 is hidden: eight were found before “delta” was looked up.",
		"#202 is hidden: of the lessons with “alpha” it is number 6 by hits, and five are taken.",
	} {
		if !strings.Contains(notes, want) {
			t.Errorf("the notes are\n%s\nwant\n%s", notes, want)
		}
	}
	hidden := slices.IndexFunc(r.Hits, func(h memory.Hit) bool { return h.ID == "#200" })
	if hidden < 0 || r.Hits[hidden].Recalled || r.Hits[hidden].Rank <= 8 {
		t.Errorf("the popular lesson is hit %d of %+v", hidden, r.Hits)
	}
	states := map[string]memory.WordState{}
	for _, w := range r.Words {
		states[w.Text] = w.State
	}
	if states["alpha"] != memory.WordUsed || states["delta"] != memory.WordPast50 {
		t.Errorf("the words are %+v", r.Words)
	}
}
