package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOnlyLessonsAreCounted pins that memory entries and scratchpads of Arbiter, which are
// shown and cannot be changed, are not called lessons, by any command.
func TestOnlyLessonsAreCounted(t *testing.T) {
	t.Parallel()
	m := newAudited(t)
	raw, err := os.ReadFile("../../testdata/stores/arbiter/arbiter.db")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(m.home, ".arbiter", "tenants.db")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"stores"}, {"doctor", "--store", path}, {"audit", path}} {
		o := m.run(args...)
		if !strings.Contains(o.out, "40 lessons") || strings.Contains(o.out, "44 lessons") {
			t.Errorf("winnow %s counts otherwise than 40 lessons:\n%s%s", strings.Join(args, " "), o.out, o.err)
		}
	}
	if o := m.run("doctor", "--store", path, "--json"); !strings.Contains(o.out, `"total": 44`) ||
		!strings.Contains(o.out, `"aside": 4`) {
		t.Errorf("doctor --json does not tell 44 records, 4 of them aside:\n%s", o.out)
	}
}
