// Package codex knows what Codex keeps: the files of instructions of projects and of the user, the folder of
// memories, and its sessions.
//
// Codex 0.169.0 was run against a model that plays a script; forms of older versions are known from its
// source and from recorded sessions. A session is a file of JSON lines, a rollout, below sessions in
// its home by the date of its beginning, or in archived_sessions; an old one may be compressed. What
// real runs showed:
//
//   - A running Codex holds the file of its session open, and a killed one leaves nothing else behind.
//   - A turn ends with task_complete, which holds the error when the model could not be reached; an
//     interrupt, also of codex exec, ends it with turn_aborted. A killed turn has neither.
//   - codex exec runs one turn and ends. A session that it resumes goes on in the same file with another
//     turn and without any mark.
//   - Of files of instructions, one of each folder is read: "for" and the folder stand in the title of the
//     message only when one of the project is. A name with a path in it is never found, an entry of trust
//     is looked up for the folder itself and then for its repository, and settings of a project that is
//     not marked as trusted count for nothing.
//   - Of memories a summary that is a link, or no UTF-8, is not given. Raw memories and recaps of sessions
//     are written again from a database: edits of them were undone, and deletions too.
//   - What the person typed, each command with its exit code, and each changed file are in lines of
//     type item_completed; versions before had events of their own for them, and the oldest only what
//     the model saw.
package codex

import (
	"context"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"winnow/core/filestore"
	"winnow/core/memory"
	"winnow/core/procs"
	"winnow/core/quietread"
	"winnow/core/session"
	"winnow/core/system"
)

// id is the name of the system.
const id memory.SystemID = "codex"

const (
	homeVariable = "CODEX_HOME"
	homeFolder   = ".codex"
)

// System returns the system on a machine. now is used to decide when a session counts as silent.
func System(machine system.Env, now func() time.Time) system.System {
	runs := procs.NewWatch(string(id), now)
	s := agent().System(machine, now)
	s.Variables = []memory.Fact{{Name: homeVariable, Text: "where Codex keeps what is its own, ~/.codex otherwise"}}
	s.Forms, s.Sessions = Forms(), sessions
	s.Session = func(ctx context.Context, _ system.Env, head session.Head) (session.Session, error) {
		isOpen := func() bool { return len(runs.Holding(head.Path)) > 0 }
		return read(ctx, head, now(), isOpen)
	}
	return s
}

// homeOf returns the folder in which Codex keeps its own files.
func homeOf(env system.Env) string {
	home := env.Path(homeVariable)
	if home == "" {
		return filepath.Join(env.Home, homeFolder)
	}
	return filestore.Real(filepath.Clean(home))
}

// sessionsIn returns the folder in which Codex files sessions by the day on which they began.
func sessionsIn(env system.Env) string { return filepath.Join(homeOf(env), "sessions") }

const (
	mostHeads = 5000 // sessions listed at most
	packed    = ".zst"
	suffix    = ".jsonl"
)

// sessions implements [system.System.Sessions]. Codex files sessions by the day on which they
// began.
func sessions(ctx context.Context, env system.Env, folder string) (heads []session.Head, err error) {
	for _, path := range files(env) {
		if len(heads) == mostHeads {
			break
		}
		h, ok := headOf(ctx, path)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if ok && h.In(folder) {
			heads = append(heads, h)
		}
	}
	return heads, nil
}

// files returns the session files, latest days first. If a session exists in both forms, it returns
// the uncompressed one.
func files(env system.Env) []string {
	level := []string{sessionsIn(env)}
	for range 3 { // years, months, days
		level = filestore.Below(fs.FileMode.IsDir, level...)
	}
	all := filestore.Below(fs.FileMode.IsRegular, append(level, filepath.Join(homeOf(env), "archived_sessions"))...)
	known := map[string]bool{}
	for _, path := range all {
		known[path] = true
	}
	return slices.DeleteFunc(all, func(path string) bool {
		plain := strings.TrimSuffix(path, packed)
		return !strings.HasSuffix(plain, suffix) || path != plain && known[plain]
	})
}

// headOf returns what the name and the first line of a file say. It returns false for a file that
// cannot be read.
func headOf(ctx context.Context, path string) (session.Head, bool) {
	f, in, err := open(path)
	if err != nil {
		return session.Head{}, false
	}
	defer f.close()
	r := newReader(
		session.Head{System: id, Path: path, Changed: f.Info.ModTime(), Size: f.Info.Size(), ID: nameOf(path)},
	)
	err = quietread.Lines(ctx, in, mostHead, func(line []byte) bool {
		r.line(line)
		return false
	})
	return r.s.Head, err == nil || f.packed
}

// nameOf returns the session ID in a file name: rollout-2026-01-31T10-20-30-ID.jsonl.
func nameOf(path string) string {
	name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), packed), suffix)
	const dated = len("rollout-2026-01-31T10-20-30-")
	if strings.HasPrefix(name, "rollout-") && len(name) > dated {
		return name[dated:]
	}
	return name
}
