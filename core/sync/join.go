package sync

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"winnow/core/atomicfile"
	"winnow/core/detect"
	"winnow/core/git"
	"winnow/core/library"
	"winnow/core/memory"
	"winnow/core/share"
	"winnow/core/share/joined"
)

// oddInMachine matches what is replaced by a dash in the name of a machine.
var oddInMachine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[^a-z0-9]+`) })

// machine returns this machine's name in the share of a store. The default is the host name and a random
// part, so that it is unique for each store and machine.
func (sy *Syncer) machine(name, key string) (string, error) {
	if name != "" {
		if !share.Machine(name) || holdsSecret(name) {
			return "", &memory.Problem{
				Code: "machine",
				What: fmt.Sprintf("%q cannot name a machine", name),
				Hint: "use a-z, 0-9 and -, at most 64",
			}
		}
		return name, nil
	}
	host, _ := os.Hostname() // without one, the default below is used
	host, _, _ = strings.Cut(strings.ToLower(host), ".")
	host = strings.Trim(oddInMachine().ReplaceAllString(host[:min(len(host), 40)], "-"), "-")
	temp, err := atomicfile.NewTemp(sy.state.Rand)
	if err != nil {
		return "", err
	}
	return cmp.Or(host, "machine") + "-" + atomicfile.ShortDigest(temp + key)[:6], nil
}

// StartShare creates a share for a store, or joins one. It sends nothing from the store; the first sync
// does.
func (sy *Syncer) StartShare(ctx context.Context, o memory.ShareStart) (memory.Share, error) {
	if sy.readOnly {
		return memory.Share{}, fmt.Errorf("share %s: %w", o.Store, memory.ErrReadOnly)
	}
	if o.Store == "" {
		var err error
		if o.Store, err = sy.ownLessons(ctx); err != nil {
			return memory.Share{}, err
		}
	}
	if err := memory.NoPlace(sy.state.Dir, "the share"); err != nil {
		return memory.Share{}, err
	}
	sy.forgetOrphans(ctx)
	key := joined.KeyOf(library.RealID(o.Store))
	leave, err := lockShare(ctx, sy.state.Dir, key, o.Waits)
	if err != nil {
		return memory.Share{}, err
	}
	defer leave()
	if f, err := sy.readShare(key); !errors.Is(err, os.ErrNotExist) {
		if err == nil {
			err = &memory.Problem{
				Code: "shared", What: "the store is shared already, through " + f.URL,
				Hint: "winnow sync; or leave that share first: winnow sync leave",
			}
		}
		return f.Share, err
	}
	err = sy.shareable(o.Store)
	f := joined.File{Share: memory.Share{
		Key: key, Store: o.Store, Place: sy.lib.Short(o.Store.Path()), Joined: sy.now(),
	}}
	if err == nil {
		f.Machine, err = sy.machine(o.Machine, key)
	}
	if err == nil && o.URL == "" {
		o.URL, err = sy.origin(ctx)
		o.Branch = cmp.Or(o.Branch, "winnow/share")
	}
	if err == nil {
		f.Address, err = addressOf(o.URL, holdsSecret)
	}
	if err != nil {
		return f.Share, err
	}
	f.URL = detect.Redact(f.Address)
	if err := sy.chooseBranch(ctx, &f, o); err != nil {
		return f.Share, err
	}
	if err := sy.begin(ctx, &f, o); err != nil {
		return f.Share, err
	}
	return f.Share, sy.writeShare(&f)
}

// chooseBranch sets the branch of a share. The branch of a new share must be missing, and that of one to join there.
func (sy *Syncer) chooseBranch(ctx context.Context, f *joined.File, o memory.ShareStart) error {
	tips, head, err := lookAtRemote(ctx, f.Address, o.Ask, sy.lib.Settings().ShareTimeout())
	if err != nil {
		return err
	}
	f.Branch = cmp.Or(o.Branch, head, "main")
	tip := tips[f.Branch]
	switch {
	case holdsSecret(f.Branch):
		return &memory.Problem{
			Code: codeBadAddress,
			What: "the name of the branch holds a secret",
			Hint: "name another with --branch",
		}
	case o.New && tip != "":
		return &memory.Problem{
			Code: "share-there", What: fmt.Sprintf("%s has a branch %s already", f.URL, f.Branch),
			Hint: "join it, if it is a share: winnow sync join; or name another with --branch",
		}
	case !o.New && tip == "":
		return &memory.Problem{
			Code: codeNoBranch, What: fmt.Sprintf("%s has no branch %s", f.URL, f.Branch),
			Hint: "make a share there: winnow sync init; or name its branch with --branch",
		}
	}
	return nil
}

// ownLessons returns the default store of lessons: the only one here, or the one that an approved proposal
// would create.
func (sy *Syncer) ownLessons(ctx context.Context) (memory.StoreID, error) {
	g := sy.lib.Destination(ctx, &memory.Origin{}, library.Destinations{})
	here := slices.DeleteFunc(
		slices.Clone(g.Places),
		func(p memory.Place) bool { return !p.Exists || !sy.lib.KeepsLessons(p.Store) },
	)
	switch {
	case len(here) == 1:
		return here[0].Store, nil
	case len(here) > 1:
		return "", &memory.Problem{
			Code: "several",
			What: "several stores of lessons could be shared",
			Hint: "name one: --store PATH; winnow stores lists them",
		}
	case g.Target == "":
		return "", library.ErrNoTarget
	}
	return g.Target, nil
}

// origin returns the address of the origin of the repository around the working folder. The share is then
// a separate branch there.
func (sy *Syncer) origin(ctx context.Context) (string, error) {
	g, err := git.Find()
	var out []byte
	if err == nil {
		out, err = g.Run(ctx, sy.env.Dir, "config", "--get", "remote.origin.url")
	}
	url := strings.TrimSuffix(string(out), "\n")
	if err != nil || url == "" {
		p := &memory.Problem{
			Code: "no-origin",
			What: "the repository around this folder has no origin",
			Hint: "name the repository of the share: winnow sync init URL",
		}
		switch f := (*git.Failure)(nil); {
		case git.Root(sy.env.Dir) == "":
			p.What = "there is no git repository around this folder"
		case errors.As(err, &f) && f.Status != 1: // 1: not set
			p.What = "the origin of the repository around this folder cannot be read: " + f.Line()
		}
		return "", p
	}
	if !strings.Contains(url, ":") { // a path is relative to the repository
		url = sy.lib.Absolute(filepath.Join(git.Root(sy.env.Dir), url))
	}
	return url, nil
}

// begin pushes the first files of a new share, or checks that the one to join is a share.
func (sy *Syncer) begin(ctx context.Context, f *joined.File, o memory.ShareStart) (err error) {
	defer func() {
		if err != nil {
			_ = forgetCopy(sy.state.Dir, f.Key) // a failed start leaves no copy
		}
	}()
	r, err := openRemote(ctx, sy.remotePlace(f, sy.state.Dir, o.Ask))
	if err != nil {
		return err
	}
	if !o.New {
		tip, _, err := r.fetchChecked(ctx, false)
		if err == nil {
			err = isShare(ctx, r, tip)
		}
		return err
	}
	id, err := r.commit(ctx, "", share.Start(), f.Machine+": begin the share")
	if err == nil {
		err = r.push(ctx, id, "")
	}
	return err
}

// forgetOrphans removes the copies of shares that a killed init or join left. It leaves alone what another Winnow
// holds.
func (sy *Syncer) forgetOrphans(ctx context.Context) {
	copies, _ := filepath.Glob(sy.shares.Path("*" + joined.CopyEnd)) // the pattern is sound
	for _, path := range copies {
		key := strings.TrimSuffix(filepath.Base(path), joined.CopyEnd)
		orphan := func() bool {
			_, err := os.Lstat(sy.shares.Path(key + joined.FileEnd))
			return errors.Is(err, os.ErrNotExist)
		}
		if !orphan() {
			continue
		}
		soon, cancel := context.WithTimeout(ctx, orphanPatience)
		leave, err := lockShare(soon, sy.state.Dir, key, nil)
		cancel()
		if err != nil {
			continue
		}
		if orphan() {
			_ = forgetCopy(sy.state.Dir, key) // the next sync tries again
		}
		leave()
	}
}

// orphanPatience is how long to wait for a Winnow that may just be joining.
const orphanPatience = 50 * time.Millisecond

// LeaveShare ends this machine's part in a share. The store, the share, and what waits in the inbox stay. Waits
// is called if another Winnow holds the share for a while; it may be nil. If it is interrupted, the share is
// still there, and the next LeaveShare goes on.
func (sy *Syncer) LeaveShare(ctx context.Context, key string, waits func()) error {
	if sy.readOnly {
		return fmt.Errorf("leave the share: %w", memory.ErrReadOnly)
	}
	if _, err := sy.readShare(key); errors.Is(err, os.ErrNotExist) {
		return err
	}
	leave, err := lockShare(ctx, sy.state.Dir, key, waits)
	if err != nil {
		return err
	}
	defer leave()
	if err := forgetCopy(sy.state.Dir, key); err != nil {
		return fmt.Errorf("remove the copy of the share: %w", err)
	}
	// The file that says that there is a share goes last.
	for _, end := range []string{joined.BaseEnd, joined.NextEnd, joined.SinceEnd, joined.FileEnd} {
		if err := atomicfile.RemoveLocked(sy.shares.Path(key + end)); err != nil {
			return err
		}
	}
	return nil
}
