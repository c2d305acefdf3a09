package share

import (
	"fmt"
	"testing"
)

// counted merges a lesson that is the same on all sides, with counts.
func counted(base *Base, held int, own, others Count) (*Result, Count, int) {
	l := *of("a=1")
	r := Merge(base, &Here{Machine: "m", System: "s", Held: map[string]Held{"x": {Lesson: l, Count: Count{N: held}}}}, &State{
		Lessons: map[string]Lesson{"x": l}, Own: Counts{"x": own}, Others: Counts{"x": others},
	})
	sum := held
	if c, there := r.Counts["x"]; there {
		sum = c.N
	}
	return r, r.outcomes[0].own, sum
}

func TestCountsAreSummed(t *testing.T) {
	for _, c := range []struct {
		what              string
		base              []int // own, then what the store held; nil for no base
		held, own, others int
		wantOwn, want     int
	}{
		{"nothing counted", []int{2, 5}, 5, 2, 3, 2, 5},
		{"counted here", []int{2, 5}, 6, 2, 3, 3, 6},
		{"counted there", []int{2, 5}, 5, 2, 7, 2, 9},
		{"counted on both sides", []int{2, 5}, 7, 2, 7, 4, 11},
		{"an agent's old copy counts on from an earlier sum", []int{2, 5, 9}, 6, 2, 7, 3, 10},
		{"an older copy than any that is known counts nothing", []int{2, 5, 9}, 3, 2, 7, 2, 9},
		{"pushed, and killed before the base was saved", []int{2, 5}, 6, 3, 3, 3, 6},
		{"our file is gone", []int{2, 5}, 5, 0, 3, 2, 5},
		{"the first sync", nil, 4, 0, 0, 4, 4},
		{"the first sync of a copy", nil, 4, 0, 4, 0, 4},
		{"a copy that counted on", nil, 6, 0, 4, 2, 6},
		{"no base, and our counts are there", nil, 5, 2, 3, 2, 5},
		{"more than can be counted", []int{MostCounted, MostCounted}, MostCounted, MostCounted, MostCounted, MostCounted, MostCounted},
	} {
		var base *Base
		if c.base != nil {
			var shown []Count
			for _, n := range c.base[1:] {
				shown = append(shown, Count{N: n})
			}
			base = baseOf(map[string]entry{"x": {lesson: *of("a=1"), own: c.base[0], shown: shown}})
		}
		if _, own, sum := counted(base, c.held, Count{N: c.own}, Count{N: c.others}); own.N != c.wantOwn || sum != c.want {
			t.Errorf("%s: own %d, sum %d, want %d and %d", c.what, own.N, sum, c.wantOwn, c.want)
		}
	}
}

func TestALaterRecallIsTheLastUse(t *testing.T) {
	const monday, tuesday = "2026-11-16T00:00:00.000Z", "2026-11-17T00:00:00.000Z"
	for _, c := range []struct{ held, own, others, wantOwn, want string }{
		{monday, "", tuesday, "", tuesday},
		{tuesday, monday, monday, tuesday, tuesday},
		{tuesday, "", tuesday, "", tuesday}, // set by a sync: nothing to tell others
	} {
		l := *of("a=1")
		r := Merge(nil, &Here{System: "s", Held: map[string]Held{"x": {Lesson: l, Count: Count{1, c.held}}}}, &State{
			Lessons: map[string]Lesson{"x": l}, Own: Counts{"x": {0, c.own}}, Others: Counts{"x": {1, c.others}},
		})
		own := r.outcomes[0].own
		if own.Used != c.wantOwn {
			t.Errorf("%v: own %v", c, own)
		}
		if sum := own.plus(Count{1, c.others}); sum.Used != c.want {
			t.Errorf("%v: got %s", c, sum.Used)
		}
	}
}

// TestNoMachineWritesAnothersCounts: the only file of counts among the files is our own, and only when it changes.
func TestNoMachineWritesAnothersCounts(t *testing.T) {
	r, _, _ := counted(nil, 5, Count{}, Count{N: 3})
	if got := fmt.Sprintf("%s", r.Files(nil)); got != "map[counts/m.json:{\n \"x\": {\"n\":2}\n}\n]" {
		t.Error(got)
	}
	if r, _, _ = counted(nil, 5, Count{N: 2}, Count{N: 3}); len(r.Files(nil)) > 0 {
		t.Error(r.Files(nil))
	}
	if r, _, _ = counted(nil, 9, Count{N: 2}, Count{N: 3}); len(r.Files(map[string]bool{"x": true})) > 0 {
		t.Error("counts of a lesson that is withheld leave")
	}
}

func TestRefusedCountsLowerNone(t *testing.T) {
	l := *of("a=1")
	base := baseOf(map[string]entry{"x": {lesson: l, own: 2, shown: []Count{{N: 9}}}})
	s := &State{Lessons: map[string]Lesson{"x": l}, Own: Counts{"x": {N: 2}}, partial: true}
	if r := Merge(base, &Here{System: "s", Held: map[string]Held{"x": {Lesson: l, Count: Count{N: 9}}}}, s); len(r.Counts) > 0 {
		t.Error(r.Counts)
	}
}

// TestARevivedLessonKeepsItsCounts: a machine's counts outlive the deletion, in case an edit wins over it.
func TestARevivedLessonKeepsItsCounts(t *testing.T) {
	l := *of("a=1")
	base := baseOf(map[string]entry{"x": {lesson: l, own: 2, shown: []Count{{N: 2}}}})
	here := &Here{Machine: "m", Who: "bob", System: "s", Now: noon, Deleted: func(string) bool { return true }}
	r := Merge(base, here, &State{Lessons: map[string]Lesson{"x": l}, Own: Counts{"x": {N: 2}}})
	if _, there := r.Files(nil)["counts/m.json"]; there {
		t.Error("the counts change")
	}
	r = Merge(r.Base(nil, nil), here, &State{Lessons: map[string]Lesson{"x": *of("a=2")}, Own: Counts{"x": {N: 2}}, Others: Counts{"x": {N: 1}}})
	if len(r.Local) != 1 || r.Local[0].Count.N != 3 {
		t.Error(r.Local)
	}
}

// TestAnAgentsOldCopyCountsWhatItRecalled: its date tells a copy that counted from one that did not, where the counts are the same.
func TestAnAgentsOldCopyCountsWhatItRecalled(t *testing.T) {
	const monday, tuesday, now = "2026-11-16T00:00:00.000Z", "2026-11-17T00:00:00.000Z", "2026-11-18T00:00:00.000Z"
	for _, c := range []struct {
		what  string
		shown []Count
		held  Count
		want  int
	}{
		{"it counted once, up to what a sync had set", []Count{{4, monday}, {5, monday}}, Count{5, now}, 1},
		{"it was saved as it was", []Count{{4, monday}, {5, monday}}, Count{4, monday}, 0},
		{"it was loaded after the sync and saved", []Count{{4, monday}, {5, monday}}, Count{5, monday}, 0},
		{"it was loaded after the sync and counted", []Count{{4, monday}, {5, monday}}, Count{6, now}, 1},
		{"it counted before another did", []Count{{4, ""}, {7, tuesday}}, Count{5, monday}, 1},
		{"a person set the count", []Count{{4, monday}}, Count{9, monday}, 5},
		{"no date fits", []Count{{4, now}}, Count{6, monday}, 2},
		{"older than all that is known", []Count{{4, monday}}, Count{3, monday}, 0},
	} {
		if got := (&entry{shown: c.shown}).countedSince(c.held); got != c.want {
			t.Errorf("%s: %d counted, want %d", c.what, got, c.want)
		}
	}
}
