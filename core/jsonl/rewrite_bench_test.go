package jsonl

import (
	"strings"
	"testing"

	"winnow/core/memory"
)

func benchmarkRewrite(b *testing.B, n int, plan func(lines []Line) []memory.Change) {
	file := storeOf(make([]int, n)...)
	changes := plan(split(file))
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	for b.Loop() {
		if made := Rewrite(file, changes); made.Text == file || len(made.Changes) != len(changes) {
			b.Fatal(len(made.Changes), len(changes))
		}
	}
}

func BenchmarkDeleteOneOf100(b *testing.B) {
	benchmarkRewrite(b, 100, func(lines []Line) []memory.Change {
		return []memory.Change{deletion(lines[50].Text, 51)}
	})
}

func BenchmarkDeleteOneOf50000(b *testing.B) {
	benchmarkRewrite(b, 50_000, func(lines []Line) []memory.Change {
		return []memory.Change{deletion(lines[25_000].Text, 25_001)}
	})
}

func BenchmarkAddOneTo50000(b *testing.B) {
	benchmarkRewrite(b, 50_000, func([]Line) []memory.Change { return []memory.Change{adding(lineA, 0, "")} })
}

// BenchmarkEditAllOf50000 edits lines whose counts all changed meanwhile.
func BenchmarkEditAllOf50000(b *testing.B) {
	benchmarkRewrite(b, 50_000, func(lines []Line) []memory.Change {
		changes := make([]memory.Change, len(lines))
		for i, l := range lines {
			before := l.Text[:len(l.Text)-2] + "9}" // the stored count is lower than 9
			changes[i] = editing(before, strings.Replace(before, `"succeeded"`, `"failed"`, 1), i+1)
		}
		return changes
	})
}

// BenchmarkDeleteAllOfOneID: records that cannot be told apart take no longer.
func BenchmarkDeleteAllOfOneID(b *testing.B) {
	file := strings.Repeat(lineA+"\n", 50_000)
	changes := make([]memory.Change, 50_000)
	for i := range changes {
		changes[i] = deletion(" "+lineA, 1)
	}
	b.ReportAllocs()
	for b.Loop() {
		if out := Rewrite(file, changes).Text; out != "" {
			b.Fatal(len(out))
		}
	}
}

// BenchmarkAddAllOfOneID is the same for additions.
func BenchmarkAddAllOfOneID(b *testing.B) {
	file := strings.Repeat(lineA+"\n", 50_000)
	changes := make([]memory.Change, 10_000)
	for i := range changes {
		changes[i] = adding(lineA, 1, "")
	}
	b.ReportAllocs()
	for b.Loop() {
		if out := Rewrite(file, changes).Text; out != file {
			b.Fatal(len(out))
		}
	}
}
