package lesson

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/vectortest"
)

func TestSaveWritesTheOriginalsBytes(t *testing.T) {
	vectortest.Each(t, "karnevil9", "save", func(t *testing.T, v vectortest.Vector) {
		l := Load("", time.Time{}, time.UTC)
		var resaved string
		for _, line := range v.Input.Member("lessons_json").Texts() {
			if p := l.Add(parse1(t, line)); p != nil {
				t.Fatal(p)
			}
			out, ok := Resave(line)
			if !ok {
				t.Errorf("Resave(%q) refused", line)
			}
			resaved += out + "\n"
		}
		same(t, "saved", string(l.Save()), v.Want.Member("bytes").Str())
		same(t, "resaved", resaved, v.Want.Member("bytes").Str())
		same(t, "sha256", sha(l.Save()), v.Want.Member("sha256").Str())
	})
}

func TestLoadKeepsWhatTheOriginalKeeps(t *testing.T) {
	vectortest.Each(t, "karnevil9", "load_prune", func(t *testing.T, v vectortest.Vector) {
		l := Load(
			string(v.Input.Member("file").File(t)),
			v.Input.Member("now").Time(t),
			zoneOf(t, v.Input.Member("tz")),
		)
		if throws := v.Want.Has("throws"); throws != (l.Problem() != nil) {
			t.Errorf("problem %v, the original throws: %v", l.Problem(), throws)
		}
		want := v.Want.Member("lines")
		if v.Want.Has("throws") {
			want = v.Want.Member("lines_in_memory")
		}
		same(t, "held", linesIn(l), want.Texts())
	})
}

func TestExtractMakesTheOriginalsLesson(t *testing.T) {
	vectortest.Each(t, "karnevil9", "extract", func(t *testing.T, v vectortest.Vector) {
		got := ""
		if lesson, ok := Original.Extract(sessionOf(t, v.Input)); ok {
			got = string(lesson.AppendJSON(nil))
		}
		same(t, "lesson", got, v.Want.Member("line").Str())
	})
}

func sessionOf(t *testing.T, in vectortest.Value) Session {
	s := Session{
		LessonID: in.Member("lesson_id").Text(), Now: in.Member("now").Time(t),
		Text: in.Member("task_text").Text(), Status: in.Member("session_status").Text(),
	}
	if p := in.Member("plan"); !p.IsNull() {
		s.Plan = &Plan{ID: p.Member("plan_id").Text(), Tools: p.Member("tools").Texts()}
	}
	if id := in.Member("session_id"); !id.IsNull() {
		text := id.Text()
		s.ID = &text
	}
	for i := range in.Member("step_results").Len() {
		r := in.Member("step_results").Item(i)
		s.Results = append(s.Results, StepResult{
			Status: r.Member("status").Text(), Error: r.Member("error").Resolved(),
		})
	}
	return s
}

func TestSearchRanksAsTheOriginal(t *testing.T) {
	vectortest.Each(t, "karnevil9", "search", func(t *testing.T, v vectortest.Vector) {
		now := v.Input.Member("now").Time(t)
		l := Load(string(v.Input.Member("file").File(t)), now, time.UTC)
		for i := range v.Input.Member("queries").Len() {
			q, want := v.Input.Member("queries").Item(i), v.Want.Member("results").Item(i)
			hits, p := l.Search(q.Member("text").Text(), q.Member("tool_names").Texts())
			if (p != nil) != want.Has("throws") {
				t.Fatalf("query %d: problem %v, want %v", i, p, want)
			}
			l.Commit(hits, now)
			ids, counts := found(l, hits)
			same(t, fmt.Sprintf("ids of query %d", i), ids, want.Member("ids").Texts())
			same(t, fmt.Sprintf("counts of query %d", i), counts, numbers(want.Member("counts")))
		}
		if final := v.Want.Member("final"); !final.IsNull() {
			same(t, "final", string(l.Save()), final.Str())
		}
		same(t, "final sha256", sha(l.Save()), v.Want.Member("final_sha256").Str())
	})
}

func found(l *List, hits []Found) (ids, counts []string) {
	ids, counts = []string{}, []string{}
	for _, h := range hits {
		v := l.At(h.Index).Value
		id, _ := v.Field(KeyID)
		n, _ := v.Field(KeyCount)
		ids, counts = append(ids, id.Str()), append(counts, n.ToString())
	}
	return ids, counts
}

func numbers(v vectortest.Value) []string {
	out := []string{}
	for i := range v.Len() {
		out = append(out, v.At(i).ToString())
	}
	return out
}

func TestAddEvictsAsTheOriginal(t *testing.T) {
	vectortest.Each(t, "karnevil9", "evict", func(t *testing.T, v vectortest.Vector) {
		now := v.Input.Member("now").Time(t)
		file := ""
		for i := range v.Input.Member("preload").Len() {
			file += string(tripleOf(v.Input.Member("preload").Item(i)).AppendJSON(nil)) + "\n"
		}
		l := Load(file, now, time.UTC)
		var p *memory.Problem
		for i := range v.Input.Member("adds").Len() {
			if p = l.Add(tripleOf(v.Input.Member("adds").Item(i))); p != nil {
				break
			}
		}
		if (p != nil) != v.Want.Has("throws") {
			v.Differs(t, "problem %v, the original throws: %v", p, v.Want.Has("throws"))
		}
		if got, want := idsIn(l), v.Want.Member("ids").Texts(); !slices.Equal(got, want) {
			v.Differs(t, "ids:\n got %q\nwant %q", got, want)
		}
	})
}

func tripleOf(v vectortest.Value) jstext.Value {
	return jstext.ObjectValue(
		jstext.Member{Key: KeyID, Value: v.At(0)},
		jstext.Member{Key: KeyCount, Value: v.At(1)},
		jstext.Member{Key: KeyCreated, Value: v.At(2)},
	)
}

func TestALifeOfAStoreIsTheOriginals(t *testing.T) {
	vectortest.Each(t, "karnevil9", "ops", func(t *testing.T, v vectortest.Vector) {
		now := v.Input.Member("now").Time(t)
		disk := string(v.Input.Member("file").File(t))
		l := Load(disk, now, time.UTC)
		for i := range v.Input.Member("ops").Len() {
			op, want := v.Input.Member("ops").Item(i), v.Want.Member("results").Item(i)
			switch kind := op.Member("op").Str(); kind {
			case "now":
				now = op.Member("now").Time(t)
			case "save":
				disk = string(l.Save())
			case "reload":
				l = Load(disk, now, time.UTC)
				same(t, "count", fmt.Sprint(l.Len()), want.Member("count").ToString())
			case "add":
				if p := l.Add(parse1(t, op.Member("line").Str())); p != nil {
					t.Fatal(p)
				}
			case "search":
				hits, p := l.Search(op.Member("text").Text(), nil)
				if p != nil {
					t.Fatal(p)
				}
				l.Commit(hits, now)
				ids, _ := found(l, hits)
				same(t, fmt.Sprintf("op %d", i), ids, want.Member("ids").Texts())
			default:
				t.Fatalf("op %q", kind)
			}
		}
		same(t, "ids", idsIn(l), v.Want.Member("ids").Texts())
		if final := v.Want.Member("final"); !final.IsNull() {
			same(t, "final", string(l.Save()), final.Str())
		}
		same(t, "final sha256", sha(l.Save()), v.Want.Member("final_sha256").Str())
	})
}
