package tui

import (
	"context"
	"time"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/page"
	"winnow/views/theme"
)

// Follower is what the root needs from the core: the states of one store.
type Follower interface {
	// Follow delivers the state of the store at once and after every change. The
	// channel keeps only the latest state and is closed when ctx ends.
	Follow(ctx context.Context, id memory.StoreID) <-chan memory.Snapshot
	// Page moves the loaded part of a followed store. The next state has it.
	Page(ctx context.Context, id memory.StoreID, w memory.Window)
}

// Config says what the program shows and what it works with.
type Config struct {
	Keys  keymap.Map
	Theme theme.Options
	// Pages are the screens, in the order of their tabs.
	Pages []page.Page
	// Recall is the position in Pages of the page that takes msg.Recall.
	Recall int

	Follower Follower
	// Survey is what was found; the switcher offers its places. When it is empty
	// the search still runs, and msg.Found brings its result.
	Survey memory.Survey
	// Store is opened first. When it is empty, a screen says where was looked.
	Store memory.StoreID

	// Now is asked in commands and updates only, never to draw.
	Now func() time.Time
	// NoMouse leaves the mouse to the terminal until a key turns it on.
	NoMouse bool
}
