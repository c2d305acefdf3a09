//go:build linux

package main

import (
	"crypto/rand"
	"os"
	"testing"
	"time"

	"winnow/core/filter"
	"winnow/core/library"
	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/all"
)

// homeOf200 writes the home of 200 projects and returns what finds and opens its stores.
func homeOf200(b *testing.B) func() *library.Library {
	home := b.TempDir()
	if err := writeHome(home); err != nil {
		b.Fatal(err)
	}
	b.Setenv("HOME", home)
	env := system.Env{Home: home, Dir: home, Lookup: os.LookupEnv}
	state, _ := library.StateIn(env, rand.Reader)
	later := func() time.Time { return time.Now().Add(time.Minute) } // nothing was written just now
	start := func(f func()) { go f() }
	return func() *library.Library {
		return library.New(all.Systems(later), env, later, start, state, all.Forms()...)
	}
}

func found(b *testing.B, l *library.Library) []memory.StoreID {
	ids := make([]memory.StoreID, 0, homeProjects)
	for _, p := range l.Find(b.Context()).Places {
		ids = append(ids, p.Store)
	}
	if len(ids) != homeProjects {
		b.Fatalf("%d stores, want %d", len(ids), homeProjects)
	}
	return ids
}

// BenchmarkFind200Projects is one search by all systems, of which one has worked there.
func BenchmarkFind200Projects(b *testing.B) {
	open := homeOf200(b)
	b.ReportAllocs()
	for b.Loop() {
		found(b, open())
	}
}

// BenchmarkSummaries200Projects opens and sums up every store, one after the other.
func BenchmarkSummaries200Projects(b *testing.B) {
	open := homeOf200(b)
	ids := found(b, open())
	b.ReportAllocs()
	for b.Loop() {
		l := open()
		for _, id := range ids {
			if snap, err := l.Summary(b.Context(), id); err != nil || snap.Total <= homeMemories {
				b.Fatalf("%s: %d, %v", id, snap.Total, err)
			}
		}
	}
}

// BenchmarkSearch10000 looks for a word in every record of every store: for one that nearly all of
// them have, and for one that none has. It reports when the first hits came.
func BenchmarkSearch10000(b *testing.B) {
	open := homeOf200(b)
	ids := found(b, open())
	for _, word := range []string{"webhook", "nowhere"} {
		b.Run(word, func(b *testing.B) {
			b.ReportAllocs()
			var first time.Duration
			for b.Loop() {
				n, hits, began := 0, 0, time.Now()
				_, err := open().Search(b.Context(), ids, filter.Parse(word), func(part memory.SearchPart) error {
					n, hits = n+part.Read, hits+len(part.Records)
					if hits > 0 && hits == len(part.Records) {
						first += time.Since(began)
					}
					return nil
				})
				if err != nil || n <= homeProjects*homeMemories || (hits > 0) != (word == "webhook") {
					b.Fatalf("%d records, %d hits, %v", n, hits, err)
				}
			}
			b.ReportMetric(float64(first.Microseconds())/float64(b.N), "first-µs")
		})
	}
}

// BenchmarkTallyOf50 counts the findings of one store.
func BenchmarkTallyOf50(b *testing.B) {
	l := homeOf200(b)()
	ids := found(b, l)
	for i := 0; b.Loop(); i++ {
		if _, err := l.Tally(b.Context(), ids[i%len(ids)]); err != nil {
			b.Fatal(err)
		}
	}
}
