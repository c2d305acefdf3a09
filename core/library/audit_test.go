package library

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/core/memory"
	"winnow/core/systems/all"
)

// key is no key: it only looks like one.
var key = "gh" + "p_" + strings.Repeat("a1B2c3", 6)

// libraryWithKey is bench with the forms of all systems and a key in its second lesson.
func libraryWithKey(t *testing.T) (path string, l *Library) {
	t.Helper()
	path, plain := bench(t)
	l = New(plain.systems, plain.env, plain.now, plain.start, plain.state, all.Forms()...)
	put(t, path, lesson("a1"), withText("b2", "pushed with "+key+" to main"), lesson("c3"))
	return path, l
}

func withText(id, text string) string {
	return strings.Replace(lesson(id), `"lesson":"`, `"lesson":"`+text+" ", 1)
}

func openSecrets(findings []memory.Finding) (n int) {
	for _, f := range findings {
		if f.Family == memory.FamilySecret && f.Open() {
			n++
		}
	}
	return n
}

func TestFollowAuditsWhatItShows(t *testing.T) {
	path, l := libraryWithKey(t)
	l.env.Dir = filepath.Dir(path)
	ch := l.Follow(t.Context(), memory.StoreID(path))
	has := func(n int) func(memory.Snapshot) bool {
		return func(s memory.Snapshot) bool { return s.Audited && openSecrets(s.Findings) == n }
	}
	first := until(t, ch, "one secret", has(1))
	i := slices.IndexFunc(first.Findings, func(f memory.Finding) bool { return f.Family == memory.FamilySecret })
	if f := first.Findings[i]; f.ID != "b2" || f.Line != 2 || f.Path != filepath.Base(path) {
		t.Errorf("the secret is in %q at %s:%d, want b2 in line 2, and the path short", f.ID, f.Path, f.Line)
	}
	put(t, path, lesson("a1"), lesson("c3"))
	until(t, ch, "no secret", has(0))
	put(t, path, lesson("a1"), withText("d4", key))
	until(t, ch, "another secret", has(1))
}

func TestIgnoredStaysSoWhenItsLineMovesAndNotWhenItIsEdited(t *testing.T) {
	path, l := libraryWithKey(t)
	ch := l.Follow(t.Context(), memory.StoreID(path))
	has := func(n int) func(memory.Snapshot) bool {
		return func(s memory.Snapshot) bool { return s.Audited && openSecrets(s.Findings) == n }
	}
	found := until(t, ch, "one secret", has(1)).Findings
	i := slices.IndexFunc(found, func(f memory.Finding) bool { return f.Family == memory.FamilySecret })
	ignore := memory.Ignore{
		Fingerprint: found[i].Fingerprint,
		Rule:        found[i].Rule,
		Reason:      "it is fake",
		Added:       l.now(),
	}
	if err := l.Ignore(t.Context(), []memory.Ignore{ignore}, nil); err != nil {
		t.Fatal(err)
	}
	until(t, ch, "the finding ignored", has(0))

	moved := []string{lesson("c3"), lesson("a1"), withText("b2", "pushed with "+key+" to main")}
	put(t, path, moved...)
	snap := until(t, ch, "the lines moved", func(s memory.Snapshot) bool { return s.Audited && ids(s) == "c3 a1 b2" })
	if openSecrets(snap.Findings) != 0 {
		t.Error("a line that moved counts again")
	}
	put(t, path, lesson("a1"), withText("b2", "pulled with "+key+" from main"))
	until(t, ch, "the edited line", has(1))

	if err := l.Ignore(t.Context(), nil, []string{ignore.Fingerprint}); err != nil {
		t.Fatal(err)
	}
	if list, err := l.Ignored(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("%v is ignored (%v), want nothing", list, err)
	}
}

func TestIgnoringThatIsOverCountsAgain(t *testing.T) {
	path, l := libraryWithKey(t)
	look := func(l *Library) memory.Audit {
		t.Helper()
		a, err := l.Audit(t.Context(), memory.AuditOrder{Paths: []string{path}}, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	found := look(l).Findings
	i := slices.IndexFunc(found, func(f memory.Finding) bool { return f.Family == memory.FamilySecret })
	ignore := memory.Ignore{Fingerprint: found[i].Fingerprint, Reason: "for today", Until: l.now().Add(time.Hour)}
	if err := l.Ignore(t.Context(), []memory.Ignore{ignore}, nil); err != nil {
		t.Fatal(err)
	}
	if n := openSecrets(look(l).Findings); n != 0 {
		t.Errorf("%d secrets count, want none while the time lasts", n)
	}
	later := l.now().Add(2 * time.Hour)
	l = New(l.systems, l.env, func() time.Time { return later }, l.start, l.state, l.forms...)
	if n := openSecrets(look(l).Findings); n != 1 {
		t.Errorf("%d secrets count, want one when the time is over", n)
	}
}

func TestHooksAreWhereGitLooks(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	_, l := bench(t)
	top := t.TempDir()
	run := func(args ...string) {
		t.Helper()
		if out, err := exec.Command("git", append([]string{"-C", top, "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	where := func(dir string) string {
		t.Helper()
		got, err := l.HooksDir(context.Background(), dir)
		if err != nil {
			return fmt.Sprint(errors.As(err, new(*memory.Problem)))
		}
		return got
	}
	if got := where(top); got != "true" {
		t.Errorf("without a repository: %q, want a problem", got)
	}
	run("init", "-q")
	if err := os.Mkdir(filepath.Join(top, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	if got, want := where(filepath.Join(top, "sub")), filepath.Join(top, ".git", "hooks"); got != want {
		t.Errorf("hooks are in %s, want %s", got, want)
	}
	run("commit", "-q", "--allow-empty", "-m", "one")
	run("worktree", "add", "-q", "tree")
	if got, want := where(filepath.Join(top, "tree")), filepath.Join(top, ".git", "hooks"); got != want {
		t.Errorf("of a worktree they are in %s, want %s", got, want)
	}
	run("config", "core.hooksPath", "my hooks")
	if got, want := where(filepath.Join(top, "sub")), filepath.Join(top, "my hooks"); got != want {
		t.Errorf("as it is set they are in %s, want %s", got, want)
	}
	run("config", "core.hooksPath", filepath.Join(top, "abs"))
	if got, want := where(top), filepath.Join(top, "abs"); got != want {
		t.Errorf("as it is set they are in %s, want %s", got, want)
	}
	run("config", "core.hooksPath", t.TempDir())
	if got := where(top); got != "true" {
		t.Errorf("outside of the repository: %q, want a problem", got)
	}
	run("config", "core.hooksPath", "../elsewhere")
	if got := where(filepath.Join(top, "sub")); got != "true" {
		t.Errorf("outside by a relative path: %q, want a problem", got)
	}
	run("config", "--unset", "core.hooksPath")
	bare := filepath.Join(top, "bare.git")
	run("init", "-q", "--bare", bare)
	if got := where(bare); got != "true" {
		t.Errorf("of a bare repository: %q, want a problem", got)
	}
}

// TestRedactedTextIsLookedForInTheJournal pins that a secret taken out of a store is
// told to stand in the journal still.
func TestRedactedTextIsLookedForInTheJournal(t *testing.T) {
	path, l := libraryWithKey(t)
	put(t, path, withText("a1", "signed in with [REDACTED] then"), withText("b2", "nothing"))
	event := func(kind, payload string) string {
		return `{"type":"` + kind + `","session_id":"s","payload":` + payload + "}\n"
	}
	events := event("session.created", `{"task_text":"Repair"}`) +
		event(
			"memory.lesson_extracted",
			`{"lesson_id":"a1","outcome":"succeeded","lesson":"signed in with hunter22x then Completed using x. 1 step(s) succeeded."}`,
		)
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), "journal.jsonl"), []byte(events), 0o600); err != nil {
		t.Fatal(err)
	}
	a, err := l.Audit(t.Context(), memory.AuditOrder{Paths: []string{path}}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(a.Findings, func(f memory.Finding) bool { return f.Rule == "redacted-elsewhere" })
	if i < 0 || a.Findings[i].ID != "a1" || strings.Contains(fmt.Sprint(a.Findings[i]), "hunter22x") {
		t.Errorf("found %v, want what was redacted in a1 named and not told", a.Findings)
	}
}

// TestWhatIsIgnoredElsewhereIsSeen pins that a decision which another process makes shows
// while a store is open.
func TestWhatIsIgnoredElsewhereIsSeen(t *testing.T) {
	path, l := libraryWithKey(t)
	ch := l.Follow(t.Context(), memory.StoreID(path))
	has := func(n int) func(memory.Snapshot) bool {
		return func(s memory.Snapshot) bool { return s.Audited && openSecrets(s.Findings) == n }
	}
	found := until(t, ch, "one secret", has(1)).Findings
	i := slices.IndexFunc(found, func(f memory.Finding) bool { return f.Family == memory.FamilySecret })
	other := New(l.systems, l.env, l.now, l.start, l.state, l.forms...)
	if err := other.Ignore(t.Context(), []memory.Ignore{{Fingerprint: found[i].Fingerprint, Reason: "fake"}}, nil); err != nil {
		t.Fatal(err)
	}
	if snap := until(t, ch, "the finding ignored", has(0)); snap.Watch != memory.WatchLive {
		t.Errorf("the store is watched by mode %d, want live", snap.Watch)
	}
}
