package system

import (
	"os"
	"path/filepath"
	"testing"
)

func machine(home, goos string, set map[string]string) Env {
	return Env{Home: home, GOOS: goos, Lookup: func(name string) (string, bool) { v, ok := set[name]; return v, ok }}
}

func TestFoldersAreThoseOfThePlatform(t *testing.T) {
	const library = "/home/u/Library/Application Support/winnow"
	for _, c := range []struct {
		goos, settings, state, lessons string
		set                            map[string]string
	}{
		{
			goos:     "linux",
			settings: "/home/u/.config/winnow",
			state:    "/home/u/.local/state/winnow",
			lessons:  "/home/u/.local/share/winnow",
		},
		{
			goos:     "freebsd",
			settings: "/home/u/.config/winnow",
			state:    "/home/u/.local/state/winnow",
			lessons:  "/home/u/.local/share/winnow",
		},
		{goos: "darwin", settings: library + "/config", state: library + "/state", lessons: library},
		{
			goos: "windows", settings: "/home/u/AppData/Roaming/winnow",
			state: "/home/u/AppData/Local/winnow/state", lessons: "/home/u/AppData/Local/winnow",
		},
		{
			goos: "windows", settings: "/roaming/winnow", state: "/local/winnow/state", lessons: "/local/winnow",
			set: map[string]string{"APPDATA": "/roaming", "LOCALAPPDATA": "/local"},
		},
		{ // Windows variables mean nothing on other systems
			goos: "darwin", settings: library + "/config", state: library + "/state", lessons: library,
			set: map[string]string{"APPDATA": "/roaming", "LOCALAPPDATA": "/local", "XDG_STATE_HOME": "relative"},
		},
	} {
		env := machine("/home/u", c.goos, c.set)
		for f, want := range map[Folder]string{Settings: c.settings, State: c.state, Lessons: c.lessons} {
			if got := filepath.ToSlash(env.Folder(f)); got != want {
				t.Errorf("%s, %v: %s is %s, want %s", c.goos, c.set, f.Variable(), got, want)
			}
		}
	}
}

func TestXDGVariablesWinEverywhere(t *testing.T) {
	set := map[string]string{
		"XDG_CONFIG_HOME": "/c",
		"XDG_STATE_HOME":  "/s",
		"XDG_DATA_HOME":   "/d",
		"APPDATA":         "/r",
		"LOCALAPPDATA":    "/l",
	}
	for _, goos := range []string{"linux", "darwin", "windows"} {
		for _, home := range []string{"/home/u", ""} {
			for f, want := range map[Folder]string{Settings: "/c/winnow", State: "/s/winnow", Lessons: "/d/winnow"} {
				own, earlier := machine(home, goos, set).Folders(f)
				if filepath.ToSlash(own) != want || earlier != "" {
					t.Errorf("%s, home %q: %s and %q, want %s", goos, home, own, earlier, want)
				}
			}
		}
	}
}

func TestWithoutAHomeThereIsNoFolder(t *testing.T) {
	for _, goos := range []string{"linux", "darwin", "windows"} {
		for _, f := range []Folder{Settings, State, Lessons} {
			if got := machine("", goos, nil).Folder(f); got != "" {
				t.Errorf("%s: %s", goos, got)
			}
		}
	}
}

func TestWhatLiesInTheEarlierPlaceIsUsedThere(t *testing.T) {
	for _, goos := range []string{"darwin", "windows"} {
		for _, f := range []Folder{Settings, State, Lessons} {
			env := machine(t.TempDir(), goos, nil)
			own, earlier := env.Folders(f)
			for _, step := range []struct{ make, want string }{{"", own}, {earlier, earlier}, {own, own}} {
				if step.make != "" {
					if err := os.MkdirAll(step.make, 0o700); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(filepath.Join(step.make, "lessons.jsonl"), nil, 0o600); err != nil {
						t.Fatal(err)
					}
				}
				if got := env.Folder(f); got != step.want {
					t.Errorf("%s with %q: %s, want %s", goos, step.make, got, step.want)
				}
			}
		}
	}
}

func TestEmptyFolderForLessonsHidesNone(t *testing.T) {
	env := machine(t.TempDir(), "darwin", nil)
	_, earlier := env.Folders(Lessons)
	state, _ := env.Folders(State)
	if err := os.MkdirAll(state, 0o700); err != nil { // creates the folder for lessons too
		t.Fatal(err)
	}
	if err := os.MkdirAll(earlier, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(earlier, "lessons.jsonl"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := env.Folder(Lessons); got != earlier {
		t.Errorf("%s, want %s", got, earlier)
	}
}
