package program

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winnow/core/memory"
	"winnow/core/system"
)

func TestFolderIsRemovedWithTheDemo(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	path, remove, err := unpack(time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
	remove()
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "*")); len(left) > 0 {
		t.Errorf("%q are left", left)
	}
}

// fragile is a store that panics when a goroutine reads it.
type fragile struct{ system.Store }

func (fragile) Info() system.Info { return system.Info{Name: "Fragile"} }

func (fragile) List(context.Context, func(memory.Record) error) error { panic("boom") }

func TestPanicOfAGoroutineEndsTheCommand(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("XDG_STATE_HOME", dir)
	path := filepath.Join(dir, "store")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p := Program{Now: time.Now, Systems: func(func() time.Time) []system.System {
		return []system.System{{ID: "fragile", Name: "Fragile", Open: func(string) (system.Store, error) { return fragile{}, nil },
			Find: func(context.Context, system.Env) memory.Survey { return memory.Survey{} }}}
	}}
	var out, errs bytes.Buffer
	status := p.Run(t.Context(), []string{"guard", "--store", path}, strings.NewReader(""), &out, &errs)
	if status != 1 || !strings.Contains(errs.String(), "winnow: the program stopped: boom\nhint: the details are in "+dir) {
		t.Errorf("exit status %d: %s", status, &errs)
	}
}
