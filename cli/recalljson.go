package cli

import (
	"bytes"
	"cmp"
	"slices"
	"time"

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

// recalledJSON is a recall from a store: what is given for a task, and why.
type recalledJSON struct {
	Schema   int              `json:"schema"`
	Store    *placeJSON       `json:"store"`
	Task     taskJSON         `json:"task"`
	Words    []wordJSON       `json:"words"`
	Used     int              `json:"used"`
	WordCap  int              `json:"word_cap"`
	Units    int              `json:"units"`
	UnitCap  int              `json:"unit_cap"`
	Searched int              `json:"searched"`
	Found    int              `json:"found"`
	Limit    int              `json:"limit"`
	Hits     []hitJSON        `json:"hits"`
	Block    *blockJSON       `json:"block,omitempty"`
	Prompt   *blockJSON       `json:"prompt,omitempty"`
	HeldBack *[]hitJSON       `json:"held_back,omitempty"` // of a store that gives only what was approved
	Stop     *problemJSON     `json:"stop"`
	Empty    text             `json:"empty"`
	Notes    []text           `json:"notes"`
	Commit   *planJSON        `json:"commit,omitempty"`
	Also     []*blockJSON     `json:"also,omitempty"`
	Estimate text             `json:"estimate,omitempty"`
	Got      *lastSessionJSON `json:"got,omitempty"`
}

type taskJSON struct {
	Text    text   `json:"text"`
	Mode    text   `json:"mode"`
	Tools   []text `json:"tools"`
	Without []text `json:"without"`
	Scope   text   `json:"scope,omitempty"`
	Folder  text   `json:"folder,omitempty"`
	Files   []text `json:"files,omitempty"`
}

// wordJSON is a word of the task, and whether it was searched for.
type wordJSON struct {
	Text  text   `json:"text"`
	State string `json:"state"`
}

// hitJSON is a record that was found, with its score and what of the task it has.
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

// blockJSON is a text as the agent gets it. Start and end are byte offsets in it.
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

type markJSON struct {
	Kind  string `json:"kind"`
	Start int    `json:"start"`
	End   int    `json:"end"`
	Note  text   `json:"note"`
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

// lastSessionJSON is what the last session got, and how that differs from what one would get now.
type lastSessionJSON struct {
	Session text             `json:"session"`
	At      *time.Time       `json:"at"`
	Running bool             `json:"running"`
	Source  text             `json:"source"`
	Blocks  []*blockJSON     `json:"blocks"`
	Differs []differenceJSON `json:"differs"`
	Unknown text             `json:"unknown"`
}

type differenceJSON struct {
	Name text `json:"name"`
	Path text `json:"path"`
	Was  text `json:"was"`
	Now  text `json:"now"`
}

// recallOf returns the JSON of a recall from a store. It includes the blocks if requested, and what
// was counted if counted is not nil.
func recallOf(o *output.Out, store *placeJSON, r memory.Recall, blocks bool, counted *planRun) recalledJSON {
	words := [...]string{"used", "short", "past_50", "past_2000", "left_out"}
	t := &r.Task
	hits := func(list []memory.Hit) []hitJSON {
		return output.Each(list, func(h *memory.Hit) hitJSON { return hitOf(o, h) })
	}
	j := recalledJSON{
		Schema: schemaVersion,
		Store:  store,
		Task: taskJSON{
			Text:    o.Text(t.Text),
			Mode:    text(cmp.Or(t.Mode, memory.Single)),
			Tools:   o.Texts(t.Tools),
			Without: o.Texts(t.Without),
			Scope:   o.Text(t.Scope),
			Folder:  o.Text(t.Folder),
			Files:   o.Texts(t.Files),
		},
		Words: output.Each(r.Words, func(w *memory.Word) wordJSON {
			return wordJSON{text(w.Text), words[min(int(w.State), len(words)-1)]}
		}),
		Used:     r.Used,
		WordCap:  r.WordCap,
		Units:    r.Units,
		UnitCap:  r.UnitCap,
		Searched: r.Searched,
		Found:    r.Found,
		Limit:    r.Limit,
		Hits:     hits(r.Hits),
		Stop:     problemOf(o, r.Stop),
		Empty:    text(r.Empty),
		Notes:    plainTexts(r.Notes),
		Commit:   output.OrNull(counted, func(s *planRun) planJSON { return planOf(o, s) }),
		Estimate: text(r.Estimate),
	}
	if r.Approving {
		held := hits(r.HeldBack)
		j.HeldBack = &held
	}
	if blocks {
		j.Block, j.Prompt, j.Also = blockOf(o, r.Block), blockOf(o, r.Prompt), blocksOf(o, r.Also)
		j.Got = lastSessionOf(o, r.LastSession)
	}
	return j
}

func hitOf(o *output.Out, h *memory.Hit) hitJSON {
	kinds := [...]string{"whole_word", "inside_word", "stop_word"}
	r := &memory.Record{ID: h.ID, Title: h.Title, Body: h.Body, Secrets: h.Secrets}
	return hitJSON{
		ID:    text(o.ID(r, h.ID)),
		Line:  h.Line,
		Rank:  h.Rank,
		Score: h.Score,
		Matches: output.Each(h.Matches, func(m *memory.Match) matchJSON {
			return matchJSON{text(m.Word), kinds[min(int(m.Kind), len(kinds)-1)], m.Times}
		}),
		ToolHits: o.Texts(h.ToolHits),
		Recalled: h.Recalled,
		LostTie:  h.LostTie,
		Noise:    h.Noise,
		Count:    h.Count.N,
		OddCount: o.Text(h.Count.Odd),
		Outcome:  o.Text(string(h.Outcome)),
		Title:    o.FieldText(r, memory.InTitle),
		Body:     o.FieldText(r, memory.InBody),
		Flags:    h.Flags.Names(),
		Masked:   len(h.Secrets) > 0 && !o.Reveal,
		Points:   h.Points,
		Why:      o.Text(h.Why),
		Kind:     o.Text(h.Kind),
		Scope:    o.Text(h.Scope),
	}
}

// blockOf returns the JSON of a block, or nil if there is none.
func blockOf(o *output.Out, b memory.Block) *blockJSON {
	if b.Text == "" {
		return nil
	}
	kinds := [...]string{"filtered", "newline", "hidden", "cut", "secret", "heading", "delimiter"}
	secret := slices.ContainsFunc(b.Marks, func(m memory.Mark) bool { return m.Kind == memory.MarkSecret })
	return &blockJSON{
		Where:      text(b.Where),
		Name:       text(b.Name),
		Text:       text(o.Mask(blockText(b))),
		Bytes:      len(b.Text),
		TokensLow:  b.TokensLow,
		TokensHigh: b.TokensHigh,
		Marks: output.Each(b.Marks, func(m *memory.Mark) markJSON {
			return markJSON{kinds[min(int(m.Kind), len(kinds)-1)], m.Start, m.End, text(m.Note)}
		}),
		Masked: !o.Reveal && secret,
		Parts: output.Each(b.Parts, func(p *memory.Part) partJSON {
			return partJSON{
				Name:       o.Text(p.Name),
				ID:         o.Text(string(p.ID)),
				Path:       o.Text(p.Path),
				Start:      p.Start,
				End:        p.End,
				TokensLow:  p.TokensLow,
				TokensHigh: p.TokensHigh,
				Note:       o.Text(p.Note),
			}
		}),
	}
}

func blocksOf(o *output.Out, list []memory.Block) []*blockJSON {
	list = slices.DeleteFunc(slices.Clone(list), func(b memory.Block) bool { return b.Text == "" })
	return output.Each(list, func(b *memory.Block) *blockJSON { return blockOf(o, *b) })
}

// lastSessionOf returns the JSON of what a session got, or nil if its system does not record it.
func lastSessionOf(o *output.Out, g *memory.LastSession) *lastSessionJSON {
	return output.OrNull(g, func(g *memory.LastSession) lastSessionJSON {
		return lastSessionJSON{
			Session: o.Text(g.Session),
			At:      output.Instant(g.At),
			Running: g.Running,
			Source:  o.Text(g.Source),
			Blocks:  blocksOf(o, g.Blocks),
			Differs: output.Each(g.Differs, func(d *memory.Difference) differenceJSON {
				return differenceJSON{o.Text(d.Name), o.Text(d.Path), o.Text(d.Was), o.Text(d.Now)}
			}),
			Unknown: o.Text(g.Unknown),
		}
	})
}
