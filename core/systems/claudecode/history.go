package claudecode

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"winnow/core/filestore"
	"winnow/core/memory"
	agents "winnow/core/session"
	"winnow/core/systems/claudecode/transcript"
)

// Limits of listing sessions.
const (
	mostHeads = 5000 // sessions
	mostRead  = 200  // the newest, whose beginnings are read; the others take the folder of their project folder
)

// heads returns the sessions whose transcripts are on a machine, newest first. If folder is not
// empty, it returns only those of that project.
func heads(ctx context.Context, m machine, folder string, now time.Time) (all []agents.Head, _ error) {
	for _, e := range m.listed.names(m.projects(), now) {
		dir := filepath.Join(m.projects(), e.Name())
		if !e.IsDir() || ctx.Err() != nil {
			continue
		}
		files := transcript.List(dir)
		works := ""
		if len(files) > 0 {
			works = cwdOf(dir)
		}
		if folder != "" && works != "" && !filestore.Within(folder, works) && !sharesSlug(works, folder) {
			continue
		}
		for _, f := range files {
			all = append(
				all,
				agents.Head{System: id, ID: f.Session, Path: f.Path, Folder: works, Changed: f.ModTime, Size: f.Size},
			)
		}
	}
	slices.SortStableFunc(all, func(a, b agents.Head) int { return b.Changed.Compare(a.Changed) })
	all = all[:min(len(all), mostHeads)]
	for i := range all[:min(len(all), mostRead)] {
		if h, err := transcript.Head(all[i].Path); err == nil && filepath.IsAbs(h.Folder) {
			all[i].Folder = filepath.Clean(h.Folder)
		}
	}
	return all, ctx.Err()
}

// sharesSlug reports whether the project folder of one folder can also be that of another, or of a
// folder below it.
func sharesSlug(works, folder string) bool { return strings.HasPrefix(slug(works), slug(folder)) }

// readTranscript reads a session.
func readTranscript(ctx context.Context, m machine, head agents.Head, now time.Time) (agents.Session, error) {
	sum, err := transcript.Session(ctx, head.Path)
	s := sum.Session
	head.ID, head.Folder, head.Subagent = cmp.Or(head.ID, s.ID), cmp.Or(s.Folder, head.Folder), s.Subagent
	s.Head = head
	if err != nil {
		return s, err
	}
	m.addOpened(ctx, &s, sum.Subagents)
	if root := s.Folder; filepath.IsAbs(root) {
		if root = mainOf(root); !filestore.Within(root, s.Folder) {
			root = projectOf(s.Folder)
		}
		for _, path := range sum.Reads {
			if !filestore.Within(m.config, filepath.Clean(path)) {
				s.AddFile(root, path)
			}
		}
	}
	switch {
	case head.Size > transcript.MostRead:
		s.State, s.Why = agents.Unknown, "The transcript is larger than 1 GB, and its end was not read."
	case m.goesOn(&s, sum.Closed, now):
		s.State = agents.Running
	default:
		conclude(&s, &sum)
	}
	return s, nil
}

// addOpened adds the memories that the subagents of a session read, and resolves the home folder in paths.
func (m *machine) addOpened(ctx context.Context, s *agents.Session, subagents []string) {
	for _, path := range subagents[:min(len(subagents), maxSubagents)] {
		paths, err := transcript.Opened(ctx, path)
		s.Opened = memory.AppendNew(s.Opened, paths...)
		s.GivenPartly = s.GivenPartly || err != nil
	}
	s.GivenPartly = s.GivenPartly || len(subagents) > maxSubagents
	for i, path := range s.Opened {
		if rest, is := strings.CutPrefix(path, "~/"); is {
			path = filepath.Join(m.home, rest)
		}
		s.Opened[i] = filepath.Clean(path)
	}
}

// goesOn reports whether a session is running or may continue. A hook, a note in the transcript or
// a dead process shows that it is over. Without any of them, it counts as over once it has been
// silent.
func (m *machine) goesOn(s *agents.Session, closed bool, now time.Time) bool {
	live, died := false, false
	for _, r := range transcript.Noted(m.config) {
		if r.Session == s.ID {
			live, died = live || m.alive(r.PID), true
		}
	}
	if s.Ended.After(s.Changed) {
		s.Changed = s.Ended
	}
	return !s.ToldOver(s.Ended) && (live || !died && !closed && !s.Silent(now, s.Ended))
}

// conclude sets how a session ended that is not running.
func conclude(s *agents.Session, sum *transcript.Summary) {
	why := s.Why
	s.Why = ""
	switch sum.End {
	case transcript.Finished, transcript.Answered:
		s.State = agents.Judge(s.Steps)
	case transcript.Interrupted:
		s.State = agents.Aborted
	case transcript.Broken:
		s.State, s.Why = agents.Failed, cmp.Or(why, "API error")
	case transcript.Unused:
		s.State, s.Why = agents.Unknown, "Nobody asked for anything."
	default:
		s.State, s.Why = agents.Unknown, "Its last turn has no end: the process was killed, or it crashed."
		if sum.Closed || s.ToldOver(s.Ended) {
			s.State, s.Why = agents.Aborted, "It was closed in the middle of a turn."
		}
	}
}
