package e2e

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"winnow/cli"
	"winnow/cli/program"
	"winnow/core/library"
	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui"
	"winnow/tui/msg"
	"winnow/tui/page"
	auditpage "winnow/tui/pages/audit"
	"winnow/tui/pages/home"
	"winnow/tui/pages/lessons"
	"winnow/tui/pages/recall"
	"winnow/tui/tuitest"
	"winnow/views/theme"
)

// machineOf reads all stores that are found as the screens follow them, with what they
// would recall.
func machineOf(t *testing.T, lib *library.Library) *tuitest.Machine {
	t.Helper()
	m := &tuitest.Machine{}
	for _, p := range lib.Find(t.Context()).Places {
		if !p.Exists {
			continue
		}
		ctx, stop := context.WithCancel(t.Context())
		var snap memory.Snapshot
		for snap = range lib.Follow(ctx, p.Store) {
			if snap.Audited || snap.Problem != nil {
				break
			}
		}
		stop()
		one := tuitest.MachineStore{Snapshot: snap}
		one.Recall, one.Err = lib.Recall(t.Context(), p.Store, memory.Task{Text: "deploy the shop"})
		if one.Err != nil { // its system only keeps it
			one.Recall, one.Err = memory.Recall{}, nil
		}
		m.Add(p, one)
	}
	return m
}

// onScreens starts all screens on a machine, beginning with the list of stores.
func onScreens(t *testing.T, e cli.Env, m *tuitest.Machine) *tuitest.Driver {
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	const first = 3 // the list of stores
	km, names := keymap.Default(), map[memory.SystemID]string{}
	for _, info := range e.Library.Systems() {
		names[info.ID] = info.Name
	}
	return tuitest.New(t, tui.New(ctx, tui.Config{
		Keys:     km,
		Theme:    theme.Options{Name: theme.Mono},
		Follower: m,
		Searcher: m,
		Survey:   m.Survey,
		Now:      time.Now,
		First:    first,
		Recall:   1,
		Names:    names, Mask: program.Mask,
		Pages: []page.Page{
			lessons.New(ctx, lessons.Config{Keys: km, Survey: m.Survey, Names: names}),
			recall.New(ctx, recall.Config{Keys: km, Recaller: m, JSON: e.RecallJSON, Survey: m.Survey}),
			auditpage.New(ctx, auditpage.Config{Keys: km}),
			home.New(
				ctx,
				home.Config{
					Keys:       km,
					Surveyor:   m,
					Summarizer: m,
					Tallier:    m,
					Survey:     m.Survey,
					Names:      names,
					First:      true,
				},
			),
		},
	}), 160, 45)
}

// looksOnScreens are the keys pressed in each store: through the records and what is
// said of each, the recall with its block, and the findings.
func looksOnScreens() (keys []string) {
	keys = []string{"1", "j", "enter", "J", "J", "esc", "g", "i", "esc", "G", "enter", "esc", "f", "esc"}
	keys = append(keys, "2", "i", "d", "e", "p", "l", "o", "y", "esc", "enter", "tab", "j", "enter", "b", "esc")
	return append(keys, "3", "j", "enter", "j", "esc", "S", "esc", "4", "i", "esc")
}

// TestNothingPlantedIsOnAScreen plants in every field of every store of a home with all
// systems, and looks at the screens of each.
func TestNothingPlantedIsOnAScreen(t *testing.T) {
	long(t)
	for _, round := range chosenRounds() {
		t.Run(fmt.Sprint("round ", round), func(t *testing.T) { plantedScreens(t, round) })
	}
}

func plantedScreens(t *testing.T, round int) {
	h := newHousehold(t)
	h.inside(t)
	(&planter{t: t, round: round}).home(h)
	e, _ := program.New().Env(strings.NewReader(""), io.Discard, io.Discard)
	m := machineOf(t, e.Library.(program.Stores).Library)
	if len(m.Survey.Places) < 18 {
		t.Fatalf("only %d stores are found", len(m.Survey.Places))
	}
	hidden := 0
	synctest.Test(t, func(t *testing.T) {
		d := onScreens(t, e, m)
		seen := map[string]bool{}
		look := func(store memory.StoreID, key string) {
			screen := d.Screen()
			if seen[screen] {
				return
			}
			seen[screen] = true
			if strings.Contains(screen, "ghp_***") || strings.Contains(screen, "[REDACTED]") ||
				strings.Contains(screen, "<ESC>") {
				hidden++
			}
			if what := leaked(screen); what != "" {
				t.Errorf("round %d: %s, key %s: the screen shows %s", round, store, key, what)
			}
		}
		d.Advance(time.Second)
		look("all", "")
		for _, p := range m.Survey.Places {
			d.Send(msg.OpenStore{Store: p.Store})
			d.Advance(time.Second)
			look(p.Store, "")
			for _, key := range looksOnScreens() {
				d.Press(key)
				d.Advance(300 * time.Millisecond)
				look(p.Store, key)
			}
		}
		t.Logf("round %d: %d screens, %d with something hidden", round, len(seen), hidden)
	})
	if hidden < 50 {
		t.Errorf("round %d: only %d screens hide something", round, hidden)
	}
}
