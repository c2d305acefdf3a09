package atomicfile

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"syscall"
	"time"
)

// State is the state of a file, now or earlier.
type State struct {
	There bool
	Info  Info
	Data  []byte
	attrs []Attr
}

// Look reads the file at path. It does not follow a link in the last element: see Resolve. A
// missing file or folder is no error. What cannot be replaced is a *memory.Problem, as in Replace.
func Look(d Disk, path string) (now State, err error) {
	err = inPlace(d, "read", path, func(r *replacement) (err error) {
		now, err = r.read(r.name)
		return err
	})
	if errors.Is(err, folderGone) {
		return State{}, nil
	}
	return now, err
}

// read reads the file name and everything else that belongs to its state. A missing file is no
// error. Anything but a regular file is refused.
func (r *replacement) read(name string) (State, error) {
	f, err := r.opened(name)
	if f == nil || err != nil {
		return State{}, err
	}
	v := State{There: true}
	if v.Info, err = f.Stat(); err != nil {
		return v, err
	}
	if err := replaceable(v.Info); err != nil {
		return v, err
	}
	if v.Data, err = content(f, v.Info.Size); err != nil {
		return v, err
	}
	v.attrs, err = f.Attrs()
	return v, err
}

// opened opens the file name until the replacement ends. It returns nil for a missing file.
func (r *replacement) opened(name string) (File, error) {
	f, err := r.dir.Open(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case errors.Is(err, syscall.ENXIO):
		return nil, notAFile
	case errors.Is(err, syscall.ELOOP):
		return nil, isLink
	case err != nil:
		return nil, err
	}
	r.open = append(r.open, f)
	return f, nil
}

// holds reports whether the file exists and holds exactly data.
func (s State) holds(data []byte) bool { return s.There && bytes.Equal(s.Data, data) }

// replaceable refuses what cannot be replaced.
func replaceable(info Info) error {
	for _, why := range [...]struct {
		applies bool
		refusal
	}{
		{info.Kind == Directory, isFolder}, {info.Kind == Symlink, isLink}, {info.Kind != Regular, notAFile},
		{info.Size > MaxSize, tooLarge}, {info.Mode&0o777 == 0, noMode},
	} {
		if why.applies {
			return why.refusal
		}
	}
	return nil
}

// content reads a file of about size bytes to its end. It never returns nil.
func content(f File, size int64) ([]byte, error) {
	var b bytes.Buffer
	b.Grow(int(size) + bytes.MinRead)
	_, err := b.ReadFrom(io.NewSectionReader(f, 0, MaxSize+1))
	if err == nil && b.Len() > MaxSize {
		err = tooLarge
	}
	return b.Bytes(), err
}

// write creates the file temp, complete and durable, with the mode, owner and attributes of the
// source. On an error it leaves nothing behind.
func (r *replacement) write(temp string, data []byte) (State, error) {
	f, err := r.dir.Create(temp+part, 0)
	if err != nil {
		return State{}, err
	}
	r.open = append(r.open, f)
	info, err := r.writeSynced(f, temp+part, data)
	if err == nil {
		err = r.nameWhole(temp)
	}
	if err != nil {
		r.drop(temp + part)
	}
	return State{There: true, Info: info, Data: data, attrs: r.source.attrs}, err
}

// nameWhole gives a complete file its final name, which must be unused.
func (r *replacement) nameWhole(temp string) error {
	err := r.dir.RenameNew(temp+part, temp)
	if unsupported(err) {
		err = r.dir.Rename(temp+part, temp)
	}
	return err
}

// writeSynced writes and syncs a new file.
func (r *replacement) writeSynced(f File, name string, data []byte) (Info, error) {
	if err := writeAll(f, data); err != nil {
		return Info{}, err
	}
	info, err := f.Stat()
	if err == nil {
		err = r.copyAttributes(f, info)
	}
	if err == nil {
		info, err = r.setTime(f, name, info)
	}
	if err != nil {
		return info, err
	}
	return info, f.Sync()
}

// setTime gives a new file its modification time.
func (r *replacement) setTime(f File, name string, info Info) (Info, error) {
	at, least := r.modTime(), int64(0)
	if r.u.Later && r.source.There {
		least = r.source.Info.Mtime + int64(time.Millisecond)
		if at == 0 && info.Mtime < least || at != 0 && at < least {
			at = least
		}
	}
	if at == 0 {
		return info, nil
	}
	// Not every disk stores nanoseconds: exFAT has hundredths of a second, FAT two seconds.
	for _, grain := range []time.Duration{0, 10 * time.Millisecond, time.Second, 2 * time.Second} {
		err := r.dir.SetTime(name, at+int64(grain))
		if err == nil {
			info, err = f.Stat()
		}
		if err != nil || info.Mtime >= least {
			return info, err
		}
	}
	return info, nil
}

// modTime returns the modification time for a new file, or 0.
func (r *replacement) modTime() int64 {
	if r.u.KeepTime && r.source.There {
		return r.source.Info.Mtime
	}
	return r.u.Time
}

// copyAttributes gives a new file what the source has besides its bytes. The mode comes last, since
// changing the owner clears bits of it.
func (r *replacement) copyAttributes(f File, is Info) error {
	if !r.source.There {
		return f.Chmod(cmp.Or(r.u.Mode, newMode))
	}
	was := r.source.Info
	if was.UID != is.UID || was.GID != is.GID {
		err := f.Chown(was.UID, was.GID)
		if errors.Is(err, syscall.EPERM) {
			err = otherOwner
		}
		if err != nil {
			return err
		}
	}
	for _, a := range r.source.attrs {
		if err := f.SetAttr(a); err != nil {
			return err
		}
	}
	return f.Chmod(was.Mode)
}

// newMode is the default mode of a new file.
const newMode = 0o600

// writeAll writes all of data.
func writeAll(f File, data []byte) error {
	for len(data) > 0 {
		n, err := f.Write(data)
		if err != nil {
			return err
		}
		if n == 0 {
			return io.ErrShortWrite
		}
		data = data[n:]
	}
	return nil
}
