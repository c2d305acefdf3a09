package quietread

import (
	"os"
	"syscall"
	"testing"
	"time"
)

func TestReadingLeavesTheAccessTime(t *testing.T) {
	path := put(t, "text")
	long := time.Now().Add(-72 * time.Hour)
	if err := os.Chtimes(path, long, long.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Read(make([]byte, 4)); err != nil {
		t.Fatal(err)
	}
	before := f.Info.Sys().(*syscall.Stat_t)
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if after := info.Sys().(*syscall.Stat_t); after.Atim != before.Atim {
		t.Errorf("access time moved from %v to %v", before.Atim, after.Atim)
	}
}
