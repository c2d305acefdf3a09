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
	"winnow/views/safe"
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

	// exitUndone is that of guard --once, exitFound and exitUnseen are those of audit.
	exitUndone = 1
	exitFound  = 1
	exitUnseen = 2
)

// exitStatuses says what each exit status means.
func exitStatuses() [][2]string {
	return [][2]string{
		{"0", "done"},
		{"1", "something failed: the message says what, and a hint what to do; or guard --once found something undone, audit something at or above --fail-on, or check something to warn of"},
		{"2", "wrong usage: also several stores and none named, a question and no terminal to ask it on, or --readonly; or audit could not look at everything"},
		{"3", "no store, record or entry of that name, or nothing to undo"},
		{"4", "doctor found something to warn of, or worse"},
		{"5", "the agent would stop with an error at this point"},
		{"6", "the check or the system's own tool refuses the text, or the store wants a decision (--anyway); nothing was changed"},
		{"7", "another writer changed the same; nothing was changed"},
		{"130", "interrupted"},
	}
}

// failure is an error that knows its exit status and what to do next. The hint is
// kept apart from the error, so that both stay one line each.
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

// usage reports a wrong use of the command line.
func usage(hint, format string, args ...any) error {
	return &failure{code: exitUsage, err: fmt.Errorf(format, args...), hint: hint}
}

// silent is an exit status without a message: the output has said it all.
func silent(code int) error { return &failure{code: code} }

// storeProblem is the failure for a store that cannot be read. An empty store can.
func storeProblem(s memory.Snapshot) error {
	if s.Problem == nil || s.Problem.Code == "empty" {
		return nil
	}
	f := &failure{code: exitFailure, err: fmt.Errorf("open %s: %s", s.Place.Path, clause(s.Problem.What)), hint: s.Problem.Hint}
	if s.Problem.Code == "missing" {
		f.code, f.hint = exitNotFound, "see what is there: winnow stores"
	}
	return f
}

// clause makes of a sentence the end of an error message.
func clause(s string) string {
	s = strings.TrimSuffix(s, ".")
	if len(s) > 1 && s[1] >= 'a' && s[1] <= 'z' {
		s = strings.ToLower(s[:1]) + s[1:]
	}
	return s
}

// agentStops is the failure for a point at which the agent would throw. The
// problem's sentence says that it would.
func agentStops(p *memory.Problem) error {
	return &failure{code: exitStops, err: p, hint: p.Hint}
}

// report prints an error and returns the exit status. Names and paths inside may
// be hostile, and an argument a secret, so each line is redacted and made visible.
func (e Env) report(err error) int {
	var f *failure
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, context.Canceled):
		return exitBroken
	case !errors.As(err, &f):
		f = plainFailure(err)
		err = f
	case f.err == nil:
		return f.code
	}
	lines := append([]string{"winnow: " + err.Error()}, f.more...)
	if f.hint != "" {
		lines = append(lines, "hint: "+f.hint)
	}
	for _, line := range lines {
		fmt.Fprintln(e.Err, safe.Line(e.Redact(line)))
	}
	return f.code
}

func plainFailure(err error) *failure {
	var p *memory.Problem
	if errors.As(err, &p) {
		text := strings.TrimSuffix(err.Error(), p.What) // what was being done, if that is said
		f := &failure{code: exitFailure, err: problemError{text + clause(p.What), err}, hint: p.Hint}
		if slices.Contains([]string{"blocked", "over-limit", "delimiter"}, p.Code) {
			f.code = exitRefused
		}
		return f
	}
	if errors.Is(err, memory.ErrAsks) {
		return &failure{code: exitRefused, err: err, hint: "wait until that is over, or add --anyway"}
	}
	if errors.Is(err, memory.ErrReadOnly) {
		return &failure{code: exitFailure, err: err, hint: "look at it with winnow list, show and recall; see why with winnow stores --long"}
	}
	if errors.Is(err, memory.ErrNothing) {
		return &failure{code: exitNotFound, err: err, hint: "see what was done: winnow history"}
	}
	if errors.Is(err, memory.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
		return &failure{code: exitNotFound, err: err, hint: "see what is there: winnow stores"}
	}
	return &failure{code: exitFailure, err: err}
}

// problemError is an error whose sentence was made the end of a message.
type problemError struct {
	text string
	err  error
}

func (p problemError) Error() string { return p.text }
func (p problemError) Unwrap() error { return p.err }

// asFailure returns err as a failure whose fields can be changed.
func asFailure(err error) *failure {
	var f *failure
	if errors.As(err, &f) {
		return f
	}
	return plainFailure(err)
}

// oneOf reports whether value is among the allowed ones of a flag.
func oneOf(flag, value string, allowed ...string) error {
	for _, a := range allowed {
		if value == a {
			return nil
		}
	}
	return usage("use one of: "+strings.Join(allowed, ", "), "--%s %s: no such value", flag, value)
}
