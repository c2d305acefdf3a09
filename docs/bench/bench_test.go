//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestQueriesAreAnsweredOnce(t *testing.T) {
	text := []byte("hello\x1b]11;?\x07\x1b[?2026$p\x1b[6")
	answers, end := reply(text)
	if want := "\x1b]11;rgb:1c1c/1c1c/1c1c\x1b\\\x1b[?2026;2$y"; string(answers) != want {
		t.Errorf("answers %q, want %q", answers, want)
	}
	rest := append(text[end:], 'n')
	if answers, _ := reply(rest); string(answers) != "\x1b[1;1R" {
		t.Errorf("the query in two parts got %q", answers)
	}
}

func TestSpacesAndCursorMovesAreNoFrame(t *testing.T) {
	for text, want := range map[string]bool{
		"":                          false,
		"a         b             c": false,
		"twenty letters and more":   true,
	} {
		if isFrame(text) != want {
			t.Errorf("isFrame(%q) = %v", text, !want)
		}
	}
}

func TestQuantilesAreFiguresThatWereTaken(t *testing.T) {
	s := sample{5, 1, 4, 2, 3}
	if s.median() != 3 || s.p95() != 5 || s.quantile(0) != 1 || (sample{}).median() != 0 {
		t.Errorf("median %v, p95 %v, least %v", s.median(), s.p95(), s.quantile(0))
	}
	if r := (sample{2, 9}).ratios(sample{1, 3}); r[0] != 2 || r[1] != 3 {
		t.Errorf("ratios %v", r)
	}
}

func TestAMissedGoalSaysByHowMuch(t *testing.T) {
	for _, c := range []struct {
		result, limit float64
		want          string
	}{{1.5, 1.25, "missed by 20 %"}, {1.25, 1.25, "reached"}, {7, 0, ""}} {
		if got := (line{result: c.result, limit: c.limit}).verdict(); got != c.want {
			t.Errorf("%v of %v: %q, want %q", c.result, c.limit, got, c.want)
		}
	}
}

func TestFiguresOfABenchmarkAreReadByUnit(t *testing.T) {
	out := "goos: linux\nBenchmarkApply-2   \t     500\t  3896573 ns/op\t      1478 raw-median-µs\t         1.135 x-median\nPASS\n"
	f, err := reported(out, "Apply")
	if err != nil || f["raw-median-µs"] != 1478 || f["x-median"] != 1.135 {
		t.Errorf("%v, %v", f, err)
	}
	if _, err := reported(out, "Replace"); err == nil {
		t.Error("figures of a benchmark that did not run")
	}
}

func TestCorpusLessonsAreLessonsOfTheUsualSize(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sub", "memory.jsonl")
	now := time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)
	if err := writeCorpus(path, 500, now); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if mean := len(text) / 500; mean < 410 || mean > 450 {
		t.Errorf("a lesson has %d bytes, want about 430", mean)
	}
	ids := map[string]bool{}
	last := ""
	for line := range bytes.Lines(text) {
		var l struct {
			ID      string `json:"lesson_id"`
			Created string `json:"created_at"`
		}
		if err := json.Unmarshal(line, &l); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if l.Created <= last || len(l.Created) != 24 {
			t.Errorf("created %s after %s", l.Created, last)
		}
		ids[l.ID], last = true, l.Created
	}
	if len(ids) != 500 {
		t.Errorf("%d different ids of 500 lessons", len(ids))
	}
}

func TestSimulatedPushesAllEnd(t *testing.T) {
	calm, busy := simulated(10, 10, time.Second, 1), simulated(4_000, 10, time.Second, 1)
	if calm.made != 100 || calm.first < 98 || calm.gaveUp != 0 {
		t.Errorf("a calm share: %v", calm)
	}
	if busy.made+busy.gaveUp != 40_000 || busy.gaveUp == 0 || busy.waits.p95() < 1000 {
		t.Errorf("a share of more than a branch takes: %v", busy)
	}
}
