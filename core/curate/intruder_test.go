package curate_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/core/atomicfile/crashdisk"
	"winnow/core/memory"
)

// TestACrashWhileAnotherWriterSavesLosesNothing has another writer save right before the exchange,
// followed by a crash. What that writer saved may be lost only if nobody synced it before the
// crash, and never if the change was reported as done.
func TestACrashWhileAnotherWriterSavesLosesNothing(t *testing.T) {
	limit, least := 10, 20
	switch {
	case *campaign == "full":
		limit, least = 6000, 10_000
	case isLong():
		limit, least = 60, 100
	}
	for _, c := range crashCases() {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			path, state := filepath.Join(dir, "memory.jsonl"), filepath.Join(dir, "state")
			files := prepared(t, path, state, c.before)
			old := files[path]
			d := crashdisk.New(files)
			theirs := old + line("theirs", 0)
			d.Before(func(op crashdisk.Op) {
				if op.Do == "exchange" {
					d.Before(nil)
					d.Put(path, theirs)
				}
			})
			b := benchOn(t, d, path, state)
			was := len(b.history().Entries)
			b.order(c.order)
			d.Mark("done")
			now := d.Files()[path]
			if !strings.Contains(now, line("theirs", 0)) {
				t.Fatalf("the other writer's lesson is lost without a crash: %q", now)
			}
			v := versions{old: sortedLines(old), theirs: sortedLines(theirs), both: sortedLines(now)}
			v.mine = sortedLines(strings.Replace(now, line("theirs", 0), "", 1))
			n := 0
			for s := range d.Crashes(limit) {
				n++
				afterBoth(t, s, b, c, v, was)
			}
			if t.Logf("%d states", n); n < least {
				t.Errorf("%d states, want at least %d", n, least)
			}
		})
	}
}

// versions are the possible lines of a store that two write at once.
type versions struct{ old, theirs, mine, both []string }

func sortedLines(text string) []string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	slices.Sort(lines)
	return lines
}

// afterBoth checks one disk after a crash against what was promised.
func afterBoth(t *testing.T, s *crashdisk.Disk, b *bench, c crashCase, v versions, was int) {
	t.Helper()
	again := benchOn(t, s, b.path, b.state)
	if err := again.Recover(t.Context()); err != nil {
		t.Fatalf("recover: %v", err)
	}
	text := sortedLines(s.Files()[b.path])
	stands := slices.Equal(text, v.mine) || slices.Equal(text, v.both)
	switch {
	case s.Reached("done") && !slices.Equal(text, v.both):
		t.Fatalf("it was reported done, and the store holds %q", text)
	case !stands && !slices.Equal(text, v.old) && !slices.Equal(text, v.theirs):
		t.Fatalf("the store holds %q", text)
	}
	for _, path := range slices.Sorted(maps.Keys(s.Files())) {
		if strings.Contains(filepath.Base(path), ".winnow") {
			t.Fatalf("%s is left", path)
		}
	}
	h := again.history()
	if (len(h.Entries) == was+1) != stands {
		t.Fatalf("the change stands: %v, and history has %d entries of %d", stands, len(h.Entries), was)
	}
	if c.gone != "" && stands && strings.Contains(s.Files()[h.Path], c.gone) {
		t.Fatal("the history holds the secret")
	}
	if !stands || h.Entries[0].Final {
		return
	}
	again.order(memory.Order{Do: memory.Undo, Entry: h.Entries[0].ID})
	want := v.old
	if slices.Equal(text, v.both) {
		want = v.theirs
	}
	if got := sortedLines(s.Files()[b.path]); !slices.Equal(got, want) {
		t.Fatalf("undo leaves %q, want %q", got, want)
	}
}
