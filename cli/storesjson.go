package cli

import (
	"fmt"

	"winnow/cli/output"
	"winnow/core/memory"
)

// stateOf returns the JSON of a store with its counts and its health.
func stateOf(o *output.Out, s *state) object {
	return append(
		placeJSON(o, s.Place),
		"total",
		s.Total,
		"aside",
		s.Aside,
		"damaged",
		s.Damaged,
		"held",
		s.Held,
		"cap",
		s.Cap,
		"load_cap",
		s.LoadCap,
		"unused",
		s.Unused,
		"size",
		s.Size,
		"mode",
		fmt.Sprintf("%04o", s.Mode.Perm()),
		"modified",
		output.Instant(s.ModTime),
		"git",
		s.Git.String(),
		"writer",
		text(s.Writer),
		"health",
		output.Each(s.Health, func(h *memory.Health) object {
			return object{
				"code",
				h.Code,
				"level",
				h.Level.String(),
				"what",
				text(h.What),
				"next",
				text(h.Next),
				"lines",
				h.Lines,
				"count",
				h.Count,
			}
		}),
		"problem",
		problemOf(o, s.Problem),
		"noun",
		text(s.Noun.OrRecord().One),
		"start",
		sizeJSON(s.Start),
		"usage",
		output.Each(s.Usage, func(u *memory.Usage) object {
			return object{"name", o.Text(u.Name), "used", u.Used, "limit", u.Limit, "text", o.Text(u.Text)}
		}),
		"scopes",
		output.Each(s.Scopes, func(c *memory.Scope) object {
			return object{"name", o.Text(c.Name), "records", c.Records, "note", o.Text(c.Note)}
		}),
		"running",
		output.Each(s.Running, func(r *memory.Running) object {
			return object{
				"pid",
				r.PID,
				"session",
				o.Text(r.Session),
				"folder",
				o.Text(r.Folder),
				"state",
				o.Text(r.State),
				"since",
				output.Instant(r.Since),
			}
		}),
		"facts",
		factsOf(o, s.Facts),
		"read_only",
		text(s.ReadOnly),
		"findings",
		tallyOf(s.tally),
	)
}

func tallyOf(t *memory.Tally) object {
	return output.OrNull(t, func(t *memory.Tally) object {
		return object{"high", t.High, "medium", t.Medium, "low", t.Low, "file", t.Files}
	})
}

// groupOf returns the JSON of the totals of a system's stores.
func groupOf(g *group) object {
	return object{
		"system", string(g.id),
		"name", text(g.name),
		"stores", len(g.states),
		"projects", g.projects,
		"records", g.records,
		"running", g.running, "failed", g.unreadable, "findings", tallyOf(g.tally),
	}
}
