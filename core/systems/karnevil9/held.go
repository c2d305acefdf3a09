package karnevil9

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"winnow/core/lesson"
	"winnow/core/memory"
	"winnow/core/quietread"
)

// tooLarge is the size from which node cannot make one string of a file. An
// agent then starts with no lessons.
const tooLarge = 1<<29 - 24

// What is remembered of a store is used for that long at most: the age of
// lessons goes on counting.
const fresh = 30 * time.Second

// state tells two states of a file apart.
type state struct {
	info fs.FileInfo
	at   time.Time // when it was looked at
}

// is reports whether f is still in the state. A file that was written just
// before it was read may be written again with the same time.
func (s *state) is(f *quietread.File, now time.Time) bool {
	const coarse = 100 * time.Millisecond // clocks of file systems are not finer
	return os.SameFile(s.info, f.Info) && s.info.Size() == f.Info.Size() &&
		s.info.ModTime().Equal(f.Info.ModTime()) && s.info.Mode() == f.Info.Mode() &&
		s.at.Sub(s.info.ModTime()) > coarse &&
		now.Sub(s.at) < fresh && !now.Before(s.at)
}

// held is what an agent would hold after loading a state of the store.
type held struct {
	state
	list *lesson.List
}

// list returns what an agent would hold after loading f now.
func (s *Store) list(ctx context.Context, f *quietread.File) (*lesson.List, error) {
	now := s.now()
	s.mu.Lock()
	known := s.held
	s.mu.Unlock()
	if known != nil && known.is(f, now) {
		return known.list, nil
	}
	list, err := load(ctx, f, f.Info.Size(), now)
	if err == nil {
		s.remember(f, now, list)
	}
	return list, err
}

// load returns what an agent would hold after loading src, of that size, at now.
func load(ctx context.Context, src source, size int64, now time.Time) (*lesson.List, error) {
	loader := lesson.NewLoader(now, now.Location())
	for all := linesFrom(src, 0, 1); size <= tooLarge; {
		l, more, err := all.record(ctx)
		if err != nil {
			return nil, err
		}
		if !more {
			break
		}
		if at := l.find(); !at.load(loader) {
			break
		}
	}
	return loader.List(), nil
}

func (s *Store) remember(f *quietread.File, now time.Time, list *lesson.List) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held = &held{state: state{info: f.Info, at: now}, list: list}
}

// record returns the next line that is not blank; more is unset at the end.
func (r *lines) record(ctx context.Context) (l line, more bool, err error) {
	for {
		if err := ctx.Err(); err != nil {
			return line{}, false, err
		}
		l, err = r.next(ctx)
		if errors.Is(err, io.EOF) {
			return line{}, false, nil
		}
		if err != nil || !l.blank() {
			return l, err == nil, err
		}
	}
}

func (l *line) long() bool { return l.Len > int64(len(l.Text)) }

// found is a copy of a line that is a record.
type found struct {
	text string
	no   int
	size int // of a line that is too long, else 0
	// known is a record that was decoded from the same text before, or nil.
	known *memory.Record
}

// find copies what is needed of a line.
func (l *line) find() found {
	if l.long() {
		return found{text: string(l.Text), no: l.No, size: int(l.Len)}
	}
	return found{text: string(l.raw()), no: l.No}
}

// load passes the line on to a loader and reports whether an agent reads on.
func (l *found) load(to *lesson.Loader) bool {
	if l.size > 0 {
		return to.Skip(l.no)
	}
	return to.Add(l.text, l.no)
}

// decode returns the record in the line.
func (l *found) decode() memory.Record {
	if l.size > 0 {
		return lesson.TooLong(l.text, l.size, l.no)
	}
	if l.known != nil {
		return again(l.known, l.no)
	}
	return lesson.Record(l.text, l.no)
}
