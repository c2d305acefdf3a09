package demo

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestAgentAddsALessonASession(t *testing.T) {
	path, before := unpack(t)
	synctest.Test(t, func(t *testing.T) {
		if err := Agent(t.Context(), path, "", 20*time.Second, 1); err != nil {
			t.Fatal(err)
		}
	})
	old, damaged := decode(before)
	whole, still := decode(read(t, path))
	added := strings.Count(sessions, "\n")
	if added != 12 || len(whole) != len(old)+added {
		t.Errorf("%d lessons after %d sessions, %d before", len(whole), added, len(old))
	}
	if len(still) != len(damaged) {
		t.Errorf("%d damaged lines are left of %d", len(still), len(damaged))
	}
	bumped := 0
	for i, e := range old {
		if e.ID != whole[i].ID {
			t.Fatalf("lesson %d became %s, was %s", i, whole[i].ID, e.ID)
		}
		if e.Count != whole[i].Count {
			bumped++
		}
		if (e.Count != whole[i].Count) != (e.Used != whole[i].Used) {
			t.Errorf("lesson %s: count and date of the last recall do not go together", e.ID)
		}
	}
	if bumped < added {
		t.Errorf("%d lessons were recalled in %d sessions", bumped, added)
	}
}

func TestAgentReplacesTheFileAndLeavesNothingElse(t *testing.T) {
	path, before := unpack(t)
	old, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 95*time.Second)
		defer cancel()
		if err := Agent(ctx, path, "", time.Minute, 7); err != nil {
			t.Fatal(err)
		}
	})
	was, _ := old.Stat()
	is, err := os.Stat(path)
	if err != nil || os.SameFile(was, is) {
		t.Errorf("the store is still the same file: %v", err)
	}
	if read(t, path) == before {
		t.Error("no session ended within 95 s")
	}
	if got := tree(t, filepath.Dir(path)); len(got) != 1 {
		t.Errorf("beside the store: %q", got)
	}
}

func TestAgentStopsBeforeItsFirstSession(t *testing.T) {
	path, before := unpack(t)
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 29*time.Second)
		defer cancel()
		if err := Agent(ctx, path, "", time.Minute, 1); err != nil {
			t.Error(err)
		}
	})
	if read(t, path) != before {
		t.Error("a session ended before half of the pause")
	}
}

func TestAgentReportsAStoreThatIsGone(t *testing.T) {
	path, _ := unpack(t)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		if err := Agent(t.Context(), path, "", time.Second, 1); err == nil {
			t.Error("the agent saved a store that is gone")
		}
	})
	if got := tree(t, filepath.Dir(path)); len(got) != 0 {
		t.Errorf("left behind: %q", got)
	}
}
