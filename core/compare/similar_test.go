package compare

import (
	"fmt"
	"testing"

	"winnow/core/memory"
)

func saying(texts ...string) []memory.Record {
	records := make([]memory.Record, len(texts))
	for i, s := range texts {
		records[i] = memory.Record{Title: s, Body: "Completed using read-file. 2 step(s) succeeded."}
	}
	return records
}

func TestSameAndNearRecordsAreFound(t *testing.T) {
	got := Similar(saying(
		"Deploy the docs site to staging",
		"Explain the panic of the label renderer",
		"deploy THE  docs-site, to staging!",
		"Deploy docs site to staging when docs changed",
		"", "",
		"日本語の郵便番号を検証する",
		"日本語の郵便番号を検証する",
	))
	equal(t, "similar", got, [][]int{{2, 3}, nil, {0, 3}, {0, 2}, {5}, {4}, {7}, {6}})
}

func TestRecordsThatSayNothingAreNotAlike(t *testing.T) {
	equal(t, "similar", Similar(make([]memory.Record, 3)), make([][]int, 3))
}

// TestSameRecordsAreFoundAtAnyNumber: each is listed with others, of which there are
// never too many.
func TestSameRecordsAreFoundAtAnyNumber(t *testing.T) {
	const n = 30_000
	texts := make([]string, n)
	for i := range texts {
		texts[i] = fmt.Sprintf("task number %d of many", i%(n/2))
		if i%10 == 0 {
			texts[i] = "the same task"
		}
	}
	for i, others := range Similar(saying(texts...)) {
		if len(others) == 0 || len(others) > 20 {
			t.Fatalf("record %d: %d others", i, len(others))
		}
		for _, j := range others[:1] {
			if texts[i] != texts[j] {
				t.Errorf("%q is listed first for %q", texts[j], texts[i])
			}
		}
	}
}

func FuzzSimilarIsMutual(f *testing.F) {
	f.Add("a b c", "b c d", "Failed: e")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		records := []memory.Record{{Title: a, Body: c}, {Title: b, Body: c}, {Title: c, Body: a}, {Body: b}}
		got := Similar(records)
		for i, others := range got {
			for _, j := range others {
				back := false
				for _, k := range got[j] {
					back = back || k == i
				}
				if !back || i == j {
					t.Errorf("%d is like %d, and not the other way round", i, j)
				}
			}
		}
	})
}

func benchmarkSimilar(b *testing.B, n int) {
	records := make([]memory.Record, n)
	for i := range records {
		records[i].Title = "fetch release notes from the service and retry" + fmt.Sprintf(
			" for ticket %d of service %d",
			i,
			i%977,
		)
	}
	b.ReportAllocs()
	for b.Loop() {
		Similar(records)
	}
}

func BenchmarkSimilar200(b *testing.B)   { benchmarkSimilar(b, 200) }
func BenchmarkSimilar50000(b *testing.B) { benchmarkSimilar(b, 50_000) }

func equal[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if g, w := fmt.Sprint(any(got)), fmt.Sprint(any(want)); g != w {
		t.Errorf("%s:\n got %s\nwant %s", what, g, w)
	}
}
