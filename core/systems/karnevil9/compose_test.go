package karnevil9

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"winnow/core/memory"
	"winnow/core/system"
)

func TestEditThatAnAgentRevertedIsSettledWithItsCounts(t *testing.T) {
	s := openStore(t, write(t, lessons(3)))
	r := all(t, s)[1]
	mine := titled(t, s, r, "Mine").After
	theirs := strings.Replace(r.Raw, `"relevance_count":1`, `"relevance_count":4`, 1)
	merged, settled := s.Reconcile(memory.Forms{{Before: r.Raw, After: mine}}, theirs)
	if settled != system.Reverted {
		t.Errorf("settled = %d, want %d", settled, system.Reverted)
	}
	if got := s.Decode(merged); got.Title != "Mine" || got.Count.N != 4 {
		t.Errorf("merged is %q with the count %d, want mine and theirs", got.Title, got.Count.N)
	}
}

func TestLessonOfAnAgeThatTheAgentPrunesIsGoneByItsRule(t *testing.T) {
	s := openStore(t, write(t, lessons(3)))
	records := all(t, s)
	old := now().AddDate(0, 0, -40).Format("2006-01-02T15:04:05.000Z")
	unused := s.Decode(
		fmt.Sprintf(
			`{"lesson_id":"x","task_summary":"a","outcome":"failed","lesson":"b","created_at":"%s","relevance_count":0}`,
			old,
		),
	)
	if kind, gone := s.DroppedByRule(records, &unused); !gone || kind != memory.PrunedAway {
		t.Errorf("gone = %v, %v; want %v", kind, gone, memory.PrunedAway)
	}
	if kind, gone := s.DroppedByRule(records[1:], &records[0]); gone {
		t.Errorf("a fresh lesson is gone by the rule %v", kind)
	}
	later := Open("memory.jsonl", func() time.Time { return now().AddDate(1, 0, 0) }) // the clock is the store's
	if _, gone := later.DroppedByRule(records[1:], &records[0]); !gone {
		t.Error("a year later the lesson is not gone by a rule")
	}
}

func TestComposedRecordsOfTheStoreAreMendedAndRedacted(t *testing.T) {
	s := openStore(t, write(t, lessons(3)))
	key := "ghp_" + strings.Repeat("a1B2", 9)
	title := "Push with " + key
	stored := titled(t, s, all(t, s)[0], title).After
	redacted, n := s.Redact(stored, memory.Redaction{})
	if n != 1 || strings.Contains(redacted, key) {
		t.Errorf("%d secrets were redacted: %s", n, redacted)
	}
	if _, err := s.Recalled(stored); err != nil {
		t.Error(err)
	}
	if again, ok := s.Mend(stored); ok {
		t.Errorf("a sound lesson was mended: %s", again)
	}
	if mended, ok := s.Mend(strings.Replace(stored, `"outcome":"succeeded"`, `"outcome":7`, 1)); !ok ||
		s.Decode(mended).Problem != nil {
		t.Errorf("mended: %v, %s", ok, mended)
	}
}

func TestUnitedRecordIsTheFirstWithTheMostOfAll(t *testing.T) {
	s := openStore(t, write(t, lessons(5)))
	records := all(t, s)
	united, err := s.Unite([]string{records[1].Raw, records[4].Raw}, memory.Edit{})
	if got := s.Decode(united); err != nil || got.ID != records[1].ID || got.Count.N < records[4].Count.N {
		t.Errorf("united is %+v, %v", got, err)
	}
}
