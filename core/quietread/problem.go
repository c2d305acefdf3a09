package quietread

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"syscall"

	"winnow/core/memory"
)

// The codes of [Problem].
const (
	CodeMissing    = "missing"
	CodeFolder     = "folder"
	CodeNotAFile   = "not-a-file"
	CodeUnreadable = "unreadable"
	CodeLinkLoop   = "link-loop"
	CodeReadError  = "read-error"
)

// Problem says why a file cannot be opened or read. err is an error from [Open] or from reading.
// The code is one of this package's.
func Problem(err error) *memory.Problem {
	var odd *Irregular
	if errors.As(err, &odd) {
		code := CodeNotAFile
		if odd.Mode.IsDir() {
			code = CodeFolder
		}
		return &memory.Problem{
			Code: code,
			What: fmt.Sprintf("This is %s, not a regular file. It was not opened.", odd.Kind()),
			Hint: "name a regular file",
		}
	}
	for _, known := range [...]struct {
		error
		memory.Problem
	}{
		{fs.ErrNotExist, missing}, {syscall.ENOTDIR, missing},
		{fs.ErrPermission, memory.Problem{Code: CodeUnreadable, What: "The file cannot be read: permission denied.",
			Hint: memory.Allow(runtime.GOOS, "chmod u+r the file, and u+x its folders, as the user who owns them")}},
		{
			syscall.ELOOP,
			memory.Problem{Code: CodeLinkLoop, What: "The path is a symbolic link that leads back to itself.",
				Hint: "replace the link with the file that it should point to"},
		},
		{syscall.ENAMETOOLONG, memory.Problem{
			Code: CodeReadError,
			What: "The file cannot be read: its name is too long.",
			Hint: "use a shorter name",
		}},
		{syscall.EMFILE, memory.Problem{Code: CodeReadError, What: "The file cannot be read: " + Cause(err) + ".",
			Hint: "raise the limit of open files (ulimit -n), then try again"}},
	} {
		if errors.Is(err, known.error) {
			return &known.Problem
		}
	}
	return &memory.Problem{
		Code: CodeReadError,
		What: "The file cannot be read: " + Cause(err) + ".",
		Hint: "check the disk or the network that holds it; what was read before is not lost",
	}
}

var missing = memory.Problem{Code: CodeMissing, What: "The file does not exist.", Hint: "check the path"}

// Reworded returns a problem in the words that a store has for its code, or p itself if it has
// none. A nil problem stays nil.
func Reworded(p *memory.Problem, words map[string]memory.Problem) *memory.Problem {
	if p == nil || words[p.Code].What == "" {
		return p
	}
	own := words[p.Code]
	own.Code = p.Code
	return &own
}

// Reason says in a few words why there is nothing at a path.
func Reason(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "does not exist"
	}
	return Cause(err)
}

// Cause returns the text of an error without the operation and the path, for screens that show
// those anyway.
func Cause(err error) string {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}
