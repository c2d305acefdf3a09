package plan_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"winnow/core/curate/plan"
	"winnow/core/lesson"
	"winnow/core/memory"
)

func TestDeleteNamesEachRecordOnceInTheOrderOfTheStore(t *testing.T) {
	v := pinned(view(line("a", 0, 1, -1), line("b", 2, 1, 0), line("c", 0, 1, -1)), "a")
	p := must(t, memory.Order{Do: memory.Delete, IDs: []memory.ID{"c", "a", "c"}}, v)
	if changesText(p) != "delete a, delete c" || p.What != "Deleted 2 lessons" {
		t.Errorf("%s: %s", p.What, changesText(p))
	}
	c := p.Changes[1]
	if c.Line != 3 || c.Behind != "b" || c.Before != v.Records[2].Raw || c.After != "" ||
		c.Record.Title != "task of c" {
		t.Errorf("%+v", c)
	}
	if p.Changes[0].Behind != "" {
		t.Errorf("the first record stands behind %q", p.Changes[0].Behind)
	}
	wantNote(t, p, "An agent then holds 1 of at most 100 lessons: 99 places are free.")
	wantNote(t, p, "Pinned records among them: 1.")
	wantNote(t, p, "A running agent holds its own copy and may bring this back.")
}

func TestUnknownRecordIsNamed(t *testing.T) {
	v := view(line("a", 0, 1, -1))
	for _, do := range []memory.Act{memory.Delete, memory.EditOne, memory.Merge, memory.Pin, memory.Unpin, memory.Repair, memory.Redact} {
		_, err := plan.Make(memory.Order{Do: do, IDs: []memory.ID{"a", "zz"}}, v)
		if !errors.Is(err, memory.ErrNotFound) || !strings.Contains(err.Error(), `"zz"`) {
			t.Errorf("%s: %v", do, err)
		}
	}
	_, err := plan.Make(memory.Order{Do: memory.Prune, Rule: memory.Rule{Listed: true}, IDs: []memory.ID{"zz"}}, v)
	if !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("prune: %v", err)
	}
}

func TestAnOrderOfNothing(t *testing.T) {
	v := view(line("a", 0, 1, -1))
	for _, do := range []memory.Act{memory.Delete, memory.EditOne, memory.Merge, memory.Pin, memory.Unpin, memory.Prune} {
		if _, err := plan.Make(memory.Order{Do: do}, v); !errors.Is(err, memory.ErrNothing) {
			t.Errorf("%s: %v", do, err)
		}
	}
	for _, do := range []memory.Act{memory.Undo, memory.Trust, "dance"} {
		if _, err := plan.Make(memory.Order{Do: do, IDs: []memory.ID{"a"}}, v); err == nil {
			t.Errorf("%s makes a plan", do)
		}
	}
}

func TestWhatThePersonSawIsWhatChanges(t *testing.T) {
	seen := line("a", 0, 9, -1)
	v := view(line("a", 3, 9, 1))
	p := must(
		t,
		memory.Order{Do: memory.Delete, IDs: []memory.ID{"a", "gone"}, Base: []string{seen, line("gone", 0, 1, -1)}},
		v,
	)
	if changesText(p) != "delete a, delete gone" {
		t.Fatal(changesText(p))
	}
	if c := p.Changes[0]; c.Before != seen || c.Record.Count.N != 0 || c.Line != 1 {
		t.Errorf("%+v", c)
	}
	if c := p.Changes[1]; c.Before != line("gone", 0, 1, -1) || c.Line != 0 || c.Record.Title != "task of gone" {
		t.Errorf("%+v", c)
	}
}

func TestALineWithoutIDIsFollowedByItsBytes(t *testing.T) {
	v := view("broken one", line("a", 0, 1, -1), "broken two")
	p := must(t, memory.Order{Do: memory.Delete, IDs: []memory.ID{"line 1"}, Base: []string{"broken two"}}, v)
	if changesText(p) != "delete line 3" || p.Changes[0].Before != "broken two" {
		t.Errorf("%s: %q", changesText(p), p.Changes[0].Before)
	}
	p = must(t, memory.Order{Do: memory.Delete, IDs: []memory.ID{"line 1"}, Base: []string{"broken three"}}, v)
	if c := p.Changes[0]; c.Line != 0 || c.Before != "broken three" {
		t.Errorf("another line is deleted in its place: %+v", c)
	}
}

func TestTooLongLinesAreLeftAlone(t *testing.T) {
	v := view(line("a", 0, 90, -1))
	v.Records = append(v.Records, func() memory.Record {
		r := memory.Record{ID: "line 2", Line: 2, Raw: "{", RawLen: 1 << 20}
		r.Problem = &memory.Problem{Code: "too-long", What: "too long"}
		return r
	}())
	_, err := plan.Make(
		memory.Order{Do: memory.EditOne, IDs: []memory.ID{"line 2"}, Edit: memory.Edit{Raw: text("{}")}},
		v,
	)
	wantProblem(t, err, "too-long")
	if p := must(t, memory.Order{Do: memory.Delete, IDs: []memory.ID{"line 2"}}, v); !p.Changes[0].Record.RawCut() {
		t.Error("the writer is not told that it knows the beginning only")
	}
	for _, o := range []memory.Order{
		{Do: memory.Prune, Rule: memory.Rule{Unused: true}},
		{Do: memory.Repair},
		{Do: memory.Redact, IDs: []memory.ID{"line 2"}},
	} {
		if p := must(t, o, v); !strings.Contains(kept(p), "line 2: too long") ||
			strings.Contains(changesText(p), "line 2") {
			t.Errorf("%s: %s; %s", o.Do, changesText(p), kept(p))
		}
	}
}

func TestPinLeavesOutWhatIsPinned(t *testing.T) {
	v := pinned(view(line("a", 0, 1, -1), line("b", 0, 1, -1), "broken"), "a", "left")
	p := must(t, memory.Order{Do: memory.Pin, IDs: []memory.ID{"b", "a", "line 3"}}, v)
	if changesText(p) != "pin b" || p.What != "Pinned 1 lesson" || p.Changes[0].Before != p.Changes[0].After {
		t.Errorf("%s: %s", p.What, changesText(p))
	}
	if kept(p) != "line 3: it has no id of its own, so a pin could not follow it" {
		t.Error(kept(p))
	}
	wantNote(t, p, "Pins exist only in Winnow; agents do not know about them.")
	if p := must(t, memory.Order{Do: memory.Pin, IDs: []memory.ID{"a"}}, v); len(p.Changes) != 0 ||
		p.What != "Nothing changed" {
		t.Errorf("%s: %s", p.What, changesText(p))
	}
	if p := must(t, memory.Order{Do: memory.Unpin, IDs: []memory.ID{"a", "b", "left"}}, v); changesText(
		p,
	) != "unpin a, unpin left" {
		t.Error(changesText(p))
	}
}

func TestUnfreezeLowersTheLeastUseful(t *testing.T) {
	lines := full(100)
	v := pinned(view(lines...), "r009")
	p := must(t, memory.Order{Do: memory.Repair, Spare: map[memory.ID]string{"r008": "not seen yet"}}, v)
	if len(p.Changes) != 10 || p.What != "Lowered 10 counts to 0" {
		t.Fatalf("%s: %s", p.What, changesText(p))
	}
	// of count 1 the earliest used is r000; the tenth of them, r009, is pinned
	if p.Changes[0].ID != "r000" || kept(p) != "r008: not seen yet; r009: pinned" {
		t.Errorf("%s; kept %s", changesText(p), kept(p))
	}
	wantNote(t, p, "Then 10 new lessons fit before one of them leaves.")
	after := view(apply(t, lines, p)...)
	room := after.Cap - after.Held
	for i := range after.Records {
		if after.Records[i].Forecast.LeavesAfter > 0 {
			room++
		}
	}
	if room != 10 {
		t.Errorf("%d new lessons fit, want 10", room)
	}
	if more := must(t, memory.Order{Do: memory.Repair}, after); len(more.Changes) != 0 {
		t.Errorf("unfrozen twice: %s", changesText(more))
	}
	if p := must(t, memory.Order{Do: memory.Repair, Rule: memory.Rule{Keep: 3}}, v); len(p.Changes) != 3 {
		t.Errorf("asked for 3: %s", changesText(p))
	}
}

func TestUnfreezeCountsWhatIsOverTheCap(t *testing.T) {
	lines := full(120)
	p := must(t, memory.Order{Do: memory.Repair, Rule: memory.Rule{Keep: 2}}, view(lines...))
	if len(p.Changes) != 22 {
		t.Errorf("%d changes, want 2 and the 20 over the cap", len(p.Changes))
	}
	wantNote(t, p, "2 new lessons fit")
}

func TestUnfreezeCountsTheRoomThatIsThere(t *testing.T) {
	lines := full(115)
	for i := range 5 {
		lines = append(lines, line(fmt.Sprintf("z%d", i), 0, 1, -1))
	}
	o := memory.Order{Do: memory.Repair, Rule: memory.Rule{Keep: 2}}
	if p := must(t, o, view(lines...)); len(p.Changes) != 17 {
		t.Errorf("%d changes, want 2 and the 20 over the cap, less the 5 that leave first", len(p.Changes))
	}
}

func TestUnfreezeTakesTheOldestUseFirst(t *testing.T) {
	lines := full(98)
	lines = append([]string{line("recent", 1, 40, 1), line("long ago", 1, 40, 300)}, lines...)
	p := must(t, memory.Order{Do: memory.Repair, Rule: memory.Rule{Keep: 1}}, view(lines...))
	if changesText(p) != "edit long ago" || p.Changes[0].Why != "recalled 1 time, last 300 days ago" {
		t.Errorf("%s: %s", changesText(p), p.Changes[0].Why)
	}
}

func TestUnfreezeLeavesAStoreThatLearns(t *testing.T) {
	for _, lines := range [][]string{full(99), append(full(99), line("z", 0, 1, -1)), nil} {
		if p := must(t, memory.Order{Do: memory.Repair}, view(lines...)); len(p.Changes) != 0 ||
			p.What != "Nothing to repair" {
			t.Errorf("%d lines: %s", len(lines), changesText(p))
		}
	}
	frozen := append(full(99), strings.Replace(line("later", 5, 1, 0), "2026", "2999", 1))
	if p := must(t, memory.Order{Do: memory.Repair, Rule: memory.Rule{Keep: 100}}, view(frozen...)); len(
		p.Changes,
	) != 99 {
		t.Errorf("a lesson with a date to come makes room: %d changes", len(p.Changes))
	}
	v := view(full(100)...)
	v.Pinned = func(memory.ID) bool { return true }
	if p := must(t, memory.Order{Do: memory.Repair}, v); len(p.Changes) != 0 || len(p.Kept) != 100 {
		t.Errorf("all are pinned: %s", changesText(p))
	}
}

func TestRepairMendsOrDrops(t *testing.T) {
	good := line("a", 1, 1, 0)
	noText := `{"lesson_id":"x","outcome":"failed","lesson":"l","created_at":"2030"}`
	v := view(good, "broken", "\u00a0"+line("b", 1, 1, 0)+"\u00a0", "null", noText)
	p := must(t, memory.Order{Do: memory.Repair}, v)
	if changesText(p) != "delete line 2, edit b, delete line 4, edit x" || p.What != "Repaired 4 lines" {
		t.Fatalf("%s: %s", p.What, changesText(p))
	}
	if why := p.Changes[0].Why; !strings.HasPrefix(why, "this line is not JSON: ") ||
		!strings.HasSuffix(why, "lost at the agent's next save") {
		t.Error(why)
	}
	if why := p.Changes[2].Why; why != v.Records[3].Problem.What {
		t.Error(why)
	}
	p = must(t, memory.Order{Do: memory.Repair, IDs: []memory.ID{"a", "line 4"}}, v)
	if changesText(p) != "delete line 4" || kept(p) != "a: nothing is wrong with it" {
		t.Errorf("%s; %s", changesText(p), kept(p))
	}
	for _, r := range view(apply(t, []string{good, "broken", v.Records[2].Raw, "null", noText}, must(t, memory.Order{Do: memory.Repair}, v))...).Records {
		if r.Problem != nil {
			t.Errorf("line %d is still wrong: %s", r.Line, r.Problem.What)
		}
	}
	if p := must(t, memory.Order{Do: memory.Repair, Spare: map[memory.ID]string{"line 2": "not seen yet"}}, v); kept(
		p,
	) != "line 2: not seen yet" {
		t.Error(kept(p))
	}
	if p := must(t, memory.Order{Do: memory.Repair, IDs: []memory.ID{"line 4"}}, pinned(v, "line 4")); changesText(
		p,
	) != "delete line 4" {
		t.Errorf("named, and yet kept: %s", kept(p))
	}
	if p := must(t, memory.Order{Do: memory.Repair}, view(good)); p.What != "Nothing to repair" {
		t.Error(p.What)
	}
}

func TestRepairMendsWhereAnAgentDiesAtADate(t *testing.T) {
	v := view(strings.Replace(line("a", 0, 1, -1), `"`+lesson.ISO(now.AddDate(0, 0, -1))+`"`, `{"toString":1}`, 1))
	p := must(t, memory.Order{Do: memory.Repair}, v)
	if changesText(p) != "edit a" || p.Changes[0].Why != "an agent stops at this line" {
		t.Errorf("%s: %+v", changesText(p), p.Changes)
	}
}

func TestCommitCountsExactlyTheRecalled(t *testing.T) {
	v := view(line("a", 1, 1, 0), line("b", 0, 1, -1), line("c", 0, 1, -1))
	v.Recall = func(task memory.Task) (memory.Recall, error) {
		if task.Text != "draft" {
			t.Errorf("recalls for %q", task.Text)
		}
		return memory.Recall{Hits: []memory.Hit{{ID: "c", Recalled: true}, {ID: "a", Recalled: true}, {ID: "b"}}}, nil
	}
	o := memory.Order{Do: memory.Commit, Task: memory.Task{Text: "draft"}}
	p := must(t, o, v)
	if changesText(p) != "edit c, edit a" || p.Changes[1].Edited.Count.N != 2 ||
		p.What != "Counted the recall of 2 lessons" {
		t.Errorf("%s: %s", p.What, changesText(p))
	}
	v.Recall = func(memory.Task) (memory.Recall, error) { return memory.Recall{Searched: 3}, nil }
	if p := must(t, o, v); len(p.Changes) != 0 {
		t.Error(changesText(p))
	}
	v.Recall = func(memory.Task) (memory.Recall, error) {
		return memory.Recall{Stop: &memory.Problem{Code: "no-text"}, Hits: []memory.Hit{{ID: "a", Recalled: true}}}, nil
	}
	_, err := plan.Make(o, v)
	wantProblem(t, err, "no-text")
	v.Recall = func(memory.Task) (memory.Recall, error) {
		return memory.Recall{Hits: []memory.Hit{{ID: "later", Recalled: true}}}, nil
	}
	if _, err := plan.Make(o, v); !errors.Is(err, memory.ErrNotFound) {
		t.Error(err)
	}
}

// TestNothingIsCountedOfAStoreThatCannotBeRead checks that a recall from an unreadable store, with
// which an agent starts without lessons, is not mistaken for a recall that found nothing.
func TestNothingIsCountedOfAStoreThatCannotBeRead(t *testing.T) {
	v := view(line("a", 1, 1, 0))
	v.Recall = func(memory.Task) (memory.Recall, error) { return memory.Recall{}, nil }
	_, err := plan.Make(memory.Order{Do: memory.Commit, Task: memory.Task{Text: "draft"}}, v)
	wantProblem(t, err, "read-error")
}

func TestRedactionIsFinal(t *testing.T) {
	secret := strings.Replace(line("a", 0, 1, -1), "lesson of a", "use "+token, 1)
	v := view(secret, line("b", 0, 1, -1))
	p := must(t, memory.Order{Do: memory.Redact}, v)
	if changesText(p) != "edit a" || !p.Final || p.What != "Redacted 1 secret in 1 lesson" {
		t.Errorf("%s: %s", p.What, changesText(p))
	}
	if c := p.Changes[0]; c.Before != secret || strings.Contains(c.After, token) || c.Edited.Body != "use [REDACTED]" {
		t.Errorf("%+v", c)
	}
	wantNote(t, p, "Revoke the secret first, then redact it, then clean the git history.")
	if p := must(t, memory.Order{Do: memory.Redact, IDs: []memory.ID{"b"}}, v); p.Final ||
		p.What != "Nothing to redact" {
		t.Errorf("%s: %s", p.What, changesText(p))
	}
}

func TestLinesOutOfReachAreHeldOnceOthersLeave(t *testing.T) {
	v := view(full(203)...)
	p := must(t, memory.Order{Do: memory.Delete, IDs: []memory.ID{"r000", "r001", "r202"}}, v)
	wantNote(t, p, "An agent then holds 200 lessons, 100 more than the 100 that it keeps.")
	p = must(t, memory.Order{Do: memory.Delete, IDs: []memory.ID{"r000", "r200", "r201", "r202"}}, v)
	wantNote(t, p, "An agent then holds 199 lessons")
}

func TestNobodyKnowsWhatAnAgentHoldsThatStops(t *testing.T) {
	p := must(
		t,
		memory.Order{Do: memory.Delete, IDs: []memory.ID{"a"}},
		view(line("a", 1, 1, 0), "null", line("b", 1, 1, 0)),
	)
	if noted(p, "An agent then holds") {
		t.Error(p.Notes)
	}
}

func TestNothingStoredGetsIntoWords(t *testing.T) {
	evil := strings.NewReplacer("task of a", "EVIL", "lesson of a", "EVIL", `"a"`, `"EVIL"`, "http-get", "EVIL").
		Replace(line("a", 0, 90, -1))
	v := view(evil, strings.ReplaceAll(evil, "EVIL", "EVIL2"))
	v.Recall = func(memory.Task) (memory.Recall, error) {
		return memory.Recall{Hits: []memory.Hit{{ID: "EVIL", Recalled: true}}}, nil
	}
	ids := []memory.ID{"EVIL", "EVIL2"}
	for _, o := range []memory.Order{
		{Do: memory.Delete, IDs: ids}, {Do: memory.EditOne, IDs: ids[:1], Edit: memory.Edit{Body: text("x")}},
		{Do: memory.Merge, IDs: ids}, {Do: memory.Pin, IDs: ids}, {Do: memory.Prune, Rule: memory.Rule{Unused: true}},
		{Do: memory.Repair, IDs: ids}, {Do: memory.Commit}, {Do: memory.Redact, IDs: ids},
	} {
		p := must(t, o, v)
		if words := p.What + strings.Join(p.Notes, ""); strings.Contains(words, "EVIL") || p.What == "" {
			t.Errorf("%s: %s", o.Do, words)
		}
		if again := must(t, o, v); !slices.Equal(again.Notes, p.Notes) || changesText(again) != changesText(p) {
			t.Errorf("%s: two plans of one order differ", o.Do)
		}
	}
}
