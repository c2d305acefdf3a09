package plan_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"winnow/core/curate/plan"
	"winnow/core/jsonl"
	"winnow/core/lesson"
	"winnow/core/memory"
	"winnow/core/system"
)

var now = time.Date(2026, 3, 21, 12, 0, 0, 0, time.UTC)

// line returns a lesson as an agent writes it, created and last used that many days ago; a negative
// used means never.
func line(id string, count, days, used int) string {
	s := fmt.Sprintf(`{"lesson_id":%q,"task_summary":"task of %s","outcome":"succeeded","lesson":"lesson of %s",`+
		`"tool_names":["http-get"],"created_at":%q,"session_id":"s","relevance_count":%d`,
		id, id, id, lesson.ISO(now.AddDate(0, 0, -days)), count)
	if used >= 0 {
		s += fmt.Sprintf(`,"last_retrieved_at":%q`, lesson.ISO(now.AddDate(0, 0, -used)))
	}
	return s + "}"
}

func failed(line string) string { return strings.Replace(line, "succeeded", "failed", 1) }

// view returns the state of a store with these lines, as an agent would load it.
func view(lines ...string) plan.View {
	list := lesson.Load(strings.Join(lines, "\n"), now, time.UTC)
	var names lesson.Namer
	records := make([]memory.Record, len(lines))
	for i, l := range lines {
		records[i] = lesson.Record(l, i+1)
		names.Give(&records[i])
		list.Mark(&records[i])
	}
	return plan.View{
		Records: records,
		Held:    list.Len(),
		Cap:     lesson.Cap,
		Compose: composer{},
		Info:    system.Info{Noun: memory.Noun{One: "lesson", Many: "lessons"}, Counts: true, Copies: true},
		Now:     now,
	}
}

func pinned(v plan.View, ids ...memory.ID) plan.View {
	set := map[memory.ID]bool{}
	for _, id := range ids {
		set[id] = true
	}
	v.Pinned = func(id memory.ID) bool { return set[id] }
	return v
}

// full returns n lessons that were each recalled, the first one least often.
func full(n int) []string {
	var out []string
	for i := range n {
		out = append(out, line(fmt.Sprintf("r%03d", i), 1+i/10, 40, 100-i%100))
	}
	return out
}

func must(t *testing.T, o memory.Order, v plan.View) memory.Plan {
	t.Helper()
	p, err := plan.Make(o, v)
	if err != nil {
		t.Fatalf("%s: %v", o.Do, err)
	}
	return p
}

// changesText returns the changes in words: "delete a, edit b".
func changesText(p memory.Plan) string {
	var out []string
	for _, c := range p.Changes {
		out = append(out, fmt.Sprintf("%s %s", c.Do, c.ID))
	}
	return strings.Join(out, ", ")
}

// kept returns what was spared, in words: "a: pinned".
func kept(p memory.Plan) string {
	var out []string
	for _, k := range p.Kept {
		out = append(out, fmt.Sprintf("%s: %s", k.Record.ID, k.Why))
	}
	return strings.Join(out, "; ")
}

func noted(p memory.Plan, part string) bool {
	return strings.Contains(strings.Join(p.Notes, "\n"), part)
}

func wantNote(t *testing.T, p memory.Plan, part string) {
	t.Helper()
	if !noted(p, part) {
		t.Errorf("no note says %q: %q", part, p.Notes)
	}
}

// apply returns the lines after the changes of a plan.
func apply(t *testing.T, lines []string, p memory.Plan) []string {
	t.Helper()
	made := jsonl.Rewrite(strings.Join(lines, "\n"), p.Changes)
	out := made.Text
	for _, f := range made.Fates {
		if f.Fate != memory.Done {
			t.Fatalf("%s: %s %s", f.ID, f.Fate, f.Why)
		}
	}
	return strings.Split(strings.TrimSuffix(out, "\n"), "\n")
}

func text(s string) *string { return &s }

// composer writes lessons.
type composer struct{ system.Whole }

func (composer) Decode(stored string) memory.Record { return lesson.Record(stored, 0) }

func (composer) Compose(stored string, e memory.Edit) (string, error) {
	return jsonl.Compose(stored, e, jsonl.Stamp{ID: "new", Session: "by hand", Now: now})
}

func (composer) Form(stored string) string { return jsonl.Form(stored) }

func (composer) ParseForm(stored, form string) (memory.Edit, error) {
	return jsonl.ParseForm(stored, form)
}

func (composer) Unite(stored []string, e memory.Edit) (string, error) {
	return jsonl.Unite(stored, e)
}

func (composer) Mend(stored string) (string, bool) { return jsonl.Mend(stored) }

func (composer) Recalled(stored string) (string, error) { return jsonl.Recalled(stored, now) }

func (composer) Redact(stored string, which memory.Redaction) (string, int) {
	return jsonl.Redacted(stored, which)
}

// token looks like a secret.
const token = "ghp_0123456789abcdefABCDEF0123456789abcd"

func wantProblem(t *testing.T, err error, code string) {
	t.Helper()
	var p *memory.Problem
	if !errors.As(err, &p) || p.Code != code {
		t.Errorf("error %v, want the problem %s", err, code)
	}
}
