package jsonl

import (
	"strings"
	"testing"

	"winnow/core/detect"
	"winnow/core/jstext"
	"winnow/core/lesson"
	"winnow/core/memory"
)

// homes stands in for the function that removes people's names from a text.
func homes(s string) string { return strings.ReplaceAll(s, "/home/ann", "~") }

func hashed(s string) string { return "h" + string(rune('0'+len(s)%10)) }

func TestACopyForOthersSaysTheSameWithoutPeopleSessionsAndSecrets(t *testing.T) {
	key, password := "ghp_"+strings.Repeat("a1B2", 9), "Tr0ub4dor"+"&3x"
	for stored, want := range map[string]string{
		`{"lesson_id":"a","task_summary":"in /home/ann/x","outcome":"failed","lesson":"see /home/ann","tool_names":["/home/ann/t","read"],"created_at":"2026-01-01T00:00:00.000Z","session_id":"0123","relevance_count":3}`: `{"lesson_id":"a","task_summary":"in ~/x","outcome":"failed","lesson":"see ~","tool_names":["~/t","read"],"created_at":"2026-01-01T00:00:00.000Z","session_id":"h4","relevance_count":3}`,
		`{"task_summary":"a","outcome":"failed","lesson":"use ` + key + `","session_id":""}`:                                                  `{"task_summary":"a","outcome":"failed","lesson":"use [REDACTED]","session_id":""}`,
		`{"task_summary":"a","outcome":"failed","lesson":"b","n":1.50,"ok":true,"no":null,"x":{"/home/ann":["/home/ann",2],"session_id":17}}`: `{"task_summary":"a","outcome":"failed","lesson":"b","n":1.5,"ok":true,"no":null,"x":{"~":["~",2],"session_id":"h2"}}`,
		`{"task_summary":"a","outcome":"failed","lesson":"b","/home/ann":1,"~":2,"` + key + `":3}`:                                            `{"task_summary":"a","outcome":"failed","lesson":"b","~":1,"~~2":2,"[REDACTED]":3}`,
		"\u00a0" + ` {"task_summary" : "a\n\ud83d","outcome":"failed","lesson":"b","password":"` + password + `"} `:                           `{"task_summary":"a\n\ud83d","outcome":"failed","lesson":"b","password":"[REDACTED]"}`,
	} {
		got, ok := Share(stored, homes, hashed)
		if !ok || got != want {
			t.Errorf("%s\n  is %s, %t\nwant %s", stored, got, ok, want)
		}
	}
}

func TestWhatIsNoLessonIsNotShared(t *testing.T) {
	for _, stored := range []string{``, `null`, `42`, `[]`, `{}`, `{"lesson":"a"}`, `{"task_summary":"a","lesson":"b","outcome":3}`, `{"task_summary":"a"`,
		`{"task_summary":"a","outcome":"failed","lesson":"` + strings.Repeat("x", maxLine) + `"}`} {
		if got, ok := Share(stored, homes, hashed); ok || got != "" {
			t.Errorf("%.60s is shared as %.60s", stored, got)
		}
	}
}

func FuzzACopyForOthersIsALessonWithoutWhatWasTakenOut(f *testing.F) {
	for _, s := range oddFiles {
		f.Add(s)
	}
	f.Add(
		`{"task_summary":"a","outcome":"failed","lesson":"/home/ann\u0000\ud83d","/home/ann":{"lesson":"x"},"~":1,"session_id":["0123",{"a":4}]}`,
	)
	f.Fuzz(func(t *testing.T, stored string) {
		out, ok := Share(stored, homes, hashed)
		if !ok {
			return
		}
		if strings.Contains(out, "\n") || strings.Contains(out, "/home/ann") || len(detect.SecretsInLine(out)) > 0 {
			t.Fatalf("%q is shared as %q", stored, out)
		}
		r, was := lesson.Record(out, 1), lesson.Record(stored, 1)
		if r.Problem != nil || r.Flags&(memory.FlagSecret|memory.FlagDamaged) != 0 ||
			was.Count != r.Count && was.Count.Odd == "" {
			t.Fatalf("%q is shared as %q: %+v", stored, out, r)
		}
		if v, err := jstext.Parse(out); err != nil || string(v.AppendJSON(nil)) != out {
			t.Fatalf("%q is shared as %q, not as the original writes it", stored, out)
		}
		if again, ok := Share(out, homes, func(s string) string { return s }); !ok || again != out {
			t.Fatalf("%q is shared as %q, and that as %q", stored, out, again)
		}
	})
}
