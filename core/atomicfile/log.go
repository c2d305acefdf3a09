package atomicfile

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
)

// Log is a file that lines are only added to, mode 0600 in a folder of mode 0700. One
// process at a time adds to it or rewrites it: the caller holds a lock. It is not
// safe for concurrent use.
type Log struct {
	path   string
	dir    Folder
	name   string
	file   File
	info   Info
	broken bool // a sync failed: what is on the disk is not known
}

// OpenLog opens the log at path, and makes it and its folder when they are missing.
// A link in the last place is refused. The error is a *memory.Problem.
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

// open opens the file, and makes a new one durable in its folder.
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

// current opens the file anew when another process rewrote it, and returns its size.
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

// Append adds a line, given without its line end, in one write. A line that a crash
// or a full disk left unfinished is ended first, so that it spoils no other. With
// sync the line is durable when Append returns. After a sync that failed the log
// refuses to go on.
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
		// Best put back as it was; if not, the next line ends what is there.
		_ = l.file.Truncate(size)
		return err
	}
	if sync {
		err = l.file.Sync()
		l.broken = err != nil
	}
	return err
}

// torn reports whether the last line has no end.
func (l *Log) torn(size int64) (bool, error) {
	if size == 0 {
		return false, nil
	}
	var last [1]byte
	n, err := l.file.ReadAt(last[:], size-1)
	return n == 1 && last[0] != '\n', err
}

// Rewrite replaces all of the log by next, in one step and durably.
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
	defer l.Close() // all is synced by then
	return l.Rewrite(data)
}

// AppendBounded adds lines to the log at path. The older half of one with more than most bytes is
// dropped. The caller holds a lock.
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

// replace puts next in the place of the file.
func (l *Log) replace(next []byte) error {
	temp := l.name + ".new"
	if err := l.dir.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := l.dir.Create(temp, newMode)
	if err != nil {
		return err
	}
	defer f.Close()
	if err = writeAll(f, next); err == nil {
		err = f.Sync()
	}
	if err == nil {
		err = l.dir.Rename(temp, l.name)
	}
	if err != nil {
		_ = l.dir.Remove(temp)
		return err
	}
	if err = l.dir.Sync(); err != nil {
		l.broken = true
		return err
	}
	_, err = l.current()
	return err
}

// Close closes the log.
func (l *Log) Close() error {
	l.dir.Close()
	return failed("close", l.path, l.file.Close())
}
