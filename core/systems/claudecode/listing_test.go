package claudecode

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestListingIsReadAnewOnlyWhenTheFolderChanged(t *testing.T) {
	dir := t.TempDir()
	now := time.Now()
	add := func(name string, date time.Time) {
		t.Helper()
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(dir, date, date); err != nil {
			t.Fatal(err)
		}
	}
	var l listing
	long := now.Add(-time.Hour)
	for _, tc := range []struct {
		what string
		date time.Time
		want int
	}{
		{"just changed", now, 1},
		{"changed at the same moment", now, 2},
		{"changed long ago", long, 3},
		{"not changed as far as its date tells", long, 3},
		{"changed again", long.Add(time.Millisecond), 5},
	} {
		add(tc.what, tc.date)
		if got := len(l.names(dir, now)); got != tc.want {
			t.Fatalf("a folder that %s has %d entries, want %d", tc.what, got, tc.want)
		}
	}
}
