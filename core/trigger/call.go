package trigger

import (
	"encoding/json"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"winnow/core/memory"
)

// tools are the tools of agents that a moment can mean, by name in lower case and without punctuation.
var (
	shells  = strings.Fields("bash execcommand localshell powershell runshellcommand shell shellcommand")
	editors = strings.Fields(
		"applypatch edit multiedit notebookedit patch read readfile readmanyfiles replace write writefile",
	)
)

const (
	mostFiles    = 50
	mostElements = 60       // of a path
	mostError    = 64 << 10 // bytes of what a call printed
)

// CallOf returns a call of an agent's tool in a folder of a project; zero for one of another tool. Files outside of
// the project are not among its files. What a call printed counts as its error when the agent says that it failed,
// and when nobody can tell: the agent does not say, or the line hides how its commands ended. What only reads has no
// error then, because it prints what files say.
func CallOf(g *memory.ToolCall, folder, project string) Call {
	name := strings.NewReplacer("_", "", "-", "", ".", "").Replace(strings.ToLower(g.Tool))
	isShell := slices.Contains(shells, name)
	if !isShell && !slices.Contains(editors, name) {
		return Call{}
	}
	var c Call
	in := inputOf(g.Input)
	line := ""
	if isShell {
		line = in.line()
		c.Commands = Commands(line)
	} else {
		c.Files = in.files(folder, project)
	}
	hides := g.Status == memory.CallUnknown || strings.ContainsAny(line, "|;\n")
	unclear := isShell && hides && !onlyReads(c.Commands)
	if g.Output != nil && (g.Status == memory.CallFailed || unclear) || g.Error != "" {
		c.Error = g.Error + "\n" + texts(g.Output)
	}
	c.Error = c.Error[:min(len(c.Error), mostError)]
	return c
}

// readers are programs that print what is in files, and gitReaders commands of git that do.
var (
	readers    = strings.Fields("awk bat cat diff find grep head jq less ls nl rg sed sort tail tree wc xxd")
	gitReaders = strings.Fields("blame diff grep log show")
)

// onlyReads reports whether all commands only print what is in files.
func onlyReads(commands [][]string) bool {
	return !slices.ContainsFunc(commands, func(words []string) bool {
		words = bare(words)
		gitReads := len(words) > 1 && words[0] == "git" && slices.Contains(gitReaders, words[1])
		return len(words) > 0 && words[0] != "cd" && !gitReads && !slices.Contains(readers, path.Base(words[0]))
	})
}

// input is what a tool takes, as far as it matters.
type input struct {
	Command, Cmd any
	// The names that tools have for a file. Patch is one in the form of Codex.
	FilePath     string `json:"file_path"`
	FilePath2    string `json:"filePath"`
	Path         string `json:"path"`
	AbsolutePath string `json:"absolute_path"`
	NotebookPath string `json:"notebook_path"`
	Paths        any    `json:"paths"`
	Include      any    `json:"include"`
	Patch        string `json:"patch"`
	PatchText    string `json:"patchText"`
	Input        string `json:"input"`
}

func inputOf(data []byte) (in input) {
	if json.Unmarshal(data, &in) != nil {
		var text string
		_ = json.Unmarshal(data, &text) // what is neither an object nor a text has no command and no file
		return input{Command: text}
	}
	return in
}

// line returns the shell line of a call.
func (in *input) line() string {
	for _, v := range []any{in.Command, in.Cmd} {
		switch words := textsIn(v); {
		case len(words) == 0:
		case len(words) > 2 && strings.HasPrefix(words[1], "-") && strings.HasSuffix(words[1], "c"): // bash -lc LINE
			return words[2]
		default:
			return strings.Join(words, " ")
		}
	}
	return ""
}

func textsIn(v any) (list []string) {
	switch v := v.(type) {
	case string:
		if v != "" {
			list = append(list, v)
		}
	case []any:
		for _, e := range v[:min(len(v), mostFiles)] {
			if s, ok := e.(string); ok {
				list = append(list, s)
			}
		}
	}
	return list
}

var patchFile = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$`)
})

// files returns the files of a call, as paths in the project.
func (in *input) files(folder, project string) (list []string) {
	named := []string{in.FilePath, in.FilePath2, in.Path, in.AbsolutePath, in.NotebookPath}
	named = append(append(named, textsIn(in.Paths)...), textsIn(in.Include)...)
	for _, patch := range append(textsIn(in.Command), in.Patch, in.PatchText, in.Input) {
		for _, m := range patchFile().FindAllStringSubmatch(patch, mostFiles) {
			named = append(named, strings.TrimSpace(m[1]))
		}
	}
	for _, p := range named {
		if p == "" || len(list) == mostFiles {
			continue
		}
		rel, inside := within(p, folder, project)
		if inside && strings.Count(rel, "/") < mostElements && !slices.Contains(list, rel) {
			list = append(list, rel)
		}
	}
	return list
}

// within returns a path that is named in a folder as a path in the project, and whether it lies there.
func within(file, folder, project string) (rel string, inside bool) {
	if strings.Contains(project, `\`) { // Windows
		slashes := strings.NewReplacer(`\`, "/")
		file, folder, project = slashes.Replace(file), slashes.Replace(folder), slashes.Replace(project)
	}
	if absolute := strings.HasPrefix(file, "/") || len(file) > 2 && file[1] == ':'; !absolute {
		file = folder + "/" + file
	}
	return strings.CutPrefix(path.Clean(file), strings.TrimSuffix(path.Clean(project), "/")+"/")
}

// texts returns the texts in JSON, one after another.
func texts(data []byte) string {
	var v any
	if json.Unmarshal(data, &v) != nil {
		return ""
	}
	var out []string
	var add func(v any)
	add = func(v any) {
		switch v := v.(type) {
		case string:
			out = append(out, v)
		case []any:
			for _, e := range v {
				add(e)
			}
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(v)) {
				add(v[key])
			}
		}
	}
	add(v)
	return strings.Join(out, "\n")
}
