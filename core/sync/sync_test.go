package sync

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"winnow/core/inbox"
	"winnow/core/library"
	"winnow/core/librarytest"
	"winnow/core/memory"
	"winnow/core/share"
	"winnow/core/share/joined"
)

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
	l := newMachine(t, librarytest.Lesson("a1"))
	store := memory.StoreID(l.Path)
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
	if _, err := l.Sync(t.Context(), memory.SyncOrder{Key: s.Key}); err == nil ||
		!strings.Contains(err.Error(), "not a usable share") {
		t.Error(err)
	}
}

// TestAnAgentsCountHidesNoDeletion: an agent that counts a recall while a person deletes the record or brings it back
// is in the history behind that, and changes nothing about it.
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
	if did := (&syncing{}).done(&memory.History{Entries: []memory.Entry{gone, of(memory.You, memory.Adding, "1")}}); len(
		did,
	) > 0 {
		t.Errorf("what an agent dropped is a person's: %+v", did)
	}
}

// TestADeletionStandsWhateverAnAgentSaves: an agent that saves the copy from before a deletion brings the record back,
// and drops it with the next copy. The guard may see that before the history does.
func TestADeletionStandsWhateverAnAgentSaves(t *testing.T) {
	deletion := memory.Entry{Who: memory.You, Changes: []memory.Change{{Do: memory.Deleting, ID: "a1"}}}
	back := memory.Entry{Who: memory.Others, Changes: []memory.Change{{Do: memory.Adding, ID: "a1"}}}
	dropped := memory.Entry{Who: memory.Others, Changes: []memory.Change{{Do: memory.Deleting, ID: "a1"}}}
	for _, newestFirst := range [][]memory.Entry{{back, deletion}, {dropped, back, deletion}} {
		did := (&syncing{}).done(&memory.History{Entries: newestFirst})
		if d, by := did["a1"]; !by || d.kind != memory.Deleting {
			t.Errorf("after %d entries: %+v", len(newestFirst), did)
		}
	}
	y := syncing{store: contents{undone: []memory.Undone{{ID: "a1", Kind: memory.CameBack}}}}
	did, held := map[string]deed{}, map[string]share.Lesson{"a1": {ID: "a1"}}
	y.restoreReverted(did, held)
	if d, by := did["a1"]; !by || d.kind != memory.Deleting || len(held) > 0 {
		t.Errorf("what came back: %+v, held %v", did, held)
	}
}

// machine is a desk with what syncs its store.
type machine struct {
	*librarytest.Desk
	*Syncer
	decides *inbox.Reviewer
}

func newMachine(t *testing.T, lessons ...string) *machine {
	d := librarytest.NewDesk(t, lessons...)
	return &machine{d, New(d.Library), inbox.New(d.Library)}
}

// TestAShareSaysWhenItWasSyncedAndHowOftenThatFailed: what is said of a share goes by it, and a sync that works ends the
// count.
func TestAShareSaysWhenItWasSyncedAndHowOftenThatFailed(t *testing.T) {
	d := newDesks(t)
	m, sync := d.join(librarytest.Lesson("a1"))
	sync()
	said := func() memory.Share {
		t.Helper()
		all, err := m.Shares(t.Context())
		if err != nil || len(all) != 1 {
			t.Fatalf("%+v, %v", all, err)
		}
		return all[0]
	}
	synced := said().Synced
	if synced.IsZero() || said().Failures != 0 {
		t.Fatalf("after the first sync: %+v", said())
	}
	away := d.url + ".away"
	rename := func(from, to string) {
		t.Helper()
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}
	rename(d.url, away)
	for n := range 2 {
		m.Clock = m.Clock.Add(time.Hour)
		_, err := m.Sync(t.Context(), memory.SyncOrder{Key: said().Key})
		if s := said(); err == nil || s.Failures != n+1 || s.Failed == "" || !s.Synced.Equal(synced) {
			t.Errorf("without its repository: %v, %+v", err, s)
		}
	}
	rename(away, d.url)
	m.Clock = m.Clock.Add(time.Hour)
	sync()
	if s := said(); s.Failures != 0 || s.Failed != "" || !s.Synced.After(synced) {
		t.Errorf("with its repository again: %+v", s)
	}
}

// desks are machines that share one store of lessons.
type desks struct {
	t    *testing.T
	home string
	url  string
}

// join returns a machine with lessons that takes part in the share. The first one makes it.
func (d *desks) join(lines ...string) (machine *machine, sync func() memory.Synced) {
	d.t.Helper()
	m := newMachine(d.t, lines...)
	_, err := os.Stat(filepath.Join(d.url, "refs", "heads", "main"))
	s, err := m.StartShare(d.t.Context(), memory.ShareStart{Store: memory.StoreID(m.Path), URL: d.url, New: err != nil})
	if err != nil {
		d.t.Fatal(err)
	}
	return m, func() memory.Synced {
		d.t.Helper()
		y, err := m.Sync(d.t.Context(), memory.SyncOrder{Key: s.Key})
		if err != nil {
			d.t.Fatal(err)
		}
		return y
	}
}

// stored returns what a machine's store holds.
func (d *desks) stored(m *machine) string {
	d.t.Helper()
	raw, err := os.ReadFile(m.Path)
	if err != nil {
		d.t.Fatal(err)
	}
	return string(raw)
}

// deletion returns the one entry of the inbox, which has to be a deletion.
func (d *desks) deletion(m *machine) memory.InboxEntry {
	d.t.Helper()
	in, err := m.decides.Inbox(d.t.Context())
	if err != nil {
		d.t.Fatal(err)
	}
	if len(in.Entries) != 1 || !in.Entries[0].Deletes || in.Entries[0].Mine == nil {
		d.t.Fatalf("waiting: %+v", in.Entries)
	}
	return in.Entries[0]
}

func (d *desks) decide(m *machine, do memory.InboxAct, id string) memory.InboxResult {
	d.t.Helper()
	r, err := m.decides.Review(d.t.Context(), memory.InboxOrder{Do: do, IDs: []string{id}, Anyway: true})
	if err != nil {
		d.t.Fatal(err)
	}
	return r
}

func newDesks(t *testing.T) *desks {
	d := &desks{t: t}
	d.home, d.url = remoteOf(t)
	return d
}

// TestADeletionByOthersWaitsForAPerson: a tombstone, and a file that somebody removed from the share. Approved it
// deletes the lesson here too; rejected it keeps the lesson and shares it again, and a further deletion is asked about
// anew.
func TestADeletionByOthersWaitsForAPerson(t *testing.T) {
	for _, tombstone := range []bool{true, false} {
		rounds := 2 // the second time after it was rejected
		if !tombstone && os.Getenv("WINNOW_LONG") == "" {
			rounds = 1
		}
		d := newDesks(t)
		a, sync := d.join(librarytest.Lesson("a1"), librarytest.Lesson("a2"))
		sync()
		was := d.stored(a)
		remove := func() {
			t.Helper()
			state := d.read()
			l := state.Lessons["a1"]
			if l.ID == "" {
				t.Fatal("the share does not have the lesson")
			}
			files := map[string]string{"lessons/a1.json": ""}
			if tombstone {
				files["tombstones/a1.json"] = string(
					share.Tombstone{
						ID:     "a1",
						System: l.System,
						Who:    "eve",
						When:   time.Now(),
						Digest: l.Digest(),
					}.Bytes(),
				)
			}
			pushed(t, d.url, files)
		}
		for round := range rounds {
			remove()
			y := sync()
			if len(y.In) != 1 || y.In[0].Do != memory.Deleting || len(y.Out) > 0 || d.stored(a) != was {
				t.Fatalf("tombstone %t, round %d: %+v\n%s", tombstone, round, y, d.stored(a))
			}
			if y = sync(); len(y.In)+len(y.Out) > 0 || y.Share.Waiting != 1 {
				t.Errorf("what waits comes again: %+v", y)
			}
			e := d.deletion(a)
			if e.Clean || e.Alone || len(e.Reasons) != 1 ||
				!strings.Contains(e.Reasons[0].Text, "a <a@example.org> on eve deleted it") {
				t.Errorf("%+v", e)
			}
			for _, do := range []memory.InboxAct{memory.InboxEdit, memory.InboxMerge, memory.InboxPin, memory.InboxBoth, memory.InboxRestore} {
				if r := d.decide(a, do, e.ID); r.Refused[e.ID] == nil {
					t.Errorf("%s is done", do)
				}
			}
			if r := d.decide(a, memory.InboxReject, e.ID); r.What != "Rejected 1 deletion" {
				t.Errorf("%+v", r)
			}
			if y = sync(); len(y.Out) != 1 || y.Out[0].Do != memory.Adding || len(y.In) > 0 || d.stored(a) != was {
				t.Errorf("rejected: %+v", y)
			}
			if state := d.read(); state.Lessons["a1"].ID == "" || state.Tombstones["a1"].ID != "" {
				t.Errorf("the share after the rejection: %+v", state)
			}
		}
		remove()
		sync()
		id := d.deletion(a).ID
		if r := d.decide(a, memory.InboxApprove, id); len(r.Refused) > 0 ||
			!strings.HasPrefix(r.What, "Approved 1 deletion in ") {
			t.Errorf("%+v", r)
		}
		if strings.Contains(d.stored(a), "a1") || !strings.Contains(d.stored(a), "a2") {
			t.Errorf("approved: %s", d.stored(a))
		}
		if _, err := a.decides.Review(t.Context(), memory.InboxOrder{Do: memory.InboxUndo, Anyway: true}); err != nil ||
			!strings.Contains(d.stored(a), "a1") {
			t.Errorf("undone: %v: %s", err, d.stored(a))
		}
		if e := d.deletion(a); e.ID != id {
			t.Errorf("undone: %+v", e)
		}
		d.decide(a, memory.InboxApprove, id)
		if y := sync(); len(y.Out)+len(y.In) > 0 || strings.Contains(d.stored(a), "a1") {
			t.Errorf("approved again: %+v", y)
		}
	}
}

// read reads the share as anybody has it.
func (d *desks) read() *share.State {
	d.t.Helper()
	packed, err := exec.Command("git", "-C", d.url, "archive", "main").Output()
	if err != nil {
		d.t.Fatal(err)
	}
	r := share.NewReader()
	for in := tar.NewReader(bytes.NewReader(packed)); ; {
		file, err := in.Next()
		if err == io.EOF {
			break
		}
		var data []byte
		if err == nil {
			data, err = io.ReadAll(in)
		}
		if err != nil {
			d.t.Fatal(err)
		}
		if file.Typeflag == tar.TypeReg {
			r.Add(file.Name, data)
		}
	}
	s, err := r.State()
	if err != nil {
		d.t.Fatal(err)
	}
	return s
}

// TestARejectedDeletionIsWithdrawnWithTheDecision: undone before the next sync, the deletion waits again and nothing is
// shared.
func TestARejectedDeletionIsWithdrawnWithTheDecision(t *testing.T) {
	d := newDesks(t)
	a, sync := d.join(librarytest.Lesson("a1"))
	sync()
	pushed(t, d.url, map[string]string{"lessons/a1.json": ""})
	sync()
	id := d.deletion(a).ID
	d.decide(a, memory.InboxReject, id)
	if _, err := a.decides.Review(t.Context(), memory.InboxOrder{Do: memory.InboxUndo}); err != nil {
		t.Fatal(err)
	}
	if y := sync(); len(y.Out)+len(y.In) > 0 || d.deletion(a).ID != id {
		t.Errorf("%+v", y)
	}
}

// TestALessonThatWasEditedHereIsNotAskedAbout: the edit goes back to the share, as an edit wins over a deletion.
func TestALessonThatWasEditedHereIsNotAskedAbout(t *testing.T) {
	d := newDesks(t)
	a, sync := d.join(librarytest.Lesson("a1"))
	sync()
	pushed(t, d.url, map[string]string{"lessons/a1.json": ""})
	sync()
	d.deletion(a)
	librarytest.Put(t, a.Path, strings.Replace(d.stored(a), "Completed using x.", "Completed using y.", 1))
	if y := sync(); len(y.Out) != 1 || y.Share.Waiting != 0 {
		t.Errorf("%+v", y)
	}
}

// TestSyncsLeaveCountsAlone: two at once on one machine, and one on another, while lessons are counted on both. No
// store is changed by any of them, whatever counts others put into the share.
func TestSyncsLeaveCountsAlone(t *testing.T) {
	d := newDesks(t)
	a, syncA := d.join(librarytest.Lesson("a1"), librarytest.Lesson("a2"))
	syncA()
	one, two := librarytest.Lesson("a1"), librarytest.Lesson("a2")
	librarytest.Put(t, a.Path, one, two)
	syncA()
	b, syncB := d.join(one, two)
	syncB()
	pushed(t, d.url,
		map[string]string{"counts/eve.json": `{"a1":{"n":999999999,"used":"2026-11-02T00:00:00.000Z"}}`})
	count := func(m *machine, n int) string {
		text := strings.Replace(one, `"relevance_count":0`, fmt.Sprintf(`"relevance_count":%d`, n), 1) + two
		librarytest.Put(t, m.Path, text)
		return text
	}
	for n := 1; n <= 3; n++ {
		ours, theirs := count(a, n), count(b, 10*n)
		var wait sync.WaitGroup
		for _, one := range []func() memory.Synced{syncA, syncA, syncB} {
			wait.Go(func() {
				if y := one(); len(y.In)+len(y.Out) > 0 {
					t.Errorf("%+v", y)
				}
			})
		}
		wait.Wait()
		if d.stored(a) != ours || d.stored(b) != theirs {
			t.Errorf("a store was changed:\n%s\n%s", d.stored(a), d.stored(b))
		}
	}
	if got := strings.Join(files(t, d.url), " "); got != "README.md counts/eve.json lessons/a1.json lessons/a2.json share.toml" {
		t.Errorf("the share has %s", got)
	}
}

// TestAShareOfTheOlderFormatIsRaised: its counts stay, and a program that knows only the older format refuses it.
func TestAShareOfTheOlderFormatIsRaised(t *testing.T) {
	d := newDesks(t)
	one := librarytest.Lesson("a1")
	a, sync := d.join(one)
	sync()
	const counts = "{\n \"a1\": {\"n\":2}\n}\n"
	pushed(t, d.url,
		map[string]string{"share.toml": "version = 1\nexpiry_days = 30\n", "counts/m1.json": counts})
	b, syncB := d.join()
	if y := syncB(); len(y.In) != 1 || len(y.Out) > 0 {
		t.Errorf("%+v", y)
	}
	show := func(name string) string {
		out, err := exec.Command("git", "-C", d.url, "cat-file", "blob", "main:"+name).Output()
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	if show("share.toml") != "version = 2\nexpiry_days = 30\n" || show("counts/m1.json") != counts {
		t.Errorf("%s\n%s", show("share.toml"), show("counts/m1.json"))
	}
	if y := sync(); len(y.In)+len(y.Out) > 0 || d.stored(a) != one {
		t.Errorf("%+v", y)
	}
	pushed(t, d.url, map[string]string{"share.toml": "version = 3\n"})
	if _, err := b.Sync(t.Context(), memory.SyncOrder{Key: joined.KeyOf(library.RealID(memory.StoreID(b.Path)))}); err == nil ||
		!strings.Contains(err.Error(), "update Winnow") {
		t.Error(err)
	}
}

// TestALeaveThatIsInterruptedIsFinishedByTheNext: while a sync holds the share it changes nothing, and says that it
// waits.
func TestALeaveThatIsInterruptedIsFinishedByTheNext(t *testing.T) {
	d := newDesks(t)
	a, sync := d.join(librarytest.Lesson("a1"))
	sync()
	key := joined.KeyOf(library.RealID(memory.StoreID(a.Path)))
	unlock, err := lockShare(t.Context(), a.State.Dir, key, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if err := a.LeaveShare(ctx, key, cancel); !errors.Is(err, context.Canceled) {
		t.Errorf("LeaveShare beside a sync = %v", err)
	}
	if _, err := a.Sync(ctx, memory.SyncOrder{Key: key}); !errors.Is(err, context.Canceled) {
		t.Errorf("Sync beside a sync = %v", err)
	}
	unlock()
	sync()
	if err := os.RemoveAll(filepath.Join(a.shares.Path(key+".git"), "refs")); err != nil { // as when it ends in the midst
		t.Fatal(err)
	}
	if err := a.LeaveShare(t.Context(), key, nil); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(a.shares.Path(key + "*")); len(left) != 1 || left[0] != a.shares.Path(key+".lock") {
		t.Errorf("left: %q", left)
	}
	if err := a.LeaveShare(t.Context(), key, nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a second LeaveShare = %v", err)
	}
}

// TestCopiesThatAKilledJoinLeftAreRemoved by the next sync, unless somebody is joining.
func TestCopiesThatAKilledJoinLeftAreRemoved(t *testing.T) {
	d := newDesks(t)
	a, sync := d.join(librarytest.Lesson("a1"))
	for _, key := range []string{"left", "joining"} {
		librarytest.Put(t, a.shares.Path(key+".git/objects/pack/pack-1.pack"), "of a stranger")
	}
	unlock, err := lockShare(t.Context(), a.State.Dir, "joining", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	sync()
	copies, _ := filepath.Glob(a.shares.Path("*.git"))
	if got := strings.Join(copies, " "); strings.Contains(got, "left.git") || !strings.Contains(got, "joining.git") ||
		len(copies) != 2 {
		t.Error(got)
	}
}

// TestASyncThatFailsLeavesNothingOfItsFetch: a share that must not be used can be as large as others like.
func TestASyncThatFailsLeavesNothingOfItsFetch(t *testing.T) {
	d := newDesks(t)
	a, sync := d.join(librarytest.Lesson("a1"))
	sync()
	key := joined.KeyOf(library.RealID(memory.StoreID(a.Path)))
	packs := func() string {
		all, err := filepath.Glob(a.shares.Path(key + ".git/objects/*/*"))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(all, "\n")
	}
	was := packs()
	pushed(t, d.url,
		map[string]string{"share.toml": "version = 9\n", "huge": strings.Repeat("0123456789", 100_000)})
	for range 2 {
		if _, err := a.Sync(t.Context(), memory.SyncOrder{Key: key}); err == nil || packs() != was {
			t.Errorf("%v: %s", err, packs())
		}
	}
	pushed(t, d.url, map[string]string{"share.toml": "version = 2\n", "huge": ""})
	sync()
}

// remoteOf makes a bare repository and a home with a user of git.
func remoteOf(t *testing.T) (home, url string) {
	t.Helper()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("does not apply: no git")
	}
	home, err = filepath.EvalSymlinks(t.TempDir())
	if err == nil {
		err = os.WriteFile(
			filepath.Join(home, ".gitconfig"),
			[]byte("[user]\n\tname = a\n\temail = a@example.org\n"),
			0o600,
		)
	}
	if url = filepath.Join(home, "r.git"); err == nil {
		err = exec.Command(git, "init", "-q", "--bare", "-b", "main", url).Run()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", home)
	t.Setenv("CLAUDE_CONFIG_DIR", "")
	t.Setenv("HERMES_HOME", "")
	return home, url
}

// files returns the names of what is in the share.
func files(t *testing.T, url string) []string {
	t.Helper()
	out, err := exec.Command("git", "-C", url, "ls-tree", "-r", "--name-only", "main").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(out))
}

// pushed adds a commit with files to a share, as anybody can who has its address. A clone that pushes would take
// twenty processes.
func pushed(t *testing.T, url string, content map[string]string) {
	t.Helper()
	var in strings.Builder
	fmt.Fprintf(&in, "commit refs/heads/main\ncommitter a <a@example.org> %d +0000\n", time.Now().Unix())
	in.WriteString("data 8\neve: add\nfrom refs/heads/main^0\n")
	for name, text := range content {
		if text == "" {
			fmt.Fprintf(&in, "D %s\n", name)
		} else {
			fmt.Fprintf(&in, "M 100644 inline %s\ndata %d\n%s\n", name, len(text), text)
		}
	}
	cmd := exec.Command("git", "-C", url, "fast-import", "--quiet")
	cmd.Stdin = strings.NewReader(in.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// TestOnlyLessonsAreShared: a store of notes is refused, and a share of notes of an earlier version changes nothing
// and can be left.
func TestOnlyLessonsAreShared(t *testing.T) {
	d := newDesks(t)
	m, _ := d.join(librarytest.Lesson("a1"))
	notes := memory.At("hermes", filepath.Join(d.home, ".hermes", "memories", "USER.md"))
	if err := os.MkdirAll(filepath.Dir(notes.Path()), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(notes.Path(), []byte("The user likes tabs.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := m.StartShare(t.Context(), memory.ShareStart{Store: notes, URL: d.url, New: true})
	var p *memory.Problem
	if !errors.As(err, &p) || p.Code != "not-shareable" {
		t.Error(err)
	}
	f := joined.File{Share: memory.Share{Key: joined.KeyOf(library.RealID(notes)), Store: notes, Place: "USER.md"}, Address: d.url}
	if err := m.writeShare(&f); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Sync(t.Context(), memory.SyncOrder{Key: f.Key}); !errors.As(err, &p) || p.Code != "not-lessons" {
		t.Error(err)
	}
	if err := m.LeaveShare(t.Context(), f.Key, nil); err != nil {
		t.Error(err)
	}
	if _, err := m.readShare(f.Key); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the share is still there: %v", err)
	}
}
