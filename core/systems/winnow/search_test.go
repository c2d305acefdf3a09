package winnow

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"winnow/core/memory"
	"winnow/core/trigger"
)

// table returns the lines of a file of test data, each split at its tabs.
func table(t *testing.T, name string) (lines [][]string) {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		lines = append(lines, strings.Split(strings.TrimRight(line, "\n"), "\t"))
	}
	return lines
}

// pairs are tasks with the lessons that one of them should find.
type pairs struct {
	lessons, tasks, unrelated [][]string
	documents                 []document
}

func pairsOf(t *testing.T, set string) (p pairs) {
	t.Helper()
	p.lessons, p.tasks = table(t, "lessons"+set+".tsv"), table(t, "tasks"+set+".tsv")
	p.unrelated = table(t, "unrelated"+set+".tsv")
	for _, l := range p.lessons {
		p.documents = append(p.documents, document{l[1], l[2]})
	}
	return p
}

// best returns the lessons that a task is given.
func (p *pairs) best(task string) (ids []string) {
	list := search(p.documents, task, nil)
	for _, f := range list[:min(memory.MostServed, len(list))] {
		ids = append(ids, p.lessons[f.index][0])
	}
	return ids
}

// found returns how many tasks are given one of their lessons, with more to a task from others, and how many lessons
// go to prompts that no lesson is about.
func (p *pairs) found(t *testing.T, more func(task []string) []string) (hit, given int) {
	t.Helper()
	for _, q := range p.tasks {
		ids := append(p.best(q[0]), more(q)...)
		if slices.ContainsFunc(strings.Fields(q[1]), func(id string) bool { return slices.Contains(ids, id) }) {
			hit++
		} else {
			t.Logf("%q finds %v, want one of %s", q[0], ids, q[1])
		}
	}
	for _, q := range p.unrelated {
		given += len(p.best(q[0]))
	}
	return hit, given
}

func byTaskAlone([]string) []string { return nil }

// TestTasksFindTheirLessons holds what was measured on tasks and lessons that were written before the search was.
func TestTasksFindTheirLessons(t *testing.T) {
	p := pairsOf(t, "")
	if hit, given := p.found(t, byTaskAlone); hit < 38 || given > 2 {
		t.Errorf("%d tasks find one of their lessons, want 38; what has none is given %d, want 2", hit, given)
	}
}

// TestUnseenTasksFindTheirLessons holds what was measured on pairs that were written and labelled after the search
// was, with the moment of each lesson and the calls that an agent makes for the task.
func TestUnseenTasksFindTheirLessons(t *testing.T) {
	p := pairsOf(t, "-unseen")
	if hit, given := p.found(t, byTaskAlone); hit < 33 || given > 4 {
		t.Errorf("%d tasks find one of their lessons, want 33; what has none is given %d, want 4", hit, given)
	}
	if hit, _ := p.found(t, func(task []string) []string { return p.fired(t, task[2]) }); hit < 38 {
		t.Errorf("with their moments %d find one, want 38", hit)
	}
}

// fired returns the lessons whose moment the calls of a task are: shell commands, or "read" and a file.
func (p *pairs) fired(t *testing.T, calls string) (ids []string) {
	t.Helper()
	for line := range strings.SplitSeq(calls, ";") {
		tool, argument := "Bash", map[string]string{"command": line}
		if file, ok := strings.CutPrefix(line, "read "); ok {
			tool, argument = "Read", map[string]string{"file_path": "/p/" + file}
		}
		input, err := json.Marshal(argument)
		if err != nil {
			t.Fatal(err)
		}
		call := trigger.CallOf(&memory.ToolCall{Tool: tool, Input: input}, "/p", "/p")
		for _, l := range p.lessons {
			w, err := memory.ParseWhen(l[3])
			if err != nil {
				t.Fatal(err)
			}
			if trigger.Matches(w, &call) {
				ids = append(ids, l[0])
			}
		}
	}
	return ids
}

func TestWordsAreSplitAsPeopleNameThings(t *testing.T) {
	for text, want := range map[string]string{
		"parseConfig fails":      "parseconfig parse config fails",
		"HTTPClient, snake_case": "httpclient http client snake_case snake case",
		"__init__ über-Über 2.0": "init über über 2 0",
		"":                       "",
	} {
		if got := strings.Join(words(text), " "); got != want {
			t.Errorf("%q has the words %q, want %q", text, got, want)
		}
	}
}

func TestStemsMeetInTheLanguageOfTheLesson(t *testing.T) {
	documents := []document{
		{"Übersetzungen", "Prüfe alle Übersetzungen."}, {"Migrations", "Write migrations by hand."},
		{"Миграции", "Пиши миграции вручную."}, {"Traductions", "Vérifie les traductions à la fin."},
	}
	for task, want := range map[string]int{
		"prüfe die Übersetzung": 0,
		"a migration":           1,
		"миграция":              2,
		"la traduction":         3,
	} {
		if list := search(documents, task, nil); len(list) != 1 || list[0].index != want {
			t.Errorf("%q finds %+v, want %d", task, list, want)
		}
	}
}

func FuzzSearch(f *testing.F) {
	f.Add("commit this", "Commits", "Write the \xff message\xed\xa0\x80", "the")
	f.Fuzz(func(t *testing.T, task, title, body, without string) {
		for _, hit := range search([]document{{title, body}, {body, title}, {"a", "b"}}, task, []string{without}) {
			if len(hit.words) == 0 || slices.Contains(hit.words, without) {
				t.Errorf("found by %q", hit.words)
			}
		}
	})
}

func BenchmarkSearch(b *testing.B) {
	documents := make([]document, 100)
	for i := range documents {
		documents[i] = document{
			"Deploy the docs of one part",
			strings.Repeat("Build a part before its tests run. ", 14),
		}
	}
	for b.Loop() {
		search(documents, "deploy the docs and repair the cache, then run all tests of the parts", nil)
	}
}
