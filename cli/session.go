package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"winnow/cli/output"
	"winnow/core/memory"
	"winnow/core/session"
)

// Sessions is what the commands about sessions of agents and their journals need from the core.
type Sessions interface {
	// Sessions returns the sessions that agents kept on this machine, newest first. If folder is
	// not empty, it returns only those of its project. On an error the others are still returned.
	Sessions(ctx context.Context, folder string) ([]session.Head, error)
	// Session reads the session with an ID, or the only one whose ID has the prefix id.
	Session(ctx context.Context, id string) (session.Session, error)
	// ReadSession reads a session of the list.
	ReadSession(ctx context.Context, h session.Head) (session.Session, error)
	// SessionRecords returns the records that a session left, and those given to it. notes say what
	// could not be read.
	SessionRecords(ctx context.Context, s *session.Session) (left, given []memory.Kin, notes []string, err error)
	// Evidence returns, for each record of a store, how the sessions ended in which it was
	// recalled. On an error some are missing.
	Evidence(ctx context.Context, id memory.StoreID) (map[memory.ID]memory.Evidence, error)
	// WithUse returns a snapshot with how often sessions used its records, where the store does not count that.
	WithUse(ctx context.Context, snap memory.Snapshot) memory.Snapshot
	// Verify checks the journals of a store's agents.
	Verify(ctx context.Context, id memory.StoreID) ([]memory.Health, error)
}

// sessions is one call of session, with its flags.
type sessions struct {
	*program
	from  string
	all   bool
	limit int
}

func (p *program) session() command {
	f := sessions{program: p, limit: 30}
	verbs := []string{"list", "show"}
	return command{
		paged: true, use: "session list|show [ID]", short: "List agents' sessions, or show one",
		long: `Lists the sessions that agents kept of this project, newest first, or with --all those of
every project on this machine: the state, the number of steps and of failed steps, and
what the person asked for. show prints one session: ID is its id or a unique prefix, with
SYSTEM: in front if two systems have the same id.

The state is succeeded, failed or aborted when the outcome is known, running, or unknown
when it is unclear whether the session is still running. Reading a session leaves no trace.

show also prints each step with the kind of its failure and the error, which texts of memories
the session was given, what it read that the person did not write (taint), and which records it
left or was given. A record was left by a session when it has its id, and given to it when the
words of the record are in a text that it was given; a record that was edited or deleted since
is not found by its old words. Lines of a kind that the reader does not know are counted.

When the output is not a terminal, each line of the list has eight tab-separated columns:
id, system, state, last change, steps, failed steps, folder, and task.`,
		examples: []string{
			"winnow session list", "winnow session list --all --from SYSTEM", "winnow session show 4f1c",
			"winnow session show 4f1c --json | jq .steps",
		},
		offer: func(ctx context.Context, args []string) []string {
			if len(args) == 0 {
				return verbs
			}
			return p.offerSessions(ctx, args)
		},
		flags: []flag{
			p.agentFlag(&f.from, "list only sessions of `AGENT`"),
			{to: &f.all, name: "all", help: "list the sessions of all projects"},
			{to: &f.limit, name: "limit", help: "list at most `N` sessions; 0 for all"},
			p.jsonFlag(), p.revealFlag(),
		},
		check: func(args []string) error {
			verb, hint := append(args, "")[0], "give one of: "+strings.Join(verbs, ", ")
			return refuse(
				refusal{len(args) == 0, hint, "session: what should be done?"},
				refusal{!slices.Contains(verbs, verb), hint, "session " + verb + ": no such action"},
				refusal{
					verb == "list" && len(args) > 1,
					"winnow session show shows one",
					"session list: unexpected argument",
				},
				refusal{
					verb == "show" && (len(args) != 2 || args[1] == ""),
					"see the ids: winnow session list",
					"session show: which session?",
				},
				refusal{f.limit < 0, "give a number of 0 or more", "--limit is below 0"},
				p.refuseAgent(f.from),
			)
		},
		run: func(ctx context.Context, args []string) error {
			if args[0] == "show" {
				return f.show(ctx, args[1])
			}
			return f.list(ctx)
		},
	}
}

// list reads and prints the sessions.
func (f *sessions) list(ctx context.Context) error {
	heads, failed := f.Sessions.Sessions(ctx, output.When(!f.all, f.Dir))
	if ctx.Err() != nil {
		return ctx.Err()
	}
	heads = slices.DeleteFunc(slices.Clone(heads), func(h session.Head) bool {
		return f.from != "" && string(h.System) != f.from
	})
	total := len(heads)
	if f.limit > 0 {
		heads = heads[:min(len(heads), f.limit)]
	}
	read, unread := make([]session.Session, len(heads)), make([]error, len(heads))
	inParallel(len(heads), func(i int) {
		read[i], unread[i] = f.Sessions.ReadSession(ctx, heads[i])
		if unread[i] != nil {
			read[i] = session.Session{Head: heads[i], State: session.Unknown, Why: asFailure(unread[i]).Error()}
		}
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if f.json {
		f.out.JSON(sessionsJSON{schemaVersion, total, output.Each(read, f.brief)})
	} else {
		f.printSessions(read)
	}
	if more := total - len(read); more > 0 && !f.json {
		f.notef("%d older sessions are not listed; --limit 0 lists all", more)
	}
	if err := errors.Join(append(unread, failed)...); err != nil {
		f.notef("not all could be read: %s", err)
		return silentExit(exitFailure)
	}
	return nil
}

// printSessions prints sessions, a line each.
func (f *sessions) printSessions(list []session.Session) {
	o := f.out
	for i := range list {
		s := &list[i]
		about := cmp.Or(f.summary(s), s.Why)
		if o.Width == 0 {
			o.Row(
				s.ID,
				s.System,
				s.State,
				f.moment(memory.Moment{Time: s.Changed}),
				len(s.Steps),
				s.Count(session.Error),
				s.Folder,
				about,
			)
			continue
		}
		o.Line(
			"%s  %s  %s  %s  %s  %s",
			o.Cell(s.ID, 8),
			o.Cell(s.System, 10),
			o.Cell(s.State, 9),
			o.CellRight(f.age(s.Changed), 4),
			o.Cell(stepsText(s), 20),
			about,
		)
	}
	if o.Width > 0 && len(list) == 0 {
		o.Line("No agent kept a session of this project. winnow session list --all lists those of other projects.")
	}
}

// summary is the first line of the person's request.
func (f *sessions) summary(s *session.Session) string {
	task, _, _ := strings.Cut(strings.TrimSpace(f.out.Hidden(s.Task)), "\n")
	return task
}

// stepsText returns the number of steps in a session and of those that failed.
func stepsText(s *session.Session) string {
	return output.Joined(
		", ",
		output.Plural(len(s.Steps), "step"),
		output.When(s.Count(session.Error) > 0, fmt.Sprintf("%d failed", s.Count(session.Error))),
	)
}

// show prints one session.
func (f *sessions) show(ctx context.Context, id string) error {
	s, err := f.Sessions.Session(ctx, id)
	if errors.Is(err, memory.ErrNotFound) {
		return failed(exitNotFound, "list them: winnow session list --all", "%w", err)
	}
	if err != nil {
		return err
	}
	left, given, notes, err := f.Sessions.SessionRecords(ctx, &s)
	if err != nil {
		return err
	}
	if f.json {
		o := f.out
		of := func(k *memory.Kin) recordOfSessionJSON {
			return recordOfSessionJSON{o.Text(string(k.Store)), o.Text(string(k.ID)), o.Text(k.Title)}
		}
		o.JSON(wholeSessionJSON{
			Schema:      schemaVersion,
			sessionJSON: f.brief(&s),
			Task:        o.Text(s.Task),
			Corrections: o.Texts(s.Corrections),
			Steps: output.Each(s.Steps, func(t *session.Step) sessionStepJSON {
				return sessionStepJSON{
					Tool:      o.Text(t.Tool),
					Arguments: o.Text(t.Arguments),
					Status:    text(t.Status),
					Kind:      o.Text(t.Kind),
					Error:     o.Text(t.Error),
					At:        output.Instant(t.At),
				}
			}),
			Given: output.Each(s.Given, func(g *session.Given) givenJSON {
				return givenJSON{o.Text(g.Source), o.Text(g.Path), o.Text(g.Text)}
			}),
			Left:     output.Each(left, of),
			Recalled: output.Each(given, of),
			Notes:    o.Texts(notes),
		})
		return nil
	}
	f.print(&s)
	f.printKin("left", left)
	f.printKin("recalled", given)
	for _, n := range notes {
		f.out.Named("note", n)
	}
	f.printWork(&s)
	return nil
}

// sessionsJSON is the newest sessions, and how many there are.
type sessionsJSON struct {
	Schema   int           `json:"schema"`
	Total    int           `json:"total"`
	Sessions []sessionJSON `json:"sessions"`
}

// sessionJSON is a session without its steps and texts.
type sessionJSON struct {
	ID        text              `json:"id"`
	System    text              `json:"system"`
	State     text              `json:"state"`
	Why       text              `json:"why"`
	Summary   text              `json:"summary"`
	Folder    text              `json:"folder"`
	Path      text              `json:"path"`
	Changed   *time.Time        `json:"changed"`
	Began     *time.Time        `json:"began"`
	Ended     *time.Time        `json:"ended"`
	Version   text              `json:"version"`
	Model     text              `json:"model"`
	Resumed   bool              `json:"resumed"`
	MemoryOff bool              `json:"memory_off"`
	Subagent  bool              `json:"subagent"`
	Recovered bool              `json:"recovered"`
	StepCount int               `json:"step_count"`
	OK        int               `json:"ok"`
	Failed    int               `json:"failed"`
	Declined  int               `json:"declined"`
	Pending   int               `json:"pending"`
	Taint     []text            `json:"taint"`
	Unknown   []unknownKindJSON `json:"unknown"`
}

// unknownKindJSON is a kind of lines that is not known, and how many there are.
type unknownKindJSON struct {
	Kind  text `json:"kind"`
	Lines int  `json:"lines"`
}

// wholeSessionJSON is a session with its steps, and the records that it left and was given.
type wholeSessionJSON struct {
	Schema int `json:"schema"`
	sessionJSON
	Task        text                  `json:"task"`
	Corrections []text                `json:"corrections"`
	Steps       []sessionStepJSON     `json:"steps"`
	Given       []givenJSON           `json:"given"`
	Left        []recordOfSessionJSON `json:"left"`
	Recalled    []recordOfSessionJSON `json:"recalled"`
	Notes       []text                `json:"notes"`
}

type sessionStepJSON struct {
	Tool      text       `json:"tool"`
	Arguments text       `json:"arguments"`
	Status    text       `json:"status"`
	Kind      text       `json:"kind"`
	Error     text       `json:"error"`
	At        *time.Time `json:"at"`
}

// givenJSON is a memory text that a session was given.
type givenJSON struct {
	Source text `json:"source"`
	Path   text `json:"path"`
	Text   text `json:"text"`
}

type recordOfSessionJSON struct {
	Store text `json:"store"`
	ID    text `json:"id"`
	Title text `json:"title"`
}

// brief returns the JSON of a session without its steps and texts.
func (f *sessions) brief(s *session.Session) sessionJSON {
	o := f.out
	return sessionJSON{
		ID:        o.Text(s.ID),
		System:    text(s.System),
		State:     text(s.State),
		Why:       o.Text(s.Why),
		Summary:   text(f.summary(s)),
		Folder:    o.Text(s.Folder),
		Path:      o.Text(s.Path),
		Changed:   output.Instant(s.Changed),
		Began:     output.Instant(s.Began),
		Ended:     output.Instant(s.Ended),
		Version:   o.Text(s.Version),
		Model:     o.Text(s.Model),
		Resumed:   s.Resumed,
		MemoryOff: s.MemoryOff,
		Subagent:  s.Subagent,
		Recovered: s.Recovered(),
		StepCount: len(s.Steps),
		OK:        s.Count(session.OK),
		Failed:    s.Count(session.Error),
		Declined:  s.Count(session.Declined),
		Pending:   s.Count(session.Pending),
		Taint:     o.Texts(s.Taint),
		Unknown: output.Each(unknownKinds(s), func(kind *string) unknownKindJSON {
			return unknownKindJSON{o.Text(*kind), s.Unknown[*kind]}
		}),
	}
}

// unknownKinds are the kinds of lines that the reader does not know, in order.
func unknownKinds(s *session.Session) []string { return slices.Sorted(maps.Keys(s.Unknown)) }

// print prints what a session is.
func (f *sessions) print(s *session.Session) {
	when := func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return f.moment(memory.Moment{Time: t}) + " (" + f.since(t) + ")"
	}
	state := string(s.State) + note(s.Why) + output.When(s.Resumed, "; it went on after it had ended once")
	declined, pending := s.Count(session.Declined), s.Count(session.Pending)
	counts := stepsText(s) +
		output.When(declined > 0, fmt.Sprintf(", %d declined by the person", declined)) +
		output.When(pending > 0, fmt.Sprintf(", %d without a result", pending))
	f.out.Fields([][2]string{
		{"id", s.ID},
		{"agent", output.Joined(" ", f.systemName(s.System), s.Version)},
		{"model", s.Model},
		{"state", state},
		{"subagent", output.When(s.Subagent, "yes: another session started it")},
		{"memory", output.When(s.MemoryOff, "off: its agent was told to keep no memories of it, so Winnow learns from it only when you name it")},
		{"began", when(s.Began)},
		{"ended", when(s.Ended)},
		{"folder", f.fromHome(s.Folder)},
		{"file", f.fromHome(s.Path)},
		{"steps", counts},
	}...)
	for _, t := range s.Taint {
		f.out.Named("taint", t)
	}
	for _, g := range s.Given {
		f.out.Named("given", output.Joined(": ", g.Source, f.fromHome(g.Path))+", "+output.Plural(len(g.Text), "byte"))
	}
	for _, kind := range unknownKinds(s) {
		f.out.Named("not read", output.Plural(s.Unknown[kind], "line")+" of an unknown kind: "+kind)
	}
}

// printKin prints records, a line each.
func (f *sessions) printKin(name string, list []memory.Kin) {
	for _, k := range list {
		f.out.Named(name, cmp.Or(string(k.Store), "inbox")+" "+string(k.ID)+note(k.Title))
	}
}

// printWork prints what the person asked for and what the agent did.
func (f *sessions) printWork(s *session.Session) {
	o := f.out
	for i, request := range append([]string{s.Task}, s.Corrections...) {
		if request != "" {
			o.Printf("\n%s\n", []string{"task", "then"}[min(i, 1)])
			o.Lines("  ", output.Of(o.Hidden(request), nil))
		}
	}
	o.Printf("%s", output.Safe(output.When(len(s.Steps) > 0, "\nsteps\n")))
	for i, t := range s.Steps {
		o.Line("%s  %s  %s  %s", o.CellRight(i+1, 4), o.Cell(t.Status, 8), t.Tool, t.Arguments)
		if t.Status == session.Error {
			o.Hang("                ", "%s", cmp.Or(output.Joined(": ", t.Kind, t.Error), "no reason was given"))
		}
	}
}

// withEvidence sets in records whether they helped the sessions they were given to. It returns a
// function that does the same for other records.
func (p *program) withEvidence(
	ctx context.Context, place memory.Place, records []memory.Record,
) (set func(*memory.Record), _ error) {
	known, err := p.Sessions.Evidence(ctx, place.Store)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		p.notef("not all sessions could be read: %s", err)
	}
	set = func(r *memory.Record) {
		if e, ok := known[r.ID]; ok {
			r.Evidence = &e
		}
	}
	for i := range records {
		set(&records[i])
	}
	return set, nil
}

// evidenceJSON is what sessions say of a lesson.
type evidenceJSON struct {
	Recalled         int             `json:"recalled"`
	Succeeded        int             `json:"succeeded"`
	Without          int             `json:"without"`
	SucceededWithout int             `json:"succeeded_without"`
	Few              bool            `json:"few"`
	Gain             int             `json:"gain"`
	What             text            `json:"what"`
	Failure          *recurrenceJSON `json:"failure,omitempty"`
}

// recurrenceJSON says how often the failure of a lesson came before and since it was told.
type recurrenceJSON struct {
	Known    bool `json:"known"`
	Fired    int  `json:"fired"`
	Again    int  `json:"again"`
	Before   int  `json:"before"`
	BeforeOf int  `json:"before_of"`
	Since    int  `json:"since"`
	SinceOf  int  `json:"since_of"`
	What     text `json:"what"`
}

func evidenceOf(e *memory.Evidence) evidenceJSON {
	return evidenceJSON{
		Recalled:         e.Recalled,
		Succeeded:        e.Succeeded,
		Without:          e.Without,
		SucceededWithout: e.SucceededWithoutIt,
		Few:              e.Few(),
		Gain:             e.Gain(),
		What:             text(e.String()),
		Failure: output.OrNull(e.Recurs, func(c *memory.Recurrence) recurrenceJSON {
			return recurrenceJSON{
				Known:    !c.Unknown,
				Fired:    c.Fired,
				Again:    c.Again,
				Before:   c.Before,
				BeforeOf: c.BeforeOf,
				Since:    c.Since,
				SinceOf:  c.SinceOf,
				What:     text(c.String()),
			}
		}),
	}
}

// offerSessions completes session IDs.
func (p *program) offerSessions(ctx context.Context, _ []string) []string {
	heads, _ := p.Sessions.Sessions(ctx, "") // sessions that cannot be listed are not offered
	return output.Each(heads, func(h *session.Head) string {
		return p.completion(h.ID, string(h.System)+", "+p.since(h.Changed))
	})
}
