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
		out = append(out, fmt.Sprintf("conflict: %s here, %s there", shown(c.Mine), shown(c.Theirs)))
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
	keeps              bool   // a person rejected the deletion
	rejected           string // this version
	want               string
}

func (s situation) merge() *Result {
	var base *Base
	if s.base != "none" {
		base = baseOf(map[string]entry{})
		if l := of(s.base); l != nil {
			base = baseOf(map[string]entry{"x": asEntry(*l, s.where)})
		}
	}
	here := &Here{
		Who: "bob", System: "s", Now: noon, Held: map[string]Lesson{}, Keeps: func(string) bool { return s.keeps },
		Deleted: func(string) bool { return s.deleted }, Restored: func(string) bool { return s.restored },
		Rejected: func(l Lesson) bool { return s.rejected != "" && l.equal(*of(s.rejected)) },
	}
	if l := of(s.mine); l != nil {
		here.Held["x"] = *l
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
		{name: "edits of different fields are a conflict too", base: "a=1 b=1", mine: "a=2 b=1", theirs: "a=1 b=2", want: "conflict: a=2 b=1 here, a=1 b=2 there"},
		{name: "the same edit on both sides is one", base: "a=1", mine: "a=2", theirs: "a=2"},
		{name: "a field that goes is an edit", base: "a=1 b=1", mine: "a=1", theirs: "a=1 b=1", want: "put lessons a=1"},
		{name: "edits of the same field are a conflict", base: "a=1", mine: "a=2", theirs: "a=3", want: "conflict: a=2 here, a=3 there"},

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
		{name: "a deletion that a person rejected is taken back for all", base: "a=1", mine: "a=1", dead: "a=1", keeps: true, want: "remove tombstones\nput lessons a=1"},
		{name: "also one by hand", base: "a=1", mine: "a=1", keeps: true, want: "put lessons a=1"},
		{name: "also one that git half took back", base: "a=1", mine: "a=1", theirs: "a=1", dead: "a=1", keeps: true, want: "remove lessons\nremove tombstones\nput lessons a=1"},
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
		{
			name: "one that came back and was deleted before a sync saw it is deleted", base: "a=1", where: away,
			theirs: "a=1", deleted: true, want: "remove lessons\nput tombstones",
		},
		{name: "one that the agent brings back is merged", base: "a=1 b=1", where: away, mine: "a=1 b=1", theirs: "a=2 b=1", want: "edit here a=2 b=1"},
		{name: "what waits is offered again", base: "a=1", where: offered, theirs: "a=2", want: "add here a=2"},
		{name: "what was rejected is not offered", theirs: "a=1", rejected: "a=1"},
		{name: "also later", base: "a=1", where: offered, theirs: "a=1", rejected: "a=1"},
		{name: "another version of it is", base: "a=1", where: offered, theirs: "a=2", rejected: "a=1", want: "add here a=2"},
		{name: "a rejected edit is not offered", base: "a=1", mine: "a=1", theirs: "a=2", rejected: "a=2"},
		{name: "an approval of an older version is no edit", base: "a=1", where: offered, mine: "a=1", theirs: "a=2", want: "edit here a=2"},

		{name: "without a base equal lessons join", base: "none", mine: "a=1", theirs: "a=1"},
		{name: "without a base lessons that differ are a conflict", base: "none", mine: "a=1 b=1", theirs: "a=2 c=1", want: "conflict: a=1 b=1 here, a=2 c=1 there"},
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
						next, left := settled(r, true)
						again := Merge(next, left.here, left.share)
						if len(again.Local)+len(again.Share) > 0 || len(again.Notes) > 0 {
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

// settled does what a result says, here only if a person approves all, and reads the base back from its file. After an
// approval another sync has seen it.
func settled(r *Result, approved bool) (*Base, after) {
	a := after{&Here{System: "s", Now: noon, Held: map[string]Lesson{}}, &State{Lessons: map[string]Lesson{}, Tombstones: map[string]Tombstone{}}}
	for _, o := range r.outcomes {
		if o.there != nil {
			a.share.Lessons[o.id] = *o.there
		}
		if o.dead {
			a.share.Tombstones[o.id] = Tombstone{ID: o.id, System: "s", When: noon, Who: "anna"}
		}
		if l := o.here; l != nil && approved {
			a.here.Held[o.id] = *l
		} else if o.mine != nil && !approved {
			a.here.Held[o.id] = *o.mine
		}
	}
	b := read(r)
	if approved {
		b = read(Merge(b, a.here, a.share))
	}
	return b, a
}

func asEntry(l Lesson, where where) entry {
	if where == alone {
		return entry{where: alone, version: l.Digest()}
	}
	return entry{lesson: l, where: where}
}

// baseOf returns a base with these entries.
func baseOf(entries map[string]entry) *Base {
	return &Base{entries: entries}
}

// read reads the base of a result from its file.
func read(r *Result) *Base {
	b, err := ReadBase(r.Base(nil).Bytes())
	if err != nil {
		panic(err)
	}
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
		{base: "a=1", mine: "a=1", dead: "a=1", want: "remove here  anna deleted it on 2026-11-20."},
	} {
		b, a := settled(s.merge(), false)
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
		b := r.Base(held)
		e, known := b.entry("x")
		if known != (s.base != "") || known && !e.lesson.equal(*of(s.base)) || e.where != both {
			t.Errorf("%+v: the base has %v", s, e)
		}
	}
}

func TestADecisionEndsAConflict(t *testing.T) {
	r := situation{base: "a=1 b=1", mine: "a=2 b=1", theirs: "a=3 b=1"}.merge()
	b, a := settled(r, false)
	b = b.Decide(r.Conflicts[0])
	if got, want := told(Merge(b, a.here, a.share)), "put lessons a=2 b=1"; got != want {
		t.Errorf("mine: got %s", got)
	}
	a.share.Lessons["x"] = *of("a=4 b=1")
	if got, want := told(Merge(b, a.here, a.share)), "conflict: a=2 b=1 here, a=4 b=1 there"; got != want {
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
		base := baseOf(map[string]entry{"x": {lesson: *of("a=1")}})
		r := Merge(base, &Here{System: "s", Held: map[string]Lesson{"x": *of("a=5")}}, share)
		if len(r.Local)+len(r.Share)+len(r.Files(nil)) > 0 || len(r.Notes) != 1 {
			t.Error(told(r))
		}
		if e, _ := r.Base(nil).entry("x"); !e.lesson.equal(*of("a=1")) {
			t.Error(e)
		}
	}
}

// TestWhoTakesAnOfferEditedNothing: an edit of others that was approved here is not sent as one of ours when the share
// has the old text again meanwhile. Two machines that approve each other's last text would else send it to and fro for
// ever.
func TestWhoTakesAnOfferEditedNothing(t *testing.T) {
	old, edited := *of("a=1"), *of("a=2")
	base := baseOf(map[string]entry{"x": {lesson: old}})
	here := func(l Lesson) *Here {
		return &Here{System: "s", Now: noon, Held: map[string]Lesson{"x": l}}
	}
	r := Merge(base, here(old), &State{Lessons: map[string]Lesson{"x": edited}})
	next := read(r)
	r = Merge(next, here(edited), &State{Lessons: map[string]Lesson{"x": old}})
	if len(r.Share) > 0 || len(r.Local) != 1 || r.Local[0].Do != Edit {
		t.Errorf("sent %v, offered %v", r.Share, r.Local)
	}
	// Who edits it otherwise has edited it.
	if r = Merge(next, here(*of("a=3")), &State{Lessons: map[string]Lesson{"x": edited}}); len(r.Conflicts) != 1 {
		t.Errorf("%+v", r)
	}
}

// TestWhoApprovesALaterOfferEditedNothing: a lesson waits here, others edit it, and that text is approved. When they
// edit it once more that is an edit of theirs alone, and nobody is asked which of the two holds.
func TestWhoApprovesALaterOfferEditedNothing(t *testing.T) {
	base := (*Base)(nil)
	here := &Here{System: "s", Now: noon, Held: map[string]Lesson{}}
	for _, offered := range []string{"a=1", "a=2"} {
		r := Merge(base, here, &State{Lessons: map[string]Lesson{"x": *of(offered)}})
		base = read(r)
	}
	for _, approved := range []string{"a=1", "a=2"} {
		here.Held["x"] = *of(approved)
		if got := told(Merge(base, here, &State{Lessons: map[string]Lesson{"x": *of("a=3")}})); got != "edit here a=3" {
			t.Errorf("%s was approved: %s", approved, got)
		}
	}
}
