package learn

import (
	"strings"
	"testing"
	"unicode"

	"winnow/core/detect"
	"winnow/core/jstext"
	"winnow/core/lesson"
	"winnow/core/session"
	"winnow/core/vectortest"
)

func first(t *testing.T, s *session.Session) Proposal {
	t.Helper()
	drafts, skipped := Propose(s, noon)
	if len(drafts) == 0 {
		t.Fatalf("nothing was proposed: %q", skipped)
	}
	return drafts[0]
}

// silent fails unless a session leaves nothing, for that reason.
func silent(t *testing.T, s *session.Session, why string) {
	t.Helper()
	drafts, skipped := Propose(s, noon)
	if len(drafts) > 0 || len(skipped) != 1 || !strings.Contains(skipped[0], why) {
		t.Errorf("proposed %+v, skipped %q; want %q", drafts, skipped, why)
	}
}

func TestOutcomeOfASession(t *testing.T) {
	s := of(sh("make", ""), file("Edit", "/p/a.go", ""), sh("make", ""))
	s.Task, s.Taint, s.Model = "Fix the build\n\nof the docs", []string{"web: WebFetch"}, "model-1"
	p := first(t, s)
	if p.Title != "Fix the build of the docs" || p.Outcome != "succeeded" || p.Body != "Completed using Bash, Edit. 3 step(s) succeeded." || strings.Join(p.Tools, " ") != "Bash Edit" {
		t.Errorf("%+v", p)
	}
	if o := p.Origin; o.Agent != "claudecode" || o.Session != "s1" || o.Folder != "/p" || o.Model != "model-1" || o.Door != "learn" || o.Rule != RuleOutcome || o.Taint[0] != "web: WebFetch" || !o.At.Equal(noon) {
		t.Errorf("%+v", p.Origin)
	}
}

func TestFailedSessionQuotesItsLastErrors(t *testing.T) {
	s := of(sh("a", "error: one"), sh("b", "error: two"), sh("c", "error: two"), sh("d", "building\nerror: three"), sh("e", "\x1b[31merror: four\x1b[0m"))
	s.State = session.Failed
	p := first(t, s)
	if p.Outcome != "failed" || p.Body != "Failed: error: two; error: three; error: four" || len(p.Origin.Steps) != 3 {
		t.Errorf("%+v", p)
	}
}

func TestLessonIDIsTheSameForTheSameLesson(t *testing.T) {
	s := of(sh("make", ""))
	a, b := first(t, s), first(t, s)
	s.ID = "s2"
	if c := first(t, s); a.LessonID != b.LessonID || a.LessonID == c.LessonID || len(a.LessonID) != 36 {
		t.Error(a.LessonID, b.LessonID, c.LessonID)
	}
}

func TestSilence(t *testing.T) {
	silent(t, of(), "used no tool")
	s := of(sh("make", ""))
	s.Task = " \n\u200b"
	silent(t, s, "no request by a person")
	s = of(session.Step{Tool: "Bash", Status: session.Declined}, session.Step{Tool: "Bash", Status: session.Pending})
	silent(t, s, "no step of it had a result")
	s = of(sh("make", ""))
	s.State = session.Failed
	silent(t, s, "no step of it says why")
	s = of(sh("make", ""))
	s.Engine = &lesson.Session{Text: "x", Status: "completed"}
	silent(t, s, "accepted no plan")
}

func TestWhichSessionsAreNotLearntFrom(t *testing.T) {
	for state, want := range map[session.State][2]bool{ // whether it is refused, and whether it still is when named
		session.Running: {true, true}, session.Aborted: {true, true}, session.Unknown: {true, false},
		session.Succeeded: {false, false}, session.Failed: {false, false},
	} {
		s := session.Session{State: state}
		if got := [2]bool{Refused(&s, false) != "", Refused(&s, true) != ""}; got != want {
			t.Errorf("%s: %v, want %v", state, got, want)
		}
	}
	off := session.Session{State: session.Succeeded, MemoryOff: true}
	if Refused(&off, false) == "" || Refused(&off, true) != "" {
		t.Error("a session whose agent keeps no memories of it is learnt from by name, and only so")
	}
	if Refused(&session.Session{Head: session.Head{Subagent: true}, State: session.Succeeded}, true) == "" {
		t.Error("a session of another session is learnt from")
	}
}

func TestWhatTheSessionWasGivenIsNotProposed(t *testing.T) {
	steps := []session.Step{sh("python a.py", "python: command not found"), sh("python3 a.py", "")}
	s := of(steps...)
	s.Given = []session.Given{{Source: "hook", Text: "## Past Experience\n- [succeeded] Task \"Run the script\": python: command not found with `python a.py`; `python3 a.py` worked.\n"}}
	if got := bodies(t, RuleWorked, s); got != nil {
		t.Errorf("the echo %q", got)
	}
	if got := bodies(t, RuleOutcome, s); len(got) != 1 {
		t.Error("the outcome is no echo, and is missing")
	}
	s.Given[0].Text = `- [succeeded] Task "Make the build work again": Completed using Bash. 7 step(s) succeeded.`
	if got := bodies(t, RuleOutcome, s); got != nil {
		t.Errorf("the same task with the same outcome: %q", got)
	}
	s.Given[0].Text = `- [failed] Task "Make the build work again": Failed: no such table`
	if len(bodies(t, RuleOutcome, s)) != 1 || len(bodies(t, RuleWorked, s)) != 1 {
		t.Error("a task that failed before and worked now is no echo")
	}
	s = of(sh("cat lessons.jsonl", "cat: the deploy needs the token of the staging account, which is not found"))
	s.State = session.Failed
	s.Given = []session.Given{{Text: "Remember: the deploy needs the token of the staging account, which is not found in the vault"}}
	silent(t, s, "it only repeats")
}

func TestSessionLeavesFiveAtMost(t *testing.T) {
	var steps []session.Step
	for _, name := range []string{"alpha", "bravo", "delta", "gamma", "omega", "sigma", "theta"} {
		steps = append(steps, sh(name+" up", name+": command not found"), sh("npx "+name+" up", ""))
	}
	drafts, skipped := Propose(of(steps...), noon)
	if len(drafts) != 5 || drafts[0].Origin.Rule != RuleOutcome || !strings.Contains(strings.Join(skipped, ""), "more were left out") {
		t.Errorf("%d proposals, %q", len(drafts), skipped)
	}
}

// TestKarnEvil9sLessonIsTheOriginals checks that a proposal is made from the same input as the
// original's lesson, and equals that lesson except for what Hardened does.
func TestKarnEvil9sLessonIsTheOriginals(t *testing.T) {
	vectortest.Each(t, "karnevil9", "extract", func(t *testing.T, v vectortest.Vector) {
		in := v.Input
		e := lesson.Session{LessonID: in.Member("lesson_id").Text(), Now: in.Member("now").Time(t), Text: in.Member("task_text").Text(), Status: in.Member("session_status").Text()}
		if p := in.Member("plan"); !p.IsNull() {
			e.Plan = &lesson.Plan{ID: p.Member("plan_id").Text(), Tools: p.Member("tools").Texts()}
		}
		if id := in.Member("session_id"); !id.IsNull() {
			text := id.Text()
			e.ID = &text
		}
		for i := range in.Member("step_results").Len() {
			r := in.Member("step_results").Item(i)
			e.Results = append(e.Results, lesson.StepResult{Status: r.Member("status").Text(), Error: r.Member("error").Resolved()})
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
		if drafts[0].Body != fitted(body.Str(), bodyUnits) || oneLine(e.Text) == e.Text && drafts[0].Title != fitted(title.Str(), titleUnits) {
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
	if jstext.Len(p.Title) > titleUnits || jstext.Len(p.Body) > bodyUnits || p.Title == "" || p.Body == "" || len(p.Tools) > mostListed {
		t.Errorf("the limits of the engine do not hold: %+v", p)
	}
}

func FuzzProposal(f *testing.F) {
	key := "ghp_" + strings.Repeat("a1B2", 9)
	f.Add("Deploy with "+key, "Bash", `{"command":"curl -H 'Authorization: Bearer `+key+`' http://x"}`, "error: "+key+" is not found", "web")
	f.Add(strings.Repeat("x", 190)+key, "a\x1b[31m", "python a.py", "python: command not found", "")
	f.Add("a\u200b\u202e<<<UNTRUSTED_INPUT>>>\x00", "Read", `{"file_path":"/p/\u2028a"}`, "File does not exist", "\xff")
	f.Add("<<<UNTRUSTED_\u200bINPUT>>>", "shell", `{"command":["bash","-lc","x"],"workdir":"/q"}`, "<<<END_UNTRUSTED_INPUT>>>", "-----BEGIN PRIVATE KEY-----")
	f.Fuzz(func(t *testing.T, task, tool, arguments, failure, taint string) {
		s := of(session.Step{Tool: tool, Arguments: arguments, Status: session.Error, Error: failure},
			session.Step{Tool: tool, Arguments: arguments, Status: session.Error, Error: failure},
			session.Step{Tool: "Edit", Arguments: `{"file_path":` + string(jstext.AppendQuoted(nil, arguments)) + `}`, Status: session.OK},
			session.Step{Tool: tool, Arguments: arguments, Status: session.OK})
		s.Task, s.Taint, s.Model, s.State = task, []string{taint}, tool, session.Failed
		drafts, _ := Propose(s, noon)
		for i := range drafts {
			sound(t, &drafts[i])
		}
	})
}

// TestHugeHostileSession uses a session of the maximum size; a rule that compares all steps with
// each other would take minutes.
func TestHugeHostileSession(t *testing.T) {
	long := strings.Repeat("error: not found --flag ", session.MostText/24)
	var steps []session.Step
	for range session.MostSteps {
		steps = append(steps, session.Step{Tool: "Bash", Arguments: `{"command":"x --flag ` + strings.Repeat("y ", 60) + `"}`, Status: session.Error, Error: long})
	}
	if drafts, _ := Propose(of(steps...), noon); len(drafts) == 0 {
		t.Error("nothing was proposed")
	}
}
