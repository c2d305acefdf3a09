// Winnow shows the memories that coding agents keep across sessions, and what an
// agent would recall from them for a task, and lets a person change them without
// losing anything.
package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync"
	"syscall"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"

	"winnow/cli"
	"winnow/core/audit"
	"winnow/core/compare"
	"winnow/core/demo"
	"winnow/core/detect"
	"winnow/core/jstext"
	"winnow/core/library"
	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/all"
	"winnow/keymap"
	"winnow/tui"
	"winnow/tui/crash"
	"winnow/tui/msg"
	"winnow/tui/page"
	auditpage "winnow/tui/pages/audit"
	"winnow/tui/pages/lessons"
	"winnow/tui/pages/recall"
	"winnow/tui/pages/stores"
	"winnow/views/safe"
	"winnow/views/theme"
)

// softLimit is the memory in bytes that the garbage collector works harder to stay
// below. A store of 100,000 lessons that changes as a whole needs as much, since
// the state before it is still shown.
const softLimit = 256 << 20

func main() {
	debug.SetMemoryLimit(softLimit)
	ctx, stop := signal.NotifyContext(context.Background(), append(endings(), os.Interrupt)...)
	context.AfterFunc(ctx, stop) // the second signal ends the program at once
	status := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}

// endings returns the signals that end the program. nohup makes a program ignore SIGHUP,
// so that it outlives its terminal.
func endings() []os.Signal {
	if signal.Ignored(syscall.SIGHUP) {
		return []os.Signal{syscall.SIGTERM}
	}
	return []os.Signal{syscall.SIGTERM, syscall.SIGHUP}
}

// run is main without globals. It returns the exit status, which cli explains.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return cli.Run(ctx, world(stdin, stdout, stderr, time.Now, all.Systems), args)
}

// knownSystems returns the systems that are known, with the clock that they go by.
type knownSystems func(now func() time.Time) []system.System

// world is what the commands know of this machine.
func world(stdin io.Reader, stdout, stderr io.Writer, now func() time.Time, known knownSystems) cli.Env {
	// Without a home or a working folder there are fewer places to look at.
	home, _ := os.UserHomeDir()
	dir, _ := os.Getwd()
	catch := crash.NewCatcher()
	env := system.Env{Home: home, Dir: dir, Lookup: os.LookupEnv}
	state, wrong := library.StateIn(env, rand.Reader)
	lib := library.New(known(now), env, now, catch.Go, state, all.Forms()...)
	e := cli.Env{
		In: stdin, Out: stdout, Err: stderr,
		InTTY: isTerminal(stdin), OutTTY: isTerminal(stdout), ErrTTY: isTerminal(stderr),
		Library: lib, ReadOnly: func() cli.Library { return lib.ReadOnly() }, Dir: dir, Now: now, Zone: time.Local, Lookup: os.LookupEnv, Version: version(), State: state.Dir, Setting: wrong,
		Auditing: lean{lib}, EncodeBaseline: audit.EncodeBaseline, DecodeBaseline: audit.DecodeBaseline,
		Task: taskText, Encode: jstext.WellFormed, Redact: detect.Redact, Across: compare.Across,
		Exists: func(path string) bool { _, err := os.Lstat(path); return err == nil },
		Unpack: func() (string, func(), error) { return unpack(now()) },
	}
	if e.OutTTY {
		e.Width, _, _ = term.GetSize(stdout.(*os.File).Fd())
	}
	e.Start = func(ctx context.Context, o cli.Screen) error { return screens{e, lib, catch}.run(ctx, o) }
	return e
}

// lean is a library whose audits take little memory, whatever they read: what is found
// in a large file is garbage soon, and twice as much of it would be waiting.
type lean struct{ *library.Library }

// Audit implements cli.Auditing.
func (l lean) Audit(ctx context.Context, o memory.AuditOrder, in io.Reader, tell func(memory.Progress)) (memory.Audit, error) {
	const percent = 60
	defer debug.SetGCPercent(debug.SetGCPercent(percent))
	return l.Library.Audit(ctx, o, in, tell)
}

func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(f.Fd())
}

// version returns the version that the program was built from.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// taskText decodes a task as an agent would. A lone surrogate in its three
// generalised bytes, which no agent could be given as an argument but may have
// got in JSON, counts as the one unit that it is.
func taskText(b []byte) string {
	var parts []string
	start := 0
	for i := 0; i+2 < len(b); i++ {
		if b[i] == 0xED && b[i+1] >= 0xA0 && b[i+1] <= 0xBF && b[i+2]&0xC0 == 0x80 {
			parts = append(parts, jstext.Decode(b[start:i]), string(b[i:i+3]))
			i += 2
			start = i + 1
		}
	}
	if start == 0 && utf8.Valid(b) {
		return string(b)
	}
	return jstext.Concat(append(parts, jstext.Decode(b[start:]))...)
}

// unpack makes the demo store in a temporary folder. remove takes the folder away.
func unpack(now time.Time) (path string, remove func(), err error) {
	dir, err := os.MkdirTemp("", "winnow-demo-")
	if err != nil {
		return "", nil, fmt.Errorf("unpack demo: %w", err)
	}
	// What is left of a temporary folder harms nobody.
	remove = func() { _ = os.RemoveAll(dir) }
	if path, err = demo.Unpack(dir, now); err != nil {
		remove()
		return "", nil, err
	}
	return path, remove, nil
}

// screens runs the full-screen program.
type screens struct {
	cli.Env
	lib   *library.Library
	catch *crash.Catcher
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
	program := tea.NewProgram(crash.Wrap(tui.New(ctx, c), s.catch), tea.WithContext(ctx), tea.WithFPS(fps),
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
	if r := s.catch.Report(); r != nil {
		return s.Crashed(r.Value, r.Stack)
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

// lessonSystem is the system of which the store of the working folder comes first.
const lessonSystem = "karnevil9"

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
		case p.System != best.System || p.System != lessonSystem:
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

// config is what the root model is told.
func (s screens) config(o cli.Screen) tui.Config {
	return tui.Config{
		Keys:      keymap.Default(),
		Theme:     theme.Options{Name: o.Theme, Dark: true, NoColor: o.NoColor, ASCII: o.ASCII},
		Recall:    1,
		Follower:  s.lib,
		Library:   s.lib,
		Names:     s.names(),
		Mask:      masked,
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
const storesPage = 3

// names are what systems are called.
func (s screens) names() map[memory.SystemID]string {
	names := map[memory.SystemID]string{}
	for _, info := range s.lib.Systems() {
		names[info.ID] = info.Name
	}
	return names
}

// masked hides the secrets of a text.
func masked(text string) string {
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
		lessons.With(ctx, lessons.Config{Keys: c.Keys, Survey: c.Survey, Names: c.Names, Mask: c.Mask}),
		recall.New(ctx, recall.Config{
			Keys: c.Keys, Recaller: s.lib, Editor: editor{s.Env}, JSON: s.RecallJSON,
			Survey: c.Survey, Names: c.Names, Mask: c.Mask,
		}),
		auditpage.New(ctx, auditpage.Config{Keys: c.Keys, ReadOnly: c.ReadOnly, Rules: len(s.lib.AuditRules()), Uncovered: uncovered, Mask: c.Mask}),
		stores.New(ctx, stores.Config{
			Keys: c.Keys, Surveyor: look, Summarizer: s.lib, Tallier: s.lib, Survey: c.Survey,
			Names: c.Names, Mask: c.Mask, First: c.First == storesPage,
		}),
	}
}

// uncovered is what the audit on the screen does not look at.
var uncovered = []string{"git history", "backups", "the journal"}

// surveyor looks for stores where the program was told to look.
type surveyor func(context.Context) memory.Survey

// Find implements stores.Surveyor.
func (f surveyor) Find(ctx context.Context) memory.Survey { return f(ctx) }

// editor is the user's editor.
type editor struct{ cli.Env }

// Edit returns the command that opens text in the editor and hands what was
// saved to done.
func (e editor) Edit(text string, done func(string, error) tea.Msg) tea.Cmd {
	draft, err := e.Draft(text)
	if err != nil {
		return msg.Emit(done("", err))
	}
	return tea.ExecProcess(draft.Command(), func(err error) tea.Msg { return done(draft.Take(err)) })
}

// lessonEditor is the user's editor for lessons. What was typed outlives a mistake
// and a crash.
type lessonEditor struct {
	cli.Env
	mu   sync.Mutex // guards last
	last *cli.Draft // that was typed and is not settled
}

// Edit implements tui.Editor.
func (e *lessonEditor) Edit(text string, done func(string, error) tea.Msg) tea.Cmd {
	draft, err := e.LessonDraft(text)
	if err != nil {
		return msg.Emit(done("", err))
	}
	return tea.ExecProcess(draft.Command(), func(err error) tea.Msg {
		typed, err := draft.Read(err)
		if err != nil && draft.Untouched() {
			return done("", errors.Join(err, draft.Done()))
		}
		return done(typed, errors.Join(err, e.keep(&draft)))
	})
}

// keep notes the draft that was typed last, and removes the one before when its text went
// into it.
func (e *lessonEditor) keep(d *cli.Draft) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	before := e.last
	e.last = d
	if before == nil || d != nil && !d.Continues(*before) {
		return nil
	}
	return before.Done()
}

// Kept implements tui.Editor.
func (e *lessonEditor) Kept() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.last == nil {
		return ""
	}
	return e.last.Path()
}

// Settle implements tui.Editor.
func (e *lessonEditor) Settle() tea.Cmd {
	return func() tea.Msg {
		if err := e.keep(nil); err != nil {
			return msg.Failed{Op: "edit", Err: err}
		}
		return nil
	}
}

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
