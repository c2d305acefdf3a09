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
func (s *AgentStore) records(c *contents) []memory.Record {
	index, lines := injected(c.index())
	var all []memory.Record
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
	ch := memory.Change{Do: memory.Editing, Companion: true, ID: index.ID, Record: *index, Before: index.Raw, After: after, Line: index.Line}
	ch.Edited = s.record(memoryFile, after)
	ch.Edited.Line = index.Line
	what := "The line of MEMORY.md that links to what is deleted goes with it."
	if n > 1 {
		what = fmt.Sprintf("%d lines of MEMORY.md that link to what is deleted go with it.", n)
	}
	return []memory.Change{ch}, []string{what}
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
func linksOf(text string) []string {
	var all []string
	for _, part := range strings.Split(text, "](")[1:] {
		if link, _, ok := strings.Cut(part, ")"); ok {
			all = append(all, strings.TrimPrefix(link, "./"))
		}
	}
	return all
}
