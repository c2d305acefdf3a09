package qwen

import (
	"context"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"winnow/core/filestore"
	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/instructions"
)

// reading is one answer to what sessions are given.
type reading struct {
	instructions.Question
	*instructions.Session
	settings
	root string // of the project
	git  bool   // whether the root has a .git
}

// read implements [instructions.Agent.Read].
func read(ctx context.Context, q instructions.Question) *instructions.Session {
	r := &reading{
		Question: q, Session: &instructions.Session{Imports: instructions.NewImports(instructions.MostFile)},
		settings: settingsOf(q.Env, q.Dir),
	}
	r.Imports.Later = true
	r.Blocks = func(id func(string) memory.ID) []memory.Block { return blocks(r.Session, id) }
	r.Session.Names, r.Settings, r.Notes = r.settings.names, r.files, r.words
	if r.undecided {
		r.Note = "Nobody decided yet whether Qwen Code may trust this folder: it asks, and reads its files once it may."
	}
	if q.Dir != "" {
		r.root = instructions.Root(q.Dir, ".git")
		r.git = filestore.Exists(filepath.Join(r.root, ".git"))
	}
	home := homeOf(q.Env)
	for _, name := range r.settings.names {
		r.add(asGlobal, filepath.Join(home, name))
		for _, dir := range slices.Backward(r.above()) {
			r.add(asProject, filepath.Join(dir, name))
		}
	}
	r.add(asGlobal, filepath.Join(home, languageFile))
	if r.git {
		r.add(asProject, filepath.Join(r.root, homeFolder, localFile))
	}
	r.rules(ctx, filepath.Join(home, "rules"))
	if own := filepath.Join(r.root, homeFolder, "rules"); r.root != "" && own != filepath.Join(home, "rules") {
		r.rules(ctx, own)
	}
	r.memories(ctx)
	r.AddNested(ctx, q, home, asNested, "It is read by sessions that start in its folder.")
	return r.Session
}

// above returns the folders in which a session looks for files of instructions, the nearest first. It looks in
// the one above the project, too.
func (r *reading) above() (dirs []string) {
	switch {
	case r.Question.Dir == "":
		return nil
	case r.Question.Dir == filestore.Real(r.Home):
		return []string{r.Question.Dir}
	}
	stop := filepath.Dir(filestore.Real(r.Home))
	if r.git {
		stop = filepath.Dir(r.root)
	}
	for _, dir := range filestore.Upwards(r.Question.Dir, stop) {
		if dir == homeOf(r.Env) || dir == filepath.Dir(dir) {
			break
		}
		dirs = append(dirs, dir)
	}
	return dirs
}

// add adds a file of instructions if it is there.
func (r *reading) add(how, path string) {
	g := instructions.Given{
		Path: path, How: how, Kind: memory.SourceInstructions, When: memory.AtStart, File: r.Imports.File(path),
	}
	if g.File.Missing() || slices.ContainsFunc(r.Given, func(o instructions.Given) bool { return o.Path == path }) {
		return
	}
	if how != asGlobal && r.trust != "" {
		g.When, g.Why = memory.Never, r.trust
		r.Given = append(r.Given, g)
		return
	}
	real := filestore.Real(path)
	for _, o := range r.Given {
		if filestore.Real(o.Path) == real {
			g.When, g.Why = memory.Never, "It is the same file as "+o.Path+", and is sent once."
		}
	}
	if g.When == memory.AtStart && g.File.Problem == nil {
		text, from := r.Imports.Text(g.File, instructions.Root(filepath.Dir(path), ".git"), r.flat)
		g.Text, g.Imports, g.Label = jstext.Trim(text), from, r.label(path, r.Question.Dir)
		if g.Text == "" {
			g.When, g.Why = memory.Never, "It is empty, and nothing is sent of it."
		}
	}
	r.Given = append(r.Given, g)
}

// label returns a path as frames write it: from a folder.
func (r *reading) label(path, from string) string {
	rel, err := filepath.Rel(from, path)
	if err != nil || from == "" {
		return filepath.ToSlash(path)
	}
	return filepath.ToSlash(rel)
}

var (
	ruleHeader = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)^---\n(.*?)\n---(?:\n|$)`) })
	comments   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)<!--.*?-->`) })
)

// rules adds the rules in a folder: those for every session, and those that wait for files.
func (r *reading) rules(ctx context.Context, dir string) {
	found := instructions.Below(ctx, dir, instructions.MostEntries, func(rel string, isDir bool) bool {
		return !isDir && strings.HasSuffix(rel, ".md")
	})
	paths := slices.Clone(found.Paths)
	for i := range paths {
		paths[i] = filepath.Join(dir, filepath.FromSlash(paths[i]))
	}
	slices.SortFunc(paths, jstext.Compare)
	for _, path := range paths {
		g := instructions.Given{
			Path: path, How: asRule, Kind: memory.SourceRule, When: memory.AtStart,
			File: r.Imports.File(path), Base: r.root,
		}
		text := strings.NewReplacer("\ufeff", "", "\r\n", "\n", "\r", "\n").Replace(jstext.DecodeString(g.File.Text))
		g.Patterns = filestore.ParseFrontMatter(text).List("paths")
		body := jstext.Trim(comments().ReplaceAllString(strings.TrimPrefix(text, ruleHeader().FindString(text)), ""))
		label := r.label(path, r.root)
		switch {
		case r.trust != "" && filestore.Within(r.root, path) && r.root != "":
			g.When, g.Why = memory.Never, r.trust
		case body == "":
			g.When, g.Why = memory.Never, "Nothing is left of it without its header and comments."
		case len(g.Patterns) > 0:
			g.When, g.Why = memory.WithFile, "It waits for a file that matches "+strings.Join(g.Patterns, ", ")+"."
			fallthrough
		default:
			g.Text = "--- Rule from: " + label + " ---\n" + body + "\n--- End of Rule from: " + label + " ---"
		}
		r.Given = append(r.Given, g)
	}
}

// memories adds the memories of the user and of the project: an index that every session is given, and files
// that a model chooses.
func (r *reading) memories(ctx context.Context) {
	user, private := filepath.Join(baseOf(r.Env), "memories"), ""
	if r.root != "" {
		private = privateOf(r.Env, r.root)
	}
	if sortOf(r.Env, r.Own).Name == asPrivate { // it may belong to no known project
		private = r.Own
	}
	if r.Question.Dir != "" || r.Own == user {
		r.memory(ctx, asUser, user)
	}
	if private != "" {
		r.memory(ctx, asPrivate, private)
	}
	if r.root != "" {
		n := len(r.Given)
		r.memory(ctx, asTeam, filepath.Join(r.root, homeFolder, teamFolder))
		for i := range r.Given[n:] {
			g := &r.Given[n+i]
			if g.Text = ""; !r.team || r.trust != "" {
				g.When, g.Why = memory.Never, "Memory of a team is read where memory.enableTeamMemory is on."
			}
		}
	}
}

// memory adds the files of one folder of memories.
func (r *reading) memory(ctx context.Context, how, dir string) {
	found := instructions.Below(ctx, dir, instructions.MostEntries, func(rel string, isDir bool) bool {
		return (!isDir || rel == memoryFile) && strings.HasSuffix(rel, ".md")
	})
	slices.SortStableFunc(found.Paths, func(a, b string) int {
		switch {
		case a == memoryFile:
			return -1
		case b == memoryFile:
			return 1
		}
		return 0
	})
	index := r.Imports.File(filepath.Join(dir, memoryFile)).Text
	for _, rel := range found.Paths {
		path := filepath.Join(dir, filepath.FromSlash(rel))
		g := instructions.Given{
			Path: path, How: how, Kind: memory.SourceMemoryTopic, When: memory.WhenChosen, File: r.Imports.File(path),
		}
		if rel == memoryFile {
			g.Kind, g.When, g.Label = memory.SourceMemoryIndex, memory.AtStart, dir
			g.Text = shortened(jstext.Trim(jstext.DecodeString(g.File.Text)))
			if g.Text == "" {
				g.Text = emptyIndex
			}
		} else if !strings.Contains(index, rel) {
			g.Notes = []string{memoryFile + " does not name it: its model may find it all the same."}
		}
		if r.noMemory {
			g.When, g.Why, g.Text = memory.Never, "The settings switch memories off.", ""
		}
		r.Given = append(r.Given, g)
	}
}

// emptyIndex stands for an index without text.
const emptyIndex = "Your MEMORY.md is currently empty. When you save new memories, they will appear here."

// Limits of an index.
const (
	mostLines = 200
	mostUnits = 25_000
)

// shortened returns an index as a session gets it.
func shortened(text string) string {
	lines, units := strings.Split(text, "\n"), jstext.Len(text)
	kilobytes := func(n int) string { return strconv.FormatFloat(float64(n)/1024, 'f', 1, 64) + " KB" }
	var reason string
	switch {
	case len(lines) <= mostLines && units <= mostUnits:
		return text
	case len(lines) <= mostLines:
		reason = kilobytes(units) + " (limit: " + kilobytes(mostUnits) + ") — index entries are too long"
	case units <= mostUnits:
		reason = strconv.Itoa(len(lines)) + " lines (limit: " + strconv.Itoa(mostLines) + ")"
	default:
		reason = strconv.Itoa(len(lines)) + " lines and " + kilobytes(units)
	}
	text = strings.Join(lines[:min(len(lines), mostLines)], "\n")
	if jstext.Len(text) > mostUnits {
		head := jstext.Slice(text, mostUnits+1)
		if cut := strings.LastIndexByte(head, '\n'); cut > 0 {
			text = head[:cut]
		} else {
			text = jstext.Slice(text, mostUnits)
		}
	}
	return text + "\n\n> WARNING: MEMORY.md is " + reason + ". Only part of it was loaded. " +
		"Keep index entries to one line under ~200 chars; move detail into topic files."
}

// blocks returns what a session gets.
func blocks(s *instructions.Session, id func(string) memory.ID) []memory.Block {
	files, index := &instructions.Text{ID: id}, &instructions.Text{ID: id}
	add := func(w *instructions.Text, g *instructions.Given, text string) {
		if w.Len() > 0 {
			w.WriteString("\n\n")
		}
		w.Add(memory.Part{
			Name: g.How, Path: g.Path,
			Note: system.Say(len(g.Imports) > 0, "with "+memory.Counted(len(g.Imports), "import")),
		}, text)
	}
	for i := range s.Given {
		g := &s.Given[i]
		switch {
		case g.Text == "" || g.When != memory.AtStart:
		case g.How == asRule:
			add(files, g, g.Text)
		case g.Kind == memory.SourceMemoryIndex:
			add(index, g, "## "+g.Label+"/"+memoryFile+"\n\n"+g.Text)
		default:
			add(files, g, "--- Context from: "+g.Label+" ---\n"+g.Text+"\n--- End of Context from: "+g.Label+" ---")
		}
	}
	const where = "system prompt"
	return []memory.Block{files.Block(where, asProject), index.Block(where, "end of the section on memory")}
}
