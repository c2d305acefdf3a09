package codex

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/pelletier/go-toml/v2"

	"winnow/core/filestore"
	"winnow/core/git"
	"winnow/core/system"
	"winnow/core/systems/instructions"
)

// settingsName is the name of the settings file, in the home and in the .codex folder of projects.
const settingsName = "config.toml"

// layer is what is read from one settings file.
type layer struct {
	Limit    *uint64  `toml:"project_doc_max_bytes"`
	Fallback []string `toml:"project_doc_fallback_filenames"`
	Markers  []string `toml:"project_root_markers"`
	Features struct {
		Memories *bool
		Older    *bool `toml:"memory_tool"` // the former name of memories
	}
	Memories struct {
		Use     *bool  `toml:"use_memories"`
		Version string `toml:"version"`
	}
	Projects map[string]struct {
		Trust string `toml:"trust_level"`
	}
}

// settings are the effective settings of a session that starts in a folder.
type settings struct {
	limit     uint64 // bytes of all project files together
	fallback  []string
	root      string // of the project
	untrusted string // the folder marked as untrusted; no project file is read then
	trusted   bool   // whether settings of the project count
	on, use   bool   // whether the memories feature is on, and whether sessions are given memories
	version   string // of memories, as the settings have it: "v1", "v2" or ""
	refused   string // why Codex does not start
}

// settingsOf reads the settings of a session that starts in a folder. If start is empty, it reads
// only the user's.
func settingsOf(env system.Env, start string) settings {
	const usual = 32 << 10
	s := settings{limit: usual, root: start, use: true}
	home := homeOf(env)
	if named, _ := env.Lookup(homeVariable); named != "" && !filestore.IsFolder(home) {
		s.refused = homeVariable + " names " + home + ", which is no folder."
	}
	user := s.read(filepath.Join(home, settingsName))
	s.apply(&user)
	if start != "" {
		s.project(start, home, &user)
	}
	return s
}

// memories reports whether sessions are given memories.
func (s *settings) memories() bool { return s.on && s.use }

// project finds the root of the project around a folder. If the project is trusted, it reads the
// project's settings; those nearest to the folder win.
func (s *settings) project(start, home string, user *layer) {
	markers := []string{".git"}
	if user.Markers != nil {
		markers = user.Markers
	}
	s.root = instructions.Root(start, markers...)
	main := git.MainRoot(start)
	trust := func(dirs ...string) (level, by string) {
		for _, dir := range dirs {
			if level := user.Projects[dir].Trust; level != "" {
				return level, dir
			}
		}
		return "", ""
	}
	if level, by := trust(start, main); level == "untrusted" {
		s.untrusted = by
	}
	for _, dir := range slices.Backward(filestore.Upwards(start, s.root)) {
		if level, _ := trust(dir, s.root, main); level == "trusted" && filepath.Join(dir, ".codex") != home {
			s.trusted = true
			l := s.read(filepath.Join(dir, ".codex", settingsName))
			s.apply(&l)
		}
	}
}

// read reads a settings file. A missing file sets nothing.
func (s *settings) read(path string) (l layer) {
	const most = 4 << 20
	f := filestore.Read(path, most)
	switch {
	case f.Missing():
		return l
	case f.Problem != nil:
		s.refused = path + " cannot be read. " + f.Problem.What
		return l
	}
	err := toml.Unmarshal([]byte(f.Text), &l)
	if err == nil && !slices.Contains([]string{"", "v1", "v2"}, l.Memories.Version) {
		s.refused = fmt.Sprintf(
			"%s cannot be used: memories.version is %q, and can be v1 or v2.",
			path,
			l.Memories.Version,
		)
		return layer{}
	}
	if err == nil || f.Cut {
		return l
	}
	s.refused = path + " cannot be used."
	if at := (*toml.DecodeError)(nil); errors.As(err, &at) {
		line, _ := at.Position()
		s.refused = fmt.Sprintf("%s cannot be used: line %d is wrong.", path, line)
	}
	return layer{}
}

func (s *settings) apply(l *layer) {
	if l.Limit != nil {
		s.limit = *l.Limit
	}
	if l.Fallback != nil {
		s.fallback = l.Fallback
	}
	for _, b := range []*bool{l.Features.Older, l.Features.Memories} {
		if b != nil {
			s.on = *b
		}
	}
	if l.Memories.Use != nil {
		s.use = *l.Memories.Use
	}
	if l.Memories.Version != "" {
		s.version = l.Memories.Version
	}
}
