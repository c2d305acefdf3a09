package karnevil9

import (
	"testing"

	"winnow/core/memory"
)

// benchmarkSnapshot opens the store anew for each round, so that nothing is remembered.
func benchmarkSnapshot(b *testing.B, n int) {
	path := write(b, lessons(n))
	b.ReportAllocs()
	for b.Loop() {
		s := openStore(b, path)
		if snap := snapshot(b, s, memory.Window{}); len(snap.Records) != n {
			b.Fatalf("%d records, want %d", len(snap.Records), n)
		}
	}
}

func BenchmarkSnapshot100(b *testing.B)    { benchmarkSnapshot(b, 100) }
func BenchmarkSnapshot10000(b *testing.B)  { benchmarkSnapshot(b, 10_000) }
func BenchmarkSnapshot100000(b *testing.B) { benchmarkSnapshot(b, 100_000) }

// BenchmarkFirstPart100000 measures the time until there is something to show.
func BenchmarkFirstPart100000(b *testing.B) {
	path := write(b, lessons(100_000))
	for b.Loop() {
		s := openStore(b, path)
		first := make(chan struct{})
		done := make(chan error, 1)
		go func() {
			shown := false
			_, err := s.Snapshot(b.Context(), memory.Window{}, func(memory.Snapshot) {
				if !shown {
					shown = true
					close(first)
				}
			})
			done <- err
		}()
		<-first
		b.StopTimer()
		if err := <-done; err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}
