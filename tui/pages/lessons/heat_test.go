package lessons_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"winnow/core/config"
	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui"
	"winnow/tui/page"
	"winnow/tui/pages/lessons"
	"winnow/tui/tuitest"
	"winnow/views/theme"
)

// heater counts how often it is asked, and knows one lesson.
type heater struct{ asked int }

func (h *heater) Heat(context.Context, memory.StoreID, int) (map[memory.ID][]int, error) {
	h.asked++
	return map[memory.ID][]int{"id9": {-1, -1, -1, -1, -1, -1, 1, 0, 0, 2, 0, 4}}, nil
}

// TestRecallsByWeekAreAColumnThatAPersonChooses: they are not asked for before, and once a minute then.
func TestRecallsByWeekAreAColumnThatAPersonChooses(t *testing.T) {
	for _, chosen := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			h, columns := &heater{}, config.Columns{}
			if chosen {
				columns[config.EveryKind] = []string{"outcome", "heat"}
			}
			f, km := &fakeFollower{states: make(chan memory.Snapshot, 4)}, keymap.Default()
			app := tui.New(t.Context(), tui.Config{
				Keys: km, Theme: theme.Options{Name: theme.Dark}, Follower: f, Store: "/s/memory.jsonl", Now: time.Now,
				Pages: []page.Page{lessons.New(t.Context(), lessons.Config{Keys: km, Columns: columns, Heater: h})},
			})
			d := &driver{Driver: tuitest.New(t, app, 120, 24), f: f}
			for range 3 {
				d.seq++
				d.send(memory.Snapshot{Place: memory.Place{Store: "/s/memory.jsonl"}, Seq: d.seq, Records: three(), Total: 3})
			}
			shown := strings.Contains(d.Screen(), "12 weeks") && strings.Contains(d.Screen(), "      ▃▁▁▅▁█")
			if asked := h.asked == 1; asked != chosen || shown != chosen {
				t.Errorf("chosen %v, asked %d times:\n%s", chosen, h.asked, d.Screen())
			}
			d.Advance(2 * time.Minute)
			if again := h.asked > 1; again != chosen {
				t.Errorf("chosen %v, asked %d times after two minutes", chosen, h.asked)
			}
		})
	}
}
