package sync

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"winnow/core/atomicfile"
	"winnow/core/detect"
	"winnow/core/memory"
	"winnow/core/share"
	"winnow/core/share/joined"
	"winnow/core/system"
)

// sender is who brought a file into a share, according to the share's history.
type sender struct {
	Person, Machine string
	At              time.Time
}

// holdsSecret reports whether a text holds a secret.
func holdsSecret(text string) bool { return detect.Redact(text) != text }

// readShare reads the file of a share. It returns fs.ErrNotExist if there is none.
func (sy *Syncer) readShare(key string) (joined.File, error) {
	f, err := sy.shares.Read(key)
	f.Noun = sy.lib.Info(f.Store).Noun
	return f, err
}

// writeShare writes the file of a share.
func (sy *Syncer) writeShare(f *joined.File) error {
	text, err := json.MarshalIndent(f, "", "  ")
	if err == nil {
		err = atomicfile.MakeFolder(atomicfile.OS(), filepath.Dir(sy.shares.Path(joined.DueName)))
	}
	if err == nil {
		err = atomicfile.Rewrite(atomicfile.OS(), sy.shares.Path(f.Key+joined.FileEnd), append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("note what was synced: %w", err)
	}
	return nil
}

// Shares returns the shares that this machine takes part in, sorted by store.
func (sy *Syncer) Shares(context.Context) (all []memory.Share, err error) {
	if sy.state.Dir == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(filepath.Dir(sy.shares.Path(joined.DueName)))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("list the shares: %w", err)
	}
	due, _ := os.Lstat(sy.shares.Path(joined.DueName))
	for _, e := range entries {
		key, ok := strings.CutSuffix(e.Name(), joined.FileEnd)
		if !ok {
			continue
		}
		f, err := sy.readShare(key)
		if err != nil {
			f.Failed, f.Failures, f.URL = err.Error(), 1, "?"
		}
		f.Due = due != nil && due.ModTime().After(f.Tried)
		all = append(all, f.Share)
	}
	slices.SortFunc(all, func(a, b memory.Share) int { return cmp.Compare(a.Store, b.Store) })
	return all, nil
}

// shareable returns an error that says why a store cannot be shared, or nil.
func (sy *Syncer) shareable(id memory.StoreID) error {
	s, err := sy.lib.Store(id)
	if err != nil {
		return err
	}
	what := ""
	if !sy.lib.KeepsLessons(id) {
		what = "this store of " + s.Info().Name + " cannot be shared: lessons can"
	} else if why := sy.lib.WhyReadOnly(s); why != "" && !sy.readOnly {
		what = "a store that cannot be changed here cannot be shared: " + strings.TrimSuffix(why, ".")
	}
	if what != "" {
		return &memory.Problem{
			Code: "not-shareable",
			What: what,
			Hint: "docs/systems.md says which stores can be; winnow export --share makes a copy for others",
		}
	}
	return nil
}

func (sy *Syncer) remotePlace(f *joined.File, dir string, ask bool) remotePlace {
	return remotePlace{
		State: dir, Key: f.Key, URL: f.Address, Branch: f.Branch, Ask: ask, Silence: sy.lib.Settings().ShareTimeout(),
	}
}

// enterShare locks a share in a folder of state, and returns what is kept of it as of then. If another Winnow
// holds the share, it calls waits, which may be nil, and waits. It returns fs.ErrNotExist if there is no share.
func (sy *Syncer) enterShare(
	ctx context.Context,
	dir, key string,
	waits func(),
) (f joined.File, leave func(), err error) {
	if f, err = sy.readShare(key); err != nil {
		return f, nil, err
	}
	if leave, err = lockShare(ctx, dir, key, waits); err != nil {
		return f, nil, err
	}
	if f, err = sy.readShare(key); err != nil { // meanwhile somebody may have left it
		leave()
	}
	return f, leave, err
}

// ShareLog returns the newest commits of a share as of the last sync, and whether there are more. Waits is as for
// LeaveShare.
func (sy *Syncer) ShareLog(
	ctx context.Context,
	key string,
	most int,
	waits func(),
) (list []memory.ShareCommit, more bool, err error) {
	f, leave, err := sy.enterShare(ctx, sy.state.Dir, key, waits)
	if err != nil {
		return nil, false, err
	}
	defer leave()
	r, err := openRemote(ctx, sy.remotePlace(&f, sy.state.Dir, false))
	if err != nil {
		return nil, false, err
	}
	if r.tipSeen() == "" {
		return nil, false, nil
	}
	commits, more, err := r.log(ctx, logQuery{New: r.tipSeen(), Most: most})
	for i := range commits {
		c := &commits[i]
		from := senderOf(c)
		_, subject, _ := strings.Cut(c.Subject, ": ")
		list = append(list, memory.ShareCommit{
			ID:      c.ID,
			Person:  from.Person,
			Machine: from.Machine,
			Subject: cmp.Or(system.Say(from.Machine != "", subject), c.Subject),
			At:      c.Time, Files: len(c.Paths),
		})
	}
	return list, more, err
}

// senderOf returns who made a commit. Nothing of it is proven.
func senderOf(c *remoteCommit) sender {
	s := sender{Person: c.Author, At: c.Time}
	if c.Mail != "" {
		s.Person = strings.TrimSpace(c.Author + " <" + c.Mail + ">")
	}
	if name, _, ok := strings.Cut(c.Subject, ": "); ok && share.Machine(name) {
		s.Machine = name
	}
	return s
}

// SyncsDue sends when a session of an agent ends. When ctx ends, it closes the channel.
func (sy *Syncer) SyncsDue(ctx context.Context) <-chan struct{} {
	return sy.lib.FilesChanged(ctx, []string{sy.shares.Path(joined.DueName)})
}
