package lesson

import (
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/core/memory"
)

// healthOf returns the report on a file.
func healthOf(file string, f File) []memory.Health {
	l := Load(file, noon, time.UTC)
	var tally Tally
	var names Namer
	for i, line := range splitLines(file) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		r := Record(line, i+1)
		names.Give(&r)
		l.Mark(&r)
		tally.Add(&r)
	}
	return Health(l, &tally, f)
}

func counts(n, count int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = count
	}
	return out
}

func TestHealthNamesEachFault(t *testing.T) {
	good := storeOf(1, 2)
	lesson := strings.TrimSuffix(storeOf(1), "\n")
	with := func(old, replacement string) string { return strings.Replace(lesson, old, replacement, 1) + "\n" }
	for code, file := range map[string]string{
		CodeNullLine:    good + "null\n",
		codeNoText:      good + with(`"lesson":"Completed."`, `"lesson":null`),
		CodeOddOutcome:  good + with(`"succeeded"`, `5`),
		CodeDamaged:     "{\n" + good,
		"beyond":        storeOf(counts(203, 1)...),
		"pruned":        good + "42\n",
		"over-cap":      storeOf(counts(101, 1)...),
		"frozen":        storeOf(counts(100, 1)...),
		"nearly-frozen": storeOf(append(counts(97, 1), 0)...),
		"duplicate-ids": good + lesson + "\n",
		"odd-dates":     with(`12:00:00.000Z`, `12:00:00+01:00`),
		"odd-counts":    with(`"relevance_count":1`, `"relevance_count":"1"`),
		"secrets":       with(`Completed.`, "ghp_"+strings.Repeat("a1B2", 9)),
		"injection":     with(`Completed.`, `done\n# Task`),
		"prunes-soon":   good + string(lessonOf("old", 0, noon.AddDate(0, 0, -28)).AppendJSON(nil)) + "\n",
		codeOddDate:     storeOf(counts(99, 1)...) + with(`"created_at":"2026-03-14T12:00:00.000Z"`, `"created_at":{}`),
		"good":          good,
	} {
		lines := healthOf(file, File{Mode: 0o600})
		i := slices.IndexFunc(lines, func(h memory.Health) bool { return h.Code == code })
		if i < 0 {
			t.Errorf("%s: not in %+v", code, lines)
			continue
		}
		if h := lines[i]; h.What == "" || (h.Next == "") != (h.Level == memory.Good) {
			t.Errorf("%s: %+v", code, h)
		}
	}
}

func TestHealthCountsLinesAndShowsTheFirst(t *testing.T) {
	lines := healthOf(strings.Repeat("{\n", 30)+storeOf(1), File{})
	if h := lines[0]; h.Code != CodeDamaged || h.Count != 30 || len(h.Lines) != 20 || h.Lines[19] != 20 {
		t.Errorf("%+v", h)
	}
}

func TestHealthOfAFullStoreSaysHowManyLeave(t *testing.T) {
	h := healthOf(storeOf(counts(Cap+3, 1)...), File{})[0]
	if h.Code != "over-cap" || h.Count != 4 || !strings.Contains(h.What, "4 leave at once") {
		t.Errorf("%+v", h)
	}
}

func TestALineWithoutANumberIsCountedOnly(t *testing.T) {
	var l Lines
	for _, line := range []int{0, 3} {
		l.Add(line)
	}
	if l.Count != 2 || !slices.Equal(l.First, []int{3}) {
		t.Errorf("%+v", l)
	}
}

func TestHealthBeginsWithTheWorst(t *testing.T) {
	lines := healthOf("{\n42\nnull\n"+storeOf(1), File{Mode: 0o644, Git: memory.GitTracked})
	if len(lines) < 4 || lines[0].Level != memory.Stop {
		t.Fatalf("%+v", lines)
	}
	for i := range lines[1:] {
		if lines[i+1].Level > lines[i].Level {
			t.Errorf("%s after %s", lines[i+1].Code, lines[i].Code)
		}
	}
}

func TestHealthKnowsTheFile(t *testing.T) {
	var codes []string
	for _, h := range healthOf(storeOf(1), File{Mode: 0o664, Git: memory.GitTracked, Beyond: 7}) {
		codes = append(codes, h.Code)
	}
	same(t, "codes", codes, []string{"beyond", "mode", "git-tracked"})
}
