package cli

import (
	"bytes"
	"time"

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

// RecallJSON returns a recall as winnow recall --json prints it, with null for
// the store. Secrets are masked unless reveal is set.
func (e Env) RecallJSON(r memory.Recall, reveal bool) (string, error) {
	var b bytes.Buffer
	e.Out = &b
	o := e.output(reveal)
	j := o.recallJSON(memory.Place{}, r, true)
	j.Store = nil
	err := o.json(j)
	return b.String(), err
}

// recallJSON returns the JSON of a recall, with the blocks when they are wanted.
func (o *output) recallJSON(place memory.Place, r memory.Recall, blocks bool) recallJSON {
	store := o.placeJSON(place)
	mode := r.Task.Mode
	if mode == "" {
		mode = memory.Single
	}
	j := recallJSON{
		Schema: schemaVersion, Store: &store,
		Task: taskJSON{
			Text: o.said(r.Task.Text), Mode: string(mode), Tools: o.saids(r.Task.Tools), Without: o.saids(r.Task.Without),
			Scope: o.said(r.Task.Scope), Folder: o.said(r.Task.Folder), Files: o.saids(r.Task.Files),
		},
		Words: wordsOf(r.Words), Used: r.Used, WordCap: r.WordCap, Units: r.Units, UnitCap: r.UnitCap,
		Searched: r.Searched, Found: r.Found, Limit: r.Limit, Hits: make([]hitJSON, 0, len(r.Hits)),
		Stop: o.problemJSON(r.Stop), Empty: text(r.Empty), Notes: texts(r.Notes), Estimate: text(r.Estimate),
	}
	for i := range r.Hits {
		j.Hits = append(j.Hits, o.hitJSON(&r.Hits[i]))
	}
	if blocks {
		j.Block, j.Prompt = o.blockJSON(r.Block), o.blockJSON(r.Prompt)
		j.Also, j.Got = o.blocksJSON(r.Also), o.gotJSON(r.Got)
	}
	return j
}

func wordsOf(words []memory.Word) []wordJSON {
	names := [...]string{"used", "short", "past_50", "past_2000", "left_out"}
	out := make([]wordJSON, 0, len(words))
	for _, w := range words {
		out = append(out, wordJSON{text(w.Text), names[min(int(w.State), len(names)-1)]})
	}
	return out
}

func (o *output) hitJSON(h *memory.Hit) hitJSON {
	kinds := [...]string{"whole_word", "inside_word", "stop_word"}
	j := hitJSON{
		ID: text(o.maskedID(&memory.Record{ID: h.ID, Secrets: h.Secrets}, h.ID)), Line: h.Line, Rank: h.Rank, Score: h.Score, Matches: make([]matchJSON, 0, len(h.Matches)),
		ToolHits: o.saids(h.ToolHits), Recalled: h.Recalled, LostTie: h.LostTie, Noise: h.Noise,
		Count: h.Count.N, OddCount: o.said(h.Count.Odd), Outcome: o.said(string(h.Outcome)),
		Title: o.text(h.Title, h.Secrets, memory.InTitle), Body: o.text(h.Body, h.Secrets, memory.InBody),
		Flags: flagNames(h.Flags), Masked: len(h.Secrets) > 0 && !o.reveal,
		Points: h.Points, Why: o.said(h.Why), Kind: o.said(h.Kind), Scope: o.said(h.Scope),
	}
	for _, m := range h.Matches {
		j.Matches = append(j.Matches, matchJSON{text(m.Word), kinds[min(int(m.Kind), len(kinds)-1)], m.Times})
	}
	return j
}

// blockJSON returns the JSON of a block, or nil when there is none.
func (o *output) blockJSON(b memory.Block) *blockJSON {
	if b.Text == "" {
		return nil
	}
	kinds := [...]string{"filtered", "newline", "hidden", "cut", "secret", "heading", "delimiter"}
	secrets := markedSecrets(b.Marks)
	j := &blockJSON{
		Where: text(b.Where), Name: text(b.Name), Text: text(hide(b.Text, secrets, o.reveal)), Bytes: len(b.Text),
		TokensLow: b.TokensLow, TokensHigh: b.TokensHigh, Marks: make([]markJSON, 0, len(b.Marks)),
		Masked: len(secrets) > 0 && !o.reveal,
	}
	for _, m := range b.Marks {
		j.Marks = append(j.Marks, markJSON{kinds[min(int(m.Kind), len(kinds)-1)], m.Start, m.End, text(m.Note)})
	}
	for _, p := range b.Parts {
		j.Parts = append(j.Parts, partJSON{
			o.said(p.Name), o.said(string(p.ID)), o.said(p.Path), p.Start, p.End, p.TokensLow, p.TokensHigh, o.said(p.Note),
		})
	}
	return j
}

func (o *output) blocksJSON(list []memory.Block) []*blockJSON {
	out := make([]*blockJSON, 0, len(list))
	for _, b := range list {
		if j := o.blockJSON(b); j != nil {
			out = append(out, j)
		}
	}
	return out
}

// gotJSON returns the JSON of what a session got, nil when its system tells no such thing.
func (o *output) gotJSON(g *memory.Got) *gotJSON {
	if g == nil {
		return nil
	}
	j := &gotJSON{
		Session: o.said(g.Session), At: instant(g.At), Running: g.Running, Source: o.said(g.Source), Blocks: o.blocksJSON(g.Blocks),
		Differs: make([]differsJSON, 0, len(g.Differs)), Unknown: o.said(g.Unknown),
	}
	for _, d := range g.Differs {
		j.Differs = append(j.Differs, differsJSON{o.said(d.Name), o.said(d.Path), o.said(d.Was), o.said(d.Now)})
	}
	return j
}
