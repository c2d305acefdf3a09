package e2e

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
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
)

// TestCampaignClonesAgree has clones of one share add, edit, delete, recall and evict lessons, be offline, and sync:
// by turns, several at once, while an agent saves, and killed at any run of git and at any moment. In the end no lesson
// is lost, doubled or back from the dead, no sync has changed a store, all clones are equal, and git finds no fault.
func TestCampaignClonesAgree(t *testing.T) {
	size := map[int]struct{ seeds, clones, steps int }{
		1:   {20, 25, 5000},
		10:  {4, 6, 60},
		30:  {2, 6, 60},
		100: {1, 6, 60},
	}[step()]
	share(t, 100)
	if *clonesOf != "" {
		if _, err := fmt.Sscanf(*clonesOf, "%d,%d,%d", &size.seeds, &size.clones, &size.steps); err != nil {
			t.Fatalf("-campaign-clones %q: want SEEDS,CLONES,OPERATIONS", *clonesOf)
		}
	}
	program, git := builtWithGit(t)
	for i := range size.seeds {
		t.Run(fmt.Sprint("seed ", *seed+uint64(i)), func(t *testing.T) {
			w := newClones(t, program, git, *seed+uint64(i), size.clones)
			for w.step = range size.steps {
				w.act()
			}
			w.settle()
			w.check()
			t.Log(w.stats)
		})
	}
}

// builtWithGit returns the built program and git. It skips the test where there is no git.
func builtWithGit(t *testing.T) (program, git string) {
	t.Helper()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git")
	}
	if program, err = built(); err != nil {
		t.Fatal(err)
	}
	return program, git
}

// clones are the machines, their share, and what is true of it.
type clones struct {
	t                    *testing.T
	random               *rand.Rand
	program, git, killer string // killer is a folder with a git that kills its caller
	remote               string
	list                 []*clone
	step                 int
	made                 map[string]bool     // the lessons
	parents              map[string][]string // of a text: those that it was made from
	edits                []*edited
	deaths               map[string]lastDeletion
	stats                map[string]int
	done                 []cloneStep // in order, for who looks for a fault
}

// lastDeletion is the last time that a person deleted a lesson, and what they saw of it then.
type lastDeletion struct {
	step        int
	title, body string
}

// edited is a text that a person gave a lesson.
type edited struct {
	id, text string
	on       *clone
	sent     int // the step at which it was surely sent; -1 until then
}

// clone is one machine.
type clone struct {
	sandbox
	name    string
	offline int
	dirty   map[string]bool // lessons that were changed or recalled since the last whole sync
	clash   map[string]bool // lessons that both sides changed
	copy    *agent          // of a session that takes long
	syncs   int             // since it began
	dropped map[string]bool // what an agent dropped here
	stale   bool            // an agent saved an old copy
	seen    map[string]bool // lessons that were here at the last sync, when that was whole
}

// killing is a git that kills who called it, at one of its runs: before that, after it, or while it goes on alone.
const killing = `#!/bin/sh
case " $* " in *" $KILL_AT "*)
	case $KILL_HOW in
	before) kill -9 $PPID; exit 1;;
	alone) kill -9 $PPID; exec %[1]q "$@";;
	after) %[1]q "$@"; kill -9 $PPID; exit 0;;
	esac;;
esac
exec %[1]q "$@"
`

func newClones(t *testing.T, program, git string, seed uint64, n int) *clones {
	w := &clones{
		t:       t,
		random:  rand.New(rand.NewPCG(seed, 25)),
		program: program,
		git:     git,
		killer:  filepath.Join(t.TempDir(), "killer"),
		remote:  filepath.Join(t.TempDir(), "remote.git"),
		made:    map[string]bool{},
		parents: map[string][]string{},
		deaths:  map[string]lastDeletion{},
		stats:   map[string]int{},
	}
	if out, err := exec.Command(git, "init", "-q", "--bare", "-b", "main", w.remote).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if err := os.Mkdir(w.killer, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(w.killer, "git"), fmt.Appendf(nil, killing, git), 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		g, err := newSandbox(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		c := &clone{
			sandbox: g,
			name:    fmt.Sprint("m", i),
			dirty:   map[string]bool{},
			clash:   map[string]bool{},
			dropped: map[string]bool{},
		}
		config := fmt.Sprintf("[user]\n\tname = %[1]s\n\temail = %[1]s@example.org\n", c.name)
		if err := os.WriteFile(filepath.Join(g.home, ".gitconfig"), []byte(config), 0o600); err != nil {
			t.Fatal(err)
		}
		w.list = append(w.list, c)
		w.must(
			c,
			"sync",
			map[bool]string{true: "init", false: "join"}[i == 0],
			w.remote,
			"--machine",
			c.name,
			"--store",
			c.store,
		)
	}
	return w
}

// command is a run of the program on a clone.
func (w *clones) command(c *clone, env []string, args ...string) *exec.Cmd {
	cmd := exec.Command(w.program, args...)
	cmd.Env, cmd.Dir = slices.Concat(c.env(), []string{"PATH=" + filepath.Dir(w.git) + ":/usr/bin:/bin"}, env), c.dir
	return cmd
}

// must runs a command that has to work.
func (w *clones) must(c *clone, args ...string) string {
	w.t.Helper()
	o := ended(w.command(c, nil, args...))
	if o.status != 0 {
		w.t.Fatalf(
			"step %d, %s: winnow %s: status %d\n%s%s",
			w.step,
			c.name,
			strings.Join(args, " "),
			o.status,
			o.out,
			o.err,
		)
	}
	return o.out
}

// cloneStep is what was done on a clone, and the line of each lesson that it held then.
type cloneStep struct {
	step        int
	on          *clone
	what, about string
	held        map[string]string
}

// note notes what was done on a clone.
func (w *clones) note(c *clone, what, about string) {
	w.stats[what]++
	d := cloneStep{step: w.step, on: c, what: what, about: about, held: map[string]string{}}
	for a, i := w.load(c), 0; i < a.list.Len(); i++ {
		l := a.list.At(i)
		count, _ := l.Value.Field(lesson.KeyCount)
		d.held[string(l.ID)] = fmt.Sprintf(
			"%v %s %q %q",
			count.ToNumber(),
			textOf(l, lesson.KeyUsed),
			textOf(l, lesson.KeyTitle),
			textOf(l, lesson.KeyBody),
		)
	}
	w.done = append(w.done, d)
}

// wrong reports a fault, what was done about the lesson on each clone, and what the share had of it.
func (w *clones) wrong(id, format string, args ...any) {
	w.t.Helper()
	about, held := fmt.Sprintf(format, args...), map[*clone]string{}
	for _, d := range w.done {
		named, now := strings.Contains(d.about, id), cmp.Or(d.held[id], "nothing")
		if was := cmp.Or(held[d.on], "nothing"); named || was != now {
			about += fmt.Sprintf("\nstep %d, %s: %s", d.step, d.on.name, d.what)
			for line := range strings.Lines(d.about) {
				if before, behind, there := strings.Cut(strings.TrimSpace(line), id); there {
					about += fmt.Sprintf(" | %.4s …%s%.60s", before, id, behind)
				}
			}
			if about += "; holds it still"; was != now {
				about = strings.TrimSuffix(about, " it still") + " " + now
			}
		}
		held[d.on] = now
	}
	log, _ := exec.Command(w.git, "-C", w.remote, "log", "--reverse", "--format=commit %h %s", "-p", "-U0", "main", "--",
		"lessons/"+id+".json", "tombstones/"+id+".json").
		Output()
	for line := range strings.Lines(string(log)) {
		if strings.HasPrefix(line, "commit") || strings.HasPrefix(line, "+") || strings.HasPrefix(line, "-") {
			about += "\n" + strings.TrimSpace(line)
		}
	}
	w.t.Errorf("%s: %s", id, about)
}

// load returns an agent that just started.
func (w *clones) load(c *clone) *agent {
	a := &agent{path: c.store}
	if err := a.load(); err != nil {
		w.t.Fatal(err)
	}
	return a
}

// pick returns the place of one of the lessons that an agent holds, or -1.
func (w *clones) pick(a *agent) int {
	if a.list.Len() == 0 {
		return -1
	}
	return w.random.IntN(a.list.Len())
}

// act makes one random step on one clone.
func (w *clones) act() {
	c := w.list[w.random.IntN(len(w.list))]
	k := w.random.IntN(100)
	a := w.load(c)
	at := w.pick(a)
	switch {
	case k < 10 && a.list.Len() < 40 || at < 0 && k < 30:
		w.add(c)
	case at < 0:
		w.whole(c)
	case k < 22:
		w.person(c)
		w.edit(c, a.list.At(at).ID)
	case k < 26:
		w.person(c)
		w.delete(c, string(a.list.At(at).ID))
	case k < 28:
		w.evict(c, a, at)
	case k < 52 && c.copy == nil:
		w.recall(c, a, at)
	case k < 54:
		c.offline = w.random.IntN(300)
		w.note(c, "offline", "")
	case k < 58 && c.copy == nil:
		c.copy, c.syncs = a, 0
	case c.copy != nil && (k < 64 || c.syncs > 2):
		w.save(c)
	case c.offline > 0:
		c.offline--
	case k < 76:
		w.whole(c)
	case k < 82:
		w.several(c)
	case k < 88:
		w.killed(c)
	case k < 93:
		w.beside(c)
	default:
		w.person(c)
		w.whole(c)
		w.review(c)
	}
}

// person has the guard do again what an old copy undid: a person who edits what an agent brought back knows no better.
func (w *clones) person(c *clone) {
	if !c.stale {
		return
	}
	o := ended(w.command(c, nil, "guard", "--once", "--reapply", "--store", c.store))
	if o.status > 1 || o.status < 0 {
		w.t.Fatalf("%s: guard: %+v", c.name, o)
	}
	for line := range strings.Lines(o.out) {
		f := strings.Split(line, "\t")
		if f[0] == "dropped" { // it is back, as after an edit
			w.edits = append(w.edits, &edited{id: f[1], on: c, sent: -1})
		}
	}
	c.stale = false
	w.note(c, "guard", o.out+o.err)
}

func (w *clones) text() string { return words(w.random, 5) }

func (w *clones) add(c *clone) {
	w.person(c)
	var made struct {
		Plans []struct{ Changes []struct{ ID string } }
	}
	out := w.must(
		c,
		"add",
		"--store",
		c.store,
		"--set",
		"task_summary="+w.text(),
		"--set",
		"lesson="+w.text(),
		"--set",
		"outcome=succeeded",
		"--json",
	)
	if err := json.Unmarshal([]byte(out), &made); err != nil {
		w.t.Fatal(err, out)
	}
	id := made.Plans[0].Changes[0].ID
	w.made[id] = true
	c.dirty[id] = true
	w.note(c, "add", id)
}

func (w *clones) edit(c *clone, id memory.ID) {
	l := w.load(c).list.Lookup(id)
	if l == nil { // the guard deleted it again
		return
	}
	field, text := lesson.KeyBody, w.text()
	if w.random.IntN(3) == 0 {
		field = lesson.KeyTitle
	}
	w.must(c, "edit", string(l.ID), "--store", c.store, "--set", field+"="+text)
	w.instead(text, textOf(l, field))
	w.edits = append(w.edits, &edited{id: string(l.ID), text: text, on: c, sent: -1})
	c.dirty[string(l.ID)] = true
	w.note(c, "edit", string(l.ID)+": "+text)
}

func (w *clones) delete(c *clone, id string) {
	l := w.load(c).list.Lookup(memory.ID(id))
	if l == nil || !c.seen[id] { // what no sync has seen here yet is offered again
		return
	}
	w.must(c, "rm", id, "--yes", "--store", c.store)
	w.deaths[id] = lastDeletion{w.step, textOf(l, lesson.KeyTitle), textOf(l, lesson.KeyBody)}
	delete(c.dirty, id)
	w.note(c, "delete", id)
}

// evict has an agent drop a lesson of which nothing waits to be sent.
func (w *clones) evict(c *clone, a *agent, at int) {
	id := string(a.list.At(at).ID)
	if c.dirty[id] || c.copy != nil || c.stale {
		return
	}
	lines := strings.SplitAfter(string(a.list.Save()), "\n")
	w.write(c, strings.Join(slices.Delete(lines, at, at+1), ""))
	c.dropped[id] = true
	w.note(c, "evict", id)
}

// write replaces a store as an agent does.
func (w *clones) write(c *clone, text string) {
	if err := os.WriteFile(c.store+".tmp", []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
	if err := os.Rename(c.store+".tmp", c.store); err != nil {
		w.t.Fatal(err)
	}
}

func (w *clones) recall(c *clone, a *agent, at int) {
	id := string(a.list.At(at).ID)
	a.list.Commit([]lesson.Found{{Index: at}}, time.Now())
	w.write(c, string(a.list.Save()))
	w.note(c, "recall", id)
}

// save ends a session of an agent that may hold an old copy. It recalled each lesson at most once.
func (w *clones) save(c *clone) {
	a := c.copy
	c.stale = true
	for _, at := range w.random.Perm(a.list.Len())[:min(3, a.list.Len())] {
		a.list.Commit([]lesson.Found{{Index: at}}, time.Now())
	}
	w.write(c, string(a.list.Save()))
	c.copy, c.syncs = nil, 0
	w.note(c, "old copy", "")
}

// synced is what winnow sync --json prints.
type synced struct {
	Shares []struct {
		Sent, Came []struct {
			ID   string
			Both bool
		}
		Notes []string
		Error string
	}
}

// whole is a sync that nothing disturbs. It reports whether anything was sent or came.
func (w *clones) whole(c *clone, args ...string) (busy bool) {
	was := w.read(c)
	o := ended(w.command(c, nil, append([]string{"sync", "--json", "--store", c.store}, args...)...))
	if now := w.read(c); now != was && len(args) == 0 {
		w.t.Errorf("step %d, %s: a sync changed the store:\n%s\n%s", w.step, c.name, was, now)
	}
	if o.status == 1 && strings.Contains(o.err, "somebody else pushed first") { // again and again
		w.note(c, "overtaken", "")
		return true
	}
	var s synced
	if err := json.Unmarshal([]byte(o.out), &s); err != nil || len(s.Shares) != 1 || o.status != 0 && o.status != 7 {
		w.t.Fatalf("step %d, %s: sync: status %d, %v\n%s%s", w.step, c.name, o.status, err, o.out, o.err)
	}
	y := &s.Shares[0]
	c.syncs++
	c.clash = map[string]bool{}
	c.seen = map[string]bool{}
	for a, i := w.load(c), 0; i < a.list.Len(); i++ {
		c.seen[string(a.list.At(i).ID)] = true
	}
	for _, l := range y.Came {
		if l.Both {
			c.clash[l.ID] = true
		}
	}
	maps.DeleteFunc(c.dirty, func(id string, _ bool) bool { return !c.clash[id] })
	for _, e := range w.edits {
		if e.on == c && e.sent < 0 && !c.clash[e.id] {
			e.sent = w.step
		}
	}
	w.note(c, "sync", fmt.Sprint("sent ", y.Sent, "\ncame ", y.Came, "\n", strings.Join(y.Notes, "\n")))
	return len(y.Sent)+len(y.Came) > 0
}

// read returns what a clone's store holds.
func (w *clones) read(c *clone) string {
	text, err := os.ReadFile(c.store)
	if err != nil {
		w.t.Fatal(err)
	}
	return string(text)
}

// several clones sync at once, one of them twice.
func (w *clones) several(c *clone) {
	all := []*clone{c, c}
	for _, i := range w.random.Perm(len(w.list))[:3] {
		if w.list[i] != c && w.list[i].offline == 0 {
			all = append(all, w.list[i])
		}
	}
	var wait sync.WaitGroup
	for _, c := range all {
		wait.Go(func() {
			if o := ended(w.command(c, nil, "sync", "--store", c.store)); o.status != 0 && o.status != 7 {
				w.t.Errorf("%s beside others: %+v", c.name, o)
			}
		})
		c.syncs++
		c.seen = nil
	}
	wait.Wait()
	for _, c := range all {
		w.note(c, "several", "")
	}
}

// killed kills a sync at a run of git, or at any moment.
func (w *clones) killed(c *clone) {
	args, path := []string{"sync", "--store", c.store}, "PATH="+w.killer+":/usr/bin:/bin"
	at := []string{"fetch", "ls-tree", "cat-file", "log", "fast-import", "commit-tree", "push", "push", "push", "update-ref"}[w.random.IntN(10)]
	how := []string{"before", "alone", "after"}[w.random.IntN(3)]
	cmd := w.command(c, []string{path, "KILL_AT=" + at, "KILL_HOW=" + how}, args...)
	if w.random.IntN(2) == 0 {
		at, how = "any moment", ""
		cmd = w.command(c, nil, args...)
	}
	c.syncs++
	c.seen = nil
	if err := cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	if at == "any moment" {
		time.AfterFunc(time.Duration(w.random.IntN(150_000))*time.Microsecond, func() { cmd.Process.Kill() })
	}
	if cmd.Wait(); cmd.ProcessState.ExitCode() < 0 {
		w.note(c, strings.TrimSpace("killed "+how+" "+at), "")
	}
}

// beside is a sync while an agent counts a recall and saves.
func (w *clones) beside(c *clone) {
	if c.copy != nil || c.stale {
		return
	}
	a := w.load(c)
	at := w.pick(a)
	id := string(a.list.At(at).ID)
	pause := time.Duration(w.random.IntN(150_000)) * time.Microsecond
	cmd := w.command(c, nil, "sync", "--store", c.store)
	if err := cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	time.Sleep(pause)
	c.stale = true
	w.recall(c, a, at)
	if cmd.Wait(); cmd.ProcessState.ExitCode() != 0 && cmd.ProcessState.ExitCode() != 7 {
		w.t.Errorf("%s: a sync beside an agent ends with %d", c.name, cmd.ProcessState.ExitCode())
	}
	c.syncs, c.seen = c.syncs+1, nil
	w.note(c, "beside", id)
}
