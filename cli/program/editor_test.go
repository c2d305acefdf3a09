package program

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"winnow/core/system"
)

// TestTypedTextIsNamedWhenASignalEndsTheScreens while the editor is open: that is where it is kept.
func TestTypedTextIsNamedWhenASignalEndsTheScreens(t *testing.T) {
	var said bytes.Buffer
	home := t.TempDir()
	_, catch := New().Env(strings.NewReader(""), &said, &said)
	none := func(string) (string, bool) { return "", false }
	e := &lessonEditor{
		Env: New().env(system.Env{Home: home, Dir: home, Lookup: none}, catch, strings.NewReader(""), &said, &said),
	}
	e.Edit("as it was", func(string, error) tea.Msg { return nil })
	e.reportKept(context.Canceled)
	if said.Len() > 0 {
		t.Errorf("nothing was typed: %q", said.String())
	}
	if err := os.WriteFile(e.open.Path(), []byte("typed"), 0o600); err != nil {
		t.Fatal(err)
	}
	e.reportKept(nil)
	if said.Len() > 0 {
		t.Errorf("nothing was ended: %q", said.String())
	}
	e.reportKept(context.Canceled)
	if want := "What you typed is kept in " + e.open.Path() + "\n"; said.String() != want {
		t.Errorf("%q, want %q", said.String(), want)
	}
}
