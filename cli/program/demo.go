package program

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"winnow/cli"
	"winnow/core/demo"
	"winnow/core/git"
	"winnow/core/home"
	"winnow/core/inbox"
	"winnow/core/library"
	"winnow/core/memory"
	"winnow/core/system"
	"winnow/tui"
)

// demoHome is the demo's home folder, as it is when the screens start.
type demoHome struct {
	demo.Home
	store memory.StoreID
	tour  []tui.Step
}

// task is the draft task of the demo.
func (h *demoHome) task() string {
	if h == nil {
		return ""
	}
	return h.Task
}

// steps returns the steps of the tour, or none if it is not shown.
func (h *demoHome) steps() []tui.Step {
	if h == nil {
		return nil
	}
	return h.tour
}

// tour returns the steps of the tour through the demo.
func tour() []tui.Step {
	return []tui.Step{
		{
			Text: "what agents read here, and what is wrong. 2 goes on, Esc ends",
			Next: recordsPage,
		},
		{Text: "the records of one agent: d deletes, u undoes it. 3 goes on", Next: recallPage},
		{Text: "what an agent would read for a task, word for word. 4 goes on", Next: auditPage},
		{Text: "what must not be shared or believed, worst first. 5 goes on", Next: inboxPage},
		{Text: "what a session taught waits for your approval. That was all", Next: -1},
	}
}

// demo creates a home for the demo in a temporary folder, and returns the environment of commands
// on a machine that has nothing else. Systems and the programs that we start use that folder.
func (p Program) demo(ctx context.Context, own cli.Env, catch Catcher) (e cli.Env, remove func(), err error) {
	dir, err := os.MkdirTemp("", "winnow-demo-")
	if err != nil {
		return e, nil, fmt.Errorf("unpack demo: %w", err)
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real // agents record the real path
	}
	remove = func() { _ = os.RemoveAll(dir) } // leftovers in a temporary folder do no harm
	began := false
	defer func() { // also after a panic
		if !began {
			remove()
		}
	}()
	h := demoHome{}
	if h.Home, err = demo.UnpackHome(dir, p.Now()); err != nil {
		return e, remove, err
	}
	was := p.Machine.Vars
	if was == nil {
		was = os.Environ()
	}
	machine := system.Machine(h.Project, demoEnviron(was, h.Dir))
	ctx = git.WithVariables(ctx, machine.Vars)
	e = p.env(machine, catch, own.In, own.Out, own.Err)
	lib := e.Library.(Stores).Library
	e.Start = func(ctx context.Context, o cli.Screen) error {
		if !o.Plain {
			h.tour = tour()
		}
		ctx = git.WithVariables(ctx, machine.Vars)
		return screens{Env: e, lib: lib, catch: catch, alone: p.alone, home: &h}.run(ctx, o)
	}
	err = beginDemo(ctx, lib, &h, p.Now())
	began = err == nil
	return e, remove, err
}

// beginDemo makes the history of the project, finds the store to open, and learns from a session.
func beginDemo(ctx context.Context, lib *library.Library, h *demoHome, now time.Time) error {
	makeHistory(ctx, h, now)
	var err error
	if h.store, _, err = home.New(lib).RecordAt(ctx, filepath.Join(h.Project, "CLAUDE.md")); err == nil {
		_, err = inbox.New(lib).Learn(ctx, memory.LearnOrder{Session: h.Session})
	}
	if err != nil {
		return fmt.Errorf("prepare demo: %w", err)
	}
	return nil
}

// makeHistory commits the files of the project. Without git, Home says that it did not look at its history.
func makeHistory(ctx context.Context, h *demoHome, now time.Time) {
	g, err := git.Find()
	if err != nil {
		return
	}
	history, err := h.History(now)
	if err != nil {
		return
	}
	p, err := g.Start(ctx, h.Project, true, "fast-import", "--quiet")
	if err != nil {
		return
	}
	_, _ = io.WriteString(p.In, history) // git may have ended already
	if p.Wait() == nil {
		_, _ = g.Run(ctx, h.Project, "read-tree", "HEAD")
	}
}

// kept are the environment variables that the demo keeps: those of terminals, programs and
// languages, but none that locates files. A name that ends in an underscore is a prefix.
var kept = strings.Fields(
	`PATH SHELL USER TERM TERM_ TERMINFO COLORTERM COLORFGBG NO_COLOR NO_MOTION CLICOLOR CLICOLOR_FORCE FORCE_COLOR
	LANG LANGUAGE LC_ TZ TMPDIR TEMP TMP EDITOR VISUAL PAGER LESS
	TMUX STY SSH_ WT_ VTE_ KITTY_ WEZTERM_ ACCESSIBLE WINNOW_PLAIN
	SYSTEMROOT SYSTEMDRIVE COMSPEC PATHEXT WINDIR`,
)

// demoEnviron returns the environment of the demo.
func demoEnviron(was []string, home string) []string {
	list := slices.DeleteFunc(slices.Clone(was), func(v string) bool {
		name, _, _ := strings.Cut(strings.ToUpper(v), "=")
		return !slices.ContainsFunc(kept, func(k string) bool {
			return name == k || strings.HasSuffix(k, "_") && strings.HasPrefix(name, k)
		})
	})
	for name, dir := range map[string]string{
		"HOME": "", "USERPROFILE": "", "XDG_CONFIG_HOME": ".config", "XDG_DATA_HOME": ".local/share",
		"XDG_STATE_HOME": ".local/state",
		"XDG_CACHE_HOME": ".cache", "XDG_RUNTIME_DIR": ".run", "APPDATA": "AppData/Roaming",
		"LOCALAPPDATA": "AppData/Local",
	} {
		list = append(list, name+"="+filepath.Join(home, filepath.FromSlash(dir)))
	}
	return list
}
