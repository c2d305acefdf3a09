package serve_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/inbox"
	"winnow/core/memory"
)

// Words of lessons that a person approved, and what a task for them would be.
const (
	forced  = "Always deploy with --force --key Xk29-Qm77-Lp31"
	deploys = "deploy the docs"
)

// order carries out a person's order in a process of its own.
func (m machine) order(t *testing.T, id memory.StoreID, o memory.Order) {
	t.Helper()
	l := m.library()
	o.Anyway = true
	p, err := l.Plan(t.Context(), id, o)
	if err == nil {
		_, err = inbox.New(l).Apply(t.Context(), p)
	}
	if err != nil {
		t.Fatalf("%s: %v", o.Do, err)
	}
}

// ids returns the IDs of the records of a store that say a text.
func (m machine) ids(t *testing.T, id memory.StoreID, body string) (ids []memory.ID) {
	t.Helper()
	_, err := m.library().Each(t.Context(), []memory.StoreID{id}, func(_ memory.StoreID, r *memory.Record) error {
		if strings.Contains(r.Body, body) {
			ids = append(ids, r.ID)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

// waits reports whether the inbox of the project has a record that says a text, and no agent is given it.
func (m machine) waits(t *testing.T, body string) (e memory.InboxEntry, ok bool) {
	t.Helper()
	in, err := inbox.New(m.inProject()).Inbox(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range in.Entries {
		if strings.Contains(e.Record.Body, body) && e.Kind != memory.GoneRecord {
			return e, true
		}
	}
	return e, false
}

// writesBack is another program that writes the lines of a store as they were.
func writesBack(t *testing.T, id memory.StoreID, lines []byte) {
	t.Helper()
	if err := os.WriteFile(id.Path(), lines, 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, id memory.StoreID) []byte {
	t.Helper()
	b, err := os.ReadFile(id.Path())
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestWhatAPersonRemovedIsNotServedAgain has another program write back what each way of removing words removed.
func TestWhatAPersonRemovedIsNotServedAgain(t *testing.T) {
	body, title, served := "Never force", "Deploy the site", "Task \"Deploy the docs\": "+forced
	for name, o := range map[string]memory.Order{
		"rm":         {Do: memory.Delete},
		"edit":       {Do: memory.EditOne, Edit: memory.Edit{Body: &body}},
		"edit title": {Do: memory.EditOne, Edit: memory.Edit{Title: &title}},
		"prune":      {Do: memory.Prune, Rule: memory.Rule{Listed: true}},
		"merge":      {Do: memory.Merge, Edit: memory.Edit{Body: &body}},
		"redact":     {Do: memory.Redact, Also: []string{"Xk29-Qm77-Lp31"}},
		"restore":    {Do: memory.Restore, Entry: "1"},
		"undo":       {Do: memory.Undo},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			m.add(t, m.shop(), "Deploy the shop", "Use make for all of the docs")
			m.add(t, m.shop(), "Deploy the docs", forced)
			was := read(t, m.shop())
			if block := m.prompt(t, "s1", deploys); !strings.Contains(block, served) {
				t.Fatalf("it was not served: %q", block)
			}
			o.IDs = m.ids(t, m.shop(), forced)
			switch o.Do {
			case memory.Restore, memory.Undo:
				o.IDs = nil
			case memory.Merge:
				o.IDs = append(m.ids(t, m.shop(), "Use make"), o.IDs...)
			}
			m.order(t, m.shop(), o)
			if block := m.prompt(t, "s2", deploys); strings.Contains(block, served) {
				t.Fatalf("it is served after the change: %q", block)
			}
			writesBack(t, m.shop(), was)
			if block := m.prompt(t, "s3", deploys); strings.Contains(block, served) {
				t.Errorf("an agent is given %q", block)
			}
			if e, ok := m.waits(t, forced); !ok || e.Clean {
				t.Errorf("it does not wait in the inbox: %+v", e)
			}
		})
	}
}

// TestUndoApprovesAgainWhatWasApproved, and a redo withdraws it again.
func TestUndoApprovesAgainWhatWasApproved(t *testing.T) {
	body := "Never force"
	for name, o := range map[string]memory.Order{
		"rm":   {Do: memory.Delete},
		"edit": {Do: memory.EditOne, Edit: memory.Edit{Body: &body}},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			m.add(t, m.shop(), "Deploy the docs", forced)
			was := read(t, m.shop())
			o.IDs = m.ids(t, m.shop(), forced)
			m.order(t, m.shop(), o)
			for _, session := range []string{"a", "b"} {
				m.order(t, m.shop(), memory.Order{Do: memory.Undo})
				if block := m.prompt(t, session+"1", deploys); !strings.Contains(block, forced) {
					t.Errorf("after the undo an agent is given %q", block)
				}
				m.order(t, m.shop(), memory.Order{Do: memory.Redo})
				if block := m.prompt(t, session+"2", deploys); strings.Contains(block, forced) ||
					name == "edit" && !strings.Contains(block, body) {
					t.Errorf("after the redo an agent is given %q", block)
				}
			}
			writesBack(t, m.shop(), was)
			if block := m.prompt(t, "c", deploys); strings.Contains(block, forced) {
				t.Errorf("written back, an agent is given %q", block)
			}
		})
	}
}

// TestUndoApprovesNothingElse: an undo brings back what was not approved as it was.
func TestUndoApprovesNothingElse(t *testing.T) {
	m := newMachine(t)
	m.add(t, m.shop(), "Deploy the docs", forced)
	was := read(t, m.shop())
	m.order(t, m.shop(), memory.Order{Do: memory.Delete, IDs: m.ids(t, m.shop(), forced)})
	writesBack(t, m.shop(), was)
	m.order(t, m.shop(), memory.Order{Do: memory.Delete, IDs: m.ids(t, m.shop(), forced)}) // nobody approved it now
	m.order(t, m.shop(), memory.Order{Do: memory.Undo})
	if block := m.prompt(t, "s1", deploys); block != "" {
		t.Errorf("an agent is given %q", block)
	}
	if _, ok := m.waits(t, forced); !ok {
		t.Error("it does not wait")
	}
}

// TestRemovalInOneStoreLeavesTheOther: the same words are approved in two stores.
func TestRemovalInOneStoreLeavesTheOther(t *testing.T) {
	m := newMachine(t)
	m.add(t, m.own(), "Deploy the docs", forced)
	m.add(t, m.shop(), "Deploy the docs", forced)
	own, shop := read(t, m.own()), read(t, m.shop())
	m.order(t, m.shop(), memory.Order{Do: memory.Delete, IDs: m.ids(t, m.shop(), forced)})
	if block := m.prompt(t, "s1", deploys); !strings.Contains(block, forced) {
		t.Errorf("that of the other store is not served: %q", block)
	}
	writesBack(t, m.shop(), shop)
	if _, ok := m.waits(t, forced); !ok {
		t.Error("what came back does not wait")
	}
	m.order(t, m.own(), memory.Order{Do: memory.Delete, IDs: m.ids(t, m.own(), forced)})
	writesBack(t, m.own(), own)
	if block := m.prompt(t, "s2", deploys); block != "" {
		t.Errorf("removed in both, an agent is given %q", block)
	}
}

// TestRemovalOfOneOfTwoLeavesTheOther: two records of a store say the same.
func TestRemovalOfOneOfTwoLeavesTheOther(t *testing.T) {
	m := newMachine(t)
	m.add(t, m.shop(), "Deploy the docs", forced)
	m.add(t, m.shop(), "Deploy the docs", forced)
	ids := m.ids(t, m.shop(), forced)
	if len(ids) != 2 {
		t.Fatal(ids)
	}
	was := read(t, m.shop())
	m.order(t, m.shop(), memory.Order{Do: memory.Delete, IDs: ids[:1]})
	if block := m.prompt(t, "s1", deploys); !strings.Contains(block, forced) {
		t.Errorf("the other is not served: %q", block)
	}
	m.order(t, m.shop(), memory.Order{Do: memory.Delete, IDs: ids[1:]})
	writesBack(t, m.shop(), was)
	if block := m.prompt(t, "s2", deploys); block != "" {
		t.Errorf("an agent is given %q", block)
	}
}

// TestRefusedRemovalWithdrawsNothing has another writer change the record after the plan was made.
func TestRefusedRemovalWithdrawsNothing(t *testing.T) {
	m := newMachine(t)
	m.add(t, m.shop(), "Deploy the docs", forced)
	was := read(t, m.shop())
	l := m.library()
	p, err := l.Plan(t.Context(), m.shop(), memory.Order{Do: memory.Delete, IDs: m.ids(t, m.shop(), forced)})
	if err != nil {
		t.Fatal(err)
	}
	writesBack(t, m.shop(), []byte(strings.Replace(string(was), forced, "Other words", 1)))
	if _, err := inbox.New(l).Apply(t.Context(), p); err == nil {
		t.Fatal("the stale plan was applied")
	}
	writesBack(t, m.shop(), was)
	if block := m.prompt(t, "s1", deploys); !strings.Contains(block, forced) {
		t.Errorf("after a refused change an agent is given %q", block)
	}
}

// TestRejectionWithdrawsTheSameWordsEverywhere, until it is undone.
func TestRejectionWithdrawsTheSameWordsEverywhere(t *testing.T) {
	m := newMachine(t)
	m.add(t, m.own(), "Deploy the docs", forced)
	line := string(read(t, m.own()))
	if err := os.MkdirAll(filepath.Dir(m.shop().Path()), 0o700); err != nil {
		t.Fatal(err)
	}
	// a clone says the same
	writesBack(t, m.shop(), []byte(strings.Replace(line, "Always deploy", "always  deploy", 1)))
	e, ok := m.waits(t, "always  deploy")
	if !ok {
		t.Fatal("the clone's line does not wait")
	}
	review := func(o memory.InboxOrder) {
		t.Helper()
		if out, err := inbox.New(m.inProject()).Review(t.Context(), o); err != nil || len(out.Refused) > 0 {
			t.Fatal(err, out.Refused)
		}
	}
	review(memory.InboxOrder{Do: memory.InboxReject, IDs: []string{e.ID}})
	if block := m.prompt(t, "s1", deploys); block != "" {
		t.Errorf("rejected, and an agent is given %q", block)
	}
	review(memory.InboxOrder{Do: memory.InboxUndo})
	if block := m.prompt(t, "s2", deploys); !strings.Contains(block, forced) ||
		strings.Contains(block, "always  deploy") {
		t.Errorf("after the undo an agent is given %q", block)
	}
}

// TestEarlierWordsOfARemovedRecordAreNotServed: an agent changed the record before the person removed or replaced it.
// The undo of that approves the earlier words again, and no others.
func TestEarlierWordsOfARemovedRecordAreNotServed(t *testing.T) {
	body := "Never force"
	for name, o := range map[string]memory.Order{
		"rm":     {Do: memory.Delete},
		"edit":   {Do: memory.EditOne, Edit: memory.Edit{Body: &body}},
		"redact": {Do: memory.Redact, Also: []string{"Zq81-Rt55-Vb92"}},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			m.add(t, m.shop(), "Deploy the docs", forced)
			was := read(t, m.shop())
			changed := []byte(strings.Replace(string(was), forced, "Changed by an agent Zq81-Rt55-Vb92", 1))
			writesBack(t, m.shop(), changed)
			o.IDs = m.ids(t, m.shop(), "Changed")
			m.order(t, m.shop(), o)
			after := read(t, m.shop())
			writesBack(t, m.shop(), was)
			if block := m.prompt(t, "s1", deploys); strings.Contains(block, forced) {
				t.Errorf("an agent is given %q", block)
			}
			if _, ok := m.waits(t, forced); !ok {
				t.Error("it does not wait in the inbox")
			}
			if name == "redact" { // final
				return
			}
			writesBack(t, m.shop(), after)
			m.order(t, m.shop(), memory.Order{Do: memory.Undo})
			if block := m.prompt(t, "s2", deploys); block != "" {
				t.Errorf("the undo approved what the agent wrote: %q", block)
			}
			writesBack(t, m.shop(), was)
			if block := m.prompt(t, "s3", deploys); !strings.Contains(block, forced) {
				t.Errorf("after the undo an agent is given %q", block)
			}
		})
	}
}

// TestEarlierWordsOfARejectedRecordAreNotServed, nor those of a record that a person accepted as gone.
func TestEarlierWordsOfARejectedRecordAreNotServed(t *testing.T) {
	for name, do := range map[string]memory.InboxAct{"changed": memory.InboxReject, "gone": memory.InboxApprove} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			m.add(t, m.shop(), "Deploy the docs", forced)
			was := read(t, m.shop())
			waiting := func() memory.Inbox {
				t.Helper()
				in, err := inbox.New(m.inProject()).Inbox(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				return in
			}
			review := func(o memory.InboxOrder) {
				t.Helper()
				if out, err := inbox.New(m.inProject()).Review(t.Context(), o); err != nil || len(out.Refused) > 0 {
					t.Fatal(err, out.Refused)
				}
			}
			waiting()
			var now []byte
			if name == "changed" {
				now = []byte(strings.Replace(string(was), forced, "Changed by an agent", 1))
			}
			writesBack(t, m.shop(), now)
			review(memory.InboxOrder{Do: do, IDs: []string{waiting().Entries[0].ID}})
			after := read(t, m.shop())
			writesBack(t, m.shop(), was)
			if block := m.prompt(t, "s1", deploys); block != "" {
				t.Errorf("an agent is given %q", block)
			}
			writesBack(t, m.shop(), after)
			review(memory.InboxOrder{Do: memory.InboxUndo})
			writesBack(t, m.shop(), was)
			if block := m.prompt(t, "s2", deploys); !strings.Contains(block, forced) {
				t.Errorf("after the undo an agent is given %q", block)
			}
		})
	}
}
