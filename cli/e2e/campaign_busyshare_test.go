package e2e

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"winnow/core/jstext"
	"winnow/core/lesson"
	"winnow/core/memory"
)

// TestCampaignSyncBesideWritersLosesNothing syncs one store again and again while an agent that holds old copies, a
// command line and a screen all change it, and a second machine changes the share. In the end no lesson is lost,
// doubled or back from the dead, the newest text of each is there, both stores equal the share, and git finds no fault.
func TestCampaignSyncBesideWritersLosesNothing(t *testing.T) {
	rounds := max(12, share(t, 200))
	program, git := builtWithGit(t)
	b := &busyShare{clones: newClones(t, program, git, *seed, 2)}
	b.begin()
	b.all(rounds)
	b.end()
}

// busyShare is a share of two machines. The first one's store has several writers, each with a ledger of its own.
type busyShare struct {
	*clones
	ledgers []*clones
	syncs   atomic.Int64 // that ended on the first machine
	turn    atomic.Int64
	slowest time.Duration // of these syncs
}

// stock is how many lessons of each kind both machines have at the start.
const stock = 5

// begin gives both machines the same lessons: some that are left alone, some that failed and will be pruned, some that
// both machines edit.
func (b *busyShare) begin() {
	here, there := b.list[0], b.list[1]
	var lines []string
	for _, kind := range []string{"kept", "failed", "both"} {
		for i := range stock {
			id := fmt.Sprint(kind, "-", i)
			lines = append(lines, b.line(id, map[bool]string{true: "failed", false: "succeeded"}[kind == "failed"]))
			b.made[id] = true
		}
	}
	b.write(here, strings.Join(lines, ""))
	b.whole(here)
	b.whole(there)
	b.review(there)
	b.whole(there)
}

// writer returns a ledger for one writer of a machine, and the machine as this writer knows it.
func (b *busyShare) writer(c *clone, name string) (*clones, *clone) {
	w := *b.clones
	w.random = rand.New(rand.NewPCG(*seed, uint64(len(b.ledgers))))
	w.made, w.parents, w.deaths, w.stats = map[string]bool{}, map[string][]string{}, map[string]lastDeletion{}, map[string]int{}
	w.edits, w.done = nil, nil
	b.ledgers = append(b.ledgers, &w)
	own := &clone{
		sandbox: c.sandbox,
		name:    c.name + " " + name,
		dirty:   map[string]bool{},
		clash:   map[string]bool{},
		dropped: map[string]bool{},
	}
	return &w, own
}

// all lets everybody write until the second machine is done.
func (b *busyShare) all(rounds int) {
	here, there := b.list[0], b.list[1]
	var wait sync.WaitGroup
	var done atomic.Bool
	start := func(name string, c *clone, act func(w *clones, c *clone), more func(turn int) bool) {
		w, own := b.writer(c, name)
		wait.Go(func() {
			for turn := 0; more(turn) && !b.t.Failed(); turn++ {
				w.step = int(b.turn.Add(1))
				act(w, own)
			}
			done.Store(true)
		})
	}
	goesOn := func(int) bool { return !done.Load() && !b.t.Failed() }
	start("other", there, b.other, func(turn int) bool { return turn < rounds })
	start("hand", here, hand{b, map[string]string{}}.act, goesOn)
	start("agent", here, (&busyAgent{busyShare: b}).act, goesOn)
	s, err := b.screen(here)
	if err != nil {
		b.t.Fatal(err)
	}
	wait.Go(func() { s.watch(func() bool { return !goesOn(0) }) })
	wait.Go(func() {
		for goesOn(0) {
			began := time.Now()
			o := ended(b.command(here, nil, "sync", "--store", here.store))
			if o.status != 0 && o.status != 7 {
				b.t.Errorf("a sync beside writers: %+v", o)
			}
			b.slowest = max(b.slowest, time.Since(began))
			b.syncs.Add(1)
			time.Sleep(50 * time.Millisecond) // or the other machine's pushes never come first
		}
	})
	wait.Wait()
	b.t.Logf("%d syncs of at most %v, keys of the screen: %v", b.syncs.Load(), b.slowest, s.pressed)
}

// line returns the line of a new lesson with texts of its own.
func (w *clones) line(id, outcome string) string {
	line := lessonLine(id, w.text(), 0)
	line = strings.Replace(line, "Completed using x. 1 step(s) succeeded.", w.text(), 1)
	return strings.Replace(line, `"succeeded"`, fmt.Sprintf("%q", outcome), 1)
}

// living returns the lessons that a writer made and did not delete, in order.
func (w *clones) living() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(w.made)), func(id string) bool {
		_, dead := w.deaths[id]
		return dead
	})
}

// mostOwn is how many living lessons a writer has at most: an agent holds 100.
const mostOwn = 12

// other is one turn of the second machine, which nobody else writes.
func (b *busyShare) other(w *clones, c *clone) {
	own := w.living()
	switch k := w.random.IntN(10); {
	case k < 3 && len(own) < mostOwn || len(own) == 0:
		w.add(c)
	case k < 5:
		w.edit(c, memory.ID(own[w.random.IntN(len(own))]))
	case k < 6:
		w.edit(c, memory.ID(fmt.Sprint("both-", w.random.IntN(stock))))
	case k < 7:
		w.delete(c, own[w.random.IntN(len(own))])
	case k < 9:
		a := w.load(c)
		w.recall(c, a, w.pick(a))
	}
	w.whole(c)
	if w.random.IntN(2) == 0 {
		w.review(c)
		w.whole(c)
	}
	time.Sleep(time.Duration(w.random.IntN(300)) * time.Millisecond) // or the first machine's pushes never come first
}

// hand is a person at the command line of the first machine.
type hand struct {
	*busyShare
	last map[string]string // the text it last gave a lesson: an agent may have taken that back when it gives another
}

func (h hand) act(w *clones, c *clone) {
	own := w.living()
	switch k := w.random.IntN(10); {
	case k < 3 && len(own) < mostOwn || len(own) == 0:
		w.add(c)
	case k < 5:
		h.edit(w, c, own[w.random.IntN(len(own))])
	case k < 7:
		h.edit(w, c, fmt.Sprint("both-", w.random.IntN(stock)))
	case k < 8:
		h.delete(w, c, own[w.random.IntN(len(own))])
	default:
		h.reject(w, c)
	}
	time.Sleep(time.Duration(w.random.IntN(100)) * time.Millisecond)
}

// try runs a command on the first machine that another writer may come before.
func (h hand) try(w *clones, c *clone, args ...string) bool {
	o := ended(w.command(c, nil, args...))
	if o.status != 0 && o.status != 3 && o.status != 7 {
		h.t.Errorf("winnow %q: %+v", args, o)
	}
	if w.stats[args[0]+" refused"]++; o.status == 0 {
		w.stats[args[0]+" refused"]--
	}
	return o.status == 0
}

func (h hand) edit(w *clones, c *clone, id string) {
	text := w.text()
	if h.try(w, c, "edit", id, "--store", c.store, "--set", "lesson="+text) {
		w.edits = append(w.edits, &edited{id: id, text: text, on: c, sent: -1})
		w.instead(text, h.last[id])
		h.last[id] = text
		w.note(c, "edit", id+": "+text)
	}
}

func (h hand) delete(w *clones, c *clone, id string) {
	if h.try(w, c, "rm", id, "--yes", "--store", c.store) {
		w.deaths[id] = lastDeletion{step: w.step}
		w.note(c, "delete", id)
	}
}

// reject rejects a lesson that is new here.
func (h hand) reject(w *clones, c *clone) {
	var in struct{ Entries []inboxEntry }
	if err := json.Unmarshal([]byte(w.must(c, "inbox", "--json")), &in); err != nil {
		h.t.Error(err)
		return
	}
	held := w.load(c).list
	for _, e := range in.Entries {
		if e.Kind == "proposal" && held.Lookup(memory.ID(e.Record)) == nil {
			h.try(w, c, "inbox", "reject", e.ID)
			c.dropped[e.Record] = true
			w.note(c, "reject", e.Record)
			return
		}
	}
}

// busyAgent is an agent that saves copies of different age.
type busyAgent struct {
	*busyShare
	copy   *agent
	loaded int64
}

// act is a session.
func (a *busyAgent) act(w *clones, c *clone) {
	if a.copy == nil || a.syncs.Load() >= a.loaded+2 || w.random.IntN(3) == 0 {
		a.loaded = a.syncs.Load()
		a.copy = w.load(c)
	}
	if id := fmt.Sprint("agent-", len(w.made)); len(w.made) < mostOwn && w.random.IntN(4) == 0 {
		a.copy.list = lesson.Load(
			jstext.Decode([]byte(string(a.copy.list.Save())+w.line(id, "succeeded"))),
			time.Now(),
			time.Local,
		)
		w.made[id] = true
	}
	for _, at := range w.random.Perm(a.copy.list.Len())[:2] {
		a.copy.list.Commit([]lesson.Found{{Index: at}}, time.Now())
	}
	if err := a.copy.save(); err != nil {
		a.t.Error(err)
	}
	w.note(c, "agent saves", "")
	time.Sleep(time.Duration(w.random.IntN(100)) * time.Millisecond)
}

// watched is Winnow's screen, and a person who looks at it.
type watched struct {
	*terminal
	t       *testing.T
	pressed map[string]int
}

// screen opens the first machine's store in a terminal.
func (b *busyShare) screen(c *clone) (*watched, error) {
	x, err := openTerminal(b.command(c, []string{"TERM=xterm-256color"}, c.store), 120, 35, false)
	return &watched{terminal: x, t: b.t, pressed: map[string]int{}}, err
}

// watch approves what waits in the inbox, has the guard do again what is undone, and prunes once.
func (s *watched) watch(done func() bool) {
	defer s.stop()
	if err := s.until(func(now string) bool { return strings.Contains(now, "/100") }); err != nil {
		s.t.Error(err)
		return
	}
	for last, looks := "", 0; !done(); time.Sleep(20 * time.Millisecond) {
		text := s.text()
		if looks++; looks == 30 {
			s.prune()
		}
		key := s.key(text)
		if key == "" || text == last && key != "\x1b" {
			continue
		}
		s.pressed[key]++
		if last = text; !s.press(key) {
			return
		}
	}
	for _, key := range []string{"\x1b", "\x1b", "q"} {
		s.press(key)
		s.rested()
	}
	if err := s.wait(); err != nil {
		s.t.Errorf("the screen ends with %v:\n%s", err, s.text())
	}
}

// prune removes all lessons that failed.
func (s *watched) prune() {
	for _, step := range []struct{ keys, want string }{{"\x1b", "/100"}, {"2", "[2 Lessons]"}, {"P", "( ) failed only"}, {"jj", "(o) failed only"}, {"", "Remove 5 (y)"}, {"y", "[2 Lessons]"}} {
		s.press(step.keys)
		s.rested() // an escape and a key at once are another key
		if err := s.until(func(now string) bool { return strings.Contains(now, step.want) }); err != nil {
			s.t.Errorf("prune: %q: %v\n%s", step, err, s.text())
			return
		}
	}
	s.pressed["prune"]++
}

func (s *watched) press(key string) bool {
	_, err := io.WriteString(s.file, key)
	if err != nil {
		s.t.Errorf("the screen is gone: %v\n%s", err, s.text())
	}
	return err == nil
}

// keys of the screens, by what they show. The first that fits is pressed.
var watchedKeys = []struct{ shows, key string }{
	{"Changed underneath you", "W"},
	{"! to look", "!"},
	{"a approve", "a"},
}

// key returns the key for what is on the screen.
func (s *watched) key(text string) string {
	for _, k := range watchedKeys {
		if strings.Contains(text, k.shows) {
			return k.key
		}
	}
	return map[bool]string{true: "5", false: ""}[strings.Contains(text, "/100")]
}

// change is a record of the history before and after.
type changeSaid struct{ ID, Before, After string }

// histories takes what the people on the first machine changed from its history: a prune on the screen, and texts that
// took the place of others.
func (b *busyShare) histories() {
	var h struct {
		Entries []struct {
			Who, Do string
			Changes []changeSaid
		}
	}
	c := b.list[0]
	if err := json.Unmarshal([]byte(b.must(c, "history", "--json", "--store", c.store)), &h); err != nil {
		b.t.Fatal(err)
	}
	for _, e := range h.Entries {
		b.stats["history: "+e.Who+" "+e.Do]++
		for _, ch := range e.Changes {
			before, after := parsed(ch.Before), parsed(ch.After)
			switch {
			case e.Do == "sync", e.Do == "":
			case e.Do == "reapply":
				if ch.Before == "" {
					b.edits = append(b.edits, &edited{id: ch.ID, on: c, sent: -1})
				}
			case e.Do == "prune" && ch.After == "":
				b.deaths[ch.ID] = lastDeletion{0, before.Title, before.Body}
			case ch.Before != "" && ch.After != "":
				b.instead(after.Title, before.Title)
				b.instead(after.Body, before.Body)
			}
		}
	}
}

// end brings the ledgers together, has both machines sync until nothing moves, and checks what is there.
func (b *busyShare) end() {
	here := b.list[0]
	b.whole(here)
	b.histories()
	for _, w := range b.ledgers {
		maps.Copy(b.made, w.made)
		for text, of := range w.parents {
			b.parents[text] = append(b.parents[text], of...)
		}
		for what, n := range w.stats {
			b.stats[what] += n
		}
		maps.Copy(b.deaths, w.deaths)
		b.edits = append(b.edits, w.edits...)
		b.done = append(b.done, w.done...)
	}
	for _, d := range b.done {
		maps.Copy(here.dropped, d.on.dropped)
	}
	slices.SortStableFunc(b.done, func(x, y cloneStep) int { return cmp.Compare(x.step, y.step) })
	here.stale = true
	b.step = int(b.turn.Add(1))
	b.settle()
	b.check()
	b.t.Log(b.stats)
}
