package library

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/all"
)

func TestSearchBelowIsBoundedAndSaysSo(t *testing.T) {
	dir, l := workingFolder(t)
	root := filepath.Join(dir, "root")
	deep, edge := strings.Repeat("d/", mostDepth+1), strings.Repeat("e/", mostDepth)
	for _, name := range []string{"a/sessions/memory.jsonl", "node_modules/x/memory.jsonl", ".git/memory.jsonl", deep + "memory.jsonl", edge + "memory.jsonl"} {
		put(t, filepath.Join(root, name), lesson("a"))
	}
	if err := os.Symlink(filepath.Join(root, "a"), filepath.Join(root, "link")); err != nil {
		t.Skip("symbolic links cannot be made here:", err)
	}
	s := l.FindIn(t.Context(), []string{root})
	if len(s.Places) != 2 {
		t.Errorf("found %q, want the one at the top and the one at the edge", names(s))
	}
	note := s.Looked[0].Note
	if !strings.Contains(note, "levels down") || !strings.Contains(note, "1 symbolic links") {
		t.Errorf("note = %q, want what was left out", note)
	}
}

func TestSearchBelowStopsAtItsLimit(t *testing.T) {
	dir, l := workingFolder(t)
	for i := range 20 {
		put(t, filepath.Join(dir, "many", fmt.Sprintf("f%02d", i)), "")
	}
	w := walk{root: dir, left: 10}
	for i := range l.systems {
		if l.systems[i].StoresIn != nil {
			w.systems = append(w.systems, &l.systems[i])
		}
	}
	w.run(t.Context())
	if !strings.Contains(w.survey.Looked[0].Note, "stopped after") {
		t.Errorf("looked = %+v, want that it stopped", w.survey.Looked)
	}
}

func TestNamedLessonsNeedNoSearchOfOtherSystems(t *testing.T) {
	dir, _ := workingFolder(t)
	env := system.Env{Home: filepath.Dir(dir), Dir: dir, Lookup: func(string) (string, bool) { return "", false }}
	systems := all.Systems(time.Now)
	other := 0
	for i := range systems[1:] {
		find := systems[1+i].Find
		systems[1+i].Find = func(ctx context.Context, e system.Env) memory.Survey { other++; return find(ctx, e) }
	}
	l := New(systems, env, time.Now, start, State{Rand: rand.Reader}, all.Forms()...)
	named, odd := filepath.Join(dir, "copy.jsonl"), filepath.Join(dir, "odd.jsonl")
	put(t, named, lesson("a"))
	put(t, odd, "what may be a damaged file of any system\n")
	if s := l.FindIn(t.Context(), []string{named}); len(s.Places) != 1 || other > 0 {
		t.Errorf("places %q after %d searches, want one after none", names(s), other)
	}
	if l.FindIn(t.Context(), []string{odd}); other == 0 {
		t.Error("no other system is asked about a file that looks like nothing")
	}
}
