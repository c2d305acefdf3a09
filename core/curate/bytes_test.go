package curate_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/atomicfile/crashdisk"
	"winnow/core/memory"
)

// randomStore returns the text of a store with damaged lines, odd spellings, shared ids and mixed
// line ends, with or without a final one.
func randomStore(r *rand.Rand) string {
	odd := []string{
		"{broken", "\xff\xfe", "", "null", "[1,2]", `{"lesson":"no id"}`, "   ", "\"text\"",
		`{ "relevance_count" : 1e2, "lesson_id":"odd", "lesson":"\u0041\/", "x":{"y":[]} }`,
	}
	var b strings.Builder
	for i := range 1 + r.IntN(12) {
		l := strings.TrimSuffix(line(fmt.Sprint("r", r.IntN(i+3)), r.IntN(4)), "\n")
		if r.IntN(3) == 0 {
			l = odd[r.IntN(len(odd))]
		}
		b.WriteString(l + []string{"\n", "\n", "\r\n"}[r.IntN(3)])
	}
	if r.IntN(2) == 0 {
		return strings.TrimRight(b.String(), "\r\n")
	}
	return b.String()
}

func TestRandomChangesAreUndoneToTheByte(t *testing.T) {
	dir := t.TempDir()
	stores := 50
	switch {
	case *campaign == "full":
		stores = 1000
	case isLong():
		stores = 200
	}
	made := 0
	for seed := range uint64(stores) {
		r := rand.New(rand.NewPCG(seed, 1))
		path, state := filepath.Join(dir, "memory.jsonl"), filepath.Join(dir, "state")
		d := crashdisk.New(map[string]string{path: randomStore(r)})
		b := benchOn(t, d, path, state)
		states := []string{d.Files()[path]}
		for n := range 4 {
			records := b.records()
			if len(records) == 0 {
				break
			}
			rec := records[r.IntN(len(records))]
			title := fmt.Sprint("words ", n)
			o := memory.Order{Do: memory.Delete, IDs: []memory.ID{rec.ID}}
			switch r.IntN(3) {
			case 0:
				o = memory.Order{Do: memory.AddOne, Edit: memory.Edit{Title: &title, Body: &title}}
			case 1:
				o.Do, o.Edit = memory.EditOne, memory.Edit{Title: &title}
			}
			p, err := b.Plan(t.Context(), o)
			if err != nil {
				continue // a line without such a field
			}
			res, err := b.Apply(t.Context(), p)
			if err != nil {
				t.Fatalf("seed %d: %s: %v", seed, o.Do, err)
			}
			if res.Entry != "" {
				made++
				states = append(states, d.Files()[path])
			}
		}
		for i := len(states) - 2; i >= 0; i-- {
			b.do(memory.Undo)
			if now := d.Files()[path]; now != states[i] {
				t.Fatalf("seed %d: undo %d leaves\n%q\nwant\n%q", seed, i, now, states[i])
			}
		}
		for i := 1; i < len(states); i++ {
			b.do(memory.Redo)
			if now := d.Files()[path]; now != states[i] {
				t.Fatalf("seed %d: redo %d leaves\n%q\nwant\n%q", seed, i, now, states[i])
			}
		}
	}
	if made < 2*stores {
		t.Fatalf("only %d changes were made", made)
	}
}

func TestALessonSavedInTheSameInstantIsKept(t *testing.T) {
	dir := t.TempDir()
	path, state := filepath.Join(dir, "memory.jsonl"), filepath.Join(dir, "state")
	d := crashdisk.New(map[string]string{path: line("a", 0) + line("b", 0)})
	b := benchOn(t, d, path, state)
	saved := false
	d.Before(func(op crashdisk.Op) {
		if op.Do == "exchange" && !saved {
			saved = true
			d.Put(path, line("a", 2)+line("b", 0)+line("new", 0))
		}
	})
	r := b.do(memory.Delete, "b")
	if want := line("a", 2) + line("new", 0); !saved || d.Files()[path] != want {
		t.Fatalf("saved %v; the store holds %q, want %q", saved, d.Files()[path], want)
	}
	if h := b.history(); len(h.Entries) != 1 || r.Entry != h.Entries[0].ID {
		t.Fatalf("history is %+v", h.Entries)
	}
	b.do(memory.Undo)
	if want := line("a", 2) + line("b", 0) + line("new", 0); d.Files()[path] != want {
		t.Fatalf("after an undo the store holds %q, want %q", d.Files()[path], want)
	}
}
