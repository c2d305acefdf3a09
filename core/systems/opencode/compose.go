package opencode

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"winnow/core/annotate"
	"winnow/core/atomicfile"
	"winnow/core/filestore"
	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/system"
)

// decoded returns bytes as the text that OpenCode makes of them.
func decoded(raw string) string { return jstext.Decode([]byte(raw)) }

// Compose implements [system.Composer]: all that can be set is the text.
func (s *Instructions) Compose(stored string, e memory.Edit) (string, error) {
	switch {
	case e.Raw != nil:
		return *e.Raw, nil
	case e.Title != nil && *e.Title != firstLine(decoded(stored)), e.Outcome != nil, e.Tools != nil, e.Count != nil, e.Kind != nil, e.Scope != nil:
		return "", &memory.Problem{
			Code: "only-text",
			What: "a file of instructions has nothing but its text",
			Hint: "set the body; its first line is what is shown as the title",
		}
	case e.Body == nil:
		return stored, nil
	}
	return *e.Body, nil
}

// nameOf is [system.Info.Named]: the name that the person chose, and AGENTS.md without
// one.
func (s *Instructions) nameOf(records []memory.Record, _ string, e memory.Edit) (memory.ID, error) {
	id := memory.ID("AGENTS.md")
	if e.Name != nil {
		id = memory.ID(filepath.ToSlash(*e.Name))
	}
	taken := slices.ContainsFunc(records, func(r memory.Record) bool { return r.ID == id })
	switch {
	case taken && e.Name == nil:
		return "", noName()
	case taken:
		return "", &memory.Problem{
			Code: "same-id", What: "There is a file of this name already.", Hint: "edit that, or choose another name",
		}
	}
	_, err := s.file(id, nil)
	return id, err
}

func noName() *memory.Problem {
	return &memory.Problem{
		Code: "no-name",
		What: "A new file needs a name, since there is an AGENTS.md already.",
		Hint: "name it: web/AGENTS.md, for the files of the folder web",
	}
}

// Form implements [system.Composer]: the text as it is.
func (s *Instructions) Form(stored string) string {
	if stored == "" {
		return newForm
	}
	return stored
}

// newForm is the form of a new file: a line for its name, and the text below.
const newForm = formName + " \n\n"

const formName = "file name:"

// splitForm takes the line with the name off a form.
func splitForm(form string) (name, text string) {
	line, rest, _ := strings.Cut(form, "\n")
	name, named := strings.CutPrefix(line, formName)
	if !named {
		return "", form
	}
	return strings.TrimSpace(name), strings.TrimPrefix(strings.TrimPrefix(rest, "\r"), "\n")
}

// ParseForm implements [system.Composer].
func (s *Instructions) ParseForm(stored, form string) (memory.Edit, error) {
	if form == s.Form(stored) {
		return memory.Edit{}, nil
	}
	if stored == "" {
		name, text := splitForm(form)
		e := memory.Edit{Body: &text}
		if name != "" {
			e.Name = &name
		}
		return e, nil
	}
	return memory.Edit{Body: &form}, nil
}

// Unite implements [system.Composer]: the texts one after another.
func (s *Instructions) Unite(stored []string, e memory.Edit) (string, error) {
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
func (s *Instructions) Redact(stored string, which memory.Redaction) (string, int) {
	return annotate.Redact(stored, which)
}

// fixed says why a file is not changed from here; nothing when it can be.
func (s *Instructions) fixed(it *item) string {
	switch {
	case within(s.dir, it.path):
		return ""
	case it.path == filepath.Join(s.m.home, ".claude", "CLAUDE.md"):
		return "It is Claude Code's own: change it in the store of Claude Code."
	}
	return "It lies outside of " + s.dir + ": change it where it belongs."
}

// file returns the path of the file of a record.
func (s *Instructions) file(id memory.ID, _ *memory.Change) (string, error) {
	if id == "" {
		return "", noName()
	}
	rel := filepath.FromSlash(string(id))
	elements := strings.Split(filepath.Clean(rel), string(filepath.Separator))
	if !filepath.IsLocal(rel) || filepath.Clean(rel) == "." || strings.ContainsRune(rel, 0) || slices.Contains(elements, ".git") {
		return "", &memory.Problem{
			Code: "outside",
			What: "This file is not one of the folder, so it is not changed from here.",
			Hint: "change it where it belongs",
		}
	}
	return filepath.Join(s.dir, rel), nil
}

const newFileMode = 0o644 // as an editor makes it: it is to be committed

func (s *Instructions) writer() filestore.Writer {
	return filestore.Writer{
		Disk: s.disk, Seen: &s.folders, Roots: []string{s.dir}, Path: s.file, Mode: newFileMode,
		Decode: func(id memory.ID, stored string) memory.Record {
			r := s.Decode(stored)
			r.ID = id
			return r
		},
	}
}

// CanWrite implements [system.Writer]. A folder that is missing can be made.
func (s *Instructions) CanWrite() error {
	if p := s.missing(); p != nil && p.Code != quietread.CodeMissing {
		return p
	}
	if err := filestore.CanWrite(s.disk, s.dir); err != nil {
		return err
	}
	var last error
	for _, name := range [...]string{"AGENTS.md", "CLAUDE.md", "CONTEXT.md"} {
		path := filepath.Join(s.dir, name)
		if _, err := os.Lstat(path); err != nil {
			continue
		}
		if last = atomicfile.CanReplace(s.disk, path); last == nil {
			return nil // one that can be changed will do
		}
	}
	return last
}

// Write implements [system.Writer]. OpenCode has no lock for these files: what it wrote
// meanwhile is a conflict.
func (s *Instructions) Write(ctx context.Context, w system.Write) (system.Written, error) {
	return s.writer().Write(ctx, w)
}

// Recover implements [system.Writer].
func (s *Instructions) Recover(ctx context.Context, staged system.Staged) (bool, error) {
	return s.writer().Recover(ctx, staged)
}
