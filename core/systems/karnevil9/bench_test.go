package karnevil9

import (
	"testing"

	"winnow/core/memory"
	"winnow/core/system"
)

// benchmarkSnapshot opens the store anew for each round, so that nothing is remembered.
func benchmarkSnapshot(b *testing.B, n int) {
	path := write(b, lessons(n))
	b.ReportAllocs()
	for b.Loop() {
		s := openStore(b, path)
		if snap := snapshot(b, s); len(snap.Records) != n {
			b.Fatalf("%d records, want %d", len(snap.Records), n)
		}
	}
}

func BenchmarkSnapshot100(b *testing.B)   { benchmarkSnapshot(b, 100) }
func BenchmarkSnapshot10000(b *testing.B) { benchmarkSnapshot(b, 10_000) }
func BenchmarkSnapshot50000(b *testing.B) { benchmarkSnapshot(b, 50_000) }

// BenchmarkFirstPart50000 measures the time until there is something to show.
func BenchmarkFirstPart50000(b *testing.B) {
	path := write(b, lessons(50_000))
	for b.Loop() {
		s := openStore(b, path)
		first := make(chan struct{})
		done := make(chan error, 1)
		go func() {
			shown := false
			_, err := s.Snapshot(b.Context(), func(memory.Snapshot) {
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

// BenchmarkWrite measures one edit in a store of 40 KB, looking and syncing
// included.
func BenchmarkWrite(b *testing.B) {
	path := write(b, append(lessons(100), '\n'))
	s := openStore(b, path)
	r := all(b, s)[50]
	changes := []memory.Change{titled(b, s, r, "One title"), titled(b, s, r, "Another title")}
	changes[0].Before, changes[1].Before = changes[1].After, changes[0].After
	if _, err := s.Write(b.Context(), system.Write{
		Changes: []memory.Change{titled(b, s, r, "Another title")},
	}); err != nil {
		b.Fatal(err)
	}
	for i := 0; b.Loop(); i++ {
		if w, err := s.Write(b.Context(), system.Write{Changes: changes[i%2 : i%2+1]}); err != nil || w.Temp == "" {
			b.Fatal(w, err)
		}
	}
}

func BenchmarkCanWrite(b *testing.B) {
	s := openStore(b, write(b, append(lessons(100), '\n')))
	for b.Loop() {
		if err := s.CanWrite(); err != nil {
			b.Fatal(err)
		}
	}
}
