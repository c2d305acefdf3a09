package sync

// The files remote*.go fetch the commits of a share and push ours, through the user's own git, with their
// configuration, credentials and signatures. Winnow keeps its copy as a bare repository without a work
// tree. So nothing in a share becomes a path on this disk, and no hooks, filters or settings of the
// other side run here.

import (
	"context"
	"errors"
	"time"
)

// remotePlace says where a share is, and where Winnow keeps its copy.
type remotePlace struct {
	State  string // folder of Winnow's state; the copy is shares/<key>.git in it
	Key    string // name of the copy: small letters, digits and dashes
	URL    string // as addressOf returned it
	Branch string // such as "main" or "winnow/share"
	// Ask lets git, ssh and gpg ask for a password at the terminal. Without it they fail instead.
	Ask bool
	// Silence is how long a remote may say nothing before it counts as unreachable; 0 means for ever.
	Silence time.Duration
	// Pause waits for d, or until ctx is done and returns its error. If nil, it sleeps.
	Pause func(ctx context.Context, d time.Duration) error
}

// Codes of a share's problems, for [memory.Problem].
const (
	codeNoGit        = "git-missing"
	codeOldGit       = "git-too-old"
	codeBadAddress   = "share-address" // an address or branch that Winnow does not accept
	codeUnreachable  = "share-unreachable"
	codeNoAccess     = "share-no-access"
	codeNoRepository = "share-no-repository"
	codeNoBranch     = "share-no-branch"
	codeRewound      = "share-rewound"  // the branch was set back before commits seen here
	codeReplaced     = "share-replaced" // the branch's history no longer contains the commit seen here
	codeShallow      = "share-shallow"  // the remote has only a part of its history
	codeTooLarge     = "share-too-large"
	codeNoAuthor     = "git-no-author"   // user.name or user.email is missing
	codeCannotSign   = "git-cannot-sign" // signing is configured but failed
	codeDeclined     = "share-declined"  // the remote rejected our commit
	codeTimeout      = "share-timeout"   // the remote said nothing for remotePlace.Silence
	codeBadName      = "share-name"      // not a valid name for a file of a share
	codeDamaged      = "share-damaged"   // Winnow's copy is damaged
	codeFromGit      = "share-git"       // any other error of git
)

// errOvertaken reports that somebody else pushed first: fetch, merge and push again.
var errOvertaken = errors.New("somebody else pushed first")

// readLimits limit what is read from a share.
type readLimits struct {
	Files int   // number of files; if there are more, nothing is read
	Bytes int64 // size of one file; a larger one is refused unread
	Total int64 // size of all files together; if it is more, nothing is taken
	// Name reports whether a path can be a file of a share. Others are silently skipped.
	Name func(path string) bool
}

// fileReader receives the files of a share. A refused file is neither changed nor deleted. Why is a clause,
// such as "a symbolic link".
type fileReader interface {
	Add(path string, data []byte)
	Refuse(path, why string)
}

// remoteCommit is one commit of a share. All its texts are untrusted: others wrote them.
type remoteCommit struct {
	ID      string
	Author  string
	Mail    string
	Time    time.Time
	Subject string
	Merge   bool // it has several parents
	// Paths are the files that differ from at least one parent, sorted.
	Paths []string
}

// logQuery selects the commits for log: those reachable from New but not from Old.
type logQuery struct {
	Old, New string // Old may be empty
	Most     int
}
