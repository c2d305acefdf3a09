// Package curate changes stores by plans and loses nothing: the old bytes are in a synced history
// before new ones replace them, every change can be undone, and it notices when another writer
// undoes one. It also holds the pins, which are in no store.
package curate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"winnow/core/atomicfile"
	"winnow/core/memory"
	"winnow/core/system"
)

// Config says what a Curator works on and how.
type Config struct {
	// Dir is the state folder of the store; see [Folder]. It is created when something is first
	// written. If it is empty, every change is refused.
	Dir    string
	Store  memory.StoreID
	System system.Store // changes need a system.Writer and a system.Composer
	Disk   atomicfile.Disk
	// Drafts is a folder of texts that a person started to edit; empty if there is none. A change
	// that keeps no copy removes its secrets there too.
	Drafts string
	// Complete adds to a snapshot what rules of a prune ask for and the store itself does not know: similar
	// records, and how often sessions used them. It may be nil.
	Complete func(context.Context, memory.Snapshot) memory.Snapshot
	Now      func() time.Time
	Rand     io.Reader
	// KeepFor and KeepBytes limit the history by age and size; 0 means no limit.
	KeepFor   time.Duration
	KeepBytes int64
	// ReadOnly leaves the state folder unchanged: nothing can be applied, and nothing that is seen
	// is recorded.
	ReadOnly bool
}

// Folder returns the state folder of a store, below the folder state. Its name is a hash of the
// store's path, so that a path can be neither too long nor point outside.
func Folder(state string, id memory.StoreID) string {
	if state == "" {
		return ""
	}
	return filepath.Join(state, "stores", atomicfile.Digest([]byte(id))[:32])
}

// Curator plans and applies changes to one store. It is safe for concurrent use, also by several
// processes.
type Curator struct {
	c       Config
	info    system.Info
	compose system.Composer // undecoded if the system's stores are read-only
	turn    chan struct{}   // holds one token while file is in use
	file    *historyFile
	moved   string // says that an older history was moved aside, until a result said it
	// seen are the newest entries at the last two calls of Watched.
	seen [2]memory.EntryID
}

// Open returns the curator of a store. It reads nothing yet.
func Open(c Config) *Curator {
	compose, ok := c.System.(system.Composer)
	if !ok {
		compose = readOnlyComposer{}
	}
	return &Curator{
		c:       c,
		info:    c.System.Info(),
		compose: compose,
		turn:    make(chan struct{}, 1),
		file:    openHistory(c.Disk, c.Dir, c.Store),
	}
}

// readOnlyComposer replaces the composer of a system whose stores are read-only. Nothing was ever changed
// in such a store, so only Decode is called.
type readOnlyComposer struct{ system.Composer }

// Decode returns a record that only has its stored form.
func (readOnlyComposer) Decode(stored string) memory.Record {
	return memory.Record{Raw: stored, RawLen: len(stored)}
}

// waitTurn waits until this curator is free.
func (c *Curator) waitTurn(ctx context.Context) (leave func(), err error) {
	select {
	case c.turn <- struct{}{}:
		return func() { <-c.turn }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// reading enters with the current state, without locking the state folder.
func (c *Curator) reading(ctx context.Context) (leave func(), err error) {
	leave, err = c.waitTurn(ctx)
	if err != nil || c.c.Dir == "" {
		return leave, err
	}
	if err := c.file.refresh(false); err != nil {
		leave()
		return nil, c.noHistory("read", err)
	}
	return leave, nil
}

// recovered enters like reading, but first completes or rolls back a change that a crash
// interrupted, because only then is the history accurate. If nothing may be written, an unfinished
// change is a *memory.Problem.
func (c *Curator) recovered(ctx context.Context) (leave func(), err error) {
	leave, err = c.reading(ctx)
	if err != nil || c.file.state.Pending == nil {
		return leave, err
	}
	if c.c.ReadOnly {
		defer leave()
		return nil, c.halfDone(ctx)
	}
	leave()
	if leave, err = c.writing(ctx); err != nil {
		return nil, err
	}
	leave()
	return c.reading(ctx)
}

// Unfinished returns nil, or the *memory.Problem that a crash interrupted a change, with how many of its records are
// changed already. The next change finishes it or takes it back. Unfinished changes nothing; if another Winnow is in
// the middle of a change, it waits for its end.
func (c *Curator) Unfinished(ctx context.Context) error {
	if _, ok := c.pinsAtEnd(ctx); ok {
		return nil
	}
	leave, err := c.reading(ctx)
	if err != nil {
		return err
	}
	defer leave()
	if c.file.state.Pending == nil {
		return nil
	}
	if unlock, err := c.file.exclude(ctx); err == nil { // whoever is in the middle of a change holds the lock
		defer unlock()
	}
	if err := c.file.refresh(false); err != nil {
		return c.noHistory("read", err)
	}
	if c.file.state.Pending == nil {
		return nil
	}
	return c.halfDone(ctx)
}

// halfDone returns the problem of the pending change, or the error of finding out about it.
func (c *Curator) halfDone(ctx context.Context) error {
	e, err := c.file.begun()
	if err != nil {
		return c.noHistory("read", err)
	}
	snap, err := c.readStore(ctx)
	if err != nil {
		return err
	}
	stored, _ := splitPins(e.Changes)
	made := 0
	for i := range stored {
		if isMade(&stored[i], snap.Records) {
			made++
		}
	}
	return &memory.Problem{
		Code: "unfinished",
		What: fmt.Sprintf("a change was interrupted: %s, made for %d of %d records", e.What, made, len(stored)),
		Hint: "the next change of this store finishes it or takes it back",
	}
}

// isMade reports whether a change is made in these records. One without an id is known by its bytes, because its line
// is another record's after a deletion.
func isMade(ch *memory.Change, records []memory.Record) bool {
	form := ch.After
	if ch.Do == memory.Deleting {
		form = ch.Before
	}
	hasNoID := ch.ID.IsLine()
	isThere := slices.ContainsFunc(records, func(r memory.Record) bool {
		if hasNoID || ch.Do == memory.Editing && r.ID == ch.ID {
			return mayHold(&r, form)
		}
		return ch.Do != memory.Editing && r.ID == ch.ID
	})
	return isThere == (ch.Do != memory.Deleting)
}

// mayHold reports whether a record has a stored form, as far as it was read.
func mayHold(r *memory.Record, form string) bool {
	return r.Raw == form || r.RawCut() && r.RawLen == len(form) && strings.HasPrefix(form, r.Raw)
}

// writing enters with the state folder locked, the current state, and no unfinished change.
func (c *Curator) writing(ctx context.Context) (leave func(), err error) {
	free, err := c.waitTurn(ctx)
	if err != nil {
		return nil, err
	}
	if c.c.Dir == "" {
		free()
		return nil, c.noHistory("write", errNoPlace)
	}
	unlock, err := c.file.lock(ctx)
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
	if err := c.moveOlder(); err != nil {
		leave()
		return nil, err
	}
	return leave, nil
}

// moveOlder moves a history in an older format aside. Nothing of it can be undone here any more, so the next
// change says so.
func (c *Curator) moveOlder() error {
	moved, err := c.file.moveOlder(c.c.Now())
	if err != nil {
		return c.noHistory("move", err)
	}
	if moved {
		c.moved = "What an older Winnow noted was moved to " + c.file.olderPath() +
			": it is kept, and cannot be undone here. Pins and what the guard watches were carried over."
	}
	return nil
}

// Older returns the path of the history of an older Winnow, which was moved aside or will be by the next change;
// empty if there is none, or if that cannot be read.
func (c *Curator) Older(ctx context.Context) string {
	leave, err := c.waitTurn(ctx)
	if err != nil {
		return ""
	}
	defer leave()
	if c.c.Dir == "" {
		return ""
	}
	if has, err := c.file.hasOlder(); !has || err != nil {
		return ""
	}
	return c.file.olderPath()
}

var errNoPlace = errors.New("there is no home folder to keep it in")

// noHistory returns the problem of a history that cannot be read or written, or nil if cause is
// nil.
func (c *Curator) noHistory(op string, cause error) error {
	if cause == nil {
		return nil
	}
	var p *memory.Problem
	if errors.As(cause, &p) && (p.Code == codeNewer || p.Code == codeOlder) {
		return p
	}
	hint := "Winnow keeps what it replaces in " + c.c.Dir +
		": make that folder writable, or set XDG_STATE_HOME to one that is"
	code, next := atomicfile.Cause(cause)
	switch {
	case c.c.Dir == "":
		hint = "set HOME, or set XDG_STATE_HOME to a folder where Winnow can keep what it replaces"
	case !slices.Contains([]string{"permission", "read-only-fs", "folder-gone"}, code):
		hint = next
	}
	return &refusal{
		&memory.Problem{Code: "no-history", What: op + " the history of this store: " + cause.Error(), Hint: hint},
		cause,
	}
}

// refusal is a problem that also wraps its cause.
type refusal struct {
	problem *memory.Problem
	cause   error
}

// Error returns what is wrong.
func (r *refusal) Error() string { return r.problem.What }

// Unwrap returns the problem and its cause.
func (r *refusal) Unwrap() []error { return []error{r.problem, r.cause} }

// pinsAtEnd returns the pins as recorded at the end of the history. It returns false if they are
// not recorded there, as after a crash, or if this curator has already read the history.
func (c *Curator) pinsAtEnd(ctx context.Context) (map[memory.ID]bool, bool) {
	leave, err := c.waitTurn(ctx)
	if err != nil {
		return nil, false
	}
	defer leave()
	if c.c.Dir == "" {
		return nil, false
	}
	pins, ok, err := c.file.pins()
	return pins, ok && err == nil // reading everything will report an error again
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
	return maps.Clone(c.file.state.Pins), nil
}

// Purge empties the history, and deletes an older one that was moved aside. Pins and decisions stay. The guard forgets
// everything it watched except pins.
func (c *Curator) Purge(ctx context.Context) error {
	if c.c.ReadOnly {
		return memory.ErrReadOnly
	}
	leave, err := c.writing(ctx)
	if err != nil {
		return err
	}
	defer leave()
	if err := c.file.purge(c.c.Now()); err != nil {
		return c.noHistory("write", err)
	}
	_, err = c.file.removeOlder()
	return c.noHistory("delete the older part of", err)
}

// Recover completes or rolls back a change that a crash interrupted. If there is none, it only
// reads the end of one file. A read-only curator returns a problem if there is one.
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

// finishPending completes or rolls back an interrupted change. The lock must be held.
func (c *Curator) finishPending(ctx context.Context) error {
	if c.file.state.Pending == nil {
		return nil
	}
	w, ok := c.c.System.(system.Writer)
	if !ok {
		return nil
	}
	e, err := c.file.begun()
	if err != nil {
		return c.noHistory("read", err)
	}
	staged := system.Staged{Temp: e.Temp, Changes: e.Changes}
	if e.Splices != nil {
		staged.Splices = *e.Splices
	}
	applied, err := recoverStore(ctx, w, staged, c.file.state.Left)
	if err != nil {
		return err
	}
	if applied {
		if applied, err = c.secretsGone(ctx, &e); err != nil {
			return err
		}
	}
	end := event{Kind: kindAborted, ID: e.ID, At: c.c.Now()}
	if applied {
		end.Kind = kindDone
	}
	return c.noHistory("write", c.file.append(end, false))
}

// recoverStore completes or rolls back a change, and reports whether it is in the store. A change
// that was given up is not made any more; only what another writer saved is merged.
func recoverStore(ctx context.Context, w system.Writer, s system.Staged, givenUp bool) (applied bool, err error) {
	if givenUp {
		others := s
		others.Changes = nil
		if _, err := w.Recover(ctx, others); err != nil {
			return false, err
		}
	}
	return w.Recover(ctx, s)
}
