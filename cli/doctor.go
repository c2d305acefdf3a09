package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"winnow/core/memory"
	"winnow/views/safe"
)

func (e Env) doctor(all *flags) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "doctor",
		Short: "say what is wrong with a store, and what to do",
		Long: `Examines a store and prints one finding a line, each with its next safe step.
The exit status is 4 when a finding is a warning or worse.`,
		Example: examples("winnow doctor", "winnow doctor --json | jq '.health[] | select(.level != \"ok\")'"),
		Args:    atMost(0),
		RunE:    func(c *cobra.Command, _ []string) error { return e.runDoctor(c.Context(), all, asJSON) },
	}
	jsonFlag(c, &asJSON)
	return c
}

type doctorJSON struct {
	Schema int       `json:"schema"`
	Store  stateJSON `json:"store"`
	Worst  string    `json:"worst"`
}

func (e Env) runDoctor(ctx context.Context, all *flags, asJSON bool) error {
	place, err := e.choose(ctx, all, false)
	if err != nil {
		return err
	}
	// A summary leaves out what only the records and the details tell.
	snap, err := e.Library.Load(ctx, place.Store)
	if err == nil {
		err = storeProblem(snap)
	}
	snap.Records = nil
	if err != nil {
		return err
	}
	worst := memory.Good
	for _, h := range snap.Health {
		worst = max(worst, h.Level)
	}
	o := e.output(false)
	if asJSON {
		err = o.json(doctorJSON{Schema: schemaVersion, Store: o.stateOf(&state{Snapshot: snap}), Worst: worst.String()})
	} else {
		o.printf("%s: %s\n", o.sentence(snap.Place.Path), safe.Line(nounOf(snap.Noun).Count(snap.Counted())))
		if snap.Problem != nil {
			o.printHealth(memory.Health{Level: memory.Note, What: snap.Problem.What})
		}
		for _, h := range snap.Health {
			o.printHealth(h)
		}
		err = o.close()
	}
	if err == nil && worst >= memory.Warn {
		return silent(exitUnwell)
	}
	return err
}

func (o *output) printHealth(h memory.Health) {
	o.printf("%-4s  %s%s\n", h.Level, safe.Line(h.What), where(h))
	if h.Next != "" {
		o.printf("      next: %s\n", safe.Line(h.Next))
	}
}

// where names the lines that a finding is about.
func where(h memory.Health) string {
	if len(h.Lines) == 0 {
		return ""
	}
	names := make([]string, 0, len(h.Lines))
	for _, n := range h.Lines {
		names = append(names, fmt.Sprint(n))
	}
	more := ""
	if n := h.Count - len(h.Lines); n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return " (line " + strings.Join(names, ", ") + more + ")"
}
