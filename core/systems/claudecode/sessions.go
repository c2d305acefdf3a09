package claudecode

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/claudecode/transcript"
)

// Limits of reading transcripts for the details of a store.
const (
	maxRecent      = 5         // newest transcripts
	maxRecentBytes = 128 << 20 // of all of them together
	maxHeads       = 50        // transcripts whose project is looked up
	maxSubagents   = 20        // transcripts of subagents of one session
)

// recentSessions is what the newest transcripts say.
type recentSessions struct {
	last     *session // of the project; nil if there is none
	sessions []*session
}

// session is a session as its transcript describes it.
type session struct {
	file    transcript.File
	sum     transcript.Summary // without its steps and the texts given to it
	problem *memory.Problem
}

// detail adds to snap what the newest transcripts say about the sessions of the project, and about
// who wrote its memories. It reads each of these transcripts once.
func (s *store) detail(ctx context.Context, snap memory.Snapshot) memory.Snapshot {
	if s.sort == ofUser || snap.Problem != nil && !snap.Place.Exists {
		return snap
	}
	t, err := s.readSessions(ctx)
	if err != nil {
		return snap
	}
	s.sessions.Store(t)
	snap.Records = slices.Clone(snap.Records)
	for i := range snap.Records {
		s.addWriter(t, &snap.Records[i])
	}
	s.describe(t, &snap)
	return snap
}

// readSessions reads the newest transcripts that were not read before.
func (s *store) readSessions(ctx context.Context) (*recentSessions, error) {
	t := &recentSessions{}
	files := transcript.List(s.slugs()...)
	var dirs []string
	for _, sh := range s.memoryFolders(s.slugs(), s.m.settings(s.root)) {
		dirs = append(dirs, sh.dir)
	}
	left := int64(maxRecentBytes)
	last, has := s.lastOf(files)
	chosen := slices.Clone(files[:min(len(files), maxRecent)])
	if has && !slices.Contains(chosen, last) {
		chosen = append(chosen, last)
	}
	for _, f := range chosen {
		read := &session{file: f}
		isLast := has && f == last
		if isLast {
			t.last = read
		}
		if f.Size > left {
			read.problem = &memory.Problem{
				Code: "too-large",
				What: fmt.Sprintf("With those that are newer it is larger than %d MB.", maxRecentBytes>>20),
			}
			continue
		}
		left -= f.Size
		if err := s.readSession(ctx, read, dirs); err != nil {
			return nil, err
		}
		t.sessions = append(t.sessions, read)
	}
	return t, nil
}

// readSession reads the transcript of a session, unless it was read before and has not changed.
// dirs are memory folders.
func (s *store) readSession(ctx context.Context, read *session, dirs []string) error {
	if known := s.sessions.Load(); known != nil {
		if i := slices.IndexFunc(known.sessions, func(o *session) bool { return o.file == read.file }); i >= 0 {
			*read = *known.sessions[i]
			return nil
		}
	}
	sum, err := transcript.Session(ctx, read.file.Path, dirs...)
	_ = errors.As(err, &read.problem) // or the context is done
	for _, path := range sum.Subagents[:min(len(sum.Subagents), maxSubagents)] {
		info, err := os.Lstat(path)
		if err != nil || info.Size() > maxTopic {
			continue
		}
		if side, err := transcript.Session(ctx, path, dirs...); err == nil {
			sum.Writes = append(sum.Writes, side.Writes...)
		}
	}
	sum.Steps, sum.Given, sum.Corrections = nil, nil, nil
	read.sum = sum
	return ctx.Err()
}

// lastOf returns the newest transcript of the project. Two projects can share a folder, so
// transcripts of another project are skipped; one that names no folder counts.
func (s *store) lastOf(files []transcript.File) (transcript.File, bool) {
	for _, f := range files[:min(len(files), maxHeads)] {
		h, err := transcript.Head(f.Path)
		if s.root == "" || err != nil || !filepath.IsAbs(h.Folder) || projectOf(h.Folder) == s.root {
			return f, true
		}
	}
	return transcript.File{}, false
}

// Facts of a record.
const (
	factWritten = "written"
	factOrigin  = "origin"
	factCaveat  = "caveat" // the last, since it is long
)

// addWriter adds to a record the session that last wrote its file.
func (s *store) addWriter(t *recentSessions, m *memory.Record) {
	m.Facts = slices.DeleteFunc(
		slices.Clone(m.Facts),
		func(f memory.Fact) bool { return f.Name == factWritten || f.Name == factOrigin },
	)
	var last *transcript.Write
	var by *session
	times, origin := 0, m.Session != ""
	for _, written := range t.sessions {
		for _, w := range written.sum.Writes {
			if w.Failed || w.Pending || filepath.Clean(w.Path) != m.File {
				continue
			}
			times++
			origin = origin && written.file.Session != m.Session
			if last == nil || w.At.After(last.At) {
				last, by = w, written
			}
		}
	}
	var facts []memory.Fact
	if last != nil {
		facts = append(
			facts,
			memory.Fact{
				Name: factWritten,
				Text: dayOf(last.At) + "by " + by.readableName() + system.Say(last.Created, ", which made it") +
					system.Say(last.Side, ", through a subagent") +
					system.Say(times > 1, ", and "+memory.Counted(times-1, "time")+" before"),
			},
		)
	}
	if origin {
		facts = append(facts, memory.Fact{Name: factOrigin, Text: s.origin(t, m.Session)})
	}
	at := slices.IndexFunc(m.Facts, func(f memory.Fact) bool { return f.Name == factCaveat })
	if at < 0 {
		at = len(m.Facts)
	}
	m.Facts = slices.Insert(m.Facts, at, facts...)
}

func dayOf(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format("2006-01-02") + " "
}

// readableName returns a readable name for the session: "session 2b802e19 (Fix the failing test)".
func (o *session) readableName() string {
	out := "session " + shortID(o.file.Session)
	if title := shortLine(cmp.Or(o.sum.Title, o.sum.Task), 60); title != "" {
		out += " (" + title + ")"
	}
	return out
}

// shortID returns the beginning of a session ID, long enough to distinguish it.
func shortID(id string) string {
	if len(id) == 36 && id[8] == '-' {
		return id[:8]
	}
	return shortLine(id, 40)
}

// shortLine returns the beginning of a text as one line of about most bytes. It cuts between words,
// so that a secret is either included whole, and can be masked, or left out.
func shortLine(text string, most int) string {
	const far = 4096
	out := ""
	for _, w := range strings.Fields(text[:min(len(text), far)]) {
		if out != "" && len(out)+1+len(w) > most {
			return oneLine(out) + " …"
		}
		if out != "" {
			out += " "
		}
		out += w
	}
	return oneLine(out)
}

// origin returns the session that a memory comes from, according to its header.
func (s *store) origin(t *recentSessions, id string) string {
	if i := slices.IndexFunc(t.sessions, func(o *session) bool { return o.file.Session == id }); i >= 0 {
		return t.sessions[i].readableName()
	}
	out := "session " + shortID(id)
	if !plainName().MatchString(id) {
		return out
	}
	for _, dir := range s.slugs() {
		h, err := transcript.Head(filepath.Join(dir, id+".jsonl"))
		if err == nil {
			if !h.Began.IsZero() {
				out += " of " + strings.TrimSpace(dayOf(h.Began))
			}
			return out
		}
	}
	return out + ", whose transcript is not here any more"
}
