// Package goose knows what Goose reads: files of hints of a project and of the user, and the files of its extension
// memory, one a category. docs/systems/goose.md has the facts.
package goose

import (
	"context"
	"encoding/json"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"go.yaml.in/yaml/v3"

	"winnow/core/filestore"
	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/instructions"
)

// id is the name of the system.
const id memory.SystemID = "goose"

// Names of files and folders.
const (
	hintsFile  = ".goosehints"
	agentsFile = "AGENTS.md"
	configFile = "config.yaml"
	dataFolder = ".goose"
	memoryExt  = ".txt"
	namesKey   = "CONTEXT_FILE_NAMES" // a variable, and a setting
)

// rootVariable moves all of its own files.
const rootVariable = "GOOSE_PATH_ROOT"

// Names of the stores, which are also kinds of files.
const (
	asProject = "hints"
	asGlobal  = "global hints"
	asNested  = "nested"
	asMemory  = "memory"
)

// System returns the system on a machine. now returns the time.
func System(machine system.Env, now func() time.Time) system.System {
	hints := agent()
	s := hints.System(machine, now)
	s.Variables = []memory.Fact{
		{Name: namesKey, Text: "the names of files of hints, as a JSON list"},
		{Name: rootVariable, Text: "the folder with config, if that is not ~/.config/goose"},
	}
	s.Forms = Forms()
	s.Abilities = append(s.Abilities, system.Ability{
		Store: asMemory, Recall: system.Estimated, Edit: "all", Delete: "all", Watch: true,
		Note: "What is global is given at every start, its groups in no fixed order; what is local when a model asks for it.",
	})
	ofHints, open := s.Reads, s.Open
	s.Find = func(ctx context.Context, env system.Env) memory.Survey { return find(ctx, env, &hints.Product) }
	s.Reads = func(path string) (memory.Place, bool) {
		if !isMemory(machine, path) {
			return ofHints(path)
		}
		p := placeOf(machine, path, "named")
		p.Exists = filestore.Exists(path)
		return p, true
	}
	inFolder := s.StoresIn
	s.StoresIn = func(dir string, entries []fs.DirEntry) (all []memory.Place) {
		for _, path := range memoriesIn(dir) {
			if isMemory(machine, path) {
				p := placeOf(machine, path, "found below")
				p.Exists = true
				all = append(all, p)
			}
		}
		return append(all, inFolder(dir, entries)...)
	}
	s.Open = func(path string) (system.Store, error) {
		if filepath.Ext(path) == memoryExt {
			return openMemory(machine, path, now), nil
		}
		return open(path)
	}
	return s
}

// agent describes how Goose reads hints.
func agent() *instructions.Agent {
	none := memory.Problem{
		Code: "empty", What: "Goose finds no hints here.", Hint: "write a " + hintsFile + " or an " + agentsFile,
	}
	return &instructions.Agent{
		Product: instructions.Product{
			ID: id, Name: "Goose", Home: homeOf, Project: projectOf,
			Sort: func(env system.Env, path string) instructions.Sort {
				if path == homeOf(env) {
					return instructions.Sort{Name: asGlobal, Own: true, Personal: true}
				}
				return instructions.Sort{Name: asProject, Project: path}
			},
			Own: func(ctx context.Context, env system.Env) (paths []string) {
				s := read(ctx, instructions.Question{Env: env, Own: homeOf(env)})
				if slices.ContainsFunc(s.Given, func(g instructions.Given) bool { return g.How == asGlobal }) {
					paths = append(paths, homeOf(env))
				}
				return paths
			},
			Shows: func(_ system.Env, _ string, in instructions.Entries) bool {
				return in.Has(hintsFile, fs.FileMode.IsRegular) && in.Has(".git", nil)
			},
		},
		Stores: []instructions.StoreKind{
			{
				Name: asProject, Given: []string{asProject, asNested}, Empty: none, Example: "web/" + hintsFile,
				Ability: system.Ability{Recall: system.Exact, Note: "By its source: the program was not run."},
			},
			{
				Name: asGlobal, Given: []string{asGlobal}, Empty: none, Example: agentsFile,
				Ability: system.Ability{Recall: system.Exact},
			},
		},
		Read:  read,
		Watch: func(env system.Env, _ string) []string { return []string{filepath.Join(homeOf(env), configFile)} },
		As:    "As its source of November 2026 does it, by its settings: what its command line sets is not known.",
	}
}

// homeOf returns the folder in which Goose keeps its settings.
func homeOf(env system.Env) string {
	if root := env.Path(rootVariable); root != "" {
		return filepath.Join(root, "config")
	}
	if base := env.Path("XDG_CONFIG_HOME"); base != "" {
		return filepath.Join(base, "goose")
	}
	return filepath.Join(env.Home, ".config", "goose")
}

// namesOf returns the names of files of hints, and the settings file that was read.
func namesOf(env system.Env) (names []string, settings string) {
	names = []string{hintsFile, agentsFile}
	path := filepath.Join(homeOf(env), configFile)
	f := filestore.Read(path, instructions.MostFile)
	if !f.Missing() {
		settings = path
	}
	var conf struct {
		Names []string `yaml:"CONTEXT_FILE_NAMES"`
	}
	if err := yaml.Unmarshal([]byte(f.Text), &conf); err == nil && conf.Names != nil {
		names = conf.Names
	}
	if text, set := env.Lookup(namesKey); set {
		var list []string
		if json.Unmarshal([]byte(text), &list) == nil {
			names = list
		}
	}
	return slices.DeleteFunc(names, func(name string) bool { return !filepath.IsLocal(name) }), settings
}

// projectOf returns the root of the project around a folder, and what shows that Goose is used there.
func projectOf(env system.Env, dir string, installed bool) (root, why string) {
	root = instructions.Root(dir, ".git")
	names, _ := namesOf(env)
	for _, d := range filestore.Upwards(dir, root) {
		for _, name := range append([]string{hintsFile}, names...) {
			counts := (installed || name == hintsFile) && d != homeOf(env)
			if counts && filestore.Exists(filepath.Join(d, name)) {
				return root, name + " in " + d
			}
		}
	}
	return root, ""
}

// read implements [instructions.Agent.Read].
func read(ctx context.Context, q instructions.Question) *instructions.Session {
	s := &instructions.Session{}
	s.Blocks = func(id func(string) memory.ID) []memory.Block { return blocks(s, id) }
	names, settings := namesOf(q.Env)
	if s.Names = names; settings != "" {
		s.Settings = []string{settings}
	}
	for _, name := range names {
		add(s, asGlobal, filepath.Join(homeOf(q.Env), name), homeOf(q.Env))
	}
	for _, path := range memoriesIn(filepath.Join(homeOf(q.Env), "memory")) {
		addMemory(s, path, memory.AtStart, "It is given where the extension memory is on.")
	}
	if q.Dir == "" {
		return s
	}
	root := instructions.Root(q.Dir, ".git")
	if !filestore.Exists(filepath.Join(root, ".git")) {
		root = q.Dir
	}
	for _, dir := range slices.Backward(filestore.Upwards(q.Dir, root)) {
		for _, name := range names {
			add(s, asProject, filepath.Join(dir, name), root)
		}
	}
	for _, path := range memoriesIn(filepath.Join(q.Dir, dataFolder, "memory")) {
		addMemory(s, path, memory.WhenChosen, "Its extension memory reads it when a model asks for it.")
	}
	s.AddNested(ctx, q, homeOf(q.Env), asNested, "It is read by sessions that start in its folder, "+
		"and elsewhere where DYNAMIC_SUBDIRECTORY_HINT_LOADING is on.")
	return s
}

// addMemory adds a file of the extension memory.
func addMemory(s *instructions.Session, path string, when memory.SourceWhen, why string) {
	s.Given = append(s.Given, instructions.Given{
		Path: path, How: asMemory, Kind: memory.SourceMemoryTopic, When: when, Why: why,
		File: filestore.Read(path, instructions.MostFile),
	})
}

// add adds a file of hints if it is there. Its references lead to files below root.
func add(s *instructions.Session, how, path, root string) {
	g := instructions.Given{
		Path: path, How: how, Kind: memory.SourceInstructions, When: memory.AtStart,
		File: filestore.Read(path, instructions.MostFile),
	}
	if g.File.Missing() {
		return
	}
	x, real := expansion{root: filestore.Real(root), left: mostReferences}, filestore.Real(path)
	switch {
	case !filestore.Within(x.root, real):
		g.When, g.Why = memory.Never, "It is a link that leads out of "+root+"."
	case g.File.Problem == nil:
		g.Text = x.expand(g.File.Text, filepath.Dir(real), nil)
		if g.Imports = x.from; g.Text == "" {
			g.When, g.Why = memory.Never, "It is empty, and nothing is sent of it."
		}
	}
	s.Given = append(s.Given, g)
}

// blocks returns what a session gets.
func blocks(s *instructions.Session, id func(string) memory.ID) []memory.Block {
	w := &instructions.Text{ID: id}
	section := func(how, title string) {
		first := true
		for i := range s.Given {
			g := &s.Given[i]
			if g.How != how || g.Text == "" {
				continue
			}
			before := "\n"
			if first {
				before = title
			}
			first = false
			w.WriteString(before)
			w.Add(memory.Part{Name: how, Path: g.Path}, g.Text)
		}
	}
	section(asGlobal, "\n### Global Hints\nThese are my global goose hints.\n")
	before := "### Project Hints\nThese are hints for working on the project in this directory.\n"
	if w.Len() > 0 {
		before = "\n\n" + before
	}
	section(asProject, before)
	return []memory.Block{w.Block("system prompt", asProject)}
}

// Forms returns the forms of its files.
func Forms() []system.Form {
	return []system.Form{
		{
			System: id, Name: "hints", Named: system.Named(hintsFile),
			Land: system.Framed("hints", "### Project Hints\n", "", "### Project Hints", "### Global Hints"),
		},
		{
			System: id, Name: "memory", Named: system.Named(dataFolder+"/memory/*.txt", "goose/memory/*.txt"),
			Land: system.Framed("memory", "Category: notes\n", "", "Global Memories:"),
		},
	}
}
