package plan_test

import (
	"errors"
	"slices"
	"testing"

	"winnow/core/curate/plan"
	"winnow/core/detect"
	"winnow/core/memory"
)

// indexed returns a view in which the record "index" loses a line with each deletion.
func indexed(lines ...string) plan.View {
	v := view(lines...)
	v.Info.Companions = func(records []memory.Record, changes []memory.Change) ([]memory.Change, []string) {
		i := slices.IndexFunc(records, func(r memory.Record) bool { return r.ID == "index" })
		r := records[i]
		return []memory.Change{{Do: memory.Editing, ID: r.ID, Before: r.Raw, After: r.Raw + " ", Line: r.Line, Record: r}}, []string{"One line of the index goes."}
	}
	return v
}

func TestWhatGoesAlongIsInThePlanOnce(t *testing.T) {
	v := indexed(line("a", 1, 1, 1), line("index", 1, 1, 1))
	p := must(t, memory.Order{Do: memory.Delete, IDs: []memory.ID{"a"}}, v)
	if changesText(p) != "delete a, edit index" || p.Changes[0].Companion || !p.Changes[1].Companion || p.What != "Deleted 1 lesson" {
		t.Errorf("the plan does %s (%s), %+v", changesText(p), p.What, p.Changes)
	}
	wantNote(t, p, "One line of the index goes.")
	p = must(t, memory.Order{Do: memory.Delete, IDs: []memory.ID{"a", "index"}}, v)
	if changesText(p) != "delete a, delete index" {
		t.Errorf("the plan does %s, want the person's own change of the index alone", changesText(p))
	}
	p = must(t, memory.Order{Do: memory.Pin, IDs: []memory.ID{"a"}}, v)
	if changesText(p) != "pin a" {
		t.Errorf("the plan does %s: a pin changes no index", changesText(p))
	}
}

func TestWhatIsFixedIsKeptWithItsReason(t *testing.T) {
	v := view(line("a", 1, 1, 1), line("b", 1, 1, 1))
	v.Records[0].Fixed = "It stands in another store."
	p := must(t, memory.Order{Do: memory.Delete, IDs: []memory.ID{"a", "b"}}, v)
	if changesText(p) != "delete b" || p.What != "Deleted 1 lesson" || len(p.Kept) != 1 || p.Kept[0].Why != v.Records[0].Fixed {
		t.Errorf("the plan does %s (%s), and keeps %+v", changesText(p), p.What, p.Kept)
	}
	for _, o := range []memory.Order{
		{Do: memory.Delete, IDs: []memory.ID{"a"}},
		{Do: memory.EditOne, IDs: []memory.ID{"a"}, Edit: memory.Edit{Title: text("new")}},
	} {
		_, err := plan.Make(o, v)
		if problem := (*memory.Problem)(nil); !errors.As(err, &problem) || problem.Code != "fixed" || problem.What != v.Records[0].Fixed {
			t.Errorf("%s = %v, want the reason", o.Do, err)
		}
	}
}

func TestNobodyPrunesByCountsWithoutSessions(t *testing.T) {
	v := view(line("a", 0, 90, -1))
	v.Info.Counts, v.Info.Noun = false, memory.Noun{One: "entry", Many: "entries"}
	for _, r := range []memory.Rule{{Unused: true}, {Keep: 1}, {Idle: 3}} {
		_, err := plan.Make(memory.Order{Do: memory.Prune, Rule: r}, v)
		if problem := (*memory.Problem)(nil); !errors.As(err, &problem) || problem.Code != "no-counts" {
			t.Errorf("%+v = %v, want that no session is known", r, err)
		}
	}
	p := must(t, memory.Order{Do: memory.Prune, IDs: []memory.ID{"a"}, Rule: memory.Rule{Listed: true}}, v)
	if p.What != "Pruned 1 entry" {
		t.Errorf("what = %q", p.What)
	}
}

func TestHeadingsInProseAreItsOwn(t *testing.T) {
	for _, prose := range []bool{false, true} {
		v := view(line("a", 1, 1, 1))
		v.Info.Prose = prose
		p := must(t, memory.Order{Do: memory.EditOne, IDs: []memory.ID{"a"}, Edit: memory.Edit{Body: text("rules\n# Tests\nrun them")}}, v)
		found := slices.ContainsFunc(p.Findings, func(f memory.Finding) bool { return f.Rule == detect.RuleBreakoutHeading })
		if found == prose {
			t.Errorf("prose %t: heading found %t", prose, found)
		}
	}
}

func TestOnlyCopiesOfRunningAgentsBringThingsBack(t *testing.T) {
	v := view(line("a", 1, 1, 1))
	v.Info.Copies = false
	if p := must(t, memory.Order{Do: memory.Delete, IDs: []memory.ID{"a"}}, v); noted(p, "running agent") {
		t.Errorf("notes = %q: no agent holds a copy", p.Notes)
	}
}

// fileName names records that are files: their stored forms do not contain their names.
func fileName(records []memory.Record, _ string, e memory.Edit) (memory.ID, error) {
	if e.Name == nil {
		return "", &memory.Problem{Code: "no-name", What: "a file needs a name"}
	}
	return memory.ID(*e.Name), nil
}

func TestANewFileHasTheNameThatThePersonChose(t *testing.T) {
	v := view(line("a", 1, 1, 1))
	v.Info.NewID = fileName
	p := must(t, memory.Order{Do: memory.AddOne, Edit: memory.Edit{Title: text("t"), Body: text("b"), Name: text("web/AGENTS.md")}}, v)
	if changesText(p) != "add web/AGENTS.md" || p.Changes[0].Record.ID != "web/AGENTS.md" {
		t.Errorf("the plan does %s", changesText(p))
	}
	_, err := plan.Make(memory.Order{Do: memory.AddOne, Edit: memory.Edit{Title: text("t"), Body: text("b")}}, v)
	if problem := (*memory.Problem)(nil); !errors.As(err, &problem) || problem.Code != "no-name" {
		t.Errorf("without a name = %v", err)
	}
}

func TestRepairLeavesWhatAnAgentNeverSees(t *testing.T) {
	v := view(line("a", 1, 1, 1), `{"no":"lesson"}`)
	v.Records[1].Flags = memory.FlagUnseen
	p := must(t, memory.Order{Do: memory.Repair}, v)
	if len(p.Changes) != 0 {
		t.Errorf("the plan does %s", changesText(p))
	}
}
