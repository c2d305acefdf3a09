package jsonl

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"winnow/core/memory"
	"winnow/core/system"
)

func TestSettleTellsWhatAnAgentDidToAnEdit(t *testing.T) {
	was := `{"lesson_id":"a","task_summary":"x","lesson":"y","relevance_count":5}`
	title := strings.Replace(was, `"x"`, `"new"`, 1)
	higher, lower := counted(was, "5", "9"), counted(was, "5", "0")
	used := func(line string, day int) string {
		return strings.TrimSuffix(line, "}") + fmt.Sprintf(`,"last_retrieved_at":"2026-03-%02dT00:00:00.000Z"}`, day)
	}
	for _, c := range []struct {
		name         string
		was          []string
		mine, theirs string
		merged       string
		s            system.Relation
	}{
		{"as set", []string{was}, title, title, title, system.Kept},
		{
			"as set, and counted",
			[]string{was},
			title,
			used(counted(title, "5", "6"), 3),
			used(counted(title, "5", "6"), 3),
			system.Kept,
		},
		{"as before", []string{was}, title, was, title, system.Reverted},
		{
			"as before, and counted",
			[]string{was},
			title,
			used(counted(was, "5", "6"), 3),
			used(counted(title, "5", "6"), 3),
			system.Reverted,
		},
		{"as before, and spelled anew", []string{was}, title, " " + was, " " + title, system.Reverted},
		{"as the first of two forms", []string{was, title}, strings.Replace(title, `"new"`, `"newer"`, 1), was, strings.Replace(title, `"new"`, `"newer"`, 1), system.Reverted},
		{"by two edits, the second undone", []string{was, title}, strings.Replace(title, `"y"`, `"z"`, 1), title, strings.Replace(title, `"y"`, `"z"`, 1), system.Reverted},
		{"as neither", []string{was}, title, strings.Replace(was, `"x"`, `"third"`, 1), title, system.Diverged},
		{"with a member of theirs", []string{was}, title, strings.Replace(was, "{", `{"n":1.0,`, 1), strings.Replace(title, "{", `{"n":1.0,`, 1), system.Reverted},
		{"raised, and kept", []string{was}, higher, counted(was, "5", "12"), counted(was, "5", "12"), system.Kept},
		{"raised, and reverted", []string{was}, higher, was, higher, system.Reverted},
		{"raised, and counted on from before", []string{was}, higher, counted(was, "5", "7"), higher, system.Reverted},
		{"lowered, and kept", []string{was}, lower, lower, lower, system.Kept},
		{"lowered, and counted on", []string{was}, lower, counted(was, "5", "2"), counted(was, "5", "2"), system.Kept},
		{"lowered, and reverted", []string{was}, lower, was, lower, system.Reverted},
		{
			"lowered, and counted on from before",
			[]string{was},
			lower,
			counted(was, "5", "7"),
			counted(was, "5", "2"),
			system.Reverted,
		},
		{
			"a recall, and a later one",
			[]string{was},
			used(counted(was, "5", "6"), 3),
			used(counted(was, "5", "6"), 4),
			used(counted(was, "5", "6"), 4),
			system.Kept,
		},
		{
			"a recall, undone",
			[]string{was},
			used(counted(was, "5", "6"), 3),
			was,
			used(counted(was, "5", "6"), 3),
			system.Reverted,
		},
		{"a lower count that nobody set", []string{was}, title, counted(was, "5", "1"), title, system.Reverted},
		{"a member removed, and back", []string{strings.Replace(was, "{", `{"n":1,`, 1)}, was, strings.Replace(was, "{", `{"n":1,`, 1), was, system.Reverted},
		{"mended, and damaged again", []string{"{oops"}, was, "{oops", was, system.Reverted},
		{"mended, and damaged otherwise", []string{"{oops"}, was, "{ouch", was, system.Diverged},
		{"damaged by hand, and kept", []string{was}, "{oops", "{oops", "{oops", system.Kept},
	} {
		made := memory.Forms{}
		for i, was := range c.was {
			made = append(made, memory.FormChange{Before: was, After: append(c.was, c.mine)[i+1]})
		}
		merged, s := Settle(made, c.theirs)
		if merged != c.merged || s != c.s {
			t.Errorf("%s:\n got %s, %d\nwant %s, %d", c.name, merged, s, c.merged, c.s)
		}
		if _, again := Settle(made, merged); again != system.Kept {
			t.Errorf("%s: settled again it is %d", c.name, again)
		}
	}
}

func TestAdoptTakesWhatAnotherWriterAdded(t *testing.T) {
	xA := strings.Replace(lineA, `"x"`, `"new"`, 1)
	for _, c := range []struct {
		name, file, base, other, want string
		n                             int
	}{
		{"nothing new", lineB + "\n", lineA + "\n", lineA + "\n", lineB + "\n", 0},
		{"a new lesson", lineA + "\n", lineA + "\n", lineA + "\n" + lineC + "\n", lineA + "\n" + lineC + "\n", 1},
		{"a new lesson to an empty file", "", "", lineC + "\n", lineC + "\n", 1},
		{
			"a new lesson that is there",
			lineA + "\n" + lineC,
			lineA + "\n",
			lineA + "\n" + lineC + "\n",
			lineA + "\n" + lineC,
			0,
		},
		{"what was deleted stays away", "", lineA + "\n", lineA + "\n", "", 0},
		{"a count", xA + "\n", lineA + "\n", counted(lineA, "1", "4") + "\n", counted(xA, "1", "4") + "\n", 1},
		{
			"a count below",
			counted(xA, "1", "9") + "\n",
			lineA + "\n",
			counted(lineA, "1", "4") + "\n",
			counted(xA, "1", "9") + "\n",
			0,
		},
		{"a count that was lowered here", counted(lineC, "3", "0"), lineC, lineC, counted(lineC, "3", "0"), 0},
		{"an edit", counted(lineA, "1", "2"), lineA, xA, counted(xA, "1", "2"), 1},
		{"an edit of both", strings.Replace(lineA, `"x"`, `"mine"`, 1), lineA, xA, strings.Replace(lineA, `"x"`, `"mine"`, 1), 0},
		{"a line without an id", "{oops\n", "{oops\n", "{oops\n{ouch\n", "{oops\n{ouch\n", 1},
		{"one more of a line without an id", "[1]\n", "[1]\n", "[1]\n[1]\n", "[1]\n[1]\n", 1},
		{"a new lesson twice", "", "", lineC + "\n" + lineC + "\n", lineC + "\n", 1},
		{
			"an older copy beside a raised count",
			counted(lineC, "3", "5"),
			lineC,
			dated(counted(lineC, "3", "1"), "02"),
			counted(lineC, "3", "5"),
			0,
		},
		{"a date of use", lineA, lineA, strings.TrimSuffix(lineA, "}") + `,"last_retrieved_at":"2026-03-14T00:00:00.000Z"}`,
			strings.TrimSuffix(lineA, "}") + `,"last_retrieved_at":"2026-03-14T00:00:00.000Z"}`, 1},
	} {
		out, n := Adopt(c.file, c.base, c.other)
		if out != c.want || n != c.n {
			t.Errorf("%s:\n got %q, %d\nwant %q, %d", c.name, out, n, c.want, c.n)
		}
		if again, n := Adopt(out, c.base, c.other); again != out || n != 0 {
			t.Errorf("%s: once more gives %q, %d", c.name, again, n)
		}
	}
}

// FuzzAdoptLosesNothing: every record of the file and every new one of the other file is in the
// result, once.
func FuzzAdoptLosesNothing(f *testing.F) {
	for seed := range uint64(200) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		rng := rand.New(rand.NewPCG(seed, 3))
		base := oddStore(rng)
		file := Rewrite(base, oddPlan(rng, base)).Text
		other := Rewrite(base, oddPlan(rng, base)).Text
		out, _ := Adopt(file, base, other)
		have, was := groupLines(out), groupLines(base)
		for key, lines := range groupLines(file) {
			if len(have[key]) < len(lines) {
				t.Errorf("%q is lost from %q", lines, file)
			}
		}
		for key, lines := range groupLines(other) {
			if len(was[key]) == 0 && len(have[key]) == 0 {
				t.Errorf("%q is not claimed from %q", lines, other)
			}
		}
		if again, n := Adopt(out, base, other); again != out || n != 0 {
			t.Errorf("%q becomes %q the second time", out, again)
		}
	})
}

func TestAdoptLowersNoCountOfWhatItsBaseDoesNotHave(t *testing.T) {
	file := counted(lineC, "3", "5") + "\n"
	for _, other := range []string{
		lineC + "\n",
		counted(lineC, "3", "0") + "\n",
		strings.Replace(lineC, "2026-03-14", "2026-03-01", 1) + "\n",
	} {
		if out, n := Adopt(file, "", other); out != file || n != 0 {
			t.Errorf("%d, %q", n, out)
		}
	}
	if out, n := Adopt(file, "", counted(lineC, "3", "7")+"\n"); out != counted(lineC, "3", "7")+"\n" || n != 1 {
		t.Errorf("%d, %q", n, out)
	}
}
