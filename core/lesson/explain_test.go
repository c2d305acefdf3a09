package lesson

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/vectortest"
)

// listOf returns a list of lessons with these titles and a plain lesson text.
func listOf(titles ...string) *List {
	file := ""
	for i, title := range titles {
		v := lessonOf(fmt.Sprint("l", i), 0, noon).With(KeyTitle, jstext.StringValue(title))
		file += string(
			v.With(KeyBody, jstext.StringValue("Completed using edit. 1 step(s) succeeded.")).AppendJSON(nil),
		) +
			"\n"
	}
	return Load(file, noon, time.UTC)
}

func TestEachWordOfATaskIsAccountedFor(t *testing.T) {
	task := "the Release notes Notes " + strings.Repeat("many ", 50) + "past50 " +
		strings.Repeat("x", 2000) + " unread words"
	r := Explain(listOf("release"), memory.Task{Text: task, Without: []string{"NOTES"}})
	want := map[string]memory.WordState{
		"the": memory.WordShort, "release": memory.WordUsed, "notes": memory.WordLeftOut,
		"past50": memory.WordPast50, "unread": memory.WordPast2000, "words": memory.WordPast2000,
	}
	seen := map[string]bool{}
	for _, w := range r.Words {
		if state, ok := want[w.Text]; ok {
			seen[w.Text] = true
			if w.State != state {
				t.Errorf("%s: state %d, want %d", w.Text, w.State, state)
			}
		}
	}
	if len(seen) != len(want) {
		t.Errorf("words listed: %v", seen)
	}
	if r.Used != WordCap || r.Units != jstext.Len(task) {
		t.Errorf("%d words used, %d units", r.Used, r.Units)
	}
}

func TestAWordLeftOutMakesRoomForAnother(t *testing.T) {
	task := memory.Task{Text: strings.Repeat("many ", 50) + "release"}
	l := listOf("release")
	if r := Explain(l, task); r.Found != 0 {
		t.Errorf("word 51 found %d", r.Found)
	}
	task.Without = []string{"many"}
	if r := Explain(l, task); r.Found != 1 || len(r.Hits) != 1 {
		t.Errorf("found %d", r.Found)
	}
}

func TestAMatchIsAWholeWordOrNoise(t *testing.T) {
	l := listOf("restart the api-server, gently")
	for word, want := range map[string]memory.MatchKind{
		"restart": memory.WholeWord, "rest": memory.InsideWord, "estart": memory.InsideWord,
		"server": memory.WholeWord, "server,": memory.WholeWord, "gently": memory.WholeWord,
		"step(s)": memory.StopWord, "using": memory.StopWord,
		"succeeded.": memory.StopWord, "succeed": memory.InsideWord, "comp": memory.InsideWord,
	} {
		r := Explain(l, memory.Task{Text: word})
		if len(r.Hits) != 1 || r.Hits[0].Matches[0].Kind != want {
			t.Errorf("%s: hits %+v, want kind %d", word, r.Hits, want)
			continue
		}
		if noise := want != memory.WholeWord; r.Hits[0].Noise != noise {
			t.Errorf("%s: noise %v", word, r.Hits[0].Noise)
		}
	}
}

func TestTheBestPlaceOfAWordCounts(t *testing.T) {
	if kind := matchKind("restart, then rest", "rest"); kind != memory.WholeWord {
		t.Errorf("kind %d", kind)
	}
}

func TestTiesLostAtTheCutAreTold(t *testing.T) {
	l := listOf("alpha beta", "alpha", "alpha", "alpha beta", "alpha", "alpha", "alpha", "beta alpha gamma")
	r := Explain(l, memory.Task{Text: "alpha beta gamma alpha"})
	var order, lost []string
	for _, h := range r.Hits {
		order = append(order, string(h.ID))
		if h.LostTie {
			lost = append(lost, string(h.ID))
		}
		if h.Recalled != (h.Rank <= recallLimit) {
			t.Errorf("%s: rank %d, recalled %v", h.ID, h.Rank, h.Recalled)
		}
	}
	same(t, "order", order, []string{"l7", "l0", "l3", "l1", "l2", "l4", "l5", "l6"})
	same(t, "lost ties", lost, []string{"l4", "l5", "l6"})
	if m := r.Hits[0].Matches[0]; m.Word != "alpha" || m.Times != 2 || r.Hits[0].Score != 4 {
		t.Errorf("first hit %+v", r.Hits[0])
	}
}

func TestNothingRecalledHasAReason(t *testing.T) {
	full := listOf("release")
	pruned := string(lessonOf("a", 0, noon.AddDate(-1, 0, 0)).AppendJSON(nil))
	old := Load(pruned, noon, time.UTC)
	partly := Load(pruned+"\n"+string(lessonOf("b", 0, noon).AppendJSON(nil)), noon, time.UTC)
	for name, c := range map[string]struct {
		list *List
		task memory.Task
		want string
	}{
		"short":    {full, memory.Task{Text: "a bcd"}, "3 letters or fewer"},
		"no match": {full, memory.Task{Text: "unrelated"}, "no lesson has a word"},
		"no words": {full, memory.Task{Text: " \n"}, "no words"},
		"left out": {full, memory.Task{Text: "release", Without: []string{"release"}}, "left out"},
		"tools":    {full, memory.Task{Text: "unrelated", Tools: []string{"x"}}, "a tool"},
		"empty":    {listOf(), memory.Task{Text: "release"}, "holds no lessons"},
		"pruned":   {old, memory.Task{Text: "release"}, "pruned"},
		"partly":   {partly, memory.Task{Text: "unrelated"}, "no lesson has a word"},
	} {
		if r := Explain(c.list, c.task); !strings.Contains(r.Empty, c.want) || len(r.Hits) > 0 {
			t.Errorf("%s: %q, %d hits", name, r.Empty, len(r.Hits))
		}
	}
}

func TestExplainAgreesWithSearchAndCountsNothing(t *testing.T) {
	vectortest.Each(t, "karnevil9", "search", func(t *testing.T, v vectortest.Vector) {
		l := Load(string(v.Input.Member("file").File(t)), v.Input.Member("now").Time(t), time.UTC)
		before := string(l.Save())
		for i := range v.Input.Member("queries").Len() {
			q := v.Input.Member("queries").Item(i)
			task := memory.Task{Text: q.Member("text").Text(), Tools: q.Member("tool_names").Texts()}
			hits, p := l.Search(task.Text, task.Tools)
			r := Explain(l, task)
			if (p == nil) != (r.Stop == nil) {
				t.Errorf("query %d: search %v, explain %v", i, p, r.Stop)
			}
			var got, want []string
			for _, h := range hits {
				want = append(want, fmt.Sprint(l.At(h.Index).ID, h.Score))
			}
			for _, h := range r.Hits {
				if h.Recalled {
					got = append(got, fmt.Sprint(h.ID, h.Score))
				}
			}
			same(t, fmt.Sprintf("query %d", i), got, want)
		}
		same(t, "store", string(l.Save()), before)
	})
}

func TestALessonWithoutTextStopsEverySearch(t *testing.T) {
	l := Load(`{"created_at":"9","lesson":"x","lesson_id":"a"}`, noon, time.UTC)
	for _, task := range []string{"", "words of a task"} {
		r := Explain(l, memory.Task{Text: task})
		if r.Stop == nil || r.Stop.Code != codeNoText || !strings.Contains(r.Stop.What, "line 1") {
			t.Errorf("task %q: stop %v", task, r.Stop)
		}
	}
}

func TestANullLineStopsTheAgent(t *testing.T) {
	l := Load(storeOf(1)+"null\n", noon, time.UTC)
	if r := Explain(l, memory.Task{Text: "task"}); r.Stop == nil || r.Stop.Code != CodeNullLine {
		t.Errorf("stop %v", r.Stop)
	}
}
