package judge

import (
	"fmt"
	"hash/maphash"
	"strings"
	"sync"

	"winnow/core/memory"
)

// cache remembers what was found in texts that repeat, such as lines in the versions of a file. It
// is safe for concurrent use.
type cache[K comparable] struct {
	most int // maximum total weight; 0 for no limit

	mu     sync.Mutex
	by     map[K]*lineResult
	weight int
}

// clean is the shared result for texts without findings.
var clean = &lineResult{}

// lookup returns the result for a key, calling find if it is not known. A full cache is emptied
// first.
func (c *cache[K]) lookup(key K, find func() *lineResult) *lineResult {
	c.mu.Lock()
	j := c.by[key]
	c.mu.Unlock()
	if j != nil {
		return j
	}
	if j = find(); len(j.matches) == 0 && len(j.private) == 0 && !j.notJSON {
		j = clean
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.by == nil || c.most > 0 && c.weight > c.most {
		c.by, c.weight = map[K]*lineResult{}, 0
	}
	c.by[key] = j
	c.weight += 1 + 8*len(j.private) + 64*len(j.matches)
	return j
}

// Lines of documents are cached by content.
const (
	cachedLines = 1 << 16
	longLine    = 8 << 10 // longer lines are not cached
)

// lineCache holds results by a hash of the line and of how it is judged.
type lineCache struct {
	seed maphash.Seed
	cache[uint64]
}

func newLineCache() *lineCache {
	return &lineCache{seed: maphash.MakeSeed(), cache: cache[uint64]{most: cachedLines}}
}

// line returns the result for a line, calling find if it is not known. A nil cache always calls
// find.
func (c *lineCache) line(k *lineKind, line string, find func() *lineResult) *lineResult {
	if c == nil || len(line) > longLine {
		return find()
	}
	return c.lookup(maphash.Comparable(c.seed, [...]string{string(k.form.System), k.form.Name, line}), find)
}

// Known holds what was found in the records of a store, by revision, so that each is judged once.
// It is safe for concurrent use.
type Known struct{ cache[memory.Revision] }

// Bound empties Known once most of it belongs to records that a store of this size no longer has.
func (k *Known) Bound(records int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.by) > 2*records+64 {
		clear(k.by)
	}
}

// withoutBOM returns the line of a record without the byte order mark that the agent tolerates at the
// beginning of the store.
func withoutBOM(m *memory.Record) string {
	if m.Flags&memory.FlagDamaged != 0 {
		return m.Raw
	}
	return strings.TrimPrefix(m.Raw, byteOrderMark)
}

// Record judges the next record of an open store, instead of a piece.
func (r *Reading) Record(known *Known, m *memory.Record) {
	r.live = true
	if m.RawCut() {
		r.Piece(Piece{Text: m.Raw, InLine: true, Line: m.Line, Column: 1, Offset: -1})
		r.flush()
		return
	}
	r.values++
	line := withoutBOM(m)
	found := known.lookup(m.Rev, func() *lineResult {
		return r.judge.line(&r.kind, line, func() *memory.Record { return m })
	})
	at := Piece{Line: m.Line, Column: 1, Offset: -1}
	if m.Flags&memory.FlagDamaged != 0 {
		r.lost.damaged.add(at, line, r.judge.values.SecretsInLine(line))
	}
	if m.Flags&memory.FlagBeyond != 0 {
		r.beyond++
	}
	if len(found.matches) > 0 || len(found.private) > 0 {
		r.reportLine(found, line, at, func() *memory.Record { return m })
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
	return r.values + r.lost.damaged.n // lines that no agent can decode were judged as well
}

// recallStatus says whether an agent will read a record of an open store.
func recallStatus(m *memory.Record, held int) string {
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
