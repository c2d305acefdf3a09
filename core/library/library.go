// Package library is the ground floor of front ends. It finds stores, loads, follows and searches them, asks
// what they recall, and makes and applies plans. What stands above it takes that by its public names. It changes a
// store only by Apply, and by changes that a person wants reapplied whenever another writer
// undoes them.
package library

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"winnow/core/approvals"
	"winnow/core/atomicfile"
	"winnow/core/audit"
	"winnow/core/config"
	"winnow/core/curate"
	"winnow/core/detect"
	"winnow/core/jsonl"
	"winnow/core/learn"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/sessions"
	"winnow/core/share/joined"
	"winnow/core/statefile"
	"winnow/core/system"
	"winnow/core/watch"
)

// Library holds the systems and the open stores. It is safe for concurrent use.
type Library struct {
	systems []system.System
	env     system.Env
	now     func() time.Time
	start   func(func())
	watch   *watch.Watcher
	state   State
	forms   []system.Form
	audit   *audit.Auditor
	book    *approvals.Book // what a person approved on this machine
	shares  joined.Shares
	// sessions are those that agents kept.
	sessions *sessions.Reader
	// readOnly means that the library changes nothing.
	readOnly bool

	mu       sync.Mutex // guards the fields below
	places   map[memory.StoreID]memory.Place
	open     map[memory.StoreID]system.Store
	curators map[memory.StoreID]*curate.Curator
	follows  map[*follow]bool
	typed    []string // absolute paths that a person named as stores or for an audit
	// looked holds the places of stores that were searched for one by one; empty where there is none.
	looked map[memory.StoreID]memory.Place
	// gone are the files that name what their project no longer has, with the hash of their text. It is replaced
	// and never changed, and nil until git was asked.
	gone map[string]string
	// used is what sessions say about the records of stores that are pruned, and when they were asked.
	used map[memory.StoreID]usedAt
}

type usedAt struct {
	at  time.Time
	all map[memory.ID]memory.Evidence
}

// New returns a library over the systems. It looks for stores in env, and keeps the history in state.
// start runs background work on its own goroutine and catches its panics. An audit uses forms to
// recognize memories in files.
func New(
	systems []system.System,
	env system.Env,
	now func() time.Time,
	start func(func()),
	state State,
	forms ...system.Form,
) *Library {
	env.Dir = realCase(env.GOOS, env.Dir)
	l := &Library{
		systems: systems, env: env, now: now, start: start, watch: watch.New(start), state: state,
		places:   map[memory.StoreID]memory.Place{},
		open:     map[memory.StoreID]system.Store{},
		curators: map[memory.StoreID]*curate.Curator{},
		follows:  map[*follow]bool{},
		looked:   map[memory.StoreID]memory.Place{},
		used:     map[memory.StoreID]usedAt{},
		forms:    forms,
		readOnly: state.Untrusted != nil || state.Settings != nil || distils(env),
	}
	waiting := state.Quarantine()
	l.book = waiting.Book
	l.sessions = l.openSessions()
	l.shares = joined.Shares{Dir: state.Dir, Now: now, Short: l.Short, Inbox: waiting}
	l.audit = audit.New(audit.Config{
		Forms: forms, Now: now, Dir: env.Dir, Short: l.Short,
		Journal: l.journal, Approved: l.approvedIn, Texter: l.texter,
	})
	return l
}

// openSessions returns the reader of the sessions that agents kept.
func (l *Library) openSessions() *sessions.Reader {
	return sessions.New(sessions.Config{
		Systems: l.systems, Env: l.env, Now: l.now, Start: l.start,
		Dir: l.state.Dir, Learnt: l.state.learnFolder(), Book: l.book, ReadOnly: l.readOnly,
	})
}

// distils reports whether this Winnow was started by the program of [learn] distil. Then nothing is kept.
func distils(env system.Env) bool {
	if env.Lookup == nil {
		return false
	}
	value, _ := env.Lookup(memory.DistilVariable)
	return value != ""
}

// Load reads a store once. If a crash interrupted a change, its health says so. If the store cannot be
// read, it returns a snapshot with Problem set. The error is that of ctx, or [memory.ErrNotFound] if no
// system knows the store.
func (l *Library) Load(ctx context.Context, id memory.StoreID) (memory.Snapshot, error) {
	c, err := l.Curator(id)
	if err != nil {
		return memory.Snapshot{}, err
	}
	unfinished := c.Unfinished(ctx)
	snap, s, err := l.detailed(ctx, id, true)
	if err != nil {
		return memory.Snapshot{}, err
	}
	snap.Health = append(slices.Clone(snap.Health), l.shareHealth(id, snap.ModTime)...)
	snap.Health = append(snap.Health, olderHealth(ctx, c)...)
	if unfinished != nil {
		snap.Health = append(snap.Health, historyHealth(unfinished))
	}
	return pinned(ctx, masked(l.withGone(withSimilar(snap, s))), c), nil
}

// LoadRecords reads the records of a store as Load does, and faster: what is said of the whole store, such as its
// health and what git knows about it, is incomplete.
func (l *Library) LoadRecords(ctx context.Context, id memory.StoreID) (memory.Snapshot, error) {
	c, err := l.Curator(id)
	if err != nil {
		return memory.Snapshot{}, err
	}
	snap, s, err := l.detailed(ctx, id, false)
	if err != nil {
		return memory.Snapshot{}, err
	}
	return pinned(ctx, masked(l.withGone(withSimilar(snap, s))), c), nil
}

// Summary returns the counts and the health of a store, without its records. If the system can tell
// them without reading records, it reads none.
func (l *Library) Summary(ctx context.Context, id memory.StoreID) (memory.Snapshot, error) {
	return l.summary(ctx, id, true)
}

// Counts is Summary for callers that need no health of the store: it is incomplete, as is what git knows about it.
func (l *Library) Counts(ctx context.Context, id memory.StoreID) (memory.Snapshot, error) {
	return l.summary(ctx, id, false)
}

func (l *Library) summary(ctx context.Context, id memory.StoreID, health bool) (memory.Snapshot, error) {
	s, err := l.Store(id)
	if err != nil {
		return memory.Snapshot{}, err
	}
	var snap memory.Snapshot
	if quick, ok := s.(system.Summarizer); !ok {
		snap, _, err = l.detailed(ctx, id, health)
	} else if snap, err = quick.Summary(ctx); err == nil {
		snap = l.described(snap, s)
		snap.Place, snap.ReadOnly = l.place(snap.Place), cmp.Or(snap.ReadOnly, l.WhyReadOnly(s))
	} else {
		err = fmt.Errorf("load %s: %w", id, err)
	}
	if err != nil {
		return memory.Snapshot{}, err
	}
	snap.Records, snap.Health = nil, append(slices.Clip(snap.Health), l.shareHealth(id, snap.ModTime)...)
	return masked(snap), nil
}

// detailed reads a store with everything the system knows about its records, and with health about the store.
func (l *Library) detailed(
	ctx context.Context, id memory.StoreID, health bool,
) (memory.Snapshot, system.Store, error) {
	s, err := l.Store(id)
	if err != nil {
		return memory.Snapshot{}, nil, err
	}
	snap, err := l.read(ctx, s, func(memory.Snapshot) {})
	if err != nil {
		return memory.Snapshot{}, nil, fmt.Errorf("load %s: %w", id, err)
	}
	if info := s.Info(); info.Detail != nil && (health || !info.DetailIsOfStore) {
		snap = info.Detail(ctx, snap)
	}
	snap.Place, snap.ReadOnly = l.place(snap.Place), cmp.Or(snap.ReadOnly, l.WhyReadOnly(s))
	return snap, s, nil
}

// shareHealth reports the state of a store's share. Written is when the store was last changed.
func (l *Library) shareHealth(id memory.StoreID, written time.Time) []memory.Health {
	return l.shares.Health(joined.KeyOf(RealID(id)), l.Info(id).Noun, written)
}

// Recall returns what the store's system would recall for the task now. It has no side effects.
func (l *Library) Recall(ctx context.Context, id memory.StoreID, t memory.Task) (memory.Recall, error) {
	s, err := l.Store(id)
	if err != nil {
		return memory.Recall{}, err
	}
	r, ok := s.(system.Recaller)
	if !ok {
		return memory.Recall{}, fmt.Errorf("recall from %s: %w", id.Path(), &memory.Problem{
			Code: "no-recall",
			What: "no agent is given anything out of this store: " + s.Info().Name + " only keeps it",
			Hint: "recall from another store of " + s.Info().Name + "; winnow stores lists them",
		})
	}
	out, err := r.Recall(ctx, t)
	if err != nil {
		return memory.Recall{}, err
	}
	return maskedRecall(l.withEarlierState(ctx, id, s, out)), nil
}

// Store returns the store with that id, and opens it the first time.
func (l *Library) Store(id memory.StoreID) (system.Store, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s := l.open[id]; s != nil {
		return s, nil
	}
	k := l.systemOf(id)
	switch {
	case k == nil:
		return nil, fmt.Errorf("open %s: %w", id, memory.ErrNotFound)
	case k == &l.systems[0] && notLessons(id.Path()):
		return nil, &memory.Problem{
			Code: "unknown-store", What: "No system that is known keeps its memories in this file.",
			Hint: "name the store of a system: winnow stores lists them; winnow audit looks at any file",
		}
	}
	s, err := k.Open(id.Path())
	if err != nil {
		return nil, err
	}
	if a, ok := s.(system.Approving); ok {
		a.UseApprovals(l.approvedIn(id))
	}
	if c, ok := s.(system.Confined); ok {
		c.Confine(func(path string) error { reach := l.reach(id, s.Info()); return reach.May(path) })
	}
	if c, ok := s.(system.Committable); ok {
		c.CommitIf(func() bool { return l.Settings().Learn.Commit })
	}
	l.open[id] = s
	return s, nil
}

// Describe returns the words for the records of a store, and how they are shown. It reads no record.
func (l *Library) Describe(id memory.StoreID) (memory.Noun, memory.Description) {
	s, err := l.Store(id)
	if err != nil {
		return memory.Noun{}, memory.Description{}
	}
	snap := l.described(memory.Snapshot{}, s)
	return snap.Noun, snap.Described
}

// Info returns a store's description; empty if no system opens the store.
func (l *Library) Info(id memory.StoreID) (i system.Info) {
	if s, err := l.Store(id); err == nil {
		i = s.Info()
	}
	return i
}

// systemOf returns the system of a store: the one named in its id, else the one that found it, else the
// one that recognizes it, else the first. It returns nil if the id names an unknown system.
func (l *Library) systemOf(id memory.StoreID) *system.System {
	want := id.System()
	if known, ok := l.places[id]; ok && want == "" {
		want = known.System
	}
	for i := range l.systems {
		k := &l.systems[i]
		if k.ID == want {
			return k
		}
		if want != "" || k.Reads == nil {
			continue
		}
		if p, ok := k.Reads(id.Path()); ok && p.Store == id {
			return k
		}
	}
	if want != "" || len(l.systems) == 0 {
		return nil
	}
	return &l.systems[0]
}

// described returns a snapshot with its store's description: the words for its records,
// how they are shown, and what a person who changes them must know.
func (l *Library) described(snap memory.Snapshot, s system.Store) memory.Snapshot {
	info := s.Info()
	if snap.Noun.One == "" {
		snap.Noun = info.Noun
	}
	snap.Described = info.Described
	snap.Described.System = info.Name
	snap.Dated = info.FileDates
	return snap
}

// Read loads a store, in parts if the system can do so.
func (l *Library) read(ctx context.Context, s system.Store, emit func(memory.Snapshot)) (memory.Snapshot, error) {
	snap, err := system.Read(ctx, s, func(part memory.Snapshot) { emit(l.described(part, s)) })
	if err != nil && ctx.Err() == nil {
		snap.Problem, err = &memory.Problem{Code: "read-error", What: err.Error()}, nil
	}
	if snap.TakenAt.IsZero() {
		snap.TakenAt = l.now()
	}
	return l.described(snap, s), err
}

// masked returns snap with secrets replaced in the texts about the whole store. Systems quote stored
// text there, such as a prompt, a pattern or a file name. Records and scopes are masked by the code that
// shows them.
func masked(snap memory.Snapshot) memory.Snapshot {
	snap.Problem = maskedProblem(snap.Problem)
	texts := []*string{&snap.Writer, &snap.ReadOnly}
	snap.Health = slices.Clone(snap.Health)
	for i := range snap.Health {
		texts = append(texts, &snap.Health[i].What, &snap.Health[i].Next)
	}
	snap.Facts = slices.Clone(snap.Facts)
	for i := range snap.Facts {
		texts = append(texts, &snap.Facts[i].Name, &snap.Facts[i].Text)
	}
	snap.Usage = slices.Clone(snap.Usage)
	for i := range snap.Usage {
		texts = append(texts, &snap.Usage[i].Name, &snap.Usage[i].Text)
	}
	snap.Running = slices.Clone(snap.Running)
	for i := range snap.Running {
		texts = append(texts, &snap.Running[i].Session, &snap.Running[i].Folder, &snap.Running[i].State)
	}
	Mask(texts...)
	return snap
}

// maskedRecall returns r with secrets replaced in the texts about it. Blocks and hits stay unchanged:
// they record where their secrets are.
func maskedRecall(r memory.Recall) memory.Recall {
	r.Stop = maskedProblem(r.Stop)
	texts := []*string{&r.Empty, &r.Estimate}
	r.Notes = slices.Clone(r.Notes)
	for i := range r.Notes {
		texts = append(texts, &r.Notes[i])
	}
	Mask(texts...)
	return r
}

// Mask replaces the secrets in texts.
func Mask(texts ...*string) {
	for _, text := range texts {
		*text = detect.Redact(*text)
	}
}

func maskedProblem(p *memory.Problem) *memory.Problem {
	if p == nil {
		return nil
	}
	out := *p
	Mask(&out.What, &out.Hint)
	return &out
}

// State says where Winnow keeps its data about stores, and how much history to keep.
type State struct {
	Dir       string // if empty, there is no place for it and nothing can be changed
	Rand      io.Reader
	KeepFor   time.Duration
	KeepBytes int64
	// Untrusted says that others could have written what is in Dir. Then nothing is approved, and nothing
	// is changed.
	Untrusted error
	// Settings says what is wrong with config.toml. Then nothing is changed: the settings of the person are
	// not known.
	Settings *memory.Problem
}

// StateIn returns the state of a user. $WINNOW_HISTORY_DAYS and $WINNOW_HISTORY_MB, or else config.toml,
// limit how much history of a store is kept; 0 means no limit. It returns an error if a variable is not
// an integer in range.
func StateIn(env system.Env, random io.Reader) (State, error) {
	file := config.Read(config.Path(env.Folder(system.Settings)))
	set := file.History
	days, err := setting(env, "WINNOW_HISTORY_DAYS", orUsual(set.Days, config.UsualDays), config.MostDays)
	mb, mbErr := setting(env, "WINNOW_HISTORY_MB", orUsual(set.MB, config.UsualMB), config.MostMB)
	dir := env.Folder(system.State)
	return State{
		Dir: dir, Rand: random, KeepFor: time.Duration(days) * 24 * time.Hour, KeepBytes: mb << 20,
		Untrusted: statefile.CheckOwner(dir, env.Home), Settings: maskedProblem(file.Problem()),
	}, cmp.Or(err, mbErr)
}

func orUsual(set *int64, usual int64) int64 {
	if set == nil {
		return usual
	}
	return *set
}

// setting returns the integer from 0 to most in an environment variable, or normal if it is not set.
func setting(env system.Env, name string, normal, most int64) (int64, error) {
	text, _ := env.Lookup(name)
	if text == "" {
		return normal, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 || n > most {
		return normal, fmt.Errorf("read %s: %q: want an integer from 0 to %d", name, text, most)
	}
	return n, nil
}

// mostFrozen is the largest store, in bytes, whose earlier text frozen rebuilds.
const mostFrozen = 256 << 10

// withEarlierState completes what the last session was given, if that session has an earlier state of the store.
// It rebuilds that state from the history, which is possible only if all later changes were made here.
func (l *Library) withEarlierState(
	ctx context.Context,
	id memory.StoreID,
	s system.Store,
	r memory.Recall,
) memory.Recall {
	info := s.Info()
	if info.Earlier == nil || r.LastSession == nil || r.LastSession.Unknown == "" || r.LastSession.At.IsZero() {
		return r
	}
	data, cut, err := quietread.ReadFile(info.Place.Path, mostFrozen)
	if cut || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return r
	}
	text := string(data)
	c, err := l.Curator(id)
	if err != nil {
		return r
	}
	steps, first, ok, err := c.Since(ctx, r.LastSession.At)
	if err != nil || !ok {
		return r
	}
	for _, step := range steps {
		if text, ok = undoSplices(text, step); !ok {
			return r // somebody else wrote in between
		}
	}
	got := info.Earlier(*r.LastSession, r, text)
	if got.Unknown == "" {
		got.Source = "the history of Winnow: what stood there before your change of " + first.In(l.now().Location()).
			Format("2006-01-02 15:04")
	}
	r.LastSession = &got
	return r
}

// undoSplices undoes a replacement: text is the result, and it returns the text from before. It returns false
// if text is not that result.
func undoSplices(text string, s memory.Splices) (string, bool) {
	if atomicfile.Digest([]byte(text)) != s.To {
		return "", false
	}
	earlier, ok := jsonl.Splice(text, jsonl.Inverse(s.Parts))
	return earlier, ok && atomicfile.Digest([]byte(earlier)) == s.From
}

// Verify checks the whole journal of a store's agents, and reports its health.
func (l *Library) Verify(ctx context.Context, id memory.StoreID) ([]memory.Health, error) {
	s, err := l.Store(id)
	if err != nil || s.Info().Verify == nil {
		return nil, err
	}
	return masked(memory.Snapshot{Health: s.Info().Verify(ctx, l.env)}).Health, ctx.Err()
}

// Machine is what a library works on, for what stands above it.
type Machine struct {
	Systems  []system.System
	Forms    []system.Form
	Env      system.Env
	Now      func() time.Time
	Start    func(func()) // runs background work
	State    State
	ReadOnly bool // nothing may be changed
	Sessions *sessions.Reader
}

// Machine returns what the library works on.
func (l *Library) Machine() Machine {
	return Machine{
		Systems: l.systems, Forms: l.forms, Env: l.env, Now: l.now, Start: l.start, State: l.state,
		ReadOnly: l.readOnly, Sessions: l.sessions,
	}
}

// Settings reads config.toml.
func (l *Library) Settings() *config.File {
	return config.Read(config.Path(l.env.Folder(system.Settings)))
}

// SettingsProblem returns what is wrong with config.toml, or nil.
func (l *Library) SettingsProblem() *memory.Problem { return maskedProblem(l.Settings().Problem()) }

// Quarantine returns the place where proposals wait for a person.
func (s State) Quarantine() *learn.Quarantine {
	return learn.Open(s.learnFolder(), cmp.Or(s.Rand, rand.Reader))
}

// Queue returns the sessions that wait to be learnt from.
func (s State) Queue() *learn.Queue { return learn.OpenQueue(s.learnFolder()) }

// learnFolder returns the folder of the inbox and of what was learnt; "" if there is no place for it.
func (s State) learnFolder() string {
	if s.Dir == "" {
		return ""
	}
	return filepath.Join(s.Dir, "learn")
}

// Auditor returns the audit of texts and files.
func (l *Library) Auditor() *audit.Auditor { return l.audit }

// Joined returns what is kept about the shares of this machine.
func (l *Library) Joined() joined.Shares { return l.shares }

// Kept returns the file in which screens keep their state between runs.
func (l *Library) Kept() config.StateFile {
	if l.state.Untrusted != nil {
		return config.StateFile{}
	}
	return config.OpenState(l.state.Dir)
}
