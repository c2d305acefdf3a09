package opencode

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"winnow/core/filestore"
)

// machine is the environment that OpenCode runs in. Tests make their own.
type machine struct {
	home   string
	lookup func(name string) (string, bool)
	// top is where a walk upwards ends outside of git: the root of the file system.
	top string
	// managed is the folder of the settings that an administrator sets for all.
	managed string
	// old is set for version 1.3.2, which reads project files before the global one.
	old bool
}

// thisMachine returns the machine that the program runs on.
func thisMachine() machine {
	home, _ := os.UserHomeDir() // without one, what lies below it is not found
	return machine{home: home, lookup: os.LookupEnv, top: string(filepath.Separator), managed: "/etc/opencode"}
}

// Environment variables. A switch is on when it is "1" or "true".
const (
	noClaude        = "OPENCODE_DISABLE_CLAUDE_CODE"
	noClaudePrompt  = "OPENCODE_DISABLE_CLAUDE_CODE_PROMPT"
	noProjectConfig = "OPENCODE_DISABLE_PROJECT_CONFIG"
	noChannels      = "OPENCODE_DISABLE_CHANNEL_DB"
	configDir       = "OPENCODE_CONFIG_DIR"
	configFile      = "OPENCODE_CONFIG"
	configText      = "OPENCODE_CONFIG_CONTENT"
	databaseName    = "OPENCODE_DB"
)

func (m machine) on(name string) bool {
	v, _ := m.lookup(name)
	return v == "1" || strings.EqualFold(v, "true")
}

// value returns an environment variable, empty when it is not set.
func (m machine) value(name string) string {
	v, _ := m.lookup(name)
	return v
}

// claudeOff reports whether the files of Claude Code are ignored.
func (m machine) claudeOff() bool { return m.on(noClaude) || m.on(noClaudePrompt) }

// xdg returns the folder of OpenCode in one of the user's base folders.
func (m machine) xdg(name, rest string) string {
	if base := m.value(name); base != "" {
		return filepath.Join(base, "opencode")
	}
	return filepath.Join(m.home, filepath.FromSlash(rest), "opencode")
}

func (m machine) data() string  { return m.xdg("XDG_DATA_HOME", ".local/share") }
func (m machine) state() string { return m.xdg("XDG_STATE_HOME", ".local/state") }

// settings returns the folder of the user's settings.
func (m machine) settings() string { return m.xdg("XDG_CONFIG_HOME", ".config") }

// config returns the folder of the global instructions.
func (m machine) config() string {
	if dir := m.value(configDir); dir != "" {
		return filepath.Clean(dir)
	}
	return m.settings()
}

// installed reports whether OpenCode was ever used by this user.
func (m machine) installed() bool {
	return slices.ContainsFunc([]string{m.data(), m.settings(), m.state()}, isDir) || m.value(configDir) != "" || m.value(databaseName) != ""
}

// worktree returns the topmost folder in which a session in dir looks for instructions: the root of the
// git work tree, or top with git false.
func (m machine) worktree(dir string) (root string, git bool) {
	for _, d := range filestore.Upwards(dir, m.top) {
		if _, err := os.Lstat(filepath.Join(d, ".git")); err == nil {
			return d, true
		}
	}
	return m.top, false
}

// exists reports whether a path exists, with links followed.
func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
