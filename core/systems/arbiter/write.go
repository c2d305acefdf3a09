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
func (s *Store) CanWrite() error {
	sc, err := schemaOf(context.Background(), s.path)
	if err != nil {
		return problem(err)
	}
	return s.canWrite(&sc)
}

func (s *Store) canWrite(sc *schema) error {
	if why := sc.unknown(); why != "" {
		return &memory.Problem{
			Code: "unknown-schema", What: "This version of Arbiter is not known here: " + why + ". Nothing is changed in it.", Hint: "edit with Arbiter itself, by /lesson",
		}
	}
	return sqlite.Writable(s.path)
}

// Write implements [system.Writer]. What is refused, or was done already, is told by
// reading alone. All changes are made in one transaction, which nothing waits in: Stage is
// called before it, and in it only when another writer came in between.
func (s *Store) Write(ctx context.Context, w system.Write) (system.Written, error) {
	stays := s.staying()
	if err := stays(); err != nil {
		return system.Written{}, err
	}
	planned := step{changes: w.Changes}
	if err := sqlite.Look(ctx, s.path, func(db *sql.DB) error { return planned.decide(ctx, db) }); err != nil {
		return s.unwritten(ctx, &planned, err)
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
	made := step{changes: w.Changes}
	var unstaged error
	err := sqlite.Change(ctx, s.path, s.patience, func(tx *sql.Tx) error {
		if err := errors.Join(stays(), made.decide(ctx, tx)); err != nil {
			return err
		}
		if now := made.staged(); now.Temp != staged.Temp {
			staged = now
			unstaged = stage(staged)
		}
		return errors.Join(unstaged, ctx.Err(), made.apply(ctx, tx), stays())
	})
	switch {
	case unstaged != nil:
		return system.Written{}, unstaged
	case err != nil:
		return s.unwritten(ctx, &made, err)
	}
	return system.Written{Staged: staged, Fates: made.fates, Notes: s.leftOver(ctx, staged.Changes)}, nil
}

// unwritten returns the result of a write that changed nothing.
func (s *Store) unwritten(ctx context.Context, st *step, err error) (system.Written, error) {
	w := system.Written{Fates: st.fates}
	switch {
	case errors.Is(err, errSettled):
		w.Staged.Standing = st.standing
		return w, nil
	case errors.Is(err, memory.ErrConflict):
		return w, memory.ErrConflict
	}
	return w, s.worded(ctx, err)
}

// staying returns what is nil as long as the folder of the database is the one in which it
// was looked at. SQLite opens the database by its path: a folder that is swapped and
// swapped back in between is not noticed.
func (s *Store) staying() func() error {
	disk := s.folders.Steady(atomicfile.OS())
	return func() error {
		_, err := s.folders.File(disk, s.path)
		return err
	}
}

// worded returns an error of writing as a problem, unless it is that of ctx.
func (s *Store) worded(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	p := problem(err)
	if p.Code == "busy" {
		return &memory.Problem{
			Code: p.Code, What: "Arbiter, or another program, keeps the database locked. Nothing was changed.", Hint: "try again when its turn is over",
		}
	}
	return p
}

// staged returns what is about to be committed. Its name is made of the changes: no file
// is called so.
func (st *step) staged() system.Staged {
	sum := sha256.New()
	for _, ch := range st.made {
		sum.Write([]byte(ch.Before + "\n" + ch.After + "\n"))
	}
	return system.Staged{Temp: "rows-" + hex.EncodeToString(sum.Sum(nil)[:8]), Changes: st.made, Standing: st.standing}
}

// flushing is how long emptying the log is tried for.
const flushing = 200 * time.Millisecond

// leftOver empties the log after a change that took a secret out, and says what may hold
// it still.
func (s *Store) leftOver(ctx context.Context, changes []memory.Change) (notes []string) {
	secret := false
	for i := range changes {
		secret = secret || changes[i].Do != memory.Adding && len(changes[i].Record.Secrets) > len(changes[i].Edited.Secrets)
	}
	if !secret {
		return nil
	}
	if done, err := sqlite.Flush(ctx, s.path, flushing); err != nil || !done {
		notes = append(notes, "The old text still stands in the database's -wal until Arbiter, which has it open, empties that.")
	}
	return append(notes, "What was deleted before, and conversations in the same database, may hold it still.")
}

// Recover implements [system.Writer]. A transaction stands as a whole or not at all, so
// the first row that tells is enough.
func (s *Store) Recover(ctx context.Context, staged system.Staged) (stands bool, err error) {
	err = sqlite.Look(ctx, s.path, func(db *sql.DB) error {
		stands = false
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
			if made, told := madeAlready(ch, &now, there); told {
				stands = made
				return nil
			}
		}
		return nil
	})
	if p := (*memory.Problem)(nil); errors.As(err, &p) && (p.Code == "missing" || p.Code == "not-arbiter") {
		return false, nil
	}
	if err != nil {
		return false, s.worded(ctx, err)
	}
	return stands, nil
}

// madeAlready reports whether a change was made, and whether the row that stands there
// tells that at all.
func madeAlready(ch *memory.Change, now *row, there bool) (made, told bool) {
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
	return now.number(colUpdated) >= after.number(colUpdated) && after.number(colUpdated) > before.number(colUpdated), true
}

// Reconcile implements [system.Composer]. Only texts, the tenant and the agent are a person's;
// of counts and times the highest known stay, unless a person lowered a count.
func (s *Store) Reconcile(made memory.Forms, theirs string) (merged string, settled system.Relation) {
	m, err := decodeRow(made.Mine())
	t, also := decodeRow(theirs)
	if err != nil || also != nil {
		return system.ReconcileWhole(made, theirs)
	}
	p := reconciling{mine: &m, theirs: &t, next: t}
	for _, c := range made {
		p.take(c)
	}
	for _, col := range [...]int{colTenant, colAgent, colSignature, colText} {
		settled = max(settled, p.text(col))
	}
	settled = max(settled, p.hits())
	for i := range p.forms {
		p.next[colSeen] = max(p.next.number(colSeen), p.forms[i].number(colSeen))
	}
	if !sameTexts(&p.next, &t) {
		p.next[colUpdated] = max(m.number(colUpdated), t.number(colUpdated))
	}
	if p.next == t {
		return theirs, settled
	}
	return p.next.encode(), settled
}

// reconciling is one run of Reconcile.
type reconciling struct {
	mine, theirs *row
	next         row
	forms        []row              // all that a person began from or made
	set          [len(columns)]bool // by a person
	lowered      []int64            // the counts that a person lowered, as they were
	raised       bool
}

// take takes in one change of a person.
func (p *reconciling) take(c memory.FormChange) {
	was, err := decodeRow(c.Before)
	known := err == nil
	if known {
		p.forms = append(p.forms, was)
	}
	is, err := decodeRow(c.After)
	if err != nil {
		return
	}
	p.forms = append(p.forms, is)
	if !known {
		return
	}
	for col := range columns {
		p.set[col] = p.set[col] || was[col] != is[col]
	}
	from, to := was.number(colHits), is.number(colHits)
	if from > to && from > p.mine.number(colHits) {
		p.lowered = append(p.lowered, from)
	}
	p.raised = p.raised || from < to
}

// text settles a column that only a person sets.
func (p *reconciling) text(col int) system.Relation {
	if !p.set[col] || p.theirs[col] == p.mine[col] {
		return system.Kept
	}
	p.next[col] = p.mine[col]
	if slices.ContainsFunc(p.forms, func(f row) bool { return f[col] == p.theirs[col] }) {
		return system.Reverted
	}
	return system.Diverged
}

// hits settles the count. One that was raised is kept where theirs is as high; one that
// was lowered is reverted where theirs is as high as it was.
func (p *reconciling) hits() system.Relation {
	mine, theirs := p.mine.number(colHits), p.theirs.number(colHits)
	if len(p.lowered) > 0 {
		if theirs < slices.Max(p.lowered) {
			return system.Kept
		}
		p.next[colHits] = mine
		return system.Reverted
	}
	most := max(mine, theirs)
	for i := range p.forms {
		most = max(most, p.forms[i].number(colHits))
	}
	p.next[colHits] = most
	if p.raised && theirs < mine {
		return system.Reverted
	}
	return system.Kept
}
