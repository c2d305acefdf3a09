package cli

import (
	"bytes"
	"cmp"
	"slices"

	"winnow/cli/output"
	"winnow/core/memory"
)

// RecallJSON returns a recall as printed by winnow recall --json, with null for the store. Secrets
// are masked unless reveal is set.
func (e *Env) RecallJSON(r memory.Recall, reveal bool) (string, error) {
	var b bytes.Buffer
	o := output.New(&b, 0, reveal)
	o.JSON(recallOf(o, nil, r, true, nil))
	return b.String(), o.Close()
}

// recallOf returns the JSON of a recall from a store. It includes the blocks if requested, and what
// was counted if counted is not nil.
func recallOf(o *output.Out, store object, r memory.Recall, blocks bool, counted *step) object {
	words := [...]string{"used", "short", "past_50", "past_2000", "left_out"}
	t := &r.Task
	hits := func(list []memory.Hit) []object {
		return output.Each(list, func(h *memory.Hit) object { return hitOf(o, h) })
	}
	return object{
		"schema", schemaVersion, "store", store,
		"task", object{
			"text", o.Text(t.Text),
			"mode", cmp.Or(string(t.Mode), string(memory.Single)),
			"tools", o.Texts(t.Tools),
			"without", o.Texts(t.Without),
			"scope", output.Some(o.Text(t.Scope)),
			"folder", output.Some(o.Text(t.Folder)),
			"files", output.SomeOf(o.Texts(t.Files)),
		},
		"words", output.Each(r.Words, func(w *memory.Word) object {
			return object{"text", text(w.Text), "state", words[min(int(w.State), len(words)-1)]}
		}),
		"used", r.Used, "word_cap", r.WordCap, "units", r.Units, "unit_cap", r.UnitCap,
		"searched", r.Searched, "found", r.Found, "limit", r.Limit, "hits", hits(r.Hits),
		"block", output.If(blocks, blockOf(o, r.Block)), "prompt", output.If(blocks, blockOf(o, r.Prompt)),
		"held_back", output.If(r.Approving, hits(r.HeldBack)),
		"stop", problemOf(o, r.Stop),
		"empty", text(r.Empty),
		"notes", plainTexts(r.Notes),
		"commit", output.OrMissing(counted, func(s *step) any { return planOf(o, s) }),
		"also", output.If(blocks, output.SomeOf(blocksOf(o, r.Also))), "estimate", output.Some(text(r.Estimate)),
		"got", output.If(blocks, lastSessionOf(o, r.LastSession)),
	}
}

func hitOf(o *output.Out, h *memory.Hit) object {
	kinds := [...]string{"whole_word", "inside_word", "stop_word"}
	r := &memory.Record{ID: h.ID, Title: h.Title, Body: h.Body, Secrets: h.Secrets}
	return object{
		"id", text(o.ID(r, h.ID)), "line", h.Line, "rank", h.Rank, "score", h.Score,
		"matches", output.Each(h.Matches, func(m *memory.Match) object {
			return object{"word", text(m.Word), "kind", kinds[min(int(m.Kind), len(kinds)-1)], "times", m.Times}
		}),
		"tool_hits", o.Texts(h.ToolHits), "recalled", h.Recalled, "lost_tie", h.LostTie, "noise", h.Noise,
		"count", h.Count.N, "odd_count", o.Text(h.Count.Odd), "outcome", o.Text(string(h.Outcome)),
		"title", o.FieldText(r, memory.InTitle), "body", o.FieldText(r, memory.InBody),
		"flags", h.Flags.Names(), "masked", len(h.Secrets) > 0 && !o.Reveal,
		"points", output.Some(h.Points),
		"why", output.Some(o.Text(h.Why)),
		"kind", output.Some(o.Text(h.Kind)),
		"scope", output.Some(o.Text(h.Scope)),
	}
}

// blockOf returns the JSON of a block, or Missing if there is none.
func blockOf(o *output.Out, b memory.Block) any {
	if b.Text == "" {
		return output.Missing{}
	}
	kinds := [...]string{"filtered", "newline", "hidden", "cut", "secret", "heading", "delimiter"}
	secret := slices.ContainsFunc(b.Marks, func(m memory.Mark) bool { return m.Kind == memory.MarkSecret })
	return object{
		"where", text(b.Where),
		"name", text(b.Name),
		"text", text(o.Mask(blockText(b))),
		"bytes", len(b.Text),
		"tokens_low", b.TokensLow,
		"tokens_high", b.TokensHigh,
		"marks", output.Each(b.Marks, func(m *memory.Mark) object {
			return object{
				"kind",
				kinds[min(int(m.Kind), len(kinds)-1)],
				"start",
				m.Start,
				"end",
				m.End,
				"note",
				text(m.Note),
			}
		}),
		"masked", !o.Reveal && secret,
		"parts", output.SomeOf(output.Each(b.Parts, func(p *memory.Part) object {
			return object{
				"name", o.Text(p.Name),
				"id", o.Text(string(p.ID)),
				"path", o.Text(p.Path),
				"start", p.Start,
				"end", p.End,
				"tokens_low", p.TokensLow, "tokens_high", p.TokensHigh, "note", o.Text(p.Note),
			}
		})),
	}
}

func blocksOf(o *output.Out, list []memory.Block) []any {
	list = slices.DeleteFunc(slices.Clone(list), func(b memory.Block) bool { return b.Text == "" })
	return output.Each(list, func(b *memory.Block) any { return blockOf(o, *b) })
}

// lastSessionOf returns the JSON of what a session got, or Missing if its system does not record
// it.
func lastSessionOf(o *output.Out, g *memory.LastSession) any {
	return output.OrMissing(g, func(g *memory.LastSession) any {
		return object{
			"session", o.Text(g.Session),
			"at", output.Instant(g.At),
			"running", g.Running,
			"source", o.Text(g.Source),
			"blocks", blocksOf(o, g.Blocks),
			"differs", output.Each(g.Differs, func(d *memory.Difference) object {
				return object{
					"name",
					o.Text(d.Name),
					"path",
					o.Text(d.Path),
					"was",
					o.Text(d.Was),
					"now",
					o.Text(d.Now),
				}
			}),
			"unknown", o.Text(g.Unknown),
		}
	})
}
