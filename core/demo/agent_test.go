package demo

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestAgentAddsALessonASession(t *testing.T) {
	path, before := unpack(t)
	synctest.Test(t, func(t *testing.T) {
		if err := Agent(t.Context(), path, 20*time.Second, 1); err != nil {
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
		if err := Agent(ctx, path, time.Minute, 7); err != nil {
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
		if err := Agent(ctx, path, time.Minute, 1); err != nil {
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
		if err := Agent(t.Context(), path, time.Second, 1); err == nil {
			t.Error("the agent saved a store that is gone")
		}
	})
	if got := tree(t, filepath.Dir(path)); len(got) != 0 {
		t.Errorf("left behind: %q", got)
	}
}

// TestTheFirstSaveAfterADeletionBringsItBack: and no later one, and none before.
func TestTheFirstSaveAfterADeletionBringsItBack(t *testing.T) {
	path, before := unpack(t)
	const id = "6866da2a-0155-47f6-b437-c17ded02d532"
	deleted := func(text string) string {
		lines := strings.SplitAfter(text, "\n")
		lines = slices.DeleteFunc(lines, func(line string) bool { return lessonID(line) == id })
		return strings.Join(lines, "")
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go func() { _ = Agent(ctx, path, time.Minute, 3) }()
		counts := []int{1}
		for range 3 {
			time.Sleep(90 * time.Second)
			counts = append(counts, strings.Count(read(t, path), `{"lesson_id":"`+id))
			if err := os.WriteFile(path, []byte(deleted(read(t, path))), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if want := []int{1, 1, 1, 0}; !slices.Equal(counts, want) {
			t.Errorf("the lesson is there %v times, want %v", counts, want)
		}
	})
	if strings.Count(before, id) == 0 {
		t.Error("the demo has no such lesson")
	}
}
