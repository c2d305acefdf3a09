package plan_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/core/curate/plan"
	"winnow/core/jsonl"
	"winnow/core/lesson"
	"winnow/core/memory"
	"winnow/core/system"
)

func pruning(r memory.Rule) memory.Order { return memory.Order{Do: memory.Prune, Rule: r} }

func TestRules(t *testing.T) {
	odd := strings.Replace(line("odd", 0, 61, -1), `"relevance_count":0`, `"relevance_count":"5"`, 1)
	undated := strings.Replace(line("undated", 0, 0, -1), lesson.ISO(now), "yesterday", 1)
	v := pinned(view(
		line("old", 0, 61, -1), line("month", 0, 30, -1), failed(line("used", 1, 90, 2)), line("day", 0, 1, -1),
		line("pin", 0, 61, -1), line("new", 0, 61, -1), line("lowered", 0, 61, 5), odd, undated, "broken", "42",
	), "pin")
	const lines = "line 10: damaged: repair it; line 11: not a lesson: repair it"
	for _, c := range []struct {
		rule      memory.Rule
		did, kept string
	}{
		{memory.Rule{Unused: true, Days: 30}, "delete old",
			"pin: pinned; new: not seen yet; odd: its relevance count is not a whole number; undated: its date cannot be read; " + lines},
		{memory.Rule{Unused: true, Days: 29}, "delete old, delete month",
			"pin: pinned; new: not seen yet; odd: its relevance count is not a whole number; undated: its date cannot be read; " + lines},
		{memory.Rule{Unused: true}, "delete old, delete month, delete day, delete undated",
			"pin: pinned; new: not seen yet; odd: its relevance count is not a whole number; " + lines},
		{memory.Rule{Failed: true, Keep: 3}, "delete used", lines},
		{memory.Rule{Keep: 2}, "delete old, delete month, delete lowered, delete undated",
			"pin: pinned; new: not seen yet; odd: its relevance count is not a whole number; " + lines},
	} {
		o := pruning(c.rule)
		o.Spare = map[memory.ID]string{"new": "not seen yet"}
		p := must(t, o, v)
		if changesText(p) != c.did || kept(p) != c.kept {
			t.Errorf("%+v:\n%s\n%s\nwant\n%s\n%s", c.rule, changesText(p), kept(p), c.did, c.kept)
		}
	}
}

func TestReasonsOfRules(t *testing.T) {
	v := view(
		line("a", 0, 61, -1),
		failed(line("b", 2, 1, 0)),
		strings.Replace(line("c", 0, 0, -1), lesson.ISO(now), "2999", 1),
	)
	for _, c := range []struct {
		order memory.Order
		want  string
	}{
		{pruning(memory.Rule{Unused: true}), "never recalled, 61 days old|never recalled"},
		{pruning(memory.Rule{Failed: true}), "failed"},
		{pruning(memory.Rule{Keep: 1}), "not among the best 1 by relevance|not among the best 1 by relevance"},
		{memory.Order{Do: memory.Prune, Rule: memory.Rule{Listed: true}, IDs: []memory.ID{"b"}}, "shown by the filter"},
	} {
		p := must(t, c.order, v)
		var whys []string
		for _, ch := range p.Changes {
			whys = append(whys, ch.Why)
		}
		if got := strings.Join(whys, "|"); got != c.want {
			t.Errorf("%+v: %q, want %q", c.order.Rule, got, c.want)
		}
		if want := fmt.Sprintf("Pruned %d lesson", len(whys)); !strings.HasPrefix(p.What, want) {
			t.Errorf("%q, want %q", p.What, want)
		}
	}
}

func TestListedRecordsAreSparedToo(t *testing.T) {
	v := pinned(view(line("a", 0, 61, -1), line("b", 2, 1, 0), "broken"), "a")
	o := memory.Order{Do: memory.Prune, Rule: memory.Rule{Listed: true}, IDs: []memory.ID{"b", "a", "line 3", "gone"}}
	o.Base = []string{"", "", "", line("gone", 0, 1, -1)}
	p := must(t, o, v)
	if changesText(p) != "delete b, delete gone" || kept(p) != "a: pinned; line 3: damaged: repair it" {
		t.Errorf("%s; %s", changesText(p), kept(p))
	}
	o.IDs = nil
	if p := must(t, o, v); p.What != "Nothing to prune" {
		t.Error(p.What)
	}
}

// randomView returns a store of n records of all kinds, some of them pinned, and the spared
// records.
func randomView(r *rand.Rand, n int) (plan.View, map[memory.ID]string) {
	return viewWith(r, n, 5)
}

// viewWith returns a store with the first few kinds of odd records.
func viewWith(r *rand.Rand, n, kinds int) (plan.View, map[memory.ID]string) {
	var lines []string
	for i := range n {
		l := line(fmt.Sprintf("r%d", i), r.IntN(4), r.IntN(90), r.IntN(9)-4)
		kind := r.IntN(12)
		if kind >= kinds {
			kind = -1
		}
		switch kind {
		case 0:
			l = failed(l)
		case 1:
			l = strings.Replace(l, `"relevance_count":`, `"relevance_count":-`, 1)
		case 2:
			l = strings.Replace(l, "lesson of", token+`\u200b`, 1)
		case 3:
			l = []string{"null", "broken", "42", "{}", l[1:], l + "\u00a0"}[r.IntN(6)]
		case 4:
			l = strings.Replace(l, fmt.Sprintf(`"r%d"`, i), `"r0"`, 1)
		}
		lines = append(lines, l)
	}
	v := view(lines...)
	spare, pins := map[memory.ID]string{}, []memory.ID{}
	for _, rec := range v.Records {
		switch r.IntN(8) {
		case 0:
			pins = append(pins, rec.ID)
		case 1:
			spare[rec.ID] = "not seen yet"
		}
	}
	return pinned(v, pins...), spare
}

func TestAPruneNeverTouchesWhatIsSpared(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	rounds := 60
	if os.Getenv("WINNOW_LONG") != "" {
		rounds = 300
	}
	for range rounds {
		v, spare := randomView(r, r.IntN(60))
		for _, rule := range []memory.Rule{{Unused: true}, {Unused: true, Days: r.IntN(60)}, {Failed: true}, {Keep: 1 + r.IntN(40)}, {Listed: true}} {
			o := memory.Order{Do: memory.Prune, Rule: rule, Spare: spare}
			for _, rec := range v.Records {
				o.IDs = append(o.IDs, rec.ID)
			}
			p := must(t, o, v)
			for _, c := range p.Changes {
				if v.Pinned(c.ID) || spare[c.ID] != "" || c.Record.Problem != nil || c.Why == "" {
					t.Fatalf("%+v deletes %s", rule, c.ID)
				}
			}
			for _, k := range p.Kept {
				if k.Why == "" || strings.Contains(changesText(p)+",", "delete "+string(k.Record.ID)+",") {
					t.Fatalf("%+v keeps %s and does not", rule, k.Record.ID)
				}
			}
		}
	}
}

func TestKeepLeavesTheBestAndTheSpared(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		v, spare := randomView(r, r.IntN(60))
		n := 1 + r.IntN(30)
		var lines []string
		for i := range v.Records {
			lines = append(lines, v.Records[i].Raw)
		}
		best := slices.DeleteFunc(
			slices.Clone(v.Records),
			func(r memory.Record) bool { return r.Problem != nil || r.Count.Odd != "" },
		)
		slices.SortFunc(best, func(a, b memory.Record) int {
			if a.Count.N != b.Count.N {
				return b.Count.N - a.Count.N
			}
			if c := b.Created.Time.Compare(a.Created.Time); c != 0 {
				return c
			}
			return b.Line - a.Line
		})
		var want []string
		for i := range v.Records {
			rec := &v.Records[i]
			at := slices.IndexFunc(best, func(r memory.Record) bool { return r.Line == rec.Line })
			if at < n || v.Pinned(rec.ID) || spare[rec.ID] != "" {
				want = append(want, rec.Raw)
			}
		}
		p := must(t, memory.Order{Do: memory.Prune, Rule: memory.Rule{Keep: n}, Spare: spare}, v)
		got := apply(t, lines, p)
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Fatalf(
				"keep %d of %d leaves\n%s\nwant\n%s",
				n,
				len(lines),
				strings.Join(got, "\n"),
				strings.Join(want, "\n"),
			)
		}
	}
}

func TestTheBestOfManyAreKept(t *testing.T) {
	lines := []string{line("r0", 9999, 1, 0)}
	for i := 1; i < 6000; i++ {
		lines = append(lines, line(fmt.Sprintf("r%d", i), i, 1, 0))
	}
	p := must(t, pruning(memory.Rule{Keep: 3}), view(lines...))
	gone := map[memory.ID]bool{}
	for _, c := range p.Changes {
		gone[c.ID] = true
	}
	if len(gone) != 5997 || gone["r0"] || gone["r5999"] || gone["r5998"] {
		t.Errorf("%d of 6000 go, and not the right ones", len(gone))
	}
	if p := must(t, pruning(memory.Rule{Keep: math.MaxInt}), view(lines...)); len(p.Changes) != 0 {
		t.Errorf("%d of all go", len(p.Changes))
	}
}

func TestADeletionTurnedAroundPutsTheBytesBack(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		v, _ := viewWith(r, 1+r.IntN(40), 3) // each with an id of its own
		var lines []string
		o := memory.Order{Do: memory.Delete}
		for i := range v.Records {
			lines = append(lines, v.Records[i].Raw)
			if r.IntN(3) == 0 {
				o.IDs = append(o.IDs, v.Records[i].ID)
			}
		}
		if len(o.IDs) == 0 {
			continue
		}
		p := must(t, o, v)
		file := strings.Join(lines, "\n") + "\n"
		made := jsonl.Rewrite(file, p.Changes)
		left := made.Text
		back := slices.Clone(made.Changes)
		for i := range back {
			back[i].Do, back[i].Before, back[i].After = memory.Adding, "", back[i].Before
		}
		if again := jsonl.Rewrite(left, back).Text; again != file {
			t.Fatalf("deleted and put back:\n%s\nwant\n%s", again, file)
		}
	}
}

func BenchmarkPrune100000(b *testing.B) {
	records := make([]memory.Record, 100_000)
	for i := range records {
		records[i] = lesson.Record(line(fmt.Sprintf("r%06d", i), i%3, i%90, -1), i+1)
		records[i].Forecast.Beyond, records[i].Flags = i >= 200, records[i].Flags|memory.FlagBeyond
	}
	v := plan.View{
		Records: records,
		Held:    200,
		Cap:     100,
		Compose: composer{},
		Info:    system.Info{Noun: memory.Noun{One: "lesson", Many: "lessons"}, Counts: true, Copies: true},
		Now:     now,
	}
	for _, rule := range []memory.Rule{{Unused: true, Days: 14}, {Keep: 100}} {
		b.Run(fmt.Sprintf("%+v", rule), func(b *testing.B) {
			for b.Loop() {
				if _, err := plan.Make(pruning(rule), v); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func TestLessonsThatFiredInVainArePruned(t *testing.T) {
	v := view(line("vain", 0, 61, -1), line("helps", 0, 61, -1), line("some", 0, 61, -1), line("few", 0, 61, -1),
		line("pin", 0, 61, -1), line("none", 0, 61, -1))
	v = pinned(v, "pin")
	if _, err := plan.Make(pruning(memory.Rule{Again: true}), v); err == nil {
		t.Error("a plan without any session")
	}
	for i, c := range []memory.Recurrence{
		{Fired: 6, Again: 3}, {Fired: 90}, {Fired: 9, Again: 4}, {Fired: 1, Again: 1}, {Fired: 5, Again: 5},
	} {
		v.Records[i].Evidence = &memory.Evidence{Recurs: &c}
	}
	p := must(t, pruning(memory.Rule{Again: true}), v)
	const spared = "some: failed again in only 4 of 9 sessions; few: fired in only 1 session; pin: pinned"
	if changesText(p) != "delete vain" || kept(p) != spared {
		t.Errorf("%s\n%s", changesText(p), kept(p))
	}
	if why := p.Changes[0].Why; why != "fired in 6 sessions, failed again in 3" {
		t.Error(why)
	}
}

// usedIn gives a record what sessions say about its use, as a store without counts has it.
func usedIn(r *memory.Record, sessions, idle int, last time.Time) {
	r.Evidence = &memory.Evidence{Use: memory.Use{
		Sessions: sessions, Of: 40, Idle: idle, Last: last, Since: now.AddDate(0, 0, -40), Chosen: true,
	}}
	r.CountUse()
}

func TestRulesGoByWhatSessionsShowWhereAStoreCountsNothing(t *testing.T) {
	v := view(line("never", 0, 61, -1), line("used", 0, 61, -1), line("once", 0, 61, -1), line("young", 0, 2, -1),
		line("rule", 0, 61, -1), line("pin", 0, 61, -1), line("twin", 0, 61, -1))
	v = pinned(v, "pin")
	v.Info.Counts = false
	v.Info.Instruction = func(r *memory.Record) bool { return r.ID == "rule" }
	for i, idle := range []int{40, 0, 30, 3, 40, 40, 0} {
		usedIn(&v.Records[i], 0, idle, time.Time{})
	}
	usedIn(&v.Records[1], 9, 0, now.AddDate(0, 0, -1))
	usedIn(&v.Records[2], 1, 30, now.AddDate(0, 0, -35))
	v.Records[0].Flags = memory.FlagNamesGone
	v.Records[4].Flags = memory.FlagNamesGone
	v.Records[1].Similar, v.Records[6].Similar = []memory.ID{"twin"}, []memory.ID{"used"}
	const protected = "rule: an instruction or an index, which no rule deletes"
	for _, c := range []struct {
		rule      memory.Rule
		did, kept string
	}{
		{memory.Rule{Idle: 20}, "delete never, delete once", "young: only 3 sessions known since it was written; " +
			protected + "; pin: pinned; twin: no session is known since it was written"},
		{memory.Rule{Days: 30}, "delete never, delete once, delete twin",
			"used: used since, on " + now.AddDate(0, 0, -1).UTC().Format(time.DateOnly) + "; " + protected + "; pin: pinned"},
		{memory.Rule{Unused: true, Days: 30}, "delete never",
			protected + "; pin: pinned; twin: no session is known since it was written"},
		{memory.Rule{Flag: memory.FlagNamesGone}, "delete never", protected},
		{memory.Rule{Flag: memory.FlagSimilar}, "delete twin", ""},
		{memory.Rule{Keep: 3}, "delete never",
			protected + "; pin: pinned; twin: no session is known since it was written"},
	} {
		p := must(t, pruning(c.rule), v)
		if changesText(p) != c.did || kept(p) != c.kept {
			t.Errorf("%+v:\n%s\n%s\nwant\n%s\n%s", c.rule, changesText(p), kept(p), c.did, c.kept)
		}
	}
}
