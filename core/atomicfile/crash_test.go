package atomicfile_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"winnow/core/atomicfile"
	"winnow/core/atomicfile/crashdisk"
	"winnow/core/memory"
)

const (
	store = "/s/store"
	temp  = ".winnow-0011223344556677.tmp"
)

// staged is what a history knows of a replacement.
type staged struct{ temp, from, to string }

// addLine returns an update that adds a line and logs what it stages.
func addLine(line string, log *[]staged) atomicfile.Update {
	return atomicfile.Update{
		Temp: temp,
		Next: func(now []byte) ([]byte, error) {
			if bytes.Contains(now, []byte(line)) {
				return nil, atomicfile.ErrUnchanged
			}
			return append(slices.Clone(now), line+"\n"...), nil
		},
		Adopt: adopt,
		Stage: func(temp string, from, to []byte) error {
			*log = append(*log, staged{temp, atomicfile.Digest(from), atomicfile.Digest(to)})
			return nil
		},
	}
}

// adopt adds the lines that found has more than base.
func adopt(mine, base, found []byte) ([]byte, error) {
	out := slices.Clone(mine)
	for line := range bytes.Lines(found) {
		if !bytes.Contains(base, line) && !bytes.Contains(out, line) {
			out = append(out, line...)
		}
	}
	return out, nil
}

// leftovers returns the files of a disk beside the store.
func leftovers(d *crashdisk.Disk) (names []string) {
	for p := range d.Files() {
		if p != store {
			names = append(names, p)
		}
	}
	return names
}

func code(err error) string {
	var p *memory.Problem
	if errors.As(err, &p) {
		return p.Code
	}
	return fmt.Sprint(err)
}

// TestCrashLeavesOldOrNew tries crashes of a replacement, with WINNOW_LONG set ten times as many, and recovers
// from each.
func TestCrashLeavesOldOrNew(t *testing.T) {
	limit, least := 300, 150
	if os.Getenv("WINNOW_LONG") != "" {
		limit, least = 6000, 2000
	}
	was := strings.Repeat("old line\n", 4000)
	now := was + "mine\n"
	d := crashdisk.New(map[string]string{store: was})
	var log []staged
	u := addLine("mine", &log)
	stage := u.Stage
	u.Stage = func(temp string, from, to []byte) error {
		d.Mark("staged")
		return stage(temp, from, to)
	}
	if _, err := atomicfile.Replace(t.Context(), d, store, u); err != nil {
		t.Fatal(err)
	}
	d.Mark("done")
	n := 0
	for s := range d.Crashes(limit) {
		n++
		got := s.Files()[store]
		if got != was && got != now || s.Reached("done") && got != now {
			t.Fatalf("a crash leaves %d bytes", len(got))
		}
		if !s.Reached("staged") {
			if l := leftovers(s); len(l) > 0 {
				t.Fatalf("%q before anything was staged", l)
			}
			continue
		}
		stands, err := atomicfile.Recover(
			t.Context(),
			s,
			store,
			log[0].temp,
			log[0].from,
			log[0].to,
			addLine("mine", &log),
		)
		if err != nil || stands != (got == now) || s.Files()[store] != got {
			t.Fatalf("recovered %v, %v; the file has %d bytes", stands, err, len(got))
		}
		if l := leftovers(s); len(l) > 0 {
			t.Fatalf("%q left after recovery", l)
		}
	}
	if n < least {
		t.Errorf("%d crashes were tried, want at least %d", n, least)
	}
}

// TestCrashLosesNothingOfOthers tries every crash of a replacement into which other
// writers came three times.
func TestCrashLosesNothingOfOthers(t *testing.T) {
	d := crashdisk.New(map[string]string{store: "a\n"})
	stagedAt := intrude(d, "exchange", "a\nb\n", "a\nc\n", "a\nd\n")
	var log []staged
	u := addLine("mine", &log)
	stage := u.Stage
	u.Stage = func(temp string, from, to []byte) error {
		d.Mark(fmt.Sprint("staged", len(log)))
		return stage(temp, from, to)
	}
	r, err := atomicfile.Replace(t.Context(), d, store, u)
	if err != nil || r.Foreign != 3 || r.Rounds != 4 {
		t.Fatalf("report %+v, error %v", r, err)
	}
	d.Mark("done")
	for _, line := range []string{"a", "b", "c", "d", "mine"} {
		if !strings.Contains(d.Files()[store], line+"\n") {
			t.Errorf("%q is lost", line)
		}
	}
	if l := leftovers(d); len(l) > 0 {
		t.Errorf("%q left", l)
	}
	n := 0
	for s := range d.Crashes(2000) {
		n++
		checkRecovered(t, s, log, stagedAt())
	}
	if n < 100 {
		t.Errorf("%d crashes were tried, want at least 100", n)
	}
}

// intrude lets another writer save its versions, one before each operation of that
// kind, each marked.
func intrude(d *crashdisk.Disk, before string, versions ...string) func() []string {
	var marks []string
	d.Before(func(op crashdisk.Op) {
		if op.Do == before && len(marks) < len(versions) {
			text := versions[len(marks)]
			marks = append(marks, text)
			d.Put(store, text)
			d.Mark(text)
		}
	})
	return func() []string { return marks }
}

// checkRecovered recovers a disk after a crash. The other writer did not sync the
// folder, so that what was never displaced may be lost: but the names that are there
// after the crash hold all that must be there after recovery.
func checkRecovered(t *testing.T, s *crashdisk.Disk, log []staged, versions []string) {
	t.Helper()
	last := -1
	for i := range log {
		if s.Reached(fmt.Sprint("staged", i)) {
			last = i
		}
	}
	if last < 0 {
		return
	}
	want := map[string]bool{}
	for p, text := range s.Files() {
		if strings.HasSuffix(p, ".part") {
			continue
		}
		for _, line := range strings.Fields(text) {
			want[line] = line != "mine"
		}
	}
	before := s.Files()
	ignored := []staged{}
	stands, err := atomicfile.Recover(
		t.Context(),
		s,
		store,
		log[last].temp,
		log[last].from,
		log[last].to,
		addLine("mine", &ignored),
	)
	if err != nil {
		t.Fatalf("%v: %v", before, err)
	}
	got := s.Files()[store]
	for line, must := range want {
		if must && !strings.Contains(got, line+"\n") {
			t.Fatalf("recovery of %q loses %q: %q", before, line, got)
		}
	}
	if stands != strings.Contains(got, "mine\n") || s.Reached("done") && !stands {
		t.Fatalf("recovery of %q says %v and leaves %q", before, stands, got)
	}
	if l := leftovers(s); len(l) > 0 {
		t.Fatalf("recovery of %q leaves %q", before, l)
	}
}

// TestCrashWhileRecovering tries every crash of a recovery.
func TestCrashWhileRecovering(t *testing.T) {
	text := map[string]string{
		store:                    "a\nmine\n",
		"/s/" + temp:             "a\nb\n",
		"/s/" + temp + ".2":      "a\nc\n",
		"/s/" + temp + ".3.part": "a\nb",
	}
	d := crashdisk.New(text)
	log := []staged{{temp + ".3", atomicfile.Digest([]byte("a\nc\n")), atomicfile.Digest([]byte("a\nb\nc\nmine\n"))}}
	u := addLine("mine", new([]staged))
	if _, err := atomicfile.Recover(t.Context(), d, store, log[0].temp, log[0].from, log[0].to, u); err != nil {
		t.Fatal(err)
	}
	for s := range d.Crashes(2000) {
		before := s.Files()
		stands, err := atomicfile.Recover(t.Context(), s, store, log[0].temp, log[0].from, log[0].to, u)
		got := strings.Fields(s.Files()[store])
		slices.Sort(got)
		if err != nil || !stands || !slices.Equal(got, []string{"a", "b", "c", "mine"}) || len(s.Files()) != 1 {
			t.Fatalf("recovery of %q: %v, %v, %q", before, stands, err, s.Files())
		}
	}
}

// errnos are the failures that are tried at every operation, with their codes.
var errnos = map[syscall.Errno]string{
	syscall.EIO: "io-error", syscall.ENOSPC: "no-space", syscall.EACCES: "permission", syscall.EROFS: "read-only-fs",
	syscall.EDQUOT: "quota", syscall.EINTR: "interrupted", syscall.EMFILE: "too-many-open",
}

// scenes are replacements of every kind.
var scenes = []struct {
	name   string
	files  map[string]string
	theirs []string
	plain  bool
}{
	{name: "a file", files: map[string]string{store: "a\n"}},
	{name: "no file", files: map[string]string{"/s/": ""}},
	{name: "no folder", files: map[string]string{"/": ""}},
	{name: "another writer", files: map[string]string{store: "a\n"}, theirs: []string{"a\nb\n"}},
	{name: "two other writers", files: map[string]string{store: "a\n"}, theirs: []string{"a\nb\n", "a\nc\n"}},
	{name: "no exchange", files: map[string]string{store: "a\n"}, plain: true},
	{name: "no exchange, no file", files: map[string]string{"/s/": ""}, plain: true},
}

// TestFailureAtEveryOperation fails each operation of each kind of replacement once.
func TestFailureAtEveryOperation(t *testing.T) {
	for _, scene := range scenes {
		t.Run(scene.name, func(t *testing.T) {
			for errno, want := range errnos {
				for n := 1; ; n++ {
					d := crashdisk.New(scene.files)
					d.NoExchange = scene.plain
					came := intrude(d, "exchange", scene.theirs...)
					d.Fail(n, crashdisk.Fault{Err: errno, Short: 3})
					r, err := atomicfile.Replace(t.Context(), d, store, addLine("mine", new([]staged)))
					if d.Ops() < n {
						break
					}
					if op := d.Trace()[n-1]; strings.Contains(op, "sync folder") {
						takeLeft(t, d, r, addLine("mine", new([]staged)))
					}
					checkFailed(t, d, scene.files[store], came(), err, want)
					if t.Failed() {
						t.Fatalf("%v at operation %d of\n%s", errno, n, strings.Join(d.Trace(), "\n"))
					}
				}
			}
		})
	}
}

// checkFailed checks what a failure left: all or nothing of ours, all of others, no
// temporary file, and no second sync.
func checkFailed(t *testing.T, d *crashdisk.Disk, was string, theirs []string, err error, want string) {
	t.Helper()
	got := d.Files()[store]
	mine := strings.Contains(got, "mine\n")
	if mine != (err == nil) {
		t.Errorf("error %v, and the file holds %q", err, got)
	}
	if err != nil && code(err) != want {
		t.Errorf("error %v has the code %s, want %s", err, code(err), want)
	}
	if err != nil && len(theirs) == 0 && got != was {
		t.Errorf("the file holds %q, want %q", got, was)
	}
	for _, line := range strings.Fields(was + strings.Join(theirs, "")) {
		if !strings.Contains(got, line+"\n") {
			t.Errorf("%q is lost: the file holds %q, and there is %q", line, got, d.Files())
		}
	}
	if l := leftovers(d); len(l) > 0 {
		t.Errorf("%q left after %v", l, err)
	}
	if r := d.Resyncs(); len(r) > 0 {
		t.Errorf("%q synced again", r)
	}
}

// takeLeft recovers what is left where a folder could not be synced: there, versions of
// others are kept until a sync works.
func takeLeft(t *testing.T, d *crashdisk.Disk, r atomicfile.Report, u atomicfile.Update) {
	t.Helper()
	if l := leftovers(d); len(l) != len(r.Left) {
		t.Errorf("%q left, and %q reported", l, r.Left)
	}
	if len(r.Left) == 0 {
		return
	}
	u.Next = func([]byte) ([]byte, error) { return nil, memory.ErrConflict }
	if _, err := atomicfile.Recover(t.Context(), d, store, r.Left[len(r.Left)-1], "", "", u); err != nil {
		t.Error(err)
	}
}

// TestDeathAtEveryOperation lets nothing work from one operation on, as when the
// process is killed there, and recovers.
func TestDeathAtEveryOperation(t *testing.T) {
	for _, scene := range scenes {
		t.Run(scene.name, func(t *testing.T) {
			for n := 1; ; n++ {
				d := crashdisk.New(scene.files)
				d.NoExchange = scene.plain
				came := intrude(d, "exchange", scene.theirs...)
				d.FailFrom(n, syscall.EIO)
				var log []staged
				_, err := atomicfile.Replace(t.Context(), d, store, addLine("mine", &log))
				if err == nil && d.Ops() < n {
					break
				}
				d.FailFrom(0, nil)
				d.Before(nil)
				checkDeath(t, d, log, err == nil, scene.files[store]+strings.Join(came(), ""))
				if t.Failed() {
					t.Fatalf("dead at operation %d of\n%s", n, strings.Join(d.Trace(), "\n"))
				}
			}
		})
	}
}

// checkDeath recovers, and looks for all lines.
func checkDeath(t *testing.T, d *crashdisk.Disk, log []staged, done bool, lines string) {
	t.Helper()
	before := d.Files()
	if len(log) == 0 {
		if l := leftovers(d); len(l) > 0 {
			t.Errorf("%q before anything was staged", l)
		}
		return
	}
	last := log[len(log)-1]
	stands, err := atomicfile.Recover(
		t.Context(),
		d,
		store,
		last.temp,
		last.from,
		last.to,
		addLine("mine", new([]staged)),
	)
	got := d.Files()[store]
	if err != nil || stands != strings.Contains(got, "mine\n") || done && !stands {
		t.Errorf("recovery of %q: %v, %v, %q", before, stands, err, got)
	}
	for _, line := range strings.Fields(lines) {
		if strings.Count(got, line+"\n") != 1 {
			t.Errorf("recovery of %q: %q has %q not once", before, got, line)
		}
	}
	if l := leftovers(d); len(l) > 0 {
		t.Errorf("recovery of %q leaves %q", before, l)
	}
}

// TestDisplacedLinkGoesBack exchanges for a link that came in the last instant.
func TestDisplacedLinkGoesBack(t *testing.T) {
	d := crashdisk.New(map[string]string{store: "a\n", "/s/outside": "not ours\n"})
	intrude(d, "exchange", "-> outside")
	_, err := atomicfile.Replace(t.Context(), d, store, addLine("mine", new([]staged)))
	want := map[string]string{store: "-> outside", "/s/outside": "not ours\n"}
	if got := d.Files(); code(err) != "is-link" || !maps.Equal(got, want) {
		t.Errorf("%v, %q", err, got)
	}
}

// TestConflictPutsTheirsBack refuses what another writer brought in the last instant.
func TestConflictPutsTheirsBack(t *testing.T) {
	for _, versions := range [][]string{{"a\nno\n"}, {"a\nb\n", "a\nno\n"}} {
		d := crashdisk.New(map[string]string{store: "a\n"})
		intrude(d, "exchange", versions...)
		u := addLine("mine", new([]staged))
		next := u.Next
		u.Next = func(now []byte) ([]byte, error) {
			if bytes.Contains(now, []byte("no\n")) {
				return nil, memory.ErrConflict
			}
			return next(now)
		}
		r, err := atomicfile.Replace(t.Context(), d, store, u)
		got := d.Files()[store]
		if err != memory.ErrConflict || len(r.Left) > 0 || strings.Contains(got, "mine") || len(d.Files()) != 1 {
			t.Errorf("%v, %+v, %q", err, r, d.Files())
		}
		for _, line := range strings.Fields(strings.Join(versions, "")) {
			if !strings.Contains(got, line) {
				t.Errorf("%q is lost: %q", line, got)
			}
		}
	}
}

// TestRecoverJudges tells what a crash left by its digests.
func TestRecoverJudges(t *testing.T) {
	const was, now, theirs = "a\n", "a\nmine\n", "a\nb\n"
	file, part := "/s/"+temp, "/s/"+temp+".part"
	for _, c := range []struct {
		name   string
		files  map[string]string
		stands bool
		want   string
	}{
		{"never whole", map[string]string{store: was, part: "a\nmi"}, false, was},
		{"not exchanged", map[string]string{store: was, file: now}, false, was},
		{"exchanged", map[string]string{store: now, file: was}, true, now},
		{"exchanged and replaced since", map[string]string{store: "c\n", file: was}, true, "c\n"},
		{"done", map[string]string{store: now}, true, now},
		{"nothing done", map[string]string{store: was}, false, was},
		{"done and added to since", map[string]string{store: now + "b\n"}, true, now + "b\n"},
		{"displaced theirs", map[string]string{store: now, file: theirs}, true, now + "b\n"},
		{"displaced theirs, replaced since", map[string]string{store: "c\n", file: theirs}, true, "c\nmine\na\nb\n"},
		{"no file", map[string]string{"/s/": ""}, false, ""},
		{"no folder", map[string]string{"/": ""}, false, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := crashdisk.New(c.files)
			stands, err := atomicfile.Recover(
				t.Context(),
				d,
				store,
				temp,
				atomicfile.Digest([]byte(was)),
				atomicfile.Digest([]byte(now)),
				addLine("mine", new([]staged)),
			)
			if got := d.Files()[store]; err != nil || stands != c.stands || got != c.want || len(leftovers(d)) > 0 {
				t.Errorf("%v, %v, %q; want %v and %q", stands, err, d.Files(), c.stands, c.want)
			}
		})
	}
	d := crashdisk.New(map[string]string{store: was, "/s/notes": "mine"})
	if _, err := atomicfile.Recover(t.Context(), d, store, "notes", "", "",
		addLine("mine", new([]staged))); err == nil ||
		len(d.Files()) != 2 {
		t.Errorf("a name that is not of a temporary file: %v, %q", err, d.Files())
	}
}

// TestPlainDiskSaysWhatItPromises replaces without an exchange.
func TestPlainDiskSaysWhatItPromises(t *testing.T) {
	d := crashdisk.New(map[string]string{store: "a\n"})
	d.NoExchange = true
	intrude(d, "stat", "a\nb\n")
	r, err := atomicfile.Replace(t.Context(), d, store, addLine("mine", new([]staged)))
	if err != nil || len(r.Notes) != 1 || !maps.Equal(d.Files(), map[string]string{store: "a\nb\nmine\n"}) {
		t.Errorf("%+v, %v, %q", r, err, d.Files())
	}
}

// TestOvertakenIsReported is what another writer does right after a save.
func TestOvertakenIsReported(t *testing.T) {
	d := crashdisk.New(map[string]string{store: "a\n"})
	intrude(d, "sync folder", "a\nb\n")
	r, err := atomicfile.Replace(t.Context(), d, store, addLine("mine", new([]staged)))
	if err != nil || !r.Overtaken || d.Files()[store] != "a\nb\n" {
		t.Errorf("%+v, %v, %q", r, err, d.Files())
	}
}
