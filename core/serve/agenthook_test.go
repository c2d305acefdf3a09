package serve_test

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"winnow/core/inbox"
	"winnow/core/library"
	"winnow/core/memory"
	"winnow/core/serve"
	"winnow/core/system"
	"winnow/core/systems/all"
)

// machine is a home folder with a project in it, for hooks.
type machine struct{ home, project string }

func newMachine(t *testing.T) machine {
	t.Helper()
	m := machine{home: t.TempDir()}
	m.project = filepath.Join(m.home, "shop")
	if err := os.MkdirAll(filepath.Join(m.project, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	return m
}

// library returns what a process in the home folder has.
func (m machine) library() *library.Library { return m.libraryIn(m.home) }

// inProject returns what a process in the project has.
func (m machine) inProject() *library.Library { return m.libraryIn(m.project) }

func (m machine) libraryIn(dir string) *library.Library {
	now := func() time.Time { return time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC) }
	env := system.Env{Home: m.home, Dir: dir, Lookup: func(string) (string, bool) { return "", false }}
	return library.New(
		all.Systems(now),
		env,
		now,
		func(f func()) { go f() },
		library.State{Dir: filepath.Join(m.home, "state"), Rand: rand.Reader},
		all.Forms()...)
}

func (m machine) own() memory.StoreID {
	return memory.At("winnow", filepath.Join(m.home, ".local", "share", "winnow", "lessons.jsonl"))
}

func (m machine) shop() memory.StoreID {
	return memory.At("winnow", filepath.Join(m.project, ".winnow", "lessons.jsonl"))
}

// add has a person write a lesson into a store.
func (m machine) add(t *testing.T, id memory.StoreID, title, body string) {
	t.Helper()
	l := m.library()
	p, err := l.Plan(
		t.Context(),
		id,
		memory.Order{Do: memory.AddOne, Edit: memory.Edit{Title: &title, Body: &body}, Anyway: true},
	)
	if err == nil {
		_, err = inbox.New(l).Apply(t.Context(), p)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// prompt returns what the hook of a session in the project answers.
func (m machine) prompt(t *testing.T, session, text string) string {
	t.Helper()
	h := memory.Hook{Event: "UserPromptSubmit", Session: session, Folder: m.project, Prompt: text}
	block, note, err := serve.New(m.library()).HookRecall(t.Context(), h)
	if note != nil {
		err = errors.Join(err, note(t.Context()))
	}
	if err != nil {
		t.Error(err)
	}
	return block
}

// counts returns the relevance counts of the lessons of a store.
func (m machine) counts(t *testing.T, id memory.StoreID) (counts []int) {
	t.Helper()
	_, err := m.library().Each(t.Context(), []memory.StoreID{id}, func(_ memory.StoreID, r *memory.Record) error {
		counts = append(counts, r.Count.N)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return counts
}

func TestHookGivesTheBestOfProjectAndPerson(t *testing.T) {
	m := newMachine(t)
	m.add(t, m.own(), "Deploy the docs", "mine, one word")
	m.add(t, m.own(), "Deploy the docs to staging", "mine, two words")
	m.add(t, m.shop(), "Deploy the shop", "the project's, one word")
	m.add(t, m.shop(), "Deploy the site", "the project's, one word again")
	m.add(t, m.shop(), "Write tests", "no word")
	block := m.prompt(t, "s1", "deploy on staging")
	var order []int
	for _, body := range []string{"mine, two words", "the project's, one word\n", "the project's, one word again"} {
		order = append(order, strings.Index(block, body))
	}
	if order[0] < 0 || order[0] > order[1] || order[1] > order[2] || strings.Contains(block, "mine, one word") ||
		strings.Contains(block, "no word") {
		t.Errorf("the block is\n%s", block)
	}
	if mine, shop := m.counts(t, m.own()), m.counts(t, m.shop()); fmt.Sprint(mine, shop) != "[0 1] [1 1 0]" {
		t.Errorf("counts are %v and %v", mine, shop)
	}
}

func TestBlockIsWholeAndHasTwoKilobytesAtMost(t *testing.T) {
	m := newMachine(t)
	long := strings.Repeat("日本語", 300)
	for i := range 3 {
		m.add(t, m.shop(), fmt.Sprintf("Deploy %d %s", i, long[:180]), long)
	}
	block := m.prompt(t, "s1", "deploy")
	if n := len(block); n > 2048 || n < 1500 || strings.ContainsRune(block, '\ufffd') ||
		!strings.HasSuffix(block, "\n\nConsider these when planning.\n") {
		t.Errorf("the block has %d bytes:\n%s", n, block)
	}
}

// TestSessionsThatRecallTogetherLoseNoCount has each session ask in a process of its own.
func TestSessionsThatRecallTogetherLoseNoCount(t *testing.T) {
	m := newMachine(t)
	m.add(t, m.shop(), "Deploy the shop", "with make")
	const sessions = 8
	var all sync.WaitGroup
	for i := range sessions {
		all.Go(func() {
			for range 2 {
				m.prompt(t, fmt.Sprint("s", i), "deploy the shop")
			}
		})
	}
	all.Wait()
	if got := m.counts(t, m.shop()); fmt.Sprint(got) != fmt.Sprintf("[%d]", sessions) {
		t.Errorf("counts are %v, want one for each of %d sessions", got, sessions)
	}
	if left, _ := filepath.Glob(filepath.Join(m.project, ".winnow", ".winnow-*")); len(left) > 0 {
		t.Errorf("%v are left behind", left)
	}
}

func TestStoreThatCannotBeReadDoesNotHideTheOther(t *testing.T) {
	m := newMachine(t)
	m.add(t, m.own(), "Deploy the docs", "with make")
	if err := os.MkdirAll(m.shop().Path(), 0o700); err != nil {
		t.Fatal(err)
	}
	block, _, err := serve.New(m.library()).
		HookRecall(t.Context(), memory.Hook{Session: "s1", Folder: m.project, Prompt: "deploy"})
	if !strings.Contains(block, "with make") || err == nil {
		t.Errorf("the block is %q, %v; want that of the other store, and an error", block, err)
	}
}

func TestLogOfHooksIsBoundedAndKeepsNoSecret(t *testing.T) {
	m := newMachine(t)
	l := m.library()
	secret := "ghp_" + strings.Repeat("a1B2", 9)
	path := filepath.Join(m.home, "state", "agent-hook.log")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	old := strings.Repeat("2026-11-23T11:00:00Z recall: old\n", (1<<20)/33)
	if err := os.WriteFile(path, []byte(old), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		serve.New(l).NoteHook(t.Context(), "recall",
			fmt.Errorf("open %s:\n\x1b[2J failed %s", secret, strings.Repeat("x", 5000)))
	}
	text, err := os.ReadFile(path)
	if err != nil || len(text) > 1<<20 || strings.Contains(string(text), secret) ||
		strings.Contains(string(text), "\x1b") {
		t.Errorf("the log has %d bytes, %v, and ends with %q", len(text), err, text[max(0, len(text)-200):])
	}
	h := serve.New(l).HookHealth()
	if len(h) != 1 || h[0].Level != memory.Warn || !strings.Contains(h[0].What, "[REDACTED]") {
		t.Errorf("doctor says %+v", h)
	}
}
