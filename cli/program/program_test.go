package program

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winnow/core/memory"
	"winnow/core/system"
)

func TestDemoIsAMachineOfItsOwn(t *testing.T) {
	was := t.TempDir()
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("HOME", was)
	t.Setenv("CLAUDE_CONFIG_DIR", was)
	if err := os.WriteFile(filepath.Join(was, "CLAUDE.md"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := New()
	real, _ := p.Env(strings.NewReader(""), io.Discard, io.Discard)
	e, remove, err := real.Demo(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Dir(e.Home)
	systems := map[memory.SystemID]bool{}
	for _, place := range e.Library.Find(t.Context()).Places {
		if place.Exists {
			systems[place.System] = true
		}
		if !strings.Contains(string(place.Store), root) || !strings.HasPrefix(root, os.TempDir()) {
			t.Errorf("the demo shows %s", place.Store)
		}
	}
	if len(systems) < 3 {
		t.Errorf("stores of %v only", systems)
	}
	_, theirs := e.Lookup("CLAUDE_CONFIG_DIR")
	if !strings.HasPrefix(e.State, root) || !strings.HasPrefix(e.Config, root) || theirs {
		t.Errorf("state in %s, settings in %s", e.State, e.Config)
	}
	if in, err := e.Inbox.Inbox(t.Context()); err != nil || len(in.Entries) != 1 {
		t.Errorf("the inbox has %+v (%v), want 1 proposal", in.Entries, err)
	}
	remove()
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "*")); len(left) > 0 {
		t.Errorf("%q are left", left)
	}
	if mine, _ := filepath.Glob(filepath.Join(was, "*")); len(mine) != 1 {
		t.Errorf("the home has %q", mine)
	}
}

// panickingStore is a store that panics when a goroutine reads it.
type panickingStore struct{ system.Store }

func (panickingStore) Info() system.Info { return system.Info{Name: "Fragile"} }

func (panickingStore) List(context.Context, func(memory.Record) error) error { panic("boom") }

func TestPanicOfAGoroutineEndsTheCommand(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("XDG_STATE_HOME", dir)
	path := filepath.Join(dir, "store")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p := Program{
		Now:     time.Now,
		Machine: system.ThisMachine(),
		Systems: func(system.Env, func() time.Time) []system.System {
			return []system.System{
				{
					ID:   "fragile",
					Name: "Fragile",
					Open: func(string) (system.Store, error) { return panickingStore{}, nil },
					Find: func(context.Context, system.Env) memory.Survey { return memory.Survey{} },
				},
			}
		},
	}
	var out, errs bytes.Buffer
	status := p.Run(t.Context(), []string{"guard", "--store", path}, strings.NewReader(""), &out, &errs)
	if status != 1 ||
		!strings.Contains(errs.String(), "winnow: the program stopped: boom\nhint: the details are in "+dir) {
		t.Errorf("exit status %d: %s", status, &errs)
	}
}

// Found in the script tui_demo on a slow machine: the screen jumped to the newest store of the
// project when the search for stores took longer than the first picture waits.
func TestDemoOpensItsLessonsHoweverLongTheSearchTakes(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	p := New()
	real, catch := p.Env(strings.NewReader(""), io.Discard, io.Discard)
	e, remove, err := p.demo(t.Context(), real, catch)
	if err != nil {
		t.Fatal(err)
	}
	defer remove()
	h := &demoHome{store: "lessons"}
	found := screens{Env: e, lib: e.Library.(Stores).Library, catch: catch, home: h}.find(t.Context(), nil)
	if found.store != h.store || len(found.survey.Places) < 4 {
		t.Errorf("opens %q of %d stores, want %q of at least 4", found.store, len(found.survey.Places), h.store)
	}
}
