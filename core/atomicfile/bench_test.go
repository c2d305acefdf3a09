package atomicfile

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// raw is the least that a durable replacement takes: write, sync, rename, sync the
// folder.
func raw(dir, name string, data []byte) error {
	temp := filepath.Join(dir, name+".tmp")
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if _, err = f.Write(data); err == nil {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(temp, filepath.Join(dir, name))
	}
	if err != nil {
		return err
	}
	folder, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Sync()
}

// whole is a replacement with its lock.
func whole(ctx context.Context, lock, path string, data []byte) error {
	unlock, err := Lock(ctx, lock)
	if err != nil {
		return err
	}
	defer unlock()
	temp, err := NewTemp(nil)
	if err != nil {
		return err
	}
	_, err = Replace(ctx, OS(), path, Update{Temp: temp, Next: func([]byte) ([]byte, error) { return data, nil }})
	return err
}

// BenchmarkReplace runs a raw replacement of 40 KB and one of ours in turn, and
// reports how many times longer ours takes.
func BenchmarkReplace(b *testing.B) {
	dir := b.TempDir()
	data := [2][]byte{bytes.Repeat([]byte("a"), 40_000), bytes.Repeat([]byte("b"), 40_000)}
	ours := filepath.Join(dir, "ours")
	lock := filepath.Join(b.TempDir(), "lock")
	if err := os.WriteFile(ours, data[1], 0o600); err != nil {
		b.Fatal(err)
	}
	var times [2][]time.Duration
	timed := func(which int, fn func() error) {
		start := time.Now()
		if err := fn(); err != nil {
			b.Fatal(err)
		}
		times[which] = append(times[which], time.Since(start))
	}
	for i := 0; b.Loop(); i++ {
		timed(0, func() error { return raw(dir, "raw", data[i%2]) })
		timed(1, func() error { return whole(b.Context(), lock, ours, data[i%2]) })
	}
	at := func(which int, part float64) float64 {
		slices.Sort(times[which])
		return float64(times[which][int(part*float64(len(times[which])-1))])
	}
	b.ReportMetric(at(0, .5)/1e3, "raw-median-µs")
	b.ReportMetric(at(0, .99)/1e3, "raw-p99-µs")
	b.ReportMetric(at(1, .5)/at(0, .5), "x-median")
	b.ReportMetric(at(1, .99)/at(0, .99), "x-p99")
}
