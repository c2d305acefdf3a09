package atomicfile

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Log is an append-only file of lines, with mode 0600 in a folder of mode 0700. One process at a
// time appends to it or rewrites it: the caller holds a lock. It is not safe for concurrent use.
type Log struct {
	path   string
	dir    Folder
	name   string
	file   File
	info   Info
	broken bool // a sync failed, so the state on disk is unknown
}

// OpenLog opens the log at path. It creates the log and its folder if they are missing. It refuses
// a link in the last path element. The error is a *memory.Problem.
func OpenLog(d Disk, path string) (*Log, error) {
	_, err := makeFolders(d, filepath.Dir(path))
	if err != nil {
		return nil, failed("open", path, err)
	}
	l := &Log{path: path, name: filepath.Base(path)}
	if l.dir, err = d.Folder(filepath.Dir(path)); err != nil {
		return nil, failed("open", path, err)
	}
	if err := l.open(); err != nil {
		l.dir.Close()
		return nil, failed("open", path, err)
	}
	return l, nil
}

// open opens the file. If it creates the file, it also makes the entry in the folder durable.
func (l *Log) open() error {
	f, made, err := l.dir.Append(l.name, newMode)
	if err != nil {
		return err
	}
	if made {
		err = l.dir.Sync()
	}
	var info Info
	if err == nil {
		info, err = f.Stat()
	}
	if err == nil && info.Kind != Regular {
		err = notAFile
	}
	if err != nil {
		f.Close()
		return err
	}
	l.file, l.info = f, info
	return nil
}

// current reopens the file if another process rewrote it, and returns its size.
func (l *Log) current() (int64, error) {
	if l.broken {
		return 0, wasBroken
	}
	now, err := l.dir.Stat(l.name)
	if err == nil && now.Dev == l.info.Dev && now.Ino == l.info.Ino {
		return now.Size, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	old := l.file
	if err := l.open(); err != nil {
		return 0, err
	}
	old.Close()
	return l.info.Size, nil
}

// Append adds a line in one write; line comes without its line end. If a crash or a full disk left
// an unfinished line, that line is ended first, so that it does not spoil the new one. With sync,
// the line is durable when Append returns. After a failed sync the log refuses to continue.
func (l *Log) Append(line []byte, sync bool) error {
	return failed("write", l.path, l.append(line, sync))
}

func (l *Log) append(line []byte, sync bool) error {
	size, err := l.current()
	if err != nil {
		return err
	}
	torn, err := l.torn(size)
	if err != nil {
		return err
	}
	b := make([]byte, 0, len(line)+2)
	if torn {
		b = append(b, '\n')
	}
	b = append(append(b, line...), '\n')
	if err := writeAll(l.file, b); err != nil {
		// Try to restore the old size. If that fails, the next line ends what is there.
		_ = l.file.Truncate(size)
		return err
	}
	if sync {
		err = l.file.Sync()
		l.broken = err != nil
	}
	return err
}

// torn reports whether the last line has no line end.
func (l *Log) torn(size int64) (bool, error) {
	if size == 0 {
		return false, nil
	}
	var last [1]byte
	n, err := l.file.ReadAt(last[:], size-1)
	return n == 1 && last[0] != '\n', err
}

// Rewrite replaces the whole log by next, in one step and durably.
func (l *Log) Rewrite(next []byte) error {
	if l.broken {
		return failed("write", l.path, wasBroken)
	}
	return failed("write", l.path, l.replace(next))
}

// Rewrite replaces the whole file at path, like [Log.Rewrite]. The caller holds a lock.
func Rewrite(d Disk, path string, data []byte) error {
	l, err := OpenLog(d, path)
	if err != nil {
		return err
	}
	defer l.Close() // everything is synced by then
	return l.Rewrite(data)
}

// AppendBounded appends lines to the log at path. If the log has more than most bytes, its older
// half is dropped. The caller holds a lock.
func AppendBounded(d Disk, path string, most int, sync bool, lines ...string) error {
	if len(lines) == 0 {
		return nil
	}
	l, err := OpenLog(d, path)
	if err != nil {
		return err
	}
	defer l.Close()
	if err := l.Append([]byte(strings.Join(lines, "\n")), sync); err != nil {
		return err
	}
	now, err := Look(d, path)
	if err != nil || len(now.Data) <= most {
		return err
	}
	rest := now.Data[len(now.Data)/2:]
	return l.Rewrite(rest[bytes.IndexByte(rest, '\n')+1:])
}

// unfinished ends the name of a file that is being written.
const unfinished = ".new"

// replace puts next in place of the file. It begins again if a process that started took the file being written for
// one that was left; see [RemoveUnfinished].
func (l *Log) replace(next []byte) error {
	const tries = 20
	taken, err := l.replaceOnce(next)
	for try := 1; taken && try < tries; try++ {
		taken, err = l.replaceOnce(next)
	}
	return err
}

// replaceOnce is replace. It reports whether somebody removed the file being written.
func (l *Log) replaceOnce(next []byte) (taken bool, _ error) {
	temp := l.name + unfinished
	if err := l.dir.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	f, err := l.dir.Create(temp, newMode)
	if err != nil {
		return false, err
	}
	defer f.Close()
	if err = writeAll(f, next); err == nil {
		err = f.Sync()
	}
	if err == nil {
		err = l.dir.Rename(temp, l.name)
		taken = errors.Is(err, fs.ErrNotExist)
	}
	if err != nil {
		_ = l.dir.Remove(temp)
		return taken, err
	}
	if err = l.dir.Sync(); err != nil {
		l.broken = true
		return false, err
	}
	_, err = l.current()
	return false, err
}

// RemoveUnfinished removes what processes that were killed left half written in a state folder and two levels below.
// It follows no link in it. A process that still writes a log writes it again; a file that is being replaced is left
// while it is new.
func RemoveUnfinished(state string, now time.Time) {
	const deepest = 2
	state, err := filepath.EvalSymlinks(state)
	if err != nil {
		return // there is no state yet
	}
	_ = filepath.WalkDir(state, func(path string, d fs.DirEntry, err error) error {
		rel, relErr := filepath.Rel(state, path)
		switch {
		case err != nil || relErr != nil:
			return fs.SkipDir // what cannot be read is reported by whoever needs it
		case d.IsDir() && rel != "." && strings.Count(rel, string(filepath.Separator)) >= deepest:
			return fs.SkipDir
		case d.Type().IsRegular() && (strings.HasSuffix(d.Name(), unfinished) || isOldTemp(d, now)):
			_ = os.Remove(path)
		}
		return nil
	})
}

// isOldTemp reports whether a file has a name by NewTemp or TempOf, and was not written just now.
func isOldTemp(d fs.DirEntry, now time.Time) bool {
	const longestWrite = 2 * time.Second
	if !strings.HasPrefix(d.Name(), ".winnow-") || !strings.HasSuffix(d.Name(), ".tmp") {
		return false
	}
	info, err := d.Info()
	return err == nil && now.Sub(info.ModTime()) > longestWrite
}

// Close closes the log.
func (l *Log) Close() error {
	l.dir.Close()
	return failed("close", l.path, l.file.Close())
}
