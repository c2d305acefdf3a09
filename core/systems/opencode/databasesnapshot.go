package opencode

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"winnow/core/filestore"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/sqlite"
	"winnow/core/system"
)

// Snapshot implements [system.Snapshotter].
func (d *Database) Snapshot(ctx context.Context, emit func(memory.Snapshot)) (memory.Snapshot, error) {
	return d.snapshot(ctx, func(snap *memory.Snapshot) error {
		known, shown := map[string]session{}, 0
		defer d.known.Store(&known)
		return d.pages(ctx, maxSessions, func(p *page) error {
			for _, s := range p.sessions {
				known[s.id] = s
			}
			snap.Total = p.total
			snap.Records = append(snap.Records, p.records(len(snap.Records))...)
			// Each partial snapshot is twice as long as the one before, so the partial ones cost
			// little.
			if n := len(snap.Records); n < min(p.total, maxSessions) && n >= 2*shown {
				part := *snap
				part.Partial = true
				part.Records = slices.Clone(snap.Records)
				emit(part)
				shown = n
			}
			return nil
		})
	})
}

// Summary implements [system.Summarizer].
func (d *Database) Summary(ctx context.Context) (memory.Snapshot, error) {
	return d.snapshot(ctx, func(*memory.Snapshot) error { return nil })
}

// snapshot describes the database. read reads its sessions.
func (d *Database) snapshot(ctx context.Context, read func(*memory.Snapshot) error) (memory.Snapshot, error) {
	snap := d.blank()
	if snap.Problem != nil {
		return snap, ctx.Err()
	}
	t, err := d.tally(ctx)
	if snap.Total = t.total; err == nil {
		err = read(&snap)
	}
	switch {
	case ctx.Err() != nil:
		return memory.Snapshot{}, ctx.Err()
	case err != nil:
		snap.Problem, snap.Records = problemOf(d.fail(err)), nil
		return snap, nil
	}
	d.describe(&snap, t)
	return snap, nil
}

// tallied is what is known of a database without reading its sessions.
type tallied struct {
	schema schema
	total  int
	scopes []memory.Scope
}

// tally counts the sessions of each project, by an index.
func (d *Database) tally(ctx context.Context) (t tallied, err error) {
	err = sqlite.Look(ctx, d.path, func(db *sql.DB) (err error) {
		t = tallied{}
		if t.schema, err = schemaOf(ctx, db); err != nil {
			return err
		}
		p := page{schema: t.schema}
		if err := p.worktrees(ctx, db); err != nil {
			return err
		}
		counts := map[string]int{}
		err = sqlite.Each(ctx, db, func(rows *sql.Rows) error {
			var id sql.NullString
			var n int
			err := rows.Scan(&id, &n)
			counts[scopeOf(p.projects[id.String])] += n
			t.total += n
			return err
		}, "SELECT project_id, count(*) FROM session GROUP BY project_id")
		t.scopes = scopesOf(counts)
		return err
	})
	return t, err
}

// blank returns a snapshot of what the file system says, with a problem if the file is missing.
func (d *Database) blank() memory.Snapshot {
	snap := memory.Snapshot{Place: d.Info().Place, TakenAt: d.now(), Noun: sessionNoun(), ReadOnly: readOnly}
	info, err := os.Stat(d.path)
	if err != nil || !info.Mode().IsRegular() {
		// or it appeared just now
		snap.Problem = cmp.Or(quietread.Reworded(filestore.Read(d.path, 0).Problem, noDatabase), noSessions())
		snap.Place.Exists = !errors.Is(err, os.ErrNotExist)
		return snap
	}
	snap.Place.Exists = true
	snap.Size, snap.Mode, snap.ModTime = info.Size(), info.Mode(), info.ModTime()
	if log, err := os.Stat(d.path + "-wal"); err == nil && log.Size() > 0 {
		snap.Facts = append(
			snap.Facts,
			memory.Fact{Name: "write-ahead log", Text: strconv.FormatInt(log.Size(), 10) + " bytes, read along"},
		)
		if log.ModTime().After(snap.ModTime) {
			snap.ModTime = log.ModTime()
		}
	}
	return snap
}

// describe adds what there is to say about the store as a whole.
func (d *Database) describe(snap *memory.Snapshot, t tallied) {
	s := t.schema
	snap.Scopes = t.scopes
	if snap.Total == 0 {
		snap.Problem = noSessions()
	}
	snap.Running = d.m.running()
	snap.Health = system.Report(
		"",
		runningHealth(snap.Running),
		system.When(
			s.shape == shapeOther || s.shape == shape118 && s.migration > newest118,
			"unknown-version",
			memory.Note,
			1,
			"This database is of a version that Winnow does not know. What it has in common with known ones is shown.",
			"compare a session with: opencode export <id>",
		),
		recordHealth(snap.Records),
	)
	name := map[shape]string{shape13: "1.3", shape118: "1.18", shapeOther: "unknown"}[s.shape]
	snap.Facts = append(
		snap.Facts,
		memory.Fact{Name: "written by", Text: name},
		memory.Fact{Name: "last migration", Text: s.migration},
	)
	snap.Facts = system.Facts(slices.Concat(snap.Facts, editFacts(), []memory.Fact{
		{
			Name: "copies",
			Text: system.Say(s.has["event"], "every message and part stands in the table event once more, secrets too"),
		},
		{Name: "not read", Text: "credentials, accounts and auth.json"},
	})...)
}

// recordHealth counts the sessions that may still run.
func recordHealth(records []memory.Record) memory.Health {
	var open []int
	for i := range records {
		if records[i].Outcome == unsettled {
			open = append(open, records[i].Line)
		}
	}
	return system.OnLines(open, "unsettled", memory.Note,
		fmt.Sprintf("Sessions that run or were killed, which cannot be told apart: %d.", len(open)),
		"see whether a process of OpenCode is alive before you take one for crashed")
}

// scopesOf returns the work trees with their numbers of sessions, the largest first.
func scopesOf(counts map[string]int) (all []memory.Scope) {
	for name, n := range counts {
		all = append(all, memory.Scope{Name: name, Records: n})
	}
	slices.SortFunc(all, func(a, b memory.Scope) int {
		return cmp.Or(cmp.Compare(b.Records, a.Records), strings.Compare(a.Name, b.Name))
	})
	return all
}

func noSessions() *memory.Problem {
	return &memory.Problem{
		Code: "empty",
		What: "There are no sessions here yet.",
		Hint: "they appear when OpenCode is used, and this screen then fills by itself",
	}
}

// problemOf returns an error as a problem for a person.
func problemOf(err error) *memory.Problem {
	p := (*memory.Problem)(nil)
	if !errors.As(err, &p) {
		p = quietread.Problem(err)
	}
	return quietread.Reworded(p, noDatabase)
}
