//go:build unix

package statefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"winnow/core/memory"
)

// untrustedState is the code of the problem that others could have written the state.
const untrustedState = "state-untrusted"

// CheckOwner returns a *memory.Problem if somebody other than the user of this process and root may
// change what is in the state folder, or may read its keys: as ssh does with its files, it looks at the
// owners and modes of the folder, of what is in it, and of the folders that lead to it, up to home. An
// empty dir has no problem. Of a missing one, only the folders that lead to it count.
func CheckOwner(dir, home string) error {
	if dir == "" {
		return nil
	}
	c := checker{dir: dir, user: uint32(os.Geteuid())}
	if err := c.leading(dir, home); err != nil {
		return err
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil // it is missing, or whoever reads it says what is wrong
	}
	if c.dir = real; real != filepath.Clean(dir) {
		if err := c.leading(real, home); err != nil {
			return err
		}
	}
	return c.inside(real, 0)
}

// Limits of a check. Nobody else can add files to a folder that passed.
const (
	mostChecked = 5000
	mostDeep    = 3
)

type checker struct {
	dir     string // the state folder
	user    uint32
	checked int
}

// leading checks the folders above path up to home, or up to the root if path is not below home. A
// sticky folder such as /tmp is fine, since nobody can replace what another put there.
func (c *checker) leading(path, home string) error {
	stops := []string{filepath.Clean(home)}
	if real, err := filepath.EvalSymlinks(home); err == nil {
		stops = append(stops, real)
	}
	for at := filepath.Dir(path); ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		if err == nil {
			err = c.mayLead(at, info)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if at == filepath.Dir(at) || home != "" && slices.Contains(stops, at) {
			return nil
		}
	}
}

func (c *checker) mayLead(path string, info fs.FileInfo) error {
	uid, gid, ok := owner(info)
	if !ok {
		return nil
	}
	if uid != c.user && uid != 0 {
		return c.foreign(path, uid)
	}
	// The group of a user alone, as Linux distributions make it, has the number of the user.
	group := info.Mode().Perm()&0o020 != 0 && (gid != uid || uid == 0)
	others := info.Mode().Perm()&0o002 != 0
	if info.Mode()&fs.ModeSticky == 0 && (group || others) {
		return c.open(path, "change", "chmod go-w "+memory.ShellWord(path))
	}
	return nil
}

// inside checks a folder and what is in it, to the depth in which Winnow keeps files. What git keeps in
// the copy of a share, and drafts for an editor, are not trusted anyway.
func (c *checker) inside(path string, depth int) error {
	info, err := os.Stat(path)
	if err != nil {
		return nil // removed meanwhile, or a link to nothing; whoever reads it says what is wrong
	}
	if err := c.isOwn(path, info); err != nil {
		return err
	}
	name := filepath.Base(path)
	if !info.IsDir() || depth == mostDeep || strings.HasSuffix(name, ".git") || name == "drafts" {
		return nil
	}
	entries, _ := os.ReadDir(path) // an unreadable folder serves nothing
	for _, e := range entries {
		if c.checked++; c.checked > mostChecked {
			return nil
		}
		if err := c.inside(filepath.Join(path, e.Name()), depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (c *checker) isOwn(path string, info fs.FileInfo) error {
	uid, _, ok := owner(info)
	perm, chmod := info.Mode().Perm(), "chmod -R go-rwx "+memory.ShellWord(c.dir)
	switch {
	case !ok:
		return nil
	case uid != c.user && uid != 0:
		return c.foreign(path, uid)
	case perm&0o022 != 0:
		return c.open(path, "change", chmod)
	case perm&0o044 != 0 && filepath.Base(path) == keyName:
		return c.open(path, "read", chmod)
	}
	return nil
}

// keyName is the name of the files with keys of this machine: that of the approvals, and those of histories.
const keyName = "key"

func owner(info fs.FileInfo) (uid, gid uint32, ok bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0, false
	}
	return st.Uid, st.Gid, true
}

func (c *checker) open(path, do, mend string) error {
	return untrusted(fmt.Sprintf("other users may %s %s", do, path), mend)
}

func (c *checker) foreign(path string, uid uint32) error {
	mend := "set XDG_STATE_HOME to a folder of your own, or make it yours: "
	mend += `sudo chown -R "$(id -u)" ` + memory.ShellWord(path)
	if c.user == 0 {
		mend = "run winnow without sudo, or set XDG_STATE_HOME to a folder of root"
	}
	return untrusted(fmt.Sprintf("%s belongs to another user (uid %d)", path, uid), mend)
}

func untrusted(what, mend string) error {
	what += ", so what Winnow keeps there is not trusted: agents are given nothing of it, and nothing is changed"
	return &memory.Problem{Code: untrustedState, What: what, Hint: mend}
}
