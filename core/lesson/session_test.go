package lesson

import (
	"strings"
	"testing"
	"time"

	"winnow/core/jstext"
	"winnow/core/vectortest"
)

// TestAWholeSessionLeavesTheOriginalsFile follows complete sessions of the agent: the load, one
// recall for each planner call, the lesson, and the save.
func TestAWholeSessionLeavesTheOriginalsFile(t *testing.T) {
	vectortest.Each(t, "karnevil9", "e2e", func(t *testing.T, v vectortest.Vector) {
		now := v.Input.Member("now").Time(t)
		l := Load(string(v.Input.Member("file").File(t)), now, time.UTC)
		text := v.Input.Member("task_text").Text()
		for range v.Want.Member("prompts").Len() {
			hits, p := l.Search(text, nil)
			if p != nil {
				t.Fatal(p)
			}
			l.Commit(hits, now)
		}
		after := string(v.Input.Member("file").File(t))
		if payload := v.Want.Member("lesson_event_payload_json"); !payload.IsNull() {
			after = endSession(t, l, v, now)
		}
		same(t, "file", after, v.Want.Member("file_after").Str())
	})
}

// endSession adds the session's lesson and returns the bytes that are saved.
func endSession(t *testing.T, l *List, v vectortest.Vector, now time.Time) string {
	event := parse1(t, v.Want.Member("lesson_event_payload_json").Str())
	session := v.Want.Member("session_id").Str()
	id, _ := event.Field(KeyID)
	lesson, ok := Original.Extract(Session{
		LessonID: id.Str(), Now: now, Text: v.Input.Member("task_text").Text(),
		Plan:    &Plan{Tools: []string{"echo-tool"}},
		Results: []StepResult{{Status: "succeeded"}},
		Status:  v.Want.Member("status").Str(), ID: &session,
	})
	if !ok {
		t.Fatal("no lesson")
	}
	if p := l.Add(lesson); p != nil {
		t.Fatal(p)
	}
	for _, key := range []string{KeyOutcome, KeyBody} {
		got, _ := lesson.Field(key)
		want, _ := event.Field(key)
		same(t, key, got.Str(), want.Str())
	}
	return string(l.Save())
}

func TestHardenedLessonsHoldNoSecret(t *testing.T) {
	key := "ghp_" + strings.Repeat("a1B2", 9)
	s := Session{
		LessonID: "a", Now: noon, Status: "failed", Text: strings.Repeat("x", 190) + " " + key,
		Plan: &Plan{ID: "p", Tools: []string{"task-runner"}},
		Results: []StepResult{{Status: "failed", Error: jstext.ObjectValue(
			jstext.Member{Key: "message", Value: jstext.StringValue("push refused for " + key)})}},
	}
	v, ok := Hardened.Extract(s)
	if !ok {
		t.Fatal("no lesson")
	}
	title, _ := v.Field(KeyTitle)
	body, _ := v.Field(KeyBody)
	same(t, "title", title.Str(), strings.Repeat("x", 190)+" [REDACTED")
	same(t, "body", body.Str(), "Failed: push refused for [REDACTED]")
}

func TestHardenedRulesLeaveOrdinaryWords(t *testing.T) {
	s := Session{Now: noon, Status: "completed", Text: "ask task-force about disk-usage",
		Plan: &Plan{Tools: []string{"a"}}}
	v, _ := Hardened.Extract(s)
	title, _ := v.Field(KeyTitle)
	same(t, "title", title.Str(), s.Text)
}
