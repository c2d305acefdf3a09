package gemini

import (
	"cmp"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"

	"winnow/core/filestore"
	"winnow/core/jstext"
	"winnow/core/system"
	"winnow/core/systems/instructions"
)

// File names that Gemini CLI uses.
const (
	contextFile  = "GEMINI.md"
	memoryFile   = "MEMORY.md"
	homeFolder   = ".gemini"
	settingsFile = "settings.json"
)

// Environment variables.
const (
	homeVariable      = "GEMINI_CLI_HOME"
	trustVariable     = "GEMINI_CLI_TRUST_WORKSPACE"
	restrictVariable  = "GEMINI_RESTRICTED_MODE"
	trustFileVariable = "GEMINI_CLI_TRUSTED_FOLDERS_PATH"
	systemVariable    = "GEMINI_CLI_SYSTEM_SETTINGS_PATH"
	modelVariable     = "GEMINI_MODEL"
)

// oldModel is the beginning of the names of models before Gemini 3.
const oldModel = "gemini-2"

// trust says whether Gemini CLI reads the files that belong to a folder.
type trust uint8

// The degrees of trust. Gemini CLI asks about a folder that nobody has decided about.
const (
	trusted trust = iota
	untrusted
	undecided
)

// settings are the parts of Gemini CLI's settings files about instructions, for sessions in one
// folder.
type settings struct {
	names   []string // of instruction files
	markers []string // that end the way up
	folders []string // further folders of the workspace
	flat    bool     // imports follow one another
	servers bool     // MCP servers can add instructions of their own
	noGit   bool     // extensions installed from git are left out
	listed  bool     // only extensions that match a pattern are used
	old     bool     // the model is one before Gemini 3
	trust   trust
	files   []string // settings files that exist
	// refused is why Gemini CLI does not start with these settings. It is empty if it starts.
	refused string
}

// userHome returns the folder that holds .gemini.
func userHome(env system.Env) string {
	return filepath.Clean(cmp.Or(env.Path(homeVariable), env.Home))
}

// homeOf returns the folder in which Gemini CLI keeps its own files.
func homeOf(env system.Env) string { return filepath.Join(userHome(env), homeFolder) }

// settingsOf reads the settings of sessions that start in dir. If dir is empty, it reads only the
// user's. A later file overrides an earlier one, in this order: the machine's defaults, the user's
// settings, the project's, and the machine's own settings.
func settingsOf(env system.Env, dir string) settings {
	s := settings{markers: []string{".git"}}
	var of []jstext.Value
	machine := systemSettings(env)
	add := func(path string) {
		if v, exists := s.read(path); exists {
			of = append(of, v)
		}
	}
	add(filepath.Join(filepath.Dir(machine), "system-defaults.json"))
	add(filepath.Join(homeOf(env), settingsFile))
	n := len(of)
	add(machine)
	s.trust = s.trusts(env, dir, of)
	if dir != "" && s.trust != untrusted && filestore.Real(dir) != filestore.Real(userHome(env)) {
		top := slices.Clone(of[n:])
		of = of[:n]
		add(filepath.Join(dir, homeFolder, settingsFile))
		of = append(of, top...)
	}
	for _, v := range of {
		s.apply(env, dir, v)
	}
	if model, _ := env.Lookup(modelVariable); model != "" {
		s.old = strings.HasPrefix(model, oldModel)
	}
	if s.names = s.namesIn(env, of); len(s.names) == 0 {
		s.names = []string{contextFile}
	}
	return s
}

// apply applies one settings file.
func (s *settings) apply(env system.Env, dir string, v jstext.Value) {
	if list, is := listOf(env, v.Dig("context", "memoryBoundaryMarkers")); is {
		s.markers = slices.DeleteFunc(
			list,
			func(m string) bool { return filepath.IsAbs(m) || strings.Contains(m, "..") },
		)
	}
	if format := v.Dig("context", "importFormat"); format.Kind() == jstext.String {
		s.flat = format.Str() == "flat"
	}
	if model := v.Dig("model", "name").Str(); model != "" {
		s.old = strings.HasPrefix(model, oldModel)
	}
	s.servers = s.servers || v.Dig("mcpServers").Len() > 0
	s.noGit = s.noGit || v.Dig("security", "blockGitExtensions").Bool()
	s.listed = s.listed || v.Dig("security", "allowedExtensions").Len() > 0
	s.addFolders(env, dir, v)
}

// addFolders adds the further folders of the workspace that a settings file names.
func (s *settings) addFolders(env system.Env, dir string, v jstext.Value) {
	folders, _ := listOf(env, v.Dig("context", "includeDirectories")) // no list means no folders
	for _, path := range folders {
		if path == "~" || strings.HasPrefix(path, "~/") {
			path = userHome(env) + path[1:]
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		real := filestore.Real(path)
		if dir != "" && !filestore.IsFolder(real) {
			s.refuse("The folder " + path + " of the setting context.includeDirectories does not exist.")
		}
		if dir != "" && !slices.Contains(s.folders, real) {
			s.folders = append(s.folders, real)
		}
	}
}

// namesIn returns the names of instruction files, from the last settings file that lists any. The
// default name is always among them.
func (s *settings) namesIn(env system.Env, of []jstext.Value) (names []string) {
	var last jstext.Value
	for _, v := range of {
		if name, has := v.Dig("context").Field("fileName"); has {
			last = name
		}
	}
	list, is := listOf(env, last)
	if !is && last.Truthy() {
		s.refuse("The setting context.fileName is neither a text nor a list of texts.")
	}
	for _, name := range append(list, contextFile) {
		if name = jstext.Trim(name); name == "" {
			continue
		}
		if name = filepath.Clean(name); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// trusts returns the trust in the folder dir, according to all settings except the folder's own.
func (s *settings) trusts(env system.Env, dir string, of []jstext.Value) trust {
	word, _ := env.Lookup(trustVariable)
	restricted, _ := env.Lookup(restrictVariable)
	enabled := true
	for _, v := range of {
		if set := v.Dig("security", "folderTrust", "enabled"); set.Kind() == jstext.Bool {
			enabled = set.Bool()
		}
	}
	switch {
	case restricted == "true" || word == "false":
		return untrusted
	case word == "true" || !enabled || dir == "":
		return trusted
	}
	path, _ := env.Lookup(trustFileVariable)
	if path == "" {
		path = filepath.Join(homeOf(env), "trustedFolders.json")
	}
	rules, _ := s.read(path)
	switch level, decided := instructions.TrustRule(rules, dir); {
	case !decided:
		return undecided
	case level == instructions.DoNotTrust:
		return untrusted
	}
	return trusted
}

// systemSettings returns the path of the administrator's settings.
func systemSettings(env system.Env) string {
	if path, _ := env.Lookup(systemVariable); path != "" {
		return path
	}
	switch runtime.GOOS {
	case "darwin":
		return "/Library/Application Support/GeminiCli/" + settingsFile
	case "windows":
		return `C:\ProgramData\gemini-cli\` + settingsFile
	}
	return "/etc/gemini-cli/" + settingsFile
}

// Limits on what is read of one file.
const (
	mostSettings = 1 << 20
	mostText     = 1 << 20
)

// read returns the object in a settings file. Gemini CLI does not start if a settings file holds
// something else.
func (s *settings) read(path string) (v jstext.Value, exists bool) {
	v, f := instructions.Object(path, mostSettings, true)
	if f.Missing() {
		return v, false
	}
	s.files = append(s.files, path)
	if f.Problem != nil {
		s.refuse(path + " holds no settings that can be read.")
	}
	return v, true
}

func (s *settings) refuse(why string) {
	s.refused = cmp.Or(s.refused, why)
}

var variable = sync.OnceValue(
	func() *regexp.Regexp { return regexp.MustCompile(`\$(?:(\w+)|\{([^}]+?)(?::-([^}]*))?\})`) },
)

// expanded fills in the variables in a text.
func expanded(env system.Env, text string) string {
	return variable().ReplaceAllStringFunc(text, func(ref string) string {
		m := variable().FindStringSubmatch(ref)
		if value, set := env.Lookup(m[1] + m[2]); set {
			return value
		}
		if strings.Contains(ref, ":-") {
			return m[3]
		}
		return ref
	})
}

// listOf returns the texts of a list, or a single text, with variables filled in. ok is false for
// anything else.
func listOf(env system.Env, v jstext.Value) (texts []string, ok bool) {
	switch v.Kind() {
	case jstext.String:
		return []string{expanded(env, v.Str())}, true
	case jstext.Array:
		for i := range v.Len() {
			if v.At(i).Kind() != jstext.String {
				return texts, false
			}
			texts = append(texts, expanded(env, v.At(i).Str()))
		}
		return texts, true
	}
	return nil, false
}
