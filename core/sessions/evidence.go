package sessions

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

	"winnow/core/activity"
	"winnow/core/atomicfile"
	"winnow/core/git"
	"winnow/core/learn"
	"winnow/core/memory"
	"winnow/core/session"
	"winnow/core/statefile"
	"winnow/core/system"
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

// Weigh returns, for each of the records of a store with that description, how sessions ended in which it was
// recalled, compared with those in which it was not. It looks at the sessions of a project, or at all for "". It skips
// sessions started by another session and, in a project, those whose folder is unknown. It returns nil if there are no
// sessions. With an error, the sessions of a system that cannot list them are missing.
func (r *Reader) Weigh(
	ctx context.Context,
	project string,
	info system.Info,
	records []memory.Record,
) (map[memory.ID]memory.Evidence, error) {
	facts, failed, err := r.newestFacts(ctx, project)
	if err != nil || len(facts) == 0 || len(records) == 0 {
		return nil, errors.Join(err, failed)
	}
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
	if !lessons {
		return all, failed
	}
	recurs, err := r.recurrences(ctx, records, facts)
	for key := range recurs {
		e, c := all[key], recurs[key]
		e.Recurs = &c
		all[key] = e
	}
	return all, errors.Join(err, failed)
}

// Given returns the newest sessions of a project, each with the records that it was given. Failed says which sessions
// are missing.
func (r *Reader) Given(
	ctx context.Context,
	project string,
	lessons bool,
	records []memory.Record,
) (given []activity.Session, failed, err error) {
	facts, failed, err := r.newestFacts(ctx, project)
	x := learn.IndexOf(records, lessons)
	for i := range facts {
		s := &facts[i]
		at := s.At
		if at.IsZero() { // no line of the session has a time
			at = s.Head.Changed
		}
		var ids []memory.ID
		for _, at := range x.Recalled(*s) {
			ids = append(ids, records[at].ID)
		}
		slices.Sort(ids)
		given = append(given, activity.Session{
			Agent: s.Head.System, ID: s.Head.ID, State: string(s.State), At: at,
			Whole: s.Whole(lessons), Given: slices.Compact(ids),
		})
	}
	return given, failed, err
}

// recurrences returns whether the failures that lessons are about came all the same, as far as the sessions
// with these facts can be read soon. It reads none if no record is about a failure.
func (r *Reader) recurrences(
	ctx context.Context,
	records []memory.Record,
	facts []learn.SessionFacts,
) (map[memory.ID]memory.Recurrence, error) {
	about := func(r memory.Record) bool { return learn.AboutFailures(&r) }
	if !slices.ContainsFunc(records, about) {
		return nil, nil
	}
	decided, err := r.Book.Read()
	if err != nil {
		return nil, err
	}
	heads := make([]session.Head, len(facts))
	for i := range facts {
		heads[i] = facts[i].Head
	}
	traces, err := r.Traces(ctx, heads, ReadSoon, nil)
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

// newestFacts returns the facts of the newest sessions of a project, or of all for "". Failed says which are missing.
func (r *Reader) newestFacts(ctx context.Context, project string) (facts []learn.SessionFacts, failed, err error) {
	heads, failed := r.headsOfAll(ctx, project)
	heads = slices.DeleteFunc(heads, func(h session.Head) bool { return h.Subagent || project != "" && h.Folder == "" })
	facts, err = r.facts(ctx, heads[:min(len(heads), mostWeighed)])
	return facts, failed, err
}

// headsOfAll returns the sessions of a project in all work trees of its repository, newest first; those of all
// folders for "".
func (r *Reader) headsOfAll(ctx context.Context, project string) (all []session.Head, failed error) {
	if project == "" {
		return r.Heads(ctx, "", "")
	}
	seen := map[string]bool{}
	for _, folder := range memory.AppendNew(git.WorkTrees(project), project) {
		heads, err := r.Heads(ctx, folder, "")
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

// facts returns the facts of sessions. It reads the sessions that are not in the cache, and adds them. It
// skips those that cannot be read.
func (r *Reader) facts(ctx context.Context, heads []session.Head) (all []learn.SessionFacts, err error) {
	if len(heads) == 0 {
		return nil, ctx.Err()
	}
	known, now, fresh := r.readKnown(), r.Now(), map[string]learn.SessionFacts{}
	for _, h := range heads {
		key := factsKey(&h)
		if f, ok := known.facts(key); ok {
			f.Head = h
			all = append(all, f)
			continue
		}
		s, err := r.ReadSession(ctx, h)
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
		r.remember(ctx, fresh)
	}
	return all, nil
}

// factsKey is what the facts of a session are kept by, until it changes.
func factsKey(h *session.Head) string {
	changed, over := h.Changed.UnixNano(), h.Over.UnixNano()
	text := fmt.Sprintf("%s\x00%s\x00%s\x00%d\x00%d\x00%d", h.System, h.ID, h.Path, changed, h.Size, over)
	return fmt.Sprintf("%016x", uint64(learn.SumOf(text)))
}

func (r *Reader) evidenceFile() statefile.File {
	return statefile.File{Path: filepath.Join(r.Dir, evidenceName)}
}

// readKnown reads the cache of sessions. It returns an empty one if the file cannot be used.
func (r *Reader) readKnown() *knownSessions {
	if r.Dir == "" {
		return parseKnown(nil)
	}
	data, _ := r.evidenceFile().Read() // without it, the sessions are read again
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
func (r *Reader) remember(ctx context.Context, fresh map[string]learn.SessionFacts) {
	if info, err := os.Stat(r.Dir); err != nil || !info.IsDir() || r.ReadOnly {
		return
	}
	_ = r.evidenceFile().Change(ctx, statefile.ForLook, func(now []byte) ([]byte, error) {
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
