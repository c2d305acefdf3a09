package curate_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"winnow/core/atomicfile"
	"winnow/core/curate"
	"winnow/core/memory"
	"winnow/core/systems/karnevil9"
)

// store40K returns a store of 100 lessons and 40 KB.
func store40K() (lines []string) {
	more := "what lesson" + strings.Repeat(" teaches those who read on", 7)
	for i := range 100 {
		lines = append(lines, strings.Replace(line(fmt.Sprintf("lesson-%03d", i), i%5), "what lesson", more, 1))
	}
	return lines
}

// raw performs the minimum that every durable replacement needs: write, sync, rename, sync the
// folder.
func raw(dir string, text []byte) error {
	temp := filepath.Join(dir, "raw.tmp")
	f, err := os.Create(temp)
	if err != nil {
		return err
	}
	if _, err = f.Write(text); err == nil {
		err = f.Sync()
	}
	f.Close()
	if err == nil {
		err = os.Rename(temp, filepath.Join(dir, "raw"))
	}
	if err != nil {
		return err
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// quantile returns a percentile of the times: q of 100.
func quantile(times []time.Duration, q int) float64 {
	slices.Sort(times)
	return float64(times[min(len(times)-1, len(times)*q/100)])
}

// BenchmarkApply measures a deletion in a store of 40 KB, including the history, alternating with
// the raw sequence.
func BenchmarkApply(b *testing.B) {
	s := newBench(b, store40K()...)
	text := []byte(s.text())
	var ours, floor []time.Duration
	for b.Loop() {
		p, err := s.Plan(context.Background(), memory.Order{Do: memory.Delete, IDs: []memory.ID{"lesson-050"}})
		if err != nil {
			b.Fatal(err)
		}
		began := time.Now()
		if err := raw(filepath.Dir(s.path), text); err != nil {
			b.Fatal(err)
		}
		floor = append(floor, time.Since(began))
		began = time.Now()
		if _, err := s.Apply(context.Background(), p); err != nil {
			b.Fatal(err)
		}
		ours = append(ours, time.Since(began))
		s.do(memory.Undo)
	}
	b.ReportMetric(quantile(floor, 50)/1000, "raw-median-µs")
	b.ReportMetric(quantile(floor, 99)/1000, "raw-p99-µs")
	b.ReportMetric(quantile(ours, 50)/quantile(floor, 50), "x-median")
	b.ReportMetric(quantile(ours, 99)/quantile(floor, 99), "x-p99")
}

// writerVariable holds the number and the store of a process that is one of several writers.
const writerVariable = "CURATE_WRITER"

// TestMain lets the test program act as another process.
func TestMain(m *testing.M) {
	if nth, path, is := strings.Cut(os.Getenv(writerVariable), " "); is {
		if err := writer(nth, path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	debug.SetGCPercent(400) // thousands of small stores come and go
	os.Exit(m.Run())
}

// writer edits a record of its own as often as each line of its input says, as fast as it can, and
// answers with the nanoseconds that each change took after planning.
func writer(nth, path string) error {
	s := karnevil9.Open(path, time.Now)
	c := curate.Open(curate.Config{
		Dir: curate.Folder(filepath.Dir(path), memory.StoreID(path)), Store: memory.StoreID(path),
		System: s, Disk: atomicfile.OS(), Now: time.Now, Rand: rand.NewChaCha8([32]byte{1}),
	})
	title := ""
	o := memory.Order{
		Do:   memory.EditOne,
		IDs:  []memory.ID{memory.ID("lesson-0" + nth)},
		Edit: memory.Edit{Title: &title},
	}
	for in := bufio.NewScanner(os.Stdin); in.Scan(); fmt.Println() {
		n, _ := strconv.Atoi(in.Text())
		for range n {
			title = fmt.Sprint("words ", time.Now().UnixNano())
			p, err := c.Plan(context.Background(), o)
			if err != nil {
				return err
			}
			began := time.Now()
			if _, err := c.Apply(context.Background(), p); err != nil {
				return err
			}
			fmt.Print(time.Since(began).Nanoseconds(), " ")
		}
	}
	return nil
}

// writers is a group of processes that write one store.
type writers struct {
	b   *testing.B
	in  []io.Writer
	out []*bufio.Reader
}

// startWriters starts n writers.
func startWriters(b *testing.B, n int, path string) *writers {
	c := &writers{b: b}
	for nth := range n {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%02d %s", writerVariable, nth*20, path))
		cmd.Stderr = os.Stderr
		in, inErr := cmd.StdinPipe()
		out, outErr := cmd.StdoutPipe()
		if err := errors.Join(inErr, outErr, cmd.Start()); err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() {
			in.Close()
			if err := cmd.Wait(); err != nil {
				b.Error(err)
			}
		})
		c.in, c.out = append(c.in, in), append(c.out, bufio.NewReader(out))
	}
	return c
}

// work lets all of them write n times at once, and returns how long each change took.
func (c *writers) work(n int) (times []time.Duration) {
	for _, in := range c.in {
		fmt.Fprintln(in, n)
	}
	for _, out := range c.out {
		text, err := out.ReadString('\n')
		if err != nil {
			c.b.Fatal(err)
		}
		for _, word := range strings.Fields(text) {
			took, _ := strconv.ParseInt(word, 10, 64)
			times = append(times, time.Duration(took))
		}
	}
	return times
}

// BenchmarkFourWriters measures how long a change takes while three other processes change the same
// store as fast as they can, alternating with the raw sequence.
func BenchmarkFourWriters(b *testing.B) {
	path := filepath.Join(b.TempDir(), "memory.jsonl")
	text := []byte(strings.Join(store40K(), ""))
	if err := os.WriteFile(path, text, 0o600); err != nil {
		b.Fatal(err)
	}
	four := startWriters(b, 4, path)
	four.work(1)
	var ours, floor []time.Duration
	for b.Loop() {
		for range 10 {
			began := time.Now()
			if err := raw(filepath.Dir(path), text); err != nil {
				b.Fatal(err)
			}
			floor = append(floor, time.Since(began))
		}
		ours = append(ours, four.work(10)...)
	}
	b.ReportMetric(quantile(floor, 50)/1000, "raw-median-µs")
	b.ReportMetric(quantile(ours, 50)/quantile(floor, 50), "x-median")
	b.ReportMetric(quantile(floor, 95)/1000, "raw-p95-µs")
	b.ReportMetric(quantile(ours, 95)/quantile(floor, 50), "x-p95")
}
