package curate_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"winnow/core/curate"
	"winnow/core/memory"
)

// store40K is a store of 40 KB.
func store40K() (lines []string) {
	for i := range 190 {
		lines = append(lines, line(fmt.Sprintf("lesson-%03d", i), i%5))
	}
	return lines
}

// raw is the sequence that every durable replacement needs: write, sync, rename, sync
// the folder.
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

// quantile returns the q-th of 100 parts of the times.
func quantile(times []time.Duration, q int) float64 {
	slices.Sort(times)
	return float64(times[min(len(times)-1, len(times)*q/100)])
}

// BenchmarkApply measures a deletion in a store of 40 KB, history and all, in turn
// with the raw sequence.
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
	b.ReportMetric(quantile(ours, 50)/quantile(floor, 50), "median-ratio")
	b.ReportMetric(quantile(ours, 99)/quantile(floor, 99), "p99-ratio")
	b.ReportMetric(quantile(ours, 50)/1000, "median-µs")
}

// BenchmarkFourWriters measures how long an edit takes while three other curators
// change the same store as fast as they can.
func BenchmarkFourWriters(b *testing.B) {
	s := newBench(b, store40K()...)
	text := []byte(s.text())
	var mu sync.Mutex
	var ours, floor []time.Duration
	write := func(w, n int) {
		c := curate.Open(s.conf)
		id := []memory.ID{memory.ID(fmt.Sprintf("lesson-%03d", 10*w))}
		for range n {
			title := fmt.Sprint("words ", time.Now().UnixNano())
			o := memory.Order{Do: memory.EditOne, IDs: id, Edit: memory.Edit{Title: &title}}
			p, err := c.Plan(context.Background(), o)
			if err != nil {
				b.Error(err)
				return
			}
			began := time.Now()
			_, err = c.Apply(context.Background(), p)
			took := time.Since(began)
			if err != nil {
				b.Error(err)
				return
			}
			mu.Lock()
			ours = append(ours, took)
			mu.Unlock()
		}
	}
	for b.Loop() {
		for range 10 {
			began := time.Now()
			if err := raw(filepath.Dir(s.path), text); err != nil {
				b.Fatal(err)
			}
			floor = append(floor, time.Since(began))
		}
		var wg sync.WaitGroup
		for w := range 4 {
			wg.Go(func() { write(w, 10) })
		}
		wg.Wait()
	}
	b.ReportMetric(quantile(ours, 95)/quantile(floor, 50), "p95-ratio")
}
