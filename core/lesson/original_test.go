package lesson

import (
	"fmt"
	"testing"
	"time"

	"winnow/core/jstext"
	"winnow/core/memory"
)

func TestSaveWritesTheOriginalsBytes(t *testing.T) {
	eachVector(t, "save", func(t *testing.T, v vector) {
		l := Load("", time.Time{}, time.UTC)
		var resaved string
		for _, line := range v.input.get("lessons_json").texts() {
			if p := l.Add(parse1(t, line)); p != nil {
				t.Fatal(p)
			}
			out, ok := Resave(line)
			if !ok {
				t.Errorf("Resave(%q) refused", line)
			}
			resaved += out + "\n"
		}
		same(t, "saved", string(l.Save()), v.want.get("bytes").Str())
		same(t, "resaved", resaved, v.want.get("bytes").Str())
		same(t, "sha256", sha(l.Save()), v.want.get("sha256").Str())
	})
}

func TestLoadKeepsWhatTheOriginalKeeps(t *testing.T) {
	eachVector(t, "load_prune", func(t *testing.T, v vector) {
		l := Load(v.input.get("file").file(t), v.input.get("now").time(t), zoneOf(t, v.input.get("tz")))
		if throws := v.want.has("throws"); throws != (l.Problem() != nil) {
			t.Errorf("problem %v, the original throws: %v", l.Problem(), throws)
		}
		want := v.want.get("lines")
		if v.want.has("throws") {
			want = v.want.get("lines_in_memory")
		}
		same(t, "held", linesIn(l), want.texts())
	})
}

func TestExtractMakesTheOriginalsLesson(t *testing.T) {
	eachVector(t, "extract", func(t *testing.T, v vector) {
		got := ""
		if lesson, ok := Original.Extract(sessionOf(t, v.input)); ok {
			got = string(lesson.AppendJSON(nil))
		}
		same(t, "lesson", got, v.want.get("line").Str())
	})
}

func sessionOf(t *testing.T, in value) Session {
	s := Session{
		LessonID: in.get("lesson_id").text(), Now: in.get("now").time(t),
		Text: in.get("task_text").text(), Status: in.get("session_status").text(),
	}
	if p := in.get("plan"); !p.null() {
		s.Plan = &Plan{ID: p.get("plan_id").text(), Tools: p.get("tools").texts()}
	}
	if id := in.get("session_id"); !id.null() {
		text := id.text()
		s.ID = &text
	}
	for i := range in.get("step_results").Len() {
		r := in.get("step_results").at(i)
		s.Results = append(s.Results, StepResult{
			Status: r.get("status").text(), Error: errorOf(r.get("error")),
		})
	}
	return s
}

// errorOf returns an error of a vector with its message as a string.
func errorOf(e value) jstext.Value {
	if m := e.get("message"); m.has("$utf16") {
		return e.With("message", jstext.StringValue(m.text()))
	}
	return e.Value
}

func TestSearchRanksAsTheOriginal(t *testing.T) {
	eachVector(t, "search", func(t *testing.T, v vector) {
		now := v.input.get("now").time(t)
		l := Load(v.input.get("file").file(t), now, time.UTC)
		for i := range v.input.get("queries").Len() {
			q, want := v.input.get("queries").at(i), v.want.get("results").at(i)
			hits, p := l.Search(q.get("text").text(), q.get("tool_names").texts())
			if (p != nil) != want.has("throws") {
				t.Fatalf("query %d: problem %v, want %v", i, p, want)
			}
			l.Commit(hits, now)
			ids, counts := found(l, hits)
			same(t, fmt.Sprintf("ids of query %d", i), ids, want.get("ids").texts())
			same(t, fmt.Sprintf("counts of query %d", i), counts, numbers(want.get("counts")))
		}
		if final := v.want.get("final"); !final.null() {
			same(t, "final", string(l.Save()), final.Str())
		}
		same(t, "final sha256", sha(l.Save()), v.want.get("final_sha256").Str())
	})
}

func found(l *List, hits []Found) (ids, counts []string) {
	ids, counts = []string{}, []string{}
	for _, h := range hits {
		v := l.At(h.Index).Value
		id, _ := v.Field(keyID)
		n, _ := v.Field(keyCount)
		ids, counts = append(ids, id.Str()), append(counts, n.ToString())
	}
	return ids, counts
}

func numbers(v value) []string {
	out := []string{}
	for i := range v.Len() {
		out = append(out, v.At(i).ToString())
	}
	return out
}

func TestAddEvictsAsTheOriginal(t *testing.T) {
	eachVector(t, "evict", func(t *testing.T, v vector) {
		now := v.input.get("now").time(t)
		file := ""
		for i := range v.input.get("preload").Len() {
			file += string(tripleOf(v.input.get("preload").at(i)).AppendJSON(nil)) + "\n"
		}
		l := Load(file, now, time.UTC)
		var p *memory.Problem
		for i := range v.input.get("adds").Len() {
			if p = l.Add(tripleOf(v.input.get("adds").at(i))); p != nil {
				break
			}
		}
		if (p != nil) != v.want.has("throws") {
			t.Errorf("problem %v, the original throws: %v", p, v.want.has("throws"))
		}
		same(t, "ids", idsIn(l), v.want.get("ids").texts())
	})
}

func tripleOf(v value) jstext.Value {
	return jstext.ObjectValue(
		jstext.Member{Key: keyID, Value: v.At(0)},
		jstext.Member{Key: keyCount, Value: v.At(1)},
		jstext.Member{Key: keyCreated, Value: v.At(2)},
	)
}

func TestALifeOfAStoreIsTheOriginals(t *testing.T) {
	eachVector(t, "ops", func(t *testing.T, v vector) {
		now := v.input.get("now").time(t)
		disk := v.input.get("file").file(t)
		l := Load(disk, now, time.UTC)
		for i := range v.input.get("ops").Len() {
			op, want := v.input.get("ops").at(i), v.want.get("results").at(i)
			switch kind := op.get("op").Str(); kind {
			case "now":
				now = op.get("now").time(t)
			case "save":
				disk = string(l.Save())
			case "reload":
				l = Load(disk, now, time.UTC)
				same(t, "count", fmt.Sprint(l.Len()), want.get("count").ToString())
			case "add":
				if p := l.Add(parse1(t, op.get("line").Str())); p != nil {
					t.Fatal(p)
				}
			case "search":
				hits, p := l.Search(op.get("text").text(), nil)
				if p != nil {
					t.Fatal(p)
				}
				l.Commit(hits, now)
				ids, _ := found(l, hits)
				same(t, fmt.Sprintf("op %d", i), ids, want.get("ids").texts())
			default:
				t.Fatalf("op %q", kind)
			}
		}
		same(t, "ids", idsIn(l), v.want.get("ids").texts())
		if final := v.want.get("final"); !final.null() {
			same(t, "final", string(l.Save()), final.Str())
		}
		same(t, "final sha256", sha(l.Save()), v.want.get("final_sha256").Str())
	})
}
