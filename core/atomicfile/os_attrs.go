//go:build linux || darwin

package atomicfile

import (
	"errors"
	"strings"

	"golang.org/x/sys/unix"
)

func (f *osFile) Attrs() (attrs []Attr, _ error) {
	size, err := unix.Flistxattr(f.fd(), nil)
	if errors.Is(err, unix.ENOTSUP) || errors.Is(err, unix.ENOSYS) || err == nil && size == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	list := make([]byte, size)
	if size, err = unix.Flistxattr(f.fd(), list); err != nil {
		return nil, err
	}
	for name := range strings.SplitSeq(strings.TrimRight(string(list[:size]), "\x00"), "\x00") {
		value, err := f.attr(name)
		if err != nil {
			return nil, err
		}
		attrs = append(attrs, Attr{name, value})
	}
	return attrs, nil
}

// attr returns the value of one extended attribute.
func (f *osFile) attr(name string) ([]byte, error) {
	size, err := unix.Fgetxattr(f.fd(), name, nil)
	if err != nil || size == 0 {
		return nil, err
	}
	value := make([]byte, size)
	size, err = unix.Fgetxattr(f.fd(), name, value)
	return value[:max(size, 0)], err
}

// SetAttr sets an attribute. It skips attributes that the system sets itself or does not have here.
func (f *osFile) SetAttr(a Attr) error {
	err := unix.Fsetxattr(f.fd(), a.Name, a.Value, 0)
	system := strings.HasPrefix(a.Name, "security.") || strings.HasPrefix(a.Name, "trusted.") ||
		strings.HasPrefix(a.Name, "com.apple.")
	if errors.Is(err, unix.ENOTSUP) || errors.Is(err, unix.ENOSYS) ||
		system && (errors.Is(err, unix.EPERM) || errors.Is(err, unix.EACCES)) {
		return nil
	}
	return err
}
