//go:build linux

package main

import (
	"crypto/rand"
	"os"
	"testing"
	"time"

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

// BenchmarkEach10000 reads every record of every store, as a search of all does.
func BenchmarkEach10000(b *testing.B) {
	open := homeOf200(b)
	ids := found(b, open())
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		_, err := open().Each(b.Context(), ids, func(memory.StoreID, *memory.Record) error { n++; return nil })
		if err != nil || n <= homeProjects*homeMemories {
			b.Fatalf("%d records, %v", n, err)
		}
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
