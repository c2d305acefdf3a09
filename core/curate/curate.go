// Package curate changes stores by plans and loses nothing: the old bytes are in
// a synced history before new ones replace them, every change can be undone, and
// what another writer undoes is noticed. It holds the pins, which are in no store.
package curate

import (
	"context"
	"errors"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"winnow/core/atomicfile"
	"winnow/core/curate/history"
	"winnow/core/memory"
	"winnow/core/system"
)

// Config says what a Curator works on, and with what.
type Config struct {
	// Dir is the state folder of the store, see [Folder]. It is made when something
	// is written for the first time. Empty refuses every change.
	Dir    string
	Store  memory.StoreID
	System system.Store // changes need a system.Writer and a system.Composer
	Disk   atomicfile.Disk
	// Drafts is a folder of texts that a person began to edit, from which a change that
	// keeps no copy takes its secrets too; empty for none.
	Drafts string
	Now    func() time.Time
	Rand   io.Reader
	// KeepFor and KeepBytes are how much history is kept; 0 is without limit.
	KeepFor   time.Duration
	KeepBytes int64
	// ReadOnly keeps the state folder as it is: nothing can be applied, and what is
	// seen is not noted.
	ReadOnly bool
}

// Folder returns the state folder of a store, below the folder state: named by a
// hash of the store's path, so that no path is too long for it or leads outside.
func Folder(state string, id memory.StoreID) string {
	if state == "" {
		return ""
	}
	return filepath.Join(state, "stores", atomicfile.Digest([]byte(id))[:32])
}

// Curator plans and applies changes of one store. It is safe for concurrent use,
// and by several processes.
type Curator struct {
	c       Config
	info    system.Info
	compose system.Composer // undecoded for a system whose stores can only be looked at
	turn    chan struct{}   // holds one token while file is used
	file    *history.File
	// seen are the numbers of the newest entry at the last two calls of Watched.
	seen [2]memory.EntryID
}

// Open returns the curator of a store. It reads nothing yet.
func Open(c Config) *Curator {
	compose, ok := c.System.(system.Composer)
	if !ok {
		compose = undecoded{}
	}
	return &Curator{c: c, info: c.System.Info(), compose: compose, turn: make(chan struct{}, 1), file: history.Open(c.Disk, c.Dir, c.Store)}
}

// undecoded stands in for the composer of a system whose stores can only be looked at. Nothing
// was changed in such a store, so no more than Decode is asked of it.
type undecoded struct{ system.Composer }

// Decode returns a record that has its stored form only.
func (undecoded) Decode(stored string) memory.Record {
	return memory.Record{Raw: stored, RawLen: len(stored)}
}

// enter waits for this curator to be free.
func (c *Curator) enter(ctx context.Context) (leave func(), err error) {
	select {
	case c.turn <- struct{}{}:
		return func() { <-c.turn }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// reading enters with a state that is fresh, without the lock of the folder.
func (c *Curator) reading(ctx context.Context) (leave func(), err error) {
	leave, err = c.enter(ctx)
	if err != nil || c.c.Dir == "" {
		return leave, err
	}
	if err := c.file.Refresh(false); err != nil {
		leave()
		return nil, c.noHistory("read", err)
	}
	return leave, nil
}

// recovered enters like reading, after a change that a crash interrupted was finished or
// taken back: only then the history says what was done. Where nothing may be written, an
// unfinished change is a *memory.Problem.
func (c *Curator) recovered(ctx context.Context) (leave func(), err error) {
	leave, err = c.reading(ctx)
	if err != nil || c.file.State.Pending == nil {
		return leave, err
	}
	leave()
	if c.c.ReadOnly {
		return nil, &memory.Problem{
			Code: "unfinished", What: "a change of this store was interrupted and is not finished yet",
			Hint: "start Winnow without --readonly: it finishes the change or takes it back",
		}
	}
	if leave, err = c.writing(ctx); err != nil {
		return nil, err
	}
	leave()
	return c.reading(ctx)
}

// writing enters with the lock of the folder held, a state that is fresh, and no change
// unfinished.
func (c *Curator) writing(ctx context.Context) (leave func(), err error) {
	free, err := c.enter(ctx)
	if err != nil {
		return nil, err
	}
	if c.c.Dir == "" {
		free()
		return nil, c.noHistory("write", errNoPlace)
	}
	unlock, err := c.file.Lock(ctx)
	if err != nil {
		free()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, c.noHistory("write", err)
	}
	leave = func() { unlock(); free() }
	if err := c.finishPending(ctx); err != nil {
		leave()
		return nil, err
	}
	return leave, nil
}

var errNoPlace = errors.New("there is no home folder to keep it in")

// noHistory returns the problem of a history that cannot be read or written, and nil
// without a cause.
func (c *Curator) noHistory(op string, cause error) error {
	if cause == nil {
		return nil
	}
	var p *memory.Problem
	if errors.As(cause, &p) && p.Code == history.CodeNewer {
		return p
	}
	hint := "Winnow keeps what it replaces in " + c.c.Dir + ": make that folder writable, or set XDG_STATE_HOME to one that is"
	code, next := atomicfile.Cause(cause)
	switch {
	case c.c.Dir == "":
		hint = "set HOME, or set XDG_STATE_HOME to a folder where Winnow can keep what it replaces"
	case !slices.Contains([]string{"permission", "read-only-fs", "folder-gone"}, code):
		hint = next
	}
	return &refusal{&memory.Problem{Code: "no-history", What: op + " the history of this store: " + cause.Error(), Hint: hint}, cause}
}

// refusal is a problem whose cause can be asked for.
type refusal struct {
	problem *memory.Problem
	cause   error
}

// Error returns what is wrong.
func (r *refusal) Error() string { return r.problem.What }

// Unwrap returns the problem and its cause.
func (r *refusal) Unwrap() []error { return []error{r.problem, r.cause} }

// pinsAtEnd returns the pins as the end of the history says them. It is false when that does
// not, as after a crash, and in a curator that has read the history.
func (c *Curator) pinsAtEnd(ctx context.Context) (map[memory.ID]bool, bool) {
	leave, err := c.enter(ctx)
	if err != nil {
		return nil, false
	}
	defer leave()
	if c.c.Dir == "" {
		return nil, false
	}
	pins, ok, err := c.file.Pins()
	return pins, ok && err == nil // an error comes again when all is read
}

// Pinned returns the pinned records.
func (c *Curator) Pinned(ctx context.Context) (map[memory.ID]bool, error) {
	if pins, ok := c.pinsAtEnd(ctx); ok {
		return pins, nil
	}
	leave, err := c.reading(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	return maps.Clone(c.file.State.Pins), nil
}

// Purge empties the history. Pins and decisions stay; the guard forgets what it
// watched over, but for pins.
func (c *Curator) Purge(ctx context.Context) error {
	if c.c.ReadOnly {
		return memory.ErrReadOnly
	}
	leave, err := c.writing(ctx)
	if err != nil {
		return err
	}
	defer leave()
	return c.noHistory("write", c.file.Purge(c.c.Now()))
}

// Recover finishes or takes back a change that a crash interrupted. It costs one
// look at a file when there is none. A curator that is read-only returns a problem then.
func (c *Curator) Recover(ctx context.Context) error {
	if _, ok := c.pinsAtEnd(ctx); ok {
		return nil
	}
	leave, err := c.recovered(ctx)
	if err == nil {
		leave()
	}
	return err
}

// finishPending finishes or takes back an interrupted change, with the lock held.
func (c *Curator) finishPending(ctx context.Context) error {
	if c.file.State.Pending == nil {
		return nil
	}
	w, ok := c.c.System.(system.Writer)
	if !ok {
		return nil
	}
	e, err := c.file.Begun()
	if err != nil {
		return c.noHistory("read", err)
	}
	staged := system.Staged{Temp: e.Temp, Changes: e.Changes}
	if e.Splices != nil {
		staged.Splices = *e.Splices
	}
	stands, err := recoverStore(ctx, w, staged, c.file.State.Left)
	if err != nil {
		return err
	}
	if stands {
		if stands, err = c.tookOut(ctx, &e); err != nil {
			return err
		}
	}
	end := history.Event{Kind: history.Aborted, ID: e.ID, At: c.c.Now()}
	if stands {
		end.Kind = history.Done
	}
	return c.noHistory("write", c.file.Append(end, false))
}

// recoverStore finishes or takes back a change, and reports whether it stands. One that
// was given up is not made any more: only what another writer saved is taken in.
func recoverStore(ctx context.Context, w system.Writer, s system.Staged, givenUp bool) (stands bool, err error) {
	if givenUp {
		others := s
		others.Changes = nil
		if _, err := w.Recover(ctx, others); err != nil {
			return false, err
		}
	}
	return w.Recover(ctx, s)
}
