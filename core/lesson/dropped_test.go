package lesson

import (
	"strings"
	"testing"
	"time"

	"winnow/core/memory"
)

func recordsOf(file string) []memory.Record {
	var records []memory.Record
	for i, l := range splitLines(file) {
		if strings.TrimSpace(l) != "" {
			records = append(records, Record(l, i+1))
		}
	}
	return records
}

// TestDroppedNamesTheRuleOfAnAgentsOwn runs the engine itself and asks about what it dropped.
func TestDroppedNamesTheRuleOfAnAgentsOwn(t *testing.T) {
	old := string(lessonOf("old", 0, noon.AddDate(0, 0, -40)).AppendJSON(nil))
	file := old + "\n{oops\n42\n" + storeOf(counts(100, 1)...)
	first := string(lessonOf("first", 0, noon.Add(-time.Hour)).AppendJSON(nil))
	l := Load(first+"\n"+file, noon, time.UTC)
	if p := l.Add(lessonOf("newest", 2, noon)); p != nil {
		t.Fatal(p)
	}
	after := recordsOf(string(l.Save()))
	for line, want := range map[string]memory.UndoneKind{
		old: memory.PrunedAway, "{oops": memory.PrunedAway, "42": memory.PrunedAway, first: memory.Evicted,
	} {
		r := Record(line, 1)
		if kind, ok := Dropped(after, &r, noon, time.UTC); !ok || kind != want {
			t.Errorf("%s: %v, %v, want %v", line, kind, ok, want)
		}
	}
	beyond := Record(`{"lesson_id":"c","task_summary":"z","lesson":"w","relevance_count":3}`, 250)
	beyond.Forecast.Beyond = true
	if kind, ok := Dropped(after, &beyond, noon, time.UTC); !ok || kind != memory.PrunedAway {
		t.Errorf("beyond what is read: %v, %v", kind, ok)
	}
}

func TestNoRuleExplainsWhatWouldHaveStayed(t *testing.T) {
	fresh := Record(string(lessonOf("fresh", 0, noon.Add(-time.Hour)).AppendJSON(nil)), 1)
	strong := Record(string(lessonOf("strong", 9, noon.Add(-time.Hour)).AppendJSON(nil)), 1)
	cut := fresh
	cut.RawLen++
	for name, c := range map[string]struct {
		r       *memory.Record
		records []memory.Record
	}{
		"the store has room":    {&fresh, recordsOf(storeOf(counts(99, 1)...))},
		"others leave first":    {&strong, recordsOf(storeOf(counts(100, 1)...))},
		"it was not read whole": {&cut, recordsOf(storeOf(counts(100, 1)...))},
	} {
		if kind, ok := Dropped(c.records, c.r, noon, time.UTC); ok {
			t.Errorf("%s: %v", name, kind)
		}
	}
}
