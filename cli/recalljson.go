package cli

import (
	"bytes"
	"cmp"
	"slices"
	"time"

	"winnow/cli/output"
	"winnow/core/memory"
)

type recallJSON struct {
	Schema   int          `json:"schema"`
	Store    *storeJSON   `json:"store"`
	Task     taskJSON     `json:"task"`
	Words    []wordJSON   `json:"words"`
	Used     int          `json:"used"`
	WordCap  int          `json:"word_cap"`
	Units    int          `json:"units"`
	UnitCap  int          `json:"unit_cap"`
	Searched int          `json:"searched"`
	Found    int          `json:"found"`
	Limit    int          `json:"limit"`
	Hits     []hitJSON    `json:"hits"`
	Block    *blockJSON   `json:"block,omitempty"`
	Prompt   *blockJSON   `json:"prompt,omitempty"`
	Stop     *problemJSON `json:"stop"`
	Empty    text         `json:"empty"`
	Notes    []text       `json:"notes"`
	Commit   *planJSON    `json:"commit,omitempty"`
	// What follows is missing where there is nothing to say.
	Also     []*blockJSON  `json:"also,omitempty"`
	Estimate text          `json:"estimate,omitempty"`
	Got      *gotJSON      `json:"got,omitempty"`
	With     *recallJSON   `json:"with,omitempty"`
	Compared *comparedJSON `json:"compared,omitempty"`
}

// gotJSON is what a session really got.
type gotJSON struct {
	Session text          `json:"session"`
	At      *time.Time    `json:"at"`
	Running bool          `json:"running"`
	Source  text          `json:"source"`
	Blocks  []*blockJSON  `json:"blocks"`
	Differs []differsJSON `json:"differs"`
	Unknown text          `json:"unknown"`
}

type differsJSON struct {
	Name text `json:"name"`
	Path text `json:"path"`
	Was  text `json:"was"`
	Now  text `json:"now"`
}

type taskJSON struct {
	Text    text   `json:"text"`
	Mode    string `json:"mode"`
	Tools   []text `json:"tools"`
	Without []text `json:"without"`
	Scope   text   `json:"scope,omitempty"`
	Folder  text   `json:"folder,omitempty"`
	Files   []text `json:"files,omitempty"`
}

type wordJSON struct {
	Text  text   `json:"text"`
	State string `json:"state"`
}

type hitJSON struct {
	ID       text        `json:"id"`
	Line     int         `json:"line"`
	Rank     int         `json:"rank"`
	Score    int         `json:"score"`
	Matches  []matchJSON `json:"matches"`
	ToolHits []text      `json:"tool_hits"`
	Recalled bool        `json:"recalled"`
	LostTie  bool        `json:"lost_tie"`
	Noise    bool        `json:"noise"`
	Count    int         `json:"count"`
	OddCount text        `json:"odd_count"`
	Outcome  text        `json:"outcome"`
	Title    text        `json:"title"`
	Body     text        `json:"body"`
	Flags    []string    `json:"flags"`
	Masked   bool        `json:"masked"`
	Points   float64     `json:"points,omitempty"`
	Why      text        `json:"why,omitempty"`
	Kind     text        `json:"kind,omitempty"`
	Scope    text        `json:"scope,omitempty"`
}

type matchJSON struct {
	Word  text   `json:"word"`
	Kind  string `json:"kind"`
	Times int    `json:"times"`
}

type blockJSON struct {
	Where      text       `json:"where"`
	Name       text       `json:"name"`
	Text       text       `json:"text"`
	Bytes      int        `json:"bytes"`
	TokensLow  int        `json:"tokens_low"`
	TokensHigh int        `json:"tokens_high"`
	Marks      []markJSON `json:"marks"`
	Masked     bool       `json:"masked"`
	Parts      []partJSON `json:"parts,omitempty"`
}

type partJSON struct {
	Name       text `json:"name"`
	ID         text `json:"id"`
	Path       text `json:"path"`
	Start      int  `json:"start"`
	End        int  `json:"end"`
	TokensLow  int  `json:"tokens_low"`
	TokensHigh int  `json:"tokens_high"`
	Note       text `json:"note"`
}

type markJSON struct {
	Kind  string `json:"kind"`
	Start int    `json:"start"`
	End   int    `json:"end"`
	Note  text   `json:"note"`
}

// comparedJSON is what two recalls have in common, by the ids of records.
type comparedJSON struct {
	Both  []pairJSON `json:"both"`
	Here  []text     `json:"here"`
	There []text     `json:"there"`
}

type pairJSON struct {
	Here     text `json:"here"`
	There    text `json:"there"`
	Contrary bool `json:"contrary"`
	Why      text `json:"why"`
}

// RecallJSON returns a recall as winnow recall --json prints it, with null for
// the store. Secrets are masked unless reveal is set.
func (e *Env) RecallJSON(r memory.Recall, reveal bool) (string, error) {
	var b bytes.Buffer
	o := output.New(&b, 0, reveal)
	j := recallOf(o, memory.Place{}, r, true)
	j.Store = nil
	o.JSON(j)
	return b.String(), o.Close()
}

// recallOf returns the JSON of a recall, with the blocks when they are wanted.
func recallOf(o *output.Out, place memory.Place, r memory.Recall, blocks bool) recallJSON {
	store := placeJSON(o, place)
	words := [...]string{"used", "short", "past_50", "past_2000", "left_out"}
	j := recallJSON{
		Schema: schemaVersion, Store: &store,
		Task: taskJSON{
			Text: o.Text(r.Task.Text), Mode: cmp.Or(string(r.Task.Mode), string(memory.Single)), Tools: o.Texts(r.Task.Tools), Without: o.Texts(r.Task.Without),
			Scope: o.Text(r.Task.Scope), Folder: o.Text(r.Task.Folder), Files: o.Texts(r.Task.Files),
		},
		Words: output.Each(r.Words, func(w *memory.Word) wordJSON {
			return wordJSON{text(w.Text), words[min(int(w.State), len(words)-1)]}
		}),
		Used: r.Used, WordCap: r.WordCap, Units: r.Units, UnitCap: r.UnitCap,
		Searched: r.Searched, Found: r.Found, Limit: r.Limit,
		Hits: output.Each(r.Hits, func(h *memory.Hit) hitJSON { return hitOf(o, h) }),
		Stop: problemOf(o, r.Stop), Empty: text(r.Empty), Notes: plainTexts(r.Notes), Estimate: text(r.Estimate),
	}
	if blocks {
		j.Block, j.Prompt = blockOf(o, r.Block), blockOf(o, r.Prompt)
		j.Also, j.Got = blocksOf(o, r.Also), gotOf(o, r.LastSession)
	}
	return j
}

func hitOf(o *output.Out, h *memory.Hit) hitJSON {
	kinds := [...]string{"whole_word", "inside_word", "stop_word"}
	r := &memory.Record{ID: h.ID, Title: h.Title, Body: h.Body, Secrets: h.Secrets}
	return hitJSON{
		ID: text(o.ID(r, h.ID)), Line: h.Line, Rank: h.Rank, Score: h.Score,
		Matches: output.Each(h.Matches, func(m *memory.Match) matchJSON {
			return matchJSON{text(m.Word), kinds[min(int(m.Kind), len(kinds)-1)], m.Times}
		}),
		ToolHits: o.Texts(h.ToolHits), Recalled: h.Recalled, LostTie: h.LostTie, Noise: h.Noise,
		Count: h.Count.N, OddCount: o.Text(h.Count.Odd), Outcome: o.Text(string(h.Outcome)),
		Title: o.FieldText(r, memory.InTitle), Body: o.FieldText(r, memory.InBody),
		Flags: flagNames(h.Flags), Masked: len(h.Secrets) > 0 && !o.Reveal,
		Points: h.Points, Why: o.Text(h.Why), Kind: o.Text(h.Kind), Scope: o.Text(h.Scope),
	}
}

// blockOf returns the JSON of a block, or nil when there is none.
func blockOf(o *output.Out, b memory.Block) *blockJSON {
	if b.Text == "" {
		return nil
	}
	kinds := [...]string{"filtered", "newline", "hidden", "cut", "secret", "heading", "delimiter"}
	masked := o.Mask(blockText(b))
	j := &blockJSON{
		Where: text(b.Where), Name: text(b.Name), Text: text(masked), Bytes: len(b.Text), TokensLow: b.TokensLow, TokensHigh: b.TokensHigh,
		Marks: output.Each(b.Marks, func(m *memory.Mark) markJSON {
			return markJSON{kinds[min(int(m.Kind), len(kinds)-1)], m.Start, m.End, text(m.Note)}
		}),
		Masked: !o.Reveal && hasSecret(b),
		Parts: output.Each(b.Parts, func(p *memory.Part) partJSON {
			return partJSON{o.Text(p.Name), o.Text(string(p.ID)), o.Text(p.Path), p.Start, p.End, p.TokensLow, p.TokensHigh, o.Text(p.Note)}
		}),
	}
	return j
}

func hasSecret(b memory.Block) bool {
	return slices.ContainsFunc(b.Marks, func(m memory.Mark) bool { return m.Kind == memory.MarkSecret })
}

func blocksOf(o *output.Out, list []memory.Block) []*blockJSON {
	return slices.DeleteFunc(output.Each(list, func(b *memory.Block) *blockJSON { return blockOf(o, *b) }), func(j *blockJSON) bool { return j == nil })
}

// gotOf returns the JSON of what a session got, nil when its system does not tell.
func gotOf(o *output.Out, g *memory.LastSession) *gotJSON {
	if g == nil {
		return nil
	}
	return &gotJSON{
		Session: o.Text(g.Session), At: output.Instant(g.At), Running: g.Running, Source: o.Text(g.Source), Blocks: blocksOf(o, g.Blocks),
		Differs: output.Each(g.Differs, func(d *memory.Difference) differsJSON {
			return differsJSON{o.Text(d.Name), o.Text(d.Path), o.Text(d.Was), o.Text(d.Now)}
		}),
		Unknown: o.Text(g.Unknown),
	}
}

func comparedOf(o *output.Out, a, b memory.Recall, c compared) *comparedJSON {
	id := func(r memory.Recall, i int) text {
		return text(o.Mask(output.Of(string(r.Hits[i].ID), memory.Places(r.Hits[i].Secrets, memory.InID, 0))))
	}
	return &comparedJSON{
		Both:  output.Each(c.both, func(p *pair) pairJSON { return pairJSON{id(a, p.left), id(b, p.right), p.contrary, o.Text(p.why)} }),
		Here:  output.Each(c.left, func(i *int) text { return id(a, *i) }),
		There: output.Each(c.right, func(i *int) text { return id(b, *i) }),
	}
}
