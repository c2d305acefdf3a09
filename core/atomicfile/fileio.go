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

// read reads the file name with what else belongs to its state. A missing file is
// no error; what is not a regular file is a refusal.
func (s *saving) read(name string) (version, error) {
	f, err := s.opened(name)
	if f == nil || err != nil {
		return version{}, err
	}
	v := version{there: true}
	if v.info, err = f.Stat(); err != nil {
		return v, err
	}
	if err := fits(v.info); err != nil {
		return v, err
	}
	if v.data, err = content(f, v.info.Size); err != nil {
		return v, err
	}
	v.attrs, err = f.Attrs()
	return v, err
}

// opened opens the file name until the saving ends. A missing one is nil.
func (s *saving) opened(name string) (File, error) {
	f, err := s.dir.Open(name)
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
	s.open = append(s.open, f)
	return f, nil
}

// holds reports whether the file name is there and holds just data. What is not a
// regular file is a refusal, as in read.
func (s *saving) holds(name string, data []byte) (bool, error) {
	f, err := s.opened(name)
	if f == nil || err != nil {
		return false, err
	}
	info, err := f.Stat()
	if err == nil {
		err = fits(info)
	}
	if err != nil || info.Size != int64(len(data)) {
		return false, err
	}
	if s.chunk == nil {
		s.chunk = make([]byte, 16<<10)
	}
	return equal(f, data, s.chunk)
}

// equal reports whether a file holds just data. It reads by way of b.
func equal(f File, data, b []byte) (bool, error) {
	for off := 0; ; {
		n, err := f.ReadAt(b, int64(off))
		if err != nil || n == 0 {
			return off == len(data), err
		}
		if off+n > len(data) || !bytes.Equal(b[:n], data[off:off+n]) {
			return false, nil
		}
		off += n
	}
}

// fits refuses what cannot be replaced.
func fits(info Info) error {
	switch {
	case info.Kind == Directory:
		return isFolder
	case info.Kind == Symlink:
		return isLink
	case info.Kind != Regular:
		return notAFile
	case info.Size > MaxSize:
		return tooLarge
	case info.Mode&0o777 == 0:
		return noMode
	}
	return nil
}

// content reads a file of about size bytes to its end. It never returns nil.
func content(f File, size int64) ([]byte, error) {
	b := make([]byte, 0, size+1)
	for {
		n, err := f.ReadAt(b[len(b):cap(b)], int64(len(b)))
		b = b[:len(b)+n]
		switch {
		case err != nil:
			return nil, err
		case len(b) > MaxSize:
			return nil, tooLarge
		case n == 0, int64(len(b)) == size && len(b) < cap(b):
			return b, nil
		case len(b) == cap(b):
			b = append(b, 0)[:len(b)]
		}
	}
}

// write makes the file temp, whole and durable, with the mode, owner and attributes
// of the source. On an error nothing is left.
func (s *saving) write(temp string, data []byte) (version, error) {
	f, err := s.dir.Create(temp+part, 0)
	if err != nil {
		return version{}, err
	}
	s.open = append(s.open, f)
	info, err := s.fill(f, temp+part, data)
	if err == nil {
		err = s.wholeAs(temp)
	}
	if err != nil {
		s.drop(temp + part)
	}
	return version{there: true, info: info, data: data, attrs: s.source.attrs}, err
}

// wholeAs gives a file that is whole its name, which nothing has.
func (s *saving) wholeAs(temp string) error {
	err := s.dir.RenameNew(temp+part, temp)
	if unable(err) {
		err = s.dir.Rename(temp+part, temp)
	}
	return err
}

// fill writes and syncs a new file.
func (s *saving) fill(f File, name string, data []byte) (Info, error) {
	if err := writeAll(f, data); err != nil {
		return Info{}, err
	}
	info, err := f.Stat()
	if err == nil {
		err = s.dress(f, info)
	}
	if err == nil {
		info, err = s.date(f, name, info)
	}
	if err != nil {
		return info, err
	}
	return info, f.Sync()
}

// date gives a new file the time that it is to have.
func (s *saving) date(f File, name string, info Info) (Info, error) {
	at, least := s.time(), int64(0)
	if s.u.Later && s.source.there {
		least = s.source.info.Mtime + int64(time.Millisecond)
		if at == 0 && info.Mtime < least || at != 0 && at < least {
			at = least
		}
	}
	if at == 0 {
		return info, nil
	}
	// Not every disk keeps nanoseconds: exFAT has hundredths, FAT two seconds.
	for _, grain := range []time.Duration{0, 10 * time.Millisecond, time.Second, 2 * time.Second} {
		err := s.dir.SetTime(name, at+int64(grain))
		if err == nil {
			info, err = f.Stat()
		}
		if err != nil || info.Mtime >= least {
			return info, err
		}
	}
	return info, nil
}

// time returns when a new file is to say that it was changed last, or 0.
func (s *saving) time() int64 {
	if s.u.KeepTime && s.source.there {
		return s.source.info.Mtime
	}
	return s.u.Time
}

// dress gives a new file what the source has beside its bytes. The mode is last:
// changing the owner clears bits of it.
func (s *saving) dress(f File, is Info) error {
	if !s.source.there {
		return f.Chmod(cmp.Or(s.u.Mode, newMode))
	}
	was := s.source.info
	if was.UID != is.UID || was.GID != is.GID {
		err := f.Chown(was.UID, was.GID)
		if errors.Is(err, syscall.EPERM) {
			err = otherOwner
		}
		if err != nil {
			return err
		}
	}
	for _, a := range s.source.attrs {
		if err := f.SetAttr(a); err != nil {
			return err
		}
	}
	return f.Chmod(was.Mode)
}

// newMode is the mode of a new file unless another is asked for.
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
