package plan_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"winnow/core/curate/plan"
	"winnow/core/detect"
	"winnow/core/memory"
)

// FuzzMake makes plans of random orders for random stores.
func FuzzMake(f *testing.F) {
	f.Add(uint64(1), "delete", "", "", "", 0)
	f.Add(
		uint64(2),
		"edit",
		"a title",
		"x\u200b\n# y "+token,
		`{"lesson_id":"q","task_summary":"t","outcome":"failed","lesson":"l"}`,
		3,
	)
	f.Add(uint64(3), "merge", "t", "", "", -2)
	f.Add(uint64(4), "prune", "", "", "", 7)
	f.Add(uint64(5), "add", "<<<END_UNTRUSTED_INPUT>>>", "b", "", 1)
	f.Add(uint64(6), "repair", "", "", "", 0)
	f.Add(uint64(7), "repair", "", "", "", 0)
	f.Add(uint64(8), "redact", "", "", "{", 0)
	f.Add(uint64(9), "commit", "", "", "", 0)
	f.Add(uint64(10), "pin", "", "", "", 0)
	f.Fuzz(func(t *testing.T, seed uint64, do, title, body, raw string, n int) {
		r := rand.New(rand.NewPCG(seed, 0))
		v, spare := randomView(r, r.IntN(30))
		v.Recall = func(memory.Task) (memory.Recall, error) { return randomRecall(r, v), nil }
		o := randomOrder(r, v, title, body, raw, n)
		o.Do, o.Spare = memory.Act(do), spare
		p, err := plan.Make(o, v)
		if err != nil {
			var problem *memory.Problem
			if len(p.Changes) > 0 {
				t.Fatal("a plan and an error")
			}
			if errors.As(err, &problem) && problem.Code == "" {
				t.Fatalf("a problem without a code: %v", problem)
			}
			return
		}
		holds(t, o, v, p)
	})
}

// randomOrder returns an order that names some of the records, and one that is gone.
func randomOrder(r *rand.Rand, v plan.View, title, body, raw string, n int) memory.Order {
	o := memory.Order{Rule: memory.Rule{
		Unused: r.IntN(2) == 0, Failed: r.IntN(2) == 0, Listed: r.IntN(2) == 0, Days: n, Keep: r.IntN(3) * n,
	}}
	for i := range v.Records {
		if r.IntN(max(1, len(v.Records)/3)) == 0 {
			o.IDs = append(o.IDs, v.Records[i].ID)
			o.Base = append(o.Base, []string{"", v.Records[i].Raw, raw}[r.IntN(3)])
		}
	}
	if r.IntN(4) == 0 {
		o.IDs, o.Base = append(o.IDs, "gone"), append(o.Base, raw)
	}
	if r.IntN(4) == 0 {
		o.IDs = o.IDs[:min(1, len(o.IDs))]
	}
	tools := []string{title, body}
	o.Edit = memory.Edit{Title: &title, Body: &body, Tools: &tools, Count: &n}
	switch r.IntN(3) {
	case 0:
		o.Edit = memory.Edit{Raw: &raw}
	case 1:
		o.Edit.Tools, o.Edit.Count = nil, nil
	}
	if r.IntN(6) == 0 {
		o.Form = body
	}
	o.Allow = []string{"github-pat", "breakout-heading", "damaged-line"}[:r.IntN(4)]
	return o
}

func randomRecall(r *rand.Rand, v plan.View) memory.Recall {
	var out memory.Recall
	for i := range v.Records {
		if v.Records[i].Problem == nil {
			out.Hits = append(out.Hits, memory.Hit{ID: v.Records[i].ID, Recalled: r.IntN(2) == 0})
		}
	}
	return out
}

// holds checks what is true of every plan.
func holds(t *testing.T, o memory.Order, v plan.View, p memory.Plan) {
	if p.What == "" {
		t.Fatal("a plan that does not say what it does")
	}
	seen := map[memory.ID]bool{}
	for _, c := range p.Changes {
		known := slices.Contains(o.IDs, c.ID) || c.Do == memory.Adding ||
			slices.ContainsFunc(v.Records, func(r memory.Record) bool { return r.ID == c.ID })
		switch {
		case !known:
			t.Fatalf("%s %s, which nobody knows", c.Do, c.ID)
		case seen[c.ID] && c.Line > 0:
			t.Fatalf("two changes of %s", c.ID)
		case c.Do != memory.Adding && c.Before == "" && c.Do < memory.Pinning:
			t.Fatalf("%s %s without what stood there", c.Do, c.ID)
		case c.Do == memory.Editing && c.Before == c.After, c.Do == memory.Deleting && c.After != "":
			t.Fatalf("%s %s changes %q to %q", c.Do, c.ID, c.Before, c.After)
		case c.Record.ID != c.ID:
			t.Fatalf("the record of %s is %s", c.ID, c.Record.ID)
		}
		seen[c.ID] = seen[c.ID] || c.Line > 0
	}
	typed := o.Do == memory.EditOne || o.Do == memory.AddOne
	if typed && len(p.Changes) == 1 && len(p.Findings) == 0 {
		checked(t, o, p.Changes[0])
	}
	if !typed && o.Do != memory.Merge && len(p.Findings) > 0 {
		t.Fatalf("%s finds %v", o.Do, p.Findings)
	}
	for _, f := range p.Findings {
		if f.Start < 0 || f.End > len(f.Text) || f.Start > f.End || f.What == "" || slices.Contains(o.Allow, f.Rule) {
			t.Fatalf("%+v", f)
		}
	}
}

// checked looks for what a plan without findings must not add: hidden text in a title that had
// none, and secrets in a title.
func checked(t *testing.T, o memory.Order, c memory.Change) {
	before := map[memory.MarkKind]bool{}
	if c.Before != "" {
		for _, m := range detect.Marks(c.Record.Title) {
			before[m.Kind] = true
		}
	}
	after := composer{}.Decode(c.After)
	for _, m := range detect.Marks(after.Title) {
		hidden := m.Kind == memory.MarkHidden && m.Note != "half a character" || m.Kind == memory.MarkDelimiter
		if hidden && !before[m.Kind] {
			t.Fatalf("%q gets into a title unseen", after.Title)
		}
	}
	if after.Title != c.Record.Title && o.Form == "" && !slices.Contains(o.Allow, "github-pat") && c.Before != "" {
		if spans := detect.Secrets(after.Title); len(spans) > 0 {
			t.Fatalf("a secret gets into a title: %q", after.Title)
		}
	}
}
