package lessons_test

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui"
	"winnow/tui/msg"
	"winnow/tui/page"
	"winnow/tui/pages/lessons"
	"winnow/tui/tuitest"
	"winnow/views/theme"
)

// program is the whole front end at 120 by 40 with a hundred thousand lessons.
func program(b *testing.B) *tui.App {
	km := keymap.Default()
	at := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	app := tui.New(b.Context(), tui.Config{
		Keys:     km,
		Theme:    theme.Options{Name: theme.Dark},
		Pages:    []page.Page{lessons.New(b.Context(), lessons.Config{Keys: km})},
		Follower: &fakeFollower{}, Store: "/s/memory.jsonl", Now: func() time.Time { return at },
	})
	app.Init()
	app.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	_, filter := app.Update(
		msg.Snapshot{Snapshot: tuitest.OfLessons(memory.Snapshot{Seq: 1, Records: many(100_000), Total: 100_000})},
	)
	app.Update(filter())
	return app
}

// benchmark measures keys in turn, each with the frame after it.
func benchmark(b *testing.B, keys ...string) {
	app := program(b)
	var presses []tea.KeyPressMsg
	for _, k := range keys {
		presses = append(presses, msg.Press(k))
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		app.Update(presses[i%len(presses)])
		app.View()
		i++
	}
}

func BenchmarkMoveAndFrame100k(b *testing.B)       { benchmark(b, "j") }
func BenchmarkPageAndFrame100k(b *testing.B)       { benchmark(b, "pgdown", "pgup") }
func BenchmarkEndsAndFrame100k(b *testing.B)       { benchmark(b, "G", "g") }
func BenchmarkMarkAllAndFrame100k(b *testing.B)    { benchmark(b, "a") }
func BenchmarkInvertAndFrame100k(b *testing.B)     { benchmark(b, "A") }
func BenchmarkCopyMarkedAndFrame100k(b *testing.B) { benchmark(b, "a", "y") }
func BenchmarkNoFindingAndFrame100k(b *testing.B)  { benchmark(b, "n", "N") }
func BenchmarkSidewaysAndFrame100k(b *testing.B)   { benchmark(b, "l", "h") }
