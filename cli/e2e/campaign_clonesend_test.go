package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"winnow/core/lesson"
	"winnow/core/memory"
	sharing "winnow/core/share"
)

// inboxEntry is an entry of the inbox.
type inboxEntry struct {
	ID, Kind, Record, Title, Text string
	Deletes                       bool
	Origin                        struct{ Person string }
}

// review has a person take what the others sent, and decide what both sides changed.
func (w *clones) review(c *clone) (busy bool) {
	var in struct{ Entries []inboxEntry }
	if err := json.Unmarshal([]byte(w.must(c, "inbox", "--json")), &in); err != nil {
		w.t.Fatal(err)
	}
	held := w.load(c).list
	var clean []string
	for _, e := range in.Entries {
		mine := held.Lookup(memory.ID(e.Record))
		switch {
		case e.Kind != "proposal":
		case e.Deletes && (mine == nil || c.dirty[e.Record]): // the next sync does not ask any more
		case e.Deletes:
			w.deaths[e.Record] = lastDeletion{w.step, textOf(mine, lesson.KeyTitle), textOf(mine, lesson.KeyBody)}
			clean = append(clean, e.ID)
		case c.clash[e.Record] && mine != nil:
			w.take(c, e, mine)
			return true // the inbox is another one now
		default:
			if mine != nil && c.dirty[e.Record] { // the person sees both and takes this one
				w.instead(e.Text, textOf(mine, lesson.KeyBody))
				w.instead(e.Title, textOf(mine, lesson.KeyTitle))
			}
			clean = append(clean, e.ID)
		}
	}
	if len(clean) > 0 {
		w.note(c, "review", w.must(c, slices.Concat([]string{"inbox", "approve", "--yes", "--json"}, clean)...))
	}
	return len(clean) > 0
}

// instead notes that a person took a text instead of another.
func (w *clones) instead(text, other string) {
	if text != other {
		w.parents[text] = append(w.parents[text], other)
	}
}

// textOf returns a text of a lesson.
func textOf(l *lesson.Lesson, key string) string {
	v, _ := l.Value.Field(key)
	return v.Str()
}

// take decides about a lesson that both sides changed, with the same text everywhere: what was rejected on a machine
// stays rejected there.
func (w *clones) take(c *clone, e inboxEntry, mine *lesson.Lesson) {
	side := "theirs"
	if textOf(mine, lesson.KeyBody)+textOf(mine, lesson.KeyTitle) > e.Text+e.Title {
		side = []string{"mine", "both"}[w.random.IntN(2)]
	}
	switch side {
	case "mine":
		w.instead(textOf(mine, lesson.KeyBody), e.Text)
		w.instead(textOf(mine, lesson.KeyTitle), e.Title)
	case "theirs":
		w.instead(e.Text, textOf(mine, lesson.KeyBody))
		w.instead(e.Title, textOf(mine, lesson.KeyTitle))
	}
	c.dirty[e.Record] = true
	w.edits = append(w.edits, &edited{id: e.Record, on: c, sent: -1})
	delete(c.clash, e.Record)
	w.whole(c, "--take", side, e.Record)
	w.note(c, "take "+side, e.Record)
}

// settle has all clones sync until nothing moves any more.
func (w *clones) settle() {
	for _, c := range w.list {
		if c.copy != nil {
			w.save(c)
		}
		w.person(c)
	}
	for round := 0; ; round++ {
		busy := false
		for _, c := range w.list {
			busy = w.whole(c) || busy
			for w.review(c) { // which decides about one conflict at a time
				busy = true
			}
		}
		if !busy {
			w.t.Logf("quiet after %d rounds", round)
			return
		}
		if round == 12 {
			var last []string
			for _, d := range w.done[max(0, len(w.done)-100):] {
				last = append(last, fmt.Sprintf("%s: %s %.200s", d.on.name, d.what, d.about))
			}
			w.t.Fatalf("they do not come to an end:\n%s", strings.Join(last, "\n"))
		}
	}
}

// state reads the share as a clone of it by git has it.
func (w *clones) state() *sharing.State {
	dir := filepath.Join(w.t.TempDir(), "clone")
	if out, err := exec.Command(w.git, "clone", "-q", w.remote, dir).CombinedOutput(); err != nil {
		w.t.Fatalf("%v: %s", err, out)
	}
	r := sharing.NewReader()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.Name() == ".git" {
			if d.IsDir() {
				return filepath.SkipDir
			}
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if name := filepath.ToSlash(rel); err == nil && sharing.Known(name) {
			var data []byte
			data, err = os.ReadFile(path)
			r.Add(name, data)
		}
		return err
	})
	s, bad := r.State()
	if err != nil || bad != nil || len(s.Refused) > 0 {
		w.t.Fatal(err, bad, s.Refused)
	}
	return s
}

// check compares the share and all stores with what is true.
func (w *clones) check() {
	dirs := []string{w.remote}
	for _, c := range w.list {
		own, _ := filepath.Glob(filepath.Join(c.home, ".local/state/winnow/shares/*.git"))
		dirs = append(dirs, own...)
	}
	if len(dirs) != 1+len(w.list) {
		w.t.Errorf("%d repositories: %q", len(dirs), dirs)
	}
	for _, dir := range dirs {
		if out, err := exec.Command(w.git, "-C", dir, "fsck", "--strict", "--no-dangling", "--no-progress").CombinedOutput(); err != nil ||
			strings.Contains(string(out), "missing") ||
			strings.Contains(string(out), "error") {
			w.t.Errorf("git fsck %s: %v %s", dir, err, out)
		}
	}
	s := w.state()
	w.lives(s)
	w.words(s)
	for _, c := range w.list {
		w.equal(c, s)
	}
}

// lives checks that what lives should, and what is dead should be.
func (w *clones) lives(s *sharing.State) {
	for id := range w.made {
		_, lives := s.Lessons[id]
		_, dead := s.Tombstones[id]
		death, deleted := w.deaths[id]
		edited := slices.ContainsFunc(w.edits, func(e *edited) bool { return e.id == id && w.outlives(e, &death) })
		switch {
		case lives && dead:
			w.wrong(id, "lives and is deleted")
		case !lives && !deleted:
			w.wrong(id, "is lost")
		case lives && deleted && !edited:
			w.wrong(id, "is back from the dead")
		}
	}
}

// outlives reports whether an edit wins over a deletion: the person who deleted had not seen it, even if it waited in
// their inbox.
func (w *clones) outlives(e *edited, d *lastDeletion) bool {
	if e.text == "" {
		return e.sent < 0 || e.sent >= d.step
	}
	return !w.descends(d.title, e.text, map[string]bool{}) && !w.descends(d.body, e.text, map[string]bool{})
}

// words checks that no text is lost, and none there twice.
func (w *clones) words(s *sharing.State) {
	all := map[string]string{}
	for id, l := range s.Lessons {
		for _, field := range []string{lesson.KeyBody, lesson.KeyTitle} {
			text := l.Text(field)
			if other := all[text]; other != "" && field == lesson.KeyBody && w.stats["take both"] == 0 {
				w.wrong(id, "says the same as %s", other)
			}
			all[text] = id
		}
	}
	for _, e := range w.edits {
		l, lives := s.Lessons[e.id]
		_, deleted := w.deaths[e.id]
		if !lives || deleted || e.text == "" {
			continue
		}
		seen := map[string]bool{}
		if !w.descends(l.Text(lesson.KeyBody), e.text, seen) && !w.descends(l.Text(lesson.KeyTitle), e.text, seen) &&
			!w.elsewhere(s, e.text) {
			w.wrong(e.id, "the edit %q of %s is lost: %q", e.text, e.on.name, l.Fields)
		}
	}
}

// descends reports whether a text was made from another, or from one that was.
func (w *clones) descends(text, from string, seen map[string]bool) bool {
	if text == from {
		return true
	}
	seen[text] = true
	return slices.ContainsFunc(w.parents[text], func(p string) bool { return !seen[p] && w.descends(p, from, seen) })
}

// elsewhere reports whether a text became one of another lesson: a person kept both.
func (w *clones) elsewhere(s *sharing.State, text string) bool {
	for _, l := range s.Lessons {
		if w.descends(l.Text(lesson.KeyBody), text, map[string]bool{}) ||
			w.descends(l.Text(lesson.KeyTitle), text, map[string]bool{}) {
			return true
		}
	}
	return false
}

// equal compares a store with the share. It reads the file: an agent would hold 100 lessons of it.
func (w *clones) equal(c *clone, s *sharing.State) {
	text, err := os.ReadFile(c.store)
	if err != nil {
		w.t.Fatal(err)
	}
	here := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		l, err := sharing.FromLine("karnevil9", line)
		if err != nil {
			w.t.Fatalf("%s: %v: %s", c.name, err, line)
		}
		if here[l.ID] {
			w.wrong(l.ID, "is twice on %s", c.name)
		}
		here[l.ID] = true
		theirs, lives := s.Lessons[l.ID]
		switch {
		case !lives:
			w.wrong(l.ID, "is on %s and not in the share", c.name)
		case l.Text(lesson.KeyBody) != theirs.Text(lesson.KeyBody) || l.Text(lesson.KeyTitle) != theirs.Text(lesson.KeyTitle):
			w.wrong(l.ID, "on %s it says %q, the share %q", c.name, l.Fields, theirs.Fields)
		}
	}
	for id := range s.Lessons {
		if w.made[id] && !here[id] && !c.dropped[id] { // of two that were kept, one may have been rejected here
			w.wrong(id, "is missing on %s", c.name)
		}
	}
	if strings.Contains(strings.Join(c.leftovers(), ""), ".winnow") {
		w.t.Errorf("%s: files are left: %q", c.name, c.leftovers())
	}
}
