//go:build unix

package statefile

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/memory"
)

// newState makes a home with a state folder in it, as Winnow makes them.
func newState(t *testing.T) (home, dir string) {
	t.Helper()
	home = t.TempDir()
	dir = filepath.Join(home, ".local", "state", "winnow")
	for _, name := range []string{"learn/seen", "shares/x.git/objects", "stores/s", "drafts"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	files := []string{"learn/key", "learn/decisions", "learn/seen/s", "shares/x.json",
		"stores/s/key", "stores/s/history", "state.json", "drafts/d"}
	for _, name := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return home, dir
}

func TestStateThatOthersMayChangeIsNotTrusted(t *testing.T) {
	for name, c := range map[string]struct {
		path string
		mode os.FileMode
		says string // "" for fine
	}{
		"as made":                     {"", 0o700, ""},
		"readable folder":             {"", 0o755, ""},
		"folder of a group":           {"", 0o770, "may change"},
		"folder for all":              {"", 0o707, "may change"},
		"inner folder":                {"learn", 0o777, "may change"},
		"decisions":                   {"learn/decisions", 0o602, "may change"},
		"decisions of a group":        {"learn/decisions", 0o660, "may change"},
		"what was seen":               {"learn/seen/s", 0o666, "may change"},
		"share":                       {"shares/x.json", 0o606, "may change"},
		"history":                     {"stores/s/history", 0o620, "may change"},
		"readable key":                {"learn/key", 0o604, "may read"},
		"key readable by a group":     {"learn/key", 0o640, "may read"},
		"readable key of a history":   {"stores/s/key", 0o644, "may read"},
		"readable decisions":          {"learn/decisions", 0o644, ""},
		"git's own objects":           {"shares/x.git/objects", 0o777, ""},
		"draft of an editor":          {"drafts/d", 0o664, ""},
		"folder above for all":        {"..", 0o777, "may change"},
		"sticky folder above for all": {"..", 0o777 | os.ModeSticky, ""},
	} {
		home, dir := newState(t)
		if err := os.Chmod(filepath.Join(dir, c.path), c.mode); err != nil {
			t.Fatal(err)
		}
		checked(t, name, CheckOwner(dir, home), c.says, "chmod")
	}
}

// checked checks an error of CheckOwner. An empty says wants none.
func checked(t *testing.T, name string, err error, says, hint string) {
	t.Helper()
	var p *memory.Problem
	switch {
	case says == "" && err != nil:
		t.Errorf("%s: %v", name, err)
	case says != "" && (!errors.As(err, &p) || p.Code != untrustedState ||
		!strings.Contains(p.What, says) ||
		!strings.Contains(p.Hint, hint)):
		t.Errorf("%s: %v, want a problem that says %q, and %q to mend it", name, err, says, hint)
	}
}

func TestFoldersAboveHomeDoNotCount(t *testing.T) {
	above := t.TempDir()
	home := filepath.Join(above, "home")
	dir := filepath.Join(home, "state")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(above, 0o777); err != nil {
		t.Fatal(err)
	}
	checked(t, "below home", CheckOwner(dir, home), "", "")
	checked(t, "without home", CheckOwner(dir, ""), "may change "+above, "chmod go-w")
	checked(t, "elsewhere", CheckOwner(dir, filepath.Join(above, "other")), "may change "+above, "chmod go-w")
}

func TestLinkedStateFolderIsCheckedWhereItIs(t *testing.T) {
	home, dir := newState(t)
	real := filepath.Join(home, "elsewhere", "state")
	if err := os.MkdirAll(filepath.Dir(real), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(dir, real); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, dir); err != nil {
		t.Fatal(err)
	}
	checked(t, "linked", CheckOwner(dir, home), "", "")
	if err := os.Chmod(filepath.Dir(real), 0o777); err != nil {
		t.Fatal(err)
	}
	checked(t, "in a folder for all", CheckOwner(dir, home), "may change", "chmod go-w")
}

func TestMissingStateFolderCountsByItsPlace(t *testing.T) {
	home := t.TempDir()
	dir := filepath.Join(home, ".local", "state", "winnow")
	checked(t, "missing", CheckOwner(dir, home), "", "")
	checked(t, "no folder", CheckOwner("", home), "", "")
	if err := os.Chmod(home, 0o777); err != nil {
		t.Fatal(err)
	}
	checked(t, "in a home for all", CheckOwner(dir, home), "may change "+home, "chmod go-w")
}

func TestStateOfAnotherUserIsNotTrusted(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	const nobody = 65534
	for _, name := range []string{"", "learn", "learn/key", "learn/decisions", "shares", "../.."} {
		home, dir := newState(t)
		if err := os.Chown(filepath.Join(dir, name), nobody, nobody); err != nil {
			t.Fatal(err)
		}
		checked(t, name, CheckOwner(dir, home), "belongs to another user (uid 65534)", "without sudo")
	}
}
