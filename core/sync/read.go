package sync

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"winnow/core/detect"
	"winnow/core/memory"
	"winnow/core/share"
)

// reading reads one commit of a share.
type reading struct {
	*remoteShare
	in    *share.Reader
	files map[string]string // objects by path
}

// limits are the limits for reading a share.
func limits() readLimits {
	return readLimits{Files: share.MaxFiles, Bytes: share.MaxFile, Total: share.MaxBytes, Name: share.Known}
}

// odd reports whether an unknown path is in one of the share's folders.
func odd(path string) bool {
	folder, _, _ := strings.Cut(path, "/")
	return slices.Contains([]string{share.Lessons, share.Tombstones}, folder+"/")
}

// list lists the files of a share.
func list(ctx context.Context, r *remoteShare, tip string) (c reading, err error) {
	c = reading{remoteShare: r, in: share.NewReader()}
	within := limits()
	known := within.Name
	within.Name = func(path string) bool {
		is := known(path)
		if !is && odd(path) {
			c.in.Refuse(path, "no file of a share has such a name")
		}
		return is
	}
	c.files, err = r.files(ctx, tip, within, c.in)
	return c, err
}

// readFiles reads the wanted files.
func (c *reading) readFiles(ctx context.Context, wanted func(path string) bool) error {
	files := maps.Clone(c.files)
	maps.DeleteFunc(files, func(path, _ string) bool { return !wanted(path) })
	return c.read(ctx, files, limits(), c.in)
}

// state returns what was read.
func (c *reading) state() (*share.State, error) {
	s, err := c.in.State()
	if err != nil {
		return nil, &memory.Problem{
			Code: "no-share",
			What: "it is not a usable share: " + err.Error(),
			Hint: "winnow sync init creates a share on a new branch",
		}
	}
	return s, nil
}

// isShare returns an error if the commit is not a share.
func isShare(ctx context.Context, r *remoteShare, tip string) error {
	c, err := list(ctx, r, tip)
	if err == nil {
		err = c.readFiles(ctx, func(path string) bool { return path == share.SettingsFile })
	}
	if err == nil {
		_, err = c.state()
	}
	return err
}

// read reads the share.
func (y *syncing) read(ctx context.Context, tip string) error {
	c, err := list(ctx, y.remote, tip)
	if err == nil {
		err = c.readFiles(ctx, func(string) bool { return true })
	}
	if err != nil {
		return err
	}
	c.in.RefuseIf(holdsSecret, "its id holds a secret")
	if y.theirs, err = c.state(); err != nil {
		return err
	}
	for _, r := range y.theirs.Refused {
		y.out.Notes = append(y.out.Notes, detect.Redact(r.String()))
	}
	if y.theirs.More > 0 {
		y.out.Notes = append(y.out.Notes, fmt.Sprintf("%d more files are refused.", y.theirs.More))
	}
	return nil
}

// senders tells who brought each lesson, by path. With a long history this takes longer than the rest of
// a sync, so it is read only when needed.
type senders struct {
	log   func(since string) (map[string]sender, error)
	since map[string]sender // since the last sync; nil until needed
	ever  map[string]sender // in the whole history; nil until needed
	err   error
}

// log returns a function that reads who brought the files of lessons since a commit.
func (y *syncing) log(ctx context.Context, tip string) func(since string) (map[string]sender, error) {
	const mostCommits = 20_000
	return func(since string) (map[string]sender, error) {
		from := map[string]sender{}
		if tip == since {
			return from, nil
		}
		commits, _, err := y.remote.log(ctx, logQuery{Old: since, New: tip, Most: mostCommits})
		for i := range slices.Backward(commits) {
			s := senderOf(&commits[i])
			for _, path := range commits[i].Paths {
				if strings.HasPrefix(path, share.Lessons) {
					from[path] = s
				}
			}
		}
		return from, err
	}
}

// newSender returns who brought or deleted a lesson since the last sync.
func (y *syncing) newSender(id string) sender {
	if y.from.since == nil && y.from.err == nil {
		y.from.since, y.from.err = y.from.log(y.remote.tipSeen())
	}
	return y.from.since[share.LessonPath(id)]
}

// sender returns who brought a lesson of the share. It looks at the commits since the last sync, then at the whole
// history.
func (y *syncing) sender(id string) (s sender, known bool) {
	if _, there := y.theirs.Lessons[id]; !there {
		return s, false
	}
	if s = y.newSender(id); s != (sender{}) {
		return s, true
	}
	if y.from.ever == nil && y.from.err == nil && y.remote.tipSeen() != "" {
		y.from.ever, y.from.err = y.from.log("")
	}
	s, known = y.from.ever[share.LessonPath(id)]
	return s, known
}
