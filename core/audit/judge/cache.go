package judge

import (
	"fmt"
	"hash/maphash"
	"strings"
	"sync"
	"sync/atomic"

	"winnow/core/detect"
	"winnow/core/memory"
)

// How many lines are known by their content. Each takes the place of one that has the
// same number.
const (
	cleanLines   = 1 << 16
	privateLines = 1 << 12 // with private data alone, which takes little room
	foundLines   = 1 << 9
	longLine     = 8 << 10 // a longer one is judged again
	manyFinds    = 8
)

// cache knows what was found in lines that come again, as those of the versions of a
// file do. It is bounded, and safe for concurrent use.
type cache struct {
	seed    maphash.Seed
	clean   [cleanLines]atomic.Uint64 // sums of lines with nothing to find
	private [privateLines]atomic.Pointer[judged]
	found   [foundLines]atomic.Pointer[judged]
}

func newCache() *cache { return &cache{seed: maphash.MakeSeed()} }

// sum is of a line that is judged as a kind of document is.
func (c *cache) sum(k *kind, line string) uint64 {
	return maphash.Comparable(c.seed, [...]string{string(k.form.System), k.form.Name, line})
}

// lookup returns what is known of a line, or what find finds in it.
func (c *cache) lookup(k *kind, line string, find func() *judged) *judged {
	if c == nil {
		return find()
	}
	sum := c.sum(k, line)
	j := c.get(sum)
	if j == nil {
		j = find()
		c.put(sum, line, j)
	}
	return j
}

// get returns what is known of a line.
func (c *cache) get(sum uint64) *judged {
	if c.clean[sum%cleanLines].Load() == sum {
		return clean
	}
	if j := c.private[sum%privateLines].Load(); j != nil && j.sum == sum {
		return j
	}
	if j := c.found[sum%foundLines].Load(); j != nil && j.sum == sum {
		return j
	}
	return nil
}

func (c *cache) put(sum uint64, line string, j *judged) {
	switch {
	case len(j.finds) == 0 && len(j.private) == 0 && !j.unsound:
		c.clean[sum%cleanLines].Store(sum)
	case len(line) > longLine || len(j.finds) > manyFinds || len(j.private) > manyFinds:
	case len(j.finds) == 0:
		j.sum = sum
		c.private[sum%privateLines].Store(j)
	default:
		j.sum = sum
		c.found[sum%foundLines].Store(j)
	}
}

// Known is what was found in the records of a store, by their revisions, so that a
// record is judged once. It is bounded by the records of the store, and safe for
// concurrent use.
type Known struct {
	mu sync.Mutex
	by map[memory.Revision]*judged
}

// clean stands for a record with nothing to find.
var clean = &judged{}

// lookup returns what is known of a record with that revision, or what find finds in it.
func (k *Known) lookup(rev memory.Revision, find func() *judged) *judged {
	k.mu.Lock()
	j := k.by[rev]
	k.mu.Unlock()
	if j != nil {
		return j
	}
	if j = find(); len(j.finds) == 0 && len(j.private) == 0 && !j.unsound {
		j = clean
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.by == nil {
		k.by = map[memory.Revision]*judged{}
	}
	k.by[rev] = j
	return j
}

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
