package judge_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"winnow/core/audit/judge"
	"winnow/core/memory"
)

const someWords = `use the cache before network calls when tests fail check fixture order first build needs node twenty retry
with smaller batch since limits apply prefer table driven tests over mocks read config from file avoid global state run migrations
before seeding lock file must be committed keep handler idempotent because queue redelivers verify with linter then type check`

func prose(r *rand.Rand, n int) string {
	words := strings.Fields(someWords)
	out := make([]string, n)
	for i := range out {
		out[i] = words[r.IntN(len(words))]
	}
	return strings.Join(out, " ")
}

// lessons are n lines, of which one in every holds a secret.
func lessons(n, every int) string {
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for i := range n {
		text := prose(r, 40)
		if i%every == every-1 {
			text += fmt.Sprintf(" token gh"+"p_%036x", r.Uint64())
		}
		b.WriteString(lesson(i, prose(r, 15), text) + "\n")
	}
	return b.String()
}

func benchmark(b *testing.B, d *judge.Doc, text string) {
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		r := judge.New().Open(d, func(memory.Finding) { n++ })
		line := 1
		for rest := text; rest != ""; {
			cut := len(rest)
			if cut > 256<<10 {
				cut = strings.LastIndexByte(rest[:256<<10], '\n') + 1
			}
			r.Piece(judge.Piece{Text: rest[:cut], Line: line, Column: 1, Offset: int64(len(text) - len(rest))})
			line += strings.Count(rest[:cut], "\n")
			rest = rest[cut:]
		}
		r.Done()
	}
}

func BenchmarkSparseLessons(b *testing.B) { benchmark(b, inFile(lessonForm(b)), lessons(4000, 500)) }
func BenchmarkDenseLessons(b *testing.B)  { benchmark(b, inFile(lessonForm(b)), lessons(1000, 2)) }

func BenchmarkDenseMarkdown(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 4))
	var t strings.Builder
	for t.Len() < 1<<20 {
		fmt.Fprintf(
			&t,
			"## %s\n\n- %s\n- the token is gh"+"p_%036x\n- fixed in commit %040x\n\n",
			prose(r, 4),
			prose(r, 60),
			r.Uint64(),
			r.Uint64(),
		)
	}
	benchmark(b, &judge.Doc{Path: "n.md", OnDisk: true}, t.String())
}
