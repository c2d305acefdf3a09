// Package tui is the interactive front end. The root model, App, routes messages to pages and
// dialogs, and combines what they render. It holds no domain logic.
//
// A page is a package below pages. A dialog is a file here: it describes itself as a dialogForm, which lists
// what can be read, typed, chosen and pressed, and the dialogStack does the rest.
//
// Four rules keep the root small:
//   - Input goes to one receiver: the top dialog if one is open; otherwise the root's own keys,
//     unless the page takes text; otherwise the visible page.
//   - Facts go to all pages.
//   - Pages and dialogs return messages of package msg for what only the root can do.
//   - A command captures values, and never a page.
package tui

import (
	"context"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/tui/page"
	"winnow/views"
	"winnow/views/theme"
)

// App is the root model, and the only tea.Model of the program.
type App struct {
	ctx  context.Context
	cfg  Config
	keys keymap.Global

	pages    []page.Page
	active   int
	entered  int  // the page that was visible after the last Update
	chosen   bool // the store was opened from the list of stores, so q goes back there
	looking  bool // a search for stores is scheduled, because there is none
	unfolded bool // show the places where Winnow looked
	stack    dialogStack

	w, h   int
	theme  theme.Theme
	reveal bool
	mouse  bool
	now    time.Time

	store      openStore
	changes    changes
	remembered remembered
	stopTick   context.CancelFunc
	toast      toast
	news       toast // what another writer did; shown beside toast
	tour       []Step
	pressed    press
	others     []memory.Place
	held       []tea.Msg // keys that wait for the store to open
	drawn      tea.View
	stale      bool // drawn is out of date
}

// New returns the root model. Commands stop when ctx ends.
func New(ctx context.Context, c Config) *App {
	if c.Clip == nil {
		c.Clip = Clip
	}
	a := &App{ctx: ctx, cfg: c, keys: c.Keys.Global, pages: c.Pages, mouse: !c.NoMouse, tour: c.Tour}
	a.keys.Screens.SetHelp("1-"+strconv.Itoa(max(len(c.Pages), 1)), a.keys.Screens.Help().Desc)
	a.theme = theme.New(c.Theme)
	a.now = c.Now()
	a.restore()
	a.show(c.First)
	a.entered = a.active
	return a
}

// Init implements tea.Model.
func (a *App) Init() tea.Cmd {
	cmds := []tea.Cmd{a.broadcast(a.themeFact()), a.broadcast(msg.Clock{Time: a.now})}
	for _, p := range a.pages {
		cmds = append(cmds, p.Init())
	}
	if a.cfg.Theme.Name == theme.Auto || a.cfg.Theme.Name == "" {
		cmds = append(cmds, tea.RequestBackgroundColor)
	}
	if a.cfg.Store != "" {
		cmds = append(cmds, a.open(a.cfg.Store))
	}
	return tea.Batch(append(cmds, a.notifyShown(), a.lookAgain(), a.tick())...)
}

// Update implements tea.Model. It handles the message, tells the pages if another one became
// visible, quits if a pending quit is due, and draws the screen for View.
func (a *App) Update(m tea.Msg) (tea.Model, tea.Cmd) {
	was := a.entered
	cmd := tea.Batch(a.update(m), a.release(), a.saveSoon(m))
	if a.entered = a.active; was != a.active {
		if p, ok := a.pages[was].(page.Hidden); ok {
			p.Hidden()
		}
		cmd = tea.Batch(cmd, a.notifyShown())
	}
	if a.notePages(); a.changes.quitting && !a.saving() {
		cmd = tea.Quit
	}
	if a.stale {
		a.setScreen()
		a.drawn, a.stale = a.draw(), false
	}
	return a, cmd
}

// rootFunc is the message of the root's own commands: a function to run in the root.
type rootFunc func(*App) tea.Cmd

func (a *App) update(m tea.Msg) tea.Cmd {
	if m, ok := m.(tea.MouseMsg); ok {
		return a.onMouse(m)
	}
	a.stale = true
	switch m := m.(type) {
	case rootFunc:
		return m(a)
	case tea.KeyPressMsg:
		return a.onKey(m)
	case tea.PasteMsg:
		if a.hold(m) {
			return nil
		}
		return a.toReceiver(m)
	case tea.WindowSizeMsg:
		a.w, a.h = m.Width, m.Height
		return a.broadcast(a.room())
	case tea.BackgroundColorMsg:
		a.cfg.Theme.Dark = m.IsDark()
		return a.setTheme()
	}
	return a.onRequest(m)
}

// notifyShown tells the visible page that it became visible.
func (a *App) notifyShown() tea.Cmd {
	if p, ok := a.current().(page.Shown); ok {
		return p.Shown()
	}
	return nil
}

// onRequest handles a request of a page or a dialog. Facts go to the pages, and so do requests that
// are also facts.
func (a *App) onRequest(m tea.Msg) tea.Cmd {
	switch m := m.(type) {
	case msg.Toast:
		return a.say(m.Text)
	case msg.Arrived:
		return a.onArrived(m)
	case msg.Failed:
		return a.fail(m)
	case msg.Copy:
		return a.copy(m)
	case msg.Show:
		a.chosen = a.onHome()
		a.show(m.Page)
		return nil
	case delivery:
		if a.stack.has(m.To) {
			return m.Do()
		}
		return nil
	case msg.Goto:
		return a.goTo(m)
	case msg.EditAt:
		return a.editAt(m)
	case msg.PickStore:
		return a.pickStore(m)
	case msg.Others:
		return a.onOthers(m)
	case msg.When:
		return a.push(newWhen(a.cfg.Keys, m))
	case msg.Distil:
		return a.openDistil(m)
	case msg.Review:
		a.changes.quitting = false
		return a.push(newReview(a.cfg.Keys, m))
	case msg.OpenStore:
		return tea.Batch(a.broadcast(m), a.open(m.Store))
	case msg.Found:
		a.cfg.Survey = m.Survey
		a.offer(m.Places)
		return tea.Batch(a.broadcast(m), a.lookAgain())
	case msg.Began:
		return a.onBegan(m)
	case msg.Opened:
		return a.onOpened(m)
	case msg.Recall:
		a.show(a.cfg.Recall)
	case msg.SaveView:
		return a.saveView(m)
	case msg.Lesson, msg.View:
		a.show(a.cfg.Lessons)
	default:
		return a.onChange(m)
	}
	return a.broadcast(m)
}

// broadcast sends a fact to every page.
func (a *App) broadcast(m tea.Msg) tea.Cmd {
	cmds := make([]tea.Cmd, 0, len(a.pages))
	for _, p := range a.pages {
		cmds = append(cmds, p.Update(m))
	}
	return tea.Batch(cmds...)
}

// toReceiver passes input to the top dialog or, if none is open, to the visible page.
func (a *App) toReceiver(m tea.Msg) tea.Cmd {
	if !a.stack.empty() {
		return a.toDialog(m)
	}
	if a.blank() || a.tooSmall() {
		return nil
	}
	return a.current().Update(m)
}

func (a *App) current() page.Page { return a.pages[a.active] }

// blank reports whether the visible page has nothing to show because no store is open.
func (a *App) blank() bool {
	s, ok := a.current().(page.Storeless)
	return a.store.id == "" && !(ok && s.Storeless())
}

func (a *App) show(i int) {
	if i >= 0 && i < len(a.pages) {
		a.active = i
		a.tourTo(i)
	}
}

func (a *App) themeFact() msg.Theme {
	return msg.Theme{Theme: a.theme, Reveal: a.reveal, Mask: a.mask()}
}

// mask returns the function that hides secrets, or nil if the person asked to see them.
func (a *App) mask() views.Mask {
	if a.reveal {
		return nil
	}
	return a.cfg.Mask
}

func (a *App) setTheme() tea.Cmd {
	a.theme = theme.New(a.cfg.Theme)
	return a.broadcast(a.themeFact())
}
