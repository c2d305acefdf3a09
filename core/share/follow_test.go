package share

import (
	"testing"
	"time"
)

// followed is a base of a commit in which lesson x is shared, was deleted once more as y, and was counted here and by others.
func followed() (*Base, string) {
	l := *of("a=1")
	object := objectOf(l.Bytes())
	return &Base{Commit: "c", days: 30, until: noon, lines: map[string]line{}, file: &file{lines: map[string]line{
		"x": {object: object, counts: tally(Count{N: 1}, Count{3, "2026-11-02T00:00:00.000Z"}), held: "line", text: (&entry{lesson: l}).text(false)},
		"y": {tomb: "t", held: "-"},
	}}}, object
}

// TestAShareIsFollowedOnlyFromWhatTheBaseKnows: all of it is read where the base had another file, where its settings changed, and when a
// deletion has expired.
func TestAShareIsFollowedOnlyFromWhatTheBaseKnows(t *testing.T) {
	b, object := followed()
	for path, c := range map[string]Changed{
		"lessons/x.json": {Was: object, Is: "n"}, "lessons/new.json": {Is: "n"}, "tombstones/y.json": {Was: "t"}, "counts/m.json": {Is: "n"}, "README.md": {}, "docs/x.md": {},
	} {
		if b.Follow("m", noon, map[string]Changed{path: c}) == nil {
			t.Errorf("%s: all is read", path)
		}
	}
	for path, c := range map[string]Changed{
		"lessons/x.json": {Was: "other", Is: "n"}, "lessons/new.json": {Was: "o", Is: "n"}, "tombstones/y.json": {Was: "o"}, "share.toml": {Was: "o", Is: "n"},
	} {
		if b.Follow("m", noon, map[string]Changed{path: c}) != nil {
			t.Errorf("%s: it is followed", path)
		}
	}
	if b.Follow("m", noon.Add(time.Second), nil) != nil {
		t.Error("the expired deletion is not looked at")
	}
	if (&Base{Commit: "c"}).Follow("m", noon, nil) == nil {
		t.Error("a base that no file was read for is not followed")
	}
	if b.Commit = ""; b.Follow("m", noon, nil) != nil {
		t.Error("it is followed from nowhere")
	}
	if (*Base)(nil).Follow("m", noon, nil) != nil {
		t.Error("it is followed without a base")
	}
}

// TestChangedCountsAreAddedToTheSum of all others, which is made anew where it cannot be told from the change.
func TestChangedCountsAreAddedToTheSum(t *testing.T) {
	const monday, tuesday = "2026-11-02T00:00:00.000Z", "2026-11-03T00:00:00.000Z"
	for _, c := range []struct {
		what, path  string
		then, now   Counts // nil for no file
		own, others Count
		anew        bool
	}{
		{"counted on", "counts/o.json", Counts{"x": {N: 1}}, Counts{"x": {2, tuesday}}, Count{N: 1}, Count{4, tuesday}, false},
		{"a new machine", "counts/o.json", nil, Counts{"x": {N: 5}}, Count{N: 1}, Count{8, monday}, false},
		{"a machine that is gone", "counts/o.json", Counts{"x": {N: 2}}, nil, Count{N: 1}, Count{1, monday}, false},
		{"the last use is gone", "counts/o.json", Counts{"x": {1, monday}}, Counts{"x": {N: 2}}, Count{}, Count{}, true},
		{"another had it too", "counts/o.json", Counts{"x": {4, monday}}, Counts{"x": {N: 5}}, Count{}, Count{}, true},
		{"our own file", "counts/m.json", Counts{"x": {N: 1}}, Counts{"x": {2, tuesday}}, Count{2, tuesday}, Count{3, monday}, false},
		{"too many", "counts/o.json", Counts{"x": {N: 3}}, Counts{"x": {N: MostCounted}}, Count{N: 1}, Count{MostCounted, monday}, false},
	} {
		b, _ := followed()
		f := b.Follow("m", noon, map[string]Changed{c.path: {Was: "o", Is: "n"}})
		files := map[string][]byte{}
		for path, n := range map[string]Counts{before + c.path: c.then, c.path: c.now} {
			if n != nil {
				files[path] = n.Bytes()
			}
		}
		done := f.Recount(files)
		own, others := f.state.counts("x")
		f.Look(map[string]string{"x": "line"})
		if done == c.anew || done && (own != c.own || others != c.others || b.Quiet("x") || !b.Quiet("y")) {
			t.Errorf("%s: %t, %v, %v", c.what, done, own, others)
		}
	}
	b, _ := followed()
	if f := b.Follow("m", noon, map[string]Changed{"counts/o.json": {Is: "n"}}); f.Recount(map[string][]byte{"counts/o.json": []byte("{")}) {
		t.Error("damaged counts are taken")
	}
}

func TestWhatChangedAndWhatIsOpenIsReadOfAShare(t *testing.T) {
	b, object := followed()
	b.lines["../z"] = line{object: "z", tomb: "u"} // something was left to do
	f := b.Follow("m", noon, map[string]Changed{"lessons/new.json": {Is: "n"}, "tombstones/y.json": {Was: "t"}})
	if f.Look(map[string]string{"x": "line"}); !b.Quiet("x") || b.Quiet("y") || b.Quiet("../z") || b.Quiet("new") {
		t.Error(b.open)
	}
	got := f.Files()
	if len(got) != 3 || got["lessons/new.json"] != "n" || got[LessonPath("../z")] != "z" || got[pathOf(Tombstones, "../z")] != "u" {
		t.Error(got)
	}
	f = b.Follow("m", noon, map[string]Changed{LessonPath("../z"): {Was: "z"}})
	if f == nil {
		t.Fatal("a lesson whose file has another name than its id is not known")
	}
	if f.Look(nil); b.Quiet("x") || !b.Quiet("y") || b.Quiet("../z") {
		t.Error(b.open)
	}
	if got := f.Files(); got[LessonPath("x")] != object || got[LessonPath("../z")] != "" {
		t.Error("what the store changed is not read, or what is gone is:", got)
	}
}
