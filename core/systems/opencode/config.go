package opencode

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"winnow/core/filestore"
	"winnow/core/jstext"
	"winnow/core/quietread"
)

// entry is one element of instructions in a settings file.
type entry struct {
	text string // with the environment filled in
	from string // the settings file, or the variable that holds it
	// global is set for an entry that applies to every project.
	global bool
}

// url reports whether the entry is fetched, which Winnow never does.
func (e entry) url() bool {
	return strings.HasPrefix(e.text, "https://") || strings.HasPrefix(e.text, "http://")
}

// settings are the instructions entries for a session, in the order in which OpenCode merges its
// settings files, and what is wrong with those files.
type settings struct {
	entries  []entry
	files    []string // settings files that exist
	unusable []unusableFile
	// refused is the message with which OpenCode stops at a settings file; empty when it starts.
	refused string
}

// unusableFile is a settings file that cannot be used.
type unusableFile struct{ path, why string }

// maxSettings is the number of bytes read of a settings file.
const maxSettings = 1 << 20

// settingsNames returns the names of a project's settings files, in the order in which the version
// merges them.
func (m machine) settingsNames() [2]string {
	return [...]string{"opencode.json", "opencode.jsonc"}
}

// settingsFor reads the settings of a session that starts in dir, below the root of its work tree:
// the user's, then the project's from the root downwards, then those in .opencode folders, then
// those in the environment. An empty dir is a session without a project.
func (m machine) settingsFor(dir, root string) (s settings) {
	s.user(m)
	if path := m.value(configFile); path != "" {
		s.file(m, path, true)
	}
	var folders []string
	if dir != "" && !m.switchedOn(noProjectConfig) {
		folders = filestore.Upwards(dir, root)
		for _, d := range slices.Backward(folders) {
			for _, name := range m.settingsNames() {
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
		s.add(m, configText, dir, text, true)
	}
	s.folder(m, m.managed, true)
	return s
}

// user reads the user's settings. A later file replaces the list of an earlier one.
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
	for _, name := range m.settingsNames() {
		s.file(m, filepath.Join(dir, name), global)
	}
}

// file reads one settings file, and reports whether it has a list of instructions.
func (s *settings) file(m machine, path string, global bool) bool {
	if _, err := os.Stat(path); err != nil || slices.Contains(s.files, path) {
		return false
	}
	f := filestore.Read(path, maxSettings)
	s.files = append(s.files, path)
	switch {
	case f.Problem != nil:
		s.unusable = append(s.unusable, unusableFile{path, f.Problem.What})
		return false
	case f.Cut:
		s.unusable = append(s.unusable, unusableFile{path, "It is larger than 1 MiB and was not read."})
		return false
	}
	return s.add(m, path, filepath.Dir(path), jstext.DecodeString(f.Text), global)
}

// add adds the instructions list in the text of a settings file, without entries that are there
// already. References to files are relative to dir.
func (s *settings) add(m machine, from, dir, text string, global bool) bool {
	if strings.TrimSpace(text) == "" {
		return false
	}
	text, why := m.fillReferences(text, dir)
	if why != "" {
		s.refuse("Configuration is invalid at " + from + ": " + why)
		return false
	}
	v, err := parseSettings(text)
	if err != nil {
		s.refuse("Config file at " + from + " is not valid JSON(C): " + err.Error())
		return false
	}
	list, has := v.Field("instructions")
	if !has {
		return false
	}
	if list.Kind() != jstext.Array {
		s.refuse("Configuration is invalid at " + from + ": instructions is not an array")
		return false
	}
	for i := range list.Len() {
		if list.At(i).Kind() != jstext.String {
			s.refuse("Configuration is invalid at " + from + ": instructions holds something that is not a string")
			continue
		}
		e := entry{list.At(i).Str(), from, global}
		if !slices.ContainsFunc(s.entries, func(o entry) bool { return o.text == e.text }) {
			s.entries = append(s.entries, e)
		}
	}
	return true
}

// refuse records why OpenCode does not start. The first reason wins.
func (s *settings) refuse(message string) { s.refused = cmp.Or(s.refused, message) }

var (
	environmentReference = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{env:([^}]+)\}`) })
	fileReference        = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{file:([^}]+)\}`) })
)

// fillReferences returns the text of a settings file with its references to the environment and to files
// filled in, or why OpenCode refuses it. References in comment lines are left alone.
func (m machine) fillReferences(text, dir string) (filled, why string) {
	text = environmentReference().ReplaceAllStringFunc(text, func(ref string) string {
		return m.value(ref[len("{env:") : len(ref)-1])
	})
	var out strings.Builder
	at := 0
	for _, span := range fileReference().FindAllStringIndex(text, -1) {
		line := text[strings.LastIndexByte(text[:span[0]], '\n')+1 : span[0]]
		if strings.HasPrefix(strings.TrimSpace(line), "//") {
			continue
		}
		ref := text[span[0]:span[1]]
		path := m.referred(ref[len("{file:"):len(ref)-1], dir)
		f := filestore.Read(path, maxSettings)
		if f.Problem != nil {
			why = `bad file reference: "` + ref + `" ` + path
			if f.Problem.Code == quietread.CodeMissing {
				why += " does not exist"
			}
			return "", why
		}
		quoted := jstext.AppendQuoted(nil, jstext.Trim(jstext.DecodeString(f.Text)))
		out.WriteString(text[at:span[0]])
		out.Write(quoted[1 : len(quoted)-1])
		at = span[1]
	}
	out.WriteString(text[at:])
	return out.String(), ""
}

// referred returns the path of a reference to a file in settings of dir.
func (m machine) referred(path, dir string) string {
	if rest, home := strings.CutPrefix(path, "~/"); home {
		return filepath.Join(m.home, rest)
	}
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// parseSettings returns the value of a settings file: JSON with comments and trailing commas.
func parseSettings(text string) (jstext.Value, error) {
	plain, err := jstext.WithoutComments(strings.TrimPrefix(text, "\ufeff"))
	if err != nil {
		return jstext.Value{}, err
	}
	return jstext.Parse(plain)
}
