package library

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"winnow/core/atomicfile"
	"winnow/core/detect"
	"winnow/core/memory"
	"winnow/core/share"
	"winnow/core/share/remote"
)

// reading is a commit of a share that is read.
type reading struct {
	*remote.Share
	in    *share.Reader
	files map[string]string // objects by path
}

// limits bound what is taken of a share.
var limits = remote.Limits{Files: share.MaxFiles, Bytes: share.MaxFile, Total: share.MaxBytes, Name: share.Known}

// list lists the files of a share.
func list(ctx context.Context, r *remote.Share, tip, machine string) (reading, error) {
	in := share.NewReader(machine)
	files, err := r.Files(ctx, tip, limits, in)
	return reading{r, in, files}, err
}

// take reads the files that are wanted.
func (c *reading) take(ctx context.Context, wanted func(path string) bool) error {
	files := maps.Clone(c.files)
	maps.DeleteFunc(files, func(path, _ string) bool { return !wanted(path) })
	return c.Read(ctx, files, limits, c.in)
}

// state returns what was read.
func (c *reading) state() (*share.State, error) {
	s, err := c.in.State()
	if err != nil {
		return nil, &memory.Problem{Code: "no-share", What: "it is no share that can be used: " + err.Error(), Hint: "winnow sync init makes a share on a branch that is not there yet"}
	}
	return s, nil
}

// isShare returns an error when a commit is none of a share.
func isShare(ctx context.Context, r *remote.Share, tip, machine string) error {
	c, err := list(ctx, r, tip, machine)
	if err == nil {
		err = c.take(ctx, func(path string) bool { return path == share.SettingsFile })
	}
	if err == nil {
		_, err = c.state()
	}
	return err
}

// read reads the share: all but the lessons that nobody changed since the last sync.
func (y *syncing) read(ctx context.Context, tip string) error {
	c, err := list(ctx, y.remote, tip, y.f.Machine)
	isLesson := func(path string) bool { return strings.HasPrefix(path, share.Lessons) }
	if err == nil {
		err = c.take(ctx, func(path string) bool { return !isLesson(path) })
	}
	if err != nil {
		return err
	}
	if y.theirs, err = c.state(); err != nil {
		return err
	}
	if y.ids.texts != nil {
		y.theirs.Own, y.theirs.Others = share.Counts{}, share.Counts{} // nobody counts them
	}
	if y.quiet = nil; y.base != nil && y.ids.texts == nil {
		y.quiet = y.base.Quiet(c.files, y.lines, y.theirs)
	}
	quiet := map[string]bool{}
	for id := range y.quiet {
		quiet[share.LessonPath(id)] = true
	}
	if err := c.take(ctx, func(path string) bool { return isLesson(path) && !quiet[path] }); err != nil {
		return err
	}
	y.theirs, _ = c.state() // its settings were read
	before, err := y.gone(ctx, &c)
	if err != nil {
		return err
	}
	if err := y.base.Open(y.theirs, before); err != nil {
		y.lost(err)
		return y.read(ctx, tip)
	}
	for _, r := range y.theirs.Refused {
		y.out.Notes = append(y.out.Notes, detect.Redact(r.String()))
	}
	if y.theirs.More > 0 {
		y.out.Notes = append(y.out.Notes, fmt.Sprintf("%d more files are refused.", y.theirs.More))
	}
	return nil
}

// gone reads the lessons that the base refers to and the share does not have any more.
func (y *syncing) gone(ctx context.Context, c *reading) (*share.State, error) {
	gone := y.base.Objects()
	maps.DeleteFunc(gone, func(path, object string) bool { return c.files[path] == object })
	in := share.NewReader(y.f.Machine)
	err := c.Read(ctx, gone, limits, in)
	before, _ := in.State() // it has lessons only
	return before, err
}

// senders finds out who brought the files of lessons since the last sync.
func (y *syncing) senders(ctx context.Context, tip string) error {
	const mostCommits = 20_000
	commits, _, err := y.remote.Log(ctx, remote.Query{Old: y.remote.Seen(), New: tip, Most: mostCommits, Check: len(y.f.Trusted) > 0})
	if err != nil {
		return err
	}
	y.from = map[string]sender{}
	if y.format1 {
		s, err := atomicfile.Look(atomicfile.OS(), y.sharePath(y.f.Key+fromEnd))
		if err != nil || json.Unmarshal(s.Data, &y.from) != nil {
			clear(y.from) // what cannot be read is not known
		}
	}
	for i := range slices.Backward(commits) {
		s := senderOf(&commits[i])
		if commits[i].Merge {
			s.Key = "" // who merges need not have read what the others wrote
		}
		for _, path := range commits[i].Paths {
			if strings.HasPrefix(path, share.Lessons) {
				y.from[path] = s
			}
		}
	}
	return nil
}

// sender returns who brought a lesson that is in the share.
func (y *syncing) sender(id string) (s sender, known bool) {
	if _, there := y.theirs.Lessons[id]; !there {
		return s, false
	}
	if s, known = y.from[share.LessonPath(id)]; !known {
		known = json.Unmarshal([]byte(y.base.From(id)), &s) == nil
	}
	return s, known
}

// brought returns a base that tells who brought its lessons.
func (y *syncing) brought(b *share.Base) *share.Base {
	for id := range y.theirs.Lessons {
		if s, known := y.from[share.LessonPath(id)]; known {
			text, _ := json.Marshal(s) // of texts and a time
			b.Bring(id, string(text))
		}
	}
	return b
}
