package judge

import (
	"hash/maphash"
	"sync/atomic"
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
