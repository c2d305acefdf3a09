package arbiter

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"winnow/core/memory"
	"winnow/core/sqlite"
	"winnow/core/system"
)

// rowChanges decides what to do about changes, given the rows as they are now, and makes them.
type rowChanges struct {
	changes  []memory.Change
	schema   schema
	fates    []memory.Applied
	made     []memory.Change // with Before as stored now
	standing []memory.Change // additions that exist already; with After as stored now
	next     int64           // the number of the next new lesson; 0 if unknown yet
}

// errSettled ends a write that has nothing left to change.
var errSettled = errors.New("nothing is left to do")

// decide decides on each change. The second of two changes of a record is decided on what the first
// leaves. The error is errSettled if there is nothing to do, and memory.ErrConflict if a change is
// refused.
func (rc *rowChanges) decide(ctx context.Context, db sqlite.Querier) (err error) {
	rc.fates, rc.made, rc.standing, rc.next = make([]memory.Applied, len(rc.changes)), nil, nil, 0
	if rc.schema, err = readSchema(ctx, db); err != nil {
		return err
	}
	for i := range rc.changes {
		ch := &rc.changes[i]
		rc.fates[i].ID = ch.ID
		if ch.Do > memory.Adding {
			continue // pins belong to no row
		}
		if err := rc.change(ctx, db, i); err != nil {
			return err
		}
	}
	switch {
	case slices.ContainsFunc(rc.fates, func(f memory.Applied) bool { return f.Fate == memory.Refused }):
		return memory.ErrConflict
	case len(rc.made) == 0:
		return errSettled
	}
	return nil
}

func (rc *rowChanges) change(ctx context.Context, db sqlite.Querier, i int) error {
	ch := &rc.changes[i]
	if strings.HasPrefix(string(ch.ID), entriesTable().prefix) || strings.HasPrefix(string(ch.ID), padsTable().prefix) {
		return &memory.Problem{
			Code: "fixed", What: string(ch.ID) + " is no lesson and is not changed here.",
			Hint: "change it with Arbiter itself",
		}
	}
	var now row
	id, numbered := rowOf(ch)
	there := false
	if numbered {
		var err error
		if now, there, err = rc.schema.rowByID(ctx, db, id); err != nil {
			return err
		}
	}
	switch ch.Do {
	case memory.Deleting:
		rc.remove(i, &now, there)
		return nil
	case memory.Editing:
		return rc.edit(i, &now, there)
	}
	return rc.add(ctx, db, i, &now, there)
}

// found returns what a change finds in the place of a row.
func (rc *rowChanges) found(now *row, there bool) system.Found {
	if !there {
		return system.Found{}
	}
	return system.Found{There: true, Taken: "another lesson has its number", Theirs: func() (string, memory.Record) {
		text := now.encode()
		return text, rc.schema.lessonRecord(now, text, 0)
	}}
}

// remove decides on a deletion. Counts that Arbiter raised meanwhile do not matter.
func (rc *rowChanges) remove(i int, now *row, there bool) {
	before, err := decodeRow(rc.changes[i].Before)
	found := rc.found(now, there)
	found.AsSeen = err == nil && sameTexts(&before, now)
	if found.Decide(memory.Deleting, &rc.fates[i]) {
		rc.addChange(i, now, nil)
	}
}

// edit decides on an edit: what a person set is applied to the row as it is now.
func (rc *rowChanges) edit(i int, now *row, there bool) error {
	ch := &rc.changes[i]
	before, err := decodeRow(ch.Before)
	mine, also := decodeRow(ch.After)
	if err != nil || also != nil {
		return notValid("row", "its form cannot be read")
	}
	found := rc.found(now, there)
	merged, clash := mergeRows(&before, &mine, now)
	if there {
		found.Clash = system.Say(clash != "", clash+" too")
		found.Made = clash == "" && merged == *now
		if !found.Made && clash == "" {
			err = rc.tenantOf(&merged)
		}
		found.Merged = merged != mine
	}
	if err == nil && found.Decide(memory.Editing, &rc.fates[i]) {
		rc.addChange(i, now, &merged)
	}
	return err
}

// mergeRows applies the differences between before and mine to now. Counts and times never
// conflict: the higher value wins.
func mergeRows(before, mine, now *row) (merged row, clash string) {
	merged = *now
	for _, col := range textColumns {
		switch {
		case mine[col] == before[col], now[col] == mine[col]:
		case now[col] != before[col]:
			return *now, columns[col]
		default:
			merged[col] = mine[col]
		}
	}
	for _, col := range [...]int{colHits, colSeen, colUpdated} {
		switch {
		case mine[col] == before[col]:
		case now[col] == before[col]:
			merged[col] = mine[col]
		case mine.number(col) > now.number(col):
			merged[col] = mine[col]
		}
	}
	if sameTexts(&merged, now) && merged[colHits] == now[colHits] && merged[colSeen] == now[colSeen] {
		merged[colUpdated] = now[colUpdated] // nothing was set that is not there already
	}
	if mine[colCreated] != before[colCreated] {
		merged[colCreated] = mine[colCreated]
	}
	return merged, ""
}

// add decides on an addition: of a new lesson, or of one that is restored.
func (rc *rowChanges) add(ctx context.Context, db sqlite.Querier, i int, now *row, there bool) error {
	mine, err := decodeRow(rc.changes[i].After)
	if err != nil {
		return notValid("row", err.Error())
	}
	if err := rc.tenantOf(&mine); err != nil {
		return err
	}
	if mine[colID] == nil {
		if err := mine.valid(); err != nil {
			return err
		}
		if *now, there, err = rc.schema.addedBefore(ctx, db, &mine); err != nil {
			return err
		}
	}
	found := rc.found(now, there)
	found.Made = there && sameTexts(&mine, now)
	if found.Decide(memory.Adding, &rc.fates[i]) {
		if mine[colID], err = rc.number(ctx, db, mine[colID]); err != nil {
			return err
		}
		rc.fates[i].ID = mine.idOf()
		rc.addChange(i, nil, &mine)
	}
	if found.Made {
		rc.fates[i].ID = now.idOf()
		rc.raiseCounts(i, now, &mine)
	}
	return nil
}

// raiseCounts gives a row that stands there the counts of one that was to be put back, if those are higher.
func (rc *rowChanges) raiseCounts(i int, now, mine *row) {
	raised := *now
	raised.raise(mine)
	if mine[colID] == nil || raised == *now {
		rc.addStanding(i, now)
		return
	}
	rc.fates[i].Fate = memory.Merged
	rc.addChange(i, now, &raised)
}

// addStanding records the form of an addition that exists already.
func (rc *rowChanges) addStanding(i int, now *row) {
	if ch := rc.changes[i]; now.encode() != ch.After {
		ch.After = now.encode()
		rc.standing = append(rc.standing, ch)
	}
}

// number returns the number for an added lesson: the one that it had, or the next unused one.
func (rc *rowChanges) number(ctx context.Context, db sqlite.Querier, had any) (any, error) {
	if had != nil {
		return had, nil
	}
	if rc.next == 0 {
		err := db.QueryRowContext(ctx, "SELECT max(coalesce((SELECT max(id) FROM lessons),0),coalesce((SELECT max(seq) FROM sqlite_sequence WHERE name='lessons'),0))").Scan(&rc.next)
		if err != nil {
			return nil, err
		}
	}
	rc.next++
	return rc.next, nil
}

// tenantOf gives a row without a tenant the first one. It returns a problem for a row whose tenant
// does not exist.
func (rc *rowChanges) tenantOf(r *row) error {
	if len(rc.schema.tenants) == 0 {
		return &memory.Problem{
			Code: "no-tenant", What: "The database has no tenant that a lesson could belong to.",
			Hint: "start Arbiter once: it makes one",
		}
	}
	if r[colTenant] == int64(0) {
		r[colTenant] = rc.schema.tenants[0].id
	}
	id := r.number(colTenant)
	if !slices.ContainsFunc(rc.schema.tenants, func(t tenant) bool { return t.id == id }) {
		return &memory.Problem{
			Code: "no-tenant", What: fmt.Sprintf("Tenant %d, to which the lesson belongs, is not there any more.", id),
			Hint: "add the lesson to another tenant instead",
		}
	}
	return nil
}

// addChange records a change to be made.
func (rc *rowChanges) addChange(i int, now, next *row) {
	ch := rc.changes[i]
	ch.Before, ch.After, ch.Edited = "", "", memory.Record{}
	if now != nil {
		ch.ID, ch.Before = now.idOf(), now.encode()
		ch.Record = rc.schema.lessonRecord(now, ch.Before, 0)
	}
	if next != nil {
		ch.After = next.encode()
		after := rc.schema.lessonRecord(next, ch.After, 0)
		switch {
		case now == nil:
			ch.Do, ch.Record, ch.ID = memory.Adding, after, next.idOf()
		default:
			ch.Do, ch.Edited = memory.Editing, after
		}
	}
	rc.made = append(rc.made, ch)
}

// apply makes the changes that were decided.
func (rc *rowChanges) apply(ctx context.Context, tx *sql.Tx) error {
	for k := range rc.made {
		query, values, err := statement(&rc.made[k])
		if err == nil {
			err = exactlyOne(tx.ExecContext(ctx, query, values...))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// statement returns the SQL for a change.
func statement(ch *memory.Change) (query string, values []any, err error) {
	if ch.Do == memory.Deleting {
		id, _ := rowOf(ch)
		return "DELETE FROM lessons WHERE id=?", []any{id}, nil
	}
	r, err := decodeRow(ch.After)
	for _, v := range r {
		if b, ok := v.(blob); ok {
			v = []byte(b)
		}
		values = append(values, v)
	}
	if ch.Do == memory.Editing {
		assigned := strings.Join(columns[1:], "=?,") + "=?"
		return "UPDATE lessons SET " + assigned + " WHERE id=?", append(values[1:], r[colID]), err
	}
	marks := strings.TrimSuffix(strings.Repeat("?,", width), ",")
	return "INSERT INTO lessons(" + strings.Join(columns[:], ",") + ") VALUES(" + marks + ")", values, err
}

// exactlyOne returns an error unless exactly one row was changed.
func exactlyOne(result sql.Result, err error) error {
	if err != nil {
		return err
	}
	n, err := result.RowsAffected()
	if err == nil && n != 1 {
		err = fmt.Errorf("%d rows were changed, and 1 was meant", n)
	}
	return err
}

// rowOf returns the row number of a change. A new lesson has none.
func rowOf(ch *memory.Change) (int64, bool) {
	form := ch.Before
	if ch.Do == memory.Adding {
		form = ch.After
	}
	if r, err := decodeRow(form); err == nil {
		id, ok := r[colID].(int64)
		return id, ok
	}
	digits, ok := strings.CutPrefix(string(ch.ID), "#")
	id, err := strconv.ParseInt(digits, 10, 64)
	return id, ok && err == nil
}

// rowByID returns the row with a number.
func (s *schema) rowByID(ctx context.Context, db sqlite.Querier, id int64) (r row, there bool, err error) {
	return s.oneRow(db.QueryRowContext(ctx, s.lessonQuery("WHERE id=?"), id))
}

// addedBefore returns the row of an addition that was already made: one with the same text, written
// in the same second.
func (s *schema) addedBefore(ctx context.Context, db sqlite.Querier, mine *row) (r row, there bool, err error) {
	return s.oneRow(db.QueryRowContext(ctx, s.lessonQuery("WHERE tenant_id=? AND agent_id=? AND signature=? AND lesson_text=? AND created_at=? ORDER BY id LIMIT 1"),
		mine[colTenant], mine[colAgent], mine[colSignature], mine[colText], mine[colCreated]))
}

func (s *schema) oneRow(found *sql.Row) (r row, there bool, err error) {
	r, long, err := scanLesson(found)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return r, false, nil
	case err != nil:
		return r, false, err
	case long > 0:
		return r, true, &memory.Problem{
			Code: "too-long", What: "The row is too long to be read, so it is not changed.",
			Hint: "change it with sqlite3",
		}
	}
	return r, true, nil
}
