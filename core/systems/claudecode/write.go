package claudecode

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"winnow/core/annotate"
	"winnow/core/atomicfile"
	"winnow/core/filestore"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/system"
	"winnow/core/systems/claudecode/transcript"
	"winnow/core/systems/instructions"
)

var (
	_ system.Writer = (*store)(nil)
)

// asks implements [system.Info.Asks].
func (s *store) asks(context.Context) string {
	if s.sort == ofUser {
		return ""
	}
	if all := s.running(); len(all) > 0 {
		state, more := "", ""
		if all[0].State != "" {
			state = ", " + oneLine(all[0].State)
		}
		if len(all) > 1 {
			more = fmt.Sprintf(" and %d more times", len(all)-1)
		}
		return fmt.Sprintf(
			"A session of Claude Code runs in this project%s (pid %d%s): it can write the same files, and sees a change only at its next start.",
			more,
			all[0].PID,
			state,
		)
	}
	for _, sh := range s.memoryFolders(s.slugs(), s.m.settings(s.root)) {
		if pid := s.lockHolder(sh.dir); pid > 0 {
			return fmt.Sprintf("A consolidation of these memories runs (pid %d): it rewrites and deletes files.", pid)
		}
	}
	return ""
}

// CanWrite implements [system.Writer].
func (s *store) CanWrite() error {
	slugs := s.slugs()
	err := s.refusal(slugs)
	if err != nil {
		return err
	}
	for _, dir := range s.folders(slugs) {
		// The first folder that exists decides: it holds the memories.
		if err = s.canWriteIn(dir); err == nil || filestore.Exists(dir) {
			return err
		}
	}
	return err
}

// refusal says why nothing in the store can be changed, or returns nil: its path is not a folder,
// or the version that last worked in one of the project folders is unknown. A missing folder is no
// obstacle, since it can be made.
func (s *store) refusal(slugs []string) error {
	info, err := os.Stat(s.path)
	switch v := unknownGeneration(version(slugs)); {
	case err == nil && !info.IsDir():
		return noFolder()
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return quietread.Problem(err)
	case v != "":
		return unknownVersion(v)
	}
	return nil
}

// unknownGeneration returns a version of Claude Code if it belongs to a generation that we do not know.
func unknownGeneration(v string) string {
	if v == "" || strings.HasPrefix(v, "1.") || strings.HasPrefix(v, "2.") || strings.HasPrefix(v, "0.") {
		return ""
	}
	return v
}

func unknownVersion(v string) *memory.Problem {
	return refused(
		"unknown-version",
		"Claude Code "+oneLine(v)+" worked here last, and how it keeps memories is not known: nothing is changed.",
		"look for a newer version of Winnow, or edit the files by hand",
	)
}

// canWriteIn returns nil if the files in a folder can be replaced. It judges by the first of them.
func (s *store) canWriteIn(dir string) error {
	all := names(dir, maxFiles)
	isMarkdown := func(e fs.DirEntry) bool { return strings.HasSuffix(e.Name(), ".md") && e.Type().IsRegular() }
	if i := slices.IndexFunc(all, isMarkdown); i >= 0 {
		return atomicfile.CanReplace(s.disk, filepath.Join(dir, all[i].Name()))
	}
	return filestore.CanWrite(s.disk, dir)
}

// folders returns the folders that contain the store's files. slugs are its project folders.
func (s *store) folders(slugs []string) (out []string) {
	for _, sh := range s.memoryFolders(slugs, s.m.settings(s.root)) {
		out = append(out, sh.dir)
	}
	if s.sort != ofSlug {
		out = append(out, s.path)
	}
	return out
}

// Confine implements [system.Confined].
func (s *store) Confine(may func(path string) error) {
	s.disk, s.may = atomicfile.Confined(s.disk, may), may
}

// isNamed reports whether a file outside of the project may be changed from here, since the person named
// it or the folder that it is in.
func (s *store) isNamed(path string) bool {
	return s.may != nil && s.may(system.Resolved(path)) == nil
}

// Write implements [system.Writer]. Claude Code has no lock of its own for these files.
func (s *store) Write(ctx context.Context, w system.Write) (system.Written, error) {
	if err := s.refusal(s.slugs()); err != nil {
		return system.Written{}, err
	}
	return s.writer(ctx).Write(ctx, w)
}

// Recover implements [system.Writer].
func (s *store) Recover(ctx context.Context, staged system.Staged) (bool, error) {
	return s.writer(ctx).Recover(ctx, staged)
}

// mayBeRead reports whether a session may hold the old content of one of the store's files. Files
// are imported from anywhere, so a session in any folder counts. Before it writes, Claude Code
// compares only the file's date with the date at which it read the file.
func (s *store) mayBeRead() bool {
	return len(transcript.Live(s.m.config, s.m.alive)) > 0
}

func (s *store) writer(ctx context.Context) filestore.Writer {
	memoryFolders := s.memoryFolders(s.slugs(), s.m.settings(s.root))
	var chain *chain // read only if it is needed
	imports := func(path string) bool {
		if chain == nil {
			c, err := chainOf(ctx, &s.m, s.root, s.root, "")
			if err != nil {
				return false
			}
			if chain = c; s.sort == ofProject {
				c.addFoldersBelow(ctx, instructions.MostEntries)
			}
		}
		d := chain.byPath[path]
		return d != nil && (d.kind == kindImport || d.kind == kindRule)
	}
	return filestore.Writer{
		Disk: s.disk, Rand: s.rand, KeepDate: true, Later: s.mayBeRead(),
		Path: func(id memory.ID, ch *memory.Change) (string, error) {
			return s.file(id, ch.Do, memoryFolders, imports)
		},
		Decode: func(id memory.ID, stored string) memory.Record {
			r := s.Decode(stored)
			r.ID = id
			return r
		},
		Reconcile: func(_ memory.ID, made memory.Forms, theirs string) (string, system.Relation) {
			return s.Reconcile(made, theirs)
		},
	}
}

// file returns the file of a record for a change of this kind. The error is a *memory.Problem.
func (s *store) file(
	id memory.ID,
	do memory.ChangeKind,
	memoryFolders []*memoryFolder,
	imports func(path string) bool,
) (string, error) {
	if rel, ok := strings.CutPrefix(string(id), memoryPrefix); ok {
		return memoryFile(rel, memoryFolders)
	}
	rel := strings.TrimPrefix(string(id), "./")
	base := s.root
	if s.sort == ofUser {
		base = s.m.config
	}
	if do == memory.Editing && filepath.IsAbs(rel) && imports(rel) && s.isNamed(rel) {
		return rel, nil
	}
	if base == "" || s.sort == ofSlug || !isCleanLocal(rel) {
		return "", refused(
			"fixed",
			"This file does not belong to the store alone, and is not changed here.",
			"open the file itself",
		)
	}
	file := filepath.Join(base, filepath.FromSlash(rel))
	if err := s.Refuses(id, do); err != nil {
		return "", err
	}
	switch {
	case s.ofAgent(rel):
	case !s.ofInstructions(rel) && !imports(file):
		return "", refused("fixed", "This is no file of instructions, and is not changed here.", "open the file itself")
	}
	return file, nil
}

// isCleanLocal reports whether an id names a file below a root, in one way.
func isCleanLocal(rel string) bool {
	return !filepath.IsAbs(rel) && !path.IsAbs(rel) && rel == path.Clean(rel) &&
		filepath.IsLocal(filepath.FromSlash(rel))
}

// Refuses implements [system.Refuser].
func (s *store) Refuses(id memory.ID, do memory.ChangeKind) error {
	rel := strings.TrimPrefix(string(id), "./")
	isMemory := strings.HasPrefix(rel, memoryPrefix) || s.ofAgent(rel)
	isBelow := !filepath.IsAbs(rel) && s.ofFolderBelow(rel)
	if do == memory.Editing || isMemory || isBelow {
		return nil
	}
	return refused(
		"instructions",
		"Files of instructions for the whole project are edited here, and neither added nor deleted.",
		"empty the file, or remove it yourself",
	)
}

// memoryFile returns the file of an auto memory record.
func memoryFile(rel string, memoryFolders []*memoryFolder) (string, error) {
	name := ""
	if rest, ok := strings.CutPrefix(rel, "@"); ok {
		name, rel, _ = strings.Cut(rest, "/")
	}
	i := slices.IndexFunc(memoryFolders, func(sh *memoryFolder) bool { return sh.name == name })
	valid := strings.HasSuffix(rel, ".md") && fs.ValidPath(rel) && filepath.IsLocal(filepath.FromSlash(rel)) &&
		!strings.Contains("/"+rel, "/.") && !strings.ContainsAny(rel, "\\\x00")
	if i < 0 || !valid {
		return "", refused("fixed", "There is no such memory in this store.", "look at the store again")
	}
	return filepath.Join(memoryFolders[i].dir, filepath.FromSlash(rel)), nil
}

// ofAgent reports whether a file belongs to the memory of a subagent.
func (s *store) ofAgent(rel string) bool {
	dirs := []string{".claude/agent-memory/", ".claude/agent-memory-local/"}
	if s.sort == ofUser {
		dirs = []string{"agent-memory/"}
	}
	return strings.HasSuffix(rel, ".md") && !strings.Contains(rel, "/.") &&
		slices.ContainsFunc(dirs, func(d string) bool { return strings.HasPrefix(strings.TrimPrefix(rel, "./"), d) })
}

// ofInstructions reports whether a file has the name of an instruction file.
func (s *store) ofInstructions(rel string) bool {
	if s.sort == ofUser {
		return rel == "CLAUDE.md" || strings.HasPrefix(rel, "rules/") && strings.HasSuffix(rel, ".md")
	}
	switch path.Base(rel) {
	case "CLAUDE.md", "CLAUDE.local.md", "AGENTS.md":
		return true
	}
	return strings.HasSuffix(rel, ".md") && strings.Contains("/"+rel, "/.claude/rules/")
}

// ofFolderBelow reports whether a file holds the instructions of a folder below the project.
func (s *store) ofFolderBelow(rel string) bool {
	dir, _, inside := strings.Cut("/"+rel, "/.claude/")
	if !inside {
		dir = strings.TrimPrefix(path.Dir("/"+rel), "/")
	}
	return s.sort == ofProject && s.ofInstructions(rel) && path.Base(rel) != "AGENTS.md" && dir != ""
}

// companions implements [system.Info.Companions]. An index line is removed and added together with
// its file.
func (s *store) companions(records []memory.Record, changes []memory.Change) ([]memory.Change, []string) {
	a := indexChanges{records: records, edits: map[memory.ID]string{}}
	for i := range changes {
		a.change(&changes[i])
	}
	a.order = slices.DeleteFunc(a.order, func(id memory.ID) bool { // records that the person changes explicitly
		return slices.ContainsFunc(changes, func(c memory.Change) bool { return c.ID == id })
	})
	if slices.ContainsFunc(
		changes,
		func(c memory.Change) bool { return c.Do == memory.Editing && c.Record.Flags&memory.FlagStale != 0 },
	) {
		a.notes = append(
			a.notes,
			"An edit keeps the date of the file (under a running session it moves on by a millisecond), so that sessions are told of its age as before; one made as verified sets it to now.",
		)
	}
	if a.linked > 0 {
		a.notes = append(
			a.notes,
			wording(
				a.linked,
				"1 memory links",
				"%d memories link",
			)+" to what is deleted: those links lead nowhere then.",
		)
	}
	return a.changes(), a.notes
}

// indexChanges collects the changes of indexes that go along with other changes.
type indexChanges struct {
	records []memory.Record
	edits   map[memory.ID]string // the text of each index that changes
	order   []memory.ID
	notes   []string
	linked  int
}

// indexOfID returns the ID of the index that should name a record, and the record's name in it.
// Both are empty for a record that no index names.
func indexOfID(id memory.ID) (index memory.ID, rel string) {
	rel, ok := strings.CutPrefix(string(id), memoryPrefix)
	if !ok {
		return "", ""
	}
	index = memoryPrefix + indexName
	if rest, other := strings.CutPrefix(rel, "@"); other {
		name, file, _ := strings.Cut(rest, "/")
		index, rel = memory.ID(memoryPrefix+"@"+name+"/"+indexName), file
	}
	if rel == indexName {
		return "", ""
	}
	return index, rel
}

func (a *indexChanges) record(id memory.ID) *memory.Record {
	i := slices.IndexFunc(a.records, func(r memory.Record) bool { return r.ID == id })
	if i < 0 {
		return nil
	}
	return &a.records[i]
}

// changesIndex reports whether a change of a topic changes its line in the index, which has the hook old before and
// now after it.
func changesIndex(do memory.ChangeKind, old, now string) bool {
	switch do {
	case memory.Deleting, memory.Adding:
		return true
	case memory.Editing:
		return old != now && old != ""
	}
	return false
}

func (a *indexChanges) change(c *memory.Change) {
	index, rel := indexOfID(c.ID)
	old, now := hookOf(c.Before), hookOf(c.After)
	if index == "" || !changesIndex(c.Do, old, now) {
		return
	}
	text, known := a.edits[index]
	if !known {
		r := a.record(index)
		if r != nil && (r.RawCut() || r.Fixed != "") {
			a.notes = append(a.notes, "The index is too large to be changed here: its line stays as it is.")
			return
		}
		if r != nil {
			text = r.Raw
		}
	}
	was := text
	switch c.Do {
	case memory.Deleting:
		text = a.deleted(c, text, rel)
	case memory.Editing:
		text = withHook(text, rel, old, now)
	case memory.Adding:
		text = added(c, text, rel)
	}
	if text != was && !known {
		a.order = append(a.order, index)
	}
	if text != was || known {
		a.edits[index] = text
	}
}

// added returns an index with a line for a topic that it does not name yet.
func added(c *memory.Change, text, rel string) string {
	r, h := decoded(c.After)
	text = cmp.Or(text, "# Memory index\n\n")
	x := indexOf(filestore.File{Text: text})
	if slices.ContainsFunc(x.lines, func(l indexLine) bool { return l.file == rel }) {
		return text
	}
	return withLine(text, titleOf(cmp.Or(h.text("name"), stem(rel))), rel, oneLine(r.Title))
}

// titleOf returns a file name as words.
func titleOf(name string) string {
	words := strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == '-' || r == ' ' }), " ")
	if words == "" {
		return name
	}
	first, n := utf8.DecodeRuneInString(words)
	return string(unicode.ToUpper(first)) + words[n:]
}

// deleted removes the lines of a topic from an index.
func (a *indexChanges) deleted(c *memory.Change, text, rel string) string {
	out := withoutFile(text, rel)
	x := indexOf(filestore.File{Text: out})
	if slices.ContainsFunc(x.lines, func(l indexLine) bool { return l.file == rel }) {
		a.notes = append(a.notes, "A line of the index names the file beside others: that line stays.")
	}
	_, h := decoded(c.Before)
	name := h.text("name")
	for i := range a.records {
		r := &a.records[i]
		at := slices.IndexFunc(r.Facts, func(f memory.Fact) bool { return f.Name == "links" })
		if r.ID == c.ID || at < 0 {
			continue
		}
		leads := func(l string) bool { return l == stem(rel) || name != "" && l == name }
		if slices.ContainsFunc(strings.Split(r.Facts[at].Text, ", "), leads) {
			a.linked++
		}
	}
	return out
}

// changes returns the changes of indexes.
func (a *indexChanges) changes() (out []memory.Change) {
	for _, id := range a.order {
		after, _ := decoded(a.edits[id])
		after.ID, after.Kind, after.Scope = id, kindIndex, layerMemory
		annotate.Mark(&after)
		if old := a.record(id); old == nil || old.Raw != after.Raw {
			out = append(out, system.Companion(old, after, ""))
		}
	}
	return out
}
