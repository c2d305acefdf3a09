package arbiter

import (
	"database/sql"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"winnow/core/memory"
)

// dump returns every row of every table of a database but that of the numbers that were
// given, by table and row.
func dump(t *testing.T, path string) map[string]string {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	var names []string
	query(
		t,
		db,
		"SELECT name FROM sqlite_schema WHERE type='table' AND name<>'sqlite_sequence'",
		func(values []any) { names = append(names, fmt.Sprint(values[0])) },
	)
	all := map[string]string{}
	for _, name := range names {
		n := 0
		query(t, db, `SELECT * FROM "`+name+`"`, func(values []any) {
			key := fmt.Sprintf("%s/%v", name, values[0])
			if name != tableLessons {
				n++
				key = fmt.Sprintf("%s, row %d", name, n)
			}
			all[key] = fmt.Sprintf("%#v", values)
		})
	}
	return all
}

func query(t *testing.T, db *sql.DB, text string, each func([]any)) {
	t.Helper()
	rows, err := db.Query(text)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		values, to := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			to[i] = &values[i]
		}
		if err := rows.Scan(to...); err != nil {
			t.Fatal(err)
		}
		each(values)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
}

// TestChangesTouchTheirRowsAndUndoBringsAllBack makes changes at random, has the database
// rewritten from the beginning in between, and takes them back.
func TestChangesTouchTheirRowsAndUndoBringsAllBack(t *testing.T) {
	s, path := copied(t)
	random := rand.New(rand.NewPCG(5, 1122))
	for round := range 12 {
		was := dump(t, path)
		changes, mine := someChanges(t, s, random)
		w := write(t, s, changes...)
		for _, f := range w.Fates {
			mine["lessons/"+strings.TrimPrefix(string(f.ID), "#")] = true
		}
		is := dump(t, path)
		for _, key := range slices.Sorted(maps.Keys(union(was, is))) {
			if !mine[key] && was[key] != is[key] {
				t.Errorf("round %d: %s was %s and is %s", round, key, was[key], is[key])
			}
		}
		switch round % 3 {
		case 1:
			vacuum(t, path, "VACUUM")
		case 2:
			vacuum(t, path, "PRAGMA wal_checkpoint(TRUNCATE)")
		}
		write(t, s, back(w)...)
		if undone := dump(t, path); !maps.Equal(undone, was) {
			t.Fatalf("round %d: the undo leaves other rows", round)
		}
	}
}

func union(a, b map[string]string) map[string]string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

func vacuum(t *testing.T, path, text string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(text); err != nil {
		t.Fatal(err)
	}
}

// someChanges returns changes of different lessons, and which rows they are about.
func someChanges(t *testing.T, s *store, random *rand.Rand) (changes []memory.Change, mine map[string]bool) {
	t.Helper()
	mine = map[string]bool{}
	var lessons []memory.Record
	all := records(t, s)
	for _, id := range slices.Sorted(maps.Keys(all)) {
		if all[id].Kind == "" && all[id].Problem == nil {
			lessons = append(lessons, all[id])
		}
	}
	for _, k := range random.Perm(len(lessons))[:1+random.IntN(4)] {
		r := lessons[k]
		mine["lessons/"+strings.TrimPrefix(string(r.ID), "#")] = true
		text, hits := fmt.Sprintf("text %d — “ü\n🜁”", random.Int()), random.IntN(50)
		switch random.IntN(3) {
		case 0:
			changes = append(changes, deleting(r))
		case 1:
			changes = append(changes, editing(t, s, r, memory.Edit{Body: &text, Count: &hits}))
		default:
			changes = append(changes, editing(t, s, r, memory.Edit{Title: &text}))
		}
	}
	if random.IntN(2) == 0 {
		changes = append(changes, adding(t, s, fmt.Sprintf("new %d", random.Int()), "text"))
	}
	return changes, mine
}
