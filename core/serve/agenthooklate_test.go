package serve_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winnow/core/atomicfile"
	"winnow/core/library"
	"winnow/core/memory"
	"winnow/core/serve"
	"winnow/core/system"
	"winnow/core/systems/all"
)

// stuckStore is a store of a project on a disk that does not answer.
type stuckStore struct {
	system.Store
	reached chan struct{}
}

func (stuckStore) UseApprovals(func(*memory.Record) bool) {}

func (s stuckStore) Served(context.Context, string, func(*memory.Record) bool) ([]system.Served, error) {
	close(s.reached)
	select {}
}

func (s stuckStore) Told(ctx context.Context, approved func(*memory.Record) bool) ([]system.Served, error) {
	return s.Served(ctx, "", approved)
}

// withStuck returns a library of the machine in which a project has such a store too.
func (m machine) withStuck(reached chan struct{}) *library.Library {
	const id memory.SystemID = "stuck"
	now := func() time.Time { return time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC) }
	stuck := system.System{
		ID: id, Name: "Stuck",
		Open: func(string) (system.Store, error) { return stuckStore{reached: reached}, nil },
		Serves: func(env system.Env) []memory.Place {
			if env.Dir == "" {
				return nil
			}
			return []memory.Place{{Store: memory.At(id, filepath.Join(env.Dir, "stuck")), System: id}}
		},
	}
	env := system.Env{Home: m.home, Dir: m.home, Lookup: func(string) (string, bool) { return "", false }}
	state := library.State{Dir: filepath.Join(m.home, "state"), Rand: rand.Reader}
	return library.New(append(all.Systems(now), stuck), env, now, func(f func()) { go f() }, state)
}

func TestHookGivesWhatIsReadWhenItsTimeIsOver(t *testing.T) {
	m := newMachine(t)
	m.add(t, m.own(), "Deploy the docs", "with make")
	ctx, cancel := context.WithCancel(t.Context())
	reached := make(chan struct{})
	go func() {
		<-reached
		cancel()
	}()
	block, note, err := serve.New(m.withStuck(reached)).
		HookRecall(ctx, memory.Hook{Session: "s1", Folder: m.project, Prompt: "deploy"})
	if !strings.Contains(block, "with make") || !errors.Is(err, context.Canceled) || note == nil {
		t.Fatalf("the block is %q, %v; want the person's own lesson, and the error of the context", block, err)
	}
	before := stateOf(t, m.home)
	if err := note(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("noting ended with %v", err)
	}
	if after := stateOf(t, m.home); after != before {
		t.Errorf("a write was begun after the time of the hook:\n%s\nbefore\n%s", after, before)
	}
}

// stateOf returns the names, sizes and times of everything below a folder.
func stateOf(t *testing.T, root string) (state string) {
	t.Helper()
	err := filepath.Walk(root, func(path string, info os.FileInfo, err error) error {
		if err == nil {
			state += fmt.Sprintln(path, info.Size(), info.ModTime().UnixNano())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return state
}

func TestHeldLockDropsTheCountAndNotTheBlock(t *testing.T) {
	m := newMachine(t)
	m.add(t, m.shop(), "Deploy the shop", "with make")
	unlock, err := atomicfile.Lock(t.Context(), filepath.Join(m.home, "state", "learn", "given", "lessons.lock"))
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	block, note, err := serve.New(m.library()).
		HookRecall(ctx, memory.Hook{Session: "s1", Folder: m.project, Prompt: "deploy"})
	if !strings.Contains(block, "with make") || err != nil {
		t.Fatalf("the block is %q, %v", block, err)
	}
	short, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if err := note(short); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("noting ended with %v", err)
	}
	if got := m.counts(t, m.shop()); fmt.Sprint(got) != "[0]" {
		t.Errorf("counts are %v", got)
	}
}

// TestSessionThatStartsAnewWithAPromptHasNothing: OpenCode's plugin says in one call that the session may be
// older than it, and what the person asks for.
func TestSessionThatStartsAnewWithAPromptHasNothing(t *testing.T) {
	m := newMachine(t)
	m.add(t, m.shop(), "Deploy the shop", "with make")
	for i, source := range []string{"resume", "", "resume", "", ""} {
		h := memory.Hook{Session: "s1", Source: source, Folder: m.project, Prompt: "deploy"}
		block, note, err := serve.New(m.library()).HookRecall(t.Context(), h)
		if note != nil {
			err = errors.Join(err, note(t.Context()))
		}
		if given := block != ""; given != (source != "") || err != nil {
			t.Errorf("call %d, %q: the block is %q, %v", i, source, block, err)
		}
	}
	if got := m.counts(t, m.shop()); fmt.Sprint(got) != "[1]" {
		t.Errorf("counts are %v, want one for the session", got)
	}
}
