package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// FuzzLook holds that files with any bytes in them are looked at without harm: with a
// sentence or with rows, and left as they are.
func FuzzLook(f *testing.F) {
	path := made(f, inWAL, 3)
	db := direct(f, path, inWAL)
	run(f, db, "INSERT INTO a(b) VALUES('logged')")
	main, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	log, err := os.ReadFile(path + walSuffix)
	if err != nil {
		f.Fatal(err)
	}
	journal := []byte(journalMagic + "\x00\x00\x00\x01\x00\x00\x00\x05\x00\x00\x00\x02\x00\x00\x02\x00\x00\x00\x10\x00")
	f.Add(uint16(0), byte(0), uint16(0), byte(0), []byte(nil))
	f.Add(uint16(16), byte(2), uint16(40), byte(1), journal)
	f.Add(uint16(100), byte(255), uint16(24), byte(9), journal[:20])
	dir := f.TempDir()
	n := 0
	f.Fuzz(func(t *testing.T, at uint16, by byte, logAt uint16, logBy byte, journal []byte) {
		n++
		path := filepath.Join(dir, fmt.Sprintf("%d-%d.db", os.Getpid(), n))
		flip := func(text []byte, at uint16, by byte) []byte {
			text = append([]byte(nil), text...)
			text[int(at)%len(text)] ^= by
			return text
		}
		for suffix, text := range map[string][]byte{
			"":            flip(main, at, by),
			walSuffix:     flip(log, logAt, logBy),
			journalSuffix: journal,
		} {
			if err := os.WriteFile(path+suffix, text, 0o600); err != nil {
				t.Fatal(err)
			}
			defer os.Remove(path + suffix)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		_ = Look(ctx, path, func(db *sql.DB) error {
			rows, err := db.QueryContext(ctx, "SELECT * FROM a LIMIT 100")
			if err != nil {
				return err
			}
			defer rows.Close()
			for rows.Next() {
			}
			return rows.Err()
		})
		if ctx.Err() != nil {
			t.Error("it does not come to an end")
		}
		if text, err := os.ReadFile(path); err != nil || string(text) != string(flip(main, at, by)) {
			t.Errorf("the database was changed: %v", err)
		}
	})
}

// A log of a machine that counts from the other end is read as well.
func TestLogsOfBothByteOrdersAreRead(t *testing.T) {
	path := made(t, inWAL, 3)
	db := direct(t, path, inWAL)
	run(t, db, "INSERT INTO a(b) VALUES('logged')")
	to := copied(t, path)
	text, err := os.ReadFile(to + walSuffix)
	if err != nil {
		t.Fatal(err)
	}
	swapByteOrder(text)
	if err := os.WriteFile(to+walSuffix, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if n := count(t, to, "a"); n != 4 {
		t.Errorf("%d rows, want 4", n)
	}
}
