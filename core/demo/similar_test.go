package demo

import (
	"fmt"
	"strings"
	"testing"

	"winnow/core/compare"
	"winnow/core/lesson"
	"winnow/core/memory"
)

// worthMerging are the lines of the store that a person would merge, labelled by hand before
// anything was measured. Each group is one piece of knowledge.
var worthMerging = [][]int{
	{4, 20, 39, 71}, // build the docs site and deploy it to staging
	{17, 40},        // rotate the deploy token
	{19, 46},        // install the cuda toolkit
	{9, 68, 72},     // the integration tests wait for postgres in vain
	{2, 23},         // the release notes are behind a rate limit
	{77, 86},        // rename the config keys
}

// TestSimilarFindsWhatAPersonWouldMerge measures compare.Similar on the store.
func TestSimilarFindsWhatAPersonWouldMerge(t *testing.T) {
	want := map[string]bool{}
	for _, g := range worthMerging {
		for i := range g {
			for _, b := range g[i+1:] {
				want[fmt.Sprintf("%d-%d", g[i], b)] = true
			}
		}
	}
	_, file := unpack(t)
	var records []memory.Record
	for i, l := range strings.Split(strings.TrimSuffix(file, "\n"), "\n") {
		records = append(records, lesson.Record(l, i+1))
	}
	found, right := 0, 0
	for i, others := range compare.Similar(records) {
		for _, j := range others {
			if i > j {
				continue
			}
			pair := fmt.Sprintf("%d-%d", records[i].Line, records[j].Line)
			found++
			if want[pair] {
				right++
				delete(want, pair)
			} else {
				t.Logf("found, and not worth merging: %s", pair)
			}
		}
	}
	precision, recall := float64(right)/float64(found), float64(right)/float64(right+len(want))
	t.Logf("%d pairs found, %d of %d right: precision %.2f, recall %.2f, missed %v",
		found, right, right+len(want), precision, recall, want)
	if precision < 1 || recall < 0.9 {
		t.Errorf("precision %.2f and recall %.2f, want at least 1 and 0.9", precision, recall)
	}
}
