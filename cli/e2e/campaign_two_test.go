package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"winnow/core/memory"
)

// TestCampaignTwoWritersLoseNothing lets two Winnows and an agent change one store at
// full speed, with the guard on "always". Once it has settled no lesson of anybody's
// is lost, none is there twice, every line parses, and the counts are the highest seen.
func TestCampaignTwoWritersLoseNothing(t *testing.T) {
	changes := share(t, 10000)
	program, err := built()
	if err != nil {
		t.Fatal(err)
	}
	var base []string
	for i := range 6 {
		base = append(base, lessonLine(fmt.Sprintf("base-%d", i), fmt.Sprintf("Repair the build of part %d", i), i+1))
	}
	g, err := newSandbox(t.TempDir(), base...)
	if err != nil {
		t.Fatal(err)
	}
	q := &twoDrivers{sandbox: g, program: program, learnt: map[memory.ID]bool{}}
	for i := range base {
		q.learnt[memory.ID(fmt.Sprintf("base-%d", i))] = true
	}
	if err := q.begin(); err != nil {
		t.Fatal(err)
	}
	defer q.stop()
	ctx, cancel := context.WithCancel(t.Context())
	w := &watcher{store: g.store, counts: map[memory.ID]float64{}, used: map[memory.ID]string{}}
	var watching sync.WaitGroup
	watching.Go(func() { w.watch(ctx) })
	began := time.Now()
	err = q.fight(changes)
	if err == nil {
		err = q.settle()
	}
	cancel()
	watching.Wait()
	if err == nil {
		err = errors.Join(w.err, q.check(w))
	}
	if err != nil {
		t.Error(err)
	}
	for i, l := range q.ledgers {
		t.Logf("driver %d: %d changes done (%v), refused: %v", i, l.done, l.acts, l.failed)
	}
	t.Logf("%d sessions of the agent, %d lessons of its own, %d versions of the store seen, settled after %.1f s",
		q.sessions, len(q.learnt)-len(base), w.versions, time.Since(began).Seconds())
}

// twoDrivers is two drivers and an agent on one store.
type twoDrivers struct {
	sandbox
	program  string
	drivers  [2]*lineProgram
	ledgers  [2]*ledger
	agent    *lineProgram
	learnt   map[memory.ID]bool // lessons that nobody deletes
	sessions int
}

func (q *twoDrivers) begin() (err error) {
	for i := range q.drivers {
		q.ledgers[i] = newLedger()
		if q.drivers[i], err = q.start(q.ledgers[i].heard, "driver", q.store, fmt.Sprintf("driver%d", i)); err != nil {
			return err
		}
		if answer, err := q.drivers[i].ask("follow"); err != nil || answer != "follows <nil>" {
			return fmt.Errorf("follow: %s, %w", answer, err)
		}
	}
	q.agent, err = q.start(nil, "agent", q.store)
	return err
}

func (q *twoDrivers) stop() {
	for _, c := range append(q.drivers[:], q.agent) {
		if c != nil {
			c.kill()
		}
	}
}

// own is how many lessons the agent learns.
const own = 15

// fight lets all change the store, until the drivers are done.
func (q *twoDrivers) fight(changes int) error {
	for i, d := range q.drivers {
		d.patience = time.Hour
		if err := d.tell(fmt.Sprintf("churn %d aeeddc %d", changes*7/10/len(q.drivers), *seed+uint64(i))); err != nil {
			return err
		}
	}
	ended := make(chan error, len(q.drivers))
	for _, d := range q.drivers {
		go func() {
			for {
				answer, err := d.answer()
				if err != nil || strings.HasPrefix(answer, "churned") {
					ended <- err
					return
				}
			}
		}()
	}
	for left, turn := len(q.drivers), 0; left > 0; turn++ {
		select {
		case err := <-ended:
			if err != nil {
				return err
			}
			left--
			continue
		default:
		}
		if q.sessions > changes/storming+q.done()*3/7 {
			time.Sleep(time.Millisecond) // the Winnows catch up
			continue
		}
		if err := q.session(turn); err != nil {
			return err
		}
	}
	return nil
}

// storming is the part of the changes that the agent makes at once. After that it
// makes three for seven that the drivers make.
const storming = 10

// done is how many changes the drivers made.
func (q *twoDrivers) done() int {
	n := 0
	for _, l := range q.ledgers {
		l.mu.Lock()
		n += l.done
		l.mu.Unlock()
	}
	return n
}

// session lets the agent work. Now and then it learns something, or starts anew.
func (q *twoDrivers) session(turn int) error {
	commands := []string{"work 10 repair the build"}
	if len(q.learnt) < own+6 && turn%3 == 0 {
		id := fmt.Sprintf("agent-%d", len(q.learnt))
		q.learnt[memory.ID(id)] = true
		commands = append(commands, "learn "+id+" Repair the fence of garden "+id, "save")
	}
	if turn%20 == 19 {
		commands = append(commands, "reload")
	}
	q.sessions += 10
	for _, c := range commands {
		if _, err := q.agent.ask(c); err != nil {
			return fmt.Errorf("agent, %s: %w", c, err)
		}
	}
	return nil
}

// settle lets the agent save once more and waits until the guards have nothing to do.
func (q *twoDrivers) settle() error {
	if _, err := q.agent.ask("save"); err != nil {
		return err
	}
	var o outcome
	for end := time.Now().Add(4 * patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		before, _ := os.ReadFile(q.store)
		o = q.run(q.program, "guard", q.store, "--once")
		after, _ := os.ReadFile(q.store)
		if o.status == 0 && o.out == "" && string(before) == string(after) {
			return nil
		}
	}
	return fmt.Errorf("it does not settle: status %d, %s%s", o.status, o.out, o.err)
}

// check holds the store to what everybody wrote.
func (q *twoDrivers) check(w *watcher) error {
	raw, err := os.ReadFile(q.store)
	if err != nil {
		return err
	}
	lines, err := stored(raw, nil)
	if err != nil {
		return err
	}
	var wrong []error
	for id, line := range lines {
		now := parsed(line)
		if now.Count < w.counts[id] || now.Used < w.used[id] {
			wrong = append(
				wrong,
				fmt.Errorf(
					"%s counts %v and was used at %q; seen were %v and %q",
					id,
					now.Count,
					now.Used,
					w.counts[id],
					w.used[id],
				),
			)
		}
	}
	for id := range q.learnt {
		if lines[id] == "" {
			wrong = append(wrong, fmt.Errorf("%s is lost", id))
		}
		delete(lines, id)
	}
	for _, l := range q.ledgers {
		for id, form := range l.forms {
			mine, now := parsed(form), parsed(lines[id])
			mine.Count, mine.Used, now.Count, now.Used = 0, "", 0, ""
			if !q.learnt[id] && mine != now {
				wrong = append(wrong, fmt.Errorf("%s is %+v, want %+v", id, now, mine))
			}
			delete(lines, id)
		}
		for failure := range l.failed {
			if failure != memory.ErrConflict.Error() && failure != memory.ErrNotFound.Error() {
				wrong = append(wrong, errors.New(failure))
			}
		}
	}
	if len(lines) > 0 {
		wrong = append(wrong, fmt.Errorf("nobody's lessons: %v", lines))
	}
	if answer, err := q.agent.ask("evicted"); answer != "evicted 0" {
		wrong = append(wrong, fmt.Errorf("the agent dropped lessons: %s, %w", answer, err))
	}
	return errors.Join(wrong...)
}

// storedLine is what a line says.
type storedLine struct {
	ID    string  `json:"lesson_id"`
	Title string  `json:"task_summary"`
	Body  string  `json:"lesson"`
	Count float64 `json:"relevance_count"`
	Used  string  `json:"last_retrieved_at"`
}

func parsed(line string) (v storedLine) {
	_ = json.Unmarshal([]byte(line), &v) // what does not parse says nothing
	return v
}

// watcher notes the highest counts and the latest dates in all versions that it sees.
type watcher struct {
	store    string
	counts   map[memory.ID]float64
	used     map[memory.ID]string
	versions int
	err      error
}

func (w *watcher) watch(ctx context.Context) {
	last := ""
	for ctx.Err() == nil {
		raw, err := os.ReadFile(w.store)
		if err != nil {
			w.err = err
			return
		}
		if string(raw) == last {
			time.Sleep(200 * time.Microsecond)
			continue
		}
		last = string(raw)
		w.versions++
		lines, err := stored(raw, nil)
		if err != nil {
			w.err = fmt.Errorf("version %d: %w", w.versions, err)
			return
		}
		for id, line := range lines {
			v := parsed(line)
			w.counts[id] = max(w.counts[id], v.Count)
			w.used[id] = max(w.used[id], v.Used)
		}
	}
}
