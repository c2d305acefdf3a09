package kimchi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
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
	"winnow/core/systems/instructions"
)

// mostFiles is the number of entries of an agent's folder that are looked at.
const mostFiles = 2000

// kindIndex is the kind of MEMORY.md. The kind of any other file is its type.
const kindIndex = "index"

// agentStore is the folder in which Kimchi keeps one agent's memory: MEMORY.md, which is injected,
// and files that the agent reads when it wants to. Neither Kimchi nor its agents lock these files.
type agentStore struct {
	instructions.Store
	running func() []memory.Running
}

var (
	_ system.Store       = (*agentStore)(nil)
	_ system.Snapshotter = (*agentStore)(nil)
	_ system.Summarizer  = (*agentStore)(nil)
	_ system.Recaller    = (*agentStore)(nil)
	_ system.Watched     = (*agentStore)(nil)
	_ system.Composer    = (*agentStore)(nil)
	_ system.Writer      = (*agentStore)(nil)
)

// openAgent returns the store of an agent's folder at an absolute path. The folder need not exist.
func openAgent(path string, now func() time.Time, running func() []memory.Running) *agentStore {
	s := &agentStore{running: running}
	s.Place, s.Scope, _ = agentPlace(path)
	s.Product, s.Now, s.Dir, s.Disk = "Kimchi", now, path, atomicfile.OS()
	s.Gather, s.Read, s.Usable, s.Refuse = s.gather, readHead, s.whyUnusable, s.refuse
	s.Empty = memory.Problem{
		Code: "empty",
		What: "This agent has no memory yet: its folder is empty.",
		Hint: "files appear when the agent keeps something",
	}
	return s
}

// Info implements [system.Store].
func (s *agentStore) Info() system.Info {
	info := s.Store.Info()
	info.Similar, info.Companions, info.NewID = compare.Similar, s.companions, nil // Decode tells the ID
	return info
}

// isLink reports whether path is a symbolic link.
func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// linkProblem returns what Kimchi says about a folder that is a link, or nil.
func (s *agentStore) linkProblem() *memory.Problem {
	return system.Refuse(isLink(s.Dir), "is-link", "Refusing to use symlinked memory directory: "+s.Dir,
		"Kimchi refuses it: put the folder itself there; an agent that only reads gets nothing of it")
}

// whyUnusable returns why the folder cannot be used if Kimchi has its own words for that, and nil
// otherwise.
func (s *agentStore) whyUnusable() *memory.Problem {
	_, err := os.Lstat(s.Dir)
	return cmp.Or(s.linkProblem(), system.Refuse(
		errors.Is(err, fs.ErrNotExist),
		quietread.CodeMissing,
		"This agent has no memory yet: its folder does not exist.",
		"it appears when an agent with the tools to write starts",
	))
}

// refuse returns why a file cannot be added or changed.
func (s *agentStore) refuse(id memory.ID, _ *memory.Change) *memory.Problem {
	name := string(id)
	return cmp.Or(
		s.linkProblem(),
		system.Refuse(
			!isNote(name),
			"bad-name",
			"A file of an agent's memory is called with letters, digits, dots, - and _, and ends in .md.",
			"choose another name",
		),
		system.Refuse(
			isLink(filepath.Join(s.Dir, name)),
			"is-link",
			name+" is a link to another file, and Kimchi ignores such an index.",
			"change the file that it leads to",
		),
	)
}

// isNote reports whether a file is part of an agent's memory, by its name.
func isNote(name string) bool {
	return strings.HasSuffix(name, ".md") && !strings.HasPrefix(name, ".") && !strings.ContainsAny(name, "/\\\x00\n")
}

// index returns what Kimchi reads as the index. A link or an unreadable file gives "".
func (s *agentStore) index() string {
	path := filepath.Join(s.Dir, memoryFile)
	if isLink(s.Dir) || isLink(path) {
		return ""
	}
	return jstext.DecodeString(filestore.Read(path, instructions.MostFile).Text)
}

// gather finds the files, MEMORY.md first.
func (s *agentStore) gather(context.Context, int) (c instructions.Contents, err error) {
	entries, cut, _ := filestore.Names(s.Dir, mostFiles)
	index := s.index()
	text, lines := injectedIndex(index)
	others := 0
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() || !isNote(name) {
			others++
			continue
		}
		it := s.item(name)
		if name == memoryFile {
			it.Kind = kindIndex
			it.Notes = system.Notes(
				system.Say(lines > mostLines, fmt.Sprintf("Only the first 200 of its %d lines are injected.", lines)),
			)
			c.Items = slices.Insert(c.Items, 0, it)
			continue
		}
		if it.Unseen = !strings.Contains(text, name); it.Unseen {
			it.Notes = append(
				it.Notes,
				"What is injected of MEMORY.md does not name it: the agent learns of it only by looking into the folder.",
			)
		}
		c.Items = append(c.Items, it)
	}
	c.Running = s.running()
	c.Scopes = []memory.Scope{{Name: s.Scope, Records: len(c.Items)}}
	c.Start = annotate.SizeOf(s.block(index, true).Text)
	if index == "" {
		lines = 0
	}
	c.Usage = []memory.Usage{{Name: "index lines", Used: lines, Limit: mostLines}}
	c.Health = s.health(&c, index, others, cut)
	return c, nil
}

// item returns a file of the folder. It does not follow a link.
func (s *agentStore) item(name string) instructions.Item {
	path := filepath.Join(s.Dir, name)
	it := instructions.Item{Path: path, File: filestore.Read(path, instructions.MostFile)}
	if isLink(path) {
		it.File = filestore.File{Path: path, Problem: &memory.Problem{
			Code: "is-link",
			What: "This is a link to another file. It was not followed.",
			Hint: "put the file itself there",
		}}
		it.Fixed = it.File.Problem.What
	} else if it.File.Cut {
		it.Fixed = "The file is too long to be changed here."
	}
	head := filestore.ParseFrontMatter(it.File.Text)
	for _, f := range head.Fields {
		it.Facts = append(it.Facts, memory.Fact{Name: f.Key, Text: f.Value})
	}
	it.Notes = system.Notes(
		system.Say(
			!head.Is && it.Fixed == "",
			"It has no head with name, description and type, as Kimchi asks its agents to write.",
		),
	)
	return it
}

// companions implements [system.Info.Companions]. When a file is deleted, the index lines that link
// to it and to nothing else are deleted with it.
func (s *agentStore) companions(records []memory.Record, changes []memory.Change) ([]memory.Change, []string) {
	at := slices.IndexFunc(records, func(r memory.Record) bool { return r.ID == memoryFile && r.Fixed == "" })
	if at < 0 || slices.ContainsFunc(changes, func(ch memory.Change) bool { return ch.ID == memoryFile }) {
		return nil, nil // a person's own change of the index wins
	}
	kept := func(link string) bool {
		return !slices.ContainsFunc(
			changes,
			func(ch memory.Change) bool { return ch.Do == memory.Deleting && string(ch.ID) == link },
		)
	}
	index := &records[at]
	after, n := "", 0
	for line := range strings.Lines(index.Raw) {
		if links := linksOf(line); len(links) > 0 && !slices.ContainsFunc(links, kept) {
			n++
		} else {
			after += line
		}
	}
	if n == 0 {
		return nil, nil
	}
	changed := s.Decode(after)
	changed.ID, changed.File, changed.Kind = index.ID, index.File, index.Kind
	return []memory.Change{system.Companion(index, changed, "")},
		[]string{"Lines of MEMORY.md that link only to what is deleted go with it: " + strconv.Itoa(n) + "."}
}

// linksOf returns the targets of the links in a text: [title](file).
func linksOf(text string) (all []string) {
	for _, part := range strings.Split(text, "](")[1:] {
		if link, _, ok := strings.Cut(part, ")"); ok {
			all = append(all, strings.TrimPrefix(link, "./"))
		}
	}
	return all
}

// health returns what there is to say about the folder. others is the number of entries that are
// not notes.
func (s *agentStore) health(c *instructions.Contents, index string, others int, cut bool) []memory.Health {
	_, lines := injectedIndex(index)
	unseen := c.Lines(func(it *instructions.Item) bool { return it.Unseen && index != "" })
	dangling := slices.DeleteFunc(linksOf(index), func(link string) bool {
		return !isNote(link) || c.Has(filepath.Join(s.Dir, link))
	})
	return []memory.Health{
		system.When(
			lines > mostLines,
			"index-cut",
			memory.Warn,
			0,
			fmt.Sprintf(
				"MEMORY.md has %d lines, the empty one behind its last line end included; the agent gets the first 200",
				lines,
			),
			"shorten the index",
		),
		system.When(
			index == "",
			"no-index",
			memory.Note,
			0,
			"there is no MEMORY.md, or it is empty: the agent is told that it has no memory, and reads none of the files by itself",
			"write an index that names them",
		),
		system.OnLines(
			unseen,
			"not-indexed",
			memory.Note,
			fmt.Sprintf(
				"files that what is injected of MEMORY.md does not name: %d",
				len(unseen),
			),
			"name them there, or delete them",
		),
		system.When(
			len(dangling) > 0,
			"dangling",
			memory.Note,
			0,
			fmt.Sprintf(
				"files that MEMORY.md links to and that do not exist: %d",
				len(dangling),
			),
			"take their lines out of the index",
		),
		system.When(others > 0, "others", memory.Note, 0,
			fmt.Sprintf("entries of the folder that are no .md files: %d; they are not shown", others), "nothing"),
		system.When(cut, "too-many", memory.Warn, 0,
			"there are more files than 2,000: the rest is not shown", "look at the folder with another program"),
	}
}

// block returns the block for an agent that may write, or for one that may not, with this index.
func (s *agentStore) block(index string, writable bool) memory.Block {
	name := "Agent Memory" + system.Say(!writable, " (read-only)")
	text, at := agentBlock(s.Dir, s.Scope, index, writable)
	if index == "" {
		return annotate.Block(where, name, text)
	}
	body, lines := injectedIndex(index)
	return annotate.Block(where, name, text, memory.Part{
		Name: memoryFile, ID: memoryFile, Path: filepath.Join(s.Dir, memoryFile), Start: at, End: at + len(body),
		Note: system.Say(lines > mostLines, fmt.Sprintf("first 200 of %d lines", lines)),
	})
}

// Recall implements [system.Recaller]. Nothing is selected: the index is injected when the agent
// starts.
func (s *agentStore) Recall(ctx context.Context, t memory.Task) (memory.Recall, error) {
	index := s.index()
	r := memory.Recall{Task: t, Also: []memory.Block{s.block(index, false)}}
	if r.Stop = s.linkProblem(); r.Stop != nil {
		return r, ctx.Err()
	}
	r.Block = s.block(index, true)
	r.Prompt = r.Block
	if index != "" {
		s.Hit(&r, filepath.Join(s.Dir, memoryFile), kindIndex, index)
	} else {
		r.Empty = "There is no MEMORY.md with text in it, so the agent is told that it has no memory yet."
	}
	notes := slices.DeleteFunc(
		filestore.Below(fs.FileMode.IsRegular, s.Dir),
		func(path string) bool { return !isNote(filepath.Base(path)) },
	)
	r.Searched = len(notes)
	others := r.Searched - r.Found
	r.Notes = system.Notes(
		"An agent with the tool write or edit gets the first block. Any other agent gets the read-only block instead.",
		system.Say(others > 0, fmt.Sprintf("Files that the agent reads only when it wants to: %d.", others)),
	)
	return r, ctx.Err()
}
