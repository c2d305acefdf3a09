package sync

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

// remoteShare is an open share.
type remoteShare struct {
	place remotePlace
	dir   string // the bare repository
	git   git.Git
	far   git.Git // for runs that reach the remote
	// fetchURL and pushURL are the addresses that git uses.
	fetchURL, pushURL string
	seen              string
	// before is what the copy held before the first fetch: the tip fetched last, and its files of objects.
	before *copyContent
}

// copyContent is what a copy holds.
type copyContent struct {
	tip   string
	files map[string]bool
}

// The refs of the copy. It has no others, and git never packs these.
const (
	fetchedRef = "refs/winnow/fetched"
	seenRef    = "refs/winnow/seen"
	draftRef   = "refs/winnow/draft" // holds a commit's files while commit makes it
)

var (
	plainKey = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,63}$`) })
	objectID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-f]{40}$`) })
)

// lockPatience is how long lockShare waits before it says so.
const lockPatience = 500 * time.Millisecond

// lockShare keeps other Winnow processes from a share until unlock is called. If one of them has it, lockShare calls
// waits, which may be nil, after half a second, and goes on waiting until ctx is done.
func lockShare(ctx context.Context, state, key string, waits func()) (unlock func(), err error) {
	path := filepath.Join(state, shareFolder, key+".lock")
	soon, cancel := context.WithTimeout(ctx, lockPatience)
	defer cancel()
	if unlock, err = atomicfile.Lock(soon, path); err == nil || soon.Err() == nil || ctx.Err() != nil {
		return unlock, err
	}
	if waits != nil {
		waits()
	}
	return atomicfile.Lock(ctx, path)
}

// shareFolder is the folder of the copies in Winnow's state folder.
const shareFolder = "shares"

// copyOf returns the folder of a share's copy.
func copyOf(state, key string) string { return filepath.Join(state, shareFolder, key+".git") }

// forgetCopy deletes Winnow's copy of a share, which must be locked. Whoever interrupts it calls it again.
func forgetCopy(state, key string) error { return os.RemoveAll(copyOf(state, key)) }

// openRemote opens a share, which must be locked, and makes Winnow's copy if it is missing. It cleans up after
// runs that were killed.
func openRemote(ctx context.Context, p remotePlace) (*remoteShare, error) {
	if _, err := addressOf(p.URL, nil); err != nil {
		return nil, err
	}
	if !plainBranch(p.Branch) || !plainKey().MatchString(p.Key) {
		return nil, remoteProblem(codeBadAddress, "write it with letters, digits, dots, dashes and slashes, such as winnow/share",
			"%q is not a name for the branch of a share", p.Branch)
	}
	g, err := findGit(p.Ask)
	if err != nil {
		return nil, err
	}
	if p.Pause == nil {
		p.Pause = sleepFor
	}
	if err := atomicfile.MakeFolder(atomicfile.OS(), filepath.Join(p.State, shareFolder)); err != nil {
		return nil, err
	}
	s := &remoteShare{place: p, git: g, far: g.EndingSilence(p.Silence), dir: copyOf(p.State, p.Key)}
	if err = s.prepare(ctx); err != nil {
		return nil, err
	}
	if s.fetchURL, s.pushURL, err = addresses(ctx, g, s.dir, p.URL); err != nil {
		return nil, err
	}
	return s, nil
}

// prepare makes the copy, or repairs what a killed run left.
func (s *remoteShare) prepare(ctx context.Context) (err error) {
	if err = s.clearLocks(ctx); err != nil {
		return err
	}
	if err = s.clearPieces(); err != nil {
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

// pieces are the files that git leaves in a copy when it is killed.
var pieces = []string{
	"objects/pack/tmp_*",
	"objects/pack/*.keep",
	"objects/*/tmp_obj_*",
	"objects/tmp_*",
	"objects/incoming-*",
}

// clearPieces removes what a run of git left that did not come to its end.
func (s *remoteShare) clearPieces() error {
	for _, form := range pieces {
		found, err := filepath.Glob(filepath.Join(s.dir, filepath.FromSlash(form)))
		if err != nil {
			return err
		}
		for _, path := range found {
			if err := os.RemoveAll(path); err != nil {
				return err
			}
		}
	}
	return nil
}

// objectFiles returns the files in which the copy has its objects.
func (s *remoteShare) objectFiles() ([]string, error) {
	return filepath.Glob(filepath.Join(s.dir, "objects", "*", "*"))
}

// remember notes what the copy holds, unless that was done since the last accept.
func (s *remoteShare) remember() error {
	if s.before != nil {
		return nil
	}
	tip, err := s.ref(fetchedRef)
	if err != nil {
		return err
	}
	files, err := s.objectFiles()
	if err != nil {
		return err
	}
	s.before = &copyContent{tip: tip, files: map[string]bool{}}
	for _, path := range files {
		s.before.files[path] = true
	}
	return nil
}

// discard removes what was fetched and made since the last accept, for a sync that failed: nothing refers to
// it, and a remote could fill the disk with it. It works after ctx has ended too.
func (s *remoteShare) discard(ctx context.Context) error {
	if s.before == nil {
		return nil
	}
	for _, ref := range []string{draftRef, fetchedRef} {
		if err := os.Remove(s.refFile(ref)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if s.before.tip != "" {
		undo := context.WithoutCancel(ctx)
		if _, err := s.run(undo, "update-ref", "--no-deref", fetchedRef, s.before.tip); err != nil {
			return err
		}
	}
	files, err := s.objectFiles()
	if err != nil {
		return err
	}
	for _, path := range files {
		if s.before.files[path] {
			continue
		}
		if err := os.RemoveAll(path); err != nil {
			return err
		}
	}
	s.before = nil
	return s.clearPieces()
}

// tipSeen returns the tip last accepted, or "" if none was.
func (s *remoteShare) tipSeen() string { return s.seen }

// refFile returns the file of one of our refs.
func (s *remoteShare) refFile(name string) string {
	return filepath.Join(s.dir, filepath.FromSlash(name))
}

// ref returns the commit of one of our refs, or "". It reads the file instead of running git, so that an
// idle sync runs git only once.
func (s *remoteShare) ref(name string) (string, error) {
	f, err := os.Open(s.refFile(name))
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
		err = remoteProblem(
			codeDamaged,
			"leave the share and join it again: your lessons stay",
			"Winnow's copy of the share is damaged: %s names no commit",
			name,
		)
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
func (s *remoteShare) clearLocks(ctx context.Context) error {
	for look := 0; ; look++ {
		var left []string
		for _, form := range []string{
			"*.lock", "gc.pid", "refs/winnow/*.lock", "objects/*/*.lock", "fast_import_crash_*",
		} {
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

// tidy packs the copy when it has more than about mostPacks packs, or mostLoose loose objects in one of
// git's 256 object folders, as a sample.
const (
	mostPacks = 50
	mostLoose = 4
)

// tidy packs the copy if it has many small pieces. Most calls only look.
func (s *remoteShare) tidy(ctx context.Context) error {
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

// backoff waits before push number try (0, 1, …) is repeated. The wait is a random part of a quarter
// second, which doubles with each try up to 10 seconds, so that many machines do not collide again.
func (s *remoteShare) backoff(ctx context.Context, try int, random io.Reader) error {
	var b [2]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return atomicfile.NoRandomness(err)
	}
	most := min(250*time.Millisecond<<min(try, 10), 10*time.Second)
	return s.place.Pause(ctx, most*time.Duration(binary.LittleEndian.Uint16(b[:]))>>16)
}

func sleepFor(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// findGit returns the user's git.
func findGit(ask bool) (git.Git, error) {
	g, err := git.Find()
	if err != nil {
		return g, remoteProblem(
			codeNoGit,
			"install git, version 2.30 or newer",
			"a share needs git, and this machine has none: %v",
			err,
		)
	}
	return g.Reaching(ask), nil
}

var gitVersion = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^git version (\d+)\.(\d+)`) })

// checkVersion returns an error if git is older than 2.30.
func (s *remoteShare) checkVersion(ctx context.Context) error {
	text, err := s.run(ctx, "version")
	if err != nil {
		return err
	}
	var major, minor int
	if found := gitVersion().FindSubmatch(text); found != nil {
		_, err = fmt.Sscan(string(bytes.Join(found[1:], []byte(" "))), &major, &minor)
	}
	if err != nil || major < 2 || major == 2 && minor < 30 {
		return remoteProblem(
			codeOldGit,
			"install git, version 2.30 or newer",
			"this git is too old for a share: %s",
			bytes.TrimSpace(text),
		)
	}
	return nil
}

// run runs git on the copy.
func (s *remoteShare) run(ctx context.Context, args ...string) ([]byte, error) {
	out, err := s.git.Run(ctx, s.dir, args...)
	return out, explain(ctx, err)
}
