package learn

import (
	"strings"
	"time"

	"winnow/core/memory"
	"winnow/core/session"
	"winnow/core/trigger"
)

// ownFailure is the failure that a lesson is about: the calls that its moment means or that it names, and the error
// that it quotes.
type ownFailure struct {
	when   memory.When
	body   string
	quoted string // as [alike] returns it, perhaps cut; empty if the lesson quotes none
}

// quotes are the words of lessons of a rule before the error that they quote.
var quotes = []string{failsHere + `: "`, callFails + `: "`, notThere + `: "`}

// ownFailureOf returns the failure that a lesson is about. It returns false for a lesson that is told at no call and
// quotes no error of one.
func ownFailureOf(r *memory.Record) (o ownFailure, ok bool) {
	w, err := memory.ParseWhen(r.When)
	if err != nil {
		return o, false
	}
	o.when, o.body = w, r.Body
	for _, words := range quotes {
		if _, rest, has := strings.Cut(r.Body, words); has {
			rest, _, _ = strings.Cut(rest, "\n")
			o.quoted = strings.TrimSuffix(strings.TrimRight(strings.TrimRight(rest, " "), "."), `"`)
			break
		}
	}
	return o, o.quoted != "" || o.atCall()
}

// atCall reports whether the lesson is told at a call of a tool.
func (o *ownFailure) atCall() bool {
	return o.when.Kind == memory.WhenCommand || o.when.Kind == memory.WhenFile || o.when.Kind == memory.WhenError
}

// known reports whether it can be told from a session whether the failure came. A file alone names none.
func (o *ownFailure) known() bool {
	return o.quoted != "" || o.atCall() && o.when.Kind != memory.WhenFile
}

// steps returns the first and the last step at which the failure came, or 0.
func (o *ownFailure) steps(t *Trace) (first, last int) {
	note := func(step int) {
		if first == 0 || step < first {
			first = step
		}
		last = max(last, step)
	}
	for i := range t.Failed {
		if o.is(&t.Failed[i]) {
			note(t.Failed[i].Step)
		}
	}
	for i := range t.Denied {
		if o.quoted == "" && isCommand(o.when, t.Denied[i].Command) {
			note(t.Denied[i].Step)
		}
	}
	return first, last
}

// is reports whether a failed call is that failure.
func (o *ownFailure) is(f *Failed) bool {
	if o.quoted != "" && !isQuoted(o.quoted, f.Error) {
		return false
	}
	switch o.when.Kind {
	case memory.WhenCommand:
		return isCommand(o.when, f.Command) && (o.quoted != "" || f.Left == "")
	case memory.WhenError:
		return trigger.Matches(o.when, f.call())
	}
	program, _, _ := strings.Cut(f.Called, " ")
	return o.quoted != "" && mentions(o.body, program)
}

// isQuoted reports whether a lesson quotes an error, or its beginning.
func isQuoted(quoted, failure string) bool {
	failure = alike(failure)
	begin, cut := strings.CutSuffix(quoted, " …")
	return failure == quoted || cut && strings.HasPrefix(failure, begin)
}

// again reports whether the failure came in a session after it was told the lesson. A lesson of a call reaches the
// model with the result of the first such call at the earliest: that one does not count.
func (o *ownFailure) again(t *Trace, root string) bool {
	first, last := o.steps(t)
	if !o.atCall() {
		return last > 0
	}
	told := t.fired(o.when, root)
	if told == 0 { // its call is not kept
		told = first
	}
	return last > told
}

// AboutFailures reports whether a record is a lesson of which [Recurrences] counts something.
func AboutFailures(r *memory.Record) bool {
	_, ok := ownFailureOf(r)
	return ok && r.Problem == nil
}

// TracedSession is what is kept of one session. Root is the folder of its project.
type TracedSession struct {
	Facts SessionFacts
	Trace *Trace
	Root  string
}

// Recurrences returns, for each record that is about a failure, in how many of the sessions that have ended it came
// before and after a person approved the record, and what became of the sessions that were given it. Approved returns
// when that was; a record without such a time counts from when it was made.
func Recurrences(
	records []memory.Record,
	lessons bool,
	approved func(*memory.Record) time.Time,
	sessions []TracedSession,
) map[memory.ID]memory.Recurrence {
	all := map[memory.ID]memory.Recurrence{}
	given := givenIn(IndexOf(records, lessons), sessions)
	for i := range records {
		r := &records[i]
		own, ok := ownFailureOf(r)
		if !ok || r.Problem != nil {
			continue
		}
		since := approved(r)
		if since.IsZero() {
			since = r.Created.Time
		}
		c := memory.Recurrence{Unknown: !own.known()}
		for j := range sessions {
			if s := &sessions[j]; s.Facts.State != session.Running {
				countRecurrence(&c, &own, s, given[j][i], since)
			}
		}
		all[r.ID] = c
	}
	return all
}

// givenIn returns, for each session, the indexes of the records that it was given.
func givenIn(x Index, sessions []TracedSession) []map[int]bool {
	given := make([]map[int]bool, len(sessions))
	for i := range sessions {
		given[i] = map[int]bool{}
		for _, record := range x.Recalled(sessions[i].Facts) {
			given[i][record] = true
		}
	}
	return given
}

// countRecurrence counts a session for a lesson that was approved at a time.
func countRecurrence(c *memory.Recurrence, own *ownFailure, s *TracedSession, given bool, approved time.Time) {
	if given {
		c.Fired++
	}
	if c.Unknown {
		return
	}
	if given && own.again(s.Trace, s.Root) {
		c.Again++
	}
	failed := 0
	if _, last := own.steps(s.Trace); last > 0 {
		failed = 1
	}
	switch {
	case s.Facts.At.Before(approved):
		c.BeforeOf++
		c.Before += failed
	case s.Facts.Began.After(approved):
		c.SinceOf++
		c.Since += failed
	}
}
