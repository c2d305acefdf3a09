package lesson

import (
	"strings"
	"testing"
	"time"

	"winnow/core/memory"
)

var oddFiles = []string{
	"", "\n", "\r\n", "a", "a\n", "a\r\nb\nc", "\n\n\r\n", "a\r", "\r\r\n", "{}\n\xff\xfe\n", "\ufeff{}\n",
	"null\n", "{\"created_at\":\"9\"}", " \u00a0\n{}\n\u2028", "{\"a\":\"\\ud83d\"}\r\n",
}

// FuzzResaveIsStable: resaving what the agent wrote changes nothing.
func FuzzResaveIsStable(f *testing.F) {
	f.Add(`{"b":1.0,"a":"\u00e9\ud83d","1":[1e2,-0],"a":null}`)
	f.Fuzz(func(t *testing.T, line string) {
		once, ok := Resave(line)
		if !ok {
			return
		}
		if twice, ok := Resave(once); !ok || twice != once {
			t.Errorf("%q becomes %q, then %q", line, once, twice)
		}
	})
}

func FuzzLoaderAndSearchNeverPanic(f *testing.F) {
	for _, s := range oddFiles {
		f.Add(s, "words of a task")
	}
	f.Add(string(storeOf(0, 1, 2)), "task of l1")
	f.Add(`{"task_summary":"\ud83d","lesson":"x","created_at":{"toString":1}}`, "\xed\xa0\xbdabc")
	f.Add(`{"task_summary":"abcd","lesson":"x","created_at":["9"],"tool_names":"abcd"}`, "abcd")
	f.Fuzz(func(t *testing.T, file, task string) {
		l := Load(file, noon, time.UTC)
		l.forecasts()
		Explain(l, memory.Task{Text: task, Tools: []string{task}})
		hits, p := l.Search(task, nil)
		if p != nil {
			return
		}
		if len(hits) > recallLimit {
			t.Errorf("%d hits", len(hits))
		}
		l.Commit(hits, noon)
		again := Load(string(l.Save()), noon, time.UTC)
		if l.Len() <= LoadCap && again.Len() != l.Len() {
			t.Errorf("%d held, %d after saving and loading", l.Len(), again.Len())
		}
	})
}

func TestPlainLinesHaveNothingToReadTwice(t *testing.T) {
	for n := 1; n <= 20; n++ {
		for at := range n {
			for c := range 256 {
				line := []byte(strings.Repeat("~", n))
				line[at] = byte(c)
				if got, want := plainLine(string(line)), c >= ' ' && c < 0x7F && c != '\\'; got != want {
					t.Errorf("%q: %v", line, got)
				}
			}
		}
	}
}

// FuzzScannedLinesAreRecordsAsParsedOnes: a record is the same whether its line was parsed for a
// Loader or only scanned.
func FuzzScannedLinesAreRecordsAsParsedOnes(f *testing.F) {
	f.Add(benchLine(1))
	f.Add(`{"lesson_id":"a","lesson":"line\nbreak \ud83d\ude00","relevance_count":07}`)
	f.Add(`{"lesson_id":"a","lesson_id":"b","tool_names":[1],"tool_names":"x","relevance_count":"3"}`)
	f.Add(`{"tool_names":["a","b"],"last_retrieved_at":"","relevance_count":12}`)
	f.Add("\u00a0{\"\\u006cesson\":null,\"1\":2} \ufeff")
	f.Fuzz(func(t *testing.T, line string) {
		parsed := parseLine(line, 3)
		same(t, "record", Record(line, 3), parsed.Record())
	})
}
