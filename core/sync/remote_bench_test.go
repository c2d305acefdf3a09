package sync

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// BenchmarkShareOfTenThousand measures a share of 10,000 lessons beside plain git: its first reading and git clone, a
// sync that finds nothing and git fetch, a sync of five lessons and git fetch with git push.
func BenchmarkShareOfTenThousand(b *testing.B) {
	url := aRemote(b)
	var text strings.Builder
	for i := range 10_000 {
		if i%5 == 0 {
			text.WriteString(heading)
		}
		text.WriteString(
			inline(
				fmt.Sprintf("lessons/%x.json", uint64(i+1)*0x9e3779b97f4a7c15),
				strings.Repeat(fmt.Sprintf("{\"lesson\": \"run go test %d\"}\n", i), 20),
			),
		)
	}
	tip := stream(b, url, text.String())
	clone := filepath.Join(b.TempDir(), "clone")
	plain := took(func() { runGit(b, "clone", "-q", "--no-local", "--single-branch", "-b", branch, url, clone) })
	s := opened(b, b.TempDir(), url)
	ours := took(func() { fetch(b, s); read(b, s, tip, readLimits{}) })
	first := ours / plain
	if err := s.accept(b.Context(), tip); err != nil {
		b.Fatal(err)
	}
	ours, plain = 0, 0
	var ours5, plain5 float64
	for n := 0; b.Loop(); n++ {
		fetched := took(func() { runGit(b, "-C", clone, "fetch", "-q") })
		plain += fetched
		ours += took(func() { fetch(b, s) })
		files := map[string][]byte{}
		for i := range 5 {
			files[fmt.Sprintf("lessons/new-%d-%d.json", n, i)] = []byte("{}\n")
		}
		ours5 += took(func() { tip = send(b, s, fetch(b, s), files) })
		runGit(b, "-C", clone, "pull", "-q")
		for path := range files {
			put(b, filepath.Join(clone, path), "{ }\n")
		}
		runGit(b, "-C", clone, "commit", "-q", "-a", "-m", "five")
		plain5 += took(func() { runGit(b, "-C", clone, "push", "-q") }) + fetched
		tip = fetch(b, s)
		if err := s.accept(b.Context(), tip); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(first, "first/clone")
	b.ReportMetric(ours/plain, "idle/fetch")
	b.ReportMetric(ours5/plain5, "five/fetch+push")
}

func took(do func()) float64 {
	began := time.Now()
	do()
	return time.Since(began).Seconds()
}
