package sqlite

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"

	driver "modernc.org/sqlite"
	code "modernc.org/sqlite/lib"

	"winnow/core/memory"
	"winnow/core/quietread"
)

// primary masks the part of a result code that names its family.
const primary = 0xff

// asProblem returns err as a *memory.Problem if it says what is wrong with a database, or the error of
// ctx if that ended it.
func asProblem(ctx context.Context, err error) error {
	var p *memory.Problem
	var e *driver.Error
	switch {
	case err == nil, errors.As(err, &p):
		return err
	case ctx.Err() != nil:
		return ctx.Err()
	case !errors.As(err, &e):
		return err
	}
	known := map[int]*memory.Problem{
		code.SQLITE_NOTADB: notADatabase(), code.SQLITE_CORRUPT: damaged(),
		code.SQLITE_BUSY: busy(), code.SQLITE_LOCKED: busy(), code.SQLITE_PROTOCOL: busy(),
		code.SQLITE_READONLY: readOnly(), code.SQLITE_PERM: readOnly(), code.SQLITE_AUTH: readOnly(),
		code.SQLITE_CANTOPEN: {
			Code: "unreadable",
			What: "The database, or a file that SQLite needs beside it, cannot be opened.",
			Hint: "look at the permissions of its folder and of its -wal and -shm files",
		},
		code.SQLITE_FULL: {
			Code: "no-space",
			What: "The disk is full. Nothing was changed.",
			Hint: "make room and try again",
		},
		code.SQLITE_IOERR: readError(e), code.SQLITE_NOMEM: readError(e),
	}
	if p := known[e.Code()&primary]; p != nil {
		return p
	}
	return err
}

func readError(err error) *memory.Problem {
	return &memory.Problem{
		Code: "read-error",
		What: fmt.Sprintf("The database cannot be read: %v.", err),
		Hint: "look at the disk or the network that holds it",
	}
}

func empty() *memory.Problem {
	return &memory.Problem{
		Code: "empty",
		What: "The file is empty: there is no database in it yet.",
		Hint: "start the program that it belongs to once, or check the path",
	}
}

func notADatabase() *memory.Problem {
	return &memory.Problem{
		Code: "not-a-database",
		What: "The file is no database of SQLite, or an encrypted one.",
		Hint: "check the path",
	}
}

func truncated() *memory.Problem {
	return &memory.Problem{
		Code: "truncated",
		What: "The file begins like a database of SQLite and ends too soon, or its header is damaged.",
		Hint: "put back a copy; nothing was changed",
	}
}

func damaged() *memory.Problem {
	return &memory.Problem{
		Code: "damaged",
		What: "The database is damaged: its pages contradict each other.",
		Hint: "stop the program that it belongs to, and put back a copy or run: sqlite3 FILE .recover",
	}
}

func busy() *memory.Problem {
	return &memory.Problem{
		Code: "busy",
		What: "Another program is writing to this database and holds its lock. Nothing was changed.",
		Hint: "try again when it is done",
	}
}

func readOnly() *memory.Problem {
	return &memory.Problem{
		Code: "read-only",
		What: "The database cannot be written: the file, or its folder, is read-only for you. Nothing was changed.",
		Hint: memory.Allow(runtime.GOOS, "chmod u+w the file and its folder, as the user who owns them"),
	}
}

// besideProblem returns the problem that a file which belongs to a database cannot be read.
func besideProblem(path string, err error) *memory.Problem {
	p := *quietread.Problem(err)
	p.What = filepath.Base(path) + " belongs to the database: " + p.What
	return &p
}
