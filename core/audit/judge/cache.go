package judge

import (
	"fmt"
	"hash/maphash"
	"strings"
	"sync"

	"winnow/core/detect"
	"winnow/core/memory"
)

// cache knows what was found in what comes again, as the lines of the versions of a file do. It is
// safe for concurrent use.
type cache[K comparable] struct {
	most int // the weight that it may have; 0 for any

	mu     sync.Mutex
	by     map[K]*judged
	weight int
}

// clean is what was found where there is nothing to find.
var clean = &judged{}

// lookup returns what is known by a key, or what find finds. When the cache is full it starts
// afresh.
func (c *cache[K]) lookup(key K, find func() *judged) *judged {
	c.mu.Lock()
	j := c.by[key]
	c.mu.Unlock()
	if j != nil {
		return j
	}
	if j = find(); len(j.finds) == 0 && len(j.private) == 0 && !j.unsound {
		j = clean
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.by == nil || c.most > 0 && c.weight > c.most {
		c.by, c.weight = map[K]*judged{}, 0
	}
	c.by[key] = j
	c.weight += 1 + 8*len(j.private) + 64*len(j.finds)
	return j
}

// Lines of documents are known by their content.
const (
	cachedLines = 1 << 16
	longLine    = 8 << 10 // a longer one is judged again
)

// lineCache knows lines by a hash of them and of how they are judged.
type lineCache struct {
	seed maphash.Seed
	cache[uint64]
}

func newLineCache() *lineCache {
	return &lineCache{seed: maphash.MakeSeed(), cache: cache[uint64]{most: cachedLines}}
}

// line returns what is known of a line, or what find finds in it. A nil cache knows nothing.
func (c *lineCache) line(k *kind, line string, find func() *judged) *judged {
	if c == nil || len(line) > longLine {
		return find()
	}
	return c.lookup(maphash.Comparable(c.seed, [...]string{string(k.form.System), k.form.Name, line}), find)
}

// Known is what was found in the records of a store, by their revisions, so that a record is judged
// once. It is safe for concurrent use.
type Known struct{ cache[memory.Revision] }

// Bound forgets everything once most of it is of records that a store of so many no longer has.
func (k *Known) Bound(records int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.by) > 2*records+64 {
		clear(k.by)
	}
}

// record judges a record as it would be judged in its line.
func (j *Judge) record(k *kind, m *memory.Record) *judged {
	var secrets []detect.Span
	if m.Flags&memory.FlagSecret != 0 || j.values != nil {
		secrets = j.values.SecretsInLine(m.Raw)
	}
	line := forgiven(m)
	if len(line) < len(m.Raw) && len(secrets) > 0 {
		secrets = j.values.SecretsInLine(line)
	}
	return j.judged(k, line, secrets, detect.Suspicious(line), func() *memory.Record { return m })
}

// forgiven returns the line of a record without the byte order mark that the agent
// forgives at the beginning of the store.
func forgiven(m *memory.Record) string {
	if m.Flags&memory.FlagDamaged != 0 {
		return m.Raw
	}
	return strings.TrimPrefix(m.Raw, byteOrderMark)
}

// Record judges the next record of a store that is open, instead of a piece.
func (r *Reading) Record(known *Known, m *memory.Record) {
	r.live = true
	if m.RawCut() {
		r.Piece(Piece{Text: m.Raw, InLine: true, Line: m.Line, Column: 1, Offset: -1})
		r.flush()
		return
	}
	r.values++
	found := known.lookup(m.Rev, func() *judged { return r.judge.record(&r.kind, m) })
	line := forgiven(m)
	at := Piece{Line: m.Line, Column: 1, Offset: -1}
	if m.Flags&memory.FlagDamaged != 0 {
		r.lost.damaged.add(at, line, r.judge.values.SecretsInLine(line))
	}
	if m.Flags&memory.FlagBeyond != 0 {
		r.beyond++
	}
	if len(found.finds) > 0 || len(found.private) > 0 {
		r.found(found, line, at, func() *memory.Record { return m })
	}
	if r.Journal != nil && strings.Contains(m.Raw, mark) {
		r.redactedElsewhere(line, m, at)
	}
}

// Records returns how many records were judged: lines that a form decodes.
func (r *Reading) Records() int {
	if r.doc.Form == nil || r.doc.Form.Decode == nil {
		return 0
	}
	return r.values + r.lost.damaged.n // those that no agent can decode were looked at as well
}

// liveRecall says whether an agent will read a record of a store that is open.
func liveRecall(m *memory.Record, held int) string {
	switch {
	case m.Flags&memory.FlagDamaged != 0:
		return "no: the agent cannot decode it"
	case m.Flags&memory.FlagBeyond != 0:
		return fmt.Sprintf("no: beyond the %d that an agent loads", held)
	case m.Flags&memory.FlagPruned != 0:
		return "no: will be pruned when an agent loads the store"
	case m.Problem != nil:
		return "no: the agent cannot use it"
	}
	return fmt.Sprintf("yes, relevance %d", m.Count.N)
}
