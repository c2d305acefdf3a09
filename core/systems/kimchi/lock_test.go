package kimchi

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"winnow/core/atomicfile"
	"winnow/core/memory"
	"winnow/core/system"
)

// agentSaves adds an entry as an agent that re-reads the file under the lock does: it
// rewrites the whole of it, into a new file that takes its place.
func agentSaves(t *testing.T, d *dialect, path, entry string) {
	t.Helper()
	take := atomicfile.FolderLock
	if d.id == Hermes {
		take = atomicfile.WholeLock
	}
	release, err := take(t.Context(), path+".lock", quick())
	for errors.Is(err, atomicfile.ErrHeld) {
		release, err = take(t.Context(), path+".lock", quick())
	}
	if err != nil {
		t.Error(err)
		return
	}
	defer release()
	text, err := os.ReadFile(path)
	entries := append(d.entries(string(text)), entry)
	temp := filepath.Join(filepath.Dir(path), "."+entry+".tmp")
	if err := errors.Join(err, os.WriteFile(temp, []byte(join(entries)), 0o600), os.Rename(temp, path)); err != nil {
		t.Error(err)
	}
}

// quick looks for the lock again and again, as long as the test lasts.
func quick() atomicfile.Waiting {
	return atomicfile.Waiting{Now: time.Now, Pause: func(ctx context.Context, _ time.Duration) error {
		select {
		case <-time.After(500 * time.Microsecond):
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}}
}

func TestTwoWinnowsAndTwoAgentsLoseNothing(t *testing.T) {
	const each = 12
	for _, d := range []*dialect{kimchi(), hermes()} {
		path := storeOf(t, d, "Begin").Path
		var all sync.WaitGroup
		want := []string{"Begin"}
		for n := range 2 {
			for i := range each {
				want = append(want, fmt.Sprintf("winnow%dentry%d", n, i), fmt.Sprintf("agent%dentry%d", n, i))
			}
			all.Go(func() {
				s := storeAt(t, d, path)
				s.Now, s.pause = time.Now, quick().Pause
				for i := range each {
					s.add(t, fmt.Sprintf("winnow%dentry%d", n, i))
				}
			})
			all.Go(func() {
				for i := range each {
					agentSaves(t, d, path, fmt.Sprintf("agent%dentry%d", n, i))
				}
			})
		}
		all.Wait()
		got, _ := os.ReadFile(path)
		entries := d.entries(string(got))
		slices.Sort(entries)
		slices.Sort(want)
		if !slices.Equal(entries, want) {
			t.Errorf("%s: the file holds %d entries, want %d: %q", d.name, len(entries), len(want), entries)
		}
		left, _ := os.ReadDir(filepath.Dir(path))
		if len(left) != 2 {
			t.Errorf("%s: beside the file are %v, want the empty file of the lock alone", d.name, left)
		}
	}
}

// add adds an entry, again when the lock was held for too long.
func (s *store) add(t *testing.T, entry string) {
	t.Helper()
	for {
		_, err := s.Write(t.Context(), system.Write{Changes: []memory.Change{adding(entry)}})
		var p *memory.Problem
		if errors.As(err, &p) && (p.Code == "locked" || p.Code == "busy") {
			continue
		}
		if err != nil {
			t.Error(err)
		}
		return
	}
}

func TestLinkToNotesIsKept(t *testing.T) {
	for _, d := range []*dialect{kimchi(), hermes()} {
		target := storeOf(t, d, "A\n§\nB").Path
		link := filepath.Join(t.TempDir(), memoryFile)
		if err := os.Symlink(target, link); err != nil {
			t.Skip(err)
		}
		s := storeAt(t, d, link)
		if _, err := s.Write(t.Context(), system.Write{Changes: []memory.Change{deletion("A", 1)}}); err != nil {
			t.Fatal(err)
		}
		if to, err := os.Readlink(link); to != target || err != nil {
			t.Errorf("%s: the link leads to %q, %v", d.name, to, err)
		}
		if text, _ := os.ReadFile(target); string(text) != "B" {
			t.Errorf("%s: the target holds %q", d.name, text)
		}
		if _, err := os.Stat(link + ".lock"); err != nil {
			t.Errorf("%s: the lock is not taken where the system takes it: %v", d.name, err)
		}
	}
}

func TestLinkedFolderOfAnAgentIsRefused(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, ".kimchi", "agent-memory", "scout")
	real := filepath.Join(root, "real")
	if err := errors.Join(os.MkdirAll(filepath.Dir(dir), 0o755), os.Mkdir(real, 0o755)); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, dir); err != nil {
		t.Skip(err)
	}
	s := openAgent(dir, clock, nothingRuns)
	var p *memory.Problem
	if err := s.CanWrite(); !errors.As(err, &p) || p.Code != "is-link" {
		t.Errorf("CanWrite = %v", err)
	}
	r, err := s.Recall(t.Context(), memory.Task{})
	if err != nil || r.Stop == nil || r.Block.Text != "" || len(r.Also) != 1 {
		t.Errorf("Recall = %+v, %v", r.Stop, err)
	}
}
