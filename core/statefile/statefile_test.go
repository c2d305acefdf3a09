package statefile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"winnow/core/atomicfile"
)

// TestMain lets the test program act as another process that adds lines.
func TestMain(m *testing.M) {
	if path := os.Getenv("STATEFILE_CHILD"); path != "" {
		if err := addLines(path, os.Getenv("STATEFILE_NAME")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

const linesEach = 40

// addLines adds one line after the other, each by a change of the whole file.
func addLines(path, name string) error {
	for i := range linesEach {
		err := File{Path: path}.Change(context.Background(), ForChange, func(now []byte) ([]byte, error) {
			return fmt.Appendf(bytes.Clone(now), "%s %d\n", name, i), nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func TestProcessesThatChangeAFileAtOnceLoseNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "file")
	var all sync.WaitGroup
	for _, name := range []string{"a", "b", "c"} {
		all.Go(func() {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), "STATEFILE_CHILD="+path, "STATEFILE_NAME="+name)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	all.Go(func() {
		if err := addLines(path, "d"); err != nil {
			t.Error(err)
		}
	})
	all.Wait()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b", "c", "d"} {
		for i := range linesEach {
			if line := fmt.Sprintf("%s %d\n", name, i); strings.Count("\n"+string(data), "\n"+line) != 1 {
				t.Errorf("line %q is there %d times", line, strings.Count("\n"+string(data), "\n"+line))
			}
		}
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v: want mode 0600", info, err)
	}
}

func TestHeldLockIsSaidInASentence(t *testing.T) {
	f := File{Path: filepath.Join(t.TempDir(), "file")}
	release, err := f.Hold(t.Context(), ForChange)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	called := false
	err = f.Change(t.Context(), time.Millisecond, func([]byte) ([]byte, error) { called = true; return nil, nil })
	if !IsBusy(err) || !strings.Contains(err.Error(), "another winnow is changing file") || called {
		t.Errorf("%v, called: %t", err, called)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := f.Change(ended, time.Millisecond, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want the end of the context", err)
	}
}

func TestRefusedChangeLeavesTheFile(t *testing.T) {
	f := File{Path: filepath.Join(t.TempDir(), "file"), Most: 8}
	if err := f.Write([]byte("was")); err != nil {
		t.Fatal(err)
	}
	refused := errors.New("refused")
	for _, want := range []error{refused, nil} {
		err := f.Change(t.Context(), ForChange, func(now []byte) ([]byte, error) {
			if string(now) != "was" {
				t.Errorf("read %q", now)
			}
			if want == nil {
				return nil, atomicfile.ErrUnchanged
			}
			return nil, want
		})
		if !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
	if data, err := f.Read(); string(data) != "was" || err != nil {
		t.Errorf("%q, %v", data, err)
	}
	if err := f.Write([]byte("too long by far")); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Read(); err == nil {
		t.Error("a file that is too large was read")
	}
}

func TestLinkedFileIsChangedWhereItIs(t *testing.T) {
	dir := t.TempDir()
	real, link := filepath.Join(dir, "real"), filepath.Join(dir, "link")
	if err := os.WriteFile(real, []byte("a"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil {
		t.Skip(err)
	}
	err := File{Path: link}.Change(t.Context(), ForChange,
		func(now []byte) ([]byte, error) { return append(now, 'b'), nil })
	if err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(real); string(data) != "ab" || err != nil {
		t.Errorf("%q, %v", data, err)
	}
}
