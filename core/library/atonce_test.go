package library

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"winnow/core/audit/baseline"
	"winnow/core/memory"
)

// atOnce runs several changers at once, each with a library of its own, as processes have.
func atOnce(t *testing.T, l *Library, changers int, change func(l *Library, n int) error) {
	t.Helper()
	var all sync.WaitGroup
	for n := range changers {
		other := l.keepIn(l.state.Dir)
		all.Go(func() {
			if err := change(other, n); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

func TestFindingsIgnoredAtOnceAreAllIgnored(t *testing.T) {
	const changers, each = 4, 8
	path, d := bench(t)
	dir := filepath.Dir(path)
	file := filepath.Join(dir, "baseline")
	one := func(n, i int) []memory.Ignore {
		return []memory.Ignore{{Fingerprint: fmt.Sprintf("%032x", n*each+i), Reason: "test", Added: d.now()}}
	}
	atOnce(t, d, changers, func(l *Library, n int) error {
		for i := range each {
			if err := l.Ignore(t.Context(), one(n, i), nil); err != nil {
				return err
			}
			if err := l.IgnoreIn(t.Context(), file, one(n, i), nil); err != nil {
				return err
			}
		}
		return nil
	})
	list, err := d.Ignored(t.Context())
	if err != nil || len(list) != changers*each {
		t.Errorf("%d of %d are ignored here, %v", len(list), changers*each, err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if list, err := baseline.Decode(data); err != nil || len(list) != changers*each {
		t.Errorf("%d of %d are in the baseline, %v", len(list), changers*each, err)
	}
}
