package library

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"winnow/core/atomicfile"
	"winnow/core/git"
	"winnow/core/learn"
	"winnow/core/memory"
	"winnow/core/session"
	"winnow/core/statefile"
)

const (
	// mostWeighed is how many sessions of a project, the newest, tell whether a record helped.
	mostWeighed = 500
	// mostKnown is how many sessions of all projects are remembered. mostEvidence is the size limit of
	// their file in bytes.
	mostKnown    = 3000
	mostEvidence = 32 << 20
	// evidenceForm must be raised when the content of the file changes, or how sessions are read.
	evidenceForm = 4
	evidenceName = "evidence.json"
	// settled is how long a session must be unchanged before an unknown end is remembered.
	settled = 24 * time.Hour
)

// knownSessions caches what was read from sessions, so that each is read once: how it ended, and digests
// of the lines that it was given. It contains no texts and no paths.
type knownSessions struct {
	Form     int                            `json:"form"`
	Sessions map[string]knownSession        `json:"sessions"` // by a digest of path, time, size and the like
	Texts    map[learn.Sum]learn.GivenLines `json:"texts"`
}

type knownSession struct {
	State  session.State `json:"state"`
	Began  time.Time     `json:"began"`
	At     time.Time     `json:"at"`
	Partly bool          `json:"partly,omitempty"`
	Given  []learn.Sum   `json:"given,omitempty"` // keys of Texts
	Opened []learn.Sum   `json:"opened,omitempty"`
}

// Evidence returns, for each record of a store, how sessions ended in which it was recalled, compared with
// those in which it was not. It looks at the sessions of the store's project, or at all if the store is
// for all projects. It skips sessions started by another session and, in a project, those whose folder is
// unknown. It returns nil if there are no sessions. With an error, the sessions of a system that cannot
// list them are missing.
func (l *Library) Evidence(ctx context.Context, id memory.StoreID) (map[memory.ID]memory.Evidence, error) {
	records, _, err := l.Records(ctx, id)
	if err != nil {
		return nil, err
	}
	return l.weigh(ctx, id, records)
}

// weigh is like Evidence, for the given records of the store.
func (l *Library) weigh(
	ctx context.Context,
	id memory.StoreID,
	records []memory.Record,
) (map[memory.ID]memory.Evidence, error) {
	facts, failed, err := l.newestFacts(ctx, id)
	if err != nil || len(facts) == 0 || len(records) == 0 {
		return nil, errors.Join(err, failed)
	}
	info := l.Info(id)
	lessons := learn.KeepsLessons(info.Described)
	all := learn.Weigh(records, lessons, facts)
	for i, use := range learn.UseOf(records, lessons, info.System, info.Chosen, facts) {
		e := all[records[i].ID]
		e.Use = use
		if e.Recalled == 0 {
			e.Unknown = info.Described.GivenUnknown
		}
		all[records[i].ID] = e
	}
	recurs, err := l.recurrences(ctx, id, records, facts)
	for key := range recurs {
		e, c := all[key], recurs[key]
		e.Recurs = &c
		all[key] = e
	}
	return all, errors.Join(err, failed)
}

// recurrences returns whether the failures that records of a store are about came all the same, as far as the sessions
// with these facts can be read soon. It reads none if no record is about a failure.
func (l *Library) recurrences(
	ctx context.Context,
	id memory.StoreID,
	records []memory.Record,
	facts []learn.SessionFacts,
) (map[memory.ID]memory.Recurrence, error) {
	about := func(r memory.Record) bool { return learn.AboutFailures(&r) }
	if !learn.KeepsLessons(l.Info(id).Described) || !slices.ContainsFunc(records, about) {
		return nil, nil
	}
	decided, err := l.book.Read()
	if err != nil {
		return nil, err
	}
	heads := make([]session.Head, len(facts))
	for i := range facts {
		heads[i] = facts[i].Head
	}
	traces, err := l.Traces(ctx, heads, ReadSoon, nil)
	if err != nil {
		return nil, err
	}
	var sessions []learn.TracedSession
	roots := map[string]string{}
	for i := range traces {
		t := &traces[i]
		if !t.Read || t.Err != nil {
			continue
		}
		if _, known := roots[t.Trace.Folder]; !known {
			roots[t.Trace.Folder] = ProjectRoot(t.Trace.Folder)
		}
		sessions = append(sessions, learn.TracedSession{
			Facts: facts[i], Trace: &t.Trace, Root: roots[t.Trace.Folder],
		})
	}
	approved := func(r *memory.Record) time.Time { return decided.FirstApproved(learn.WordsOf(r)) }
	return learn.Recurrences(records, true, approved, sessions), nil
}

// newestFacts returns the facts of the newest sessions of a store's project. Failed says which are missing.
func (l *Library) newestFacts(ctx context.Context, id memory.StoreID) (facts []learn.SessionFacts, failed, err error) {
	project := l.projectOf(id)
	heads, failed := l.headsOfAll(ctx, project)
	heads = slices.DeleteFunc(heads, func(h session.Head) bool { return h.Subagent || project != "" && h.Folder == "" })
	facts, err = l.facts(ctx, heads[:min(len(heads), mostWeighed)])
	return facts, failed, err
}

// headsOfAll returns the sessions of a project in all work trees of its repository, newest first; those of all
// folders for "".
func (l *Library) headsOfAll(ctx context.Context, project string) (all []session.Head, failed error) {
	if project == "" {
		return l.Heads(ctx, "", "")
	}
	seen := map[string]bool{}
	for _, folder := range memory.AppendNew(git.WorkTrees(project), project) {
		heads, err := l.Heads(ctx, folder, "")
		failed = errors.Join(failed, err)
		for _, h := range heads {
			key := string(h.System) + "\x00" + h.Path + "\x00" + h.ID
			if !seen[key] {
				seen[key] = true
				all = append(all, h)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b session.Head) int { return b.Changed.Compare(a.Changed) })
	return all, failed
}

// projectOf returns the folder whose sessions belong to a store; "" means those of all folders.
func (l *Library) projectOf(id memory.StoreID) string {
	l.mu.Lock()
	project := l.places[id].Project
	l.mu.Unlock()
	switch {
	case project != "" || id.System() != "":
		return project
	case Inside(l.env.Dir, id.Path()):
		return l.env.Dir
	}
	return filepath.Dir(id.Path())
}

// facts returns the facts of sessions. It reads the sessions that are not in the cache, and adds them. It
// skips those that cannot be read.
func (l *Library) facts(ctx context.Context, heads []session.Head) (all []learn.SessionFacts, err error) {
	if len(heads) == 0 {
		return nil, ctx.Err()
	}
	known, now, fresh := l.readKnown(), l.now(), map[string]learn.SessionFacts{}
	for _, h := range heads {
		key := fmt.Sprintf(
			"%016x",
			uint64(
				learn.SumOf(
					fmt.Sprint(
						h.System,
						"\x00",
						h.ID,
						"\x00",
						h.Path,
						"\x00",
						h.Changed.UnixNano(),
						"\x00",
						h.Size,
						"\x00",
						h.Over.UnixNano(),
					),
				),
			),
		)
		if f, ok := known.facts(key); ok {
			f.Head = h
			all = append(all, f)
			continue
		}
		s, err := l.ReadSession(ctx, h)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil || s.Subagent {
			continue
		}
		f := learn.Facts(&s)
		all = append(all, f)
		if s.Finished() || s.State == session.Unknown && now.Sub(h.Changed) > settled {
			fresh[key] = f
		}
	}
	if len(fresh) > 0 {
		l.remember(ctx, fresh)
	}
	return all, nil
}

func (l *Library) evidenceFile() statefile.File {
	return statefile.File{Path: filepath.Join(l.state.Dir, evidenceName)}
}

// readKnown reads the cache of sessions. It returns an empty one if the file cannot be used.
func (l *Library) readKnown() *knownSessions {
	if l.state.Dir == "" {
		return parseKnown(nil)
	}
	data, _ := l.evidenceFile().Read() // without it, the sessions are read again
	return parseKnown(data)
}

func parseKnown(data []byte) *knownSessions {
	var k knownSessions
	if len(data) > mostEvidence || json.Unmarshal(data, &k) != nil || k.Form != evidenceForm {
		k = knownSessions{}
	}
	if k.Sessions == nil || k.Texts == nil {
		k = knownSessions{evidenceForm, map[string]knownSession{}, map[learn.Sum]learn.GivenLines{}}
	}
	return &k
}

// add adds a session.
func (k *knownSessions) add(key string, f learn.SessionFacts) {
	s := knownSession{State: f.State, Began: f.Began, At: f.At, Partly: f.Partly, Opened: f.Opened}
	for _, g := range f.Given {
		text := g.Key()
		k.Texts[text] = g
		s.Given = append(s.Given, text)
	}
	k.Sessions[key] = s
}

// facts returns the facts of a session, or false if they are not all there.
func (k *knownSessions) facts(key string) (learn.SessionFacts, bool) {
	s, ok := k.Sessions[key]
	f := learn.SessionFacts{State: s.State, Began: s.Began, At: s.At, Partly: s.Partly, Opened: s.Opened}
	for _, text := range s.Given {
		g, there := k.Texts[text]
		f.Given, ok = append(f.Given, g), ok && there
	}
	return f, ok
}

// trim removes the oldest sessions above mostKnown, and texts that no session uses.
func (k *knownSessions) trim() {
	keys := slices.SortedFunc(
		maps.Keys(k.Sessions),
		func(a, b string) int { return k.Sessions[b].At.Compare(k.Sessions[a].At) },
	)
	for _, key := range keys[min(len(keys), mostKnown):] {
		delete(k.Sessions, key)
	}
	used := map[learn.Sum]bool{}
	for _, s := range k.Sessions {
		for _, text := range s.Given {
			used[text] = true
		}
	}
	maps.DeleteFunc(k.Texts, func(text learn.Sum, _ learn.GivenLines) bool { return !used[text] })
}

// remember adds sessions to the cache, if the state folder exists: reading must not create it. It ignores
// errors, because then the sessions are just read again.
func (l *Library) remember(ctx context.Context, fresh map[string]learn.SessionFacts) {
	if info, err := os.Stat(l.state.Dir); err != nil || !info.IsDir() || l.readOnly || l.state.Rand == nil {
		return
	}
	_ = l.evidenceFile().Change(ctx, statefile.ForLook, func(now []byte) ([]byte, error) {
		k := parseKnown(now)
		for key, f := range fresh {
			k.add(key, f)
		}
		k.trim()
		data, err := json.Marshal(k)
		if err == nil && len(data) > mostEvidence {
			err = atomicfile.ErrUnchanged
		}
		return data, err
	})
}
