package library

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/memory"
	"winnow/core/share"
	"winnow/core/share/remote"
)

// TestASyncAddsWhatIsCountedMeanwhile: an agent that counts a recall, or a Winnow that edits, between the reading of the store and
// its change loses neither.
func TestASyncAddsWhatIsCountedMeanwhile(t *testing.T) {
	path, l := bench(t)
	read := strings.TrimSuffix(lesson("a1"), "\n")
	set := func(n string) string {
		return strings.Replace(read, `"relevance_count":0`, `"relevance_count":`+n, 1)
	}
	if set("1") == read {
		t.Fatal("the lesson has another count:", read)
	}
	order := memory.Order{Do: memory.Sync, IDs: []memory.ID{"a1"}, Base: []string{read}, After: []string{set("7")}, Anyway: true}
	put(t, path, set("2")+"\n", lesson("b2")) // before the plan
	p, err := l.Plan(t.Context(), memory.StoreID(path), order)
	if err != nil {
		t.Fatal(err)
	}
	put(t, path, set("3")+"\n", lesson("b2")) // and behind it
	if _, err := l.Apply(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	if raw, err := os.ReadFile(path); err != nil || !strings.Contains(string(raw), set("10")) {
		t.Errorf("%v: %s", err, raw)
	}
}

// TestADamagedShareIsRefusedWithASentence: a share whose settings are gone is not merged with the store.
func TestADamagedShareIsRefusedWithASentence(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("does not apply: no git")
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	run := func(args ...string) {
		t.Helper()
		cmd := exec.Command(git, append([]string{"-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	if err := os.WriteFile(filepath.Join(home, ".gitconfig"), []byte("[user]\n\tname = a\n\temail = a@example.org\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	url, clone := filepath.Join(home, "r.git"), filepath.Join(home, "clone")
	run("init", "-q", "--bare", "-b", "main", url)
	d := newDesk(t, lesson("a1"))
	l, store := d.Library, memory.StoreID(d.path)
	s, err := l.StartShare(t.Context(), memory.ShareStart{Store: store, URL: url, New: true})
	if err == nil {
		_, err = l.Sync(t.Context(), memory.SyncOrder{Key: s.Key})
	}
	if err != nil {
		t.Fatal(err)
	}
	run("clone", "-q", url, clone)
	run("-C", clone, "rm", "-q", "share.toml")
	run("-C", clone, "commit", "-q", "-m", "away with it")
	run("-C", clone, "push", "-q")
	if _, err := l.Sync(t.Context(), memory.SyncOrder{Key: s.Key}); err == nil || !strings.Contains(err.Error(), "not a usable share") {
		t.Error(err)
	}
}

// TestAnAgentsCountHidesNoDeletion: an agent that counts a recall while a person deletes the record or brings it back is in the history
// behind that, and changes nothing about it.
func TestAnAgentsCountHidesNoDeletion(t *testing.T) {
	of := func(who memory.Who, do memory.ChangeKind, undoes memory.EntryID) memory.Entry {
		return memory.Entry{Who: who, Undoes: undoes, Changes: []memory.Change{{Do: do, ID: "a1"}}}
	}
	counted := of(memory.Others, memory.Editing, "")
	for _, c := range []memory.Entry{of(memory.You, memory.Deleting, ""), of(memory.You, memory.Adding, "1")} {
		did := (&syncing{}).done(&memory.History{Entries: []memory.Entry{counted, c}}) // newest first
		if d, by := did["a1"]; !by || d.kind != c.Changes[0].Do {
			t.Errorf("after %v: %+v", c, did)
		}
	}
	gone := of(memory.Others, memory.Deleting, "")
	if did := (&syncing{}).done(&memory.History{Entries: []memory.Entry{gone, of(memory.You, memory.Adding, "1")}}); len(did) > 0 {
		t.Errorf("what an agent dropped is a person's: %+v", did)
	}
}

// TestTwoSyncsKilledAfterTheirPushLoseNoCount: what the first one learnt of the others' counts is in the base of the second, though neither
// could save its own.
func TestTwoSyncsKilledAfterTheirPushLoseNoCount(t *testing.T) {
	home, url := remoteOf(t)
	d := newDesk(t, lesson("a1"))
	s, err := d.StartShare(t.Context(), memory.ShareStart{Store: memory.StoreID(d.path), URL: url, New: true})
	if err == nil {
		_, err = d.Sync(t.Context(), memory.SyncOrder{Key: s.Key})
	}
	if err != nil {
		t.Fatal(err)
	}
	clone := filepath.Join(home, "clone")
	run := func(args ...string) {
		t.Helper()
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	run("clone", "-q", url, clone)
	put(t, filepath.Join(clone, "counts", "other.json"), string(share.Counts{"a1": {N: 1}}.Bytes()))
	run("-C", clone, "add", "-A")
	run("-C", clone, "commit", "-q", "-m", "count recalls")
	run("-C", clone, "push", "-q")

	killed := func() error {
		f, err := d.readShare(s.Key)
		if err != nil {
			return err
		}
		y := syncing{Library: d.Library, o: memory.SyncOrder{Key: s.Key}, f: f}
		if y.remote, err = remote.Open(t.Context(), y.remotePlace(&y.f, y.state.Dir, false)); err != nil {
			return err
		}
		defer y.remote.Close()
		tip, _, err := y.remote.Fetch(t.Context(), false)
		if err == nil {
			err = y.readSides(t.Context(), tip, true)
		}
		if err != nil {
			return err
		}
		y.merge()
		_, err = y.send(t.Context(), tip, y.result.Files(nil), y.result.Pushed(nil))
		return err
	}
	for _, more := range []string{"a2", "a3"} {
		old, err := os.ReadFile(d.path)
		if err != nil {
			t.Fatal(err)
		}
		put(t, d.path, string(old), lesson(more))
		if err := killed(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := d.Sync(t.Context(), memory.SyncOrder{Key: s.Key}); err != nil {
		t.Fatal(err)
	}
	if raw, err := os.ReadFile(d.path); err != nil || strings.Count(string(raw), `"relevance_count":1`) != 1 {
		t.Errorf("%v: %s", err, raw)
	}
}
