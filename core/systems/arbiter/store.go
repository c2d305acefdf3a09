package arbiter

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"winnow/core/atomicfile"
	"winnow/core/compare"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/sqlite"
	"winnow/core/system"
)

// store is an Arbiter database.
type store struct {
	system.Whole
	path    string
	now     func() time.Time
	running func(path string) []memory.Running
	// patience is how long a change waits for the lock of another program.
	patience time.Duration
	target   atomicfile.Target // the file that path led to at first
	disk     atomicfile.Disk

	mu     sync.Mutex
	schema schema // as last read
}

// newStore returns the store at path. running returns the processes that have it open.
func newStore(path string, now func() time.Time, running func(string) []memory.Running) *store {
	return &store{path: path, now: now, running: running, patience: sqlite.Patience, disk: atomicfile.OS()}
}

// Info implements [system.Store].
func (s *store) Info() system.Info {
	return system.Info{System: id, Name: name, Place: place(s.path, ""), Noun: lessons(), Similar: compare.Similar}
}

// WatchPaths implements [system.Watched].
func (s *store) WatchPaths() []string { return []string{s.path, s.path + "-wal", s.path + "-journal"} }

// listPart is the number of records read at once.
const listPart = 2000

// List implements [system.Store]. It lists the lessons by ID, then memory entries and scratchpads.
func (s *store) List(ctx context.Context, fn func(memory.Record) error) error {
	for first := 0; ; first += listPart {
		p, err := s.read(ctx, first, listPart)
		if p := (*memory.Problem)(nil); errors.As(err, &p) && p.Code == quietread.CodeMissing {
			return fmt.Errorf("list %s: %w", s.path, memory.ErrNotFound)
		}
		if err != nil {
			return err
		}
		for i := range p.records {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := fn(p.records[i]); err != nil {
				return err
			}
		}
		if first+listPart >= p.total() {
			return nil
		}
	}
}

// mostRecords is the number of records that a snapshot holds at most. mostBytes is the approximate
// total length of their stored forms.
const (
	mostRecords = 50_000
	mostBytes   = 64 << 20
)

// Snapshot implements [system.Snapshotter].
func (s *store) Snapshot(ctx context.Context, _ func(memory.Snapshot)) (memory.Snapshot, error) {
	return s.snapshot(ctx, mostRecords)
}

// Summary implements [system.Summarizer].
func (s *store) Summary(ctx context.Context) (memory.Snapshot, error) {
	return s.snapshot(ctx, 0)
}

func (s *store) snapshot(ctx context.Context, most int) (memory.Snapshot, error) {
	snap := memory.Snapshot{Place: s.Info().Place, TakenAt: s.now(), Noun: lessons()}
	if info, err := os.Stat(s.path); err == nil {
		snap.Size, snap.Mode, snap.ModTime = info.Size(), info.Mode(), info.ModTime()
	}
	if wal, err := os.Stat(s.path + "-wal"); err == nil && wal.Size() > 0 {
		snap.Size += wal.Size()
		if wal.ModTime().After(snap.ModTime) {
			snap.ModTime = wal.ModTime()
		}
	}
	p, err := s.read(ctx, 0, most)
	if err != nil {
		if ctx.Err() != nil {
			return memory.Snapshot{}, ctx.Err()
		}
		snap.Problem = problem(err)
		return snap, nil
	}
	snap.Records, snap.Total = p.records, p.total()
	snap.Aside = p.entries + p.pads
	snap.Held, snap.Unused, snap.Scopes = p.lessons, p.unused, p.scopes
	snap.Running = s.running(s.path)
	snap.Facts, snap.Health = p.facts(), p.health()
	if len(snap.Running) > 0 {
		snap.Writer = fmt.Sprintf("arbiter, pid %d, has it open", snap.Running[0].PID)
	}
	if err := s.canWrite(&p.schema); err != nil {
		snap.ReadOnly = err.Error()
	}
	return snap, nil
}

// problem returns err as a problem.
func problem(err error) *memory.Problem {
	var p *memory.Problem
	if errors.As(err, &p) {
		if p.Code == quietread.CodeMissing {
			return &memory.Problem{
				Code: p.Code,
				What: "There are no lessons here yet: the database does not exist.",
				Hint: "Arbiter makes it when it is started for the first time",
			}
		}
		return p
	}
	return &memory.Problem{
		Code: "unreadable-database",
		What: "The database cannot be read as one of Arbiter: " + err.Error() + ".",
		Hint: "check that it is the tenants.db of Arbiter; nothing was changed",
	}
}

// read reads at most most records of the store, starting with record first.
func (s *store) read(ctx context.Context, first, most int) (p page, _ error) {
	err := sqlite.Look(ctx, s.path, func(db *sql.DB) error {
		p = page{first: first, most: most}
		return p.read(ctx, db)
	})
	if err != nil {
		return p, err
	}
	if l, err := sqlite.Inspect(ctx, s.path); err == nil {
		p.layout = l
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.schema = p.schema
	return p, nil
}

// lastSchema returns the schema as last read.
func (s *store) lastSchema() schema {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.schema
}

// page is a part of a store that was read at once.
type page struct {
	schema  schema
	layout  sqlite.Layout
	first   int // records before it
	most    int // the most records in it
	records []memory.Record

	lessons, entries, pads int
	unused                 int
	hits                   int64
	repeats                int // lessons that repeat an earlier one
	scopes                 []memory.Scope
	bytes                  int
}

func (p *page) total() int { return p.lessons + p.entries + p.pads }

// read reads the page from the database.
func (p *page) read(ctx context.Context, db sqlite.Querier) (err error) {
	if p.schema, err = readSchema(ctx, db); err != nil {
		return err
	}
	if err := p.count(ctx, db); err != nil {
		return err
	}
	if err := p.readScopes(ctx, db); err != nil {
		return err
	}
	skip, most := p.first, p.most
	for _, table := range [...]struct {
		rows int
		read func(skip, most int) error
	}{
		{p.lessons, func(skip, most int) error { return p.readLessons(ctx, db, skip, most) }},
		{p.entries, func(skip, most int) error { return p.readOther(ctx, db, entriesTable(), skip, most) }},
		{p.pads, func(skip, most int) error { return p.readOther(ctx, db, padsTable(), skip, most) }},
	} {
		here := min(most, max(0, table.rows-skip))
		if here > 0 {
			if err := table.read(skip, here); err != nil {
				return err
			}
		}
		skip, most = max(0, skip-table.rows), most-here
	}
	return nil
}

// count counts the rows.
func (p *page) count(ctx context.Context, db sqlite.Querier) error {
	hits := p.schema.column("hit_count")
	unused, total := "coalesce(sum("+hits+"=0),0)", "coalesce(CAST(total("+hits+") AS INTEGER),0)"
	err := db.QueryRowContext(ctx, "SELECT count(*), "+unused+", "+total+" FROM lessons").
		Scan(&p.lessons, &p.unused, &p.hits)
	if err != nil {
		return err
	}
	for table, n := range map[string]*int{tableEntries: &p.entries, tablePads: &p.pads} {
		if !p.schema.has(table) {
			continue
		}
		if err := db.QueryRowContext(ctx, "SELECT count(*) FROM "+table).Scan(n); err != nil {
			return err
		}
	}
	if p.lessons > mostRecords {
		return nil
	}
	return db.QueryRowContext(ctx, "SELECT count(*) FROM lessons a WHERE octet_length(a.lesson_text) < 65536 AND EXISTS(SELECT 1 FROM lessons b WHERE "+
		"b.agent_id=a.agent_id AND b.signature=a.signature AND b.lesson_text=a.lesson_text AND b.id<a.id AND b."+p.schema.column("tenant_id")+"=a."+p.schema.column("tenant_id")+")").
		Scan(&p.repeats)
}

// mostScopes is the number of agents counted separately.
const mostScopes = 1000

// readScopes counts the lessons of each agent of each tenant.
func (p *page) readScopes(ctx context.Context, db sqlite.Querier) error {
	return sqlite.Each(ctx, db, func(rows *sql.Rows) error {
		var id int64
		var agent string
		var n int
		if err := rows.Scan(&id, &agent, &n); err != nil {
			return err
		}
		disabled := slices.ContainsFunc(p.schema.tenants, func(t tenant) bool { return t.id == id && t.disabled })
		p.scopes = append(
			p.scopes,
			memory.Scope{
				Name:    p.schema.scope(id, agent),
				Records: n,
				Note:    system.Say(disabled, "the tenant is disabled"),
			},
		)
		return nil
	}, "SELECT "+p.schema.column("tenant_id")+" t, substr(CAST(agent_id AS TEXT),1,200) a, count(*) FROM lessons GROUP BY t, a ORDER BY t, a LIMIT ?", mostScopes)
}

// longText is the longest text that is read, in bytes. Arbiter writes none over 4096 bytes.
const longText = 64 << 10

// lessonQuery returns the query for rows of the table lessons: the columns, and the total length of
// the texts. A text that is too long is not read.
func (s *schema) lessonQuery(where string) string {
	var q strings.Builder
	q.WriteString("SELECT ")
	for i, c := range columns {
		switch {
		case s.column(c) != c:
			q.WriteString("0,")
		case i == colAgent || i == colSignature || i == colText:
			fmt.Fprintf(&q, "iif(octet_length(%s)>%d,'',%s),", c, longText, c)
		default:
			q.WriteString(c + ",")
		}
	}
	q.WriteString("max(octet_length(agent_id),octet_length(signature),octet_length(lesson_text)) FROM lessons " + where)
	return q.String()
}

// scanLesson reads one row of [schema.lessonQuery]. long is the length of the longest text if that
// was not read.
func scanLesson(rows interface{ Scan(...any) error }) (r row, long int, err error) {
	if long, err = scanRow(rows, r[:]); long <= longText {
		long = 0
	}
	return r, long, err
}

func (p *page) readLessons(ctx context.Context, db sqlite.Querier, skip, most int) error {
	return sqlite.Each(ctx, db, func(rows *sql.Rows) error {
		if p.bytes >= mostBytes {
			return nil
		}
		r, long, err := scanLesson(rows)
		p.add(p.schema.lessonRecord(&r, r.encode(), long))
		return err
	}, p.schema.lessonQuery("ORDER BY id LIMIT ? OFFSET ?"), most, skip)
}

// add appends a record.
func (p *page) add(r memory.Record) {
	r.Line = p.first + len(p.records) + 1
	p.bytes += len(r.Raw)
	p.records = append(p.records, r)
}

func (p *page) facts() []memory.Fact {
	some := p.schema.tenants[:min(len(p.schema.tenants), 20)]
	names := make([]string, 0, len(some))
	for _, t := range some {
		names = append(names, t.name)
	}
	number := func(n int, behind string) string { return system.Say(n > 0, strconv.Itoa(n)+behind) }
	return system.Facts(
		memory.Fact{Name: "lessons", Text: strconv.Itoa(p.lessons) + ", " + strconv.Itoa(p.unused) + " without a hit"},
		memory.Fact{Name: "hits", Text: strconv.FormatInt(p.hits, 10)},
		memory.Fact{Name: "tenants", Text: strings.Join(names, ", ")},
		memory.Fact{Name: "memory entries", Text: number(p.entries, "")},
		memory.Fact{Name: "scratchpads", Text: number(p.pads, "")},
		memory.Fact{Name: "log", Text: number(p.layout.Logged, " pages stand in the -wal only")})
}

func (p *page) health() []memory.Health {
	why := p.schema.schemaDifference()
	return system.Report("",
		system.When(
			why != "",
			"unknown-schema",
			memory.Warn,
			0,
			"This version of Arbiter is not known here: "+why+". The store is opened read-only.",
			"edit with Arbiter itself, by /lesson",
		),
		system.When(p.layout.Unfinished > 0, "unfinished", memory.Note, 0,
			"A transaction is being written, or was broken off. Shown is the state before it.",
			"start Arbiter once: SQLite finishes it or takes it back"),
		system.When(
			p.repeats > 0,
			"twins",
			memory.Note,
			p.repeats,
			lessons().Count(p.repeats)+
				" with the signature and the text of one before: Arbiter stores each again.",
			"delete all but one of each",
		),
		system.When(len(p.records) < min(p.most, p.total()-p.first), "too-large", memory.Warn, 0,
			"The texts are too long to be shown all at once.", "winnow list shows all of them"))
}
