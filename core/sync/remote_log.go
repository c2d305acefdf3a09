package sync

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"
)

// log returns commits, newest first, and whether there are more.
func (s *remoteShare) log(ctx context.Context, q logQuery) (commits []remoteCommit, more bool, err error) {
	args := []string{
		"log", "-z", "--raw", "-m", "--no-renames", "--no-abbrev", "--ignore-submodules=none", "--topo-order",
		"--format=" + logFormat, "--max-count=" + strconv.Itoa(q.Most+1), q.New,
	}
	if q.Old != "" {
		args = append(args, "^"+q.Old)
	}
	p, err := s.git.Start(ctx, s.dir, false, append(args, "--")...)
	if err != nil {
		return nil, false, explain(ctx, err)
	}
	l := logReader{width: strings.Count(logFormat, "%x00") + 1}
	if err = p.Each(0, l.read); err != nil {
		return nil, false, explain(ctx, err)
	}
	for i, c := range l.commits {
		slices.Sort(c.Paths)
		l.commits[i].Paths = slices.Compact(c.Paths)
	}
	more = len(l.commits) > q.Most
	return l.commits[:min(len(l.commits), q.Most)], more, nil
}

// logFormat are the fields of a commit, as commitOf takes them.
const logFormat = "%H%x00%an%x00%ae%x00%ct%x00%P%x00%s"

// logReader parses the output of git log: the fields of each commit, then for each file what changed
// and its path. A merge is printed once for each parent.
type logReader struct {
	width   int // number of fields of a commit
	fields  []string
	path    bool // the next token is a path
	commits []remoteCommit
}

func (l *logReader) read(text []byte) error {
	token := string(text)
	last := len(l.commits) - 1
	switch {
	case l.path:
		l.path = false
		l.commits[last].Paths = append(l.commits[last].Paths, token)
		return nil
	case len(l.fields) == 0:
		token = strings.TrimLeft(token, "\n")
		if token == "" {
			return nil
		}
		if token[0] == ':' && last >= 0 {
			l.path = true
			return nil
		}
		if !objectID().MatchString(token) {
			return remoteProblem(codeFromGit, "", "git log printed what Winnow does not know: %q", token)
		}
	}
	if l.fields = append(l.fields, token); len(l.fields) == l.width {
		if last < 0 || l.commits[last].ID != l.fields[0] {
			l.commits = append(l.commits, commitOf(l.fields))
		}
		l.fields = l.fields[:0]
	}
	return nil
}

func commitOf(fields []string) remoteCommit {
	seconds, _ := strconv.ParseInt(fields[3], 10, 64) // an invalid date becomes 1970
	return remoteCommit{
		ID: fields[0], Author: fields[1], Mail: fields[2], Time: time.Unix(seconds, 0).UTC(),
		Merge: strings.Contains(fields[4], " "), Subject: fields[5],
	}
}
