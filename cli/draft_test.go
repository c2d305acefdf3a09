package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestEditorIsTheUsersOwn(t *testing.T) {
	for _, c := range []struct {
		vars map[string]string
		want string
	}{
		{nil, "vi|f"},
		{map[string]string{"EDITOR": "nano"}, "nano|f"},
		{map[string]string{"EDITOR": "nano", "VISUAL": "code -w"}, "code|-w|f"},
		{map[string]string{"EDITOR": "nano", "VISUAL": " "}, "nano|f"},
	} {
		e := Env{Lookup: lookup(c.vars)}
		if got := strings.Join(e.editorCommand("f").Args, "|"); got != c.want {
			t.Errorf("%v: %s, want %s", c.vars, got, c.want)
		}
	}
}

// drafted is a draft in a temporary folder of its own.
func drafted(t *testing.T, text string) *Draft {
	t.Helper()
	w := newWorld(standard())
	w.State = t.TempDir()
	d, err := w.Draft("task", text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestDraftIsPrivateAndPlainUTF8(t *testing.T) {
	d := drafted(t, "a\xed\xa0\xbdb")
	raw, err := os.ReadFile(d.path)
	if err != nil || string(raw) != "a\uFFFDb" {
		t.Errorf("it holds %q (%v)", raw, err)
	}
	if info, err := os.Stat(d.path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v (%v), want 0600", info.Mode(), err)
	}
}

func TestTakeReturnsWhatWasSavedAndRemovesTheFile(t *testing.T) {
	for _, c := range []struct{ text, saved, want string }{
		{"one", "two\n", "two"}, {"one\n", "two\n", "two\n"}, {"one", "two", "two"}, {"one", "", ""},
	} {
		d := drafted(t, c.text)
		if err := os.WriteFile(d.path, []byte(c.saved), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := d.Take(nil); got != c.want || err != nil {
			t.Errorf("%q saved as %q is taken as %q (%v), want %q", c.text, c.saved, got, err, c.want)
		}
		if _, err := os.Stat(d.path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the file is left: %v", err)
		}
	}
}

func TestDraftOfAnEditorThatFailedIsRemoved(t *testing.T) {
	d := drafted(t, "one")
	failed := errors.New("exit status 1")
	if _, err := d.Take(failed); !errors.Is(err, failed) {
		t.Errorf("it reports %v, want %v", err, failed)
	}
	if _, err := os.Stat(d.path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file is left: %v", err)
	}
}

func TestDraftThatCannotBeWrittenIsReported(t *testing.T) {
	w := newWorld(standard())
	w.State = filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(w.State, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Draft("task", "x"); !errors.Is(err, syscall.ENOTDIR) {
		t.Errorf("it reports %v", err)
	}
}
