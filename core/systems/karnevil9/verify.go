package karnevil9

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"winnow/core/journal"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/system"
)

// verify checks the journals of the store at a path in both of the agent's ways: its integrity
// check, and what it does when it opens a journal. It checks the journals beside the store, and the
// one named by the environment if an agent in that environment would use this store.
func verify(ctx context.Context, env system.Env, store string) (health []memory.Health) {
	paths := journals(store)
	mine := func(p memory.Place) bool { return p.Path == store }
	if named := namedJournal(env); named != "" && !slices.Contains(paths, named) &&
		slices.ContainsFunc(find(ctx, env).Places, mine) {
		paths = append(paths, named)
	}
	for _, path := range paths {
		name := filepath.Join(filepath.Base(filepath.Dir(path)), filepath.Base(path))
		r, err := journal.Verify(ctx, path, journal.Options{})
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			p := quietread.Problem(err)
			health = append(
				health,
				memory.Health{
					Code:  "journal-unread",
					Level: memory.Warn,
					What:  "the journal " + name + " could not be verified: " + p.What,
					Next:  p.Hint,
				},
			)
			continue
		}
		runs := lockHolder(path)
		health = append(health, verdict(name, runs, r)...)
		if !r.Separators {
			continue
		}
		// Node 24 also ends a line at U+2028, so an agent running on it reads different lines.
		if newer, err := journal.Verify(ctx, path, journal.Options{Separators: true}); err == nil &&
			newer.Open != r.Open {
			health = append(health, verdict(name+" (under Node 24, where U+2028 ends a line)", runs, newer)...)
		}
	}
	return health
}

// verdict says what the agent makes of a journal. runs names the agent that has it open, or is "".
func verdict(name, runs string, r journal.Report) []memory.Health {
	open, check := r.Open, r.Verify
	if r.Long > 0 {
		return system.Report("", system.When(true, "journal-unread", memory.Warn, 0,
			fmt.Sprintf("the journal %s cannot be verified here: line %d is too long to read", name, r.Long),
			"let the agent check a copy, never the journal itself: the agent may cut what it opens"))
	}
	if open.Stop != nil {
		return system.Report(
			"",
			system.When(true, "journal-null", memory.Stop, 0, "the journal "+name+": "+open.Stop.What, open.Stop.Hint),
		)
	}
	keeps := fmt.Sprintf("keeps %d of %s", open.Events, memory.Counted(r.Events, "event"))
	torn := open.Torn && open.Events == r.Events
	cut := open.Line > 0 && !torn
	return system.Report(
		fmt.Sprintf(
			"the journal %s holds: %s, and both of the agent's checks find nothing wrong; neither sees a deleted beginning, a cut end or a changed last event",
			name,
			memory.Counted(r.Events, "event"),
		),
		system.When(
			!check.Valid,
			"journal-broken",
			memory.Warn,
			0,
			fmt.Sprintf(
				"the agent's integrity check fails at line %d of the journal %s: the event does not name the hash of the one before it",
				check.Line,
				name,
			),
			"compare that line and the one before it with a copy: one of them was changed after it was written, or events between them were removed",
		),
		system.When(
			torn && runs != "",
			"journal-torn",
			memory.Note,
			0,
			"the last line of the journal "+name+" is incomplete: an agent is writing it now ("+runs+")",
			"look again when the agent has ended",
		),
		system.When(
			torn && runs == "",
			"journal-torn",
			memory.Note,
			0,
			"the last line of the journal "+name+" is incomplete: an agent died while writing; the next one to open the journal cuts this line off and "+keeps,
			"nothing needs to be done",
		),
		system.When(
			cut,
			"journal-cut",
			memory.Warn,
			0,
			fmt.Sprintf(
				"the agent cuts the journal %s at line %d when it opens it, and every command does so, even one that only lists sessions: it %s and drops the rest",
				name,
				open.Line,
				keeps,
			),
			"copy the journal before an agent starts; then compare that line and the one before it with an older copy: different white space is enough to break the chain",
		),
		system.When(
			cut && check.Valid,
			"journal-disagree",
			memory.Note,
			0,
			"the agent's integrity check calls the same journal valid: it skips lines that are not JSON, and compares events as it would write them",
			"trust the other verdict: it decides what is cut",
		),
		system.When(
			r.Unended && open.Line == 0,
			"journal-unended",
			memory.Warn,
			0,
			"the last line of the journal "+name+" has no line end: the agent puts its next event on the same line, and loses both",
			"while no agent runs, add a line end to the file",
		),
	)
}
