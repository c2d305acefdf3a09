package compare

import (
	"cmp"
	"slices"

	"winnow/core/memory"
)

// The measure of Similar.
const (
	nearScore   = 0.57 // score from which two records say nearly the same
	bodyShare   = 0.35 // what equal error messages add
	listed      = 20   // others that are named for a record, at most
	wordsOfText = 64   // different words of a text that count
	rarest      = 6    // words by which candidates are found
)

// Similar returns for each record the indexes of others that say nearly the same,
// the nearest first, at most 20. Outcomes play no part: a task that failed and
// worked later is found too.
//
// Records whose task and lesson have the same words in the same order, in any case,
// punctuation and white space, are the same; they are found at any number. Others
// are compared by the words of their tasks, without those that say nothing. A word
// counts the more the fewer records have it. The score is the mean of two shares of
// the words that both have: of all words of the two, and of those of the shorter task.
// Where both have an error message, 0.35 of the share of its words is added. From
// 0.57 on two records are near.
//
// Only records are compared that share one of the 6 rarest words of their tasks that
// are not theirs alone, and of those the 48 before (16 in stores of more than 2,000),
// so that the time grows with the number of records and not with its square. In a
// large store a near one can be missed for that; the same ones never are.
//
// On the demo store, of 87 lines, 13 pairs are labelled by hand as worth merging: 12 of
// them are found, and nothing else. The measure was chosen on these pairs, so other
// stores will do worse. It is never a reason to merge without asking.
func Similar(records []memory.Record) [][]int {
	c := collect(records)
	links := c.near()
	out := make([][]int, len(records))
	for _, rep := range c.reps {
		links[rep] = nearestFirst(links[rep])
		for k, i := range c.groups[rep] {
			out[i] = c.others(rep, k, links[rep])
		}
	}
	return out
}

// link is a near record, the first of its group.
type link struct {
	to    int
	score float64
}

// near returns the near ones of the first records of groups.
func (c *similarity) near() map[int][]link {
	links := map[int][]link{}
	rare := newRareWords(c.count, len(c.words), len(c.reps))
	for _, i := range c.reps {
		c.mark(i, true)
		words := rare.sorted(slices.Clone(c.words[i].task))
		rare.add(i, words[:min(len(words), rarest)], func(j int) {
			if s := c.score(&c.words[i], &c.words[j]); s >= nearScore {
				links[i] = append(links[i], link{j, s})
				links[j] = append(links[j], link{i, s})
			}
		})
		c.mark(i, false)
	}
	return links
}

// mark notes the weights of the words of record i; they are 0 for all other words.
func (c *similarity) mark(i int, on bool) {
	set := func(weights []float64, words []int32) {
		for _, w := range words {
			weights[w] = 0
			if on {
				weights[w] = c.weight[w]
			}
		}
	}
	set(c.inTask, c.words[i].task)
	set(c.inMessage, c.words[i].message)
}

// score returns how near record b is to a, whose words are marked.
func (c *similarity) score(a, b *wordsOf) float64 {
	both := sum(c.inTask, b.task)
	s := both/(a.taskSum+b.taskSum-both)/2 + both/min(a.taskSum, b.taskSum)/2
	if least := min(a.messageSum, b.messageSum); least > 0 && s+bodyShare >= nearScore {
		s += bodyShare * sum(c.inMessage, b.message) / least
	}
	return s
}

// sum returns the weights of the words together.
func sum(weight []float64, words []int32) float64 {
	s := 0.0
	for _, w := range words {
		s += weight[w]
	}
	return s
}

func nearestFirst(links []link) []link {
	slices.SortFunc(links, func(a, b link) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.to, b.to))
	})
	return links[:min(len(links), listed)]
}

// others returns what is listed for record k of a group: those of its group nearest
// to it, then those of near groups.
func (c *similarity) others(rep, k int, links []link) []int {
	group := c.groups[rep]
	start := max(0, min(k-listed/2, len(group)-listed-1))
	var out []int
	for g := start; g < len(group) && len(out) < listed; g++ {
		if g != k {
			out = append(out, group[g])
		}
	}
	for _, l := range links {
		for _, i := range c.groups[l.to] {
			if len(out) == listed {
				return out
			}
			out = append(out, i)
		}
	}
	return out
}
