package library

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
	"winnow/core/share/remote"
	"winnow/core/system"
)

// shareFile is what Winnow keeps about a share beside its base: a small file, readable by the user only.
type shareFile struct {
	memory.Share
	Address string // the address given to git
	// Tip is the share's commit that the last sync ended with.
	Tip string `json:",omitempty"`
}

// sender is who brought a file into a share, according to the share's history.
type sender struct {
	Person, Machine string
	At              time.Time
}

// The ends of a share's file names in the state folder, each after the share's key, and other names.
const (
	shareFolder = "shares"
	shareEnd    = ".json"
	baseEnd     = ".base"
	copyEnd     = ".git"
	nextEnd     = ".next"  // a commit, and the base to use if the share has it; there while a push is under way
	sinceEnd    = ".since" // written by earlier versions
	codeShare   = "share"  // the code of a share's health lines
	dueName     = "due"    // a file whose date is the end of the last session
)

func (l *Library) sharePath(name string) string {
	return filepath.Join(l.state.Dir, shareFolder, name)
}

// holdsSecret reports whether a text holds a secret.
func holdsSecret(text string) bool { return detect.Redact(text) != text }

// shareKey returns the key of a store's share.
func shareKey(id memory.StoreID) string { return digest(string(RealID(id))) }

// readShare reads the file of a share. It returns fs.ErrNotExist if there is none.
func (l *Library) readShare(key string) (f shareFile, err error) {
	s, err := atomicfile.Look(atomicfile.OS(), l.sharePath(key+shareEnd))
	if err == nil && !s.There {
		err = os.ErrNotExist
	}
	if err == nil && json.Unmarshal(s.Data, &f) != nil {
		err = &memory.Problem{
			Code: "share-state",
			What: "what is kept of the share is damaged: " + l.short(l.sharePath(key+shareEnd)),
			Hint: "leave the share and join it again: winnow sync leave",
		}
	}
	f.Key, f.Noun = key, l.Info(f.Store).Noun
	if err == nil {
		f.Waiting, f.Conflicts = l.undecided(f.Store)
	}
	return f, err
}

// writeShare writes the file of a share.
func (l *Library) writeShare(f *shareFile) error {
	text, err := json.MarshalIndent(f, "", "  ")
	if err == nil {
		err = atomicfile.MakeFolder(atomicfile.OS(), filepath.Dir(l.sharePath(dueName)))
	}
	if err == nil {
		err = atomicfile.Rewrite(atomicfile.OS(), l.sharePath(f.Key+shareEnd), append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("note what was synced: %w", err)
	}
	return nil
}

// Shares returns the shares that this machine takes part in, sorted by store.
func (l *Library) Shares(context.Context) (all []memory.Share, err error) {
	if l.state.Dir == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(filepath.Dir(l.sharePath(dueName)))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("list the shares: %w", err)
	}
	due, _ := os.Lstat(l.sharePath(dueName))
	for _, e := range entries {
		key, ok := strings.CutSuffix(e.Name(), shareEnd)
		if !ok {
			continue
		}
		f, err := l.readShare(key)
		if err != nil {
			f.Failed, f.Failures, f.URL = err.Error(), 1, "?"
		}
		f.Due = due != nil && due.ModTime().After(f.Tried)
		all = append(all, f.Share)
	}
	slices.SortFunc(all, func(a, b memory.Share) int { return cmp.Compare(a.Store, b.Store) })
	return all, nil
}

// shareHealth reports the state of a store's share: its remote, the time of the last sync, what waits, and
// why the last sync failed. Written is when the store was last changed. It returns nil for a store that
// is not shared.
func (l *Library) shareHealth(id memory.StoreID, written time.Time) []memory.Health {
	if l.state.Dir == "" {
		return nil
	}
	f, err := l.readShare(shareKey(id))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	said := []string{"shared through " + f.URL + ", never synced yet"}
	if !f.Synced.IsZero() {
		said[0] = "shared through " + f.URL + ", synced " + ago(l.now().Sub(f.Synced))
	}
	h := memory.Health{Code: codeShare, Level: memory.Good, Count: 1}
	const stale = 14 * 24 * time.Hour
	unwell := func(is bool, next, format string, args ...any) {
		if is {
			h.Level, h.Next, said = memory.Warn, cmp.Or(h.Next, next), append(said, fmt.Sprintf(format, args...))
		}
	}
	unwell(
		f.Failures > 0,
		cmp.Or(f.Hint, "winnow sync"),
		"the last %s failed: %s",
		cmp.Or(system.Say(f.Failures == 1, "sync"), fmt.Sprint(f.Failures, " syncs")),
		f.Failed,
	)
	unwell(l.now().Sub(cmp.Or(f.Synced, f.Joined)) > stale, "winnow sync", "that is long ago")
	noun := l.Info(id).Noun
	unwell(
		f.Conflicts > 0,
		"winnow inbox; then winnow sync --take mine|theirs|both ID",
		"%s changed on both sides",
		noun.Count(f.Conflicts),
	)
	unwell(
		f.Stopped > 0,
		"winnow sync --dry-run names them",
		"%s not sent because of what the audit found",
		noun.Count(f.Stopped),
	)
	if n := f.Waiting - f.Conflicts + f.More; n > 0 {
		said = append(said, fmt.Sprintf("%s of others to decide about in the inbox", noun.Count(n)))
	}
	if !f.Synced.IsZero() && written.After(f.Synced) {
		said = append(said, "changed here since, which the next sync sends")
	}
	if h.What = strings.Join(said, "; "); err != nil {
		h.Level, h.What, h.Next = memory.Warn, err.Error(), "winnow sync leave, and join again"
	}
	return []memory.Health{h}
}

// undecided returns how many lessons from others wait in the inbox for a store, and how many of these
// were changed on both sides.
func (l *Library) undecided(id memory.StoreID) (waiting, both int) {
	box, err := l.inbox.Look()
	if err != nil {
		return 0, 0 // the inbox reports the error
	}
	for i := range box.Waiting {
		w := &box.Waiting[i]
		if w.Origin.Door != memory.DoorShare || w.Origin.Store != id {
			continue
		}
		if waiting++; w.Both {
			both++
		}
	}
	return waiting, both
}

// ago returns how long ago something was, in the largest unit: "3 h ago".
func ago(d time.Duration) string {
	switch {
	case d >= 48*time.Hour:
		return fmt.Sprintf("%d days ago", int(d.Hours()/24))
	case d >= time.Hour:
		return fmt.Sprintf("%d h ago", int(d.Hours()))
	case d >= time.Minute:
		return fmt.Sprintf("%d min ago", int(d.Minutes()))
	}
	return "just now"
}

// shareable returns an error that says why a store cannot be shared, or nil.
func (l *Library) shareable(id memory.StoreID) error {
	s, err := l.Store(id)
	if err != nil {
		return err
	}
	what := ""
	if !l.keepsLessons(id) {
		what = "this store of " + s.Info().Name + " cannot be shared: lessons can"
	} else if why := l.WhyReadOnly(s); why != "" && !l.readOnly {
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

func (l *Library) remotePlace(f *shareFile, dir string, ask bool) remote.Place {
	return remote.Place{
		State: dir, Key: f.Key, URL: f.Address, Branch: f.Branch, Ask: ask, Silence: l.settings().ShareTimeout(),
	}
}

// enterShare locks a share in a folder of state, and returns what is kept of it as of then. If another Winnow
// holds the share, it calls waits, which may be nil, and waits. It returns fs.ErrNotExist if there is no share.
func (l *Library) enterShare(
	ctx context.Context,
	dir, key string,
	waits func(),
) (f shareFile, leave func(), err error) {
	if f, err = l.readShare(key); err != nil {
		return f, nil, err
	}
	if leave, err = remote.Lock(ctx, dir, key, waits); err != nil {
		return f, nil, err
	}
	if f, err = l.readShare(key); err != nil { // meanwhile somebody may have left it
		leave()
	}
	return f, leave, err
}

// ShareLog returns the newest commits of a share as of the last sync, and whether there are more. Waits is as for
// LeaveShare.
func (l *Library) ShareLog(
	ctx context.Context,
	key string,
	most int,
	waits func(),
) (list []memory.ShareCommit, more bool, err error) {
	f, leave, err := l.enterShare(ctx, l.state.Dir, key, waits)
	if err != nil {
		return nil, false, err
	}
	defer leave()
	r, err := remote.Open(ctx, l.remotePlace(&f, l.state.Dir, false))
	if err != nil {
		return nil, false, err
	}
	if r.Seen() == "" {
		return nil, false, nil
	}
	commits, more, err := r.Log(ctx, remote.Query{New: r.Seen(), Most: most})
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
func senderOf(c *remote.Commit) sender {
	s := sender{Person: c.Author, At: c.Time}
	if c.Mail != "" {
		s.Person = strings.TrimSpace(c.Author + " <" + c.Mail + ">")
	}
	if name, _, ok := strings.Cut(c.Subject, ": "); ok && share.Machine(name) {
		s.Machine = name
	}
	return s
}

// syncDue records that a session ended, so that a running watcher syncs soon. Without a share it does
// nothing.
func (l *Library) syncDue(ctx context.Context) error {
	if all, err := l.Shares(ctx); err != nil || len(all) == 0 {
		return err
	}
	return atomicfile.Rewrite(atomicfile.OS(), l.sharePath(dueName), []byte(l.now().UTC().Format(time.RFC3339)+"\n"))
}

// SyncsDue sends when a session of an agent ends. When ctx ends, it closes the channel.
func (l *Library) SyncsDue(ctx context.Context) <-chan struct{} {
	return l.changes(ctx, []string{l.sharePath(dueName)})
}
