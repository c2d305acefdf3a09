package audit

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"winnow/core/memory"
)

func TestFindingNamesTheOldestCommitThatHasIt(t *testing.T) {
	at := func(day, line int, file string) found {
		f := found{Finding: memory.Finding{File: file, Line: line, Column: 1, Count: 1}}
		if file == "" {
			f.Commit, f.CommitTime, f.nth = fmt.Sprint("c", day), time.Unix(int64(1_700_000_000+day), 0), day
		}
		return f
	}
	all := []found{at(1, 1, ""), at(2, 3, ""), at(3, 3, ""), at(4, 2, ""), at(0, 3, "MEMORY.md")}
	for range 200 { // documents come in any order
		rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		one := all[0]
		for _, f := range all[1:] {
			one = joined(one, f)
		}
		if one.File == "" || one.Line != 3 || one.Commit != "c1" {
			t.Fatalf("line %d is said to be of commit %q, in the order %v", one.Line, one.Commit, all)
		}
	}
	if f := joined(at(2, 3, ""), at(1, 1, "")); f.Commit != "c1" || f.Line != 1 {
		t.Errorf("in no file: line %d of commit %q", f.Line, f.Commit)
	}
}

func TestAFindingOfTheFolderIsToldBeforeTheSameOneThatIsStaged(t *testing.T) {
	folder := found{Finding: memory.Finding{File: "/p/MEMORY.md", Line: 3, Column: 1, Count: 1, Fixable: true}}
	staged := found{Finding: memory.Finding{Line: 3, Column: 1, Count: 1}}
	for _, one := range []found{joined(folder, staged), joined(staged, folder)} { // documents come in any order
		if !one.Fixable || one.File == "" {
			t.Errorf("told is the one that is staged: %+v", one.Finding)
		}
	}
}

func TestDecisionHoldsUntilItsDay(t *testing.T) {
	day := time.Unix(1_700_000_000, 0)
	fingerprint := "a1a1"
	list := []memory.Ignore{
		{Fingerprint: fingerprint, Rule: "github-pat", Reason: "revoked", Until: day.Add(time.Hour)},
		{Fingerprint: "b2b2", Reason: "another"},
	}
	open := func(f memory.Finding, at time.Time) bool {
		newDecisions(list, at).apply(&f)
		return f.Open()
	}
	decided := memory.Finding{Fingerprint: fingerprint, Rule: "github-pat"}
	if open(decided, day) || !open(decided, day.Add(time.Hour)) {
		t.Error("the decision does not hold until its day and no longer")
	}
	if !open(memory.Finding{Fingerprint: fingerprint, Rule: "another"}, day) {
		t.Error("the decision on a rule holds for another rule")
	}
	if !open(memory.Finding{Fingerprint: "c3c3", Ignored: &list[0]}, day) {
		t.Error("an earlier decision stays on a finding that it is not about")
	}
}
