package atomicfile

import (
	"cmp"
	"errors"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"winnow/core/memory"
)

// failure is a problem together with its cause.
type failure struct {
	problem *memory.Problem
	cause   error
}

// Error returns what went wrong, in one sentence.
func (f *failure) Error() string { return f.problem.What }

// Unwrap returns the problem and its cause.
func (f *failure) Unwrap() []error { return []error{f.problem, f.cause} }

// refusal is the cause of a problem that no system call reported.
type refusal string

// Error returns the text of the refusal.
func (r refusal) Error() string { return string(r) }

// The refusals.
const (
	isFolder   refusal = "is a folder"
	isLink     refusal = "is a link"
	notAFile   refusal = "not a regular file"
	linkLoop   refusal = "links lead in a circle"
	folderGone refusal = "the folder does not exist"
	tooLarge   refusal = "larger than 128 MiB"
	otherOwner refusal = "belongs to another user or group"
	isBusy     refusal = "another program keeps replacing it"
	differs    refusal = "holds other bytes than were written"
	noMode     refusal = "nobody may read it (mode 0)"
	wasBroken  refusal = "an earlier sync failed"
)

// A cause describes the errors that lead to a problem, with its code and what to do.
type cause struct {
	err        error
	code, hint string
}

// causes returns the known causes, specific ones before general ones.
func causes() []cause {
	const elsewhere = "see that the disk is well, then try again"
	immutable := cmp.Or(
		map[string]string{"darwin": "ls -lO; chflags nouchg ends that"}[runtime.GOOS],
		"lsattr; chattr -i ends that",
	)
	return []cause{
		{isFolder, "is-folder", "move the folder away, or name another file"},
		{isLink, "is-link", "another program put a link there; look where it leads"},
		{notAFile, "not-a-file", "name a regular file"},
		{linkLoop, "link-loop", "remove one of the links"},
		{folderGone, "folder-gone", "make the folder again, then try again"},
		{tooLarge, "too-large", "make the file smaller first"},
		{otherOwner, "other-owner", "run as the user it belongs to"},
		{isBusy, "busy", "wait until the other program is done, then try again"},
		{differs, "io-error", elsewhere},
		{wasBroken, "io-error", elsewhere},
		{noMode, "permission", memory.Allow(runtime.GOOS, "give yourself the right to read and write it (chmod u+rw)")},
		{syscall.ENOSPC, "no-space", "free some space on the disk, then try again"},
		{syscall.EFBIG, "no-space", "the limit for the size of a file is reached (ulimit -f)"},
		{syscall.EDQUOT, "quota", "your quota on the disk is used up: free some space, then try again"},
		{syscall.EROFS, "read-only-fs", "the file system is mounted read-only"},
		{syscall.ENAMETOOLONG, "name-too-long", "use a shorter name"},
		{syscall.ELOOP, "is-link", "another program put a link there; look where it leads"},
		{syscall.ENOTDIR, "folder-gone", "there is a file where the path needs a folder"},
		{syscall.EISDIR, "is-folder", "move the folder away, or name another file"},
		{syscall.EMFILE, "too-many-open", "raise the limit of open files (ulimit -n), then try again"},
		{syscall.ENFILE, "too-many-open", "the system has too many files open: close some programs, then try again"},
		{syscall.EINTR, "interrupted", "try again"},
		{
			syscall.EPERM,
			"permission",
			"check the owner of the file and its folder, and whether one is immutable (" + immutable + ")",
		},
		{
			fs.ErrPermission,
			"permission",
			memory.Allow(runtime.GOOS, "check the owner and the mode of the file and its folder"),
		},
		{fs.ErrNotExist, "folder-gone", "make the folder again, then try again"},
		{syscall.EIO, "io-error", elsewhere},
		{nil, "io-error", elsewhere},
	}
}

// failed returns err as the problem that op failed on the file at path.
func failed(op, path string, err error) error {
	var known *failure
	if err == nil || errors.As(err, &known) {
		return err
	}
	code, hint := Cause(err)
	return &failure{
		&memory.Problem{Code: code, What: op + " " + filepath.Base(path) + ": " + reason(err), Hint: hint},
		err,
	}
}

// Cause returns the code of an error of the disk, and what to do about it.
func Cause(err error) (code, hint string) {
	var known *memory.Problem
	if errors.As(err, &known) {
		return known.Code, known.Hint
	}
	all := causes()
	i := slices.IndexFunc(all, func(c cause) bool { return c.err == nil || errors.Is(err, c.err) })
	return all[i].code, all[i].hint
}

// reason returns the text of the innermost error, since the path is mentioned already.
func reason(err error) string {
	var errno syscall.Errno
	if errors.As(err, &errno) {
		return errno.Error()
	}
	return err.Error()
}

// withHint appends to the hint of a problem.
func withHint(err error, more string) error {
	var f *failure
	if !errors.As(err, &f) {
		return err
	}
	p := *f.problem
	p.Hint = strings.TrimPrefix(p.Hint+"; "+more, "; ")
	return &failure{&p, f.cause}
}

// callerError is an error of a caller's function or context. The caller gets it back unchanged.
type callerError struct{ error }

// Unwrap returns the error.
func (c callerError) Unwrap() error { return c.error }

// explained returns the caller's own error unchanged, and any other error like failed.
func explained(op, path string, err error) error {
	var own callerError
	if errors.As(err, &own) {
		return own.error
	}
	return failed(op, path, err)
}
