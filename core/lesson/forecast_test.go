package lesson

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"winnow/core/jstext"
	"winnow/core/memory"
)

var noon = time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)

// storeOf returns a file of lessons with these counts, created a minute apart.
func storeOf(counts ...int) string {
	file := ""
	for i, n := range counts {
		file += string(
			lessonOf(fmt.Sprintf("l%d", i), n, noon.Add(-24*time.Hour+time.Duration(i)*time.Minute)).AppendJSON(nil),
		) +
			"\n"
	}
	return file
}

func lessonOf(id string, count int, created time.Time) jstext.Value {
	text := func(k, s string) jstext.Member {
		return jstext.Member{Key: k, Value: jstext.StringValue(s)}
	}
	return jstext.ObjectValue(text(KeyID, id), text(KeyTitle, "task of "+id),
		text(KeyOutcome, "succeeded"), text(KeyBody, "Completed."),
		jstext.Member{Key: KeyTools, Value: jstext.ArrayValue()},
		text(KeyCreated, ISO(created)), text(KeySession, "s"),
		jstext.Member{Key: KeyCount, Value: jstext.NumberValue(float64(count))})
}

// TestForecastComesTrue adds lessons until every held one that is predicted to leave has left, and
// checks that the others have not.
func TestForecastComesTrue(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{1, 60, 99, 100, 101, 130, 200} {
		for _, most := range []int{1, 2, 4} {
			counts := make([]int, size)
			for i := range counts {
				counts[i] = rng.IntN(most)
			}
			l := Load(storeOf(counts...), noon, time.UTC)
			want := l.forecasts()
			ids := idsIn(l)
			left := evictionTimes(t, l, 220)
			for i, id := range ids {
				if left[id] != want[i].LeavesAfter {
					t.Errorf("%d held, counts below %d: %s with count %d leaves after %d, forecast %d",
						size, most, id, counts[i], left[id], want[i].LeavesAfter)
				}
			}
		}
	}
}

// evictionTimes adds n lessons and returns after how many of them each id was gone.
func evictionTimes(t *testing.T, l *List, n int) map[string]int {
	left := map[string]int{}
	held := idsIn(l)
	for k := 1; k <= n; k++ {
		id := fmt.Sprintf("arrival%d", k)
		if p := l.Add(lessonOf(id, 0, noon.Add(time.Duration(k)*time.Second))); p != nil {
			t.Fatal(p)
		}
		stays := map[string]bool{}
		for _, id := range idsIn(l) {
			stays[id] = true
		}
		for _, id := range held {
			if !stays[id] && left[id] == 0 {
				left[id] = k
			}
		}
	}
	return left
}

func TestAnAddedLessonChangesTheForecastsOfOthers(t *testing.T) {
	file := storeOf(0)
	l := Load(file, noon, time.UTC)
	leavesAfter := func() int {
		r := Record(strings.TrimSuffix(file, "\n"), 1)
		l.Mark(&r)
		return r.Forecast.LeavesAfter
	}
	before := leavesAfter()
	if p := l.Add(lessonOf("another", 5, noon)); p != nil {
		t.Fatal(p)
	}
	if after := leavesAfter(); after != before-1 {
		t.Errorf("it leaves after %d lessons more, before another was added after %d", after, before)
	}
}

func TestRankIsTheEvictionOrder(t *testing.T) {
	l := Load(storeOf(3, 0, 1, 0), noon, time.UTC)
	var ranks []int
	for _, f := range l.forecasts() {
		ranks = append(ranks, f.Rank)
	}
	same(t, "ranks", ranks, []int{4, 1, 3, 2})
}

// TestPruneAtIsTheFirstLoadThatPrunes checks both sides of the predicted time, in time zones and on
// dates around clock changes, by as much as clocks change there.
func TestPruneAtIsTheFirstLoadThatPrunes(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for name, change := range map[string]time.Duration{
		"UTC": 0, "Asia/Kolkata": 0, "America/New_York": time.Hour, "Europe/Berlin": time.Hour,
		"Australia/Lord_Howe": 30 * time.Minute,
	} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		for range 300 {
			created := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).
				Add(time.Duration(rng.Int64N(365*24*4))*15*time.Minute + time.Duration(rng.IntN(2000))*time.Millisecond)
			v := lessonOf("a", 0, created)
			l := List{zone: zone}
			at := l.pruneAt(v)
			if keep, _ := keeps(v, ISO(cutoffAt(at.Add(change), zone))); keep {
				t.Errorf("%s: created %v is kept at %v", name, created, at)
			}
			if keep, _ := keeps(v, ISO(cutoffAt(at.Add(-change-time.Millisecond), zone))); !keep {
				t.Errorf("%s: created %v is pruned before %v", name, created, at)
			}
		}
	}
}

func TestCutoffReadsSkippedAndRepeatedTimesWithTheEarlierOffset(t *testing.T) {
	for _, c := range []struct{ zone, now, want string }{
		{"America/New_York", "2026-04-07T06:30:00.000Z", "2026-03-08T07:30:00.000Z"},
		{"Europe/Berlin", "2026-11-24T01:30:00.000Z", "2026-10-25T00:30:00.000Z"},
		{"UTC", "2026-03-31T00:00:00.000Z", "2026-03-01T00:00:00.000Z"},
	} {
		zone, err := time.LoadLocation(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		now, err := time.Parse(time.RFC3339, c.now)
		if err != nil {
			t.Fatal(err)
		}
		same(t, c.zone, ISO(cutoffAt(now, zone)), c.want)
	}
}

func TestAgeAloneNeverPrunesSomeLessons(t *testing.T) {
	for name, line := range map[string]string{
		"recalled once":   `{"created_at":"2026-03-01T00:00:00.000Z","relevance_count":1}`,
		"a date as words": `{"created_at":"yesterday","relevance_count":0}`,
	} {
		l := Load(line+"\n", noon, time.UTC)
		if l.Len() != 1 {
			t.Fatalf("%s: %d held", name, l.Len())
		}
		if at := l.forecasts()[0].PruneAt; !at.IsZero() {
			t.Errorf("%s: pruned at %v", name, at)
		}
	}
}

func TestMarkTellsEachFate(t *testing.T) {
	file := string(lessonOf("old", 0, noon.AddDate(0, 0, -40)).AppendJSON(nil)) + "\n" +
		string(lessonOf("soon", 0, noon.AddDate(0, 0, -28)).AppendJSON(nil)) + "\n" +
		"{broken\n" +
		`{"lesson_id":"halt","task_summary":"x","created_at":"2026-03-14T00:00:00.000Z","relevance_count":0}` + "\n"
	for i := range 200 {
		file += string(lessonOf(fmt.Sprint("l", i), 1, noon).AppendJSON(nil)) + "\n"
	}
	l := Load(file, noon, time.UTC)
	lines := splitLines(file)
	want := map[int]memory.Flags{
		1: memory.FlagPruned, 2: memory.FlagPrunesSoon, 3: memory.FlagDamaged,
		4: memory.FlagStops, 5: 0, 201: 0, 202: memory.FlagBeyond, 204: memory.FlagBeyond,
	}
	for line, flags := range want {
		r := Record(lines[line-1], line)
		l.Mark(&r)
		if r.Flags != flags {
			t.Errorf("line %d: flags %b, want %b", line, r.Flags, flags)
		}
		if r.Forecast.Beyond != (flags == memory.FlagBeyond) {
			t.Errorf("line %d: beyond %v", line, r.Forecast.Beyond)
		}
	}
}

// TestDamageAtTheEndsOfAFileIsForgiven: the agent trims the file as a whole.
func TestDamageAtTheEndsOfAFileIsForgiven(t *testing.T) {
	line := string(lessonOf("a", 0, noon).AppendJSON(nil))
	file := "\ufeff" + line + "\n" + line + "\u00a0\n" + line + "\u00a0\n \n"
	l := Load(file, noon, time.UTC)
	var damaged []int
	for i, s := range splitLines(file) {
		if strings.TrimSpace(s) == "" {
			continue
		}
		r := Record(s, i+1)
		l.Mark(&r)
		if r.Flags&memory.FlagDamaged != 0 {
			damaged = append(damaged, i+1)
		}
	}
	same(t, "damaged lines", damaged, []int{2})
	same(t, "held", fmt.Sprint(l.Len()), "2")
}
