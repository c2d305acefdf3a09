package source

import (
	"fmt"
	"strings"
	"testing"
)

func BenchmarkWalk(b *testing.B) {
	dir := b.TempDir()
	files := map[string]string{}
	for i := range 5000 {
		files[fmt.Sprintf("p%d/%s%d.go", i%50, strings.Repeat("d/", i%7), i)] = "package p\n"
	}
	for i := range 50 {
		files[fmt.Sprintf("p%d/CLAUDE.md", i)] = "notes\n"
	}
	tree(b, dir, files)
	o := order(Order{Dir: dir, Paths: []string{"."}})
	for b.Loop() {
		if seen, err := Each(b.Context(), o, drop); seen.Files != 50 || err != nil {
			b.Fatal(seen, err)
		}
	}
}

func BenchmarkHistory(b *testing.B) {
	r := repository(b)
	r.history(500)
	r.git("repack", "-adq")
	o := order(Order{Dir: r.dir, Paths: []string{"."}, History: true})
	for b.Loop() {
		seen, err := Each(b.Context(), o, drop)
		if seen.Blobs != 1000 || err != nil {
			b.Fatal(seen, err)
		}
		b.SetBytes(seen.Bytes)
	}
}

func BenchmarkPieces(b *testing.B) {
	text := strings.Repeat("a line of a document, as long as lines are\n", 1<<20)
	room := []byte(nil)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		s := &splitter{
			sizes:  sizes{pieceSize, lineSize, overlap},
			ctx:    b.Context(),
			room:   &room,
			src:    strings.NewReader(text),
			row:    1,
			column: 1,
		}
		for range s.pieces {
		}
	}
}
