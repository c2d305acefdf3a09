package lessonfile

import (
	"context"
	"strings"

	"winnow/core/atomicfile"
	"winnow/core/filestore"
	"winnow/core/jsonl"
	"winnow/core/quietread"
	"winnow/core/system"
)

// writer returns what changes the file. The agent has no lock of its own: whatever it saves at the
// same moment is found by exchanging the files, and merged.
func (s *Store) writer() filestore.OneFile {
	w := filestore.OneFile{
		Disk:    s.disk,
		Path:    s.path,
		Target:  &s.target,
		Rand:    s.rand,
		Rewrite: rewrite,
		Adopt:   jsonl.Adopt,
	}
	if s.kind.Disk == nil {
		w.Readable = s.readable
	}
	return w
}

// rewrite makes changes in a store, unless it is too large to be held in memory.
func rewrite(now string, w *system.Write) (jsonl.Made, error) {
	if p := overLimit(int64(len(now)), strings.Count(now, "\n")); p != nil {
		return jsonl.Made{}, p
	}
	return jsonl.Rewrite(now, w.Changes), nil
}

// Confine implements [system.Confined].
func (s *Store) Confine(may func(path string) error) { s.disk = atomicfile.Confined(s.disk, may) }

// CanWrite implements [system.Writer]. A missing store can be written if its folder can: an
// addition creates the file. A missing folder is not created, so that a store deleted with its
// folder does not come back.
func (s *Store) CanWrite() error { return s.writer().CanWrite() }

// readable returns why the store cannot be opened or is too large to be held in memory, or nil if
// it is missing.
func (s *Store) readable() error {
	f, p := s.open()
	if p == nil {
		p = overLimit(f.Info.Size(), 0)
		f.Close() // closing a file opened for reading cannot lose data
	}
	if p != nil && p.Code != quietread.CodeMissing {
		return p
	}
	return nil
}

// Write implements [system.Writer].
func (s *Store) Write(ctx context.Context, w system.Write) (system.Written, error) {
	defer s.setCache(nil) // a new file may have the same size and time as the old one
	return s.writer().Write(ctx, w)
}

// Recover implements [system.Writer].
func (s *Store) Recover(ctx context.Context, staged system.Staged) (applied bool, err error) {
	defer s.setCache(nil) // a new file may have the same size and time as the old one
	return s.writer().Recover(ctx, staged)
}
