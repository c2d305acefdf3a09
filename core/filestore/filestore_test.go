package filestore_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/core/atomicfile"
	"winnow/core/filestore"
	"winnow/core/memory"
	"winnow/core/system"
)

func put(t *testing.T, path, text string) string {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o640)); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestUpwardsEndsWhereItIsToldOrAtTheTop(t *testing.T) {
	top := filepath.VolumeName(t.TempDir()) + string(filepath.Separator)
	a, b := filepath.Join(top, "a"), filepath.Join(top, "a", "b")
	for _, c := range []struct {
		dir, stop string
		want      []string
	}{
		{b, "", []string{b, a, top}}, {b, a, []string{b, a}}, {b, b, []string{b}}, {top, "", []string{top}},
	} {
		if got := filestore.Upwards(c.dir, c.stop); !slices.Equal(got, c.want) {
			t.Errorf("Upwards(%q, %q) = %q, want %q", c.dir, c.stop, got, c.want)
		}
	}
}

func TestReadSaysWhatItCut(t *testing.T) {
	path := put(t, filepath.Join(t.TempDir(), "x.md"), "twelve bytes")
	for most, want := range map[int64]string{0: "", 5: "twelv", 12: "twelve bytes", 100: "twelve bytes"} {
		f := filestore.Read(path, most)
		if f.Text != want || f.Size != 12 || f.Cut != (most < 12) || f.Problem != nil || f.Mode.Perm() != 0o640 ||
			f.ModTime.IsZero() {
			t.Errorf("at most %d bytes: %+v", most, f)
		}
	}
}

func TestReadHasASentenceForWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	for path, code := range map[string]string{
		dir:                        "folder",
		filepath.Join(dir, "none"): "missing",
		os.DevNull:                 "not-a-file",
	} {
		if f := filestore.Read(path, 10); f.Problem == nil || f.Problem.Code != code || f.Problem.Hint == "" ||
			f.Text != "" {
			t.Errorf("%s: %+v", path, f)
		}
	}
}

func TestHugeSparseFileIsReadToItsLimit(t *testing.T) {
	path := put(t, filepath.Join(t.TempDir(), "x.md"), "begin")
	if err := os.Truncate(path, 5<<30); err != nil {
		t.Skip("no room for the size of the file:", err)
	}
	if f := filestore.Read(path, 1000); len(f.Text) != 1000 || f.Size != 5<<30 || !f.Cut || f.Problem != nil {
		t.Errorf("%d bytes of %d, cut %t, %v", len(f.Text), f.Size, f.Cut, f.Problem)
	}
}

func TestNamesAreInOrderAndLimited(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b", "a", "C", "é"} {
		put(t, filepath.Join(dir, name), "")
	}
	for most, want := range map[int]string{10: "C a b é", 4: "C a b é"} {
		entries, cut, p := filestore.Names(dir, most)
		if got := names(entries); got != want || cut || p != nil {
			t.Errorf("at most %d: %s, %t, %v", most, got, cut, p)
		}
	}
	if entries, cut, p := filestore.Names(dir, 2); len(entries) != 2 || !cut || p != nil {
		t.Errorf("at most 2: %d, %t, %v", len(entries), cut, p)
	}
	for path, code := range map[string]string{
		filepath.Join(dir, "a"):    "no-folder",
		filepath.Join(dir, "none"): "missing",
	} {
		if _, _, p := filestore.Names(path, 9); p == nil || p.Code != code || p.Hint == "" {
			t.Errorf("%s: %+v", path, p)
		}
	}
}

func names(entries []fs.DirEntry) string {
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return strings.Join(all, " ")
}

// on returns a writer of a real folder.
func on(dir string) filestore.Writer {
	reach := system.Reach{Project: dir}
	w := writer(atomicfile.Confined(atomicfile.OS(), reach.May))
	w.Path = func(id memory.ID, _ *memory.Change) (string, error) { return filepath.Join(dir, string(id)), nil }
	return w
}

func inverse(w system.Written) []memory.Change {
	var back []memory.Change
	for _, c := range kept(w.Staged).Changes {
		c.Before, c.After = c.After, c.Before
		c.Do = [...]memory.ChangeKind{memory.Adding, memory.Editing, memory.Deleting}[c.Do]
		if c.Do == memory.Deleting {
			c.Position = nil
		}
		back = append(back, c)
	}
	return back
}

func TestDeletedFileComesBackWithModeAndDate(t *testing.T) {
	dir := t.TempDir()
	path := put(t, filepath.Join(dir, "x.md"), "text")
	then := time.Date(2025, 3, 4, 5, 6, 7, 89, time.UTC)
	if err := os.Chtimes(path, then, then); err != nil {
		t.Fatal(err)
	}
	was, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	written, err := on(dir).Write(t.Context(), system.Write{
		Changes: []memory.Change{{Do: memory.Deleting, ID: "x.md", Before: "text"}},
	})
	if _, gone := os.Lstat(path); err != nil || gone == nil {
		t.Fatalf("deleted: %v, %v", err, gone)
	}
	if _, err := on(dir).Write(t.Context(), system.Write{Changes: inverse(written)}); err != nil {
		t.Fatal(err)
	}
	is, err := os.Stat(path)
	if err != nil || is.Mode() != was.Mode() || !is.ModTime().Equal(was.ModTime()) {
		t.Errorf("%v %v, want %v %v", is.Mode(), is.ModTime(), was.Mode(), was.ModTime())
	}
	if text, err := os.ReadFile(path); string(text) != "text" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
}

func TestEditKeepsTheDateUnlessItIsVerified(t *testing.T) {
	dir := t.TempDir()
	path := put(t, filepath.Join(dir, "x.md"), "one")
	then := time.Date(2025, 3, 4, 5, 6, 7, 0, time.UTC)
	if err := os.Chtimes(path, then, then); err != nil {
		t.Fatal(err)
	}
	date := func() time.Time {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.ModTime()
	}
	w := on(dir)
	edit := func(before, after string) system.Written {
		written, err := w.Write(t.Context(), system.Write{
			Changes: []memory.Change{{Do: memory.Editing, ID: "x.md", Before: before, After: after}},
		})
		if err != nil {
			t.Fatal(err)
		}
		return written
	}
	edit("one", "two")
	if !date().Equal(then) {
		t.Errorf("edited at %v, want %v", date(), then)
	}
	w.KeepDate = false
	verified := edit("two", "three")
	if !date().After(then) {
		t.Errorf("verified at %v", date())
	}
	w.KeepDate = true
	if _, err := w.Write(t.Context(), system.Write{Changes: inverse(verified)}); err != nil {
		t.Fatal(err)
	}
	if !date().Equal(then) {
		t.Errorf("undone, it is of %v, want %v", date(), then)
	}
}

func TestNoChangeLeavesTheFolders(t *testing.T) {
	top := t.TempDir()
	dir, outside := filepath.Join(top, "store"), put(t, filepath.Join(top, "out", "secret.md"), "theirs")
	put(t, filepath.Join(dir, "in.md"), "mine")
	put(t, filepath.Join(dir, "x.md"), "mine")
	for link, to := range map[string]string{
		"out.md": outside, "up": filepath.Dir(outside), "dangling.md": filepath.Join(top, "out", "new.md"),
		"loop.md": "loop.md", "inner.md": "in.md",
	} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Skip("no links here:", err)
		}
	}
	for id, code := range map[memory.ID]string{
		"out.md": system.CodeOutside, "up/secret.md": system.CodeOutside, "../out/secret.md": system.CodeOutside,
		"loop.md": "link-loop", "../store/../out/secret.md": system.CodeOutside,
	} {
		_, err := on(dir).Write(t.Context(), system.Write{Changes: []memory.Change{
			{Do: memory.Editing, ID: "x.md", Before: "mine", After: "more"},
			{Do: memory.Editing, ID: id, Before: "theirs", After: "mine"},
		}})
		hinted(t, err, code)
	}
	for _, id := range []memory.ID{"dangling.md", "up/new.md", "../new.md"} {
		_, err := on(dir).Write(t.Context(), system.Write{
			Changes: []memory.Change{{Do: memory.Adding, ID: id, After: "mine"}},
		})
		hinted(t, err, "")
	}
	for _, id := range []memory.ID{"out.md", "inner.md", "up/secret.md"} {
		_, err := on(dir).Write(t.Context(), system.Write{
			Changes: []memory.Change{{Do: memory.Deleting, ID: id, Before: "theirs"}},
		})
		hinted(t, err, "")
	}
	if _, err := on(dir).Write(t.Context(), system.Write{
		Changes: []memory.Change{{Do: memory.Editing, ID: "inner.md", Before: "mine", After: "more"}},
	}); err != nil {
		t.Errorf("a link within the folder: %v", err)
	}
	if to, err := os.Readlink(filepath.Join(dir, "inner.md")); to != "in.md" || err != nil {
		t.Errorf("the link leads to %q, %v", to, err)
	}
	for path, want := range map[string]string{
		outside:                     "theirs",
		filepath.Join(dir, "in.md"): "more",
		filepath.Join(dir, "x.md"):  "mine",
	} {
		if text, err := os.ReadFile(path); string(text) != want || err != nil {
			t.Errorf("%s holds %q, %v", path, text, err)
		}
	}
	if all, err := os.ReadDir(filepath.Dir(outside)); len(all) != 1 {
		t.Errorf("outside are %v, %v", all, err)
	}
}

// hinted fails unless err is a problem with a code and words.
func hinted(t *testing.T, err error, code string) {
	t.Helper()
	var p *memory.Problem
	if !errors.As(err, &p) || p.What == "" || p.Hint == "" || code != "" && p.Code != code {
		t.Errorf("%v (%T), want the problem %s", err, err, code)
	}
}

func TestWhatIsNoFileIsNotReplaced(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "x.md"), "text")
	put(t, filepath.Join(dir, "folder", "x"), "text")
	for _, ch := range []memory.Change{
		{Do: memory.Editing, ID: "folder", Before: "text", After: "more"},
		{Do: memory.Deleting, ID: "folder", Before: "text"},
		{Do: memory.Adding, ID: "folder", After: "more"}, {Do: memory.Adding, ID: "x.md/below", After: "more"},
	} {
		_, err := on(dir).Write(t.Context(), system.Write{
			Changes: []memory.Change{{Do: memory.Deleting, ID: "x.md", Before: "text"}, ch},
		})
		hinted(t, err, "")
		if _, err := os.Stat(filepath.Join(dir, "x.md")); err != nil {
			t.Fatal("the other change was made:", err)
		}
	}
}

func TestTwoChangesOfOneFileAreRefused(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "x.md"), "text")
	_, err := on(dir).Write(t.Context(), system.Write{Changes: []memory.Change{
		{Do: memory.Editing, ID: "x.md", Before: "text", After: "more"},
		{Do: memory.Deleting, ID: "x.md", Before: "text"},
	}})
	hinted(t, err, "twice")
}

func TestRecoverTakesOnlyNamesOfItsOwn(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "x.md"), "text")
	for _, temp := range []string{"", "..", "../x.tmp", "x.md", ".winnow-/../x.tmp"} {
		_, err := on(dir).Recover(t.Context(), system.Staged{
			Temp:    temp,
			Changes: []memory.Change{{Do: memory.Deleting, ID: "y.md", Before: "text"}},
		})
		hinted(t, err, "no-temp")
	}
}

// TestLinkThatIsPutInTheWayLeadsNowhere has another program put a link in the place of the
// file, or of its folder, between the look and the change.
func TestLinkThatIsPutInTheWayLeadsNowhere(t *testing.T) {
	for name, ch := range map[string]memory.Change{
		"edit":     {Do: memory.Editing, ID: "sub/x.md", Before: "text", After: "more"},
		"deletion": {Do: memory.Deleting, ID: "sub/x.md", Before: "text"},
		"addition": {Do: memory.Adding, ID: "sub/new.md", After: "new"},
	} {
		for _, place := range []string{"sub", "sub/x.md"} {
			if name == "addition" && place != "sub" {
				continue
			}
			top := t.TempDir()
			dir, outside := filepath.Join(top, "store"), filepath.Join(top, "out")
			put(t, filepath.Join(dir, "sub", "x.md"), "text")
			put(t, filepath.Join(dir, "y.md"), "text")
			put(t, filepath.Join(outside, "x.md"), "text")
			put(t, filepath.Join(outside, "sub", "x.md"), "text")
			at := filepath.Join(dir, place)
			_, err := on(dir).Write(t.Context(), system.Write{
				Changes: []memory.Change{{Do: memory.Editing, ID: "y.md", Before: "text", After: "more"}, ch},
				Stage: func(system.Staged) error {
					if err := errors.Join(os.Rename(at, at+".was"), os.Symlink(filepath.Join(outside, strings.TrimPrefix(filepath.Base(place), "sub")), at)); err != nil {
						t.Skip("no links here:", err)
					}
					return nil
				},
			})
			if err == nil {
				t.Errorf("%s with a link at %s: no error", name, place)
			}
			for _, path := range []string{
				filepath.Join(outside, "x.md"),
				filepath.Join(outside, "sub", "x.md"),
				filepath.Join(dir, "y.md"),
			} {
				if text, err := os.ReadFile(path); string(text) != "text" || err != nil {
					t.Errorf("%s with a link at %s: %s holds %q, %v", name, place, path, text, err)
				}
			}
			if all, err := os.ReadDir(outside); len(all) != 2 || err != nil {
				t.Errorf("%s with a link at %s: outside are %v, %v", name, place, all, err)
			}
		}
	}
}

func TestTheSameEditThroughALinkIsMadeOnce(t *testing.T) {
	dir := t.TempDir()
	path := put(t, filepath.Join(dir, "x.md"), "text")
	if err := os.Symlink("x.md", filepath.Join(dir, "link.md")); err != nil {
		t.Skip("no links here:", err)
	}
	var all []memory.Change
	for _, id := range []memory.ID{"link.md", "x.md"} {
		all = append(all, memory.Change{Do: memory.Editing, ID: id, Before: "text", After: "more"})
	}
	staged := 0
	w, err := on(dir).Write(t.Context(), system.Write{Changes: all, Stage: func(s system.Staged) error {
		staged += len(s.Changes)
		return nil
	}})
	if err != nil || staged != 1 || len(w.Fates) != 2 {
		t.Fatalf("%d changes were announced, the fates are %v: %v", staged, w.Fates, err)
	}
	for i, f := range w.Fates {
		if f.ID != all[i].ID || f.Fate != memory.Done {
			t.Errorf("the fate of %s is %v", all[i].ID, f)
		}
	}
	if now, err := os.ReadFile(path); string(now) != "more" {
		t.Errorf("the file has %q (%v)", now, err)
	}
}

func TestOneFileUnderTwoNamesIsToldFromTwoFiles(t *testing.T) {
	dir := t.TempDir()
	path := put(t, filepath.Join(dir, "sub", "x.md"), "text")
	if err := errors.Join(os.Symlink("sub", filepath.Join(dir, "link")),
		os.Link(path, filepath.Join(dir, "sub", "X.md"))); err != nil {
		t.Skip("no links here, or no difference between X and x:", err)
	}
	put(t, filepath.Join(dir, "sub", "y.md"), "text")
	put(t, filepath.Join(dir, "sub", "Y.md"), "text")
	edit := func(id memory.ID) memory.Change {
		return memory.Change{Do: memory.Editing, ID: id, Before: "text", After: "more"}
	}
	linked := edit("link/x.md")
	linked.After = "less"
	for _, other := range []memory.Change{linked, edit("sub/X.md")} {
		_, err := on(dir).Write(t.Context(), system.Write{Changes: []memory.Change{edit("sub/x.md"), other}})
		hinted(t, err, "twice")
	}
	if _, err := on(dir).Write(t.Context(), system.Write{
		Changes: []memory.Change{edit("sub/y.md"), edit("sub/Y.md")},
	}); err != nil {
		t.Errorf("two files whose names differ in one letter: %v", err)
	}
}
