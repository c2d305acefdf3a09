//go:build linux

package main

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// rowToken begins the task of every generated lesson, so that the harness knows
// when the first row is on the screen.
const rowToken = "row"

var words = strings.Fields(`deploy staging database migration release notes retry timeout upload worker
invoice label parcel tracking carrier postgres container runner cache token docs site build test
integration portal customer address format branch commit review index query import export backup
restore health endpoint queue webhook signature certificate proxy logger settings rename split`)

var tools = []string{"read-file", "write-file", "shell-exec", "http-request", "git-status", "browser-open"}

// writeCorpus writes n lessons of about 430 bytes to path, oldest first, all of
// the last four weeks. The same n gives the same lessons but for the dates.
func writeCorpus(path string, n int, now time.Time) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("write corpus: %w", err)
	}
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("write corpus: %w", err)
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	rng := rand.New(rand.NewPCG(uint64(n), 1))
	step := 28 * 24 * time.Hour / time.Duration(n)
	for i := range n {
		writeLesson(w, rng, i, now.Add(-time.Duration(n-i)*step))
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("write corpus: %w", err)
	}
	return f.Close()
}

func writeLesson(w io.Writer, rng *rand.Rand, i int, created time.Time) {
	outcome, lesson, used := "succeeded", "Completed using read-file, shell-exec. 3 step(s) succeeded.", ""
	if rng.IntN(3) == 0 {
		outcome, lesson = "failed", "Failed: "+phrase(rng, 7)+"; "+phrase(rng, 5)
	}
	date := created.UTC().Format("2006-01-02T15:04:05.000Z")
	count := max(0, rng.IntN(9)-4)
	if count > 0 {
		used = `,"last_retrieved_at":"` + date + `"`
	}
	fmt.Fprintf(
		w,
		`{"lesson_id":"%s","task_summary":"%s%06d %s","outcome":"%s","lesson":"%s","tool_names":["%s","%s"],`+
			`"created_at":"%s","session_id":"%s","relevance_count":%d%s}`+"\n",
		uuid(rng),
		rowToken,
		i,
		phrase(rng, 11),
		outcome,
		lesson,
		tools[rng.IntN(3)],
		tools[3+rng.IntN(3)],
		date,
		uuid(rng),
		count,
		used,
	)
}

func phrase(rng *rand.Rand, n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = words[rng.IntN(len(words))]
	}
	return strings.Join(out, " ")
}

func uuid(rng *rand.Rand) string {
	a, b := rng.Uint64(), rng.Uint64()
	return fmt.Sprintf(
		"%08x-%04x-4%03x-%04x-%012x",
		a>>32,
		a>>16&0xffff,
		a&0xfff,
		b>>48&0x3fff|0x8000,
		b&0xffffffffffff,
	)
}
