package jsonl

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"winnow/core/jstext"
	"winnow/core/lesson"
)

var noon = time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)

// storeOf returns a file of lessons with these counts, created a minute apart.
func storeOf(counts ...int) string {
	var file strings.Builder
	for i, n := range counts {
		file.WriteString(
			lessonOf(fmt.Sprintf("l%d", i), n, noon.Add(-24*time.Hour+time.Duration(i)*time.Minute)) + "\n",
		)
	}
	return file.String()
}

func lessonOf(id string, count int, created time.Time) string {
	return fmt.Sprintf(
		`{"lesson_id":"%[1]s","task_summary":"task of %[1]s","outcome":"succeeded","lesson":"Completed.","tool_names":[],"created_at":"%[2]s","session_id":"s","relevance_count":%[3]d}`,
		id,
		lesson.ISO(created),
		count,
	)
}

func parse1(t *testing.T, line string) jstext.Value {
	t.Helper()
	v, err := jstext.Parse(line)
	if err != nil {
		t.Fatalf("parse %q: %v", line, err)
	}
	return v
}

func same[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if g, w := fmt.Sprintf("%q", any(got)), fmt.Sprintf("%q", any(want)); g != w {
		t.Errorf("%s:\n got %s\nwant %s", what, g, w)
	}
}

var oddFiles = []string{
	"", "\n", "\r\n", "a", "a\n", "a\r\nb\nc", "\n\n\r\n", "a\r", "\r\r\n", "{}\n\xff\xfe\n", "\ufeff{}\n",
	"null\n", "{\"created_at\":\"9\"}", " \u00a0\n{}\n\u2028", "{\"a\":\"\\ud83d\"}\r\n",
}

// join returns the content of a file with these lines.
func join(lines []Line) string {
	n := 0
	for _, l := range lines {
		n += len(l.Text) + int(l.End)
	}
	var b strings.Builder
	b.Grow(n)
	for _, l := range lines {
		b.WriteString(l.Text)
		b.WriteString([...]string{"", "\n", "\r\n"}[l.End])
	}
	return b.String()
}

func FuzzLinesHaveTheBytesOfTheirFile(f *testing.F) {
	for _, s := range oddFiles {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, file string) {
		lines := split(file)
		if got := join(lines); got != file {
			t.Errorf("got %q, want %q", got, file)
		}
		for i, l := range lines {
			if strings.Contains(l.Text, "\n") || l.End == noEnd && i < len(lines)-1 {
				t.Errorf("line %d is %q", i, l)
			}
		}
	})
}
