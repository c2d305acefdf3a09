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
	"winnow/core/learn"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/session"
)

const (
	// mostWeighed is how many sessions of a project are looked at to say whether a record helped,
	// the newest.
	mostWeighed = 500
	// mostKnown is how many sessions of all projects are remembered, and mostEvidence how many bytes
	// their file may have.
	mostKnown    = 3000
	mostEvidence = 32 << 20
	// evidenceForm is raised when what is kept of a session changes, or how a session is read.
	evidenceForm = 3
	evidenceName = "evidence.json"
	// settled is how long a file must be silent for an unknown end to be remembered as one.
	settled = 24 * time.Hour
)

// knownSessions is what is remembered of sessions, so that each is read once: how it ended, and digests of
// the lines that it was given. No text and no path is in it.
type knownSessions struct {
	Form     int                            `json:"form"`
	Sessions map[string]knownSession        `json:"sessions"` // by a digest of where it is, its time and its size
	Texts    map[learn.Sum]learn.GivenLines `json:"texts"`
}

type knownSession struct {
	State  session.State `json:"state"`
	Began  time.Time     `json:"began"`
	At     time.Time     `json:"at"`
	Partly bool          `json:"partly,omitempty"`
	Given  []learn.Sum   `json:"given,omitempty"` // keys of Texts
}

// Evidence returns, for each record of a store, how sessions of its project ended in which it was
// recalled, beside those in which it was not; for a store that holds for all projects, of all of them.
// Sessions that another one started, or whose folder is not known, are left out. With an error the
// sessions of a system that cannot list its own are missing. It is nil where there are no sessions.
func (l *Library) Evidence(ctx context.Context, id memory.StoreID) (map[memory.ID]memory.Evidence, error) {
	records, _, err := l.records(ctx, id)
	if err != nil {
		return nil, err
	}
	return l.weigh(ctx, id, records)
}

// records returns the records of a store, as many as are compared with anything.
func (l *Library) records(ctx context.Context, id memory.StoreID) (records []memory.Record, unread []memory.Unread, err error) {
	unread, err = l.Each(ctx, []memory.StoreID{id}, func(_ memory.StoreID, r *memory.Record) error {
		if len(records) == mostCompared {
			return errEnough
		}
		records = append(records, *r)
		return nil
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return records, unread, err
}

// weigh is Evidence for records of the store.
func (l *Library) weigh(ctx context.Context, id memory.StoreID, records []memory.Record) (map[memory.ID]memory.Evidence, error) {
	facts, failed, err := l.newestFacts(ctx, id)
	if err != nil || len(facts) == 0 || len(records) == 0 {
		return nil, errors.Join(err, failed)
	}
	d := l.info(id).Described
	all := learn.Weigh(records, learn.KeepsLessons(d), facts)
	for id, e := range all {
		if e.Recalled == 0 {
			e.Unknown = d.GivenUnknown
		}
		all[id] = e
	}
	return all, failed
}

// newestFacts returns what must be known of the newest sessions of a store's project. Failed says which
// are missing.
func (l *Library) newestFacts(ctx context.Context, id memory.StoreID) (facts []learn.SessionFacts, failed, err error) {
	project := l.projectOf(id)
	heads, failed := l.heads(ctx, project, "")
	heads = slices.DeleteFunc(heads, func(h session.Head) bool { return h.Subagent || project != "" && h.Folder == "" })
	facts, err = l.facts(ctx, heads[:min(len(heads), mostWeighed)])
	return facts, failed, err
}

// projectOf returns the folder whose sessions belong to a store, or nothing for those of all folders.
func (l *Library) projectOf(id memory.StoreID) string {
	l.mu.Lock()
	project := l.places[id].Project
	l.mu.Unlock()
	switch {
	case project != "" || id.System() != "":
		return project
	case inside(l.env.Dir, id.Path()):
		return l.env.Dir
	}
	return filepath.Dir(id.Path())
}

// facts returns what must be known of sessions. It reads those that are not remembered, and remembers
// them. One that cannot be read is left out.
func (l *Library) facts(ctx context.Context, heads []session.Head) (all []learn.SessionFacts, err error) {
	if len(heads) == 0 {
		return nil, ctx.Err()
	}
	known, now, fresh := l.known(), l.now(), false
	for _, h := range heads {
		key := fmt.Sprintf("%016x", uint64(learn.SumOf(fmt.Sprint(h.System, "\x00", h.ID, "\x00", h.Path, "\x00", h.Changed.UnixNano(), "\x00", h.Size, "\x00", h.Over.UnixNano()))))
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
			known.add(key, f)
			fresh = true
		}
	}
	if fresh {
		l.remember(ctx, known)
	}
	return all, nil
}

// known returns what is remembered of sessions. A file that cannot be used is as none.
func (l *Library) known() *knownSessions {
	var k knownSessions
	if l.state.Dir != "" {
		data, cut, err := quietread.ReadFile(filepath.Join(l.state.Dir, evidenceName), mostEvidence)
		if err != nil || cut || json.Unmarshal(data, &k) != nil || k.Form != evidenceForm {
			k = knownSessions{}
		}
	}
	if k.Sessions == nil || k.Texts == nil {
		k = knownSessions{evidenceForm, map[string]knownSession{}, map[learn.Sum]learn.GivenLines{}}
	}
	return &k
}

// add remembers a session.
func (k *knownSessions) add(key string, f learn.SessionFacts) {
	s := knownSession{State: f.State, Began: f.Began, At: f.At, Partly: f.Partly}
	for _, g := range f.Given {
		text := g.Key()
		k.Texts[text] = g
		s.Given = append(s.Given, text)
	}
	k.Sessions[key] = s
}

// facts returns what is remembered of a session, and false when that is not all there.
func (k *knownSessions) facts(key string) (learn.SessionFacts, bool) {
	s, ok := k.Sessions[key]
	f := learn.SessionFacts{State: s.State, Began: s.Began, At: s.At, Partly: s.Partly}
	for _, text := range s.Given {
		g, there := k.Texts[text]
		f.Given, ok = append(f.Given, g), ok && there
	}
	return f, ok
}

// trim forgets the oldest sessions, and texts of no session.
func (k *knownSessions) trim() {
	keys := slices.SortedFunc(maps.Keys(k.Sessions), func(a, b string) int { return k.Sessions[b].At.Compare(k.Sessions[a].At) })
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

// remember writes what is known of sessions, where there is a folder for the state: a look makes none.
// Whatever goes wrong, they are only read again.
func (l *Library) remember(ctx context.Context, k *knownSessions) {
	if info, err := os.Stat(l.state.Dir); err != nil || !info.IsDir() || l.readOnly || l.state.Rand == nil {
		return
	}
	k.trim()
	data, err := json.Marshal(k)
	if err != nil || len(data) > mostEvidence {
		return
	}
	_ = l.replace(ctx, filepath.Join(l.state.Dir, evidenceName), atomicfile.Update{
		Next: func([]byte) ([]byte, error) { return data, nil }, Adopt: func(_, _, _ []byte) ([]byte, error) { return data, nil },
	})
}
