package opencode

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"winnow/core/folder"
	"winnow/core/jstext"
)

// entry is one element of instructions in a settings file.
type entry struct {
	text string // as it is used, with the environment put in
	from string // the settings file, or the variable that holds it
	// global is set for one that holds for every project.
	global bool
}

// url reports whether the entry is fetched, which Winnow never does.
func (e entry) url() bool {
	return strings.HasPrefix(e.text, "https://") || strings.HasPrefix(e.text, "http://")
}

// settings are the elements of instructions that hold for a session, in the order in
// which OpenCode merges its settings files, and what is wrong with those files.
type settings struct {
	entries []entry
	files   []string // those that are there
	odd     []oddity
}

// oddity is a settings file that cannot be used.
type oddity struct{ path, why string }

// maxSettings is how much of a settings file is read.
const maxSettings = 1 << 20

// names of a settings file, in the order in which they are merged.
var settingsNames = [...]string{"opencode.json", "opencode.jsonc"}

// settingsFor reads the settings of a session that starts in dir below the root of its
// work tree: those of the user, then those of the project from the root downwards, then
// the folders named .opencode, then what the environment holds. No folder stands for a
// session without a project.
func (m machine) settingsFor(dir, root string) settings {
	var s settings
	s.user(m)
	if path := m.value(configFile); path != "" {
		s.file(m, path, true)
	}
	var folders []string
	if dir != "" && !m.on(noProjectConfig) {
		folders = upwards(dir, root)
		for _, d := range slices.Backward(folders) {
			for _, name := range settingsNames {
				s.file(m, filepath.Join(d, name), false)
			}
		}
	}
	for _, d := range folders {
		s.folder(m, filepath.Join(d, ".opencode"), false)
	}
	if home := filepath.Join(m.home, ".opencode"); !slices.Contains(folders, m.home) {
		s.folder(m, home, true)
	}
	if d := m.value(configDir); d != "" {
		s.folder(m, d, true)
	}
	if text := m.value(configText); text != "" {
		s.add(m, configText, text, true)
	}
	s.folder(m, m.managed, true)
	return s
}

// user reads the settings of the user, where a later file replaces the list of an
// earlier one.
func (s *settings) user(m machine) {
	dir := m.settings()
	for _, name := range [...]string{"config.json", "opencode.json", "opencode.jsonc"} {
		before := s.entries
		s.entries = nil
		if !s.file(m, filepath.Join(dir, name), true) {
			s.entries = before
		}
	}
}

func (s *settings) folder(m machine, dir string, global bool) {
	for _, name := range settingsNames {
		s.file(m, filepath.Join(dir, name), global)
	}
}

// file reads one settings file, and reports whether it has a list of instructions.
func (s *settings) file(m machine, path string, global bool) bool {
	if _, err := os.Stat(path); err != nil || slices.Contains(s.files, path) {
		return false
	}
	f := folder.Read(path, maxSettings)
	s.files = append(s.files, path)
	switch {
	case f.Problem != nil:
		s.odd = append(s.odd, oddity{path, f.Problem.What})
		return false
	case f.Cut:
		s.odd = append(s.odd, oddity{path, "It is larger than 1 MiB and was not read."})
		return false
	}
	return s.add(m, path, jstext.Decode([]byte(f.Text)), global)
}

// add takes the list of instructions from the text of a settings file. Elements that
// are there already are left out.
func (s *settings) add(m machine, from, text string, global bool) bool {
	if strings.TrimSpace(text) == "" {
		return false
	}
	v, err := parseSettings(text)
	if err != nil {
		s.odd = append(s.odd, oddity{from, "It is not JSON with comments: " + err.Error() + "."})
		return false
	}
	list, has := v.Field("instructions")
	if !has {
		return false
	}
	if list.Kind() != jstext.Array {
		s.odd = append(s.odd, oddity{from, "Its instructions are no list."})
		return false
	}
	for i := range list.Len() {
		if list.At(i).Kind() != jstext.String {
			s.odd = append(s.odd, oddity{from, "Its instructions hold something that is no text."})
			continue
		}
		e := entry{m.filled(list.At(i).Str()), from, global}
		if !slices.ContainsFunc(s.entries, func(o entry) bool { return o.text == e.text }) {
			s.entries = append(s.entries, e)
		}
	}
	return true
}

// filled returns a text of a settings file with {env:NAME} replaced.
func (m machine) filled(text string) string {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{env:")
		name, after, closed := strings.Cut(rest, "}")
		out.WriteString(before)
		if !found || !closed {
			if found {
				out.WriteString("{env:" + rest)
			}
			return out.String()
		}
		out.WriteString(m.value(name))
		text = after
	}
}
