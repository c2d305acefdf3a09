package kimchi

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"winnow/core/annotate"
	"winnow/core/atomicfile"
	"winnow/core/compare"
	"winnow/core/filestore"
	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/system"
)

// Bounds of the folder of an agent.
const (
	mostFiles = 2000
	mostFile  = 1 << 20 // bytes that are read of a file
)

// kindIndex is the kind of MEMORY.md; that of other files is their type.
const kindIndex = "index"

// AgentStore is the folder in which Kimchi keeps the memory of one agent: MEMORY.md,
// which is injected, and files that the agent reads when it wants.
type AgentStore struct {
	system.Whole
	dir            string
	scope, project string
	now            func() time.Time
	running        func() []memory.Running
	files          filestore.Writer
}

var (
	_ system.Store       = (*AgentStore)(nil)
	_ system.Snapshotter = (*AgentStore)(nil)
	_ system.Summarizer  = (*AgentStore)(nil)
	_ system.Recaller    = (*AgentStore)(nil)
	_ system.Watched     = (*AgentStore)(nil)
	_ system.Composer    = (*AgentStore)(nil)
	_ system.Writer      = (*AgentStore)(nil)
	_ system.Sharer      = (*AgentStore)(nil)
)

// openAgent returns the store of the folder of an agent, which need not exist. Path is
// absolute.
func openAgent(path string, now func() time.Time, running func() []memory.Running) *AgentStore {
	scope, project, _ := agentPlace(path)
	s := &AgentStore{dir: path, scope: scope, project: project, now: now, running: running}
	const mode = 0o644 // as the agent's own tool makes a file
	s.files = filestore.Writer{
		Disk: atomicfile.OS(), Path: s.file, Roots: []string{path}, Seen: &atomicfile.Folders{}, Mode: mode,
		Decode: func(id memory.ID, stored string) memory.Record { return s.record(string(id), stored) },
	}
	return s
}

// Info implements [system.Store].
func (s *AgentStore) Info() system.Info {
	place := memory.Place{
		Store: memory.StoreID(s.dir), System: ID, Path: s.dir, Project: s.project,
		Name: s.scope + " agent " + filepath.Base(s.dir),
	}
	return system.Info{System: ID, Name: "Kimchi", Place: place, Noun: memory.Noun{One: "file", Many: "files"}, Similar: compare.Similar, Companions: s.Companions}
}

// WatchPaths implements [system.Watched].
func (s *AgentStore) WatchPaths() []string { return []string{s.dir + string(filepath.Separator)} }

// refusing returns what Kimchi says of a folder that is a link, or nil.
func (s *AgentStore) refusing() *memory.Problem {
	info, err := os.Lstat(s.dir)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return nil
	}
	return &memory.Problem{
		Code: "is-link", What: "Refusing to use symlinked memory directory: " + s.dir,
		Hint: "Kimchi refuses it: put the folder itself there; an agent that only reads gets nothing of it",
	}
}

// CanWrite implements [system.Writer].
func (s *AgentStore) CanWrite() error {
	if p := s.refusing(); p != nil {
		return p
	}
	if info, err := os.Stat(s.dir); err == nil && !info.IsDir() {
		return &memory.Problem{Code: "no-folder", What: "This is a file, and the memory of an agent is a folder.", Hint: "name the folder"}
	}
	return filestore.CanWrite(s.files.Disk, s.dir)
}

// Write implements [system.Writer]. Neither Kimchi nor its agents lock these files.
func (s *AgentStore) Write(ctx context.Context, w system.Write) (system.Written, error) {
	if err := s.CanWrite(); err != nil {
		return system.Written{}, err
	}
	return s.files.Write(ctx, w)
}

// Recover implements [system.Writer].
func (s *AgentStore) Recover(ctx context.Context, staged system.Staged) (stands bool, err error) {
	return s.files.Recover(ctx, staged)
}

// file returns the file of a record: one directly in the folder.
func (s *AgentStore) file(id memory.ID, _ *memory.Change) (string, error) {
	name := string(id)
	if name != filepath.Base(name) || !filepath.IsLocal(name) || !isNote(name) {
		return "", &memory.Problem{
			Code: "bad-name", What: "A file of an agent's memory is called with letters, digits, dots, - and _, and ends in .md.",
			Hint: "choose another name",
		}
	}
	path := filepath.Join(s.dir, name)
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return "", &memory.Problem{Code: "is-link", What: name + " is a link to another file, and Kimchi ignores such an index.", Hint: "change the file that it leads to"}
	}
	return path, nil
}

// isNote reports whether a file is one of an agent's memory by its name.
func isNote(name string) bool {
	return strings.HasSuffix(name, ".md") && !strings.HasPrefix(name, ".") && !strings.ContainsAny(name, "/\\\x00\n")
}

// contents is the folder as it was read, MEMORY.md before all other files.
type contents struct{ filestore.Contents }

// look reads the folder.
func (s *AgentStore) look(ctx context.Context) contents {
	c := contents{filestore.Folder{
		Path: s.dir, Most: mostFiles, MostFile: mostFile, NoLinks: true,
		Takes: func(e fs.DirEntry) bool { return isNote(e.Name()) && !e.IsDir() },
	}.Read(ctx)}
	c.Problem = quietread.Reworded(c.Problem, map[string]memory.Problem{quietread.CodeMissing: {
		What: "This agent has no memory yet: its folder does not exist.",
		Hint: "it appears when an agent with the tools to write starts",
	}})
	if p := s.refusing(); p != nil {
		c.Contents = filestore.Contents{Problem: p}
	}
	slices.SortStableFunc(c.Files, func(a, b filestore.File) int {
		return cmp.Compare(notIndex(a), notIndex(b))
	})
	return c
}

// notIndex is 0 for the file MEMORY.md and 1 for others.
func notIndex(f filestore.File) int {
	if f.Name() == memoryFile {
		return 0
	}
	return 1
}

// index returns what Kimchi reads as the index: nothing of a link or of what cannot be
// read.
func (c *contents) index() string {
	if len(c.Files) == 0 || c.Files[0].Name() != memoryFile || c.Files[0].Problem != nil {
		return ""
	}
	return jstext.Decode([]byte(c.Files[0].Text))
}

// record returns the record of a file.
func (s *AgentStore) record(name, stored string) memory.Record {
	r := memory.Record{ID: memory.ID(name), Raw: stored, File: filepath.Join(s.dir, name), Scope: s.scope}
	f := filestore.ParseFrontMatter(stored)
	r.Body = strings.TrimSuffix(jstext.Decode([]byte(stored[f.Body:])), "\n")
	r.Kind, r.Title = f.Value("type"), cmp.Or(f.Value("description"), f.Value("name"), titleOf(r.Body), name)
	if name == memoryFile {
		r.Kind, r.Title = kindIndex, cmp.Or(titleOf(r.Body), name)
	} else if !f.Is {
		r.Notes = append(r.Notes, "It has no head with name, description and type, as Kimchi asks its agents to write.")
	}
	r.Facts = append(r.Facts, memory.Fact{Name: "file", Text: name})
	for _, l := range f.Fields {
		r.Facts = append(r.Facts, memory.Fact{Name: l.Key, Text: l.Value})
	}
	annotate.Mark(&r)
	return r
}

// titleOf returns the first line that says something.
func titleOf(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return ""
}

// records returns the records of the folder as it was read.
func (s *AgentStore) records(c *contents) (all []memory.Record) {
	index, lines := injected(c.index())
	for i, f := range c.Files {
		name := f.Name()
		r := s.record(name, f.Text)
		r.Line = i + 1
		if f.Problem == nil && !f.ModTime.IsZero() {
			r.Created = memory.Moment{Text: f.ModTime.UTC().Format(time.RFC3339), Time: f.ModTime}
		}
		r.RawLen = max(len(r.Raw), int(f.Size))
		r.Problem = f.Problem
		if f.Problem != nil {
			r.Fixed = f.Problem.What
		} else if f.Cut {
			r.Fixed = "The file is too long to be changed here."
		}
		switch {
		case name == memoryFile && lines > mostLines:
			r.Notes = append(r.Notes, fmt.Sprintf("Only the first 200 of its %d lines are injected.", lines))
		case name != memoryFile && !strings.Contains(index, name):
			r.Flags |= memory.FlagUnseen
			r.Notes = append(r.Notes, "What is injected of MEMORY.md does not name it: the agent learns of it only by looking into the folder.")
		}
		all = append(all, r)
	}
	return all
}

// Companions is [system.Info.Companions]: with a file go the lines of the index that link
// to it and to nothing else.
func (s *AgentStore) Companions(records []memory.Record, changes []memory.Change) ([]memory.Change, []string) {
	at := slices.IndexFunc(records, func(r memory.Record) bool { return r.ID == memoryFile && r.Fixed == "" })
	if at < 0 || slices.ContainsFunc(changes, func(ch memory.Change) bool { return ch.ID == memoryFile }) {
		return nil, nil // what a person makes of the index holds
	}
	deleted := func(link string) bool {
		return slices.ContainsFunc(changes, func(ch memory.Change) bool { return ch.Do == memory.Deleting && string(ch.ID) == link })
	}
	index := &records[at]
	after, n := withoutLinks(index.Raw, deleted)
	if n == 0 {
		return nil, nil
	}
	what := "The line of MEMORY.md that links to what is deleted goes with it."
	if n > 1 {
		what = fmt.Sprintf("%d lines of MEMORY.md that link to what is deleted go with it.", n)
	}
	return []memory.Change{system.Companion(index, s.record(memoryFile, after), "")}, []string{what}
}

// withoutLinks returns an index without the lines whose links all lead to deleted files.
func withoutLinks(index string, deleted func(link string) bool) (text string, n int) {
	var out strings.Builder
	for line := range strings.Lines(index) {
		links := linksOf(line)
		if len(links) > 0 && !slices.ContainsFunc(links, func(link string) bool { return !deleted(link) }) {
			n++
			continue
		}
		out.WriteString(line)
	}
	return out.String(), n
}

// linksOf returns the files to which the links of a text lead: [title](file).
func linksOf(text string) (all []string) {
	for _, part := range strings.Split(text, "](")[1:] {
		if link, _, ok := strings.Cut(part, ")"); ok {
			all = append(all, strings.TrimPrefix(link, "./"))
		}
	}
	return all
}

// List implements [system.Store].
func (s *AgentStore) List(ctx context.Context, fn func(memory.Record) error) error {
	return system.ListSnapshot(ctx, s, fn)
}

// Snapshot implements [system.Snapshotter].
func (s *AgentStore) Snapshot(ctx context.Context, _ func(memory.Snapshot)) (memory.Snapshot, error) {
	s.files.Seen.Look(s.files.Disk, s.dir)
	c := s.look(ctx)
	if err := ctx.Err(); err != nil {
		return memory.Snapshot{}, err
	}
	snap := s.outline(&c)
	if snap.Problem == nil {
		snap.Records = s.records(&c)
		snap.Health = s.health(&c, snap.Records)
	}
	return snap, nil
}

// Summary implements [system.Summarizer].
func (s *AgentStore) Summary(ctx context.Context) (memory.Snapshot, error) {
	snap, err := s.Snapshot(ctx, nil)
	snap.Records = nil
	return snap, err
}

// outline returns what is told of the folder as a whole.
func (s *AgentStore) outline(c *contents) memory.Snapshot {
	snap := memory.Snapshot{Place: s.Info().Place, TakenAt: s.now(), Noun: s.Info().Noun, Problem: c.Problem, Total: len(c.Files), ModTime: c.ModTime, Size: c.Size}
	snap.Place.Exists = c.Problem == nil || c.Problem.Code != quietread.CodeMissing
	snap.Running = s.running()
	if c.Info != nil {
		snap.Mode = c.Info.Mode()
	}
	snap.Scopes = []memory.Scope{{Name: s.scope, Records: len(c.Files)}}
	if c.Problem != nil {
		if p := s.refusing(); p != nil {
			snap.ReadOnly = p.What
		}
		return snap
	}
	index := c.index()
	_, lines := injected(index)
	if index == "" {
		lines = 0
	}
	snap.Usage = []memory.Usage{{Name: "index lines", Used: lines, Limit: mostLines}}
	text, _ := agentBlock(s.dir, s.scope, index, true)
	snap.Start = annotate.SizeOf(text)
	if len(c.Files) == 0 {
		snap.Problem = &memory.Problem{Code: "empty", What: "This agent has no memory yet: its folder is empty.", Hint: "files appear when the agent keeps something"}
	}
	return snap
}

// health returns what is to be said of the folder.
func (s *AgentStore) health(c *contents, all []memory.Record) []memory.Health {
	index := c.index()
	_, lines := injected(index)
	var unseen []int
	for i := range all {
		if all[i].Flags&memory.FlagUnseen != 0 && index != "" {
			unseen = append(unseen, all[i].Line)
		}
	}
	dangling := len(s.dangling(c))
	return system.Report("nothing is wrong with this folder",
		system.When(lines > mostLines, "index-cut", memory.Warn, 0,
			fmt.Sprintf("MEMORY.md has %d lines, the empty one behind its last line end included; the agent gets the first 200", lines), "shorten the index"),
		system.When(index == "", "no-index", memory.Note, 0,
			"there is no MEMORY.md, or it is empty: the agent is told that it has no memory, and reads none of the files by itself",
			"write an index that names them"),
		system.OnLines(unseen, "not-indexed", memory.Note,
			fmt.Sprintf("files that what is injected of MEMORY.md does not name: %d", len(unseen)), "name them there, or delete them"),
		system.When(dangling > 0, "dangling", memory.Note, 0,
			fmt.Sprintf("files that MEMORY.md links to and that do not exist: %d", dangling), "take their lines out of the index"),
		system.When(len(c.Others) > 0, "others", memory.Note, 0,
			fmt.Sprintf("entries of the folder that are no .md files: %d; they are not shown", len(c.Others)), "nothing"),
		system.When(c.Cut, "too-many", memory.Warn, 0,
			"there are more files than 2,000: the rest is not shown", "look at the folder with another program"))
}

// dangling returns the files that the index links to, as (name.md), and that are not
// there.
func (s *AgentStore) dangling(c *contents) []string {
	return slices.DeleteFunc(linksOf(c.index()), func(link string) bool {
		return !isNote(link) || slices.ContainsFunc(c.Files, func(f filestore.File) bool { return f.Name() == link })
	})
}

// block returns the block for an agent that may write, or for one that may not, when the
// folder has the index.
func (s *AgentStore) block(index string, writable bool) memory.Block {
	name := "Agent Memory"
	if !writable {
		name += " (read-only)"
	}
	text, at := agentBlock(s.dir, s.scope, index, writable)
	if index == "" {
		return annotate.Block(where, name, text)
	}
	body, lines := injected(index)
	return annotate.Block(where, name, text, memory.Part{
		Name: memoryFile, ID: memoryFile, Path: filepath.Join(s.dir, memoryFile), Start: at, End: at + len(body),
		Note: system.Say(lines > mostLines, fmt.Sprintf("first 200 of %d lines", lines)),
	})
}

// Recall implements [system.Recaller]. Nothing is chosen: the index is injected when the
// agent starts.
func (s *AgentStore) Recall(ctx context.Context, t memory.Task) (memory.Recall, error) {
	if err := ctx.Err(); err != nil {
		return memory.Recall{}, err
	}
	c := s.look(ctx)
	index := c.index()
	r := memory.Recall{
		Task: t, Searched: len(c.Files), Limit: 1, Also: []memory.Block{s.block(index, false)},
		Notes: []string{"An agent with the tool write or edit gets the first block. Any other agent gets the read-only block instead."},
	}
	if r.Stop = s.refusing(); r.Stop != nil {
		return r, ctx.Err()
	}
	r.Block = s.block(index, true)
	r.Prompt = r.Block
	if index != "" {
		rec := s.record(memoryFile, c.Files[0].Text)
		r.Hits = []memory.Hit{{ID: rec.ID, Line: 1, Rank: 1, Recalled: true, Title: rec.Title, Body: rec.Body, Flags: rec.Flags, Secrets: rec.Secrets}}
		r.Found = 1
	} else {
		r.Empty = "There is no MEMORY.md with text in it, so the agent is told that it has no memory yet."
	}
	others := len(c.Files) - r.Found
	r.Notes = append(r.Notes, system.Notes(system.Say(others > 0, fmt.Sprintf("Files that the agent reads only when it wants to: %d.", others)))...)
	return r, ctx.Err()
}
