package learn

import (
	"strings"
	"testing"
	"unicode"

	"winnow/core/detect"
	"winnow/core/jstext"
	"winnow/core/lesson"
	"winnow/core/memory"
	"winnow/core/session"
	"winnow/core/vectortest"
)

func TestWhichSessionsAreNotLearntFrom(t *testing.T) {
	for state, want := range map[session.State][2]bool{ // whether it is refused, and whether it still is when named
		session.Running: {true, true}, session.Aborted: {true, true}, session.Unknown: {true, false},
		session.Succeeded: {false, false}, session.Failed: {false, false},
	} {
		s := Trace{State: state}
		if got := [2]bool{Refused(&s, false) != "", Refused(&s, true) != ""}; got != want {
			t.Errorf("%s: %v, want %v", state, got, want)
		}
	}
	off := Trace{State: session.Succeeded, MemoryOff: true}
	if Refused(&off, false) == "" || Refused(&off, true) != "" {
		t.Error("a session whose agent keeps no memories of it is learnt from by name, and only so")
	}
	if Refused(&Trace{Subagent: true, State: session.Succeeded}, true) == "" {
		t.Error("a session of another session is learnt from")
	}
}

// TestKarnEvil9sLessonIsTheOriginals checks that a proposal is made from the same input as the
// original's lesson, and equals that lesson except for what Hardened does.
func TestKarnEvil9sLessonIsTheOriginals(t *testing.T) {
	vectortest.Each(t, "karnevil9", "extract", func(t *testing.T, v vectortest.Vector) {
		in := v.Input
		e := lesson.Session{
			LessonID: in.Member("lesson_id").Text(),
			Now:      in.Member("now").Time(t),
			Text:     in.Member("task_text").Text(),
			Status:   in.Member("session_status").Text(),
		}
		if p := in.Member("plan"); !p.IsNull() {
			e.Plan = &lesson.Plan{ID: p.Member("plan_id").Text(), Tools: p.Member("tools").Texts()}
		}
		if id := in.Member("session_id"); !id.IsNull() {
			text := id.Text()
			e.ID = &text
		}
		for i := range in.Member("step_results").Len() {
			r := in.Member("step_results").Item(i)
			e.Results = append(
				e.Results,
				lesson.StepResult{Status: r.Member("status").Text(), Error: r.Member("error").Resolved()},
			)
		}
		original, ok := lesson.Original.Extract(e)
		got := ""
		if ok {
			got = string(original.AppendJSON(nil))
		}
		if want := v.Want.Member("line").Str(); got != want {
			t.Fatalf("the original's lesson is %s, want %s", got, want)
		}
		drafts, _ := Propose(&session.Session{Engine: &e, State: session.Succeeded}, noon)
		if ok != (len(drafts) == 1) && oneLine(e.Text) != "" {
			t.Fatalf("%d proposals, the original has one: %t", len(drafts), ok)
		}
		if len(drafts) == 0 {
			return
		}
		hardened, _ := lesson.Hardened.Extract(e)
		title, _ := hardened.Field(lesson.KeyTitle)
		body, _ := hardened.Field(lesson.KeyBody)
		if drafts[0].Body != fitted(body.Str(), bodyUnits) ||
			oneLine(e.Text) == e.Text && drafts[0].Title != fitted(title.Str(), titleUnits) {
			t.Errorf("%q: %q, want %q: %q", drafts[0].Title, drafts[0].Body, title.Str(), body.Str())
		}
	})
}

// sound fails if a proposal contains what none may contain.
func sound(t *testing.T, p *Proposal) {
	t.Helper()
	for name, text := range map[string]string{"title": p.Title, "body": p.Body, "tools": strings.Join(p.Tools, " "), "model": p.Origin.Model, "taint": strings.Join(p.Origin.Taint, " ")} {
		if found := detect.Secrets(text); len(found) > 0 {
			t.Errorf("%s holds a secret: %q", name, text)
		}
		if strings.ContainsFunc(text, unicode.IsControl) || len(detect.Marks(text)) > 0 {
			t.Errorf("%s holds what is not seen: %q", name, text)
		}
	}
	if jstext.Len(p.Title) > titleUnits || jstext.Len(p.Body) > bodyUnits || p.Title == "" || p.Body == "" ||
		len(p.Tools) > mostListed {
		t.Errorf("the limits of the engine do not hold: %+v", p)
	}
}

func TestWhatTheSessionWasGivenIsNotProposed(t *testing.T) {
	s := of()
	s.Given = []session.Given{{Source: "hook", Text: "Remember: call `python3` and not `python`, which fails here."}}
	p := Proposal{Title: "Running python", Body: "Call `python3`, not `python`, which fails here: \"not found\"."}
	if Repeats(s, &p) {
		t.Error("two words alike are an echo")
	}
	s.Given[0].Text = "- [succeeded] Task \"Running python\": Call `python3`, not `python`, which fails here: \"not found\"."
	if !Repeats(s, &p) {
		t.Error("the same lesson is no echo")
	}
}

func TestLessonIDIsTheSameForTheSameLesson(t *testing.T) {
	f := memory.Failure{Called: "rtk bun", Command: "rtk bun test", Worked: "bun test", Error: "not found"}
	trace := TraceOf(of())
	a, b := LessonOf(&f, &trace, &memory.FailurePlace{}, noon), LessonOf(&f, &trace, &memory.FailurePlace{}, noon)
	trace.ID = "s2"
	if c := LessonOf(&f, &trace, &memory.FailurePlace{}, noon); a.LessonID != b.LessonID || a.LessonID == c.LessonID ||
		!isUUID(a.LessonID) {
		t.Error(a.LessonID, b.LessonID, c.LessonID)
	}
}
