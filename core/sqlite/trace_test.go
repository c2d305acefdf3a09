package sqlite

import (
	"crypto/sha256"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// seen describes all that is in a folder: names, modes, dates and contents, and the date
// of the folder itself.
func seen(t testing.TB, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s %v %d %v", path, info.Mode(), info.Size(), info.ModTime().Format(time.RFC3339Nano))
		if info.Mode().IsRegular() && info.Size() < 1<<24 {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, " %x", sha256.Sum256(text))
		}
		b.WriteByte('\n')
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestLookLeavesNoTrace(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.db")
	db := direct(t, path, inWAL)
	run(t, db, "CREATE TABLE a(id INTEGER PRIMARY KEY, b TEXT)", fmt.Sprintf(filled, 100))
	for name, path := range map[string]string{
		"beside a writer": path,
		"after a crash":   copied(t, path),
		"no log":          made(t, inWAL, 100),
		"journal":         made(t, "&_pragma=journal_mode(delete)", 100),
		"crashed fixture": copied(t, stores+"/live/tenants.db"),
	} {
		t.Run(name, func(t *testing.T) {
			before := seen(t, filepath.Dir(path))
			for range 3 {
				if _, err := tryCount(t.Context(), path, "sqlite_schema"); err != nil {
					t.Error(err)
				}
			}
			if after := seen(t, filepath.Dir(path)); after != before {
				t.Errorf("changed\n%s\nto\n%s", before, after)
			}
		})
	}
}

func TestReadOnlyFolderIsRead(t *testing.T) {
	path := made(t, inWAL, 10)
	for p, mode := range map[string]os.FileMode{path: 0o444, filepath.Dir(path): 0o555} {
		if err := os.Chmod(p, mode); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _ = os.Chmod(filepath.Dir(path), 0o755) }) // so that it can be removed
	if n := count(t, path, "a"); n != 10 {
		t.Errorf("%d rows, want 10", n)
	}
}

func TestLookGivesBackWhatItTakes(t *testing.T) {
	files := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip("this system does not list open files:", err)
		}
		return len(entries)
	}
	path := copied(t, stores+"/live/tenants.db")
	look := func(n int) {
		for range n {
			if n := count(t, path, "lessons"); n != 41 {
				t.Fatalf("%d lessons, want 41", n)
			}
		}
	}
	look(20)
	before, held := files(), resident(t)
	look(250)
	if after := files(); after > before {
		t.Errorf("%d files are open, and were %d", after, before)
	}
	// Each view would leave more than 100 KB if its connection stayed.
	if more := resident(t) - held; more > 20<<20 {
		t.Errorf("%d MB more are in use", more>>20)
	}
}

// resident returns how many bytes of memory this process has.
func resident(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip("this system does not tell:", err)
	}
	var all, pages int
	if _, err := fmt.Sscan(string(text), &all, &pages); err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}

func BenchmarkLook100KB(b *testing.B) {
	path := copied(b, stores+"/live/tenants.db")
	b.ReportAllocs()
	for b.Loop() {
		err := Look(b.Context(), path, func(db *sql.DB) error {
			var n int
			return db.QueryRow("SELECT sum(length(lesson_text)) FROM lessons").Scan(&n)
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}
