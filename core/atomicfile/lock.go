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

// The pauses between two looks at a lock that is held: the wait gets longer by no more
// than a sixteenth, within these bounds.
const (
	leastPause = 30 * time.Microsecond
	mostPause  = 2 * time.Millisecond
)

// Lock takes the lock of the file at path, which other Winnows take as well; no
// other program heeds it. The file and its folder are made when missing, and stay.
// It waits while another holds the lock, until ctx is done: then the error is that
// of ctx. Two locks of one process exclude each other too. Unlock may be called
// once; the end of the process unlocks as well.
func Lock(ctx context.Context, path string) (unlock func(), err error) {
	f, err := openLock(path, true)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(filepath.Dir(path), 0o700); err == nil {
			f, err = openLock(path, true)
		}
	}
	if err != nil {
		return nil, failed("take", path, err)
	}
	if err := lockInTurn(ctx, f, path); err != nil {
		closeLock(f)
		return nil, err
	}
	return func() { closeLock(f) }, nil
}

// The parts of a lock file are locked one by one: its first bytes, which need not
// exist. Part 0 is the lock. The others are places in the queue before it: who waits
// holds one, and moves up when the next is free. So nobody takes the lock again and
// again while others wait, and the first few get it in the order of their coming.
const (
	lockPart = 0
	lastPart = 4
)

// lockInTurn takes the lock at once when nobody holds it or waits, or queues.
func lockInTurn(ctx context.Context, f lockFile, path string) error {
	got, err := tryAll(f)
	if got || err != nil {
		return failed("take", path, err)
	}
	for part := lastPart; part >= lockPart; part-- {
		if err := lockOne(ctx, f, path, part); err != nil {
			return err
		}
		if part == lastPart {
			continue
		}
		if err := freePart(f, part+1); err != nil {
			return failed("take", path, err)
		}
	}
	return nil
}

// lockOne waits for one part.
func lockOne(ctx context.Context, f lockFile, path string, part int) error {
	for waited := time.Duration(0); ; {
		got, err := tryPart(f, part)
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

// ErrHeld reports that another program holds a lock and did not give it back in time.
var ErrHeld = errors.New("another program holds the lock")

// The times of a lock that is a folder, as proper-lockfile 4.1.2 has them.
const (
	stale   = 10 * time.Second // from which a lock counts as abandoned
	refresh = time.Second      // how often ours is shown to be alive
)

// Waiting is how long is waited for a lock of another program.
type Waiting struct {
	// Now tells the time, by which a lock of others is judged to be abandoned.
	Now func() time.Time
	// Pause waits for d, or until ctx is done, whose error it then returns. Nil sleeps.
	Pause func(ctx context.Context, d time.Duration) error
}

// waits are the pauses between the tries: 50 ms, twice as long each time, at most 1 s,
// 6.55 s in all.
var waits = [...]time.Duration{
	50 * time.Millisecond, 100 * time.Millisecond, 200 * time.Millisecond, 400 * time.Millisecond, 800 * time.Millisecond,
	time.Second, time.Second, time.Second, time.Second, time.Second,
}

// FolderLock takes the lock of the file at path that programs of npm's proper-lockfile
// take: a folder beside it, named after it and .lock, made in one step, whose time says
// that its holder lives. The file is made, empty, when it is missing; links are followed.
// A lock that is 10 seconds old is abandoned and taken over, a younger one is waited for,
// 6.55 seconds at most: then the error is ErrHeld. Release gives it back; it is to be
// held for milliseconds, and is kept fresh by a goroutine that Release ends.
func FolderLock(ctx context.Context, path string, w Waiting) (release func(), err error) {
	var dir string
	var ours fs.FileInfo
	if err = makeEmpty(path); err == nil {
		dir, err = filepath.EvalSymlinks(path)
	}
	dir += ".lock"
	if err == nil {
		err = w.until(ctx, func() (bool, error) { return takeFolder(dir, w.Now) })
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
			_ = os.Remove(dir) // else it is abandoned in 10 seconds
		}
	}, nil
}

// WholeLock takes the lock of the file at path that programs take by flock(2), and on
// Windows by locking its first byte. The file is made, empty, when it is missing, and
// stays. Another holder is waited for as in FolderLock: then the error is ErrHeld.
// Release gives it back; the end of the process does too.
func WholeLock(ctx context.Context, path string, w Waiting) (release func(), err error) {
	var f lockFile
	if err = makeEmpty(path); err == nil {
		f, err = openLock(path, false)
	}
	if err != nil {
		return nil, failed("lock", path, err)
	}
	if err := w.until(ctx, func() (bool, error) { return lockWhole(f) }); err != nil {
		closeLock(f)
		return nil, explained("lock", path, err)
	}
	return func() { unlockWhole(f); closeLock(f) }, nil
}

// until tries to take a lock until it is taken, the waiting ends or ctx does.
func (w Waiting) until(ctx context.Context, take func() (bool, error)) error {
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

// makeEmpty makes the file at path when it is missing, as the program does whose lock
// it is: everybody may read it that may read its folder.
func makeEmpty(path string) error {
	info, err := os.Stat(path)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return notAFile
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return isLink // to nothing: what would be made is elsewhere
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	return f.Close()
}

// takeFolder makes the folder of a lock. It is false while another has it.
func takeFolder(dir string, now func() time.Time) (bool, error) {
	err := os.Mkdir(dir, 0o777)
	if err == nil || !errors.Is(err, fs.ErrExist) {
		return err == nil, err
	}
	info, err := os.Lstat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return takeFolder(dir, now) // given back meanwhile
	case err != nil:
		return false, err
	case !info.IsDir():
		return false, notAFile
	case now().Sub(info.ModTime()) < stale:
		return false, nil
	}
	if again, err := os.Lstat(dir); err != nil || !os.SameFile(info, again) || !again.ModTime().Equal(info.ModTime()) {
		return false, nil // another took it over in this instant
	}
	if err := syscall.Rmdir(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	return takeFolder(dir, now)
}

// isOurs reports whether the folder of a lock is still the one that was made.
func isOurs(dir string, ours fs.FileInfo) bool {
	info, err := os.Lstat(dir)
	return err == nil && os.SameFile(info, ours)
}

// keepFresh shows once in a while that the lock is held, until end is closed. It then
// closes ended.
func keepFresh(dir string, ours fs.FileInfo, end <-chan struct{}, ended chan<- struct{}) {
	defer close(ended)
	beat := time.NewTicker(refresh)
	defer beat.Stop()
	for {
		select {
		case <-beat.C:
			if isOurs(dir, ours) {
				_ = touch(dir) // it is not stale before nine more
			}
		case <-end:
			return
		}
	}
}
