package library

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"winnow/core/detect"
	"winnow/core/memory"
	"winnow/core/share"
	"winnow/core/share/remote"
)

// reading reads one commit of a share.
type reading struct {
	*remote.Share
	in    *share.Reader
	files map[string]string // objects by path
	plain bool              // no path differs from a share's file only in case, and none in its folders is odd
}

// limits returns the limits for reading a share. It sets plain to false when a path differs from a share's
// file only in case, or is in one of its folders and has no such name.
func limits(plain *bool) remote.Limits {
	return remote.Limits{Files: share.MaxFiles, Bytes: share.MaxFile, Total: share.MaxBytes, Name: func(path string) bool {
		known := share.Known(path)
		*plain = *plain && (known || !odd(path) && !share.Known(strings.ToLower(path)))
		return known
	}}
}

// odd reports whether an unknown path is in one of the share's folders.
func odd(path string) bool {
	folder, _, _ := strings.Cut(path, "/")
	return slices.Contains([]string{share.Lessons, share.Tombstones, share.CountFiles}, folder+"/")
}

// list lists the files of a share.
func list(ctx context.Context, r *remote.Share, tip, machine string) (c reading, err error) {
	c = reading{Share: r, in: share.NewReader(machine), plain: true}
	within := limits(&c.plain)
	known := within.Name
	within.Name = func(path string) bool {
		is := known(path)
		if !is && odd(path) {
			c.in.Refuse(path, "no file of a share has such a name")
		}
		return is
	}
	c.files, err = r.Files(ctx, tip, within, c.in)
	return c, err
}

// readFiles reads the wanted files.
func (c *reading) readFiles(ctx context.Context, wanted func(path string) bool) error {
	files := maps.Clone(c.files)
	maps.DeleteFunc(files, func(path, _ string) bool { return !wanted(path) })
	return c.Read(ctx, files, limits(&c.plain), c.in)
}

// state returns what was read.
func (c *reading) state() (*share.State, error) {
	s, err := c.in.State()
	if err != nil {
		return nil, &memory.Problem{Code: "no-share", What: "it is not a usable share: " + err.Error(), Hint: "winnow sync init creates a share on a new branch"}
	}
	return s, nil
}

// isShare returns an error if the commit is not a share.
func isShare(ctx context.Context, r *remote.Share, tip, machine string) error {
	c, err := list(ctx, r, tip, machine)
	if err == nil {
		err = c.readFiles(ctx, func(path string) bool { return path == share.SettingsFile })
	}
	if err == nil {
		_, err = c.state()
	}
	return err
}

// read reads the share, except lessons unchanged since the last sync.
func (y *syncing) read(ctx context.Context, tip string) error {
	c, err := y.follow(ctx, tip)
	if err == nil && c == nil {
		c, err = y.readAll(ctx, tip)
	}
	if err != nil {
		return err
	}
	y.theirs, _ = c.state() // cannot fail: the settings were read before
	y.plain = c.plain && len(y.theirs.Refused) == 0 && y.ids.texts == nil
	before, err := y.earlier(ctx, c)
	if err != nil {
		return err
	}
	if err := y.base.Open(y.theirs, before); err != nil {
		y.dropBase(err)
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

// readAll lists the whole share, and reads all files except quiet lessons.
func (y *syncing) readAll(ctx context.Context, tip string) (*reading, error) {
	c, err := list(ctx, y.remote, tip, y.f.Machine)
	isLesson := func(path string) bool { return strings.HasPrefix(path, share.Lessons) }
	if err == nil {
		err = c.readFiles(ctx, func(path string) bool { return !isLesson(path) })
	}
	if err != nil {
		return nil, err
	}
	theirs, err := c.state()
	if err != nil {
		return nil, err
	}
	if y.ids.texts != nil {
		theirs.Own, theirs.Others = share.Counts{}, share.Counts{} // text records are not counted
	}
	quiet := map[string]bool{}
	if y.base != nil && y.ids.texts == nil {
		y.base.Look(c.files, y.lines, theirs)
		quiet = y.base.QuietPaths()
	}
	return &c, c.readFiles(ctx, func(path string) bool { return isLesson(path) && !quiet[path] })
}

// follow reads only what changed since the base. It returns nil if the whole share must be read.
func (y *syncing) follow(ctx context.Context, tip string) (*reading, error) {
	if y.base == nil || y.base.Commit == "" || y.o.Rewritten {
		return nil, nil
	}
	c, changed := reading{Share: y.remote, plain: true}, map[string]share.Changed{}
	if tip != y.base.Commit {
		known, err := y.remote.Diff(ctx, y.base.Commit, tip, limits(&c.plain), func(path, was, is string) { changed[path] = share.Changed{Was: was, Is: is} })
		if err != nil || !known || !c.plain {
			return nil, err
		}
	}
	f, counts := y.base.Follow(y.f.Machine, y.now(), changed), blobs{}
	if f == nil {
		return nil, nil
	}
	err := y.remote.Read(ctx, f.Counts(), limits(&c.plain), counts)
	if err != nil || !f.Recount(counts) {
		return nil, err
	}
	f.Look(y.lines)
	c.in, c.files = f.Reader, f.Files()
	err = c.readFiles(ctx, func(string) bool { return true })
	if s, _ := c.state(); err != nil || len(s.Refused) > 0 {
		return nil, err
	}
	return &c, nil
}

// blobs keeps the content of files by path.
type blobs map[string][]byte

// Add implements [remote.Reader].
func (b blobs) Add(path string, data []byte) { b[path] = data }

// Refuse implements [remote.Reader]. The text it stores does not parse as counts.
func (b blobs) Refuse(path, _ string) { b[path] = []byte("refused") }

// earlier reads the lesson versions that the base refers to and the share no longer has.
func (y *syncing) earlier(ctx context.Context, c *reading) (*share.State, error) {
	old := y.base.Objects()
	maps.DeleteFunc(old, func(path, object string) bool { return c.files[path] == object })
	in := share.NewReader(y.f.Machine)
	err := c.Read(ctx, old, limits(&c.plain), in)
	before, _ := in.State() // it has no settings, which is no error here
	return before, err
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
		commits, _, err := y.remote.Log(ctx, remote.Query{Old: since, New: tip, Most: mostCommits, Check: len(y.f.Trusted) > 0})
		for i := range slices.Backward(commits) {
			s := senderOf(&commits[i])
			if commits[i].Merge {
				s.Key = "" // who merges need not have read what others wrote
			}
			for _, path := range commits[i].Paths {
				if strings.HasPrefix(path, share.Lessons) {
					from[path] = s
				}
			}
		}
		return from, err
	}
}

// newSender returns who brought a lesson since the last sync.
func (y *syncing) newSender(id string) sender {
	if y.from.since == nil && y.from.err == nil {
		y.from.since, y.from.err = y.from.log(y.remote.Seen())
	}
	return y.from.since[share.LessonPath(id)]
}

// sender returns who brought a lesson of the share. It looks at the commits since the last sync, then in
// the base, then in the whole history.
func (y *syncing) sender(id string) (s sender, known bool) {
	if _, there := y.theirs.Lessons[id]; !there {
		return s, false
	}
	if s = y.newSender(id); s != (sender{}) {
		return s, true
	}
	if json.Unmarshal([]byte(y.base.Sender(id)), &s) == nil {
		return s, true
	}
	if y.from.ever == nil && y.from.err == nil && y.remote.Seen() != "" {
		y.from.ever, y.from.err = y.from.log("")
	}
	s, known = y.from.ever[share.LessonPath(id)]
	return s, known
}

// withSenders adds to a base who brought its lessons, and the share's commit if the base describes all of it.
func (y *syncing) withSenders(b *share.Base, commit string) *share.Base {
	if b.Commit = ""; y.plain {
		b.Commit = commit
	}
	for id := range y.theirs.Lessons {
		path := share.LessonPath(id)
		s, known := y.from.since[path]
		if old, ever := y.from.ever[path]; ever && !known && b.Sender(id) == "" {
			s, known = old, true
		}
		if known {
			text, _ := json.Marshal(s) // cannot fail
			b.SetSender(id, string(text))
		}
	}
	return b
}
