package system

import (
	"cmp"
	"os"
	"path/filepath"
	"runtime"
)

// Folder is a folder in which Winnow keeps files of its own.
type Folder int

// The folders: Settings for config.toml and themes, State for history and everything else that
// Winnow remembers, and Lessons for the person's own lessons.
const (
	Settings Folder = iota
	State
	Lessons
)

// layout says where a folder is on each operating system.
type layout struct {
	variable  string // the XDG variable that names the parent of the winnow folder
	unix, mac string // below the home folder
	// On Windows the folder is below the path in variable appData, or else below usual in the home
	// folder.
	appData, usual, windows string
	holds                   string // a file in the folder; without it the folder counts as missing
}

func (f Folder) layout() layout {
	const support = "Library/Application Support/winnow"
	const local = "AppData/Local"
	return [...]layout{
		Settings: {
			"XDG_CONFIG_HOME",
			".config/winnow",
			support + "/config",
			"APPDATA",
			"AppData/Roaming",
			"winnow",
			"",
		},
		State: {
			"XDG_STATE_HOME",
			".local/state/winnow",
			support + "/state",
			"LOCALAPPDATA",
			local,
			"winnow/state",
			"",
		},
		Lessons: {"XDG_DATA_HOME", ".local/share/winnow", support, "LOCALAPPDATA", local, "winnow", "lessons.jsonl"},
	}[f]
}

// Variable returns the environment variable that names the parent of the folder, on every operating
// system.
func (f Folder) Variable() string { return f.layout().variable }

// Folder returns the path of a folder, or "" if there is none. It is the former path of
// [Env.Folders] if the folder exists only there.
func (e Env) Folder(f Folder) string {
	own, earlier := e.Folders(f)
	holds := f.layout().holds
	if earlier != "" && !exists(filepath.Join(own, holds)) && exists(filepath.Join(earlier, holds)) {
		return earlier
	}
	return own
}

// Folders returns the path of a folder, and its former path on this operating system, or "" if that
// is the same. XDG variables apply on every operating system. As their specification demands, one
// that is not an absolute path is ignored.
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

// Path returns the path in an environment variable, made absolute from the working folder. It
// returns "" if the variable is unset or empty.
func (e Env) Path(variable string) string {
	value, _ := e.Lookup(variable)
	if value == "" || filepath.IsAbs(value) {
		return value
	}
	return filepath.Join(e.Dir, value)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
