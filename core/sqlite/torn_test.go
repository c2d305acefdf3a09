package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"sync"
	"testing"
	"time"

	"winnow/core/memory"
)

// besideWriter is how long each look beside a writer goes on.
const besideWriter = 80 * time.Millisecond

// TestNoStateIsTornBesideAWriter has another process rewrite all rows, each time with
// another value for all, in every way in which SQLite keeps a transaction.
func TestNoStateIsTornBesideAWriter(t *testing.T) {
	const rewrite = "UPDATE a SET b=printf('%%0%dd', %d)"
	for name, c := range map[string]struct {
		set   string
		every []string // with each transaction
	}{
		"log":            {set: "PRAGMA journal_mode=wal"},
		"short log":      {set: "PRAGMA journal_mode=wal", every: []string{"PRAGMA wal_checkpoint(PASSIVE)"}},
		"log begun anew": {set: "PRAGMA journal_mode=wal", every: []string{"PRAGMA wal_checkpoint(RESTART)"}},
		"log cut":        {set: "PRAGMA journal_mode=wal", every: []string{"PRAGMA wal_checkpoint(TRUNCATE)"}},
		"log and vacuum": {
			set:   "PRAGMA journal_mode=wal",
			every: []string{"VACUUM", "PRAGMA wal_checkpoint(PASSIVE)"},
		},
		"log that comes": {
			set:   "PRAGMA journal_mode=wal",
			every: []string{"PRAGMA journal_mode=delete", "PRAGMA journal_mode=wal"},
		},
		"journal":             {set: "PRAGMA journal_mode=delete"},
		"journal that is cut": {set: "PRAGMA journal_mode=truncate"},
		"blank journal":       {set: "PRAGMA journal_mode=persist"},
		"journal and vacuum":  {set: "PRAGMA journal_mode=delete", every: []string{"VACUUM"}},
	} {
		t.Run(name, func(t *testing.T) {
			path := made(t, "", 1)
			p := start(t, path)
			p.does(
				c.set,
				"PRAGMA synchronous=off",
				"PRAGMA wal_autocheckpoint=20",
				fmt.Sprintf(filled, 120),
				fmt.Sprintf(rewrite, 500, 0),
			)
			ctx, cancel := context.WithTimeout(t.Context(), besideWriter)
			defer cancel()
			var wait sync.WaitGroup
			wait.Add(1)
			go func() {
				defer wait.Done()
				for n := 1; ctx.Err() == nil; n++ {
					for _, q := range append([]string{fmt.Sprintf(rewrite, 300+n%7*100, n)}, c.every...) {
						if _, err := io.WriteString(p.in, q+"\n"); err != nil || !p.out.Scan() ||
							p.out.Text() != "done" {
							t.Errorf("the other process at %s: %q, %v", q, p.out.Text(), err)
							return
						}
					}
				}
			}()
			seen, busy := map[int]bool{}, 0
			for ctx.Err() == nil {
				n, err := wholeState(context.WithoutCancel(ctx), path)
				var known *memory.Problem
				switch {
				case errors.As(err, &known) && known.Code == "busy":
					busy++
				case err != nil:
					t.Errorf("look: %v", err)
					cancel()
				default:
					seen[n] = true
				}
			}
			wait.Wait()
			t.Logf("%d states were seen, %d times it was busy", len(seen), busy)
			if n, err := wholeState(t.Context(), path); err != nil {
				t.Errorf("at last: %d, %v", n, err)
			}
		})
	}
}

// wholeState returns the value that all rows have, and an error when they differ.
func wholeState(ctx context.Context, path string) (value int, err error) {
	err = Look(ctx, path, func(db *sql.DB) error {
		var rows, least, most int
		if err := db.QueryRowContext(ctx, "SELECT count(*), min(CAST(b AS INTEGER)), max(CAST(b AS INTEGER)) FROM a").Scan(&rows, &least, &most); err != nil {
			return err
		}
		value = least
		if rows != 121 || least != most {
			// Only what stays when the state is found to be one is an error.
			return fmt.Errorf("%d rows have values from %d to %d", rows, least, most)
		}
		return nil
	})
	return value, err
}
