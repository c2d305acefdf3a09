package audit_test

import (
	"fmt"
	"strings"
	"testing"

	format "winnow/core/lesson"
	"winnow/core/memory"
)

// BenchmarkSnapshotOneChange audits a snapshot of 100,000 records of which one is new.
func BenchmarkSnapshotOneChange(b *testing.B) {
	records := make([]memory.Record, 100_000)
	for i := range records {
		records[i] = format.Record(benchLesson(i), i+1)
	}
	s := memory.Snapshot{
		Place:   memory.Place{System: "karnevil9", Path: "m.jsonl", Store: "/m.jsonl", Exists: true},
		Records: records,
		Total:   len(records),
		Mode:    0o600,
	}
	a := auditor("/")
	a.Snapshot(b.Context(), &s, nil, nil)
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		records[n%len(records)] = format.Record(benchLesson(n+1_000_000), n%len(records)+1)
		a.Snapshot(b.Context(), &s, nil, nil)
	}
}

// BenchmarkSnapshotFirst audits a snapshot of 20,000 records that are all new.
func BenchmarkSnapshotFirst(b *testing.B) {
	records := make([]memory.Record, 20_000)
	size := 0
	for i := range records {
		records[i] = format.Record(benchLesson(i), i+1)
		size += len(records[i].Raw)
	}
	s := memory.Snapshot{
		Place:   memory.Place{System: "karnevil9", Path: "m.jsonl", Store: "/m.jsonl", Exists: true},
		Records: records,
		Total:   len(records),
		Mode:    0o600,
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		auditor("/").Snapshot(b.Context(), &s, nil, nil)
	}
}

func benchLesson(i int) string {
	text := strings.Repeat("retry with a smaller batch since limits apply ", 6) + fmt.Sprint(i)
	if i%500 == 0 {
		text += " token gh" + "p_" + fmt.Sprintf("%036x", i*7919)
	}
	return storedLesson(i, text)
}

func storedLesson(i int, text string) string {
	return fmt.Sprintf(
		`{"lesson_id":"7f3c9a10-0000-4000-8000-%012d","task_summary":"Run the tests again","outcome":"failed","lesson":%q,"tool_names":["http-get"],`+
			`"created_at":"2026-05-25T10:00:00.000Z","session_id":"7f3c9a10-0000-4000-9000-%012d","relevance_count":%d}`,
		i,
		text,
		i,
		i%3,
	)
}
