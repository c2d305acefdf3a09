package arbiter

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"winnow/core/annotate"
	"winnow/core/memory"
	"winnow/core/sqlite"
	"winnow/core/system"
	"winnow/core/systems/instructions"
)

// shownHits is the number of hits returned besides those that are injected.
const shownHits = 50

// Recall implements [system.Recaller]. It returns the lessons that Arbiter puts before a message to
// the agent that t.Scope names, and does not count a hit. Without a scope it takes the agent with
// the most lessons of the first tenant, which is the tenant that the TUI and --send use.
func (s *store) Recall(ctx context.Context, t memory.Task) (memory.Recall, error) {
	r := memory.Recall{Task: t, WordCap: mostWords, Units: len(t.Text), UnitCap: promptBytes, Limit: injected}
	var asked []pitfall
	err := sqlite.Look(ctx, s.path, func(db *sql.DB) (err error) {
		var p page
		if err := p.read(ctx, db); err != nil {
			return err
		}
		if r.Task.Scope = t.Scope; t.Scope == "" {
			r.Task.Scope = p.defaultScope()
		}
		asked, err = p.agentLessons(ctx, db, r.Task.Scope)
		return err
	})
	if err != nil {
		if ctx.Err() != nil {
			return memory.Recall{}, ctx.Err()
		}
		r.Empty = "No lesson can be recalled: " + problem(err).What
		r.Prompt = annotate.Block("user prompt", "user prompt", t.Text)
		r.Notes = []string{problem(err).What}
		return r, nil
	}
	p := newProbe(asked, t.Text)
	p.fill(&r, asked)
	return r, nil
}

// defaultScope returns the default scope: the agent of the first tenant with the most lessons.
func (p *page) defaultScope() string {
	best := memory.Scope{}
	first := ""
	if len(p.schema.tenants) > 0 {
		first = p.schema.scope(p.schema.tenants[0].id, "")
		best.Name = first + defaultAgent
	}
	for _, sc := range p.scopes {
		if strings.HasPrefix(sc.Name, first) && sc.Records > best.Records {
			best = sc
		}
	}
	return best.Name
}

// agentLessons returns the lessons of a scope as the probe reads them.
func (p *page) agentLessons(ctx context.Context, db sqlite.Querier, scope string) (asked []pitfall, err error) {
	tenantID, agent, err := p.schema.tenantAndAgent(scope)
	if err != nil {
		return nil, &memory.Problem{
			Code: "no-scope",
			What: "No agent of that name has lessons here: " + scope + ".",
			Hint: "name one as tenant/agent; the list of scopes has them",
		}
	}
	if agent == "" {
		agent = defaultAgent
	}
	query := p.schema.lessonQuery("WHERE " + p.schema.column("tenant_id") + "=? AND agent_id=? ORDER BY id LIMIT ?")
	err = sqlite.Each(ctx, db, func(rows *sql.Rows) error {
		r, long, err := scanLesson(rows)
		asked = append(asked, pitfall{
			id: r.number(colID), signature: untilNUL(r.text(colSignature)), text: untilNUL(r.text(colText)),
			hits: r.number(colHits), seen: r.number(colSeen), row: r, long: long,
		})
		return err
	}, query, tenantID, agent, mostRecords)
	return asked, err
}

// fill copies what a recall shows from the probe.
func (p *probe) fill(r *memory.Recall, asked []pitfall) {
	r.Searched, r.Used = len(asked), len(p.words)
	r.Words = p.wordStates(r.Task.Text)
	all := p.ranked(asked)
	r.Found = len(all)
	for rank, l := range all[:min(len(all), len(p.chosen)+shownHits)] {
		r.Hits = append(r.Hits, p.hit(l, rank+1))
	}
	r.Block, r.Prompt = p.blocks(r.Task.Text)
	r.Empty, r.Notes = p.empty(r), p.notes(r, all, asked)
}

// ranked returns the lessons that a word of the prompt finds: those that are injected, the others
// that were collected, and those hidden behind them.
func (p *probe) ranked(asked []pitfall) []pitfall {
	all := slices.Clone(p.collected)
	sortFound(all)
	var hidden []pitfall
	for _, l := range asked {
		if p.by[l.id] == nil && len(p.wordsFinding(l)) > 0 {
			hidden = append(hidden, l)
		}
	}
	sortFound(hidden)
	return append(all, hidden...)
}

// wordsFinding returns the words that would find a lesson which was not collected.
func (p *probe) wordsFinding(l pitfall) (words []string) {
	for _, w := range slices.Concat(p.words, p.skipped, p.past) {
		if strings.Contains(lower(l.signature), w) || strings.Contains(lower(l.text), w) {
			words = append(words, w)
		}
	}
	return words
}

func (p *probe) hit(l pitfall, rank int) memory.Hit {
	full := (&schema{}).lessonRecord(&l.row, l.row.encode(), l.long)
	h := memory.Hit{
		ID:    full.ID,
		Line:  full.Line,
		Rank:  rank,
		Score: int(l.hits),
		Count: full.Count,
		Title: full.Title,
		Body:  full.Body,
		Flags: full.Flags, Secrets: full.Secrets,
		Recalled: slices.ContainsFunc(p.chosen, func(c pitfall) bool { return c.id == l.id }),
	}
	words := p.by[l.id]
	if words == nil {
		words = p.wordsFinding(l)
	}
	for _, w := range words {
		h.Matches = append(h.Matches, memory.Match{Word: w, Kind: matchKind(l, w), Times: 1})
	}
	h.Noise = len(h.Matches) > 0 &&
		!slices.ContainsFunc(h.Matches, func(m memory.Match) bool { return m.Kind == memory.WholeWord })
	return h
}

// matchKind says how a word occurs in a lesson. Words that nearly every prompt contains are noise.
func matchKind(l pitfall, word string) memory.MatchKind {
	if slices.Contains(
		[]string{
			"this",
			"that",
			"with",
			"from",
			"have",
			"will",
			"when",
			"then",
			"them",
			"they",
			"what",
			"your",
			"into",
			"some",
			"please",
		},
		word,
	) {
		return memory.StopWord
	}
	for _, text := range [...]string{l.signature, l.text} {
		letters := func(r rune) bool { return (r|0x20 < 'a' || r|0x20 > 'z') && r < 0x80 }
		if slices.Contains(strings.FieldsFunc(lower(text), letters), word) {
			return memory.WholeWord
		}
	}
	return memory.InsideWord
}

// wordStates says what became of each word of a prompt.
func (p *probe) wordStates(prompt string) (words []memory.Word) {
	state := map[string]memory.WordState{}
	for _, w := range p.words {
		state[w] = memory.WordUsed
	}
	for _, w := range slices.Concat(p.skipped, p.past) {
		state[w] = memory.WordPast50
	}
	read := prompt[:min(len(prompt), promptBytes)]
	seen := map[string]bool{}
	letter := func(r rune) bool { return r < 'a' || r > 'z' }
	for i, part := range [...]string{read, prompt[len(read):]} {
		for _, w := range strings.FieldsFunc(lower(part), letter) {
			if seen[w] {
				continue
			}
			seen[w] = true
			st, looked := state[w]
			switch {
			case i > 0:
				st = memory.WordPast2000
			case !looked:
				st = memory.WordShort
			}
			words = append(words, memory.Word{Text: w, State: st})
		}
	}
	return words
}

func (p *probe) empty(r *memory.Recall) string {
	if len(p.chosen) > 0 {
		return ""
	}
	return cmp.Or(
		system.Say(r.Searched == 0, "The agent "+r.Task.Scope+" has no lessons."),
		system.Say(
			len(p.words) == 0,
			"The message has no word of four ASCII letters or more in its first 400 bytes, so nothing is looked up.",
		),
		"No lesson of "+r.Task.Scope+" holds one of the words.",
	)
}

// mostHidden is the number of sentences about hidden lessons without a hit.
const mostHidden = 12

// notes says what the lists do not show.
func (p *probe) notes(r *memory.Recall, all, asked []pitfall) []string {
	notes := system.Notes(
		system.Say(
			r.Task.Scope != "",
			"This is the turn of "+r.Task.Scope+". Agents that it delegates to get no lessons.",
		),
		system.Say(
			len(p.chosen) > 0,
			"A real turn would count a hit for each of these lessons, so they would rank higher next time. "+
				"Open todos would come before the block.",
		),
		system.Say(
			len(p.skipped) > 0,
			"Arbiter stops at eight lessons, so it does not look up: "+strings.Join(p.skipped, ", ")+".",
		),
		system.Say(len(p.past) > 0, "Arbiter looks up only twelve words, so not: "+strings.Join(p.past, ", ")+"."),
	)
	for _, l := range all {
		if p.by[l.id] == nil && (l.hits > 0 || len(notes) <= mostHidden) {
			notes = append(notes, fmt.Sprintf("#%d is hidden: %s.", l.id, p.whyHidden(l)))
		}
	}
	tooLong := slices.ContainsFunc(asked, func(l pitfall) bool { return l.long > 0 })
	return append(notes, system.Notes(
		system.Say(tooLong, "One lesson is too long to be read here. If it is found, the real block is another."),
		system.Say(len(r.Task.Files) > 0 || len(r.Task.Tools) > 0 || len(r.Task.Without) > 0,
			"Arbiter looks only at the message: files, tools and words that are left out make no difference."))...)
}

// whyHidden says why a lesson that contains a word of the prompt was not collected.
func (p *probe) whyHidden(l pitfall) string {
	if place, ok := p.after[l.id]; ok {
		return fmt.Sprintf(
			"of the lessons with %s it is number %d by hits, and five are taken",
			quoted(p.wordsFinding(l)[0]),
			place,
		)
	}
	words := p.wordsFinding(l)
	if slices.Contains(p.past, words[0]) {
		return quoted(words[0]) + " is past the twelfth word"
	}
	return "eight were found before " + quoted(words[0]) + " was looked up"
}

func quoted(s string) string { return "“" + s + "”" }

// The limits and texts of the probe, which is the Arbiter function that puts lessons before a
// message.
const (
	promptBytes  = 400
	wordLetters  = 4
	mostWords    = 12
	perWord      = 5
	enough       = 8
	injected     = 3
	blockBegin   = "[KNOWN PITFALLS — your prior lessons]\n"
	blockEnd     = "[END KNOWN PITFALLS]"
	nothingFound = "(no lessons recorded)"
)

// pitfall is what the probe reads of one lesson of an agent.
type pitfall struct {
	id              int64
	signature, text string
	hits, seen      int64
	row             row
	long            int // length of its longest text if that was not read
}

// probe is the result of a probe.
type probe struct {
	words     []string // the words looked up, in order
	skipped   []string // the words not looked up because enough was found
	past      []string // the words past the limit
	collected []pitfall
	by        map[int64][]string // lesson -> the words that found it
	after     map[int64]int      // lesson that the limit of a word left out -> that word's limit
	chosen    []pitfall
}

// terms returns the words of a prompt that can be looked up: runs of ASCII letters in its first
// bytes, each once.
func terms(prompt string) (words []string) {
	prompt = prompt[:min(len(prompt), promptBytes)]
	letter := func(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' && r < 0x80 }
	for _, w := range strings.FieldsFunc(prompt, func(r rune) bool { return !letter(r) }) {
		w = lower(w)
		if len(w) >= wordLetters && !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	return words
}

// lower is SQLite's lower(): ASCII only.
func lower(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r | 0x20
		}
		return r
	}, s)
}

// newProbe finds the lessons of an agent that a prompt brings up.
func newProbe(lessons []pitfall, prompt string) probe {
	p := probe{by: map[int64][]string{}, after: map[int64]int{}}
	words := terms(prompt)
	if len(words) > mostWords {
		words, p.past = words[:mostWords], words[mostWords:]
	}
	for i, w := range words {
		if len(p.collected) >= enough {
			p.words, p.skipped = words[:i], words[i:]
			break
		}
		p.words = words[:i+1]
		p.lookUp(lessons, w)
	}
	p.chosen = slices.Clone(p.collected)
	sortFound(p.chosen)
	p.chosen = p.chosen[:min(injected, len(p.chosen))]
	return p
}

// lookUp looks up one word.
func (p *probe) lookUp(lessons []pitfall, word string) {
	for i, l := range lessonsWith(lessons, word) {
		if i >= perWord {
			p.after[l.id] = i + 1
			continue
		}
		if p.by[l.id] == nil {
			p.collected = append(p.collected, l)
		}
		p.by[l.id] = append(p.by[l.id], word)
	}
}

// lessonsWith returns the lessons that contain a word, in the order of Arbiter's search.
func lessonsWith(lessons []pitfall, word string) (all []pitfall) {
	for _, l := range lessons {
		if strings.Contains(lower(l.signature), word) || strings.Contains(lower(l.text), word) {
			all = append(all, l)
		}
	}
	sortFound(all)
	return all
}

func sortFound(all []pitfall) {
	slices.SortStableFunc(all, func(a, b pitfall) int {
		return cmp.Or(cmp.Compare(b.hits, a.hits), cmp.Compare(b.seen, a.seen), cmp.Compare(a.id, b.id))
	})
}

// blocks returns the text that goes before a message, and the message as the model gets it. The
// text is empty if there are no lessons.
func (p *probe) blocks(prompt string) (before, message memory.Block) {
	const where = "user prompt"
	var text instructions.Text
	if len(p.chosen) > 0 {
		text.WriteString(blockBegin)
		for _, l := range p.chosen {
			id := lessonID(l.id)
			text.Add(memory.Part{Name: "lesson", ID: id}, "  - ["+l.signature+"] "+l.text+" ("+string(id)+")\n")
		}
		text.WriteString(blockEnd)
		before = text.Block(where, "known pitfalls")
		text.WriteString("\n\n")
	}
	text.WriteString(prompt)
	return before, text.Block(where, where)
}

// untilNUL returns a text as Arbiter reads it from a column: up to the first NUL.
func untilNUL(s string) string {
	s, _, _ = strings.Cut(s, "\x00")
	return s
}
