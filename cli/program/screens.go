package program

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"
	"winnow/cli/output"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"winnow/cli"
	"winnow/core/config"
	"winnow/core/demo"
	"winnow/core/detect"
	reading "winnow/core/home"
	"winnow/core/inbox"
	"winnow/core/library"
	"winnow/core/memory"
	"winnow/tui"
	"winnow/tui/msg"
	"winnow/tui/page"
	auditpage "winnow/tui/pages/audit"
	"winnow/tui/pages/home"
	inboxpage "winnow/tui/pages/inbox"
	"winnow/tui/pages/lessons"
	"winnow/tui/pages/recall"
	"winnow/views/safe"
	"winnow/views/theme"
)

// screens runs the full-screen program.
type screens struct {
	cli.Env
	lib   *library.Library
	inbox *inbox.Reviewer
	catch Catcher
	alone bool      // the process does nothing else
	home  *demoHome // nil except in the demo
	tasks *editor
}

const (
	// fps is the highest frame rate of the renderer. A key press, like the first picture, waits
	// half a frame on average.
	fps = 120
	// surveyTime is how long the first picture waits for the search for stores. The search is
	// usually much faster, unless it covers a large folder.
	surveyTime = 20 * time.Millisecond
	// startTime is how long the garbage collector stays off at the start, as long as memory stays
	// below startLimit bytes.
	startTime = 150 * time.Millisecond
	// filledTime is how long to wait to find out which stores of a project have records.
	filledTime = time.Second
	startLimit = 64 << 20
	// agentPause is the pause between two sessions of the demo's agent.
	agentPause = 12 * time.Second
)

// run shows the screens until the user quits. ctx does not end it, because an interrupt is a key
// press here, or meant for the editor. Other end signals do end it.
func (s screens) run(ctx context.Context, o cli.Screen) error {
	ends := endSignals()
	if o.Plain { // outside full-screen mode, an interrupt is not a key
		ends = append(ends, os.Interrupt)
	}
	ctx, stop := signal.NotifyContext(context.WithoutCancel(ctx), ends...)
	var agent sync.WaitGroup // works in the demo's folder
	defer agent.Wait()
	var reads sync.Mutex // held while a program of the person's own reads sessions
	defer reads.Lock()   // stopped by stop, it is waited for
	defer stop()
	if s.alone {
		defer quietStart()()
	}
	if o.ReadOnly {
		s.lib = s.lib.ReadOnly()
	}
	s.inbox = inbox.New(s.lib)
	s.Auditing, s.tasks = s.lib, &editor{Env: s.Env}
	found := make(chan start, 1)
	s.catch.start(func() { found <- s.find(ctx, o.Paths) })
	c := s.config(o)
	edits := &lessonEditor{Env: s.Env}
	c.Editor = edits
	late := false
	select {
	case f := <-found:
		c.Survey, c.Store = f.survey, f.store
	case <-time.After(surveyTime):
		late = true
	}
	if s.home != nil {
		c.Store = s.home.store
	}
	if len(c.Survey.Places) == 0 {
		c.Setups = s.setups()
	}
	if len(o.Paths) > 0 && (late || c.Store != "") { // the person named what to see
		c.First = recordsPage
	}
	look := &finder{screens: s, paths: o.Paths}
	c.Finder, c.Demo, c.Tour = look, s.demo, s.home.steps()
	c.Pages = s.pages(ctx, c, surveyor{look}, &reads)
	app := tui.New(ctx, c)
	program := s.program(ctx, app, o.Plain, stop)
	s.catch.start(func() { s.endAfterCrash(ctx, program) })
	s.catch.start(func() {
		if late {
			tellFound(ctx, program, found, c.Store)
		}
		s.tellOthers(ctx, program, o)
	})
	if s.home != nil {
		agent.Add(1)
		s.catch.start(func() { defer agent.Done(); playAgent(ctx, program, s.home) })
	}
	_, err := program.Run()
	if s.catch.first() != nil {
		return s.catch.crashed()
	}
	s.saveLast(ctx, c, app, err)
	edits.reportKept(err)
	return err
}

// tellOthers sends the stores that other systems have for a named path, if any.
func (s screens) tellOthers(ctx context.Context, program *tea.Program, o cli.Screen) {
	if others := s.others(ctx, o); len(others) > 0 {
		program.Send(msg.Others{Places: others})
	}
}

// saveTime limits how long the program waits at its end for the state to be saved.
const saveTime = 2 * time.Second

// saveLast saves the state of the screens and, after a signal, the task in the editor. Errors are
// ignored because the next run can do without.
func (s screens) saveLast(ctx context.Context, c tui.Config, app *tui.App, ended error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), saveTime)
	defer cancel()
	before, now := app.Remembered()
	if task, _ := s.tasks.savedText(nil); ended != nil && strings.TrimSpace(task) != "" {
		now.Drafts = memory.AppendNew([]string{task}, now.Drafts...)
	}
	_ = c.Save(ctx, before, now)
}

// program returns the Bubble Tea program for a model. It calls stop when its terminal disappears.
func (s screens) program(ctx context.Context, app *tui.App, plain bool, stop func()) *tea.Program {
	var model tea.Model = app
	how := []tea.ProgramOption{
		tea.WithContext(ctx),
		tea.WithFPS(fps),
		tea.WithoutSignalHandler(),
		tea.WithInput(onHangup(s.In, stop)),
		tea.WithOutput(s.Out),
		tea.WithFilter(keepCellsPerCodePoint),
	}
	if plain {
		model = tui.NewPlain(app, &lines{bufio.NewReader(s.In), s.Out}, s.Width)
		how = append(how, tea.WithoutRenderer(), tea.WithInput(nil))
	}
	return tea.NewProgram(guarded(model, s.catch.panics), how...)
}

// keepCellsPerCodePoint hides from the renderer that the terminal could measure characters of several
// code points as one. The terminal then stays in the mode that all terminals have, and views.Width
// measures as both do.
func keepCellsPerCodePoint(_ tea.Model, m tea.Msg) tea.Msg {
	if report, ok := m.(tea.ModeReportMsg); ok && report.Mode == ansi.ModeUnicodeCore {
		return nil
	}
	return m
}

// quietStart turns the garbage collector off until the first pictures are drawn, because a
// collection would delay them by a frame. Afterwards it returns the garbage to the system. The
// returned function ends this early.
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

// endAfterCrash ends the program after a panic in any goroutine.
func (s screens) endAfterCrash(ctx context.Context, program *tea.Program) {
	select {
	case <-s.catch.caught:
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

// others returns the stores found without the named paths. The user can switch to them.
func (s screens) others(ctx context.Context, o cli.Screen) []memory.Place {
	if len(o.Paths) == 0 {
		return nil
	}
	return slices.DeleteFunc(s.lib.Find(ctx).Places, func(p memory.Place) bool { return !p.Exists })
}

// start is what was found, and the store to open at once, if any.
type start struct {
	survey memory.Survey
	store  memory.StoreID
}

// find looks for stores. Without paths, the store to open is that of the project around the working
// folder, if there is one.
func (s screens) find(ctx context.Context, paths []string) start {
	survey := s.survey(ctx, paths)
	if s.home != nil {
		return start{survey, s.home.store}
	}
	if here := s.Here(survey.Places); len(paths) == 0 && len(here) > 0 {
		return start{survey, s.firstFilled(ctx, here)}
	}
	return start{survey, first(survey)}
}

// firstFilled returns the first of the stores that commands cover too, in their order, that has records and answers in
// time. If none does, it is the first.
func (s screens) firstFilled(ctx context.Context, places []memory.Place) memory.StoreID {
	ctx, cancel := context.WithTimeout(ctx, filledTime)
	defer cancel()
	filled := make([]chan bool, len(places))
	for i, p := range places {
		filled[i] = make(chan bool, 1)
		s.catch.start(func() { // a store on an unresponsive disk must not delay the others
			snap, err := s.lib.Counts(ctx, p.Store)
			filled[i] <- err == nil && snap.Problem == nil && snap.Total > 0
		})
	}
	for i, p := range places {
		select {
		case has := <-filled[i]:
			if has {
				return p.Store
			}
		case <-ctx.Done():
			select { // one that answered in time
			case has := <-filled[i]:
				if has {
					return p.Store
				}
			default:
			}
		}
	}
	return places[0].Store
}

// first returns the store to open. It may be a named store that does not exist yet, which is then
// waited for. If there are several, of different systems or projects, it returns none and the list
// of stores is shown.
func first(s memory.Survey) memory.StoreID {
	if len(s.Places) == 0 {
		return ""
	}
	found := slices.DeleteFunc(slices.Clone(s.Places), func(p memory.Place) bool { return !p.Exists })
	if len(found) == 0 {
		return s.Places[0].Store
	}
	best := found[0]
	if best.Why != "named" &&
		slices.ContainsFunc(found[1:], func(p memory.Place) bool { return p.System != best.System || !p.ByPath }) {
		return ""
	}
	return best.Store
}

// tellFound sends the program what was found after the first picture, at which open was open.
func tellFound(ctx context.Context, program *tea.Program, found <-chan start, open memory.StoreID) {
	select {
	case f := <-found:
		program.Send(msg.Began{Survey: f.survey, Was: open, Store: f.store})
	case <-ctx.Done():
	}
}

func playAgent(ctx context.Context, program *tea.Program, h *demoHome) {
	if err := demo.Agent(ctx, h.Lessons, agentPause, uint64(os.Getpid())); err != nil {
		program.Send(msg.Failed{Op: "demo", Err: err})
	}
}

// config returns the configuration of the root model.
func (s screens) config(o cli.Screen) tui.Config {
	name := o.Theme
	if o.Plain {
		name = theme.Mono // this theme asks the terminal nothing
	}
	return tui.Config{
		Keys:      o.Settings.Keys,
		Theme:     theme.Options{Name: name, Dark: true, NoColor: o.NoColor, ASCII: o.ASCII, Plain: o.Plain},
		Home:      homePage,
		HasHome:   true,
		Lessons:   recordsPage,
		Recall:    recallPage,
		Follower:  s.lib,
		Searcher:  s.lib,
		Sessions:  recorded{Library: s.lib, Reader: s.lib.Machine().Sessions},
		Plots:     s.lib,
		Names:     s.SystemNames(),
		Mask:      Mask,
		Curator:   Stores{s.lib, reading.New(s.lib), s.inbox},
		Auditor:   s.lib,
		Report:    s.WriteReport,
		Uncovered: uncovered,
		ReadOnly:  o.ReadOnly,
		Now:       func() time.Time { return s.Now().In(o.Zone) },
		NoMouse:   o.NoMouse,
		State:     o.State,
		Save:      s.Kept.Save,
		Settings:  o.Settings.Config,
		Notice:    configNotice(o.Settings),
		SaveView: func(ctx context.Context, name string, v config.View) error {
			return config.SaveView(ctx, s.Config, name, v)
		},
		Clip: clip{s.Lookup, o.Plain, s.State}.copy,
	}
}

// configNotice says what is wrong with config.toml, or nothing.
func configNotice(s cli.Settings) string {
	n := len(s.Mistakes)
	if n == 0 && len(s.Ignored) > 0 {
		return "Settings: " + s.Ignored[0].Error()
	}
	if n == 0 {
		return ""
	}
	more := output.When(n > 1, fmt.Sprintf(" (%d mistakes)", n))
	return "Settings" + more + ", see winnow config check: " + s.Mistakes[0].Error()
}

// The indexes of the screens among the pages.
const (
	homePage = iota
	recordsPage
	recallPage
	auditPage
	inboxPage
)

// Mask returns text with its secrets hidden, for the screens.
func Mask(text string) string {
	found := detect.Secrets(text)
	spans := make([][2]int, len(found))
	for i, f := range found {
		spans[i] = [2]int{f.Start, f.End}
	}
	return safe.Hide(text, spans)
}

// pages returns the screens in the order of their tabs. config depends on that order.
func (s screens) pages(ctx context.Context, c tui.Config, look home.Surveyor, reads *sync.Mutex) []page.Page {
	return []page.Page{
		home.New(ctx, home.Config{
			Keys: c.Keys, Surveyor: look, Summarizer: s.lib, Tallier: s.lib, Survey: c.Survey,
			Follower: agents{reading.New(s.lib), s.catch}, Curator: reading.New(s.lib), ReadOnly: c.ReadOnly,
			Names: c.Names, First: c.First == homePage, Stand: c.Store,
			Lessons: recordsPage, Recall: recallPage, Audit: auditPage,
		}),
		lessons.New(
			ctx,
			lessons.Config{Keys: c.Keys, Survey: c.Survey, Names: c.Names, Columns: c.Settings.Columns},
		),
		recall.New(ctx, recall.Config{
			Keys: c.Keys, Recaller: s.lib, Editor: s.tasks, JSON: s.RecallJSON,
			Survey: c.Survey, Task: s.home.task(),
		}),
		auditpage.New(
			ctx,
			auditpage.Config{Keys: c.Keys, ReadOnly: c.ReadOnly, Rules: len(s.lib.AuditRules()), Uncovered: uncovered},
		),
		inboxpage.New(ctx, inboxpage.Config{
			Keys: c.Keys, Library: reviewer{s.inbox, &s.Env, reads}, Editor: c.Editor, Names: c.Names,
			ReadOnly: c.ReadOnly,
		}),
	}
}

// reviewer is the inbox for its screen. A decision also says that no agent is told what was approved.
type reviewer struct {
	*inbox.Reviewer
	env   *cli.Env
	reads *sync.Mutex // held while a program reads sessions
}

// PlanDistil returns what a program would be given, as [inbox.Reviewer.PlanDistil] does. Where the settings cannot
// be read it says so: a program may be set.
func (r reviewer) PlanDistil(ctx context.Context, o memory.LearnOrder) (memory.Distilling, error) {
	if problem := r.env.Library.SettingsProblem(); problem != nil {
		return memory.Distilling{}, problem
	}
	return r.Reviewer.PlanDistil(ctx, o)
}

// Distil gives a program sessions, as [inbox.Reviewer.Distil] does.
func (r reviewer) Distil(
	ctx context.Context,
	d memory.Distilling,
	tell func(n, of int),
) ([]memory.Learnt, error) {
	r.reads.Lock()
	defer r.reads.Unlock()
	return r.Reviewer.Distil(ctx, d, tell)
}

// Review carries out a decision, as [inbox.Reviewer.Review] does.
func (r reviewer) Review(ctx context.Context, o memory.InboxOrder) (memory.InboxResult, error) {
	result, err := r.Reviewer.Review(ctx, o)
	if err == nil {
		result.Notes = append(result.Notes, r.env.NotRead(&result)...)
	}
	return result, err
}

// uncovered lists what the audit on the screen does not cover.
var uncovered = []string{"git history", "backups", "the journal"}

// hangup wraps a terminal and calls closed when it disappears. A signal reports that only if the
// terminal controls the program and the signal is not ignored.
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

// onHangup returns in, wrapped to call closed if in is a terminal that disappears.
func onHangup(in io.Reader, closed func()) io.Reader {
	if f, ok := in.(*os.File); ok {
		return hangup{f, closed}
	}
	return in
}

// lines is the terminal of a program that shows its screens as lines.
type lines struct {
	in  *bufio.Reader
	out io.Writer
}

// Write implements tui.lines.
func (l *lines) Write(text string) error {
	_, err := io.WriteString(l.out, text)
	return err
}

// Read implements tui.lines.
func (l *lines) Read() (string, error) { return l.in.ReadString('\n') }
