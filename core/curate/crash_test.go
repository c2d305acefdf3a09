package curate_test

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"winnow/core/atomicfile/crashdisk"
	"winnow/core/detect"
	"winnow/core/memory"
)

// isLong reports whether more is tried than what catches most mistakes.
func isLong() bool { return os.Getenv("WINNOW_LONG") != "" }

var campaign = flag.String("campaign", "hundredth", "how many states after a crash are tried: full, tenth or hundredth")

// crashCase is one kind of change: what was done before, and the change itself.
type crashCase struct {
	name   string
	before []memory.Order
	order  memory.Order
	gone   string // what nothing may contain afterwards
}

// copied is a password that one lesson labels as one and another does not. It is made of two parts,
// so that no scanner takes this file for a leak.
const copied = "Tr0ub4dor" + "&3x"

func crashCases() []crashCase {
	title, body := "other words", "by hand"
	ids := func(ids ...memory.ID) []memory.ID { return ids }
	del := memory.Order{Do: memory.Delete, IDs: ids("b")}
	edit := memory.Order{Do: memory.EditOne, IDs: ids("a"), Edit: memory.Edit{Title: &title}}
	again := memory.Order{Do: memory.EditOne, IDs: ids("q"), Edit: memory.Edit{Title: &title}}
	rules := []string{detect.Secrets("password: " + copied)[0].Rule}
	return []crashCase{
		{name: "delete", order: del},
		{name: "edit", before: []memory.Order{del}, order: edit},
		{name: "add", order: memory.Order{Do: memory.AddOne, Edit: memory.Edit{Title: &title, Body: &body}}},
		{name: "merge", order: memory.Order{Do: memory.Merge, IDs: ids("a", "b"), Edit: memory.Edit{Title: &title}}},
		{name: "prune", order: memory.Order{Do: memory.Prune, Rule: memory.Rule{Keep: 2}}},
		{name: "repair", order: memory.Order{Do: memory.Repair}},
		{
			name:   "redact",
			before: []memory.Order{edit, del},
			order:  memory.Order{Do: memory.Redact, IDs: ids("s")},
			gone:   token,
		},
		{
			name:   "redact copies",
			before: []memory.Order{again, del},
			order:  memory.Order{Do: memory.Redact, IDs: ids("p"), Only: rules},
			gone:   copied,
		},
		{name: "undo", before: []memory.Order{del, edit}, order: memory.Order{Do: memory.Undo}},
		{name: "redo", before: []memory.Order{del, edit, {Do: memory.Undo}}, order: memory.Order{Do: memory.Redo}},
		{name: "restore", before: []memory.Order{edit, del}, order: memory.Order{Do: memory.Restore, Entry: "1"}},
	}
}

// crashLines is a store with everything that the cases need. In a full campaign it is large enough
// to be torn in more ways.
func crashLines() string {
	text := line("a", 1) + line("b", 0) + "null\n" + secretLine("s", token)
	if *campaign == "full" {
		for i := range 60 {
			text += line(fmt.Sprint("more", i), 1)
		}
	}
	said := strings.Replace(line("p", 2), "what p taught", "the password: "+copied, 1)
	bare := strings.Replace(line("q", 2), "what q taught", "use "+copied+" there", 1)
	return text + said + bare + line("c", 3)
}

// prepared returns the files of a disk on which the orders were carried out.
func prepared(t *testing.T, path, state string, before []memory.Order) map[string]string {
	t.Helper()
	d := crashdisk.New(map[string]string{path: crashLines()})
	b := benchOn(t, d, path, state)
	for _, o := range before {
		b.order(o)
	}
	return d.Files()
}

func TestACrashLeavesTheOldOrTheNew(t *testing.T) {
	limit, least := 20, 30
	switch {
	case *campaign == "full":
		limit, least = 16_000, 10_000
	case *campaign == "tenth":
		limit, least = 1500, 1000
	case isLong():
		limit, least = 60, 100
	}
	for _, c := range crashCases() {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			path, state := filepath.Join(dir, "memory.jsonl"), filepath.Join(dir, "state")
			d := crashdisk.New(prepared(t, path, state, c.before))
			old := d.Files()[path]
			b := benchOn(t, d, path, state)
			was := len(b.history().Entries)
			b.order(c.order)
			d.Mark("done")
			now := d.Files()[path]
			if now == old {
				t.Fatal("nothing was changed")
			}
			n := 0
			for s := range d.Crashes(limit) {
				n++
				afterCrash(t, s, b, c, old, now, was)
			}
			if n < least {
				t.Errorf("%d states, want at least %d", n, least)
			}
			t.Logf("%d states", n)
		})
	}
}

// afterCrash checks one disk after a crash against what was promised.
func afterCrash(t *testing.T, s *crashdisk.Disk, b *bench, c crashCase, old, now string, was int) {
	t.Helper()
	if text := s.Files()[b.path]; text != old && text != now {
		t.Fatalf("the store holds %q", text)
	}
	looksWriteNothing(t, s, b)
	again := benchOn(t, s, b.path, b.state)
	if err := again.Recover(t.Context()); err != nil {
		t.Fatalf("recover: %v", err)
	}
	if err := again.Unfinished(t.Context()); err != nil {
		t.Fatalf("after recovery: %v", err)
	}
	text := s.Files()[b.path]
	if text != old && text != now || s.Reached("done") && text != now {
		t.Fatalf("after recovery (reported done: %v) the store holds %q", s.Reached("done"), text)
	}
	for _, path := range slices.Sorted(maps.Keys(s.Files())) {
		if strings.Contains(filepath.Base(path), ".winnow") {
			t.Fatalf("%s is left", path)
		}
	}
	h := again.history()
	want := was
	if text == now {
		want++
	}
	if len(h.Entries) != want {
		t.Fatalf("history has %d entries, want %d", len(h.Entries), want)
	}
	if c.gone != "" && s.Reached("done") {
		for path, content := range s.Files() {
			if strings.Contains(content, c.gone) {
				t.Fatalf("%s holds the secret", path)
			}
		}
	}
	if text == now && !h.Entries[0].Final {
		again.order(memory.Order{Do: memory.Undo, Entry: h.Entries[0].ID})
		if s.Files()[b.path] != old {
			t.Fatalf("undo leaves %q", s.Files()[b.path])
		}
		return
	}
	again.do(memory.Delete, "c")
	again.do(memory.Undo)
	if s.Files()[b.path] != text {
		t.Fatal("a change and its undo leave other bytes")
	}
	if _, is := s.Files()[h.Path+".new"]; is {
		t.Fatal("a half-written history is left")
	}
}

// looksWriteNothing looks at a store and its history after a crash. What it says of an unfinished change is not among the
// entries, and how far it came is true.
func looksWriteNothing(t *testing.T, s *crashdisk.Disk, b *bench) {
	t.Helper()
	before := s.Files()
	look := benchOn(t, s, b.path, b.state)
	h := look.history()
	unfinished := ""
	if err := look.Unfinished(t.Context()); err != nil {
		unfinished = err.Error()
	}
	if _, err := look.Pinned(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, _, _, err := look.Since(t.Context(), start); err != nil {
		t.Fatal(err)
	}
	if h.Unfinished != unfinished || unfinished != "" && !strings.Contains(unfinished, ", made for ") {
		t.Fatalf("the history says %q, the curator %q", h.Unfinished, unfinished)
	}
	if !maps.Equal(s.Files(), before) {
		t.Fatalf("looking leaves %q, was %q", s.Files(), before)
	}
}

func TestAFailureChangesNothing(t *testing.T) {
	errnos := []syscall.Errno{
		syscall.EIO,
		syscall.ENOSPC,
		syscall.EACCES,
		syscall.EROFS,
		syscall.EDQUOT,
		syscall.EINTR,
		syscall.EMFILE,
	}
	for i, c := range crashCases() {
		all := *campaign == "full" ||
			*campaign == "tenth" && (c.name == "delete" || c.name == "undo" || c.name == "redact")
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			path, state := filepath.Join(dir, "memory.jsonl"), filepath.Join(dir, "state")
			files := prepared(t, path, state, c.before)
			for op, more := 1, true; more; op++ {
				if i > 0 && op%3 != i%3 && !isLong() { // of all but the first kind, every third operation
					continue
				}
				some := errnos
				if !all { // each operation fails in one of the ways
					some = errnos[op%len(errnos):][:1]
				}
				for _, errno := range some {
					more = failing(t, files, path, state, c, op, errno)
				}
			}
		})
	}
}

// failing makes one operation of a change fail, and reports whether the change has that many.
func failing(t *testing.T, files map[string]string, path, state string, c crashCase, op int, errno syscall.Errno) bool {
	t.Helper()
	d := crashdisk.New(files)
	old := files[path]
	b := benchOn(t, d, path, state)
	p, err := b.Plan(t.Context(), c.order)
	if err != nil {
		t.Fatal(err)
	}
	planned := d.Ops()
	d.Fail(planned+op, crashdisk.Fault{Err: errno, Short: 3})
	_, err = b.Apply(t.Context(), p)
	if d.Ops() < planned+op {
		return false
	}
	at := d.Trace()[min(planned+op, len(d.Trace()))-1]
	text := d.Files()[path]
	if err != nil {
		var problem *memory.Problem
		if text != old || !errors.As(err, &problem) {
			t.Fatalf("%v at %q: error %v, the store holds %q", errno, at, err, text)
		}
	} else if text == old {
		t.Fatalf("%v at %q: reported done, and nothing was changed", errno, at)
	}
	for name := range d.Files() {
		if strings.Contains(filepath.Base(name), ".winnow") {
			t.Fatalf("%v at %q: %s is left (error %v)", errno, at, name, err)
		}
	}
	if again := d.Resyncs(); again != nil {
		t.Fatalf("%v at %q: synced again: %v", errno, at, again)
	}
	// Whatever comes next finds everything in order.
	for _, next := range []*bench{b, benchOn(t, d, path, state)} {
		text := d.Files()[path]
		next.do(memory.Delete, "c")
		next.do(memory.Undo)
		if d.Files()[path] != text || next.history().Damaged > 1 {
			t.Fatalf("%v at %q: a change and its undo leave %q", errno, at, d.Files()[path])
		}
	}
	return true
}
