package library

import (
	"cmp"
	"context"
	"encoding/json"
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
	"winnow/core/memory"
	"winnow/core/share"
	"winnow/core/share/remote"
	"winnow/core/system"
)

// shareFile is what Winnow keeps about a share beside its base: a small file, readable by the user only.
type shareFile struct {
	memory.Share
	Address string // the address given to git
	// Idle identifies the state of both sides after a sync that had nothing to do; otherwise empty.
	Idle string `json:",omitempty"`
	// File is the hash of the base's file if changed lines are in a second file; empty if there are none.
	File string `json:",omitempty"`
	// Pushed is the base to use if the share has the commit Commit. Next is the base to use if the store's
	// history has a sync after the entry Mark. Both are empty unless a sync is under way.
	Commit, Pushed, Next string         `json:",omitempty"`
	Mark                 memory.EntryID `json:",omitempty"`
	// IDs are the shared ids of text records without names, by their id here, as of the history entry
	// Named.
	IDs   map[memory.ID]string `json:",omitempty"`
	Named memory.EntryID       `json:",omitempty"`
}

// sender is who brought a file into a share, according to the share's history.
type sender struct {
	Person, Machine string
	At              time.Time
	Key             string `json:",omitempty"` // the key of a valid signature
}

// The ends of a share's file names in the state folder, each after the share's key, and other names.
const (
	shareFolder = "shares"
	shareEnd    = ".json"
	baseEnd     = ".base"
	sinceEnd    = ".since" // the hash of the base's file, and the lines that changed since it was written
	codeShare   = "share"  // the code of a share's health lines
	dueName     = "due"    // a file whose date is the end of the last session
)

func (l *Library) sharePath(name string) string {
	return filepath.Join(l.state.Dir, shareFolder, name)
}

// shareKey returns the key of a store's share.
func shareKey(id memory.StoreID) string { return digest(string(realID(id))) }

// readShare reads the file of a share. It returns fs.ErrNotExist if there is none.
func (l *Library) readShare(key string) (f shareFile, err error) {
	s, err := atomicfile.Look(atomicfile.OS(), l.sharePath(key+shareEnd))
	if err == nil && !s.There {
		err = os.ErrNotExist
	}
	if err == nil && json.Unmarshal(s.Data, &f) != nil {
		err = &memory.Problem{Code: "share-state", What: "what is kept of the share is damaged: " + l.short(l.sharePath(key+shareEnd)), Hint: "leave the share and join it again: winnow sync leave"}
	}
	f.Key, f.Noun = key, l.info(f.Store).Noun
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
	unwell(f.Failures > 0, cmp.Or(f.Hint, "winnow sync"), "the last %s failed: %s", cmp.Or(system.Say(f.Failures == 1, "sync"), fmt.Sprint(f.Failures, " syncs")), f.Failed)
	unwell(l.now().Sub(cmp.Or(f.Synced, f.Joined)) > stale, "winnow sync", "that is long ago")
	noun := l.info(id).Noun
	unwell(f.Conflicts > 0, "winnow inbox; then winnow sync --take mine|theirs|both ID", "%s changed on both sides", noun.Count(f.Conflicts))
	unwell(f.Stopped > 0, "winnow sync --dry-run names them", "%s not sent because of what the audit found", noun.Count(f.Stopped))
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
	s, err := l.store(id)
	if err != nil {
		return err
	}
	what := ""
	if !l.keepsLessons(id) && l.texts(id) == nil {
		what = "this store of " + s.Info().Name + " cannot be shared"
	} else if why := l.whyReadOnly(s); why != "" && !l.readOnly {
		what = "a store that cannot be changed here cannot be shared: " + strings.TrimSuffix(why, ".")
	}
	if what != "" {
		return &memory.Problem{Code: "not-shareable", What: what, Hint: "docs/systems.md says which stores can be; winnow export --share makes a copy for others"}
	}
	return nil
}

// oddInMachine matches what is replaced by a dash in the name of a machine.
var oddInMachine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[^a-z0-9]+`) })

// machine returns this machine's name in the share of a store. The default is the host name and a random
// part, so that it is unique for each store and machine.
func (l *Library) machine(name, key string) (string, error) {
	if name != "" {
		if !share.Machine(name) {
			return "", &memory.Problem{Code: "machine", What: fmt.Sprintf("%q cannot name a machine", name), Hint: "use a-z, 0-9 and -, at most 64"}
		}
		return name, nil
	}
	host, _ := os.Hostname() // without one, the default below is used
	host, _, _ = strings.Cut(strings.ToLower(host), ".")
	host = strings.Trim(oddInMachine().ReplaceAllString(host[:min(len(host), 40)], "-"), "-")
	temp, err := atomicfile.NewTemp(l.state.Rand)
	if err != nil {
		return "", err
	}
	return cmp.Or(host, "machine") + "-" + digest(temp + key)[:6], nil
}

// StartShare creates a share for a store, or joins one. It sends nothing from the store; the first sync
// does.
func (l *Library) StartShare(ctx context.Context, o memory.ShareStart) (memory.Share, error) {
	if l.readOnly {
		return memory.Share{}, fmt.Errorf("share %s: %w", o.Store, memory.ErrReadOnly)
	}
	if o.Store == "" {
		var err error
		if o.Store, err = l.ownLessons(ctx); err != nil {
			return memory.Share{}, err
		}
	}
	key := shareKey(o.Store)
	if f, err := l.readShare(key); !errors.Is(err, os.ErrNotExist) {
		return f.Share, cmp.Or(err, error(&memory.Problem{Code: "shared", What: "the store is shared already, through " + f.URL, Hint: "winnow sync; or leave that share first: winnow sync leave"}))
	}
	err := l.shareable(o.Store)
	f := shareFile{Share: memory.Share{Key: key, Store: o.Store, Place: l.short(o.Store.Path()), Trusted: o.Trust, Joined: l.now()}}
	if err == nil {
		f.Machine, err = l.machine(o.Machine, key)
	}
	if err == nil && o.URL == "" {
		o.URL, err = l.origin(ctx)
		o.Branch = cmp.Or(o.Branch, "winnow/share")
	}
	if err == nil {
		f.Address, err = remote.Address(o.URL)
	}
	if err != nil {
		return f.Share, err
	}
	f.URL = detect.Redact(f.Address)
	tips, head, err := remote.Look(ctx, f.Address, o.Ask)
	if err != nil {
		return f.Share, err
	}
	f.Branch = cmp.Or(o.Branch, head, "main")
	tip := tips[f.Branch]
	switch {
	case o.New && tip != "":
		return f.Share, &memory.Problem{Code: "share-there", What: fmt.Sprintf("%s has a branch %s already", f.URL, f.Branch), Hint: "join it, if it is a share: winnow sync join; or name another with --branch"}
	case !o.New && tip == "":
		return f.Share, &memory.Problem{Code: remote.NoBranch, What: fmt.Sprintf("%s has no branch %s", f.URL, f.Branch), Hint: "make a share there: winnow sync init; or name its branch with --branch"}
	}
	if err := l.begin(ctx, &f, o); err != nil {
		return f.Share, err
	}
	return f.Share, l.writeShare(&f)
}

// ownLessons returns the default store of lessons: the only one here, or the one that an approved proposal
// would create.
func (l *Library) ownLessons(ctx context.Context) (memory.StoreID, error) {
	g := l.destination(ctx, &memory.Origin{}, destinations{})
	here := slices.DeleteFunc(slices.Clone(g.places), func(p memory.Place) bool { return !p.Exists || !l.keepsLessons(p.Store) })
	switch {
	case len(here) == 1:
		return here[0].Store, nil
	case len(here) > 1:
		return "", &memory.Problem{Code: "several", What: "several stores of lessons could be shared", Hint: "name one: --store PATH; winnow stores lists them"}
	case g.target == "":
		return "", errNoTarget
	}
	return g.target, nil
}

// origin returns the address of the origin of the repository around the working folder. The share is then
// a separate branch there.
func (l *Library) origin(ctx context.Context) (string, error) {
	g, err := git.Find()
	var out []byte
	if err == nil {
		out, err = g.Run(ctx, l.env.Dir, "config", "--get", "remote.origin.url")
	}
	url := strings.TrimSuffix(string(out), "\n")
	if err != nil || url == "" {
		p := &memory.Problem{Code: "no-origin", What: "the repository around this folder has no origin", Hint: "name the repository of the share: winnow sync init URL"}
		switch f := (*git.Failure)(nil); {
		case git.Root(l.env.Dir) == "":
			p.What = "there is no git repository around this folder"
		case errors.As(err, &f) && f.Status != 1: // 1: not set
			p.What = "the origin of the repository around this folder cannot be read: " + f.Line()
		}
		return "", p
	}
	if !strings.Contains(url, ":") { // a path is relative to the repository
		url = l.absolute(filepath.Join(git.Root(l.env.Dir), url))
	}
	return url, nil
}

// begin pushes the first files of a new share, or checks that the one to join is a share.
func (l *Library) begin(ctx context.Context, f *shareFile, o memory.ShareStart) (err error) {
	r, err := remote.Open(ctx, l.remotePlace(f, l.state.Dir, o.Ask))
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = r.Remove() // a failed start leaves no copy
			return
		}
		r.Close()
	}()
	if !o.New {
		tip, _, err := r.Fetch(ctx, false)
		if err == nil {
			err = isShare(ctx, r, tip, f.Machine)
		}
		return err
	}
	files, err := share.Start()
	if err != nil {
		return err
	}
	id, err := r.Commit(ctx, "", files, f.Machine+": begin the share")
	if err == nil {
		err = r.Push(ctx, id, "")
	}
	return err
}

func (l *Library) remotePlace(f *shareFile, dir string, ask bool) remote.Place {
	return remote.Place{State: dir, Key: f.Key, URL: f.Address, Branch: f.Branch, Ask: ask}
}

// LeaveShare ends this machine's part in a share. The store, the share, and what waits in the inbox stay.
func (l *Library) LeaveShare(ctx context.Context, key string) error {
	if l.readOnly {
		return fmt.Errorf("leave the share: %w", memory.ErrReadOnly)
	}
	f, err := l.readShare(key)
	if errors.Is(err, os.ErrNotExist) {
		return err
	}
	if r, err := remote.Open(ctx, l.remotePlace(&f, l.state.Dir, false)); err == nil {
		if err := r.Remove(); err != nil {
			return err
		}
	}
	for _, name := range []string{key + baseEnd, key + sinceEnd, key + shareEnd} {
		s, err := atomicfile.Look(atomicfile.OS(), l.sharePath(name))
		if err == nil && s.There {
			err = l.RemoveFile(ctx, l.sharePath(name), s.Data)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// ShareLog returns the newest commits of a share as of the last sync, and whether there are more.
func (l *Library) ShareLog(ctx context.Context, key string, most int) (list []memory.ShareCommit, more bool, err error) {
	f, err := l.readShare(key)
	if err != nil {
		return nil, false, err
	}
	r, err := remote.Open(ctx, l.remotePlace(&f, l.state.Dir, false))
	if err != nil {
		return nil, false, err
	}
	defer r.Close()
	if r.Seen() == "" {
		return nil, false, nil
	}
	commits, more, err := r.Log(ctx, remote.Query{New: r.Seen(), Most: most, Check: len(f.Trusted) > 0})
	for i := range commits {
		c := &commits[i]
		from := senderOf(c)
		_, subject, _ := strings.Cut(c.Subject, ": ")
		list = append(list, memory.ShareCommit{
			ID: c.ID, Person: from.Person, Machine: from.Machine, Subject: cmp.Or(system.Say(from.Machine != "", subject), c.Subject),
			At: c.Time, Files: len(c.Paths), Signer: from.Key,
		})
	}
	return list, more, err
}

// senderOf returns who made a commit. All but Key is unproven.
func senderOf(c *remote.Commit) sender {
	s := sender{Person: c.Author, At: c.Time}
	if c.Mail != "" {
		s.Person = strings.TrimSpace(c.Author + " <" + c.Mail + ">")
	}
	if name, _, ok := strings.Cut(c.Subject, ": "); ok && share.Machine(name) {
		s.Machine = name
	}
	if c.Signature == remote.Good || c.Signature == remote.Untrusted {
		s.Key = c.Key
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
