// Package cli is the command line. A command reads its arguments, asks the library and prints the
// answer; it decides nothing about memories. A command that changes a store turns its arguments
// into an order. The library turns the order into a plan, which is shown, confirmed if required,
// and applied.
//
// Everything is printed through package cli/output, either as plain text, in which stored text is
// masked and its invisible characters are shown, or as JSON. Two commands print stored bytes
// unchanged if the output is not a terminal: show --raw, and recall with --format block or prompt.
package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"winnow/cli/output"
	"winnow/core/config"
	"winnow/core/detect"
	"winnow/core/filter"
	"winnow/core/jstext"
	"winnow/core/memory"
)

// Library is what the commands need from the core.
type Library interface {
	// Find looks where agents keep their stores.
	Find(ctx context.Context) memory.Survey
	// FindIn takes files as stores, and looks for stores below folders.
	FindIn(ctx context.Context, paths []string) memory.Survey
	// Load returns a store. If the store is too large to hold, it returns the first records.
	Load(ctx context.Context, id memory.StoreID) (memory.Snapshot, error)
	// LoadRecords is Load for callers that need only the records: it is faster, and the health is incomplete.
	LoadRecords(ctx context.Context, id memory.StoreID) (memory.Snapshot, error)
	// Describe returns the words for the records of a store, and how they are shown.
	Describe(id memory.StoreID) (memory.Noun, memory.Description)
	// Summary returns the counts and the health of a store. Records may be nil.
	Summary(ctx context.Context, id memory.StoreID) (memory.Snapshot, error)
	// Recall returns what the store's system would recall for t.
	Recall(ctx context.Context, id memory.StoreID, t memory.Task) (memory.Recall, error)
	// Each calls fn with every record of the stores, one at a time. It returns the stores that
	// could not be read.
	Each(
		ctx context.Context,
		stores []memory.StoreID,
		fn func(memory.StoreID, *memory.Record) error,
	) ([]memory.Unread, error)
	// Search looks for records that match all terms, in several stores at a time. It calls fn with
	// the matches as each store is read, and returns the stores that could not be read.
	Search(
		ctx context.Context,
		stores []memory.StoreID,
		terms []filter.Term,
		fn func(memory.SearchPart) error,
	) ([]memory.Unread, error)
	// Tally counts the open findings of a store. It reads the whole store.
	Tally(ctx context.Context, id memory.StoreID) (memory.Tally, error)
	// Kin returns the records in other stores of the same project that repeat or
	// contradict records of this store.
	Kin(ctx context.Context, id memory.StoreID) (map[memory.ID][]memory.Kin, error)
	// SettingsProblem says what is wrong with config.toml, or returns nil.
	SettingsProblem() *memory.Problem
	// Systems returns the known systems.
	Systems() []memory.SystemInfo
	// Sources says what each agent reads in a folder. With below it also searches the folders below.
	Sources(ctx context.Context, folder string, below bool) []memory.AgentSources
	// Home says what each agent reads in a folder and what is wrong with it. It calls tell with the answer after
	// each stage but the last.
	Home(ctx context.Context, o memory.HomeOrder, tell func(memory.Home)) (memory.Home, error)
	// PlanMend returns the plan that mends an issue of Home.
	PlanMend(ctx context.Context, m memory.Mend) (memory.Plan, error)

	// Plan turns an order into a plan. It changes nothing.
	Plan(ctx context.Context, id memory.StoreID, o memory.Order) (memory.Plan, error)
	// Back returns the plans of an Undo or a Redo: that of the store and, if it took over the memory of a
	// moved project, that of the store it was taken from.
	Back(ctx context.Context, store memory.StoreID, o memory.Order) ([]memory.Plan, error)
	// Moved returns the plans that move the memory of a project that was in a folder into a store.
	Moved(ctx context.Context, to memory.StoreID, folder string) ([]memory.Plan, error)
	// Apply makes the changes of a plan. With memory.ErrConflict, the result says what conflicts.
	// On any error nothing was changed.
	Apply(ctx context.Context, p memory.Plan) (memory.Result, error)
	// Finish completes or rolls back a change of a store that a crash interrupted.
	Finish(ctx context.Context, id memory.StoreID) error
	// History returns what was done to a store, newest first.
	History(ctx context.Context, id memory.StoreID) (memory.History, error)
	// Purge empties the history of a store.
	Purge(ctx context.Context, id memory.StoreID) error
	// Form returns a record as a text for an editor, or a new record if the ID is empty.
	Form(ctx context.Context, id memory.StoreID, record memory.ID) (string, error)
	// Guard returns what another writer undid and nobody has decided on yet.
	Guard(ctx context.Context, id memory.StoreID) ([]memory.Undone, error)
	// Follow sends the newest snapshot of a store until ctx is done, and then closes the channel.
	// It repeats the changes that the person chose to repeat always.
	Follow(ctx context.Context, id memory.StoreID) <-chan memory.Snapshot
}

// Auditing is what the commands around an audit need from the core.
type Auditing interface {
	// Audit looks for what o asks for. "-" stands for in. tell is called from time to time, from
	// one goroutine at a time. If ctx is done, even while in blocks, the audit is Stopped and holds
	// what was found so far.
	Audit(ctx context.Context, o memory.AuditOrder, in io.Reader, tell func(memory.Progress)) (memory.Audit, error)
	// AuditRules returns all rules of the audit.
	AuditRules() []memory.AuditRule

	// Ignored returns the findings that are ignored on this machine.
	Ignored(ctx context.Context) ([]memory.Ignore, error)
	// Ignore adds decisions, and removes those with the fingerprints in remove.
	Ignore(ctx context.Context, add []memory.Ignore, remove []string) error
	// IgnoreIn does the same in a baseline file, and creates a missing one.
	IgnoreIn(ctx context.Context, path string, add []memory.Ignore, remove []string) error

	// WriteFile writes a file that does not belong to a store. An existing file is fs.ErrExist
	// unless replace is set, and then it keeps its mode.
	WriteFile(ctx context.Context, path string, data []byte, replace bool, perm fs.FileMode) error
	// RemoveFile removes a file if it still holds was.
	RemoveFile(ctx context.Context, path string, was []byte) error
	// HooksDir returns the folder that git runs hooks from in the repository around dir.
	HooksDir(ctx context.Context, dir string) (string, error)
}

// Fixing redacts what an audit found.
type Fixing interface {
	// Fix redacts every open secret of an audit that can be redacted.
	Fix(ctx context.Context, a memory.Audit) (memory.Fixed, error)
}

// Copying makes copies of stores for others.
type Copying interface {
	// Share makes a copy of a store for others, and audits it. It writes nothing.
	Share(ctx context.Context, id memory.StoreID, o memory.ShareOrder) (memory.Shared, error)
}

// Env is everything that a command knows about the world.
type Env struct {
	In       io.Reader
	Out, Err io.Writer
	// InTTY, OutTTY and ErrTTY say which of them are terminals.
	InTTY, OutTTY, ErrTTY bool
	// Width and Height are the size of the terminal Out in columns and lines, or 0 if it is not a
	// terminal.
	Width, Height int

	Library  Library
	Auditing Auditing
	Fixing   Fixing
	Copying  Copying
	Sessions Sessions
	Plots    Plots
	Inbox    Inbox
	Learning Learning
	Failing  Failures
	Hooks    Hooks
	Sharing  Sharing
	// Proposing answers the calls of agents.
	Proposing Proposing
	// ReadOnly replaces the parts of the core that commands use by parts that change nothing, for
	// --readonly.
	ReadOnly func(*Env)
	// Dir is the working folder as an absolute path, or "" if it is unknown. Home is the user's.
	Dir, Home string
	Now       func() time.Time
	// Started is when the process started, by the real clock. HookTime is the time of a hook since
	// then; 0 means the constant of that name.
	Started  time.Time
	HookTime time.Duration
	Zone     *time.Location
	Lookup   func(name string) (string, bool)
	// Prepare has a program run in this environment; nil for that of this process.
	Prepare func(*exec.Cmd)
	Version string

	// Config is the path of config.toml, or "" if there is no folder for it.
	Config string
	// Kept is what the screens remember from run to run.
	Kept config.StateFile
	// State is the folder for the program's state, or "" if there is no place for it.
	State string
	// Setting is a problem with the environment, or nil.
	Setting error
	// Untrusted says that others could have written what is in State, or is nil. Nothing is changed then.
	Untrusted error
	// BadSettings says what is wrong with config.toml, or is nil. Nothing is changed, audited or synced then.
	BadSettings *memory.Problem
	// Demo sets up a machine for the demo and returns its Env. The caller must call remove at the
	// end, even after a panic.
	Demo func(context.Context) (e Env, remove func(), err error)
	// Start runs the full-screen program and returns when it ends.
	Start func(context.Context, Screen) error
}

// Screen says what the full-screen program opens and how it looks.
type Screen struct {
	// Paths are the files and folders that were named. If there are none, the program looks where
	// agents keep their stores.
	Paths []string
	// Theme is the name of a theme. NoColor is set if the environment asks for no colours, and
	// ASCII if its encoding has no line drawing.
	Theme          string
	NoColor, ASCII bool
	// Settings are those of config.toml. State is how the screens were left.
	Settings Settings
	State    config.State
	// Plain selects the line mode, which only appends lines and reads lines.
	Plain bool
	// Zone is the time zone for absolute times.
	Zone    *time.Location
	NoMouse bool
	// ReadOnly is set when no key may change anything.
	ReadOnly bool
}

// program is one run of the command line: the world, the common flags, and the command's output.
type program struct {
	Env
	store, system string
	utc, readOnly bool
	colour        string
	noPager       bool
	pager         *pager   // of this output; nil if there is none
	words         []string // the words of the call: only commands among them get flags; nil: all do
	json, reveal  bool
	isSet         func(flag string) bool // reports whether a flag is on the command line
	out           *output.Out

	op       string // the name of the command, which begins its errors
	place    memory.Place
	held     bool // the place was found by what it holds, among several
	idFirst  bool // of a command that only shows: an id such as :3 comes before the line
	covering bool // the command is about stores that --store does not name
	several  bool // the command covers several stores, of which place is one
	rows     bool // the command prints rows with a column for the store
	// besideStores is what the JSON about all stores has beside them.
	besideStores any
	answers      []answerJSON // the JSON about place, if --store did not name it
	inputTaken   bool         // standard input is not available for an answer
	noun         memory.Noun
	described    memory.Description
}

// Run runs the command line args, without the program's name, and returns the exit status. It
// reports a panic like an error. For a panic in another goroutine, the cause of ctx is its error;
// see [Env.Crashed].
func Run(ctx context.Context, e Env, args []string) (status int) {
	if e.Started.IsZero() {
		e.Started = time.Now()
	}
	p := &program{Env: e, out: output.New(e.Out, e.Width, false), words: args, colour: "auto"}
	defer func() {
		if r := recover(); r != nil {
			status = p.reportEnd(ctx, args, e.Crashed(fmt.Sprint(r), string(debug.Stack())))
		}
	}()
	if f := p.hookCall(args); f != nil && p.Setting == nil {
		err := errors.Join(f.run(ctx, args[1:2]), p.out.Close())
		return p.reportEnd(ctx, args, cmp.Or(crashOf(ctx), err))
	}
	root := p.commands()
	root.SetArgs(args)
	root.SetIn(e.In)
	root.SetOut(e.Out)
	root.SetErr(e.Err)
	help := root.HelpFunc()
	var unknown error
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		if words := c.Flags().Args(); c == root && p.mistyped(c, words) {
			unknown = noSuchCommand(c, words[0])
			return
		}
		help(c, args)
	})
	err := errors.Join(root.ExecuteContext(ctx), unknown)
	return p.reportEnd(ctx, args, cmp.Or(crashOf(ctx), err))
}

// crashOf returns the error of a panic in another goroutine, or nil.
func crashOf(ctx context.Context) error {
	if f := (*failure)(nil); errors.As(context.Cause(ctx), &f) {
		return f
	}
	return nil
}

// notef prints a line to standard error, after flushing the output.
func (p *program) notef(format string, args ...any) {
	p.out.Flush()
	o := output.New(p.Err, 0, false)
	if p.pager != nil && p.ErrTTY { // the pager owns that terminal
		o = output.New(p.pager, 0, false)
	}
	o.Line(format, args...)
	o.Flush() // nobody can be told that standard error is gone
}

// prompt prints a text without a line end to standard error.
func (e *Env) prompt(format string, args ...any) {
	o := output.New(e.Err, 0, false)
	o.Printf(format, args...)
	o.Flush()
}

// zone returns the time zone for absolute times.
func (p *program) zone() *time.Location {
	if p.utc || p.Zone == nil {
		return time.UTC
	}
	return p.Zone
}

// exists reports whether a file or folder is at a path that was typed.
func (e *Env) exists(path string) bool { return path != "" && exists(e.Absolute(path)) }

// exists reports whether a file or folder is at an absolute path.
func exists(path string) bool { _, err := os.Lstat(path); return err == nil }

// Crashed writes a report of a panic to a file below the state folder, with secrets masked, and
// returns an error that names the file.
func (e *Env) Crashed(value, stack string) error {
	first, _, _ := strings.Cut(value, "\n")
	failed := &failure{code: exitFailure, err: fmt.Errorf("the program stopped: %s", detect.Redact(first))}
	text := detect.Redact(fmt.Sprintf("winnow %s\n%s\n\n%s", e.Version, value, stack))
	path, err := e.keep("the report", "", "crash-"+e.Now().UTC().Format("20060102-150405")+"-*.txt", text)
	failed.hint = "the details are in " + path + ", with secrets masked"
	if err != nil {
		failed.hint = "the report could not be written: " + err.Error()
	}
	return failed
}

// keep writes a text to a new file that only the user can read, in a folder of the state folder, and returns its path.
// what names the text in errors; pattern is that of os.CreateTemp. It follows no link. Without a state folder it
// keeps nothing: a folder for temporary files is shared with others.
func (e *Env) keep(what, folder, pattern, text string) (path string, err error) {
	if err := memory.NoPlace(e.State, what); err != nil {
		return "", err
	}
	dir := filepath.Join(e.State, folder)
	if info, err := os.Lstat(dir); folder != "" && err == nil && info.Mode()&os.ModeSymlink != 0 {
		return "", fmt.Errorf("keep %s: %s is a link", what, dir)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	f, err := os.CreateTemp(dir, pattern)
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(text)
	return f.Name(), errors.Join(err, f.Close())
}

// temporary returns the folder for temporary files.
func (e *Env) temporary() string {
	if dir, _ := e.Lookup("TMPDIR"); dir != "" {
		return dir
	}
	return os.TempDir()
}

// programOf returns the command that starts a program in this environment.
func (e *Env) programOf(words []string) *exec.Cmd {
	c := exec.Command(words[0], words[1:]...)
	if e.Prepare != nil {
		e.Prepare(c)
	}
	return c
}

// maxInput is the number of bytes read of standard input or of a baseline. An agent reads far less
// of a task.
const maxInput = 64 << 20

// input reads all of standard input. what names it in errors.
func (e *Env) input(ctx context.Context, what string) ([]byte, error) {
	raw, err := await(ctx, func() ([]byte, error) { return readAll(e.In, maxInput) })
	if errors.As(err, new(tooLong)) {
		return nil, usage("shorten it", "read %s: %w", what, err)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", what, err)
	}
	return raw, nil
}

// tooLong is the error that an input exceeds this number of bytes.
type tooLong int64

func (n tooLong) Error() string { return fmt.Sprintf("more than %d MiB", int64(n)>>20) }

// readAll reads at most limit bytes.
func readAll(r io.Reader, limit int64) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(raw)) > limit {
		err = tooLong(limit)
	}
	return raw, err
}

// await returns what read returns, or the error of ctx as soon as it is done. A read from a
// terminal or a pipe may never end.
func await[T any](ctx context.Context, read func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		v, err := read()
		done <- result{v, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// answer reads a line from the terminal. At the end of the input it returns an empty line.
func (e *Env) answer(ctx context.Context) (string, error) {
	line, _ := await(ctx, func() (string, error) {
		return bufio.NewReader(io.LimitReader(e.In, 100)).ReadString('\n')
	})
	return strings.TrimSpace(line), ctx.Err()
}

// typed decodes text from the command line, the input or an editor as an agent would. A lone
// surrogate encoded in three bytes counts as the one unit it is: an agent could not get it as an
// argument, but may have got it in JSON.
func typed(b []byte) string {
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

// scratch creates an empty temporary folder, and returns a function that removes it.
func (e *Env) scratch() (dir string, remove func(), err error) {
	dir, err = os.MkdirTemp(e.temporary(), "winnow-sync-")
	return dir, func() { _ = os.RemoveAll(dir) }, err // leftovers are in the system's folder for temporary files
}
