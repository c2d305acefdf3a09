package opencode

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"winnow/core/filestore"
	"winnow/core/journal"
	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/system"
)

// machine is the environment that OpenCode runs in. Tests make their own.
type machine struct {
	home   string
	lookup func(name string) (string, bool)
	// top is where a walk upwards ends outside git: the root of the file system.
	top string
	// managed is the folder of the administrator's settings.
	managed string
	// holding returns the OpenCode processes that have one of the files open. It is nil if that
	// cannot be found out.
	holding func(paths ...string) []memory.Running
}

// onMachine returns the machine with an environment.
func onMachine(env system.Env) machine {
	return machine{home: env.Home, lookup: env.Lookup, top: string(filepath.Separator), managed: "/etc/opencode"}
}

// withEnv returns the machine with a different environment.
func (m machine) withEnv(env system.Env) machine {
	m.home, m.lookup = env.Home, env.Lookup
	return m
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

func (m machine) switchedOn(name string) bool {
	v, _ := m.lookup(name)
	return v == "1" || strings.EqualFold(v, "true")
}

// value returns an environment variable, or "" if it is not set.
func (m machine) value(name string) string {
	v, _ := m.lookup(name)
	return v
}

// claudeOff reports whether the files of Claude Code are ignored.
func (m machine) claudeOff() bool { return m.switchedOn(noClaude) || m.switchedOn(noClaudePrompt) }

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
	return slices.ContainsFunc([]string{m.data(), m.settings(), m.state()}, filestore.IsFolder) ||
		m.value(configDir) != "" ||
		m.value(databaseName) != ""
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

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

const (
	maxLocks = 50
	maxLock  = 4 << 10
)

func (m machine) locks() string { return filepath.Join(m.state(), "locks") }

// running returns the processes of OpenCode that hold a lock and are alive. There is one
// lock for all sessions of a user; it stays behind when a process is killed.
func (m machine) running() (all []memory.Running) {
	entries, _, _ := filestore.Names(m.locks(), maxLocks) // an unreadable folder gives what could be read
	for _, e := range entries {
		if !e.IsDir() || !strings.HasSuffix(e.Name(), ".lock") {
			continue
		}
		f := filestore.Read(filepath.Join(m.locks(), e.Name(), "meta.json"), maxLock)
		v, err := jstext.Parse(jstext.DecodeString(f.Text))
		if err != nil {
			continue
		}
		host, _ := os.Hostname() // without a host name, look for the process here
		there := text(v, "hostname")
		r := memory.Running{PID: int(number(v, "pid")), Since: lockTime(v)}
		switch {
		case there != "" && host != "" && there != host:
			r.State = "on another machine, " + there
		case !(journal.Holder{PID: r.PID}).Alive():
			continue
		}
		all = append(all, r)
	}
	return all
}

// lockTime returns the time at which a lock was taken. The value is a number of milliseconds or a
// date.
func lockTime(v jstext.Value) time.Time {
	at := v.Dig("createdAt")
	if at.Kind() == jstext.String {
		t, _ := time.Parse(time.RFC3339, at.Str()) // the zero time if it is not a date
		return t
	}
	return moment(int64(at.Number())).Time
}

// runningHealth reports that OpenCode is running.
func runningHealth(all []memory.Running) memory.Health {
	pid := 0
	if len(all) > 0 {
		pid = all[0].PID
	}
	return system.When(len(all) > 0, "running", memory.Note, len(all),
		fmt.Sprintf("OpenCode runs now (pid %d).", pid), "what is shown of its sessions can change at any moment")
}
