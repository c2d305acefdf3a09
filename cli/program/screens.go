package program

import (
	"context"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/cli"
	"winnow/core/demo"
	"winnow/core/detect"
	"winnow/core/library"
	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui"
	"winnow/tui/crash"
	"winnow/tui/msg"
	"winnow/tui/page"
	auditpage "winnow/tui/pages/audit"
	inboxpage "winnow/tui/pages/inbox"
	"winnow/tui/pages/lessons"
	"winnow/tui/pages/recall"
	"winnow/tui/pages/stores"
	"winnow/views/safe"
	"winnow/views/theme"
)

// screens runs the full-screen program.
type screens struct {
	cli.Env
	lib   *library.Library
	catch Catcher
}

const (
	// fps is the highest frame rate of the renderer. A key waits half a frame for
	// the screen on average, and so does the first picture.
	fps = 120
	// surveyTime is how long the first picture waits for the search for stores.
	// It takes a fraction of it unless a large folder is searched.
	surveyTime = 20 * time.Millisecond
	// startTime is how long the garbage collector stays off while the screens begin,
	// if the memory stays below startLimit bytes.
	startTime  = 150 * time.Millisecond
	startLimit = 64 << 20
	// agentPause is the time between two sessions of the demo's agent.
	agentPause = 12 * time.Second
)

// run opens the screens and returns when the user quits. An interrupt is a key
// here, or meant for the editor that was started, so ctx does not end it; the
// signals that end a program do.
func (s screens) run(ctx context.Context, o cli.Screen) error {
	ctx, stop := signal.NotifyContext(context.WithoutCancel(ctx), endings()...)
	var agent sync.WaitGroup // has its hands in the demo's folder
	defer agent.Wait()
	defer stop()
	defer quietStart()()
	if o.Demo { // its history goes when it goes
		s.lib = s.lib.KeepIn(filepath.Join(filepath.Dir(filepath.Dir(o.Paths[0])), "state"))
	}
	if o.ReadOnly {
		s.lib = s.lib.ReadOnly()
	}
	s.Auditing = s.lib
	found := make(chan memory.Survey, 1)
	s.catch.Go(func() { found <- s.survey(ctx, o.Paths) })
	c := s.config(o)
	late := false
	select {
	case c.Survey = <-found:
		if c.Store = first(c.Survey); c.Store == "" && len(c.Survey.Places) > 0 {
			c.First = storesPage
		}
	case <-time.After(surveyTime):
		late = true
	}
	look := surveyor(func(ctx context.Context) memory.Survey { return s.survey(ctx, o.Paths) })
	c.Pages = s.pages(ctx, c, look)
	program := tea.NewProgram(crash.Wrap(tui.New(ctx, c), s.catch.Catcher), tea.WithContext(ctx), tea.WithFPS(fps),
		tea.WithoutSignalHandler(), tea.WithInput(onHangup(s.In, stop)), tea.WithOutput(s.Out))
	s.catch.Go(func() { s.endAfterCrash(ctx, program) })
	s.catch.Go(func() {
		if late {
			tellFound(ctx, program, found)
		}
		if others := s.others(ctx, o); len(others) > 0 {
			program.Send(msg.Others{Places: others})
		}
	})
	if o.Demo {
		agent.Add(1)
		s.catch.Go(func() { defer agent.Done(); playAgent(ctx, program, o.Paths[0]) })
	}
	_, err := program.Run()
	if s.catch.Report() != nil {
		return s.catch.crashed()
	}
	return err
}

// quietStart puts the garbage collector off until the first pictures are drawn: a
// collection then makes them a frame late. What they left behind is given back to
// the system after that. The function it returns ends it early.
func quietStart() (end func()) {
	percent := debug.SetGCPercent(-1)
	debug.SetMemoryLimit(startLimit)
	restore := sync.OnceFunc(func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(softLimit)
	})
	timer := time.AfterFunc(startTime, func() { restore(); debug.FreeOSMemory() })
	return func() { timer.Stop(); restore() }
}

// endAfterCrash ends the program when something panicked, wherever that was.
func (s screens) endAfterCrash(ctx context.Context, program *tea.Program) {
	select {
	case <-s.catch.Caught():
		program.Quit()
	case <-ctx.Done():
	}
}

func (s screens) survey(ctx context.Context, paths []string) memory.Survey {
	if len(paths) > 0 {
		return s.lib.FindIn(ctx, paths)
	}
	return s.lib.Find(ctx)
}

// others returns the stores that are found without the paths that name some: those can be
// left for them. The demo shows its own alone.
func (s screens) others(ctx context.Context, o cli.Screen) []memory.Place {
	if len(o.Paths) == 0 || o.Demo {
		return nil
	}
	return slices.DeleteFunc(s.lib.Find(ctx).Places, func(p memory.Place) bool { return !p.Exists })
}

// first returns the store to open: the one that exists, or one that does not yet
// but was named, to wait for it. Where there are several of several systems or projects
// it is none: the list of them is shown.
func first(s memory.Survey) memory.StoreID {
	var best *memory.Place
	for i := range s.Places {
		p := &s.Places[i]
		switch {
		case !p.Exists:
		case best == nil:
			best = p
		case best.Why == "named":
			return best.Store
		case p.System != best.System || !p.ByPath:
			return ""
		}
	}
	switch {
	case best != nil:
		return best.Store
	case len(s.Places) > 0:
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
		} else if len(survey.Places) > 0 {
			program.Send(msg.Show{Page: storesPage})
		}
	case <-ctx.Done():
	}
}

func playAgent(ctx context.Context, program *tea.Program, path string) {
	if err := demo.Agent(ctx, path, agentPause, uint64(os.Getpid())); err != nil {
		program.Send(msg.Failed{Op: "demo", Err: err})
	}
}

// config is the configuration of the root model.
func (s screens) config(o cli.Screen) tui.Config {
	return tui.Config{
		Keys:      keymap.Default(),
		Theme:     theme.Options{Name: o.Theme, Dark: true, NoColor: o.NoColor, ASCII: o.ASCII},
		Recall:    1,
		Follower:  s.lib,
		Library:   s.lib,
		Sessions:  s.lib,
		Names:     s.names(),
		Mask:      Mask,
		Curator:   s.lib,
		Auditor:   s.lib,
		Report:    s.WriteReport,
		Uncovered: uncovered,
		Editor:    &lessonEditor{Env: s.Env},
		ReadOnly:  o.ReadOnly,
		Now:       func() time.Time { return s.Now().In(o.Zone) },
		NoMouse:   o.NoMouse,
	}
}

// storesPage is the position of the list of stores among the pages.
const storesPage = 4

// names are what systems are called.
func (s screens) names() map[memory.SystemID]string {
	names := map[memory.SystemID]string{}
	for _, info := range s.lib.Systems() {
		names[info.ID] = info.Name
	}
	return names
}

// Mask returns text with its secrets hidden, for the screens.
func Mask(text string) string {
	found := detect.Secrets(text)
	spans := make([][2]int, len(found))
	for i, f := range found {
		spans[i] = [2]int{f.Start, f.End}
	}
	return safe.Hide(text, spans)
}

// pages are the screens in the order of their tabs, which config counts on.
func (s screens) pages(ctx context.Context, c tui.Config, look surveyor) []page.Page {
	return []page.Page{
		lessons.New(ctx, lessons.Config{Keys: c.Keys, Survey: c.Survey, Names: c.Names}),
		recall.New(ctx, recall.Config{
			Keys: c.Keys, Recaller: s.lib, Editor: editor{s.Env}, JSON: s.RecallJSON,
			Survey: c.Survey, Names: c.Names,
		}),
		auditpage.New(ctx, auditpage.Config{Keys: c.Keys, ReadOnly: c.ReadOnly, Rules: len(s.lib.AuditRules()), Uncovered: uncovered}),
		inboxpage.New(ctx, inboxpage.Config{
			Keys: c.Keys, Library: s.lib, Editor: c.Editor, Names: c.Names, ReadOnly: c.ReadOnly, Now: c.Now,
		}),
		stores.New(ctx, stores.Config{
			Keys: c.Keys, Surveyor: look, Summarizer: s.lib, Tallier: s.lib, Survey: c.Survey,
			Names: c.Names, First: c.First == storesPage,
		}),
	}
}

// uncovered is what the audit on the screen does not look at.
var uncovered = []string{"git history", "backups", "the journal"}

// surveyor looks for stores in the paths that were named.
type surveyor func(context.Context) memory.Survey

// Find implements stores.Surveyor.
func (f surveyor) Find(ctx context.Context) memory.Survey { return f(ctx) }

// hangup is a terminal that calls closed when nothing can be read from it any more. A
// program hears of that by a signal only when the terminal controls it and the signal
// is not ignored.
type hangup struct {
	*os.File
	closed func()
}

// Read implements io.Reader.
func (h hangup) Read(p []byte) (int, error) {
	n, err := h.File.Read(p)
	if err != nil {
		h.closed()
	}
	return n, err
}

// onHangup returns in so that closed is called when in is a terminal that went away.
func onHangup(in io.Reader, closed func()) io.Reader {
	if f, ok := in.(*os.File); ok {
		return hangup{f, closed}
	}
	return in
}
