package atomicfile

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestLockExcludes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "locks", "store")
	var inside, total atomic.Int32
	var all sync.WaitGroup
	for range 5 {
		all.Go(func() {
			for range 20 {
				unlock, err := Lock(t.Context(), path)
				if err != nil {
					t.Error(err)
					return
				}
				if n := inside.Add(1); n != 1 {
					t.Errorf("%d hold the lock", n)
				}
				total.Add(1)
				inside.Add(-1)
				unlock()
			}
		})
	}
	all.Wait()
	if total.Load() != 100 {
		t.Errorf("%d turns, want 100", total.Load())
	}
	if info, err := os.Stat(path); err != nil || info.Size() != 0 || info.Mode().Perm() != 0o600 {
		t.Errorf("lock file: %v, %v", info, err)
	}
}

func TestLockEndsWithItsContext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	unlock, err := Lock(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := Lock(ctx, path); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v, want the end of the context", err)
	}
	unlock()
	unlock, err = Lock(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	unlock()
}

func TestLockNamesWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	if _, err := Lock(t.Context(), dir); code(err) != "is-folder" {
		t.Errorf("%v, want is-folder", err)
	}
	put(t, filepath.Join(dir, "file"), "")
	if _, err := Lock(t.Context(), filepath.Join(dir, "file", "lock")); code(err) != "folder-gone" {
		t.Errorf("%v, want folder-gone", err)
	}
}
