// Package serena knows the memories that Serena keeps for a project and for all projects. It lists their names to a
// model, which reads what it chooses. docs/systems/serena.md has the facts.
package serena

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"winnow/core/filestore"
	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/instructions"
)

// id is the name of the system.
const id memory.SystemID = "serena"

// Names of files and folders.
const (
	dataFolder   = ".serena"
	memoryFolder = "memories"
	globalFolder = "global"
	projectFile  = "project.yml"
	localFile    = "project.local.yml"
	configFile   = "serena_config.yml"
	homeVariable = "SERENA_HOME"
)

// Names of the stores, which are also the kinds of their records.
const (
	asProject = "memory"
	asGlobal  = "global memory"
	asPrompt  = "initial prompt"
)

// System returns the system on a machine. now returns the time.
func System(machine system.Env, now func() time.Time) system.System {
	s := agent().System(machine, now)
	s.Variables = []memory.Fact{{Name: homeVariable, Text: "the folder of its own files, ~/.serena otherwise"}}
	s.Forms = Forms()
	return s
}

// agent describes Serena.
func agent() *instructions.Agent {
	kind := func(name, what string) instructions.StoreKind {
		return instructions.StoreKind{
			Name: name, Given: []string{name}, Example: "auth/login.md",
			Notes: func(*memory.Record) bool { return true },
			Looks: func(name string) bool { return strings.HasSuffix(name, ".md") },
			Empty: memory.Problem{
				Code: "empty", What: "Serena keeps no memories " + what + ".",
				Hint: "let it do its onboarding, or write a file NAME.md",
			},
			Ability: system.Ability{
				Recall: system.Estimated, Note: "By its source: a model is given the names, and reads what it chooses.",
			},
		}
	}
	return &instructions.Agent{
		Product: instructions.Product{
			ID: id, Name: "Serena", Home: homeOf, Sort: sortOf, Own: userStores, Project: projectOf,
			Shows: func(env system.Env, dir string, in instructions.Entries) bool {
				return sortOf(env, dir).ByPath && slices.ContainsFunc(in, isNote)
			},
		},
		Stores: []instructions.StoreKind{kind(asProject, "for this project"), kind(asGlobal, "for all projects")},
		Read:   read,
		Watch: func(env system.Env, dir string) []string {
			data := filepath.Dir(dir)
			return []string{
				filepath.Join(homeOf(env), configFile),
				filepath.Join(data, projectFile),
				filepath.Join(data, localFile),
			}
		},
		As: "As version 1.7.0 does it where its tool read_memory is on.",
	}
}

func isNote(e fs.DirEntry) bool { return e.IsDir() || strings.HasSuffix(e.Name(), ".md") }

// homeOf returns the folder in which Serena keeps its own files.
func homeOf(env system.Env) string {
	if home, _ := env.Lookup(homeVariable); strings.TrimSpace(home) != "" {
		return filepath.Clean(strings.TrimSpace(home))
	}
	return filepath.Join(env.Home, dataFolder)
}

// globalOf returns the folder of the memories for all projects.
func globalOf(env system.Env) string { return filepath.Join(homeOf(env), memoryFolder, globalFolder) }

// sortOf returns what the store at a path is. A store of a project is a folder .serena/memories.
func sortOf(env system.Env, path string) instructions.Sort {
	if path == globalOf(env) {
		return instructions.Sort{Name: asGlobal, Own: true, ByPath: true, Personal: true}
	}
	sort := instructions.Sort{Name: asProject, Project: path}
	if data := filepath.Dir(path); filepath.Base(path) == memoryFolder && filepath.Base(data) == dataFolder {
		sort.Project, sort.ByPath = filepath.Dir(data), true
	}
	return sort
}

// userStores returns the user's store if it has a memory.
func userStores(_ context.Context, env system.Env) (paths []string) {
	entries, _, _ := filestore.Names(globalOf(env), instructions.MostBrief) // a missing folder has none
	if slices.ContainsFunc(entries, isNote) {
		paths = append(paths, globalOf(env))
	}
	return paths
}

// projectOf returns the folder of memories of the nearest project of Serena around a folder.
func projectOf(env system.Env, dir string, _ bool) (root, why string) {
	for _, d := range filestore.Upwards(dir, "") {
		if data := filepath.Join(d, dataFolder); data != homeOf(env) && filestore.IsFolder(data) {
			return filepath.Join(data, memoryFolder), dataFolder + " in " + d
		}
	}
	return filepath.Join(dir, dataFolder, memoryFolder), ""
}

// config is what settings files say about memories.
type config struct {
	ReadOnly []string `yaml:"read_only_memory_patterns"`
	Ignored  []string `yaml:"ignored_memory_patterns"`
	Prompt   string   `yaml:"initial_prompt"`
	Location string   `yaml:"project_serena_folder_location"` // of the data of projects; counts in the user's file
	files    []string
}

// usualLocation is the location of a project's data that Winnow knows.
const usualLocation = "$projectDir/" + dataFolder

// configOf reads the settings for a project, whose data is in a folder. The local file replaces what the file of the
// project sets, and both add to the user's.
func configOf(env system.Env, data string) (c config) {
	var user config
	c.readFile(filepath.Join(homeOf(env), configFile))
	user, c.Prompt = c, ""
	c.ReadOnly, c.Ignored = nil, nil
	if data != "" {
		c.readFile(filepath.Join(data, projectFile))
		c.readFile(filepath.Join(data, localFile))
	}
	c.Location = user.Location
	c.ReadOnly, c.Ignored = append(user.ReadOnly, c.ReadOnly...), append(user.Ignored, c.Ignored...)
	return c
}

// readFile reads a settings file over what is known. One that is no YAML changes nothing.
func (c *config) readFile(path string) {
	f := filestore.Read(path, instructions.MostFile)
	if f.Missing() {
		return
	}
	c.files = append(c.files, path)
	next := *c
	if yaml.Unmarshal([]byte(f.Text), &next) == nil {
		*c = next
	}
}

// matches reports whether one of some expressions matches a whole name. One that cannot be compiled matches nothing.
func matches(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		re, err := regexp.Compile("^(?:" + p + ")$")
		return err == nil && re.MatchString(name)
	})
}

// read implements [instructions.Agent.Read].
func read(ctx context.Context, q instructions.Question) *instructions.Session {
	s, data := &instructions.Session{}, ""
	s.Blocks = func(id func(string) memory.ID) []memory.Block { return blocks(s, id) }
	if q.Dir != "" {
		folder, _ := projectOf(q.Env, q.Dir, true)
		data = filepath.Dir(filestore.Real(folder)) // .serena may be a link
	}
	c := configOf(q.Env, data)
	s.Settings = c.files
	if data != "" {
		if c.Prompt != "" {
			path := c.files[len(c.files)-1]
			s.Given = append(s.Given, instructions.Given{
				Path: path, How: asPrompt, Kind: memory.SourceInstructions, When: memory.AtStart,
				File: filestore.Read(path, instructions.MostFile),
				Why:  "Its initial_prompt is given when the project is activated.",
			})
		}
		addMemories(ctx, s, &c, filepath.Join(data, memoryFolder), asProject, "")
	}
	addMemories(ctx, s, &c, globalOf(q.Env), asGlobal, globalFolder+"/")
	if c.Location != "" && c.Location != usualLocation {
		s.Gap = "the folder that project_serena_folder_location of " + configFile + " names"
	}
	return s
}

// addMemories adds the memories in a folder, whose names begin with prefix.
func addMemories(ctx context.Context, s *instructions.Session, c *config, dir, how, prefix string) {
	found := instructions.Below(ctx, dir, instructions.MostEntries, func(rel string, _ bool) bool {
		return strings.HasSuffix(rel, ".md") // a folder of such a name is shown as what cannot be read
	})
	if found.Gap != "" {
		s.Gap = found.Gap
	}
	for _, link := range filestore.Below(func(m fs.FileMode) bool { return m&fs.ModeSymlink != 0 }, dir) {
		if filestore.IsFolder(link) {
			s.Gap = "folders behind links, which Serena follows"
		}
	}
	for _, rel := range found.Paths {
		path := filepath.Join(dir, filepath.FromSlash(rel))
		name := prefix + strings.TrimSuffix(rel, ".md")
		g := instructions.Given{
			Path: path, How: how, Kind: memory.SourceMemoryTopic, When: memory.WhenChosen, Label: name,
			File: filestore.Read(path, instructions.MostFile),
		}
		switch {
		case matches(c.Ignored, name):
			g.When, g.Why = memory.Never, "The settings leave it out: ignored_memory_patterns."
		case matches(c.ReadOnly, name):
			g.Notes = []string{readOnly}
		}
		s.Given = append(s.Given, g)
	}
}

const readOnly = "The settings forbid the agent to change it: read_only_memory_patterns."

// blocks returns what a session gets. A model is given the names of a project's memories when the project
// is activated.
func blocks(s *instructions.Session, id func(string) memory.ID) []memory.Block {
	w := &instructions.Text{ID: id}
	names := func(key string, isReadOnly bool) {
		var all []*instructions.Given
		for i := range s.Given {
			g := &s.Given[i]
			if g.How == asProject && g.When == memory.WhenChosen && (len(g.Notes) > 0) == isReadOnly {
				all = append(all, g)
			}
		}
		slices.SortFunc(all, func(a, b *instructions.Given) int { return strings.Compare(a.Label, b.Label) })
		for i, g := range all {
			switch {
			case i > 0:
				w.WriteString(", ")
			case w.Len() > 0:
				w.WriteString(`, "` + key + `": [`)
			default:
				w.WriteString(`{"` + key + `": [`)
			}
			w.Add(memory.Part{Name: g.How, Path: g.Path}, quoted(g.Label))
		}
		if len(all) > 0 {
			w.WriteString("]")
		}
	}
	names("memories", false)
	names("read_only_memories", true)
	if w.Len() > 0 {
		w.WriteString("}\nUse the `read_memory` tool to read these memories later if they are relevant to the task.\n")
	}
	return []memory.Block{w.Block("what activates the project", asProject)}
}

// quoted returns a text as Python's json.dumps writes it, with ASCII characters only.
func quoted(text string) string {
	var out strings.Builder
	for _, unit := range jstext.Units(string(jstext.StringValue(text).AppendJSON(nil))) {
		if unit < utf8.RuneSelf {
			out.WriteByte(byte(unit))
		} else {
			fmt.Fprintf(&out, `\u%04x`, unit)
		}
	}
	return out.String()
}

// Forms returns the forms of its files.
func Forms() []system.Form {
	return []system.Form{
		{
			System: id, Name: "memory", Land: system.Framed("memory", "", "", "</memory>", "</serena>"),
			Named: system.Named(dataFolder + "/" + memoryFolder + "/**/*.md"),
		},
		{System: id, Name: "settings", Named: system.Named(dataFolder + "/*.yml")},
	}
}
