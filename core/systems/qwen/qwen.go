// Package qwen knows what Qwen Code reads: the files of instructions and rules of a project and of the user, and
// the memories that it keeps for a project and for the user. docs/systems/qwen.md has the facts.
package qwen

import (
	"context"
	"io/fs"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"winnow/core/filestore"
	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/session"
	"winnow/core/system"
	"winnow/core/systems/instructions"
)

// id is the name of the system.
const id memory.SystemID = "qwen"

// Names of files and folders.
const (
	contextFile  = "QWEN.md"
	localFile    = "QWEN.local.md"
	languageFile = "output-language.md"
	homeFolder   = ".qwen"
	memoryFile   = "MEMORY.md"
	memoryFolder = "memory"
	settingsFile = "settings.json"
	teamFolder   = "team-memory"
)

// Environment variables.
const (
	homeVariable    = "QWEN_HOME"
	runtimeVariable = "QWEN_RUNTIME_DIR"
	baseVariable    = "QWEN_CODE_MEMORY_BASE_DIR"
	systemVariable  = "QWEN_CODE_SYSTEM_SETTINGS_PATH"
	trustVariable   = "QWEN_CODE_TRUSTED_FOLDERS_PATH"
)

// Names of the stores, which are also kinds of files.
const (
	asProject = "instructions"
	asGlobal  = "global instructions"
	asPrivate = "private memory"
	asUser    = "user memory"
	asRule    = "rule"
	asNested  = "nested"
	asTeam    = "team memory"
)

// System returns the system on a machine. now returns the time.
func System(machine system.Env, now func() time.Time) system.System {
	s := agent().System(machine, now)
	s.Variables = []memory.Fact{
		{Name: homeVariable, Text: "the folder of its own files, ~/.qwen otherwise"},
		{Name: runtimeVariable, Text: "the folder of its memories, if that is another one"},
		{Name: baseVariable, Text: "the same, and stronger"},
	}
	s.Forms = Forms()
	return s
}

// agent describes Qwen Code.
func agent() *instructions.Agent {
	isMarkdown := func(name string) bool { return strings.HasSuffix(name, ".md") }
	memories := func(name, nothing string) instructions.StoreKind {
		return instructions.StoreKind{
			Name: name, Given: []string{name}, Looks: isMarkdown, Example: "deploy.md",
			Notes: func(*memory.Record) bool { return true },
			Empty: memory.Problem{
				Code: "empty", What: "Qwen Code keeps no " + nothing + ".", Hint: "tell it to remember something",
			},
			Ability: system.Ability{
				Recall: system.Estimated, Note: "The index is given to every session; a model chooses the other files.",
			},
		}
	}
	none := memory.Problem{
		Code: "empty", What: "Qwen Code finds no instructions here.",
		Hint: "write a " + contextFile + ", or let Qwen Code write one with /init",
	}
	return &instructions.Agent{
		Product: instructions.Product{
			ID: id, Name: "Qwen Code", Home: homeOf, Sort: sortOf, Own: userStores, Project: projectOf, Shows: shows,
		},
		Stores: []instructions.StoreKind{
			{
				Name: asProject, Given: []string{asProject, asRule, asNested, asTeam}, Empty: none, Reaches: true,
				Looks:   isMarkdown,
				Example: "web/" + contextFile + ", or .qwen/rules/go.md",
				Ability: system.Ability{
					Recall: system.Exact, Note: "What extensions and MCP servers add is not known.",
				},
			},
			{
				Name: asGlobal, Given: []string{asGlobal, asRule}, Empty: none,
				Looks: isMarkdown, Example: "rules/go.md",
				Ability: system.Ability{Recall: system.Exact},
			},
			memories(asPrivate, "memory of this project"),
			memories(asUser, "memory of this person"),
		},
		Read: read,
		Watch: func(env system.Env, dir string) []string {
			own, end := filepath.Join(dir, homeFolder), string(filepath.Separator)
			return []string{
				filepath.Join(homeOf(env), settingsFile), filepath.Join(homeOf(env), "trustedFolders.json"),
				own + end, filepath.Join(own, "rules") + end, filepath.Join(dir, "rules") + end,
			}
		},
		As: "As version 0.24.4 does it, by its settings files: what its command line sets is not known.",
	}
}

// homeOf returns the folder in which Qwen Code keeps its own files.
func homeOf(env system.Env) string {
	if home := env.Path(homeVariable); home != "" {
		return filepath.Clean(home)
	}
	return filepath.Join(env.Home, homeFolder)
}

// baseOf returns the folder that holds the memories.
func baseOf(env system.Env) string {
	for _, name := range []string{baseVariable, runtimeVariable} {
		if base := env.Path(name); base != "" {
			return filepath.Clean(base)
		}
	}
	return homeOf(env)
}

// sortOf returns what the store at a path is.
func sortOf(env system.Env, path string) instructions.Sort {
	own, projects := instructions.Sort{Own: true, Personal: true}, filepath.Join(baseOf(env), "projects")
	switch {
	case path == homeOf(env):
		own.Name = asGlobal
	case path == filepath.Join(baseOf(env), "memories"):
		own.Name, own.ByPath = asUser, true
	case filepath.Base(path) == memoryFolder && filepath.Dir(filepath.Dir(path)) == projects:
		own.Name, own.ByPath, own.Project = asPrivate, true, rootOf(env, filepath.Dir(path))
	default:
		return instructions.Sort{Name: asProject, Project: path}
	}
	return own
}

// nameOf returns the name of the folder in which the memory of a project lies.
func nameOf(root string) string {
	var name strings.Builder
	for _, unit := range jstext.Units(root) {
		if unit < utf8.RuneSelf && isAlphanumeric(byte(unit)) {
			name.WriteByte(byte(unit))
		} else {
			name.WriteByte('-')
		}
	}
	return name.String()
}

func isAlphanumeric(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// privateOf returns the folder of the memory of a project.
func privateOf(env system.Env, root string) string {
	return filepath.Join(baseOf(env), "projects", nameOf(root), memoryFolder)
}

// rootOf returns the project to which a folder of memory and sessions belongs, or "". Its name does not tell: it
// is the one around the working folder, or the one around a folder in which a session worked.
func rootOf(env system.Env, folder string) string {
	const most = 50 // sessions that are asked
	name := filepath.Base(folder)
	if root := instructions.Root(filestore.Real(env.Dir), ".git"); env.Dir != "" && nameOf(root) == name {
		return root
	}
	chats := filestore.Below(fs.FileMode.IsRegular, filepath.Join(folder, "chats"))
	for _, path := range chats[:min(len(chats), most)] {
		line, _, _ := strings.Cut(filestore.Read(path, 64<<10).Text, "\n")
		var head struct{ Cwd string }
		session.Decode([]byte(line), &head)
		for _, dir := range filestore.Upwards(head.Cwd, "") {
			if filepath.IsAbs(dir) && nameOf(dir) == name {
				return dir
			}
		}
	}
	return ""
}

// userStores returns the user's stores that exist.
func userStores(ctx context.Context, env system.Env) (paths []string) {
	const most = 200 // folders of memory
	home := homeOf(env)
	if len(read(ctx, instructions.Question{Env: env, Own: home}).Given) > 0 {
		paths = append(paths, home)
	}
	if user := filepath.Join(baseOf(env), "memories"); hasMemory(user) {
		paths = append(paths, user)
	}
	for _, project := range filestore.Below(fs.FileMode.IsDir, filepath.Join(baseOf(env), "projects")) {
		dir := filepath.Join(project, memoryFolder)
		if ctx.Err() != nil || len(paths) > most {
			break
		}
		if hasMemory(dir) {
			paths = append(paths, dir)
		}
	}
	return paths
}

// hasMemory reports whether there is a file of memory directly in a folder.
func hasMemory(dir string) bool {
	for _, path := range filestore.Below(fs.FileMode.IsRegular, dir) {
		if filepath.Ext(path) == ".md" {
			return true
		}
	}
	return false
}

// projectOf returns the root of the project around a folder, and what shows that Qwen Code is used there: a file
// of its own or, if it is installed, one that its settings name.
func projectOf(env system.Env, dir string, installed bool) (root, why string) {
	root = instructions.Root(dir, ".git")
	for _, d := range filestore.Upwards(dir, root) {
		own := filepath.Join(d, homeFolder)
		isOwn := own != homeOf(env)
		for _, name := range []string{settingsFile, localFile, "rules", teamFolder} {
			if isOwn && filestore.Exists(filepath.Join(own, name)) {
				return root, name + " in " + own
			}
		}
		if filestore.Exists(filepath.Join(d, contextFile)) && isOwn {
			return root, contextFile + " in " + d
		}
		if !installed || !isOwn {
			continue
		}
		for _, name := range settingsOf(env, dir).names {
			if filestore.Exists(filepath.Join(d, name)) {
				return root, name + " in " + d
			}
		}
	}
	return root, ""
}

// shows reports whether a folder that nobody named is a store.
func shows(env system.Env, dir string, in instructions.Entries) bool {
	own := filepath.Join(dir, homeFolder)
	return sortOf(env, dir).Name == asPrivate && in.Has(memoryFile, fs.FileMode.IsRegular) ||
		in.Has(contextFile, fs.FileMode.IsRegular) && in.Has(".git", nil) ||
		in.Has(homeFolder, fs.FileMode.IsDir) && own != homeOf(env) &&
			filestore.Exists(filepath.Join(own, settingsFile))
}

// settings are what settings files say about instructions.
type settings struct {
	names        []string
	flat         bool
	noMemory     bool // no memories are read
	team         bool
	trust        string // "", or why no file of the project is read
	undecided    bool
	files, words []string
}

// settingsOf reads the settings of sessions that start in dir. If dir is empty, it reads the user's only.
func settingsOf(env system.Env, dir string) settings {
	s := settings{names: []string{contextFile, "AGENTS.md"}}
	machine, _ := env.Lookup(systemVariable)
	if machine == "" {
		machine = "/etc/qwen-code/" + settingsFile
	}
	paths := []string{
		filepath.Join(filepath.Dir(machine), "system-defaults.json"), filepath.Join(homeOf(env), settingsFile), machine,
	}
	if dir != "" && filestore.Real(dir) != filestore.Real(env.Home) {
		paths = append(paths[:2:2], filepath.Join(dir, homeFolder, settingsFile), machine)
	}
	trusts := false
	for _, path := range paths {
		v, f := instructions.Object(path, instructions.MostFile, true)
		if f.Missing() {
			continue
		}
		s.files = append(s.files, path)
		s.apply(v)
		if set := v.Dig("security", "folderTrust", "enabled"); set.Kind() == jstext.Bool {
			trusts = set.Bool()
		}
	}
	if trusts && dir != "" {
		s.readTrust(env, dir)
	}
	return s
}

// apply applies one settings file. A later one overrides an earlier one.
func (s *settings) apply(v jstext.Value) {
	names := instructions.Texts(v.Dig("context", "fileName"))
	if len(names) == 0 {
		names = instructions.Texts(v.Dig("contextFileName")) // in old ones
	}
	if len(names) > 0 {
		s.names = nil
		for _, name := range names {
			s.names = memory.AppendNew(s.names, jstext.Trim(name))
		}
	}
	if format := v.Dig("context", "importFormat"); format.Kind() == jstext.String {
		s.flat = format.Str() == "flat"
	}
	if on := v.Dig("memory", "enableManagedAutoMemory"); on.Kind() == jstext.Bool {
		s.noMemory = !on.Bool()
	}
	if on := v.Dig("memory", "enableTeamMemory"); on.Kind() == jstext.Bool {
		s.team = on.Bool()
	}
	if v.Dig("context", "includeDirectories").Len() > 0 {
		s.words = append(s.words, "Its settings add folders to the workspace, whose files are not shown here.")
	}
}

// readTrust reads whether the folder is trusted.
func (s *settings) readTrust(env system.Env, dir string) {
	path, _ := env.Lookup(trustVariable)
	if path == "" {
		path = filepath.Join(homeOf(env), "trustedFolders.json")
	}
	rules, _ := instructions.Object(path, instructions.MostFile, true)
	switch level, decided := instructions.TrustRule(rules, dir); {
	case !decided:
		s.undecided = true
	case level == instructions.DoNotTrust:
		s.trust = "This folder is not trusted."
	}
}

// Forms returns the forms of its files.
func Forms() []system.Form {
	form := func(name, end string, patterns ...string) system.Form {
		return system.Form{
			System: id, Name: name, Named: system.Named(patterns...),
			Land: system.Framed("instructions", "", "", end, "</system-reminder>"),
		}
	}
	return []system.Form{
		form("memory", "# auto memory", homeFolder+"/projects/*/memory/**/*.md", homeFolder+"/memories/**/*.md",
			homeFolder+"/"+teamFolder+"/**/*.md"),
		form("instruction file", "--- End of Context from: ", contextFile, homeFolder+"/"+localFile),
		form("instruction file", "--- End of Rule from: ", homeFolder+"/rules/**/*.md"),
		{
			System: id, Name: "settings",
			Named: system.Named(homeFolder+"/"+settingsFile, homeFolder+"/trustedFolders.json"),
		},
		{System: id, Name: "transcript", Named: system.Named(homeFolder + "/projects/**/*.jsonl"), Lines: true},
	}
}
