package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"winnow/core/memory"
)

// The exit statuses. Help, docs and the man page print them from exitStatuses.
const (
	exitOK       = 0
	exitFailure  = 1
	exitUsage    = 2
	exitNotFound = 3
	exitUnwell   = 4
	exitStops    = 5
	exitRefused  = 6
	exitConflict = 7
	exitBroken   = 130

	// exitUndone is a status of guard --once. exitFound and exitUnseen are statuses of audit.
	exitUndone = 1
	exitFound  = 1
	exitUnseen = 2
)

// exitStatuses says what each exit status means.
func exitStatuses() [][2]string {
	return [][2]string{
		{"0", "success"},
		{"1", "something failed, and the message says what; guard --once found an undone change; inbox --check found something waiting; or audit found something at or above --fail-on"},
		{"2", "wrong usage, several stores and none named, nobody to ask for confirmation, or --readonly; or audit could not read everything"},
		{"3", "no such store, record or history entry, or nothing to undo"},
		{"4", "doctor found a warning or worse"},
		{"5", "the agent would stop with an error at this point"},
		{"6", "the text was refused, by our check or by the system's own tool, or the store needs --anyway; nothing was changed"},
		{"7", "another writer changed the same record; nothing was changed"},
		{"130", "interrupted"},
	}
}

// failure is an error with an exit status and a hint on what to do next. The hint is separate from
// the error, so that each stays on one line.
type failure struct {
	code int
	err  error
	// more are lines printed between the error and the hint.
	more []string
	hint string
}

func (f *failure) Error() string {
	if f.err == nil {
		return "exit status " + strconv.Itoa(f.code)
	}
	return f.err.Error()
}

func (f *failure) Unwrap() error { return f.err }

// failed returns a failure with a message.
func failed(code int, hint, format string, args ...any) *failure {
	return &failure{code: code, err: fmt.Errorf(format, args...), hint: hint}
}

// usage reports a wrong use of the command line.
func usage(hint, format string, args ...any) error { return failed(exitUsage, hint, format, args...) }

// silentExit returns an exit status without a message, since the output has said everything.
func silentExit(code int) error { return &failure{code: code} }

// refuse returns the first refusal whose condition holds, as a usage error.
func refuse(list ...refusal) error {
	for _, r := range list {
		if r.when {
			return usage(r.hint, "%s", r.message)
		}
	}
	return nil
}

// refusal is an invalid use of the command line.
type refusal struct {
	when          bool
	hint, message string
}

// storeProblem returns the failure for a store that cannot be read. An empty store is not a
// failure.
func storeProblem(s memory.Snapshot) error {
	if s.Problem == nil || s.Problem.Code == "empty" {
		return nil
	}
	f := failed(exitFailure, s.Problem.Hint, "open %s: %s", s.Place.Path, clause(s.Problem.What))
	if s.Problem.Code == "missing" {
		f.code, f.hint = exitNotFound, "list the stores: winnow stores"
	}
	return f
}

// clause turns a sentence into the end of an error message.
func clause(s string) string {
	s = strings.TrimSuffix(s, ".")
	if len(s) > 1 && s[1] >= 'a' && s[1] <= 'z' {
		s = strings.ToLower(s[:1]) + s[1:]
	}
	return s
}

// agentStops returns the failure for a problem on which the agent would throw, if there is one. The
// problem's sentence says so.
func agentStops(p *memory.Problem) error {
	if p == nil {
		return nil
	}
	return &failure{code: exitStops, err: p, hint: p.Hint}
}

// report prints an error and returns the exit status.
func (p *program) report(err error) int {
	if err == nil {
		return exitOK
	}
	if errors.Is(err, context.Canceled) {
		return exitBroken
	}
	f := asFailure(err)
	if f.err == nil {
		return f.code
	}
	if !errors.As(err, new(*failure)) {
		err = f
	}
	p.notef("%s", "winnow: "+err.Error())
	for _, line := range f.more {
		p.notef("%s", line)
	}
	if f.hint != "" {
		p.notef("%s", "hint: "+f.hint)
	}
	return f.code
}

// causes are the failures for errors that any command can end with.
var causes = []struct {
	is   error
	code int
	hint string
}{
	{memory.ErrAsks, exitRefused, "wait until that is over, or add --anyway"},
	{memory.ErrReadOnly, exitFailure, "look at it with winnow list, show and recall; winnow stores --long says why"},
	{memory.ErrNothing, exitNotFound, "see what was done: winnow history"},
	{memory.ErrNotFound, exitNotFound, "list the stores: winnow stores"},
	{fs.ErrNotExist, exitNotFound, "list the stores: winnow stores"},
}

// asFailure returns err as a failure that may be modified.
func asFailure(err error) *failure {
	var f *failure
	if errors.As(err, &f) {
		return f
	}
	var p *memory.Problem
	if errors.As(err, &p) {
		operation := strings.TrimSuffix(err.Error(), p.What)
		f := &failure{code: exitFailure, err: problemError{operation + clause(p.What), err}, hint: p.Hint}
		if slices.Contains([]string{"blocked", "over-limit", "delimiter"}, p.Code) {
			f.code = exitRefused
		}
		return f
	}
	for _, c := range causes {
		if errors.Is(err, c.is) {
			return &failure{code: c.code, err: err, hint: c.hint}
		}
	}
	return &failure{code: exitFailure, err: err}
}

// problemError is an error whose sentence became the end of a message.
type problemError struct {
	text string
	err  error
}

func (p problemError) Error() string { return p.text }
func (p problemError) Unwrap() error { return p.err }

// during adds to an error the command that it ended, unless the error already names it.
func during(op string, err error) *failure {
	f := *asFailure(err)
	if !strings.HasPrefix(f.Error(), op+" ") && !strings.HasPrefix(f.Error(), op+":") {
		f.err = fmt.Errorf("%s: %w", op, f.err)
	}
	return &f
}

// noSuchValue returns the error for a value that a flag does not accept.
func noSuchValue(flag, value string, allowed []string) error {
	return usage("use one of: "+strings.Join(allowed, ", "), "--%s %s: no such value", flag, value)
}
