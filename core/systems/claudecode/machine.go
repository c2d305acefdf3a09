package claudecode

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf16"

	"winnow/core/filestore"
	"winnow/core/git"
	"winnow/core/quietread"
	agents "winnow/core/session"
	"winnow/core/systems/claudecode/transcript"
)

// machine knows where Claude Code keeps its files on a machine, and how it is configured.
type machine struct {
	home    string
	config  string // ~/.claude, or the folder that CLAUDE_CONFIG_DIR names
	moved   bool
	managed string // of the administrator
	lookup  func(name string) (string, bool)
	alive   func(pid int) bool
	listed  *listing // caches the folder of projects; nil to read it each time
	added   []string // folders that sessions are given in addition to the working folder
	// ordered lists a folder of rules; nil for the system's own order.
	ordered func(dir string) []fs.DirEntry
}

// machineOf returns the machine with a home folder and an environment.
func machineOf(home string, lookup func(string) (string, bool)) machine {
	m := machine{home: home, lookup: lookup, alive: transcript.Alive, managed: managedFolder()}
	if dir, ok := lookup("CLAUDE_CONFIG_DIR"); ok && filepath.IsAbs(dir) {
		m.config, m.moved = filepath.Clean(dir), true
		return m
	}
	m.config = filepath.Join(home, ".claude")
	if home == "" {
		m.config = filepath.Join(os.DevNull, ".claude") // there is nothing
	}
	return m
}

// managedFolder returns the folder of the administrator's instructions.
func managedFolder() string {
	switch runtime.GOOS {
	case "darwin":
		return "/Library/Application Support/ClaudeCode"
	case "windows":
		return `C:\Program Files\ClaudeCode`
	}
	return "/etc/claude-code"
}

// firstOn returns the first of some switches that is on, or "".
func (m *machine) firstOn(names ...string) string {
	if i := slices.IndexFunc(names, m.switchedOn); i >= 0 {
		return names[i]
	}
	return ""
}

// with returns a machine with the environment variables that settings set. They override the
// environment itself.
func (m *machine) with(s *settings) *machine {
	out := *m
	out.lookup = func(name string) (string, bool) {
		if v, ok := s.env[name]; ok {
			return v, true
		}
		return m.lookup(name)
	}
	return &out
}

// switchedOn reports whether an environment switch is on.
func (m *machine) switchedOn(name string) bool {
	v, _ := m.lookup(name)
	return v != "" && v != "0" && v != "false"
}

// projects returns the folder that has one subfolder per project.
func (m *machine) projects() string { return filepath.Join(m.config, "projects") }

// maxSlug is the longest name of a project folder, without the hash.
const maxSlug = 200

// slug returns the name of the project folder for a project at path: each UTF-16 unit that is not
// an ASCII letter or digit becomes a dash. Several projects can share one. Long names end in a
// hash, as users have reported.
func slug(path string) string {
	units := utf16.Encode([]rune(path))
	b := make([]byte, len(units))
	for i, u := range units {
		if u < 0x80 && isWord(byte(u)) {
			b[i] = byte(u)
		} else {
			b[i] = '-'
		}
	}
	if len(b) <= maxSlug {
		return string(b)
	}
	var hash int32
	for _, u := range units {
		hash = hash*31 + int32(u)
	}
	return string(b[:maxSlug]) + "-" + strconv.FormatInt(max(int64(hash), -int64(hash)), 36)
}

// slugOf returns the name of a project's folder, and whether the environment sets it.
func (m *machine) slugOf(root string) (name string, fixed bool) {
	if name, _ = m.lookup("CLAUDE_CODE_PROJECT_DIR_NAME"); m.moved && plainName().MatchString(name) {
		return name, true
	}
	return slug(root), false
}

// plainName matches the names of project folders and transcripts.
var plainName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`) })

// projectOf returns the folder of the project of a session in dir: the root of its work tree, or dir itself.
// Links are resolved, since Claude Code goes by the physical path.
func projectOf(dir string) string {
	dir = filestore.Real(dir)
	return cmp.Or(git.Root(dir), filepath.Clean(dir))
}

// mainOf returns the folder whose memory and consent a session in dir uses: the main root of its repository, also in
// a linked work tree, or dir itself.
func mainOf(dir string) string {
	dir = filestore.Real(dir)
	return cmp.Or(git.MainRoot(dir), filepath.Clean(dir))
}

// settings are the settings about memories and instructions.
type settings struct {
	autoMemory *bool
	directory  *directory // of autoMemoryDirectory
	excludes   []string
	env        map[string]string
	text       string // claudeMd of the managed settings
	agentsMD   pluginSettings
	bad        []string
}

// directory is the value of autoMemoryDirectory with the highest precedence. A relative path is
// ignored, and still hides values of lower precedence.
type directory struct {
	path, file string
	ofProject  bool
}

const maxSettings = 4 << 20

// settings reads the settings files for a session in a folder. root may be empty.
func (m *machine) settings(root string) settings {
	s := settings{env: map[string]string{}}
	s.read(filepath.Join(m.managed, "managed-settings.json"), m.home, false)
	for _, path := range projectSettings(root) {
		s.read(path, m.home, true)
	}
	if root == "" || filepath.Join(root, ".claude") != m.config {
		s.read(filepath.Join(m.config, "settings.json"), m.home, false)
	}
	return s
}

// projectSettings returns the settings files of a project that count for a session in a folder, the strongest first.
// The local ones of the main root of its repository count in each folder and linked work tree of it. folder may be
// empty.
func projectSettings(folder string) (paths []string) {
	if folder == "" {
		return nil
	}
	if main := mainOf(folder); main != folder {
		paths = pathsBelow(main, localSettings)
	}
	return append(paths, pathsBelow(folder, localSettings, ".claude/settings.json")...)
}

const localSettings = ".claude/settings.local.json"

// read adds what a file sets, unless a file of higher precedence has set it.
func (s *settings) read(path, home string, ofProject bool) {
	b, ok := readSmall(path, maxSettings)
	if !ok {
		return
	}
	var file struct {
		AutoMemoryEnabled   *bool
		AutoMemoryDirectory string
		ClaudeMd            string
		ClaudeMdExcludes    []string
		Env                 map[string]string
		EnabledPlugins      any
		PluginConfigs       any
	}
	if !bytes.HasPrefix(bytes.TrimSpace(b), []byte("{")) || !agents.Decode(b, &file) {
		s.bad = append(s.bad, path)
		return
	}
	s.autoMemory = cmp.Or(s.autoMemory, file.AutoMemoryEnabled)
	s.agentsMD.switchBy(file.EnabledPlugins)
	if isUsers := !ofProject && filepath.Base(path) == "settings.json"; isUsers {
		s.agentsMD.configure(file.PluginConfigs)
	}
	if dir := file.AutoMemoryDirectory; dir != "" && s.directory == nil {
		if rest, ok := strings.CutPrefix(dir, "~/"); ok && home != "" {
			dir = filepath.Join(home, rest)
		}
		s.directory = &directory{filepath.Clean(dir), path, ofProject}
	}
	s.excludes = append(s.excludes, file.ClaudeMdExcludes...)
	if filepath.Base(path) == "managed-settings.json" {
		s.text = file.ClaudeMd
	}
	for name, value := range file.Env {
		if _, set := s.env[name]; !set {
			s.env[name] = value
		}
	}
}

// readSmall returns the content of a regular file of at most most bytes.
func readSmall(path string, most int64) ([]byte, bool) {
	data, cut, err := quietread.ReadFile(path, most)
	return data, err == nil && !cut
}

// consent is what a person approved for a project, from ~/.claude.json.
type consent struct {
	Trusted  bool `json:"hasTrustDialogAccepted"`
	External bool `json:"hasClaudeMdExternalIncludesApproved"`
}

// projectsInConfig returns the projects in ~/.claude.json, keyed by their paths with slashes.
func (m *machine) projectsInConfig() map[string]consent {
	path := filepath.Join(m.home, ".claude.json")
	if m.moved {
		path = filepath.Join(m.config, ".claude.json")
	}
	var all struct {
		Projects map[string]consent `json:"projects"`
	}
	if b, ok := readSmall(path, 64<<20); !ok || json.Unmarshal(b, &all) != nil {
		return nil
	}
	return all.Projects
}

// consent reads what was approved for a project, in whichever of its work trees. Trust in a folder above counts too.
func (m *machine) consent(root string) consent {
	all := m.projectsInConfig()
	root = mainOf(root)
	c := all[filepath.ToSlash(root)]
	c.Trusted = slices.ContainsFunc(
		filestore.Upwards(root, ""),
		func(dir string) bool { return all[filepath.ToSlash(dir)].Trusted },
	)
	return c
}

// memoryOff returns a sentence that says why auto memory is off, or "".
func (m *machine) memoryOff(s *settings) string {
	if v, ok := m.lookup("CLAUDE_CODE_DISABLE_AUTO_MEMORY"); ok && v != "" {
		if m.switchedOn("CLAUDE_CODE_DISABLE_AUTO_MEMORY") {
			return "Auto memory is off: CLAUDE_CODE_DISABLE_AUTO_MEMORY is set."
		}
		return ""
	}
	if s.autoMemory != nil && !*s.autoMemory {
		return "Auto memory is off: autoMemoryEnabled is false in the settings."
	}
	return ""
}

// instructionsOff returns a sentence that says why no instruction file is read, or "".
func (m *machine) instructionsOff() string {
	if name := m.firstOn("CLAUDE_CODE_DISABLE_CLAUDE_MDS", "CLAUDE_CODE_SAFE_MODE", "CLAUDE_CODE_SIMPLE"); name != "" {
		return "No instruction file is read: " + name + " is set."
	}
	return ""
}

// otherService names the setting for a service other than Anthropic's own, or returns "". With
// other services AGENTS.md is not read.
func (m *machine) otherService() string {
	return m.firstOn("CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY")
}

// excluded returns the pattern of claudeMdExcludes that matches a file, or "".
func (s *settings) excluded(path string) string {
	path = filepath.ToSlash(path)
	for _, p := range s.excludes {
		rest, not := strings.CutPrefix(p, "!")
		if not && !excludes(rest, path) ||
			!not &&
				slices.ContainsFunc(
					globsOf([]string{p}).plain,
					func(plain string) bool { return excludes(plain, path) },
				) {
			return p
		}
	}
	return ""
}

// isOlder reports whether a version of Claude Code is older than another. It returns false if either
// is not a version.
func isOlder(version, than string) bool {
	a, b := numbers(version), numbers(than)
	return a != nil && slices.Compare(a, b) < 0
}

// numbers returns the numbers at the beginning of a version.
func numbers(version string) (out []int) {
	for part := range strings.SplitSeq(version, ".") {
		n, err := strconv.Atoi(part)
		if err != nil {
			break
		}
		out = append(out, n)
	}
	return out
}
