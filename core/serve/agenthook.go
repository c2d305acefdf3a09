// Package serve gives agents what was approved, through their hooks, and sets those hooks up.
package serve

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"winnow/core/approvals"
	"winnow/core/atomicfile"
	"winnow/core/detect"
	"winnow/core/learn"
	"winnow/core/library"
	"winnow/core/memory"
	"winnow/core/prompt"
	"winnow/core/session"
	"winnow/core/sessions"
	"winnow/core/share/joined"
	"winnow/core/statefile"
	"winnow/core/system"
)

// Server serves the hooks of agents from the stores of a library.
type Server struct {
	lib      *library.Library
	sessions *sessions.Reader
	systems  []system.System
	env      system.Env
	now      func() time.Time
	start    func(func())
	state    library.State
	book     *approvals.Book
	queue    *learn.Queue
	shares   joined.Shares
	readOnly bool
}

// New returns a Server of what the stores of a library hold.
func New(lib *library.Library) *Server {
	m := lib.Machine()
	return &Server{
		lib: lib, sessions: m.Sessions, systems: m.Systems, env: m.Env, now: m.Now, start: m.Start, state: m.State,
		readOnly: m.ReadOnly,
		book:     m.State.Quarantine().Book, queue: m.State.Queue(), shares: lib.Joined(),
	}
}

// candidate is a record that a hook may give an agent.
type candidate struct {
	system.Served
	store memory.StoreID
	own   bool // the person's, and not the project's
}

// key identifies the record among those that a session was given.
func (c *candidate) key() string {
	return atomicfile.ShortDigest(string(c.store) + "\x00" + string(c.ID))
}

// HookRecall returns the block that an agent's hook adds to a prompt: the approved lessons of the person
// and of the project that fit it best, as far as they could be read until ctx is done. The block is empty
// if none fits, or if the session has them already. If a store cannot be read, an error is returned
// together with the block from the others. No other hook of the session gives what is in the block, unless another
// process kept this one from noting it for too long. If there is more to record about the session, note does
// it: the recall of the lessons, which is counted when a session is first given them. note is nil if there is nothing
// to record.
func (sv *Server) HookRecall(
	ctx context.Context, h memory.Hook,
) (block string, note func(context.Context) error, err error) {
	asked := asking{
		records: h.Session != "" && !sv.readOnly && sv.state.Dir != "",
		most:    memory.MostServed, bytes: memory.MostServedBytes,
	}
	switch {
	case h.Call != nil:
		err = sv.tellOfCall(ctx, h, &asked)
	case h.Prompt != "":
		asked.list, err = sv.candidates(ctx, h)
	case h.Event == sessionStart:
		asked.most, asked.bytes = memory.MostAlways, memory.MostAlwaysBytes
		err = sv.tellAlways(ctx, h, &asked)
	}
	asked.again = rebuilt(h) && (len(asked.list) > 0 || h.Prompt == "")
	if !asked.records || len(asked.list) == 0 || !sv.claim(ctx, h, &asked) {
		asked.choose(nil)
	}
	if asked.records && (len(asked.list) > 0 || asked.again || asked.later()) {
		note = func(ctx context.Context) error { return sv.noteAsked(ctx, h, &asked) }
	}
	return asked.block, note, err
}

const sessionStart = "SessionStart"

// asking is what a hook gives a session, and what is left to record afterwards.
type asking struct {
	records bool
	list    []candidate
	most    int // records in the block
	bytes   int // of the block
	block   string
	again   bool         // the session rebuilt its context
	had     givenRecords // what the session was given before, once claimed
	failed  []string     // keys of records that the session was told of a call that failed again
	index   []toldStore
}

func (a *asking) later() bool { return len(a.failed)+len(a.index) > 0 }

// choose makes the block of what the session does not have, and leaves in the list what is in the block.
func (a *asking) choose(had givenRecords) {
	a.list = slices.DeleteFunc(a.list, func(c candidate) bool { return had[c.key()] })
	n := 0
	a.block, n = blockOf(a.list[:min(len(a.list), a.most)], a.bytes)
	a.list = a.list[:n]
}

// lastClaim is how long before ctx is done a hook no longer waits to claim what it gives.
const lastClaim = 200 * time.Millisecond

// claim chooses what a session is given and notes it in one step, before it is printed, because an agent makes calls
// at the same time, and each has a hook. It returns false if it was kept from that for too long: telling twice is
// better than to keep silent.
func (sv *Server) claim(ctx context.Context, h memory.Hook, a *asking) bool {
	if end, limited := ctx.Deadline(); limited {
		waiting, cancel := context.WithDeadline(ctx, end.Add(-lastClaim))
		defer cancel()
		ctx = waiting
	}
	return sv.noteGiven(ctx, h, a, a.choose) == nil // noteAsked tries again, and returns the error
}

// noteAsked records what a session was given, and what else was found on the way.
func (sv *Server) noteAsked(ctx context.Context, h memory.Hook, a *asking) error {
	if a.again && len(a.list) == 0 {
		if err := sv.recordRebuild(ctx, h); err != nil {
			return err
		}
	}
	if len(a.failed) > 0 {
		if err := sv.recordFailed(ctx, h, a.failed); err != nil {
			return err
		}
	}
	err := sv.recordGiven(ctx, h, a)
	lines, readErr := sv.indexed(ctx, a)
	return errors.Join(err, readErr, sv.saveTold(ctx, lines))
}

// hookRead is what was read for a hook so far.
type hookRead struct {
	mu   sync.Mutex // guards the fields below
	had  givenRecords
	list []candidate
	err  error
}

func (r *hookRead) add(list []candidate, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list, r.err = append(r.list, list...), errors.Join(r.err, err)
}

// lastMoment is how long before ctx is done a hook stops reading, to search what it has.
const lastMoment = 20 * time.Millisecond

// candidates returns the records that fit best, each text once, without those that the session has. Among
// equals, those of the project come first. It returns when ctx is done, with what was read by then.
func (sv *Server) candidates(ctx context.Context, h memory.Hook) (list []candidate, unread error) {
	reading, cancel := ctx, func() {}
	if end, limited := ctx.Deadline(); limited {
		reading, cancel = context.WithDeadline(ctx, end.Add(-lastMoment))
	}
	defer cancel()
	var r hookRead
	done := make(chan struct{})
	sv.start(func() {
		defer close(done)
		sv.readForHook(reading, h, &r)
	})
	select {
	case <-done:
	case <-ctx.Done():
		r.add(nil, ctx.Err())
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range slices.SortedStableFunc(slices.Values(r.list), byFit) {
		same := func(o candidate) bool { return o.Title == c.Title && o.Body == c.Body }
		if !slices.ContainsFunc(list, same) {
			list = append(list, c)
		}
	}
	best := list[:min(len(list), memory.MostServed)]
	return slices.DeleteFunc(best, func(c candidate) bool { return r.had[c.key()] }), r.err
}

// fit returns the score, with a fifth more for what is the project's own.
func (c *candidate) fit() int {
	if c.own {
		return c.Score * 5
	}
	return c.Score * 6
}

// byFit orders candidates by their fit, and those that are equal by project and person.
func byFit(a, b candidate) int {
	return cmp.Or(cmp.Compare(b.fit(), a.fit()), projectFirst(a.own, b.own))
}

// projectFirst orders what is a project's before what is the person's own.
func projectFirst(own, otherOwn bool) int {
	switch {
	case own == otherOwn:
		return 0
	case otherOwn:
		return -1
	}
	return 1
}

// readForHook reads what a hook needs. The person's own lessons come first, so that no project keeps
// them from an agent.
func (sv *Server) readForHook(ctx context.Context, h memory.Hook, r *hookRead) {
	if sv.state.Untrusted != nil {
		r.add(nil, sv.state.Untrusted)
		return
	}
	decided, err := sv.book.Read()
	if err != nil || !decided.AnyApproved() {
		r.add(nil, err)
		return
	}
	if h.Session != "" && sv.state.Dir != "" && !rebuilt(h) {
		had, err := sv.givenTo(h.Session)
		r.mu.Lock()
		r.had = had
		r.mu.Unlock()
		r.add(nil, err)
	}
	approvedIn := func(store memory.StoreID) func(*memory.Record) bool {
		name := library.ApprovalName(store)
		return func(m *memory.Record) bool { return decided.Approved(name, learn.WordsOf(m)) }
	}
	for p := range sv.servingPlaces(h) {
		if ctx.Err() != nil {
			return
		}
		list, err := sv.servedFrom(ctx, p.Store, h.Prompt, approvedIn(p.Store))
		for i := range list {
			list[i].own = p.Personal
		}
		r.add(list, err)
	}
}

// servingPlaces returns the stores that serve a session, each once: the person's own, and then those of the folder
// in which the session works. It looks for the person's own before it looks at that folder.
func (sv *Server) servingPlaces(h memory.Hook) iter.Seq[memory.Place] {
	own, project := sv.env, sv.env
	own.Dir = ""
	if filepath.IsAbs(h.Folder) {
		project.Dir = filepath.Clean(h.Folder)
	}
	return func(yield func(memory.Place) bool) {
		seen := map[memory.StoreID]bool{}
		for _, env := range []system.Env{own, project} {
			for _, p := range sv.servedIn(env) {
				p.Personal = env.Dir == ""
				if !seen[p.Store] && !yield(p) {
					return
				}
				seen[p.Store] = true
			}
		}
	}
}

// servedIn returns the stores that all systems serve in an environment.
func (sv *Server) servedIn(env system.Env) (places []memory.Place) {
	for i := range sv.systems {
		if serves := sv.systems[i].Serves; serves != nil {
			places = append(places, serves(env)...)
		}
	}
	return places
}

// servedFrom returns what a store gives an agent for a task.
func (sv *Server) servedFrom(
	ctx context.Context, id memory.StoreID, task string, approved func(*memory.Record) bool,
) (list []candidate, err error) {
	s, err := sv.lib.Store(id)
	a, ok := s.(system.Approving)
	if err != nil || !ok {
		return nil, err
	}
	served, err := a.Served(ctx, task, approved)
	for _, r := range served {
		list = append(list, candidate{Served: r, store: id})
	}
	return list, err
}

// blockOf returns the block with as many of the records as fit into most bytes, and their number.
func blockOf(list []candidate, most int) (string, int) {
	memories := make([]prompt.Memory, len(list))
	for i, c := range list {
		memories[i] = prompt.MemoryOf(c.Title, c.Outcome, c.Body)
	}
	text, _, n := prompt.Served(memories, most)
	return text, n
}

// recordGiven counts one recall of each record that a session was never given before, and notes what it was given
// if that could not be claimed.
func (sv *Server) recordGiven(ctx context.Context, h memory.Hook, a *asking) error {
	if len(a.list) == 0 {
		return nil
	}
	if a.had == nil {
		if err := sv.noteGiven(ctx, h, a, func(givenRecords) {}); err != nil {
			return fmt.Errorf("note what the session is given: %w", err)
		}
	}
	return sv.count(ctx, a.list, a.had)
}

// noteGiven notes what a session is given, as choose leaves it in the list. Choose is told what the session has.
func (sv *Server) noteGiven(ctx context.Context, h memory.Hook, a *asking, choose func(had givenRecords)) error {
	release, err := sv.given().Hold(ctx, statefile.ForChange)
	if err != nil {
		return err
	}
	defer release()
	had, err := sv.givenTo(h.Session)
	if err != nil {
		return err
	}
	var lines []string
	if a.again && had.any() {
		had.forget()
		lines = append(lines, sv.givenLine(h.Session, anew))
	}
	choose(had)
	for i := range a.list {
		if key := a.list[i].key(); !had[key] {
			lines = append(lines, sv.givenLine(h.Session, key))
		}
	}
	if len(lines) > 0 {
		err = sv.given().Append(mostGiven, false, lines...)
	}
	if err == nil {
		a.had = had
	}
	return err
}

// count counts one recall of each record that the session was never given before.
func (sv *Server) count(ctx context.Context, list []candidate, had givenRecords) error {
	given := map[memory.StoreID][]system.Served{}
	for i := range list {
		c := &list[i]
		if _, counted := had[c.key()]; !counted {
			given[c.store] = append(given[c.store], c.Served)
		}
	}
	for store, records := range given {
		c, err := sv.lib.Curator(store)
		if err == nil {
			err = c.Count(ctx, records)
		}
		if p := (*memory.Problem)(nil); errors.As(err, &p) && p.Code == system.CodeOutside {
			continue // Read for agents all the same
		}
		if err != nil {
			return fmt.Errorf("count the recall: %w", err)
		}
	}
	return nil
}

// givenRecords holds the records that a session was given. The value is false for those that it may be given again:
// from before the session rebuilt its context, which no longer has them, and of a call that failed all the same.
type givenRecords map[string]bool

func (g givenRecords) any() bool { return slices.Contains(slices.Collect(maps.Values(g)), true) }

// forget says that the session no longer has what it was given.
func (g givenRecords) forget() {
	for key := range g {
		g[key] = false
	}
}

const (
	mostGiven = 256 << 10 // size limit in bytes of the file that says which session was given what
	// failedAgain stands before the key of a record when the call that it is about failed after it was told.
	failedAgain = "-"
	anew        = "again" // stands in a line for a record's key when the session rebuilt its context
)

func (sv *Server) given() statefile.File {
	return statefile.File{Path: filepath.Join(sv.state.Dir, "learn", "given", "lessons")}
}

func (sv *Server) givenLine(session, what string) string {
	return atomicfile.ShortDigest(session) + " " + what + " " + strconv.FormatInt(sv.now().Unix(), 10)
}

func (sv *Server) givenTo(session string) (givenRecords, error) {
	g := givenRecords{}
	data, err := sv.given().Read()
	if err != nil {
		return g, err
	}
	name := []byte(atomicfile.ShortDigest(session) + " ")
	for line := range bytes.Lines(data) {
		if !bytes.HasPrefix(line, name) { // nearly all
			continue
		}
		f := strings.Fields(string(line))
		switch {
		case len(f) != 3:
		case f[1] == anew:
			g.forget()
		case strings.HasPrefix(f[1], failedAgain):
			g[strings.TrimPrefix(f[1], failedAgain)] = false
		default:
			g[f[1]] = true
		}
	}
	return g, nil
}

// rebuilt reports whether a hook says that a session rebuilt its context.
func rebuilt(h memory.Hook) bool {
	return slices.Contains([]string{"compact", "resume", "clear"}, h.Source) ||
		h.Event == "PreCompact" || h.Event == "PreCompress"
}

// recordRebuild records that a session rebuilt its context, which then no longer has the lessons given before.
func (sv *Server) recordRebuild(ctx context.Context, h memory.Hook) error {
	had, err := sv.givenTo(h.Session)
	if err != nil || !had.any() {
		return err
	}
	release, err := sv.given().Hold(ctx, statefile.ForChange)
	if err != nil {
		return err
	}
	defer release()
	return sv.given().Append(mostGiven, false, sv.givenLine(h.Session, anew))
}

// The limits of the log of hook errors.
const (
	mostHookLog  = 1 << 20 // bytes of the log
	mostHookLine = 500     // bytes of a message
	hookLogWait  = 50 * time.Millisecond
	hookDays     = 7 // how many days doctor looks back
)

func (sv *Server) hookLog() statefile.File {
	return statefile.File{Path: filepath.Join(sv.state.Dir, "agent-hook.log")}
}

// NoteHook adds an error in a hook to the log, unless ctx is done before it begins. If that fails, there
// is nobody to tell.
func (sv *Server) NoteHook(ctx context.Context, what string, cause error) {
	if sv.state.Dir == "" || sv.readOnly {
		return
	}
	release, err := sv.hookLog().Hold(ctx, hookLogWait)
	if err != nil {
		return
	}
	defer release()
	text := strings.Trim(strconv.QuoteToASCII(detect.Redact(what+": "+cause.Error())), `"`)
	line := sv.now().UTC().Format(time.RFC3339) + " " + text[:min(len(text), mostHookLine)]
	_ = sv.hookLog().Append(mostHookLog, false, line)
}

// HookHealth reports the hooks that failed in the last seven days, and decisions that cannot be read: hooks give
// nothing that nobody approved.
func (sv *Server) HookHealth() []memory.Health {
	if sv.state.Dir == "" {
		return nil
	}
	data, err := sv.hookLog().Read()
	n, last := 0, ""
	for line := range bytes.Lines(data) {
		when, what, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
		if at, err := time.Parse(time.RFC3339, when); err == nil && sv.now().Sub(at) < hookDays*24*time.Hour {
			n++
			last = at.In(sv.now().Location()).Format("2006-01-02 15:04") + ": " + what
		}
	}
	next := "its log is " + sv.lib.Short(sv.hookLog().Path)
	decided, unread := sv.book.Read()
	return system.Report("",
		system.When(
			unread != nil,
			"approvals",
			memory.Warn,
			1,
			fmt.Sprintf("no lesson counts as approved: %v", unread),
			"see that the file can be read: "+sv.lib.Short(sv.book.Path()),
		),
		system.When(
			decided.Damaged > 0,
			"approvals",
			memory.Warn,
			decided.Damaged,
			fmt.Sprintf("lines that cannot be read in %s: %d. What they approved or rejected is not known any more",
				sv.lib.Short(sv.book.Path()), decided.Damaged),
			"winnow inbox has the lessons whose approval is lost: approve them again",
		),
		system.When(
			err != nil,
			"agent-hook",
			memory.Warn,
			1,
			fmt.Sprint("the log of agent hooks cannot be read: ", err),
			next,
		),
		system.When(
			n > 0,
			"agent-hook",
			memory.Warn,
			n,
			fmt.Sprintf("agent hooks that failed in the last %d days: %d; the last one on %s", hookDays, n, last),
			next,
		))
}

// HookLearn puts a session that ended or is idle into the queue of sessions to learn from. An idle session
// may just have ended a turn, so it stays in the queue until it is silent.
func (sv *Server) HookLearn(ctx context.Context, h memory.Hook) error {
	if h.Event != "SessionEnd" && h.Event != "session.idle" {
		return nil
	}
	agent := h.Agent
	if agent == "" {
		agent = sv.agentOf(ctx, h)
	}
	if h.Session == "" || agent == "" {
		return errors.New("the hook names no session, or no agent")
	}
	head := session.Head{System: agent, ID: h.Session, Path: h.Transcript, Folder: h.Folder, Changed: sv.now()}
	if h.Event == "SessionEnd" {
		head.Over = head.Changed
	}
	return errors.Join(sv.enqueue(ctx, head), sv.shares.MarkDue())
}

// agentOf returns the system of a session if the hook does not name it. It recognizes the system by a
// folder in the transcript's path, such as .codex, or else looks for the session among those of all
// systems.
func (sv *Server) agentOf(ctx context.Context, h memory.Hook) memory.SystemID {
	for _, name := range strings.Split(filepath.ToSlash(h.Transcript), "/") {
		name, hidden := strings.CutPrefix(name, ".")
		for i := range sv.systems {
			if k := &sv.systems[i]; hidden && name != "" && k.Sessions != nil && strings.HasPrefix(string(k.ID), name) {
				return k.ID
			}
		}
	}
	heads, _ := sv.sessions.Heads(ctx, h.Folder, "") // a system that cannot be read counts as not having it
	for _, head := range heads {
		if head.ID == h.Session {
			return head.System
		}
	}
	return ""
}

// enqueue queues a session for a later call of Learn.
func (sv *Server) enqueue(ctx context.Context, h session.Head) error {
	if sv.readOnly {
		return fmt.Errorf("queue session %s: %w", h.ID, memory.ErrReadOnly)
	}
	return sv.queue.Put(ctx, h, sv.now())
}
