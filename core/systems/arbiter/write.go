package arbiter

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"slices"
	"time"

	"winnow/core/atomicfile"
	"winnow/core/memory"
	"winnow/core/sqlite"
	"winnow/core/system"
)

// CanWrite implements [system.Writer].
func (s *store) CanWrite() error {
	sc, err := schemaOf(context.Background(), s.path)
	if err != nil {
		return problem(err)
	}
	return s.canWrite(&sc)
}

func (s *store) canWrite(sc *schema) error {
	if why := sc.schemaDifference(); why != "" {
		return &memory.Problem{
			Code: "unknown-schema",
			What: "This version of Arbiter is not known here: " + why + ". Nothing is changed in it.",
			Hint: "edit with Arbiter itself, by /lesson",
		}
	}
	if err := atomicfile.Allowed(s.disk, s.path); err != nil {
		return err
	}
	return sqlite.Writable(s.path)
}

// Confine implements [system.Confined].
func (s *store) Confine(may func(path string) error) { s.disk = atomicfile.Confined(s.disk, may) }

// Write implements [system.Writer]. A change that is refused, or was already made, is found by
// reading only. All changes are made in one transaction, and nothing waits inside it. Stage is
// called before the transaction; it is called again inside only if another writer came in between.
func (s *store) Write(ctx context.Context, w system.Write) (system.Written, error) {
	if err := s.allowed(); err != nil {
		return system.Written{}, err
	}
	planned := rowChanges{changes: w.Changes}
	if err := sqlite.Look(ctx, s.path, func(db *sql.DB) error { return planned.decide(ctx, db) }); err != nil {
		return s.unchangedResult(ctx, &planned, err)
	}
	if err := s.CanWrite(); err != nil {
		return system.Written{}, err
	}
	stage := func(system.Staged) error { return nil }
	if w.Stage != nil {
		stage = w.Stage
	}
	staged := planned.staged()
	if err := stage(staged); err != nil {
		return system.Written{}, err
	}
	made := rowChanges{changes: w.Changes}
	var unstaged error
	err := sqlite.Change(ctx, s.path, s.patience, func(tx *sql.Tx) error {
		if err := errors.Join(s.allowed(), made.decide(ctx, tx)); err != nil {
			return err
		}
		if now := made.staged(); now.Temp != staged.Temp {
			staged = now
			unstaged = stage(staged)
		}
		return errors.Join(unstaged, ctx.Err(), made.apply(ctx, tx), s.allowed())
	})
	switch {
	case unstaged != nil:
		return system.Written{}, unstaged
	case err != nil:
		return s.unchangedResult(ctx, &made, err)
	}
	return system.Written{Staged: staged, Fates: made.fates, Notes: s.leftOver(ctx, staged.Changes)}, nil
}

// unchangedResult returns the result of a write that changed nothing.
func (s *store) unchangedResult(ctx context.Context, rc *rowChanges, err error) (system.Written, error) {
	w := system.Written{Fates: rc.fates}
	switch {
	case errors.Is(err, errSettled):
		w.Staged.Standing = rc.standing
		return w, nil
	case errors.Is(err, memory.ErrConflict):
		return w, memory.ErrConflict
	}
	return w, s.asProblem(ctx, err)
}

// allowed returns nil if the database may be changed and is the one that was looked at first.
func (s *store) allowed() error {
	path, err := s.target.File(s.disk, s.path)
	if err != nil {
		return err
	}
	return atomicfile.Allowed(s.disk, path)
}

// asProblem returns a write error as a problem, unless it is the error of ctx.
func (s *store) asProblem(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	p := problem(err)
	if p.Code == "busy" {
		return &memory.Problem{
			Code: p.Code,
			What: "Arbiter, or another program, keeps the database locked. Nothing was changed.",
			Hint: "try again when its turn is over",
		}
	}
	return p
}

// staged returns what is about to be committed. Its name is derived from the changes; no file has
// this name.
func (rc *rowChanges) staged() system.Staged {
	sum := sha256.New()
	for _, ch := range rc.made {
		sum.Write([]byte(ch.Before + "\n" + ch.After + "\n"))
	}
	return system.Staged{Temp: "rows-" + hex.EncodeToString(sum.Sum(nil)[:8]), Changes: rc.made, Standing: rc.standing}
}

// flushing is how long to keep trying to empty the log.
const flushing = 200 * time.Millisecond

// leftOver empties the log after a change that removed a secret, and says what may still hold the
// secret.
func (s *store) leftOver(ctx context.Context, changes []memory.Change) (notes []string) {
	secret := false
	for i := range changes {
		secret = secret ||
			changes[i].Do != memory.Adding && len(changes[i].Record.Secrets) > len(changes[i].Edited.Secrets)
	}
	if !secret {
		return nil
	}
	if done, err := sqlite.Flush(ctx, s.path, flushing); err != nil || !done {
		notes = append(
			notes,
			"The old text still stands in the database's -wal until Arbiter, which has it open, empties that.",
		)
	}
	return append(notes, "What was deleted before, and conversations in the same database, may hold it still.")
}

// Recover implements [system.Writer]. A transaction is applied as a whole or not at all, so the
// first conclusive row decides.
func (s *store) Recover(ctx context.Context, staged system.Staged) (made bool, err error) {
	err = sqlite.Look(ctx, s.path, func(db *sql.DB) error {
		made = false
		sc, err := readSchema(ctx, db)
		if err != nil {
			return err
		}
		for i := range staged.Changes {
			ch := &staged.Changes[i]
			id, ok := rowOf(ch)
			if !ok {
				continue
			}
			now, there, err := sc.rowByID(ctx, db, id)
			if err != nil {
				return err
			}
			if done, conclusive := madeAlready(ch, &now, there); conclusive {
				made = done
				return nil
			}
		}
		return nil
	})
	if p := (*memory.Problem)(nil); errors.As(err, &p) && (p.Code == "missing" || p.Code == "not-arbiter") {
		return false, nil
	}
	if err != nil {
		return false, s.asProblem(ctx, err)
	}
	return made, nil
}

// madeAlready reports whether a change was made, and whether the stored row is conclusive at all.
func madeAlready(ch *memory.Change, now *row, there bool) (made, conclusive bool) {
	switch ch.Do {
	case memory.Deleting:
		return !there, true
	case memory.Adding:
		return there, true
	}
	before, err := decodeRow(ch.Before)
	after, also := decodeRow(ch.After)
	if err != nil || also != nil || !there {
		return false, false
	}
	switch {
	case sameTexts(now, &after) && !sameTexts(now, &before), *now == after:
		return true, true
	case sameTexts(now, &before) && !sameTexts(&before, &after), *now == before:
		return false, true
	}
	return now.number(colUpdated) >= after.number(colUpdated) &&
		after.number(colUpdated) > before.number(colUpdated), true
}

// textColumns are the columns that only a person sets.
var textColumns = [...]int{colTenant, colAgent, colSignature, colText}

// Reconcile implements [system.Composer]. Only the texts, the tenant and the agent belong to the
// person. Of counts and times the highest known value wins, unless a person lowered a count.
func (s *store) Reconcile(made memory.Forms, theirs string) (string, system.Relation) {
	mine, err := decodeRow(made.Mine())
	now, also := decodeRow(theirs)
	if err != nil || also != nil {
		return system.ReconcileWhole(made, theirs)
	}
	var forms []row // every form that a person began from or made
	for _, form := range append(made.Earlier(), made.Mine()) {
		if r, err := decodeRow(form); err == nil {
			forms = append(forms, r)
		}
	}
	next, relation := now, system.Kept
	for _, col := range textColumns {
		set := slices.ContainsFunc(forms, func(f row) bool { return f[col] != mine[col] })
		known := slices.ContainsFunc(forms, func(f row) bool { return f[col] == now[col] })
		switch {
		case !set || now[col] == mine[col]:
			continue
		case known:
			relation = max(relation, system.Reverted)
		default:
			relation = system.Diverged
		}
		next[col] = mine[col]
	}
	for i := range forms {
		next.raise(&forms[i])
	}
	if next.settleHits(&forms[0], &mine, &now) {
		relation = max(relation, system.Reverted)
	}
	if !sameTexts(&next, &now) {
		next[colUpdated] = max(mine.number(colUpdated), now.number(colUpdated))
	}
	if next == now {
		return theirs, relation
	}
	return next.encode(), relation
}

// settleHits sets the count of recalls in next, which has the highest, if a person lowered it. It reports whether the
// count that is stored now takes back what the person made of the one they began with.
func (next *row) settleHits(began, mine, now *row) (reverted bool) {
	was, is := began.number(colHits), mine.number(colHits)
	switch {
	case is < was && now.number(colHits) < was: // counting goes on from there
		next[colHits] = now[colHits]
		return false
	case is < was:
		next[colHits] = is
		return true
	}
	return is > was && now.number(colHits) < is
}
