package audit

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"winnow/core/memory"
)

func TestLineAndCommitOfAFindingBelongTogether(t *testing.T) {
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
		if one.File == "" || one.Line != 3 || one.Commit != "c2" {
			t.Fatalf("line %d is said to be of commit %q, in the order %v", one.Line, one.Commit, all)
		}
	}
	if f := joined(at(0, 9, "MEMORY.md"), at(1, 1, "")); f.Commit != "" || f.Line != 9 {
		t.Errorf("line %d is said to be of commit %q, which has it elsewhere", f.Line, f.Commit)
	}
	if f := joined(at(2, 3, ""), at(1, 1, "")); f.Commit != "c1" || f.Line != 1 {
		t.Errorf("in no file: line %d of commit %q", f.Line, f.Commit)
	}
}
