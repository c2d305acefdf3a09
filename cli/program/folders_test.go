package program

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/system"
)

// before returns a machine with files where earlier versions put them.
func before(t *testing.T, goos string) system.Env {
	t.Helper()
	env := system.Env{Home: t.TempDir(), GOOS: goos, Lookup: func(string) (string, bool) { return "", false }}
	for _, name := range []string{".config/winnow/config.toml", ".config/winnow/themes/mine.toml", ".local/state/winnow/stores/a/history", ".local/share/winnow/lessons.jsonl"} {
		at := filepath.Join(env.Home, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o700), os.WriteFile(at, []byte(name), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return env
}

// held returns what a file in one of our folders holds.
func held(t *testing.T, env system.Env, f system.Folder, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(env.Folder(f), filepath.FromSlash(name)))
	if err != nil {
		t.Error(err)
	}
	return string(data)
}

// whole fails the test unless all that was there is found.
func whole(t *testing.T, env system.Env) {
	t.Helper()
	for _, c := range []struct {
		system.Folder
		name, want string
	}{
		{system.Settings, "config.toml", ".config/winnow/config.toml"},
		{system.Settings, "themes/mine.toml", ".config/winnow/themes/mine.toml"},
		{system.State, "stores/a/history", ".local/state/winnow/stores/a/history"},
		{system.Lessons, "lessons.jsonl", ".local/share/winnow/lessons.jsonl"},
	} {
		if got := held(t, env, c.Folder, c.name); got != c.want {
			t.Errorf("%s holds %q, want %q", c.name, got, c.want)
		}
	}
}

func TestFoldersAreMovedOnceAndSaidInALine(t *testing.T) {
	for _, goos := range []string{"darwin", "windows"} {
		env := before(t, goos)
		whole(t, env)
		var said bytes.Buffer
		moveFolders(env, &said)
		whole(t, env)
		for _, f := range []system.Folder{system.Settings, system.State} {
			own, earlier := env.Folders(f)
			if _, err := os.Lstat(earlier); env.Folder(f) != own || err == nil ||
				!strings.Contains(said.String(), own) {
				t.Errorf("%s: %s is not moved to %s; said %q", goos, earlier, own, said.String())
			}
		}
		if _, earlier := env.Folders(system.Lessons); env.Folder(system.Lessons) != earlier {
			t.Errorf("%s: the lessons are not where their history says", goos)
		}
		if strings.Count(said.String(), "\n") != 1 {
			t.Errorf("%s: said %q, want one line", goos, said.String())
		}
		said.Reset()
		if moveFolders(env, &said); said.Len() > 0 {
			t.Errorf("%s: said again: %q", goos, said.String())
		}
	}
}

// movesNothing fails unless everything stays where it is, and nothing is said.
func movesNothing(t *testing.T, env system.Env) {
	t.Helper()
	var said bytes.Buffer
	moveFolders(env, &said)
	whole(t, env)
	if said.Len() > 0 {
		t.Errorf("said %q", said.String())
	}
}

func TestNothingMovesOnLinux(t *testing.T) {
	movesNothing(t, before(t, "linux"))
}

func TestMoveThatFailsLosesNothing(t *testing.T) {
	env := before(t, "darwin")
	if err := os.WriteFile(filepath.Join(env.Home, "Library"), nil, 0o600); err != nil { // no folder can be made there
		t.Fatal(err)
	}
	movesNothing(t, env)
}

func TestInterruptedMoveIsFinishedByTheNextStart(t *testing.T) {
	env := before(t, "darwin")
	own, earlier := env.Folders(system.Settings)
	if err := errors.Join(os.MkdirAll(filepath.Dir(own), 0o700), os.Rename(earlier, own)); err != nil {
		t.Fatal(err)
	}
	whole(t, env)
	moveFolders(env, &bytes.Buffer{})
	whole(t, env)
	if own, _ := env.Folders(system.State); env.Folder(system.State) != own {
		t.Errorf("the state is in %s, want %s", env.Folder(system.State), own)
	}
}

func TestNewFolderIsNotReplaced(t *testing.T) {
	env := before(t, "windows")
	own, earlier := env.Folders(system.State)
	if err := os.MkdirAll(own, 0o700); err != nil {
		t.Fatal(err)
	}
	moveFolders(env, &bytes.Buffer{})
	if _, err := os.Lstat(filepath.Join(earlier, "stores")); err != nil || env.Folder(system.State) != own {
		t.Errorf("%v; the state is in %s, want %s", err, env.Folder(system.State), own)
	}
}

func TestLinkedFolderStays(t *testing.T) {
	env := before(t, "darwin")
	_, earlier := env.Folders(system.Settings)
	kept := filepath.Join(env.Home, "dotfiles")
	if err := errors.Join(os.Rename(earlier, kept), os.Symlink("../dotfiles", earlier)); err != nil {
		t.Fatal(err)
	}
	moveFolders(env, &bytes.Buffer{})
	whole(t, env)
	if env.Folder(system.Settings) != earlier {
		t.Errorf("the settings are in %s, want %s", env.Folder(system.Settings), earlier)
	}
}

func TestOnlyPeopleMoveFolders(t *testing.T) {
	for _, c := range []struct {
		args string
		want bool
	}{{"", true}, {"list", true}, {"agent-hook learn", false}, {"__complete list", false}, {"list --readonly", false}} {
		if got := mayMoveFolders(strings.Fields(c.args)); got != c.want {
			t.Errorf("winnow %s: %v, want %v", c.args, got, c.want)
		}
	}
}
