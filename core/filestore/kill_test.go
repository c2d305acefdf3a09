package filestore_test

import (
	"maps"
	"strings"
	"syscall"
	"testing"

	"winnow/core/atomicfile/crashdisk"
	"winnow/core/system"
)

// TestAKillAtAnyCallIsFinishedOrTakenBack ends a plan over several files at each operation. Before it is recovered an
// agent may save one of them: what it saved stays, and the others are all as before or all as after.
func TestAKillAtAnyCallIsFinishedOrTakenBack(t *testing.T) {
	for _, theirs := range []string{"", "/s/a.md", "/s/b.md", "/s/c.md", "/s/sub/d.md", "/s/new/e.md"} {
		finished, undone := 0, 0
		for n := 1; ; n++ {
			d := crashdisk.New(before())
			d.FailFrom(n, syscall.EIO)
			var staged system.Staged
			begun := false
			_, err := writer(d).Write(t.Context(), system.Write{Changes: changes(), Stage: func(s system.Staged) error {
				staged, begun = kept(s), true
				return nil
			}})
			if d.Ops() < n {
				break
			}
			d.FailFrom(0, nil)
			if theirs != "" {
				d.Put(theirs, "theirs")
			}
			want, made := before(), false
			if begun {
				var recErr error
				if made, recErr = writer(d).Recover(t.Context(), staged); recErr != nil {
					t.Fatalf("dead at %s: %v", d.Trace()[n-1], recErr)
				}
			}
			if made {
				want, finished = after(), finished+1
			} else {
				undone++
			}
			if theirs != "" {
				want[theirs] = "theirs"
			}
			if got := d.Files(); !maps.Equal(got, want) || err == nil && !made {
				t.Fatalf("%s saved, dead at %s, recovered %v:\n%q\nwant\n%q", theirs, d.Trace()[n-1], made, got, want)
			}
		}
		if finished < 10 || undone < 10 {
			t.Errorf("%s saved: %d finished and %d taken back", theirs, finished, undone)
		}
	}
}

// TestFilesOfAnotherPlanStayAsTheyAre has files beside a store that other changes left, also of an earlier Winnow.
func TestFilesOfAnotherPlanStayAsTheyAre(t *testing.T) {
	const other = "/s/.winnow-ffeeddccbbaa9988"
	beside := map[string]string{
		other + "-1.tmp": "alpha", other + "-2.tmp.2": "beta", other + "-3.tmp.part": "gam", other + "-4.tmp.in+": "x",
		"/s/.winnow-journal": "begin 7", "/s/a.md.lock": "",
	}
	was := before()
	maps.Copy(was, beside)
	d := crashdisk.New(was)
	var staged system.Staged
	_, err := writer(d).Write(t.Context(), system.Write{Changes: changes(), Stage: func(s system.Staged) error {
		staged = kept(s)
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	if made, err := writer(d).Recover(t.Context(), staged); err != nil || !made {
		t.Errorf("recovered %v, %v", made, err)
	}
	got := d.Files()
	maps.DeleteFunc(got, func(path, _ string) bool {
		return !strings.Contains(path, "/.winnow") &&
			path != "/s/a.md.lock"
	})
	if !maps.Equal(got, beside) {
		t.Errorf("beside it there is %q", got)
	}
}
