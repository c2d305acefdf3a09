package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"winnow/cli/output"
	"winnow/core/memory"
)

// stateOf returns the JSON of a store with its counts and its health.
func stateOf(o *output.Out, s *state) object {
	return append(placeJSON(o, s.Place),
		"total", s.Total, "aside", s.Aside, "held", s.Held, "cap", s.Cap, "load_cap", s.LoadCap,
		"unused", s.Unused, "size", s.Size, "mode", fmt.Sprintf("%04o", s.Mode.Perm()), "modified", output.Instant(s.ModTime),
		"git", s.Git.String(), "writer", text(s.Writer),
		"health", output.Each(s.Health, func(h *memory.Health) object {
			return object{"code", h.Code, "level", h.Level.String(), "what", text(h.What), "next", text(h.Next), "lines", h.Lines, "count", h.Count}
		}),
		"problem", problemOf(o, s.Problem), "noun", text(s.Noun.OrRecord().One),
		"start", object{"bytes", s.Start.Bytes, "tokens_low", s.Start.TokensLow, "tokens_high", s.Start.TokensHigh},
		"usage", output.Each(s.Usage, func(u *memory.Usage) object {
			return object{"name", o.Text(u.Name), "used", u.Used, "limit", u.Limit, "text", o.Text(u.Text)}
		}),
		"scopes", output.Each(s.Scopes, func(c *memory.Scope) object {
			return object{"name", o.Text(c.Name), "records", c.Records, "note", o.Text(c.Note)}
		}),
		"running", output.Each(s.Running, func(r *memory.Running) object {
			return object{"pid", r.PID, "session", o.Text(r.Session), "folder", o.Text(r.Folder), "state", o.Text(r.State), "since", output.Instant(r.Since)}
		}),
		"facts", factsOf(o, s.Facts), "read_only", text(s.ReadOnly), "findings", tallyOf(s.tally))
}

func tallyOf(t *memory.Tally) object {
	return output.OrNull(t, func(t *memory.Tally) object {
		return object{"high", t.High, "medium", t.Medium, "low", t.Low, "file", t.Files}
	})
}

// groupOf returns the JSON of the totals of a system's stores.
func groupOf(g *group) object {
	return object{
		"system", string(g.id), "name", text(g.name), "stores", len(g.states), "projects", g.projects, "records", g.records,
		"running", g.running, "failed", g.unreadable, "findings", tallyOf(g.tally),
	}
}

func (p *program) doctor() command {
	return command{
		paged: true, use: "doctor", short: "Check a store, and say what to do about each problem",
		long: `Checks a store and prints one finding per line, each with the next safe step. If the
agents of a store keep a journal, doctor runs both of their own checks on it without
opening it the way they do, which can truncate it.
The exit status is 4 if a finding is a warning or worse.`,
		examples: []string{"winnow doctor", "winnow doctor --json | jq '.health[] | select(.level != \"ok\")'"},
		args:     atMost(0),
		flags:    []flag{p.jsonFlag()},
		run:      p.runDoctor,
	}
}

func (p *program) runDoctor(ctx context.Context, _ []string) error {
	agents := slices.Concat(p.setupHealth(), p.Hooks.HookHealth())
	if problem := p.Learning.SettingsProblem(); problem != nil {
		agents = append(agents, memory.Health{Level: memory.Warn, What: problem.What, Next: problem.Hint})
	}
	if err := p.chooseStore(ctx, choice{bare: true}); err != nil {
		if !p.json { // what is wrong with hooks and settings does not wait for a store
			p.printLines(agents)
		}
		return err
	}
	snap, err := p.load(ctx, p.place) // a summary leaves out what only the records tell
	if err != nil {
		return err
	}
	journal, err := p.Sessions.Verify(ctx, p.place.Store)
	if err != nil {
		return err
	}
	snap.Health = slices.Concat(snap.Health, journal, agents)
	worst := memory.Good
	for _, h := range snap.Health {
		worst = max(worst, h.Level)
	}
	if p.json {
		p.out.JSON(object{"schema", schemaVersion, "store", stateOf(p.out, &state{Snapshot: snap}), "worst", worst.String()})
	} else {
		p.printHealth(snap)
	}
	if worst >= memory.Warn {
		return silentExit(exitUnwell)
	}
	return nil
}

// printHealth prints what is wrong with a store, a line each.
func (p *program) printHealth(snap memory.Snapshot) {
	p.out.Printf("%s: %s\n", snap.Place.Path, snap.Noun.Count(snap.Counted()))
	health := snap.Health
	if snap.Problem != nil {
		health = append([]memory.Health{{Level: memory.Note, What: snap.Problem.What}}, health...)
	}
	p.printLines(health)
}

func (p *program) printLines(health []memory.Health) {
	for _, h := range health {
		p.out.Printf("%s  %s%s\n", p.out.Sprintf("%-4s", h.Level), h.What, inLines(h))
		if h.Next != "" {
			p.out.Printf("      next: %s\n", h.Next)
		}
	}
}

// inLines names the lines that a finding is about.
func inLines(h memory.Health) string {
	lines := output.Each(h.Lines, func(n *int) string { return fmt.Sprint(*n) })
	more := h.Count - len(h.Lines)
	return output.When(len(lines) > 0, " (line "+strings.Join(lines, ", ")+output.When(more > 0, fmt.Sprintf(" and %d more", more))+")")
}
