package lesson

import (
	"strings"
	"testing"
	"time"

	"winnow/core/jstext"
)

// TestAWholeSessionLeavesTheOriginalsFile follows sessions of the whole agent:
// load, one recall for each planner call, the lesson, the save.
func TestAWholeSessionLeavesTheOriginalsFile(t *testing.T) {
	eachVector(t, "e2e", func(t *testing.T, v vector) {
		now := v.input.get("now").time(t)
		l := Load(v.input.get("file").file(t), now, time.UTC)
		text := v.input.get("task_text").text()
		for range v.want.get("prompts").Len() {
			hits, p := l.Search(text, nil)
			if p != nil {
				t.Fatal(p)
			}
			l.Commit(hits, now)
		}
		after := v.input.get("file").file(t)
		if payload := v.want.get("lesson_event_payload_json"); !payload.null() {
			after = endSession(t, l, v, now)
		}
		same(t, "file", after, v.want.get("file_after").Str())
	})
}

// endSession adds the lesson of the session and returns the bytes that are saved.
func endSession(t *testing.T, l *List, v vector, now time.Time) string {
	event := parse1(t, v.want.get("lesson_event_payload_json").Str())
	session := v.want.get("session_id").Str()
	id, _ := event.Field(keyID)
	lesson, ok := Original.Extract(Session{
		LessonID: id.Str(), Now: now, Text: v.input.get("task_text").text(),
		Plan:    &Plan{Tools: []string{"echo-tool"}},
		Results: []StepResult{{Status: "succeeded"}},
		Status:  v.want.get("status").Str(), ID: &session,
	})
	if !ok {
		t.Fatal("no lesson")
	}
	if p := l.Add(lesson); p != nil {
		t.Fatal(p)
	}
	for _, key := range []string{keyOutcome, keyBody} {
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
	title, _ := v.Field(keyTitle)
	body, _ := v.Field(keyBody)
	same(t, "title", title.Str(), strings.Repeat("x", 190)+" [REDACTED")
	same(t, "body", body.Str(), "Failed: push refused for [REDACTED]")
}

func TestHardenedRulesLeaveOrdinaryWords(t *testing.T) {
	s := Session{Now: noon, Status: "completed", Text: "ask task-force about disk-usage",
		Plan: &Plan{Tools: []string{"a"}}}
	v, _ := Hardened.Extract(s)
	title, _ := v.Field(keyTitle)
	same(t, "title", title.Str(), s.Text)
}
