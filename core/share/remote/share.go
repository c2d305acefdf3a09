package remote

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"winnow/core/atomicfile"
	"winnow/core/git"
)

// Share is an open share. It is locked against other Winnow processes until Close.
type Share struct {
	place  Place
	dir    string // the bare repository
	git    git.Git
	unlock func()
	seen   string
}

// The refs of the copy. It has no others, and git never packs these.
const (
	fetchedRef = "refs/winnow/fetched"
	seenRef    = "refs/winnow/seen"
	draftRef   = "refs/winnow/draft" // holds a commit's files while Commit makes it
)

var (
	plainKey = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,63}$`) })
	objectID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-f]{40}$`) })
)

// Open opens a share, and makes Winnow's copy if it is missing. It waits until ctx is done for another
// Winnow that uses the share. It cleans up after runs that were killed.
func Open(ctx context.Context, p Place) (*Share, error) {
	if _, err := Address(p.URL); err != nil {
		return nil, err
	}
	if !plainBranch(p.Branch) || !plainKey().MatchString(p.Key) {
		return nil, problem(BadAddress, "write it with letters, digits, dots, dashes and slashes, such as winnow/share",
			"%q is not a name for the branch of a share", p.Branch)
	}
	g, err := find(p.Ask)
	if err != nil {
		return nil, err
	}
	if p.Pause == nil {
		p.Pause = sleep
	}
	s := &Share{place: p, git: g, dir: filepath.Join(p.State, "shares", p.Key+".git")}
	if s.unlock, err = atomicfile.Lock(ctx, filepath.Join(p.State, "shares", p.Key+".lock")); err != nil {
		if ctx.Err() != nil {
			err = problem(Busy, "try again when it is done", "another Winnow is syncing this share")
		}
		return nil, err
	}
	if err = s.prepare(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// prepare makes the copy, or repairs what a killed run left.
func (s *Share) prepare(ctx context.Context) (err error) {
	if err = s.clearLocks(ctx); err != nil {
		return err
	}
	made, err := s.ref(fetchedRef)
	if err != nil {
		return err
	}
	if made == "" {
		// git init completes a copy that a killed run began.
		if err = s.checkVersion(ctx); err == nil {
			_, err = s.run(ctx, "init", "-q", "--bare", "--template=", "--shared=0600", "--initial-branch=main")
		}
	}
	if err == nil {
		s.seen, err = s.ref(seenRef)
	}
	return err
}

// Close unlocks the share for other Winnow processes.
func (s *Share) Close() {
	if s.unlock != nil {
		s.unlock()
		s.unlock = nil
	}
}

// Remove deletes Winnow's copy and closes the share, which must be open.
func (s *Share) Remove() error {
	defer s.Close()
	return os.RemoveAll(s.dir)
}

// Seen returns the tip last accepted, or "" if none was.
func (s *Share) Seen() string { return s.seen }

// ref returns the commit of one of our refs, or "". It reads the file instead of running git, so that an
// idle sync runs git only once.
func (s *Share) ref(name string) (string, error) {
	f, err := os.Open(filepath.Join(s.dir, filepath.FromSlash(name)))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, 100))
	if id := strings.TrimSpace(string(text)); err == nil && objectID().MatchString(id) {
		return id, nil
	} else if err == nil {
		err = problem(Damaged, "leave the share and join it again: your lessons stay", "Winnow's copy of the share is damaged: %s names no commit", name)
	}
	return "", err
}

// Git holds its locks for milliseconds, and no other Winnow is here. So a lock that is still there
// after this many looks was left by a killed process.
const (
	lockLooks = 20
	lockPause = 100 * time.Millisecond
)

// clearLocks removes lock files left by killed processes.
func (s *Share) clearLocks(ctx context.Context) error {
	for look := 0; ; look++ {
		var left []string
		for _, form := range []string{"*.lock", "gc.pid", "refs/winnow/*.lock", "objects/*/*.lock", "fast_import_crash_*"} {
			found, err := filepath.Glob(filepath.Join(s.dir, form))
			if err != nil {
				return err
			}
			left = append(left, found...)
		}
		switch {
		case len(left) == 0:
			return nil
		case look < lockLooks:
			if err := s.place.Pause(ctx, lockPause); err != nil {
				return err
			}
			continue
		}
		for _, path := range left {
			if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		return nil
	}
}

// Tidy packs the copy when it has more than about mostPacks packs, or mostLoose loose objects in one of
// git's 256 object folders, as a sample.
const (
	mostPacks = 50
	mostLoose = 4
)

// Tidy packs the copy if it has many small pieces. Most calls only look.
func (s *Share) Tidy(ctx context.Context) error {
	packs, err := filepath.Glob(filepath.Join(s.dir, "objects/pack/*pack*"))
	if err != nil {
		return err
	}
	loose, err := filepath.Glob(filepath.Join(s.dir, "objects/17/*"))
	if err != nil || len(packs) < 2*mostPacks && len(loose) < mostLoose {
		return err
	}
	_, err = s.run(ctx, "gc", "--quiet", "--force", "--prune=1.hour.ago")
	return err
}

// Backoff waits before push number try (0, 1, …) is repeated. The wait is a random part of a quarter
// second, which doubles with each try up to 10 seconds, so that many machines do not collide again.
func (s *Share) Backoff(ctx context.Context, try int, random io.Reader) error {
	var b [2]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return atomicfile.NoRandomness(err)
	}
	most := min(250*time.Millisecond<<min(try, 10), 10*time.Second)
	return s.place.Pause(ctx, most*time.Duration(binary.LittleEndian.Uint16(b[:]))>>16)
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// find returns the user's git.
func find(ask bool) (git.Git, error) {
	g, err := git.Find()
	if err != nil {
		return g, problem(NoGit, "install git, version 2.30 or newer", "a share needs git, and this machine has none: %v", err)
	}
	return g.Reaching(ask), nil
}

var gitVersion = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^git version (\d+)\.(\d+)`) })

// checkVersion returns an error if git is older than 2.30.
func (s *Share) checkVersion(ctx context.Context) error {
	text, err := s.run(ctx, "version")
	if err != nil {
		return err
	}
	var major, minor int
	if found := gitVersion().FindSubmatch(text); found != nil {
		_, err = fmt.Sscan(string(bytes.Join(found[1:], []byte(" "))), &major, &minor)
	}
	if err != nil || major < 2 || major == 2 && minor < 30 {
		return problem(OldGit, "install git, version 2.30 or newer", "this git is too old for a share: %s", bytes.TrimSpace(text))
	}
	return nil
}

// run runs git on the copy.
func (s *Share) run(ctx context.Context, args ...string) ([]byte, error) {
	out, err := s.git.Run(ctx, s.dir, args...)
	return out, explain(ctx, err)
}
