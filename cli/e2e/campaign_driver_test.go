package e2e

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	mathrand "math/rand/v2"
	"os"
	"strconv"
	"strings"
	"time"

	"winnow/core/library"
	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/all"
)

// driverMain is the program "driver STORE NAME": one Winnow that makes many changes
// of its own lessons, those whose title begins with its name. It takes one command
// a line:
//
//	churn N KINDS SEED  make N changes: of KINDS a adds, e edits, d deletes, u undoes
//	                    its last, c counts a recall
//	follow              follow the store, and do again what is undone, as the screens
//	                    do when that is decided for the store
//
// It prints what it is about to do and what became of that, and answers when it is
// done. A line "stop" ends a churn early.
func driverMain() {
	d, err := newDriver(os.Args[1], os.Args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, "driver:", err)
		os.Exit(1)
	}
	lines := make(chan string)
	go func() {
		defer close(lines)
		for s := bufio.NewScanner(os.Stdin); s.Scan(); {
			lines <- s.Text()
		}
	}()
	fmt.Println("ready")
	for line := range lines {
		f := strings.Fields(line)
		switch {
		case len(f) == 4 && f[0] == "churn":
			n, _ := strconv.Atoi(f[1])
			from, _ := strconv.ParseUint(f[3], 10, 64)
			fmt.Println("churned", d.churn(lines, n, f[2], from))
		case line == "follow":
			fmt.Println("follows", d.follow())
		case line == "stop": // came after the end of the churn
		default:
			fmt.Println("error no such command:", line)
		}
	}
}

// driverLine is a line of a driver about one change.
type driverLine struct {
	What    string // try, done or failed
	Do      memory.Act
	Changes []saidChange
	Entry   memory.EntryID
	Error   string
}

type saidChange struct {
	ID     memory.ID
	Before string
	After  string // empty for a deletion
	Fate   string
}

type driver struct {
	lib   *library.Library
	store memory.StoreID
	name  string
	last  memory.EntryID // its own newest change that can be taken back
	count int
	live  map[memory.ID]bool // its lessons, as far as it knows
	mine  []memory.ID        // those of them that are in the store just now
}

func newDriver(store, name string) (*driver, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil, err
	}
	env := system.Env{Home: home, Dir: home, Lookup: os.LookupEnv}
	d := &driver{store: memory.StoreID(store), name: name}
	state, err := library.StateIn(env, rand.Reader)
	if err != nil {
		return nil, err
	}
	d.lib = library.New(all.Systems(time.Now), env, time.Now, func(f func()) { go f() }, state)
	snap, err := d.lib.Load(context.Background(), d.store) // finishes what a kill interrupted
	d.live = map[memory.ID]bool{}
	for _, r := range snap.Records {
		if strings.HasPrefix(r.Title, name+" ") {
			d.live[r.ID] = true
		}
	}
	return d, err
}

// listOwn notes which of its lessons are in the store just now.
func (d *driver) listOwn() error {
	snap, err := d.lib.Load(context.Background(), d.store)
	d.mine = nil
	for _, r := range snap.Records {
		if d.live[r.ID] {
			d.mine = append(d.mine, r.ID)
		}
	}
	return err
}

// churn makes n changes, or fewer when a line comes, and returns how many.
func (d *driver) churn(lines <-chan string, n int, kinds string, seed uint64) int {
	random := mathrand.New(mathrand.NewPCG(seed, uint64(len(d.name))))
	for i := range n {
		select {
		case <-lines:
			return i
		default:
		}
		if err := d.step(kinds[random.IntN(len(kinds))], random); err != nil {
			d.say(driverLine{What: "failed", Error: err.Error()})
		}
	}
	return n
}

// most and least bound how many lessons a driver keeps.
const most, least = 12, 4

// step makes one change.
func (d *driver) step(kind byte, random *mathrand.Rand) error {
	if err := d.listOwn(); err != nil {
		return err
	}
	switch n := len(d.live); {
	case n <= least && kind != 'c', kind == 'u' && d.last == "" && n < most:
		kind = 'a'
	case n >= most && (kind == 'a' || kind == 'u'):
		kind = 'd'
	}
	if len(d.mine) == 0 && (kind == 'e' || kind == 'd') {
		kind = 'c' // another writer dropped them, for a moment
	}
	d.count++
	text := fmt.Sprintf("%s %d-%d", d.name, d.count, random.Uint32())
	o := memory.Order{}
	switch kind {
	case 'a':
		outcome := "succeeded"
		o = memory.Order{Do: memory.AddOne, Edit: memory.Edit{Title: &text, Body: &text, Outcome: &outcome}}
	case 'e':
		o = memory.Order{Do: memory.EditOne, IDs: d.any(random), Edit: memory.Edit{Title: &text}}
	case 'd':
		o = memory.Order{Do: memory.Delete, IDs: d.any(random)}
	case 'u':
		o = memory.Order{Do: memory.Undo, Entry: d.last}
	default:
		o = memory.Order{Do: memory.Commit, Task: memory.Task{Text: "repair the build of " + d.name}}
	}
	return d.make(o)
}

func (d *driver) any(random *mathrand.Rand) []memory.ID {
	return []memory.ID{d.mine[random.IntN(len(d.mine))]}
}

// make makes a change, and says so before and after it.
func (d *driver) make(o memory.Order) error {
	p, err := d.lib.Plan(context.Background(), d.store, o)
	if err != nil {
		return err
	}
	s := driverLine{What: "try", Do: o.Do}
	for _, ch := range p.Changes {
		s.Changes = append(s.Changes, saidChange{ID: ch.ID, Before: ch.Before, After: ch.After})
	}
	d.say(s)
	r, err := d.lib.Apply(context.Background(), p)
	if err != nil {
		return err
	}
	for i := range r.Changes {
		s.Changes[i].Fate = r.Changes[i].Fate.String()
	}
	s.What, s.Entry = "done", r.Entry
	d.last = ""
	if o.Do != memory.Undo && o.Do != memory.Commit {
		d.last = r.Entry
	}
	for _, ch := range p.Changes {
		switch {
		case ch.After == "":
			delete(d.live, ch.ID)
		case o.Do != memory.Commit:
			d.live[ch.ID] = true
		}
	}
	d.say(s)
	return nil
}

// say prints a line at once: a kill leaves it whole.
func (d *driver) say(s driverLine) {
	b, _ := json.Marshal(s)
	os.Stdout.Write(append(b, '\n'))
}

// follow does again, from now on, whatever is undone.
func (d *driver) follow() error {
	p, err := d.lib.Plan(context.Background(), d.store, memory.Order{Do: memory.Trust, All: true})
	if err != nil {
		return err
	}
	if _, err := d.lib.Apply(context.Background(), p); err != nil {
		return err
	}
	go func() {
		for range d.lib.Follow(context.Background(), d.store) {
		}
	}()
	return nil
}
