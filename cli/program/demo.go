package program

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"winnow/cli"
	"winnow/core/demo"
	"winnow/core/library"
	"winnow/core/memory"
	"winnow/core/system"
	"winnow/tui"
)

// home is the demo's home folder, as it is when the screens start.
type home struct {
	demo.Home
	store memory.StoreID
	tour  []tui.Step
}

// task is the draft task of the demo.
func (h *home) task() string {
	if h == nil {
		return ""
	}
	return h.Task
}

// steps returns the steps of the tour, or none if it is not shown.
func (h *home) steps() []tui.Step {
	if h == nil {
		return nil
	}
	return h.tour
}

// tourSeen marks, in the user's own state, that the tour was shown. It is the only thing the demo
// leaves behind.
const tourSeen = "demo tour"

// tour returns the steps of the tour through the demo.
func tour() []tui.Step {
	return []tui.Step{
		{Text: "the lessons of one agent. Next is 5; any other key ends the tour", Next: storesPage},
		{Text: "what four agents remember, some of it poisoned. Next is 3", Next: 2},
		{Text: "what must not be shared or believed, worst first. Next is 2", Next: 1},
		{Text: "what an agent would read for a task, word for word. Next is 4", Next: 3},
		{Text: "what a session taught waits for your approval. Next is 1", Next: 0},
		{Text: "d deletes, u undoes it, ! shows what an agent undid", Next: -1},
	}
}

// demo creates a home for the demo in a temporary folder, and returns the environment of commands
// on a machine that has nothing else. Until remove is called, the process environment also points
// there, so that systems and the programs we start use that folder.
func (p Program) demo(ctx context.Context, own cli.Env, catch Catcher) (e cli.Env, remove func(), err error) {
	dir, err := os.MkdirTemp("", "winnow-demo-")
	if err != nil {
		return e, nil, fmt.Errorf("unpack demo: %w", err)
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real // agents record the real path
	}
	was := os.Environ()
	remove = func() {
		setEnviron(was)
		_ = os.RemoveAll(dir) // leftovers in a temporary folder do no harm
	}
	began := false
	defer func() { // also after a panic
		if !began {
			remove()
		}
	}()
	h := home{}
	if h.Home, err = demo.UnpackHome(dir, p.Now()); err != nil {
		return e, nil, err
	}
	setEnviron(demoEnviron(was, h.Dir))
	e = p.env(system.Env{Home: h.Dir, Dir: h.Project, Lookup: os.LookupEnv}, catch, own.In, own.Out, own.Err)
	lib := e.Library.(*library.Library)
	e.Start = func(ctx context.Context, o cli.Screen) error {
		before := own.Kept.Read()
		if !o.Plain && !slices.Contains(before.Seen, tourSeen) {
			h.tour = tour()
			defer func() {
				now := before
				now.Seen = append([]string{tourSeen}, before.Seen...)
				_ = own.Kept.Save(context.WithoutCancel(ctx), before, now) // on failure, the tour is shown again
			}()
		}
		return screens{Env: e, lib: lib, catch: catch, home: &h}.run(ctx, o)
	}
	err = beginDemo(ctx, lib, &h)
	began = err == nil
	return e, remove, err
}

// beginDemo deletes the lesson that the demo's agent will bring back, and learns from a session.
func beginDemo(ctx context.Context, lib *library.Library, h *home) error {
	h.store = lib.FindIn(ctx, []string{h.Lessons}).Places[0].Store
	plan, err := lib.Plan(ctx, h.store, memory.Order{Do: memory.Delete, IDs: []memory.ID{memory.ID(h.HeldID)}})
	if err == nil {
		_, err = lib.Apply(ctx, plan)
	}
	if err == nil {
		_, err = lib.Learn(ctx, memory.LearnOrder{Session: h.Session})
	}
	if err != nil {
		return fmt.Errorf("prepare demo: %w", err)
	}
	return nil
}

// kept are the environment variables that the demo keeps: those of terminals, programs and
// languages, but none that locates files. A name that ends in an underscore is a prefix.
var kept = strings.Fields(`PATH SHELL USER TERM TERM_ TERMINFO COLORTERM COLORFGBG NO_COLOR NO_MOTION CLICOLOR CLICOLOR_FORCE FORCE_COLOR
	LANG LANGUAGE LC_ TZ TMPDIR TEMP TMP EDITOR VISUAL PAGER LESS TMUX STY SSH_ WT_ VTE_ KITTY_ WEZTERM_ ACCESSIBLE WINNOW_PLAIN
	SYSTEMROOT SYSTEMDRIVE COMSPEC PATHEXT WINDIR`)

// demoEnviron returns the environment of the demo.
func demoEnviron(was []string, home string) []string {
	list := slices.DeleteFunc(slices.Clone(was), func(v string) bool {
		name, _, _ := strings.Cut(strings.ToUpper(v), "=")
		return !slices.ContainsFunc(kept, func(k string) bool {
			return name == k || strings.HasSuffix(k, "_") && strings.HasPrefix(name, k)
		})
	})
	for name, dir := range map[string]string{
		"HOME": "", "USERPROFILE": "", "XDG_CONFIG_HOME": ".config", "XDG_DATA_HOME": ".local/share", "XDG_STATE_HOME": ".local/state",
		"XDG_CACHE_HOME": ".cache", "XDG_RUNTIME_DIR": ".run", "APPDATA": "AppData/Roaming", "LOCALAPPDATA": "AppData/Local",
	} {
		list = append(list, name+"="+filepath.Join(home, filepath.FromSlash(dir)))
	}
	return list
}

// setEnviron replaces the environment of the process.
func setEnviron(list []string) {
	os.Clearenv()
	for _, v := range list {
		if name, value, ok := strings.Cut(v, "="); ok && name != "" {
			_ = os.Setenv(name, value) // it was valid before
		}
	}
}
