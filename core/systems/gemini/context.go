package gemini

import (
	"context"
	_ "embed" // for the heading
	"errors"
	"io/fs"
	"os"
	"path"
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

// Why a session is given a file. These are also kinds of records, and names of stores.
const (
	asGlobal    = "global instructions"
	asExtension = "extension"
	asProject   = "instructions"
	asPrivate   = "private memory"
	kindNested  = "nested"
	kindNote    = "note"
	kindHidden  = "hidden"
)

// memoryFolder is the name of the folder of private memory.
const memoryFolder = "memory"

// reading is one answer to what sessions are given.
type reading struct {
	instructions.Question
	*instructions.Session
	settings
	// private is the folder of private memory. It is empty without a session folder.
	private string
}

// givenIn finds what sessions are given that start in a folder, with links resolved.
func givenIn(ctx context.Context, q instructions.Question) *reading {
	r := &reading{
		Question: q, settings: settingsOf(q.Env, q.Dir),
		Session: &instructions.Session{Imports: instructions.NewImports(mostText)},
	}
	r.Blocks, r.WithFile = r.blocks, r.withRead
	r.add(asGlobal, memory.AtStart, r.named(homeOf(q.Env))...)
	r.add(asExtension, memory.AtStart, r.extensions()...)
	if q.Dir != "" {
		var paths []string
		for _, root := range append([]string{q.Dir}, r.folders...) {
			paths = append(paths, r.upwards(root, r.top(root))...)
		}
		slices.SortFunc(paths, jstext.Compare)
		r.add(asProject, memory.AtStart, slices.Compact(paths)...)
		if name := folderOf(q.Env, q.Dir); name != "" {
			r.private = filepath.Join(projects(q.Env), name, memoryFolder)
		}
		r.addNested(ctx)
	}
	if q.Store == asPrivate && q.Most > 0 { // the files that are listed may belong to no known project
		r.private = q.Own
	}
	if r.private != "" {
		r.addPrivate(ctx)
	}
	r.describe()
	return r
}

// describe adds what there is to say about the session as a whole.
func (r *reading) describe() {
	s := r.Session
	s.Names, s.Settings, s.Root = r.settings.names, r.files, r.top(r.Dir)
	s.Odd = []instructions.Oddity{{
		Code: oddImport, Level: memory.Warn,
		What: "Some imports fail, and Gemini CLI writes that into what the model reads.",
		Hint: "correct the path, or put the word behind @ between backticks",
	}}
	if r.refused != "" {
		s.Stop = &memory.Problem{
			Code: "refused", What: "Gemini CLI does not start here: " + r.refused, Hint: "correct the settings file",
		}
	}
	isOfProject := r.Store == asProject
	switch {
	case r.Dir == "":
	case r.trust == untrusted:
		s.Note = "This folder is not trusted: Gemini CLI gives its own files and settings to no session."
	case r.trust == undecided:
		s.Note = "Nobody decided yet whether this folder is trusted: Gemini CLI asks, and gives this once it is."
	}
	s.Notes = system.Notes(
		system.Say(
			r.servers,
			"MCP servers can add instructions of their own behind those of the project. Winnow does not start them.",
		),
		system.Say(r.listed, "The settings allow only some extensions, by a pattern that is not applied here."),
		system.Say(r.flat, "The settings put imports one behind another, but for what comes with a tool."),
	)
	s.Facts = append(s.Facts,
		memory.Fact{
			Name: "order",
			Text: "by their paths, from the folder with " + strings.Join(r.markers, " or ") + " down to where the " +
				"session starts; the global files and private memory stand in the system prompt",
		},
		memory.Fact{Name: "private memory", Text: r.private},
		memory.Fact{Name: "an edit acts", Text: "in the next session, and in one that runs after /memory reload"},
	)
	s.Health = append(s.Health,
		system.When(isOfProject && r.trust == untrusted, "untrusted", memory.Warn, 1,
			"This folder is not trusted: Gemini CLI gives none of these files to a session.",
			"trust it with /permissions in Gemini CLI"),
		system.When(isOfProject && r.trust == undecided, "undecided", memory.Note, 1,
			"Nobody decided yet whether Gemini CLI may trust this folder: it asks, and until then gives none of these files.",
			"start Gemini CLI here once"),
	)
	if isOfProject && r.Most > 0 {
		s.Health = append(s.Health, leftHealth(r.Env, r.Dir)...)
	}
}

// named returns the instruction files in a folder, including unreadable ones.
func (r *reading) named(dir string) (paths []string) {
	for _, name := range r.settings.names {
		path := filepath.Join(dir, name)
		if _, err := os.Stat(path); err == nil || !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
			paths = append(paths, path)
		}
	}
	return paths
}

// top returns the folder at which the way up from dir ends: the first one with a marker, or dir
// itself.
func (r *reading) top(dir string) string { return instructions.Root(dir, r.markers...) }

// upwards returns the instruction files from the folder top down to dir.
func (r *reading) upwards(dir, top string) (paths []string) {
	for _, d := range filestore.Upwards(dir, top) {
		if d == homeOf(r.Env) {
			break
		}
		paths = append(r.named(d), paths...)
	}
	return paths
}

// add adds files that sessions are given when they may be.
func (r *reading) add(how string, when memory.SourceWhen, paths ...string) {
	for _, path := range paths {
		isKnown := func(o instructions.Given) bool { return o.Path == path && o.How == how }
		isTwin := func(o instructions.Given) bool { return o.Path == path || filestore.Same(o.Path, path) }
		if slices.ContainsFunc(r.Given, isKnown) {
			continue
		}
		g := instructions.Given{
			Path: path, How: how, Kind: memory.SourceInstructions, When: when, Goes: goesTo[how],
			File: r.Imports.File(path),
		}
		switch how {
		case asPrivate:
			g.Kind = memory.SourceMemoryIndex
		case asExtension:
			g.Fixed = "It belongs to an extension, whose next version would replace it."
		}
		twin := slices.IndexFunc(r.Given, isTwin)
		switch {
		case twin >= 0:
			g.Why = "It is the same file as " + r.Given[twin].Path + ", and is sent once."
		case r.trust == untrusted && (how == asProject || how == kindNested):
			g.Why = "It is read once the folder is trusted."
		case g.File.Problem != nil:
			g.Why = "It cannot be read."
		default:
			text, from := r.Imports.Text(g.File, r.top(filepath.Dir(path)), r.flat && how != kindNested)
			g.Text, g.Imports = jstext.Trim(text), from
			g.Why = system.Say(g.Text == "", "It is empty, and nothing is sent of it.")
		}
		if g.Text == "" {
			g.When, g.Goes = memory.Never, neverSent
		}
		failed := r.Imports.Failed[path]
		g.Notes = system.Notes(
			system.Say(
				len(failed) > 0,
				"Gemini CLI takes each word behind @ for a file, and writes into the text that it cannot import ("+
					strings.Join(failed, ", ")+"). Put it between backticks if it is none.",
			),
			system.Say(g.File.Cut, "Only its beginning is read here. Gemini CLI sends all of it."))
		g.Odd = system.Say(len(failed) > 0, oddImport)
		r.Given = append(r.Given, g)
	}
}

// oddImport is the code of files with imports that fail.
const oddImport = "import"

// goesTo says where the files go that are given in a way, and neverSent that they go nowhere.
var goesTo = map[string]string{
	asGlobal: systemPrompt, asPrivate: systemPrompt, asExtension: firstMessage, asProject: firstMessage,
	kindNested: "the result of the first tool that touches its folder",
}

const neverSent = "never sent"

// addNested adds the files of folders below, each of which comes with the first tool that touches its folder.
func (r *reading) addNested(ctx context.Context) {
	if r.Most == 0 {
		return
	}
	isName := instructions.WantNames(r.settings.names...)
	found := instructions.Below(ctx, r.Dir, r.Most, func(rel string, isDir bool) bool {
		return isName(rel, isDir) || strings.HasSuffix("/"+rel, "/"+homeFolder+"/"+settingsFile)
	})
	r.Gap = found.Gap
	for _, folder := range found.Folders(r.Dir) {
		switch {
		case folder.Dir == homeOf(r.Env):
		case filepath.Base(folder.Dir) == homeFolder:
			r.addFrom(ctx, filepath.Dir(folder.Dir))
		default:
			r.add(kindNested, memory.WithFile, r.named(folder.Dir)...)
		}
	}
}

// addFrom adds what sessions that start in a folder below are given and sessions here are not, because settings
// there name it.
func (r *reading) addFrom(ctx context.Context, dir string) {
	if dir == r.Dir {
		return
	}
	for _, g := range givenIn(ctx, instructions.Question{Env: r.Env, Dir: dir}).Given {
		isKnown := func(o instructions.Given) bool { return o.Path == g.Path }
		if g.How != asProject || slices.Contains(r.settings.names, filepath.Base(g.Path)) ||
			slices.ContainsFunc(r.Given, isKnown) {
			continue
		}
		g.How, g.When, g.Goes, g.Elsewhere = kindNested, memory.Never, "", g.Text != ""
		g.Text, g.Why = "", "It is read by sessions that start in "+dir+"."
		r.Given = append(r.Given, g)
	}
}

// addPrivate adds the private memory of a project: the index, which every session of the project is given, and the
// notes beside it.
func (r *reading) addPrivate(ctx context.Context) {
	index := filepath.Join(r.private, memoryFile)
	if filestore.Exists(index) {
		r.add(asPrivate, memory.AtStart, index)
	} else {
		r.add(asPrivate, memory.AtStart, r.named(r.private)...)
	}
	found := instructions.Below(ctx, r.private, instructions.MostEntries, func(rel string, isDir bool) bool {
		return isNote(rel, isDir) || !isDir && isPatch(rel)
	})
	waiting := 0
	for _, rel := range found.Paths {
		if isPatch(rel) {
			waiting++
			continue
		}
		path, name := filepath.Join(r.private, filepath.FromSlash(rel)), path.Base(rel)
		isKnown := func(o instructions.Given) bool { return o.Path == path }
		if slices.ContainsFunc(r.Given, isKnown) || slices.Contains(r.Imports.From, path) {
			continue
		}
		g := instructions.Given{
			Path: path, How: kindNote, Kind: memory.SourceMemoryTopic, When: memory.WhenChosen,
			Goes: "the model, when it reads the file", File: filestore.Read(path, mostText),
		}
		switch {
		case rel == name && slices.Contains(r.settings.names, name):
			g.How, g.When, g.Goes = kindHidden, memory.Never, neverSent
			g.Why = memoryFile + " takes its place: Gemini CLI reads it only where there is no " + memoryFile + "."
		case !strings.Contains(r.Imports.File(index).Text, name):
			g.Unseen = true
			g.Notes = []string{memoryFile + " does not name it: the model does not know of it."}
		}
		r.Given = append(r.Given, g)
	}
	if r.Store == asPrivate {
		r.Gap = found.Gap
		r.Facts = append(r.Facts, memory.Fact{
			Name: "waits in /memory inbox", Text: system.Say(waiting > 0, memory.Counted(waiting, "patch")),
		})
	}
}

// isNote reports whether a file of private memory is a note.
func isNote(rel string, isDir bool) bool {
	hidden := strings.HasPrefix(rel, ".") && strings.Contains(rel, "/")
	return !isDir && path.Ext(rel) == ".md" && !hidden
}

// isPatch reports whether a file of private memory is a change that waits for a person.
func isPatch(rel string) bool { return strings.HasPrefix(rel, ".inbox") && path.Ext(rel) == ".patch" }

// extensions returns the instruction files of the extensions that are enabled.
func (r *reading) extensions() (paths []string) {
	dir := filepath.Join(homeOf(r.Env), "extensions")
	folders, _, _ := filestore.Names(dir, 500) // without the folder there are none
	for _, e := range folders {
		paths = append(paths, r.extension(filepath.Join(dir, e.Name()))...)
	}
	slices.SortFunc(paths, jstext.Compare)
	return slices.Compact(paths)
}

var extensionName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-zA-Z0-9-]+$`) })

// extension returns the instruction files of one extension.
func (r *reading) extension(dir string) (paths []string) {
	install := object(dir, ".gemini-extension-install.json")
	switch kind := install.Dig("type").Str(); {
	case kind == "link":
		dir = install.Dig("source").Str()
	case r.noGit && (kind == "git" || kind == "github-release"):
		return nil
	}
	v := object(dir, "gemini-extension.json")
	name := v.Dig("name").Str()
	if !filepath.IsAbs(dir) || !extensionName().MatchString(name) || !v.Dig("version").Truthy() || !r.enabled(name) {
		return nil
	}
	return filesOfExtension(dir, v)
}

// filesOfExtension returns the instruction files that the description of an extension names in its folder.
func filesOfExtension(dir string, v jstext.Value) (paths []string) {
	noVariables := system.Env{Lookup: func(string) (string, bool) { return "", false }}
	names, _ := listOf(noVariables, v.Dig("contextFileName"))
	if !v.Dig("contextFileName").Truthy() {
		names = []string{contextFile}
	}
	for _, name := range names {
		name = strings.NewReplacer("${/}", "/", "${pathSeparator}", "/").Replace(name)
		path := filepath.Join(dir, name)
		if jstext.Trim(name) != "" && !filepath.IsAbs(name) &&
			!strings.Contains(instructions.Unescaped(name)+name, "..") &&
			!strings.HasPrefix(name, "${") &&
			filestore.Exists(path) {
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
func (r *reading) enabled(name string) bool {
	rules, on := object(homeOf(r.Env), "extensions/extension-enablement.json").Dig(name, "overrides"), true
	at := strings.TrimSuffix(filepath.ToSlash(r.Dir), "/") + "/"
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
func section(w *instructions.Text, before string, files []instructions.Given, how, after string) bool {
	any := false
	for _, g := range files {
		if g.How != how || g.Text == "" {
			continue
		}
		if any {
			before = "\n\n"
		}
		any = true
		w.WriteString(before)
		w.Add(memory.Part{
			Name: how, Path: g.Path,
			Note: system.Say(len(g.Imports) > 0, "with "+memory.Counted(len(g.Imports), "import")),
		}, "--- Context from: "+g.Path+" ---\n"+g.Text+"\n--- End of Context from: "+g.Path+" ---")
	}
	if any {
		w.WriteString(after)
	}
	return any
}

// blocks returns what a session gets: the end of its system prompt, and the beginning of its first message.
func (r *reading) blocks(id func(string) memory.ID) []memory.Block {
	return []memory.Block{r.system(id), r.first(id)}
}

var manyLines = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\n{3,}`) })

// system returns the end of the system prompt. Gemini CLI reduces longer runs of line ends in it to
// two. Models before Gemini 3 are told the default file name, whatever the settings say.
func (r *reading) system(id func(string) memory.ID) memory.Block {
	files, private := slices.Clone(r.Given), false
	for i := range files {
		g := &files[i]
		g.Text = manyLines().ReplaceAllString(g.Text, "\n\n")
		private = private || g.How == asPrivate && g.Text != ""
	}
	w := &instructions.Text{ID: id}
	if !private {
		names := strings.Join(r.settings.names, ", ")
		if r.old {
			names = contextFile
		}
		section(
			w,
			strings.Replace(heading, "NAMES", names, 1)+"<loaded_context>\n",
			files,
			asGlobal,
			"\n</loaded_context>",
		)
		return w.Block(systemPrompt, asGlobal)
	}
	const begin = "---\n\n<loaded_context>\n"
	before := begin
	if section(w, begin+"<global_context>\n", files, asGlobal, "\n</global_context>") {
		before = "\n"
	}
	section(
		w,
		before+"<user_project_memory>\n--- Private Project Memory Index (private, not committed to repo) ---\n",
		files,
		asPrivate,
		"\n--- End Private Project Memory Index ---\n</user_project_memory>\n</loaded_context>",
	)
	return w.Block(systemPrompt, asPrivate)
}

// first returns the part of a session's first message that comes from instruction files.
func (r *reading) first(id func(string) memory.ID) memory.Block {
	const begin, end = "<loaded_context>\n", "\n</loaded_context>"
	w := &instructions.Text{ID: id}
	before := begin
	if section(w, begin+"<extension_context>\n", r.Given, asExtension, "\n</extension_context>") {
		before = "\n"
	}
	section(w, before+"<project_context>\n", r.Given, asProject, "\n</project_context>")
	if w.Len() > 0 {
		w.WriteString(end)
	}
	return w.Block(firstMessage, asProject)
}

// withRead returns what comes with the result of a tool that reads or writes target, and records
// that it was given.
func (r *reading) withRead(target string, id func(string) memory.ID) memory.Block {
	root := ""
	for _, dir := range append([]string{r.Dir}, r.folders...) {
		if filestore.Within(dir, target) && len(dir) > len(root) {
			root = dir
		}
	}
	if root == "" || r.trust == untrusted {
		return memory.Block{}
	}
	start := target
	if !filestore.IsFolder(target) {
		start = filepath.Dir(target)
	}
	n := len(r.Given)
	r.add(kindNested, memory.WithFile, r.upwards(start, r.top(root))...)
	w := &instructions.Text{ID: id}
	section(
		w, "\n\n--- Newly Discovered Project Context ---\n", r.Given[n:], kindNested, "\n--- End Project Context ---",
	)
	return w.Block(toolResult, "end of what a tool says of "+filepath.ToSlash(target))
}
