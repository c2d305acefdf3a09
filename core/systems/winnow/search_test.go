package winnow

import (
	"os"
	"slices"
	"strings"
	"testing"

	"winnow/core/memory"
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

// TestTasksFindTheirLessons holds what was measured on tasks and lessons that were written before the search was.
func TestTasksFindTheirLessons(t *testing.T) {
	lessons := table(t, "lessons.tsv")
	var documents []document
	for _, l := range lessons {
		documents = append(documents, document{l[1], l[2]})
	}
	best := func(task string) (ids []string) {
		list := search(documents, task, nil)
		for _, f := range list[:min(memory.MostServed, len(list))] {
			ids = append(ids, lessons[f.index][0])
		}
		return ids
	}
	tasks, hit := table(t, "tasks.tsv"), 0
	for _, q := range tasks {
		ids := best(q[0])
		if slices.ContainsFunc(strings.Fields(q[1]), func(id string) bool { return slices.Contains(ids, id) }) {
			hit++
		} else {
			t.Logf("%q finds %v, want one of %s", q[0], ids, q[1])
		}
	}
	given := 0
	for _, q := range table(t, "unrelated.tsv") {
		given += len(best(q[0]))
	}
	t.Logf("%d of %d tasks find one of their lessons; what has none is given %d", hit, len(tasks), given)
	if hit < 38 || given > 2 {
		t.Errorf("%d tasks find one of their lessons, want 38; what has none is given %d, want 2", hit, given)
	}
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
	for task, want := range map[string]int{"prüfe die Übersetzung": 0, "a migration": 1, "миграция": 2, "la traduction": 3} {
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
		documents[i] = document{"Deploy the docs of one part", strings.Repeat("Build a part before its tests run. ", 14)}
	}
	for b.Loop() {
		search(documents, "deploy the docs and repair the cache, then run all tests of the parts", nil)
	}
}
