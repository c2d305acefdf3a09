package lesson

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

var benchNow = time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)

// benchWords are the words from which the benchmarks build texts.
var benchWords = strings.Fields(`fetch release notes from the service and retry when
 deployment configuration fails with timeout while waiting for postgres migration schema
 rotate staging token upload coverage report build docs site parse changelog merge branch
 update dependency lockfile run integration tests restart worker queue inspect latency`)

func benchText(seed, words int) string {
	var b strings.Builder
	for i := range words {
		b.WriteString(benchWords[(seed*7+i*(seed%5+1))%len(benchWords)])
		b.WriteByte(' ')
	}
	return strings.TrimSpace(b.String())
}

func benchLine(i int) string {
	return fmt.Sprintf(`{"lesson_id":"11111111-1111-4111-8111-%012d","task_summary":"%s","outcome":"failed",`+
		`"lesson":"Failed: %s","tool_names":["read-file","http-request"],"created_at":"2026-03-%02dT10:00:00.%03dZ",`+
		`"session_id":"22222222-2222-4222-8222-%012d","relevance_count":%d}`,
		i, benchText(i, 12), benchText(i+3, 10), i%14+1, i%1000, i, i%4)
}

func benchStore(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(benchLine(i) + "\n")
	}
	return b.String()
}

func BenchmarkSearch100(b *testing.B) {
	l := Load(benchStore(100), benchNow, time.UTC)
	task := benchText(1, 400)[:2000]
	b.ReportAllocs()
	for b.Loop() {
		if hits, p := l.Search(task, nil); p != nil || len(hits) != recallLimit {
			b.Fatal(hits, p)
		}
	}
}

// BenchmarkFirstSearch100 includes the preparation that the first search of a list does.
func BenchmarkFirstSearch100(b *testing.B) {
	l := Load(benchStore(100), benchNow, time.UTC)
	task := benchText(1, 400)[:2000]
	b.ReportAllocs()
	for b.Loop() {
		l.dropDerived()
		if _, p := l.Search(task, nil); p != nil {
			b.Fatal(p)
		}
	}
}

func BenchmarkLoad200(b *testing.B) {
	file := benchStore(200)
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	for b.Loop() {
		if l := Load(file, benchNow, time.UTC); l.Len() != 200 {
			b.Fatal(l.Len())
		}
	}
}

func BenchmarkRecord(b *testing.B) {
	line := benchLine(5)
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for b.Loop() {
		if r := Record(line, 1); r.Problem != nil {
			b.Fatal(r.Problem)
		}
	}
}

func BenchmarkForecasts200(b *testing.B) {
	l := Load(benchStore(200), benchNow, time.UTC)
	b.ReportAllocs()
	for b.Loop() {
		if f := l.forecasts(); len(f) != 200 {
			b.Fatal(len(f))
		}
	}
}
