package handbook

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"winnow/core/filestore"
	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/system"
)

// Limits of what is read. The agent itself limits only the bodies that it writes.
const (
	mostFiles = 20_000
	mostBytes = 1 << 20  // of one file
	mostInAll = 64 << 20 // of all files together
	maxBody   = 4096     // bytes of a body that the agent writes
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
	name      string // as JavaScript reads it
	note      note
	valid     bool // it is a valid memory
	duplicate bool // another file has the same name in its header
}

// dir is a folder as read.
type dir struct {
	path       string
	files      []file // the index first, if there is one
	index      *file
	cut        bool  // there are more entries than were looked at
	nearMisses int   // files whose names nearly look like those of memories
	size       int64 // total size of the files in bytes
	read       int   // bytes read of them
	info       fs.FileInfo
	last       time.Time // last change of the folder or of a file in it
}

// read reads the folder. Problems with single files are kept in those files.
func (s *store) read(ctx context.Context) (*dir, *memory.Problem) {
	d := &dir{path: s.path}
	entries, cut, p := filestore.Names(s.path, mostFiles)
	info, err := os.Stat(s.path)
	switch {
	case p != nil:
		return nil, quietread.Reworded(p, unreadable)
	case err != nil:
		return nil, quietread.Reworded(quietread.Problem(err), unreadable)
	}
	d.cut, d.info, d.last = cut, info, info.ModTime()
	for _, e := range entries {
		if ctx.Err() != nil {
			break
		}
		if name := e.Name(); name == indexName || isMemory(name) {
			d.add(filepath.Join(s.path, name))
		} else if strings.EqualFold(filepath.Ext(name), ending) || strings.HasSuffix(name, ".markdown") {
			d.nearMisses++
		}
	}
	d.order()
	return d, nil
}

// add reads a file of the folder, unless the files before it already reach the limit.
func (d *dir) add(path string) {
	read := filestore.Read(path, mostBytes)
	if _, err := os.Lstat(path); err != nil && read.Missing() {
		return // it was removed meanwhile
	}
	d.size += read.Size
	if d.read += len(read.Text); d.read > mostInAll && read.Problem == nil {
		read.Text, read.Problem = "", &memory.Problem{
			Code: codeTooMuch,
			What: fmt.Sprintf(
				"It was not read: the files of this folder have more than %d MiB together.",
				mostInAll>>20,
			),
			Hint: "look for what fills the folder; memories are small",
		}
	}
	if read.ModTime.After(d.last) {
		d.last = read.ModTime
	}
	f := file{File: read, name: jstext.Decode([]byte(read.Name()))}
	if f.Problem == nil && f.name != indexName {
		f.note, f.valid = parse(jstext.Decode([]byte(f.Text)))
	}
	d.files = append(d.files, f)
}

// codeTooMuch is the problem code of a file that was not read because the others reach the limit.
const codeTooMuch = "too-much"

// unreadable words the problems that mean more than usual for this folder.
var unreadable = map[string]memory.Problem{
	quietread.CodeMissing: {
		What: "There are no memories here yet: the folder does not exist.",
		Hint: "it appears when the agent saves its first memory, and this screen then fills by itself",
	},
	"no-folder": {
		What: "This is a file, and a store is a folder of memories.",
		Hint: "open the folder that the file is in",
	},
}

// count counts the files, without the index, that is accepts.
func (d *dir) count(is func(f *file) bool) (n int) {
	for i := range d.files {
		if f := &d.files[i]; f.name != indexName && is(f) {
			n++
		}
	}
	return n
}

// passedOver reports whether the agent skips the file.
func (f *file) passedOver() bool { return !f.valid && f.Problem == nil }

// order sorts the files as the agent reads them, the index first.
func (d *dir) order() {
	rank := map[bool]int{false: 1}
	slices.SortStableFunc(d.files, func(a, b file) int {
		return cmp.Or(
			rank[a.name == indexName]-rank[b.name == indexName],
			jstext.Compare(a.name, b.name),
			cmp.Compare(a.Path, b.Path),
		)
	})
	if len(d.files) > 0 && d.files[0].name == indexName {
		d.index = &d.files[0]
	}
	first := map[string]*file{}
	for i := range d.files {
		f := &d.files[i]
		if !f.valid {
			continue
		}
		if other := first[f.note.name]; other != nil {
			f.duplicate, other.duplicate = true, true
			continue
		}
		first[f.note.name] = f
	}
}

// notes returns the memories in order.
func (d *dir) notes() []note {
	all, _ := d.validNotes()
	return all
}

// stop returns what keeps the agent from reading any memory at all, or nil: something with the name
// of a memory that cannot be read as a file.
func (d *dir) stop() *memory.Problem {
	for i := range d.files {
		f := &d.files[i]
		if f.name == indexName || f.Problem == nil || f.Problem.Code == codeTooMuch {
			continue
		}
		return &memory.Problem{
			Code: "listing-fails",
			What: f.name + " cannot be read: the agent's listing fails there, so that no memory is pinned or found, and none is saved with its index.",
			Hint: "rename it so that it does not end in .md, or make it a file that can be read",
		}
	}
	return nil
}

// derivedIndex returns the index as the agent would write it now.
func (d *dir) derivedIndex() string { return index(d.notes()) }

// facts are about the store as a whole.
func (d *dir) facts() []memory.Fact {
	at := cmp.Or(
		system.Say(d.stop() != nil, "none of them: see the health of the store"),
		"in this order, one line each, at every start",
	)
	return []memory.Fact{{Name: "pinned", Text: noun().Count(len(d.notes())) + ", " + at}}
}

// health says what is odd about the folder.
func (d *dir) health() []memory.Health {
	skipped := d.count((*file).passedOver)
	duplicates := d.count(func(f *file) bool { return f.duplicate })
	renamed := d.count(func(f *file) bool { return f.valid && f.note.name+ending != f.name })
	tooMuch := func(f *file) bool { return f.Problem != nil && f.Problem.Code == codeTooMuch }
	unread := d.count(tooMuch)
	long := d.count(func(f *file) bool { return f.Cut && !tooMuch(f) })
	stops := memory.Health{}
	if p := d.stop(); p != nil {
		stops = system.When(true, p.Code, memory.Stop, 1, p.What, p.Hint)
	}
	return system.Report("", stops,
		system.When(skipped > 0, "skipped", memory.Warn, skipped,
			noun().Count(skipped)+" cannot be read by the agent, which passes over them without a word.",
			"look at each for the reason; an edit of its raw form can mend it"),
		system.When(
			duplicates > 0,
			"same-name",
			memory.Warn,
			duplicates,
			strconv.Itoa(
				duplicates,
			)+" memories share a name with another one: the index has the same link for both.",
			"keep one of them",
		),
		system.When(renamed > 0, "renamed", memory.Warn, renamed,
			noun().Count(renamed)+" stand in a file that is not called by the name in the header: "+
				"the link in the index leads elsewhere, and a correction by the agent makes another file.",
			"delete it and add it anew under its name"),
		system.When(
			long > 0,
			"too-long",
			memory.Warn,
			long,
			noun().Count(long)+
				" are longer than is read here (1 MiB): what the agent would get of them is not told whole.",
			"shorten them",
		),
		system.When(
			d.nearMisses > 0,
			"passed-over",
			memory.Note,
			d.nearMisses,
			strconv.Itoa(
				d.nearMisses,
			)+" files nearly have the name of a memory: only a name that ends in .md, in small letters, counts.",
			"rename them if they are meant to be read",
		),
		system.When(
			unread > 0,
			codeTooMuch,
			memory.Warn,
			unread,
			noun().Count(unread)+
				" were not read: the files have more than 64 MiB together, and what the agent would get of them is not told.",
			"look for what fills the folder",
		),
		system.When(
			d.cut,
			"too-many",
			memory.Warn,
			1,
			"The folder has more than "+strconv.Itoa(
				mostFiles,
			)+" entries: the rest is not shown.",
			"look for what fills it",
		),
		d.indexHealth())
}

// indexHealth says what is odd about the index. It may be empty.
func (d *dir) indexHealth() memory.Health {
	x := d.index
	switch {
	case x == nil:
		return system.When(len(d.notes()) > 0, "no-index", memory.Note, 1,
			"There is no index (MEMORY.md): the agent does not read it, a person may.", "it comes with the next change")
	case x.Problem != nil:
		return system.When(
			true,
			"index-unreadable",
			memory.Warn,
			1,
			"The index cannot be read or written. Each save of the agent fails at it.",
			"move away what stands there",
		)
	}
	return system.When(x.Text != d.derivedIndex(), "stale-index", memory.Note, 1,
		"The index is not what the memories say: files were changed, added or removed by hand.",
		"any change here or by the agent makes it anew")
}
