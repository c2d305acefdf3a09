package share

import (
	"maps"
	"testing"
)

// TestOnlyALessonThatNobodyChangedIsQuiet: it is the same here, in the share and in the counts as when a merge had nothing to do.
func TestOnlyALessonThatNobodyChangedIsQuiet(t *testing.T) {
	l, mine := *of("a=1"), Count{N: 3}
	share := func() *State {
		return &State{
			Lessons: map[string]Lesson{"x": l}, objects: map[string]string{"x": objectOf(l.Bytes())},
			Own: Counts{"x": {N: 1}}, Others: Counts{"x": {N: 2}},
		}
	}
	here := &Here{Machine: "m", System: "s", Now: noon, Held: map[string]Held{"x": {l, mine, "line"}}}
	files, lines := map[string]string{LessonPath("x"): objectOf(l.Bytes())}, map[string]string{"x": "line"}
	first := Merge(nil, here, share())
	base := read(first, nil)
	if base.Look(files, lines, share()); len(first.Files(nil)) > 0 || !base.Quiet("x") {
		t.Fatalf("%s: %s", told(first), base.Bytes())
	}
	if got := base.Objects(); len(got) > 0 {
		t.Errorf("a quiet lesson is read: %v", got)
	}
	for what, change := range map[string]func(files, lines map[string]string, s *State){
		"the line":       func(_, lines map[string]string, _ *State) { lines["x"] = "other" },
		"no line":        func(_, lines map[string]string, _ *State) { delete(lines, "x") },
		"the object":     func(files, _ map[string]string, _ *State) { files[LessonPath("x")] = objectOf(nil) },
		"a tombstone":    func(files, _ map[string]string, _ *State) { files["tombstones/x.json"] = objectOf(nil) },
		"our own count":  func(_, _ map[string]string, s *State) { s.Own["x"] = Count{N: 2} },
		"another count":  func(_, _ map[string]string, s *State) { s.Others["x"] = Count{N: 3} },
		"a date of use":  func(_, _ map[string]string, s *State) { s.Others["x"] = Count{2, "2026-11-02T00:00:00.000Z"} },
		"no file at all": func(files, _ map[string]string, _ *State) { clear(files) },
	} {
		files, lines, s := maps.Clone(files), maps.Clone(lines), share()
		change(files, lines, s)
		base := read(first, nil)
		if base.Look(files, lines, s); base.Quiet("x") {
			t.Errorf("%s changed, and the lesson is quiet", what)
		}
	}
	// What there was something to do about is looked at once more.
	here.Held["x"] = Held{l, Count{N: 4}, "line"}
	base = read(Merge(read(first, nil), here, share()), nil)
	if base.Look(files, lines, share()); base.Quiet("x") {
		t.Error("a lesson that was recalled is quiet")
	}
}

// TestABaseWhoseLessonsAreGoneIsNone: it refers to objects of the share, and a copy that was made anew may not have them.
func TestABaseWhoseLessonsAreGoneIsNone(t *testing.T) {
	l := *of("a=1")
	e, object := entry{lesson: l, shown: []Count{{}}}, objectOf(l.Bytes())
	b := &Base{lines: map[string]line{"x": {object: object, text: e.text(false)}}}
	if err := b.Open(&State{}); err == nil {
		t.Error("the lesson is nowhere")
	}
	if err := b.Open(&State{}, &State{Lessons: map[string]Lesson{"x": l}, objects: map[string]string{"x": object}}); err != nil || !b.Lesson("x").equal(l) {
		t.Error(b.Lesson("x"), err)
	}
}

func TestABaseIsUpdatedByWhatChanged(t *testing.T) {
	old := baseOf(map[string]entry{"x": {lesson: *of("a=1")}, "y": {lesson: Lesson{ID: "y"}}})
	then := baseOf(map[string]entry{"x": {lesson: *of("a=2")}, "\t\"\n": {lesson: Lesson{ID: "\t\"\n"}}})
	then.SetSender("x", `{"Person":"anna"}`)
	again, err := old.Update(then.Since(old))
	if err != nil || string(again.Bytes()) != string(then.Bytes()) || again.Sender("x") == "" {
		t.Errorf("%v\n%s\n%s", err, again.Bytes(), then.Bytes())
	}
	if fresh, err := (*Base)(nil).Update(then.Since(nil)); err != nil || string(fresh.Bytes()) != string(then.Bytes()) {
		t.Error(err)
	}
	if _, err := old.Update(then.Since(old)[:60]); err == nil {
		t.Error("half a file is taken")
	}
}
