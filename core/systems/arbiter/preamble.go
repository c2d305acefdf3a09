package arbiter

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// What the probe for lessons reads and takes, by the function of Arbiter that puts them
// before a message.
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

// pitfall is what the probe reads of a lesson of one agent.
type pitfall struct {
	id              int64
	signature, text string
	hits, seen      int64
	row             row
	long            int // how long its longest text is, when that was not read
}

// probe is what a probe found.
type probe struct {
	words     []string // that it looks up, in order, as far as it got
	skipped   []string // that it did not look up since enough was found
	past      []string // past the most words
	collected []pitfall
	by        map[int64][]string // the words that found a lesson
	after     map[int64]int      // of a lesson that the limit of a word left out: that word's
	chosen    []pitfall
}

// terms returns the words of a prompt that can be looked up: runs of ASCII letters in
// its first bytes, each once.
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

// lower is lower() of SQLite: ASCII only.
func lower(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return r >= 'A' && r <= 'Z' }) < 0 {
		return s
	}
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c | 0x20
		}
	}
	return string(b)
}

// probed looks for the lessons of an agent that a prompt brings up.
func probed(lessons []pitfall, prompt string) probe {
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
		p.look(lessons, w)
	}
	p.chosen = slices.Clone(p.collected)
	sortFound(p.chosen)
	p.chosen = p.chosen[:min(injected, len(p.chosen))]
	return p
}

// look looks a word up.
func (p *probe) look(lessons []pitfall, word string) {
	for i, l := range found(lessons, word) {
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

// found returns the lessons with a word in them, in the order of Arbiter's search.
func found(lessons []pitfall, word string) []pitfall {
	var all []pitfall
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

// block returns the text that goes before the message, and where in it the lessons
// stand; the empty text when there are none.
func (p *probe) block() (text string, places [][2]int) {
	if len(p.chosen) == 0 {
		return "", nil
	}
	var b strings.Builder
	b.WriteString(blockBegin)
	for _, l := range p.chosen {
		start := b.Len()
		b.WriteString("  - [" + l.signature + "] " + l.text + " (#" + strconv.FormatInt(l.id, 10) + ")\n")
		places = append(places, [2]int{start, b.Len()})
	}
	b.WriteString(blockEnd)
	return b.String(), places
}

// message returns the message that the model gets for a prompt.
func message(block, prompt string) string {
	if block == "" {
		return prompt
	}
	return block + "\n\n" + prompt
}

// untilNUL returns a text as Arbiter reads it from a column.
func untilNUL(s string) string {
	s, _, _ = strings.Cut(s, "\x00")
	return s
}
