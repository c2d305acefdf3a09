package sessions

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"winnow/core/learn"
	"winnow/core/memory"
	"winnow/core/session"
	"winnow/core/system"
)

// recorded is a system that keeps the sessions heads, and cannot list more of them when failed is set.
func recorded(id memory.SystemID, failed error, heads ...session.Head) system.System {
	return system.System{
		ID: id, Name: string(id),
		Find: func(context.Context, system.Env) memory.Survey { return memory.Survey{} },
		Sessions: func(context.Context, system.Env, string) ([]session.Head, error) {
			return heads, failed
		},
		Session: func(_ context.Context, _ system.Env, h session.Head) (session.Session, error) {
			return session.Session{Head: h, Task: "the task of " + h.ID}, nil
		},
	}
}

// sessionReader is a reader of systems whose working folder is dir.
func sessionReader(dir string, systems ...system.System) *Reader {
	return New(Config{
		Systems: systems, Env: system.Env{Home: dir, Dir: dir}, Now: time.Now, Start: func(f func()) { go f() },
	})
}

func idsOf(heads []session.Head) string {
	var ids []string
	for _, h := range heads {
		ids = append(ids, string(h.System)+":"+h.ID)
	}
	return strings.Join(ids, " ")
}

func at(minute int) time.Time { return time.Date(2026, 5, 4, 12, minute, 0, 0, time.UTC) }

func TestSessionsOfAllSystemsComeNewestFirst(t *testing.T) {
	l := sessionReader(t.TempDir(),
		recorded("one", nil, session.Head{ID: "a1", Changed: at(3)}, session.Head{ID: "a2", Changed: at(1)}),
		system.System{ID: "without"},
		recorded("two", nil, session.Head{ID: "b1", Changed: at(2)}))
	heads, err := l.Sessions(t.Context(), "")
	if got := idsOf(heads); err != nil || got != "one:a1 two:b1 one:a2" {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestSessionsOfAProjectAreThoseInItsRepository(t *testing.T) {
	dir := t.TempDir()
	sub := filepath.Join(dir, "shop", "api")
	if err := errors.Join(os.MkdirAll(sub, 0o755), os.Mkdir(filepath.Join(dir, "shop", ".git"), 0o755)); err != nil {
		t.Fatal(err)
	}
	l := sessionReader(dir, recorded("one", nil,
		session.Head{ID: "root", Folder: filepath.Join(dir, "shop")}, session.Head{ID: "deep", Folder: sub},
		session.Head{ID: "beside", Folder: filepath.Join(dir, "shop-two")}, session.Head{ID: "untold"}))
	heads, err := l.Sessions(t.Context(), sub)
	if got := idsOf(heads); err != nil || got != "one:root one:deep one:untold" {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestABrokenSystemHidesNoSessionsOfOthers(t *testing.T) {
	broken := errors.New("database is malformed")
	l := sessionReader(t.TempDir(), recorded("one", broken), recorded("two", nil, session.Head{ID: "b1"}))
	heads, err := l.Sessions(t.Context(), "")
	if got := idsOf(heads); !errors.Is(err, broken) || !strings.Contains(err.Error(), "one") || got != "two:b1" {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestSessionIsFoundByTheBeginningOfItsID(t *testing.T) {
	l := sessionReader(t.TempDir(),
		recorded("one", nil, session.Head{ID: "abc"}, session.Head{ID: "abcd"}, session.Head{ID: "xyz"}),
		recorded("two", nil, session.Head{ID: "xya"}, session.Head{ID: "dup"}),
		recorded("three", nil, session.Head{ID: "dup"}))
	for _, test := range []struct{ id, want string }{
		{"abcd", "one:abcd"},
		{"abc", "one:abc"},
		{"xyz", "one:xyz"},
		{"xya", "two:xya"},
		{"two:x", "two:xya"},
		{"three:dup", "three:dup"},
	} {
		s, err := l.Session(t.Context(), test.id)
		if got := idsOf([]session.Head{s.Head}); err != nil || got != test.want || s.Task == "" {
			t.Errorf("%s: got %s, %v; want %s", test.id, got, err, test.want)
		}
	}
	for _, id := range []string{"", "q", "two:abc"} {
		if _, err := l.Session(t.Context(), id); !errors.Is(err, memory.ErrNotFound) {
			t.Errorf("%q: got %v, want not found", id, err)
		}
	}
	for id, names := range map[string][]string{"xy": {"one:xyz", "two:xya"}, "dup": {"two:dup", "three:dup"}} {
		_, err := l.Session(t.Context(), id)
		var several *memory.Problem
		if !errors.As(err, &several) ||
			slices.ContainsFunc(names, func(n string) bool { return !strings.Contains(several.What, n) }) {
			t.Errorf("%s: got %v, want a problem that names %v", id, err, names)
		}
	}
}

func TestLongListOfSessionsIsCutAndTheOldestIsStillFoundByName(t *testing.T) {
	heads := make([]session.Head, MostSessions+1)
	for i := range heads {
		heads[i] = session.Head{
			ID:      "s" + strings.Repeat("x", i%7) + time.Duration(i).String(),
			Changed: at(0).Add(-time.Duration(i) * time.Second),
		}
	}
	l := sessionReader(t.TempDir(), recorded("one", nil, heads...))
	got, err := l.Sessions(t.Context(), "")
	if err != nil || len(got) != MostSessions {
		t.Errorf("got %d sessions, %v", len(got), err)
	}
	if _, err := l.Session(t.Context(), heads[MostSessions].ID); err != nil {
		t.Errorf("the oldest: %v", err)
	}
}

func TestASessionThatEndedIsReadOnceUntilItChanges(t *testing.T) {
	heads := []session.Head{{ID: "a", Changed: at(1)}, {ID: "b", Changed: at(5)}}
	read := map[string]int{}
	k := recorded("one", nil, heads...)
	k.Session = func(_ context.Context, _ system.Env, h session.Head) (session.Session, error) {
		read[h.ID]++
		state := map[string]session.State{"a": session.Succeeded, "b": session.Running}[h.ID]
		return session.Session{Head: h, State: state}, nil
	}
	l := sessionReader(t.TempDir(), k)
	for i, want := range []int{1, 1, 2} {
		if i == 2 {
			heads[0].Changed = at(3)
		}
		list, err := l.Summaries(t.Context(), "/")
		if err != nil || len(list) != 2 || list[1].ID != "a" || list[1].State != "succeeded" {
			t.Fatalf("got %+v, %v", list, err)
		}
		if read["a"] != want || read["b"] != i+1 {
			t.Errorf(
				"call %d: the session that ended was read %d times, the other one %d times",
				i+1,
				read["a"],
				read["b"],
			)
		}
	}
}

func TestRememberedSessionsAreBounded(t *testing.T) {
	k := parseKnown(nil)
	for i := range mostKnown + 5 {
		k.Sessions[fmt.Sprint(i)] = knownSession{State: session.Succeeded, At: time.Unix(int64(i), 0)}
	}
	k.trim()
	if _, oldest := k.Sessions["0"]; len(k.Sessions) != mostKnown || oldest {
		t.Errorf("%d sessions are left, the oldest: %v", len(k.Sessions), oldest)
	}
}

func TestSessionsReadAtOnceAreAllRemembered(t *testing.T) {
	const readers = 6
	dir := t.TempDir()
	var all sync.WaitGroup
	for n := range readers {
		all.Go(func() {
			r := New(Config{Dir: dir})
			r.remember(t.Context(), map[string]learn.SessionFacts{fmt.Sprint(n): {State: session.Succeeded, At: at(n)}})
		})
	}
	all.Wait()
	if known := New(Config{Dir: dir}).readKnown(); len(known.Sessions) != readers {
		t.Errorf("%d of %d sessions are remembered", len(known.Sessions), readers)
	}
}
