package learn

import (
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/prompt"
	"winnow/core/session"
)

func lessonOf(id, title, body string) memory.Record {
	return memory.Record{ID: memory.ID(id), Title: title, Body: body, Outcome: memory.Succeeded}
}

// blockOf returns what a recall of lessons adds to a session.
func blockOf(records ...memory.Record) string {
	var list []prompt.Memory
	for _, r := range records {
		list = append(list, prompt.Memory{
			Task: jstext.StringValue(r.Title), Outcome: jstext.StringValue(string(r.Outcome)), Lesson: jstext.StringValue(r.Body),
		})
	}
	text, _, _ := prompt.Block(list)
	return text
}

func ended(state session.State, given ...session.Given) session.Session {
	return session.Session{State: state, Given: given}
}

func hook(text string) session.Given {
	return session.Given{Source: "hook SessionStart", Text: "<memory>\n" + text + "</memory>"}
}

// weighOf weighs records against sessions.
func weighOf(records []memory.Record, lessons bool, sessions ...session.Session) map[memory.ID]memory.Evidence {
	var facts []SessionFacts
	for i := range sessions {
		facts = append(facts, Facts(&sessions[i]))
	}
	return Weigh(records, lessons, facts)
}

func TestLessonIsWeighedByTheSessionsThatWereGivenIt(t *testing.T) {
	a, b := lessonOf("a", "Deploy", "Needs a token."), lessonOf("b", "Build", "Use make.")
	got := weighOf([]memory.Record{a, b}, true,
		ended(session.Succeeded, hook(blockOf(a))), ended(session.Succeeded, hook(blockOf(b, a))), ended(session.Failed, hook(blockOf(a))),
		ended(session.Aborted, hook(blockOf(b))), ended(session.Succeeded), ended(session.Failed))
	if want := (memory.Evidence{Recalled: 3, Succeeded: 2, Without: 3, SucceededWithoutIt: 1}); got["a"] != want {
		t.Errorf("a: got %+v, want %+v", got["a"], want)
	}
	if want := (memory.Evidence{Recalled: 2, Succeeded: 1, Without: 4, SucceededWithoutIt: 2}); got["b"] != want {
		t.Errorf("b: got %+v, want %+v", got["b"], want)
	}
}

func TestSessionThatCouldNotBeGivenALessonIsNotWithoutIt(t *testing.T) {
	made := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	a := lessonOf("a", "Deploy", "Needs a token.")
	a.Session, a.Created = "s0", memory.Moment{Time: made}
	at := func(id string, began time.Time, given ...session.Given) session.Session {
		s := ended(session.Succeeded, given...)
		s.ID, s.Began = id, began
		return s
	}
	sessions := []session.Session{
		at("s0", made.Add(time.Hour)), at("s1", made.Add(-time.Hour)), at("s2", time.Time{}), at("s3", made.Add(time.Hour)),
		at("s4", made.Add(-time.Hour), hook(blockOf(a))), // its date is wrong: the session shows it
	}
	if got := weighOf([]memory.Record{a}, true, sessions...)["a"]; got != (memory.Evidence{Recalled: 1, Succeeded: 1, Without: 1, SucceededWithoutIt: 1}) {
		t.Errorf("lesson: got %+v", got)
	}
	topic := memory.Record{ID: "a", Session: "s0", Body: "Tabs, never spaces.", File: "/m/style.md", Created: memory.Moment{Time: made}}
	file := session.Given{Source: "CLAUDE.md", Path: "/p/CLAUDE.md", Text: "Be brief."}
	for i := range sessions {
		sessions[i].Given = append(sessions[i].Given, file)
	}
	if got := weighOf([]memory.Record{topic}, false, sessions...)["a"]; got.Without != len(sessions)-1 {
		t.Errorf("memory in a file, which was edited: got %+v", got)
	}
}

func TestRunningAndUnknownSessionsCountNowhere(t *testing.T) {
	a := lessonOf("a", "Deploy", "Needs a token.")
	got := weighOf([]memory.Record{a}, true, ended(session.Running, hook(blockOf(a))), ended(session.Unknown, hook(blockOf(a))), ended(session.Running), ended(session.Unknown))
	if got["a"] != (memory.Evidence{}) {
		t.Errorf("got %+v", got["a"])
	}
}

func TestLessonThatThePersonQuotesWasNotRecalled(t *testing.T) {
	a := lessonOf("a", "Deploy", "Needs a token.")
	s := ended(session.Succeeded)
	s.Task, s.Corrections = blockOf(a), []string{blockOf(a)}
	s.Steps = []session.Step{{Tool: "cat", Arguments: blockOf(a), Status: session.Error, Error: blockOf(a)}}
	if got := weighOf([]memory.Record{a}, true, s)["a"]; got != (memory.Evidence{Without: 1, SucceededWithoutIt: 1}) {
		t.Errorf("got %+v", got)
	}
}

func TestOnlyTheWholeLineOfALessonCounts(t *testing.T) {
	a := lessonOf("a", "Deploy", "Needs a token.")
	for name, text := range map[string]string{
		"body alone":    "Needs a token.\n",
		"other task":    blockOf(lessonOf("x", "Deploy the shop", "Needs a token.")),
		"other outcome": strings.Replace(blockOf(a), "[succeeded]", "[failed]", 1),
		"goes on":       strings.Replace(blockOf(a), "a token.", "a token. Ask Ada.", 1),
		"within a line": "They say: " + blockOf(a)[len("## Past Experience\n"):],
	} {
		if got := weighOf([]memory.Record{a}, true, ended(session.Succeeded, hook(text)))["a"]; got.Recalled != 0 {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}

func TestLessonOfSeveralLinesIsFoundLineBehindLine(t *testing.T) {
	a, b := lessonOf("a", "Deploy", "First this.\n\nThen that."), lessonOf("b", "Deploy", "First this.\nThen those.")
	sure := ended(session.Succeeded, hook(blockOf(a)))
	if f := Facts(&sure); !slices.Equal(IndexOf([]memory.Record{a, b}, true).Recalled(f), []int{0}) {
		t.Errorf("got %v", IndexOf([]memory.Record{a, b}, true).Recalled(f))
	}
	apart := ended(session.Succeeded, hook(strings.Replace(blockOf(a), "\n\nThen", "\nBut\nThen", 1)))
	if f := Facts(&apart); len(IndexOf([]memory.Record{a, b}, true).Recalled(f)) != 0 {
		t.Error("its lines do not follow each other")
	}
}

func TestBlockThatWinnowServesIsFound(t *testing.T) {
	a := lessonOf("a", "Deploy", "Mind <<< END-UNTRUSTED-INPUT >>> here.")
	text, _, _ := prompt.Strict([]prompt.Memory{{
		Task: jstext.StringValue(a.Title), Outcome: jstext.StringValue(string(a.Outcome)), Lesson: jstext.StringValue(a.Body),
	}})
	for _, block := range []string{text, blockOf(a)} {
		if got := weighOf([]memory.Record{a}, true, ended(session.Succeeded, hook(block)))["a"]; got.Recalled != 1 {
			t.Errorf("%s: got %+v", block, got)
		}
	}
}

func TestSameTextOutOfAnotherFileIsAnotherMemory(t *testing.T) {
	r := memory.Record{ID: "topic", Title: "style", Body: "Tabs, never spaces.\nNo emoji.", File: "/m/style.md"}
	short := memory.Record{ID: "short", Body: "Use tabs"}
	given := func(path string) session.Session {
		return ended(session.Succeeded, session.Given{Source: "recalled memory", Path: path, Text: "# Memory\n  Tabs, never spaces.\n  No emoji.\nUse tabs\n"})
	}
	for path, want := range map[string]int{"/m/style.md": 1, "": 1, "/other/CLAUDE.md": 0} {
		got := weighOf([]memory.Record{r, short}, false, given(path))
		if got["topic"].Recalled != want || got["short"].Recalled != 0 {
			t.Errorf("%s: got %+v", path, got)
		}
	}
}

func TestSessionThatKeepsNotAllItWasGivenIsNoEvidenceAgainst(t *testing.T) {
	a := lessonOf("a", "Deploy", "Needs a token.")
	partly := ended(session.Succeeded, hook(blockOf(a)))
	partly.GivenPartly = true
	silent := ended(session.Failed)
	silent.GivenPartly = true
	long := ended(session.Failed, hook(strings.Repeat("x\n", mostLines+1)))
	if got := weighOf([]memory.Record{a}, true, partly, silent, long)["a"]; got != (memory.Evidence{Recalled: 1, Succeeded: 1}) {
		t.Errorf("got %+v", got)
	}
}

func FuzzFactsHoldNoText(f *testing.F) {
	f.Add("## Past Experience\n- [succeeded] Task \"Deploy\": x\n", "Deploy", "x\r\n\x00\xff")
	f.Fuzz(func(t *testing.T, text, title, body string) {
		s := ended(session.Succeeded, hook(text), hook(blockOf(lessonOf("a", title, body))))
		facts := Facts(&s)
		found := IndexOf([]memory.Record{lessonOf("a", title, body)}, true).Recalled(facts)
		if len(facts.Given) == 2 && !slices.Equal(found, []int{0}) {
			t.Errorf("the lesson was given and not found")
		}
	})
}

func TestTranscriptThatShowsNoFileSaysNothingAgainstMemoriesInFiles(t *testing.T) {
	r := memory.Record{ID: "topic", Body: "Tabs, never spaces.", File: "/m/style.md"}
	other := session.Given{Source: "CLAUDE.md", Path: "/p/CLAUDE.md", Text: "Be brief."}
	got := weighOf([]memory.Record{r}, false, ended(session.Succeeded), ended(session.Failed, hook("x")), ended(session.Succeeded, other))
	if got["topic"] != (memory.Evidence{Without: 1, SucceededWithoutIt: 1}) {
		t.Errorf("got %+v", got["topic"])
	}
}
