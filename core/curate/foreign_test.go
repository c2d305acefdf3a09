package curate_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"winnow/core/atomicfile/crashdisk"
	"winnow/core/memory"
)

// damagedStore returns the text of a store in which lines share ids or all of their bytes, are damaged,
// or have no id.
func damagedStore(r *rand.Rand) string {
	odd := []string{
		"{broken", "\xff\xfe", "null", "[1,2]", `{"lesson":"no id","relevance_count":2}`, "\"text\"", "", "  ",
		`{"task_summary":"no id either","lesson":"x","outcome":"failed","relevance_count":0}`,
	}
	var b strings.Builder
	for range 2 + r.IntN(14) {
		l := strings.TrimSuffix(line(fmt.Sprint("r", r.IntN(4)), r.IntN(3)), "\n")
		switch r.IntN(4) {
		case 0:
			l = odd[r.IntN(len(odd))]
		case 1: // another lesson with the same id
			l = strings.Replace(l, "taught", fmt.Sprint("taught ", r.IntN(3)), 1)
		}
		b.WriteString(l + []string{"\n", "\n", "\r\n"}[r.IntN(3)])
	}
	if r.IntN(3) == 0 {
		return strings.TrimRight(b.String(), "\r\n")
	}
	return b.String()
}

var aCount = regexp.MustCompile(`"relevance_count":\d+`)

// muddledOrder returns an order for some of the records.
func muddledOrder(r *rand.Rand, records []memory.Record) memory.Order {
	var ids []memory.ID
	for _, i := range r.Perm(len(records))[:1+r.IntN(len(records))] {
		ids = append(ids, records[i].ID)
	}
	title := fmt.Sprint("words ", r.IntN(100))
	switch r.IntN(6) {
	case 0:
		return memory.Order{Do: memory.EditOne, IDs: ids[:1], Edit: memory.Edit{Title: &title}}
	case 1:
		return memory.Order{Do: memory.Merge, IDs: ids, Edit: memory.Edit{Title: &title}}
	case 2:
		return memory.Order{Do: memory.Prune, Rule: memory.Rule{Keep: 1 + r.IntN(3)}}
	case 3:
		return memory.Order{Do: memory.Repair}
	}
	return memory.Order{Do: memory.Delete, IDs: ids}
}

// counted returns the text as left by another writer who counts some of the lessons and adds two.
func counted(r *rand.Rand, text string) string {
	text = aCount.ReplaceAllStringFunc(text, func(s string) string {
		if r.IntN(2) == 0 {
			return s
		}
		return fmt.Sprintf(`"relevance_count":%d`, 5+r.IntN(3))
	})
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text + line("theirs1", 0) + line("theirs2", 1)
}

// uncounted returns the non-blank lines of a store, ignoring counts.
func uncounted(text string) []string {
	lines := strings.FieldsFunc(
		aCount.ReplaceAllString(text, `"relevance_count":0`),
		func(r rune) bool { return r == '\n' || r == '\r' },
	)
	return slices.DeleteFunc(lines, func(l string) bool { return strings.TrimSpace(l) == "" })
}

func TestAnUndoAfterAnotherWriterBringsBackEveryLineOnceAndInItsPlace(t *testing.T) {
	stores := uint64(120)
	switch {
	case *campaign == "full":
		stores = 4000
	case isLong():
		stores = 400
	}
	path, state := filepath.Join(t.TempDir(), "memory.jsonl"), filepath.Join(t.TempDir(), "state")
	made := 0
	for seed := range stores {
		r := rand.New(rand.NewPCG(seed, 7))
		d := crashdisk.New(map[string]string{path: damagedStore(r)})
		b := benchOn(t, d, path, state)
		was := d.Files()[path]
		records := b.records()
		if len(records) == 0 {
			continue
		}
		o := muddledOrder(r, records)
		p, err := b.Plan(t.Context(), o)
		if err != nil || len(p.Changes) == 0 {
			continue // a line without such a field, or nothing to do
		}
		if _, err := b.Apply(t.Context(), p); err != nil {
			t.Fatalf("seed %d: %s: %v", seed, o.Do, err)
		}
		made++
		between := counted(r, d.Files()[path])
		d.Put(path, between)
		want := append(uncounted(was), uncounted(line("theirs1", 0)+line("theirs2", 0))...)
		undo, err := b.Plan(t.Context(), memory.Order{Do: memory.Undo})
		if err == nil {
			var res memory.Result
			if res, err = b.Apply(t.Context(), undo); errors.Is(err, memory.ErrConflict) {
				t.Fatalf("seed %d: the undo of %s is a conflict: %+v\n%s", seed, o.Do, res.Changes, was)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := uncounted(d.Files()[path]); !slices.Equal(got, want) {
			t.Fatalf(
				"seed %d: after %s of %v and an undo:\n%s\nwant\n%s\nthe other writer left\n%s",
				seed,
				o.Do,
				o.IDs,
				short(got),
				short(want),
				between,
			)
		}
		now := d.Files()[path]
		b.do(memory.Redo)
		if got, want := uncounted(d.Files()[path]), uncounted(between); !slices.Equal(got, want) {
			t.Fatalf("seed %d: after a redo of %s:\n%s\nwant\n%s", seed, o.Do, short(got), short(want))
		}
		b.do(memory.Undo)
		if d.Files()[path] != now {
			t.Fatalf("seed %d: a second undo of %s leaves other bytes", seed, o.Do)
		}
	}
	t.Logf("%d changes", made)
	if made < int(stores)/2 {
		t.Fatalf("only %d changes were made", made)
	}
}

func short(lines []string) string {
	s := strings.Join(lines, "\n")
	s = regexp.MustCompile(`\{"lesson_id":"(\w+)","task_summary":"([^"]*)","outcome":"succeeded","lesson":"([^"]*)".*?(\}|$)`).
		ReplaceAllString(s, "<$1|$2|$3>")
	return s
}
