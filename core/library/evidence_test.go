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
	"winnow/core/session"
	"winnow/core/system"
	"winnow/core/systems/all"
)

// recorded is a system that keeps sessions.
func recorded(id memory.SystemID, heads ...session.Head) system.System {
	return system.System{
		ID: id, Name: string(id),
		Find:     func(context.Context, system.Env) memory.Survey { return memory.Survey{} },
		Sessions: func(context.Context, system.Env, string) ([]session.Head, error) { return heads, nil },
	}
}

// weighed is a library whose only sessions are those of list, and how many of them were read.
func weighedLibrary(t *testing.T, dir string, list []session.Session) (l *Library, read *int) {
	t.Helper()
	read = new(int)
	var heads []session.Head
	for _, s := range list {
		heads = append(heads, s.Head)
	}
	one := recorded("one", heads...)
	one.Session = func(_ context.Context, _ system.Env, h session.Head) (session.Session, error) {
		*read++
		for _, s := range list {
			if s.ID == h.ID {
				s.System = h.System
				return s, nil
			}
		}
		return session.Session{}, fmt.Errorf("no session %s", h.ID)
	}
	env := system.Env{Home: dir, Dir: dir, Lookup: func(string) (string, bool) { return "", false }}
	systems := all.Systems(time.Now)[:1]
	systems[0].Sessions = nil
	state := State{Dir: filepath.Join(dir, "state"), Rand: rand.Reader}
	return New(append(systems, one), env, time.Now, start, state), read
}

// given is a session that was given the lesson a of the test's store.
func givenSession(id string, state session.State, dir, text string) session.Session {
	head := session.Head{ID: id, Folder: dir, Changed: time.Now().Add(-time.Hour), Size: 5}
	s := session.Session{Head: head, State: state, Began: time.Now()}
	if text != "" {
		s.Given = []session.Given{{Source: "hook", Text: text}}
	}
	return s
}

func TestEvidenceIsReadOnceAndKeptWithoutText(t *testing.T) {
	dir := t.TempDir()
	store := filepath.Join(dir, "sessions", "memory.jsonl")
	put(t, store, lesson("a"))
	line := `- [succeeded] Task "Repair the build": Completed using x. 1 step(s) succeeded.` + "\n"
	list := []session.Session{
		givenSession("s1", session.Succeeded, dir, "## Past Experience\n"+line),
		givenSession("s2", session.Failed, dir, "nothing of it"),
		givenSession("s3", session.Running, dir, line), givenSession("s4", session.Succeeded, filepath.Dir(dir), line),
		givenSession("s5", session.Failed, dir, ""),
	}
	list[4].Subagent = true
	want := memory.Evidence{Recalled: 1, Succeeded: 1, Without: 1}
	id := memory.StoreID(store)
	check := func(l *Library) {
		t.Helper()
		got, err := l.Evidence(t.Context(), id)
		e := got["a"]
		if e.Use.Sessions != want.Recalled+1 {
			t.Errorf("used in %d sessions, want the one that runs too", e.Use.Sessions)
		}
		e.Use = memory.Use{}
		if err != nil || e != want {
			t.Errorf("got %+v, %v; want %+v", e, err, want)
		}
	}
	l, read := weighedLibrary(t, dir, list)
	if check(l); *read != 3 {
		t.Errorf("read %d sessions, want those of the project that are not started by others", *read)
	}
	state := filepath.Join(dir, "state")
	if _, err := os.Stat(state); err == nil {
		t.Error("a look made the folder of the state")
	}
	if err := os.Mkdir(state, 0o700); err != nil {
		t.Fatal(err)
	}
	check(l)
	raw, err := os.ReadFile(filepath.Join(dir, "state", "evidence.json"))
	hasText := strings.Contains(string(raw), "Repair") || strings.Contains(string(raw), dir)
	if err != nil || hasText || !strings.Contains(string(raw), "succeeded") {
		t.Errorf("the file says %s, %v", raw, err)
	}
	l, read = weighedLibrary(t, dir, list)
	if check(l); *read != 1 {
		t.Errorf("read %d sessions again, want the running one", *read)
	}
	list[0].Size, list[0].State, want.Succeeded = 6, session.Failed, 0
	l, read = weighedLibrary(t, dir, list)
	if check(l); *read != 2 {
		t.Errorf("read %d sessions, want the running one and the one that changed", *read)
	}
	misspelled := strings.ReplaceAll(string(raw), `"texts"`, `"text"`)
	for _, broken := range []string{"{", `{"form":1}`, `{"form":0,"sessions":{},"texts":{}}`, misspelled} {
		if err := os.WriteFile(filepath.Join(dir, "state", "evidence.json"), []byte(broken), 0o600); err != nil {
			t.Fatal(err)
		}
		l, read = weighedLibrary(t, dir, list)
		if check(l); *read != 3 {
			t.Errorf("%s: read %d sessions, want all", broken, *read)
		}
	}
}

// TestEvidenceStaysWhileAStoreIsReadAgain: an agent writes to a store that is followed. Each part of the new
// reading still says how often its records were used, so that no row moves for a moment.
func TestEvidenceStaysWhileAStoreIsReadAgain(t *testing.T) {
	dir := t.TempDir()
	store := filepath.Join(dir, "sessions", "memory.jsonl")
	put(t, store, lesson("a"))
	l, _ := weighedLibrary(t, dir, nil)
	sys, err := l.Store(memory.StoreID(store))
	if err != nil {
		t.Fatal(err)
	}
	f := &follow{
		lib: l, id: memory.StoreID(store), sys: sys, seq: 1, weighedAt: time.Now(),
		evidence: map[memory.ID]memory.Evidence{"a": {Recalled: 1}},
	}
	f.start(t.Context())
	parts := 0
	for snap := range f.read.parts {
		parts++
		for _, r := range snap.Records {
			if r.Evidence == nil {
				t.Errorf("part %d: nothing is known of %s", parts, r.ID)
			}
		}
	}
	f.running.Wait()
	if parts < 2 {
		t.Errorf("%d parts", parts)
	}
}

// TestEvidenceOfAReadThatWasCancelledIsAskedAgain: an agent saves while the sessions are read. What the read had found
// until then is not kept for a minute in place of what is known.
func TestEvidenceOfAReadThatWasCancelledIsAskedAgain(t *testing.T) {
	dir := t.TempDir()
	store := filepath.Join(dir, "sessions", "memory.jsonl")
	put(t, store, lesson("a"))
	line := `- [succeeded] Task "Repair the build": Completed using x. 1 step(s) succeeded.` + "\n"
	given := givenSession("s1", session.Succeeded, dir, "## Past Experience\n"+line)
	l, _ := weighedLibrary(t, dir, []session.Session{given})
	id := memory.StoreID(store)
	sys, err := l.Store(id)
	if err != nil {
		t.Fatal(err)
	}
	snap, err := l.Load(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	known := map[memory.ID]memory.Evidence{"a": {Recalled: 7}}
	f := &follow{lib: l, id: id, sys: sys, evidence: known}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, found := f.withEvidence(cancelled, snap); found || !f.weighedAt.IsZero() || f.evidence["a"].Recalled != 7 {
		t.Errorf("a cancelled read knows %v, at %v", f.evidence, f.weighedAt)
	}
	if _, found := f.withEvidence(t.Context(), snap); !found || f.evidence["a"].Recalled != 1 {
		t.Errorf("the next read knows %+v", f.evidence)
	}
}

func TestLibraryThatOnlyReadsRemembersNoSession(t *testing.T) {
	dir := t.TempDir()
	store := filepath.Join(dir, "sessions", "memory.jsonl")
	put(t, store, lesson("a"))
	l, _ := weighedLibrary(t, dir, []session.Session{givenSession("s1", session.Succeeded, dir, "x")})
	if _, err := l.ReadOnly().Evidence(t.Context(), memory.StoreID(store)); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "state")); !os.IsNotExist(err) {
		t.Errorf("the state folder was made: %v", err)
	}
}
