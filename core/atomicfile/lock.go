package atomicfile

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// Bounds of the pause between two looks at a lock that is held. Each pause is longer than the one
// before by at most a sixteenth.
const (
	leastPause = 30 * time.Microsecond
	mostPause  = 500 * time.Microsecond
)

// Lock takes the lock of the file at path, which other Winnow processes take as well; no other
// program respects it. It creates the file and its folder if they are missing, and they stay. While
// another process holds the lock it waits until ctx is done, and then returns the error of ctx. Two
// locks in one process exclude each other too. Those who wait are served in no order. Unlock may be
// called once. The end of the process also unlocks. If ctx is done already, it does not try.
func Lock(ctx context.Context, path string) (unlock func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f, err := openLock(path, true)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(filepath.Dir(path), 0o700); err == nil {
			f, err = openLock(path, true)
		}
	}
	if err != nil {
		return nil, failed("take", path, err)
	}
	if err := waitFor(ctx, f, path); err != nil {
		closeLock(f)
		return nil, err
	}
	return func() { closeLock(f) }, nil
}

// waitFor takes the lock of a file when nobody else holds it.
func waitFor(ctx context.Context, f lockFile, path string) error {
	for waited := time.Duration(0); ; {
		got, err := lockWhole(f)
		if got || err != nil {
			return failed("take", path, err)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		next := min(max(waited/16, leastPause), mostPause)
		pause(next)
		waited += next
	}
}

// ErrHeld means that another program holds a lock and did not release it in time.
var ErrHeld = errors.New("another program holds the lock")

// The times of a lock that is a folder, as in proper-lockfile 4.1.2.
const (
	stale   = 10 * time.Second // age at which a lock counts as abandoned
	refresh = time.Second      // how often our lock is shown to be alive
)

// Waiting says how to wait for another program's lock.
type Waiting struct {
	// Now returns the time by which another's lock is judged abandoned.
	Now func() time.Time
	// Pause waits for d, or until ctx is done and then returns its error. Nil sleeps.
	Pause func(ctx context.Context, d time.Duration) error
}

// waits are the pauses between tries: 50 ms, doubling each time up to 1 s, 6.55 s in all.
var waits = [...]time.Duration{
	50 * time.Millisecond, 100 * time.Millisecond, 200 * time.Millisecond, 400 * time.Millisecond,
	800 * time.Millisecond,
	time.Second, time.Second, time.Second, time.Second, time.Second,
}

// FolderLock takes the lock of the file at path as programs with npm's proper-lockfile do: the lock
// is a folder beside the file, named after it with .lock added and created in one step. Its time
// shows that its holder is alive. A missing file is created empty, and links are followed. A lock
// that is 10 seconds old is abandoned and taken over. For a younger one it waits up to 6.55
// seconds, and then returns ErrHeld. Release releases the lock. Hold it only for milliseconds; a
// goroutine keeps it fresh until Release.
func FolderLock(ctx context.Context, path string, w Waiting) (release func(), err error) {
	var dir string
	var ours fs.FileInfo
	if err = makeEmpty(path); err == nil {
		dir, err = filepath.EvalSymlinks(path)
	}
	dir += ".lock"
	if err == nil {
		err = w.retry(ctx, func() (bool, error) { return takeFolder(dir, w.Now) })
	}
	if err == nil {
		ours, err = os.Lstat(dir)
	}
	if err != nil {
		return nil, explained("lock", path, err)
	}
	end, ended := make(chan struct{}), make(chan struct{})
	go keepFresh(dir, ours, end, ended)
	return func() {
		close(end)
		<-ended
		if isOurs(dir, ours) {
			_ = os.Remove(dir) // otherwise it counts as abandoned in 10 seconds
		}
	}, nil
}

// WholeLock takes the lock of the file at path that programs take with flock(2), or on Windows by
// locking its first byte. A missing file is created empty, and stays. It waits for another holder
// like FolderLock, and then returns ErrHeld. Release releases the lock, and so does the end of the
// process.
func WholeLock(ctx context.Context, path string, w Waiting) (release func(), err error) {
	var f lockFile
	if err = makeEmpty(path); err == nil {
		f, err = openLock(path, false)
	}
	if err != nil {
		return nil, failed("lock", path, err)
	}
	if err := w.retry(ctx, func() (bool, error) { return lockWhole(f) }); err != nil {
		closeLock(f)
		return nil, explained("lock", path, err)
	}
	return func() { unlockWhole(f); closeLock(f) }, nil
}

// retry tries to take a lock until it succeeds, the waiting time is over, or ctx is done.
func (w Waiting) retry(ctx context.Context, take func() (bool, error)) error {
	for try := 0; ; try++ {
		taken, err := take()
		switch {
		case err != nil || taken:
			return err
		case try == len(waits):
			return callerError{ErrHeld}
		}
		if err := w.pause(ctx, waits[try]); err != nil {
			return callerError{err}
		}
	}
}

func (w Waiting) pause(ctx context.Context, d time.Duration) error {
	if w.Pause != nil {
		return w.Pause(ctx, d)
	}
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// makeEmpty creates the file at path if it is missing. Like the program that owns the lock, it lets
// everybody read the file who may read its folder.
func makeEmpty(path string) error {
	info, err := os.Stat(path)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return notAFile
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return isLink // a dangling link: the file would be created elsewhere
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	return f.Close()
}

// takeFolder creates the folder of a lock. It returns false while another process has it.
func takeFolder(dir string, now func() time.Time) (bool, error) {
	err := os.Mkdir(dir, 0o777)
	if err == nil || !errors.Is(err, fs.ErrExist) {
		return err == nil, err
	}
	info, err := os.Lstat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return takeFolder(dir, now) // released meanwhile
	case err != nil:
		return false, err
	case !info.IsDir():
		return false, notAFile
	case now().Sub(info.ModTime()) < stale:
		return false, nil
	}
	if again, err := os.Lstat(dir); err != nil || !os.SameFile(info, again) || !again.ModTime().Equal(info.ModTime()) {
		return false, nil // another process took it over in this instant
	}
	if err := syscall.Rmdir(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	return takeFolder(dir, now)
}

// isOurs reports whether a lock's folder is still the one that we created.
func isOurs(dir string, ours fs.FileInfo) bool {
	info, err := os.Lstat(dir)
	return err == nil && os.SameFile(info, ours)
}

// keepFresh shows now and then that the lock is held, until end is closed. It then closes ended.
func keepFresh(dir string, ours fs.FileInfo, end <-chan struct{}, ended chan<- struct{}) {
	defer close(ended)
	beat := time.NewTicker(refresh)
	defer beat.Stop()
	for {
		select {
		case <-beat.C:
			if isOurs(dir, ours) {
				_ = touch(dir) // after a failure, nine more tries come before it is stale
			}
		case <-end:
			return
		}
	}
}
