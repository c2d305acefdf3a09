package library

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"

	"winnow/core/atomicfile"
	"winnow/core/git"
	"winnow/core/problems"
	"winnow/core/problems/past"
	"winnow/core/quietread"
	"winnow/core/statefile"
	"winnow/core/system"
)

// LookAtHistory asks git what became of what the texts of a project name, and keeps the answer. More adds questions; it
// may be nil. The error says why git could not be asked.
func (l *Library) LookAtHistory(
	ctx context.Context,
	root string,
	project *problems.Project,
	more func(*problems.Look),
) (look *problems.Look, known past.Known, err error) {
	r, err := past.Open(ctx, root)
	if err != nil {
		return nil, known, err
	}
	read := func(rel string) string {
		// What cannot be read has no entries.
		data, _, _ := quietread.ReadFile(filepath.Join(root, filepath.FromSlash(rel)), 1<<20)
		return string(data)
	}
	exists := func(rel string) bool {
		_, err := os.Lstat(filepath.Join(root, filepath.FromSlash(rel)))
		return err == nil
	}
	look = project.Look(r.Files, read, exists)
	if more != nil {
		more(look)
	}
	switch {
	case r.Shallow:
		return nil, known, errors.New("the history of this clone was cut: git fetch --unshallow gets it")
	case r.Head == "":
		return nil, known, errors.New("there is no commit yet")
	}
	file := l.gitFile(root, ".json")
	if data, err := file.Read(); err == nil && file.Path != "" {
		_ = json.Unmarshal(data, &known) // what is damaged is asked again
	}
	asked, err := r.Answer(ctx, look.Question, &known)
	if err == nil && asked {
		l.keep(ctx, file, &known)
	}
	return look, known, err
}

// NoteFilesGone notes the files that name what a project no longer has, and has followers of stores mark their records.
func (l *Library) NoteFilesGone(ctx context.Context, project string, paths []string) {
	files := map[string]string{}
	for _, path := range paths {
		files[path] = textHash(path)
	}
	l.mu.Lock()
	same := maps.Equal(files, l.gone)
	l.gone = files
	l.mu.Unlock()
	l.keep(ctx, l.goneFile(project), files)
	if !same {
		l.Touch("")
	}
}

// MostOfSource is how many bytes of a file are read as what an agent reads.
const MostOfSource = 4 << 20

// textHash returns the hash of the beginning of a file; "" if it cannot be read.
func textHash(path string) string {
	data, _, err := quietread.ReadFile(path, MostOfSource)
	if err != nil {
		return ""
	}
	return atomicfile.ShortDigest(string(data))
}

// goneFile is where it is kept which files name what a project no longer has.
func (l *Library) goneFile(project string) statefile.File { return l.gitFile(project, "-gone.json") }

// keptGone returns the files that named what the project around a folder no longer had when git was last asked.
func (l *Library) keptGone(folder string) (files map[string]string) {
	folder = system.Resolved(folder)
	file := l.goneFile(cmp.Or(git.Root(folder), folder))
	if file.Path == "" {
		return nil
	}
	if data, err := file.Read(); err == nil {
		_ = json.Unmarshal(data, &files) // what is damaged is written again when git is asked
	}
	return files
}

// gitFile is a file of what git said of a project.
func (l *Library) gitFile(project, end string) statefile.File {
	if l.state.Dir == "" {
		return statefile.File{}
	}
	return statefile.File{Path: filepath.Join(l.state.Dir, "git", atomicfile.ShortDigest(project)+end)}
}

// keep keeps what git said, if there is a place for it. Otherwise it is asked again.
func (l *Library) keep(ctx context.Context, file statefile.File, what any) {
	data, err := json.Marshal(what)
	if err != nil || file.Path == "" || l.readOnly {
		return
	}
	if old, err := file.Read(); err == nil && string(old) == string(data) {
		return
	}
	_ = file.Change(ctx, statefile.ForLook, func([]byte) ([]byte, error) { return data, nil })
}
