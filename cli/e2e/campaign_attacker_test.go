package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"winnow/core/lesson"
	"winnow/core/memory"
	sharing "winnow/core/share"
)

// TestCampaignWhoMayPushChangesNoStore has an attacker push whatever they like into a share of clones that add, edit,
// delete and sync, also twice at once: edited and new lessons, tombstones, removed files, counts, links, huge files,
// names that differ in capital letters, wrong encodings, forged versions, and other histories. A sync ends with a
// sentence and changes no store, and a person rejects what the attacker sent. When the attacker is gone, all that
// people made is in the share again.
func TestCampaignWhoMayPushChangesNoStore(t *testing.T) {
	rounds := max(25, share(t, 500))
	program, git := builtWithGit(t)
	m := &attacked{
		clones: newClones(t, program, git, *seed, 3),
		folder: filepath.Join(t.TempDir(), "mallory"),
		own:    map[string]string{},
	}
	m.begin()
	for m.step = range rounds {
		m.round()
	}
	m.end()
	t.Log(m.stats)
}

// attacked is a share of which one who may push is hostile.
type attacked struct {
	*clones
	folder string            // the attacker's clone, by git
	own    map[string]string // what people made: the text of each lesson, "" if it was deleted
}

// evil marks what the attacker wrote.
const evil = "MALLORY"

func (m *attacked) begin() {
	for _, c := range m.list {
		for range 3 {
			m.people(c, 0)
		}
		m.must(c, "sync", "--store", c.store)
	}
	for range 2 {
		for _, c := range m.list {
			m.synced(c)
			m.decideAll(c)
		}
	}
	if out, err := exec.Command(m.git, "clone", "-q", m.remote, m.folder).CombinedOutput(); err != nil {
		m.t.Fatalf("%v: %s", err, out)
	}
}

// round is one attack, while people go on.
func (m *attacked) round() {
	c := m.list[m.random.IntN(len(m.list))]
	m.people(c, m.random.IntN(10))
	what := m.attack()
	m.stats[what]++
	m.synced(c)
	m.decideAll(c)
	m.synced(m.list[m.random.IntN(len(m.list))])
	m.mend(what)
}

// people changes something on a clone as its person does.
func (m *attacked) people(c *clone, k int) {
	a := m.load(c)
	at := m.pick(a)
	switch {
	case k < 3 && len(m.own) < 30 || at < 0:
		text := m.text()
		m.must(
			c,
			"add",
			"--store",
			c.store,
			"--set",
			"task_summary="+m.text(),
			"--set",
			"lesson="+text,
			"--set",
			"outcome=succeeded",
		)
		for i, a := 0, m.load(c); i < a.list.Len(); i++ {
			if l := a.list.At(i); textOf(l, lesson.KeyBody) == text {
				m.own[string(l.ID)] = text
			}
		}
	case k < 6:
		id, text := string(a.list.At(at).ID), m.text()
		m.must(c, "edit", id, "--store", c.store, "--set", "lesson="+text)
		m.own[id] = text
	case k < 7:
		m.recall(c, a, at)
	}
}

// sly runs git as the attacker.
func (m *attacked) sly(args ...string) {
	m.t.Helper()
	all := append([]string{"-C", m.folder, "-c", "user.name=" + evil, "-c", "user.email=m@example.org"}, args...)
	if out, err := exec.Command(m.git, all...).CombinedOutput(); err != nil {
		m.t.Fatalf("git %q: %v: %s", args, err, out)
	}
}

// lay writes a file of the attacker.
func (m *attacked) lay(name, text string) {
	path := filepath.Join(m.folder, filepath.FromSlash(name))
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		_ = os.RemoveAll(path)
		err = os.WriteFile(path, []byte(text), 0o644)
	}
	if err != nil {
		m.t.Fatal(err)
	}
}

// fetched brings the attacker's clone up to date, and returns the files of its lessons.
func (m *attacked) fetched() []string {
	m.sly("fetch", "-q")
	m.sly("reset", "-q", "--hard", "origin/main")
	all, _ := filepath.Glob(filepath.Join(m.folder, "lessons", "*.json"))
	return all
}

// attack pushes one thing, and returns what.
func (m *attacked) attack() string {
	victims := m.fetched()
	if len(victims) == 0 { // all was removed, and nobody has taken that back yet
		for _, c := range m.list {
			m.synced(c)
			m.decideAll(c)
			m.synced(c)
		}
		victims = m.fetched()
	}
	victim := victims[m.random.IntN(len(victims))]
	data, err := os.ReadFile(victim)
	if err != nil {
		m.t.Fatal(err)
	}
	name := filepath.Base(victim)
	l, err := sharing.ReadLesson("lessons/"+name, data)
	if err != nil {
		m.t.Fatal(err)
	}
	attacks := map[string]func(){
		"edit": func() {
			l.Fields[lesson.KeyBody] = `"` + evil + ` ` + m.text() + `"`
			m.lay("lessons/"+name, string(l.Bytes()))
		},
		"add": func() {
			l.ID = fmt.Sprint("evil-", m.step)
			l.Fields[lesson.KeyBody] = `"` + evil + ` ` + m.text() + `"`
			m.lay("lessons/"+l.ID+".json", string(l.Bytes()))
		},
		"tombstone": func() {
			t := sharing.Tombstone{ID: l.ID, System: l.System, Who: "m0", When: time.Now(), Digest: l.Digest()}
			m.lay("tombstones/"+name, string(t.Bytes()))
		},
		"removed":     func() { m.sly("rm", "-q", "lessons/"+name) },
		"all removed": func() { m.sly("rm", "-rq", "lessons") },
		"counts": func() {
			m.lay("counts/m0.json", fmt.Sprintf(`{%q: {"n":9007199254740992,"used":"2026-11-02T00:00:00.000Z"}}`, l.ID))
		},
		"huge":           func() { m.lay("lessons/huge.json", strings.Repeat("7", sharing.MaxFile+1)) },
		"wrong encoding": func() { m.lay("lessons/"+name, "\xff\xfe"+string(data)) },
		"not JSON":       func() { m.lay("lessons/"+name, strings.Repeat("[", 100_000)) },
		"another system": func() {
			l.System = "other"
			m.lay("lessons/"+name, string(l.Bytes()))
		},
		"capital letters": func() { m.lay("lessons/"+strings.ToUpper(strings.TrimSuffix(name, ".json"))+".json", string(data)) },
		"forged version":  func() { m.lay("share.toml", "version = 99\n") },
		"older version":   func() { m.lay("share.toml", "version = 1\n") },
		"no settings":     func() { m.sly("rm", "-q", "share.toml") },
		"a link": func() {
			_ = os.Remove(victim)
			if err := os.Symlink("/etc/passwd", victim); err != nil {
				m.t.Fatal(err)
			}
		},
		"another history": func() {
			m.sly("checkout", "-q", "--orphan", "other")
			m.lay("lessons/"+name, string(data)+" ")
			m.sly("add", "-A")
			m.sly("commit", "-q", "-m", "ma: "+evil)
			m.sly("branch", "-q", "-M", "main")
		},
		"set back": func() { m.sly("reset", "-q", "--hard", "HEAD~1") },
	}
	names := slices.Sorted(maps.Keys(attacks))
	what := names[m.step%len(names)]
	attacks[what]()
	if what != "set back" && what != "another history" {
		m.sly("add", "-A")
		m.sly("commit", "-q", "--allow-empty", "-m", "m0: "+evil)
	}
	m.sly("push", "-q", "--force", "origin", "HEAD:main")
	return what
}

// mend has somebody put right what no sync puts right: settings, and files that are not of a share or damaged.
func (m *attacked) mend(what string) {
	switch what {
	case "forged version",
		"no settings",
		"wrong encoding",
		"not JSON",
		"another system",
		"a link",
		"capital letters",
		"huge":
	default:
		return
	}
	m.fetched()
	m.lay("share.toml", "version = 2\nexpiry_days = 180\n")
	for _, of := range []string{"wrong encoding", "not JSON", "another system", "a link"} {
		if what == of { // the file as it was before the attack
			m.sly("checkout", "-q", m.before(), "--", "lessons")
		}
	}
	all, _ := filepath.Glob(filepath.Join(m.folder, "lessons", "*.json"))
	for _, path := range all {
		base := filepath.Base(path)
		if base == "huge.json" || strings.ToLower(base) != base {
			_ = os.Remove(path)
		}
	}
	m.sly("add", "-A")
	m.sly("commit", "-q", "--allow-empty", "-m", "ma: mend")
	m.sly("push", "-q", "--force", "origin", "HEAD:main")
}

// before returns the commit before the attacker's last one.
func (m *attacked) before() string {
	out, err := exec.Command(m.git, "-C", m.folder, "log", "-1", "--format=%H", "--author="+evil, "--grep="+evil).
		Output()
	if err != nil {
		m.t.Fatal(err)
	}
	return strings.TrimSpace(string(out)) + "~1"
}

// synced has a clone sync, twice at once. Whatever comes, it ends with a sentence and leaves the store alone.
func (m *attacked) synced(c *clone) {
	was := m.read(c)
	var wait sync.WaitGroup
	for range 2 {
		wait.Go(func() {
			o := ended(m.command(c, nil, "sync", "--store", c.store))
			if strings.Contains(o.err, "--rewritten") {
				o = ended(m.command(c, nil, "sync", "--store", c.store, "--rewritten"))
			}
			if !slices.Contains([]int{0, 1, 7}, o.status) || strings.Contains(o.err, "goroutine") ||
				o.status == 1 && !strings.Contains(o.err, "winnow: sync ") {
				m.t.Errorf("round %d, %s: %+v", m.step, c.name, o)
			}
		})
	}
	wait.Wait()
	if now := m.read(c); now != was || strings.Contains(now, evil) {
		m.t.Errorf("round %d, %s: a sync changed the store:\n%s\n%s", m.step, c.name, was, now)
	}
}

// decideAll has the person reject what the attacker sent, and approve the rest.
func (m *attacked) decideAll(c *clone) {
	var in struct{ Entries []inboxEntry }
	if err := json.Unmarshal([]byte(m.must(c, "inbox", "--json")), &in); err != nil {
		m.t.Fatal(err)
	}
	for _, e := range in.Entries {
		if e.Kind != "proposal" {
			continue
		}
		do := "approve"
		if text, made := m.own[e.Record]; e.Deletes || !made || text != e.Text {
			do = "reject"
		}
		o := ended(m.command(c, nil, "inbox", do, e.ID, "--yes"))
		if o.status != 0 {
			m.t.Errorf("round %d, %s: inbox %s: %+v", m.step, c.name, do, o)
		}
		m.stats[do]++
	}
	if strings.Contains(m.read(c), evil) {
		m.t.Errorf("round %d, %s: what the attacker wrote is in the store:\n%s", m.step, c.name, m.read(c))
	}
}

// end has the clones sync without the attacker, and looks for what people made.
func (m *attacked) end() {
	for range 4 {
		for _, c := range m.list {
			m.synced(c)
			m.decideAll(c)
		}
	}
	s := m.state()
	for id, text := range m.own {
		held := false
		for _, c := range m.list {
			held = held || m.load(c).list.Lookup(memory.ID(id)) != nil
		}
		if _, there := s.Lessons[id]; !there || !held {
			m.t.Errorf("%s, %q: in the share %t, on a machine %t", id, text, there, held)
		}
	}
	for _, c := range m.list {
		packs, _ := filepath.Glob(filepath.Join(c.home, ".local/state/winnow/shares/*.git/objects/pack/tmp_*"))
		if len(packs) > 0 {
			m.t.Errorf("left: %q", packs)
		}
	}
	if m.stats["reject"] == 0 || m.stats["approve"] == 0 {
		m.t.Errorf("nothing was decided: %v", m.stats)
	}
}
