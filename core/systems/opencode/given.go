package opencode

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"winnow/core/filestore"
	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/instructions"
)

const (
	systemPrompt = "system prompt"
	toolResult   = "tool result"
)

// Kinds of records of a store of instructions.
const (
	kindInstructions = "instructions"
	kindConfig       = "config instructions"
	kindNested       = "nested"
	kindHidden       = "hidden"
	kindMemory       = "model memory"
)

// memoryFile is where one of OpenCode's prompts tells some models to keep a memory. OpenCode itself
// never reads it.
const memoryFile = ".github/instructions/memory.instruction.md"

// Scopes of the records of the two stores.
const (
	scopeProject = "project"
	scopeGlobal  = "global"
)

// agent describes how OpenCode reads instructions on a machine.
func (m machine) agent() *instructions.Agent {
	names := func(system.Env, string) []string { return instructionNames }
	none := memory.Problem{
		Code: "empty",
		What: "OpenCode finds no instructions here: there is no AGENTS.md, CLAUDE.md or CONTEXT.md, and no pattern names a file.",
		Hint: "write an AGENTS.md, or let OpenCode write one with /init",
	}
	const example = "web/AGENTS.md, for the files of the folder web"
	return &instructions.Agent{
		Product: instructions.Product{ID: id, Name: productName, Sort: m.sortOf},
		Stores: []instructions.StoreKind{
			{
				Name: storeProject, Given: []string{asProject, asConfig, kindNested, kindMemory}, Reaches: true,
				Names: names, Looks: anyName, Example: example, Empty: none,
			},
			{
				Name: storeGlobal, Given: []string{asGlobal, asGlobalConfig}, Reaches: true,
				Names: names, Looks: anyName, Example: example, Empty: none,
			},
		},
		Read: m.given, Last: m.lastReceived, Always: true, Finish: m.finish,
		Watch: func(_ system.Env, dir string) []string {
			const sep = string(os.PathSeparator)
			return []string{
				m.config() + sep, m.settings() + sep, filepath.Join(m.home, ".claude", "CLAUDE.md"),
				filepath.Join(dir, ".opencode") + sep,
			}
		},
		As: "This is the order of version " + version + ".",
	}
}

func anyName(string) bool { return true }

// sortOf returns what the store at a path is.
func (m machine) sortOf(_ system.Env, path string) instructions.Sort {
	if path == m.config() || path == m.settings() {
		return instructions.Sort{Name: storeGlobal, Own: true, Personal: true}
	}
	return instructions.Sort{Name: storeProject, Project: path}
}

// openInstructions returns the store of the instructions in a folder.
func openInstructions(m machine, now func() time.Time, path string) *instructions.AgentStore {
	return m.agent().Open(system.Env{Home: m.home, Dir: path, Lookup: m.lookup}, now, path)
}

// finish sets the scope of a store. Like OpenCode, it resolves links in a project's path only.
func (m machine) finish(s *instructions.AgentStore) {
	if s.Scope = scopeProject; s.Place.Name == storeGlobal {
		s.Scope, s.Dir = scopeGlobal, s.Place.Path
		s.Elsewhere = func() bool { return slices.ContainsFunc(m.globals(), filestore.Exists) }
	}
}

// reading is one answer to what sessions are given.
type reading struct {
	instructions.Question
	*instructions.Session
	opening
	m machine
}

// given implements [instructions.Agent.Read].
func (m machine) given(ctx context.Context, q instructions.Question) *instructions.Session {
	m = m.withEnv(q.Env)
	r := &reading{Question: q, Session: &instructions.Session{}, opening: m.opening(q.Dir), m: m}
	for i, f := range r.opening.files {
		g := r.file(f.path, f.how, memory.AtStart)
		g.Record, g.Goes = kindInstructions, fmt.Sprintf("system prompt, number %d", i+1)
		if f.how == asConfig {
			g.Record = kindConfig
			r.name(&g, &f)
		}
		r.add(g)
	}
	for _, h := range r.hidden {
		if !r.has(h.path) {
			r.add(r.hiddenFile(h.path, h.how, h.by))
		}
	}
	r.addNested(ctx)
	if path := r.modelMemory(r.root); q.Dir != "" && path != "" {
		g := r.file(path, kindMemory, memory.Never)
		g.Kind, g.Why = memory.SourceMemoryTopic, neverSent
		r.add(g)
	}
	r.countHidden()
	r.describe()
	if q.Store == "" {
		r.addMore()
	}
	r.Blocks, r.WithFile = r.blocks, r.withReads()
	return r.Session
}

// file returns an instruction file. An empty one wins its name and adds nothing.
func (r *reading) file(path, how string, when memory.SourceWhen) instructions.Given {
	g := instructions.Given{
		Path: path, How: how, Kind: memory.SourceInstructions, When: when,
		File: filestore.Read(path, instructions.MostFile),
	}
	switch {
	case g.File.Problem != nil:
		g.Why = "OpenCode takes a file that it cannot read for an empty one."
	case g.File.Text == "" && when != memory.Never:
		g.When, g.Why = memory.Never, "It is empty, and nothing is sent of it."
	default:
		g.Text = g.File.Text
		if g.File.Cut {
			g.Notes = []string{"Only the first 512 KiB are shown. OpenCode sends all of it."}
		}
	}
	return g
}

// name says which entry of the settings names a file.
func (r *reading) name(g *instructions.Given, f *found) {
	g.By = f.by.from
	if f.by.global && !(r.Store == storeProject && filestore.Within(r.Own, f.path)) || r.Store == storeGlobal {
		g.How = asGlobalConfig
	}
	if g.Why == "" {
		g.Why = "The settings name it by “" + f.by.text + "”."
	}
}

// hiddenFile returns a file that another file or a switch leaves out.
func (r *reading) hiddenFile(path, how, by string) instructions.Given {
	g := r.file(path, how, memory.Never)
	g.Record, g.Goes, g.Odd = kindHidden, "never sent", oddHidden
	switch {
	case !filepath.IsAbs(by):
		g.Why = "The switch " + by + " leaves it out."
	case how == asGlobal:
		g.Why = by + " comes first, and OpenCode takes no other."
	default:
		g.Why = by + " hides it: OpenCode takes the first of the names AGENTS.md, CLAUDE.md and CONTEXT.md that it " +
			"finds, and no other."
	}
	return g
}

func (r *reading) add(g instructions.Given) {
	if g.Path == filepath.Join(r.m.home, ".claude", "CLAUDE.md") && !filestore.Within(r.Own, g.Path) {
		g.Fixed = "It is Claude Code's own: change it in the store of Claude Code."
	}
	r.Given = append(r.Given, g)
}

// addNested adds the files of folders below: the first name of each comes with a read. What sessions that start
// there are given besides, because settings there name it, no session here gets.
func (r *reading) addNested(ctx context.Context) {
	if r.Most == 0 || r.Dir == "" {
		return
	}
	settings := r.m.settingsNames()
	wanted := instructions.WantNames(append(settings[:], instructionNames...)...)
	found := instructions.Below(ctx, r.folder, r.Most, wanted)
	r.Gap = found.Gap
	for _, in := range found.Folders(r.folder) {
		r.addFolder(in)
		isSettings := func(name string) bool { return slices.Contains(in.Names, name) }
		if slices.ContainsFunc(settings[:], isSettings) {
			r.addFrom(in.Dir)
		}
	}
}

// addFolder adds the instruction files of one folder below.
func (r *reading) addFolder(in instructions.Folder) {
	first := ""
	for _, name := range instructionNames {
		path := filepath.Join(in.Dir, name)
		switch {
		case !slices.Contains(in.Names, name):
		case r.has(path):
			first = path
		case !slices.Contains(r.m.names(), name):
			r.add(r.hiddenFile(path, kindNested, r.m.claudeSwitch()))
		case first != "":
			r.add(r.hiddenFile(path, kindNested, first))
		default:
			first = path
			g := r.file(path, kindNested, memory.WithFile)
			g.Goes = "with a read of a file in or below its folder"
			if winner := r.hidingFile(path); winner != "" {
				g.Notes = append(g.Notes, "A session that starts in its folder does not get it: "+winner+" wins.")
			}
			r.add(g)
		}
	}
}

// addFrom adds what settings in a folder below name.
func (r *reading) addFrom(dir string) {
	if filepath.Base(dir) == ".opencode" {
		dir = filepath.Dir(dir)
	}
	there := r.m.opening(dir)
	for _, f := range there.files {
		isKnown := func(g instructions.Given) bool { return g.Path == f.path }
		if f.how == asConfig && !slices.ContainsFunc(r.Given, isKnown) {
			g := r.file(f.path, kindNested, memory.Never)
			g.Record, g.By, g.Text, g.Elsewhere = kindConfig, f.by.from, "", true
			g.Why = "It is read by sessions that start in " + dir + ": their settings name it by “" + f.by.text + "”."
			r.add(g)
		}
	}
}

// hidingFile returns the file that hides path from a session that starts in its folder.
func (r *reading) hidingFile(path string) string {
	o := opening{folder: filepath.Dir(path)}
	o.root, o.git = r.m.worktree(o.folder)
	o.project(r.m)
	for _, h := range o.hidden {
		if h.path == path {
			return h.by
		}
	}
	return ""
}

// modelMemory returns the memory file of a project that some models are told to keep, or "" if there is
// none or an entry names it.
func (o *opening) modelMemory(project string) string {
	path := filepath.Join(project, filepath.FromSlash(memoryFile))
	if !isFile(path) || o.has(path) {
		return ""
	}
	return path
}

// neverSent is why a session is not given the memory file that some models are told to keep.
const neverSent = "Some models are told to keep their memory here, and OpenCode never sends it: no pattern of instructions names it."

// Codes of what is odd about files.
const (
	oddHidden = "hidden"
	oddEmpty  = "empty-hides"
)

// countHidden says of each empty file how many it hides.
func (r *reading) countHidden() {
	for i := range r.Given {
		g := &r.Given[i]
		isFirst := g.Record == kindInstructions || isNested(g)
		if !isFirst || g.File.Problem != nil || g.File.Text != "" {
			continue
		}
		hides := 0
		for k := range r.Given {
			if isHiddenBy(&r.Given[k], g) {
				hides++
			}
		}
		if hides > 0 {
			g.Odd, g.Problem = oddEmpty, emptyHides(g.Path, hides)
		}
	}
}

// isNested reports whether a file comes with a read.
func isNested(g *instructions.Given) bool { return g.How == kindNested && g.Record == "" }

// isHiddenBy reports whether an empty file hides another one: one of another name in its folder, above it or below it.
func isHiddenBy(other, g *instructions.Given) bool {
	from, to := filepath.Dir(other.Path), filepath.Dir(g.Path)
	isLost := other.Record == kindHidden && strings.HasPrefix(other.Why, g.Path+" ")
	comesLater := isNested(other) && g.Record == kindInstructions
	return (isLost || comesLater) && filepath.Base(other.Path) != filepath.Base(g.Path) &&
		(filestore.Within(to, from) || filestore.Within(from, to))
}

func emptyHides(path string, hides int) *memory.Problem {
	return &memory.Problem{
		Code: "empty-hides",
		What: fmt.Sprintf(
			"This empty %s hides %s: the name wins, and then adds nothing.",
			filepath.Base(path),
			memory.Counted(hides, "file"),
		),
		Hint: "delete it, or write into it what the hidden files say",
	}
}

// startPiece returns the piece for a file.
func startPiece(f found) piece {
	file := filestore.Read(f.path, instructions.MostFile)
	p := piece{name: f.how, path: f.path, text: strings.TrimPrefix(jstext.DecodeString(file.Text), "\ufeff")}
	switch {
	case f.by.text != "":
		p.note = "named by " + f.by.text
	case file.Cut:
		p.note = fmt.Sprintf("first 512 KiB of %d bytes; OpenCode sends all", file.Size)
	}
	return p
}

// blocks returns the part of the system prompt that comes from instructions.
func (r *reading) blocks(id func(string) memory.ID) []memory.Block {
	var pieces []piece
	for _, f := range r.opening.files {
		pieces = append(pieces, startPiece(f))
	}
	for _, u := range r.urls {
		pieces = append(
			pieces, piece{name: "address", path: u.text, unread: true, note: "not read: Winnow makes no network call"},
		)
	}
	return []memory.Block{joined(id, "", pieces, "\n", "").Block(systemPrompt, "instructions")}
}

// withReads returns a function that returns what comes with a read of a file, unless it came before.
func (r *reading) withReads() func(target string, id func(string) memory.ID) memory.Block {
	already := map[string]bool{}
	return func(target string, id func(string) memory.ID) memory.Block {
		if r.folder == "" {
			return memory.Block{}
		}
		var pieces []piece
		for _, path := range r.nested(r.m, target, already) {
			pieces = append(pieces, startPiece(found{path: path, how: "nested instructions"}))
		}
		name := target
		if rel, err := filepath.Rel(r.folder, target); err == nil && filepath.IsLocal(rel) {
			name = filepath.ToSlash(rel)
		}
		b := joined(id, reminderBegin, pieces, "\n\n", reminderEnd).Block(toolResult, "end of the read of "+name)
		if len(b.Parts) == 0 {
			return memory.Block{}
		}
		return b
	}
}

// heading comes before each text of instructions, followed by its path and a line end.
const heading = "Instructions from: "

// The block of nested instructions at the end of what the read tool returns.
const (
	reminderBegin = "<system-reminder>\n"
	reminderEnd   = "\n</system-reminder>"
)

// piece is one text of instructions.
type piece struct {
	name, path string
	text       string // empty: the piece is left out
	note       string
	// unread is set for an entry that is fetched: it is named, but its text is unknown.
	unread bool
}

// joined returns the text made of the pieces. Pieces without a text are left out. Unread ones
// become empty parts.
func joined(id func(string) memory.ID, before string, pieces []piece, between, after string) *instructions.Text {
	all := &instructions.Text{ID: id}
	all.WriteString(before)
	for _, p := range pieces {
		text := heading + p.path + "\n" + p.text
		switch {
		case p.unread:
			text = ""
		case p.text == "":
			continue
		case all.Len() > len(before):
			all.WriteString(between)
		}
		all.Add(memory.Part{Name: p.name, Path: p.path, Note: p.note}, text)
	}
	all.WriteString(after)
	return all
}
