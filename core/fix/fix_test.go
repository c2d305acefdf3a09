package fix

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/core/atomicfile"
	"winnow/core/librarytest"
	"winnow/core/memory"
)

func TestFixLeavesNoCopyAndNoOtherByte(t *testing.T) {
	d := deskWithKey(t)
	l, path := d.Library, d.Path
	dir := filepath.Dir(path)
	guide := filepath.Join(dir, "CLAUDE.md")
	if err := os.WriteFile(guide, []byte("# Keys\r\nuse "+librarytest.Key+"\r\nno end"), 0o640); err != nil {
		t.Fatal(err)
	}
	// An earlier change, whose history holds the line.
	d.Change(t, memory.Order{Do: memory.Delete, IDs: []memory.ID{"c3"}})
	before, _ := os.ReadFile(path)
	order := memory.AuditOrder{Paths: []string{dir}}
	a, err := l.Audit(t.Context(), order, nil, nil)
	if err != nil || openSecrets(a.Findings) != 2 {
		t.Fatalf("%d secrets found (%v), want 2", openSecrets(a.Findings), err)
	}
	fixed, err := New(l).Fix(t.Context(), a)
	if err != nil || fixed.Secrets != 2 || len(fixed.Files) != 2 || len(fixed.Failed) != 0 || len(fixed.Beyond) == 0 {
		t.Fatalf("fixed %+v (%v)", fixed, err)
	}
	for file, want := range map[string]string{
		path:  strings.Replace(string(before), librarytest.Key, "[REDACTED]", 1),
		guide: "# Keys\r\nuse [REDACTED]\r\nno end",
	} {
		if got, _ := os.ReadFile(file); string(got) != want {
			t.Errorf("%s holds %q, want %q", file, got, want)
		}
	}
	for _, root := range []string{dir, d.State.Dir} {
		if at := librarytest.Holding(t, root, librarytest.Key); at != "" {
			t.Errorf("%s still holds the secret", at)
		}
	}
	if a, err = l.Audit(t.Context(), order, nil, nil); err != nil || openSecrets(a.Findings) != 0 {
		t.Errorf("%d secrets are left (%v)", openSecrets(a.Findings), err)
	}
	if _, err := New(l.ReadOnly()).Fix(t.Context(), a); !errors.Is(err, memory.ErrReadOnly) {
		t.Errorf("a library that changes nothing gives %v, want %v", err, memory.ErrReadOnly)
	}
}

// TestCopiesThatNoAuditFindsAgainAreNamed: of two files with copies of each other's secrets the second cannot be
// changed. Its copy has no original any more.
func TestCopiesThatNoAuditFindsAgainAreNamed(t *testing.T) {
	l := deskWithKey(t).Library
	const one, other = "Xk7pQ2vL9" + "mWz4RtY8bN", "Rt9wK4xN2b" + "Ls8VmQ6pYc"
	dir := t.TempDir()
	first, second := filepath.Join(dir, "AGENTS.md"), filepath.Join(dir, "CLAUDE.md")
	write := func(file, value, copied string) {
		t.Helper()
		text := "The password is password: " + value + "\n\nType " + copied + " there.\n"
		if err := os.WriteFile(file, []byte(text), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	write(first, one, other)
	write(second, other, one)
	order := memory.AuditOrder{Paths: []string{first, second}}
	a, err := l.Audit(t.Context(), order, nil, nil)
	if err != nil || openSecrets(a.Findings) != 4 {
		t.Fatalf("%d secrets found (%v), want 4", openSecrets(a.Findings), err)
	}
	slices.SortStableFunc(a.Findings, func(x, y memory.Finding) int { return strings.Compare(x.File, y.File) })
	// it can be read and replaced no more
	if err := errors.Join(os.Remove(second), os.Mkdir(second, 0o755)); err != nil {
		t.Fatal(err)
	}
	fixed, err := New(l).Fix(t.Context(), a)
	if err != nil || fixed.Secrets != 2 || len(fixed.Failed) != 1 ||
		filepath.Base(fixed.Failed[0].Path) != "CLAUDE.md" {
		t.Fatalf("fixed %+v (%v), want one file, and one that failed", fixed, err)
	}
	const what = "the next audit does not find them: line 3."
	if p := fixed.Failed[0].Problem; !strings.Contains(p.What, what) || !strings.Contains(p.Hint, "by hand") {
		t.Errorf("the problem is %+v, want %q", p, what)
	}
	if err := os.Remove(second); err != nil {
		t.Fatal(err)
	}
	write(second, other, one)
	if a, err = l.Audit(t.Context(), order, nil, nil); err != nil || openSecrets(a.Findings) != 1 {
		t.Errorf("%d secrets found afterwards (%v), want only the one that a rule finds", openSecrets(a.Findings), err)
	}
}

// TestFixSparesWhatIsIgnored pins that a person's decision outlives a fix of the other
// secrets, also of one that the same rule finds: in a store, and in a file without records.
func TestOriginalOfASecretStaysWhileACopyCannotBeRedacted(t *testing.T) {
	d := deskWithKey(t)
	l := d.Library
	dir, value := filepath.Dir(d.Path), "Xk7pQ2vL9"+"mWz4RtY8bN"
	original, bare := filepath.Join(dir, "AGENTS.md"), filepath.Join(dir, "notes.txt")
	files := map[string]string{
		original: "The password is password: " + value + "\n",
		bare:     "# Signing in\n\nType " + value + " there.\n",
	}
	write := func(file string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(files[file]), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	write(original)
	write(bare)
	order := memory.AuditOrder{Paths: []string{original, bare}}
	a, err := l.Audit(t.Context(), order, nil, nil)
	if err != nil || openSecrets(a.Findings) != 2 {
		t.Fatalf("%d secrets found (%v), want 2", openSecrets(a.Findings), err)
	}
	if err := errors.Join(os.Remove(bare), os.Mkdir(bare, 0o755)); err != nil { // it can be read and replaced no more
		t.Fatal(err)
	}
	fixed, err := New(l).Fix(t.Context(), a)
	if err != nil || fixed.Secrets != 0 || len(fixed.Failed) != 2 {
		t.Errorf("fixed %+v (%v), want two files that failed", fixed, err)
	}
	if err := os.Remove(bare); err != nil {
		t.Fatal(err)
	}
	write(bare)
	if a, err = l.Audit(t.Context(), order, nil, nil); err != nil || openSecrets(a.Findings) != 2 {
		t.Errorf("%d secrets found afterwards (%v), want 2", openSecrets(a.Findings), err)
	}
}

func TestFixSparesWhatIsIgnored(t *testing.T) {
	other := strings.Replace(librarytest.Key, "a1B2", "Z9y8", 1)
	for name, text := range map[string]string{
		"": librarytest.LessonWith("a1", "the documented "+librarytest.Key) + "\n" +
			librarytest.LessonWith("b2", "pushed with "+other) + "\n",
		"CLAUDE.md": "the documented " + librarytest.Key + "\npushed with " + other + " and " +
			strings.ReplaceAll(other, "Z9y8", "X7w6") + "\n",
	} {
		d := deskWithKey(t)
		l, path := d.Library, d.Path
		if name != "" {
			path = filepath.Join(filepath.Dir(path), name)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		order := memory.AuditOrder{Paths: []string{path}}
		a, err := l.Audit(t.Context(), order, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(
			a.Findings,
			func(f memory.Finding) bool { return f.Family == memory.FamilySecret && f.Line == 1 },
		)
		order.Ignored = []memory.Ignore{{Fingerprint: a.Findings[i].Fingerprint, Reason: "from a manual"}}
		if a, err = l.Audit(t.Context(), order, nil, nil); err != nil {
			t.Fatal(err)
		}
		fixed, err := New(l).Fix(t.Context(), a)
		now, _ := os.ReadFile(path)
		if want := strings.Count(text, "gh"+"p_") - 1; err != nil || fixed.Secrets != want ||
			strings.Count(string(now), "gh"+"p_") != 1 ||
			!bytes.Contains(now, []byte(librarytest.Key)) {
			t.Errorf(
				"%d secrets redacted (%v), want the %d that count; the file holds %s",
				fixed.Secrets,
				err,
				want,
				now,
			)
		}
	}
}

// TestEverySecretOfAStoreIsFixed pins that no secret is taken for another whose
// fingerprint is the same: fingerprints tell little of secrets.
func TestEverySecretOfAStoreIsFixed(t *testing.T) {
	d := deskWithKey(t)
	l, path := d.Library, d.Path
	var lessons []string
	for i := range 600 {
		secret := fmt.Sprintf("gh"+"p_%x", sha256.Sum256([]byte{byte(i), byte(i >> 8)}))[:40]
		lessons = append(lessons, librarytest.LessonWith(fmt.Sprintf("l%d", i), "pushed with "+secret+" to main"))
	}
	librarytest.Put(t, path, lessons...)
	a, err := l.Audit(t.Context(), memory.AuditOrder{Paths: []string{path}}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if fixed, err := New(l).Fix(t.Context(), a); err != nil || fixed.Secrets != len(lessons) {
		t.Errorf("%d secrets redacted (%v), want %d", fixed.Secrets, err, len(lessons))
	}
}

// TestWhatAKilledFixLeftIsRemoved pins that the old bytes of a file, which a redaction
// that was killed leaves beside it, go with the next one.
func TestWhatAKilledFixLeftIsRemoved(t *testing.T) {
	d := deskWithKey(t)
	l, path := d.Library, d.Path
	dir := filepath.Dir(path)
	guide := filepath.Join(dir, "CLAUDE.md")
	temp := filepath.Join(dir, atomicfile.TempOf(guide))
	for file, text := range map[string]string{
		guide:          "use [REDACTED]\n",
		temp:           "use " + librarytest.Key + "\n",
		temp + ".part": "use",
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	a, err := l.Audit(t.Context(), memory.AuditOrder{Paths: []string{dir}}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := New(l).Fix(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".winnow-*")); len(left) > 0 {
		t.Errorf("%v are left", left)
	}
	if text, _ := os.ReadFile(guide); string(text) != "use [REDACTED]\n" {
		t.Errorf("the file holds %q", text)
	}
}

// deskWithKey is a desk with a key in its second lesson.
func deskWithKey(t *testing.T) *librarytest.Desk {
	return librarytest.NewDesk(t, librarytest.Lesson("a1"),
		librarytest.LessonWith("b2", "pushed with "+librarytest.Key+" to main"), librarytest.Lesson("c3"))
}

func openSecrets(findings []memory.Finding) (n int) {
	for _, f := range findings {
		if f.Family == memory.FamilySecret && f.Open() {
			n++
		}
	}
	return n
}
