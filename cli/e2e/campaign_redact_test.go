package e2e

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/memory"
)

// TestCampaignRedactedSecretsDoNotComeBackUnseen has two agents with unequal copies of a
// store save them at any time, while a person redacts, edits, deletes, undoes and does
// again. After each step the guard names every record that holds a redacted secret, and no
// other; the history holds none; and doing again lowers no count and no date.
func TestCampaignRedactedSecretsDoNotComeBackUnseen(t *testing.T) {
	rounds := share(t, 2000)
	const each = 50 // rounds with one store
	done := map[string]int{}
	for from := 0; from < rounds; from += each {
		random := rand.New(rand.NewPCG(*seed, uint64(from)))
		l, err := newLeak(t, random, done)
		if err != nil {
			t.Fatal(err)
		}
		for i := range min(each, rounds-from) {
			if err := l.round(); err != nil {
				t.Fatalf("round %d, after %s: %v", from+i, strings.Join(l.steps, ", "), err)
			}
		}
	}
	t.Logf("%d rounds: %v", rounds, done)
	if rounds >= each && (done["seen back"] == 0 || done["reapply"] == 0 || done["redact"] == 0) {
		t.Error("no secret came back: the campaign shows nothing")
	}
}

// leak is a store in which there are secrets.
type leak struct {
	sandbox
	*driver
	agents   [2]*agent
	random   *rand.Rand
	secrets  []string
	redacted map[string]bool
	steps    []string
	done     map[string]int
}

func newLeak(t *testing.T, random *rand.Rand, done map[string]int) (*leak, error) {
	l := &leak{random: random, redacted: map[string]bool{}, done: done}
	var lines []string
	for i := range 8 {
		lines = append(lines, l.line(fmt.Sprintf("base-%d", i), i%2 == 0))
	}
	var err error
	if l.sandbox, err = newSandbox(t.TempDir(), lines...); err != nil {
		return nil, err
	}
	t.Setenv("HOME", l.home)
	for _, name := range []string{"XDG_STATE_HOME", "XDG_CONFIG_HOME"} {
		t.Setenv(name, "")
	}
	if l.driver, err = newDriver(l.sandbox.store, "person"); err != nil {
		return nil, err
	}
	for i := range l.agents {
		l.agents[i] = &agent{path: l.sandbox.store}
		if err := l.agents[i].load(); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// line returns a lesson, which may tell a secret that is new or known already.
func (l *leak) line(id string, tells bool) string {
	title := "Repair the build of " + id
	if tells {
		if len(l.secrets) == 0 || l.random.IntN(3) > 0 {
			l.secrets = append(l.secrets, l.secret())
		}
		title += " with " + l.secrets[l.random.IntN(len(l.secrets))]
	}
	return lessonLine(id, title, l.random.IntN(5))
}

// secret returns what looks like one, and is none.
func (l *leak) secret() string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	b := []byte("ghp_")
	for range 36 {
		b = append(b, letters[l.random.IntN(len(letters))])
	}
	return string(b)
}

// round makes a step of an agent or of the person, and looks at what it led to.
func (l *leak) round() error {
	var err error
	if l.random.IntN(2) == 0 {
		err = l.agentStep()
	} else {
		err = l.personStep()
	}
	if err == nil {
		err = l.check()
	}
	return err
}

func (l *leak) note(step string) {
	l.steps = append(l.steps, step)
	verb, _, _ := strings.Cut(step, " ")
	l.done[verb]++
}

// agentStep lets one of the agents count and save, start anew, or learn what tells a
// secret.
func (l *leak) agentStep() error {
	who := l.random.IntN(len(l.agents))
	a := l.agents[who]
	commands := []string{"save", "save", "reload"}
	if l.random.IntN(2) == 0 {
		commands = []string{"recall repair the build", "save"}
	}
	if l.random.IntN(5) == 0 {
		return l.plant()
	}
	for _, c := range commands[:1+l.random.IntN(len(commands))] {
		l.note(fmt.Sprintf("%s by %d", c, who))
		if _, err := a.do(c); err != nil {
			return err
		}
	}
	return nil
}

// plant adds a lesson as a third writer does, who knows of no other.
func (l *leak) plant() error {
	l.note("plant")
	f, err := os.OpenFile(l.sandbox.store, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(l.line(fmt.Sprintf("new-%d", len(l.steps)), true))
	return errors.Join(err, f.Close())
}

// personStep makes a change.
func (l *leak) personStep() error {
	if err := l.lookAtAll(); err != nil || len(l.mine) == 0 {
		return err
	}
	text := fmt.Sprintf("Repair the build, step %d", len(l.steps))
	one := l.any(l.random)
	orders := []memory.Order{
		{Do: memory.Redact}, {Do: memory.Redact}, {Do: memory.EditOne, IDs: one, Edit: memory.Edit{Body: &text}},
		{Do: memory.Delete, IDs: one}, {Do: memory.Undo}, {Do: memory.Redo}, {Do: memory.Reapply, All: true}, {Do: memory.Reapply, All: true},
	}
	o := orders[l.random.IntN(len(orders))]
	l.note(string(o.Do))
	before, err := os.ReadFile(l.sandbox.store)
	if err != nil {
		return err
	}
	p, err := l.lib.Plan(context.Background(), l.driver.store, o)
	if err == nil {
		_, err = l.lib.Apply(context.Background(), p)
	}
	for _, refused := range []error{memory.ErrNothing, memory.ErrNotFound, memory.ErrConflict} {
		if errors.Is(err, refused) {
			return nil
		}
	}
	if err == nil && o.Do == memory.Redact {
		for _, s := range l.secrets {
			l.redacted[s] = l.redacted[s] || strings.Contains(string(before), s)
		}
	}
	if err == nil && o.Do == memory.Reapply {
		err = l.lowered(string(before))
	}
	return err
}

// lookAtAll notes all records of the store.
func (l *leak) lookAtAll() error {
	snap, err := l.lib.Load(context.Background(), l.driver.store)
	l.mine = nil
	for _, r := range snap.Records {
		l.mine = append(l.mine, r.ID)
	}
	return err
}

// lowered returns an error when a count or a date of a lesson is less than before.
func (l *leak) lowered(before string) error {
	raw, err := os.ReadFile(l.sandbox.store)
	if err != nil {
		return err
	}
	now := map[string]storedLine{}
	for line := range strings.Lines(string(raw)) {
		v := parsed(line)
		now[v.ID] = v
	}
	for line := range strings.Lines(before) {
		was := parsed(line)
		if v, ok := now[was.ID]; ok && (v.Count < was.Count || v.Used < was.Used) {
			return fmt.Errorf("%s counted %v and was used at %q; now it is %v and %q", was.ID, was.Count, was.Used, v.Count, v.Used)
		}
	}
	return nil
}

// check compares what the guard says with what the store holds, and looks for redacted
// secrets in the history.
func (l *leak) check() error {
	undone, err := l.lib.Guard(context.Background(), l.driver.store)
	if err != nil {
		return err
	}
	back := map[memory.ID]bool{}
	for _, u := range undone {
		if u.Kind == memory.SecretBack {
			back[u.Record.ID] = true
			l.done["seen back"]++
		}
	}
	raw, err := os.ReadFile(l.sandbox.store)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(raw)) {
		id := storedID(line)
		if holds := l.holds(line); holds != "" && !back[id] {
			return fmt.Errorf("%s is back in %s, unseen: %s", holds, id, line)
		}
		delete(back, id)
	}
	if len(back) > 0 {
		return fmt.Errorf("nothing is back in %v", back)
	}
	return filepath.WalkDir(l.home, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		raw, err := os.ReadFile(path)
		if holds := l.holds(string(raw)); err == nil && holds != "" {
			err = fmt.Errorf("%s holds %s, which was redacted", path, holds)
		}
		return err
	})
}

// holds returns a redacted secret that a text holds.
func (l *leak) holds(text string) string {
	for _, s := range l.secrets {
		if l.redacted[s] && strings.Contains(text, s) {
			return s
		}
	}
	return ""
}
