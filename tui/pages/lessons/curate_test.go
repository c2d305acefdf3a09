package lessons_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/tui/pages/lessons"
	"winnow/tui/tuitest"
)

// alone is a page without a program: what it asks for is seen as it is.
type alone struct {
	p    *lessons.Page
	seq  int
	asks []tea.Msg
}

func newAlone(t *testing.T, records ...memory.Record) *alone {
	a := &alone{p: lessons.New(t.Context(), lessons.Config{Keys: keymap.Default()})}
	a.tell(tea.WindowSizeMsg{Width: 120, Height: 35})
	a.show(memory.Snapshot{Records: records, Total: len(records)})
	return a
}

// show shows a state of the store.
func (a *alone) show(s memory.Snapshot) {
	a.seq++
	s.Seq = a.seq
	a.tell(msg.Snapshot{Snapshot: tuitest.OfLessons(s)})
}

// tell delivers a message, and to the page what comes of it.
func (a *alone) tell(m tea.Msg) {
	for cmd := a.p.Update(m); cmd != nil; {
		m = cmd()
		if reflect.TypeOf(m).PkgPath() == reflect.TypeFor[msg.Order]().PkgPath() {
			a.asks = append(a.asks, m)
			return
		}
		cmd = a.p.Update(m)
	}
}

// press presses keys and returns what the last of them asked for, or nil.
func (a *alone) press(keys ...string) tea.Msg {
	a.asks = nil
	for _, k := range keys {
		a.tell(msg.Press(k))
	}
	if len(a.asks) == 0 {
		return nil
	}
	return a.asks[len(a.asks)-1]
}

// order presses keys and returns the order that they gave.
func (a *alone) order(t *testing.T, keys ...string) memory.Order {
	t.Helper()
	m, ok := a.press(keys...).(msg.Order)
	if !ok {
		t.Fatalf("%q ordered nothing: %#v", keys, a.asks)
	}
	return m.Order
}

func (a *alone) lists(b keymap.Binding) bool {
	return slices.ContainsFunc(
		a.p.Actions().On(),
		func(k keymap.Binding) bool { return slices.Equal(k.Keys(), b.Keys()) },
	)
}

func TestDeleteIsOfMarksOrARangeOrTheCursor(t *testing.T) {
	for keys, want := range map[string]string{
		"d":             "id9",
		"j d":           "id5",
		"space j d":     "id9",
		"space space d": "id9 id5",
		"v j d":         "id9 id5",
		"a d":           "id9 id5 id1",
		"space A d":     "id5 id1",
	} {
		o := newAlone(t, three()...).order(t, strings.Fields(keys)...)
		var got []string
		for _, id := range o.IDs {
			got = append(got, string(id))
		}
		if strings.Join(got, " ") != want || o.Do != memory.Delete || len(o.Base) != len(o.IDs) {
			t.Errorf("%s: %s %q with %d forms, want %q", keys, o.Do, got, len(o.Base), want)
		}
	}
}

func TestOrderHasTheFormsThatWereSeen(t *testing.T) {
	if o := newAlone(t, three()...).order(t, "d"); o.Base[0] != `{"id":"id9"}` {
		t.Errorf("base %q", o.Base)
	}
}

func TestPinOfSomeThatArePinnedPinsAll(t *testing.T) {
	records := three()
	records[0].Flags |= memory.FlagPinned
	a := newAlone(t, records...)
	if o := a.order(t, "p"); o.Do != memory.Unpin || len(o.IDs) != 1 {
		t.Errorf("on a pinned one: %s %q", o.Do, o.IDs)
	}
	if o := a.order(t, "a", "p"); o.Do != memory.Pin || len(o.IDs) != 3 {
		t.Errorf("on all: %s %q", o.Do, o.IDs)
	}
}

func TestPruneSparesWhatNobodyHasSeen(t *testing.T) {
	records := three()
	records[1] = arrived(records[1])
	a := newAlone(t, records...)
	got, ok := a.press("P").(msg.Prune)
	if !ok || got.IDs != nil || len(got.Spare) != 1 || got.Spare["id5"] != "not seen yet" {
		t.Errorf("asked for %+v", got)
	}
	a.press("/", "n", "o", "t", "e", "s", "enter")
	got, _ = a.press("P").(msg.Prune)
	if len(got.IDs) != 1 || got.IDs[0] != "id9" {
		t.Errorf("with a filter the rule lists %q", got.IDs)
	}
}

// whyOff returns why a key does nothing.
func (a *alone) whyOff(k string) string {
	_, why, _ := keymap.WhyOff(a.p.Actions().Off(), msg.Press(k))
	return why
}

func TestMergeIsOfMarksOrOfWhatIsAlike(t *testing.T) {
	merge := keymap.Default().Curate.Merge
	records := three()
	records[2].Similar = []memory.ID{"id9"}
	a := newAlone(t, records...)
	if a.lists(merge) {
		t.Error("merge is listed where there is nothing to merge")
	}
	if why := a.whyOff("m"); !strings.Contains(why, "mark two or more with space") {
		t.Errorf("said %q", why)
	}
	if m, ok := a.press("G", "m").(msg.Merge); !ok || !a.lists(merge) || m.Records[0].ID != "id1" ||
		m.Records[1].ID != "id9" {
		t.Errorf("merges %+v", m)
	}
	if m, ok := a.press("g", "space", "space", "m").(msg.Merge); !ok || len(m.Records) != 2 ||
		m.Records[1].ID != "id5" {
		t.Errorf("merges %+v", m)
	}
}

func TestKeysThatWouldDoNothingAreNotListed(t *testing.T) {
	k := keymap.Default().Curate
	a := newAlone(t, three()...)
	for _, b := range []keymap.Binding{k.Redact, k.Repair, k.Merge} {
		if a.lists(b) {
			t.Errorf("%s is listed", b.Help().Desc)
		}
	}
	records := three()
	records[0].Secrets = []memory.Secret{{End: 3}}
	a.show(memory.Snapshot{Records: records, Total: 3, Health: []memory.Health{{Code: "frozen", Level: memory.Warn}}})
	if !a.lists(k.Redact) || !a.lists(k.Repair) {
		t.Error("redact or repair is missing")
	}
	a.show(memory.Snapshot{Records: records, Total: 3, ReadOnly: "no"})
	for _, b := range []keymap.Binding{k.Delete, k.Edit, k.EditRaw, k.Pin, k.Prune, k.Add, k.Redact} {
		if a.lists(b) {
			t.Errorf("%s is listed for a store that cannot be changed", b.Help().Desc)
		}
	}
	if why := a.whyOff("d"); why != "read-only: no" {
		t.Errorf("d says %q", why)
	}
}

func TestStoreThatIsMissingCanBeBegunByHand(t *testing.T) {
	a := newAlone(t)
	a.show(memory.Snapshot{Problem: &memory.Problem{Code: "missing", What: "there is no such file"}})
	if m, ok := a.press("L").(msg.Edit); !ok || m.ID != "" {
		t.Errorf("asked for %+v", a.asks)
	}
	if !strings.Contains(a.p.Render(100, 30), "add one by hand") {
		t.Error("the screen does not say so")
	}
	a.show(memory.Snapshot{Problem: &memory.Problem{Code: "denied", What: "permission denied"}})
	if a.press("L") != nil {
		t.Error("a store that cannot be read is added to")
	}
}

func TestCursorStaysNearWhatWasDeleted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, 120, 35)
		all := []memory.Record{
			lesson(9, "nine"),
			lesson(8, "eight"),
			lesson(7, "seven"),
			lesson(6, "six"),
			lesson(5, "five"),
		}
		d.show(all...)
		d.Press("j", "j")
		d.show(all[3:]...)
		d.wantCursor(t, "six")
		d.show(all...)
		d.Press("G")
		d.show(all[:2]...)
		d.wantCursor(t, "eight")
	})
}

func TestMarksOfWhatIsDoneGoAway(t *testing.T) {
	a := newAlone(t, three()...)
	a.press("a")
	a.tell(msg.Changed{Do: memory.Pin, IDs: []memory.ID{"id9", "id1"}})
	if o := a.order(t, "d"); len(o.IDs) != 1 || o.IDs[0] != "id5" {
		t.Errorf("still marked: %q", o.IDs)
	}
}

// TestTheCursorGoesToWhatWasMade, whether the fact or the state of the store comes first,
// unless a key was pressed meanwhile.
func TestTheCursorGoesToWhatWasMade(t *testing.T) {
	before := []memory.Record{lesson(1, "one"), lesson(2, "two")}
	after := append(slices.Clone(before), lesson(3, "three"))
	made := msg.Changed{Do: memory.AddOne, Made: after[2].ID}
	state := memory.Snapshot{Records: after, Total: 3}
	for name, c := range map[string]struct {
		do   func(a *alone)
		want memory.ID
	}{
		"fact first":  {func(a *alone) { a.tell(made); a.show(state) }, after[2].ID},
		"state first": {func(a *alone) { a.show(state); a.tell(made) }, after[2].ID},
		"a key":       {func(a *alone) { a.tell(made); a.press("j", "k"); a.show(state) }, before[0].ID},
		"none made":   {func(a *alone) { a.tell(msg.Changed{Do: memory.Delete}); a.show(state) }, before[0].ID},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAlone(t, before...)
			a.press("o", "s", "g", "g")
			c.do(a)
			if o := a.order(t, "d"); len(o.IDs) != 1 || o.IDs[0] != c.want {
				t.Errorf("the cursor is on %q, want %q", o.IDs, c.want)
			}
		})
	}
}
