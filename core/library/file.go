package library

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"winnow/core/atomicfile"
	"winnow/core/memory"
)

// WriteFile writes a file that a person asked for: a report, a copy, a hook. It is
// durable and whole when there is no error, and nothing has changed otherwise. A file
// that is there already is [fs.ErrExist] unless replace is set; then its mode stays.
// One missing folder is made for it, for its owner only. A link in the last place of the
// path is refused.
func (l *Library) WriteFile(ctx context.Context, path string, data []byte, replace bool, perm fs.FileMode) error {
	if l.readOnly {
		return fmt.Errorf("write %s: %w", path, memory.ErrReadOnly)
	}
	path = l.absolute(path)
	if _, err := os.Stat(filepath.Dir(filepath.Dir(path))); err != nil {
		return &memory.Problem{Code: "folder-gone", What: fmt.Sprintf("write %s: its folder is not there", path), Hint: "make the folder first"}
	}
	temp, err := atomicfile.NewTemp(l.state.Rand)
	if err != nil {
		return err
	}
	_, err = atomicfile.Replace(ctx, atomicfile.OS(), path, atomicfile.Update{
		Temp: temp, Mode: uint32(perm.Perm()), Real: true,
		Next: func(now []byte) ([]byte, error) {
			if now != nil && !replace {
				return nil, fs.ErrExist
			}
			return data, nil
		},
		Adopt: func(mine, _, _ []byte) ([]byte, error) { return mine, nil },
	})
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("write %s: %w", path, fs.ErrExist)
	}
	return err
}

// RemoveFile removes a file that holds was, and nothing else: the error is
// [memory.ErrConflict] when it holds something else by now.
func (l *Library) RemoveFile(_ context.Context, path string, was []byte) error {
	if l.readOnly {
		return fmt.Errorf("remove %s: %w", path, memory.ErrReadOnly)
	}
	temp, err := atomicfile.NewTemp(l.state.Rand)
	if err != nil {
		return err
	}
	err = atomicfile.Remove(atomicfile.OS(), l.absolute(path), temp, was)
	if errors.Is(err, atomicfile.ErrOther) {
		return fmt.Errorf("remove %s: %w", path, memory.ErrConflict)
	}
	return err
}

// absolute returns a path as it is meant from the working folder; ~/ is the home folder.
func (l *Library) absolute(path string) string {
	if rest, ok := strings.CutPrefix(path, "~"+string(filepath.Separator)); ok && l.env.Home != "" {
		return filepath.Join(l.env.Home, rest)
	}
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(l.env.Dir, path)
}
