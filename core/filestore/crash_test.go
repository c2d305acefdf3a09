package filestore_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"strings"
	"syscall"
	"testing"

	"winnow/core/atomicfile"
	"winnow/core/atomicfile/crashdisk"
	"winnow/core/filestore"
	"winnow/core/memory"
	"winnow/core/system"
)

// before is what stands in a store, and changes what is done to it.
func before() map[string]string {
	return map[string]string{
		"/s/a.md": "alpha", "/s/b.md": strings.Repeat("beta ", 300), "/s/c.md": "gamma", "/s/sub/d.md": "delta",
		"/s/left.md": "left alone",
	}
}

func changes() []memory.Change {
	return []memory.Change{
		{Do: memory.Deleting, ID: "c.md", Before: "gamma"},
		{Do: memory.Editing, ID: "a.md", Before: "alpha", After: "ALPHA and more"},
		{Do: memory.Deleting, ID: "sub/d.md", Before: "delta"},
		{Do: memory.Adding, ID: "new/e.md", After: "epsilon"},
		{Do: memory.Editing, ID: "b.md", Before: before()["/s/b.md"], After: "short"},
	}
}

// after is what stands there when all of them are made.
func after() map[string]string {
	return map[string]string{
		"/s/a.md":     "ALPHA and more",
		"/s/b.md":     "short",
		"/s/new/e.md": "epsilon",
		"/s/left.md":  "left alone",
	}
}

func writer(d atomicfile.Disk) filestore.Writer {
	return filestore.Writer{
		Disk: d, KeepDate: true,
		Path: func(id memory.ID, _ *memory.Change) (string, error) { return path.Join("/s", string(id)), nil },
		Decode: func(id memory.ID, stored string) memory.Record {
			return memory.Record{ID: id, Body: stored, Raw: stored}
		},
	}
}

// kept is what a history keeps of a change.
func kept(s system.Staged) system.Staged {
	var all []memory.Change
	for _, ch := range s.Changes {
		ch.Record, ch.Edited = memory.Record{}, memory.Record{}
		all = append(all, ch)
	}
	s.Changes = all
	return s
}

func TestCrashBetweenFilesIsFinishedOrTakenBack(t *testing.T) {
	for _, plain := range []bool{false, true} {
		d := crashdisk.New(before())
		d.NoExchange = plain
		var staged system.Staged
		_, err := writer(d).Write(t.Context(), system.Write{Changes: changes(), Stage: func(s system.Staged) error {
			staged = kept(s)
			d.Mark("staged")
			return nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		d.Mark("done")
		if got := d.Files(); !maps.Equal(got, after()) {
			t.Fatalf("the disk holds %q", got)
		}
		n, finished, undone := 0, 0, 0
		for s := range d.Crashes(150) {
			n++
			if !s.Reached("staged") {
				if !maps.Equal(s.Files(), before()) {
					t.Fatalf("before anything was staged: %q", s.Files())
				}
				continue
			}
			stands, err := writer(s).Recover(t.Context(), staged)
			want := before()
			if stands {
				want, finished = after(), finished+1
			} else {
				undone++
			}
			if err != nil || !maps.Equal(s.Files(), want) || s.Reached("done") && !stands {
				t.Fatalf("recovered %v, %v:\n%q", stands, err, s.Files())
			}
		}
		if n < 70 || finished < 30 || undone < 30 {
			t.Errorf("%d crashes were tried, %d finished and %d taken back", n, finished, undone)
		}
	}
}

// TestFailureAtAnyStepLeavesNothingHalfDone lets each operation fail once.
func TestFailureAtAnyStepLeavesNothingHalfDone(t *testing.T) {
	for _, cause := range []error{syscall.ENOSPC, syscall.EIO, syscall.EACCES} {
		for n := 1; ; n++ {
			d := crashdisk.New(before())
			d.Fail(n, crashdisk.Fault{Err: cause, Short: 3})
			var staged system.Staged
			w, err := writer(
				d,
			).Write(t.Context(), system.Write{
				Changes: changes(),
				Stage:   func(s system.Staged) error { staged = kept(s); return nil },
			})
			if d.Ops() < n {
				break
			}
			if err == nil {
				if !maps.Equal(d.Files(), after()) && len(w.Notes) == 0 {
					t.Fatalf("operation %d (%s): saved, and there is %q", n, d.Trace()[n-1], d.Files())
				}
				continue
			}
			if p := new(memory.Problem); !errors.As(err, &p) || p.Hint == "" {
				t.Fatalf("operation %d: %v (%T)", n, err, err)
			}
			settled(t, d, staged, fmt.Sprintf("operation %d (%s): %v", n, d.Trace()[n-1], err))
		}
	}
}

// settled fails unless the disk is as before, or is after what curate does then.
func settled(t *testing.T, d *crashdisk.Disk, staged system.Staged, what string) {
	t.Helper()
	if maps.Equal(d.Files(), before()) {
		return
	}
	stands, err := writer(d).Recover(t.Context(), staged)
	want := before()
	if stands {
		want = after()
	}
	if err != nil || !maps.Equal(d.Files(), want) {
		t.Fatalf("%s; recovered %v, %v: %q", what, stands, err, d.Files())
	}
}

// TestFullDiskIsSaidAndChangesNothing lets every write fail from some point on, as a
// disk does that is full: names can still be given and taken.
func TestFullDiskIsSaidAndChangesNothing(t *testing.T) {
	failed := 0
	for n := 1; ; n++ {
		d := crashdisk.New(before())
		d.FailEvery("write", n, syscall.ENOSPC)
		_, err := writer(d).Write(t.Context(), system.Write{Changes: changes()})
		if err == nil { // no write comes after operation n
			if !maps.Equal(d.Files(), after()) {
				t.Fatalf("without an error from operation %d on: %q", n, d.Files())
			}
			break
		}
		failed++
		var p *memory.Problem
		if !errors.As(err, &p) || p.Code != "no-space" || p.Hint == "" || !maps.Equal(d.Files(), before()) {
			t.Fatalf("from operation %d on: %v, %q", n, err, d.Files())
		}
	}
	if least := len(changes()); failed < least {
		t.Errorf("only %d points failed, want at least one for each of %d changes", failed, least)
	}
}

// TestAnotherWriterBetweenTheLookAndTheReplacement lets another writer save each of the
// files right before each operation.
func TestAnotherWriterBetweenTheLookAndTheReplacement(t *testing.T) {
	for _, file := range []string{"/s/a.md", "/s/b.md", "/s/c.md", "/s/sub/d.md", "/s/new/e.md"} {
		for n := 1; ; n++ {
			d := crashdisk.New(before())
			d.Before(func(op crashdisk.Op) {
				if op.N == n {
					d.Put(file, "theirs")
				}
			})
			w, err := writer(d).Write(t.Context(), system.Write{Changes: changes()})
			if d.Ops() < n {
				break
			}
			got := d.Files()
			want := before()
			if err == nil {
				want = after()
			} else if !errors.Is(err, memory.ErrConflict) || !refused(w.Fates) {
				t.Fatalf("%s before operation %d (%s): %v, %+v", file, n, d.Trace()[n-1], err, w.Fates)
			}
			if err == nil && got[file] == "theirs" || err != nil {
				want[file] = "theirs"
			}
			if !maps.Equal(got, want) {
				t.Fatalf("%s before operation %d (%s), %v:\n%q\nwant\n%q", file, n, d.Trace()[n-1], err, got, want)
			}
		}
	}
}

func refused(fates []memory.Applied) bool {
	for _, f := range fates {
		if f.Fate == memory.Refused && f.Why != "" {
			return true
		}
	}
	return false
}

// TestWhatAnotherWriterAddedIsMerged has a system that merges by line.
func TestWhatAnotherWriterAddedIsMerged(t *testing.T) {
	const was, mine = "one\ntwo\n", "ONE\ntwo\n"
	tried := 0
	for n := 1; ; n++ {
		d := crashdisk.New(map[string]string{"/s/a.md": was})
		d.Before(func(op crashdisk.Op) {
			if op.N == n {
				d.Put("/s/a.md", was+"theirs\n")
			}
		})
		w := writer(d)
		w.Reconcile = func(_ memory.ID, _ memory.Forms, theirs string) (string, system.Relation) {
			return strings.Replace(theirs, "one\n", "ONE\n", 1), system.Reverted
		}
		var staged []system.Staged
		written, err := w.Write(t.Context(), system.Write{
			Changes: []memory.Change{{Do: memory.Editing, ID: "a.md", Before: was, After: mine}},
			Stage:   func(s system.Staged) error { staged = append(staged, kept(s)); return nil },
		})
		if d.Ops() < n {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch got := d.Files()["/s/a.md"]; got {
		case mine + "theirs\n":
			tried++
			last := staged[len(staged)-1].Changes[0]
			if last.Before != was+"theirs\n" || last.After != got || written.Fates[0].Fate != memory.Merged {
				t.Fatalf("before operation %d: staged %+v, fates %+v", n, last, written.Fates)
			}
		case was + "theirs\n": // saved right after
		default:
			t.Fatalf("before operation %d (%s): %q", n, d.Trace()[n-1], got)
		}
		if len(d.Files()) != 1 {
			t.Fatalf("before operation %d: %q", n, d.Files())
		}
	}
	if tried < 3 {
		t.Errorf("merged %d times", tried)
	}
}

// TestCrashLosesNothingOfAnother tries every crash of an edit into which another writer
// came.
func TestCrashLosesNothingOfAnother(t *testing.T) {
	for _, op := range []string{"exchange", "create"} {
		d := crashdisk.New(map[string]string{"/s/a.md": "was", "/s/c.md": "gone"})
		var staged system.Staged
		met := false
		d.Before(func(o crashdisk.Op) {
			if o.Do == op && !met {
				met = true
				d.Put("/s/a.md", "theirs")
				d.Mark("met")
			}
		})
		_, err := writer(d).Write(t.Context(), system.Write{
			Changes: []memory.Change{
				{Do: memory.Editing, ID: "a.md", Before: "was", After: "mine"},
				{Do: memory.Deleting, ID: "c.md", Before: "gone"},
			},
			Stage: func(s system.Staged) error { staged = kept(s); d.Mark("staged"); return nil },
		})
		if !errors.Is(err, memory.ErrConflict) {
			t.Fatal(err)
		}
		for s := range d.Crashes(300) {
			if !s.Reached("staged") {
				continue
			}
			durable := false // what they saved may be lost itself, until its folder is synced
			for _, text := range s.Files() {
				durable = durable || text == "theirs"
			}
			_, err := writer(s).Recover(t.Context(), staged)
			got := s.Files()
			if err != nil || durable && got["/s/a.md"] != "theirs" || len(got) > 2 {
				t.Fatalf("recovered %v: %q", err, got)
			}
		}
	}
}

func TestCancelledWriteChangesNothing(t *testing.T) {
	d := crashdisk.New(before())
	ctx, cancel := context.WithCancel(t.Context())
	_, err := writer(
		d,
	).Write(ctx, system.Write{Changes: changes(), Stage: func(system.Staged) error { cancel(); return nil }})
	if !errors.Is(err, context.Canceled) || !maps.Equal(d.Files(), before()) {
		t.Errorf("%v: %q", err, d.Files())
	}
}

// TestCrashWhileItIsTakenBackLosesNothing has an operation that fails, and then a loss of
// power at any moment.
func TestCrashWhileItIsTakenBackLosesNothing(t *testing.T) {
	failed := 0
	for n := 20; ; n += 9 {
		d := crashdisk.New(before())
		d.Fail(n, crashdisk.Fault{Err: syscall.EIO})
		var staged system.Staged
		_, err := writer(d).Write(t.Context(), system.Write{Changes: changes(), Stage: func(s system.Staged) error {
			staged = kept(s)
			d.Mark("staged")
			return nil
		}})
		if d.Ops() < n {
			break
		}
		if err != nil {
			failed++
		}
		for s := range d.Crashes(12) {
			if !s.Reached("staged") {
				continue
			}
			stands, err := writer(s).Recover(t.Context(), staged)
			want := before()
			if stands {
				want = after()
			}
			if err != nil || !maps.Equal(s.Files(), want) {
				t.Fatalf("operation %d (%s): recovered %v, %v: %q", n, d.Trace()[n-1], stands, err, s.Files())
			}
		}
	}
	if failed < 5 {
		t.Errorf("%d writes failed", failed)
	}
}

// TestRedactionIsRecoveredThoughNoCopyIsKept has a history that does not know what stood
// there.
func TestRedactionIsRecoveredThoughNoCopyIsKept(t *testing.T) {
	was := map[string]string{"/s/a.md": "key=secret", "/s/b.md": "also secret", "/s/c.md": "no"}
	now := map[string]string{"/s/a.md": "key=[REDACTED]", "/s/b.md": "also [REDACTED]", "/s/c.md": "no"}
	d := crashdisk.New(was)
	var staged system.Staged
	_, err := writer(d).Write(t.Context(), system.Write{
		Changes: []memory.Change{
			{Do: memory.Editing, ID: "a.md", Before: "key=secret", After: "key=[REDACTED]"},
			{Do: memory.Editing, ID: "b.md", Before: "also secret", After: "also [REDACTED]"},
		},
		Stage: func(s system.Staged) error {
			staged = kept(s)
			for i := range staged.Changes {
				staged.Changes[i].Before = strings.ReplaceAll(staged.Changes[i].Before, "secret", "[REDACTED]")
			}
			d.Mark("staged")
			return nil
		},
	})
	if err != nil || !maps.Equal(d.Files(), now) {
		t.Fatalf("%v, %q", err, d.Files())
	}
	for s := range d.Crashes(200) {
		if !s.Reached("staged") {
			continue
		}
		stands, err := writer(s).Recover(t.Context(), staged)
		want := was
		if stands {
			want = now
		}
		if err != nil || !maps.Equal(s.Files(), want) {
			t.Fatalf("recovered %v, %v: %q", stands, err, s.Files())
		}
	}
}
