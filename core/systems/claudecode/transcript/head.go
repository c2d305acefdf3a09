// Package transcript reads the transcripts of Claude Code's sessions: what their models got, what
// was done, how they ended, and which sessions are running. It writes nothing. The format is
// internal to Claude Code and changes, so unknown lines and members are skipped.
package transcript

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"winnow/core/filestore"
	"winnow/core/session"
)

// Header is what the beginning of a transcript says about it. Fields that it does not mention are
// empty.
type Header struct {
	Folder  string // where the session works
	Session string
	Version string // of Claude Code
	Began   time.Time
}

// mostHead is the number of bytes in which Head looks for the beginning of a line.
const mostHead = 256 << 10

// Head returns what the first transcript line that names a folder says, if that line begins in the
// first 256 KiB. The error is a *memory.Problem.
func Head(path string) (h Header, err error) {
	read := 0
	err = lines(context.Background(), path, func(b []byte) (more bool) {
		var l line
		session.Decode(b, &l)
		h = l.header()
		read += len(b)
		return h.Folder == "" && read < mostHead
	})
	return h, err
}

// File is the transcript of a session, not of a subagent.
type File struct {
	Path    string
	Session string // from its name
	Size    int64
	ModTime time.Time
}

// mostFiles is the number of entries of a folder that are looked at.
const mostFiles = 50_000

// List returns the transcripts in some project folders, newest first. It includes only regular
// files, not links. An unreadable folder has none.
func List(dirs ...string) (out []File) {
	for _, dir := range dirs {
		entries, _, _ := filestore.Listing(dir, mostFiles) // an unreadable folder gives what could be read
		for _, e := range entries {
			name, is := strings.CutSuffix(e.Name(), ".jsonl")
			if !is || name == "" || strings.HasPrefix(name, "agent-") || !e.Type().IsRegular() {
				continue
			}
			if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
				out = append(
					out,
					File{Path: filepath.Join(dir, e.Name()), Session: name, Size: info.Size(), ModTime: info.ModTime()},
				)
			}
		}
	}
	slices.SortFunc(out, func(a, b File) int {
		return cmp.Or(b.ModTime.Compare(a.ModTime), cmp.Compare(a.Path, b.Path))
	})
	return out
}
