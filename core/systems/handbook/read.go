package handbook

import (
	"cmp"
	"context"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"winnow/core/filestore"
	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/quietread"
)

// Limits of what is read. The agent has none, but for the bodies that it writes.
const (
	mostFiles = 20_000
	mostBytes = 1 << 20  // of one file
	mostInAll = 64 << 20 // of all files together
	maxBody   = 4096     // of what the agent writes, in bytes
)

const (
	ending    = ".md"
	indexName = "MEMORY.md"
)

// isMemory reports whether the agent reads a file of that name.
func isMemory(name string) bool { return strings.HasSuffix(name, ending) && name != indexName }

// file is one file of the folder.
type file struct {
	filestore.File
	name  string // as JavaScript has it
	note  note
	sound bool // it is a memory
	twin  bool // another one has the same name in its header
}

// dir is a folder as it was read.
type dir struct {
	path  string
	files []file // the index first, if it is there
	index *file
	filestore.Contents
}

// read reads the folder. What cannot be read of it is in its files.
func (s *Store) read(ctx context.Context) (*dir, *memory.Problem) {
	d := &dir{path: s.path}
	d.Contents = filestore.Folder{
		Path: s.path, Most: mostFiles, MostFile: mostBytes, MostInAll: mostInAll,
		Takes: func(e fs.DirEntry) bool { return e.Name() == indexName || isMemory(e.Name()) },
	}.Read(ctx)
	if d.Problem != nil {
		return nil, unreadable(d.Problem)
	}
	for _, f := range d.Files {
		d.add(f)
	}
	d.order()
	return d, nil
}

// unreadable says why the folder cannot be read.
func unreadable(p *memory.Problem) *memory.Problem {
	switch p.Code {
	case quietread.CodeMissing:
		p.What = "There are no memories here yet: the folder does not exist."
		p.Hint = "it appears when the agent saves its first memory, and this screen then fills by itself"
	case "no-folder":
		p.What = "This is a file, and a store is a folder of memories."
		p.Hint = "open the folder that the file is in"
	}
	return p
}

// add takes in one file.
func (d *dir) add(read filestore.File) {
	f := file{File: read, name: jstext.Decode([]byte(read.Name()))}
	if f.Problem == nil && f.name != indexName {
		f.note, f.sound = parse(jstext.Decode([]byte(f.Text)))
	}
	d.files = append(d.files, f)
}

// passed counts the files whose names are nearly those of memories.
func (d *dir) passed() (n int) {
	for _, name := range d.Others {
		if strings.HasSuffix(strings.ToLower(name), ending) || strings.HasSuffix(name, ".markdown") {
			n++
		}
	}
	return n
}

// order puts the files in the order in which the agent reads them, the index first.
func (d *dir) order() {
	slices.SortStableFunc(d.files, func(a, b file) int {
		if x, y := a.name == indexName, b.name == indexName; x != y {
			if x {
				return -1
			}
			return 1
		}
		return cmp.Or(jstext.Compare(a.name, b.name), cmp.Compare(a.Path, b.Path))
	})
	first := map[string]int{}
	for i := range d.files {
		f := &d.files[i]
		if f.name == indexName {
			d.index = f
		}
		if !f.sound {
			continue
		}
		if j, known := first[f.note.name]; known {
			f.twin, d.files[j].twin = true, true
			continue
		}
		first[f.note.name] = i
	}
}

// notes returns the memories in their order.
func (d *dir) notes() []note {
	var all []note
	for i := range d.files {
		if d.files[i].sound {
			all = append(all, d.files[i].note)
		}
	}
	return all
}

// stop returns what stops the agent from reading any memory, or nil: what has the name
// of a memory and cannot be read as a file.
func (d *dir) stop() *memory.Problem {
	for i := range d.files {
		f := &d.files[i]
		if f.name == indexName || f.Problem == nil || f.Problem.Code == filestore.CodeTooMuch {
			continue
		}
		return &memory.Problem{
			Code: "listing-fails",
			What: f.name + " is " + f.what() + ": the agent's listing fails there, so that no memory is pinned or found, and none is saved with its index.",
			Hint: "rename it so that it does not end in .md, or make it a file that can be read",
		}
	}
	return nil
}

// what says what stands there in place of a file that can be read.
func (f *file) what() string {
	switch f.Problem.Code {
	case quietread.CodeFolder:
		return "a folder"
	case quietread.CodeNotAFile:
		return "no regular file"
	case quietread.CodeUnreadable:
		return "closed to you"
	case quietread.CodeMissing, quietread.CodeLinkLoop:
		return "a link that leads nowhere"
	}
	return "not read here"
}

// derived returns the index as the agent would write it now.
func (d *dir) derived() string { return index(d.notes()) }

// facts are of the store as a whole.
func (d *dir) facts() []memory.Fact {
	pinned := len(d.notes())
	at := "in this order, one line each, at every start"
	if d.stop() != nil {
		at = "none of them: see the health of the store"
	}
	return []memory.Fact{{Name: "pinned", Text: noun().Count(pinned) + ", " + at}}
}

// health says what is odd about the folder.
func (d *dir) health() []memory.Health {
	var all []memory.Health
	add := func(code string, level memory.Level, n int, what, next string) {
		if n > 0 {
			all = append(all, memory.Health{Code: code, Level: level, What: what, Next: next, Count: n})
		}
	}
	if p := d.stop(); p != nil {
		add(p.Code, memory.Stop, 1, p.What, p.Hint)
	}
	skipped, twins, renamed, long, unread := 0, 0, 0, 0, 0
	for i := range d.files {
		f := &d.files[i]
		switch {
		case f.name == indexName:
			continue
		case !f.sound && f.Problem == nil:
			skipped++
		case f.twin:
			twins++
		}
		if f.sound && f.note.name+ending != f.name {
			renamed++
		}
		if f.Problem != nil && f.Problem.Code == filestore.CodeTooMuch {
			unread++
		} else if f.Cut {
			long++
		}
	}
	add("skipped", memory.Warn, skipped, noun().Count(skipped)+" cannot be read by the agent, which passes over them without a word.", "look at each for the reason; an edit of its raw form can mend it")
	add("same-name", memory.Warn, twins, strconv.Itoa(twins)+" memories share a name with another one: the index has the same link for both.", "keep one of them")
	add("renamed", memory.Warn, renamed, noun().Count(renamed)+" stand in a file that is not called by the name in the header: the link in the index leads elsewhere, and a correction by the agent makes another file.", "delete it and add it anew under its name")
	add("too-long", memory.Warn, long, noun().Count(long)+" are longer than is read here (1 MiB): what the agent would get of them is not told whole.", "shorten them")
	add("passed-over", memory.Note, d.passed(), strconv.Itoa(d.passed())+" files nearly have the name of a memory: only a name that ends in .md, in small letters, counts.", "rename them if they are meant to be read")
	add(filestore.CodeTooMuch, memory.Warn, unread, noun().Count(unread)+" were not read: the files have more than 64 MiB together, and what the agent would get of them is not told.", "look for what fills the folder")
	if d.Cut {
		add("too-many", memory.Warn, 1, "The folder has more than "+strconv.Itoa(mostFiles)+" entries: the rest is not shown.", "look for what fills it")
	}
	return append(all, d.indexHealth()...)
}

// indexHealth says what is odd about the index.
func (d *dir) indexHealth() []memory.Health {
	switch {
	case d.index == nil && len(d.notes()) > 0:
		return []memory.Health{{Code: "no-index", Level: memory.Note, Count: 1,
			What: "There is no index (MEMORY.md): the agent does not read it, a person may.", Next: "it comes with the next change"}}
	case d.index == nil:
		return nil
	case d.index.Problem != nil:
		return []memory.Health{{Code: "index-unreadable", Level: memory.Warn, Count: 1,
			What: "The index cannot be read or written: it is " + d.index.what() + ". Each save of the agent fails at it.", Next: "move away what stands there"}}
	case d.index.Text != d.derived():
		return []memory.Health{{Code: "stale-index", Level: memory.Note, Count: 1,
			What: "The index is not what the memories say: files were changed, added or removed by hand.", Next: "any change here or by the agent makes it anew"}}
	}
	return nil
}
