// Package remote brings the commits of a share here and sends ours, through the user's own git: their
// configuration, credentials and signatures. The repository is a bare one of Winnow's own without a work
// tree: nothing that a share holds becomes a path on this disk, and neither hooks, filters nor
// settings of the other side are run here.
package remote

import (
	"context"
	"errors"
	"time"
)

// Place says where a share is, and where Winnow keeps its copy.
type Place struct {
	State  string // folder of Winnow's state; the copy is shares/<key>.git in it
	Key    string // name of the copy: small letters, digits and dashes
	URL    string // as Address returned it
	Branch string // such as "main" or "winnow/share"
	// Ask lets git, ssh and gpg ask the person for a password at the terminal. Without it they
	// fail when they would have to ask.
	Ask bool
	// Pause waits for d, or until ctx is done, whose error it then returns. Nil sleeps.
	Pause func(ctx context.Context, d time.Duration) error
}

// Codes of the problems that a share can have, as [memory.Problem] carries them.
const (
	NoGit        = "git-missing"
	OldGit       = "git-too-old"
	BadAddress   = "share-address" // no address or branch that Winnow uses
	Busy         = "share-busy"    // another Winnow works on the share
	Unreachable  = "share-unreachable"
	NoAccess     = "share-no-access"
	NoRepository = "share-no-repository"
	NoBranch     = "share-no-branch"
	Rewound      = "share-rewound"  // the branch lost commits that were seen here
	Replaced     = "share-replaced" // the branch has other commits than those seen here
	Shallow      = "share-shallow"  // the remote has a part of its history only
	TooLarge     = "share-too-large"
	NoAuthor     = "git-no-author"   // user.name or user.email is missing
	CannotSign   = "git-cannot-sign" // signing is set up, and failed
	Declined     = "share-declined"  // the remote does not take our commit
	TookTooLong  = "share-timeout"
	BadName      = "share-name"    // no name for a file of a share
	Damaged      = "share-damaged" // Winnow's copy is
	FromGit      = "share-git"     // anything else that git says
)

// ErrOvertaken reports that somebody else pushed first: fetch, merge and push again.
var ErrOvertaken = errors.New("somebody else pushed first")

// Limits bound what is read of a share.
type Limits struct {
	Files int   // more are a problem of the whole share
	Bytes int64 // of one file; a larger one is refused unread
	Total int64 // of all files that are read together
	// Name reports whether a path is one of a share's files. Others are left out in silence.
	Name func(path string) bool
}

// Reader takes the files of a share. One that is refused is neither changed nor deleted; why is a clause: "a symbolic link".
type Reader interface {
	Add(path string, data []byte)
	Refuse(path, why string)
}

// Signature is what git says of the signature of a commit.
type Signature byte

// The signatures, by git's own letters.
const (
	Unchecked   Signature = 0   // was not asked for
	Unsigned    Signature = 'N' // there is none
	Good        Signature = 'G'
	Bad         Signature = 'B'
	Untrusted   Signature = 'U' // is right, and the user's set-up does not say whose key it is
	Expired     Signature = 'X'
	KeyExpired  Signature = 'Y'
	KeyRevoked  Signature = 'R'
	Uncheckable Signature = 'E' // the key is missing, or the program that checks
)

// Commit is one commit of a share. All of its texts come from others.
type Commit struct {
	ID      string
	Author  string
	Mail    string
	Time    time.Time
	Subject string
	Merge   bool // has several parents
	// Paths are the files that differ from any of its parents.
	Paths     []string
	Signature Signature
	Key       string // fingerprint of the key that signed
	Signer    string // whose key it is, by the user's own set-up
}

// Query says which commits Log returns: those that New has and Old has not.
type Query struct {
	Old, New string // Old may be empty
	Most     int
	Check    bool // check the signatures, which runs a program for each signed commit
}
