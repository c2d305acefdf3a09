package system

import (
	"cmp"
	"os"
	"path/filepath"
	"runtime"
)

// Folder is a folder in which Winnow keeps files of its own.
type Folder int

// The folders: for config.toml and themes, for history and all else that Winnow remembers, and for the
// person's own lessons.
const (
	Settings Folder = iota
	State
	Lessons
)

// layout says where a folder is.
type layout struct {
	variable  string // of XDG, which holds the folder above winnow
	unix, mac string // below the home
	// On Windows it is below what a variable holds, or else below a folder of the home.
	appData, usual, windows string
	holds                   string // the file without which the folder counts as missing
}

func (f Folder) layout() layout {
	const support = "Library/Application Support/winnow"
	return [...]layout{
		Settings: {"XDG_CONFIG_HOME", ".config/winnow", support + "/config", "APPDATA", "AppData/Roaming", "winnow", ""},
		State:    {"XDG_STATE_HOME", ".local/state/winnow", support + "/state", "LOCALAPPDATA", "AppData/Local", "winnow/state", ""},
		Lessons:  {"XDG_DATA_HOME", ".local/share/winnow", support, "LOCALAPPDATA", "AppData/Local", "winnow", "lessons.jsonl"},
	}[f]
}

// Variable returns the variable of the environment that names the folder above it, on every system.
func (f Folder) Variable() string { return f.layout().variable }

// Folder returns where a folder is, "" where there is no place for it. What lies where earlier versions put
// it, and not in its own place, is used there.
func (e Env) Folder(f Folder) string {
	own, earlier := e.Folders(f)
	holds := f.layout().holds
	if earlier != "" && !there(filepath.Join(own, holds)) && there(filepath.Join(earlier, holds)) {
		return earlier
	}
	return own
}

// Folders returns the place of a folder, and where earlier versions put it on this system, "" where
// that is the same. XDG variables name it on every system; one that is not an absolute path counts as not
// set, as the specification has it.
func (e Env) Folders(f Folder) (own, earlier string) {
	l := f.layout()
	value := func(name string) string { v, _ := e.Lookup(name); return v }
	if base := value(l.variable); filepath.IsAbs(base) {
		return filepath.Join(base, "winnow"), ""
	}
	if e.Home == "" {
		return "", ""
	}
	earlier = filepath.Join(e.Home, l.unix)
	switch cmp.Or(e.GOOS, runtime.GOOS) {
	case "darwin":
		return filepath.Join(e.Home, l.mac), earlier
	case "windows":
		base := value(l.appData)
		if !filepath.IsAbs(base) {
			base = filepath.Join(e.Home, l.usual)
		}
		return filepath.Join(base, l.windows), earlier
	}
	return earlier, ""
}

// Path returns the absolute path that a variable of the environment names, relative ones from the working folder,
// and "" where it is not set or empty.
func (e Env) Path(variable string) string {
	value, _ := e.Lookup(variable)
	if value == "" || filepath.IsAbs(value) {
		return value
	}
	return filepath.Join(e.Dir, value)
}

func there(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
