package jsonl

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"winnow/core/jstext"
	"winnow/core/lesson"
	"winnow/core/memory"
)

// oddLine returns a line as it may occur in a store: a lesson in some spelling, a damaged one, or
// no lesson at all.
func oddLine(rng *rand.Rand, i int) string {
	id := fmt.Sprintf("l%d", i)
	if rng.IntN(8) == 0 {
		id = fmt.Sprintf("l%d", rng.IntN(5)) // may repeat
	}
	plain := lessonOf(id, rng.IntN(4), noon)
	switch rng.IntN(14) {
	case 0:
		return fmt.Sprintf(`{ "lesson_id" : %q ,"lesson":"\u00e9\ud83d","n":1.0, "relevance_count" : 1e0 }`, id)
	case 1:
		return fmt.Sprintf(`{"lesson_id":"was","lesson\u005fid":%q,"relevance_count":7,"relevance_count":2}`, id)
	case 2:
		return fmt.Sprintf(`{"2":{"a":[1,{"b":"}]"}]},"1":"x","__proto__":null,"lesson_id":%q}`, id)
	case 3:
		return plain[:rng.IntN(len(plain)-1)+1]
	case 4:
		return [...]string{"null", "42", "[]", "{}", " {} ", `"s"`, "{\x00", "\xff\xfe", "tru"}[rng.IntN(9)]
	case 5:
		return [...]string{"", " ", "\t", "\u00a0", "\u2028"}[rng.IntN(5)]
	case 6:
		return strings.Replace(plain, "task of", "task \xff\xe2\x82 of", 1)
	case 7:
		return " " + plain + "\t"
	case 8:
		return "\u00a0" + plain + "\ufeff"
	case 9:
		return strings.Replace(
			plain,
			`"relevance_count"`,
			`"last_retrieved_at":"2026-03-14T00:00:00.000Z","relevance_count"`,
			1,
		)
	}
	return plain
}

func oddStore(rng *rand.Rand) string {
	var out strings.Builder
	if rng.IntN(20) == 0 {
		out.WriteString("\ufeff")
	}
	ends := [...]string{"\n", "\r\n", "\n", "\n"}
	end := ends[rng.IntN(len(ends))]
	n := rng.IntN(12)
	for i := range n {
		out.WriteString(oddLine(rng, i))
		if rng.IntN(20) == 0 {
			out.WriteString(ends[rng.IntN(len(ends))])
		} else if i < n-1 || rng.IntN(3) > 0 {
			out.WriteString(end)
		}
	}
	return out.String()
}

// oddPlan returns changes to a store, some of them based on an outdated state.
func oddPlan(rng *rand.Rand, file string) []memory.Change {
	lines := split(file)
	var changes []memory.Change
	for _, i := range rng.Perm(len(lines)) {
		if len(changes) > 5 || lines[i].blank() {
			continue
		}
		text := lines[i].Text
		before := text
		if rng.IntN(4) == 0 {
			before = elsewhere(rng, text)
		}
		switch rng.IntN(5) {
		case 0, 1:
			changes = append(changes, deletion(before, rng.IntN(len(lines)+2)))
		case 2, 3:
			changes = append(changes, editing(before, edited(rng, before), i+1))
		case 4:
			changes = append(changes, pinning(memory.ID(OwnID(text))))
		}
	}
	for range rng.IntN(3) {
		behind := [...]memory.ID{"", "l0", "l1", "line 2", "l2~2", "not there"}[rng.IntN(6)]
		line := oddLine(rng, rng.IntN(30))
		if !blank(line) {
			changes = append(changes, adding(line, rng.IntN(len(lines)+3), behind))
		}
	}
	return changes
}

// elsewhere returns the line as it was before another writer changed it.
func elsewhere(rng *rand.Rand, line string) string {
	switch rng.IntN(3) {
	case 0:
		if out, ok := lesson.Resave(line); ok {
			return out
		}
	case 1:
		if out, err := Recalled(line, noon); err == nil {
			return out
		}
	case 2:
		return edited(rng, line)
	}
	return line
}

func edited(rng *rand.Rand, line string) string {
	title, outcome, count := fmt.Sprintf("new \"words\" %d\n", rng.IntN(3)), "failed", rng.IntN(9)
	e := memory.Edit{}
	if rng.IntN(2) == 0 {
		e.Title = &title
	}
	if rng.IntN(3) == 0 {
		e.Outcome = &outcome
	}
	if rng.IntN(3) == 0 {
		e.Count = &count
	}
	if out, err := Compose(line, e, Stamp{}); err == nil {
		return out
	}
	return `{"raw":1}`
}

// checkRewrite checks what must be true of every run.
func checkRewrite(t *testing.T, file string, changes []memory.Change) (string, Made) {
	t.Helper()
	out, made := rewritten(t, file, changes...)
	refused := slices.ContainsFunc(made.Fates, func(f memory.Applied) bool { return f.Fate == memory.Refused })
	if refused && (out != file || len(made.Changes) > 0 || len(made.Parts) > 0) {
		t.Errorf("refused, and %q became %q", file, out)
	}
	before, after := textsIn(file), textsIn(out)
	for _, ch := range made.Changes {
		was, now := jstext.Trim(ch.Before), jstext.Trim(ch.After)
		switch {
		case ch.Do == memory.Adding && after[ch.Line-1] != now:
			t.Errorf("line %d of %q is not the added %q", ch.Line, out, now)
		case ch.Do == memory.Adding:
			after[ch.Line-1] = removed
		case before[ch.Line-1] != was:
			t.Errorf("line %d of %q is not %q", ch.Line, file, was)
		case ch.Do == memory.Editing:
			before[ch.Line-1] = now
		default:
			before[ch.Line-1] = removed
		}
	}
	named := func(line string) bool { return line == removed }
	before, after = slices.DeleteFunc(before, named), slices.DeleteFunc(after, named)
	if !slices.Equal(before, after) {
		t.Errorf("%q became %q:\nlines that no change names differ:\n%q\n%q", file, out, before, after)
	}
	for i, f := range made.Fates {
		gone := jstext.Trim(changes[i].Before)
		written := func(ch memory.Change) bool { return jstext.Trim(ch.After) == gone }
		if f.Fate == memory.Gone && changes[i].Do == memory.Deleting && slices.Contains(textsIn(out), gone) &&
			!slices.ContainsFunc(changes, written) {
			t.Errorf("%q is said to be gone from %q", gone, out)
		}
	}
	return out, made
}

// textsIn returns the lines without surrounding white space, which may move at the ends of the
// file.
func textsIn(file string) []string {
	var out []string
	for _, l := range split(file) {
		out = append(out, jstext.Trim(l.Text))
	}
	return out
}

// recordsIn returns the lines that are not blank: where blank ones were is not kept, but for an undo to which
// nobody else wrote, which restores the old bytes.
func recordsIn(file string) []string {
	return slices.DeleteFunc(textsIn(file), func(line string) bool { return line == "" })
}

// removed stands for a line that a change names.
const removed = "removed\n"

// inverse returns the changes that undo what was made.
func inverse(made []memory.Change) []memory.Change {
	var out []memory.Change
	for _, ch := range made {
		switch ch.Do {
		case memory.Deleting:
			ch.Do = memory.Adding
		case memory.Adding:
			ch.Do = memory.Deleting
		}
		ch.Before, ch.After = ch.After, ch.Before
		out = append(out, ch)
	}
	return out
}

func checkRandom(t *testing.T, a, b uint64) {
	rng := rand.New(rand.NewPCG(a, b))
	file := oddStore(rng)
	changes := oddPlan(rng, file)
	out, made := checkRewrite(t, file, changes)
	back, undone := checkRewrite(t, out, inverse(made.Changes))
	if fatesOf(undone) != strings.TrimSpace(strings.Repeat("done ", len(undone.Fates))) {
		return // records that share an id can block each other
	}
	if got, want := recordsIn(back), recordsIn(file); !slices.Equal(got, want) && !shareIDs(file+"\n"+out) {
		t.Errorf("seed %d %d: %q became %q, and %q when undone", a, b, file, out, back)
	}
}

// shareIDs reports whether a store has two records that cannot be told apart.
func shareIDs(file string) bool {
	seen := map[string]bool{}
	for _, l := range split(file) {
		id := OwnID(l.Text)
		if id == "" && !l.blank() || id != "" && seen[id] {
			return true
		}
		seen[id] = true
	}
	return false
}

func TestRewritesOfRandomStoresCanBeUndone(t *testing.T) {
	seeds := uint64(300)
	if os.Getenv("WINNOW_LONG") != "" {
		seeds = 3000
	}
	for seed := range seeds {
		checkRandom(t, seed, 7)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func FuzzRewrite(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed, seed*seed, oddFiles[seed%15])
	}
	f.Fuzz(func(t *testing.T, a, b uint64, file string) {
		checkRandom(t, a, b)
		checkRewrite(t, file, oddPlan(rand.New(rand.NewPCG(a, b)), file))
	})
}
