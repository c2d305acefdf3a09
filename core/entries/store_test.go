package entries

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"winnow/core/memory"
)

func TestOnlyTheFirstEntriesOfAHostileFileAreRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(path, []byte(strings.Repeat("x\n\n", mostEntries+1)), 0o600); err != nil {
		t.Fatal(err)
	}
	delimiter := regexp.MustCompile("\n\n")
	s := NewStore(Kind{Entries: &Form{
		Delimiters: func() *regexp.Regexp { return delimiter }, Sign: "\n\n", Trim: strings.TrimSpace,
		Record: func(raw string, n int) memory.Record { return memory.Record{ID: "x", Line: n, Raw: raw} },
	}}, path, time.Now)
	_, records := s.Records()
	if len(records) != mostEntries {
		t.Fatalf("%d records are read, want %d", len(records), mostEntries)
	}
	p := records[mostEntries-1].Problem
	if p == nil || !strings.Contains(p.What, "first 100,000 entries") || records[mostEntries-2].Problem != nil {
		t.Errorf("the last record has the problem %+v", p)
	}
}
