package karnevil9

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"winnow/core/memory"
	"winnow/core/system"
)

// linkTo puts a link in the place of path.
func linkTo(t *testing.T, target, path string) {
	t.Helper()
	if err := os.Symlink(target, path+".link"); err != nil {
		t.Skip("no symbolic links here")
	}
	if err := os.Rename(path+".link", path); err != nil {
		t.Fatal(err)
	}
}

// TestLinkPutThereLaterIsNotFollowed has a link come to stand where the store was, and
// an agent then replace the link by a file, as its save does.
func TestLinkPutThereLaterIsNotFollowed(t *testing.T) {
	path := write(t, append(lessons(4), '\n'))
	s := openStore(t, path)
	r := all(t, s)[1]
	if err := s.CanWrite(); err != nil {
		t.Fatal(err)
	}
	outside := write(t, append(lessons(4), '\n'))
	before := contents(t, outside)
	linkTo(t, outside, path)
	var p *memory.Problem
	if _, err := s.Write(t.Context(), system.Write{Changes: []memory.Change{deletion(r)}}); !errors.As(err, &p) ||
		p.Code != "is-link" {
		t.Errorf("Write = %v, want the problem is-link", err)
	}
	if contents(t, outside) != before {
		t.Errorf("what the link leads to holds now\n%s", contents(t, outside))
	}
	agentSaves(t, path, before)
	if _, err := s.Write(t.Context(), system.Write{Changes: []memory.Change{deletion(r)}}); err != nil {
		t.Errorf("after the agent's save: %v", err)
	}
}

// TestStoreBehindALinkStaysBehindIt follows the link that the store was opened by.
func TestStoreBehindALinkStaysBehindIt(t *testing.T) {
	real := write(t, append(lessons(4), '\n'))
	path := filepath.Join(t.TempDir(), "memory.jsonl")
	linkTo(t, real, path)
	s := openStore(t, path)
	before := contents(t, real)
	if _, err := s.Write(t.Context(), system.Write{Changes: []memory.Change{deletion(all(t, s)[1])}}); err != nil {
		t.Fatal(err)
	}
	if contents(t, real) == before {
		t.Error("the file behind the link was not changed")
	}
	if to, err := os.Readlink(path); err != nil || to != real {
		t.Errorf("the link leads to %q, %v; want %q", to, err, real)
	}
}
