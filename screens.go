package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/cli"
	"winnow/core/demo"
	"winnow/core/library"
	"winnow/core/memory"
	"winnow/core/redact"
	"winnow/keymap"
	"winnow/tui"
	"winnow/tui/guard"
	"winnow/tui/msg"
	"winnow/tui/page"
	"winnow/tui/pages/lessons"
	"winnow/tui/pages/recall"
	"winnow/tui/pages/stores"
	"winnow/views/theme"
)

// screens runs the full-screen program.
type screens struct {
	lib    *library.Library
	stdin  io.Reader
	stdout io.Writer
	home   string
	now    func() time.Time
}

const (
	// fps is the highest frame rate of the renderer. A key waits half a frame for
	// the screen on average, and so does the first picture.
	fps = 120
	// surveyTime is how long the first picture waits for the search for stores.
	// It takes a fraction of it unless a large folder is searched.
	surveyTime = 100 * time.Millisecond
	// agentPause is the time between two sessions of the demo's agent.
	agentPause = 12 * time.Second
)

// run opens the screens and returns when the user quits. An interrupt is a key
// here, or meant for the editor that was started, so ctx does not end it; the
// signals that end a program do.
func (s screens) run(ctx context.Context, o cli.Screen) error {
	ctx, stop := signal.NotifyContext(context.WithoutCancel(ctx), syscall.SIGTERM, syscall.SIGHUP)
	var beside sync.WaitGroup
	defer beside.Wait()
	defer stop()
	return s.show(ctx, o, &beside)
}

// show runs the program until it quits. What runs beside it ends with ctx.
func (s screens) show(ctx context.Context, o cli.Screen, beside *sync.WaitGroup) error {
	found := make(chan memory.Survey, 1)
	beside.Go(func() { found <- s.survey(ctx, o.Paths) })
	c := s.config(o)
	late := false
	select {
	case c.Survey = <-found:
		c.Store = first(c.Survey)
	case <-time.After(surveyTime):
		late = true
		c.Notice = "Still looking for stores"
	}
	c.Pages = s.pages(ctx, c, o.Paths)

	var program *tea.Program
	model := guard.New(tui.New(ctx, c), func() { program.Quit() })
	program = tea.NewProgram(model, tea.WithContext(ctx), tea.WithFPS(fps),
		tea.WithoutSignalHandler(), tea.WithInput(s.stdin), tea.WithOutput(s.stdout))
	if late {
		beside.Go(func() { tellFound(ctx, program, found) })
	}
	if o.Demo {
		beside.Go(func() { playAgent(ctx, program, o.Paths[0]) })
	}
	_, err := program.Run()
	if crash := model.Crash(); crash != nil {
		return s.report(crash)
	}
	return err
}

func (s screens) survey(ctx context.Context, paths []string) memory.Survey {
	if len(paths) > 0 {
		return s.lib.FindIn(ctx, paths)
	}
	return s.lib.Find(ctx)
}

// first returns the store to open: the best that exists, or one that does not yet
// but was named, to wait for it.
func first(s memory.Survey) memory.StoreID {
	for _, p := range s.Places {
		if p.Exists {
			return p.Store
		}
	}
	if len(s.Places) > 0 {
		return s.Places[0].Store
	}
	return ""
}

// tellFound hands the program a survey that came after the first picture.
func tellFound(ctx context.Context, program *tea.Program, found <-chan memory.Survey) {
	select {
	case survey := <-found:
		program.Send(msg.Found{Survey: survey})
		if id := first(survey); id != "" {
			program.Send(msg.OpenStore{Store: id})
		} else {
			program.Send(msg.Toast{Text: "No store was found"})
		}
	case <-ctx.Done():
	}
}

func playAgent(ctx context.Context, program *tea.Program, path string) {
	if err := demo.Agent(ctx, path, agentPause, uint64(os.Getpid())); err != nil {
		program.Send(msg.Failed{Op: "demo", Err: err})
	}
}

// config is what the root model is told.
func (s screens) config(o cli.Screen) tui.Config {
	return tui.Config{
		Keys:     keymap.Default(),
		Theme:    theme.Options{Name: o.Theme, Dark: true, NoColor: os.Getenv("NO_COLOR") != "", ASCII: asciiOnly(os.LookupEnv)},
		Recall:   1,
		Follower: s.lib,
		Now:      func() time.Time { return s.now().In(o.Zone) },
		NoMouse:  o.NoMouse,
	}
}

// pages are the screens in the order of their tabs, which config counts on.
func (s screens) pages(ctx context.Context, c tui.Config, paths []string) []page.Page {
	look := surveyor(func(ctx context.Context) memory.Survey { return s.survey(ctx, paths) })
	return []page.Page{
		lessons.New(ctx, c.Keys),
		recall.New(ctx, recall.Config{Keys: c.Keys, Recaller: s.lib, Editor: editor{os.LookupEnv}, JSON: cli.RecallJSON}),
		stores.New(ctx, stores.Config{Keys: c.Keys, Surveyor: look, Summarizer: s.lib, Survey: c.Survey}),
	}
}

// surveyor looks for stores where the program was told to look.
type surveyor func(context.Context) memory.Survey

// Find implements stores.Surveyor.
func (f surveyor) Find(ctx context.Context) memory.Survey { return f(ctx) }

// asciiOnly reports whether the locale names another encoding than UTF-8, so that
// lines and corners may not show.
func asciiOnly(lookup func(string) (string, bool)) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v, _ := lookup(name); v != "" {
			v = strings.ToLower(v)
			return !strings.Contains(v, "utf-8") && !strings.Contains(v, "utf8")
		}
	}
	return false
}

// report writes what is known of a crash to a file below the state folder, with
// secrets masked, and returns the error that names it.
func (s screens) report(crash *guard.Crash) error {
	err := fmt.Errorf("the program stopped: %s", redact.Hardened(crash.Value))
	text := redact.Hardened(fmt.Sprintf("winnow %s\n%s\n\n%s", version(), crash.Value, crash.Stack))
	path := filepath.Join(stateFolder(os.LookupEnv, s.home), "crash-"+s.now().UTC().Format("20060102-150405")+".txt")
	written := os.MkdirAll(filepath.Dir(path), 0o700)
	if written == nil {
		written = os.WriteFile(path, []byte(text), 0o600)
	}
	if written != nil {
		return cli.Hint(err, "the report could not be written: "+written.Error())
	}
	return cli.Hint(err, "what is known is in "+path+"; secrets in it are masked")
}

// stateFolder is where reports go, by the XDG rules: relative paths do not count.
func stateFolder(lookup func(string) (string, bool), home string) string {
	base, _ := lookup("XDG_STATE_HOME")
	if !filepath.IsAbs(base) {
		base = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(base, "winnow")
}
