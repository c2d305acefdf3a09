package karnevil9

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/core/atomicfile"
	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/system"
)

var campaign = flag.String("campaign", "", "full: all of the random changes, not a tenth")

// randomStore returns a store with damaged lines, odd spellings, both line ends and
// often no last one.
func randomStore(r *rand.Rand) string {
	odd := []string{
		"", "  ", "{half", "null", "42", "[]", "{}", "\x00\x00", "\ufeff{}", "\xff\xfe", "plain text", `"text"`,
		`{"lesson_id":"a"}`, `{"lesson_id":"a","task_summary":7,"lesson":null}`, "\u2028{}", "{}\v",
		`{ "task_summary" : "no id" , "lesson":"\u0041\ud83d" , "outcome":"failed", "relevance_count" : 1e1 }`,
		`{"lesson_id":"a","task_summary":"twice","task_summary":"again","lesson":"","outcome":"failed","extra":{"x":[1.0]}}`,
	}
	var b strings.Builder
	n := r.IntN(12)
	for i := range n {
		if r.IntN(3) == 0 {
			b.WriteString(odd[r.IntN(len(odd))])
		} else {
			fmt.Fprintf(&b, `{"lesson_id":"%d","task_summary":"Task %d é","outcome":"succeeded","lesson":"%s","tool_names":["a"],"created_at":"2026-11-%02dT00:00:00.000Z","session_id":"s","relevance_count":%d}`,
				r.IntN(2*n), i, strings.Repeat("word ", r.IntN(9)), 1+r.IntN(20), r.IntN(4))
		}
		if i < n-1 || r.IntN(3) > 0 {
			b.WriteString([...]string{"\n", "\n", "\n", "\r\n", "\n\n", "\n \n"}[r.IntN(6)])
		}
	}
	return b.String()
}

// planned returns changes of the records as the bytes say: two for each change, what
// to do and with which record. No record is changed twice.
func planned(t testing.TB, s *Store, records []memory.Record, plan []byte) []memory.Change {
	t.Helper()
	var changes []memory.Change
	used := map[memory.ID]bool{}
	for ; len(plan) > 1; plan = plan[2:] {
		title := fmt.Sprintf("Title %d", len(plan))
		if plan[0]%4 == 3 || len(records) == 0 {
			after := composed(t, s, "", memory.Edit{Title: &title})
			changes = append(
				changes,
				memory.Change{
					Do:     memory.Adding,
					ID:     s.Decode(after).ID,
					Record: s.Decode(after),
					After:  after,
					Line:   int(plan[1]) % (len(records) + 2),
				},
			)
			continue
		}
		r := records[int(plan[1])%len(records)]
		if used[r.ID] || r.RawCut() {
			continue
		}
		used[r.ID] = true
		switch plan[0] % 4 {
		case 0:
			changes = append(changes, deletion(r))
		case 1:
			raw := fmt.Sprintf(`{"lesson_id":"raw %d","task_summary":"raw"}`, len(plan))
			changes = append(
				changes,
				memory.Change{Do: memory.Editing, ID: r.ID, Record: r, Before: r.Raw, After: raw, Line: r.Line},
			)
		case 2:
			if after, err := s.Compose(r.Raw, memory.Edit{Title: &title}); err == nil {
				changes = append(
					changes,
					memory.Change{Do: memory.Editing, ID: r.ID, Record: r, Before: r.Raw, After: after, Line: r.Line},
				)
			}
		}
	}
	return changes
}

// changedRaws returns the stored forms that the records are to have after the
// changes, but for those that are added.
func changedRaws(records []memory.Record, changes []memory.Change) []string {
	var out []string
	for _, r := range records {
		raw, gone := r.Raw, false
		for _, c := range changes {
			if c.ID == r.ID && c.Do != memory.Adding {
				raw, gone = c.After, c.Do == memory.Deleting
			}
		}
		if !gone {
			out = append(out, raw)
		}
	}
	return out
}

// rawsOf returns the stored forms without the white space around them: what the agent
// forgives at the ends of a file stays there, whatever is added.
func rawsOf(records []memory.Record) []string {
	out := make([]string, 0, len(records))
	for i := range records {
		out = append(out, jstext.Trim(records[i].Raw))
	}
	return out
}

func inverted(changes []memory.Change) []memory.Change {
	back := slices.Clone(changes)
	slices.Reverse(back)
	for i := range back {
		c := &back[i]
		c.Before, c.After = c.After, c.Before
		switch c.Do {
		case memory.Deleting:
			c.Do = memory.Adding
		case memory.Adding:
			c.Do = memory.Deleting
		}
	}
	return back
}

// writeAndUndo makes random changes in the file, looks whether they are those that
// were asked for, takes them back, and does both again.
func writeAndUndo(t testing.TB, path, text string, plan []byte) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := openStore(t, path)
	records := all(t, s)
	changes := planned(t, s, records, plan)
	written, err := s.Write(t.Context(), system.Write{Changes: changes})
	if err != nil {
		t.Fatalf("%q: %v: %+v", text, err, written.Fates)
	}
	after := contents(t, path)
	added := func(raw string) bool {
		return slices.ContainsFunc(
			changes,
			func(c memory.Change) bool { return c.Do == memory.Adding && c.After == raw },
		)
	}
	want := changedRaws(records, changes)
	for i := range want {
		want[i] = jstext.Trim(want[i])
	}
	if got := slices.DeleteFunc(rawsOf(all(t, s)), added); !slices.Equal(got, want) {
		t.Errorf("%q:\nrecords are %q\nwant        %q", text, got, want)
	}
	if written.Temp == "" {
		if after != text {
			t.Errorf("%q became %q, and nothing was staged", text, after)
		}
		return
	}
	if written.Splices.From != atomicfile.Digest([]byte(text)) ||
		written.Splices.To != atomicfile.Digest([]byte(after)) {
		t.Errorf("%q: the digests are not those of before and after", text)
	}
	back := written
	for _, want := range []string{text, after, text} {
		back, err = s.Write(t.Context(), system.Write{Changes: inverted(back.Staged.Changes), Exact: &back.Splices})
		if got := contents(t, path); err != nil || got != want {
			t.Fatalf("%q is, taken back,\n%q (%v), want\n%q", text, got, err, want)
		}
	}
	onlyStore(t, path)
}

func TestRandomChangesAreTakenBackExactly(t *testing.T) {
	n := 25
	switch {
	case *campaign == "full":
		n = 1000
	case os.Getenv("WINNOW_LONG") != "":
		n = 100
	}
	path := filepath.Join(t.TempDir(), "memory.jsonl")
	for seed := range n {
		r := rand.New(rand.NewPCG(uint64(seed), 3))
		plan := make([]byte, 2*r.IntN(6))
		for i := range plan {
			plan[i] = byte(r.Uint32())
		}
		writeAndUndo(t, path, randomStore(r), plan)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func FuzzWriteUndo(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(randomStore(rand.New(rand.NewPCG(seed, 4))), []byte{byte(seed), 0, 2, 1, 3, byte(seed), 0, 3})
	}
	f.Fuzz(func(t *testing.T, text string, plan []byte) {
		if len(text) > 1<<16 || len(plan) > 64 {
			t.Skip("nothing new comes of more")
		}
		writeAndUndo(t, filepath.Join(t.TempDir(), "memory.jsonl"), text, plan)
	})
}
