package opencode

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"winnow/core/filestore"
	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/system"
)

// storageName is the folder in which versions before 1.2 kept a file for each session, message and part.
const storageName = "storage"

// Limits of reading it.
const (
	maxFolders  = 5_000  // projects
	maxOfFolder = 20_000 // files in a folder
)

// Storage is the folder of sessions of versions before 1.2. It is only read. OpenCode imported it into the
// database and left it in place.
type Storage struct {
	dir string
	now func() time.Time
}

var (
	_ system.Store       = (*Storage)(nil)
	_ system.Snapshotter = (*Storage)(nil)
	_ system.Summarizer  = (*Storage)(nil)
	_ system.Watched     = (*Storage)(nil)
)

// storages returns the folders of old sessions in the data folder.
func (m machine) storages() (all []string) {
	if dir := filepath.Join(m.data(), storageName); filestore.IsFolder(filepath.Join(dir, "session")) {
		all = append(all, dir)
	}
	projects := filepath.Join(m.data(), "project")
	entries, _, _ := filestore.Names(projects, maxFolders) // an unreadable folder gives what could be read
	for _, e := range entries {
		if dir := filepath.Join(projects, e.Name(), storageName); e.IsDir() && filestore.IsFolder(filepath.Join(dir, "session")) {
			all = append(all, dir)
		}
	}
	return all
}

// Info implements [system.Store].
func (s *Storage) Info() system.Info {
	place := memory.Place{Store: memory.StoreID(s.dir), System: ID, Path: s.dir, Name: "sessions of old versions"}
	return system.Info{System: ID, Name: productName, Place: place, Noun: sessionNoun()}
}

// WatchPaths implements [system.Watched].
func (s *Storage) WatchPaths() []string {
	const sep = string(os.PathSeparator)
	return []string{filepath.Join(s.dir, "session") + sep, filepath.Join(s.dir, "message") + sep}
}

// old reports whether the folder has the layout of the oldest versions, with everything below session.
func (s *Storage) old() bool { return filestore.IsFolder(filepath.Join(s.dir, "session", "info")) }

// messageFiles returns the files of the messages of a session, and whether there are more.
func (s *Storage) messageFiles(session string) ([]string, bool) {
	return jsonFiles(s.folder("message", session, ""))
}

// partFiles returns the files of the parts of a message.
func (s *Storage) partFiles(session, message string) []string {
	files, _ := jsonFiles(s.folder("part", session, message)) // a message has only a few parts
	return files
}

// folder returns the folder of the messages of a session, or of the parts of a message.
func (s *Storage) folder(kind, session, message string) string {
	if s.old() {
		return filepath.Join(s.dir, "session", kind, session, message)
	}
	return filepath.Join(s.dir, kind, cmp.Or(message, session))
}

// idOf returns the ID in a file name.
func idOf(path string) string { return strings.TrimSuffix(filepath.Base(path), ".json") }

// files returns the session files, newest first according to their names.
func (s *Storage) files() (paths []string) {
	root := filepath.Join(s.dir, "session")
	dirs := []string{filepath.Join(root, "info")}
	if !s.old() {
		dirs = nil
		entries, _, _ := filestore.Names(root, maxFolders) // an unreadable folder gives what could be read
		for _, e := range entries {
			if e.IsDir() {
				dirs = append(dirs, filepath.Join(root, e.Name()))
			}
		}
	}
	for _, dir := range dirs {
		files, _ := jsonFiles(dir)
		paths = append(paths, files...)
	}
	slices.SortStableFunc(paths, func(a, b string) int {
		return cmp.Or(strings.Compare(filepath.Base(a), filepath.Base(b)), strings.Compare(a, b))
	})
	return paths[:min(len(paths), maxSessions)]
}

// jsonFiles returns the files of a folder that end in .json, by name.
func jsonFiles(dir string) (paths []string, more bool) {
	entries, more, _ := filestore.Names(dir, maxOfFolder) // an unreadable folder gives what could be read
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".json") && !e.IsDir() {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	return paths, more
}

// List implements [system.Store].
func (s *Storage) List(ctx context.Context, fn func(memory.Record) error) error {
	return system.ListSnapshot(ctx, s, fn)
}

// missingProblem returns why the store cannot be read, or nil.
func (s *Storage) missingProblem() *memory.Problem {
	info, err := os.Stat(filepath.Join(s.dir, "session"))
	if err == nil && info.IsDir() {
		return nil
	}
	if _, err := os.Stat(s.dir); err != nil {
		return quietread.Reworded(quietread.Problem(err), map[string]memory.Problem{quietread.CodeMissing: {
			What: "There are no sessions of old versions here: the folder does not exist.", Hint: "check the path",
		}})
	}
	return &memory.Problem{
		Code: "no-sessions",
		What: "This folder holds no sessions: versions from 1.2 on keep them in a database.",
		Hint: "open the database opencode.db beside it",
	}
}

// worktrees returns the work trees of the projects by project ID.
func (s *Storage) worktrees() map[string]string {
	all := map[string]string{}
	paths, _ := jsonFiles(filepath.Join(s.dir, "project"))
	for _, path := range paths[:min(len(paths), maxProjects)] {
		v, err := jstext.Parse(jstext.DecodeString(filestore.Read(path, maxLock).Text))
		if err == nil {
			all[text(v, "id")] = text(v, "worktree")
		}
	}
	return all
}

// projectOf returns the project ID of a session, which is the name of its file's folder.
func projectOf(path string) string { return filepath.Base(filepath.Dir(path)) }

// session returns the session in a file, with what its messages and parts say.
func (s *Storage) session(path string) session {
	id := idOf(path)
	se := sessionOfFile(id, filestore.Read(path, maxMessage))
	se.file, se.project = path, projectOf(path)
	messages, more := s.messages(id)
	if more {
		se.cut = append(se.cut, fmt.Sprintf("Only %d of its messages were read.", len(messages)))
	}
	request := firstRequest(messages)
	for _, m := range messages {
		s.eachPart(id, m.id, func(data string, large bool) { se.part(m.id == request, data, large) })
	}
	se.complete(messages)
	return se
}

// sessionOfFile returns the session in a file, without its messages.
func sessionOfFile(id string, f filestore.File) session {
	s := session{id: id, stored: f.Text, storedLen: int(f.Size)}
	if f.Problem != nil {
		s.problem = f.Problem
		return s
	}
	v, err := jstext.Parse(jstext.DecodeString(f.Text))
	if err == nil && v.Kind() != jstext.Object {
		err = errors.New("it is no object")
	}
	if err != nil || f.Cut {
		s.problem = &memory.Problem{
			Code: "odd-session", What: "This file of a session cannot be read as JSON.", Hint: "look at the file; OpenCode passes it over too",
		}
		return s
	}
	s.parent, s.directory = text(v, "parentID"), text(v, "directory")
	s.title, s.version = cut(text(v, "title"), maxRowText), text(v, "version")
	s.created, s.updated, s.archived = number(v, "time", "created"), number(v, "time", "updated"), number(v, "time", "archived")
	s.reverted, s.shared = v.Dig("revert").Truthy(), v.Dig("share").Truthy()
	return s
}

// messages returns the messages of a session, in order, and whether there are more.
func (s *Storage) messages(session string) (messages []message, more bool) {
	files, more := s.messageFiles(session)
	for _, path := range files {
		f := filestore.Read(path, maxMessage)
		m := message{id: idOf(path), large: f.Cut}
		if !f.Cut {
			m = decodeMessage(m.id, 0, jstext.DecodeString(f.Text))
		}
		messages = append(messages, m)
	}
	slices.SortStableFunc(messages, func(a, b message) int {
		return cmp.Or(cmp.Compare(a.created, b.created), strings.Compare(a.id, b.id))
	})
	guessRoles(messages)
	return messages, more
}

// eachPart calls fn for each part of a message, in order. A large part is passed on incomplete.
func (s *Storage) eachPart(session, message string, fn func(data string, large bool)) {
	for _, path := range s.partFiles(session, message) {
		f := filestore.Read(path, maxPart)
		fn(jstext.DecodeString(f.Text), f.Cut || f.Problem != nil)
	}
}

// Snapshot implements [system.Snapshotter].
func (s *Storage) Snapshot(ctx context.Context, _ func(memory.Snapshot)) (memory.Snapshot, error) {
	snap, err := s.Summary(ctx)
	if err != nil || snap.Problem != nil {
		return snap, err
	}
	trees, copies := s.worktrees(), map[string]int{}
	for i, path := range s.files() {
		if err := ctx.Err(); err != nil {
			return memory.Snapshot{}, err
		}
		se := s.session(path)
		copies[se.id]++
		se.copy = copies[se.id]
		snap.Records = append(snap.Records, se.record(i+1, trees[se.project]))
	}
	snap.Total = len(snap.Records)
	snap.Health = system.Report("", append(snap.Health, recordHealth(snap.Records))...)
	return snap, nil
}

// Summary implements [system.Summarizer].
func (s *Storage) Summary(ctx context.Context) (memory.Snapshot, error) {
	snap := s.blank()
	if snap.Problem == nil {
		trees, counts := s.worktrees(), map[string]int{}
		for _, path := range s.files() {
			snap.Total++
			counts[scopeOf(trees[projectOf(path)])]++
		}
		if snap.Scopes = scopesOf(counts); snap.Total == 0 {
			snap.Problem = noSessions()
		}
	}
	return snap, ctx.Err()
}

func (s *Storage) blank() memory.Snapshot {
	snap := memory.Snapshot{Place: s.Info().Place, TakenAt: s.now(), Noun: sessionNoun(), ReadOnly: readOnly, Problem: s.missingProblem()}
	snap.Place.Exists = snap.Problem == nil
	if info, err := os.Stat(filepath.Join(s.dir, "session")); err == nil {
		snap.ModTime, snap.Mode = info.ModTime(), info.Mode()
	}
	if snap.Problem == nil {
		snap.Health = []memory.Health{system.When(true, "old-layout", memory.Note, 1,
			"These are the files of versions before 1.2. OpenCode copied them into its database once, and left them here.",
			"secrets in them stay until the files are removed")}
	}
	return snap
}
