package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"winnow/cli/output"
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
		{
			"1",
			"something failed, and the message says what; guard --once found an undone change; inbox --check found something waiting; doctor found something wrong with what agents read; or audit found something at or above --fail-on",
		},
		{
			"2",
			"wrong usage, several stores or agents that could be meant and none named, nobody to ask for confirmation, or --readonly; or audit could not read everything",
		},
		{"3", "no such store, record or history entry, or nothing to undo"},
		{"4", "doctor found a warning or worse in a store or in settings, and nothing wrong with what agents read"},
		{"5", "the agent would stop with an error at this point (search, recall)"},
		{
			"6",
			"the text was refused, by our check or by the system's own tool (edit, add, merge), or the store needs --anyway; nothing was changed; or sync held lessons back",
		},
		{"7", "another writer changed the same record; nothing was changed; or sync found lessons that both sides edited"},
		{"130", "interrupted, but 0 for guard, which follows until then"},
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

// unclearName returns the failure for a name that means several things. It lists the first of them.
func unclearName(op, hint string, err error) error {
	var unclear *memory.UnclearError
	if !errors.As(err, &unclear) {
		return err
	}
	f := failed(exitUsage, hint, "%s %w", op, unclear)
	for _, id := range unclear.Shown {
		f.more = append(f.more, "  "+id)
	}
	if n := unclear.Count - len(unclear.Shown); n > 0 {
		f.more = append(f.more, fmt.Sprintf("  and %d more", n))
	}
	return f
}

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
	hint := f.hint
	if q := (*memory.Problem)(nil); errors.As(err, &q) && q.Outside != "" {
		hint = "if you mean that file: " + p.naming(q.Outside)
	}
	if !errors.As(err, new(*failure)) {
		err = f
	}
	p.notef("%s", "winnow: "+err.Error())
	for _, line := range f.more {
		p.notef("%s", line)
	}
	if p.Untrusted != nil && errors.Is(err, memory.ErrReadOnly) {
		hint = asFailure(p.Untrusted).hint
	}
	if p.BadSettings != nil && errors.Is(err, memory.ErrReadOnly) {
		p.notef("%s", p.BadSettings.What)
		hint = p.BadSettings.Hint
	}
	if hint != "" {
		p.notef("%s", "hint: "+hint)
	}
	return f.code
}

// naming returns the command line of this call, as typed in a shell, with --store naming the file at path.
func (p *program) naming(path string) string {
	end := slices.Index(p.words, "--")
	if end < 0 {
		end = len(p.words)
	}
	words := []string{"winnow"}
	for i := 0; i < end; i++ {
		switch word := p.words[i]; {
		case word == "--store":
			i++
		case !strings.HasPrefix(word, "--store=") && word != "--stores":
			words = append(words, word)
		}
	}
	words = append(words, "--store", path)
	if system := string(p.place.Store.System()); system != "" && p.system == "" {
		words = append(words, "--system", system) // several may list the file
	}
	words = append(words, p.words[end:]...)
	return strings.Join(output.Each(words, func(w *string) string { return memory.ShellWord(*w) }), " ")
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
	hint := "use one of: " + strings.Join(allowed, ", ")
	begins := func(name string) bool { return value != "" && strings.HasPrefix(name, strings.ToLower(value)) }
	if i := slices.IndexFunc(allowed, begins); i >= 0 {
		hint = "did you mean --" + flag + " " + allowed[i] + "? " + hint
	}
	return usage(hint, "--%s %s: no such value", flag, value)
}

// badFlag returns the error for flags that could not be parsed, in words of ours where pflag gives those of strconv.
func badFlag(err error, hint string) error {
	var bad *pflag.InvalidValueError
	if !errors.As(err, &bad) {
		return usage(hint, "%w", err)
	}
	wanted := map[string]string{
		"int":      "a whole number",
		"bool":     "true or false",
		"duration": "a time such as 90s or 2h",
	}
	f := bad.GetFlag()
	kind, known := wanted[f.Value.Type()]
	if !known {
		return usage(hint, "%w", err)
	}
	return usage(hint, "--%s %s: give %s", f.Name, bad.GetValue(), kind)
}
