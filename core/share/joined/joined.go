// Package joined has what this machine keeps about the shares that it takes part in: a small file a share, beside its
// base and its copy of the repository, and how a share is doing.
package joined

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"winnow/core/atomicfile"
	"winnow/core/learn"
	"winnow/core/memory"
	"winnow/core/system"
)

// The ends of a share's file names in the state folder, each after the share's key, and other names.
const (
	folder     = "shares"
	FileEnd    = ".json"
	BaseEnd    = ".base"
	CopyEnd    = ".git"
	NextEnd    = ".next"  // a commit, and the base to use if the share has it; there while a push is under way
	SinceEnd   = ".since" // written by earlier versions
	HealthCode = "share"  // the code of a share's health lines
	DueName    = "due"    // a file whose date is the end of the last session
)

// Shares are those that are kept in a folder of the person's state.
type Shares struct {
	Dir   string // of the state; "" if there is none
	Now   func() time.Time
	Short func(path string) string // shortens a path for a person
	Inbox *learn.Quarantine        // has what others sent
}

// File is what Winnow keeps about a share beside its base: a small file, readable by the user only.
type File struct {
	memory.Share
	Address string // the address given to git
	// Tip is the share's commit that the last sync ended with.
	Tip string `json:",omitempty"`
}

// Path returns the path of a file of a share, or of all shares, by its name.
func (s Shares) Path(name string) string {
	return filepath.Join(s.Dir, folder, name)
}

// Read reads the file of a share. Its noun is not set. It returns fs.ErrNotExist if there is none.
func (s Shares) Read(key string) (f File, err error) {
	file, err := atomicfile.Look(atomicfile.OS(), s.Path(key+FileEnd))
	if err == nil && !file.There {
		err = os.ErrNotExist
	}
	if err == nil && json.Unmarshal(file.Data, &f) != nil {
		err = &memory.Problem{
			Code: "share-state",
			What: "what is kept of the share is damaged: " + s.Short(s.Path(key+FileEnd)),
			Hint: "leave the share and join it again: winnow sync leave",
		}
	}
	f.Key = key
	if err == nil {
		f.Waiting, f.Conflicts = s.undecided(f.Store)
	}
	return f, err
}

// Health reports the state of a store's share: its remote, the time of the last sync, what waits, and
// why the last sync failed. Written is when the store was last changed. It returns nil for a store that
// is not shared.
func (s Shares) Health(key string, noun memory.Noun, written time.Time) []memory.Health {
	if s.Dir == "" {
		return nil
	}
	f, err := s.Read(key)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	said := []string{"shared through " + f.URL + ", never synced yet"}
	if !f.Synced.IsZero() {
		said[0] = "shared through " + f.URL + ", synced " + ago(s.Now().Sub(f.Synced))
	}
	h := memory.Health{Code: HealthCode, Level: memory.Good, Count: 1}
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
	unwell(s.Now().Sub(cmp.Or(f.Synced, f.Joined)) > stale, "winnow sync", "that is long ago")
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
func (s Shares) undecided(id memory.StoreID) (waiting, both int) {
	box, err := s.Inbox.Look()
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

// KeyOf returns the key of a store's share. The links in the id are resolved.
func KeyOf(id memory.StoreID) string { return atomicfile.ShortDigest(string(id)) }

// MarkDue records that a session ended, so that a running watcher syncs soon. Without a share it does nothing.
func (s Shares) MarkDue() error {
	if s.Dir == "" {
		return nil
	}
	all, err := filepath.Glob(s.Path("*" + FileEnd))
	if err != nil || len(all) == 0 {
		return err
	}
	return atomicfile.Rewrite(atomicfile.OS(), s.Path(DueName), []byte(s.Now().UTC().Format(time.RFC3339)+"\n"))
}
