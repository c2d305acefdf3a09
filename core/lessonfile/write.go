package lessonfile

import (
	"context"
	"strings"

	"winnow/core/filestore"
	"winnow/core/jsonl"
	"winnow/core/quietread"
	"winnow/core/system"
)

// writer returns what changes the file. The agent has no lock of its own: what it saves
// in the same instant is found by exchanging the files, and merged in.
func (s *Store) writer() filestore.OneFile {
	w := filestore.OneFile{Disk: s.disk, Path: s.path, Seen: &s.folders, Rand: s.rand, Rewrite: rewrite, Adopt: jsonl.Adopt}
	if !s.simulated {
		w.Readable = s.readable
	}
	return w
}

// rewrite makes changes in a store that is not too large to be held.
func rewrite(now string, w *system.Write) (jsonl.Made, error) {
	if p := overLimit(int64(len(now)), strings.Count(now, "\n")); p != nil {
		return jsonl.Made{}, p
	}
	return jsonl.Rewrite(now, w.Changes), nil
}

// CanWrite implements [system.Writer]. A store that does not exist can be written
// where its folder can: an addition creates it. A folder is not made, so that what
// was removed with its folder stays away.
func (s *Store) CanWrite() error { return s.writer().CanWrite() }

// readable returns why the store cannot be opened or is too large to be held, if it
// is there.
func (s *Store) readable() error {
	f, p := s.open()
	if p == nil {
		p = overLimit(f.Info.Size(), 0)
		f.Close() // what was only read loses nothing
	}
	if p != nil && p.Code != quietread.CodeMissing {
		return p
	}
	return nil
}

// Write implements [system.Writer].
func (s *Store) Write(ctx context.Context, w system.Write) (system.Written, error) {
	defer s.remember(nil) // a new file may have the size and the time of the one before
	return s.writer().Write(ctx, w)
}

// Recover implements [system.Writer].
func (s *Store) Recover(ctx context.Context, staged system.Staged) (stands bool, err error) {
	defer s.remember(nil) // a new file may have the size and the time of the one before
	return s.writer().Recover(ctx, staged)
}
