// Package transcript reads what Claude Code writes down of its sessions: what their
// models got, what was done and how it ended, and which of them run now. It writes
// nothing. The form of transcripts is internal to Claude Code and changes, so that
// unknown lines and members are passed over.
package transcript

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"winnow/core/quietread"
)

// Header is what the beginning of a transcript says of it. What it does not say is empty.
type Header struct {
	Folder  string // where the session works
	Session string
	Version string // of Claude Code
	Branch  string // of git
	Began   time.Time
}

// What Head reads.
const (
	firstRead = 8 << 10
	mostHead  = 256 << 10
)

// Head returns what the first line of a transcript that names a folder says. It reads
// 8 KiB as a rule and never more than 256 KiB; the Header is empty when no folder is
// named there. The error is a *memory.Problem.
func Head(path string) (Header, error) {
	f, err := quietread.Open(path)
	if err != nil {
		return Header{}, quietread.Problem(err)
	}
	defer f.Close() // nothing was written
	buf := make([]byte, firstRead)
	for have := 0; ; {
		n, err := io.ReadFull(f, buf[have:])
		have += n
		h := headOf(buf[:have])
		end := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		if h.Folder != "" || end || len(buf) >= mostHead {
			return h, nil
		}
		if err != nil {
			return h, quietread.Problem(err)
		}
		buf = append(buf, make([]byte, min(3*len(buf), mostHead-len(buf)))...)
	}
}

// headOf reads the lines of which b is the beginning; the last may be cut.
func headOf(b []byte) Header {
	var h Header
	for len(b) > 0 && h.Folder == "" {
		line := b
		if i := bytes.IndexByte(b, '\n'); i >= 0 {
			line, b = b[:i], b[i+1:]
		} else {
			b = nil
		}
		object(line, h.take)
	}
	return h
}

// take notes a member of a line. The session of an earlier line gives way.
func (h *Header) take(key, value []byte) bool {
	switch string(key) {
	case "cwd":
		h.Folder = text(value)
	case "sessionId":
		h.Session = text(value)
	case "version":
		h.Version = text(value)
	case "gitBranch":
		h.Branch = text(value)
	case "timestamp":
		if h.Began.IsZero() {
			h.Began = moment(value)
		}
	}
	return true
}

// File is a transcript of a session, not of a subagent of one.
type File struct {
	Path    string
	Session string // by its name
	Size    int64
	ModTime time.Time
}

// mostFiles is how many entries of a folder are looked at.
const mostFiles = 50_000

// List returns the transcripts in a folder of projects, the newest first: regular files,
// and not links. A folder that cannot be read has none.
func List(dir string) []File {
	var out []File
	for e := range entries(dir, mostFiles) {
		name, is := sessionOf(e)
		if !is {
			continue
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			out = append(out, File{
				Path: filepath.Join(dir, e.Name()), Session: name, Size: info.Size(), ModTime: info.ModTime(),
			})
		}
	}
	slices.SortFunc(out, newer)
	return out
}

// sessionOf returns the session that an entry is the transcript of.
func sessionOf(e os.DirEntry) (string, bool) {
	name, is := strings.CutSuffix(e.Name(), ".jsonl")
	return name, is && name != "" && !strings.HasPrefix(name, "agent-") && e.Type().IsRegular()
}

func newer(a, b File) int {
	return cmp.Or(b.ModTime.Compare(a.ModTime), cmp.Compare(a.Path, b.Path))
}

// entries yields the entries of a folder in no order, at most so many.
func entries(dir string, most int) func(yield func(os.DirEntry) bool) {
	return func(yield func(os.DirEntry) bool) {
		f, err := os.Open(dir)
		if err != nil {
			return
		}
		defer f.Close() // nothing was written
		for most > 0 {
			some, err := f.ReadDir(min(most, 1000))
			for _, e := range some {
				if !yield(e) {
					return
				}
			}
			if err != nil || len(some) == 0 {
				return
			}
			most -= len(some)
		}
	}
}
