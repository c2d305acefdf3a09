package sync

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// exchange sends one file whatever others sent meanwhile, as often as it takes.
func exchange(ctx context.Context, p remotePlace, path string) (err error) {
	unlock, err := lockShare(ctx, p.State, p.Key, nil)
	if err != nil {
		return err
	}
	defer unlock()
	s, err := openRemote(ctx, p)
	if err != nil {
		return err
	}
	for range 5 {
		tip, _, err := s.fetchChecked(ctx, false)
		if err != nil && codeOf(err) != codeNoBranch {
			return err
		}
		if _, err = contentsOf(ctx, s, tip, readLimits{}); err != nil && tip != "" {
			return err
		}
		id, err := s.commit(ctx, tip, map[string][]byte{path: []byte(path)}, "sync")
		if err != nil {
			return err
		}
		if err = s.push(ctx, id, tip); err == nil {
			return s.accept(ctx, id)
		} else if !errors.Is(err, errOvertaken) {
			return err
		}
	}
	return errors.New("overtaken five times")
}

// TestChild is the process that is killed, see TestKilledSyncIsFinishedByTheNext.
func TestChild(t *testing.T) {
	state := os.Getenv("WINNOW_TEST_STATE")
	if state == "" {
		t.Skip("does not apply: this is run by another test")
	}
	p := remotePlace{State: state, Key: "team", URL: os.Getenv("WINNOW_TEST_URL"), Branch: branch}
	if err := exchange(t.Context(), p, "lessons/child.json"); err != nil {
		t.Fatal(err)
	}
}

// TestKilledSyncIsFinishedByTheNext kills a process and the git that it started, at each run of git: before it
// does anything, and while it works. Without WINNOW_LONG, which .ci/run sets, it does that in turn at every third.
func TestKilledSyncIsFinishedByTheNext(t *testing.T) {
	url := aRemote(t)
	state, bin := t.TempDir(), t.TempDir()
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	counter := filepath.Join(bin, "counter")
	script(t, filepath.Join(bin, "git"), `n=$(($(cat '`+counter+`') + 1)); echo $n >'`+counter+`'
[ $n = "$WINNOW_TEST_KILL" ] || exec '`+real+`' "$@"
[ $WINNOW_TEST_WITHIN = true ] && { '`+real+`' "$@" <&0 & kill -9 $!; }
kill -9 $PPID
`)
	p := remotePlace{State: state, Key: "team", URL: url, Branch: branch, Pause: atOnce}
	isLong := os.Getenv("WINNOW_LONG") != ""
	finished, kills, step, enough := false, 0, 1, 6
	if !isLong {
		step, enough = 3, 3
	}
	for n := 1; !finished; n += step {
		for _, within := range []bool{false, true} {
			if within == (n%2 == 0) && !isLong {
				continue
			}
			put(t, counter, "0\n")
			cmd := exec.Command(os.Args[0], "-test.run=^TestChild$")
			cmd.Env = append(
				os.Environ(),
				"WINNOW_TEST_STATE="+state,
				"WINNOW_TEST_URL="+url,
				"WINNOW_TEST_KILL="+strconv.Itoa(n),
				"WINNOW_TEST_WITHIN="+strconv.FormatBool(
					within,
				),
				"PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"),
			)
			out, err := cmd.CombinedOutput()
			if finished = err == nil; !finished {
				kills++
			}
			if err != nil && !strings.Contains(err.Error(), "killed") {
				t.Fatalf("run %d of git: %v\n%s", n, err, out)
			}
			mine := fmt.Sprintf("lessons/%d-%v.json", n, within)
			if err := exchange(t.Context(), p, mine); err != nil {
				t.Fatalf("after run %d of git was killed: %v", n, err)
			}
			if got := runGit(t, "-C", url, "ls-tree", "-r", "--name-only", branch); !strings.Contains(got, mine) ||
				strings.Count(got, "\n") < (n-1)/step {
				t.Errorf("after run %d of git was killed the share has\n%s", n, got)
			}
		}
	}
	if kills < enough {
		t.Errorf("only %d runs of git were killed", kills)
	}
	fsck(t, url)
	fsck(t, filepath.Join(state, "shares", "team.git"))
}

// TestFetchGoesOnBesideOneThatAKilledSyncLeft: git went on without the Winnow that started it, and was faster.
func TestFetchGoesOnBesideOneThatAKilledSyncLeft(t *testing.T) {
	url, bin := aRemote(t), t.TempDir()
	tip := stream(t, url, heading+inline("lessons/a.json", "1"))
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	script(t, filepath.Join(bin, "git"), `case " $* " in *" fetch "*)
	[ -e '`+bin+`/once' ] || { touch '`+bin+`/once'; echo "error: cannot lock ref 'refs/winnow/fetched': is at `+tip+` but expected `+tip+`" >&2; exit 1; };;
esac
exec '`+real+`' "$@"
`)
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	if got := fetch(t, opened(t, t.TempDir(), url)); got != tip {
		t.Errorf("fetch = %s, want %s", got, tip)
	}
}

// TestKilledPushIsFinishedByTheNext kills a process and its git while the server looks at what they pushed, and right
// after it took that. The server goes on without them.
func TestKilledPushIsFinishedByTheNext(t *testing.T) {
	for _, hook := range []string{"pre-receive", "post-receive"} {
		dir := aRemote(t)
		state, bin := t.TempDir(), t.TempDir()
		ssh, pids := filepath.Join(bin, "ssh"), filepath.Join(bin, "pids")
		script(t, ssh, "echo $PPID $(ps -o ppid= -p $PPID) >'"+pids+"'\nshift\nexec sh -c \"git ${*#git-}\"\n")
		script(
			t,
			filepath.Join(dir, "hooks", hook),
			"cat >/dev/null\n[ -e '"+pids+".used' ] && exit 0\nmv '"+pids+"' '"+pids+".used'\nkill -9 $(cat '"+pids+".used')\nexit 0\n",
		)
		t.Setenv("GIT_SSH", ssh)
		t.Setenv("GIT_SSH_VARIANT", "simple")
		url := "ssh://host" + dir
		cmd := exec.Command(os.Args[0], "-test.run=^TestChild$")
		cmd.Env = append(os.Environ(), "WINNOW_TEST_STATE="+state, "WINNOW_TEST_URL="+url)
		if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(err.Error(), "killed") {
			t.Fatalf("%s: the child was not killed: %v\n%s", hook, err, out)
		}
		if err := exchange(t.Context(), remotePlace{State: state, Key: "team", URL: url, Branch: branch, Pause: atOnce}, "lessons/next.json"); err != nil {
			t.Fatalf("%s: %v", hook, err)
		}
		if got := runGit(t, "-C", dir, "ls-tree", "-r", "--name-only", branch); !strings.Contains(
			got,
			"lessons/next.json",
		) ||
			hook == "post-receive" && got != "lessons/child.json\nlessons/next.json" {
			t.Errorf("%s: the share has %q", hook, got)
		}
		fsck(t, dir)
		fsck(t, filepath.Join(state, "shares", "team.git"))
	}
}

func TestMachinesThatPushAtOnceLoseNothing(t *testing.T) {
	url := aRemote(t)
	const machines, each = 3, 2
	errs := make(chan error)
	for m := range machines {
		p := remotePlace{State: t.TempDir(), Key: "team", URL: url, Branch: branch, Pause: atOnce}
		go func() {
			var err error
			for i := range each {
				for try := 0; try < 20; try++ {
					if err = exchange(t.Context(), p, fmt.Sprintf("lessons/%d-%d.json", m, i)); err == nil {
						break
					}
				}
			}
			errs <- err
		}()
	}
	for range machines {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	if got := runGit(t, "-C", url, "ls-tree", "-r", "--name-only", branch); len(strings.Fields(got)) != machines*each {
		t.Errorf("the share has\n%s", got)
	}
	if got := runGit(t, "-C", url, "rev-list", "--count", branch); got != strconv.Itoa(machines*each) {
		t.Errorf("it has %s commits", got)
	}
	fsck(t, url)
}

func TestLocksOfKilledProcessesAreTakenAway(t *testing.T) {
	url := aRemote(t)
	state := t.TempDir()
	p := remotePlace{State: state, Key: "team", URL: url, Branch: branch, Pause: atOnce}
	if err := exchange(t.Context(), p, "a.json"); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(state, "shares", "team.git")
	for _, name := range []string{
		"config.lock", "HEAD.lock", "packed-refs.lock", "shallow.lock", "gc.pid", fetchedRef + ".lock",
		seenRef + ".lock", draftRef + ".lock", "objects/info/commit-graph.lock",
	} {
		put(t, filepath.Join(dir, filepath.FromSlash(name)), "")
	}
	if err := exchange(t.Context(), p, "b.json"); err != nil {
		t.Fatal(err)
	}
	if got := runGit(t, "-C", url, "ls-tree", "-r", "--name-only", branch); got != "a.json\nb.json" {
		t.Errorf("the share has %q", got)
	}
}

func TestTwoWinnowsTakeTurns(t *testing.T) {
	state := t.TempDir()
	unlock, err := lockShare(t.Context(), state, "team", func() { t.Error("it waits for nobody") })
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := lockShare(ctx, state, "team", cancel); err != context.Canceled { // who is told that it waits may stop it
		t.Errorf("Lock of a share that is locked = %v", err)
	}
	unlock()
	if unlock, err = lockShare(t.Context(), state, "team", nil); err != nil {
		t.Fatal(err)
	}
	unlock()
}

// TestADiscardedFetchLeavesNothing: neither what a fetch brought nor what was made after it stays, and the next fetch
// brings it.
func TestADiscardedFetchLeavesNothing(t *testing.T) {
	url := aRemote(t)
	s := opened(t, t.TempDir(), url)
	begin(t, s, map[string][]byte{"lessons/a.json": []byte("1")})
	before, err := s.objectFiles()
	if err != nil {
		t.Fatal(err)
	}
	tip := stream(t, url, heading+"from "+s.tipSeen()+"\n"+inline("lessons/b.json", "2"))
	fetch(t, s)
	if _, err := s.commit(t.Context(), tip, map[string][]byte{"lessons/c.json": []byte("3")}, "sync"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.discard(ctx); err != nil {
		t.Fatal(err)
	}
	if after, err := s.objectFiles(); err != nil || strings.Join(after, " ") != strings.Join(before, " ") {
		t.Errorf("%v\n%q\n%q", err, before, after)
	}
	fsck(t, s.dir)
	if got := fetch(t, s); got != tip {
		t.Errorf("the next fetch brings %s, want %s", got, tip)
	}
	if err := s.accept(t.Context(), tip); err != nil {
		t.Fatal(err)
	}
	if err := s.discard(t.Context()); err != nil || s.tipSeen() != tip {
		t.Error("what was accepted is discarded:", err)
	}
	if c := read(t, s, tip, readLimits{}); len(c.files) != 2 {
		t.Errorf("read %v", c.files)
	}
}

// TestPiecesOfAKilledGitAreRemoved by the next sync.
func TestPiecesOfAKilledGitAreRemoved(t *testing.T) {
	url := aRemote(t)
	state := t.TempDir()
	s := opened(t, state, url)
	tip := begin(t, s, map[string][]byte{"lessons/a.json": []byte("1")})
	for _, name := range []string{"objects/pack/tmp_pack_x1", "objects/pack/tmp_idx_x1", "objects/pack/pack-1.keep", "objects/17/tmp_obj_x1", "objects/incoming-x1/pack"} {
		path := filepath.Join(s.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		put(t, path, "half")
	}
	s = opened(t, state, url)
	if left := runGit(t, "-C", s.dir, "count-objects", "-v"); !strings.Contains(left, "garbage: 0") ||
		!strings.Contains(left, "size-garbage: 0") {
		t.Error(left)
	}
	if s.tipSeen() != tip {
		t.Error("what was seen is forgotten")
	}
}

func TestTidyingLosesNothing(t *testing.T) {
	url := aRemote(t)
	s := opened(t, t.TempDir(), url)
	tip := begin(t, s, map[string][]byte{"lessons/0.json": []byte("0")})
	for i := range mostPacks {
		put(t, filepath.Join(s.dir, "objects", "pack", fmt.Sprintf("tmp_pack_%d", i)), "left by a killed run")
	}
	if err := s.tidy(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i := range mostPacks {
		put(t, filepath.Join(s.dir, "objects", "pack", fmt.Sprintf("tmp_pack_x%d", i)), "left by a killed run")
	}
	if err := s.tidy(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := fetch(t, s); got != tip || s.tipSeen() != tip {
		t.Errorf("tip %s, seen %s, want %s", got, s.tipSeen(), tip)
	}
	if c := read(t, s, tip, readLimits{}); len(c.files) != 1 {
		t.Errorf("read %v", c.files)
	}
	if packs, _ := filepath.Glob(filepath.Join(s.dir, "objects", "pack", "*.pack")); len(packs) != 1 {
		t.Errorf("packs %v", packs)
	}
	fsck(t, s.dir)
}

func TestBackoffIsRandomAndBounded(t *testing.T) {
	var waited []string
	s := &remoteShare{
		place: remotePlace{
			Pause: func(_ context.Context, d time.Duration) error { waited = append(waited, d.String()); return nil },
		},
	}
	for try, random := range map[int]string{0: "\x00\x80", 3: "\x00\x80", 60: "\xff\xff"} {
		waited = nil
		if err := s.backoff(t.Context(), try, strings.NewReader(random)); err != nil {
			t.Fatal(err)
		}
		if want := map[int]string{0: "125ms", 3: "1s", 60: "9.999847412s"}[try]; waited[0] != want {
			t.Errorf("try %d waits %s, want %s", try, waited[0], want)
		}
	}
	if err := s.backoff(t.Context(), 0, strings.NewReader("")); err == nil {
		t.Error("without randomness everybody would meet again, and nothing was said")
	}
}
