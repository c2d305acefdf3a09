package program

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"winnow/core/filestore"
	"winnow/core/memory"
	"winnow/tui/msg"
	"winnow/views"
)

// finder looks for stores in the configured places and at paths that the user types.
type finder struct {
	screens
	paths []string

	mu    sync.Mutex // guards typed
	typed []string   // typed paths at which stores were found
}

// Find implements tui.finder. It includes the stores found at typed paths.
func (f *finder) Find(ctx context.Context) (memory.Survey, memory.StoreID) {
	f.mu.Lock()
	typed := f.typed
	f.mu.Unlock()
	found := f.find(ctx, f.paths)
	if len(typed) > 0 {
		for _, p := range f.lib.FindIn(ctx, typed).Places {
			found.survey.Found(p)
		}
	}
	return found.survey, found.store
}

// surveyor implements stores.Surveyor.
type surveyor struct{ *finder }

// Find implements stores.Surveyor.
func (a surveyor) Find(ctx context.Context) memory.Survey {
	survey, _ := a.finder.Find(ctx)
	return survey
}

// FindAt implements [tui.Finder].
func (f *finder) FindAt(ctx context.Context, typed string) (memory.Survey, error) {
	path := f.absolute(typed)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return memory.Survey{}, errors.New("no such file or folder")
	case err != nil:
		return memory.Survey{}, fmt.Errorf("that cannot be opened: %w", errors.Unwrap(err))
	case !info.IsDir() && !info.Mode().IsRegular():
		return memory.Survey{}, errors.New("that is neither a file nor a folder")
	}
	found := f.lib.FindIn(ctx, []string{path})
	if len(found.Places) == 0 {
		return found, errors.New("there is no store in or below that folder")
	}
	if err := f.whyNoStore(ctx, found.Places); err != nil {
		return found, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.typed = append(f.typed[:len(f.typed):len(f.typed)], path)
	return found, nil
}

// whyNoStore returns why the only place for a path is not a store: nothing in it can be read. On the
// command line, by contrast, any named file is accepted.
func (f *finder) whyNoStore(ctx context.Context, places []memory.Place) error {
	if len(places) > 1 {
		return nil
	}
	sum, err := f.lib.Counts(ctx, places[0].Store)
	switch {
	case err != nil:
		return fmt.Errorf("that cannot be opened: %w", err)
	case sum.Problem != nil:
		return fmt.Errorf("that cannot be opened: %s", sum.Problem.What)
	case sum.Cap > 0 && sum.Held == 0 && sum.Total > 0:
		return fmt.Errorf(
			"that is not a store: %s, and none is a %s",
			(memory.Noun{One: "line", Many: "lines"}).Count(sum.Total),
			sum.Noun.OrRecord().One,
		)
	}
	return nil
}

// mostOffered limits the paths offered for completion, and mostNames the names read from a folder.
const (
	mostOffered = 200
	mostNames   = 5000
)

// Complete implements [tui.Finder].
func (f *finder) Complete(_ context.Context, typed string) (list []string) {
	dir, begun := "", typed
	if i := strings.LastIndexFunc(typed, func(r rune) bool {
		return r < utf8.RuneSelf && os.IsPathSeparator(uint8(r))
	}); i >= 0 {
		dir, begun = typed[:i+1], typed[i+1:]
	}
	if typed == "~" {
		return []string{"~/"}
	}
	entries, _, _ := filestore.Names(f.absolute(dir), mostNames) // an unreadable folder has nothing to offer
	for _, e := range entries {
		name := e.Name()
		if !strings.HasPrefix(name, begun) || begun == "" && strings.HasPrefix(name, ".") || len(list) >= mostOffered {
			continue
		}
		info, err := os.Stat(filepath.Join(f.absolute(dir), name))
		switch {
		case err != nil || !info.IsDir() && !info.Mode().IsRegular():
		case info.IsDir():
			list = append(list, dir+name+"/")
		default:
			list = append(list, dir+name)
		}
	}
	return list
}

// absolute returns a typed path as an absolute one. It may start with ~/, and is otherwise relative
// to the working folder.
func (f *finder) absolute(typed string) string {
	if rest, ok := strings.CutPrefix(typed, "~/"); ok || typed == "~" {
		return filepath.Join(f.Home, strings.TrimPrefix(rest, "~"))
	}
	return f.Absolute(typed)
}

// setups returns how to set up the agents on this machine that are not set up yet.
func (s screens) setups() (list []views.Setup) {
	names := s.SystemNames()
	for _, agent := range s.NotSetUp() {
		list = append(
			list,
			views.Setup{Agent: cmp.Or(names[memory.SystemID(agent)], agent), Command: "winnow setup " + agent},
		)
	}
	return list
}

// demo returns the command that runs the demo in this terminal and then comes back.
func (s screens) demo() tea.Cmd {
	demo := exec.Command(os.Args[0], "--demo")
	// otherwise the child would read through a wrapper, which is not a terminal
	demo.Stdin, demo.Stdout, demo.Stderr = s.In, s.Out, s.Err
	return tea.ExecProcess(demo, func(err error) tea.Msg {
		if err != nil {
			return msg.Failed{Op: "demo", Err: err}
		}
		return nil
	})
}
