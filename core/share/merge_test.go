package share

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// of returns lesson x with fields that are numbers: "a=1 b=2". It is nil for an empty text.
func of(fields string) *Lesson {
	if fields == "" {
		return nil
	}
	l := Lesson{ID: "x", System: "s", Fields: map[string]string{}}
	for _, f := range strings.Fields(fields) {
		key, value, _ := strings.Cut(f, "=")
		l.Fields[key] = value
	}
	return &l
}

// shown returns the fields of a lesson as of takes them.
func shown(l Lesson) string {
	var all []string
	for _, key := range slices.Sorted(maps.Keys(l.Fields)) {
		all = append(all, key+"="+l.Fields[key])
	}
	return strings.Join(all, " ")
}

// told returns a result in lines.
func told(r *Result) string {
	var out []string
	for _, c := range r.Local {
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s here %s %s", [...]string{"add", "edit", "remove"}[c.Do], shown(c.Lesson), c.Why)))
	}
	for _, f := range r.Share {
		l, _ := ReadLesson(f.Path, f.Data)
		do := "put"
		if f.Data == nil {
			do = "remove"
		}
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s %s", do, strings.TrimSuffix(f.Path, "/x.json"), shown(l))))
	}
	for _, c := range r.Conflicts {
		out = append(out, fmt.Sprintf("conflict in %s: %s, %s here, %s there", c.Field, c.Base, c.Mine, c.Theirs))
	}
	for _, n := range r.Notes {
		out = append(out, "note: "+n.Text)
	}
	return strings.Join(out, "\n")
}

// situation is lesson x in three places, and what people did to it.
type situation struct {
	name               string
	base, mine, theirs string // "none" as base: there is none
	where              where  // of the base
	dead               string // the version that anna deleted on the 10th
	deleted, restored  bool
	rejected           string // this version
	want               string
}

func (s situation) merge() *Result {
	var base *Base
	if s.base != "none" {
		base = baseOf(map[string]entry{})
		if l := of(s.base); l != nil {
			base = baseOf(map[string]entry{"x": {lesson: *l, where: s.where, shown: []Count{{}}}})
		}
	}
	here := &Here{
		Machine: "m", Who: "bob", System: "s", Now: noon, Held: map[string]Held{},
		Deleted: func(string) bool { return s.deleted }, Restored: func(string) bool { return s.restored },
		Rejected: func(l Lesson) bool { return s.rejected != "" && l.equal(*of(s.rejected)) },
	}
	if l := of(s.mine); l != nil {
		here.Held["x"] = Held{Lesson: *l}
	}
	share := &State{Lessons: map[string]Lesson{}, Tombstones: map[string]Tombstone{}}
	if l := of(s.theirs); l != nil {
		share.Lessons["x"] = *l
	}
	if l := of(s.dead); l != nil {
		share.Tombstones["x"] = Tombstone{ID: "x", System: "s", Who: "anna", When: noon.AddDate(0, 0, -10), Digest: l.Digest()}
	}
	return Merge(base, here, share)
}

func TestRules(t *testing.T) {
	const deleted = "anna deleted it on 2026-11-10."
	for _, s := range []situation{
		{name: "nothing changed", base: "a=1", mine: "a=1", theirs: "a=1"},
		{name: "an addition here goes out", mine: "a=1", want: "put lessons a=1"},
		{name: "an addition there comes in", theirs: "a=1", want: "add here a=1"},
		{name: "an edit here goes out", base: "a=1 b=1", mine: "a=2 b=1", theirs: "a=1 b=1", want: "put lessons a=2 b=1"},
		{name: "an edit there comes in", base: "a=1 b=1", mine: "a=1 b=1", theirs: "a=1 b=2", want: "edit here a=1 b=2"},
		{name: "edits of different fields join", base: "a=1 b=1", mine: "a=2 b=1", theirs: "a=1 b=2", want: "edit here a=2 b=2\nput lessons a=2 b=2"},
		{name: "the same edit on both sides is one", base: "a=1", mine: "a=2", theirs: "a=2"},
		{name: "a field that goes is an edit", base: "a=1 b=1", mine: "a=1", theirs: "a=1 b=1 c=1", want: "edit here a=1 c=1\nput lessons a=1 c=1"},
		{name: "edits of the same field are a conflict", base: "a=1", mine: "a=2", theirs: "a=3", want: "conflict in a: 1, 2 here, 3 there"},
		{name: "a conflict does not stop another field", base: "a=1 b=1", mine: "a=2 b=2", theirs: "a=3 b=1", want: "put lessons a=3 b=2\nconflict in a: 1, 2 here, 3 there"},

		{name: "a person's deletion goes out", base: "a=1", theirs: "a=1", deleted: true, want: "remove lessons\nput tombstones"},
		{name: "an edit there wins over a deletion here", base: "a=1", theirs: "a=2", deleted: true, want: "add here a=2 It was deleted here, and somebody edited it since."},
		{name: "a deletion there removes an untouched copy", base: "a=1", mine: "a=1", dead: "a=1", want: "remove here  " + deleted},
		{name: "also one that is older than what was deleted", base: "a=1", mine: "a=1", dead: "a=2", want: "remove here  " + deleted},
		{
			name: "an edit here wins over a deletion there", base: "a=1", mine: "a=2", dead: "a=1",
			want: "remove tombstones\nput lessons a=2\nnote: " + deleted + " It was edited here since, and goes back to the share.",
		},
		{name: "an edit to the version that was deleted is none", base: "a=1", mine: "a=2", dead: "a=2", want: "remove here  " + deleted},
		{name: "a deletion on both sides is one", base: "a=1", dead: "a=1", deleted: true},
		{name: "an old copy that comes back goes again", mine: "a=1", dead: "a=1", want: "remove here  " + deleted},
		{name: "also an older one", mine: "a=1", dead: "a=2", want: "remove here  " + deleted},
		{name: "what a person restored comes back for all", mine: "a=1", dead: "a=1", restored: true, want: "remove tombstones\nput lessons a=1"},
		{name: "a deletion by hand in the share counts", base: "a=1", mine: "a=1", want: "remove here  Somebody removed it from the share."},
		{
			name: "an edit wins over it", base: "a=1", mine: "a=2",
			want: "put lessons a=2\nnote: Somebody removed it from the share. It was edited here since, and goes back.",
		},
		{name: "a dead lesson that git brought back goes", base: "a=1", mine: "a=1", theirs: "a=1", dead: "a=1", want: "remove here  " + deleted + "\nremove lessons"},
		{name: "a lesson that was edited after its deletion lives", base: "a=1", mine: "a=1", theirs: "a=2", dead: "a=1", want: "edit here a=2\nremove tombstones"},

		{name: "an eviction does not delete for others", base: "a=1", theirs: "a=1", want: "note: It was dropped here, and stays in the share."},
		{name: "an evicted lesson does not come back", base: "a=1", where: away, theirs: "a=1"},
		{name: "also when it was edited", base: "a=1", where: away, theirs: "a=2"},
		{name: "one that the agent brings back is merged", base: "a=1 b=1", where: away, mine: "a=1 b=2", theirs: "a=2 b=1", want: "edit here a=2 b=2\nput lessons a=2 b=2"},
		{name: "what waits is offered again", base: "a=1", where: offered, theirs: "a=2", want: "add here a=2"},
		{name: "what was rejected is not offered", theirs: "a=1", rejected: "a=1"},
		{name: "also later", base: "a=1", where: offered, theirs: "a=1", rejected: "a=1"},
		{name: "another version of it is", base: "a=1", where: offered, theirs: "a=2", rejected: "a=1", want: "add here a=2"},
		{name: "a rejected edit is not offered", base: "a=1", mine: "a=1", theirs: "a=2", rejected: "a=2"},
		{name: "an approval of an older version is no edit", base: "a=1", where: offered, mine: "a=1", theirs: "a=2", want: "edit here a=2"},

		{name: "without a base equal lessons join", base: "none", mine: "a=1", theirs: "a=1"},
		{name: "without a base fields that differ are a conflict", base: "none", mine: "a=1 b=1", theirs: "a=2 c=1", want: "edit here a=1 b=1 c=1\nput lessons a=2 b=1 c=1\nconflict in a: , 1 here, 2 there"},
		{name: "without a base nothing is deleted there", base: "none", theirs: "a=1", deleted: true, want: "add here a=1"},
		{
			name: "without a base nothing is deleted here", base: "none", mine: "a=1", dead: "a=1",
			want: "note: " + deleted + " It stays here alone, as nobody knows what this machine synced last. Edit it to share it again.",
		},
		{name: "what stays here alone is not told again", base: "a=1", where: alone, mine: "a=1", dead: "a=1"},
		{name: "nor shared when the tombstone has expired", base: "a=1", where: alone, mine: "a=1"},
		{
			name: "but when it is edited", base: "a=1", where: alone, mine: "a=2", dead: "a=1",
			want: "remove tombstones\nput lessons a=2\nnote: " + deleted + " It was edited here since, and goes back to the share.",
		},
	} {
		t.Run(s.name, func(t *testing.T) {
			if got := told(s.merge()); got != s.want {
				t.Errorf("got\n%s\nwant\n%s", got, s.want)
			}
		})
	}
}

// TestMergingAgainChangesNothing checks each situation of three fields' values on three sides.
func TestMergingAgainChangesNothing(t *testing.T) {
	forms := []string{"", "a=1", "a=2", "a=1 b=1", "a=2 b=2", "b=1"}
	for _, base := range append(forms, "none") {
		for _, mine := range forms {
			for _, theirs := range forms {
				for _, dead := range forms {
					for k := range 4 {
						s := situation{base: base, mine: mine, theirs: theirs, dead: dead, deleted: k&1 > 0, restored: k&2 > 0}
						r := s.merge()
						next, left := settled(r, nil)
						again := Merge(next, left.here, left.share)
						if len(again.Local)+len(again.Share)+len(again.Counts) > 0 || len(again.Notes) > 0 {
							t.Fatalf("%+v:\n%s\nthen\n%s", s, told(r), told(again))
						}
						if len(again.Conflicts) != len(r.Conflicts) {
							t.Fatalf("%+v: %v, then %v", s, r.Conflicts, again.Conflicts)
						}
					}
				}
			}
		}
	}
}

// after is what a merge leaves.
type after struct {
	here  *Here
	share *State
}

// settled does what a result says, save for lessons that wait, and reads the base back from its file.
func settled(r *Result, waiting map[string]bool) (*Base, after) {
	a := after{&Here{Machine: "m", System: "s", Now: noon, Held: map[string]Held{}}, &State{Lessons: map[string]Lesson{}, Tombstones: map[string]Tombstone{}}}
	for _, o := range r.outcomes {
		if o.there != nil {
			a.share.Lessons[o.id] = *o.there
		}
		if o.dead {
			a.share.Tombstones[o.id] = Tombstone{ID: o.id, System: "s", When: noon, Who: "anna"}
		}
		if l := o.here; l != nil && !waiting[o.id] {
			a.here.Held[o.id] = Held{*l, o.shown, ""}
		} else if o.mine != nil && waiting[o.id] {
			a.here.Held[o.id] = Held{*o.mine, o.held, ""}
		}
	}
	return read(r, waiting), a
}

// baseOf returns a base with these entries.
func baseOf(entries map[string]entry) *Base {
	b := &Base{lines: map[string]line{}}
	for id, e := range entries {
		b.lines[id] = line{text: e.text(true)}
	}
	return b
}

// lessons returns those that the share has after a merge, by object.
func (r *Result) lessons() map[string]Lesson {
	all := map[string]Lesson{}
	for _, o := range r.outcomes {
		if o.there != nil {
			all[r.object(&o, o.there)] = *o.there
		}
	}
	return all
}

// read reads the base of a result from its file.
func read(r *Result, waiting map[string]bool) *Base {
	b, err := ReadBase(r.Base(waiting, nil).Bytes())
	if err != nil {
		panic(err)
	}
	b.lessons = r.lessons()
	return b
}

// TestBothSidesMakeTheSameShare swaps the sides: where nothing is in conflict the share is the same.
func TestBothSidesMakeTheSameShare(t *testing.T) {
	forms := []string{"a=1", "a=2", "a=1 b=1", "a=2 b=2", "b=1", "a=1 b=2 c=3"}
	for _, base := range append(forms, "none") {
		for _, mine := range forms {
			for _, theirs := range forms {
				one := situation{base: base, mine: mine, theirs: theirs}.merge()
				two := situation{base: base, mine: theirs, theirs: mine}.merge()
				if len(one.Conflicts) != len(two.Conflicts) {
					t.Fatalf("%s, %s, %s: %v and %v", base, mine, theirs, one.Conflicts, two.Conflicts)
				}
				if a, b := *one.outcomes[0].there, *two.outcomes[0].there; len(one.Conflicts) == 0 && !a.equal(b) {
					t.Errorf("%s, %s, %s: %s and %s", base, mine, theirs, shown(a), shown(b))
				}
			}
		}
	}
}

func TestWhatWaitsIsOfferedAgain(t *testing.T) {
	for _, s := range []situation{
		{base: "", theirs: "a=1", want: "add here a=1"},
		{base: "a=1 b=1", mine: "a=1 b=1", theirs: "a=2 b=1", want: "edit here a=2 b=1"},
		{base: "a=1 b=1", mine: "a=1 b=2", theirs: "a=2 b=1", want: "edit here a=2 b=2"},
		{base: "a=1", mine: "a=1", dead: "a=1", want: "remove here  anna deleted it on 2026-11-20."},
	} {
		b, a := settled(s.merge(), map[string]bool{"x": true})
		if got := told(Merge(b, a.here, a.share)); got != s.want {
			t.Errorf("%+v: got %s", s, got)
		}
	}
}

func TestWhatIsWithheldDoesNotLeave(t *testing.T) {
	held := map[string]bool{"x": true}
	for _, s := range []situation{
		{mine: "a=1"},
		{base: "a=1", mine: "a=2", theirs: "a=1"},
		{base: "a=1", theirs: "a=1", deleted: true},
	} {
		r := s.merge()
		if got := r.Files(held); len(got) > 0 {
			t.Errorf("%+v: %v", s, got)
		}
		b := r.Base(nil, held)
		e, known := b.entry("x")
		if known != (s.base != "") || known && !e.lesson.equal(*of(s.base)) || e.where != both {
			t.Errorf("%+v: the base has %v", s, e)
		}
	}
}

func TestADecisionEndsAConflict(t *testing.T) {
	r := situation{base: "a=1 b=1", mine: "a=2 b=1", theirs: "a=3 b=1"}.merge()
	b, a := settled(r, nil)
	b = b.Decide(r.Conflicts[0], Conflict{ID: "unknown"})
	if got, want := told(Merge(b, a.here, a.share)), "put lessons a=2 b=1"; got != want {
		t.Errorf("mine: got %s", got)
	}
	a.share.Lessons["x"] = *of("a=4 b=1")
	if got, want := told(Merge(b, a.here, a.share)), "conflict in a: 3, 2 here, 4 there"; got != want {
		t.Errorf("when it was edited again: got %s", got)
	}
}

func TestTombstonesExpire(t *testing.T) {
	share := &State{Tombstones: map[string]Tombstone{
		"new": {ID: "new", System: "s", When: noon.AddDate(0, 0, -179)}, "old": {ID: "old", System: "s", When: noon.AddDate(0, 0, -181)},
	}}
	r := Merge(nil, &Here{System: "s", Now: noon}, share)
	if got := fmt.Sprint(r.Share); got != "[{tombstones/old.json old []}]" {
		t.Error(got)
	}
}

func TestOtherSystemsAndRefusedFilesAreLeftAlone(t *testing.T) {
	theirs := *of("a=2")
	theirs.System = "other"
	for _, share := range []*State{{Lessons: map[string]Lesson{"x": theirs}}, {names: map[string]bool{"x": true}}} {
		base := baseOf(map[string]entry{"x": {lesson: *of("a=1"), own: 3, shown: []Count{{N: 3}}}})
		share.Own = Counts{"x": {N: 3}}
		r := Merge(base, &Here{System: "s", Held: map[string]Held{"x": {Lesson: *of("a=5"), Count: Count{N: 4}}}}, share)
		if len(r.Local)+len(r.Share)+len(r.Counts)+len(r.Files(nil)) > 0 || len(r.Notes) != 1 {
			t.Error(told(r), r.Counts)
		}
		if e, _ := r.Base(nil, nil).entry("x"); !e.lesson.equal(*of("a=1")) || e.own != 3 {
			t.Error(e)
		}
	}
}

func TestWhatIsTooLargeTogetherIsNotMerged(t *testing.T) {
	big := `"` + strings.Repeat("x", MaxLesson*2/3) + `"`
	mine, theirs := of("a=1"), of("a=1")
	mine.Fields["b"], theirs.Fields["c"] = big, big
	r := Merge(nil, &Here{System: "s", Held: map[string]Held{"x": {Lesson: *mine}}}, &State{Lessons: map[string]Lesson{"x": *theirs}})
	if len(r.Local)+len(r.Share) > 0 || len(r.Notes) != 1 {
		t.Error(r.Notes)
	}
}

// TestWhoTakesAnOfferEditedNothing: an edit of others that was approved here is not sent as one of ours when the share has the old text
// again meanwhile. Two machines that approve each other's last text would else send it to and fro for ever.
func TestWhoTakesAnOfferEditedNothing(t *testing.T) {
	old, edited := *of("a=1"), *of("a=2")
	base := baseOf(map[string]entry{"x": {lesson: old, shown: []Count{{}}}})
	here := func(l Lesson) *Here {
		return &Here{Machine: "m", System: "s", Now: noon, Held: map[string]Held{"x": {Lesson: l}}}
	}
	r := Merge(base, here(old), &State{Lessons: map[string]Lesson{"x": edited}})
	next := read(r, map[string]bool{"x": true})
	r = Merge(next, here(edited), &State{Lessons: map[string]Lesson{"x": old}})
	if len(r.Share) > 0 || len(r.Local) != 1 || r.Local[0].Do != Edit {
		t.Errorf("sent %v, offered %v", r.Share, r.Local)
	}
	// Who edits it otherwise has edited it.
	if r = Merge(next, here(*of("a=3")), &State{Lessons: map[string]Lesson{"x": edited}}); len(r.Conflicts) != 1 {
		t.Errorf("%+v", r)
	}
}

// TestWhoApprovesALaterOfferEditedNothing: a lesson waits here, others edit it, and that text is approved. When they edit it once more
// that is an edit of theirs alone, and nobody is asked which of the two holds.
func TestWhoApprovesALaterOfferEditedNothing(t *testing.T) {
	base, waits := (*Base)(nil), map[string]bool{"x": true}
	here := &Here{Machine: "m", System: "s", Now: noon, Held: map[string]Held{}}
	for _, offered := range []string{"a=1", "a=2"} {
		r := Merge(base, here, &State{Lessons: map[string]Lesson{"x": *of(offered)}})
		base = read(r, waits)
	}
	for _, approved := range []string{"a=1", "a=2"} {
		here.Held["x"] = Held{Lesson: *of(approved)}
		if got := told(Merge(base, here, &State{Lessons: map[string]Lesson{"x": *of("a=3")}})); got != "edit here a=3" {
			t.Errorf("%s was approved: %s", approved, got)
		}
	}
}
