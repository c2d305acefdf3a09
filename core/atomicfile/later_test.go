package atomicfile_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"winnow/core/atomicfile"
)

// grained is a disk that keeps times by a grain.
type grained struct {
	atomicfile.Disk
	grain time.Duration
}

type grainedFolder struct {
	atomicfile.Folder
	grain time.Duration
}

func (d grained) Folder(path string) (atomicfile.Folder, error) {
	f, err := d.Disk.Folder(path)
	return grainedFolder{f, d.grain}, err
}

func (f grainedFolder) SetTime(name string, mtime int64) error {
	return f.Folder.SetTime(name, mtime-mtime%int64(f.grain))
}

func TestATimeIsLaterByTheLeastThatTheDiskKeeps(t *testing.T) {
	for grain, most := range map[time.Duration]time.Duration{
		1: time.Millisecond, time.Millisecond: time.Millisecond, 10 * time.Millisecond: 10 * time.Millisecond,
		time.Second: time.Second, 2 * time.Second: 2 * time.Second,
	} {
		path := filepath.Join(t.TempDir(), "x")
		if err := os.WriteFile(path, []byte("one"), 0o600); err != nil {
			t.Fatal(err)
		}
		was := time.Unix(1_700_000_000, 0)
		if err := os.Chtimes(path, was, was); err != nil {
			t.Fatal(err)
		}
		for _, u := range []atomicfile.Update{{KeepTime: true}, {Time: was.Add(-time.Hour).UnixNano()}} {
			u.Later, u.Next = true, func([]byte) ([]byte, error) {
				return []byte("two " + grain.String() + time.Duration(u.Time).String()), nil
			}
			var err error
			if u.Temp, err = atomicfile.NewTemp(nil); err != nil {
				t.Fatal(err)
			}
			before, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := atomicfile.Replace(t.Context(), grained{atomicfile.OS(), grain}, path, u); err != nil {
				t.Fatal(err)
			}
			now, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			if moved := now.ModTime().Sub(before.ModTime()); moved < time.Millisecond || moved > most {
				t.Errorf("with a grain of %v the time moves by %v, want at most %v", grain, moved, most)
			}
		}
	}
}
