package e2e

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestCampaignKilledWritersLoseNothing kills four writing processes at any moment.
// Each time the store is a version that one of them wrote, every change that was
// reported done is in it, the history opens, an undo and a redo work, and no temporary
// file is left after the next start.
func TestCampaignKilledWritersLoseNothing(t *testing.T) {
	kills := share(t, 2000)
	program, err := built()
	if err != nil {
		t.Fatal(err)
	}
	base := []string{
		lessonLine("base-1", "Nobody changes this", 3),
		"{\"damaged\":\n",
		"  " + lessonLine("base-2", "Nor this", 1),
	}
	g, err := newSandbox(t.TempDir(), base...)
	if err != nil {
		t.Fatal(err)
	}
	s := &fourDrivers{sandbox: g, program: program, base: map[string]bool{}, random: rand.New(rand.NewPCG(*seed, 1))}
	for _, line := range base {
		s.base[line] = true
	}
	defer s.stop()
	for i := range s.drivers {
		s.drivers[i].ledger = newLedger()
		if err := s.restart(i); err != nil {
			t.Fatal(err)
		}
	}
	rounds := 0
	for ; s.kills < kills; rounds++ {
		if err := s.round(rounds); err != nil {
			t.Fatalf("round %d, after %d kills: %v", rounds, s.kills, err)
		}
	}
	done, acts := 0, map[string]int{}
	for i := range s.drivers {
		l := s.drivers[i].ledger
		done += l.done
		for act, n := range l.acts {
			acts[string(act)] += n
		}
		if len(l.failed) > 0 {
			t.Errorf("changes failed: %v", l.failed)
		}
	}
	t.Logf("%d kills in %d rounds, %d changes reported done (%v), %d left open: %d stood",
		s.kills, rounds, done, acts, s.open, s.stood)
	if done == 0 {
		t.Error("nothing was changed")
	}
}

// fourDrivers is four drivers on one store.
type fourDrivers struct {
	sandbox
	program string
	base    map[string]bool
	random  *rand.Rand
	drivers [4]struct {
		*lineProgram
		ledger *ledger
	}
	kills, open, stood int
}

func (s *fourDrivers) stop() {
	for i := range s.drivers {
		if s.drivers[i].lineProgram != nil {
			s.drivers[i].kill()
		}
	}
}

func (s *fourDrivers) restart(i int) (err error) {
	d := &s.drivers[i]
	d.lineProgram, err = s.start(d.ledger.heard, "driver", s.store, fmt.Sprintf("driver%d", i))
	return err
}

// round lets all write, kills some, stops the others, and looks.
func (s *fourDrivers) round(n int) error {
	for i := range s.drivers {
		if err := s.drivers[i].tell(fmt.Sprintf("churn 1000000 aedu %d", s.random.Uint32())); err != nil {
			return err
		}
	}
	time.Sleep(time.Duration(s.random.IntN(20000)) * time.Microsecond)
	dead := s.random.Perm(len(s.drivers))[:1+s.random.IntN(len(s.drivers))]
	for _, i := range dead {
		s.drivers[i].cmd.Process.Kill()
	}
	for _, i := range dead {
		if err := s.drivers[i].gone(); err != nil {
			return err
		}
		s.kills++
	}
	for i := range s.drivers {
		if err := s.calm(i); err != nil {
			return err
		}
	}
	if err := s.checkStore("after the kill", false); err != nil {
		return err
	}
	if err := s.next(n); err != nil {
		return err
	}
	for _, i := range dead {
		if err := s.restart(i); err != nil {
			return err
		}
	}
	if err := s.checkStore("after the next start", true); err != nil {
		return err
	}
	return s.history(n)
}

// next runs what a person may start next: a look writes nothing, and what may change the store finishes or takes back
// what the kills interrupted.
func (s *fourDrivers) next(round int) error {
	before, err := os.ReadFile(s.store)
	if err != nil {
		return err
	}
	beside := s.leftovers()
	for _, args := range [][]string{lookRuns()[round%len(lookRuns())], finishing()} {
		o := s.run(s.program, append(args, "--store", s.store)...)
		if o.status != 0 && o.status != 3 && !strings.Contains(o.err, "a change was interrupted") {
			return fmt.Errorf("winnow %s: status %d, %s", args[0], o.status, o.err)
		}
		after, err := os.ReadFile(s.store)
		if err != nil {
			return err
		}
		if isLook := args[0] != finishing()[0]; isLook &&
			(string(after) != string(before) || !slices.Equal(s.leftovers(), beside)) {
			return fmt.Errorf("winnow %s changes what the kills left", args[0])
		}
	}
	if left := s.leftovers(); len(left) > 0 {
		return fmt.Errorf("files are left after the next run: %q", left)
	}
	return nil
}

// calm stops a driver that lives.
func (s *fourDrivers) calm(i int) error {
	d := &s.drivers[i]
	if d.cmd.ProcessState != nil {
		return nil
	}
	answer, err := d.ask("stop")
	if err == nil && !strings.HasPrefix(answer, "churned") {
		err = errors.New(answer)
	}
	return err
}

// checkStore compares the store with what the drivers said. With settle what a kill left
// open is then what the store has.
func (s *fourDrivers) checkStore(when string, settle bool) error {
	raw, err := os.ReadFile(s.store)
	if err != nil {
		return err
	}
	lines, err := stored(raw, s.base)
	if err != nil {
		return fmt.Errorf("%s: %w", when, err)
	}
	for i := range s.drivers {
		l := s.drivers[i].ledger
		pending, forms := maps.Clone(l.pending), maps.Clone(l.forms)
		if err := l.holds(lines); err != nil {
			return fmt.Errorf("%s: driver %d: %w", when, i, err)
		}
		if settle && len(pending) > 0 {
			s.open++
			if !maps.Equal(forms, l.forms) {
				s.stood++
			}
		}
		if !settle {
			l.pending, l.forms = pending, forms
		}
	}
	if len(lines) > 0 {
		return fmt.Errorf("%s: lessons that nobody has: %v", when, lines)
	}
	return nil
}

// history opens the history, and in some rounds takes the newest change back and
// makes it again.
func (s *fourDrivers) history(round int) error {
	before, err := os.ReadFile(s.store)
	if err != nil {
		return err
	}
	commands := [][]string{{"history", "--store", s.store}}
	if round%10 == 9 {
		commands = append(commands, []string{"undo", "--store", s.store}, []string{"redo", "--store", s.store})
	}
	for _, args := range commands {
		o := s.run(s.program, args...)
		if o.status != 0 || strings.Contains(o.err, "damaged") {
			return fmt.Errorf("winnow %s: status %d, %s", args[0], o.status, o.err)
		}
	}
	after, err := os.ReadFile(s.store)
	if err == nil && string(after) != string(before) {
		err = fmt.Errorf("undo and redo leave other bytes:\n%s\nwas\n%s", after, before)
	}
	return err
}
