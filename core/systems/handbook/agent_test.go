package handbook

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/memory"
	"winnow/core/system"
)

// TestNothingOfAnAgentThatSavesAllTheTimeIsLost has an agent that saves memories, each
// with its index, as the original does, while a person deletes and corrects others.
func TestNothingOfAnAgentThatSavesAllTheTimeIsLost(t *testing.T) {
	const n = 40
	texts := map[string]string{}
	for i := range n {
		m := note{name: fmt.Sprintf("old-%02d", i), description: "Old", body: "Old.", kind: fact}
		texts[m.name+ending] = m.text()
	}
	s := folderOf(t, texts)
	agent := folderOf(t, nil)
	agent.path = s.path
	done := make(chan error)
	go func() {
		for i := range n {
			m := note{name: fmt.Sprintf("new-%02d", i), description: "New", body: "New.", kind: fact}
			err := os.WriteFile(filepath.Join(agent.path, m.name+ending), []byte(m.text()), 0o644)
			if d, p := agent.read(t.Context()); err == nil && p == nil {
				err = os.WriteFile(filepath.Join(agent.path, indexName), []byte(d.derivedIndex()), 0o644)
			}
			if err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	for i := range n {
		takeOne(t, s, memory.ID(fmt.Sprintf("old-%02d", i)), i%2 == 0)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	now := contents(t, s)
	for i := range n {
		_, old := now[fmt.Sprintf("old-%02d.md", i)]
		if now[fmt.Sprintf("new-%02d.md", i)] == "" || old == (i%2 == 0) {
			t.Errorf("new-%02d holds %q, and old-%02d is there: %t", i, now[fmt.Sprintf("new-%02d.md", i)], i, old)
		}
		if i%2 == 1 && !strings.Contains(now[fmt.Sprintf("old-%02d.md", i)], "Corrected") {
			t.Errorf("old-%02d is not corrected", i)
		}
	}
	for name := range now {
		if strings.HasPrefix(name, ".winnow") {
			t.Errorf("%s is left", name)
		}
	}
}

// takeOne deletes or corrects a memory, again when the agent was in between.
func takeOne(t *testing.T, s *store, id memory.ID, deletes bool) {
	t.Helper()
	for range 1000 {
		r := record(t, s, id)
		ch := memory.Change{Do: memory.Deleting, ID: id, Record: r, Before: r.Raw}
		if !deletes {
			title := "Corrected"
			after, err := s.Compose(r.Raw, memory.Edit{Title: &title})
			if err != nil {
				t.Fatal(err)
			}
			ch.Do, ch.After = memory.Editing, after
		}
		_, err := s.Write(t.Context(), system.Write{Changes: plan(t, s, ch)})
		if err == nil {
			return
		}
		var p *memory.Problem
		if !errors.Is(err, memory.ErrConflict) && (!errors.As(err, &p) || p.Code != "busy") {
			t.Fatal(err)
		}
	}
	t.Errorf("%s could not be changed in 1000 tries", id)
}

func BenchmarkSummaryOfFifty(b *testing.B) {
	dir := b.TempDir()
	for i := range 50 {
		m := note{
			name:        fmt.Sprintf("m-%02d", i),
			description: "What it is about",
			body:        strings.Repeat("word ", 200),
			kind:        fact,
		}
		if err := os.WriteFile(filepath.Join(dir, m.name+ending), []byte(m.text()), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	s := open(dir)
	for b.Loop() {
		if _, err := s.Summary(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
