package kimchi

import (
	"cmp"
	"context"
	"os"
	"path/filepath"

	"winnow/core/filestore"
	"winnow/core/git"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/system"
)

// mostAgents is how many folders of agents are listed of one place.
const mostAgents = 1000

// finder finds the stores of one of the systems.
type finder struct{ d *dialect }

// search gathers what is found.
type search struct {
	finder
	survey memory.Survey
}

// kimchi looks where Kimchi keeps notes, and the folders of its agents.
func (f finder) kimchi(ctx context.Context, env system.Env) memory.Survey {
	s := search{finder: f}
	if env.Home != "" {
		home := filepath.Join(env.Home, ".config", "kimchi", "harness")
		s.notes(filepath.Join(home, "memory"), "Kimchi's own folder")
		s.agents(filepath.Join(home, "agent-memory"), "agents of this user")
		s.providers(filepath.Join(home, "memory-providers.json"))
		s.third(filepath.Join(env.Home, ".kimchi", "memory"))
	}
	dirs := []string{env.Dir}
	if root := git.Root(env.Dir); root != "" && root != env.Dir {
		dirs = append(dirs, root)
	}
	for _, dir := range dirs {
		if ctx.Err() != nil || dir == "" || dir == env.Home {
			continue
		}
		own := filepath.Join(dir, ".kimchi")
		if _, err := os.Lstat(own); err != nil {
			s.survey.Look(own, 0, quietread.Reason(err))
			continue
		}
		s.agents(filepath.Join(own, "agent-memory"), "agents of this project")
		s.agents(filepath.Join(own, "agent-memory-local"), "agents of this project, not shared")
		s.third(filepath.Join(own, "memory"))
	}
	return s.survey
}

// hermes looks where Hermes keeps notes.
func (f finder) hermes(_ context.Context, env system.Env) memory.Survey {
	s := search{finder: f}
	home, set := env.Lookup("HERMES_HOME")
	why := "HERMES_HOME"
	if !set || home == "" {
		s.survey.Look("HERMES_HOME", 0, "not set")
		if env.Home == "" {
			return s.survey
		}
		home, why = filepath.Join(env.Home, ".hermes"), "Hermes's own folder"
	}
	if !filepath.IsAbs(home) {
		home = filepath.Join(env.Dir, home)
	}
	s.notes(filepath.Join(home, "memories"), why)
	s.profiles(filepath.Join(home, "profiles"))
	return s.survey
}

// profiles adds the notes of the profiles in a folder, each of which has a home of its
// own there.
func (s *search) profiles(dir string) {
	entries, cut, p := filestore.Names(dir, mostAgents)
	if p != nil && p.Code == quietread.CodeMissing {
		return
	}
	before := len(s.survey.Looked)
	found := 0
	for _, e := range entries {
		if info, err := os.Stat(filepath.Join(dir, e.Name())); err == nil && info.IsDir() {
			n := len(s.survey.Places)
			s.notes(filepath.Join(dir, e.Name(), "memories"), "profile "+e.Name())
			found += len(s.survey.Places) - n
		}
	}
	s.survey.Looked = s.survey.Looked[:before]
	s.survey.Look(dir, found, looking(p, cut))
}

// looking says what kept a folder of stores from being read to its end, or nothing.
func looking(p *memory.Problem, cut bool) string {
	if p != nil {
		return cmp.Or(system.Say(p.Code == quietread.CodeMissing, "does not exist"), p.What)
	}
	return system.Say(cut, "stopped after 1,000 entries")
}

// notes adds the files of notes in a folder.
func (s *search) notes(dir, why string) {
	found := 0
	note := ""
	for _, name := range [...]string{memoryFile, userFile} {
		path := filepath.Join(dir, name)
		if _, err := os.Lstat(path); err != nil {
			note = quietread.Reason(err)
			continue
		}
		place := s.d.place(path, why)
		place.Exists = true
		s.survey.Found(place)
		found++
	}
	if found > 0 {
		note = ""
	}
	s.survey.Look(dir, found, note)
}

// agents adds the folders of agents in a folder.
func (s *search) agents(dir, why string) {
	entries, cut, p := filestore.Names(dir, mostAgents)
	found := 0
	for _, e := range entries {
		if place, is := s.agent(filepath.Join(dir, e.Name()), why); is {
			s.survey.Found(place)
			found++
		}
	}
	s.survey.Look(dir, found, looking(p, cut))
}

// providers notes a list of modules that may take the place of the folders of agents.
func (s *search) providers(path string) {
	if _, err := os.Lstat(path); err == nil {
		s.survey.Look(path, 0, "names modules that may replace what is injected of agents' folders (a branch of Kimchi); not read")
	}
}

// third notes folders in the form of a branch of Kimchi that Winnow does not read.
func (s *search) third(dir string) {
	for _, scope := range [...]string{"user", "project", "local"} {
		path := filepath.Join(dir, scope)
		if info, err := os.Lstat(path); err == nil && info.IsDir() {
			s.survey.Look(path, 0, "one file per concern, as a branch of Kimchi writes them; not read")
		}
	}
}
