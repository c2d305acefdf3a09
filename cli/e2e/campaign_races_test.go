package e2e

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestCampaignLinksLeadNowhere puts a link to another file in the place of the store,
// again and again while it is saved: that file stays as it is, and nothing comes to
// stand beside it.
func TestCampaignLinksLeadNowhere(t *testing.T) {
	races := share(t, 1000)
	g, err := newSandbox(t.TempDir(), lessonLine("base-1", "Nobody changes this", 3))
	if err != nil {
		t.Fatal(err)
	}
	outside := filepath.Join(t.TempDir(), "outside.jsonl")
	text := lessonLine("out-1", "driver0 is not the owner of this", 3) + lessonLine("base-1", "Of the same name", 9)
	if err := os.WriteFile(outside, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	was, err := os.Stat(outside)
	if err != nil {
		t.Fatal(err)
	}
	l := newLedger()
	d, err := g.start(l.heard, "driver", g.store, "driver0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { d.kill() }()
	if err := d.tell(fmt.Sprintf("churn 100000000 aedu %d", *seed)); err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(*seed, 6))
	for i := range races {
		if err := swap(g.store, outside, random); err != nil {
			t.Fatal(err)
		}
		now, err := os.Stat(outside)
		if raw, _ := os.ReadFile(outside); err != nil || string(raw) != text || !os.SameFile(was, now) ||
			now.Mode() != was.Mode() {
			t.Fatalf("race %d changed what the link leads to: %v, %v\n%s", i, err, now.Mode(), raw)
		}
	}
	if answer, err := d.ask("stop"); err != nil || !strings.HasPrefix(answer, "churned") {
		t.Fatal(answer, err)
	}
	if err := d.end(); err != nil {
		t.Fatal(err)
	}
	if beside, _ := os.ReadDir(filepath.Dir(outside)); len(beside) != 1 {
		t.Errorf("beside it stand now %v", beside)
	}
	if d, err = g.start(l.heard, "driver", g.store, "driver0"); err != nil {
		t.Fatal(err)
	}
	if left := g.leftovers(); len(left) > 0 {
		t.Errorf("files are left after the next start: %q", left)
	}
	t.Logf("%d races, %d changes done (%v), refused: %v", races, l.done, l.acts, l.failed)
	if l.done == 0 {
		t.Error("nothing was changed")
	}
}

// swap puts a link in the place of the store for a moment, at any moment.
func swap(store, outside string, random *rand.Rand) error {
	time.Sleep(time.Duration(random.IntN(4000)) * time.Microsecond)
	link, aside := store+".link", store+".aside"
	if err := os.Symlink(outside, link); err != nil {
		return err
	}
	err := os.Link(store, aside)
	for errors.Is(err, fs.ErrNotExist) { // the file went between the look at its name and the link
		err = os.Link(store, aside)
	}
	if err != nil {
		return err
	}
	if err := os.Rename(link, store); err != nil {
		return err
	}
	time.Sleep(time.Duration(random.IntN(1000)) * time.Microsecond)
	return os.Rename(aside, store)
}
