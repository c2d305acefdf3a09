package gemini

import (
	_ "embed" // for the heading
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"

	"winnow/core/filestore"
	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/instructions"
)

// Why a session is given a file.
const (
	asGlobal    = "global instructions"
	asExtension = "extension"
	asProject   = "instructions"
	asPrivate   = "private memory"
)

// doc is a file that a session is given.
type doc struct {
	path, how string
	file      filestore.File
	text      string // with its imports, as the model gets it; empty if it gets nothing
	imports   []string
	failed    []string // imports that Gemini CLI reports as failed in the text
	twin      string   // an earlier path of the same file
}

// sessionFiles is what a session that starts in a folder gets or, without a folder, what every session
// gets.
type sessionFiles struct {
	env      system.Env
	dir      string
	settings settings
	im       *instructions.Imports
	docs     []doc
	// private is the folder of private memory. It is empty without a session folder.
	private string
}

// givenIn finds what a session that starts in dir gets. dir contains no symbolic links.
func givenIn(env system.Env, dir string) *sessionFiles {
	g := &sessionFiles{env: env, dir: dir, settings: settingsOf(env, dir), im: instructions.NewImports(mostText)}
	flat := g.settings.flat
	g.add(asGlobal, flat, g.named(homeOf(env))...)
	g.add(asExtension, flat, g.extensions()...)
	if dir == "" {
		return g
	}
	if g.settings.trust != untrusted {
		var paths []string
		for _, root := range append([]string{dir}, g.settings.folders...) {
			paths = append(paths, g.upwards(root, g.top(root))...)
		}
		slices.SortFunc(paths, jstext.Compare)
		g.add(asProject, flat, slices.Compact(paths)...)
	}
	name := folderOf(env, dir)
	if name == "" {
		return g
	}
	g.private = filepath.Join(projects(env), name, "memory")
	if own := filepath.Join(g.private, memoryFile); filestore.Exists(own) {
		g.add(asPrivate, flat, own)
	} else {
		g.add(asPrivate, flat, g.named(g.private)...)
	}
	return g
}

// named returns the instruction files in a folder, including unreadable ones.
func (g *sessionFiles) named(dir string) (paths []string) {
	for _, name := range g.settings.names {
		path := filepath.Join(dir, name)
		if _, err := os.Stat(path); err == nil || !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
			paths = append(paths, path)
		}
	}
	return paths
}

// top returns the folder at which the way up from dir ends: the first one with a marker, or dir
// itself.
func (g *sessionFiles) top(dir string) string { return instructions.Root(dir, g.settings.markers...) }

// upwards returns the instruction files from the folder top down to dir.
func (g *sessionFiles) upwards(dir, top string) (paths []string) {
	for _, d := range filestore.Upwards(dir, top) {
		if d == homeOf(g.env) {
			break
		}
		paths = append(g.named(d), paths...)
	}
	return paths
}

// add adds files, unless they were added before, even under another name. If flat is set, imports
// follow one another.
func (g *sessionFiles) add(how string, flat bool, paths ...string) {
	for _, path := range paths {
		d := doc{path: path, how: how, file: g.im.File(path)}
		if i := slices.IndexFunc(g.docs, func(o doc) bool { return o.path == path || filestore.Same(o.path, path) }); i >= 0 {
			d.twin = g.docs[i].path
		} else if d.file.Problem == nil {
			d.read(g, flat)
		}
		g.docs = append(g.docs, d)
	}
}

// read makes the text of a file as the model gets it.
func (d *doc) read(g *sessionFiles, flat bool) {
	text, from := g.im.Text(d.file, g.top(filepath.Dir(d.path)), flat)
	d.text, d.imports, d.failed = jstext.Trim(text), from, g.im.Failed[d.path]
}

// extensions returns the instruction files of the extensions that are enabled.
func (g *sessionFiles) extensions() (paths []string) {
	dir := filepath.Join(homeOf(g.env), "extensions")
	folders, _, _ := filestore.Names(dir, 500) // without the folder there are none
	for _, e := range folders {
		paths = append(paths, g.extension(filepath.Join(dir, e.Name()))...)
	}
	slices.SortFunc(paths, jstext.Compare)
	return slices.Compact(paths)
}

var extensionName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-zA-Z0-9-]+$`) })

// extension returns the instruction files of one extension.
func (g *sessionFiles) extension(dir string) (paths []string) {
	install := object(dir, ".gemini-extension-install.json")
	switch kind := install.Dig("type").Str(); {
	case kind == "link":
		dir = install.Dig("source").Str()
	case g.settings.noGit && (kind == "git" || kind == "github-release"):
		return nil
	}
	v := object(dir, "gemini-extension.json")
	name := v.Dig("name").Str()
	if !filepath.IsAbs(dir) || !extensionName().MatchString(name) || !v.Dig("version").Truthy() || !g.enabled(name) {
		return nil
	}
	names, _ := listOf(system.Env{Lookup: func(string) (string, bool) { return "", false }}, v.Dig("contextFileName"))
	if !v.Dig("contextFileName").Truthy() {
		names = []string{contextFile}
	}
	for _, name := range names {
		name = strings.NewReplacer("${/}", "/", "${pathSeparator}", "/").Replace(name)
		path := filepath.Join(dir, name)
		if jstext.Trim(name) != "" && !filepath.IsAbs(name) && !strings.Contains(instructions.Unescaped(name)+name, "..") && !strings.HasPrefix(name, "${") && filestore.Exists(path) {
			paths = append(paths, path)
		}
	}
	return paths
}

// object returns the object in a file; what cannot be read has no fields.
func object(dir, name string) jstext.Value {
	v, _ := instructions.Object(filepath.Join(dir, name), mostSettings, false)
	return v
}

// enabled reports whether an extension is enabled in the folder. The last matching rule wins.
func (g *sessionFiles) enabled(name string) bool {
	rules, on := object(homeOf(g.env), "extensions/extension-enablement.json").Dig(name, "overrides"), true
	at := strings.TrimSuffix(filepath.ToSlash(g.dir), "/") + "/"
	for i := range rules.Len() {
		rule, off := strings.CutPrefix(rules.At(i).Str(), "!")
		quoted := strings.ReplaceAll(strings.ReplaceAll(regexp.QuoteMeta(rule), `/\*`, `(/.*)?`), `\*`, `(.*)?`)
		if fits, err := regexp.MatchString("^"+quoted+"$", at); err == nil && fits {
			on = !off
		}
	}
	return on
}

// folderOf returns the name of the folder in which Gemini CLI keeps a project's private files: the
// one in its registry, or else the folder that names the project as its owner. If there is neither,
// Gemini CLI would create an empty one.
func folderOf(env system.Env, dir string) string {
	bases := []string{projects(env), filepath.Join(homeOf(env), "history")}
	owner := func(base, name string) string { return rootOf(filepath.Join(base, name)) }
	taken := func(name string) bool {
		return slices.ContainsFunc(bases, func(base string) bool { o := owner(base, name); return o != "" && o != dir })
	}
	known := object(homeOf(env), "projects.json").Dig("projects")
	if name := known.Dig(dir).Str(); name != "" && filepath.IsLocal(name) && !taken(name) {
		return name
	}
	for _, base := range bases {
		entries, _, _ := filestore.Names(base, mostHeads) // an unreadable folder has no owner
		for _, e := range entries {
			if owner(base, e.Name()) == dir {
				return e.Name()
			}
		}
	}
	return ""
}

// Where Gemini CLI puts its texts.
const (
	systemPrompt = "system prompt"
	firstMessage = "first user message"
	toolResult   = "tool result"
)

// heading precedes the global file if there is no private memory. Its names are those of files.
//
//go:embed heading.txt
var heading string

// section writes the files given in one way, between two texts. It returns false if there are none.
func section(w *instructions.Text, before string, docs []doc, how string, after string) bool {
	any := false
	for _, d := range docs {
		if d.how != how || d.text == "" {
			continue
		}
		if any {
			before = "\n\n"
		}
		any = true
		w.WriteString(before)
		w.Add(memory.Part{
			Name: how, Path: d.path, Note: system.Say(len(d.imports) > 0, "with "+memory.Counted(len(d.imports), "import")),
		}, "--- Context from: "+d.path+" ---\n"+d.text+"\n--- End of Context from: "+d.path+" ---")
	}
	if any {
		w.WriteString(after)
	}
	return any
}

var manyLines = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\n{3,}`) })

// system returns the end of the system prompt. Gemini CLI reduces longer runs of line ends in it to
// two. Models before Gemini 3 are told the default file name, whatever the settings say.
func (g *sessionFiles) system(id func(string) memory.ID) memory.Block {
	docs := slices.Clone(g.docs)
	private := false
	for i := range docs {
		docs[i].text = manyLines().ReplaceAllString(docs[i].text, "\n\n")
		private = private || docs[i].how == asPrivate && docs[i].text != ""
	}
	w := &instructions.Text{ID: id}
	if !private {
		names := strings.Join(g.settings.names, ", ")
		if g.settings.old {
			names = contextFile
		}
		section(w, strings.Replace(heading, "NAMES", names, 1)+"<loaded_context>\n", docs, asGlobal, "\n</loaded_context>")
		return w.Block(systemPrompt, asGlobal)
	}
	const begin = "---\n\n<loaded_context>\n"
	before := begin
	if section(w, begin+"<global_context>\n", docs, asGlobal, "\n</global_context>") {
		before = "\n"
	}
	section(w, before+"<user_project_memory>\n--- Private Project Memory Index (private, not committed to repo) ---\n", docs, asPrivate,
		"\n--- End Private Project Memory Index ---\n</user_project_memory>\n</loaded_context>")
	return w.Block(systemPrompt, asPrivate)
}

// first returns the part of a session's first message that comes from instruction files.
func (g *sessionFiles) first(id func(string) memory.ID) memory.Block {
	const begin, end = "<loaded_context>\n", "\n</loaded_context>"
	w := &instructions.Text{ID: id}
	before := begin
	if section(w, begin+"<extension_context>\n", g.docs, asExtension, "\n</extension_context>") {
		before = "\n"
	}
	section(w, before+"<project_context>\n", g.docs, asProject, "\n</project_context>")
	if w.Len() > 0 {
		w.WriteString(end)
	}
	return w.Block(firstMessage, asProject)
}

// withRead returns what comes with the result of a tool that reads or writes target, and records
// that it was given.
func (g *sessionFiles) withRead(target string, id func(string) memory.ID) memory.Block {
	root := ""
	for _, dir := range append([]string{g.dir}, g.settings.folders...) {
		if filestore.Within(dir, target) && len(dir) > len(root) {
			root = dir
		}
	}
	if root == "" || g.settings.trust == untrusted {
		return memory.Block{}
	}
	start := target
	if !filestore.IsFolder(target) {
		start = filepath.Dir(target)
	}
	n := len(g.docs)
	g.add(asProject, false, g.upwards(start, g.top(root))...)
	w := &instructions.Text{ID: id}
	section(w, "\n\n--- Newly Discovered Project Context ---\n", g.docs[n:], asProject, "\n--- End Project Context ---")
	return w.Block(toolResult, "end of what a tool says of "+filepath.ToSlash(target))
}
