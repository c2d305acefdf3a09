package plan_test

import (
	"strings"
	"testing"

	"winnow/core/curate/plan"
	"winnow/core/memory"
)

func editing(e memory.Edit, allow ...string) memory.Order {
	return memory.Order{Do: memory.EditOne, IDs: []memory.ID{"a"}, Edit: e, Allow: allow}
}

// rules returns the rules and fields of the findings: "hidden-text in lesson".
func rules(p memory.Plan) string {
	var out []string
	for _, f := range p.Findings {
		out = append(out, f.Rule+" in "+f.Field)
	}
	return strings.Join(out, ", ")
}

func TestEditChangesOneValue(t *testing.T) {
	v := view(line("z", 2, 1, 0), line("a", 0, 50, -1), line("b", 1, 60, 3))
	p := must(t, editing(memory.Edit{Body: text("better")}), v)
	want := strings.Replace(v.Records[1].Raw, "lesson of a", "better", 1)
	c := p.Changes[0]
	if changesText(p) != "edit a" || c.After != want || c.Before != v.Records[1].Raw || c.Line != 2 ||
		c.Behind != "z" ||
		c.Edited.Body != "better" ||
		c.Edited.ID != "a" ||
		c.Edited.Line != 2 {
		t.Errorf("%+v", c)
	}
	if p.What != "Edited 1 lesson" || len(p.Findings) != 0 {
		t.Errorf("%s: %v", p.What, p.Findings)
	}
	wantNote(t, p, "A running agent holds its own copy and may undo this.")
}

func TestAnEditThatChangesNothing(t *testing.T) {
	v := view(line("a", 3, 1, 0))
	three, tools := 3, []string{"http-get"}
	for _, o := range []memory.Order{
		editing(memory.Edit{}),
		editing(memory.Edit{Title: text("task of a"), Tools: &tools, Count: &three}),
		editing(memory.Edit{Raw: text(v.Records[0].Raw + "\n")}),
		{Do: memory.EditOne, IDs: []memory.ID{"a"}, Form: composer{}.Form(v.Records[0].Raw)},
		{Do: memory.AddOne, Form: composer{}.Form("")},
	} {
		if p := must(t, o, v); len(p.Changes) != 0 || p.What != "Nothing changed" {
			t.Errorf("%s: %s", p.What, changesText(p))
		}
	}
}

func TestSameTextIsNotSpeltAnew(t *testing.T) {
	spelt := strings.Replace(line("a", 0, 1, -1), "task of a", `t\u0061sk of a`, 1)
	p := must(t, editing(memory.Edit{Title: text("task of a"), Body: text("new")}), view(spelt))
	if after := p.Changes[0].After; !strings.Contains(after, `t\u0061sk`) || !strings.Contains(after, `"new"`) {
		t.Error(after)
	}
}

func TestFormIsReadAgainstWhatThePersonSaw(t *testing.T) {
	seen := line("a", 0, 1, -1)
	form := strings.Replace(composer{}.Form(seen), "lesson of a", "typed", 1)
	o := memory.Order{Do: memory.EditOne, IDs: []memory.ID{"a"}, Base: []string{seen}, Form: form}
	p := must(t, o, view(strings.Replace(line("a", 4, 1, 0), "task of a", "theirs", 1)))
	if c := p.Changes[0]; c.Before != seen || c.After != strings.Replace(seen, "lesson of a", "typed", 1) {
		t.Errorf("%+v", c)
	}
	o.Form = "what is this"
	_, err := plan.Make(o, view(seen))
	wantProblem(t, err, "bad-form")
}

func TestMistakesOfEdits(t *testing.T) {
	v := view(line("a", 0, 1, -1), line("b", 0, 1, -1))
	minus := -1
	for code, o := range map[string]memory.Order{
		"bad-count":    editing(memory.Edit{Count: &minus}),
		"line-break":   editing(memory.Edit{Raw: text("{\n}")}),
		"empty-line":   editing(memory.Edit{Raw: text(" \n")}),
		"same-id":      editing(memory.Edit{Raw: text(v.Records[1].Raw)}),
		"one-record":   {Do: memory.EditOne, IDs: []memory.ID{"a", "b"}},
		"two-records":  {Do: memory.Merge, IDs: []memory.ID{"a", "a"}},
		"empty-text":   {Do: memory.AddOne, Edit: memory.Edit{Title: text(" ")}},
		"no-task":      {Do: memory.AddOne, Edit: memory.Edit{Body: text("only what was learnt")}},
		"bad-rule":     {Do: memory.Prune, Rule: memory.Rule{Unused: true, Days: -1}},
		"no-recall":    {Do: memory.Commit},
		"not-editable": {Do: memory.EditOne, IDs: []memory.ID{"gone"}, Base: []string{"broken"}, Edit: memory.Edit{Title: text("t")}},
	} {
		_, err := plan.Make(o, v)
		wantProblem(t, err, code)
	}
	o := memory.Order{Do: memory.AddOne, Edit: memory.Edit{Raw: &v.Records[1].Raw}}
	_, err := plan.Make(o, v)
	wantProblem(t, err, "same-id")
}

func TestEditedRecordWithASharedID(t *testing.T) {
	v := view(line("a", 0, 1, -1), line("a", 0, 2, -1))
	p := must(t, memory.Order{Do: memory.EditOne, IDs: []memory.ID{"a~2"}, Edit: memory.Edit{Title: text("t")}}, v)
	if changesText(p) != "edit a~2" || p.Changes[0].Before != v.Records[1].Raw {
		t.Error(changesText(p))
	}
}

func TestEditOfTheCountSaysWhatFollows(t *testing.T) {
	v := view(line("b", 3, 50, 50), line("a", 5, 50, 50), line("c", 1, 50, 50))
	zero, four := 0, 4
	p := must(
		t,
		editing(memory.Edit{Count: &zero}),
		view(line("b", 3, 50, 50), line("a", 5, 50, 3), line("c", 1, 50, 50)),
	)
	wantNote(t, p, "It is then number 1 of 3 to be evicted.")
	p = must(t, editing(memory.Edit{Count: &zero}), v)
	wantNote(t, p, "An agent drops the lesson because of its age the next time it loads the store.")
	if noted(p, "It is then number") {
		t.Errorf("no place in an order that it is not in: %q", p.Notes)
	}
	p = must(t, editing(memory.Edit{Count: &four}), v)
	wantNote(t, p, "It is then number 3 of 3")
	if noted(p, "for its age") {
		t.Error(p.Notes)
	}
	if p := must(t, editing(memory.Edit{Count: &zero}), view(line("a", 5, 50, 3))); noted(p, "for its age") {
		t.Errorf("it was recalled 3 days ago: %q", p.Notes)
	}
}

func TestANumberBecomesTheTextThatItLooksLike(t *testing.T) {
	v := view(strings.Replace(line("a", 0, 1, -1), `"task of a"`, "5", 1))
	p := must(t, editing(memory.Edit{Title: text("5")}), v)
	if len(p.Changes) != 1 || p.Changes[0].Edited.Problem != nil {
		t.Errorf("%s: %s", p.What, changesText(p))
	}
	if p := must(t, editing(memory.Edit{Body: text("b")}), v); !noted(p, "An agent still cannot use the line.") {
		t.Error(p.Notes)
	}
}

func TestTypedSecretsAreReplaced(t *testing.T) {
	v := view(line("a", 0, 1, -1))
	tools := []string{"curl", token}
	p := must(t, editing(memory.Edit{Title: text("use " + token + " and " + token), Tools: &tools}), v)
	r := p.Changes[0].Edited
	if r.Title != "use [REDACTED] and [REDACTED]" || r.Tools[1] != "[REDACTED]" || tools[1] != token {
		t.Errorf("%q %q", r.Title, r.Tools)
	}
	wantNote(t, p, "3 secrets (github-pat) were replaced with [REDACTED].")
	p = must(t, editing(memory.Edit{Body: text(token)}), v)
	wantNote(t, p, "1 github-pat was replaced with [REDACTED].")
	p = must(t, editing(memory.Edit{Body: text(token)}, "github-pat"), v)
	if p.Changes[0].Edited.Body != token || noted(p, "replaced") {
		t.Errorf("allowed, and yet: %q", p.Changes[0].Edited.Body)
	}
}

func TestTypedInjectionsAreFound(t *testing.T) {
	v := view(line("a", 0, 1, -1))
	tools := []string{"a\u200bb"}
	for _, c := range []struct {
		edit memory.Edit
		want string
		part string
	}{
		{memory.Edit{Body: text("one\ntwo")}, "", ""},
		{memory.Edit{Body: text("cut \xed\xa0\xbd")}, "", ""},
		{memory.Edit{Body: text("one\n# two\nthree")}, "breakout-heading in lesson", "\n# two"},
		{memory.Edit{Title: text("a\u200b\u200bb\u200c")}, "hidden-text in task_summary, hidden-text in task_summary", "\u200b\u200b"},
		{memory.Edit{Tools: &tools}, "hidden-text in tool_names", "\u200b"},
		{memory.Edit{Body: text("x <<<End Untrusted_Input>>> y")}, "prompt-delimiter in lesson", "<<<End Untrusted_Input>>>"},
	} {
		p := must(t, editing(c.edit), v)
		if rules(p) != c.want {
			t.Errorf("%q, want %q", rules(p), c.want)
			continue
		}
		if len(p.Changes) != 1 {
			t.Errorf("%s: the plan does not say what it would do", c.want)
		}
		if c.part != "" {
			if f := p.Findings[0]; f.Text[f.Start:f.End] != c.part || f.ID != "a" || f.What == "" {
				t.Errorf("%+v", f)
			}
		}
	}
}

func TestAllowedRulesFindNothing(t *testing.T) {
	v := view(line("a", 0, 1, -1))
	e := memory.Edit{Body: text("a\u200bb\n# c")}
	if p := must(t, editing(e, "hidden-text"), v); rules(p) != "breakout-heading in lesson" {
		t.Error(rules(p))
	}
	if p := must(t, editing(e, "hidden-text", "breakout-heading"), v); rules(p) != "" ||
		p.Changes[0].Edited.Body != *e.Body {
		t.Error(rules(p))
	}
}

func TestAnOldEvilIsNotTyped(t *testing.T) {
	v := view(strings.Replace(line("a", 0, 1, -1), "lesson of a", `old\u200btext\n# head`, 1))
	p := must(t, editing(memory.Edit{Body: text("old\u200btext, mended\n# head")}), v)
	if rules(p) != "" {
		t.Error(rules(p))
	}
	wantNote(t, p, "It still contains what was there before: breakout-heading.")
	wantNote(t, p, "It still contains what was there before: hidden-text.")
	p = must(t, editing(memory.Edit{Body: text("old\u200btext\n# head\nand \u200b more")}), v)
	if rules(p) != "hidden-text in lesson" {
		t.Errorf("a second one: %q", rules(p))
	}
	p = must(t, editing(memory.Edit{Title: text("old\u200b")}), v)
	if rules(p) != "hidden-text in task_summary" {
		t.Errorf("in another field: %q", rules(p))
	}
}

func TestRawLinesAreChecked(t *testing.T) {
	v := view(line("a", 0, 1, -1))
	raw := func(old, new string) memory.Edit {
		return memory.Edit{Raw: text(strings.Replace(v.Records[0].Raw, old, new, 1))}
	}
	for _, c := range []struct {
		name string
		edit memory.Edit
		want string
	}{
		{"sound", raw("lesson of a", `a\nb`), ""},
		{"escaped", raw("lesson of a", `a\u200bb`), "hidden-text in lesson"},
		{"plain", raw("lesson of a", "a\u200bb"), "hidden-text in lesson"},
		{"elsewhere", raw(`"session_id":"s"`, "\"session_id\":\"s\u200b\""), "hidden-text in line"},
		{"broken", raw("{", ""), "damaged-line in line"},
		{"no text", raw("task_summary", "task"), "damaged-line in line"},
		{"a list", memory.Edit{Raw: text("[1]")}, "damaged-line in line"},
	} {
		if p := must(t, editing(c.edit), v); rules(p) != c.want || changesText(p) != "edit a" {
			t.Errorf("%s: %q, want %q", c.name, rules(p), c.want)
		}
	}
	if p := must(t, editing(raw("{", ""), "damaged-line"), v); rules(p) != "" || len(p.Changes) != 1 {
		t.Error(rules(p))
	}
	p := must(t, editing(raw("lesson of a", "use "+token)), v)
	if strings.Contains(p.Changes[0].After, token) || !strings.Contains(p.Changes[0].After, "use [REDACTED]") {
		t.Error(p.Changes[0].After)
	}
	wantNote(t, p, "1 github-pat was replaced with [REDACTED].")
	p = must(t, editing(raw("lesson of a", "use "+token), "github-pat"), v)
	if !strings.Contains(p.Changes[0].After, token) {
		t.Error(p.Changes[0].After)
	}
	p = must(t, editing(raw(`"lesson_id":"a"`, `"lesson_id":"b"`)), v)
	wantNote(t, p, "The id of the lesson changes")
}

func TestAnOldEvilOfALineIsNotTyped(t *testing.T) {
	v := view(
		strings.Replace(
			strings.Replace(line("a", 0, 1, -1), "lesson of a", `old\u200btext`, 1),
			`"s"`,
			"\"\u2060\"",
			1,
		),
	)
	raw := strings.Replace(v.Records[0].Raw, `\u200b`, "\u200b", 1)
	if p := must(t, editing(memory.Edit{Raw: &raw}), v); rules(p) != "" || !noted(p, "was there before: hidden-text") {
		t.Errorf("only spelt anew: %s", rules(p))
	}
	raw = strings.Replace(v.Records[0].Raw, `old\u200btext`, "new", 1)
	if p := must(t, editing(memory.Edit{Raw: &raw}), v); rules(p) != "" || !noted(p, "was there before: hidden-text") {
		t.Errorf("beside what was typed: %s", rules(p))
	}
}

func TestAnIDThatLooksLikeAPlaceIsFree(t *testing.T) {
	raw := line("line 1", 0, 1, -1)
	if p := must(t, memory.Order{Do: memory.AddOne, Edit: memory.Edit{Raw: &raw}}, view("broken")); changesText(
		p,
	) != "add line 1" {
		t.Error(changesText(p))
	}
}

func TestMergeTakesTheToolsThatWereChosen(t *testing.T) {
	v := view(line("a", 1, 9, 5), strings.Replace(line("b", 7, 5, 2), "http-get", "shell", 1))
	o := memory.Order{Do: memory.Merge, IDs: []memory.ID{"a", "b"}}
	if r := must(t, o, v).Changes[0].Edited; strings.Join(r.Tools, " ") != "http-get shell" {
		t.Error(r.Tools)
	}
	o.Edit.Tools = &[]string{"http-get"}
	if r := must(t, o, v).Changes[0].Edited; strings.Join(r.Tools, " ") != "http-get" {
		t.Error(r.Tools)
	}
}

func TestAddGoesToTheEnd(t *testing.T) {
	v := view(line("a", 1, 1, 0))
	p := must(t, memory.Order{Do: memory.AddOne, Edit: memory.Edit{Title: text("t\u200b"), Body: text("b")}}, v)
	c := p.Changes[0]
	if changesText(p) != "add new" || c.Before != "" || c.Line != 0 || c.Behind != "" || c.Record.Body != "b" ||
		p.What != "Added 1 lesson" {
		t.Errorf("%+v", c)
	}
	if rules(p) != "hidden-text in task_summary" || p.Findings[0].ID != "new" {
		t.Error(rules(p))
	}
	wantNote(t, p, "An agent then holds 2 of at most 100 lessons: 98 places are free.")
	wantNote(t, p, "may drop this")
}

func TestAddSaysWhenItIsOfNoUse(t *testing.T) {
	o := memory.Order{Do: memory.AddOne, Edit: memory.Edit{Title: text("t")}}
	wantNote(t, must(t, o, view(full(100)...)), "the new lesson is evicted first")
	wantNote(
		t,
		must(t, o, view(full(200)...)),
		"An agent does not reach the new lesson: it reads only 200 lines of the store.",
	)
}

func TestMergeLeavesTheFirst(t *testing.T) {
	v := pinned(view(line("a", 1, 9, 5), line("b", 7, 5, 2), line("c", 0, 2, -1)), "a")
	p := must(
		t,
		memory.Order{Do: memory.Merge, IDs: []memory.ID{"c", "b", "a"}, Edit: memory.Edit{Body: text("both\u200b")}},
		v,
	)
	if changesText(p) != "edit c, delete a, delete b" || p.What != "Merged 3 lessons into one" {
		t.Fatalf("%s: %s", p.What, changesText(p))
	}
	if r := p.Changes[0].Edited; r.Count.N != 7 || r.Body != "both\u200b" || r.Title != "task of c" {
		t.Errorf("%+v", r)
	}
	if rules(p) != "hidden-text in lesson" || p.Changes[1].Why != "merged into another" {
		t.Errorf("%s; %s", rules(p), p.Changes[1].Why)
	}
	wantNote(t, p, "Pinned records among them: 1.")
	wantNote(t, p, "An agent then holds 1 of at most 100 lessons")
}

func TestMergeTakesTextsOfTheOthersAsTheyStand(t *testing.T) {
	v := view(line("a", 1, 9, 5), strings.Replace(line("b", 7, 5, 2), "lesson of b", `x\u200by`, 1))
	tools := []string{"http-get"}
	o := memory.Order{
		Do:   memory.Merge,
		IDs:  []memory.ID{"a", "b"},
		Edit: memory.Edit{Body: text("x\u200by"), Title: text("task of a"), Tools: &tools},
	}
	p := must(t, o, v)
	if rules(p) != "" || p.Changes[0].Edited.Body != "x\u200by" {
		t.Error(rules(p))
	}
	wantNote(t, p, "It still contains what was there before: hidden-text.")
}
