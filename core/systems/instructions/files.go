package instructions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"winnow/core/annotate"
	"winnow/core/atomicfile"
	"winnow/core/charset"
	"winnow/core/filestore"
	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/system"
)

// Files is the part of a store in which each record is a whole text file, in a folder or below it.
// It defines what such a record is, how it is edited and how it is written. A record's ID is its
// path in the folder. Files implements [system.Composer] and [system.Writer].
type Files struct {
	system.Whole
	Dir   string // with symbolic links resolved
	Scope string // the scope of every record; may be empty
	// Names are the files that an agent reads in Dir. A new file gets the first one unless the
	// person names it; if Names is empty, a new file needs a name. Example shows what another name
	// could be: "web/AGENTS.md, for the files of the folder web".
	Names   []string
	Example string
	// Read completes a record whose body is the whole text of its file, if the product reads more
	// out of that text. May be nil.
	Read func(r *memory.Record)
	// Usable returns why the folder cannot be used, in the product's own words, or nil. May be nil.
	Usable func() *memory.Problem
	// Elsewhere reports whether there are files of the store in other folders, so that it is one without
	// Dir. May be nil.
	Elsewhere func() bool
	// Refuse returns why a file cannot be added or changed. It is nil if every file in Dir can be.
	Refuse func(id memory.ID, ch *memory.Change) *memory.Problem
	Disk   atomicfile.Disk

	may func(path string) error // of Confine; nil before
}

// Item is one file of a store.
type Item struct {
	Path, Kind string
	Title      string // empty: the first line of its text
	Scope      string // empty: that of the store
	Goes       string // which sessions get it; may be empty
	// Imports are the files that it pulls into its text. Imported files that lie in the folder are
	// listed too.
	Imports []string
	File    filestore.File
	Facts   []memory.Fact
	Notes   []string
	Fixed   string // why it cannot be changed; empty when it can
	Unseen  bool   // no session is given it
	Problem *memory.Problem
}

// ID returns the record ID of a file: its path relative to the folder or, for a file elsewhere, its
// whole path.
func (s *Files) ID(path string) memory.ID {
	if rel, err := filepath.Rel(s.Dir, path); err == nil && filepath.IsLocal(rel) {
		return memory.ID(filepath.ToSlash(rel))
	}
	return memory.ID(path)
}

// record returns the record of an item. line is its position in the store.
func (s *Files) record(it *Item, line int) memory.Record {
	r := s.decode(it.File.Text, it.Title)
	r.ID, r.Line, r.File, r.Fixed, r.Problem, r.Notes = s.ID(it.Path), line, it.Path, it.Fixed, it.Problem, it.Notes
	r.Kind, r.Scope = cmp.Or(it.Kind, r.Kind), cmp.Or(it.Scope, s.Scope)
	if r.Title == "" {
		r.Title = filepath.ToSlash(string(r.ID))
	}
	r.RawLen = int(max(it.File.Size, int64(len(r.Raw))))
	if at := it.File.ModTime; !at.IsZero() {
		r.Created = memory.Moment{Text: at.UTC().Format("2006-01-02T15:04:05Z"), Time: at}
	}
	if it.File.Problem != nil {
		r.Problem = it.File.Problem
		r.Flags |= memory.FlagDamaged
	}
	if it.Unseen {
		r.Flags |= memory.FlagUnseen
	}
	annotate.Mark(&r)
	size := annotate.SizeOf(r.Body)
	link, _ := os.Readlink(it.Path) // most files are not links
	r.Facts = append(
		r.Facts,
		system.Facts(
			slices.Concat(
				[]memory.Fact{{Name: "goes to", Text: it.Goes}, {Name: "imports", Text: s.names(it.Imports)}},
				it.Facts,
				[]memory.Fact{
					{
						Name: "size",
						Text: fmt.Sprintf(
							"%d bytes, about %d to %d tokens",
							it.File.Size,
							size.TokensLow,
							size.TokensHigh,
						),
					},
					{Name: "link to", Text: link}},
			)...)...)
	return r
}

// names returns the record IDs of the files at paths.
func (s *Files) names(paths []string) string {
	var all []string
	for _, path := range paths {
		all = append(all, string(s.ID(path)))
	}
	return strings.Join(slices.Compact(all), ", ")
}

// Decode implements [system.Composer]. The record's ID comes from NameOf, since the text does not
// hold the file's name.
func (s *Files) Decode(stored string) memory.Record {
	r := s.decode(stored, "")
	annotate.Mark(&r)
	return r
}

// decode returns a record before its marks are set: its name can hold a secret as well.
func (s *Files) decode(stored, title string) memory.Record {
	r := memory.Record{Body: jstext.DecodeString(stored), Raw: stored, Scope: s.Scope}
	if s.Read != nil {
		s.Read(&r)
	}
	r.Title = cmp.Or(title, r.Title, annotate.Title(r.Body))
	return r
}

// Compose implements [system.Composer]. Only the text can be set.
func (s *Files) Compose(stored string, e memory.Edit) (string, error) {
	switch {
	case e.Raw != nil:
		return *e.Raw, nil
	case e.Title != nil && *e.Title != annotate.Title(jstext.DecodeString(stored)),
		e.Outcome != nil,
		e.Tools != nil,
		e.Count != nil,
		e.Kind != nil,
		e.Scope != nil:
		return "", &memory.Problem{
			Code: "only-text",
			What: "This file has nothing but its text.",
			Hint: "set the body; its first line is what is shown as the title",
		}
	case e.Body == nil:
		return stored, nil
	}
	return *e.Body, nil
}

// NameOf implements [system.Info.NewID]. It returns the name that the person chose, or else the
// first of Names.
func (s *Files) NameOf(records []memory.Record, _ string, e memory.Edit) (memory.ID, error) {
	var id memory.ID
	switch {
	case e.Name != nil:
		id = memory.ID(filepath.ToSlash(*e.Name))
	case len(s.Names) > 0:
		id = memory.ID(s.Names[0])
	}
	taken := slices.ContainsFunc(records, func(r memory.Record) bool { return r.ID == id })
	switch {
	case taken && e.Name == nil:
		return "", s.noName()
	case taken:
		return "", &memory.Problem{
			Code: "same-id",
			What: "There is a file of this name already.",
			Hint: "edit that, or choose another name",
		}
	}
	_, err := s.path(id, &memory.Change{Do: memory.Adding, ID: id})
	return id, err
}

func (s *Files) noName() *memory.Problem {
	p := &memory.Problem{Code: "no-name", What: "A new file needs a name.", Hint: "name it: " + s.Example}
	if len(s.Names) > 0 {
		p.What = "A new file needs a name, since there is " + s.Names[0] + " already."
	}
	return p
}

const formName = "file name:"

// Form implements [system.Composer]. The form is the text itself; a new file also has a line for
// its name at the top.
func (s *Files) Form(stored string) string {
	if stored == "" {
		return formName + " \n\n"
	}
	return charset.Narrow(stored)
}

// splitForm separates the line with the name from the rest of a form.
func splitForm(form string) (name, text string) {
	line, rest, _ := strings.Cut(form, "\n")
	name, named := strings.CutPrefix(line, formName)
	if !named {
		return "", form
	}
	return strings.TrimSpace(name), strings.TrimPrefix(strings.TrimPrefix(rest, "\r"), "\n")
}

// ParseForm implements [system.Composer].
func (s *Files) ParseForm(stored, form string) (memory.Edit, error) {
	switch {
	case form == s.Form(stored):
		return memory.Edit{}, nil
	case stored != "":
		return memory.Edit{Body: &form}, nil
	}
	name, text := splitForm(form)
	e := memory.Edit{Body: &text}
	if name != "" {
		e.Name = &name
	}
	return e, nil
}

// Unite implements [system.Composer]. It joins the texts one after another.
func (s *Files) Unite(stored []string, e memory.Edit) (string, error) {
	if e.Body != nil || e.Raw != nil {
		return s.Compose("", e)
	}
	var texts []string
	for _, text := range stored {
		texts = append(texts, strings.TrimSuffix(text, "\n")+"\n")
	}
	return strings.Join(texts, "\n"), nil
}

// Redact implements [system.Composer].
func (s *Files) Redact(stored string, redaction memory.Redaction) (string, int) {
	return annotate.Redact(stored, redaction)
}

// path returns the path of a record's file.
func (s *Files) path(id memory.ID, ch *memory.Change) (string, error) {
	if id == "" {
		return "", s.noName()
	}
	rel := filepath.FromSlash(string(id))
	if ch.Do != memory.Adding && filepath.IsAbs(rel) && s.isNamed(rel) {
		return rel, nil
	}
	elements := strings.Split(filepath.Clean(rel), string(filepath.Separator))
	if !filepath.IsLocal(rel) || filepath.Clean(rel) == "." || strings.ContainsRune(rel, 0) ||
		slices.Contains(elements, ".git") {
		return "", &memory.Problem{
			Code: "outside",
			What: "This file is not one of the folder, so it is not changed from here.",
			Hint: "change it where it belongs",
		}
	}
	if s.Refuse != nil {
		if p := s.Refuse(id, ch); p != nil {
			return "", p
		}
	}
	return filepath.Join(s.Dir, rel), nil
}

func (s *Files) writer() filestore.Writer {
	return filestore.Writer{
		// the mode that an editor gives: the file is meant to be committed
		Disk: s.Disk, Path: s.path, Mode: 0o644,
		Decode: func(id memory.ID, stored string) memory.Record {
			r := s.decode(stored, "")
			r.ID = id
			annotate.Mark(&r)
			return r
		},
	}
}

// missing returns why the folder cannot be read, or nil.
func (s *Files) missing() *memory.Problem {
	if s.Usable != nil {
		if p := s.Usable(); p != nil {
			return p
		}
	}
	info, err := os.Stat(s.Dir)
	switch {
	case errors.Is(err, fs.ErrNotExist) && s.Elsewhere != nil && s.Elsewhere():
		return nil
	case err != nil:
		return quietread.Reworded(quietread.Problem(err), map[string]memory.Problem{quietread.CodeMissing: {
			What: "The folder does not exist.", Hint: "check the path",
		}})
	case !info.IsDir():
		return &memory.Problem{
			Code: "no-folder",
			What: "Expected a project folder, got a file.",
			Hint: "name the folder of the project",
		}
	}
	return nil
}

// CanWrite implements [system.Writer]. A missing folder is no obstacle: a write creates it.
func (s *Files) CanWrite() error {
	if p := s.missing(); p != nil && p.Code != quietread.CodeMissing {
		return p
	}
	if err := filestore.CanWrite(s.Disk, s.Dir); err != nil {
		return err
	}
	var last error
	for _, name := range s.Names {
		path := filepath.Join(s.Dir, name)
		if _, err := os.Lstat(path); err != nil {
			continue
		}
		if last = atomicfile.CanReplace(s.Disk, path); last == nil {
			return nil // one changeable file is enough
		}
	}
	return last
}

// Confine implements [system.Confined].
func (s *Files) Confine(may func(path string) error) {
	s.Disk, s.may = atomicfile.Confined(s.Disk, may), may
}

// isNamed reports whether a file outside of the folder may be changed from here, since the person named it
// or the folder that it is in.
func (s *Files) isNamed(path string) bool {
	return s.may != nil && s.may(system.Resolved(path)) == nil
}

// Write implements [system.Writer]. No agent locks these files, so anything it wrote meanwhile is a
// conflict.
func (s *Files) Write(ctx context.Context, w system.Write) (system.Written, error) {
	return s.writer().Write(ctx, w)
}

// Recover implements [system.Writer].
func (s *Files) Recover(ctx context.Context, staged system.Staged) (bool, error) {
	return s.writer().Recover(ctx, staged)
}
