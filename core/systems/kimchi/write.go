package kimchi

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"winnow/core/atomicfile"
	"winnow/core/detect"
	"winnow/core/filestore"
	"winnow/core/memory"
	"winnow/core/system"
)

// writer returns what changes the file. The system's lock is held only while the file is
// exchanged.
func (s *Store) writer() filestore.OneFile {
	s.mu.Lock()
	known := s.base
	s.mu.Unlock()
	return filestore.OneFile{
		Disk: atomicfile.OS(), Path: s.path, Seen: &s.folders,
		Readable: func() error { return filestore.Readable(s.path, unreadable) },
		Rewrite: func(now string, w *system.Write) (filestore.Rewritten, error) {
			made, p := s.d.rewrite(now, w.Changes, known)
			if p == nil && made.Text != now && !takesBack(w) {
				p = s.overfull(now, made.Text, w.Changes)
			}
			if p != nil {
				return made, p
			}
			return made, nil
		},
		Adopt: s.d.adopt, Lock: s.lock,
		Done: func(text string) { s.remember(s.d.split(text)) },
	}
}

// CanWrite implements [system.Writer].
func (s *Store) CanWrite() error { return s.writer().CanWrite() }

// Write implements [system.Writer].
func (s *Store) Write(ctx context.Context, w system.Write) (system.Written, error) {
	return s.writer().Write(ctx, w)
}

// Recover implements [system.Writer].
func (s *Store) Recover(ctx context.Context, staged system.Staged) (stands bool, err error) {
	return s.writer().Recover(ctx, staged)
}

// takesBack reports whether a write brings back what was there before, or takes secrets
// out: no limit keeps a person from that.
func takesBack(w *system.Write) bool {
	return w.Exact != nil || slices.ContainsFunc(w.Changes, func(ch memory.Change) bool {
		return ch.Do == memory.Adding && ch.Position != nil ||
			ch.Do == memory.Editing && strings.Count(ch.After, detect.Redacted) > strings.Count(ch.Before, detect.Redacted)
	})
}

// lock takes the lock of the system. Where its folder does not exist nobody can hold it.
func (s *Store) lock(ctx context.Context) (release func(), err error) {
	if _, err := os.Stat(filepath.Dir(s.path)); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	take := atomicfile.FolderLock
	if s.d.id == Hermes {
		take = atomicfile.WholeLock
	}
	release, err = take(ctx, s.path+".lock", atomicfile.Waiting{Now: s.now, Pause: s.pause})
	if errors.Is(err, atomicfile.ErrHeld) {
		return nil, &memory.Problem{
			Code: "locked",
			What: fmt.Sprintf("%s holds the lock of %s and did not give it back in 6.5 seconds. Nothing was changed.", s.d.name, filepath.Base(s.path)),
			Hint: "try again in a moment; a lock that a crash left counts as abandoned after 10 seconds",
		}
	}
	return release, err
}
