package atomicfile

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// realTime waits for real, but no longer than the test.
func realTime() Waiting { return Waiting{Now: time.Now} }

// withoutSleep never sleeps, and counts what it would have.
func withoutSleep(now time.Time, slept *time.Duration) Waiting {
	return Waiting{
		Now:   func() time.Time { return now },
		Pause: func(_ context.Context, d time.Duration) error { *slept += d; return nil },
	}
}

func lockFileIn(t *testing.T) string { return filepath.Join(t.TempDir(), "MEMORY.md.lock") }

func TestFolderLockIsAFolderBesideAnEmptyFile(t *testing.T) {
	path := lockFileIn(t)
	release, err := FolderLock(t.Context(), path, realTime())
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path + ".lock"); err != nil || !info.IsDir() {
		t.Errorf("while it is held: %v, %v", info, err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() != 0 {
		t.Errorf("the file is %v, %v", info, err)
	}
	release()
	if _, err := os.Stat(path + ".lock"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("afterwards: %v", err)
	}
}

func TestFreshFolderLockOfOthersIsWaitedForAndLeftAlone(t *testing.T) {
	path := lockFileIn(t)
	if err := os.Mkdir(path+".lock", 0o755); err != nil {
		t.Fatal(err)
	}
	for name, age := range map[string]time.Duration{"young": 9 * time.Second, "of the future": -time.Second} {
		made := time.Now().Add(-age)
		if err := os.Chtimes(path+".lock", made, made); err != nil {
			t.Fatal(err)
		}
		slept := time.Duration(0)
		_, err := FolderLock(t.Context(), path, withoutSleep(time.Now(), &slept))
		if !errors.Is(err, ErrHeld) || slept != 6550*time.Millisecond {
			t.Errorf("%s: %v after %v, want %v after 6.55 s", name, err, slept, ErrHeld)
		}
		if info, err := os.Stat(path + ".lock"); err != nil || !info.ModTime().Equal(made.Truncate(0)) {
			t.Errorf("%s: it was touched: %v, %v", name, info.ModTime(), err)
		}
	}
}

func TestAbandonedFolderLockIsTakenOver(t *testing.T) {
	path := lockFileIn(t)
	if err := os.Mkdir(path+".lock", 0o755); err != nil {
		t.Fatal(err)
	}
	slept := time.Duration(0)
	release, err := FolderLock(t.Context(), path, withoutSleep(time.Now().Add(11*time.Second), &slept))
	if err != nil || slept != 0 {
		t.Fatalf("%v after %v", err, slept)
	}
	release()
	if _, err := os.Stat(path + ".lock"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("afterwards: %v", err)
	}
}

func TestFolderLockThatAnotherTookOverIsNotGivenBackForIt(t *testing.T) {
	path := lockFileIn(t)
	release, err := FolderLock(t.Context(), path, realTime())
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Rename(path+".lock", path+".gone"), os.Mkdir(path+".lock", 0o755)); err != nil {
		t.Fatal(err)
	}
	release()
	if _, err := os.Stat(path + ".lock"); err != nil {
		t.Error("the lock of another was removed")
	}
}

func TestLocksAreNotMadeThroughLinksOrOverOtherThings(t *testing.T) {
	for name, take := range lockFuncs() {
		dir := t.TempDir()
		dangling, folder := filepath.Join(dir, "dangling"), filepath.Join(dir, "folder")
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(dir, "elsewhere"), dangling); err != nil {
			t.Skip(err)
		}
		for _, path := range []string{dangling, folder, filepath.Join(dir, "no", "folder")} {
			if _, err := take(t.Context(), path, realTime()); err == nil || !strings.Contains(err.Error(), "lock ") {
				t.Errorf("%s of %s = %v", name, path, err)
			}
		}
		if _, err := os.Lstat(filepath.Join(dir, "elsewhere")); err == nil {
			t.Errorf("%s: a file was made through a link", name)
		}
	}
}

func lockFuncs() map[string]func(context.Context, string, Waiting) (func(), error) {
	return map[string]func(context.Context, string, Waiting) (func(), error){
		"folder lock": FolderLock,
		"whole lock":  WholeLock,
	}
}

func TestWaitForALockEndsWithItsContext(t *testing.T) {
	for name, take := range lockFuncs() {
		path := lockFileIn(t)
		release, err := take(t.Context(), path, realTime())
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		w := realTime()
		w.Pause = func(ctx context.Context, _ time.Duration) error { cancel(); return ctx.Err() }
		if _, err := take(ctx, path, w); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
		release()
	}
}

// TestLocksExcludeEachOther counts in a file under the lock.
func TestLocksExcludeEachOther(t *testing.T) {
	const workers, times = 4, 40
	for name, take := range lockFuncs() {
		path := lockFileIn(t)
		counter := filepath.Join(filepath.Dir(path), "counter")
		if err := os.WriteFile(counter, []byte("0"), 0o600); err != nil {
			t.Fatal(err)
		}
		w := realTime()
		w.Pause = func(ctx context.Context, _ time.Duration) error {
			pause(50 * time.Microsecond)
			return ctx.Err()
		}
		var all sync.WaitGroup
		for range workers {
			all.Go(func() {
				for range times {
					release, err := take(t.Context(), path, w)
					for errors.Is(err, ErrHeld) {
						release, err = take(t.Context(), path, w)
					}
					if err != nil {
						t.Error(name, err)
						return
					}
					text, _ := os.ReadFile(counter)
					n, _ := strconv.Atoi(string(text))
					_ = os.WriteFile(counter, []byte(strconv.Itoa(n+1)), 0o600)
					release()
				}
			})
		}
		all.Wait()
		if text, _ := os.ReadFile(counter); string(text) != strconv.Itoa(workers*times) {
			t.Errorf("%s: counted to %s, want %d", name, text, workers*times)
		}
	}
}
